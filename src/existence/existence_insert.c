/*
 * existence_insert.c: a key into an existence index
 */
#include "postgres.h"

#include "access/genam.h"
#include "miscadmin.h"
#include "storage/predicate.h"
#include "utils/memutils.h"

#include "existence.h"

/* Set the bits of a hash in a page that is pinned.  False if they were set already. */
static bool
set_bits(Relation index, Buffer buffer, const pds_existence_filter *filter,
		 const pds_existence_place *place, pds_hash hash)
{
	Page		page = BufferGetPage(buffer);
	uint8	   *block = (uint8 *) page + place->offset;
	uint8		before[PDS_EXISTENCE_BLOCK_BYTES];
	bool		was_new;

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	existence_check_page(index, buffer);
	was_new = PageIsNew(page);
	if (pds_existence_block_contains(block, filter->hashes, hash))
	{
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		return false;
	}
	memcpy(before, block, sizeof(before));

	START_CRIT_SECTION();
	if (was_new)
		existence_page_init(page, PDS_EXISTENCE_FILTER_MAGIC, 0);
	pds_existence_block_add(block, filter->hashes, hash);
	MarkBufferDirty(buffer);
	if (RelationNeedsWAL(index))
	{
		char		delta[PDS_EXISTENCE_MAX_DELTA];

		existence_log_change(buffer, was_new, delta,
							 pds_existence_delta(before, block, place->offset, (uint8_t *) delta));
	}
	END_CRIT_SECTION();
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return true;
}

/* Put a hash into the index. */
static void
insert_hash(Relation index, pds_hash hash)
{
	/* (copies: what existence_meta() returns is gone after a page was added) */
	const pds_existence_filter filter = existence_meta(index)->filter;
	const bool	has_table = existence_meta(index)->table.started;
	pds_existence_place place = pds_existence_place_of(&filter, EXISTENCE_BLOCKS_IN_PAGE, hash);
	Buffer		buffer;
	const uint8 *block;
	bool		found;
	bool		changed = false;

	existence_expect(index, &place, hash);
	buffer = existence_read_page(index, place.page);
	block = (const uint8 *) BufferGetPage(buffer) + place.offset;

	/*
	 * A look without a lock says "no" rightly, because bits are never cleared.  "Yes"
	 * needs the lock: the WAL of bits that somebody is setting may not be written yet.
	 */
	found = pds_existence_block_contains(block, filter.hashes, hash) &&
		existence_page_contains(index, buffer, &filter, &place, hash);
	if (!found && !(has_table && existence_table_insert(index, hash)))
		changed = set_bits(index, buffer, &filter, &place, hash);
	ReleaseBuffer(buffer);
	if (changed && !has_table)
		existence_begin_table_if_full(index, hash);

	/*
	 * A serializable transaction may have been told that this key is not here, also if we
	 * write nothing.  Whoever looks for it locks its page of the filter, so this is enough
	 * for the table, too; it comes last, because who locks it after this finds the key.
	 */
	CheckForSerializableConflictIn(index, NULL, place.page);
}

/* What is kept from row to row of a statement */
typedef struct InsertState
{
	PdsHasher  *hasher;
	MemoryContext scratch;		/* of one row */
} InsertState;

static InsertState *
begin_inserts(Relation index, IndexInfo *info)
{
	MemoryContext old = MemoryContextSwitchTo(info->ii_Context);
	InsertState *state = palloc(sizeof(InsertState));

	state->hasher = existence_hasher(index, info->ii_Context);
	state->scratch = AllocSetContextCreate(info->ii_Context, "existence index insertion",
										   ALLOCSET_SMALL_SIZES);
	MemoryContextSwitchTo(old);
	info->ii_AmCache = state;
	return state;
}

bool
existence_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid, Relation heap,
				 IndexUniqueCheck check_unique, bool unchanged, IndexInfo *info)
{
	InsertState *state = info->ii_AmCache;
	MemoryContext old;
	pds_hash	hash;

	/* NULL equals nothing, so nobody can ask for it */
	if (isnull[0])
		return false;
	if (state == NULL)
		state = begin_inserts(index, info);
	old = MemoryContextSwitchTo(state->scratch);
	hash = pds_hasher_hash(state->hasher, values[0]);
	MemoryContextSwitchTo(old);
	MemoryContextReset(state->scratch);
	insert_hash(index, hash);
	return false;
}
