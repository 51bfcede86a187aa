/*
 * rollup_parts.c: which objects a rollup consists of, and whose source a relation is
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "rollup.h"

/* ---------- names ---------- */

char *
rollup_column_name(Oid relation, AttrNumber number)
{
	return pstrdup(quote_identifier(get_attname(relation, number, false)));
}

/* The schema that the functions of this library are in, quoted. */
const char *
rollup_extension_schema(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	HeapTuple	tuple = get_catalog_object_by_oid(rel, Anum_pg_extension_oid,
												  get_extension_oid("probds", false));

	table_close(rel, AccessShareLock);
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "extension probds is gone");
	return quote_identifier(get_namespace_name(((Form_pg_extension) GETSTRUCT(tuple))
											   ->extnamespace));
}

/* The i-th (from 0) of the columns that a relation still has. */
char *
rollup_column(Oid relation, int i)
{
	Relation	rel = table_open(relation, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	AttrNumber	number = 0;

	while (number < desc->natts && (TupleDescAttr(desc, number)->attisdropped || i-- > 0))
		number++;
	table_close(rel, NoLock);
	if (number == desc->natts)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a column of %s is missing", pds_relation_name(relation)),
				 errhint("Drop the rollup with probds_drop_rollup() and create it again.")));
	return rollup_column_name(relation, (AttrNumber) (number + 1));
}

char *
rollup_stored_column(const RollupParts *parts, int i)
{
	return rollup_column(parts->stored, i + 1);	/* behind ROLLUP_TOUCHED */
}

/* ---------- from one part to all ---------- */

/* The relation of whose row type a column of the options is; InvalidOid if it is gone. */
static Oid
part_of_column(Oid options, const char *column)
{
	return get_typ_typrelid(get_atttype(options, get_attnum(options, column)));
}

bool
rollup_is_options(Oid relation)
{
	return get_rel_relkind(relation) == RELKIND_RELATION &&
		get_atttype(relation, get_attnum(relation, "probds_rollup")) == INT4OID;
}

/* The one relation that a view reads; InvalidOid also if who had locked the view dropped it. */
static Oid
source_of(Oid view)
{
	Query	   *query = rollup_view_query(view);
	int			index = query == NULL ? 0 : rollup_relation_index(query);

	return index != 0 ? rt_fetch(index, query->rtable)->relid : InvalidOid;
}

/*
 * All of it but the source, from the options.  The parts are in a table: in the place of a view,
 * its query would be, and call its owner's functions as who reads the source.
 */
static bool
parts_of_options(Oid options, RollupParts *parts)
{
	if (!rollup_is_options(options))
		return false;
	parts->options = options;
	parts->query = part_of_column(options, "query");
	parts->stored = part_of_column(options, "stored");
	parts->shown = part_of_column(options, "shown");
	return OidIsValid(parts->query) && get_rel_relkind(parts->stored) == RELKIND_RELATION &&
		OidIsValid(parts->shown);
}

/*
 * Returns the options that have a column of this relation's row type.  Anybody may create a
 * table with such a column, so a table of the relation's owner comes first.  Of several of his the
 * first does, for each of the parts: a copy is younger.
 */
static Oid
options_of_part(Oid relation)
{
	Oid			row_type = get_rel_type_id(relation);
	Relation	rel;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			result = InvalidOid;
	bool		found_own = false;

	if (!OidIsValid(row_type))
		return InvalidOid;
	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(TypeRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(row_type));
	scan = systable_beginscan(rel, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend depend = (Form_pg_depend) GETSTRUCT(tuple);
		bool		own;

		if (depend->classid != RelationRelationId || depend->objsubid <= 0 ||
			!rollup_is_options(depend->objid))
			continue;
		own = pds_relation_owner(depend->objid) == pds_relation_owner(relation);
		if (own > found_own || !OidIsValid(result) ||
			(own == found_own && depend->objid < result))
			result = depend->objid;
		found_own |= own;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return result;
}

bool
rollup_is_first(const RollupParts *parts)
{
	return options_of_part(parts->shown) == parts->options;
}

/* The owner of all parts; InvalidOid if they have several. */
static Oid
common_owner(const RollupParts *parts)
{
	Oid			owner = pds_relation_owner(parts->options);

	return pds_relation_owner(parts->query) == owner &&
		pds_relation_owner(parts->stored) == owner &&
		pds_relation_owner(parts->shown) == owner ? owner : InvalidOid;
}

/* As rollup_find(), without the source.  Opens no view, which its owner may have locked. */
static bool
find_but_source(Oid relation, RollupParts *parts)
{
	Oid			options = rollup_is_options(relation) ? relation : options_of_part(relation);

	memset(parts, 0, sizeof(*parts));
	if (!OidIsValid(options) || !parts_of_options(options, parts))
		return false;
	parts->owner = common_owner(parts);
	return true;
}

bool
rollup_find(Oid relation, RollupParts *parts)
{
	if (!find_but_source(relation, parts))
		return false;
	parts->source = source_of(parts->query);
	return OidIsValid(parts->source);
}

void
rollup_require(Oid relation, RollupParts *parts)
{
	bool		found = OidIsValid(relation) && rollup_find(relation, parts);

	/* to find it can mean to wait for who drops it */
	if (!OidIsValid(relation) || get_rel_name(relation) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	if (!found)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a rollup", get_rel_name(relation)),
				 errhint("probds_create_rollup() creates rollups, and probds_rollups() lists "
						 "them.")));

	/* All code of a rollup runs as its owner.  In a view of somebody else, his code would. */
	if (!OidIsValid(parts->owner))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the parts of rollup %s have different owners",
						pds_relation_name(parts->shown)),
				 errhint("Change the owner of %s, %s, %s and %s to the same role.",
						 pds_relation_name(parts->shown), pds_relation_name(parts->stored),
						 pds_relation_name(parts->query), pds_relation_name(parts->options))));
}

