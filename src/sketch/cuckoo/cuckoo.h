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
#include "cuckoo_image.h"
#include "cuckoo_shape.h"

/* Encodings of the stored form. */
#define PDS_CUCKOO_EMPTY	PDS_ENCODING_EMPTY
#define PDS_CUCKOO_CLASSES	1	/* copies are told of the classes that have some */
#define PDS_CUCKOO_COUNTS	2	/* copies are told of every class */

/* ---------- the building form ---------- */

/*
 * Make an empty filter of PDS_CUCKOO_FIRST_SIZE bytes at b, aligned to 8.  The varlena
 * word is left alone; asked_... are zero.
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
