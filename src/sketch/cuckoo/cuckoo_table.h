/*
 * cuckoo_table.h: slots, buckets and stash of the building form
 *
 * The code that runs for every row is written once, for slots of any width.  The compiler makes
 * a copy for each width, which is passed as a constant.
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_TABLE_H
#define PDS_SKETCH_CUCKOO_CUCKOO_TABLE_H

#include <string.h>

#include "cuckoo.h"

/* ---------- classes and buckets ---------- */

/* Where a class belongs. */
typedef struct pds_cuckoo_place
{
	uint64_t	fingerprint;
	uint64_t	even;			/* bucket */
	uint64_t	odd;			/* bucket */
} pds_cuckoo_place;

/* The bucket that a fingerprint in this one can move to, and back. */
PDS_INLINE uint64_t
pds_cuckoo_other(const pds_cuckoo_build *b, uint64_t fingerprint, uint64_t bucket)
{
	uint64_t	odd = pds_mulhi64(pds_murmur3_fmix(fingerprint + 1), b->buckets >> 1) * 2 + 1;

	return odd >= bucket ? odd - bucket : odd + b->buckets - bucket;
}

PDS_INLINE pds_cuckoo_place
pds_cuckoo_place_of(const pds_cuckoo_build *b, uint64_t class)
{
	pds_cuckoo_place p;
	uint64_t	pair = pds_mulhi64(class, b->reciprocal);

	/* the reciprocal is rounded down: the quotient can be one too small */
	p.fingerprint = class - pair * b->fingerprints;
	while (p.fingerprint >= b->fingerprints)
	{
		p.fingerprint -= b->fingerprints;
		pair++;
	}
	p.even = pair * 2;
	p.odd = pds_cuckoo_other(b, p.fingerprint, p.even);
	return p;
}

/* The class of a fingerprint in a bucket. */
PDS_INLINE uint64_t
pds_cuckoo_class_of(const pds_cuckoo_build *b, uint64_t fingerprint, uint64_t bucket)
{
	if (bucket % 2 == 1)
		bucket = pds_cuckoo_other(b, fingerprint, bucket);
	return bucket / 2 * b->fingerprints + fingerprint;
}

/* ---------- slots ---------- */

static inline pds_cuckoo_stash *
pds_cuckoo_stash_of(const pds_cuckoo_build *b)
{
	return (pds_cuckoo_stash *) (uintptr_t) (b->words + b->ring);
}

static inline uint8_t *
pds_cuckoo_buckets_of(const pds_cuckoo_build *b)
{
	return (uint8_t *) (pds_cuckoo_stash_of(b) + b->stash_slots);
}

PDS_INLINE uint8_t *
pds_cuckoo_bucket(const pds_cuckoo_build *b, uint64_t bucket, int width)
{
	return pds_cuckoo_buckets_of(b) + bucket * (uint64_t) (PDS_CUCKOO_SLOTS * width);
}

PDS_INLINE uint64_t
pds_cuckoo_free_slot(int width)
{
	return UINT64_MAX >> (64 - 8 * width);
}

/* Bits of a fingerprint: the mask of them alone is no fingerprint. */
static inline int
pds_cuckoo_bits_for(uint64_t fingerprints)
{
	return pds_log2_64(fingerprints) + 1;
}

PDS_INLINE uint64_t
pds_cuckoo_fingerprint_in(const pds_cuckoo_build *b, uint64_t v)
{
	return v & ((UINT64_C(1) << b->fingerprint_bits) - 1);
}

PDS_INLINE uint64_t
pds_cuckoo_copies_in(const pds_cuckoo_build *b, uint64_t v)
{
	return (v >> b->fingerprint_bits) + 1;
}

PDS_INLINE uint64_t
pds_cuckoo_slot_value(const pds_cuckoo_build *b, uint64_t fingerprint, uint64_t copies)
{
	return (copies - 1) << b->fingerprint_bits | fingerprint;
}

/* The most copies that a slot counts. */
PDS_INLINE uint64_t
pds_cuckoo_slot_limit(int fingerprint_bits, int width)
{
	return UINT64_C(1) << (8 * width - fingerprint_bits);
}

