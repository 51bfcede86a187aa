/*
 * existence_spool.c: the hashes of all keys during a build
 *
 * They are in parts by the highest bits of h1.  The blocks of a part are neighbours in the index,
 * so the bits of one part after the other are set in memory, and the pages are written in order.
 * A part stays in memory as long as there is space for it, and continues in a temporary file.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "existence.h"

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

struct ExistenceSpool
{
	size_t		spare;			/* hashes that memory has space for beyond what is allocated */
	uint64		read;			/* of the part that is being read */
	Part		parts[EXISTENCE_SPOOL_PARTS];
};

ExistenceSpool *
existence_spool_begin(int memory_kilobytes)
{
	ExistenceSpool *spool = palloc0(sizeof(ExistenceSpool));

	spool->spare = (size_t) memory_kilobytes * 1024 / sizeof(pds_hash);
	for (int i = 0; i < EXISTENCE_SPOOL_PARTS; i++)
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

void
existence_spool_put(ExistenceSpool *spool, pds_hash hash)
{
	Part	   *part = &spool->parts[hash.h1 >> (64 - EXISTENCE_SPOOL_PARTS_LOG2)];

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

uint64
existence_spool_count(const ExistenceSpool *spool, int part)
{
	return spool->parts[part].count;
}

void
existence_spool_rewind(ExistenceSpool *spool, int number)
{
	Part	   *part = &spool->parts[number];

	spool->read = 0;
	if (part->file == NULL)
		return;
	if (part->pending > 0)
		write_part(part);
	if (BufFileSeek(part->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind temporary file of an index build")));
}

size_t
existence_spool_read(ExistenceSpool *spool, int number, const pds_hash **hashes)
{
	Part	   *part = &spool->parts[number];
	size_t		n = Min(part->count - spool->read, part->allocated);

	if (part->file != NULL && n > 0 &&
		BufFileRead(part->file, part->hashes, n * sizeof(pds_hash)) != n * sizeof(pds_hash))
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read temporary file of an index build")));
	spool->read += n;
	*hashes = part->hashes;
	return n;
}

void
existence_spool_end(ExistenceSpool *spool)
{
	for (int i = 0; i < EXISTENCE_SPOOL_PARTS; i++)
		if (spool->parts[i].file != NULL)
			BufFileClose(spool->parts[i].file);
}
