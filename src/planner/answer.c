/*
 * answer.c: a query over a rollup's source, answered from the rollup (answer.h)
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "pgtime.h"
#include "rewrite/rewriteManip.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "answer.h"
#include "ordinary.h"

bool		pds_explain_rollups;

/* ---------- what a level may have ---------- */

static bool
is_grouped(const Query *q)
{
	return q->hasAggs || q->groupClause != NIL || q->groupingSets != NIL ||
		q->havingQual != NULL || (q->distinctClause != NIL && !q->hasWindowFuncs);
}

/* context: NULL */
static bool
is_volatile(Node *node, void *context)
{
	return contain_volatile_functions(node);
}

/* Why a level is answered from no rollup, or NULL. */
static const char *
refuse_level(const Query *q)
{
	if (!is_grouped(q))
		return "the query asks for rows, not for groups";
	if (q->rowMarks != NIL)
		return "the query locks rows";
	/* the planner may put what is joined into the level, and call it for each row */
	if (contain_volatile_functions((Node *) q->targetList) ||
		contain_volatile_functions((Node *) q->jointree) ||
		contain_volatile_functions(q->havingQual) ||
		range_table_walker(q->rtable, is_volatile, NULL, 0))
		return "the query calls a volatile function";
	return NULL;
}

/* Why a table of a level is not read from a rollup, or NULL. */
static const char *
refuse_table(const Query *q, Index source)
{
	RangeTblEntry *rte = rt_fetch(source, q->rtable);
	Relation	rel;
	bool		row_security;
	ListCell   *lc;

	if (!rte->inh)
		return "the query reads its source without partitions and children";
	if (rte->tablesample != NULL)
		return "the query samples its source";
	if (!pds_is_joined((Node *) q->jointree, source))
		return "an outer join may add rows of NULLs in place of its source's";
	rel = table_open(rte->relid, NoLock);
	row_security = rel->rd_rel->relrowsecurity;
	table_close(rel, NoLock);
	if (row_security || rte->securityQuals != NIL)
		return "its source has row-level security";
	foreach(lc, q->rtable)
	{
		RangeTblEntry *other = lfirst(lc);

		if (pds_reads_relation((Node *) other->subquery, source, q) ||
			pds_reads_relation((Node *) other->functions, source, q) ||
			pds_reads_relation((Node *) other->tablefunc, source, q) ||
			pds_reads_relation((Node *) other->values_lists, source, q) ||
			pds_reads_relation((Node *) other->tablesample, source, q))
			return "a subquery or a function beside its source asks for the source's rows";
	}
	return NULL;
}

/* ---------- a level and a rollup ---------- */

/* What the level becomes */
typedef struct Answer
{
	AnswerMatch m;
	List	   *targets;
	FromExpr   *from;
	Node	   *having;
} Answer;

/* Its owner can forge its parts.  So that must be a role that can forge the source, too. */
static bool
is_trusted(const AnswerRollup *r, Oid user)
{
	for (; r != NULL; r = r->below)
		if (r->parts.owner != user &&
			!has_privs_of_role(r->parts.owner, pds_relation_owner(r->parts.source)))
			return false;
	return true;
}

/* Two names of a clock that is never set: UTC and Etc/UTC, or GMT where nobody sees its name */
static bool
same_clock(const char *a, const char *b, bool shown)
{
	pg_tz	   *zone_a = pds_zone(a);
	pg_tz	   *zone_b = pds_zone(b);
	pg_time_t	epoch = 0;
	long		offset_a;
	long		offset_b;
	const char *abbreviation;

	if (zone_a == NULL || zone_b == NULL || !pg_get_timezone_offset(zone_a, &offset_a) ||
		!pg_get_timezone_offset(zone_b, &offset_b) || offset_a != offset_b)
		return false;
	abbreviation = pg_localtime(&epoch, zone_a)->tm_zone;
	return !shown || strcmp(abbreviation, pg_localtime(&epoch, zone_b)->tm_zone) == 0;
}

