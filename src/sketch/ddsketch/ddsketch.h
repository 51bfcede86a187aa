/*
 * ddsketch.h: DDSketch, quantiles with an error that is certain
 *
 * Masson, Rim, Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees", VLDB 2019.  Each number falls into a bucket (b^i, b^(i + 1)], of which the sketch
 * has the count.  A number between the two edges of a bucket is within a share of
 * (b - 1) / (b + 1) of every number in it.
 *
 * The base b is 2^(2^-scale), as in OpenTelemetry's exponential histograms.  So two buckets, 2i
 * and 2i + 1, are one bucket i of the next lower scale.  If a sketch would have more than
 * max_buckets buckets that are not empty, it goes to that scale (Epicoco et al., "UDDSketch",
 * 2020).  Its scale is the largest one, up to the requested one, at which its numbers fall into no
 * more than max_buckets buckets.  It depends only on which numbers were added, not
 * on the order of adds and merges, and so do the counts, and the stored bytes.
 *
 * Zero, the two infinities and NaN are counted apart.  The smallest and the largest finite number
 * are known exactly.  Negative numbers are in the buckets of their absolute values.
 */
#ifndef PDS_SKETCH_DDSKETCH_DDSKETCH_H
#define PDS_SKETCH_DDSKETCH_DDSKETCH_H

#include "ddsketch_index.h"
#include "state_ops.h"

#define PDS_DDSKETCH_DEFAULT_ERROR		0.01
#define PDS_DDSKETCH_DEFAULT_SCALE		6
#define PDS_DDSKETCH_MIN_BUCKETS		16
#define PDS_DDSKETCH_MAX_BUCKETS		65536
#define PDS_DDSKETCH_DEFAULT_BUCKETS	4096

/* The most numbers that a sketch counts. */
#define PDS_DDSKETCH_MAX_COUNT	((uint64_t) INT64_MAX)

/* Encodings of the stored form. */
#define PDS_DDSKETCH_EMPTY		PDS_ENCODING_EMPTY
#define PDS_DDSKETCH_BUCKETS	1

/* ---------- keys ---------- */

/* A bucket by one number: its index, and whether it is of negative numbers.  Never 0. */
static inline uint64_t
pds_ddsketch_key(int32_t index, bool negative)
{
	return (uint64_t) ((int64_t) index + (INT64_C(1) << 31)) << 1 | (negative ? 1 : 0);
}

static inline int32_t
pds_ddsketch_key_index(uint64_t key)
{
	return (int32_t) ((int64_t) (key >> 1) - (INT64_C(1) << 31));
}

static inline bool
pds_ddsketch_key_negative(uint64_t key)
{
	return (key & 1) != 0;
}

/* The key of the bucket that this one is a part of, at a scale that is so much lower. */
static inline uint64_t
pds_ddsketch_key_coarser(uint64_t key, int by)
{
	return pds_ddsketch_key(pds_ddsketch_coarser(pds_ddsketch_key_index(key), by),
							pds_ddsketch_key_negative(key));
}

/* ---------- the building form ---------- */

/* What of a sketch is no bucket. */
typedef struct pds_ddsketch_apart
{
	double		min;			/* of the finite numbers; 0 if there are none */
	double		max;
	uint64_t	zeros;
	uint64_t	negative_infinities;
	uint64_t	positive_infinities;
	uint64_t	nans;
} pds_ddsketch_apart;

/* How many of a sketch's numbers are finite. */
static inline uint64_t
pds_ddsketch_finite(const pds_ddsketch_apart *a, uint64_t total)
{
	return total - a->negative_infinities - a->positive_infinities - a->nans;
}

/* A bucket; one with a count of 0 is a free slot. */
typedef struct pds_ddsketch_slot
{
	uint64_t	key;
	uint64_t	count;
} pds_ddsketch_slot;

/*
 * Numbers wait in a ring before they go to the table, and many are counted at a time.  Among
 * hundreds of groups every access to a table is a cache miss, and this way the misses overlap.
 */
#define PDS_DDSKETCH_RING	32

