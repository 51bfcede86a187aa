/*
 * existence_page.c: the pages of an existence index, and how it gets new ones
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/buf_internals.h"
#include "storage/lmgr.h"
#include "storage/smgr.h"
#include "utils/memutils.h"

#include "existence.h"

/* How often a filter is looked at until it is full, about, and how many of its pages */
#define LOOKS			512
#define PAGES_SAMPLED	32

StaticAssertDecl(sizeof(pds_existence_meta) <= BLCKSZ - MAXALIGN(SizeOfPageHeaderData),
				 "the meta data fits in a page");
/* BLCKSZ is 8 kB in nearly all servers, but can be 1 to 32 kB */
StaticAssertDecl(SizeOfPageHeaderData + sizeof(pds_existence_page_head) <=
				 Min(PDS_EXISTENCE_BLOCKS_AT, PDS_EXISTENCE_SLOTS_AT),
				 "the blocks or slots of a page begin behind its head");
StaticAssertDecl(BLCKSZ >= PDS_EXISTENCE_BLOCKS_AT + PDS_EXISTENCE_BLOCK_BYTES &&
				 (BLCKSZ - PDS_EXISTENCE_BLOCKS_AT) % PDS_EXISTENCE_BLOCK_BYTES == 0,
				 "blocks fill a page");
StaticAssertDecl(BLCKSZ <= PG_UINT16_MAX,
				 "places in a page are numbers of 16 bits in WAL and in the page's header");

void
existence_page_is_damaged(Relation index, BlockNumber block, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is corrupt: block %u is not %s",
					RelationGetRelationName(index), block, what),
			 errhint("REINDEX the index.")));
}

/* ---------- buffers ---------- */

/*
 * Buffers in which this session found pages.  Whether a page is still there shows when it is
 * pinned, so nobody has to keep this correct.  The server's own table of buffers would have to
 * be locked, and takes several cache misses.
 */
#define RECENT_BUFFERS	65536
static Buffer recent_buffers[RECENT_BUFFERS];

/* The server keeps pages that are looked up in its table: so often that is done. */
#define RECENT_AT_MOST	16

static inline Buffer *
recent_buffer(Relation index, BlockNumber block)
{
	return &recent_buffers[(RelationGetRelid(index) * 2654435761U + block) % RECENT_BUFFERS];
}

Buffer
existence_read_page(Relation index, BlockNumber block)
{
	static uint32 turn = 0;
	Buffer	   *recent;

	/* temporary relations can have numbers that others have, too */
	if (RelationUsesLocalBuffers(index))
		return ReadBuffer(index, block);
	recent = recent_buffer(index, block);
	if (*recent != InvalidBuffer && ++turn % RECENT_AT_MOST != 0 &&
		ReadRecentBuffer(*PDS_LOCATOR(index), MAIN_FORKNUM, block, *recent))
	{
		pgstat_count_buffer_read(index);
		pgstat_count_buffer_hit(index);
		return *recent;
	}
	return *recent = ReadBuffer(index, block);
}

const uint8 *
existence_expect_page(Relation index, BlockNumber block)
{
	Buffer		recent = *recent_buffer(index, block);
	const uint8 *page;

	if (recent == InvalidBuffer || RelationUsesLocalBuffers(index))
		return NULL;
	page = (const uint8 *) BufferGetBlock(recent);
	__builtin_prefetch(GetBufferDescriptor(recent - 1), 1);
	__builtin_prefetch(page);
	return page;
}

/* ---------- the metapage ---------- */

void
existence_meta_page_init(Page page, const pds_existence_meta *meta)
{
	PageInit(page, BLCKSZ, 0);
	memcpy(PageGetContents(page), meta, sizeof(*meta));
	/* what the server's generic WAL records leave out is what is above */
	((PageHeader) page)->pd_lower = (char *) PageGetContents(page) + sizeof(*meta) - (char *) page;
}

