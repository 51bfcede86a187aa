/*
 * existence.h: what the files of the existence index share
 *
 * An index access method that answers "is there a row with this key?".  "No" is certain,
 * "yes" is wrong at the rate that the index promises.  From the bottom to the top:
 *
 *     existence_table.c       fingerprints of the keys that came later  (PostgreSQL-free)
 *     existence_layout.c      where a key's bits are, sizes             (PostgreSQL-free)
 *     existence_page.c        the metapage, the pages of filter and table, new pages
 *     existence_grow.c        the table in its pages, and how these become more
 *     existence_probe.c       is a key in an index?
 *     existence_insert.c      a key into an index
 *     existence_key.c         the types of keys
 *     existence_build.c       CREATE INDEX and REINDEX
 *     existence_handler.c     the access method as the server sees it, options, cost
 *     existence_target.c      from (table, column) to indexes: rights, partitions, ...
 *     existence_contains.c    existence_might_contain() and its like
 *     existence_info.c        existence_info(), existence_export(), health
 *     existence_verify.c      existence_verify()
 *     existence_estimate.c    what the planner learns from an index
 *     existence_scan.c        bitmap scans
 *     existence_gate.c        an index in front of index lookups, in plans
 *
 * Why "no" is certain.  A row goes into the table, then the key's bits (or its fingerprint)
 * into a page, with WAL under the page's lock, and only then the transaction commits.  A
 * snapshot that sees the commit is taken after the bits were set.  Recovery keeps this order,
 * so the same holds after a crash and on a standby.  A transaction that finds the bits set writes
 * nothing: it saw them under the page's lock, so their WAL comes before its own commit.
 * Rolled-back transactions leave bits, which make "yes" a little more frequent.
 *
 * The table of fingerprints may have got more pages than a session knows of.  Each page says
 * at which step of growth it is, so a session that looks into the wrong page finds that out
 * under the page's lock, and looks again.  All pages whose keys are distributed again are
 * locked and logged together.  A session that does not know of the table reads the metapage
 * again before it answers "no".
 */
#ifndef PDS_EXISTENCE_EXISTENCE_H
#define PDS_EXISTENCE_EXISTENCE_H

#include "postgres.h"

#include "access/amapi.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/snapshot.h"
#include "utils/tuplestore.h"

#include "bloom_estimate.h"
#include "existence_layout.h"
#include "compat.h"
#include "call_argument.h"

#define EXISTENCE_METAPAGE			0
#define EXISTENCE_BLOCKS_IN_PAGE	pds_existence_blocks_in_page(BLCKSZ)
#define EXISTENCE_EQUAL_STRATEGY	1

/* ---------- existence_page.c ---------- */

/*
 * The meta data as this session last read it.  It lives in the relation's cache entry,
 * and is gone after anything that can process invalidation messages.
 */
extern const pds_existence_meta *existence_meta(Relation index);

/*
 * Read it again if the index has got pages since.  Returns whether it has; what
 * existence_meta() returned before is gone then.
 */
extern bool existence_meta_refresh(Relation index);

/* Pin a page, as ReadBuffer() does.  It takes less time for pages that were read before. */
extern Buffer existence_read_page(Relation index, BlockNumber block);

/*
 * Have the head of a page at hand that will be read soon.  Returns where the page is in memory,
 * most likely and not to be read, or NULL.
 */
extern const uint8 *existence_expect_page(Relation index, BlockNumber block);

/* Make a metapage of a page in memory. */
extern void existence_meta_page_init(Page page, const pds_existence_meta *meta);

/* Make an empty page of the filter (step 0) or of the table of a page in memory. */
extern void existence_page_init(Page page, uint32 magic, uint32 step);

/* XX002: a block is not "what" it should be. */
pg_noreturn extern void existence_page_is_damaged(Relation index, BlockNumber block,
												  const char *what);

/* XX002 unless a filter page that is not new is one. */
extern void existence_check_page(Relation index, Buffer buffer);

/*
 * The step of a page of the table that is locked, PDS_EXISTENCE_UNREACHED if its family has
 * not come to it.  A page of zeros is an empty one for those who look for step 0.  XX002 as
 * above.
 */