/*
 * Slots of one and two bytes are compared all at once, as lanes of a word.  The lowest lane
 * that is zero is found as in Warren, Hacker's Delight, section 6-1.
 */
#ifdef PDS_BIG_ENDIAN
#define PDS_CUCKOO_HAS_LANES(width)	((void) (width), 0)
#else
#define PDS_CUCKOO_HAS_LANES(width)	((width) <= 2)
#endif

PDS_INLINE uint64_t
pds_cuckoo_lanes(const uint8_t *bucket, int width)
{
	uint32_t	v4;
	uint64_t	v8;

	if (width == 1)
	{
		memcpy(&v4, bucket, sizeof(v4));
		return v4;
	}
	memcpy(&v8, bucket, sizeof(v8));
	return v8;
}

/* The same number in each lane. */
PDS_INLINE uint64_t
pds_cuckoo_in_lanes(uint64_t v, int width)
{
	return v * (width == 1 ? UINT64_C(0x01010101) : UINT64_C(0x0001000100010001));
}

/* The top bit of the lowest lane that is zero.  The bits of higher lanes can be wrong. */
PDS_INLINE uint64_t
pds_cuckoo_zero_lanes(uint64_t lanes, int width)
{
	return (lanes - pds_cuckoo_in_lanes(1, width)) & ~lanes &
		pds_cuckoo_in_lanes(UINT64_C(1) << (8 * width - 1), width);
}

/* The slot whose lane is the lowest that is zero, or NULL. */
PDS_INLINE uint8_t *
pds_cuckoo_zero_lane(uint8_t *bucket, uint64_t lanes, int width)
{
	uint64_t	zero = pds_cuckoo_zero_lanes(lanes, width);

	return zero == 0 ? NULL : bucket + pds_ctz64(zero) / 8 / width * width;
}

/* The slot of a bucket that has this fingerprint, or NULL. */
PDS_INLINE uint8_t *
pds_cuckoo_find_in(const pds_cuckoo_build *b, uint8_t *bucket, uint64_t fingerprint, int width)
{
	uint64_t	mask = (UINT64_C(1) << b->fingerprint_bits) - 1;

	if (PDS_CUCKOO_HAS_LANES(width))
		return pds_cuckoo_zero_lane(bucket, (pds_cuckoo_lanes(bucket, width) ^
											 pds_cuckoo_in_lanes(fingerprint, width)) &
									pds_cuckoo_in_lanes(mask, width), width);
	for (int i = 0; i < PDS_CUCKOO_SLOTS; i++)
		if (((pds_load_number(bucket, i, width) ^ fingerprint) & mask) == 0)
			return bucket + i * width;
	return NULL;
}

PDS_INLINE uint8_t *
pds_cuckoo_free_in(uint8_t *bucket, int width)
{
	if (PDS_CUCKOO_HAS_LANES(width))
		return pds_cuckoo_zero_lane(bucket, pds_cuckoo_lanes(bucket, width) ^
									pds_cuckoo_in_lanes(pds_cuckoo_free_slot(width), width),
									width);
	for (int i = 0; i < PDS_CUCKOO_SLOTS; i++)
		if (pds_load_number(bucket, i, width) == pds_cuckoo_free_slot(width))
			return bucket + i * width;
	return NULL;
}

/* The slot that a class has, or NULL. */
PDS_INLINE uint8_t *
pds_cuckoo_find(const pds_cuckoo_build *b, const pds_cuckoo_place *p, int width)
{
	uint8_t    *slot = pds_cuckoo_find_in(b, pds_cuckoo_bucket(b, p->even, width),
										  p->fingerprint, width);

	if (slot == NULL)
		slot = pds_cuckoo_find_in(b, pds_cuckoo_bucket(b, p->odd, width), p->fingerprint, width);
	return slot;
}

/* ---------- stash ---------- */

/* A stash of this many slots takes so many classes. */
static inline uint32_t
pds_cuckoo_stash_limit(uint32_t slots)
{
	return slots < 8 ? slots - 1 : slots - slots / 8;
}

