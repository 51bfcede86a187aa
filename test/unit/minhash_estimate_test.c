/*
 * minhash_estimate_test.c: answers from MinHash sketches
 *
 * How far off estimates are is test/accuracy's matter; here is what must be exact, and
 * that formulas say what they are meant to.
 */
#include <math.h>

#include "test.h"

#include "bracket.h"
#include "minhash_sketch.h"

/* Of the numbers from "first" on, so many. */
static payload
numbers(int log2_k, uint64_t first, uint64_t n)
{
	sketch		s = sketch_new(log2_k);
	payload		p;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(first + i));
	p = sketch_encode(&s);
	sketch_free(&s);
	return p;
}

TEST(sets_of_up_to_k_values_are_compared_exactly)
{
	static const uint64_t sizes[] = {0, 1, 2, 17, 100, 128};

	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			for (uint64_t both = 0; both <= sizes[i] && both <= sizes[j]; both += 1 + both / 3)
			{
				payload		a = numbers(7, 1000 - sizes[i] + both, sizes[i]);
				payload		b = numbers(7 + (int) (both % 3), 1000, sizes[j]);
				pds_minhash_pair pair = payload_pair(&a, &b);
				double		all = (double) (sizes[i] + sizes[j] - both);
				double		jaccard = -1;
				double		share = -1;
				double		lower;
				double		estimate;
				double		upper;

				CHECK(pair.exact);
				CHECK_U64(pair.both, both);
				CHECK_U64(pair.only_1, sizes[i] - both);
				CHECK_U64(pair.only_2, sizes[j] - both);
				CHECK(pds_minhash_jaccard(&pair, &jaccard) == (all > 0));
				CHECK(pds_minhash_containment(&pair, &share) == (sizes[i] > 0));
				CHECK(pds_minhash_jaccard_bounds(&pair, 0.95, &lower, &estimate, &upper) ==
					  (all > 0));
				if (all > 0)
				{
					CHECK_NEAR(jaccard, (double) both / all, 0);
					CHECK(lower == jaccard && estimate == jaccard && upper == jaccard);
				}
				if (sizes[i] > 0)
					CHECK_NEAR(share, (double) both / (double) sizes[i], 0);
				payload_free(&a);
				payload_free(&b);
			}
}

TEST(equal_and_disjoint_sets)
{
	static const uint64_t sizes[] = {129, 200, 1000, 100000};

	for (int i = 0; i < 4; i++)
	{
		payload		a = numbers(7, 0, sizes[i]);
		payload		b = numbers(8, 0, sizes[i]);
		payload		c = numbers(7, 1000000, 3 * sizes[i]);
		pds_minhash_pair same = payload_pair(&a, &b);
		pds_minhash_pair other = payload_pair(&a, &c);
		double		x;
		double		lower;
		double		upper;

		CHECK(!same.exact && same.only_1 == 0 && same.only_2 == 0);
		CHECK(pds_minhash_jaccard(&same, &x) && x == 1);
		CHECK(pds_minhash_containment(&same, &x) && x == 1);
		CHECK(pds_minhash_jaccard_bounds(&same, 0.95, &lower, &x, &upper) && upper == 1 && x == 1);
		/* (1 - J)^n = 2.5 % */
		CHECK_NEAR(lower, pow(0.025, 1.0 / same.both), 0.001);
		CHECK_U64(other.both, 0);
		CHECK(pds_minhash_jaccard(&other, &x) && x == 0);
		CHECK(pds_minhash_containment(&other, &x) && x == 0);
		CHECK(pds_minhash_jaccard_bounds(&other, 0.95, &lower, &x, &upper) && lower == 0 && x == 0);
		CHECK_NEAR(upper, 1 - pow(0.025, 1.0 / (other.only_1 + other.only_2)), 0.004);
		payload_free(&a);
		payload_free(&b);
		payload_free(&c);
	}
}

/* An empty set in nothing, a small set in a large one that has all of it. */
TEST(a_small_set_beside_a_large_one)
{
	payload		large = numbers(7, 0, 1000000);
	payload		small = numbers(7, 0, 3);
	payload		empty = numbers(7, 0, 0);
	pds_minhash_pair pair = payload_pair(&small, &large);
	double		x = -1;

	CHECK(!pair.exact);
	CHECK(pds_minhash_jaccard(&pair, &x) && x >= 0 && x < 0.05);
	CHECK(pds_minhash_containment(&pair, &x) && x >= 0 && x <= 1);
	pair = payload_pair(&empty, &large);
	CHECK(pds_minhash_jaccard(&pair, &x) && x == 0);
	pair = payload_pair(&empty, &empty);
	CHECK(!pds_minhash_jaccard(&pair, &x) && !pds_minhash_containment(&pair, &x));
	payload_free(&large);
	payload_free(&small);
	payload_free(&empty);
}

