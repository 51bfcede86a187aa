/*
 * rollup_ddl.c: tables that come, go, and change
 *
 * Triggers hang on the source, on its partitions and on its children, because rows may come and
 * go by each of them.  Two event triggers see to it:
 *
 *     before DROP             groups of a partition's rows are marked.  A part of a rollup is not
 *                             dropped alone
 *     after CREATE TABLE,     a new partition gets the triggers, the groups of the rows that it
 *     ALTER TABLE             brings are marked, and those of a partition that was detached
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "commands/event_trigger.h"
#include "commands/extension.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "rollup.h"

/* ---------- triggers of a table ---------- */

/* What a trigger is called, and what is said of it in CREATE TRIGGER. */
static const struct
{
	const char *name;
	const char *event;
	int16		type;
} hung[] = {
	{"insert", "AFTER INSERT ON %s REFERENCING NEW TABLE AS " ROLLUP_ROWS, TRIGGER_TYPE_INSERT},
	{"update", "AFTER UPDATE ON %s REFERENCING OLD TABLE AS probds_old NEW TABLE AS " ROLLUP_ROWS,
	TRIGGER_TYPE_UPDATE},
	{"delete", "AFTER DELETE ON %s REFERENCING OLD TABLE AS " ROLLUP_ROWS, TRIGGER_TYPE_DELETE},
	{"truncate", "BEFORE TRUNCATE ON %s", TRIGGER_TYPE_TRUNCATE}
};

static bool
is_our_function(Oid function, const char *name)
{
	return strcmp(get_func_name(function), name) == 0 &&
		pds_is_member(ProcedureRelationId, function);
}

/* Our trigger of a relation for an event, or InvalidOid; and its pg_trigger.tgenabled. */
static Oid
trigger_for(Oid relation, int16 type, char *enabled)
{
	Relation	rel = table_open(relation, AccessShareLock);
	TriggerDesc *desc = rel->trigdesc;
	Oid			found = InvalidOid;

	for (int i = 0; desc != NULL && i < desc->numtriggers; i++)
	{
		Trigger    *trigger = &desc->triggers[i];

		if (!OidIsValid(found) && rollup_tells(trigger, type) &&
			is_our_function(trigger->tgfoid, "_probds_rollup_trigger"))
		{
			found = trigger->tgoid;
			*enabled = trigger->tgenabled;
		}
	}
	table_close(rel, AccessShareLock);
	return found;
}

/* As its owner: who may hang triggers on the source need not have the right on a partition. */
static void
make_triggers_of(Oid relation)
{
	PdsScope	scope;
	char	   *name = pds_relation_name(relation);
	char		enabled;

	if (get_rel_relkind(relation) != RELKIND_RELATION &&
		get_rel_relkind(relation) != RELKIND_PARTITIONED_TABLE)
		return;
	pds_scope_enter(&scope, pds_relation_owner(relation));
	SPI_connect();
	for (int i = 0; i < (int) lengthof(hung); i++)
		if (!OidIsValid(trigger_for(relation, hung[i].type, &enabled)))
			(void) rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER _probds_rollup_%s %s FOR EACH "
								   "STATEMENT EXECUTE FUNCTION %s._probds_rollup_trigger()",
								   hung[i].name, psprintf(hung[i].event, name),
								   rollup_extension_schema());
	SPI_finish();
	pds_scope_leave(&scope);
}

/*
 * 0A000: the server cannot collect the new rows of a foreign table for a trigger.  The rows of a
 * temporary table would be counted for all sessions, and no event trigger tells of its end.
 */
static void
require_watchable(Oid relation)
{
	if (get_rel_persistence(relation) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("temporary table \"%s\" cannot be a child of the source of a rollup",
						get_rel_name(relation)),
				 errdetail("Other sessions do not see its rows.")));
	if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("foreign table %s cannot be a partition of the source of a rollup",
						pds_relation_name(relation)),
				 errdetail("This server does not see changes of the rows of a foreign table."),
				 errhint("Create the rollup on the server that has the rows, and merge the "
						 "sketches here.")));
}

/* Lock a table, its partitions and its children: all these. */
static List *
lock_with_children(Oid source, int mode)
{
	LockRelationOid(source, mode);
	return find_all_inheritors(source, mode, NULL);
}

void
rollup_make_triggers(Oid source)
{
	ListCell   *lc;

	if (get_rel_relkind(source) == RELKIND_VIEW)
		return;
	/* who is writing now does not know of the rollup */
	foreach(lc, lock_with_children(source, ShareRowExclusiveLock))
	{
		require_watchable(lfirst_oid(lc));
		make_triggers_of(lfirst_oid(lc));
		CacheInvalidateRelcacheByRelid(lfirst_oid(lc));
	}
}

