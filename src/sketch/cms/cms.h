/*
 * cms.h: Count-Min, how often each value occurred
 *
 * Cormode, Muthukrishnan, "An improved data stream summary: the Count-Min sketch and its
 * applications", 2005.  A table has "depth" rows of "width" counters.  A value has one counter
 * in each row, to which its weight is added.  The smallest of its counters is the estimate of
 * its frequency.  The estimate is never too low, provided no value was removed more often than
 * added.  With a probability of at least 1 - delta, it is at most epsilon * N too high, where N
 * is the sum of all weights,
 *
 *     width = ceil(e / epsilon)    depth = ceil(ln(1 / delta))
 *
 * Conservative update (Estan, Varghese, "New directions in traffic measurement
 * and accounting", 2002) raises a counter no further than to the new estimate.
 * That makes estimates markedly better, but the counters no longer sums: nothing
 * can be taken out again, and what they are depends on the order of values.
 *
 * From hash to counter.  With h1 and h2 the halves of the hash, all mod 2^64,
 *
 *     x_0     = h1
 *     x_i+1   = x_i * 0x9e3779b97f4a7c15 + h2
 *     column  = floor(x_i * width / 2^64)    in row i, from 0
 *
 * and the counter's position is i * width + column.
 *
 * The state of a plain sketch, and so its stored bytes, depends on nothing but
 * the parameters and the sum of the weights of each value.  A sketch whose
 * weights sum to zero is the empty one.
 */
#ifndef PDS_SKETCH_CMS_CMS_H
#define PDS_SKETCH_CMS_CMS_H

#include "coded_list.h"
#include "state_ops.h"
#include "cms_shape.h"

/* Encodings of the stored form; counters of 1, 2, 4 and 8 bytes. */
#define PDS_CMS_EMPTY	PDS_ENCODING_EMPTY
#define PDS_CMS_SPARSE	1
#define PDS_CMS_DENSE1	2
#define PDS_CMS_DENSE2	3
#define PDS_CMS_DENSE4	4
#define PDS_CMS_DENSE8	5

/* ---------- the building form ---------- */

/*
 * What a building image holds.  While there are few values, it holds the values, identified by
 * their columns, and how often each occurred.  That takes one access a row, where counters
 * would take "depth".  It requires columns that fit into a number, and no conservative update.
 * Otherwise, while few counters are not zero, it holds these counters and their positions.
 * Otherwise it holds all counters.  An image may change to a later mode, but never back.
 */
typedef enum pds_cms_mode
{
	PDS_CMS_VALUES,
	PDS_CMS_POSITIONS,
	PDS_CMS_COUNTERS
} pds_cms_mode;

/*
 * Hashes wait in a ring before they go to a table, and many are inserted at a time.  Among
 * thousands of groups every access to a table is a cache miss, and this way the misses overlap.
 * Small images have no ring.
 */
#define PDS_CMS_RING	16

typedef struct pds_cms_build
{
	PDS_STATE_HEAD(uint8_t mode);	/* pds_cms_mode */
	uint8_t		bytes;			/* of a count: 1, 2, 4 or 8 */
	uint8_t		pending;		/* how many hashes wait in the ring, each with a
								 * weight of 1 that is in the total already */
	uint8_t		space;			/* how many may: never more than what the table
								 * takes, so that emptying cannot fail */
	uint8_t		ring;			/* size of the ring */
	pds_cms_shape shape;
	uint8_t		undecided;		/* a union of nothing yet: takes the shape of
								 * the first sketch that it meets */
	uint8_t		wanted_bytes;	/* after a PDS_FULL: what counts must be, */
	uint8_t		wanted_mode;	/* what there must be counts of, */
	uint32_t	slots;			/* size of the table */
	uint32_t	used;			/* how many of them are taken, be their count zero
								 * again or not */

	/* all that is needed for each row is in the first 64 bytes, up to here */
	uint64_t	total;			/* sum of all weights */
	uint64_t	largest;		/* no count in the table is above this */
	uint32_t	wanted;			/* and how many more of these there may be */
	uint32_t	unused;			/* 0; aligns what follows */

	/*
	 * All counters: row after row, each little-endian.  Else the ring, as
	 * pds_hash[], then the table (cms_build.h).
	 */
	uint8_t		data[];
} pds_cms_build;

