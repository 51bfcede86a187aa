/*
 * cuckoo.h: cuckoo filters, a set that forgets
 *
 * Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo filter: practically better than Bloom",
 * 2014.  A value is a fingerprint of a few bits in one of two buckets of a table.  Either
 *        bucket follows from the other and the fingerprint, so a fingerprint can move and make
 *        space for another.  Values that were added can be removed.
 *
 * From hash to table.  A filter divides all hashes into M classes,
 *
 *     M     = ceil(capacity / rate)
 *     class = floor(h1 * M / 2^64)
 *
 * and holds how many copies of each class there are.  The filter never answers "no" for a value
 * that it holds.  It answers "yes" for another value if the class of that value is held.  With
 * D classes held, this happens at a rate of D / M.  At D = capacity that is the promised rate.
 * D is never more than the number of distinct values held.
 *
 * A table of N buckets (N even) of four slots divides a class further,
 *
 *     F           = ceil(M / (N / 2))
 *     fingerprint = class mod F
 *     one bucket  = 2 * floor(class / F)                               (even)
 *     the other   = (odd number from the fingerprint - one bucket) mod N     (odd)
 *
 * so that N and F are free: the larger the table, the shorter the fingerprint, and neither
 * is part of what the filter is.  (Classes are pairs of buckets times fingerprints.  For
 * a table that is filled to a load a that is the paper's rate, 8a / F.)  A filter that
 * holds more than its capacity has a larger table and no class is lost; its rate is what
 * D / M says.
 *
 * The state, and so its stored bytes, depends on nothing but capacity, rate and the
 * number of copies of each class.
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_H
#define PDS_SKETCH_CUCKOO_CUCKOO_H

#include "coded_list.h"
#include "state_ops.h"

/* ---------- what a filter is, before there is anything in it ---------- */

/* The shape of a union that has met nothing. */
#define PDS_CUCKOO_DEFAULT_CAPACITY	1000000
#define PDS_CUCKOO_DEFAULT_RATE		0.01

/* The greatest capacity, and the most classes; a class and a flag fit into a word. */
#define PDS_CUCKOO_MAX_CAPACITY	(UINT64_C(1) << 32)
#define PDS_CUCKOO_MAX_CLASSES	(UINT64_C(1) << 62)

/* The most copies that a filter holds, of all values together. */
#define PDS_CUCKOO_MAX_COUNT	((uint64_t) INT64_MAX)

/*
 * The parameters of a filter, which an empty one has, too.  Only filters of the same shape can
 * be merged.
 */
typedef struct pds_cuckoo_shape
{
	uint64_t	capacity;		/* for how many distinct values, at least 1 */
	uint64_t	classes;		/* ceil(capacity / rate) */
	uint16_t	rate;			/* base/decimal.h */
	uint16_t	unused[3];		/* 0: a state goes where the server wants all bytes known */
} pds_cuckoo_shape;

/*
 * The shape for a capacity of 1 to PDS_CUCKOO_MAX_CAPACITY and a rate (a code of
 * base/decimal.h, not 0).  Whole numbers only, so the same on every machine.
 */
extern void pds_cuckoo_shape_for(uint64_t capacity, uint16_t rate, pds_cuckoo_shape *s);

/*
 * Returns whether a table for the capacity fits in a value of the server.  A filter may have a
 * larger capacity, provided that it never fills it.
 */
extern bool pds_cuckoo_fits(const pds_cuckoo_shape *s);

/* The greatest capacity at this rate for which it does. */
extern uint64_t pds_cuckoo_max_capacity(uint16_t rate);

static inline bool
pds_cuckoo_same_shape(const pds_cuckoo_shape *a, const pds_cuckoo_shape *b)
{
	return a->capacity == b->capacity && a->rate == b->rate;
}

/* The class of a value, from 0 to classes - 1. */
static inline uint64_t
pds_cuckoo_class(pds_hash h, const pds_cuckoo_shape *s)
{
	return pds_mulhi64(h.h1, s->classes);
}

/* Encodings of the stored form. */
#define PDS_CUCKOO_EMPTY	PDS_ENCODING_EMPTY
#define PDS_CUCKOO_CLASSES	1	/* copies are told of the classes that have some */
#define PDS_CUCKOO_COUNTS	2	/* copies are told of every class */

/* ---------- the building form ---------- */

