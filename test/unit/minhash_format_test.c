/*
 * minhash_format_test.c: the stored bytes of MinHash sketches, and bytes that must not
 * pass for one
 */
#include "test.h"
#include "minhash.h"
#include "refuse.h"

#include "minhash_oracle.h"
#include "minhash_sketch.h"
#include "signature.h"

/* Whatever a payload is, reading it ends, and within its bytes. */
static void
read_all(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_minhash_view v;

	if (pds_minhash_open(&v, copy.bytes, copy.len, copy.len, NULL) == PDS_OK)
	{
		uint16_t   *registers = sketch_memory(sizeof(uint16_t) << v.log2_k);
		uint64_t   *tokens = sketch_memory(v.tokens * sizeof(uint64_t));
		void	   *scratch = sketch_memory(pds_minhash_pair_scratch(&v, &v));
		pds_minhash_pair pair;
		pds_minhash_summary s;
		sketch		one = sketch_nothing();

		for (int log2_k = 4; log2_k <= v.log2_k; log2_k += 3)
			(void) pds_minhash_read_registers(&v, log2_k, registers);
		if (v.encoding != PDS_MINHASH_DENSE)
			(void) pds_minhash_read_tokens(&v, tokens);
		(void) pds_minhash_pair_of(&pair, &v, &v, scratch);
		(void) pds_minhash_summarize(&s, &v, registers);
		(void) sketch_merge_payload(&one, &copy);
		sketch_free(&one);
		free(scratch);
		free(tokens);
		free(registers);
	}
	payload_free(&copy);
}

/* ---------- writing ---------- */

TEST(three_values)
{
	static const uint8_t want[] = {
		0x81, 0x01, PDS_KIND_NUMBER, 4,
		3,

		/*
		 * r = 2.  Bin 0, rank 1 and 0x8000: 1 00 1 and 15 zeros, a one.  Bin 5, rank 3 and
		 * 0xffff: 01 10 001 and 16 ones.  Bin 15, rank 48, 0xffff: 001 01, 47 zeros and 17
		 * ones.
		 */
		0x09, 0x00, 0x68, 0xfc, 0xff, 0xa7, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0xff, 0xff
	};
	sketch		s = sketch_new(4);
	payload		p;

	/* below = 0x8000, 0xffff, 0xffff */
	sketch_add(&s, (pds_hash) {0x10, UINT64_C(0xbfff800000000000)});
	sketch_add(&s, (pds_hash) {0xf5, UINT64_C(0x2000000000000000)});
	sketch_add(&s, (pds_hash) {0xff, 77});
	p = sketch_encode(&s);
	CHECK_U64(p.len, sizeof(want));
	if (p.len == sizeof(want))
		CHECK_BYTES(p.bytes, want, sizeof(want));
	payload_free(&p);
	sketch_free(&s);
}

/* What a set of so many takes: the documentation's figures. */
TEST(bytes_stored)
{
	static const struct
	{
		int			log2_k;
		size_t		n;
		size_t		most;
	}			cases[] = {
		{7, 0, 4}, {7, 1, 9}, {7, 10, 35}, {7, 128, 330}, {7, 129, 155}, {7, 100000, 155},
		{10, 1000000, 1170}, {16, 1000000, 74000},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		sketch		s = sketch_new(cases[i].log2_k);
		payload		p;

		for (uint64_t v = 0; v < cases[i].n; v++)
			sketch_add(&s, pds_murmur3_u64(v));
		p = sketch_encode(&s);
		printf("# k = %d, %zu values: %zu bytes\n", 1 << cases[i].log2_k, cases[i].n, p.len);
		CHECK(p.len <= cases[i].most);
		payload_free(&p);
		sketch_free(&s);
	}
}

SIGNATURE_OPENS(minhash)

TEST(a_signature_stands_behind_the_kind)
{
	for (uint64_t n = 10; n <= 1000; n *= 10)
	{
		sketch		s = sketch_new(7);
		payload		plain;
		payload		with;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, pds_murmur3_u64(i));
		plain = sketch_encode(&s);
		pds_state_set_kind(s.b, SIGNED_KIND);
		with = sketch_encode(&s);
		check_signature(&plain, &with, opens);
		payload_free(&plain);
		payload_free(&with);
		sketch_free(&s);
	}
}

/* ---------- refusing ---------- */

static payload
example(int which)
{
	static const size_t values[] = {0, 1, 2, 13, 64, 128, 129, 500, 100000};
	sketch		s = sketch_new(7);
	payload		p;

	for (uint64_t i = 0; i < values[which]; i++)
		sketch_add(&s, pds_murmur3_u64(i + 1000));
	p = sketch_encode(&s);
	sketch_free(&s);
	return p;
}

