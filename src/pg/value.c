/*
 * value.c: hashing the arguments of a call, and what is kept at a call site
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "pg/canonical.h"

PdsCallSite *
pds_call_site(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	if (unlikely(flinfo->fn_extra == NULL))
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt,
												  sizeof(PdsCallSite));
	return (PdsCallSite *) flinfo->fn_extra;
}

/* How the type to hash follows from a call */
typedef Oid (*ArgTypeFunction) (FunctionCallInfo fcinfo, int argno);

/*
 * The hasher for an argument whose type is still to be found out, and with
 * "unknown" types the one that reads literals as kind want.  All that a site
 * ever needed are kept in a list; the last one used stands first.
 */
static PdsHasher *
site_lookup(FunctionCallInfo fcinfo, PdsCallSite *site, int argno,
			pds_kind want, Oid typid)
{
	Oid			collation = PG_GET_COLLATION();
	PdsHasher **link;
	PdsHasher  *hasher;

	for (link = &site->hasher; (hasher = *link) != NULL; link = &hasher->next)
	{
		if (hasher->argtype == typid && hasher->collation == collation &&
			(typid != UNKNOWNOID || hasher->want == want))
		{
			*link = hasher->next;
			break;
		}
	}
	if (hasher == NULL)
	{
		MemoryContext mcxt = fcinfo->flinfo->fn_mcxt;

		if (typid == UNKNOWNOID)
			hasher = pds_hasher_for_literal(want, mcxt);
		else
			hasher = pds_hasher_for_type(typid, collation, mcxt);
		hasher->argtype = typid;
		hasher->collation = collation;
		hasher->want = want;
	}
	hasher->argno = argno;
	hasher->fn_expr = fcinfo->flinfo->fn_expr;
	hasher->next = site->hasher;
	site->hasher = hasher;
	return hasher;
}

/*
 * The hasher for an argument.  For a given expression tree and argument the
 * type does not change, so most calls need no look at either.
 */
static inline PdsHasher *
site_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want,
			ArgTypeFunction argtype)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	PdsHasher  *hasher = site->hasher;

	if (likely(hasher != NULL &&
			   hasher->argno == argno &&
			   hasher->fn_expr == fcinfo->flinfo->fn_expr &&
			   hasher->collation == PG_GET_COLLATION() &&
			   (hasher->argtype != UNKNOWNOID || hasher->want == want)))
		return hasher;
	return site_lookup(fcinfo, site, argno, want, argtype(fcinfo, argno));
}

/* ---- functions declared with "any" ------------------------------------------ */

static Oid
expression_type(FunctionCallInfo fcinfo, int argno)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, argno);

	if (!OidIsValid(typid))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine data type of argument %d", argno + 1)));
	return typid;
}

pds_hash
pds_hash_arg(FunctionCallInfo fcinfo, int argno, pds_kind want, pds_kind *kind)
{
	PdsHasher  *hasher = site_hasher(fcinfo, argno, want, expression_type);

	*kind = hasher->kind;
	return pds_hasher_hash(hasher, PG_GETARG_DATUM(argno));
}

/* ---- functions of either sort ------------------------------------------------- */

/* The type that a function was declared with for an argument, and what it stands for */
static Oid
argument_type(FunctionCallInfo fcinfo, int argno)
{
	Oid		   *types;
	int			n;
	Oid			typid;

	(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &n);
	typid = argno < n ? types[argno] : InvalidOid;
	pfree(types);
	if (typid == TEXTOID)
		return pds_aggregate_text_type(fcinfo, argno);
	if (!OidIsValid(typid) || typid == ANYOID)
		return expression_type(fcinfo, argno);
	return typid;
}

PdsHasher *
pds_arg_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want)
{
	return site_hasher(fcinfo, argno, want, argument_type);
}

/* ---- elements of arrays ------------------------------------------------------- */

/*
 * By the value: the expression of a column of type anyarray (pg_stats has
 * one) does not say it, and it may change from row to row.
 */
PdsHasher *
pds_hasher_for_elements(FunctionCallInfo fcinfo, int argno, Oid element)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	PdsHasher  *hasher = site->hasher;

	if (hasher != NULL && hasher->argno == argno && hasher->argtype == element &&
		hasher->collation == PG_GET_COLLATION())
		return hasher;
	return site_lookup(fcinfo, site, argno, PDS_KIND_NONE, element);
}

/* ---- functions declared with a type ------------------------------------------- */

pds_hash
pds_hash_text_arg(FunctionCallInfo fcinfo, int argno, pds_kind *kind)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	PdsHasher  *hasher = site->hasher;

	/* what site_hasher() would ask, less what cannot differ here */
	if (unlikely(hasher == NULL ||
				 hasher->argno != argno ||
				 hasher->collation != PG_GET_COLLATION()))
		hasher = site_lookup(fcinfo, site, argno, PDS_KIND_NONE,
							 pds_aggregate_text_type(fcinfo, argno));
	*kind = hasher->kind;
	if (likely(hasher->shape == PDS_SHAPE_BYTES))
		return pds_hash_varlena(PG_GETARG_DATUM(argno));
	return pds_hasher_hash(hasher, PG_GETARG_DATUM(argno));
}

pds_hash
pds_hash_bytea_arg(FunctionCallInfo fcinfo, int argno)
{
	return pds_hash_varlena(PG_GETARG_DATUM(argno));
}

pds_hash
pds_hash_inet_arg(FunctionCallInfo fcinfo, int argno)
{
	uint8		bytes[PDS_PUT_MAX];
	size_t		len = pds_put_inet(NULL, PG_GETARG_DATUM(argno), bytes);

	return pds_murmur3(bytes, len, 0);
}

/* ---- names ----------------------------------------------------------------------- */

const char *
pds_kind_name(pds_kind kind)
{
	static const char *const names[] = {
		"none", "number", "text", "bytea", "uuid", "float", "boolean", "date",
		"time", "timetz", "timestamp", "timestamptz", "interval", "inet",
		"macaddr", "macaddr8", "jsonb", "enum", "bit", "money", "record",
		"multirange", "collated text", "citext", "hash"
	};
	int			base = kind & PDS_KIND_BASE_MASK;
	const char *name;

	StaticAssertStmt(lengthof(names) == PDS_KIND_HASH + 1, "a kind has no name");
	if (base < (int) lengthof(names))
		name = names[base];
	else
		name = psprintf("unlisted type (%d)", base);
	if (kind & PDS_KIND_RANGE)
		name = psprintf("range of %s", name);
	if (kind & PDS_KIND_ARRAY)
		name = psprintf("array of %s", name);
	return name;
}