TEST(bounds_widen_with_confidence_and_hold_the_estimate)
{
	for (uint32_t n = 1; n <= 128; n += 1 + n / 4)
		for (uint32_t both = 0; both <= n; both += 1 + n / 9)
			for (uint32_t first = 0; first <= n - both; first += 1 + n / 5)
			{
				pds_minhash_pair pair = {false, both, first, n - both - first};
				double		last_lower = 2;
				double		last_upper = -1;
				double		confidence[] = {1e-9, 0.5, 0.68, 0.95, 0.99, 0.999999999};

				for (int i = 0; i < 6; i++)
				{
					double		lower;
					double		estimate;
					double		upper;

					CHECK(pds_minhash_jaccard_bounds(&pair, confidence[i], &lower, &estimate,
													 &upper));
					CHECK(lower >= 0 && lower <= estimate && estimate <= upper && upper <= 1);
					CHECK(lower <= last_lower && upper >= last_upper);
					last_lower = lower;
					last_upper = upper;
				}
			}
}

/* ---------- size ---------- */

TEST(sets_of_up_to_k_values_are_counted)
{
	for (uint64_t n = 0; n <= 128; n++)
	{
		payload		p = numbers(7, 77, n);
		pds_minhash_summary s = payload_summary(&p);
		double		lower;
		double		estimate;
		double		upper;

		CHECK(!s.dense);
		CHECK_NEAR(pds_minhash_cardinality(&s), (double) n, 0);
		CHECK_NEAR(pds_minhash_cardinality_error(&s), 0, 0);
		pds_minhash_cardinality_bounds(&s, 0.95, &lower, &estimate, &upper);
		CHECK(lower == (double) n && estimate == (double) n && upper == (double) n);
		payload_free(&p);
	}
}

TEST(more_than_k_values_are_estimated)
{
	static const uint64_t sizes[] = {129, 150, 500, 100000};

	for (int log2_k = 4; log2_k <= 7; log2_k++)
		for (int i = 0; i < 4; i++)
		{
			payload		p = numbers(log2_k, 0, sizes[i]);
			pds_minhash_summary s = payload_summary(&p);
			double		last_lower = INFINITY;
			double		last_upper = 0;
			double		confidence[] = {1e-9, 0.68, 0.95, 0.99, 0.9999999};
			double		error = pds_minhash_cardinality_error(&s);

			CHECK(s.dense);
			CHECK(error > 0 && error < 1.1 / sqrt((double) (1 << log2_k)));
			CHECK_NEAR(pds_minhash_cardinality(&s), (double) sizes[i], 4 * error * (double) sizes[i]
					   + 30);
			for (int c = 0; c < 5; c++)
			{
				double		lower;
				double		estimate;
				double		upper;

				pds_minhash_cardinality_bounds(&s, confidence[c], &lower, &estimate, &upper);
				CHECK(lower <= estimate && estimate <= upper && lower > 1 << log2_k);
				CHECK(lower <= last_lower && upper >= last_upper);
				CHECK(lower == floor(lower) && upper == ceil(upper));
				last_lower = lower;
				last_upper = upper;
			}
			CHECK(last_lower <= (double) sizes[i] && last_upper >= (double) sizes[i]);
			payload_free(&p);
		}
}

/* Tokens collide: so many of 65,536 values that bounds at 99 % must allow for one. */
TEST(bounds_of_tokens_allow_for_equal_ones)
{
	pds_minhash_summary s = {16, false, 65536, 0, 0};
	double		lower;
	double		estimate;
	double		upper;

	pds_minhash_cardinality_bounds(&s, 0.95, &lower, &estimate, &upper);
	CHECK_NEAR(upper, 65537, 0);
	CHECK_NEAR(lower, 65536, 0);
	pds_minhash_cardinality_bounds(&s, 0.68, &lower, &estimate, &upper);
	CHECK_NEAR(upper, 65536, 0);
}

/* By what the tail is off that a quantile leaves. */
static double
tail_off(double tail, double confidence)
{
	return tail / ((1 - confidence) / 2);
}

