/*
 * hll_foreign_redis_test.c: the HyperLogLog strings of Redis, read, written, and added to
 */
#include "test.h"

#include "hll_foreign_made.h"

#define REGISTERS	(1 << PDS_HLL_REDIS_PRECISION)

static uint8_t registers[REGISTERS];
static uint8_t back[REGISTERS];

static sketch
redis_sketch(void)
{
	return sketch_of_family(PDS_HLL_REDIS_PRECISION, PDS_HLL_REDIS, PDS_KIND_STRING);
}

static void
add_text(sketch *s, const char *text)
{
	pds_hll_add_bytes(s->b, text, strlen(text));
}

/* The answers of Redis 7.0.15 to GET after PFADD of these, except for the cached number. */
TEST(six_values_byte_by_byte)
{
	payload		want = payload_from_hex("48594c4c010000000000000000000080"
										"5cb3904207844235804621804a8e844bfb80425a");
	static const char *const values[] = {"foo", "bar", "zap", "a", "b", "c"};
	sketch		s = redis_sketch();
	uint8_t		out[PDS_HLL_REDIS_BOUND];

	for (int i = 0; i < 6; i++)
		add_text(&s, values[i]);
	pds_hll_flush(s.b);
	if (CHECK_U64(pds_hll_redis_write(pds_hll_build_registers(s.b), out), want.len))
		CHECK_BYTES(out, want.bytes, want.len);
	payload_free(&want);
	sketch_free(&s);
}

/*
 * The registers that Redis 7.0.15 has after PFADD of "1" to "50000", by a hash of
 * them (their SHA-1 is 9df3e096a2c95f16526640cbed428cbe35c0b4ac).
 */
TEST(many_values_become_the_registers_of_redis)
{
	sketch		s = redis_sketch();
	uint8_t		out[PDS_HLL_REDIS_BOUND];
	size_t		len;
	payload		p;
	const char *why;

	for (int i = 1; i <= 50000; i++)
	{
		char		text[16];

		snprintf(text, sizeof(text), "%d", i);
		add_text(&s, text);
	}
	pds_hll_flush(s.b);
	len = pds_hll_redis_write(pds_hll_build_registers(s.b), out);
	CHECK_U64(len, PDS_HLL_REDIS_BOUND);
	CHECK_U64(out[4], 0);
	CHECK_U64(pds_murmur3(out + 16, len - 16, 0).h1, UINT64_C(0x4437100991e1d6a0));
	p = payload_copy(out, len);
	CHECK_U64(pds_hll_redis_read(back, p.bytes, p.len, &why), PDS_OK);
	CHECK_BYTES(back, pds_hll_build_registers(s.b), REGISTERS);
	payload_free(&p);
	sketch_free(&s);
}

/* Registers of all sorts through both encodings. */
TEST(both_encodings)
{
	for (int round = 0; round < 60; round++)
	{
		uint8_t		top = round % 2 == 0 ? 32 : 51;
		size_t		of = 1 + below(round % 3 == 0 ? 3 : 2000);
		bool		runs = round % 5 == 0;
		uint8_t		value = 0;
		payload		dense;
		payload		sparse;
		uint8_t		out[PDS_HLL_REDIS_BOUND];
		size_t		len;
		const char *why = NULL;
		bool		fits = true;

		for (int i = 0; i < REGISTERS; i++)
		{
			if (!runs || below(4) == 0)
				value = below(of) == 0 ? (uint8_t) (1 + below(top)) : 0;
			registers[i] = value;
			fits = fits && value <= 32;
		}
		dense = foreign_redis_dense(registers);
		CHECK_U64(dense.len, PDS_HLL_REDIS_BOUND);
		CHECK_U64(pds_hll_redis_read(back, dense.bytes, dense.len, &why), PDS_OK);
		CHECK_BYTES(back, registers, REGISTERS);
		if (fits)
		{
			sparse = foreign_redis_sparse(registers, test_random);
			memset(back, 0xee, REGISTERS);
			CHECK_U64(pds_hll_redis_read(back, sparse.bytes, sparse.len, &why), PDS_OK);
			CHECK_BYTES(back, registers, REGISTERS);
			payload_free(&sparse);
			sparse = foreign_redis_sparse(registers, NULL);
		}

		/* written as what is shorter than 3,000 bytes, else dense */
		len = pds_hll_redis_write(registers, out);
		CHECK_U64(out[15], 0x80);
		if (fits && sparse.len < 3000)
		{
			CHECK_U64(out[4], 1);
			if (CHECK_U64(len, sparse.len))
				CHECK_BYTES(out + 16, sparse.bytes + 16, len - 16);
		}
		else
		{
			CHECK_U64(out[4], 0);
			if (CHECK_U64(len, dense.len))
				CHECK_BYTES(out + 16, dense.bytes + 16, len - 16);
		}
		if (fits)
			payload_free(&sparse);
		payload_free(&dense);
	}
}