/*
 * An open hash table of buckets, by linear probing.  After a union there may be more than
 * max_buckets of them: the state goes to a lower scale when it gets another one, or is stored.
 */
typedef struct pds_ddsketch_build
{
	PDS_STATE_HEAD(int8_t scale);
	int8_t		asked;			/* the requested scale */
	uint8_t		undecided;		/* a union of nothing yet: takes the parameters of the first
								 * sketch that it meets */
	uint8_t		log2_slots;
	uint8_t		questions;		/* so many numbers of an aggregate's are before the slots */
	uint32_t	max_buckets;
	uint32_t	buckets;		/* that are not empty */
	uint64_t	total;			/* how many numbers were added */
	uint32_t	pending;		/* how many wait in the ring; they are in the total already */
	uint32_t	space;			/* how many may: if each has a bucket of its own, there are slots */
	pds_ddsketch_apart apart;	/* the next number needs nothing behind "max" */
	uint64_t	ring[PDS_DDSKETCH_RING];	/* keys */
	uint64_t	words[];
} pds_ddsketch_build;

#define PDS_DDSKETCH_FIRST_LOG2_SLOTS	4
#define PDS_DDSKETCH_MAX_LOG2_SLOTS		19

static inline size_t
pds_ddsketch_size(int questions, int log2_slots)
{
	return sizeof(pds_ddsketch_build) + (size_t) questions * sizeof(double) +
		(sizeof(pds_ddsketch_slot) << log2_slots);
}

/* Bytes of an image to begin with. */
#define PDS_DDSKETCH_FIRST_SIZE \
	(sizeof(pds_ddsketch_build) + (sizeof(pds_ddsketch_slot) << PDS_DDSKETCH_FIRST_LOG2_SLOTS))

static inline pds_ddsketch_slot *
pds_ddsketch_slots(const pds_ddsketch_build *b)
{
	return (pds_ddsketch_slot *) (b->words + b->questions);
}

/* What an aggregate keeps in its state for its final function. */
static inline double *
pds_ddsketch_questions(const pds_ddsketch_build *b)
{
	return (double *) b->words;
}

/* The most buckets in so many slots: seven eighths of them. */
static inline uint32_t
pds_ddsketch_capacity(int log2_slots)
{
	return (UINT32_C(7) << log2_slots) / 8;
}

/*
 * Make an empty sketch of pds_ddsketch_size(questions, PDS_DDSKETCH_FIRST_LOG2_SLOTS) bytes at b,
 * aligned to 8.  The varlena word is left alone, and the questions are 0.
 */
extern void pds_ddsketch_build_init(pds_ddsketch_build *b, int scale, uint32_t max_buckets,
									int questions);

/* The image that a state should move to. */
typedef struct pds_ddsketch_plan
{
	size_t		size;
	int8_t		asked;
	int8_t		scale;
	uint8_t		log2_slots;
	uint8_t		questions;
	uint32_t	max_buckets;
} pds_ddsketch_plan;

/* To a scale and a number of buckets that are no larger, or that no number has needed so far. */
extern void pds_ddsketch_plan_fold(const pds_ddsketch_build *b, int asked, uint32_t max_buckets,
								   pds_ddsketch_plan *plan);

/* Space for so many numbers, if it takes no more than "most" bytes. */
extern bool pds_ddsketch_plan_start(const pds_ddsketch_build *b, uint64_t values, size_t most,
									pds_ddsketch_plan *plan);

/* Before a state is stored: PDS_FULL if it has too many buckets for its scale. */
extern pds_status pds_ddsketch_plan_finish(pds_ddsketch_build *b, pds_ddsketch_plan *plan);

/* The same as the function below, if it is not the usual case. */
extern pds_status pds_ddsketch_add_slowly(pds_ddsketch_build *b, double value, uint64_t weight);

static inline uint32_t
pds_ddsketch_home(uint64_t key, int log2_slots)
{
	uint64_t	group = (key >> 3) << 1 | (key & 1);

	/* four neighbours are in one cache line */
	return ((uint32_t) ((group * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - log2_slots)) &
			~UINT32_C(3)) | (uint32_t) (key >> 1 & 3);
}

