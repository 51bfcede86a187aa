/*
 * cuckoo_refuse_test.c: bytes that must not pass for a cuckoo filter, and that what does
 * pass is the only way of writing it
 */
#include "test.h"

#include "cuckoo_oracle.h"
#include "cuckoo.h"
#include "refuse.h"
#include "signature.h"

/*
 * Bytes that did not pass the check but have a header that opens, as they may come from a
 * damaged disk: reading them must be safe, whatever it answers.
 */
static void
read_unchecked(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_cuckoo_view v;

	if (pds_cuckoo_open(&v, copy.bytes, len, len, NULL) == PDS_OK)
	{
		sketch		s = sketch_nothing();
		pds_operand operand = {NULL, &v};
		uint64_t	copies;

		for (int i = 0; i < 4; i++)
			(void) pds_cuckoo_view_count(&v, pds_murmur3_u64(test_random()), pds_in_memory,
										 &v, &copies);
		(void) sketch_try_union(&s, &operand, v.kind);
		sketch_free(&s);
	}
	payload_free(&copy);
}

/* n values of up to so many copies each - and one of very many - in a filter. */
static payload
payload_of(const pds_cuckoo_shape *shape, size_t n, size_t copies, int doubled)
{
	sketch		s = sketch_new(shape);
	payload		stored;

	for (size_t i = 0; i < n; i++)
	{
		pds_hash	h = pds_murmur3_u64(test_random());

		for (size_t j = below(copies) + 1; j > 0; j--)
			sketch_add(&s, h);
	}
	stored = sketch_encode(&s);
	for (int i = 0; i < doubled; i++)
	{
		CHECK(sketch_try_merge_payload(&s, &stored) == PDS_OK);
		payload_free(&stored);
		stored = sketch_encode(&s);
	}
	sketch_free(&s);
	return stored;
}

/* Of one segment and of several, without copies, with some, and with many. */
static payload
example(int number)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
		size_t		values;
		size_t		copies;
		int			doubled;
	}			examples[] = {
		{100, 0.01, 0, 1, 0}, {100, 0.01, 1, 1, 0}, {100, 0.01, 1, 1, 55}, {100, 0.01, 60, 1, 0},
		{100, 0.01, 60, 2, 0}, {100, 0.01, 60, 9, 0}, {10, 0.5, 200, 1, 0},
		{1000, 0.01, 900, 1, 0}, {1000, 0.0001, 900, 3, 0}, {500, 1e-9, 300, 1, 2},
		{1, 0.9, 3, 1, 40}, {1000000, 0.01, 300, 1, 0}, {1000, 0.03, 2000, 1, 0}
	};
	const size_t n = sizeof(examples) / sizeof(examples[0]);
	pds_cuckoo_shape shape = shape_of(examples[(size_t) number % n].capacity,
									  examples[(size_t) number % n].rate);

	return payload_of(&shape, examples[(size_t) number % n].values,
					  examples[(size_t) number % n].copies, examples[(size_t) number % n].doubled);
}

static const refuse_target the_target = {
	.ops = &pds_cuckoo_ops,
	.example = example,
	.examples = 13,
	.encodings = 0x7,
	.classes = 1,
	.least = {0},
	.most = {100},
	.read_unchecked = read_unchecked,
};

#define EXAMPLES	13

/* Where there is nothing but a head. */
TEST(heads_that_are_refused)
{
	pds_cuckoo_shape shape = shape_of(100, 0.01);
	payload		stored = payload_of(&shape, 0, 1, 0);

	CHECK_U64(stored.len, 6);
	for (int at = 0; at < 6; at++)
		for (int value = 0; value < 256; value++)
		{
			uint8_t		keep = stored.bytes[at];
			bool		right = value == keep;

			/* another capacity, another rate */
			if (at == 3)
				right = value > 0 && value < 128;
			if (at == 4)
				right = true;
			if (at == 5)
				right = (value << 8 | stored.bytes[4]) < PDS_DECIMAL_CODES;
			stored.bytes[at] = (uint8_t) value;
			CHECK(refused(stored.bytes, stored.len) == !right);
			stored.bytes[at] = keep;
		}
	/* no rate */
	stored.bytes[4] = stored.bytes[5] = 0;
	CHECK(refused(stored.bytes, stored.len));
	payload_free(&stored);
}

/* What the oracle writes in another way than it should. */
TEST(other_ways_of_writing_it_are_refused)
{
	oracle		o = oracle_new(1000, 0.01);
	payload		stored;

	for (uint64_t i = 0; i < 20; i++)
		oracle_add_class(&o, i * 5000 + 17, i == 7 ? 5 : 1);
	stored = oracle_payload(&o);
	CHECK(!refused(stored.bytes, stored.len));
	/* the order, behind type, encoding, kind, capacity, rate and two numbers */
	CHECK_U64(stored.bytes[9], 2);
	for (int order = 0; order < 256; order++)
	{
		stored.bytes[9] = (uint8_t) order;
		CHECK(refused(stored.bytes, stored.len) == (order != 2));
	}
	stored.bytes[9] = 2;
	for (int encoding = 0; encoding < 256; encoding++)
	{
		stored.bytes[1] = (uint8_t) encoding;
		CHECK(refused(stored.bytes, stored.len) == (encoding != 1));
	}
	payload_free(&stored);
	oracle_free(&o);
}

SIGNATURE_OPENS(cuckoo)

TEST(a_kind_with_a_signature)
{
	for (int i = 1; i < EXAMPLES; i++)
	{
		payload		plain = example(i);
		sketch		s = sketch_nothing();
		payload		with;

		CHECK(sketch_try_merge_payload(&s, &plain) == PDS_OK);
		pds_state_set_kind(s.b, SIGNED_KIND);
		with = sketch_encode(&s);
		check_signature(&plain, &with, opens);
		payload_free(&plain);
		payload_free(&with);
		sketch_free(&s);
	}
}
