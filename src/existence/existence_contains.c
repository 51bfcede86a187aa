/*
 * existence_contains.c: existence_might_contain() and its like
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "existence/existence.h"
#include "pg/argument.h"
#include "pg/kind.h"

/* The target of a call, kept at its call site. */
static inline ExistenceTarget *
target_of_call(FunctionCallInfo fcinfo)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	ExistenceTarget *known = site->room;

	if (unlikely(known == NULL ||
				 !existence_target_is_current(known, PG_GETARG_OID(0),
											  NameStr(*PG_GETARG_NAME(1)))))
	{
		/* what fails leaves nothing behind that is not good any more */
		known = existence_target(known, PG_GETARG_OID(0), PG_GETARG_NAME(1),
								 fcinfo->flinfo->fn_mcxt);
		site->room = known;
	}
	return known;
}

/* 22000 if a value is not of the kind of the keys: it was hashed otherwise. */
static inline void
require_kind(const ExistenceTarget *target, pds_kind kind)
{
	if (unlikely(kind != target->kind))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("existence index on \"%s\" has keys of kind %s, not %s",
						NameStr(target->column), pds_kind_name(target->kind),
						pds_kind_name(kind)),
				 errhint("Cast the value to the type of the column.")));
}

typedef enum Answer
{
	NO,
	YES,
	UNUSABLE					/* an index that was good is not any more */
} Answer;

static Answer
probe_all(const ExistenceTarget *target, pds_hash hash)
{
	for (int i = 0; i < target->n; i++)
	{
		Relation	index = RelationIdGetRelation(target->indexes[i]);
		bool		usable;
		bool		found = false;

		if (!RelationIsValid(index))
			return UNUSABLE;
		usable = existence_is_usable(index);
		if (usable)
			found = existence_probe(index, hash);
		RelationClose(index);
		if (!usable)
			return UNUSABLE;
		if (found)
			return YES;
	}
	return NO;
}

/* Might a key with this hash be there? */
static bool
might_contain(FunctionCallInfo fcinfo, ExistenceTarget *target, pds_hash hash)
{
	if (target->maybe)
		return true;
	switch (probe_all(target, hash))
	{
		case NO:
			return false;
		case YES:
			return true;
		case UNUSABLE:
			break;
	}

	/* REINDEX CONCURRENTLY has put another index in its place, or nothing yet */
	target->lxid = InvalidLocalTransactionId;
	target = target_of_call(fcinfo);
	return target->maybe || probe_all(target, hash) != NO;
}

/* A literal of text is compared under the collation of the keys, as in a query. */
static bool
takes_collation(FunctionCallInfo fcinfo, const ExistenceTarget *target)
{
	return unlikely(pds_kind_code(target->kind) == PDS_KIND_COLLATED) &&
		pds_argument_type(fcinfo, 2) == TEXTOID && pds_argument_is_literal(fcinfo, 2);
}

/* existence_might_contain(relation, column_name, value) */
PG_FUNCTION_INFO_V1(probds_existence_might_contain);
Datum
probds_existence_might_contain(PG_FUNCTION_ARGS)
{
	ExistenceTarget *target = target_of_call(fcinfo);
	pds_kind	kind;
	pds_hash	hash;

	if (takes_collation(fcinfo, target))
	{
		PdsHasher  *hasher = pds_hasher_for_type(TEXTOID, target->collation, CurrentMemoryContext);

		hash = pds_hasher_hash(hasher, PG_GETARG_DATUM(2));
		kind = pds_hasher_kind(hasher);
	}
	else
		hash = pds_hash_arg(fcinfo, 2, target->kind, &kind);
	require_kind(target, kind);
	PG_RETURN_BOOL(might_contain(fcinfo, target, hash));
}

/* Is the answer "sought" for any element of the array? */
static bool
answers_any(FunctionCallInfo fcinfo, bool sought)
{
	ExistenceTarget *target = target_of_call(fcinfo);
	PdsHasher  *hasher;
	ArrayType  *array = pds_array_arg(fcinfo, 2, target->kind, &hasher);
	ArrayIterator it = array_create_iterator(array, 0, NULL);
	bool		answered = false;
	bool		isnull;
	Datum		value;

	/* whatever the elements are, so that a wrong type is found with the first row */
	if (!pds_hasher_varies(hasher))
		require_kind(target, pds_hasher_kind(hasher));
	while (!answered && array_iterate(it, &value, &isnull))
	{
		pds_hash	hash;

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			continue;
		hash = pds_hasher_hash(hasher, value);
		require_kind(target, pds_hasher_kind(hasher));
		answered = might_contain(fcinfo, target, hash) == sought;
		/* it may have been made again */
		target = target_of_call(fcinfo);
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