static pg_noinline const pds_existence_meta *
read_meta(Relation index)
{
	pds_existence_meta *copy = MemoryContextAlloc(index->rd_indexcxt, sizeof(*copy));
	Buffer		buffer = ReadBuffer(index, EXISTENCE_METAPAGE);

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, PageGetContents(BufferGetPage(buffer)), sizeof(*copy));
	UnlockReleaseBuffer(buffer);
	if (!pds_existence_meta_valid(copy, BLCKSZ))
		existence_page_is_damaged(index, EXISTENCE_METAPAGE, "the metapage of an existence index");
	if (index->rd_amcache != NULL)
		pfree(index->rd_amcache);
	index->rd_amcache = copy;
	return copy;
}

const pds_existence_meta *
existence_meta(Relation index)
{
	if (likely(index->rd_amcache != NULL))
		return index->rd_amcache;
	return read_meta(index);
}

bool
existence_meta_refresh(Relation index)
{
	uint32		known = existence_meta(index)->used;
	Buffer		buffer = ReadBuffer(index, EXISTENCE_METAPAGE);
	uint32		now;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	now = ((pds_existence_meta *) PageGetContents(BufferGetPage(buffer)))->used;
	UnlockReleaseBuffer(buffer);
	if (likely(now == known))
		return false;
	(void) read_meta(index);
	return true;
}

/* ---------- the other pages ---------- */

static inline pds_existence_page_head *
head_of_page(Page page)
{
	return (pds_existence_page_head *) ((char *) page + SizeOfPageHeaderData);
}

void
existence_page_init(Page page, uint32 magic, uint32 step)
{
	PageHeader	header = (PageHeader) page;

	PageInit(page, BLCKSZ, 0);
	/* no part of it is free space: WAL records and checks see all of it */
	header->pd_lower = header->pd_upper = header->pd_special = BLCKSZ;
	*head_of_page(page) = (pds_existence_page_head) {magic, step};
}

uint32
existence_step_of_page(Relation index, Buffer buffer, uint32 looked_for)
{
	Page		page = BufferGetPage(buffer);
	const pds_existence_page_head *head = head_of_page(page);

	/* the first pages are empty at the beginning, all others come to be with keys */
	if (PageIsNew(page))
		return looked_for == 0 ? 0 : PDS_EXISTENCE_UNREACHED;
	if (unlikely(head->magic != PDS_EXISTENCE_TABLE_MAGIC ||
				 (head->step >= PDS_EXISTENCE_MAX_STEPS &&
				  head->step != PDS_EXISTENCE_UNREACHED)))
		existence_page_is_damaged(index, BufferGetBlockNumber(buffer),
								  "a page of a table of fingerprints");
	return head->step;
}

void
existence_check_page(Relation index, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);

	if (unlikely(!PageIsNew(page) && head_of_page(page)->magic != PDS_EXISTENCE_FILTER_MAGIC))
		existence_page_is_damaged(index, BufferGetBlockNumber(buffer), "a page of a filter");
}

bool
existence_page_contains(Relation index, Buffer buffer, const pds_existence_filter *filter,
						const pds_existence_place *place, pds_hash hash)
{
	bool		found;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	existence_check_page(index, buffer);
	found = pds_existence_block_contains((uint8 *) BufferGetPage(buffer) + place->offset,
										 filter->hashes, hash);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return found;
}

/* ---------- WAL ---------- */

/*
 * Writes the same WAL record as GenericXLogFinish() would, and the same function replays it.
 * The record is made by hand because GenericXLogFinish() copies and compares whole pages, which
 * takes several times as long as the rest of an insertion.
 */
void
existence_log_change(Buffer buffer, bool was_new, const char *delta, size_t len)
{
	XLogRecPtr	lsn;

	XLogBeginInsert();
	if (was_new)
		/* recovery does not apply changes to a page of zeros */
		XLogRegisterBuffer(0, buffer, REGBUF_FORCE_IMAGE | REGBUF_STANDARD);
	else
	{
		XLogRegisterBuffer(0, buffer, REGBUF_STANDARD);
		XLogRegisterBufData(0, unconstify(char *, delta), len);
	}
	lsn = XLogInsert(RM_GENERIC_ID, 0);
	PageSetLSN(BufferGetPage(buffer), lsn);
}

/* ---------- new pages ---------- */

