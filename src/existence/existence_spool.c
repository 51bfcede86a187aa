/*
 * existence_spool.c: the hashes of all keys during a build
 *
 * Hashes stay in memory as long as they fit.  More of them go to temporary files, in parts
 * by the highest bits of h1.  The blocks of a part are neighbours in the index, so the bits
 * of one part after the other are set in memory, and the pages are written in order.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "existence.h"

#define PARTS_LOG2		7
#define PARTS			(1 << PARTS_LOG2)

/* Hashes that are written or read at a time */
#define CHUNK			512

typedef struct Part
{
	BufFile    *file;
	uint64		count;
	size_t		pending;		/* of them in "chunk" */
	pds_hash   *chunk;
} Part;

struct ExistenceSpool
{
	uint64		count;
	size_t		most;			/* that memory holds */
	size_t		allocated;
	pds_hash   *hashes;			/* NULL: they are in parts */
	size_t		read;			/* of those in memory */
	Part	   *parts;
	pds_hash   *chunk;			/* what is being read */
};

ExistenceSpool *
existence_spool_begin(int memory_kilobytes)
{
	ExistenceSpool *spool = palloc0(sizeof(ExistenceSpool));

	spool->most = Max((size_t) memory_kilobytes * 1024 / sizeof(pds_hash), CHUNK);
	spool->allocated = Min(spool->most, 1024);
	spool->hashes = palloc(spool->allocated * sizeof(pds_hash));
	return spool;
}

uint64
existence_spool_count(const ExistenceSpool *spool)
{
	return spool->count;
}

static inline int
part_of(pds_hash hash)
{
	return (int) (hash.h1 >> (64 - PARTS_LOG2));
}

static void
write_chunk(Part *part)
{
	CHECK_FOR_INTERRUPTS();
	BufFileWrite(part->file, part->chunk, part->pending * sizeof(pds_hash));
	part->pending = 0;
}

static inline void
put_in_part(ExistenceSpool *spool, pds_hash hash)
{
	Part	   *part = &spool->parts[part_of(hash)];

	part->chunk[part->pending++] = hash;
	part->count++;
	if (part->pending == CHUNK)
		write_chunk(part);
}

void
existence_spool_split(ExistenceSpool *spool)
{
	if (spool->hashes == NULL)
		return;
	PrepareTempTablespaces();
	spool->parts = palloc0(PARTS * sizeof(Part));
	for (int i = 0; i < PARTS; i++)
	{
		spool->parts[i].file = BufFileCreateTemp(false);
		spool->parts[i].chunk = palloc(CHUNK * sizeof(pds_hash));
	}
	for (size_t i = 0; i < spool->count; i++)
		put_in_part(spool, spool->hashes[i]);
	pfree(spool->hashes);
	spool->hashes = NULL;
}

void
existence_spool_put(ExistenceSpool *spool, pds_hash hash)
{
	if (spool->hashes != NULL && spool->count == spool->most)
		existence_spool_split(spool);
	if (spool->hashes == NULL)
		put_in_part(spool, hash);
	else
	{
		if (spool->count == spool->allocated)
		{
			spool->allocated = Min(2 * spool->allocated, spool->most);
			spool->hashes = repalloc_huge(spool->hashes, spool->allocated * sizeof(pds_hash));
		}
		spool->hashes[spool->count] = hash;
	}
	spool->count++;
}

int
existence_spool_parts(const ExistenceSpool *spool)
{
	return spool->hashes != NULL ? 1 : PARTS;
}

uint64
existence_spool_part_count(const ExistenceSpool *spool, int part)
{
	return spool->hashes != NULL ? spool->count : spool->parts[part].count;
}

void
existence_spool_rewind(ExistenceSpool *spool, int part)
{
	spool->read = 0;
	if (spool->hashes != NULL)
		return;
	if (spool->parts[part].pending > 0)
		write_chunk(&spool->parts[part]);
	if (BufFileSeek(spool->parts[part].file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind temporary file of an index build")));
}

size_t
existence_spool_read(ExistenceSpool *spool, int part, const pds_hash **hashes)
{
	size_t		n;

	if (spool->hashes != NULL)
	{
		n = Min(spool->count - spool->read, CHUNK);
		*hashes = spool->hashes + spool->read;
		spool->read += n;
		return n;
	}
	n = Min(spool->parts[part].count - spool->read, CHUNK);
	if (n == 0)
		return 0;
	if (spool->chunk == NULL)
		spool->chunk = palloc(CHUNK * sizeof(pds_hash));
	if (BufFileRead(spool->parts[part].file, spool->chunk, n * sizeof(pds_hash)) !=
		n * sizeof(pds_hash))
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read temporary file of an index build")));
	spool->read += n;
	*hashes = spool->chunk;
	return n;
}

void
existence_spool_end(ExistenceSpool *spool)
{
	if (spool->parts != NULL)
	{
		for (int i = 0; i < PARTS; i++)
			BufFileClose(spool->parts[i].file);
	}
}