void
rollup_require_plain(const RollupParts *parts)
{
	Relation	rel = table_open(parts->stored, AccessShareLock);
	bool		plain = rel->rd_rules == NULL &&
		(rel->trigdesc == NULL || !rel->trigdesc->trig_delete_before_row);

	table_close(rel, NoLock);
	if (!plain)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table %s of a rollup has a rule, or a trigger that could keep rows from "
						"being deleted", pds_relation_name(parts->stored)),
				 errhint("Drop it, and rebuild the rollup.")));
}

/* ---------- rights ---------- */

void
rollup_require_owner(const RollupParts *parts)
{
	if (!has_privs_of_role(GetUserId(), parts->owner))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_VIEW, get_rel_name(parts->shown));
}

/* May the owner read the columns that the query uses? */
static bool
may_read(const RollupParts *parts)
{
	List	   *columns;
	ListCell   *lc;

	if (pg_class_aclcheck(parts->source, parts->owner, ACL_SELECT) == ACLCHECK_OK)
		return true;
	columns = rollup_used_columns(parts->query);
	if (columns == NIL)
		return pg_attribute_aclcheck_all(parts->source, parts->owner, ACL_SELECT,
										 ACLMASK_ANY) == ACLCHECK_OK;
	foreach(lc, columns)
		if (lfirst_int(lc) == 0 ?
			pg_attribute_aclcheck_all(parts->source, parts->owner, ACL_SELECT,
									  ACLMASK_ALL) != ACLCHECK_OK :
			pg_attribute_aclcheck(parts->source, (AttrNumber) lfirst_int(lc), parts->owner,
								  ACL_SELECT) != ACLCHECK_OK)
			return false;
	return true;
}

/* Of a rollup that is a source, too: what its writers do waits for the parts, and runs code. */
bool
rollup_may_hang(const RollupParts *parts)
{
	return OidIsValid(parts->owner) &&
		pg_class_aclcheck(parts->source, parts->owner, ACL_TRIGGER) == ACLCHECK_OK;
}

bool
rollup_may_watch(const RollupParts *parts)
{
	return rollup_may_hang(parts) && may_read(parts) &&
		check_enable_rls(parts->source, parts->owner, true) != RLS_ENABLED;
}

void
rollup_require_watch(const RollupParts *parts)
{
	if (!rollup_may_watch(parts))
		aclcheck_error(ACLCHECK_NO_PRIV, get_rel_relkind(parts->source) == RELKIND_VIEW ?
					   OBJECT_VIEW : OBJECT_TABLE, get_rel_name(parts->source));
}

/* ---------- from the source to its rollups ---------- */

List *
rollup_ancestors(Oid relation)
{
	List	   *list = list_make1_oid(relation);
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);

	/* the list grows while we walk along it */
	for (int i = 0; i < list_length(list); i++)
	{
		ScanKeyData key;
		SysScanDesc scan;
		HeapTuple	tuple;

		ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
					ObjectIdGetDatum(list_nth_oid(list, i)));
		scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
		while (HeapTupleIsValid(tuple = systable_getnext(scan)))
			list = list_append_unique_oid(list, ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent);
		systable_endscan(scan);
	}
	table_close(inherits, AccessShareLock);
	return list;
}

/* The view that a rule is of. */
static Oid
view_of_rule(Oid rule)
{
	Relation	rel = table_open(RewriteRelationId, AccessShareLock);
	HeapTuple	tuple = get_catalog_object_by_oid(rel, Anum_pg_rewrite_oid, rule);

	table_close(rel, AccessShareLock);
	return HeapTupleIsValid(tuple) ? ((Form_pg_rewrite) GETSTRUCT(tuple))->ev_class : InvalidOid;
}

List *
rollup_views_over(Oid relation)
{
	List	   *views = NIL;
	Relation	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(RelationRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relation));
	scan = systable_beginscan(rel, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend depend = (Form_pg_depend) GETSTRUCT(tuple);

		if (depend->classid == RewriteRelationId)
			views = list_append_unique_oid(views, view_of_rule(depend->objid));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return views;
}

List *
rollup_list_of_source(Oid relation)
{
	List	   *unwatched;

	return rollup_list_all_of_source(relation, &unwatched);
}

List *
rollup_list_all_of_source(Oid relation, List **unwatched)
{
	List	   *found = NIL;
	ListCell   *source;
	ListCell   *view;

	*unwatched = NIL;
	foreach(source, rollup_ancestors(relation))
		foreach(view, rollup_views_over(lfirst_oid(source)))
		{
			RollupParts *parts = palloc(sizeof(RollupParts));

			if (lfirst_oid(view) == lfirst_oid(source) ||
				!find_but_source(lfirst_oid(view), parts) || parts->query != lfirst_oid(view))
				continue;
			parts->source = lfirst_oid(source);

			/* anybody may create a view over a table, and lock the view: it is not opened */
			if (!rollup_may_hang(parts))
				*unwatched = lappend(*unwatched, parts);
			else if (source_of(parts->query) != parts->source)
				continue;
			/* rollups that show the same could read each other, without an end */
			else if (rollup_may_watch(parts) && rollup_is_first(parts))
				found = lappend(found, parts);
			else
				*unwatched = lappend(*unwatched, parts);
		}
	return found;
}
