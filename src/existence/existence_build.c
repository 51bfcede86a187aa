/*
 * existence_build.c: CREATE INDEX and REINDEX
 *
 * The size of a filter follows from the number of distinct keys, which is known after the
 * table has been read.  So the hashes of all keys are kept, 16 bytes a row, and the bits are set
 * when the number is known.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/xloginsert.h"
#include "catalog/index.h"
#include "commands/progress.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "existence.h"
#include "hll_estimate.h"

/* Phases that pg_stat_progress_create_index shows; 1 is the server's own */
#define PHASE_SCAN		2
#define PHASE_WRITE		3

/*
 * The number of distinct keys is estimated by a hll of this precision, whose standard error is
 * 0.2 %.  A filter for fewer keys than there are would exceed its rate, so it is made for more.
 */
#define PRECISION		PDS_HLL_MAX_PRECISION
#define SAFETY			1.003

/* So many hashes are put into the spool at a time */
#define BATCH			1024

ExistenceOptions
existence_options(Relation index)
{
	ExistenceOptions defaults = {
		.false_positive_rate = EXISTENCE_DEFAULT_RATE,
		.expansion = EXISTENCE_DEFAULT_EXPANSION
	};

	return index->rd_options != NULL ? *(ExistenceOptions *) index->rd_options : defaults;
}

char *
existence_build_phase(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case PHASE_SCAN:
			return "scanning table";
		case PHASE_WRITE:
			return "writing the filter";
		default:
			return NULL;
	}
}

/* ---------- the hashes of all keys ---------- */

/*
 * They are in parts by the highest bits of h1.  The blocks of a part are neighbours in the index,
 * so the bits of one part after the other are set in memory, and the pages are written in order.
 * A part stays in memory as long as there is space for it, and continues in a temporary file.
 */
#define PARTS_LOG2	7
#define PARTS		(1 << PARTS_LOG2)

/* Hashes of a part that memory always has space for, and that are written or read at a time */
#define CHUNK		512

typedef struct Part
{
	BufFile    *file;			/* NULL: all of them are in memory */
	uint64		count;
	size_t		pending;		/* of them in memory */
	size_t		allocated;
	pds_hash   *hashes;
} Part;

typedef struct Spool
{
	size_t		spare;			/* hashes that memory has space for beyond what is allocated */
	Part		parts[PARTS];
} Spool;

static Spool *
begin_spool(int memory_kilobytes)
{
	Spool	   *spool = palloc0(sizeof(Spool));

	spool->spare = (size_t) memory_kilobytes * 1024 / sizeof(pds_hash);
	for (int i = 0; i < PARTS; i++)
	{
		spool->parts[i].allocated = CHUNK;
		spool->parts[i].hashes = palloc(CHUNK * sizeof(pds_hash));
	}
	return spool;
}

/* Move what is in memory to the file of a part. */
static void
write_part(Part *part)
{
	CHECK_FOR_INTERRUPTS();
	if (part->file == NULL)
	{
		PrepareTempTablespaces();
		part->file = BufFileCreateTemp(false);
	}
	BufFileWrite(part->file, part->hashes, part->pending * sizeof(pds_hash));
	part->pending = 0;
	/* (more of them would leave the processor's cache before they are written) */
	part->allocated = CHUNK;
}

static void
put_hash(Spool *spool, pds_hash hash)
{
	Part	   *part = &spool->parts[hash.h1 >> (64 - PARTS_LOG2)];

	if (part->pending == part->allocated)
	{
		if (part->file != NULL || part->allocated > spool->spare)
			write_part(part);
		else
		{
			spool->spare -= part->allocated;
			part->allocated *= 2;
			part->hashes = repalloc_huge(part->hashes, part->allocated * sizeof(pds_hash));
		}
	}
	part->hashes[part->pending++] = hash;
	part->count++;
}

/* ---------- the rows ---------- */

typedef struct Build
{
	PdsHasher  *hasher;
	MemoryContext scratch;
	Spool	   *spool;
	pds_hll_build *distinct;
	double		keys;
	int			waiting;
	pds_hash	batch[BATCH];
} Build;

/*
 * Put the hashes that wait into the spool and the sketch.  To do so after each row would take
 * longer: the processor fetches memory ahead for few streams of reads and writes at a time.
 */
static void
take_batch(Build *build)
{
	for (int i = 0; i < build->waiting; i++)
		put_hash(build->spool, build->batch[i]);
	/* (registers never lack space) */
	for (int i = 0; i < build->waiting; i++)
		(void) pds_hll_add(build->distinct, build->batch[i].h1);
	build->keys += build->waiting;
	build->waiting = 0;
}

static void
take_row(Relation index, ItemPointer tid, Datum *values, bool *isnull, bool is_alive, void *arg)
{
	Build	   *build = arg;
	MemoryContext old;

	if (isnull[0])
		return;
	old = MemoryContextSwitchTo(build->scratch);
	build->batch[build->waiting++] = pds_hasher_hash(build->hasher, values[0]);
	MemoryContextSwitchTo(old);
	MemoryContextReset(build->scratch);
	if (build->waiting == BATCH)
		take_batch(build);
}

/* The number of distinct keys, estimated. */
static double
distinct_keys(Build *build)
{
	pds_hll_summary summary;
	double		estimate;

	pds_hll_summarize_build(build->distinct, &summary);
	estimate = SAFETY * pds_hll_cardinality(&summary);
	return Max(1, Min(build->keys, estimate));
}

/* ---------- the pages ---------- */

/* Append a page to a fork of the index, without WAL. */
static void
append_page(Relation index, ForkNumber fork, const char *page, BufferAccessStrategy strategy)
{
	Buffer		buffer = ReadBufferExtended(index, fork, P_NEW, RBM_NORMAL, strategy);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	memcpy(BufferGetPage(buffer), page, BLCKSZ);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
}