/* what is behind the ranks carries no redundancy: most of the bits */
static const refuse_target the_target = {
	.ops = &pds_minhash_ops,
	.example = example,
	.examples = 9,
	.encodings = 0x7,
	.classes = 1,
	.least = {33},
	.most = {95},
	.read_unchecked = read_all,
};

/* Random data behind a good head. */
TEST(random_data_is_refused_or_a_sketch)
{
	unsigned long passed = 0;

	for (int turn = 0; turn < 60000; turn++)
	{
		uint8_t		bytes[60] = {0x81, 0, PDS_KIND_NUMBER, 4};
		size_t		len = 5 + below(50);

		bytes[1] = (uint8_t) (1 + turn % 2);
		for (size_t i = 5; i < len; i++)
			bytes[i] = (uint8_t) test_random();
		bytes[4] = (uint8_t) below(turn % 2 ? 5 : 17);
		/* make the padding likely */
		bytes[len - 1] &= 3;
		read_all(bytes, len);
		if (!refused(bytes, len))
		{
			passed++;
			CHECK(written_again_the_same(bytes, len));
		}
	}
	printf("# %lu pass\n", passed);
	CHECK(passed > 0);
}

TEST(heads_that_are_refused)
{
	payload		p = example(4);
	payload		nothing = example(0);

	for (int value = 0; value < 256; value++)
	{
		for (int at = 0; at < 3; at++)
		{
			uint8_t		keep = p.bytes[at];
			bool		good = at == 0 ? value == 0x81 : at == 1 ? value == PDS_MINHASH_SPARSE :
				kind_of_one_byte(value) && value != 0;

			p.bytes[at] = (uint8_t) value;
			CHECK(refused(p.bytes, p.len) == !good);
			p.bytes[at] = keep;
		}
		nothing.bytes[3] = (uint8_t) value;
		CHECK(refused(nothing.bytes, nothing.len) == (value < 4 || value > 16));
	}
	nothing.bytes[3] = 7;
	for (int i = 1; i < 3; i++)
	{
		nothing.bytes[i] = 1;
		CHECK(refused(nothing.bytes, nothing.len));
		nothing.bytes[i] = 0;
	}
	payload_free(&nothing);
	payload_free(&p);
}

/* Registers with another base than the best one, of as many bits or more. */
TEST(another_base_is_refused)
{
	for (size_t n = 17; n < 2000; n = n * 5 / 4)
	{
		oracle		o = oracle_new(4);
		size_t		tokens;
		oracle_token *list;
		oracle_token best[16] = {{0, 0, 0}};
		payload		p;
		int			accepted = 0;

		for (uint64_t i = 0; i < n; i++)
			oracle_add(&o, pds_murmur3_u64(i));
		p = oracle_payload(&o);
		list = oracle_tokens(&o, &tokens);
		for (size_t i = 0; i < tokens; i++)
			best[list[i].bin] = list[i];
		for (int base = 0; base <= 50; base++)
		{
			bit_list	l = {calloc(1000, 1), 0};
			uint8_t		bytes[1000] = {0x81, 2, PDS_KIND_NUMBER, 4, (uint8_t) base};

			oracle_put_registers(&l, best, 16, base);
			memcpy(bytes + 5, l.bytes, (l.bits + 7) / 8);
			if (!refused(bytes, 5 + (l.bits + 7) / 8))
			{
				accepted++;
				CHECK_U64(base, p.bytes[4]);
			}
			free(l.bytes);
		}
		CHECK_U64(accepted, 1);
		free(list);
		payload_free(&p);
		oracle_free(&o);
	}
}

/* Registers that no more than k values can have made: there would be tokens. */
TEST(registers_of_too_few_values_are_refused)
{
	/* all bins of 65536 empty but the first, which is of the smallest register, or others */
	static const struct
	{
		int			rank;
		int			below;
		bool		good;
	}			cases[] = {{0, 0, false}, {1, 0, false}, {1, 63, false}, {2, 0, true},
		{48, 63, true}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		oracle_token *best = calloc(65536, sizeof(*best));
		bit_list	l = {calloc(20000, 1), 0};
		uint8_t    *bytes = calloc(20005, 1);
		static const uint8_t head[] = {0x81, 2, PDS_KIND_NUMBER, 16, 0};

		best[0].rank = cases[i].rank;
		best[0].below = cases[i].below << 10;
		oracle_put_registers(&l, best, 65536, 0);
		memcpy(bytes, head, 5);
		memcpy(bytes + 5, l.bytes, (l.bits + 7) / 8);
		CHECK(refused(bytes, 5 + (l.bits + 7) / 8) == !cases[i].good);
		free(bytes);
		free(l.bytes);
		free(best);
	}
}