/* Bytes of a building image to begin with. */
#define PDS_CMS_FIRST_SIZE		256

/*
 * Make an empty sketch of PDS_CMS_FIRST_SIZE bytes at b, aligned to 8.  The
 * varlena word is left alone.
 */
extern void pds_cms_build_init(pds_cms_build *b, const pds_cms_shape *s);

/*
 * The same for a sketch that will be queried between changes.  It is never in PDS_CMS_VALUES
 * unless a union makes it so.  So each counter can be looked up.
 */
extern void pds_cms_build_init_to_ask(pds_cms_build *b, const pds_cms_shape *s);

/* The image that a state should move to. */
typedef struct pds_cms_plan
{
	size_t		size;
	uint8_t		bytes;
	uint8_t		mode;			/* pds_cms_mode */
} pds_cms_plan;

/*
 * For a new image that is expected to get so many values: the one that it would grow to if half
 * of them were distinct.  Returns false if that is the one it has, or has more than "most" bytes.
 */
extern bool pds_cms_plan_start(const pds_cms_build *b, uint64_t values, size_t most,
							   pds_cms_plan *plan);

/*
 * Before the state is stored: an image of counters.  Returns false when b will do as
 * it is.  Empties the ring.
 */
extern bool pds_cms_plan_finish(pds_cms_build *b, pds_cms_plan *plan);

/* Work in the hashes that wait in the ring. */
extern void pds_cms_flush(pds_cms_build *b);

/* As pds_cms_add(), without the ring. */
extern pds_status pds_cms_add_now(pds_cms_build *b, pds_hash h, int64_t weight);

/* The same for an image of all counters. */
extern pds_status pds_cms_add_to_counters(pds_cms_build *b, pds_hash h, int64_t weight);

/*
 * Add a weight, which may be negative, to the value with this hash.  The kind of value is the
 * caller's business, but is forgotten when all weights sum to zero.  Errors: PDS_FULL.
 * PDS_OVERFLOW if the sum of all weights would exceed PDS_CMS_MAX_COUNT.  PDS_NEGATIVE if the
 * sum or a counter would be below zero, or if the weight is negative and the sketch
 * conservative.  After an error nothing is changed.
 */
static inline pds_status
pds_cms_add(pds_cms_build *b, pds_hash h, int64_t weight)
{
	if (b->mode == PDS_CMS_COUNTERS)
		return pds_cms_add_to_counters(b, h, weight);
	if (weight != 1 || b->space == 0)
		return pds_cms_add_now(b, h, weight);
	memcpy(b->data + b->pending++ * sizeof(pds_hash), &h, sizeof(h));
	b->total++;
	if (b->pending == b->space)
		pds_cms_flush(b);
	return PDS_OK;
}

/*
 * Add all counters of another sketch, or subtract them; "from" is not changed, but
 * flushed.  Errors: as above, and PDS_PARAMETER_MISMATCH if the shapes are not
 * the same.
 */
extern pds_status pds_cms_merge_build(pds_cms_build *b, pds_cms_build *from,
									  bool subtract);

/*
 * Forget the last rows of a plain sketch, so that it is as if it had been built
 * in this shape from the first.  Errors: PDS_FULL; PDS_PARAMETER_MISMATCH if the
 * width is not the same, there are not so many rows, or one of them is
 * conservative.
 */
extern pds_status pds_cms_keep_rows(pds_cms_build *b, const pds_cms_shape *s);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_cms_view
{
	PDS_VIEW_HEAD;				/* data_at: where counters, or the directory, begin */
	uint8_t		bytes;			/* of a counter, if dense; else 0 */
	pds_cms_shape shape;
	uint64_t	total;
	uint32_t	nonzero;		/* if sparse: how many counters are not zero */
	pds_coded_list list;		/* if sparse: of these counters */
} pds_cms_view;

/* The longest header that stands before the data. */
#define PDS_CMS_MAX_PREFIX	32

/* The most bytes of a stored sketch while no counter takes more than so many: 1, 2, 4 or 8. */
static inline size_t
pds_cms_most_bytes(const pds_cms_shape *s, int counter_bytes)
{
	return PDS_CMS_MAX_PREFIX + (size_t) pds_cms_counters(s) * (size_t) counter_bytes;
}

