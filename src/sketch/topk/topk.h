/*
 * topk.h: the most frequent values, and how frequent they are
 *
 * Misra, Gries, "Finding repeated elements", 1982, in the form of Metwally, Agrawal, El Abbadi,
 * "Efficient computation of frequent and top-k elements in data streams", 2005 (SpaceSaving).
 * The merge is that of Agarwal, Cormode, Huang, Phillips, Wei, Yi, "Mergeable summaries", 2012.
 *
 * A sketch that reports the k most frequent values counts up to
 *
 *     k' = max(2048, 16 k)
 *
 * of them, or up to another number k' of at least k that was chosen.  It consists of the total N
 * of all weights, an offset o, and items.  An item is a value, identified by the first 64 bits of
 * its hash, with its text, an upper bound u of its frequency and an error e.  The true frequency f
 * of every value satisfies
 *
 *     u - e <= f <= u    if the value is in the sketch
 *     0     <= f <= o    if it is not
 *
 * and always o <= N / (k' + 1): every value of frequency above N / k' is there,
 * whatever the order of rows and the tree of merges (proof in topk.c).
 *
 *     add      a weight w to a value in the sketch: u grows by w.
 *              To a new one: u = o + w, e = o.
 *     purge    when there are too many items: o becomes the (k' + 1)-th largest
 *              u, and only the k' largest stay; of the same u, those of the
 *              smallest hashes.
 *     merge    u and e of a value in both are added up.  One that is in one sketch only
 *              may have occurred up to o times in the other: that is added to its
 *              u and its e.  N and o are added up; a purge if necessary.
 *
 * While a sketch is being built it holds up to 2 k' items, so that a purge is worth its while;
 * at rest, when it is stored, up to k'.  Up to k' distinct values, nothing is ever purged, o =
 * e = 0, and every count is exact.  The stored bytes depend only on the sum of the weights of
 * each value.  With more values, the bytes depend on the order of rows and merges, but the
 * bounds above always hold.
 */
#ifndef PDS_SKETCH_TOPK_TOPK_H
#define PDS_SKETCH_TOPK_TOPK_H

#include "state_ops.h"

#define PDS_TOPK_MAX_K			10000
#define PDS_TOPK_DEFAULT_K		20

/* How many counters there are where none were chosen: at least, and for each of the k. */
#define PDS_TOPK_MIN_COUNTERS	2048
#define PDS_TOPK_COUNTERS_PER_K	16

/* The most counters that there can be. */
#define PDS_TOPK_MAX_COUNTERS	(PDS_TOPK_COUNTERS_PER_K * PDS_TOPK_MAX_K)

/*
 * The longest text of a value that is kept whole, in bytes.  A longer text is cut, and
 * PDS_TOPK_CUT_MARK is appended.  So an item's text that is longer than PDS_TOPK_MAX_TEXT has
 * been cut, and the hash of its value cannot be computed from it.
 */
#define PDS_TOPK_MAX_TEXT		4096
#define PDS_TOPK_CUT_MARK		" ..."
#define PDS_TOPK_CUT_BYTES		4
#define PDS_TOPK_MAX_ITEM_TEXT	(PDS_TOPK_MAX_TEXT + PDS_TOPK_CUT_BYTES)

/*
 * Cut a text in UTF-8 of more than PDS_TOPK_MAX_TEXT bytes between two characters.
 * "out" takes PDS_TOPK_MAX_ITEM_TEXT bytes; returns how many it has now.
 */
extern uint32_t pds_topk_cut_text(const char *text, char *out);

/* The largest total. */
#define PDS_TOPK_MAX_TOTAL		((uint64_t) INT64_MAX)

/* Encodings of the stored form. */
#define PDS_TOPK_EMPTY	PDS_ENCODING_EMPTY
#define PDS_TOPK_ITEMS	1

/* k' where none was chosen.  At rest a sketch has no more than k' items. */
static inline uint32_t
pds_topk_usual_counters(uint32_t k)
{
	uint32_t	counters = PDS_TOPK_COUNTERS_PER_K * k;

	return counters > PDS_TOPK_MIN_COUNTERS ? counters : PDS_TOPK_MIN_COUNTERS;
}

/* Can a sketch of this k have so many counters? */
static inline bool
pds_topk_counters_valid(uint32_t k, uint32_t counters)
{
	return counters >= k && counters <= PDS_TOPK_MAX_COUNTERS;
}

/* ---------- the building form ---------- */