static inline uint32_t
pds_cuckoo_stash_home(const pds_cuckoo_build *b, uint64_t class)
{
	return (uint32_t) pds_mulhi64(pds_murmur3_fmix(class + 1), b->stash_slots);
}

/* The slot of a class in the stash, or the free slot where it would go. */
static inline pds_cuckoo_stash *
pds_cuckoo_stash_find(const pds_cuckoo_build *b, uint64_t class)
{
	pds_cuckoo_stash *stash = pds_cuckoo_stash_of(b);
	uint32_t	i = pds_cuckoo_stash_home(b, class);

	while (stash[i].copies != 0 && stash[i].class != class)
		i = (i + 1) & (b->stash_slots - 1);
	return &stash[i];
}

/* ---------- what cuckoo.c has for other files ---------- */

/* Must the image grow before another class can be put into it? */
static inline bool
pds_cuckoo_is_full(const pds_cuckoo_build *b)
{
	return b->crowded != 0 ||
		b->stash_used + b->pending >= pds_cuckoo_stash_limit(b->stash_slots);
}

/*
 * Copies of a class, to an image that is not full.  The total is the caller's business.
 * "new": the image does not hold the class, and need not be searched for it.
 */
extern void pds_cuckoo_put(pds_cuckoo_build *b, uint64_t class, uint64_t copies, bool new);

/* Many classes are put in so many at a time, so that the cache misses overlap. */
#define PDS_CUCKOO_BATCH	16

/* Fetch the bucket, or both, that a class will be put in. */
static inline void
pds_cuckoo_prefetch(const pds_cuckoo_build *b, uint64_t class, bool both)
{
	pds_cuckoo_place p = pds_cuckoo_place_of(b, class);

	__builtin_prefetch(pds_cuckoo_bucket(b, p.even, b->width), 1);
	if (both)
		__builtin_prefetch(pds_cuckoo_bucket(b, p.odd, b->width), 1);
}

/* How many copies of a class an image holds. */
extern uint64_t pds_cuckoo_copies(const pds_cuckoo_build *b, uint64_t class);

/*
 * Walks over what an image holds: slots, then stash, then ring.  A class can come in several
 * parts.
 */
typedef struct pds_cuckoo_walk
{
	const pds_cuckoo_build *b;
	uint64_t	at;
} pds_cuckoo_walk;

typedef struct pds_cuckoo_part
{
	uint64_t	class;
	uint64_t	copies;
	bool		stashed;		/* from the stash */
} pds_cuckoo_part;

extern bool pds_cuckoo_walk_next(pds_cuckoo_walk *w, pds_cuckoo_part *part);

/*
 * A union that is said to b, of a filter of this shape with so many copies: may it begin?
 * Errors: PDS_PARAMETER_MISMATCH, PDS_OVERFLOW.
 */
extern pds_status pds_cuckoo_merge_start(const pds_cuckoo_build *b, const pds_cuckoo_shape *s,
										 uint64_t total);

/* ---------- sizes (cuckoo_plan.c) ---------- */

static inline uint64_t
pds_cuckoo_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* The size of the ring before a table. */
static inline uint8_t
pds_cuckoo_ring_for(uint64_t buckets, uint32_t width)
{
	return buckets * PDS_CUCKOO_SLOTS * width >= PDS_CUCKOO_RING_BYTES ? PDS_CUCKOO_RING : 0;
}

/* Returns the status of an image that must grow: PDS_FULL, or PDS_TOO_LARGE if it cannot. */
extern pds_status pds_cuckoo_full(const pds_cuckoo_build *b);

/* Change a plan to one with more buckets, whose slots are no narrower if that can be. */
extern void pds_cuckoo_plan_more_buckets(const pds_cuckoo_shape *s, pds_cuckoo_plan *plan);

/* Change a plan to one with a larger stash. */
extern void pds_cuckoo_plan_larger_stash(pds_cuckoo_plan *plan);

/* Bytes of an image; UINT32_MAX stands for anything larger. */
extern size_t pds_cuckoo_image_size(uint64_t buckets, uint32_t width, uint32_t stash_slots);

#endif