/*
 * As it lies in memory:
 *
 *     0                  pds_cuckoo_build
 *     ...                ring       classes that were added and wait for their buckets,
 *                                   uint64_t[ring]
 *     ...                stash      hash table of linear probing, pds_cuckoo_stash[]
 *     ...                buckets    of four slots of 1, 2, 4 or 8 bytes each
 *
 * A slot is all ones if it is free, or else
 *
 *     (copies - 1) << fingerprint_bits | fingerprint
 *
 * A class is in one slot at most.  The stash has the copies that a slot cannot count, and
 * the classes that found no slot (they are homeless).
 */

#define PDS_CUCKOO_SLOTS	4	/* of a bucket */

/*
 * Large tables have a ring: classes wait in it while their buckets are fetched, and are
 * worked in many at a time, so that the cache misses overlap.
 */
#define PDS_CUCKOO_RING			16
#define PDS_CUCKOO_RING_BYTES	((size_t) 1 << 18)

/* A class and the number of its copies; the slot is free if that is 0. */
typedef struct pds_cuckoo_stash
{
	uint64_t	class;
	uint64_t	copies;
} pds_cuckoo_stash;

typedef struct pds_cuckoo_build
{
	PDS_STATE_HEAD(uint8_t undecided);	/* a union of nothing yet: takes the shape of the first
								 * filter that it meets */
	uint8_t		width;			/* bytes of a slot */
	uint8_t		fingerprint_bits;
	uint8_t		ring;			/* size of the ring: 0 or PDS_CUCKOO_RING */
	uint8_t		pending;		/* how many wait in it, in the total already */
	pds_cuckoo_shape shape;
	uint64_t	total;			/* copies, of all classes */
	uint64_t	used;			/* slots taken */
	uint64_t	buckets;		/* N; even */
	uint64_t	fingerprints;	/* F */
	uint64_t	reciprocal;		/* floor((2^64 - 1) / F) */
	uint32_t	stash_slots;	/* a power of two */
	uint32_t	stash_used;		/* never above pds_cuckoo_stash_limit() */
	uint32_t	homeless;		/* how many of these classes have no slot */
	uint32_t	crowded;		/* 1: the buckets are full, the image must grow */
	uint64_t	resume;			/* in a union that had to grow: how much is done */

	uint64_t	words[];
} pds_cuckoo_build;

/* The image to begin with. */
#define PDS_CUCKOO_FIRST_STASH		4
#define PDS_CUCKOO_FIRST_BUCKETS	2	/* of slots that take any fingerprint */
#define PDS_CUCKOO_FIRST_SIZE \
	(sizeof(pds_cuckoo_build) + PDS_CUCKOO_FIRST_STASH * sizeof(pds_cuckoo_stash) + \
	 PDS_CUCKOO_FIRST_BUCKETS * PDS_CUCKOO_SLOTS * sizeof(uint64_t))

/*
 * Make an empty filter of PDS_CUCKOO_FIRST_SIZE bytes at b, aligned to 8.  The varlena
 * word is left alone.
 */
extern void pds_cuckoo_build_init(pds_cuckoo_build *b, const pds_cuckoo_shape *s);

/* The largest image: 1 GB less what the server takes. */
#define PDS_CUCKOO_MAX_IMAGE	((size_t) 0x3fffffff - 2047)

/* The image that a state should move to. */
typedef struct pds_cuckoo_plan
{
	size_t		size;			/* of the image, in bytes */
	uint64_t	buckets;		/* even */
	uint32_t	stash_slots;
	uint32_t	width;			/* bytes of a slot */
} pds_cuckoo_plan;

/*
 * Before b takes up to so many classes more.  Returns false when b will do as it is.
 */
extern bool pds_cuckoo_plan_space(const pds_cuckoo_build *b, uint64_t more,
								  pds_cuckoo_plan *plan);

/* Work in the classes that wait in the ring. */
extern void pds_cuckoo_flush(pds_cuckoo_build *b);

/*
 * Add a value by its hash.  The kind of value is the caller's business, but is forgotten
 * when all are removed.  Errors: PDS_FULL; PDS_TOO_LARGE if the image cannot grow;
 * PDS_OVERFLOW if the filter would hold more than PDS_CUCKOO_MAX_COUNT copies.  Nothing is
 * added then.
 */
extern pds_status pds_cuckoo_add(pds_cuckoo_build *b, pds_hash h);

