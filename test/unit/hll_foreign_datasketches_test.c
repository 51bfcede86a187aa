/*
 * hll_foreign_datasketches_test.c: the HLL sketches of Apache DataSketches, read, written, and
 * added to
 */
#include "test.h"

#include "hll_foreign_made.h"

#define HIGHEST		PDS_HLL_DATASKETCHES_MAX_LG_K

static uint8_t registers[1 << HIGHEST];
static uint8_t back[1 << HIGHEST];

/* Read, from memory of just this length: the status, and registers in "back". */
static pds_status
read_it(const payload *p, pds_hll_datasketches *s)
{
	const char *why = NULL;
	pds_status	status = pds_hll_datasketches_open(s, p->bytes, p->len, &why);

	memset(back, 0xee, sizeof(back));
	if (status == PDS_OK)
		status = pds_hll_datasketches_registers(s, back, &why);
	CHECK(status == PDS_OK || (status == PDS_CORRUPT && why != NULL));
	return status;
}

/* A payload that must be read, holds these registers at lg k; it is freed. */
static void
check_reads(payload p, const uint8_t *want, int lg_k)
{
	pds_hll_datasketches s;

	if (CHECK_U64(read_it(&p, &s), PDS_OK))
	{
		CHECK_U64(s.lg_k, (uint64_t) lg_k);
		CHECK_BYTES(back, want, pds_hll_registers(lg_k));
	}
	payload_free(&p);
}

static void
add_number(sketch *s, uint64_t v)
{
	uint8_t		bytes[8];

	pds_store_le64(bytes, v);
	pds_hll_add_bytes(s->b, bytes, 8);
}

static sketch
sketch_of(int lg_k)
{
	return sketch_of_family(lg_k, PDS_HLL_DATASKETCHES, PDS_KIND_NUMBER);
}

static uint8_t *
registers_of(sketch *s)
{
	pds_hll_flush(s->b);
	return pds_hll_build_registers(s->b);
}

/* As datasketches-cpp writes them: {1}, {1, 'foo'}, nothing. */
TEST(known_lists)
{
	sketch		s = sketch_of(12);
	uint8_t		out[40 + 4096];
	payload		empty = payload_from_hex("0201070c030c0008");

	check_reads(empty, registers_of(&s), 12);
	empty = payload_from_hex("0201070c030c0008");
	if (CHECK_U64(pds_hll_datasketches_write(registers_of(&s), 12, out), empty.len))
		CHECK_BYTES(out, empty.bytes, empty.len);
	payload_free(&empty);
	add_number(&s, 1);
	check_reads(payload_from_hex("0201070c030801082bf2fb06"), registers_of(&s), 12);
	pds_hll_add_bytes(s.b, "foo", 3);
	/* which it passes over */
	pds_hll_add_bytes(s.b, "", 0);
	check_reads(payload_from_hex("0201070c030802082bf2fb063f0e660a"), registers_of(&s), 12);
	sketch_free(&s);
}

/* The numbers 1 to 100 at lg k = 4 in registers of 8 and of 4 bits. */
TEST(known_registers)
{
	static const char *const hll_8 =
		"0a0107040008000aad5f88e56ba05440000000000000fb3f00000000000000000000"
		"000000000000"
		"04020307030403060304050202030704";
	sketch		s = sketch_of(4);
	uint8_t		out[40 + 16];
	payload		want = payload_from_hex(hll_8);

	for (uint64_t i = 1; i <= 100; i++)
		add_number(&s, i);
	check_reads(payload_from_hex(hll_8), registers_of(&s), 4);
	check_reads(payload_from_hex("0a01070400080202ad5f88e56ba05440000000000000fb3f0000000000000000"
								 "03000000000000000251214121031025"),
				registers_of(&s), 4);

	/* written with the same sums, but as one that has lost the order */
	CHECK_U64(pds_hll_datasketches_write(registers_of(&s), 4, out), want.len);
	CHECK_U64(out[5], 8 | 16);
	CHECK_BYTES(out + 16, want.bytes + 16, want.len - 16);
	payload_free(&want);
	sketch_free(&s);
}