static const char *
refuse_rollup(const Query *q, const AnswerRollup *r, Oid user)
{
	ListCell   *lc;

	if (r->unusable != NULL)
		return r->unusable;
	if (!is_trusted(r, user))
		return "its owner has not the rights of the source's owner";
	foreach(lc, r->functions)
		if (!PDS_MAY_EXECUTE(lfirst_oid(lc)))
			return psprintf("you may not execute function %s()", get_func_name(lfirst_oid(lc)));
	for (int i = 0; i < list_length(r->settings); i += 2)
	{
		const char *name = list_nth(r->settings, i);
		const char *then = list_nth(r->settings, i + 1);
		const char *now = GetConfigOption(name, true, false);

		if (now == NULL || (strcmp(now, then) != 0 &&
							(strcmp(name, "TimeZone") != 0 || !same_clock(now, then, r->shows)) &&
							/* all above 0 are the same; Java's driver sets 3 */
							(strcmp(name, "extra_float_digits") != 0 || atoi(now) <= 0 ||
							 atoi(then) <= 0)))
			return psprintf("it was made with %s = %s, and now it is %s", name, then, now);
	}
	/* without keys there is a row also where the source has none */
	if (r->keys == 0 && (q->groupClause != NIL || q->groupingSets != NIL ||
						 !q->hasAggs || list_length(q->jointree->fromlist) != 1 ||
						 !IsA(linitial(q->jointree->fromlist), RangeTblRef)))
		return "it has one row for all";
	return NULL;
}

/* The rollup's columns, where the source has its number in the query. */
static void
take_columns(AnswerMatch *m)
{
	const AnswerRollup *r = m->rollup;

	m->conditions = copyObject(make_ands_implicit((Expr *) r->compute->jointree->quals));
	ChangeVarNodes((Node *) m->conditions, 1, (int) m->source, 0);
	m->used = palloc0(r->columns * sizeof(bool));
	m->column = palloc(r->columns * sizeof(AnswerColumn));
	for (int i = 0; i < r->columns; i++)
	{
		m->column[i] = r->column[i];
		m->column[i].expr = copyObject(r->column[i].expr);
		ChangeVarNodes((Node *) m->column[i].expr, 1, (int) m->source, 0);
	}
}

/* Conditions of WHERE: the rollup's own, those on groups, and those that cut through groups. */
static Node *
answer_conditions(Node *quals, AnswerMatch *m)
{
	List	   *left = NIL;
	List	   *missing = m->conditions;
	ListCell   *lc;

	foreach(lc, make_ands_implicit((Expr *) quals))
	{
		Node	   *condition = lfirst(lc);
		AnswerMatch trial = *m;
		Node	   *over_groups;

		if (list_member(m->conditions, condition))
		{
			missing = list_difference(missing, list_make1(condition));
			continue;
		}
		over_groups = pds_answer_expression(condition, &trial);
		if (trial.reason == NULL)
			left = lappend(left, over_groups);
		else if (!pds_answer_range(condition, m))
		{
			if (m->reason == NULL)
				m->reason = trial.reason;
			return NULL;
		}
	}
	if (missing != NIL)
		m->reason = "it has a WHERE condition that the query does not have";
	return (Node *) make_ands_explicit(left);
}