/*
 * From the front of an image: its head, what finds an item by its hash, and three
 * arrays of equally many places.  From its end backwards: the reference, and the
 * items' texts, each behind its length, 2 bytes.  What is free lies between.
 *
 *     | head | index | entries | where texts begin | errors   free   ... texts, reference |
 *
 * Small images have no index: an item is at the place that its hash says, or at the
 * next free one.  Among thousands of groups every cache line is a miss, and this
 * takes the fewest.  Larger images have an index, a hash table of item numbers, and
 * items in the order in which they came.
 *
 * Values of a group often begin alike: https://www.example.org/...  A small image whose texts
 * determine their hashes keeps one of them, or its first 255 bytes, as the reference.  An item
 * stores how many bytes it shares with the reference, and only the rest of its text.
 *
 * There are errors once any is above 0.
 */
typedef struct pds_topk_build
{
	PDS_STATE_HEAD(uint8_t undecided);	/* a union of nothing yet: takes the k and the
								 * counters of the first sketch that it meets */
	uint32_t	k:14,
				counters:18;	/* k' */
	uint32_t	size;			/* of the image, in bytes */
	uint32_t	places;
	uint32_t	items:22,
				errors:1,		/* 1 if there are errors, 0 if all are 0 */
				indexed:1,		/* 1 if there is an index, of two slots a place */
				reference:8;	/* its length; 0 for none, as in all images with an index */
	uint32_t	text_bytes;		/* from the start of the last text to the image's end */
	uint64_t	total;			/* N */
	uint64_t	offset;			/* o */

	/*
	 * Slots have 4 bytes: 0 if free, otherwise 1 + the item's number, and above that bits of
	 * its hash.  With these bits, most slots of other items are skipped without reading the
	 * items.
	 */
	uint32_t	words[];
} pds_topk_build;

typedef struct pds_topk_entry
{
	uint64_t	hash;
	uint64_t	upper;			/* u, not below the offset; 0 if the place is free */
} pds_topk_entry;

/* Bytes of a place: its entry, where its text begins, and perhaps its error. */
#define PDS_TOPK_PLACE_BYTES	(sizeof(pds_topk_entry) + sizeof(uint32_t))
#define PDS_TOPK_ERROR_BYTES	sizeof(uint64_t)

/* Before the rest of each text, its length. */
#define PDS_TOPK_LENGTH_BYTES	sizeof(uint16_t)

/*
 * Without an index, the bits of a text's start that say where it is; those above say how many
 * bytes it shares with the reference.
 */
#define PDS_TOPK_START_BITS		24
#define PDS_TOPK_START_MASK		((UINT32_C(1) << PDS_TOPK_START_BITS) - 1)
#define PDS_TOPK_MAX_REFERENCE	255

/* Places of the largest images without an index. */
#define PDS_TOPK_SMALL_PLACES	2048

/* Bits of a slot that tell the item; the others are of its hash. */
#define PDS_TOPK_NUMBER_BITS	19
#define PDS_TOPK_NUMBER_MASK	((UINT32_C(1) << PDS_TOPK_NUMBER_BITS) - 1)

/* Bytes of an image to begin with. */
#define PDS_TOPK_FIRST_SIZE		256

/*
 * The largest image: what fits in a value of the server (1 GB less one byte).
 * That is enough for k' items of the longest text at any k.
 */
#define PDS_TOPK_MAX_SIZE		UINT32_C(0x3ffffff8)

/* The number of slots of the index; 0 without an index. */
static inline uint32_t
pds_topk_slots(const pds_topk_build *b)
{
	return b->indexed ? 2 * b->places : 0;
}

static inline pds_topk_entry *
pds_topk_entries(const pds_topk_build *b)
{
	return (pds_topk_entry *) (b->words + pds_topk_slots(b));
}

/* Where texts begin, in bytes before the image's end, and what they share with the reference. */
static inline uint32_t *
pds_topk_starts(const pds_topk_build *b)
{
	return (uint32_t *) (pds_topk_entries(b) + b->places);
}

static inline uint64_t *
pds_topk_errors(const pds_topk_build *b)
{
	return (uint64_t *) (pds_topk_starts(b) + b->places);
}

/* Items are at places from 0 to below this; places with upper = 0 are free. */
static inline uint32_t
pds_topk_extent(const pds_topk_build *b)
{
	return !b->indexed ? b->places : b->items;
}

/* What is stored of the text of the item at place i: its end, behind what it shares. */
static inline const char *
pds_topk_rest(const pds_topk_build *b, uint32_t i, uint32_t *shared, uint32_t *len)
{
	uint32_t	start = pds_topk_starts(b)[i];
	const char *rest;
	uint16_t	bytes;

	*shared = 0;
	if (!b->indexed)
	{
		*shared = start >> PDS_TOPK_START_BITS;
		start &= PDS_TOPK_START_MASK;
	}
	rest = (const char *) b + b->size - start;
	memcpy(&bytes, rest, PDS_TOPK_LENGTH_BYTES);
	*len = bytes;
	return rest + PDS_TOPK_LENGTH_BYTES;
}