/* Registers of all widths, with exceptions far and near. */
TEST(all_widths)
{
	for (int lg_k = 4; lg_k <= HIGHEST; lg_k++)
	{
		uint32_t	k = pds_hll_registers(lg_k);

		for (int round = 0; round < (lg_k < 12 ? 12 : 3); round++)
		{
			size_t		least = round % 3 == 0 ? 0 : below(64);
			size_t		rare = 2 + below(k);

			for (uint32_t i = 0; i < k; i++)
			{
				size_t		v = least + below(15);

				if (below(rare) == 0)
					v = least + below(64 - least);
				registers[i] = (uint8_t) (v > 63 ? 63 : v);
			}
			for (int compact = 0; compact <= 1; compact++)
				for (int width = 4; width <= 8; width += 2)
					check_reads(foreign_registers(registers, lg_k, width, compact != 0),
								registers, lg_k);
		}
	}
}

/* Coupons to registers: the highest of each slot, at every lg k the same rank. */
TEST(lists_and_sets)
{
	static uint32_t coupons[(1 << HIGHEST) / 8];

	for (int lg_k = 4; lg_k <= HIGHEST; lg_k++)
	{
		uint32_t	k = pds_hll_registers(lg_k);

		for (int set = 0; set <= (lg_k >= 8); set++)
		{
			uint32_t	most = !set ? 7 : k / 8 * 3 / 4;

			for (uint32_t n = 0; n <= most; n = n * 2 + 1)
			{
				memset(registers, 0, k);
				for (uint32_t i = 0; i < n; i++)
				{
					uint32_t	slot = (uint32_t) below(1 << 26);
					uint8_t		rank = (uint8_t) (1 + below(63));

					coupons[i] = (uint32_t) rank << 26 | slot;
					if (registers[slot % k] < rank)
						registers[slot % k] = rank;
				}
				for (int compact = 0; compact <= 1; compact++)
					check_reads(foreign_coupons(coupons, n, lg_k, set != 0, compact != 0),
								registers, lg_k);
			}
		}
	}
}

/* The library reads back what it writes, and so does a reader made from the drawing. */
TEST(written_and_read_back)
{
	for (int lg_k = PDS_HLL_MIN_PRECISION; lg_k <= PDS_HLL_MAX_PRECISION; lg_k++)
	{
		uint32_t	k = pds_hll_registers(lg_k);
		uint8_t    *out = sketch_memory(pds_hll_datasketches_bound(lg_k));
		payload		p;
		payload		want;
		double		sums[2] = {0, 0};
		double		v;

		for (uint32_t i = 0; i < k; i++)
		{
			registers[i] = (uint8_t) below(64);
			sums[registers[i] >= 32] += 1.0 / (double) (UINT64_C(1) << registers[i]);
		}
		p = payload_copy(out, pds_hll_datasketches_write(registers, lg_k, out));
		want = foreign_registers(registers, lg_k, 8, true);
		CHECK_U64(p.len, want.len);
		CHECK_BYTES(p.bytes, want.bytes, 5);
		CHECK_BYTES(p.bytes + 32, want.bytes + 32, p.len - 32);
		for (int i = 0; i < 2; i++)
		{
			uint64_t	bits = pds_load_le64(p.bytes + 16 + 8 * i);

			memcpy(&v, &bits, sizeof(v));
			/* exact, in whatever order they are added up */
			CHECK_NEAR(v, sums[i], 0);
		}
		payload_free(&want);
		check_reads(p, registers, lg_k);
		free(out);
	}
}

static bool
refused(const uint8_t *bytes, size_t len)
{
	payload		p = payload_copy(bytes, len);
	pds_hll_datasketches s;
	pds_status	status = read_it(&p, &s);

	payload_free(&p);
	return status != PDS_OK;
}

