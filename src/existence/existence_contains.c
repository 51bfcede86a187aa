/*
 * existence_contains.c: existence_might_contain() and its like
 */
#include "postgres.h"

#include "access/genam.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "existence.h"
#include "argument.h"
#include "kind_name.h"

/* What a call site keeps (PdsCallSite.known) */
typedef struct Site
{
	ExistenceTarget *target;
	bool		looked;			/* is it known whether the value is a literal? */
	bool		literal;		/* text that is read as the type of the keys */
	pds_kind	collated;		/* that it has by its collation; PDS_KIND_NONE for most */
} Site;

static inline Site *
site_of_call(FunctionCallInfo fcinfo)
{
	PdsCallSite *site = pds_call_site(fcinfo);

	if (unlikely(site->known == NULL))
		site->known = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Site));
	return site->known;
}

/* The target of a call, kept at its call site. */
static inline ExistenceTarget *
target_of_call(FunctionCallInfo fcinfo)
{
	Site	   *site = site_of_call(fcinfo);

	/* if this fails, the old target stays, and it is not current */
	site->target = existence_target(site->target, PG_GETARG_OID(0), PG_GETARG_NAME(1),
									fcinfo->flinfo->fn_mcxt);
	return site->target;
}

/* ---------- literals ---------- */

/* The kind of text under a collation that takes different strings for equal; or none. */
static pds_kind
kind_of_collation(Oid collation)
{
	return pds_collation_is_deterministic(collation) ? PDS_KIND_NONE :
		pds_collation_kind(collation);
}

/*
 * Is the value a literal or parameter that has no other type than text?  It is read as a
 * value of the column, as in a comparison with the column.
 */
static inline bool
is_literal(FunctionCallInfo fcinfo)
{
	Site	   *site = site_of_call(fcinfo);

	if (unlikely(!site->looked))
	{
		site->literal = pds_argument_type(fcinfo, 2) == TEXTOID &&
			pds_argument_is_literal(fcinfo, 2);
		site->collated = kind_of_collation(pds_argument_collation(fcinfo, 2));
		site->looked = true;
	}
	return site->literal;
}

/* A text as a value of a type. */
static Datum
read_text(Oid type, Datum value)
{
	Oid			input;
	Oid			ioparam;

	getTypeInputInfo(type, &input, &ioparam);
	return OidInputFunctionCall(input, TextDatumGetCString(value), ioparam, -1);
}

/* 22000 if a value is not of the kind of the keys: it was hashed otherwise. */
static inline void
require_kind(const ExistenceTarget *target, pds_kind kind)
{
	if (likely(kind == target->kind))
		return;
	if (pds_kind_code(kind) == pds_kind_code(target->kind))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("existence index on \"%s\" has keys of another type of kind %s",
						NameStr(target->column), pds_kind_name(kind)),
				 errhint("Give the value the type and the collation of the column.")));
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("existence index on \"%s\" has keys of kind %s, not %s",
					NameStr(target->column), pds_kind_name(target->kind),
					pds_kind_name(kind)),
			 errhint("Cast the value to the type of the column.")));
}

/* 22000 if a literal was written with a collation that compares otherwise than the keys'. */
static inline void
require_collation(const ExistenceTarget *target, const Site *site)
{
	if (unlikely(site->collated != PDS_KIND_NONE))
		require_kind(target, site->collated);
}

/* The hash of a literal. */
static pds_hash
hash_literal(const ExistenceTarget *target, const Site *site, Datum text)
{
	require_collation(target, site);
	if (target->type != TEXTOID && target->type != VARCHAROID)
		text = read_text(target->type, text);
	return pds_hasher_hash(target->hasher, text);
}

/*
 * Does "column = value" take values of one type for keys of another, and their datums with them?
 * Both are of one kind.  Integers and oids are compared as oids, where -1 is the last one; text may
 * have been varchar, which becomes char(n) beside one.  Such a value is hashed as a key.
 */
static bool
is_taken_as_key(Oid key, Oid type)
{
	bool		is_integer = type == INT2OID || type == INT4OID;
	Oid			other = is_integer ? key : type;

	if (key == BPCHAROID)
		return type == TEXTOID || type == VARCHAROID;
	/* other numbers than integers and numeric are oid and its like */
	return is_integer != (key == INT2OID || key == INT4OID) &&
		other != INT8OID && other != NUMERICOID;
}