/* The text that others share their beginning with. */
static inline const char *
pds_topk_reference(const pds_topk_build *b)
{
	return (const char *) b + b->size - b->reference;
}

/*
 * The text of the item at place i: in the image, or put together in "whole", which takes
 * PDS_TOPK_MAX_ITEM_TEXT bytes.
 */
static inline const char *
pds_topk_text(const pds_topk_build *b, uint32_t i, char *whole, uint32_t *len)
{
	uint32_t	shared;
	const char *rest = pds_topk_rest(b, i, &shared, len);

	if (shared == 0)
		return rest;
	memcpy(whole, pds_topk_reference(b), shared);
	memcpy(whole + shared, rest, *len);
	*len += shared;
	return whole;
}

/* How many bytes all texts and their lengths take if they share nothing. */
extern size_t pds_topk_text_bytes(const pds_topk_build *b);

/* The error e of the item at place i. */
static inline uint64_t
pds_topk_error(const pds_topk_build *b, uint32_t i)
{
	return b->errors ? pds_topk_errors(b)[i] : 0;
}

/*
 * Returns where the search for a hash begins, among so many places or slots.  Of items that are
 * equally frequent those of the smallest hashes stay, so their upper bits are much alike.
 */
static inline uint32_t
pds_topk_home(uint64_t hash, uint32_t n)
{
	return (uint32_t) (((hash & UINT32_MAX) * n) >> 32);
}

/* The bits of a hash in its slot. */
static inline uint32_t
pds_topk_tag(uint64_t hash)
{
	return (uint32_t) hash << PDS_TOPK_NUMBER_BITS;
}

/*
 * Returns where the search for a hash begins in an image of this shape, without reading the
 * image.  Groups are often alike, so the shape of the last one is a good guess for the next.
 */
typedef struct pds_topk_shape
{
	uint32_t	places;			/* of the image, and whether it has an index */
	uint32_t	indexed;
} pds_topk_shape;

static inline bool
pds_topk_has_shape(const pds_topk_build *b, pds_topk_shape shape)
{
	return b->places == shape.places && b->indexed == shape.indexed;
}

/* An address to be prefetched: b may be NULL, or an image of another shape. */
static inline const void *
pds_topk_likely_place(const pds_topk_build *b, pds_topk_shape shape, uint64_t hash)
{
	uint32_t	at = shape.indexed ?
		pds_topk_home(hash, 2 * shape.places) * (uint32_t) sizeof(uint32_t) :
		pds_topk_home(hash, shape.places) * (uint32_t) sizeof(pds_topk_entry);

	return (const void *) ((uintptr_t) b + offsetof(pds_topk_build, words) + at);
}

/* The item of the value with this hash, or NULL. */
static inline pds_topk_entry *
pds_topk_find(const pds_topk_build *b, uint64_t hash)
{
	pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t	slots;
	uint32_t	i;

	if (!b->indexed)
	{
		for (i = pds_topk_home(hash, b->places); entries[i].hash != hash || entries[i].upper == 0;)
		{
			if (entries[i].upper == 0)
				return NULL;
			if (++i == b->places)
				i = 0;
		}
		return &entries[i];
	}
	slots = 2 * b->places;
	for (i = pds_topk_home(hash, slots); b->words[i] != 0;)
	{
		uint32_t	slot = b->words[i];

		if ((slot & ~PDS_TOPK_NUMBER_MASK) == pds_topk_tag(hash))
		{
			pds_topk_entry *e = &entries[(slot & PDS_TOPK_NUMBER_MASK) - 1];

			if (e->hash == hash)
				return e;
		}
		if (++i == slots)
			i = 0;
	}
	return NULL;
}

/*
 * Make an empty sketch of PDS_TOPK_FIRST_SIZE bytes at b, aligned to 8.  The
 * varlena word is left alone.  k and counters must be pds_topk_counters_valid().
 */
extern void pds_topk_build_init(pds_topk_build *b, uint32_t k, uint32_t counters);

/* The image that a state should move to. */
typedef struct pds_topk_plan
{
	size_t		size;
	uint32_t	slots;
	uint32_t	places;
	uint32_t	reference_of;	/* the reference is the text at this place of the old image; or
								 * PDS_TOPK_SAME_REFERENCE */
	uint16_t	errors;
} pds_topk_plan;

#define PDS_TOPK_SAME_REFERENCE	UINT32_MAX

/*
 * Before b takes so many new items, whose texts have so many bytes in all, and
 * (if "errors") an offset above 0.  Returns false when b will do as it is.
 */
extern bool pds_topk_plan_space(const pds_topk_build *b, uint32_t items, size_t text_bytes,
							   bool errors, pds_topk_plan *plan);

