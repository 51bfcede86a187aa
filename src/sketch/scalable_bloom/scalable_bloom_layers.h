/*
 * scalable_bloom_layers.h: what layer follows, and in which order layers are
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_LAYERS_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_LAYERS_H

#include "scalable_bloom.h"

/* The shape of the first layer.  Errors: PDS_FULL if that is more than a bloom can be. */
extern pds_status pds_scalable_bloom_first_shape(const pds_scalable_bloom_parameters *p,
												 pds_bloom_shape *s);

/*
 * The shape of the layer after "last", when the layers' rates are "rates" in sum.  One that
 * would be larger than a bloom can be is as large as that.
 */
extern void pds_scalable_bloom_next_shape(const pds_scalable_bloom_parameters *p,
										  const pds_bloom_shape *last, double rates,
										  pds_bloom_shape *s);

/* The rate that a layer is planned for; 0 if it is not known. */
extern double pds_scalable_bloom_rate_of(const pds_bloom_shape *s);

/*
 * How many bits of a layer are set when it is full: as many as its capacity of keys sets
 * on average, 1 to s->bits.
 */
extern uint64_t pds_scalable_bloom_full_bits(const pds_bloom_shape *s);

/* How many bits are set in a stored layer that is all in memory. */
extern uint64_t pds_scalable_bloom_bits_set(const pds_bloom_view *v);

/* A layer and what it is sorted by. */
typedef struct pds_scalable_bloom_sorted
{
	pds_bloom_view view;
	uint64_t	set;
} pds_scalable_bloom_sorted;

/*
 * Returns a number below 0 if a comes before b, and 0 if they are the same bytes.  Layers are
 * ordered by ascending capacity, then falling rate, then falling number of bits set, then by
 * their bytes.  So the last layer is the one to fill.
 */
extern int	pds_scalable_bloom_compare(const void *a, const void *b);

/*
 * Returns whether two layers have the same shape, capacity and rate, and all bits of a are set
 * in b.  Then a is redundant.
 */
extern bool pds_scalable_bloom_within(const pds_bloom_view *a, const pds_bloom_view *b);

#endif
