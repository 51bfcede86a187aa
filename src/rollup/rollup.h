/*
 * rollup.h: tables of sketches that keep themselves current
 *
 * A rollup consists of plain objects, so that it is dumped and restored as any table
 * is.  For one called "daily" of a table "visit":
 *
 *     daily            the table: a row for each group, a sketch in each column.  With
 *                      slots it is a view that merges the rows of daily_slots
 *     daily_slots      with slots: several rows for each group, for writers to take turns
 *     daily_rollup     a view, the definition: what the table is to hold, computed from
 *                      the source
 *     daily_progress   a table of one row: how far the rollup is, and its settings
 *     daily_changes    a sequence: how many statements changed what had been counted
 *     triggers         on the source: new rows are merged, or late ones are counted;
 *                      changes are counted.  On the table: only the rollup itself writes.
 *                      A source without them is counted at each refresh (rollup_tally.c)
 *
 * The objects are found by their dependencies, not by their names. daily_progress has columns
 * of the row types of the view and of the tables, and the triggers' WHEN conditions mention
 * these types.  So all objects may be renamed, and a dump restores the dependencies.  DROP of a
 * part is refused, or takes the triggers with it.
 *
 * No statement text is stored anywhere.  Each statement is put together from the catalogs and
 * kept as a plan.  It consists of the definition's query as it was parsed, and of names that
 * are quoted and qualified.  Whoever calls, the statement runs with the rights of the rollup's
 * owner in a security-restricted context, as REFRESH MATERIALIZED VIEW does.  It runs with the
 * settings that the rollup was created with.
 *
 *     rollup_parts.c     which objects a rollup consists of
 *     rollup_settings.c  the settings that its statements run with
 *     rollup_key.c       groups told apart by a hash
 *     rollup_define.c    the definition: what may be in it, how its results are merged
 *     rollup_text.c      statements
 *     rollup_statement.c executing them
 *     rollup_plan.c      the definition applied to some rows of its source
 *     rollup_make.c      making rollups, and views over them
 *     rollup_trigger.c   triggers: what they do
 *     rollup_hang.c      triggers: where they hang
 *     rollup_changed.c   changes that are counted when their transaction commits
 *     rollup_late.c      rows whose number has been passed
 *     rollup_tally.c     the same where the source cannot have triggers
 *     rollup_numbers.c   the sequence that numbers the source's rows
 *     rollup_wait.c      waiting for writers
 *     rollup_run.c       refresh, rebuild, fold, drop
 *     rollup_list.c      what there is
 */
#ifndef PDS_ROLLUP_ROLLUP_H
#define PDS_ROLLUP_ROLLUP_H

#include "postgres.h"

#include "executor/spi.h"
#include "access/htup.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "nodes/pg_list.h"
#include "utils/array.h"
#include "utils/hsearch.h"

#include "utils/queryenvironment.h"
#include "utils/relcache.h"

#include "compat.h"
#include "run_as.h"

/* The format of the metadata in X_progress; a later version of the extension may have others. */
#define ROLLUP_FORMAT		1

#define ROLLUP_MAX_SLOTS	1000

/* The longest name, so that the other objects can be called after it. */
#define ROLLUP_MAX_NAME		(NAMEDATALEN - 1 - (int) strlen("_progress"))

/* The name of the source in the definition, and of its new rows. */
#define ROLLUP_ROWS			"probds_rows"
/* The name of the table in a view of probds_create_rollup_view(). */
#define ROLLUP_VIEWED		"probds_rollup"

/* ---------- which objects a rollup consists of ---------- */

typedef struct RollupParts
{
	Oid			progress;
	Oid			definition;		/* view */
	Oid			stored;			/* table with a row for each group, or several with slots */
	Oid			shown;			/* the same, or the view over it */
	Oid			changes;		/* sequence */
	Oid			source;
	AttrNumber	number;			/* of the source: the column that numbers its rows, or 0 */
	Oid			owner;
} RollupParts;

/*
 * The parts of a rollup, given any of the first four.  Returns false if it is none, or
 * parts of it are gone.
 */
extern bool rollup_find(Oid relation, RollupParts *parts);

/* Returns whether this is the table of a rollup's metadata. */
extern bool rollup_is_progress(Oid relation);

/*
 * As rollup_find(), but raises 42809 if it is no rollup, and 55000 if its parts have different
 * owners.
 */
extern void rollup_require(Oid relation, RollupParts *parts);

/*
 * The parts of the one that a trigger belongs to: from its WHEN condition.  Their owner
 * is InvalidOid if they have several.
 */