/*
 * 22000 for a char(n) and keys of type varchar.  "column = value" compares both as char(n), so the
 * value is equal to keys that end with any number of spaces, and these have other hashes.
 */
static inline void
require_length(const ExistenceTarget *target, Oid type)
{
	if (unlikely(type == BPCHAROID && target->type == VARCHAROID))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("existence index on \"%s\" has keys of type character varying, not "
						"character", NameStr(target->column)),
				 errdetail("A value of type character is equal to keys that end with any number of "
						   "spaces."),
				 errhint("Cast the value to text.")));
}

/*
 * The hasher for a value that has one of its own.  22000 if that is of another kind, or of a type
 * that compares otherwise.
 */
static inline PdsHasher *
hasher_of_value(const ExistenceTarget *target, PdsHasher *own)
{
	if (!own->varies)
		require_kind(target, pds_hasher_kind(own));
	require_length(target, own->typid);
	return own->typid != target->type && !own->reads && is_taken_as_key(target->type, own->typid) ?
		target->hasher : own;
}

/*
 * Might a key with this hash be there?  The indexes could answer when the target was made.  The
 * lock on the table keeps that so: REINDEX CONCURRENTLY waits for it before it lets an index go.
 * A standby does not wait.  What such an index lacks there, no snapshot of this call sees.
 */
static bool
might_contain(const ExistenceTarget *target, pds_hash hash)
{
	bool		found = target->maybe;
	ListCell   *lc;

	foreach(lc, target->indexes)
	{
		Relation	index;

		if (found)
			break;
		index = index_open(lfirst_oid(lc), NoLock);
		pgstat_count_index_scan(index);
		found = existence_probe(index, hash);
		index_close(index, NoLock);
	}
	return found;
}

/* existence_might_contain(relation, column_name, value) */
PG_FUNCTION_INFO_V1(probds_existence_might_contain);
Datum
probds_existence_might_contain(PG_FUNCTION_ARGS)
{
	ExistenceTarget *target = target_of_call(fcinfo);
	pds_hash	hash;

	if (is_literal(fcinfo))
		hash = hash_literal(target, site_of_call(fcinfo), PG_GETARG_DATUM(2));
	else
	{
		PdsHasher  *hasher = hasher_of_value(target, pds_arg_hasher(fcinfo, 2, target->kind));

		hash = pds_hasher_hash(hasher, PG_GETARG_DATUM(2));
		require_kind(target, pds_hasher_kind(hasher));
	}
	PG_RETURN_BOOL(might_contain(target, hash));
}

/* Is the answer "sought" for any element of the array? */
static bool
answers_any(FunctionCallInfo fcinfo, bool sought)
{
	ExistenceTarget *target = target_of_call(fcinfo);
	Oid			array_type = is_literal(fcinfo) ? get_array_type(target->type) : InvalidOid;
	PdsHasher  *hasher = target->hasher;
	ArrayType  *array;
	ArrayIterator it;
	bool		answered = false;
	bool		isnull;
	Datum		value;

	if (OidIsValid(array_type))
	{
		require_collation(target, site_of_call(fcinfo));
		array = DatumGetArrayTypeP(read_text(array_type, PG_GETARG_DATUM(2)));
	}
	else
	{
		array = pds_array_arg(fcinfo, 2, target->kind, &hasher);
		/* whatever the elements are, so that a wrong type is found with the first row */
		hasher = hasher_of_value(target, hasher);
	}
	it = array_create_iterator(array, 0, NULL);
	while (!answered && array_iterate(it, &value, &isnull))
	{
		pds_hash	hash;

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			continue;
		hash = pds_hasher_hash(hasher, value);
		require_kind(target, pds_hasher_kind(hasher));
		answered = might_contain(target, hash) == sought;
	}
	array_free_iterator(it);
	return answered;
}

/* existence_might_contain_any(relation, column_name, elements) */
PG_FUNCTION_INFO_V1(probds_existence_might_contain_any);
Datum
probds_existence_might_contain_any(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(answers_any(fcinfo, true));
}

/* existence_might_contain_all(relation, column_name, elements) */
PG_FUNCTION_INFO_V1(probds_existence_might_contain_all);
Datum
probds_existence_might_contain_all(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!answers_any(fcinfo, false));
}
