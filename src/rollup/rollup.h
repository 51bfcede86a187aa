/*
 * rollup.h: tables of sketches that keep themselves current
 *
 * Inserts append, reading merges, folding compacts.  A rollup called "daily" of a table "visit"
 * consists of plain objects, so that it is dumped and restored as any table is:
 *
 *     daily            a view: what the query gives, merged from the parts
 *     daily_parts      a table: any number of rows for each group.  A row is a part, the
 *                      results over some of the group's rows, or a mark (probds_touched): the
 *                      group is to be computed from the source
 *     daily_query      a view: the query that the rollup was made with
 *     daily_options    a table of one row: options, and the settings of its maker
 *     triggers         on the source, shared by all its rollups
 *
 * At each snapshot the parts of a group without a mark merge to what the query gives over the
 * group's rows in the source:
 *
 *     INSERT      appends a part for each group of the new rows
 *     UPDATE,     append a mark for each group of the old and the new rows
 *     DELETE
 *     fold        locks some parts of a group, skipping what others have locked, and replaces
 *                 exactly these by their merge, in one statement
 *     refresh     locks all rows of a group that its snapshot sees, or leaves the group alone, and
 *                 replaces them by the query's result at that snapshot, in one statement.  What a
 *                 writer commits later adds to it, or marks the group again
 *
 * Nobody looks anything up before he writes, and no writer waits for another.
 *
 * The objects are found by their dependencies, not by their names: daily_options has columns of
 * the row types of the others, and the source is what daily_query reads.  So all may be renamed.
 * No statement text is stored.  Each is put together from the catalogs; the query in it is the
 * tree of daily_query.  Whoever calls, statements run with the rights of the rollup's owner in a
 * security-restricted context, and with the settings that the rollup was made with.  By that
 * context the guard of the parts knows them: INSERT and UPDATE of anybody else are refused.
 *
 *     rollup_parts.c      which objects a rollup consists of, and of which rollups one is a source
 *     rollup_options.c    the row of options and what sets it, and the settings
 *     rollup_define.c     the query: what may be in it, how its results are merged
 *     rollup_text.c       statements
 *     rollup_plan.c       the query applied to other rows than the source's
 *     rollup_statement.c  executing them
 *     rollup_make.c       making rollups, and views over them
 *     rollup_alter.c      changing and dropping them
 *     rollup_known.c      what a session knows of the rollups of a source; rows are told to them
 *     rollup_mark.c       groups are marked, or are all gone
 *     rollup_trigger.c    what triggers do
 *     rollup_ddl.c        tables that come, go, and change
 *     rollup_run.c        refresh, rebuild, fold
 *     rollup_list.c       what there is
 */
#ifndef PDS_ROLLUP_ROLLUP_H
#define PDS_ROLLUP_ROLLUP_H

#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "nodes/plannodes.h"
#include "utils/array.h"
#include "utils/queryenvironment.h"
#include "utils/relcache.h"
#include "utils/reltrigger.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "run_as.h"

/* The format of the options; a later version of the extension may have others. */
#define ROLLUP_FORMAT		2

/* The longest name, so that the other objects can be called after it. */
#define ROLLUP_MAX_NAME		(NAMEDATALEN - 1 - (int) strlen("_options"))

/* The new or old rows of a statement, in its triggers and in plans. */
#define ROLLUP_ROWS			"probds_rows"
/* The rollup in a view of probds_create_rollup_view(). */
#define ROLLUP_VIEWED		"probds_rollup"
/* The first column of the parts. */
#define ROLLUP_TOUCHED		"probds_touched"

/* The planner has its own plans forgotten as if a function had changed that has this hash. */
#define ROLLUP_NO_FUNCTION	0x70726f62

/* One part in so many makes the one who appends it fold its group. */
#define ROLLUP_FOLD_ONE_IN	100
/* A fold takes at most so many parts. */
#define ROLLUP_FOLD_MOST	400

/* ---------- which objects a rollup consists of ---------- */

typedef struct RollupParts
{
	Oid			options;
	Oid			query;			/* view */
	Oid			stored;			/* table of the parts */
	Oid			shown;			/* view */
	Oid			source;
	Oid			owner;			/* of all; InvalidOid if they have several */
} RollupParts;

/* The parts of a rollup, given any of the first four.  False if it is none, or some are gone. */
extern bool rollup_find(Oid relation, RollupParts *parts);

/*
 * 55000 where its owner has hung something on the parts that makes other statements of ours: a
 * rule, or a trigger that decides what is deleted.
 */
extern void rollup_require_plain(const RollupParts *parts);

