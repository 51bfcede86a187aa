/*
 * existence_build.c: CREATE INDEX and REINDEX
 *
 * The size of a filter follows from the number of distinct keys, which is known after the
 * table has been read.  So the hashes of all keys are kept (existence_spool.c), 16 bytes a
 * row, and the bits are set when the number is known.
 */
#include "postgres.h"

#include <math.h>

#include "access/tableam.h"
#include "access/xloginsert.h"
#include "catalog/index.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/memutils.h"

#include "existence.h"

/* Phases that pg_stat_progress_create_index shows; 1 is the server's own */
#define PHASE_SCAN		2
#define PHASE_COUNT		3
#define PHASE_WRITE		4

/* So many hashes are enough to estimate the number of distinct ones */
#define SAMPLE			(UINT64_C(1) << 20)

/* Bits of the filter are set in so many bytes at a time */
#define MOST_MEMORY		((Size) maintenance_work_mem * 1024)

/* How far ahead the block of a hash is fetched */
#define AHEAD			16

char *
existence_build_phase(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case PHASE_SCAN:
			return "scanning table";
		case PHASE_COUNT:
			return "counting distinct keys";
		case PHASE_WRITE:
			return "writing the filter";
		default:
			return NULL;
	}
}

/* ---------- the rows ---------- */

typedef struct Build
{
	PdsHasher  *hasher;
	MemoryContext scratch;
	ExistenceSpool *spool;
} Build;

static void
take_row(Relation index, ItemPointer tid, Datum *values, bool *isnull, bool is_alive, void *arg)
{
	Build	   *build = arg;
	MemoryContext old;
	pds_hash	hash;

	if (isnull[0])
		return;
	old = MemoryContextSwitchTo(build->scratch);
	hash = pds_hasher_hash(build->hasher, values[0]);
	MemoryContextSwitchTo(old);
	MemoryContextReset(build->scratch);
	existence_spool_put(build->spool, hash);
}

/* ---------- how many distinct keys ---------- */

/*
 * The estimated number of distinct hashes, from a filter of a sample: of the first parts,
 * or of those in memory whose lowest bits are 0.  Either is a random choice of hashes, in
 * which a hash is with all that are equal to it.
 */
static double
distinct_keys(ExistenceSpool *spool)
{
	uint64		count = existence_spool_count(spool);
	int			parts = existence_spool_parts(spool);
	int			used = parts;
	int			shift = 0;
	int			skip = 0;
	uint64		sampled = count;
	pds_existence_filter filter;
	pds_bloom_summary summary = {0};
	uint8	   *pages;
	double		keys;

	/* half of the parts as long as that is enough, then half of the hashes */
	while (used > 1 && sampled / 2 >= SAMPLE)
	{
		used /= 2;
		shift++;
		sampled = 0;
		for (int i = 0; i < used; i++)
			sampled += existence_spool_part_count(spool, i);
	}
	while (parts == 1 && sampled / 2 >= SAMPLE)
	{
		skip++;
		sampled /= 2;
	}
	if (!pds_existence_filter_for(Max((double) sampled, 1), 0.01, PDS_EXISTENCE_FIRST_PAGES,
								  false, EXISTENCE_BLOCKS_IN_PAGE, &filter))
		elog(ERROR, "too many keys in a sample");
	pages = MemoryContextAllocExtended(CurrentMemoryContext, (Size) filter.pages * BLCKSZ,
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int part = 0; part < used; part++)
	{
		const pds_hash *hashes;
		size_t		n;

		existence_spool_rewind(spool, part);
		while ((n = existence_spool_read(spool, part, &hashes)) > 0)
		{
			CHECK_FOR_INTERRUPTS();
			for (size_t i = 0; i < n; i++)
			{
				pds_hash	hash = hashes[i];
				pds_existence_place place;

				if ((hash.h1 & ((UINT64_C(1) << skip) - 1)) != 0)
					continue;
				/* those of the first parts are spread over the whole filter */
				hash.h1 <<= shift;
				place = pds_existence_place_of(&filter, EXISTENCE_BLOCKS_IN_PAGE, hash);
				pds_existence_block_add(pages + (Size) place.page * BLCKSZ + place.offset,
										filter.hashes, hash);
			}
		}
	}

	summary.shape = pds_existence_shape_of(&filter, EXISTENCE_BLOCKS_IN_PAGE);
	existence_count_blocks(pages, filter.pages, &summary);
	pfree(pages);
	keys = pds_bloom_cardinality(&summary) * ldexp(1, shift + skip);
	return Min(keys, (double) count);
}

