/*
 * scalable_bloom_estimate.c: what the fill of a scalable Bloom filter's layers tells
 */
#include <math.h>

#include "poll.h"
#include "scalable_bloom_estimate.h"
#include "scalable_bloom_layers.h"

pds_status
pds_scalable_bloom_summarize_layer(const pds_scalable_bloom_view *v, uint32_t i,
								   pds_bloom_view *layer, pds_bloom_summary *sum)
{
	pds_poll();
	return pds_scalable_bloom_layer(v, i, layer) == PDS_OK ? pds_bloom_summarize(layer, sum) :
		PDS_CORRUPT;
}

static inline double
square(double x)
{
	return x * x;
}

pds_status
pds_scalable_bloom_summarize(const pds_scalable_bloom_view *v, pds_scalable_bloom_summary *s)
{
	double		variance = 0;
	double		none_now = 1;	/* that no layer finds a foreign key */
	double		none_full = 1;

	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; i < v->layers; i++)
	{
		pds_bloom_view layer;
		pds_bloom_summary sum;

		if (pds_scalable_bloom_summarize_layer(v, i, &layer, &sum) != PDS_OK)
			return PDS_CORRUPT;
		s->keys += pds_bloom_cardinality(&sum);
		variance += square(pds_bloom_cardinality_error(&sum));
		none_now *= 1 - pds_bloom_current_rate(&sum);
		none_full *= 1 - pds_scalable_bloom_rate_of(&layer.shape);
		s->capacity += layer.shape.capacity;
		s->bits += layer.shape.bits;
		s->set += sum.set;
	}
	s->keys_error = sqrt(variance);
	s->current_rate = 1 - none_now;
	s->design_rate = 1 - none_full;
	return PDS_OK;
}
