/*
 * scalable_bloom.h: Bloom filters that grow, was this value among them
 *
 * Almeida, Baquero, Preguica, Hutchison, "Scalable Bloom filters", 2007.  A sketch is a
 * list of layers, each a Bloom filter (sketch/bloom).  A value goes into the last layer
 * unless some layer finds it already.  When the last layer is full, a new layer follows:
 *
 *     expansion    for "expansion" times as many keys as the layer before
 *     tightening   at a lower rate, so that the sum of all rates stays below the rate
 *                  that the sketch promises: the first layer takes one half of it, later
 *                  layers one fifth of what is left (scalable_bloom_layers.c)
 *
 * In the paper, every layer takes the same share of the remaining rate.  Here the first layer
 * takes one half, which keeps a sketch that an aggregate sized (one layer) near the size of a
 * bloom.  Later layers take one fifth, which keeps long chains small.
 *
 * A layer is full when as many of its bits are set as its capacity sets on average.
 * That follows from its bits, so nothing has to be counted beside them, and the fill
 * that the rate hangs on never exceeds what was planned.
 *
 * What the bytes depend on.  The stored form is a set of layers in an order that follows
 * from themselves, so
 *
 *   - the union of sketches is the union of their sets of layers, without layers that are
 *     contained in another.  It is associative, commutative and idempotent, so any order and
 *     tree of merges gives the same bytes.  The union of a sketch and an earlier state of it is
 *     the sketch.  In other unions, the rate is the sum of all layers' rates, which can exceed
 *     the promised one;
 *   - an aggregate over values keeps the distinct hashes and makes one layer of them at
 *     the end: the same bytes in any order of rows;
 *   - values added one at a time fill layers in the order in which they come.  Up to the first
 *     layer's capacity the order does not matter.  Beyond that it does.  A filter that grows
 *     without keeping its keys can only avoid that with log2(N / n) more bits a key.  N is the
 *     most keys that it will ever hold (doc/scalable_bloom.md).
 *
 * Families: PDS_BLOOM_BLOCKED; and PDS_BLOOM_REDIS, chains that were read from a dump of
 * RedisBloom (scalable_bloom_foreign.h) and grow by RedisBloom's rules.
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_H

#include "state_ops.h"
#include "bloom.h"

#define PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY		1000
#define PDS_SCALABLE_BLOOM_DEFAULT_RATE			0.01
#define PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION	2

/* Encodings of the stored form. */
#define PDS_SCALABLE_BLOOM_EMPTY	PDS_ENCODING_EMPTY
#define PDS_SCALABLE_BLOOM_LAYERS	1

#define PDS_SCALABLE_BLOOM_MAX_LAYERS		1024
#define PDS_SCALABLE_BLOOM_MAX_EXPANSION	32768

/* The smallest rate that can be promised: layers' rates go down to 1e-9. */
#define PDS_SCALABLE_BLOOM_MIN_RATE			1e-5

/* The requested parameters. */
typedef struct pds_scalable_bloom_parameters
{
	uint8_t		family;			/* PDS_BLOOM_BLOCKED or PDS_BLOOM_REDIS */
	uint8_t		unused;			/* 0 */
	uint16_t	rate;			/* promised, base/decimal.h; not 0 */
	uint32_t	expansion;		/* 1 to PDS_SCALABLE_BLOOM_MAX_EXPANSION; 0, of RedisBloom:
								 * it does not grow */
	uint64_t	capacity;		/* of the first layer, at least 1 */
} pds_scalable_bloom_parameters;

/* Returns whether the parameters are in their ranges, and a first layer can be made for them. */
extern bool pds_scalable_bloom_parameters_valid(const pds_scalable_bloom_parameters *p);

/* Returns the parameters of the union of two sketches of the same family: the larger of each. */
extern void pds_scalable_bloom_join_parameters(pds_scalable_bloom_parameters *p,
											   const pds_scalable_bloom_parameters *other);

/* ---------- the building form ---------- */

/*
 *     | head | closed layers | free | the open layer |
 *
 * A closed layer has 8 bytes, of which the first 4 are the layer's length, then the layer as it
 * is stored, then zeros up to a multiple of 8.  Closed layers are in no order.
 *
 * The open layer, if there is one, is the building form of a bloom and takes the rest of the
 * image.  Values are added to the open layer.  It is a list of positions or an array of bits.
 * If it is automatic, it collects an aggregate's hashes and is the only layer.
 */
typedef struct pds_scalable_bloom_build
{
	PDS_STATE_HEAD(uint8_t undecided);	/* a union of nothing yet: takes the parameters of the
								 * first sketch that it meets */
	uint32_t	size;			/* of the image, in bytes */
	uint32_t	layers;			/* closed ones */
	uint32_t	closed;			/* their bytes */
	uint32_t	open_at;		/* where the open layer is in the image; 0 without an open layer */
	uint64_t	set;			/* bits set in it, where it is an array and not automatic */
	uint64_t	full;			/* and how many are set when it is full */
	pds_scalable_bloom_parameters parameters;
	uint64_t	words[];
} pds_scalable_bloom_build;