/*
 * Add a weight above 0 to a value that is in the sketch already.  Returns false
 * when it is not, or when the total would be too large.
 */
static inline bool
pds_topk_count(pds_topk_build *b, uint64_t hash, uint64_t weight)
{
	pds_topk_entry *e = pds_topk_find(b, hash);

	if (e == NULL || weight > PDS_TOPK_MAX_TOTAL - b->total)
		return false;
	e->upper += weight;
	b->total += weight;
	return true;
}

/*
 * Add a weight above 0 to any value; of a new one the text is kept (len at most
 * PDS_TOPK_MAX_ITEM_TEXT).  The kind of value is the caller's business.  Errors:
 * PDS_FULL; PDS_OVERFLOW if the total would be above PDS_TOPK_MAX_TOTAL.
 */
extern pds_status pds_topk_add(pds_topk_build *b, uint64_t hash, uint64_t weight,
							   const char *text, uint32_t len);

/*
 * The union of two images of the same k and k'; "from" is not changed.  b must have
 * the space that pds_topk_plan_space() says for from->items and pds_topk_text_bytes(from)
 * (PDS_FULL if not, after which b is of no use).  Errors: PDS_OVERFLOW,
 * PDS_PARAMETER_MISMATCH; after these nothing is changed.
 */
extern pds_status pds_topk_merge_build(pds_topk_build *b, const pds_topk_build *from);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_topk_view
{
	PDS_VIEW_HEAD;				/* data_at: where the items' numbers begin */
	uint32_t	k;
	uint32_t	counters;		/* k' */
	uint64_t	total;
	uint64_t	offset;
	uint32_t	items;
	uint32_t	record_bytes;	/* texts, and hashes that do not follow from these */
} pds_topk_view;

/* The longest header that stands before them. */
#define PDS_TOPK_MAX_PREFIX		40

/* The most bytes of a stored sketch whose items' texts have up to so many bytes. */
static inline size_t
pds_topk_most_bytes(uint32_t counters, size_t text)
{
	/* three numbers, and a hash */
	return PDS_TOPK_MAX_PREFIX + counters * (9 + 9 + 2 + text + 8);
}

/*
 * pds_topk_open(); pds_topk_check(), which leaves pds_topk_distinct() and the encoding of the
 * texts to the caller
 */
PDS_VIEW_FUNCTIONS(topk);

/*
 * Returns whether all values of a view whose payload passed the check are different.  Takes
 * memory for v->items numbers.
 */
extern bool pds_topk_distinct(const pds_topk_view *v, uint64_t *scratch);

/* An item as it is read, in falling order of u. */
typedef struct pds_topk_item
{
	uint64_t	upper;
	uint64_t	error;
	const char *text;
	uint32_t	len;
	const uint8_t *stored_hash; /* NULL where the text tells it */
} pds_topk_item;

typedef struct pds_topk_cursor
{
	const pds_topk_view *v;
	uint32_t	left;			/* items still to be read */
	const uint8_t *number;		/* the next item's */
	const uint8_t *record;
	uint64_t	upper;			/* of the item before */
} pds_topk_cursor;

/* Read the items of a view whose payload is all in memory. */
extern void pds_topk_items_from(pds_topk_cursor *c, const pds_topk_view *v);

/*
 * The next of c->left items.  Errors: PDS_CORRUPT, also for bytes that are no
 * sketch; in no case is memory read outside of the payload.
 */
extern pds_status pds_topk_next(pds_topk_cursor *c, pds_topk_item *item, const char **why);

/* The hash of an item that was read from a sketch of this kind. */
extern uint64_t pds_topk_item_hash(pds_kind kind, const pds_topk_item *item);

/*
 * Look for the value with this hash.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_topk_lookup(const pds_topk_view *v, uint64_t hash,
								  bool *found, pds_topk_item *item);

/*
 * For more than one such question: a view whose payload is all in memory as a building image of
 * its items without their texts, for pds_topk_find().  Errors: PDS_CORRUPT, after which the image
 * is of no use.
 */
extern size_t pds_topk_unpacked_size(const pds_topk_view *v);
extern pds_status pds_topk_unpack(const pds_topk_view *v, pds_topk_build *to);

/*
 * Add a stored sketch of the same k to a building one, which must have the space
 * that pds_topk_plan_space() says for v->items and v->record_bytes.  Errors: as
 * pds_topk_merge_build; PDS_CORRUPT, after which b is of no use.
 */
extern pds_status pds_topk_merge_view(pds_topk_build *b, const pds_topk_view *v);

/* Items that are purged before storing are only left out of the stored form. */
typedef pds_encoding pds_topk_encoding;

/* pds_topk_rebuild() and others, and pds_topk_ops: state_ops.h */
PDS_STATE_FUNCTIONS(topk);

#endif
