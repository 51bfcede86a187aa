/*
 * bloom_size.c: the sizes of Bloom filters
 *
 * Floating point decides sizes here, but nothing that is stored depends on its last bit.  A
 * filter of more than 4,096 bits stores its size.  Below that, no capacity and rate are near
 * enough to a rounding edge for two machines to differ (test/unit/bloom_size_test.c verifies
 * all of them).
 */
#include <math.h>

#include "bracket.h"
#include "decimal.h"
#include "bloom_size.h"

#define LN2 0.69314718055994530942

/* By how much a rate may miss the requested rate, see bloom_size.h. */
#define TOLERANCE 1.006

bool
pds_bloom_shape_valid(const pds_bloom_shape *s)
{
	if (s->family >= PDS_BLOOM_FAMILIES)
		return false;
	if (s->hashes < 1 || s->hashes > PDS_BLOOM_MAX_HASHES || s->rate >= PDS_DECIMAL_CODES)
		return false;
	if (s->bits == 0 || s->bits % 64 != 0 || s->bits > PDS_BLOOM_MAX_BITS)
		return false;
	if (s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS &&
		s->bits % PDS_BLOOM_BLOCK_BITS != 0)
		return false;
	if (pds_bloom_is_split_block(s->family) &&
		(s->hashes != PDS_BLOOM_SPLIT_WORDS || s->bits % PDS_BLOOM_SPLIT_BITS != 0))
		return false;
	return s->capacity <= INT64_MAX;
}

/* E[X^k] for a mean and a variance of X */
static inline double
power_mean(double mean, double variance, int k)
{
	double		r = 1;

	if (mean <= 0)
		return 0;
	for (int i = 0; i < k; i++)
		r *= mean;
	r *= 1 + k * (k - 1) / 2 * variance / (mean * mean);
	return r < 1 ? r : 1;
}

/*
 * The share of bits set after t throws into b bits.  "one" is the chance of one bit to stay
 * zero, "two" the chance of two given bits.
 */
static inline double
occupied_power_mean(double b, double one, double two, int k)
{
	double		variance = one / b + (1 - 1 / b) * two - one * one;

	return power_mean(1 - one, variance > 0 ? variance : 0, k);
}

/*
 * The rate of many blocks.  Each key hits a block with the chance "share", so the numbers of
 * keys are binomially distributed.  Share 0 stands for infinitely many blocks, where the
 * distribution becomes Poisson's.
 */
static double
rate_of_blocks(double keys_per_block, double share, int k)
{
	const double b = PDS_BLOOM_BLOCK_BITS;
	double		one_step = pow(1 - 1 / b, k);
	double		two_step = pow(1 - 2 / b, k);
	double		one = 1;
	double		two = 1;
	double		total = 0;
	double		log_p;

	/* all bits are set, within the precision of a double; the sum would be long */
	if (keys_per_block > 64 * b)
		return 1;

	/* in logarithms where the chance of no key at all would be zero */
	log_p = share > 0 ? keys_per_block / share * log1p(-share) : -keys_per_block;
	for (int i = 1;; i++)
	{
		double		step = (keys_per_block - (i - 1) * share) / (i * (1 - share));
		double		p;

		/* more keys than there are */
		if (step <= 0)
			break;
		log_p += log(step);
		one *= one_step;
		two *= two_step;
		p = exp(log_p);
		total += p * occupied_power_mean(b, one, two, k);
		if (i > keys_per_block && p < 1e-18)
			break;
	}
	return total < 1 ? total : 1;
}

/*
 * Returns E[X^k] for the share X of m bits that are set after so many throws.  It is computed
 * from the mean and the second and third central moments of X.  The recurrence is exact if no
 * higher cumulant matters.
 */