TEST(what_is_refused)
{
	static const char *const bad[] = {
		"0201070c030c00",		/* no header */
		"0202070c030c0008", "0201080c030c0008", /* version, family */
		"0301070c030c0008", "0201070c030c0009", "0a01070c030c000a",	/* words and mode */
		"0201070c030c000b", "0201070c030c000c",	/* no such mode, no such width */
		"02010703030c0008", "02010716030c0008", /* lg k of 3 and 22 */
		"0201070c034c0008", "0201070c030d0008",	/* flags */
		"0201070c030c0108", "0201070c030c01082bf2fb06",	/* all empty except one */
		"0201070c030801082bf2fb", "0201070c030802082bf2fb06",
		"0201070c030801082bf2fb0600000000", /* compact, and more than it says */
		"0201070c030801082bf2fb00",	/* a coupon of rank 0 */
		"0201070c0308010800000000", /* no coupon */
		"0301070705080005010000002bf2fb06",	/* a set at lg k = 7 */
		"0301070c05080005020000002bf2fb06",
		"0301070c050800050100",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		payload		p = payload_from_hex(bad[i]);

		if (!CHECK(refused(p.bytes, p.len)))
			printf("# %s\n", bad[i]);
		payload_free(&p);
	}
}

/* Registers that disagree with their exceptions, and other lengths. */
TEST(registers_that_are_refused)
{
	for (int width = 4; width <= 8; width += 2)
	{
		payload		p;
		uint8_t    *longer;

		for (int i = 0; i < 256; i++)
			registers[i] = (uint8_t) (3 + i % 15);
		registers[7] = 18;
		registers[200] = 63;
		p = foreign_registers(registers, 8, width, true);
		CHECK(!refused(p.bytes, p.len));
		for (size_t len = 0; len < p.len; len++)
			CHECK(refused(p.bytes, len));
		longer = calloc(p.len + 12, 1);
		memcpy(longer, p.bytes, p.len);
		for (size_t more = 1; more <= 12; more++)
			CHECK(refused(longer, p.len + more));
		free(longer);

		if (width == 4)
		{
			uint8_t    *exceptions = p.bytes + p.len - 8;

			/* twice the same, one that is none, one too low, one out of range */
			exceptions[4] = 7;
			CHECK(refused(p.bytes, p.len));
			exceptions[4] = 6;
			CHECK(refused(p.bytes, p.len));
			exceptions[4] = 200;
			CHECK(!refused(p.bytes, p.len));
			exceptions[3] = 17 << 2;
			CHECK(refused(p.bytes, p.len));
			exceptions[3] = 18 << 2;
			exceptions[1] = 1;
			CHECK(refused(p.bytes, p.len));
			exceptions[1] = 0;
			CHECK(!refused(p.bytes, p.len));
			/* fewer than there are 15s, or a least value that is too high */
			p.bytes[36] = 1;
			CHECK(refused(p.bytes, p.len - 4));
			p.bytes[36] = 2;
			for (int least = 4; least < 256; least++)
			{
				p.bytes[6] = (uint8_t) least;
				CHECK(refused(p.bytes, p.len));
			}
		}
		if (width == 8)
		{
			p.bytes[40] = 64;
			CHECK(refused(p.bytes, p.len));
		}
		payload_free(&p);
	}
}

/* A lower lg k keeps the rank: as if the values had been added there. */
TEST(folded_as_if_built_there)
{
	for (int p = PDS_HLL_MIN_PRECISION; p < PDS_HLL_MAX_PRECISION; p++)
	{
		sketch		s = sketch_of(PDS_HLL_MAX_PRECISION);
		sketch		there = sketch_of(p);

		for (uint64_t i = 0; i < 2000; i++)
		{
			add_number(&s, i);
			add_number(&there, i);
		}
		/* by way of its stored form, too */
		if (p % 2 == 0)
		{
			payload		stored = sketch_encode(&s);
			sketch		low = sketch_of(p);

			sketch_merge_payload(&low, &stored);
			sketch_free(&s);
			s = low;
			payload_free(&stored);
		}
		else
			sketch_fold(&s, p);
		CHECK_BYTES(registers_of(&s), registers_of(&there), pds_hll_registers(p));
		sketch_free(&s);
		sketch_free(&there);
	}
}