void
existence_count_blocks(const uint8 *pages, uint32 n, pds_bloom_summary *summary)
{
	for (uint32 page = 0; page < n; page++, pages += BLCKSZ)
		pds_bloom_count_blocks(pages + PDS_EXISTENCE_BLOCKS_AT,
							   EXISTENCE_BLOCKS_IN_PAGE * PDS_EXISTENCE_BLOCK_BYTES, summary);
}

/* ---------- the pages ---------- */

/* Append a page to the index, without WAL. */
static void
append_page(Relation index, const char *page, BufferAccessStrategy strategy)
{
	Buffer		buffer = ReadBufferExtended(index, MAIN_FORKNUM, P_NEW, RBM_NORMAL, strategy);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	memcpy(BufferGetPage(buffer), page, BLCKSZ);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
}

/* Set the bits of the hashes of a part that belong in n pages from page "first" on. */
static void
set_part(ExistenceSpool *spool, int part, const pds_existence_filter *filter, uint32 first,
		 uint32 n_pages, char *pages)
{
	PGAlignedBlock elsewhere;
	const pds_hash *hashes;
	size_t		n;

	existence_spool_rewind(spool, part);
	while ((n = existence_spool_read(spool, part, &hashes)) > 0)
	{
		uint8	   *block[AHEAD];

		CHECK_FOR_INTERRUPTS();
		for (size_t i = 0; i < n + AHEAD; i++)
		{
			if (i >= AHEAD)
				pds_existence_block_add(block[i % AHEAD], filter->hashes, hashes[i - AHEAD]);
			if (i < n)
			{
				pds_existence_place place =
					pds_existence_place_of(filter, EXISTENCE_BLOCKS_IN_PAGE, hashes[i]);
				uint32		page = place.page - first;

				/* (numbers before the first one become large) */
				block[i % AHEAD] = (uint8 *) (page < n_pages ? pages + (Size) page * BLCKSZ :
											  elsewhere.data) + place.offset;
				__builtin_prefetch(block[i % AHEAD], 1);
			}
		}
	}
}

/* The last page, counted from the filter's first, into which a hash of a part can go. */
static uint32
last_page_of_part(const pds_existence_filter *filter, int part, int parts)
{
	uint64		last = part + 1 == parts ? PG_UINT64_MAX :
		(uint64) (part + 1) * (PG_UINT64_MAX / parts + 1) - 1;
	pds_hash	hash = {last, 0};

	return pds_existence_place_of(filter, EXISTENCE_BLOCKS_IN_PAGE, hash).page - filter->first;
}

/*
 * Write the filter, part by part, and as many pages at a time as fit in memory.  The last
 * page of a part can be the first of the next, so it is kept until then.
 */
static void
write_filter(Relation index, ExistenceSpool *spool, const pds_existence_filter *filter)
{
	int			parts = existence_spool_parts(spool);
	uint32		most = (uint32) Max(MOST_MEMORY / BLCKSZ, 2);
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKWRITE);
	PGAlignedBlock kept;
	uint32		done = 0;		/* pages that were appended */
	uint64		keys = 0;

	existence_page_init((Page) kept.data, PDS_EXISTENCE_FILTER_MAGIC, 0);
	for (int part = 0; part < parts; part++)
	{
		uint32		last = last_page_of_part(filter, part, parts);

		do
		{
			uint32		n = Min(last - done + 1, most);
			char	   *pages = MemoryContextAllocExtended(CurrentMemoryContext,
														   (Size) n * BLCKSZ, MCXT_ALLOC_HUGE);

			memcpy(pages, kept.data, BLCKSZ);
			for (uint32 i = 1; i < n; i++)
				existence_page_init((Page) (pages + (Size) i * BLCKSZ),
									PDS_EXISTENCE_FILTER_MAGIC, 0);
			set_part(spool, part, filter, filter->first + done, n, pages);
			for (uint32 i = 0; i + 1 < n; i++)
			{
				CHECK_FOR_INTERRUPTS();
				append_page(index, pages + (Size) i * BLCKSZ, strategy);
			}
			memcpy(kept.data, pages + (Size) (n - 1) * BLCKSZ, BLCKSZ);
			done += n - 1;
			pfree(pages);
		} while (done < last);
		keys += existence_spool_part_count(spool, part);
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, (int64) keys);
	}
	append_page(index, kept.data, strategy);
	FreeAccessStrategy(strategy);
}