/*
 * The slot of a bucket, or the free one where it would be.  The search takes a step for each bucket
 * that somebody chose to crowd together with this one.  Hence a poll every so many buckets.
 */
#define PDS_DDSKETCH_POLL_BUCKETS	256

static inline pds_ddsketch_slot *
pds_ddsketch_slot_of(const pds_ddsketch_build *b, uint64_t key)
{
	pds_ddsketch_slot *slots = pds_ddsketch_slots(b);
	uint32_t	mask = (UINT32_C(1) << b->log2_slots) - 1;
	uint32_t	i = pds_ddsketch_home(key, b->log2_slots);

	while (slots[i].count != 0 && slots[i].key != key)
		i = (i + 1) & mask;
	return &slots[i];
}

/*
 * Add a number, "weight" times.  The kind of value is the caller's business.  Errors: PDS_FULL;
 * PDS_OVERFLOW.
 */
static inline pds_status
pds_ddsketch_add(pds_ddsketch_build *b, double value, uint64_t weight)
{
	uint64_t	bits = pds_bits_of(value);

	if (__builtin_expect(pds_ddsketch_is_plain(bits, b->scale) && b->pending < b->space &&
						 weight == 1 && value >= b->apart.min && value <= b->apart.max &&
						 b->total < PDS_DDSKETCH_MAX_COUNT, 1))
	{
		b->ring[b->pending++] =
			pds_ddsketch_key(pds_ddsketch_index_plain(bits, b->scale), bits >> 63 != 0);
		b->total++;
		return PDS_OK;
	}
	return pds_ddsketch_add_slowly(b, value, weight);
}

/*
 * Add a bucket by its key at the state's scale.  The total is left alone.  Errors: PDS_FULL;
 * PDS_CORRUPT if there are more in it than a total can be.
 */
extern pds_status pds_ddsketch_add_bucket(pds_ddsketch_build *b, uint64_t key, uint64_t count);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_ddsketch_view
{
	PDS_VIEW_HEAD;				/* data_at: where the header ends */
	int8_t		asked;
	int8_t		scale;
	uint32_t	max_buckets;
	uint32_t	negatives;		/* buckets of negative numbers, and of positive ones */
	uint32_t	positives;
	uint64_t	total;
	pds_ddsketch_apart apart;
	const uint8_t *data;		/* behind the fields */
	size_t		data_len;
} pds_ddsketch_view;

/* The longest fields that stand before the data. */
#define PDS_DDSKETCH_MAX_PREFIX	96

/* pds_ddsketch_open() and pds_ddsketch_check() */
PDS_VIEW_FUNCTIONS(ddsketch);

/*
 * The buckets of a view one after the other: those of negative numbers, the smallest first, then
 * those of positive numbers, the largest first.
 */
typedef struct pds_ddsketch_reader
{
	pds_bit_reader bits;
	uint32_t	negatives;		/* left */
	uint32_t	positives;
	int64_t		index;			/* of the next bucket, if it is not empty */
	int64_t		least;			/* the smallest index at this scale */
	int64_t		first;			/* the index of the first positive bucket */
	uint64_t	before[2];		/* the counts of the last two */
} pds_ddsketch_reader;

typedef struct pds_ddsketch_bucket
{
	int32_t		index;
	bool		negative;
	uint64_t	count;
} pds_ddsketch_bucket;

extern void pds_ddsketch_buckets_from(pds_ddsketch_reader *r, const pds_ddsketch_view *v);

/* Returns false at the end, and for data that is damaged (r->bits.overrun is set then). */
extern bool pds_ddsketch_next(pds_ddsketch_reader *r, pds_ddsketch_bucket *bucket);

/* The bytes of a stored sketch of so many buckets at most, if no count is above a million. */
static inline size_t
pds_ddsketch_most_bytes(uint32_t buckets)
{
	return PDS_DDSKETCH_MAX_PREFIX + 20 * (size_t) buckets;
}

typedef pds_encoding pds_ddsketch_encoding;

/* pds_ddsketch_rebuild() and others, and pds_ddsketch_ops: state_ops.h */
PDS_STATE_FUNCTIONS(ddsketch);

#endif