/* Is it the rollup that its view is of?  Somebody may have made another one of the same parts. */
extern bool rollup_is_first(const RollupParts *parts);

/* Returns whether this is the table of a rollup's options. */
extern bool rollup_is_options(Oid relation);

/* As rollup_find(); 42809 if it is no rollup, 55000 if its parts have different owners. */
extern void rollup_require(Oid relation, RollupParts *parts);

/*
 * Lock the table that a rollup reads, through other rollups or not.  TRUNCATE has it before the
 * parts, so everybody who needs both locks it first.
 */
extern void rollup_lock_source(const RollupParts *parts);

/*
 * Lock some relations in this mode, and some exclusively.  Readers and writers lock them in more
 * than one order: so nothing is kept while we wait, and nobody waits for us who we wait for.  If
 * they never stop, what is last is locked first, and the locks are kept.
 */
extern void rollup_lock_all(List *shared, int mode, List *exclusive);

/*
 * Lock a rollup, and its source with children in this mode.  The source of a rollup of a rollup is
 * locked as for making it again: the parts of the one below, and the table below both.
 */
extern void rollup_lock(const RollupParts *parts, int mode);

/* The objects of a rollup, the view last. */
extern List *rollup_objects(const RollupParts *parts);

/* 42501 unless the current user has the rights of the owner. */
extern void rollup_require_owner(const RollupParts *parts);

/*
 * The rollups that read a relation, or a table that it is a partition or a child of: a list of
 * RollupParts *.  Only those whose owner may read it and hang triggers on it: who could do so
 * anyway.
 */
extern List *rollup_list_of_source(Oid relation);

/* The same, and those whose owner may not. */
extern List *rollup_list_all_of_source(Oid relation, List **unwatched);

/* The views that read a relation itself, and the relation if it is a view. */
extern List *rollup_views_over(Oid relation);

/* Returns whether the owner may hang triggers on the source. */
extern bool rollup_may_hang(const RollupParts *parts);

/* The same, and read the source's used columns. */
extern bool rollup_may_watch(const RollupParts *parts);

/* 42501 unless he may. */
extern void rollup_require_watch(const RollupParts *parts);

/* A table and those that it is a partition or a child of. */
extern List *rollup_ancestors(Oid relation);

/* Names, quoted and qualified. */
extern char *rollup_column_name(Oid relation, AttrNumber number);
extern const char *rollup_extension_schema(void);

/* The i-th (from 0) of the columns that a relation still has, quoted. */
extern char *rollup_column(Oid relation, int i);

/* The column of the parts that stands for column i (from 0) of the query. */
extern char *rollup_stored_column(const RollupParts *parts, int i);

/* ---------- options and settings ---------- */

typedef struct RollupOptions
{
	bool		live;
	bool		built;			/* has the source been read, and nothing missed since? */
	char	  **settings;		/* name, value, ..., NULL */
	char	   *retention;		/* intervals, or NULL */
	char	   *frozen_after;
} RollupOptions;

/*
 * Lock what statements of a rollup name, before they are executed as its owner
 * (pds_hold_relation()).  55000 if one is gone.
 */
extern void rollup_hold(const RollupParts *parts);

/* Read them as the owner, who must be the current user; SPI is connected.  The parts are held. */
extern void rollup_read_options(const RollupParts *parts, RollupOptions *options);

/* Notes about a rollup.  A rebuild removes them. */
typedef enum RollupNote
{
	ROLLUP_MISSED,				/* the source has changed, and the rollup could not be told */
	ROLLUP_KEPT					/* there was a retention, or groups were frozen */
} RollupNote;

extern bool rollup_has_note(Oid options, RollupNote note);
extern void rollup_note(Oid options, RollupNote note, bool is_so);

/* The settings that change what an expression means, as they are now: name, value, ... */
extern ArrayType *rollup_current_settings(void);

/* They become these, until the scope is left. */
extern void rollup_apply_settings(char **settings);

/*
 * Become the owner, with the settings of the rollup.  The options are read whatever the transaction
 * sees.  The rollup can have been made after the snapshot of one at REPEATABLE READ.
 */
extern void rollup_enter(PdsScope *scope, const RollupParts *parts, RollupOptions *options);

/* ---------- the query ---------- */

/* How two results of an aggregate become one. */
typedef enum RollupMerge
{
	ROLLUP_UNION,				/* a sketch */
	ROLLUP_SUM,					/* count, sum */
	ROLLUP_MIN,
	ROLLUP_MAX,
	ROLLUP_AND,
	ROLLUP_OR
} RollupMerge;