extern bool rollup_of_trigger(const char *qual, RollupParts *parts);

/* 55000 if its parts have different owners. */
extern void rollup_require_one_owner(const RollupParts *parts);

/* 42501 unless the current user is the owner, or one of his roles is. */
extern void rollup_require_owner(const RollupParts *parts);

/* The first column of the definition that the table has no more, or NULL. */
extern const char *rollup_dropped_column(const RollupParts *parts);

/* Names, quoted and qualified. */
extern char *rollup_column_name(Oid relation, AttrNumber number);
extern const char *rollup_extension_schema(void);

/* The contents of X_progress. */
typedef struct RollupProgress
{
	bool		refreshed;		/* by calls, not by a trigger */
	bool		counted;		/* is there a watermark? */
	int64		watermark;
	int			slots;
	char	  **settings;		/* name, value, ..., NULL */
	char	   *retention;		/* an interval, or NULL */
	int64		changes_seen;
	bool		truncated;
} RollupProgress;

/* Read it as the owner, who must be the current user; SPI is connected. */
extern void rollup_read_progress(const RollupParts *parts, bool for_update, RollupProgress *p);

/* ---------- settings ---------- */

/* The settings that change what an expression means, as they are now: name, value, ... */
extern ArrayType *rollup_current_settings(void);

/* They become these, until the scope is left. */
extern void rollup_apply_settings(char **settings);

/* ---------- the definition ---------- */

/* How two results of an aggregate become one. */
typedef enum RollupMerge
{
	ROLLUP_UNION,				/* a sketch */
	ROLLUP_SUM,					/* count, sum */
	ROLLUP_MIN,
	ROLLUP_MAX
} RollupMerge;

typedef struct RollupColumn
{
	bool		is_key;
	RollupMerge merge;			/* if it is no key */
	Oid			type;
	int32		typmod;
	Oid			collation;
	char	   *type_name;		/* of a sketch: "hll" */
} RollupColumn;

typedef struct RollupDefinition
{
	Oid			source;
	AttrNumber	number;
	int			keys;			/* the first so many columns */
	int			columns;
	RollupColumn *column;
	bool		by_hash;		/* groups are told apart by a hash of their keys */
} RollupDefinition;

/*
 * Reads a definition view.  Errors: 0A000, with a hint what to write, for a definition that
 * cannot be kept current.
 */
extern void rollup_read_definition(Oid view, RollupDefinition *d);

/*
 * 42601 unless a text is one expression: what comes behind it would become part of the
 * statement that it is put into.
 */
extern void rollup_require_expression(const char *text, const char *argument);

/* Returns whether probds_create_rollup_view() has made this view over that table. */
extern bool rollup_is_view_over(Oid view, Oid relation);

/* The source and the number column of a definition view; false if it is none. */
extern bool rollup_source_of(Oid view, Oid *source, AttrNumber *number);

/* Its query as it was parsed, a copy, and the index of the source in the range table. */
extern Query *rollup_definition_query(Oid view, int *source);

/* 42883 unless all keys can be hashed, where groups are told apart by a hash. */
extern void rollup_require_hashable(const RollupDefinition *d);

/* ---------- statements ---------- */

/*
 * Merge groups into the table, in one order: those of a query, or without one those of
 * the definition.  $1 is the slot if there are slots.
 */
extern char *rollup_merge_text(const RollupParts *parts, int slots, const char *query);

/* The list of columns of the table, each merged over the rows of a coarser group. */
extern void rollup_merged_columns(StringInfo out, const RollupParts *parts,
								  const RollupDefinition *d);

/* A query for the groups in the table, or in "from", each one merged from its slots. */
extern char *rollup_merged_groups(const RollupParts *parts, const RollupDefinition *d,
								  const char *from);

/* The column of the table that stands for column i of the definition. */
extern char *rollup_stored_column(const RollupParts *parts, int i);

/* ---------- the definition applied to some rows ---------- */

/* Which rows: those of a transition table, those with some numbers, or all. */
typedef struct RollupRows
{
	Relation	inserted;		/* the relation that the transition table is of, or NULL */
	QueryEnvironment *env;		/* that has it, called ROLLUP_ROWS */
	bool		numbered;
	bool		above_set;
	int64		above;
	int64		up_to;
} RollupRows;

/* The plan of a merge of these rows' groups.  As the owner, who must be the current user. */
extern PlannedStmt *rollup_plan_merge(const RollupParts *parts, int slots, const RollupRows *rows);