void
rollup_drop_triggers(Oid source)
{
	ListCell   *lc;

	if (get_rel_relkind(source) == RELKIND_VIEW || rollup_list_of_source(source) != NIL)
		return;
	/* who makes a rollup now is not seen before */
	foreach(lc, lock_with_children(source, AccessExclusiveLock))
	{
		if (rollup_list_of_source(lfirst_oid(lc)) != NIL)
			continue;
		for (int i = 0; i < (int) lengthof(hung); i++)
		{
			char		enabled;
			ObjectAddress address = {
				TriggerRelationId, trigger_for(lfirst_oid(lc), hung[i].type, &enabled), 0
			};

			if (OidIsValid(address.objectId))
				performDeletion(&address, DROP_RESTRICT, PERFORM_DELETION_INTERNAL);
			CommandCounterIncrement();
		}
	}
}

void
rollup_check_source(const RollupParts *parts, StringInfo status)
{
	bool		fed = false;
	bool		detaches;
	ListCell   *lc;

	if (get_rel_relkind(parts->source) == RELKIND_VIEW)
		return;
	foreach(lc, find_all_inheritors(parts->source, NoLock, NULL))
	{
		Oid			relation = lfirst_oid(lc);
		char	   *name = pds_relation_name(relation);
		CatCList   *subscriptions = SearchSysCacheList1(SUBSCRIPTIONRELMAP,
														ObjectIdGetDatum(relation));

		fed |= subscriptions->n_members > 0;
		ReleaseCatCacheList(subscriptions);
		detaches = false;
		(void) find_inheritance_children_extended(relation, true, NoLock, &detaches, NULL);
		if (detaches)
			appendStringInfo(status, "; a partition of %s is being detached: its rows are still in "
							 "the rollup", name);
		if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE)
		{
			appendStringInfo(status, "; foreign table %s has become a child of the source: what is "
							 "done to it is not noticed", name);
			continue;
		}
		for (int i = 0; i < (int) lengthof(hung); i++)
		{
			char		enabled;

			if (!OidIsValid(trigger_for(relation, hung[i].type, &enabled)))
				appendStringInfo(status, "; %s has no trigger for %s: rebuild", name, hung[i].name);
			else if (enabled == TRIGGER_DISABLED || enabled == TRIGGER_FIRES_ON_REPLICA)
				appendStringInfo(status, "; the trigger of %s for %s is disabled: enable it, and "
								 "rebuild", name, hung[i].name);
		}
	}
	if (list_length(rollup_ancestors(parts->source)) > 1)
		appendStringInfoString(status, "; the source has become a partition or a child: what is "
							   "done through its parent is not noticed");
	if (fed)
		appendStringInfoString(status, "; the source is fed by a subscription: its changes fire no "
							   "trigger");
}

/* ---------- partitions ---------- */

/*
 * Has a rollup its row of options, whatever the transaction sees?  A rollup that is damaged stops
 * nobody, and misses it.
 */
typedef struct Work
{
	RollupParts *parts;
	bool		works;
} Work;

static void
look_for_options(void *arg)
{
	Work	   *work = arg;
	PdsScope	scope;

	pds_scope_enter(&scope, work->parts->owner);
	SPI_connect();
	rollup_hold(work->parts);
	work->works = rollup_execute_latest(SPI_OK_SELECT,
										psprintf("SELECT FROM %s LIMIT 1",
												 pds_relation_name(work->parts->options))) > 0;
	SPI_finish();
	pds_scope_leave(&scope);
}

/*
 * The rollups of a source that are at work.  While a dump is restored, tables are attached before
 * the options have their row; the triggers come from the dump.
 */
static List *
rollups_at_work(Oid source)
{
	List	   *found = rollup_list_of_source(source);
	ListCell   *lc;

	foreach(lc, found)
	{
		Work		work = {lfirst(lc), false};
		char	   *why;

		/* who gives up waiting for the lock has not found the rollup damaged */
		LockRelationOid(work.parts->options, AccessShareLock);
		if (!pds_attempt(look_for_options, &work, &why) &&
			ConditionalLockRelationOid(work.parts->options, ShareUpdateExclusiveLock))
			rollup_note(work.parts->options, ROLLUP_MISSED, true);
		if (!work.works)
			found = foreach_delete_current(found, lc);
	}
	return found;
}

/* Mark the groups of all rows of a table in the rollups of another, which it was or is part of. */
static void
mark_rows_of(Oid relation, Oid source)
{
	ListCell   *rollup;
	ListCell   *lc;

	foreach(rollup, rollups_at_work(source))
	{
		const RollupParts *parts = lfirst(rollup);
		RollupOptions options;
		PdsScope	scope;

		SPI_connect();
		rollup_enter(&scope, parts, &options);
		foreach(lc, find_all_inheritors(relation, AccessShareLock, NULL))
		{
			Relation	rel = table_open(lfirst_oid(lc), NoLock);

			if (RelationGetForm(rel)->relkind == RELKIND_RELATION)
				rollup_mark(parts, &options, rel);
			table_close(rel, NoLock);
		}
		pds_scope_leave(&scope);
		SPI_finish();
	}
}