static double
fill_power_mean(double m, double throws, int k)
{
	double		one = exp(throws * log1p(-1 / m));
	double		two = exp(throws * log1p(-2 / m));
	double		three = exp(throws * log1p(-3 / m));
	double		square = one / m + (1 - 1 / m) * two;
	double		cube = one / (m * m) + 3 / m * (1 - 1 / m) * two +
		(1 - 1 / m) * (1 - 2 / m) * three;
	double		mean = 1 - one;
	double		variance = fmax(square - one * one, 0);
	double		third = 3 * one * square - 2 * one * one * one - cube;
	double		power[3] = {1, 0, 0};

	for (int i = 1; i <= k; i++)
	{
		double		next = mean * power[0] + (i - 1) * variance * power[1] +
			(i - 1) * (i - 2) / 2 * third * power[2];

		power[2] = power[1];
		power[1] = power[0];
		power[0] = next;
	}
	return power[0] > 0 ? fmin(power[0], 1) : 0;
}

/* What double hashing costs beyond that: bloom_size.h.  The constants are measured. */
static double
double_hashing_cost(const pds_bloom_shape *s, double n, double fill, bool power_of_2)
{
	double		m = (double) s->bits;
	int			k = s->hashes;
	double		cost = n / m * (1 + 128 / m) * fmin(1.5 * (k - 2), 9) * exp(3.6 * (fill - 0.5));
	double		again = 0;
	double		steps = 1;

	if (s->family == PDS_BLOOM_BLOCKED || pds_bloom_is_split_block(s->family) || k <= 2)
		return 0;
	/* of m steps one, one, two, four, ... come back after 1, 2, 4, 8, ... places */
	for (int places = 1; power_of_2 && places < k; places *= 2)
	{
		again += steps * (pow(fill, places) - pow(fill, k));
		steps = places;
	}
	/* and independent places are the same, too */
	again -= k * (k - 1) / 2 * (pow(fill, k - 1) - pow(fill, k));
	return (cost + fmax(again, 0)) / m;
}

static inline bool
is_power_of_2(const pds_bloom_shape *s)
{
	return (s->bits & (s->bits - 1)) == 0;
}

double
pds_bloom_fill_rate(const pds_bloom_shape *s, double fill)
{
	double		m = (double) s->bits;
	double		base = pow(fill, s->hashes);
	double		n = m * -log1p(-fmin(fill, 1 - 1 / m)) / s->hashes;

	return base + (1 - base) * fmin(1, double_hashing_cost(s, n, fill, is_power_of_2(s)));
}

static double
model_rate(const pds_bloom_shape *s, double n, bool power_of_2)
{
	double		m = (double) s->bits;
	double		throws = n * s->hashes;
	double		fill;
	double		base;

	if (!(n > 0))
		return 0;
	if (s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS)
		return rate_of_blocks(n / (m / PDS_BLOOM_BLOCK_BITS), PDS_BLOOM_BLOCK_BITS / m,
							  s->hashes);
	fill = -expm1(throws * log1p(-1 / m));
	base = fill_power_mean(m, throws, s->hashes);
	return base + (1 - base) * fmin(1, double_hashing_cost(s, n, fill, power_of_2));
}

double
pds_bloom_model_rate(const pds_bloom_shape *s, double n)
{
	return model_rate(s, n, is_power_of_2(s));
}

/* How far a rate is above the one asked for, on a scale on which it is nearly a line. */
static inline double
excess(double bits_per_key, int k, double rate)
{
	return log(rate_of_blocks(PDS_BLOOM_BLOCK_BITS / bits_per_key, 0, k) / rate);
}

/*
 * The fewest bits a key at which k hashes keep the rate, which falls as they
 * grow: between two that bracket it.
 */
