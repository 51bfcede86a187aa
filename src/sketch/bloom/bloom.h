/*
 * bloom.h: Bloom filters, was this value among them
 *
 * Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970:
 * every key sets k of m bits, and a key one of whose bits is zero was never
 * there.  A filter never answers "no" for a key that it was given; it answers
 * "yes" for others at its false-positive rate.
 *
 * From hash to bits: bloom_bits.h.
 *
 * The state, and so its stored bytes, depends on nothing but the shape and the
 * set of hashes.
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_H
#define PDS_SKETCH_BLOOM_BLOOM_H

#include "coded_list.h"
#include "state_ops.h"
#include "bloom_bits.h"
#include "bloom_shape.h"

/* Encodings of the stored form. */
#define PDS_BLOOM_EMPTY		PDS_ENCODING_EMPTY
#define PDS_BLOOM_SPARSE	1
#define PDS_BLOOM_ARRAY		2

/* ---------- the building form ---------- */

/* What a building image holds. */
typedef enum pds_bloom_mode
{
	PDS_BLOOM_HASHES,			/* the distinct hashes, in a hash table */
	PDS_BLOOM_POSITIONS,		/* the bits that are set, as a list */
	PDS_BLOOM_BITS				/* all bits */
} pds_bloom_mode;

/*
 * Large arrays have a ring: hashes wait in it while their cache lines are
 * fetched, and are worked in many at a time, so that the misses overlap.
 */
#define PDS_BLOOM_RING			32
#define PDS_BLOOM_RING_BITS		(UINT64_C(1) << 20)

/*
 * The automatic filter sizes itself at the end for the hashes that it saw.  It holds up to so
 * many distinct hashes, and above that it becomes a filter of 2^4 * 3^3 * 5 * 7 * 11 * 13
 * blocks.  For any divisor f of n, or-ing each f neighbours turns a filter of n blocks into one
 * of n / f blocks.  It is the filter that the same hashes would have made.  The number of
 * blocks above has many divisors.
 */
#define PDS_BLOOM_AUTO_HASHES	(UINT32_C(1) << 20)
#define PDS_BLOOM_AUTO_BLOCKS	UINT32_C(2162160)
#define PDS_BLOOM_AUTO_RATE		0.01

typedef struct pds_bloom_build
{
	PDS_STATE_HEAD(uint8_t mode);	/* pds_bloom_mode */
	uint8_t		automatic;		/* the shape is yet to be chosen; as bits, it is
								 * that of PDS_BLOOM_AUTO_BLOCKS */
	uint8_t		undecided;		/* a union or intersection of nothing yet:
								 * takes the shape of the first filter it meets */
	uint8_t		pending;		/* how many wait in the ring */
	uint8_t		zero;			/* hashes: is (0, 0), which marks a free slot,
								 * among them? */
	uint32_t	slots;			/* hashes: size of the table; positions: of
								 * the list */
	pds_bloom_shape shape;
	uint64_t	count;			/* how many hashes or positions */
	uint64_t	sorted;			/* positions: how many of them, from the first,
								 * are in ascending order and distinct */
	uint64_t	offset;			/* bits: where the array begins, in bytes from
								 * the start of the image */

	/*
	 * Hashes: pds_hash[slots].  Positions: uint64_t[slots].  Bits: the ring, if
	 * they are many, then the array at "offset", which the flushing of the
	 * ring keeps on a cache line's boundary.
	 */
	uint64_t	words[];
} pds_bloom_build;

static inline uint8_t *
pds_bloom_build_array(const pds_bloom_build *b)
{
	return (uint8_t *) b + b->offset;
}

static inline pds_hash *
pds_bloom_build_hashes(const pds_bloom_build *b)
{
	return (pds_hash *) b->words;
}

/* Bytes of an image that holds all bits. */
extern size_t pds_bloom_bits_size(uint64_t bits);

/* Bytes of the smallest image there is, and of the best one to begin with. */
#define PDS_BLOOM_FIRST_SIZE	128
extern size_t pds_bloom_first_size(const pds_bloom_shape *s);

