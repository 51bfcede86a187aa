/*
 * existence_target.c: from a table and a column to the indexes that answer
 *
 * "No" is an answer about all rows that a query on the table would find.  So whatever
 * keeps the index from knowing all of them, or the caller from reading them, makes the
 * answer "maybe" or an error.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"

#include "existence.h"
#include "type_hasher.h"
#include "run_as.h"

/* Changes of tables that this session has heard of */
static uint64 changes;

static void
relation_changed(Datum arg, Oid relation)
{
	changes++;
}

/*
 * Is the target still good?  Within a transaction, too, a table can get a partition or a
 * child, a policy, or a column of the same name.
 */
static bool
is_current(const ExistenceTarget *target, Oid relation, const char *column)
{
	return target->changes == changes &&
		target->lxid == PDS_MY_LXID &&
		target->subxid == GetCurrentSubTransactionId() &&
		target->user == GetUserId() &&
		target->relation == relation &&
		strcmp(NameStr(target->column), column) == 0;
}

/* ---------- tables whose rows are elsewhere ---------- */

/* Is this a table that Citus has distributed?  The shell of it here has no rows. */
static bool
is_distributed_by_citus(Oid relation)
{
	Oid			catalog = get_relname_relid("pg_dist_partition", PG_CATALOG_NAMESPACE);
	AttrNumber	column;
	Relation	rows;
	SysScanDesc scan;
	ScanKeyData key;
	bool		found;

	if (!OidIsValid(catalog) ||
		(column = get_attnum(catalog, "logicalrelid")) == InvalidAttrNumber)
		return false;
	rows = table_open(catalog, AccessShareLock);
	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(rows, InvalidOid, false, NULL, 1, &key);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rows, AccessShareLock);
	return found;
}

pg_noreturn static void
refuse(Oid relation, const char *why, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("an existence index cannot answer for table \"%s\"", get_rel_name(relation)),
			 errdetail("%s", why),
			 errhint("%s", hint)));
}

/* 42809 or 0A000 unless all rows of the table (and its partitions) are here. */
static void
require_rows_here(Oid relation, char relkind)
{
	switch (relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_MATVIEW:
		case RELKIND_PARTITIONED_TABLE:
			break;
		case RELKIND_FOREIGN_TABLE:
			refuse(relation, "It is a foreign table: its rows are on another server.",
				   "Call the function there.");
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("\"%s\" is not a table or materialized view",
							get_rel_name(relation))));
	}
	if (is_distributed_by_citus(relation))
		refuse(relation, "It is distributed by Citus: its rows are in its shards.",
			   "Query the table: the indexes of the shards are used there.");
	if (relkind == RELKIND_RELATION && has_subclass(relation) &&
		find_inheritance_children(relation, AccessShareLock) != NIL)
		refuse(relation, "Other tables inherit from it, and their rows count as its own.",
			   "Call the function for each of these tables, or use a partitioned table.");
}

/* Errors of the server's that come too late or say too little. */
static void
require_readable(Oid relation)
{
	char		persistence = get_rel_persistence(relation);

	if (persistence == RELPERSISTENCE_TEMP && IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot access temporary tables during a parallel operation"),
				 errhint("Set max_parallel_workers_per_gather to 0.")));
	if (persistence == RELPERSISTENCE_UNLOGGED && RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary or unlogged relations during recovery")));
}

/* ---------- rights ---------- */

/*
 * The expressions of an index, or its predicate.  The server computes the constants in them, which
 * is code of the owner's, so it runs as the owner.
 */
static List *
read_as_owner(Relation index, List *(*read) (Relation), AttrNumber attribute)
{
	PdsScope	scope;
	List	   *result;

	if (heap_attisnull(index->rd_indextuple, attribute, NULL))
		return NIL;
	pds_scope_enter_rights(&scope, index->rd_rel->relowner);
	result = read(index);
	pds_scope_leave(&scope);
	return result;
}

/* The columns that an index is about, as pull_varattnos() numbers them. */
static Bitmapset *
columns_of_index(Relation index)
{
	Bitmapset  *columns = NULL;

	if (index->rd_index->indkey.values[0] != 0)
		columns = bms_add_member(columns, index->rd_index->indkey.values[0] -
								 FirstLowInvalidHeapAttributeNumber);
	pull_varattnos((Node *) read_as_owner(index, RelationGetIndexExpressions,
										  Anum_pg_index_indexprs), 1, &columns);
	return columns;
}