static double
solve_for_hashes(double rate, int k, double guess)
{
	double		first = excess(guess, k, rate);
	pds_bracket b = {guess, first, guess, first, 0};

	while (b.x_above > 0.01 && b.f_above <= 0)
	{
		b.x_below = b.x_above;
		b.f_below = b.f_above;
		b.x_above *= 0.8;
		b.f_above = excess(b.x_above, k, rate);
	}
	while (b.f_below > 0)
	{
		b.x_above = b.x_below;
		b.f_above = b.f_below;
		b.x_below *= 1.25;
		b.f_below = excess(b.x_below, k, rate);
	}
	while (b.x_below - b.x_above > 1e-11 * b.x_below)
	{
		double		mid = pds_bracket_guess(&b);

		if (mid <= b.x_above || mid >= b.x_below)
			break;
		pds_bracket_put(&b, mid, excess(mid, k, rate));
	}
	return b.x_below;
}

double
pds_bloom_solve_blocked(double rate, int *hashes)
{
	double		c;
	double		best;
	int			k = 1;

	/* one minimum over the number of hashes, below the textbook's log2(1/p) */
	best = solve_for_hashes(rate, k, 1.5);
	for (;;)
	{
		c = solve_for_hashes(rate, k + 1, best);
		if (c >= best || k + 1 >= PDS_BLOOM_MAX_HASHES)
			break;
		best = c;
		k++;
	}
	*hashes = k;
	return best;
}

static void
textbook(double rate, double *bits_per_key, int *hashes)
{
	double		ideal = -log2(rate);

	if (ideal < 1)
	{
		*hashes = 1;
		*bits_per_key = -1 / log1p(-rate);
	}
	else
	{
		*hashes = (int) (ideal + 0.5);
		*bits_per_key = ideal / LN2;
	}
}

static uint64_t
round_up(uint64_t v, uint64_t unit)
{
	return (v + unit - 1) / unit * unit;
}

/*
 * Bits a key of the blocked layout in 1/1024 of a bit, and how many hashes.
 * Solving takes a millisecond or so, and a query asks for the same rate again.
 */
static uint32_t
blocked_bits_per_key(uint16_t rate, int *hashes)
{
	static uint16_t last_rate = 0;
	static uint32_t last_bits;
	static int	last_hashes;

	if (rate != last_rate)
	{
		double		c = pds_bloom_solve_blocked(pds_decimal_value(rate), &last_hashes);

		last_bits = (uint32_t) ceil(c * 1024);
		last_rate = rate;
	}
	*hashes = last_hashes;
	return last_bits;
}

/*
 * The fewest bits of a classic filter, from those of the textbook on, at which the model is near
 * enough to the rate.  It falls as the filter grows, except at the powers of 2,
 * which are left for later.
 */
static pds_status
grow_to_rate(pds_bloom_shape *s)
{
	const double most = TOLERANCE * pds_decimal_value(s->rate);
	const double n = (double) s->capacity;
	uint64_t	low = s->bits / 64;
	uint64_t	high = low;

	while (model_rate(s, n, false) > most)
	{
		if (high >= PDS_BLOOM_MAX_BITS / 64)
			return PDS_FULL;
		low = high;
		high = high < PDS_BLOOM_MAX_BITS / 128 ? 2 * high : PDS_BLOOM_MAX_BITS / 64;
		s->bits = high * 64;
	}
	while (high - low > 1)
	{
		s->bits = (low + (high - low) / 2) * 64;
		if (model_rate(s, n, false) > most)
			low = s->bits / 64;
		else
			high = s->bits / 64;
	}
	s->bits = high * 64;
	if (pds_bloom_model_rate(s, n) > most)
		s->bits += 64;
	return PDS_OK;
}

/* The same of a single block; false if that must be larger than one can be. */
static bool
grow_block_to_rate(pds_bloom_shape *s)
{
	const double most = TOLERANCE * pds_decimal_value(s->rate);

	while (s->bits <= PDS_BLOOM_SINGLE_BITS &&
		   pds_bloom_model_rate(s, (double) s->capacity) > most)
		s->bits += 64;
	return s->bits <= PDS_BLOOM_SINGLE_BITS;
}

