/*
 * scalable_bloom_layers.c: what layer follows, and in which order layers are
 *
 * Shares of the rate.  The first layer takes 1/2 of the promised rate. 3/25 of the promised
 * rate are kept in reserve.  Every later layer takes 1/5 of the remaining rate, so layer i > 0
 * has 0.076 * 0.8^(i-1) of the promised rate.  From the 31st layer on that would be below
 * 1/10,000.  These layers take 1/10,000 each out of the reserve, which is enough for 1,024
 * layers.
 *
 * A layer at a share x of the rate takes 1.44 log2(1/x) bits a key more than a bloom.  For the
 * first layer that is 1.4, for the tenth after it 9.5, where halving every time would take
 * 15.8.
 */
#include <math.h>

#include "decimal.h"
#include "bloom_foreign.h"
#include "bloom_size.h"
#include "scalable_bloom_layers.h"

#define FIRST_SHARE		0.5
#define KEPT_BACK		0.12
#define LATER_SHARE		0.2
#define LEAST_SHARE		1e-4

/* RedisBloom halves the rate at every layer, and begins with half of it */
#define REDIS_SHARE		0.5

/* The code of a rate.  A rate too small for a code gets the code of the smallest. */
static uint16_t
code_of(double rate)
{
	return pds_decimal_code(fmax(rate, PDS_DECIMAL_MIN));
}

double
pds_scalable_bloom_rate_of(const pds_bloom_shape *s)
{
	return s->rate != 0 ? pds_decimal_value(s->rate) : 0;
}

bool
pds_scalable_bloom_parameters_valid(const pds_scalable_bloom_parameters *p)
{
	pds_bloom_shape s;

	if ((p->family != PDS_BLOOM_BLOCKED && p->family != PDS_BLOOM_REDIS) || p->unused != 0 ||
		p->rate == 0 || p->rate >= PDS_DECIMAL_CODES ||
		p->capacity == 0 || p->capacity > INT64_MAX ||
		p->expansion > PDS_SCALABLE_BLOOM_MAX_EXPANSION)
		return false;
	if (p->family == PDS_BLOOM_BLOCKED &&
		(p->expansion == 0 || pds_decimal_value(p->rate) < PDS_SCALABLE_BLOOM_MIN_RATE))
		return false;
	return pds_scalable_bloom_first_shape(p, &s) == PDS_OK;
}

void
pds_scalable_bloom_join_parameters(pds_scalable_bloom_parameters *p,
								   const pds_scalable_bloom_parameters *other)
{
	if (pds_decimal_value(other->rate) > pds_decimal_value(p->rate))
		p->rate = other->rate;
	if (other->capacity > p->capacity)
		p->capacity = other->capacity;
	if (other->expansion > p->expansion)
		p->expansion = other->expansion;
}

static pds_status
redis_shape(double capacity, double rate, pds_bloom_shape *s)
{
	double		keys = fmin(capacity, (double) PDS_BLOOM_MAX_BITS);

	pds_bloom_redis_layer_shape((uint64_t) keys, fmax(rate, PDS_DECIMAL_MIN), s);
	return s->bits <= PDS_BLOOM_MAX_BITS ? PDS_OK : PDS_FULL;
}

pds_status
pds_scalable_bloom_first_shape(const pds_scalable_bloom_parameters *p, pds_bloom_shape *s)
{
	double		rate = pds_decimal_value(p->rate);

	if (p->family == PDS_BLOOM_REDIS)
		return redis_shape((double) p->capacity, p->expansion > 0 ? rate * REDIS_SHARE : rate, s);
	return pds_bloom_shape_for(p->capacity, code_of(rate * FIRST_SHARE), PDS_BLOOM_BLOCKED, s);
}

void
pds_scalable_bloom_next_shape(const pds_scalable_bloom_parameters *p, const pds_bloom_shape *last,
							  double rates, pds_bloom_shape *s)
{
	double		rate = pds_decimal_value(p->rate);
	double		left = rate * (1 - KEPT_BACK) - rates;
	double		capacity = fmin((double) last->capacity * p->expansion, 0x1p62);
	uint16_t	code = code_of(fmax(left * LATER_SHARE, rate * LEAST_SHARE));

	if (p->family == PDS_BLOOM_REDIS)
	{
		rate = pds_scalable_bloom_rate_of(last) * REDIS_SHARE;
		while (redis_shape(capacity, rate, s) != PDS_OK)
			capacity = floor(capacity / 2);
	}
	else if (pds_bloom_shape_for((uint64_t) capacity, code, PDS_BLOOM_BLOCKED, s) != PDS_OK)
		(void) pds_bloom_shape_for(pds_bloom_max_capacity(code, PDS_BLOOM_BLOCKED), code,
								   PDS_BLOOM_BLOCKED, s);
}

uint64_t
pds_scalable_bloom_full_bits(const pds_bloom_shape *s)
{
	double		m = (double) s->bits;
	double		keys = (double) s->capacity;
	double		zeros;			/* the share of bits that stay zero */
	uint64_t	full;

	if (s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS)
	{
		double		blocks = m / PDS_BLOOM_BLOCK_BITS;
		double		hit = -expm1(s->hashes * log1p(-1.0 / PDS_BLOOM_BLOCK_BITS));

		zeros = exp(keys * log1p(-hit / blocks));
	}
	else
		zeros = exp(keys * s->hashes * log1p(-1 / m));
	full = (uint64_t) (m * (1 - zeros));
	if (full < 1)
		full = 1;
	return full < s->bits ? full : s->bits;
}

uint64_t
pds_scalable_bloom_bits_set(const pds_bloom_view *v)
{
	if (v->encoding != PDS_BLOOM_ARRAY)
		return v->count;
	return pds_bloom_count_bits(v->payload + v->data_at, (size_t) (v->shape.bits / 8));
}

bool
pds_scalable_bloom_within(const pds_bloom_view *a, const pds_bloom_view *b)
{
	return pds_bloom_same_shape(&a->shape, &b->shape) && a->shape.capacity == b->shape.capacity &&
		a->shape.rate == b->shape.rate && pds_bloom_view_within(a, b);
}

int
pds_scalable_bloom_compare(const void *a, const void *b)
{
	const pds_scalable_bloom_sorted *x = a;
	const pds_scalable_bloom_sorted *y = b;
	double		x_rate = pds_scalable_bloom_rate_of(&x->view.shape);
	double		y_rate = pds_scalable_bloom_rate_of(&y->view.shape);

	if (x->view.shape.capacity != y->view.shape.capacity)
		return x->view.shape.capacity < y->view.shape.capacity ? -1 : 1;
	if (x_rate != y_rate)
		return x_rate > y_rate ? -1 : 1;
	if (x->set != y->set)
		return x->set > y->set ? -1 : 1;
	if (x->view.len != y->view.len)
		return x->view.len < y->view.len ? -1 : 1;
	return memcmp(x->view.payload, y->view.payload, x->view.len);
}