static bool
refused(const uint8_t *bytes, size_t len)
{
	payload		p = payload_copy(bytes, len);
	const char *why = NULL;
	pds_status	status = pds_hll_redis_read(back, p.bytes, p.len, &why);

	CHECK(status == PDS_OK || (status == PDS_CORRUPT && why != NULL));
	payload_free(&p);
	return status != PDS_OK;
}

TEST(what_is_refused)
{
	payload		p;
	uint8_t		longer[PDS_HLL_REDIS_BOUND + 1] = {0};

	memset(registers, 0, sizeof(registers));
	registers[0] = 51;
	registers[REGISTERS - 1] = 1;
	p = foreign_redis_dense(registers);
	CHECK(!refused(p.bytes, p.len));
	for (size_t len = 0; len < p.len; len += len < 100 ? 1 : 777)
		CHECK(refused(p.bytes, len));
	memcpy(longer, p.bytes, p.len);
	CHECK(refused(longer, p.len + 1));
	for (int at = 0; at < 8; at++)
	{
		p.bytes[at] ^= 2;
		CHECK(refused(p.bytes, p.len));
		p.bytes[at] ^= 2;
	}
	/* a sparse one of that many bytes, and a value that 50 bits do not give */
	p.bytes[4] = 1;
	CHECK(refused(p.bytes, p.len));
	p.bytes[4] = 0;
	p.bytes[16] = 52;
	CHECK(refused(p.bytes, p.len));
	payload_free(&p);

	registers[0] = 7;
	p = foreign_redis_sparse(registers, NULL);
	CHECK(!refused(p.bytes, p.len));
	for (size_t len = 0; len < p.len; len++)
		CHECK(refused(p.bytes, len));
	memcpy(longer, p.bytes, p.len);
	for (int more = 0; more < 256; more++)
	{
		longer[p.len] = (uint8_t) more;
		CHECK(refused(longer, p.len + 1));
	}
	payload_free(&p);
}

/* Folding is as if the values had been added there. */
TEST(folded_as_if_built_there)
{
	for (int p = PDS_HLL_MIN_PRECISION; p < PDS_HLL_REDIS_PRECISION; p++)
	{
		sketch		s = redis_sketch();
		sketch		there = sketch_of_family(p, PDS_HLL_REDIS, PDS_KIND_STRING);

		for (uint64_t i = 0; i < 3000; i++)
		{
			pds_hll_add_bytes(s.b, &i, 8);
			pds_hll_add_bytes(there.b, &i, 8);
		}
		sketch_fold(&s, p);
		pds_hll_flush(s.b);
		pds_hll_flush(there.b);
		CHECK_BYTES(pds_hll_build_registers(s.b), pds_hll_build_registers(there.b),
					pds_hll_registers(p));
		sketch_free(&s);
		sketch_free(&there);
	}
}
