/*
 * ddsketch_answer.c: what is read from a stored DDSketch
 */
#include <math.h>

#include "ddsketch_answer.h"

static double
at_least(double v, double least)
{
	return v < least ? least : v;
}

static double
at_most(double v, double most)
{
	return v > most ? most : v;
}

static pds_ddsketch_range
exactly(double v)
{
	return (pds_ddsketch_range) {v, v, v};
}

/* The middle of a bucket, but not beyond the smallest and the largest number. */
static double
estimate_of(const pds_ddsketch_view *v, const pds_ddsketch_bucket *bucket)
{
	double		middle = pds_ddsketch_middle(bucket->index, v->scale);

	return at_most(at_least(bucket->negative ? -middle : middle, v->apart.min), v->apart.max);
}

pds_ddsketch_range
pds_ddsketch_range_of(const pds_ddsketch_view *v, const pds_ddsketch_bucket *bucket)
{
	double		near = pds_ddsketch_edge(bucket->index, v->scale);
	double		far = pds_ddsketch_edge((int64_t) bucket->index + 1, v->scale);

	return (pds_ddsketch_range) {
		.lower = at_least(bucket->negative ? -far : near, v->apart.min),
		.estimate = estimate_of(v, bucket),
		.upper = at_most(bucket->negative ? -near : far, v->apart.max)
	};
}

/* The number at a place among the finite numbers, from 1 up, in their order. */
static pds_status
finite_at(const pds_ddsketch_view *v, uint64_t place, pds_ddsketch_range *range)
{
	uint64_t	finite = pds_ddsketch_finite(&v->apart, v->total);
	uint64_t	above = finite - place;
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;

	if (place == 1 || place == finite)
	{
		*range = exactly(place == 1 ? v->apart.min : v->apart.max);
		return PDS_OK;
	}
	pds_ddsketch_buckets_from(&r, v);
	while (pds_ddsketch_next(&r, &bucket))
	{
		/* negative ones come from the smallest up, the others from the largest down */
		uint64_t   *left = bucket.negative ? &place : &above;

		if (bucket.negative ? *left <= bucket.count : *left < bucket.count)
		{
			*range = pds_ddsketch_range_of(v, &bucket);
			return PDS_OK;
		}
		*left -= bucket.count;
	}
	*range = exactly(0);
	return r.bits.overrun ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_ddsketch_quantile(const pds_ddsketch_view *v, double q, pds_ddsketch_range *range)
{
	double		exact = ceil(q * (double) v->total);
	uint64_t	place = exact < 1 ? 1 : exact < (double) v->total ? (uint64_t) exact : v->total;
	uint64_t	finite = pds_ddsketch_finite(&v->apart, v->total);

	if (place <= v->apart.negative_infinities)
	{
		*range = exactly(-HUGE_VAL);
		return PDS_OK;
	}
	place -= v->apart.negative_infinities;
	if (place <= finite)
		return finite_at(v, place, range);
	*range = exactly(place - finite <= v->apart.positive_infinities ? HUGE_VAL : NAN);
	return PDS_OK;
}

/*
 * The share of a bucket's numbers at or below this one, whose bucket has this index.  In its own
 * bucket they count as if they were spread evenly.
 */
static double
share_up_to(const pds_ddsketch_view *v, const pds_ddsketch_bucket *bucket, double number,
			int32_t index)
{
	pds_ddsketch_range r;

	if (number == 0 || bucket->negative != (number < 0))
		return bucket->negative ? 1 : 0;
	if (bucket->index != index)
		return (bucket->index < index) != bucket->negative ? 1 : 0;
	r = pds_ddsketch_range_of(v, bucket);
	if (number >= r.upper)
		return 1;
	/* all three have one sign, so no difference is infinite */
	return (number - r.lower) / (r.upper - r.lower);
}

pds_status
pds_ddsketch_up_to(const pds_ddsketch_view *v, double number, double *count)
{
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;

	*count = (double) v->apart.negative_infinities;
	if (isnan(number))
		*count = (double) v->total;
	else if (number >= v->apart.max)
		*count += (double) pds_ddsketch_finite(&v->apart, v->total) +
			(isinf(number) ? (double) v->apart.positive_infinities : 0);
	else if (number >= v->apart.min && pds_ddsketch_finite(&v->apart, v->total) > 0)
	{
		int32_t		index = number == 0 ? 0 : pds_ddsketch_index(number, v->scale);

		if (number >= 0)
			*count += (double) v->apart.zeros;
		pds_ddsketch_buckets_from(&r, v);
		while (pds_ddsketch_next(&r, &bucket))
			*count += (double) bucket.count * share_up_to(v, &bucket, number, index);
		/* the smallest number is there */
		*count = at_least(*count, (double) (v->apart.negative_infinities + 1));
		return r.bits.overrun ? PDS_CORRUPT : PDS_OK;
	}
	return PDS_OK;
}

pds_status
pds_ddsketch_sum(const pds_ddsketch_view *v, double divisor, double *sum)
{
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;

	*sum = 0;
	pds_ddsketch_buckets_from(&r, v);
	while (pds_ddsketch_next(&r, &bucket))
		*sum += (double) bucket.count / divisor * estimate_of(v, &bucket);
	if (r.bits.overrun)
		return PDS_CORRUPT;
	if (v->apart.nans > 0 ||
		(v->apart.negative_infinities > 0 && v->apart.positive_infinities > 0))
		*sum = NAN;
	else if (v->apart.negative_infinities > 0)
		*sum = -HUGE_VAL;
	else if (v->apart.positive_infinities > 0)
		*sum = HUGE_VAL;
	return PDS_OK;
}

double
pds_ddsketch_min(const pds_ddsketch_view *v)
{
	if (v->apart.negative_infinities > 0)
		return -HUGE_VAL;
	if (pds_ddsketch_finite(&v->apart, v->total) > 0)
		return v->apart.min;
	return v->apart.positive_infinities > 0 ? HUGE_VAL : NAN;
}

double
pds_ddsketch_max(const pds_ddsketch_view *v)
{
	if (v->apart.nans > 0)
		return NAN;
	if (v->apart.positive_infinities > 0)
		return HUGE_VAL;
	return pds_ddsketch_finite(&v->apart, v->total) > 0 ? v->apart.max : -HUGE_VAL;
}
