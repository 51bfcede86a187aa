/*
 * existence_page.c: the pages of an existence index, and how it gets new ones
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/smgr.h"
#include "utils/memutils.h"

#include "existence.h"

/* Pages that are looked at before a layer counts as full */
#define PAGES_SAMPLED	32

StaticAssertDecl(sizeof(pds_existence_meta) <= BLCKSZ - MAXALIGN(SizeOfPageHeaderData),
				 "the meta data fits in a page");

pg_noreturn static void
damaged(Relation index, BlockNumber block, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is corrupt: block %u is not %s",
					RelationGetRelationName(index), block, what),
			 errhint("REINDEX it.")));
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

/* The meta data in a page that is locked. */
static pds_existence_meta *
meta_of_page(Relation index, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);
	pds_existence_meta *meta = (pds_existence_meta *) PageGetContents(page);

	if (PageIsNew(page) || !pds_existence_meta_valid(meta, EXISTENCE_BLOCKS_IN_PAGE))
		damaged(index, EXISTENCE_METAPAGE, "the metapage of an existence index");
	return meta;
}

static pg_noinline const pds_existence_meta *
read_meta(Relation index)
{
	pds_existence_meta *copy = MemoryContextAlloc(index->rd_indexcxt, sizeof(*copy));
	Buffer		buffer = ReadBuffer(index, EXISTENCE_METAPAGE);

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, meta_of_page(index, buffer), sizeof(*copy));
	UnlockReleaseBuffer(buffer);
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
	uint32		known = existence_meta(index)->n_layers;
	Buffer		buffer = ReadBuffer(index, EXISTENCE_METAPAGE);
	uint32		now;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	now = ((pds_existence_meta *) PageGetContents(BufferGetPage(buffer)))->n_layers;
	UnlockReleaseBuffer(buffer);
	if (likely(now == known))
		return false;
	(void) read_meta(index);
	return true;
}

/* ---------- filter pages ---------- */

/* No part of the page is free space: WAL records and checks see all of it. */
void
existence_filter_page_init(Page page)
{
	PageHeader	header = (PageHeader) page;
	uint32		magic = PDS_EXISTENCE_PAGE_MAGIC;

	PageInit(page, BLCKSZ, 0);
	header->pd_lower = header->pd_upper = header->pd_special = BLCKSZ;
	memcpy((char *) page + SizeOfPageHeaderData, &magic, sizeof(magic));
}

void
existence_check_page(Relation index, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);
	uint32		magic;

	if (PageIsNew(page))
		return;
	memcpy(&magic, (char *) page + SizeOfPageHeaderData, sizeof(magic));
	if (unlikely(magic != PDS_EXISTENCE_PAGE_MAGIC))
		damaged(index, BufferGetBlockNumber(buffer), "a page of a filter");
}

/* The bytes of a filter page, or NULL if nothing was ever put into it. */
static inline uint8 *
page_bytes(Buffer buffer)
{
	Page		page = BufferGetPage(buffer);

	return PageIsNew(page) ? NULL : (uint8 *) page;
}

bool
existence_page_contains(Relation index, Buffer buffer, const pds_existence_layer *layer,
						const pds_existence_place *place, pds_hash hash)
{
	uint8	   *bytes;
	bool		found;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	existence_check_page(index, buffer);
	bytes = page_bytes(buffer);
	found = bytes != NULL &&
		pds_existence_block_contains(bytes + place->offset, layer->hashes, hash);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return found;
}

uint32
existence_page_bits(Buffer buffer)
{
	uint8	   *bytes = page_bytes(buffer);

	if (bytes == NULL)
		return 0;
	return (uint32) pds_bloom_count_bits(bytes + PDS_EXISTENCE_BLOCKS_AT,
										 EXISTENCE_BLOCKS_IN_PAGE * PDS_EXISTENCE_BLOCK_BYTES);
}

/* ---------- growth ---------- */

/*
 * Have pages of zeros up to "last".  Only the last one is written; the file system keeps
 * those before it as a hole.
 */
static void
extend_to(Relation index, BlockNumber last)
{
	PGAlignedBlock zeros;
	Page		page = (Page) zeros.data;

	memset(zeros.data, 0, BLCKSZ);
	existence_filter_page_init(page);
	if (RelationNeedsWAL(index))
		log_newpage(PDS_LOCATOR(index), MAIN_FORKNUM, last, page, true);

	/* it can be there, after a crash between this and the writing of the metapage */
	if (RelationGetNumberOfBlocks(index) > last)
		return;
	PageSetChecksumInplace(page, last);
	smgrextend(RelationGetSmgr(index), MAIN_FORKNUM, last, zeros.data, false);
}

/* Add a layer behind the "known" ones, unless somebody else has done it. */
static void
add_layer(Relation index, uint32 known)
{
	pds_existence_meta meta;
	pds_existence_layer layer;
	Buffer		buffer = ReadBuffer(index, EXISTENCE_METAPAGE);
	GenericXLogState *state;
	pds_existence_meta *stored;

	/* we alone change it: the caller has the lock on growth */
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	meta = *meta_of_page(index, buffer);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (meta.n_layers != known || !pds_existence_plan_growth(&meta, &layer))
	{
		ReleaseBuffer(buffer);
		return;
	}
	extend_to(index, layer.first + layer.pages - 1);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	state = GenericXLogStart(index);
	stored = (pds_existence_meta *)
		PageGetContents(GenericXLogRegisterBuffer(state, buffer, 0));
	stored->layer[meta.n_layers] = layer;
	stored->n_layers = meta.n_layers + 1;
	stored->used = layer.first + layer.pages;
	GenericXLogFinish(state);
	UnlockReleaseBuffer(buffer);
}

/*
 * Is a layer full?  By the bits that are set in some of its pages, evenly spread, in all
 * pages of a small one.
 */
static bool
layer_is_full(Relation index, const pds_existence_layer *layer, pds_hash hash)
{
	uint32		n = Min(layer->pages, layer->pages < PDS_EXISTENCE_SMALL_PAGES ?
						PDS_EXISTENCE_SMALL_PAGES : PAGES_SAMPLED);
	uint32		start = (uint32) (hash.h1 >> 32) % layer->pages;
	uint64		bits = 0;

	for (uint32 i = 0; i < n; i++)
	{
		uint32		page = (uint32) ((start + (uint64) i * layer->pages / n) % layer->pages);
		Buffer		buffer = ReadBuffer(index, layer->first + page);

		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		bits += existence_page_bits(buffer);
		UnlockReleaseBuffer(buffer);
	}
	return bits >= (uint64) n * layer->full_bits;
}

void
existence_grow_if_full(Relation index, pds_hash hash)
{
	const pds_existence_meta *meta = existence_meta(index);
	uint32		known = meta->n_layers;
	pds_existence_layer newest = meta->layer[known - 1];

	if (!layer_is_full(index, &newest, hash))
		return;
	if (!existence_meta_refresh(index) &&
		ConditionalLockPage(index, EXISTENCE_METAPAGE, ExclusiveLock))
	{
		add_layer(index, known);
		UnlockPage(index, EXISTENCE_METAPAGE, ExclusiveLock);
		(void) existence_meta_refresh(index);
	}
}