extern uint32 existence_step_of_page(Relation index, Buffer buffer, uint32 looked_for);

/*
 * Returns whether all bits of a hash are set in the filter, with their WAL written.  The page
 * is pinned, and locked meanwhile.  XX002 as above.
 */
extern bool existence_page_contains(Relation index, Buffer buffer,
									const pds_existence_filter *filter,
									const pds_existence_place *place, pds_hash hash);

/*
 * Log a change of a page that is locked, in a critical section: "delta" as the server's
 * generic records have it, or all of a page that was new.
 */
extern void existence_log_change(Buffer buffer, bool was_new, const char *delta, size_t len);

/*
 * Begin the table if the filter is full.  Call it with each key that changes the filter: the
 * hash chooses when to look, and at which pages.
 */
extern void existence_begin_table_if_full(Relation index, pds_hash hash);

/* Have pages for a step of a group.  False if the index is as large as it can be. */
extern bool existence_have_step(Relation index, uint32 group, uint32 step);

/* ---------- existence_grow.c ---------- */

/* Have the memory at hand where a hash is in the filter, at this place, and in the table. */
extern void existence_expect(Relation index, const pds_existence_place *place, pds_hash hash);

/* Might a key with this hash be in the table, which has begun? */
extern bool existence_table_contains(Relation index, pds_hash hash);

/* Put a hash into the table, which has begun.  False if there is no space that it may use. */
extern bool existence_table_insert(Relation index, pds_hash hash);

/* ---------- existence_probe.c ---------- */

/*
 * Might a key with this hash be in the index?  False is certain for all rows that the
 * snapshot of the caller sees, if existence_is_usable().
 */
extern bool existence_probe(Relation index, pds_hash hash);

/* The same for an estimate: no serializable transaction relies on the answer. */
extern bool existence_peek(Relation index, pds_hash hash);
/* The same for a value and the hasher of existence_hasher_for(); without a hasher, true. */
extern bool existence_probe_value(Relation index, PdsHasher *hasher, Datum value);

/*
 * Returns whether a "no" of the index is reliable: the index is valid, and our snapshot allows
 * it.
 */
extern bool existence_is_usable(Relation index);

/* ---------- existence_insert.c ---------- */

extern bool existence_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid,
							 Relation heap, IndexUniqueCheck check_unique, bool unchanged,
							 struct IndexInfo *info);

/* ---------- existence_build.c ---------- */

#define EXISTENCE_DEFAULT_RATE		0.01
#define EXISTENCE_DEFAULT_EXPANSION	1.0

/* The options of an index */
typedef struct ExistenceOptions
{
	int32		vl_len_;
	double		false_positive_rate;
	double		capacity;
	double		expansion;
} ExistenceOptions;

extern ExistenceOptions existence_options(Relation index);

extern IndexBuildResult *existence_build(Relation heap, Relation index, struct IndexInfo *info);
extern void existence_build_empty(Relation index);
extern char *existence_build_phase(int64 phase);

/* ---------- existence_key.c ---------- */

/* The hasher for the keys of an index. */
extern PdsHasher *existence_hasher(Relation index, MemoryContext mcxt);

/*
 * Returns a hash of the attributes of composite types in the keys, dropped ones included, or 0
 * without such types.  Attributes can be added and dropped while the table has rows, and the
 * same value hashes differently after that.
 */
extern uint64 existence_key_shape(Relation index);

/*
 * Returns whether its keys, of this hasher, are still hashed as they were when the index was
 * built.
 */
extern bool existence_keys_are_as_built(Relation index, PdsHasher *hasher);

/*
 * Returns whether the same datum has the same hash as a value of either type.  The planner strips
 * casts that change no datum: an oid column can be compared as int4, a text column be indexed as
 * char(n).  These are not hashed alike.
 */
extern bool existence_hash_alike(Oid a, Oid b);

/*
 * Returns the hasher for the values that keys are compared with, where an equality operator takes
 * the keys as "left" and the values as "right", under a collation.  NULL where a value might equal
 * a key that has another hash: then the index says nothing about the value.
 */