/* 42501 unless the caller may read these columns; of a key without any, the table. */
static void
require_select(Oid relation, Bitmapset *columns)
{
	bool		may = columns != NULL;
	int			i = -1;

	if (pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK)
		return;
	while (may && (i = bms_next_member(columns, i)) >= 0)
	{
		AttrNumber	column = i + FirstLowInvalidHeapAttributeNumber;

		may = column != InvalidAttrNumber &&
			pg_attribute_aclcheck(relation, column, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
	}
	if (!may)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(relation));
}

/* ---------- the indexes of one table ---------- */

/* What is looked for */
typedef struct Wanted
{
	Oid			relation;		/* the table that was named */
	const char *column;			/* the name that was given */
	Oid			index;			/* if the name is an index's: the index of that table */
	ExistenceTarget *target;
} Wanted;

/* Does the index have all rows of its table with a key that is not NULL? */
static bool
has_all_keys(Relation index)
{
	List	   *predicate = read_as_owner(index, RelationGetIndexPredicate, Anum_pg_index_indpred);
	AttrNumber	column = index->rd_index->indkey.values[0];
	NullTest   *is_not_null;
	Oid			type;
	int32		typmod;
	Oid			collation;

	if (predicate == NIL)
		return true;

	/* one that leaves out NULLs alone, which equal no key */
	is_not_null = makeNode(NullTest);
	if (column == InvalidAttrNumber)
		is_not_null->arg = linitial(read_as_owner(index, RelationGetIndexExpressions,
												  Anum_pg_index_indexprs));
	else
	{
		/* (the index can have another collation) */
		get_atttypetypmodcoll(index->rd_index->indrelid, column, &type, &typmod, &collation);
		is_not_null->arg = (Expr *) makeVar(1, column, type, typmod, collation, 0);
	}
	is_not_null->nulltesttype = IS_NOT_NULL;
	is_not_null->location = -1;
	return predicate_implied_by(predicate, list_make1(is_not_null), false);
}

/*
 * Does an index on a column tell values apart as the column does?  "No" under a finer
 * collation than the column's would say nothing about values that are equal there.
 */
static bool
has_collation_of_column(Relation table, Relation index, AttrNumber column)
{
	Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(table), column - 1);
	PdsHasher  *hasher;

	if (index->rd_indcollation[0] == attribute->attcollation)
		return true;
	hasher = pds_hasher_for_type(attribute->atttypid, attribute->attcollation,
								 CurrentMemoryContext);
	return pds_hasher_kind(hasher) ==
		pds_hasher_kind(existence_hasher(index, CurrentMemoryContext));
}

/* Is this index of a table the wanted index, or a partition of it? */
static bool
is_wanted(const Wanted *wanted, Relation table, Relation index, AttrNumber column)
{
	Oid			id = RelationGetRelid(index);

	if (!existence_is_index(index))
		return false;
	if (!OidIsValid(wanted->index))
		return index->rd_index->indkey.values[0] == column && column != InvalidAttrNumber &&
			has_collation_of_column(table, index, column);
	return id == wanted->index ||
		(index->rd_rel->relispartition &&
		 list_member_oid(get_partition_ancestors(id), wanted->index));
}

/* 22000 if the keys of two partitions' indexes are not of one kind. */
static void
require_same_keys(Wanted *wanted, Relation index, PdsHasher *hasher)
{
	ExistenceTarget *target = wanted->target;
	pds_kind	kind = pds_hasher_kind(hasher);

	if (target->hasher == NULL)
	{
		target->kind = kind;
		target->hasher = hasher;
		target->type = getBaseType(TupleDescAttr(RelationGetDescr(index), 0)->atttypid);
	}
	else if (target->kind != kind)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("the existence indexes of the partitions of table \"%s\" have keys"
						" of different kinds",
						get_rel_name(wanted->relation)),
				 errhint("Use the same collation for all partitions.")));
}

/* Why an index cannot say "no" about a table; NULL if it can. */
static const char *
why_not(Relation index, PdsHasher *hasher)
{
	if (!index->rd_index->indisvalid)
		return "invalid";
	if (!existence_is_usable(index))
		return "newer than the snapshot";
	if (!has_all_keys(index))
		return "partial";
	/* columns can be added to a composite type, and dropped */
	if (!existence_keys_are_as_built(index, hasher))
		return "built before its type was changed";
	return NULL;
}

/* Look at one index of a table; does it say "no"? */
static bool
take_index(Wanted *wanted, Relation index)
{
	ExistenceTarget *target = wanted->target;
	ExistenceSeen *seen = palloc(sizeof(ExistenceSeen));
	PdsHasher  *hasher = existence_hasher(index, CurrentMemoryContext);

	/* the kind of keys is told even where nothing else is, so that a wrong one is an error */
	require_same_keys(wanted, index, hasher);
	seen->index = RelationGetRelid(index);
	seen->why = why_not(index, hasher);
	target->seen = lappend(target->seen, seen);
	return seen->why == NULL;
}

