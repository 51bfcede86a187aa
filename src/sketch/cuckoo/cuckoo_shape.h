/*
 * cuckoo_shape.h: what a cuckoo filter is, before there is anything in it
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_SHAPE_H
#define PDS_SKETCH_CUCKOO_CUCKOO_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "bits.h"
#include "murmur3.h"
#include "status.h"

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

#endif