/* A table has become part of another that may be a source. */
static void
comes(Oid relation, Oid parent)
{
	ListCell   *lc;

	if (rollups_at_work(parent) == NIL)
		return;
	foreach(lc, find_all_inheritors(relation, NoLock, NULL))
	{
		require_watchable(lfirst_oid(lc));
		make_triggers_of(lfirst_oid(lc));
	}
	mark_rows_of(relation, parent);
}

/* A table is no longer part of another that may be a source. */
static void
leaves(Oid relation, Oid parent)
{
	mark_rows_of(relation, parent);
	rollup_drop_triggers(relation);
}

/* A column has come or gone, or has another type: whole rows are other values. */
static void
rows_change(Oid relation)
{
	ListCell   *lc;

	foreach(lc, rollups_at_work(relation))
	{
		const RollupParts *parts = lfirst(lc);
		RollupOptions options;
		PdsScope	scope;

		if (!list_member_int(rollup_used_columns(parts->query), 0))
			continue;
		SPI_connect();
		rollup_enter(&scope, parts, &options);
		rollup_mark_all(parts, &options);
		pds_scope_leave(&scope);
		SPI_finish();
	}
}

/* ---------- event triggers ---------- */

static Oid
relation_of(const RangeVar *range)
{
	return RangeVarGetRelid(range, NoLock, true);
}

static void
after_alter(const AlterTableStmt *statement)
{
	Oid			relation = relation_of(statement->relation);
	ListCell   *lc;

	foreach(lc, statement->cmds)
	{
		const AlterTableCmd *cmd = lfirst(lc);
		Oid			child = relation;
		Oid			parent = relation;

		if (cmd->subtype == AT_AttachPartition || cmd->subtype == AT_DetachPartition ||
			cmd->subtype == AT_DetachPartitionFinalize)
			child = relation_of(((PartitionCmd *) cmd->def)->name);
		else if (cmd->subtype == AT_AddInherit || cmd->subtype == AT_DropInherit)
			parent = relation_of((RangeVar *) cmd->def);
		if (OidIsValid(relation) &&
			(cmd->subtype == AT_AddColumn || cmd->subtype == AT_DropColumn ||
			 cmd->subtype == AT_AlterColumnType))
			rows_change(relation);
		if (child == parent || !OidIsValid(child) || !OidIsValid(parent))
			continue;
		if (cmd->subtype == AT_AttachPartition || cmd->subtype == AT_AddInherit)
			comes(child, parent);
		else
			leaves(child, parent);
	}
}

/* IF NOT EXISTS: it may have been there before, and be no part of the other. */
static void
after_create(const CreateStmt *statement)
{
	Oid			relation = relation_of(statement->relation);
	List	   *ancestors = OidIsValid(relation) ? rollup_ancestors(relation) : NIL;
	ListCell   *lc;

	foreach(lc, statement->inhRelations)
	{
		Oid			parent = relation_of(lfirst(lc));

		if (OidIsValid(parent) && list_member_oid(ancestors, parent))
			comes(relation, parent);
	}
}

/* Has the table of the parts its guard?  pg_dump --clean drops triggers before tables. */
static bool
has_guard(const RollupParts *parts)
{
	Relation	rel = table_open(parts->stored, AccessShareLock);
	const TriggerDesc *desc = rel->trigdesc;
	bool		found = false;

	for (int i = 0; desc != NULL && i < desc->numtriggers; i++)
		found |= is_our_function(desc->triggers[i].tgfoid, "_probds_rollup_guard");
	table_close(rel, NoLock);
	return found;
}

/* 2BP01: a part of a rollup is dropped alone. */
static void
refuse_part(const RollupParts *parts, Oid relation)
{
	char	   *shown = pds_relation_name(parts->shown);

	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 relation == parts->shown ? errmsg("%s is a rollup", shown) :
			 errmsg("%s is a part of the rollup %s", pds_relation_name(relation), shown),
			 errhint("To drop the rollup: SELECT probds_drop_rollup(%s).",
					 quote_literal_cstr(shown))));
}

/* A table will be gone with its rows, and there are no transition tables. */
static void
goes(Oid relation)
{
	List	   *ancestors = rollup_ancestors(relation);

	if (list_length(ancestors) == 1 || rollup_list_of_source(relation) == NIL)
		return;
	/* in the order in which DROP locks them */
	for (int i = list_length(ancestors) - 1; i >= 0; i--)
		LockRelationOid(list_nth_oid(ancestors, i), i <= 1 ? AccessExclusiveLock : AccessShareLock);
	mark_rows_of(relation, relation);
}