/*
 * Make an empty filter in size bytes at b, aligned to 8.  The varlena word is left alone.
 */
extern void pds_bloom_build_init(pds_bloom_build *b, size_t size, const pds_bloom_shape *s);

/* Make an automatic filter for a rate (base/decimal.h, not 0), mostly PDS_BLOOM_AUTO_RATE. */
extern void pds_bloom_build_init_automatic(pds_bloom_build *b, size_t size, uint16_t rate);

/* The image that a state should move to. */
typedef struct pds_bloom_plan
{
	size_t		size;
	pds_bloom_mode mode;
	pds_bloom_shape shape;
} pds_bloom_plan;

/* Make an empty filter by a plan. */
extern void pds_bloom_build_init_planned(pds_bloom_build *b, const pds_bloom_plan *plan);

/*
 * Plan an image of plan->shape for so many positions, with a third to spare; or for bits, where
 * these are better.
 */
extern void pds_bloom_plan_positions(uint64_t count, pds_bloom_plan *plan);

/*
 * For a new image that is expected to get so many keys: all bits, if half of the keys would make
 * it so.  Returns false if they would not, or the bits take more than "most" bytes, and for an
 * automatic filter, whose shape follows from the keys in its table.
 */
extern bool pds_bloom_plan_start(const pds_bloom_build *b, uint64_t keys, size_t most,
								 pds_bloom_plan *plan);

/*
 * Before a union of b with "count" hashes, positions or, for BITS, whatever
 * array of this shape.  Returns false when b will do as it is.  An undecided b
 * takes the shape.  Positions are put in order.
 */
extern bool pds_bloom_plan_merge(pds_bloom_build *b, const pds_bloom_shape *s,
								 pds_bloom_mode mode, uint64_t count, pds_bloom_plan *plan);

/*
 * Before the state is stored: an image as positions or bits, and of a decided shape.  The shape
 * of an automatic filter is for at least "least" keys (1 or more).  Returns PDS_OK when b will do
 * as it is.  Returns PDS_FULL when it should move by the plan first, and PDS_TOO_LARGE when an
 * automatic filter holds more than it can.  Empties the ring.
 */
extern pds_status pds_bloom_plan_finish(pds_bloom_build *b, uint64_t least, pds_bloom_plan *plan);

/* How many distinct keys an automatic filter can hold at a rate. */
extern uint64_t pds_bloom_auto_limit(uint16_t rate);

/* Work in the hashes that wait in the ring; put positions in order. */
extern void pds_bloom_flush(pds_bloom_build *b);

/* Set in an array of shape.bits bits what is set in an image of positions or bits. */
extern void pds_bloom_build_or(const pds_bloom_build *b, uint8_t *array);

/* Add to an image without a ring.  Errors: PDS_FULL. */
extern pds_status pds_bloom_add_slowly(pds_bloom_build *b, pds_hash h);

/*
 * Add a key by its hash.  Errors: PDS_FULL.  The kind of value is the caller's
 * business.
 */
static inline pds_status
pds_bloom_add(pds_bloom_build *b, pds_hash h)
{
	pds_hash   *wait;

	if (b->mode != PDS_BLOOM_BITS || b->shape.bits < PDS_BLOOM_RING_BITS ||
		b->shape.family != PDS_BLOOM_BLOCKED)
		return pds_bloom_add_slowly(b, h);
	wait = &pds_bloom_build_hashes(b)[b->pending++];
	wait->h1 = pds_bloom_block_of(h.h1, b->shape.bits) / 8;
	wait->h2 = h.h2;
	__builtin_prefetch(pds_bloom_build_array(b) + wait->h1, 1);
	if (b->pending == PDS_BLOOM_RING)
		pds_bloom_flush(b);
	return PDS_OK;
}

/*
 * The shape that the union or intersection of two filters of the same shape
 * has: they may still differ in what they were planned for.
 */
extern void pds_bloom_join_shapes(pds_bloom_shape *s, const pds_bloom_shape *other);

