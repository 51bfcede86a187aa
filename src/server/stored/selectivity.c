/*
 * selectivity.c: what the planner is told of probes: how many rows pass
 *
 * If the filter is known when the query is planned, it is probed.  The most common values of
 * the column are looked up in it, and the bounds of the column's histogram, which are a sample
 * of the other values.  (The server's own generic_restriction_selectivity() calls the operator
 * without an expression tree, from which a function declared with "any" could learn the type.)
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "citext.h"
#include "compat.h"
#include "selectivity.h"
#include "type_hasher.h"
#include "call_argument.h"

/* Of a filter of which nothing is known: what the server takes for "matches a pattern". */
#define UNKNOWN_SELECTIVITY		DEFAULT_MATCHING_SEL

/* A filter that the planner sees. */
typedef struct KnownFilter
{
	const PdsProbe *probe;
	PdsView		view;
	PdsHealth	health;			/* how many values it holds, and its rate as it is filled */
} KnownFilter;

static void
know_filter(KnownFilter *f, const PdsProbe *probe, Datum value)
{
	f->probe = probe;
	pds_sketch_health(probe->type, value, &f->view, &f->health);
}

/* Is this value in the filter?  Errors: XX001. */
static bool
is_hit(KnownFilter *f, PdsHasher *hasher, Datum value)
{
	const PdsProbe *probe = f->probe;
	const pds_view_head *head = (const pds_view_head *) &f->view;
	pds_hash	hash;
	uint64_t	answer;

	if (probe->hash_value == NULL || head->family < probe->foreign_from)
		hash = pds_hasher_hash(hasher, value);
	else if (!probe->hash_value(&f->view, hasher, value, &hash))
		return false;
	if (probe->probe(&f->view, hash, pds_in_memory, &f->view, &answer) != PDS_OK)
		pds_stored_corrupt(probe->type, NULL);
	return answer != 0;
}

/*
 * Looks up the values of a statistics slot in the filter. *hits of *n values are members.  If
 * the slot has frequencies, *share is the sum of the members' and *total the sum of all.
 * Returns false if the column has no such slot.
 */
static bool
probe_slot(VariableStatData *vardata, PdsHasher *hasher, KnownFilter *f, int kind,
		   int *hits, int *n, double *share, double *total)
{
	AttStatsSlot slot;
	bool		numbers = kind == STATISTIC_KIND_MCV;

	*hits = *n = 0;
	*share = *total = 0;
	if (!HeapTupleIsValid(vardata->statsTuple) ||
		!get_attstatsslot(&slot, vardata->statsTuple, kind, InvalidOid,
						  ATTSTATSSLOT_VALUES | (numbers ? ATTSTATSSLOT_NUMBERS : 0)))
		return false;
	*n = slot.nvalues;
	for (int i = 0; i < slot.nvalues; i++)
	{
		bool		hit = is_hit(f, hasher, slot.values[i]);

		*hits += hit;
		if (numbers)
		{
			*share += hit ? slot.numbers[i] : 0;
			*total += slot.numbers[i];
		}
	}
	free_attstatsslot(&slot);
	return true;
}

/*
 * The share of the rows whose value is in the filter, to a known filter and a
 * column (or expression) of which there may be statistics.
 */
static double
known_selectivity(KnownFilter *f, VariableStatData *vardata, Oid function, Oid collation)
{
	PdsHasher  *hasher;
	double		nulls = 0;
	double		mcv_share;
	double		mcv_total;
	double		others;
	double		distinct;
	double		share;
	double		ignored;
	bool		isdefault;
	int			mcv_hits;
	int			mcvs;
	int			hits;
	int			n;

	if (((const pds_view_head *) &f->view)->encoding == PDS_ENCODING_EMPTY)
		return 0;
	if (HeapTupleIsValid(vardata->statsTuple))
		nulls = ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;
	/* who may not see the values must not hear of them from a function either */
	if (!HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, function))
		return Max(UNKNOWN_SELECTIVITY, f->health.rate) * (1 - nulls);

	hasher = pds_hasher_for_type(vardata->vartype, collation, CurrentMemoryContext);
	if (pds_hasher_kind(hasher) != f->health.kind)
		return UNKNOWN_SELECTIVITY; /* an error, once it is executed */
	(void) probe_slot(vardata, hasher, f, STATISTIC_KIND_MCV, &mcv_hits, &mcvs,
					  &mcv_share, &mcv_total);

	/*
	 * Among the values that are not most common ones, at most as many can be members as the
	 * filter holds other values.  Values that are not members pass at the false-positive rate.
	 */
	others = Max(0, 1 - nulls - mcv_total);
	distinct = get_variable_numdistinct(vardata, &isdefault) - mcvs;
	share = isdefault ? 1 : Min(1, Max(0, f->health.values - mcv_hits) / Max(1, distinct));
	share = share + (1 - share) * f->health.rate;

	/* the bounds of the histogram say how many do; no hit is less than half of one */
	if (probe_slot(vardata, hasher, f, STATISTIC_KIND_HISTOGRAM, &hits, &n, &ignored, &ignored))
		share = Min(share, (hits + 0.5) / (n + 1));
	else if (isdefault)
		share = Min(share, UNKNOWN_SELECTIVITY);
	return mcv_share + others * Max(share, f->health.rate);
}

/* Does a function of a filter and a value declare its value with this type? */
static bool
is_value_type(Oid typid)
{
	return typid == ANYOID || typid == TEXTOID || pds_type_is_citext(typid);
}

/*
 * The selectivity of a call with these arguments of the function, which has the
 * filter as its first or second argument.
 */
static double
selectivity(const PdsProbe *probe, PlannerInfo *root, Oid function, List *args, Oid collation,
			int varRelid)
{
	VariableStatData vardata;
	Node	   *other;
	Node	   *filter;
	bool		varonleft;
	double		result = UNKNOWN_SELECTIVITY;
	Oid		   *argtypes;
	int			nargs;
	bool		filter_is_left;

	(void) get_func_signature(function, &argtypes, &nargs);
	if (nargs != 2 || list_length(args) != 2)
		return result;
	filter_is_left = is_value_type(argtypes[1]);
	if (!get_restriction_variable(root, args, varRelid, &vardata, &other, &varonleft))
		return result;
	filter = varonleft == filter_is_left ? NULL : other;
	/* this function can be that of somebody's operator over other types */
	if (filter != NULL && IsA(filter, Const) &&
		pds_sketch_type_of(((Const *) filter)->consttype) == probe->type)
	{
		KnownFilter f;

		if (((Const *) filter)->constisnull)
			result = 0;
		else
		{
			know_filter(&f, probe, ((Const *) filter)->constvalue);
			result = known_selectivity(&f, &vardata, function, collation);
		}
	}
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(result);
	return result;
}

Datum
pds_contains_sel(FunctionCallInfo fcinfo, const PdsProbe *probe)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);

	PG_RETURN_FLOAT8(selectivity(probe, root, get_opcode(operator), args, PG_GET_COLLATION(),
								 varRelid));
}

Datum
pds_contains_support(FunctionCallInfo fcinfo, const PdsProbe *probe)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *req = (SupportRequestSelectivity *) request;

		req->selectivity = req->is_join ? UNKNOWN_SELECTIVITY :
			selectivity(probe, req->root, req->funcid, req->args, req->inputcollid,
						req->varRelid);
		PG_RETURN_POINTER(req);
	}
	PG_RETURN_POINTER(NULL);
}
