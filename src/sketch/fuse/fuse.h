/*
 * fuse.h: a static filter, for a set that is finished
 *
 * A filter is a ribbon (Dillinger, Huebschle-Schneider, Sanders, Walzer, "Fast succinct retrieval
 * and approximate membership using ribbon", 2022), the solution of a system of linear equations
 * over bits.  It is a table of slots with r bits each.  A key chooses some slots out of a window
 * of 64 slots in a row.  The exclusive or of their contents is the key's fingerprint of r bits.
 * Another key finds its own fingerprint there with a probability of 2^-r.
 *
 * The filter follows from the set of hashes and the rate alone.  Its forms:
 *
 *   finished    what fuse_agg results in.  Nothing can be added to it.
 *   hashes      an aggregate's state that is sent to another server.  It can still be united.
 *   building    the hashes of an aggregate's rows, in a list with spare space: pds_fuse_build
 *
 * A hash here is h1 of the value's, 64 bits.
 */
#ifndef PDS_SKETCH_FUSE_FUSE_H
#define PDS_SKETCH_FUSE_FUSE_H

#include "state_ops.h"

/* Encodings of the stored form. */
#define PDS_FUSE_EMPTY		PDS_ENCODING_EMPTY
#define PDS_FUSE_HASHES		1
#define PDS_FUSE_FINISHED	2

#define PDS_FUSE_DEFAULT_RATE	0.01

/* Bits of a fingerprint.  The smallest rate (base/decimal.h) takes 30. */
#define PDS_FUSE_MIN_BITS	4
#define PDS_FUSE_MAX_BITS	32

/* The most distinct hashes, and the longest list, whose duplicates are removed when it is full. */
#define PDS_FUSE_MAX_VALUES	(UINT32_C(1) << 26)
#define PDS_FUSE_MAX_LIST	(PDS_FUSE_MAX_VALUES + PDS_FUSE_MAX_VALUES / 4)

/* ---------- ribbons ---------- */

/*
 * A filter is in parts of so many keys, by the highest bits of their hashes.  A part is solved by
 * itself, in the CPU's cache, with the first of so many seeds for which it has a solution.
 */
#define PDS_FUSE_PART_KEYS	32768
#define PDS_FUSE_SEEDS		64

static inline uint32_t
pds_fuse_parts(uint64_t n)
{
	return (uint32_t) ((n + PDS_FUSE_PART_KEYS - 1) / PDS_FUSE_PART_KEYS);
}

/* The part of a hash, and the hash within it: both ascend with the hash. */
static inline uint32_t
pds_fuse_part_of(uint64_t hash, uint32_t parts)
{
	return (uint32_t) pds_mulhi64(hash, parts);
}

static inline uint64_t
pds_fuse_within(uint64_t hash, uint32_t parts, uint8_t seed)
{
	hash *= parts;
	return seed == 0 ? hash : pds_murmur3_fmix(hash + seed * UINT64_C(0x9e3779b97f4a7c15));
}

/* The bits of a fingerprint at a rate (base/decimal.h). */
extern uint8_t pds_fuse_bits(uint16_t rate);

/* The slots, a multiple of 8, of a part of n keys.  Their bytes are slots / 8 * bits. */
extern uint64_t pds_fuse_slots(uint64_t n, uint8_t seed);

/* Words of memory that pds_fuse_solve() works in. */
static inline size_t
pds_fuse_work_words(uint64_t slots)
{
	return (size_t) (slots + (slots + 1) / 2);
}

/*
 * Write the ribbon of n distinct hashes within a part, in ascending order.  Returns false if
 * their system has no solution.
 */
extern bool pds_fuse_solve(const uint64_t *within, uint64_t n, uint64_t slots, uint8_t bits,
						   uint64_t *work, uint8_t *ribbon);

/* Is a key in the part whose ribbon begins at "at" of a payload? */
extern bool pds_fuse_ribbon_contains(uint64_t within, uint64_t slots, uint8_t bits,
									 pds_fetch fetch, void *context, size_t at);

/* ---------- the building form ---------- */

typedef struct pds_fuse_build
{
	PDS_STATE_HEAD(uint8_t finished);	/* store the filter, and not the hashes */
	uint16_t	rate;			/* base/decimal.h */
	uint8_t		undecided;		/* a union of nothing yet: takes the rate of the first one */
	uint8_t		unused;
	uint64_t	slots;			/* of the list */
	uint64_t	count;			/* how many there are in it */
	uint64_t	sorted;			/* count, if they are in ascending order and distinct; or 0 */
	uint64_t	hashes[];
} pds_fuse_build;

#define PDS_FUSE_FIRST_SIZE	128

/* Make an empty list in size bytes at b.  The varlena word is left alone. */
extern void pds_fuse_build_init(pds_fuse_build *b, size_t size, uint16_t rate);

typedef pds_plan pds_fuse_plan;

/* For a group of so many rows: a list for all, if it takes no more than "most" bytes. */
extern bool pds_fuse_plan_start(const pds_fuse_build *b, uint64_t rows, size_t most,
								pds_fuse_plan *plan);

/* Put the list in order, each hash once. */
extern void pds_fuse_sort(pds_fuse_build *b);

/*
 * Remove duplicates from a list that is full, if there may be many.  Errors: PDS_FULL if it
 * remains full; PDS_TOO_LARGE if a filter cannot hold what remains.
 */
extern pds_status pds_fuse_make_space(pds_fuse_build *b);

/* Before a state is stored, as a filter or as its hashes.  Errors: PDS_TOO_LARGE. */
extern pds_status pds_fuse_plan_finish(pds_fuse_build *b);

/* Add a hash.  Errors: PDS_FULL; PDS_TOO_LARGE. */
static inline pds_status
pds_fuse_add(pds_fuse_build *b, pds_hash h)
{
	if (__builtin_expect(b->count == b->slots, 0))
	{
		pds_status	status = pds_fuse_make_space(b);

		if (status != PDS_OK)
			return status;
	}
	b->hashes[b->count++] = h.h1;
	b->sorted = 0;
	return PDS_OK;
}

/* ---------- the stored form ---------- */

typedef struct pds_fuse_view
{
	PDS_VIEW_HEAD;				/* data_at: where the hashes, or the directory, begin */
	uint16_t	rate;
	uint8_t		bits;
	uint32_t	parts;			/* 0 unless finished */
	uint64_t	count;			/* how many hashes it was made of */
} pds_fuse_view;

/* The longest header that stands before the data. */
#define PDS_FUSE_MAX_PREFIX	24

/* pds_fuse_open() and pds_fuse_check() */
PDS_VIEW_FUNCTIONS(fuse);

/* Is a key in the filter?  Fetches its part's entry of the directory and its window. */
extern pds_status pds_fuse_view_contains(const pds_fuse_view *v, pds_hash h, pds_fetch fetch,
										 void *context, uint64_t *found);

/* The false-positive rate. */
extern double pds_fuse_rate(const pds_fuse_view *v);

/* Bytes of a finished filter of n values on average, without the kind's signature. */
extern double pds_fuse_full_bytes(double n, uint16_t rate);

typedef struct pds_fuse_encoding
{
	size_t		bytes;
	size_t		scratch;
	uint64_t	largest;		/* keys of the largest part */
} pds_fuse_encoding;

/* pds_fuse_rebuild() and others, and pds_fuse_ops: state_ops.h */
PDS_STATE_FUNCTIONS(fuse);

#endif
