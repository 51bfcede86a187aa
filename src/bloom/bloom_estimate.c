/*
 * bloom_estimate.c: what a Bloom filter's fill tells
 */
#include <math.h>

#include "bloom/bloom_estimate.h"
#include "bloom/bloom_size.h"

static inline bool
in_blocks(const pds_bloom_shape *s)
{
	return s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS;
}

pds_status
pds_bloom_summarize(const pds_bloom_view *v, pds_bloom_summary *s)
{
	const uint64_t bits = v->shape.bits;

	memset(s, 0, sizeof(*s));
	s->shape = v->shape;
	s->set = v->count;
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		const uint8_t *array = v->payload + v->data_at;
		const size_t block = PDS_BLOOM_BLOCK_BITS / 8;

		if (!in_blocks(&v->shape))
			s->set = pds_bloom_count_bits(array, (size_t) (bits / 8));
		else
			for (size_t at = 0; at < (size_t) (bits / 8); at += block)
			{
				uint64_t	n = pds_bloom_count_bits(array + at, block);

				s->blocks[n]++;
				s->set += n;
			}
	}
	else if (in_blocks(&v->shape))
	{
		if (v->encoding == PDS_BLOOM_SPARSE &&
			pds_bloom_view_block_counts(v, s->blocks) != PDS_OK)
			return PDS_CORRUPT;
		s->blocks[0] = bits / PDS_BLOOM_BLOCK_BITS - v->used;
	}
	return PDS_OK;
}

/*
 * Keys that set "set" of b places, with k throws each.  The plain inversion is
 * too high by what the variance of a logarithm brings, which adds up where
 * there are many small blocks; the halves take that away (what is left is below
 * 10^-4 of it up to three throws a place), and give an answer where no place is
 * free.
 */
static inline double
keys_of_fill(double set, double b, int k)
{
	return log((b - set + 0.5) / (b + 0.5)) * (1 + 0.5 / b) / (k * log1p(-1 / b));
}

double
pds_bloom_cardinality(const pds_bloom_summary *s)
{
	double		keys = 0;

	if (!in_blocks(&s->shape))
		return keys_of_fill((double) s->set, (double) s->shape.bits, s->shape.hashes);
	for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
		if (s->blocks[i] > 0)
			keys += (double) s->blocks[i] *
				keys_of_fill(i, PDS_BLOOM_BLOCK_BITS, s->shape.hashes);
	return keys;
}

/* The variance of that, of throws. */
static inline double
variance_of_fill(double set, double b)
{
	double		load = keys_of_fill(set, b, 1) / b;

	return b * (expm1(load) - load);
}

double
pds_bloom_cardinality_error(const pds_bloom_summary *s)
{
	double		variance = 0;

	if (!in_blocks(&s->shape))
		variance = variance_of_fill((double) s->set, (double) s->shape.bits);
	else
		for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
			if (s->blocks[i] > 0)
				variance += (double) s->blocks[i] * variance_of_fill(i, PDS_BLOOM_BLOCK_BITS);
	return sqrt(variance) / s->shape.hashes;
}

double
pds_bloom_current_rate(const pds_bloom_summary *s)
{
	double		rate = 0;

	if (!in_blocks(&s->shape))
		return pds_bloom_fill_rate(&s->shape, (double) s->set / (double) s->shape.bits);
	for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
		rate += (double) s->blocks[i] *
			pow((double) i / PDS_BLOOM_BLOCK_BITS, s->shape.hashes);
	return rate * PDS_BLOOM_BLOCK_BITS / (double) s->shape.bits;
}

pds_bloom_fill_status
pds_bloom_status_of(const pds_bloom_summary *s)
{
	double		capacity = (double) s->shape.capacity;
	double		keys = pds_bloom_cardinality(s);

	/* an imported filter may not say what it was planned for */
	if (s->shape.capacity == 0)
		capacity = (double) s->shape.bits * log(2) / s->shape.hashes;
	/* of a full one one cannot say by how much */
	if (s->set == s->shape.bits ||
		keys - 3 * pds_bloom_cardinality_error(s) > capacity)
		return PDS_BLOOM_OVER_CAPACITY;
	return keys >= 0.9 * capacity ? PDS_BLOOM_NEARLY_FULL : PDS_BLOOM_OK;
}
