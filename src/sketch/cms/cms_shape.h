/*
 * cms_shape.h: what a Count-Min sketch is, before there is anything in it, and where its
 * counters are
 */
#ifndef PDS_SKETCH_CMS_CMS_SHAPE_H
#define PDS_SKETCH_CMS_CMS_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "bits.h"
#include "murmur3.h"
#include "status.h"

/* The shape of a union that has met nothing, and of a sketch whose parameters nobody gives. */
#define PDS_CMS_DEFAULT_EPSILON	0.001
#define PDS_CMS_DEFAULT_DELTA	0.01

/* Rows for the smallest delta that base/decimal.h can express, 1e-9. */
#define PDS_CMS_MAX_DEPTH		21

/*
 * The most counters: of 8 bytes each they fit in a value of the server (1 GB
 * less one byte), with space for a header and the building form's head.
 */
#define PDS_CMS_MAX_COUNTERS	((UINT32_C(0x3fffffff) - 2047) / 8)

/* The largest counter, and the largest sum of weights. */
#define PDS_CMS_MAX_COUNT		((uint64_t) INT64_MAX)

#define PDS_CMS_MULTIPLIER		UINT64_C(0x9e3779b97f4a7c15)

/*
 * The parameters of a sketch, which an empty one has, too.  Only sketches of the same shape can
 * be merged.
 */
typedef struct pds_cms_shape
{
	uint32_t	width;
	uint16_t	epsilon;		/* base/decimal.h */
	uint16_t	delta;			/* base/decimal.h */
	uint8_t		depth;
	uint8_t		conservative;	/* 0 or 1 */
	uint16_t	unused;			/* 0: a state goes where the server wants all bytes known */
} pds_cms_shape;

/*
 * The shape for an epsilon and a delta, both as codes of base/decimal.h, not 0.
 * Whole numbers only, so the same on every machine.  Errors: PDS_TOO_LARGE if
 * that would be more than PDS_CMS_MAX_COUNTERS.
 */
extern pds_status pds_cms_shape_for(uint16_t epsilon, uint16_t delta, bool conservative,
									pds_cms_shape *s);

/* The smallest epsilon, as a code, that there is a shape for with this delta. */
extern uint16_t pds_cms_smallest_epsilon(uint16_t delta);

static inline bool
pds_cms_same_shape(const pds_cms_shape *a, const pds_cms_shape *b)
{
	return a->width == b->width && a->depth == b->depth &&
		a->epsilon == b->epsilon && a->delta == b->delta &&
		a->conservative == b->conservative;
}

/* How many counters there are. */
static inline uint32_t
pds_cms_counters(const pds_cms_shape *s)
{
	return s->width * s->depth;
}

/* The positions of a hash's counters, one in each row, ascending. */
static inline void
pds_cms_positions(pds_hash h, const pds_cms_shape *s, uint32_t at[PDS_CMS_MAX_DEPTH])
{
	uint64_t	x = h.h1;
	uint32_t	row = 0;

	for (int i = 0; i < s->depth; i++)
	{
		at[i] = row + (uint32_t) pds_mulhi64(x, s->width);
		row += s->width;
		x = x * PDS_CMS_MULTIPLIER + h.h2;
	}
}

#endif
