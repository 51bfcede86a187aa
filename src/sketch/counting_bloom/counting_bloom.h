/*
 * counting_bloom.h: counting Bloom filters, a Bloom filter that values can leave
 *
 * Fan, Cao, Almeida, Broder, "Summary cache: a scalable wide-area Web cache sharing
 * protocol", 2000: a counter of 4 bits stands in the place of each bit of a Bloom
 * filter.  Adding a value adds 1 to its counters, removing it subtracts 1, and a value
 * with a counter of 0 is not in the filter.  Shapes, sizes and the counters of a hash
 * are those of sketch/bloom: counter i is not zero exactly where bit i would be set.
 *
 * Two of the k places of a value can be the same counter, in a block of 512 often (4 % of
 * the values at k = 7).  Such a counter counts the value once: adding and removing both
 * go over the distinct places.
 *
 * A counter ends at 15.  One that is there is saturated: nobody knows how far it would
 * have gone, so nothing subtracts from it, and it stays for ever.  So a value is never
 * missed.  The union adds up counters, min(15, a + b), in any order.
 *
 *     add        c = min(15, c + 1)             of each distinct place
 *     remove     c - 1, or 15 if it is 15       refused if any is 0
 *     merge      min(15, a + b)
 *     subtract   a - b, or 15 if a is 15        refused if b > a anywhere
 *     count      the smallest of the places     never below the truth; 15: or more
 *
 * Without saturated counters, the filter is a function of the multiset that it holds:
 * any order of adds and removes makes the same bytes.
 */
#ifndef PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_H
#define PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_H

#include "coded_list.h"
#include "state_ops.h"
#include "bloom_bits.h"
#include "bloom_shape.h"

/* Encodings of the stored form. */
#define PDS_COUNTING_BLOOM_EMPTY	PDS_ENCODING_EMPTY
#define PDS_COUNTING_BLOOM_CODED	1
#define PDS_COUNTING_BLOOM_ARRAY	2

/* The two layouts of bloom. */
#define PDS_COUNTING_BLOOM_FAMILIES	(PDS_BLOOM_CLASSIC + 1)

/* A saturated counter. */
#define PDS_COUNTING_BLOOM_MAX		15

/* The parameters of a union of nothing. */
#define PDS_COUNTING_BLOOM_DEFAULT_RATE	0.01

/*
 * The most counters of a filter.  As an array they fit in a value of the server (1 GB less one
 * byte), together with a header and the building form's head and ring.
 */
#define PDS_COUNTING_BLOOM_MAX_COUNTERS \
	((UINT64_C(0x3fffffff) - 4095) / 256 * 512)

/*
 * The shape for a capacity of at least 1 at a rate (base/decimal.h, not 0) in one of
 * the two layouts: bloom's.  Errors: PDS_FULL if that is more than
 * PDS_COUNTING_BLOOM_MAX_COUNTERS.
 */
extern pds_status pds_counting_bloom_shape_for(uint64_t capacity, uint16_t rate,
											   uint8_t family, pds_bloom_shape *s);

/* The greatest capacity that fits. */
extern uint64_t pds_counting_bloom_max_capacity(uint16_t rate, uint8_t family);

/* Returns whether a counting filter can have this shape. */
extern bool pds_counting_bloom_shape_valid(const pds_bloom_shape *s);

/* ---------- the building form ---------- */

/* What a building image holds.  It goes from the first to the second, not back. */
typedef enum pds_counting_bloom_mode
{
	PDS_COUNTING_BLOOM_TABLE,	/* the counters that are not zero, in a hash table */
	PDS_COUNTING_BLOOM_COUNTERS	/* all counters */
} pds_counting_bloom_mode;

/*
 * Large arrays have a ring.  New hashes wait in it while their cache lines are fetched, and
 * many are inserted at a time, so that the cache misses overlap.
 */
#define PDS_COUNTING_BLOOM_RING				32
#define PDS_COUNTING_BLOOM_RING_COUNTERS	(UINT64_C(1) << 20)

/*
 * An exact image counts past 15, so that a value can be removed again however often it was
 * added.  A moving window needs that, because frequent values would otherwise stay for ever.
 * An empty image becomes exact when the caller says so.  When an exact image is stored or united
 * with another, counts above 15 become 15, and the image is no longer exact.
 *
 *     | head | ring | counters | table |
 *
 * The ring is there with PDS_COUNTING_BLOOM_RING_COUNTERS counters or more, and the
 * counters are, if the mode says so: 4 bits each, two in a byte, the lower first.  The
 * table has the counters that are not zero in the mode TABLE; else, in an exact image, by how much
 * counters are above 15; else it is not used.
 */