/* The textbook's size; PDS_FULL if it is too large. */
static pds_status
textbook_shape(uint64_t capacity, uint16_t rate, uint8_t family, pds_bloom_shape *s)
{
	double		bits_per_key;
	double		bits;
	int			hashes;

	s->family = family;
	s->unused = 0;
	s->rate = rate;
	s->capacity = capacity;
	textbook(pds_decimal_value(rate), &bits_per_key, &hashes);
	bits = ceil(bits_per_key * (double) capacity);
	if (bits > (double) PDS_BLOOM_MAX_BITS)
		return PDS_FULL;
	s->bits = round_up((uint64_t) bits, 64);
	s->hashes = (uint8_t) hashes;
	return PDS_OK;
}

/*
 * As BloomFilter.optimalNumOfBits() and optimalNumOfHashFunctions() of Guava 31: the second is
 * from the first, which has lost its fraction.  The array is of whole words.
 */
static pds_status
guava_shape(uint64_t capacity, uint16_t rate, pds_bloom_shape *s)
{
	double		n = (double) capacity;
	double		bits = floor(-n * log(pds_decimal_value(rate)) / (LN2 * LN2));
	double		hashes = floor(bits / n * LN2 + 0.5);

	if (bits > (double) PDS_BLOOM_MAX_BITS)
		return PDS_FULL;
	s->family = PDS_BLOOM_CLASSIC;
	s->unused = 0;
	s->rate = rate;
	s->capacity = capacity;
	s->bits = bits < 1 ? 64 : round_up((uint64_t) bits, 64);
	s->hashes = hashes < 1 ? 1 : (uint8_t) hashes;
	return PDS_OK;
}

bool
pds_bloom_small_shape(uint64_t capacity, uint16_t rate, uint8_t family, pds_bloom_shape *s)
{
	return textbook_shape(capacity, rate, family, s) == PDS_OK &&
		s->bits <= PDS_BLOOM_SINGLE_BITS &&
		(family == PDS_BLOOM_CLASSIC || grow_block_to_rate(s));
}

pds_status
pds_bloom_shape_for(uint64_t capacity, uint16_t rate, uint8_t family, pds_bloom_shape *s)
{
	int			hashes;

	if (family == PDS_BLOOM_AS_GUAVA)
		return guava_shape(capacity, rate, s);
	if (textbook_shape(capacity, rate, family, s) != PDS_OK)
		return PDS_FULL;
	if (family == PDS_BLOOM_CLASSIC)
		return grow_to_rate(s);
	if (s->bits <= PDS_BLOOM_SINGLE_BITS && grow_block_to_rate(s))
		return PDS_OK;
	/* capacity is below 2^39 here, the factor below 2^17 */
	s->bits = round_up((capacity * blocked_bits_per_key(rate, &hashes) + 1023) / 1024,
					   PDS_BLOOM_BLOCK_BITS);
	/* not few enough that they would be one */
	if (s->bits <= PDS_BLOOM_SINGLE_BITS)
		s->bits = PDS_BLOOM_SINGLE_BITS + PDS_BLOOM_BLOCK_BITS;
	s->hashes = (uint8_t) hashes;
	return s->bits <= PDS_BLOOM_MAX_BITS ? PDS_OK : PDS_FULL;
}

uint64_t
pds_bloom_max_capacity_of(uint16_t rate, uint8_t family, uint64_t bits)
{
	pds_bloom_shape s;
	uint64_t	lo = 1;
	uint64_t	hi = UINT64_C(1) << 40;

	while (hi - lo > 1)
	{
		uint64_t	mid = lo + (hi - lo) / 2;

		if (pds_bloom_shape_for(mid, rate, family, &s) == PDS_OK && s.bits <= bits)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

uint64_t
pds_bloom_max_capacity(uint16_t rate, uint8_t family)
{
	return pds_bloom_max_capacity_of(rate, family, PDS_BLOOM_MAX_BITS);
}