/* A table of these schemas or roles, or one that goes with a parent. */
static bool
is_going(Oid relation, const List *schemas, const List *owners)
{
	ListCell   *lc;

	foreach(lc, rollup_ancestors(relation))
		if (list_member_oid(schemas, get_rel_namespace(lfirst_oid(lc))) ||
			list_member_oid(owners, pds_relation_owner(lfirst_oid(lc))))
			return true;
	return false;
}

/* All tables (and indexes) of some schemas or roles will be gone: those that have a parent left. */
static void
before_drop_all(const List *schemas, const List *owners)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(inherits, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;
	List	   *going = NIL;
	ListCell   *lc;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_inherits row = (Form_pg_inherits) GETSTRUCT(tuple);

		if (is_going(row->inhrelid, schemas, owners) && !is_going(row->inhparent, schemas, owners))
			going = list_append_unique_oid(going, row->inhrelid);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	foreach(lc, going)
		goes(lfirst_oid(lc));
}

/* The children that go with a table, and have another parent, too */
static void
children_go(Oid relation)
{
	List	   *going = find_all_inheritors(relation, NoLock, NULL);
	List	   *above = rollup_ancestors(relation);
	ListCell   *child;
	ListCell   *lc;

	foreach(child, going)
		foreach(lc, rollup_ancestors(lfirst_oid(child)))
			if (!list_member_oid(going, lfirst_oid(lc)) && !list_member_oid(above, lfirst_oid(lc)))
			{
				goes(lfirst_oid(child));
				break;
			}
}

/* The schemas of DROP SCHEMA that the user may drop */
static List *
schemas_of(const DropStmt *statement)
{
	List	   *schemas = NIL;
	ListCell   *lc;

	foreach(lc, statement->objects)
	{
		Oid			schema = get_namespace_oid(strVal(lfirst(lc)), true);

		if (OidIsValid(schema) && PDS_OWNS_SCHEMA(schema))
			schemas = lappend_oid(schemas, schema);
	}
	return schemas;
}

/* The roles of DROP OWNED whose objects the user may drop */
static List *
owners_of(const DropOwnedStmt *statement)
{
	List	   *owners = NIL;
	ListCell   *lc;

	foreach(lc, statement->roles)
	{
		Oid			owner = get_rolespec_oid(lfirst(lc), true);

		if (OidIsValid(owner) && has_privs_of_role(GetUserId(), owner))
			owners = lappend_oid(owners, owner);
	}
	return owners;
}

static void
before_drop(const DropStmt *statement)
{
	ListCell   *lc;

	if (statement->removeType == OBJECT_SCHEMA)
		before_drop_all(schemas_of(statement), NIL);
	if (statement->removeType != OBJECT_TABLE && statement->removeType != OBJECT_VIEW)
		return;
	foreach(lc, statement->objects)
	{
		Oid			relation = relation_of(makeRangeVarFromNameList(lfirst(lc)));
		RollupParts parts;

		if (!OidIsValid(relation) || !PDS_OWNS_RELATION(relation))
			continue;
		if (!InSecurityRestrictedOperation() && statement->behavior == DROP_RESTRICT &&
			rollup_find(relation, &parts) && has_guard(&parts))
			refuse_part(&parts, relation);
		goes(relation);
		if (statement->behavior == DROP_CASCADE && statement->removeType == OBJECT_TABLE)
			children_go(relation);
	}
}

/* Event trigger function: a table is dropped, was made or altered */
PG_FUNCTION_INFO_V1(probds_rollup_ddl);
Datum
probds_rollup_ddl(PG_FUNCTION_ARGS)
{
	EventTriggerData *event = (EventTriggerData *) fcinfo->context;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function can only be called by an event trigger of probds")));
	if (!OidIsValid(get_extension_oid("probds", true)))
		PG_RETURN_NULL();		/* it is just being dropped, or made */
	if (strcmp(event->event, "ddl_command_start") == 0)
	{
		if (IsA(event->parsetree, DropStmt))
			before_drop((const DropStmt *) event->parsetree);
		else if (IsA(event->parsetree, DropOwnedStmt))
			before_drop_all(NIL, owners_of((const DropOwnedStmt *) event->parsetree));
		PG_RETURN_NULL();
	}
	/* DETACH PARTITION CONCURRENTLY leaves none, and queries are planned */
	PushActiveSnapshot(GetTransactionSnapshot());
	if (IsA(event->parsetree, AlterTableStmt))
		after_alter((const AlterTableStmt *) event->parsetree);
	else if (IsA(event->parsetree, CreateStmt) || IsA(event->parsetree, CreateForeignTableStmt))
		after_create((const CreateStmt *) event->parsetree);
	PopActiveSnapshot();
	PG_RETURN_NULL();
}
