/*
 * hll_format_test.c: the stored form of a HyperLogLog sketch: the oracle's bytes
 * whatever the registers hold, what can be read of it, and what it takes
 */
#include "test.h"

#include <math.h>

#include "hll_oracle.h"
#include "hll_simulate.h"

#include "murmur3.h"
#include "hll_registers.h"
#include "signature.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION

/* A sketch with exactly these registers. */
static sketch
sketch_of_registers(const uint8_t *registers, int p)
{
	sketch		s = sketch_dense(p);

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		if (registers[i] > 0)
			sketch_add(&s, hash_of_register(i, registers[i], p));
	pds_hll_flush(s.b);
	return s;
}

/* Written as the oracle does, checked, read back, and summarized. */
static void
check_registers(const uint8_t *registers, int p)
{
	sketch		s = sketch_of_registers(registers, p);
	payload		want = oracle_dense(registers, p);
	payload		got = sketch_encode(&s);
	const char *why = "";

	CHECK_U64(got.len, want.len);
	if (got.len == want.len)
		CHECK_BYTES(got.bytes, want.bytes, want.len);
	if (CHECK(pds_hll_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch		back = sketch_dense(p);
		pds_hll_view v = payload_view(&got);
		pds_hll_summary of_view;
		pds_hll_summary of_build;

		sketch_merge_view(&back, &v);
		CHECK_BYTES(pds_hll_build_registers(back.b), registers, pds_hll_registers(p));
		pds_hll_summarize(&v, &of_view);
		pds_hll_summarize_build(s.b, &of_build);
		CHECK_BYTES(of_view.histogram, of_build.histogram, sizeof(of_view.histogram));
		sketch_free(&back);
	}
	else
		printf("# %s\n", why);
	payload_free(&got);
	payload_free(&want);
	sketch_free(&s);
}

/* The example of hll_format.c and doc/format.md. */
TEST(one_value_byte_by_byte)
{
	static const uint8_t want[] = {0x11, 0x01, 0x01, 0x0e, 0x01, 0x2a, 0x11, 0x17, 0x04};
	payload		stored = payload_of_integers(14, 1, 1);

	CHECK_U64(pds_murmur3_u64(1).h1, UINT64_C(0x004403b7fb05c44a));
	if (CHECK_U64(stored.len, sizeof(want)))
		CHECK_BYTES(stored.bytes, want, sizeof(want));
	payload_free(&stored);
}

TEST(all_registers_equal)
{
	for (int p = LOWEST; p <= 12; p++)
	{
		uint8_t		registers[4096];

		for (int v = 1; v <= pds_hll_max_rank(p); v++)
		{
			memset(registers, v, sizeof(registers));
			check_registers(registers, p);
			/* except one */
			registers[below(pds_hll_registers(p))] = 0;
			check_registers(registers, p);
			registers[below(pds_hll_registers(p))] = (uint8_t) pds_hll_max_rank(p);
			check_registers(registers, p);
		}
	}
}

/* At p = 4 and 5 a plane is shorter than what the loops load at once. */
TEST(every_value_in_every_register_of_the_smallest_sketches)
{
	for (int p = LOWEST; p <= 6; p++)
	{
		for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		{
			for (int other = 0; other <= pds_hll_max_rank(p); other += p <= 5 ? 4 : 15)
			{
				uint8_t		registers[64];

				memset(registers, other, sizeof(registers));
				for (int v = 0; v <= pds_hll_max_rank(p); v++)
				{
					registers[i] = (uint8_t) v;
					if (v > 0 || other > 0)
						check_registers(registers, p);
				}
			}
		}
	}
}

/* Values spread so wide that escapes are the rule. */
TEST(wide_spreads)
{
	static uint8_t registers[1 << HIGHEST];

	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		int			rounds = p <= 10 ? 200 : p <= 14 ? 20 : 2;

		for (int round = 0; round < rounds; round++)
		{
			size_t		spread = 1 + below((size_t) pds_hll_max_rank(p) + 1);
			size_t		from = below((size_t) pds_hll_max_rank(p) + 2 - spread);

			for (uint32_t i = 0; i < pds_hll_registers(p); i++)
				registers[i] = (uint8_t) (from + below(spread));
			registers[0] = (uint8_t) pds_hll_max_rank(p);
			check_registers(registers, p);
		}
	}
}