/* Finds the index of a table, or sets "maybe" if no index can be relied on. */
static void
look_at_table(Wanted *wanted, Oid relation)
{
	ExistenceTarget *target = wanted->target;
	Relation	table = table_open(relation, NoLock);
	AttrNumber	column = OidIsValid(wanted->index) ? InvalidAttrNumber :
		get_attnum(relation, wanted->column);
	bool		seen = false;
	bool		taken = false;
	ListCell   *lc;

	foreach(lc, RelationGetIndexList(table))
	{
		Relation	index = index_open(lfirst_oid(lc), AccessShareLock);

		if (is_wanted(wanted, table, index, column))
		{
			seen = true;
			if (take_index(wanted, index) && !taken)
			{
				taken = true;
				target->indexes = lappend_oid(target->indexes, RelationGetRelid(index));
			}
		}
		index_close(index, NoLock);
	}
	if (!seen)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("table \"%s\" has no existence index on column \"%s\"",
						RelationGetRelationName(table), wanted->column),
				 errhint("Create one: CREATE INDEX ON %s USING existence (%s).",
						 pds_relation_name(relation), quote_identifier(wanted->column))));
	if (!taken)
		target->maybe = true;
	table_close(table, NoLock);
}

/* ---------- the table that was named ---------- */

/*
 * Returns the columns that the caller must be able to read.  The name is the name of a column
 * or of an index of the table.  An index on an expression can only be named by the index.
 */
static Bitmapset *
find_name(Wanted *wanted)
{
	AttrNumber	column = get_attnum(wanted->relation, wanted->column);
	Oid			index;

	if (column > 0)
		return bms_make_singleton(column - FirstLowInvalidHeapAttributeNumber);
	/* (the lock on the table keeps its indexes) */
	index = get_relname_relid(wanted->column, get_rel_namespace(wanted->relation));
	if (OidIsValid(index) && IndexGetRelation(index, true) == wanted->relation)
	{
		Relation	opened = index_open(index, AccessShareLock);
		Bitmapset  *columns = columns_of_index(opened);

		if (existence_is_index(opened))
			wanted->index = index;
		index_close(opened, NoLock);
		if (OidIsValid(wanted->index))
			return columns;
	}
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("table \"%s\" has no column and no existence index \"%s\"",
					get_rel_name(wanted->relation), wanted->column),
			 errhint("To query an index on an expression, give the name of the index.")));
}

static void
resolve(ExistenceTarget *target, Oid relation, const char *column)
{
	Wanted		wanted = {relation, column, InvalidOid, target};
	List	   *tables;
	Bitmapset  *columns;
	char		relkind;
	ListCell   *lc;

	LockRelationOid(relation, AccessShareLock);
	relkind = get_rel_relkind(relation);
	if (relkind == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	require_rows_here(relation, relkind);
	columns = find_name(&wanted);
	require_select(relation, columns);

	tables = relkind == RELKIND_PARTITIONED_TABLE ?
		find_all_inheritors(relation, AccessShareLock, NULL) : list_make1_oid(relation);
	foreach(lc, tables)
	{
		char		kind = get_rel_relkind(lfirst_oid(lc));

		if (kind == RELKIND_PARTITIONED_TABLE)
			continue;
		require_readable(lfirst_oid(lc));
		if (lfirst_oid(lc) != relation)
			require_rows_here(lfirst_oid(lc), kind);
		look_at_table(&wanted, lfirst_oid(lc));
	}

	/* the answer would tell of rows that the caller must not see */
	if (check_enable_rls(relation, InvalidOid, true) == RLS_ENABLED)
		target->maybe = true;
}

ExistenceTarget *
existence_target(ExistenceTarget *known, Oid relation, Name column, MemoryContext mcxt)
{
	static bool listening = false;
	MemoryContext own;
	MemoryContext old;
	ExistenceTarget *target;
	uint64		heard;

	if (!listening)
	{
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		listening = true;
	}
	/* another session can add a partition that the next snapshot of our transaction sees */
	AcceptInvalidationMessages();
	if (known != NULL && is_current(known, relation, NameStr(*column)))
		return known;
	own = AllocSetContextCreate(mcxt, "existence target", ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(own);
	target = palloc0(sizeof(ExistenceTarget));
	target->mcxt = own;
	heard = changes;
	resolve(target, relation, NameStr(*column));
	target->relation = relation;
	target->column = *column;
	target->user = GetUserId();
	target->changes = heard;
	target->lxid = PDS_MY_LXID;
	target->subxid = GetCurrentSubTransactionId();
	MemoryContextSwitchTo(old);
	if (known != NULL)
		MemoryContextDelete(known->mcxt);
	return target;
}
