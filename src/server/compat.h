/*
 * compat.h: what differs between PostgreSQL 14 and 19
 *
 * The only file that looks at PG_VERSION_NUM.  All others are written as for
 * the newest release and include this one after postgres.h.
 */
#ifndef PDS_SERVER_COMPAT_H
#define PDS_SERVER_COMPAT_H

#include "postgres.h"

#include "fmgr.h"

#if PG_VERSION_NUM < 140000
#error "probds needs PostgreSQL 14 or later"
#endif

/* Windows: the server's port makes a macro of a name that a member of ours has */
#ifdef WIN32
#undef open
#endif

/* 16: the library shows what is marked so, and hides the rest (-fvisibility=hidden) */
#if PG_VERSION_NUM < 160000
#ifndef WIN32
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(function) \
	extern PGDLLEXPORT Datum function(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT const Pg_finfo_record *CppConcat(pg_finfo_, function)(void); \
	const Pg_finfo_record * \
	CppConcat(pg_finfo_, function)(void) \
	{ \
		static const Pg_finfo_record info = {1}; \
		return &info; \
	} \
	extern int	no_such_variable
#endif

/* 15: parse_analyze_fixedparams() was parse_analyze(); needs parser/analyze.h */
#if PG_VERSION_NUM < 150000
#define parse_analyze_fixedparams parse_analyze
#endif

/* 16: attributes may be missing; needs access/attmap.h */
#if PG_VERSION_NUM >= 160000
#define PDS_ATTRMAP_BY_NAME(in, out) build_attrmap_by_name((in), (out), false)
#else
#define PDS_ATTRMAP_BY_NAME(in, out) build_attrmap_by_name((in), (out))
#endif

/* utils/pg_locale.h has it, and needs ICU's headers */
extern char *get_collation_actual_version(char collprovider, const char *collcollate);

/*
 * Another relation in the place of one, read without permission of its own.  16: permissions are a
 * list of the query; needs parser/parse_relation.h
 */
#if PG_VERSION_NUM >= 160000
#define PDS_REPLACE_RELATION(query, rte, other) \
	do { \
		RTEPermissionInfo *info = getRTEPermissionInfo((query)->rteperminfos, (rte)); \
		info->requiredPerms = 0; \
		(rte)->relid = info->relid = (other); \
	} while (0)
/* the executor takes no such entry, which the planner needs */
#define PDS_DROP_UNASKED(plan) \
	do { \
		List	   *asked = NIL; \
		ListCell   *cell; \
		foreach(cell, (plan)->rtable) \
		{ \
			RangeTblEntry *rte = lfirst(cell); \
			RTEPermissionInfo *info; \
			if (rte->perminfoindex == 0) \
				continue; \
			info = getRTEPermissionInfo((plan)->permInfos, rte); \
			if (info->requiredPerms != 0) \
				asked = lappend(asked, info); \
			rte->perminfoindex = info->requiredPerms != 0 ? list_length(asked) : 0; \
		} \
		(plan)->permInfos = asked; \
	} while (0)
#define PDS_TAKE_PERMISSIONS(query, from) ((query)->rteperminfos = (from)->rteperminfos)
/* the columns of a relation that a query reads */
#define PDS_SET_SELECTED(query, rte, columns) \
	(getRTEPermissionInfo((query)->rteperminfos, (rte))->selectedCols = (columns))
/* who reads a relation, for whom rights are checked; needs miscadmin.h */
#define PDS_CHECKED_USER(query, rte) \
	((rte)->perminfoindex == 0 || \
	 !OidIsValid(getRTEPermissionInfo((query)->rteperminfos, (rte))->checkAsUser) ? GetUserId() : \
	 getRTEPermissionInfo((query)->rteperminfos, (rte))->checkAsUser)
/* an entry more, which another query has; needs parser/parse_relation.h */
#define PDS_APPEND_ENTRY(query, from, rte) \
	do { \
		if ((rte)->perminfoindex != 0) \
		{ \
			(query)->rteperminfos = \
				lappend((query)->rteperminfos, \
						getRTEPermissionInfo((from)->rteperminfos, (rte))); \
			(rte)->perminfoindex = list_length((query)->rteperminfos); \
		} \
		(query)->rtable = lappend((query)->rtable, (rte)); \
	} while (0)
/* of one entry of another query, which is a copy here and the only one */
#define PDS_TAKE_PERMISSION(query, rte, from) \
	((query)->rteperminfos = (rte)->perminfoindex == 0 ? NIL : \
	 list_make1(copyObject(getRTEPermissionInfo((from)->rteperminfos, (rte)))), \
	 (rte)->perminfoindex = (rte)->perminfoindex == 0 ? 0 : 1)
#else
#define PDS_REPLACE_RELATION(query, rte, other) \
	((rte)->requiredPerms = 0, (rte)->relid = (other))
#define PDS_DROP_UNASKED(plan) ((void) 0)
#define PDS_TAKE_PERMISSIONS(query, from) ((void) 0)
#define PDS_SET_SELECTED(query, rte, columns) ((rte)->selectedCols = (columns))
#define PDS_APPEND_ENTRY(query, from, rte) ((query)->rtable = lappend((query)->rtable, (rte)))
#define PDS_TAKE_PERMISSION(query, rte, from) ((void) (from))
#define PDS_CHECKED_USER(query, rte) \
	(OidIsValid((rte)->checkAsUser) ? (rte)->checkAsUser : GetUserId())
#endif

/*
 * 18: keys of GROUP BY are Vars of an entry of their own.  Only the expressions behind them know
 * where they stand in the text; needs optimizer/optimizer.h and parser/parsetree.h
 */
#if PG_VERSION_NUM >= 180000
#define PDS_FLATTEN_GROUPS(query) \
	do { \
		ListCell   *cell; \
		if (!(query)->hasGroupRTE) \
			break; \
		foreach(cell, (query)->targetList) \
		{ \
			TargetEntry *entry = lfirst(cell); \
			Var		   *var = (Var *) entry->expr; \
			RangeTblEntry *of = IsA(var, Var) ? rt_fetch(var->varno, (query)->rtable) : NULL; \
			if (of != NULL && of->rtekind == RTE_GROUP) \
				entry->expr = copyObject(list_nth(of->groupexprs, var->varattno - 1)); \
		} \
		(query)->targetList = (List *) \
			flatten_group_exprs(NULL, (query), (Node *) (query)->targetList); \
		/* the entry stays, since numbers lead to those behind it; the planner expects none */ \
		foreach(cell, (query)->rtable) \
		{ \
			RangeTblEntry *of = lfirst(cell); \
			if (of->rtekind == RTE_GROUP) \
			{ \
				of->rtekind = RTE_RESULT; \
				of->groupexprs = NIL; \
			} \
		} \
		(query)->hasGroupRTE = false; \
	} while (0)
#else
#define PDS_FLATTEN_GROUPS(query) ((void) 0)
#endif

/* The expressions behind them, or NULL */
#if PG_VERSION_NUM >= 180000
#define PDS_GROUP_EXPRS(rte) ((rte)->rtekind == RTE_GROUP ? &(rte)->groupexprs : NULL)
#else
#define PDS_GROUP_EXPRS(rte) ((void) (rte), (List **) NULL)
#endif

/* 16: JSON is made by nodes of its own, 17: and read; needs nodes/primnodes.h */
#if PG_VERSION_NUM >= 170000
#define PDS_IS_JSON_EXPR(node) (IsA((node), JsonConstructorExpr) || IsA((node), JsonExpr))
#elif PG_VERSION_NUM >= 160000
#define PDS_IS_JSON_EXPR(node) IsA((node), JsonConstructorExpr)
#else
#define PDS_IS_JSON_EXPR(node) false
#endif

/* 18: virtual generated columns are what they are computed from; needs rewrite/rewriteHandler.h */
#if PG_VERSION_NUM >= 180000
#define PDS_EXPAND_GENERATED(node, rel, rt_index) \
	expand_generated_columns_in_expr((node), (rel), (rt_index))
#else
#define PDS_EXPAND_GENERATED(node, rel, rt_index) ((void) (rel), (node))
#endif

/* 18: what a statement returns is a relation, too; needs rewrite/rewriteManip.h */
#if PG_VERSION_NUM >= 180000
#define PDS_REPLACE_VARS(node, varno, rte, targets) \
	ReplaceVarsFromTargetList((node), (varno), 0, (rte), (targets), 0, REPLACEVARS_REPORT_ERROR, \
							  0, NULL)
#else
#define PDS_REPLACE_VARS(node, varno, rte, targets) \
	ReplaceVarsFromTargetList((node), (varno), 0, (rte), (targets), REPLACEVARS_REPORT_ERROR, 0, \
							  NULL)
#endif

/* 18: a column may be NOT NULL for new rows only; needs utils/rel.h */
#if PG_VERSION_NUM >= 180000
#define PDS_NEVER_NULL(rel, attno) \
	(TupleDescCompactAttr(RelationGetDescr(rel), (attno) - 1)->attnullability == ATTNULLABLE_VALID)
#else
#define PDS_NEVER_NULL(rel, attno) (TupleDescAttr(RelationGetDescr(rel), (attno) - 1)->attnotnull)
#endif

/* 18: a query is executed once; needs executor/executor.h */
#if PG_VERSION_NUM >= 180000
#define PDS_EXECUTOR_RUN(desc) ExecutorRun((desc), ForwardScanDirection, 0)
#else
#define PDS_EXECUTOR_RUN(desc) ExecutorRun((desc), ForwardScanDirection, 0, true)
#endif

/* Where pg_collation has ICU's locale; 16: and rules */
#if PG_VERSION_NUM >= 170000
#define PDS_COLLATION_LOCALE Anum_pg_collation_colllocale
#elif PG_VERSION_NUM >= 150000
#define PDS_COLLATION_LOCALE Anum_pg_collation_colliculocale
#else
#define PDS_COLLATION_LOCALE Anum_pg_collation_collcollate
#define PDS_COLLATION_LOCALE_IS_NAME true
#endif
#ifndef PDS_COLLATION_LOCALE_IS_NAME
#define PDS_COLLATION_LOCALE_IS_NAME false
#endif
#if PG_VERSION_NUM >= 160000
#define PDS_COLLATION_RULES Anum_pg_collation_collicurules
#endif

/* 16: the varlena macros left postgres.h, and input functions may fail softly */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#else
#define ereturn(context, dummy_value, ...) \
	do { \
		(void) (context); \
		ereport(ERROR, __VA_ARGS__); \
	} while (0)
#endif

/* 18: a function may change the variable that its result is assigned to */
#if PG_VERSION_NUM >= 180000
#define PDS_HAVE_MODIFY_IN_PLACE 1
#endif

/* 18: what the operators of a family have in common; amoptionalkey and others are older */
#if PG_VERSION_NUM >= 180000
#define PDS_SET_AM_CONSISTENT_EQUALITY(routine) ((routine)->amconsistentequality = true)
#else
#define PDS_SET_AM_CONSISTENT_EQUALITY(routine) ((void) 0)
#endif

/* 16: a page that is written past the buffers, where files may be opened with O_DIRECT */
#if PG_VERSION_NUM < 160000
#define PGIOAlignedBlock PGAlignedBlock
#endif

/* 16: where a relation's file is; needs utils/rel.h */
#if PG_VERSION_NUM >= 160000
#define PDS_LOCATOR(relation) (&(relation)->rd_locator)
#else
#define PDS_LOCATOR(relation) (&(relation)->rd_node)
#endif

/* 17: the local number of the transaction; needs storage/proc.h */
#if PG_VERSION_NUM >= 170000
#define PDS_MY_LXID (MyProc->vxid.lxid)
#else
#define PDS_MY_LXID (MyProc->lxid)
#endif

/* 16: one function for the owners of all objects; needs utils/acl.h */
#if PG_VERSION_NUM >= 160000
#define PDS_OWNS_RELATION(relid) object_ownercheck(RelationRelationId, (relid), GetUserId())
#define PDS_OWNS_SCHEMA(oid) object_ownercheck(NamespaceRelationId, (oid), GetUserId())
#else
#define PDS_OWNS_RELATION(relid) pg_class_ownercheck((relid), GetUserId())
#define PDS_OWNS_SCHEMA(oid) pg_namespace_ownercheck((oid), GetUserId())
#endif

/* 16: one function for the rights on all objects; needs utils/acl.h */
#if PG_VERSION_NUM >= 160000
#define PDS_MAY_EXECUTE(function) \
	(object_aclcheck(ProcedureRelationId, (function), GetUserId(), ACL_EXECUTE) == ACLCHECK_OK)
#else
#define PDS_MAY_EXECUTE(function) \
	(pg_proc_aclcheck((function), GetUserId(), ACL_EXECUTE) == ACLCHECK_OK)
#endif

/* 18: plans count their disabled nodes; needs nodes/pathnodes.h */
#if PG_VERSION_NUM >= 180000
#define PDS_COPY_DISABLED_NODES(to, from) ((to)->disabled_nodes = (from)->disabled_nodes)
#else
#define PDS_COPY_DISABLED_NODES(to, from) ((void) 0)
#endif

/* 15: a custom scan says that it can compute columns, as all did before; nodes/extensible.h */
#if PG_VERSION_NUM >= 150000
#define PDS_CUSTOMPATH_PROJECTS CUSTOMPATH_SUPPORT_PROJECTION
#else
#define PDS_CUSTOMPATH_PROJECTS 0
#endif

/*
 * 18: one snapshot for TOAST tables, where others were filled in; access/toast_internals.h and
 * utils/snapmgr.h
 */
#if PG_VERSION_NUM >= 180000
#define PDS_TOAST_SNAPSHOT(memory) ((void) (memory), get_toast_snapshot())
#else
#define PDS_TOAST_SNAPSHOT(memory) (init_toast_snapshot(memory), (memory))
#endif

/* 18: an index scan can be told to count; 19: flags; access/genam.h */
#if PG_VERSION_NUM >= 190000
#define PDS_INDEX_BEGINSCAN(table, index, snapshot, keys) \
	index_beginscan((table), (index), (snapshot), NULL, (keys), 0, 0)
#elif PG_VERSION_NUM >= 180000
#define PDS_INDEX_BEGINSCAN(table, index, snapshot, keys) \
	index_beginscan((table), (index), (snapshot), NULL, (keys), 0)
#else
#define PDS_INDEX_BEGINSCAN(table, index, snapshot, keys) \
	index_beginscan((table), (index), (snapshot), (keys), 0)
#endif

/* 19: flags of a scan; needs access/tableam.h */
#if PG_VERSION_NUM >= 190000
#define PDS_TABLE_BEGINSCAN(table, snapshot) table_beginscan((table), (snapshot), 0, NULL, 0)
#else
#define PDS_TABLE_BEGINSCAN(table, snapshot) table_beginscan((table), (snapshot), 0, NULL)
#endif

/* 19: the planner is told of EXPLAIN; needs tcop/tcopprot.h */
#if PG_VERSION_NUM >= 190000
#define PDS_PLAN_QUERY(query, text) pg_plan_query((query), (text), 0, NULL, NULL)
#else
#define PDS_PLAN_QUERY(query, text) pg_plan_query((query), (text), 0, NULL)
#endif

/* 19: so is the planner's hook */
#if PG_VERSION_NUM >= 190000
#define PDS_PLANNER_PARAMS , struct ExplainState *es
#define PDS_PLANNER_ARGS , es
#else
#define PDS_PLANNER_PARAMS
#define PDS_PLANNER_ARGS
#endif

/* 19: jsonb is built in a state that has the result; needs utils/jsonb.h */
#if PG_VERSION_NUM >= 190000
#define PDS_PUSH_JSONB(state, token, value) pushJsonbValue((state), (token), (value))
#else
typedef struct JsonbInState
{
	struct JsonbValue *result;
	struct JsonbParseState *parseState;
} JsonbInState;
#define PDS_PUSH_JSONB(state, token, value) \
	((void) ((state)->result = pushJsonbValue(&(state)->parseState, (token), (value))))
#endif

/* 19: an iterator knows the type of an array's elements; needs utils/arrayaccess.h */
#if PG_VERSION_NUM >= 190000
#define PDS_ARRAY_ITER_SETUP(it, array, len, byval, align) \
	array_iter_setup((it), (array), (len), (byval), (align))
#define PDS_ARRAY_ITER_NEXT(it, isnull, i, len, byval, align) array_iter_next((it), (isnull), (i))
#else
#define PDS_ARRAY_ITER_SETUP(it, array, len, byval, align) array_iter_setup((it), (array))
#define PDS_ARRAY_ITER_NEXT(it, isnull, i, len, byval, align) \
	array_iter_next((it), (isnull), (i), (len), (byval), (align))
#endif

/* 19: no encoding MULE_INTERNAL; needs mb/pg_wchar.h */
#if PG_VERSION_NUM >= 190000
#define PDS_IS_MULE_INTERNAL(encoding) false
#else
#define PDS_IS_MULE_INTERNAL(encoding) ((encoding) == PG_MULE_INTERNAL)
#endif

/* 19: another name; needs storage/bufpage.h */
#if PG_VERSION_NUM < 190000
#define PageSetChecksum PageSetChecksumInplace
#endif

/* 18: what commands/explain.h had is in several headers */
#if PG_VERSION_NUM >= 180000
#define PDS_EXPLAIN_HEADER "commands/explain_format.h"
#else
#define PDS_EXPLAIN_HEADER "commands/explain.h"
#endif

/* 18: pg_noreturn before a declaration, where pg_attribute_noreturn() stood behind */
#ifndef pg_noreturn
#define pg_noreturn __attribute__((noreturn))
#endif

/* 19: its flags of the compiler want this where a case falls into the next one */
#ifndef pg_fallthrough
#define pg_fallthrough __attribute__((fallthrough))
#endif

/* 18: a library may say what it is; the version comes from the Makefile */
#if PG_VERSION_NUM >= 180000 && defined(PROBDS_VERSION)
#define PDS_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "probds", .version = PROBDS_VERSION)
#elif PG_VERSION_NUM >= 180000
#define PDS_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "probds")
#else
#define PDS_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#endif