/*
 * Add the pages of new meta data, which are zeros, and read it.  Only the last page is written; the
 * file system keeps those before it as a hole.  The caller has the lock on growth.
 */
static void
add_pages(Relation index, const pds_existence_meta *meta, uint32 step)
{
	BlockNumber last = meta->used - 1;
	PGIOAlignedBlock block;
	Page		page = (Page) block.data;
	Buffer		buffer;
	GenericXLogState *state;

	existence_page_init(page, PDS_EXISTENCE_TABLE_MAGIC, step);
	/* it can be there, after a crash between this and the writing of the metapage */
	if (RelationGetNumberOfBlocks(index) <= last)
	{
		PageSetChecksum(page, last);
		smgrextend(RelationGetSmgr(index), MAIN_FORKNUM, last, block.data, false);
	}
	/* after that: recovery extends the file, unless it begins at a checkpoint that has synced it */
	if (RelationNeedsWAL(index))
		log_newpage(PDS_LOCATOR(index), MAIN_FORKNUM, last, page, true);

	buffer = ReadBuffer(index, EXISTENCE_METAPAGE);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	state = GenericXLogStart(index);
	memcpy(PageGetContents(GenericXLogRegisterBuffer(state, buffer, 0)), meta, sizeof(*meta));
	GenericXLogFinish(state);
	UnlockReleaseBuffer(buffer);
	(void) existence_meta_refresh(index);
}

/* Is the filter full?  By the bits that are set in some of its pages, evenly spread. */
static bool
filter_is_full(Relation index, const pds_existence_filter *filter, pds_hash hash)
{
	uint32		n = Min(filter->pages, PAGES_SAMPLED);
	uint32		start = (uint32) (hash.h1 >> 32) % filter->pages;
	uint64		bits = 0;

	for (uint32 i = 0; i < n; i++)
	{
		uint32		page = (uint32) ((start + (uint64) i * filter->pages / n) % filter->pages);
		Buffer		buffer = ReadBuffer(index, filter->first + page);

		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		bits += pds_bloom_count_bits((uint8 *) BufferGetPage(buffer) + PDS_EXISTENCE_BLOCKS_AT,
									 EXISTENCE_BLOCKS_IN_PAGE * PDS_EXISTENCE_BLOCK_BYTES);
		UnlockReleaseBuffer(buffer);
	}
	return bits >= (uint64) n * filter->full_bits;
}

/* Is it time to look?  That is so for some LOOKS of the keys that make the filter full. */
static bool
is_time_to_look(const pds_existence_filter *filter, pds_hash hash)
{
	uint64		keys = (uint64) filter->pages * filter->full_bits / filter->hashes;

	return hash.h2 % (keys / LOOKS + 1) == 0;
}

void
existence_begin_table_if_full(Relation index, pds_hash hash)
{
	pds_existence_filter filter = existence_meta(index)->filter;

	if (!is_time_to_look(&filter, hash) || !filter_is_full(index, &filter, hash))
		return;

	/* whoever has the lock does it; keys go into the filter until then */
	if (ConditionalLockPage(index, EXISTENCE_METAPAGE, ExclusiveLock))
	{
		pds_existence_meta meta;

		(void) existence_meta_refresh(index);
		meta = *existence_meta(index);
		if (!meta.table.started && pds_existence_plan_table(&meta))
			add_pages(index, &meta, 0);
		UnlockPage(index, EXISTENCE_METAPAGE, ExclusiveLock);
	}
}

bool
existence_have_step(Relation index, uint32 group, uint32 step)
{
	pds_existence_meta meta;
	bool		have;

	LockPage(index, EXISTENCE_METAPAGE, ExclusiveLock);
	(void) existence_meta_refresh(index);
	meta = *existence_meta(index);
	have = meta.table.top[group] >= step;
	if (meta.table.top[group] + 1 == step && pds_existence_plan_step(&meta, group))
	{
		add_pages(index, &meta, PDS_EXISTENCE_UNREACHED);
		have = true;
	}
	UnlockPage(index, EXISTENCE_METAPAGE, ExclusiveLock);
	return have;
}