typedef struct RollupColumn
{
	bool		is_key;
	RollupMerge merge;			/* if it is no key */
	bool		counts;			/* it is count() */
	Oid			type;
	int32		typmod;
	Oid			collation;
	char	   *type_name;		/* of a sketch: "hll" */
	char	   *equal;			/* of a key: its operator, qualified */
	const char *as;				/* and "::type" where the operator is of another type, or "" */
} RollupColumn;

typedef struct RollupDefinition
{
	Oid			source;
	int			keys;
	int			columns;
	RollupColumn *column;
} RollupDefinition;

/*
 * Reads a query.  Errors: 0A000 or 22023, with a hint what to write, for what a rollup cannot
 * hold.  "text" is where its locations point into, or NULL.
 */
extern void rollup_read_query(Query *query, const char *text, RollupDefinition *d);

/* The same of the view that it is stored in. */
extern void rollup_read_definition(Oid view, RollupDefinition *d);

/* A copy of a view's query, with the names that the view's columns have now. */
extern Query *rollup_named_query(Relation view);

/* The same as it was parsed; NULL if the relation is no view, or is gone.  Leaves no lock. */
extern Query *rollup_view_query(Oid view);

/* The index of the one relation of a query in its range table, or 0. */
extern int	rollup_relation_index(const Query *query);

/* The functions that a query calls. */
extern List *rollup_functions(Query *query);

/*
 * Does an expression call more than the server's functions?  A domain may, in its conditions.
 * context: NULL
 */
extern bool rollup_calls_foreign_code(Node *node, void *context);

/* 55000 if a view calls a function that is neither the server's nor ours. */
extern void rollup_require_our_functions(Oid view);

/* The columns of the source that a query mentions: numbers, 0 for the whole row.  NIL if gone. */
extern List *rollup_used_columns(Oid view);

/* ---------- statements ---------- */

/* SELECT of what the view shows. */
extern char *rollup_shown_text(const RollupParts *parts, const RollupDefinition *d, bool live);

/*
 * SELECT of what the live view shows, where a group may have several rows.  It is right whether
 * groups wait or not, and fast if what "some_wait" says is so.
 */
extern char *rollup_all_text(const RollupParts *parts, const RollupDefinition *d, bool some_wait);

/* SELECT of the groups without marks, merged. */
extern char *rollup_settled_text(const RollupParts *parts, const RollupDefinition *d);

/*
 * SELECT of an array for each key that can be listed, with its values in up to so many groups with
 * marks.  No array has more than "most" values.
 */
extern char *rollup_keys_text(const RollupParts *parts, const RollupDefinition *d, int64 limit,
							  int most);

/*
 * SELECT of the groups with marks, computed by the query.  $1, $2, ... are these arrays, or NULL;
 * by them an index may find the rows of the source.
 */
extern char *rollup_touched_text(const RollupParts *parts, const RollupDefinition *d);

/* INSERT of a part for each row of the query, or of a mark for each of its groups. */
extern char *rollup_append_text(const RollupParts *parts, const RollupDefinition *d, bool marks,
								const RollupOptions *options);

/*
 * Merge up to ROLLUP_FOLD_MOST rows of the group whose keys are $1, $2, ...  Where some of them are
 * NULL, only a plan for these values looks up an index.
 */
extern char *rollup_fold_text(const RollupParts *parts, const RollupDefinition *d, bool nulls);

/* Merge the rows of all groups that have several; gives how many were merged away. */
extern char *rollup_fold_all_text(const RollupParts *parts, const RollupDefinition *d);

/* Recompute up to so many groups with marks that are in the arrays; gives their rows. */
extern char *rollup_refresh_text(const RollupParts *parts, const RollupDefinition *d, int64 limit);

/* What an index of the parts has, or NULL without keys. */
extern char *rollup_index_text(const RollupParts *parts, const RollupDefinition *d);

/* The columns behind the keys, each merged over the rows of a coarser group. */
extern void rollup_merged_columns(StringInfo out, const RollupParts *parts,
								  const RollupDefinition *d);

/* A condition on the first key: not older than the retention and the freezing, if any. */
extern char *rollup_recent(const RollupParts *parts, const RollupDefinition *d,
						   const RollupOptions *options, const char *column);

/* ---------- the query applied to other rows ---------- */

/*
 * The plan of rollup_append_text() over the rows of a relation, or of the source if it is NULL.
 * An environment has them as ROLLUP_ROWS; without one they are all that the relation has.  As the
 * owner, who must be the current user.
 */