/* Sets a->m.reason where the rollup does not answer the level. */
static void
match(const Query *q, Answer *a, Oid user)
{
	AnswerMatch *m = &a->m;
	ListCell   *lc;

	m->reason = (char *) refuse_rollup(q, m->rollup, user);
	if (m->reason != NULL)
		return;
	take_columns(m);
	foreach(lc, q->rtable)
	{
		RangeTblEntry *rte = lfirst(lc);
		List	  **groups = PDS_GROUP_EXPRS(rte);

		if (groups != NULL)
			m->answered = (List *) pds_answer_expression((Node *) *groups, m);
	}
	if (q->groupingSets != NIL)
	{
		List	   *grouped = get_sortgrouplist_exprs(q->groupClause, q->targetList);

		if (m->answered == NIL)
			m->answered = (List *) pds_answer_expression((Node *) grouped, m);
		m->grouped = grouped;
	}
	a->targets = (List *) pds_answer_expression((Node *) q->targetList, m);
	a->having = pds_answer_expression(q->havingQual, m);
	m->grouped = NIL;
	a->from = (FromExpr *)
		pds_answer_expression((Node *) makeFromExpr(q->jointree->fromlist, NULL), m);
	if (m->reason == NULL)
		a->from->quals = answer_conditions(q->jointree->quals, m);
	if (m->reason == NULL && m->range.key >= 0)
		pds_know_edges(m);
}

/* ---------- the level changes ---------- */

static RangeTblEntry *
entry_for(Query *subquery, char *name)
{
	return addRangeTableEntryForSubquery(make_parsestate(NULL), subquery, makeAlias(name, NIL),
										 false, true)->p_rte;
}

/* A SELECT more for a UNION ALL */
static void
add_select(Query *all, Query *select)
{
	RangeTblRef *ref = makeNode(RangeTblRef);
	SetOperationStmt *both = copyObject((SetOperationStmt *) all->setOperations);

	all->rtable = lappend(all->rtable, entry_for(select, psprintf("*SELECT* %d",
																  list_length(all->rtable) + 1)));
	ref->rtindex = list_length(all->rtable);
	both->larg = all->setOperations;
	both->rarg = (Node *) ref;
	all->setOperations = (Node *) both;
}

/* Now: the plan is right all the same if that changes. */
static bool
some_group_waits(const AnswerRollup *r)
{
	Relation	rel;
	SysScanDesc scan;
	bool		result;

	if (!OidIsValid(r->marks) || !ActiveSnapshotSet())
		return false;
	rel = table_open(r->parts.stored, AccessShareLock);
	scan = systable_beginscan(rel, r->marks, true, GetActiveSnapshot(), 0, NULL);
	result = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rel, NoLock);
	return result;
}

static void
apply(Query *q, Answer *a)
{
	const AnswerMatch *m = &a->m;
	Query	   *read = copyObject(m->rollup->read[some_group_waits(m->rollup)]);
	ListCell   *lc;

	if (m->range.key >= 0)
	{
		pds_leave_edges(read, m);
		foreach(lc, pds_compute_edges(q, m))
			add_select(read, lfirst(lc));
	}
	foreach(lc, q->rtable)
	{
		RangeTblEntry *other = lfirst(lc);
		List	  **groups = PDS_GROUP_EXPRS(other);

		if (groups != NULL)
			*groups = m->answered;
	}
	q->rtable = lappend(q->rtable, entry_for(read, get_rel_name(m->rollup->parts.shown)));
	q->targetList = a->targets;
	q->jointree = a->from;
	q->havingQual = a->having;
}

/* ---------- choosing ---------- */

/* The pages of its parts, which are to be read; InvalidBlockNumber if somebody dropped them. */
static BlockNumber
pages_of(const AnswerRollup *r)
{
	Relation	rel = try_relation_open(r->parts.stored, AccessShareLock);
	BlockNumber pages;

	if (rel == NULL)
		return InvalidBlockNumber;
	pages = RelationGetNumberOfBlocks(rel);
	relation_close(rel, NoLock);
	return pages;
}

/* Who may not read it is not told of it. */
static bool
may_read(const AnswerRollup *r, Oid user)
{
	bool		missing = false;

	return pg_class_aclcheck_ext(r->parts.shown, user, ACL_SELECT, &missing) == ACLCHECK_OK;
}

/* A query on the way through its levels */
typedef struct Looking
{
	ParamListInfo params;
	int			depth;
	int			again;			/* how often rollups changed meanwhile */
	bool		depends;		/* does the plan depend on rollups? */
} Looking;

#define MOST_AGAIN		100