/* The last page, counted from the filter's first, into which a hash of a part can go. */
static uint32
last_page_of_part(const pds_existence_filter *filter, int part)
{
	const int	low = 64 - PARTS_LOG2;
	pds_hash	hash = {(uint64) part << low | ((UINT64_C(1) << low) - 1), 0};

	return pds_existence_place_of(filter, EXISTENCE_BLOCKS_IN_PAGE, hash).page - filter->first;
}

/* Set the bits of the hashes of a part in the pages of the filter from page "first" on. */
static void
set_part(Part *part, const pds_existence_filter *filter, uint32 first, char *pages)
{
	size_t		n;

	if (part->file != NULL)
	{
		write_part(part);
		if (BufFileSeek(part->file, 0, 0, SEEK_SET) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not rewind temporary file of an index build")));
	}
	for (uint64 done = 0; done < part->count; done += n)
	{
		CHECK_FOR_INTERRUPTS();
		n = Min(part->count - done, part->allocated);
		if (part->file != NULL &&
			BufFileRead(part->file, part->hashes, n * sizeof(pds_hash)) != n * sizeof(pds_hash))
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not read temporary file of an index build")));
		for (size_t i = 0; i < n; i++)
		{
			pds_existence_place place =
				pds_existence_place_of(filter, EXISTENCE_BLOCKS_IN_PAGE, part->hashes[i]);
			uint32		page = place.page - filter->first - first;

			pds_existence_block_add((uint8 *) pages + (Size) page * BLCKSZ + place.offset,
									filter->hashes, part->hashes[i]);
		}
	}
	if (part->file != NULL)
		BufFileClose(part->file);
}

/*
 * Write the filter, part by part.  The last page of a part can be the first of the next, so it is
 * kept until then.
 */
static void
write_filter(Relation index, ForkNumber fork, Spool *spool,
			 const pds_existence_filter *filter)
{
	/* (more than MaxAllocHugeSize, which is possible with 32 bits, is refused) */
	Size		most = Min(filter->pages / PARTS + 2, MaxAllocHugeSize / BLCKSZ + 1);
	char	   *pages = MemoryContextAllocExtended(CurrentMemoryContext, most * BLCKSZ,
												   MCXT_ALLOC_HUGE);
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKWRITE);
	uint32		first = 0;		/* page of the filter that "pages" begins with */
	uint64		keys = 0;

	existence_page_init((Page) pages, PDS_EXISTENCE_FILTER_MAGIC, 0);
	for (int part = 0; part < PARTS; part++)
	{
		uint32		n = last_page_of_part(filter, part) - first;

		for (uint32 i = 1; i <= n; i++)
			existence_page_init((Page) (pages + (Size) i * BLCKSZ), PDS_EXISTENCE_FILTER_MAGIC, 0);
		set_part(&spool->parts[part], filter, first, pages);
		for (uint32 i = 0; i < n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			append_page(index, fork, pages + (Size) i * BLCKSZ, strategy);
		}
		memmove(pages, pages + (Size) n * BLCKSZ, BLCKSZ);
		first += n;
		keys += spool->parts[part].count;
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, (int64) keys);
	}
	append_page(index, fork, pages, strategy);
	pfree(pages);
	FreeAccessStrategy(strategy);
}

/* Write an index for a capacity that has the keys of a spool. */
static void
write_index(Relation index, ForkNumber fork, Spool *spool, double keys, double capacity,
			PdsHasher *hasher, uint64 shape)
{
	ExistenceOptions options = existence_options(index);
	pds_existence_meta meta;
	PGAlignedBlock metapage;

	if (!pds_existence_plan_build(keys, capacity, options.false_positive_rate, options.expansion,
								  BLCKSZ, pds_hasher_kind(hasher), &meta))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" would be larger than a relation can be",
						RelationGetRelationName(index)),
				 errhint("Use a lower capacity or a higher false_positive_rate,"
						 " or partition the table.")));
	meta.shape = shape;
	existence_meta_page_init((Page) metapage.data, &meta);
	append_page(index, fork, metapage.data, NULL);
	write_filter(index, fork, spool, &meta.filter);
	/* an init fork is logged although its index is not */
	if (RelationNeedsWAL(index) || fork == INIT_FORKNUM)
		log_newpage_range(index, fork, 0, meta.used, true);
}

IndexBuildResult *
existence_build(Relation heap, Relation index, struct IndexInfo *info)
{
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	Build		build = {0};
	uint64		shape;

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
	build.spool = begin_spool(maintenance_work_mem / 2);
	build.distinct = palloc(pds_hll_dense_size(PRECISION));
	pds_hll_build_init(build.distinct, pds_hll_dense_size(PRECISION), PRECISION,
					   PDS_FAMILY_NATIVE, true);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_SCAN);
	result->heap_tuples = table_index_build_scan(heap, index, info, true, true, take_row,
												 &build, NULL);
	take_batch(&build);
	result->index_tuples = build.keys;
	MemoryContextDelete(build.scratch);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_WRITE);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL, (int64) result->index_tuples);
	write_index(index, MAIN_FORKNUM, build.spool, distinct_keys(&build),
				existence_options(index).capacity, build.hasher, shape);
	return result;
}

/*
 * The init fork of an unlogged index, which a crash makes the index of.  It is small whatever
 * the index has space for: its pages are logged, and copied at the start after a crash.
 */
void
existence_build_empty(Relation index)
{
	existence_check_key_type(index);
	write_index(index, INIT_FORKNUM, begin_spool(0), 1, 0,
				existence_hasher(index, CurrentMemoryContext), existence_key_shape(index));
}