/* Execute it; the relations that it names must be locked. */
extern void rollup_run_merge(PlannedStmt *plan, QueryEnvironment *env, int slots, int64 slot);

/* Both, of rows that are in the source, for slot 0. */
extern void rollup_merge_source(const RollupParts *parts, int slots, const RollupRows *rows);

/* ---------- running ---------- */

/* Connect to SPI, with options of SPI_connect_ext(). */
extern void rollup_connect(int options);

/* 25000 where a transaction does not see what others commit; "a rollup can only be ..." */
extern void rollup_require_read_committed(const char *what);

/* Execute a statement by SPI that must end with this code; returns how many rows. */
extern uint64 rollup_execute(const char *statement, int expected);

/* printf, then the same. */
extern uint64 rollup_executef(int expected, const char *format,...) pg_attribute_printf(2, 3);

/* The one value of a query, as text; NULL if it is NULL or there is no row. */
extern char *rollup_value(const char *query);

/* A number that rollup_value() has found; "none" for NULL. */
extern int64 rollup_number(const char *text, int64 none);

/* Put triggers on the source, and on its partitions, where they are missing. */
extern void rollup_make_triggers(const RollupParts *parts, bool refreshed);

/*
 * Returns the state of the trigger of a rollup on a relation that calls this function: 'O',
 * 'A', 'R' or 'D' as pg_trigger.tgenabled, or 0 without such a trigger.  Needs SPI connected.
 */
extern char rollup_trigger_state(Oid relation, const RollupParts *parts, const char *function);

/* Returns whether this trigger exists and fires for ordinary statements. */
extern bool rollup_trigger_fires(Oid relation, const RollupParts *parts, const char *function);

/*
 * Returns the sequence that numbers the source's rows.  Errors: 55000 if the sequence is gone
 * or its numbers do not grow one by one, 42501 if the caller may not read it.
 */
extern Oid	rollup_sequence_of(const RollupParts *parts);

/* Returns the last number that a sequence has given out, or 0. */
extern int64 rollup_sequence_last(Oid sequence);

/* Returns the last number of the sequence that numbers the source's rows. Errors as above. */
extern int64 rollup_last_number(const RollupParts *parts);

/*
 * Raises 55000 unless the next rows get numbers above all present and former ones.  Call it as
 * the owner, after all current writers have ended.
 */
extern void rollup_require_growing(const RollupParts *parts, const RollupProgress *progress);

/*
 * Returns whether triggers record changes, and late rows in all partitions.  Needs SPI
 * connected.
 */
extern bool rollup_is_watched(const RollupParts *parts);

/*
 * For a source that is not watched: compares the rows up to the watermark with the rows that
 * were counted.  A difference counts as a change, and raises a WARNING.  Needs the metadata
 * locked.
 */
extern void rollup_check_tally(const RollupParts *parts, const RollupProgress *progress);

/*
 * Returns assignments to the columns of the metadata that hold the tally, for an UPDATE.  The
 * new tally includes the rows of these numbers (without "above", all rows up to the last
 * number).  If the source is watched, the tally is unknown.  Call it before these rows are
 * merged.
 */
extern char *rollup_tally(const RollupParts *parts, const int64 *above, int64 up_to);

/* Count a change of the source's rows when the current transaction commits, if it does. */
extern void rollup_count_change(const RollupParts *parts);

/* Returns how many changes the current transaction is going to count. */
extern int64 rollup_changes_pending(const RollupParts *parts);

/*
 * Returns whether a refresh has passed the number of a row of the source, or of a partition or
 * a child of it.
 */
extern bool rollup_row_is_late(const RollupParts *parts, Relation rel, HeapTuple row);

/* Returns the columns of the source that a definition mentions, as a list of numbers. */
extern List *rollup_used_columns(Oid view);

/* Statements that write into a rollup's table are its own while this is above 0. */
extern int	rollup_writing;

/* Wait until all transactions that write to a table, or to its partitions, have ended. */
extern void rollup_wait_for_writers(Oid relation);

/* A loop over the entries of a hash table; nothing may leave it before its end. */
#define ROLLUP_FOR_EACH_ENTRY(entry, table) \
	for (HASH_SEQ_STATUS status = rollup_begin_entries(table); \
		 (entry = hash_seq_search(&status)) != NULL;)

static inline HASH_SEQ_STATUS
rollup_begin_entries(HTAB *table)
{
	HASH_SEQ_STATUS status;

	hash_seq_init(&status, table);
	return status;
}

#endif
