/*
 * call_argument.c: hashing the arguments of a call, and what is kept at a call site
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "argument.h"
#include "citext.h"
#include "hasher.h"
#include "type_hasher.h"
#include "call_argument.h"

PdsCallSite *
pds_call_site(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	if (unlikely(flinfo->fn_extra == NULL))
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt,
												  sizeof(PdsCallSite));
	return (PdsCallSite *) flinfo->fn_extra;
}

/* ---------- the hashers of a call site ---------- */

/*
 * Is text that is read as this kind the text itself?  For a kind of collated text it is, under
 * the collation of the argument.  Hashes of unknown values cannot be read, and the mismatch of
 * kinds says what is wrong.
 */
static bool
is_read_as_text(pds_kind want)
{
	return want == PDS_KIND_NONE || want == PDS_KIND_STRING || want == PDS_KIND_HASH ||
		pds_kind_code(want) == PDS_KIND_COLLATED;
}

/*
 * The hasher for an argument of this type, which becomes the first one in the list of all that the
 * site ever needed.  "literal" is for text that is read as kind "want".
 */
static PdsHasher *
site_take(FunctionCallInfo fcinfo, int argno, Oid typid, bool literal, pds_kind want)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	PdsHasher **link = &site->hasher;
	PdsHasher  *hasher;

	while ((hasher = *link) != NULL &&
		   (hasher->argno != argno || hasher->argtype != typid ||
			hasher->call_collation != PG_GET_COLLATION() ||
			hasher->by_want != literal || (literal && hasher->want != want)))
		link = &hasher->next;
	if (hasher != NULL)
		*link = hasher->next;
	else if (literal && !is_read_as_text(want))
		hasher = pds_hasher_for_literal(want, fcinfo->flinfo->fn_mcxt);
	else
		hasher = pds_hasher_for_type(typid, pds_argument_collation(fcinfo, argno),
									 fcinfo->flinfo->fn_mcxt);
	hasher->argno = argno;
	hasher->argtype = typid;
	hasher->call_collation = PG_GET_COLLATION();
	hasher->by_want = literal;
	hasher->want = want;
	hasher->fn_expr = fcinfo->flinfo->fn_expr;
	hasher->next = site->hasher;
	return site->hasher = hasher;
}

/* The hasher for an argument of this type; of text, if it is a literal, as "want". */
static pg_noinline PdsHasher *
site_lookup(FunctionCallInfo fcinfo, int argno, pds_kind want, Oid typid)
{
	if (typid == TEXTOID)
		pds_refuse_citext(fcinfo, argno);
	return site_take(fcinfo, argno, typid,
					 typid == TEXTOID && pds_argument_is_literal(fcinfo, argno), want);
}

Oid
pds_declared_type(FunctionCallInfo fcinfo, int argno)
{
	Oid		   *types;
	int			n;
	Oid			typid;

	(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &n);
	typid = argno < n ? types[argno] : InvalidOid;
	pfree(types);
	if (!OidIsValid(typid) || typid == ANYOID)
		return pds_argument_type(fcinfo, argno);
	return typid;
}

/*
 * The hasher for an argument.  For a given expression tree and argument the type does
 * not change, so most calls need no look at either.
 */
static inline PdsHasher *
site_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want)
{
	PdsHasher  *hasher = pds_call_site(fcinfo)->hasher;

	if (likely(hasher != NULL &&
			   hasher->argno == argno &&
			   hasher->fn_expr == fcinfo->flinfo->fn_expr &&
			   hasher->call_collation == PG_GET_COLLATION() &&
			   (!hasher->by_want || hasher->want == want)))
		return hasher;
	return site_lookup(fcinfo, argno, want, pds_declared_type(fcinfo, argno));
}

PdsHasher *
pds_arg_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want)
{
	return site_hasher(fcinfo, argno, want);
}

pds_hash
pds_hash_arg(FunctionCallInfo fcinfo, int argno, pds_kind want, pds_kind *kind)
{
	PdsHasher  *hasher = site_hasher(fcinfo, argno, want);
	pds_hash	hash = pds_hasher_hash(hasher, PG_GETARG_DATUM(argno));

	*kind = hasher->kind;
	return hash;
}

/* ---------- arrays ---------- */

/* The elements of the text of an array, as an array of text. */
static ArrayType *
elements_of_text(PdsHasher *hasher, Datum value)
{
	if (hasher->array_in == NULL)
	{
		hasher->array_in = MemoryContextAlloc(hasher->mcxt, sizeof(FmgrInfo));
		fmgr_info_cxt(F_ARRAY_IN, hasher->array_in, hasher->mcxt);
	}
	return DatumGetArrayTypeP(InputFunctionCall(hasher->array_in, TextDatumGetCString(value),
												TEXTOID, -1));
}

static void
no_array(const char *type)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot take a value of type %s for an array", type),
			 errhint("Cast the value to an array of the type that the sketch holds.")));
}

/*
 * The text of an array, which a literal or a parameter has.  Its elements are read one
 * by one as a literal of their own would be.
 */
static ArrayType *
array_of_text(FunctionCallInfo fcinfo, int argno, pds_kind want, PdsHasher **element)
{
	if (!pds_argument_is_literal(fcinfo, argno))
		no_array("text");
	*element = site_take(fcinfo, argno, TEXTOID, true, want);
	return elements_of_text(*element, PG_GETARG_DATUM(argno));
}

ArrayType *
pds_array_arg(FunctionCallInfo fcinfo, int argno, pds_kind want, PdsHasher **element)
{
	PdsHasher  *hasher = pds_call_site(fcinfo)->hasher;
	ArrayType  *array;
	Oid			typid;

	if (hasher == NULL || hasher->fn_expr != fcinfo->flinfo->fn_expr || hasher->by_want)
	{
		typid = get_fn_expr_argtype(fcinfo->flinfo, argno);
		if (!OidIsValid(typid))
			typid = pds_declared_type(fcinfo, argno);
		if (typid == TEXTOID)
			return array_of_text(fcinfo, argno, want, element);
		/* probds_citext declares it, and its bytes are no array's */
		if (pds_type_is_citext(typid))
			no_array("citext");
	}

	/*
	 * By the value: the expression of a column of type anyarray (pg_stats has one)
	 * does not tell the elements' type, and it may change from row to row.
	 */
	array = PG_GETARG_ARRAYTYPE_P(argno);
	typid = ARR_ELEMTYPE(array);
	if (unlikely(hasher == NULL || hasher->argno != argno || hasher->argtype != typid ||
				 hasher->call_collation != PG_GET_COLLATION() || hasher->by_want))
		hasher = site_take(fcinfo, argno, typid, false, want);
	*element = hasher;
	return array;
}

const uint8 *
pds_bytes_of(PdsHasher *hasher, Datum value, size_t *len)
{
	PdsSink    *sink = &hasher->sink;

	pds_sink_start(sink, PDS_SINK_KEEP);
	pds_append(hasher, value, sink);
	*len = sink->len;
	return sink->len > 0 ? sink->data : (const uint8 *) "";
}