/* Of uniform and exponential distributions and powers of them, and from tables */
TEST(quantiles)
{
	static const double confidence[] = {0.68, 0.95, 0.99};

	for (int i = 0; i < 3; i++)
	{
		double		c = confidence[i];
		double		z = pds_normal_quantile(c);

		for (double a = 1; a < 1e5; a *= 3)
		{
			double		of_first = tail_off(pow(1 - pds_minhash_beta_upper(1, a, z), a), c);
			double		of_last = tail_off(1 - pow(pds_minhash_beta_upper(a, 1, z), a), c);

			CHECK(of_first < 1.05 && (of_first > 0.8 || a == 1));
			/* wider than it must be */
			CHECK(of_last > 0 && of_last < 1.02);
		}
		CHECK_NEAR(tail_off(exp(-pds_minhash_gamma_quantile(1, z)), c), 1, 0.05);
		CHECK(tail_off(1 - exp(-pds_minhash_gamma_quantile(1, -z)), c) < 1);
	}
	/* chi-squared of 20 and 100 degrees: twice a gamma variable of half as many */
	CHECK_NEAR(2 * pds_minhash_gamma_quantile(10, 1.644854), 31.4104, 0.01);
	CHECK_NEAR(2 * pds_minhash_gamma_quantile(50, -1.959964), 74.2219, 0.01);
	/* Clopper and Pearson of 10 in 100 */
	CHECK_NEAR(1 - pds_minhash_beta_upper(91, 10, 1.959964), 0.0490047, 1e-4);
	CHECK_NEAR(pds_minhash_beta_upper(11, 90, 1.959964), 0.1762226, 1e-4);
	/* large shapes are nearly normal */
	CHECK_NEAR(pds_minhash_beta_upper(30000, 30000, 1.959964), 0.5 + 1.959964 * 0.5 / sqrt(60001),
			   1e-6);
	CHECK_NEAR(pds_minhash_gamma_quantile(65536, 1.959964), 65536 + 1.959964 * 256
			   + (1.959964 * 1.959964 - 1) / 3, 0.02);
	/* where nearly nothing is left out, all is in */
	CHECK(pds_minhash_beta_upper(70, 1, 8) == 1 && pds_minhash_gamma_quantile(1, -8) == 0);
}

/* ---------- bands ---------- */

/* As minhash_bands.c says it, with loops that look for nothing twice. */
static uint64_t
oracle_band(const uint16_t *registers, int log2_k, uint32_t band, uint32_t rows)
{
	uint32_t	k = UINT32_C(1) << log2_k;
	uint64_t	x =
		pds_murmur3_fmix(((uint64_t) log2_k << 56) | ((uint64_t) rows << 32) | (band + 1));

	for (uint32_t bin = band * rows; bin < (band + 1) * rows; bin++)
	{
		uint32_t	source = bin;
		int			i = 1;

		while (registers[source] == 0 && i <= 32)
			source = (uint32_t) (pds_murmur3_fmix(((uint64_t) bin << 32) + (uint64_t) i++) % k);
		if (registers[source] == 0)
		{
			uint64_t	most = 0;

			for (uint32_t j = 0; j < k; j++)
			{
				uint64_t	h = pds_murmur3_fmix(((uint64_t) bin << 32) + (UINT64_C(1) << 31) + j);

				if (registers[j] != 0 && h >= most)
				{
					most = h;
					source = j;
				}
			}
		}
		x = pds_murmur3_fmix(x ^ (((uint64_t) source << 16) + registers[source]));
	}
	return x;
}

static pds_minhash_common
common_of(const payload *p, uint32_t n)
{
	pds_minhash_view v[3];
	pds_minhash_common c;
	void	   *scratch;

	memset(&c, 0xee, sizeof(c));
	for (uint32_t i = 0; i < n; i++)
		v[i] = payload_view(&p[i]);
	scratch = sketch_memory(pds_minhash_common_scratch(v, n));
	CHECK(pds_minhash_common_of(&c, v, n, scratch) == PDS_OK);
	free(scratch);
	return c;
}

/* Three sets of consecutive numbers, of up to k values and of more, at different k. */
TEST(what_many_have_in_common)
{
	for (int round = 0; round < 300; round++)
	{
		payload		p[3];
		uint64_t	least = 0;
		uint64_t	end = UINT64_MAX;
		uint64_t	fewest = UINT64_MAX;
		bool		exact = true;
		double		truth;
		double		lower[2];
		double		estimate[2];
		double		upper[2];
		pds_minhash_common c;

		for (int i = 0; i < 3; i++)
		{
			int			log2_k = 7 + (int) (test_random() % 3);
			uint64_t	n = test_random() % (round % 2 ? 128 : 3000);
			uint64_t	first = 5000 - test_random() % (n + 1);

			p[i] = numbers(log2_k, first, n);
			exact = exact && n <= UINT64_C(1) << log2_k;
			if (n <= UINT64_C(1) << log2_k && n < fewest)
				fewest = n;
			least = first > least ? first : least;
			end = first + n < end ? first + n : end;
		}
		truth = end > least ? (double) (end - least) : 0;
		c = common_of(p, 3);
		CHECK(c.exact == exact);
		for (int i = 0; i < 2; i++)
			pds_minhash_common_bounds(&c, i ? 0.999999 : 0.9, &lower[i], &estimate[i], &upper[i]);
		CHECK(estimate[0] == estimate[1] && lower[1] <= lower[0] && upper[0] <= upper[1]);
		CHECK(lower[1] <= truth && truth <= upper[1]);
		CHECK(lower[0] <= estimate[0] && estimate[0] <= upper[0] && upper[1] <= (double) fewest);
		if (exact)
			CHECK(lower[1] == truth && estimate[1] == truth && upper[1] == truth);
		for (int i = 0; i < 3; i++)
			payload_free(&p[i]);
	}
}

