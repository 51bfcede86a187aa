/*
 * scalable_bloom_estimate.h: what the fill of a scalable Bloom filter's layers tells
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_ESTIMATE_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_ESTIMATE_H

#include "bloom_estimate.h"
#include "scalable_bloom.h"

/* What all layers come to. */
typedef struct pds_scalable_bloom_summary
{
	/*
	 * The sum of the layers' estimated numbers of keys.  A chain that grew has each key
	 * in one layer; layers that came together by a union can have keys in common, which
	 * are counted in each.
	 */
	double		keys;
	double		keys_error;		/* the standard error of that, where no keys are common */

	/*
	 * The share of foreign keys that some layer finds, at the layers' present fill and when all
	 * layers are full.  With the layers' rates p, q, ... it is 1 - (1 - p)(1 - q)...
	 */
	double		current_rate;
	double		design_rate;
	uint64_t	capacity;		/* of all layers */
	uint64_t	bits;
	uint64_t	set;			/* bits that are set */
} pds_scalable_bloom_summary;

/* Full layers have their planned rate on average; by less than this they are not above it. */
#define PDS_SCALABLE_BLOOM_TOLERANCE	1.05

/* Reads the whole payload, which is in memory.  Errors: PDS_CORRUPT. */
extern pds_status pds_scalable_bloom_summarize(const pds_scalable_bloom_view *v,
											   pds_scalable_bloom_summary *s);

/* The same of layer i alone, whose view is given, too. */
extern pds_status pds_scalable_bloom_summarize_layer(const pds_scalable_bloom_view *v, uint32_t i,
													 pds_bloom_view *layer,
													 pds_bloom_summary *sum);

#endif