typedef struct pds_counting_bloom_build
{
	PDS_STATE_HEAD(uint8_t mode);	/* pds_counting_bloom_mode */
	uint8_t		exact;			/* does it count past 15? */
	uint8_t		undecided;		/* a union of nothing yet: takes the shape of the
								 * first filter that it meets */
	uint8_t		pending;		/* how many wait in the ring */
	uint8_t		unused;			/* 0 */
	uint32_t	slots;			/* size of the table */
	uint32_t	used;			/* how many of them are taken, be their count zero
								 * again or not */
	pds_bloom_shape shape;
	uint64_t	nonzero;		/* how many counters are not zero, the ring apart */

	uint64_t	words[];
} pds_counting_bloom_build;

typedef struct pds_counting_bloom_slot
{
	uint32_t	key;			/* 1 + the counter's number; 0 if free */
	uint32_t	count;
} pds_counting_bloom_slot;

/* Bytes of the smallest image. */
#define PDS_COUNTING_BLOOM_FIRST_SIZE	256

static inline pds_hash *
pds_counting_bloom_ring(const pds_counting_bloom_build *b)
{
	return (pds_hash *) b->words;
}

/* Bytes between the head and the array. */
static inline size_t
pds_counting_bloom_ring_size(uint64_t counters)
{
	return counters >= PDS_COUNTING_BLOOM_RING_COUNTERS ?
		PDS_COUNTING_BLOOM_RING * sizeof(pds_hash) : 0;
}

static inline uint8_t *
pds_counting_bloom_array(const pds_counting_bloom_build *b)
{
	return (uint8_t *) b->words + pds_counting_bloom_ring_size(b->shape.bits);
}

/* Where the table begins, in bytes from the start of an image. */
static inline size_t
pds_counting_bloom_table_at(uint64_t counters, pds_counting_bloom_mode mode)
{
	return sizeof(pds_counting_bloom_build) + (mode == PDS_COUNTING_BLOOM_TABLE ? 0 :
		pds_counting_bloom_ring_size(counters) + (size_t) (counters / 2));
}

static inline pds_counting_bloom_slot *
pds_counting_bloom_table(const pds_counting_bloom_build *b)
{
	return (pds_counting_bloom_slot *)
		((uint8_t *) b + pds_counting_bloom_table_at(b->shape.bits,
													 (pds_counting_bloom_mode) b->mode));
}

/* Counter i of an array. */
static inline uint32_t
pds_counting_bloom_counter(const uint8_t *array, uint64_t i)
{
	return array[i >> 1] >> (i % 2 * 4) & 15;
}

/* Bytes of the best image to begin with. */
extern size_t pds_counting_bloom_first_size(const pds_bloom_shape *s);

/*
 * Make an empty filter in size bytes at b, of this size or PDS_COUNTING_BLOOM_FIRST_SIZE and
 * aligned to 8.  The varlena word is left alone.
 */
extern void pds_counting_bloom_init(pds_counting_bloom_build *b, size_t size,
									const pds_bloom_shape *s);

/* What image a state should move to; begins as pds_plan does. */
typedef struct pds_counting_bloom_plan
{
	size_t		size;
	pds_counting_bloom_mode mode;
} pds_counting_bloom_plan;

/* Work in the hashes that wait in the ring. */
extern void pds_counting_bloom_flush(pds_counting_bloom_build *b);

/* As pds_counting_bloom_add(), without the ring. */
extern pds_status pds_counting_bloom_add_now(pds_counting_bloom_build *b, pds_hash h);

/*
 * Add a value by its hash.  Errors: PDS_FULL.  The kind of value is the caller's
 * business.
 */
static inline pds_status
pds_counting_bloom_add(pds_counting_bloom_build *b, pds_hash h)
{
	const uint8_t *block;

	if (b->mode != PDS_COUNTING_BLOOM_COUNTERS || b->exact ||
		b->shape.bits < PDS_COUNTING_BLOOM_RING_COUNTERS ||
		b->shape.family != PDS_BLOOM_BLOCKED)
		return pds_counting_bloom_add_now(b, h);
	pds_counting_bloom_ring(b)[b->pending++] = h;
	block = pds_counting_bloom_array(b) + pds_bloom_block_of(h.h1, b->shape.bits) / 2;
	for (int line = 0; line < PDS_BLOOM_BLOCK_BITS / 2; line += 64)
		__builtin_prefetch(block + line, 1);
	if (b->pending == PDS_COUNTING_BLOOM_RING)
		pds_counting_bloom_flush(b);
	return PDS_OK;
}