static void
plan(Relation index, double keys, double capacity, PdsHasher *hasher, uint64 shape,
	 pds_existence_meta *meta)
{
	ExistenceOptions options = existence_options(index);

	if (!pds_existence_plan_build(keys, capacity, options.false_positive_rate, options.expansion,
								  BLCKSZ, pds_hasher_kind(hasher), meta))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" would be larger than a relation can be",
						RelationGetRelationName(index)),
				 errhint("Use a lower capacity or a higher false_positive_rate,"
						 " or partition the table.")));
	meta->shape = shape;
}

IndexBuildResult *
existence_build(Relation heap, Relation index, struct IndexInfo *info)
{
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	pds_existence_meta meta;
	PGAlignedBlock metapage;
	double		keys;
	uint64		shape;
	Build		build;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
	/* TRUNCATE in the transaction that made the table leaves the relation's cache entry */
	if (index->rd_amcache != NULL)
		pfree(index->rd_amcache);
	index->rd_amcache = NULL;

	existence_check_key_type(index);
	/* first of all: a type that is changed after this is seen to be another one */
	shape = existence_key_shape(index);
	build.hasher = existence_hasher(index, CurrentMemoryContext);
	build.scratch = AllocSetContextCreate(CurrentMemoryContext, "existence index build",
										  ALLOCSET_DEFAULT_SIZES);
	build.spool = existence_spool_begin(maintenance_work_mem / 2);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_SCAN);
	result->heap_tuples = table_index_build_scan(heap, index, info, true, true, take_row,
												 &build, NULL);
	result->index_tuples = (double) existence_spool_count(build.spool);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_COUNT);
	keys = existence_spool_count(build.spool) > 0 ? distinct_keys(build.spool) : 1;

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_WRITE);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL, (int64) result->index_tuples);
	plan(index, keys, existence_options(index).capacity, build.hasher, shape, &meta);
	if ((Size) meta.filter.pages * BLCKSZ > MOST_MEMORY)
		existence_spool_split(build.spool);
	existence_meta_page_init((Page) metapage.data, &meta);
	append_page(index, metapage.data, NULL);
	write_filter(index, build.spool, &meta.filter);
	existence_spool_end(build.spool);
	MemoryContextDelete(build.scratch);

	if (RelationNeedsWAL(index))
		log_newpage_range(index, MAIN_FORKNUM, 0, RelationGetNumberOfBlocks(index), true);
	return result;
}

/*
 * The init fork of an unlogged index, which a crash makes the index of.  It is small whatever
 * the index has space for: its pages are logged, and copied at the start after a crash.
 */
void
existence_build_empty(Relation index)
{
	pds_existence_meta meta;

	existence_check_key_type(index);
	plan(index, 1, 0, existence_hasher(index, CurrentMemoryContext), existence_key_shape(index),
		 &meta);
	for (uint32 block = 0; block < meta.used; block++)
	{
		Buffer		buffer = ReadBufferExtended(index, INIT_FORKNUM, P_NEW, RBM_NORMAL, NULL);

		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		START_CRIT_SECTION();
		if (block == EXISTENCE_METAPAGE)
			existence_meta_page_init(BufferGetPage(buffer), &meta);
		else
			existence_page_init(BufferGetPage(buffer), PDS_EXISTENCE_FILTER_MAGIC, 0);
		MarkBufferDirty(buffer);
		log_newpage_buffer(buffer, true);
		END_CRIT_SECTION();
		UnlockReleaseBuffer(buffer);
	}
}