/* One alone, and one three times, have what one has; two alike and one apart have nothing. */
TEST(common_to_one_and_to_equal_ones)
{
	payload		a = numbers(12, 1, 50000);
	payload		three[3] = {a, a, a};
	payload		apart[3] = {a, a, numbers(12, 60000, 50000)};
	pds_minhash_summary s = payload_summary(&a);
	pds_minhash_common c;
	double		want[3];
	double		is[3];

	pds_minhash_cardinality_bounds(&s, 0.95, &want[0], &want[1], &want[2]);
	for (uint32_t n = 1; n <= 3; n += 2)
	{
		c = common_of(three, n);
		CHECK(c.by_chance == 0);
		pds_minhash_common_bounds(&c, 0.95, &is[0], &is[1], &is[2]);
		CHECK_BYTES(is, want, sizeof(want));
	}

	/* some bins are equal all the same: as many as was to be expected */
	c = common_of(apart, 3);
	CHECK(c.equal > 0);
	CHECK_NEAR(c.by_chance, 11.5, 1);
	CHECK_NEAR(c.equal, c.by_chance, 5 * sqrt(c.by_chance));
	pds_minhash_common_bounds(&c, 0.95, &is[0], &is[1], &is[2]);
	CHECK(is[0] == 0 && is[2] < 500);
	payload_free(&apart[2]);
	payload_free(&a);
}

TEST(bands_of_the_registers)
{
	static const uint64_t sizes[] = {1, 2, 5, 30, 128, 300, 1000};

	for (int log2_k = 4; log2_k <= 10; log2_k += 3)
		for (int i = 0; i < 7; i++)
			for (uint32_t rows = 1; rows <= 1u << log2_k; rows = rows * 2 + 1)
			{
				uint32_t	bands = (1u << log2_k) / rows;
				payload		p = numbers(log2_k, 0, sizes[i]);
				pds_minhash_view v = payload_view(&p);
				uint16_t   *registers = sketch_memory(sizeof(uint16_t) << log2_k);
				uint64_t   *got = sketch_memory(bands * sizeof(uint64_t));

				CHECK(pds_minhash_read_registers(&v, log2_k, registers) == PDS_OK);
				CHECK_U64(payload_bands(&p, bands, rows, got), bands);
				for (uint32_t b = 0; b < bands; b++)
					CHECK_U64(got[b], oracle_band(registers, log2_k, b, rows));
				/* fewer bands are the first of them */
				if (bands > 1)
				{
					uint64_t	fewer[1];

					CHECK_U64(payload_bands(&p, 1, rows, fewer), 1);
					CHECK_U64(fewer[0], got[0]);
				}
				free(got);
				free(registers);
				payload_free(&p);
			}
}

TEST(an_empty_sketch_has_no_bands)
{
	payload		p = numbers(7, 0, 0);
	uint64_t	out[32];

	CHECK_U64(payload_bands(&p, 32, 4, out), 0);
	payload_free(&p);
}

/* The bands of a stored user's index: never to be changed. */
TEST(bands_are_for_ever)
{
	payload		few = numbers(7, 1, 3);
	payload		many = numbers(7, 1, 1000);
	uint64_t	out[32];

	CHECK_U64(payload_bands(&few, 32, 4, out), 32);
	CHECK_U64(out[0], UINT64_C(11047527746573967029));
	CHECK_U64(out[31], UINT64_C(10216256218260036982));
	CHECK_U64(payload_bands(&many, 32, 4, out), 32);
	CHECK_U64(out[0], UINT64_C(462074710662007803));
	CHECK_U64(out[31], UINT64_C(10326369424236033499));
	payload_free(&few);
	payload_free(&many);
}

/* However few values, or alike at all bins: in time, and equal sets have equal bands. */
TEST(one_value_among_the_most_bins)
{
	payload		a = numbers(16, 5, 1);
	payload		b = numbers(16, 5, 1);
	uint64_t   *x = sketch_memory(65536 * sizeof(*x));
	uint64_t   *y = sketch_memory(65536 * sizeof(*y));

	CHECK_U64(payload_bands(&a, 65536, 1, x), 65536);
	CHECK_U64(payload_bands(&b, 65536, 1, y), 65536);
	CHECK(memcmp(x, y, 65536 * sizeof(*x)) == 0);
	free(x);
	free(y);
	payload_free(&a);
	payload_free(&b);
}