/*
 * The union of two images of the same shape (or both automatic); "from" is not
 * changed.  Errors: PDS_FULL, after which it may be said again;
 * PDS_PARAMETER_MISMATCH.
 */
extern pds_status pds_bloom_merge_build(pds_bloom_build *b, const pds_bloom_build *from);

/* ---------- the stored form ---------- */

/* A stored filter, read in place. */
typedef struct pds_bloom_view
{
	PDS_VIEW_HEAD;				/* data_at: where data (or the directory) begin */
	pds_bloom_shape shape;
	uint64_t	count;			/* if sparse: bits that are set */
	uint64_t	used;			/* cells in which there are any */
	pds_coded_list list;		/* of these cells */
} pds_bloom_view;

/* The longest header that stands before the data. */
#define PDS_BLOOM_MAX_PREFIX	40

/* Bits of a cell: of these a sparse filter is the list. */
#define PDS_BLOOM_MAX_CELL_BITS	PDS_BLOOM_SINGLE_BITS

static inline uint32_t
pds_bloom_cell_bits(const pds_bloom_shape *s)
{
	if (s->bits <= PDS_BLOOM_SINGLE_BITS)
		return (uint32_t) s->bits;
	return s->family == PDS_BLOOM_BLOCKED ? PDS_BLOOM_BLOCK_BITS : PDS_BLOOM_MAX_CELL_BITS;
}

/* pds_bloom_open() and pds_bloom_check() */
PDS_VIEW_FUNCTIONS(bloom);

/*
 * Finds whether a key is in the filter, 1 or 0.  Fetches only the bytes that it must see, and
 * nothing after the first zero bit.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_bloom_view_contains(const pds_bloom_view *v, pds_hash h,
										  pds_fetch fetch, void *context, uint64_t *found);

/*
 * Would that read the same bytes in two payloads of the same length, the first of which is the
 * view's?  Heads are compared, too.  Of sparse filters.
 */
extern bool pds_bloom_same_probe(const pds_bloom_view *v, const uint8_t *other, pds_hash h);

/* These read the whole payload.  Errors: PDS_CORRUPT. */

/* v->count positions in ascending order, of a sparse filter */
extern pds_status pds_bloom_view_positions(const pds_bloom_view *v, uint64_t *out);

/*
 * Calls "use" for each cell of a sparse filter that has a bit set, in ascending order.  The bits
 * of a cell are an array of len bytes.  In the array of all bits they begin at the byte "at".
 */
typedef void (*pds_bloom_use_cell) (void *context, size_t at, const uint8_t *bits, size_t len);
extern pds_status pds_bloom_view_each_cell(const pds_bloom_view *v, pds_bloom_use_cell use,
										   void *context);

/* set in an array of shape.bits bits what is set in the filter */
extern pds_status pds_bloom_view_or(const pds_bloom_view *v, uint8_t *array);

/* are all bits of a set in b, of the same shape?  Stops at the first that is not */
extern bool pds_bloom_view_within(const pds_bloom_view *a, const pds_bloom_view *b);

/* union, and intersection (b not as hashes); b and v of the same shape */
extern pds_status pds_bloom_merge_view(pds_bloom_build *b, const pds_bloom_view *v);
extern pds_status pds_bloom_intersect_view(pds_bloom_build *b, const pds_bloom_view *v);

/* How the stored form will be of an image that pds_bloom_plan_finish() has nothing against. */
typedef struct pds_bloom_encoding
{
	size_t		bytes;			/* the most that it can take */
	size_t		scratch;		/* none */
	uint8_t		encoding;
	uint64_t	count;
	uint64_t	used;
} pds_bloom_encoding;

/* Write the head of a filter; returns its length.  For filters made otherwise. */
extern size_t pds_bloom_write_head(const pds_bloom_shape *s, uint8_t encoding,
								   pds_kind kind, uint8_t *out);

/* pds_bloom_rebuild() and others, and pds_bloom_ops: state_ops.h */
PDS_STATE_FUNCTIONS(bloom);

#endif