/* The largest image: what fits in a value of the server (1 GB less one byte). */
#define PDS_SCALABLE_BLOOM_MAX_SIZE		UINT32_C(0x3ffffff8)

/* Bytes of the image to begin with. */
#define PDS_SCALABLE_BLOOM_FIRST_SIZE	256

/*
 * Make an empty sketch of PDS_SCALABLE_BLOOM_FIRST_SIZE bytes at b, aligned to 8.  The varlena
 * word is left alone.  "collect": values are collected, whatever their order, and
 * pds_scalable_bloom_plan_finish() makes one layer of them.  This layer is for no fewer keys
 * than the capacity, which is at most pds_scalable_bloom_collect_limit().  The family is
 * native.
 */
extern void pds_scalable_bloom_build_init(pds_scalable_bloom_build *b,
										  const pds_scalable_bloom_parameters *p, bool collect);

/* How many distinct values can be collected. */
extern uint64_t pds_scalable_bloom_collect_limit(uint16_t rate);

static inline pds_bloom_build *
pds_scalable_bloom_open_layer(const pds_scalable_bloom_build *b)
{
	return b->open_at != 0 ? (pds_bloom_build *) ((uint8_t *) b + b->open_at) : NULL;
}

static inline bool
pds_scalable_bloom_collects(const pds_scalable_bloom_build *b)
{
	return b->open_at != 0 && pds_scalable_bloom_open_layer(b)->automatic;
}

/* What a plan does with the open layer. */
typedef enum pds_scalable_bloom_step
{
	PDS_SCALABLE_BLOOM_GROW,	/* moves it to another image of a bloom */
	PDS_SCALABLE_BLOOM_OPEN,	/* no layer is open: opens the last one */
	PDS_SCALABLE_BLOOM_NEXT,	/* closes the open layer, if any, and begins the next layer */
	PDS_SCALABLE_BLOOM_CLOSE,	/* closes the open layer, if any */
	PDS_SCALABLE_BLOOM_STOP		/* nothing: the image would be too large */
} pds_scalable_bloom_step;

/* The image that a state should move to. */
typedef struct pds_scalable_bloom_plan
{
	size_t		size;
	pds_scalable_bloom_step step;
	pds_bloom_plan open;		/* of the open layer, if there will be one */
} pds_scalable_bloom_plan;

/*
 * Add a value by its hash in the sketch's family.  The kind of value is the caller's business.
 * Errors: PDS_FULL; PDS_TOO_LARGE when the last layer is full and there cannot be another one.
 */
extern pds_status pds_scalable_bloom_add(pds_scalable_bloom_build *b, pds_hash h);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_scalable_bloom_view
{
	PDS_VIEW_HEAD;				/* data_at: where the directory is, or the only layer */
	pds_scalable_bloom_parameters parameters;
	uint32_t	layers;
} pds_scalable_bloom_view;

/* The longest header that stands before that. */
#define PDS_SCALABLE_BLOOM_MAX_PREFIX	40

/* pds_scalable_bloom_open() and pds_scalable_bloom_check() */
PDS_VIEW_FUNCTIONS(scalable_bloom);

/*
 * Layer i of a view whose payload is all in memory, the smallest capacity first.  Layer 0 of an
 * empty sketch is what the first layer is going to be, and is empty, too.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_scalable_bloom_layer(const pds_scalable_bloom_view *v, uint32_t i,
										   pds_bloom_view *layer);

/*
 * Finds whether a key is in the sketch, 1 or 0.  Fetches only the bytes that it must see: the
 * layers from the last to the first, up to one that has the key.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_scalable_bloom_view_contains(const pds_scalable_bloom_view *v, pds_hash h,
												   pds_fetch fetch, void *context,
												   uint64_t *found);

/* ---------- storing ---------- */

/*
 * Before the state is stored: what was collected becomes a layer.  Returns PDS_OK when b
 * will do as it is, PDS_FULL when it should move by the plan first; PDS_TOO_LARGE
 * when more was collected than pds_scalable_bloom_collect_limit().
 */
extern pds_status pds_scalable_bloom_plan_finish(pds_scalable_bloom_build *b,
												 pds_scalable_bloom_plan *plan);

/* How it is going to be stored: memory for the bytes, and to work in. */
typedef struct pds_scalable_bloom_encoding
{
	size_t		bytes;
	size_t		scratch;
	pds_bloom_encoding open;	/* of the open layer */
} pds_scalable_bloom_encoding;

/* pds_scalable_bloom_rebuild() and others, and pds_scalable_bloom_ops: state_ops.h */
PDS_STATE_FUNCTIONS(scalable_bloom);

#endif