/* pds_cms_open() and pds_cms_check() */
PDS_VIEW_FUNCTIONS(cms);

/*
 * Add all counters of a stored sketch to a building one, or subtract them.
 * Errors: as pds_cms_merge_build; PDS_CORRUPT, after which b is of no use.
 */
extern pds_status pds_cms_merge_view(pds_cms_build *b, const pds_cms_view *v,
									 bool subtract);

/*
 * How the stored form will be of an image that pds_cms_plan_finish() has nothing against.  One with
 * a total and no counter above 0, which only damaged bytes lead to, is measured as empty.
 */
typedef struct pds_cms_encoding
{
	size_t		bytes;			/* the most that it can take */
	size_t		scratch;		/* bytes to work in, aligned to 8 */
	uint8_t		encoding;
	uint8_t		order;			/* if sparse: of the counters' code */
	uint32_t	nonzero;
} pds_cms_encoding;

/* ---------- answers ---------- */

/*
 * How often the value with this hash occurred: the smallest of its counters.
 * Of a dense sketch no more is fetched than these, of a sparse one the segments
 * that they are in.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_cms_frequency(const pds_cms_view *v, pds_hash h,
									pds_fetch fetch, void *context, uint64_t *frequency);

/*
 * Would that read the same bytes in two payloads of the same length, the first of which is
 * the view's?  Heads are compared, too.  Of sparse sketches.
 */
extern bool pds_cms_same_frequency(const pds_cms_view *v, const uint8_t *other, pds_hash h);

/*
 * All counters of a sparse sketch as an array, which is zero before, and the frequency that
 * the array says.  Its counters are as wide as the sketch's total.  Errors: PDS_CORRUPT.
 */
extern size_t pds_cms_unpacked_size(const pds_cms_view *v);
extern pds_status pds_cms_unpack(const pds_cms_view *v, uint8_t *array);
extern uint64_t pds_cms_unpacked_frequency(const pds_cms_view *v, const uint8_t *array,
										   pds_hash h);

/*
 * The same for a building image in whose ring nothing waits.  An image in PDS_CMS_VALUES
 * answers only if it is empty, because the answer would take a pass over all values.
 */
static inline bool
pds_cms_can_ask(const pds_cms_build *b)
{
	return b->mode != PDS_CMS_VALUES || b->total == 0;
}

extern uint64_t pds_cms_build_frequency(const pds_cms_build *b, pds_hash h);

/*
 * The most that an estimate is above the true frequency, with a probability of
 * at least 1 - delta: floor(N * e / width).
 */
extern uint64_t pds_cms_error(const pds_cms_shape *s, uint64_t total);

/*
 * Returns the least that the true frequency of a value is with that probability, given its
 * estimate f.  The value shares its counters with the other values, whose weights sum to N less
 * the true frequency.  So the estimate is at most e / width of that sum too high, and the true
 * frequency is at least
 *
 *     f - floor((N - f) * e / (width - e))
 *
 * is true, or 0.
 */
extern uint64_t pds_cms_lower_bound(const pds_cms_shape *s, uint64_t total, uint64_t f);

/* A number of 128 bits. */
typedef struct pds_cms_wide
{
	uint64_t	high;
	uint64_t	low;
} pds_cms_wide;

/*
 * The sum over all values of the product of their frequencies in two plain
 * sketches of the same shape, whose payloads are in memory: how many rows their
 * join has.  The smallest of the rows' inner products, so never too low; at most
 * epsilon * N_a * N_b too high with a probability of at least 1 - delta.
 * Errors: PDS_PARAMETER_MISMATCH, PDS_CORRUPT.
 */
extern pds_status pds_cms_inner_product(const pds_cms_view *a, const pds_cms_view *b,
										pds_cms_wide *product);

/* How many counters of a view in memory are not zero. */
extern uint32_t pds_cms_count_nonzero(const pds_cms_view *v);

/* Subtract all counters of an operand of the same shape, as pds_cms_merge_build(). */
extern pds_status pds_cms_subtract(pds_cms_build *b, const pds_operand *from);

/* pds_cms_rebuild() and others, and pds_cms_ops: state_ops.h */
PDS_STATE_FUNCTIONS(cms);

#endif