extern PdsHasher *existence_hasher_for(Relation index, Oid left, Oid right, Oid collation,
									   MemoryContext mcxt);

/* 0A000 if an index cannot have keys of its type. */
extern void existence_check_key_type(Relation index);

/* ---------- existence_handler.c ---------- */

/* Register options and settings: once, when the library is loaded. */
extern void existence_init(void);

/* Returns whether this open index belongs to our access method. */
extern bool existence_is_index(Relation index);

/* ---------- existence_target.c ---------- */

/* An index on the column, and why it cannot say "no" (NULL if it can). */
typedef struct ExistenceSeen
{
	Oid			index;
	const char *why;
} ExistenceSeen;

/*
 * The indexes that answer for a column of a table (all of its partitions).  They, and the
 * tables, stay locked until the transaction ends.
 */
typedef struct ExistenceTarget
{
	/* what it was made for, and when */
	Oid			relation;
	NameData	column;
	Oid			user;
	LocalTransactionId lxid;
	SubTransactionId subxid;
	uint64		changes;		/* of tables, that this session had heard of */

	bool		maybe;			/* nothing can be said about the rows: "yes" */
	pds_kind	kind;			/* of the keys */
	Oid			type;			/* theirs; of a domain its base */
	PdsHasher  *hasher;
	List	   *indexes;		/* their OIDs, one for each table */
	List	   *seen;			/* of ExistenceSeen: those that answer, and the others */
	MemoryContext mcxt;			/* where this lives */
} ExistenceTarget;

/*
 * The target for these arguments.  "known" is the one that was used before, or NULL; it is
 * returned, made again if need be, or a new one below mcxt.  Errors: 42P01, 42703 or 42704 if
 * the table, column or index does not exist. 42501 without the privilege to read the column.
 * 0A000 if rows may be elsewhere (foreign tables, inheritance, Citus).
 */
extern ExistenceTarget *existence_target(ExistenceTarget *known, Oid relation, Name column,
										 MemoryContext mcxt);

/* ---------- existence_estimate.c ---------- */

struct Const;
struct IndexOptInfo;

/*
 * The share of a key's values that an index says "no" to, from a sample of the values: those that
 * the query names, or that statistics have.  -1 if nothing is known of them, or if the user must
 * not know.
 */
extern double existence_share_of_no(struct PlannerInfo *root, const struct IndexOptInfo *index,
									struct Node *key);

/*
 * The chance that an index says "yes" to a value, or to any element of an array, that keys are
 * compared with by an operator.  -1 if the user must not know.
 */
extern double existence_chance_of_yes(struct PlannerInfo *root, const struct IndexOptInfo *index,
									  Oid operator, Oid collation, const struct Const *value,
									  bool is_array);

/* ---------- existence_scan.c ---------- */

extern void existence_cost(struct PlannerInfo *root, struct IndexPath *path, double loop_count,
						   Cost *startup, Cost *total, Selectivity *selectivity,
						   double *correlation, double *pages);
extern void existence_rescan(IndexScanDesc scan, ScanKey keys, int n_keys, ScanKey order_bys,
							 int n_order_bys);
extern void existence_end_scan(IndexScanDesc scan);
extern int64 existence_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap);

/* ---------- existence_gate.c ---------- */

/* The setting probds.existence_gate */
extern bool existence_gate_enabled;

/* Let the planner use gates: once, when the library is loaded. */
extern void existence_gate_init(void);

/* ---------- existence_info.c ---------- */

/* How full an open index is. */
typedef struct ExistenceState
{
	uint32		layers;			/* 1: the filter, 2: and the table; 0: it is not valid */
	double		keys;			/* estimated */
	double		capacity;		/* for how many keys there is space before it grows */
	double		fill;			/* share of bits set, and of slots filled */
	double		rate;			/* false-positive rate as filled now */
	double		promised;
	double		bytes;
	double		bytes_after_reindex;
	const char *status;			/* "ok", "over capacity", "invalid" */
} ExistenceState;

/* Reads all pages, and none of an index that is not valid. */
extern void existence_look(Relation index, ExistenceState *state);

#endif