/* Exceptions of each code in long runs, escapes first and last. */
TEST(exceptions_in_runs)
{
	for (int p = LOWEST; p <= 13; p++)
	{
		uint8_t		registers[8192];
		uint32_t	m = pds_hll_registers(p);

		for (int base = 2; base <= 20; base += 9)
		{
			for (int v = base - 2; v <= base + 14; v++)
			{
				for (uint32_t length = 1; length <= m / 2; length *= 4)
				{
					uint32_t	start = (uint32_t) below(m - length + 1);

					memset(registers, base + 3, m);
					memset(registers + start, v, length);
					registers[0] = registers[m - 1] = (uint8_t) pds_hll_max_rank(p);
					check_registers(registers, p);
				}
			}
		}
	}
}

TEST(random_fills_simulated_to_the_end_of_the_range)
{
	static uint8_t registers[1 << HIGHEST];

	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		/* from a quarter of the registers to where all are at their largest */
		double		most = ldexp(1, 70);
		double		step = p <= 10 ? 1.3 : p <= 14 ? 3 : 40;

		for (double n = pds_hll_registers(p) / 4.0; n < most; n *= step)
		{
			simulate_registers(registers, p, n);
			check_registers(registers, p);
		}
	}
}

TEST(summaries_of_image_and_stored_form_agree)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		for (size_t n = 0; n < 60000; n = n * 5 / 2 + 1)
		{
			sketch		s = sketch_new(p);
			payload		stored;
			pds_hll_view v;
			pds_hll_summary of_view;
			pds_hll_summary of_build;

			sketch_add_integers(&s, test_random(), n);
			stored = sketch_encode(&s);
			v = payload_view(&stored);
			pds_hll_summarize(&v, &of_view);
			/* with what still waits in the ring */
			pds_hll_summarize_build(s.b, &of_build);
			CHECK_U64(of_view.precision, of_build.precision);
			CHECK_U64(of_view.dense, of_build.dense);
			if (!of_view.dense)
				CHECK_U64(of_view.tokens, of_build.tokens);
			else
				CHECK_BYTES(of_build.histogram, of_view.histogram, sizeof(of_view.histogram));
			payload_free(&stored);
			sketch_free(&s);
		}
	}
}

/* A large value's head, fetched alone, answers for its cardinality. */
TEST(the_first_bytes_are_enough_for_a_summary)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		for (size_t n = 1; n < 300000; n *= 12)
		{
			payload		stored = payload_of_integers(p, test_random(), n);
			pds_hll_view whole = payload_view(&stored);
			size_t		len = stored.len < PDS_HLL_MAX_PREFIX ? stored.len : PDS_HLL_MAX_PREFIX;
			payload		head = payload_copy(stored.bytes, len);
			pds_hll_view part;
			pds_hll_summary a;
			pds_hll_summary b;

			memset(&a, 0, sizeof(a));
			memset(&b, 0, sizeof(b));
			CHECK_U64(pds_hll_open(&part, head.bytes, len, len, NULL), PDS_OK);
			pds_hll_summarize(&whole, &a);
			pds_hll_summarize(&part, &b);
			CHECK_BYTES(&b, &a, sizeof(a));
			payload_free(&head);
			payload_free(&stored);
		}
	}
}

/* The widest head that there can be: p = 4, or 3 bytes a count. */
TEST(the_longest_heads_fit_the_prefix)
{
	static uint8_t registers[1 << HIGHEST];

	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		uint32_t	m = pds_hll_registers(p);
		payload		stored;
		pds_hll_view v;

		for (uint32_t i = 0; i < m; i++)
			registers[i] = (uint8_t) (i % (uint32_t) (pds_hll_max_rank(p) + 1));
		registers[m - 1] = (uint8_t) pds_hll_max_rank(p);
		stored = oracle_dense(registers, p);
		v = payload_view(&stored);
		CHECK((size_t) (v.data - stored.bytes) <= PDS_HLL_MAX_PREFIX);
		payload_free(&stored);
	}
}