extern PlannedStmt *rollup_plan_append(const RollupParts *parts, const RollupDefinition *d,
									   Relation rel, QueryEnvironment *env, bool marks,
									   const RollupOptions *options);

/*
 * Execute it; the relations that it names must be locked.  Returns the groups that it has appended
 * to: rows as the view shows them, with NULLs for results.
 */
extern Tuplestorestate *rollup_run_append(PlannedStmt *plan, QueryEnvironment *env);

/* Evaluate the aggregates of a query once, over a row of NULLs: their parameters are checked. */
extern void rollup_try_query(Query *query);

/* An environment with these rows of a relation. */
extern QueryEnvironment *rollup_environment(Oid relation, Tuplestorestate *rows);

/* ---------- the rollups of a source ---------- */

typedef struct RollupKnown
{
	RollupParts parts;
	RollupDefinition d;
	RollupOptions options;
	List	   *used;			/* columns of the relation that the query uses: numbers */
	bool		has_rollups;	/* it is a source itself */
	PlannedStmt *append;		/* NULL until they are needed */
	PlannedStmt *mark;
	SPIPlanPtr	fold[2];		/* of groups without and with NULLs */
	MemoryContext context;		/* which all of this is in */
} RollupKnown;

/* Append a part for each group of these rows, or a mark, and do what follows from it. */
extern void rollup_append(RollupKnown *k, Relation rel, Tuplestorestate *rows, bool marks);

/* Rows of a relation have changed: call a function for each of its rollups. */
typedef void (*RollupTold) (RollupKnown *k, Relation rel, void *arg);
extern void rollup_tell(Relation rel, RollupTold told, void *arg);

/* Mark groups of the rollups of a rollup, given rows as its view shows them. */
extern void rollup_mark_dependants(const RollupParts *parts, Tuplestorestate *shown);

/* May parts be deleted?  Not where they are published and nothing identifies them. */
extern bool rollup_is_deletable(Oid stored);

/* ---------- running ---------- */

/* 25000 where a transaction does not see what others commit; "a rollup can only be ..." */
extern void rollup_require_read_committed(const char *what);

/* Execute a statement by SPI that must end with this code; returns how many rows. */
extern uint64 rollup_execute(int expected, char *statement);
#define rollup_executef(expected, ...) rollup_execute((expected), psprintf(__VA_ARGS__))

/* The same of a statement that sees all parts, whatever the transaction sees. */
extern uint64 rollup_execute_latest(int expected, const char *statement);

/* The one value of a query, as text; NULL if it is NULL or there is no row. */
extern char *rollup_value(const char *query);

/*
 * Hang triggers on the source, its partitions and its children, where they are missing.  Sessions
 * look again which rollups these have.
 */
extern void rollup_make_triggers(Oid source);

/*
 * Does a trigger tell of one of these events, whenever it happens?  Who may hang triggers can give
 * ours a condition or columns, or have it come when the rows are gone.
 */
extern bool rollup_tells(const Trigger *trigger, int16 events);

/* Drop the triggers of a source that has no rollup any more. */
extern void rollup_drop_triggers(Oid source);

/*
 * Mark the groups of the rows of a relation (NULL: of the source), and the groups of rollups of
 * rollups that these groups are in.  As the owner, in his scope.
 */
extern void rollup_mark(const RollupParts *parts, const RollupOptions *options,
						Relation relation);

/* Mark all groups of the source's rows, and all that have parts. As the owner, in his scope. */
extern void rollup_mark_all(const RollupParts *parts, const RollupOptions *options);

/* The source is empty now, and so is the rollup.  Only groups that are frozen stay. */
extern void rollup_empty(const RollupParts *parts);

/* Add why changes of the source may not be noticed, "; " before each.  As the owner. */
extern void rollup_check_source(const RollupParts *parts, StringInfo status);

/* How many groups have marks.  As the owner. */
extern int64 rollup_waiting(const RollupParts *parts);

/*
 * Replace the view, or make it if "shown" is InvalidOid.  Its columns have these names; for NULL,
 * those that it has, and behind them those of the query.
 */
extern void rollup_make_shown(RollupParts *parts, const char *name, const char *columns,
							  bool live);

/* Parse a query as the current search path has it; errors are about its text. */
extern Query *rollup_parse(char *text);

/* Set the options retention, frozen_after and schedule from arguments, i being the first. */
extern void rollup_set_intervals(const RollupParts *parts, FunctionCallInfo fcinfo, int i);

/* The rollups of the current user that their schedule calls for, sources first. */
extern List *rollup_due(void);

#endif