/*
 * Remove one copy of a value.  Errors: PDS_NEGATIVE if no value of its class is held,
 * and nothing is changed.
 */
extern pds_status pds_cuckoo_remove(pds_cuckoo_build *b, pds_hash h);

/* How many copies of a value's class are held.  Nothing may wait in the ring. */
extern uint64_t pds_cuckoo_count(const pds_cuckoo_build *b, pds_hash h);

/* How many classes are held.  Nothing may wait in the ring. */
static inline uint64_t
pds_cuckoo_distinct(const pds_cuckoo_build *b)
{
	return b->used + b->homeless;
}

/*
 * Add all copies of another filter; "from" is not changed.  Errors: PDS_FULL, after which b has
 * to grow and the same call has to be repeated (b remembers how far it came).  PDS_TOO_LARGE
 * and PDS_OVERFLOW as above.  PDS_PARAMETER_MISMATCH if the shapes are not the same.
 */
extern pds_status pds_cuckoo_merge_build(pds_cuckoo_build *b, const pds_cuckoo_build *from);

/* ---------- the stored form ---------- */

/* A stored filter, read in place. */
typedef struct pds_cuckoo_view
{
	PDS_VIEW_HEAD;				/* data_at: where segments, or the directory, begin */
	pds_cuckoo_shape shape;
	uint64_t	distinct;		/* classes held */
	uint64_t	total;			/* copies, of all of them */
	pds_coded_list list;		/* of these classes */
} pds_cuckoo_view;

/* The longest header that stands before the data. */
#define PDS_CUCKOO_MAX_PREFIX	48

/*
 * The most bytes of a stored filter of as many values as its capacity, each added once, unless
 * somebody chooses them by their hashes.
 */
extern size_t pds_cuckoo_full_bytes(const pds_cuckoo_shape *s);

/* pds_cuckoo_open() and pds_cuckoo_check() */
PDS_VIEW_FUNCTIONS(cuckoo);

/*
 * Add all copies of a stored filter to a building one.  Errors: as
 * pds_cuckoo_merge_build(); PDS_CORRUPT, after which b is of no use.
 */
extern pds_status pds_cuckoo_merge_view(pds_cuckoo_build *b, const pds_cuckoo_view *v);

typedef pds_encoding pds_cuckoo_encoding;

/* ---------- answers from the stored form ---------- */

/*
 * How many copies of a value's class are held.  Fetches no more than a word of the
 * directory and one segment.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_cuckoo_view_count(const pds_cuckoo_view *v, pds_hash h,
										pds_fetch fetch, void *context, uint64_t *copies);

/*
 * Would that read the same bytes in two payloads of the same length, the first of which is
 * the view's?  Heads are compared, too.  Of filters that are not empty.
 */
extern bool pds_cuckoo_same_lookup(const pds_cuckoo_view *v, const uint8_t *other, pds_hash h);

/*
 * The classes of a filter that is not empty as an array, without their copies, and whether
 * a value's class is in it.  In native byte order, aligned to 4, never stored:
 *
 *     u32[parts + 1]   where each part begins in the list
 *     u16[distinct]    the low s bits of each class, in ascending order
 *
 * A part is of 2^s classes, of which some 8 to 16 are held, or fewer where s is 16.  The
 * size is 0 if it would be mostly parts of which nothing is held.  Errors:
 * PDS_CORRUPT.
 */
extern size_t pds_cuckoo_unpacked_size(const pds_cuckoo_view *v);
extern pds_status pds_cuckoo_unpack(const pds_cuckoo_view *v, uint8_t *to);
extern bool pds_cuckoo_unpacked_contains(const pds_cuckoo_view *v, const uint8_t *form,
										 pds_hash h);

/* ---------- how good the answers are ---------- */

/* The false-positive rate with so many classes held: distinct / M. */
static inline double
pds_cuckoo_rate(const pds_cuckoo_shape *s, uint64_t distinct)
{
	return (double) distinct / (double) s->classes;
}

/*
 * About how many distinct values are held, which can share classes:
 * -M ln(1 - distinct / M); with all classes held, as if half a class were missing.
 */
extern double pds_cuckoo_cardinality(const pds_cuckoo_shape *s, uint64_t distinct);

/* pds_cuckoo_rebuild() and others, and pds_cuckoo_ops: state_ops.h */
PDS_STATE_FUNCTIONS(cuckoo);

#endif