/* Answer a table of a level from the rollup that reads least.  False if none can. */
static bool
answer_table(Query *q, Index source, Looking *l)
{
	RangeTblEntry *rte = rt_fetch(source, q->rtable);
	Oid			user = PDS_CHECKED_USER(q, rte);
	const char *refused = NULL;
	Answer	   *best = NULL;
	BlockNumber least = 0;
	ListCell   *lc;

	foreach(lc, pds_rollups_of(rte->relid))
	{
		Answer	   *a;
		AnswerRollup *r = lfirst(lc);
		BlockNumber pages;

		if (!may_read(r, user))
			continue;
		if (refused == NULL)
			refused = refuse_level(q);
		if (refused == NULL)
			refused = refuse_table(q, source);
		a = palloc0(sizeof(Answer));
		a->m.rollup = r;
		a->m.query = q;
		a->m.source = source;
		a->m.result = (Index) list_length(q->rtable) + 1;
		a->m.relid = rte->relid;
		a->m.params = l->params;
		a->m.range.key = -1;
		if (refused != NULL)
			a->m.reason = (char *) refused;
		else
			match(q, a, user);
		if (a->m.reason == NULL)
		{
			pages = pages_of(r);
			/* to lock them can mean to wait for who drops rollups */
			if (pds_rollups_have_changed(rte->relid))
				return l->again++ < MOST_AGAIN && answer_table(q, source, l);
			if (best == NULL || pages < least)
			{
				best = a;
				least = pages;
			}
		}
		else if (pds_explain_rollups && (l->depth == 1 || is_grouped(q)) &&
				 may_read(r, GetUserId()))
			ereport(NOTICE,
					(errmsg("rollup %s does not answer the query: %s",
							pds_relation_name(r->parts.shown), a->m.reason)));
	}
	if (best == NULL)
		return false;
	foreach(lc, best->m.rollup->relations)
		LockRelationOid(lfirst_oid(lc), AccessShareLock);
	if (pds_rollups_have_changed(rte->relid))
		return l->again++ < MOST_AGAIN && answer_table(q, source, l);
	apply(q, best);
	return true;
}

/* One of the tables is read from a rollup; the others are joined to it row by row. */
static bool
answer_one(Query *q, Looking *l)
{
	for (Index i = 1; i <= (Index) list_length(q->rtable); i++)
	{
		RangeTblEntry *rte = rt_fetch(i, q->rtable);

		if (rte->rtekind != RTE_RELATION || !rte->inFromCl ||
			(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE) ||
			pds_rollups_of(rte->relid) == NIL)
			continue;
		l->depends = true;
		if (answer_table(q, i, l))
			return true;
	}
	return false;
}

static void
answer_level(Query *q, Looking *l)
{
	Query	   *flat;

	if (q->commandType != CMD_SELECT || q->setOperations != NULL || q->jointree == NULL)
		return;
	flat = pds_flatten_level(q);
	if (flat == NULL)
		(void) answer_one(q, l);
	else if (answer_one(flat, l))
		*q = *flat;
}

/* context: Looking */
static bool
answer_all(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Looking    *l = context;

		l->depth++;
		pds_walk_query((Query *) node, answer_all, context);
		answer_level((Query *) node, l);
		l->depth--;
		return false;
	}
	return expression_tree_walker(node, answer_all, context);
}

bool
pds_answer_from_rollups(Query *query, ParamListInfo params)
{
	static bool answering = false;
	Looking		l = {.params = params};

	/*
	 * Citus plans for rows of other servers.  A function of a bound is called here, and may alter a
	 * rollup and execute a prepared statement: to look at the rollups again would free these.
	 */
	if (answering || OidIsValid(get_extension_oid("citus", true)))
		return false;
	answering = true;
	pds_tidy_rollups();
	PG_TRY();
	{
		(void) answer_all((Node *) query, &l);
	}
	PG_FINALLY();
	{
		answering = false;
	}
	PG_END_TRY();
	return l.depends;
}
