/*
 * hll_foreign_state_test.c: sketches of other hash families as values of the type:
 * stored, read, refused, estimated
 */
#include "test.h"

#include <math.h>

#include "hll_oracle.h"

#include "hll_estimate.h"
#include "hll_foreign.h"
#include "hll_registers.h"

static const int families[] = {PDS_HLL_REDIS, PDS_HLL_DATASKETCHES};

#define EACH_FAMILY(f) \
	for (int at_##f = 0, f = families[0]; at_##f < 2; f = families[++at_##f & 1])

/* n numbers from a certain one on. */
static sketch
sketch_of_numbers(int p, int family, uint64_t from, size_t n)
{
	sketch		s = sketch_of_family(p, family, PDS_KIND_BYTES);

	for (size_t i = 0; i < n; i++)
	{
		uint8_t		bytes[8];

		pds_store_le64(bytes, from + i);
		pds_hll_add_bytes(s.b, bytes, 8);
	}
	pds_hll_flush(s.b);
	return s;
}

static bool
refused(const uint8_t *bytes, size_t len)
{
	const char *why = NULL;
	pds_status	status = pds_hll_check(bytes, len, &why);

	CHECK((status == PDS_OK) == (why == NULL));
	return status != PDS_OK;
}

/* However few values, it is registers; and nothing but a header without any. */
TEST(stored_and_read)
{
	EACH_FAMILY(family)
	{
		for (int p = PDS_HLL_MIN_PRECISION; p <= pds_hll_top_precision(family); p++)
		{
			for (size_t n = 0; n < 200000; n = n * 7 + 1)
			{
				sketch		s = sketch_of_numbers(p, family, test_random(), n);
				payload		stored = sketch_encode(&s);
				payload		want = oracle_dense(pds_hll_build_registers(s.b), p);
				pds_hll_view v = payload_view(&stored);
				sketch		again = sketch_of_family(p, family, v.kind);

				CHECK_U64(v.family, (uint64_t) family);
				if (n == 0)
				{
					CHECK_U64(stored.len, 4);
					CHECK_U64(stored.bytes[1], (uint64_t) family << 4);
					CHECK_U64(stored.bytes[2], PDS_KIND_NONE);
				}
				else
				{
					want.bytes[1] = (uint8_t) (family << 4 | PDS_HLL_DENSE);
					want.bytes[2] = PDS_KIND_BYTES;
					CHECK_U64(stored.len, want.len);
					CHECK_BYTES(stored.bytes, want.bytes, want.len);
				}
				sketch_merge_view(&again, &v);
				pds_hll_flush(again.b);
				CHECK_BYTES(pds_hll_build_registers(again.b), pds_hll_build_registers(s.b),
							pds_hll_registers(p));
				sketch_free(&again);
				sketch_free(&s);
				payload_free(&want);
				payload_free(&stored);
			}
		}
	}
}

/* What one family has, the other has not. */
TEST(heads_that_are_refused)
{
	EACH_FAMILY(family)
	{
		sketch		s = sketch_of_numbers(9, family, 1, 50);
		payload		stored = sketch_encode(&s);

		CHECK(!refused(stored.bytes, stored.len));
		for (int value = 0; value < 256; value++)
		{
			bool		kind = kind_of_one_byte(value) && value != PDS_KIND_NONE &&
				pds_hll_family_holds(family, (pds_kind) value);

			stored.bytes[2] = (uint8_t) value;
			CHECK(refused(stored.bytes, stored.len) == !kind);
		}
		stored.bytes[2] = PDS_KIND_STRING;
		for (int value = 0; value < 256; value++)
		{
			/* all families that hold strings have these registers */
			bool		known = value >> 4 < PDS_HLL_FAMILIES && (value & 15) == PDS_HLL_DENSE &&
				pds_hll_family_holds(value >> 4, PDS_KIND_STRING);

			stored.bytes[1] = (uint8_t) value;
			CHECK(refused(stored.bytes, stored.len) == !known);
		}
		payload_free(&stored);
		sketch_free(&s);

		/* empty ones: precisions */
		for (int p = 0; p < 256; p++)
		{
			uint8_t		empty[4] = {0x11, (uint8_t) (family << 4), 0, (uint8_t) p};

			CHECK(refused(empty, 4) ==
				  (p < PDS_HLL_MIN_PRECISION || p > pds_hll_top_precision(family)));
		}
	}
	CHECK(pds_hll_family_holds(PDS_HLL_DATASKETCHES, PDS_KIND_NUMBER));
	CHECK(pds_hll_family_holds(PDS_HLL_DATASKETCHES, PDS_KIND_FLOAT));
	CHECK(!pds_hll_family_holds(PDS_HLL_REDIS, PDS_KIND_NUMBER));
	CHECK(!pds_hll_family_holds(PDS_HLL_DATASKETCHES, PDS_KIND_UUID));
}

/* A list of tokens is of the native family only. */
TEST(tokens_are_native)
{
	sketch		s = sketch_new(10);
	payload		stored;

	sketch_add_integers(&s, 0, 20);
	stored = sketch_encode(&s);
	stored.bytes[2] = PDS_KIND_STRING;
	CHECK(!refused(stored.bytes, stored.len));
	for (int family = 1; family < 16; family++)
	{
		stored.bytes[1] = (uint8_t) (family << 4 | PDS_HLL_SPARSE);
		CHECK(refused(stored.bytes, stored.len));
	}
	payload_free(&stored);
	sketch_free(&s);
}

/* Native registers, all of them 0: an import of nothing. */
TEST(registers_of_nothing_are_empty)
{
	for (int family = 0; family < PDS_HLL_FAMILIES; family++)
	{
		pds_hll_build *b = sketch_memory(pds_hll_dense_size(12));
		sketch		s = {b, pds_hll_dense_size(12)};
		payload		stored;

		pds_hll_build_init(b, pds_hll_dense_size(12), 12, family, true);
		pds_state_set_kind(b, PDS_KIND_NUMBER);
		stored = sketch_encode(&s);
		CHECK_U64(stored.len, 4);
		CHECK_U64(stored.bytes[2], PDS_KIND_NONE);
		CHECK(!refused(stored.bytes, stored.len));
		payload_free(&stored);
		sketch_free(&s);
	}
}

/* Largest values: 65 - p of Redis, 63 of DataSketches at any precision. */
TEST(largest_values)
{
	EACH_FAMILY(family)
	{
		for (int p = PDS_HLL_MIN_PRECISION; p <= pds_hll_top_precision(family); p++)
		{
			int			top = family == PDS_HLL_REDIS ? 65 - p : 63;

			CHECK_U64((uint64_t) pds_hll_top_rank(family, p), (uint64_t) top);
			for (int v = top - 1; v <= (top < 63 ? top + 1 : top); v++)
			{
				sketch		s = sketch_of_family(p, family, PDS_KIND_STRING);
				payload		stored;

				pds_hll_build_registers(s.b)[below(pds_hll_registers(p))] = (uint8_t) v;
				CHECK(pds_hll_check_build(s.b, s.size) == (v <= top));
				stored = sketch_write(&s);
				CHECK(refused(stored.bytes, stored.len) == (v > top));
				payload_free(&stored);
				sketch_free(&s);
			}
		}
	}
}

/*
 * Estimates of real values: as good as native ones, for which hll_estimate_test.c
 * has the finer measure.
 */
TEST(estimates_of_values)
{
	EACH_FAMILY(family)
	{
		for (size_t n = 1000; n <= 100000; n *= 10)
		{
			double		sum = 0;
			double		squares = 0;
			double		expected = 0;
			const int	trials = 60;

			for (int t = 0; t < trials; t++)
			{
				sketch		s = sketch_of_numbers(11, family, test_random(), n);
				pds_hll_summary summary;
				double		off;

				pds_hll_summarize_build(s.b, &summary);
				CHECK_U64(summary.family, (uint64_t) family);
				off = pds_hll_cardinality(&summary) / (double) n - 1;
				expected = pds_hll_relative_error(&summary);
				sum += off;
				squares += off * off;
				sketch_free(&s);
			}
			CHECK_NEAR(sum / trials, 0, 4 * expected / sqrt(trials));
			CHECK_NEAR(sqrt(squares / trials), expected, 4 * expected / sqrt(2 * trials));
		}
	}
}

/* Ranks of DataSketches continue where native ranks end, and so does the estimate. */
TEST(estimates_beyond_native_ranks)
{
	const int	p = 12;
	uint32_t	m = pds_hll_registers(p);

	for (int e = 30; e <= 51; e += 3)
	{
		double		rate = ldexp(1, e);
		double		squares = 0;
		const int	trials = 40;
		double		expected = 0;

		for (int t = 0; t < trials; t++)
		{
			uint8_t		registers[1 << 12];
			pds_hll_summary s;
			double		off;

			for (uint32_t i = 0; i < m; i++)
			{
				/* at most v with the probability exp(-rate / 2^v) */
				double		u = ((double) (test_random() >> 11) + 0.5) / 9007199254740992.0;
				double		v = ceil(log2(rate / -log(u)));

				registers[i] = (uint8_t) (v < 0 ? 0 : v > 63 ? 63 : v);
			}
			memset(&s, 0, sizeof(s));
			s.family = PDS_HLL_DATASKETCHES;
			s.precision = (uint8_t) p;
			s.dense = true;
			pds_hll_registers_histogram(registers, p, s.histogram);
			off = pds_hll_cardinality(&s) / (rate * m) - 1;
			expected = pds_hll_relative_error(&s);
			squares += off * off;
		}
		CHECK_NEAR(expected, pds_hll_standard_error(p), 0.02 * pds_hll_standard_error(p));
		CHECK_NEAR(sqrt(squares / trials), expected, 4 * expected / sqrt(2 * trials));
	}
}

/* What two have in common, by the ranks of their family. */
TEST(overlaps)
{
	EACH_FAMILY(family)
	{
		sketch		a = sketch_of_numbers(13, family, 0, 30000);
		sketch		b = sketch_of_numbers(13, family, 20000, 40000);
		static pds_hll_pair pair;
		pds_hll_overlap o;
		double		lower;
		double		upper;

		pds_hll_pair_registers(&pair, family, 13, pds_hll_build_registers(a.b),
							   pds_hll_build_registers(b.b));
		pds_hll_pair_estimate(&pair, &o);
		CHECK(pds_hll_pair_tells(&pair, &o));
		pds_hll_pair_bounds(&pair, &o, 0.9999, &lower, &upper);
		CHECK(lower <= 10000 && upper >= 10000 && upper - lower < 5000);
		CHECK_NEAR(o.only_1, 20000, 1500);
		CHECK_NEAR(o.only_2, 30000, 1500);
		sketch_free(&a);
		sketch_free(&b);
	}
}
