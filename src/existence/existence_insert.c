/*
 * existence_insert.c: a key into an existence index
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/generic_xlog.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/predicate.h"
#include "utils/memutils.h"

#include "existence.h"

/* ---------- WAL ---------- */

/*
 * Log the change of one block in a page.  What is written is what GenericXLogFinish()
 * would write, and is replayed by the same function.  It is made by hand because that one
 * copies and compares whole pages, which takes several times as long as all of the rest
 * of an insertion.
 */
static void
log_change(Buffer buffer, bool was_new, const uint8 *before, const uint8 *after, uint32 offset)
{
	char		delta[PDS_EXISTENCE_MAX_DELTA];
	size_t		len;
	XLogRecPtr	lsn;

	XLogBeginInsert();
	if (was_new)
		/* recovery does not apply changes to a page of zeros */
		XLogRegisterBuffer(0, buffer, REGBUF_FORCE_IMAGE | REGBUF_STANDARD);
	else
	{
		len = pds_existence_delta(before, after, offset, (uint8 *) delta);
		XLogRegisterBuffer(0, buffer, REGBUF_STANDARD);
		XLogRegisterBufData(0, delta, len);
	}
	lsn = XLogInsert(RM_GENERIC_ID, 0);
	PageSetLSN(BufferGetPage(buffer), lsn);
}

/* ---------- one page ---------- */

/* Set the bits of a hash in a page that is pinned.  False if they were set already. */
static bool
set_bits(Relation index, Buffer buffer, const pds_existence_layer *layer,
		 const pds_existence_place *place, pds_hash hash)
{
	Page		page = BufferGetPage(buffer);
	uint8	   *block = (uint8 *) page + place->offset;
	uint8		after[PDS_EXISTENCE_BLOCK_BYTES];
	uint8		before[PDS_EXISTENCE_BLOCK_BYTES];
	bool		was_new;

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	existence_check_page(index, buffer);
	was_new = PageIsNew(page);
	if (!was_new && pds_existence_block_contains(block, layer->hashes, hash))
	{
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		return false;
	}
	if (was_new)
		memset(before, 0, sizeof(before));
	else
		memcpy(before, block, sizeof(before));
	memcpy(after, before, sizeof(after));
	pds_existence_block_add(after, layer->hashes, hash);

	START_CRIT_SECTION();
	if (was_new)
		existence_filter_page_init(page);
	memcpy(block, after, sizeof(after));
	MarkBufferDirty(buffer);
	if (RelationNeedsWAL(index))
		log_change(buffer, was_new, before, after, place->offset);
	END_CRIT_SECTION();
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return true;
}

/* Is a hash in a layer?  If not and "add", it is added; *changed says whether. */
static bool
visit_layer(Relation index, const pds_existence_layer *layer, pds_hash hash, bool add,
			bool *changed)
{
	pds_existence_place place = pds_existence_place_of(layer, EXISTENCE_BLOCKS_IN_PAGE, hash);
	Buffer		buffer = ReadBuffer(index, place.page);
	const uint8 *block = (const uint8 *) BufferGetPage(buffer) + place.offset;
	bool		found;

	/*
	 * A look without a lock says "no" rightly, because bits are never cleared.  "Yes"
	 * needs the lock: the WAL of bits that somebody is setting may not be written yet.
	 */
	found = pds_existence_block_contains(block, layer->hashes, hash) &&
		existence_page_contains(index, buffer, layer, &place, hash);
	if (!found && add)
	{
		*changed = set_bits(index, buffer, layer, &place, hash);
		found = true;
	}
	ReleaseBuffer(buffer);

	/*
	 * A serializable transaction may have been told that this key is not here, also if
	 * we write nothing.
	 */
	CheckForSerializableConflictIn(index, NULL, place.page);
	return found;
}

/* ---------- all layers ---------- */

void
existence_insert_hash(Relation index, pds_hash hash)
{
	const pds_existence_meta *meta = existence_meta(index);
	uint32		newest = meta->n_layers - 1;
	bool		changed = false;
	bool		found = false;

	/* the largest of the older layers comes first */
	for (uint32 i = newest; i-- > 0;)
	{
		found |= visit_layer(index, &meta->layer[i], hash, false, &changed);
		/* conflicts are looked for in all of them */
		if (found && !IsolationIsSerializable())
			return;
	}
	(void) visit_layer(index, &meta->layer[newest], hash, !found, &changed);

	if (changed && pds_existence_is_time_to_look(&meta->layer[newest], hash))
	{
		pds_existence_layer layer = meta->layer[newest];
		pds_existence_place place = pds_existence_place_of(&layer, EXISTENCE_BLOCKS_IN_PAGE, hash);
		Buffer		buffer = ReadBuffer(index, place.page);
		uint32		bits;

		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		bits = existence_page_bits(buffer);
		UnlockReleaseBuffer(buffer);
		if (bits >= layer.full_bits)
			existence_grow_if_full(index, hash);
	}
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
existence_insert(PDS_AMINSERT_ARGS)
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
	existence_insert_hash(index, hash);
	return false;
}