/*
 * Remove a value by its hash; when no counter is left above zero, the kind of values is
 * forgotten.  Empties the ring.  Errors: PDS_NEGATIVE, with nothing changed, if the
 * filter does not contain it.
 */
extern pds_status pds_counting_bloom_remove(pds_counting_bloom_build *b, pds_hash h);

/*
 * The most often that the value with this hash can have been added, 0 to 15; 15 stands
 * for 15 or more.  Of an image in whose ring nothing waits.
 */
extern uint32_t pds_counting_bloom_build_count(const pds_counting_bloom_build *b, pds_hash h);

/* ---------- the stored form ---------- */

/* A stored filter, read in place. */
typedef struct pds_counting_bloom_view
{
	PDS_VIEW_HEAD;				/* data_at: where counters, or the directory, begin */
	pds_bloom_shape shape;
	uint64_t	nonzero;		/* coded: how many counters are not zero */
	pds_coded_list list;		/* coded: of these counters */
} pds_counting_bloom_view;

/* The longest header that stands before the data. */
#define PDS_COUNTING_BLOOM_MAX_PREFIX	48

/* The most bytes of a stored filter, and of one of as many values as its capacity. */
extern size_t pds_counting_bloom_most_bytes(const pds_bloom_shape *s);
extern size_t pds_counting_bloom_full_bytes(const pds_bloom_shape *s);

/* pds_counting_bloom_open() and pds_counting_bloom_check() */
PDS_VIEW_FUNCTIONS(counting_bloom);

/*
 * As pds_counting_bloom_build_count(), for a stored filter.  In the blocked layout it fetches
 * one segment or block, otherwise the parts that hold up to k counters.  It fetches nothing
 * after the first counter of 0.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_counting_bloom_view_count(const pds_counting_bloom_view *v, pds_hash h,
												pds_fetch fetch, void *context, uint64_t *count);

/* How many counters are 0, 1, ... 15.  Reads all of the payload.  Errors: PDS_CORRUPT. */
extern pds_status pds_counting_bloom_histogram(const pds_counting_bloom_view *v,
											   uint64_t *histogram);

/*
 * Would a lookup of this hash read the same bytes in two payloads of the same length, the
 * first of which is the view's?  Heads are compared, too.  Of coded filters.
 */
extern bool pds_counting_bloom_same_lookup(const pds_counting_bloom_view *v, const uint8_t *other,
										   pds_hash h);

/* Write all counters into an array that is zero, 4 bits each.  Errors: PDS_CORRUPT. */
extern pds_status pds_counting_bloom_unpack(const pds_counting_bloom_view *v, uint8_t *array);

/* As pds_counting_bloom_view_count(), of such an array. */
static inline uint32_t
pds_counting_bloom_array_count(const uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	pds_bloom_walk w = pds_bloom_walk_start(s->family, s->bits, h);
	uint32_t	least = PDS_COUNTING_BLOOM_MAX;

	/* all of them: where to stop cannot be predicted */
	for (int i = 0; i < s->hashes; i++)
	{
		uint32_t	c = pds_counting_bloom_counter(array, pds_bloom_walk_next(&w));

		least = c < least ? c : least;
	}
	return least;
}

/*
 * Set in an array of shape.bits bits those whose counters are not zero: the Bloom filter
 * of the same shape and values.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_counting_bloom_set_bits(const pds_counting_bloom_view *v, uint8_t *bits);

/* ---------- unions and differences ---------- */

/*
 * Subtract all counters of a stored filter.  Errors: PDS_NEGATIVE and PDS_PARAMETER_MISMATCH with
 * nothing changed; PDS_CORRUPT, after which b is of no use.  The kind of values is forgotten when
 * nothing is left.
 */
extern pds_status pds_counting_bloom_subtract(pds_counting_bloom_build *b,
											  const pds_counting_bloom_view *v);

/* ---------- writing ---------- */

/* How the stored form of a building image will be; begins as pds_encoding does. */
typedef struct pds_counting_bloom_encoding
{
	size_t		bytes;			/* the most that it can take */
	size_t		scratch;		/* bytes to work in, aligned to 8 */
	uint64_t	nonzero;
	uint8_t		encoding;
	uint8_t		code;			/* coded: of what counters count */
} pds_counting_bloom_encoding;

/* pds_counting_bloom_rebuild() and others, and pds_counting_bloom_ops: state_ops.h */
PDS_STATE_FUNCTIONS(counting_bloom);

#endif