TEST(sizes_as_promised)
{
	for (int seed = 0; seed < 20; seed++)
	{
		static const struct
		{
			int			p;
			size_t		n;
			size_t		most;
		}			promise[] = {
			{14, 0, 4}, {14, 1, 24}, {14, 100, 300}, {14, 1000, 2300},
			{12, 1, 24}, {12, 100, 300}, {18, 1, 24}, {18, 100, 300}, {18, 1000, 2300},
		};

		for (size_t i = 0; i < sizeof(promise) / sizeof(promise[0]); i++)
		{
			payload		stored = payload_of_integers(promise[i].p, test_random(), promise[i].n);

			CHECK(stored.len <= promise[i].most);
			payload_free(&stored);
		}
	}
}

/* How long the stored form of these registers is. */
static size_t
dense_length(const uint8_t *registers, int p)
{
	uint32_t	histogram[PDS_HLL_RANKS] = {0};
	uint8_t		varint[8];
	size_t		len = 6;
	int			lo = 0;
	int			hi = PDS_HLL_RANKS - 1;

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		histogram[registers[i]]++;
	while (histogram[lo] == 0)
		lo++;
	while (histogram[hi] == 0)
		hi--;
	for (int v = lo; v <= hi; v++)
		len += oracle_varint(varint, histogram[v]);
	return len + pds_hll_packing_of(histogram, p).bytes;
}

/* Any number of values: 14 at 6,900 bytes, 12 below the TOAST threshold. */
static void
check_largest(int p, size_t most)
{
	size_t		largest = 0;
	double		at = 0;
	uint8_t    *registers = sketch_memory(pds_hll_registers(p));

	for (int seed = 0; seed < 10; seed++)
	{
		sketch		s = sketch_new(p);
		uint64_t	first = test_random();

		for (size_t n = 1; n < 30000; n++)
		{
			payload		stored;

			sketch_add(&s, pds_murmur3_u64(first + n).h1);
			if (n % (1 + n / 64) != 0)
				continue;
			stored = sketch_encode(&s);
			if (stored.len > largest)
			{
				largest = stored.len;
				at = (double) n;
			}
			if (s.b->dense)
			{
				pds_hll_flush(s.b);
				CHECK_U64(stored.len, dense_length(pds_hll_build_registers(s.b), p));
			}
			payload_free(&stored);
		}
		sketch_free(&s);
	}

	/* sixteen to the octave; after some octaves it is always the same again */
	for (double n = 20000; n < 1e14; n *= n < 1e7 ? 1.0443 : 3.1)
	{
		for (int seed = 0; seed < 8; seed++)
		{
			size_t		len;

			simulate_registers(registers, p, n);
			len = dense_length(registers, p);
			if (len > largest)
			{
				largest = len;
				at = n;
			}
		}
	}
	free(registers);
	printf("# precision %d: %zu bytes at most, seen at n = %.0f\n", p, largest, at);
	CHECK(largest <= most);
}

TEST(any_number_of_values_at_precision_12)
{
	check_largest(12, 1750);
}

TEST(any_number_of_values_at_precision_14)
{
	check_largest(14, 6900);
}

SIGNATURE_OPENS(hll)

TEST(a_signature_stands_behind_the_kind)
{
	for (uint64_t n = 1; n <= 100000; n *= 100000)
	{
		sketch		s = sketch_new(12);
		payload		plain;
		payload		with;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, pds_murmur3_u64(i).h1);
		plain = sketch_encode(&s);
		pds_state_set_kind(s.b, SIGNED_KIND);
		with = sketch_encode(&s);
		check_signature(&plain, &with, opens);
		payload_free(&plain);
		payload_free(&with);
		sketch_free(&s);
	}
}
