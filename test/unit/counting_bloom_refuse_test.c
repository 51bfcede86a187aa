/*
 * counting_bloom_refuse_test.c: bytes that must not pass for a counting Bloom filter, and
 * that what does pass is the only way of writing it
 */
#include "test.h"
#include "counting_bloom.h"
#include "refuse.h"

#include "counting_bloom_filter.h"
#include "signature.h"

/*
 * Bytes that did not pass the check but have a header that opens, as they may come from
 * a damaged disk: reading them must be safe, whatever it answers.
 */
static void
read_unchecked(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_counting_bloom_view v;

	if (pds_counting_bloom_open(&v, copy.bytes, len, len, NULL) == PDS_OK &&
		v.shape.bits < UINT64_C(1) << 24)
	{
		filter		f = filter_nothing();
		uint64_t	histogram[16];
		uint8_t    *bits = sketch_memory((size_t) (v.shape.bits / 8));
		uint64_t	count;

		memset(bits, 0, (size_t) (v.shape.bits / 8));
		for (int i = 0; i < 5; i++)
			(void) pds_counting_bloom_view_count(&v, pds_murmur3_u64(test_random()),
												 pds_in_memory, &v, &count);
		(void) pds_counting_bloom_histogram(&v, histogram);
		(void) pds_counting_bloom_set_bits(&v, bits);
		if (filter_merge_view(&f, &v) == PDS_OK)
			(void) pds_counting_bloom_subtract(f.b, &v);
		free(bits);
		filter_free(&f);
	}
	payload_free(&copy);
}

/* Empty, coded of one segment and of several, of one count and of many, and as an array. */
static payload
example(int number)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
		uint64_t	values;
		uint64_t	distinct;
	}			examples[] = {
		{100, 0.01, 0, 1}, {100, 0.01, 1, 1}, {100, 0.01, 2, 1}, {100, 0.01, 30, 30},
		{100, 0.01, 100, 100}, {100, 0.01, 500, 20}, {100, 0.01, 900, 500},
		{1000, 0.01, 5, 5}, {1000, 0.01, 300, 100}, {1000, 0.01, 1000, 1000},
		{1000, 0.01, 9000, 7000}, {1, 0.3, 1, 1}, {1, 0.3, 40, 20}, {3, 0.01, 30, 4}
	};
	int			i = number / 2 % (int) (sizeof(examples) / sizeof(examples[0]));
	pds_bloom_shape shape = shape_of(examples[i].capacity, examples[i].rate,
									 (uint8_t) (number % 2));
	filter		f = filter_new(&shape);
	payload		stored;

	for (uint64_t j = 0; j < examples[i].values; j++)
		filter_add(&f, pds_murmur3_u64(test_random() % examples[i].distinct));
	stored = filter_encode(&f);
	filter_free(&f);
	return stored;
}

static const refuse_target the_target = {
	.ops = &pds_counting_bloom_ops,
	.example = example,
	.examples = 28,
	.encodings = 0x7,
	.classes = 1,
	.least = {0},
	.most = {100},
	.read_unchecked = read_unchecked,
};

/* "capacity 1 at 0.5, 1 hash, 128 counters" and what follows */
#define SMALL	"91 01 01 01 02 "

TEST(other_ways_of_writing_are_refused)
{
	static const struct
	{
		const char *hex;
		const char *why;		/* NULL: it passes */
	}			cases[] = {
		/* one counter that is 1, the first; then another; one that is 2 */
		{"61 01 01 " SMALL "01 00 01", NULL},
		{"61 01 01 " SMALL "01 00 41", NULL},
		{"61 01 01 " SMALL "01 01 01 01", NULL},
		/* bits behind its end */
		{"61 01 01 " SMALL "01 00 81", "Its counters are malformed."},
		{"61 01 01 " SMALL "01 00 41 00", "Its counters are malformed."},
		/* no counters; fewer than it says; cut off */
		{"61 01 01 " SMALL "00 00", "Its number of counters that are not zero is malformed."},
		{"61 01 01 " SMALL "02 00 01", "Its counters do not agree with its header."},
		{"61 01 01 " SMALL "01", "The code of its counts is malformed."},
		/* no such code; one that is not the shortest, or not the smallest of these */
		{"61 01 01 " SMALL "01 05 01", "The code of its counts is malformed."},
		{"61 01 01 " SMALL "01 01 81",
		 "The code of its counts is not the one that it would be written with."},
		{"61 01 01 " SMALL "01 02 81 01",
		 "The code of its counts is not the one that it would be written with."},
		{"61 01 01 " SMALL "01 01 01 00 20",
		 "The code of its counts is not the one that it would be written with."},
		/* a count of 16, and one that ends halfway */
		{"61 01 01 " SMALL "01 01 01 00 40", "Its counters are malformed."},
		{"61 01 01 " SMALL "01 04 81", "Its counters are malformed."},
		/* empty with a kind, and not empty without */
		{"61 00 00 " SMALL, NULL},
		{"61 00 01 " SMALL, "Its kind of value does not go with its encoding."},
		{"61 01 00 " SMALL "01 00 01", "Its kind of value does not go with its encoding."},
		/* family, encoding, version, type */
		{"61 21 01 " SMALL "01 00 01", "Its hash family is not known to this release."},
		{"61 03 01 " SMALL "01 00 01", "Its encoding is not known to this release."},
		{"62 01 01 " SMALL "01 00 01", "Its format version is not known to this release."},
		{"21 01 01 " SMALL "01 02 00 01", "It is a sketch of another type, or none at all."},
		/* rate, capacity, hashes, size */
		{"61 00 00 00 00 01 01 02", "Its false-positive rate is malformed."},
		{"61 00 00 ff 7f 01 01 02", "Its false-positive rate is malformed."},
		{"61 00 00 91 01 00 01 02", "Its capacity is malformed."},
		{"61 00 00 91 01 81 00 01 02", "Its capacity is malformed."},
		{"61 00 00 91 01 01 00 02", "Its numbers of counters and hashes are out of range."},
		{"61 00 00 91 01 01 29 02", "Its numbers of counters and hashes are out of range."},
		{"61 00 00 91 01 01 01 00", "Its numbers of counters and hashes are out of range."},
		{"61 00 00 91 01 01 01 41", "Its numbers of counters and hashes are out of range."},
		{"61 00 00 91 01 01 01 ff ff ff ff 0f", "Its number of counters is malformed."}
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		payload		p = payload_from_hex(cases[i].hex);
		const char *why = NULL;

		(void) pds_counting_bloom_check(p.bytes, p.len, &why);
		if (!CHECK((why == NULL) == (cases[i].why == NULL) &&
				   (why == NULL || strcmp(why, cases[i].why) == 0)))
			printf("# %s: %s\n", cases[i].hex, why != NULL ? why : "passes");
		payload_free(&p);
	}
}

TEST(an_array_is_not_what_would_be_shorter_coded_nor_the_other_way_round)
{
	pds_bloom_shape shape = shape_of(3, 0.01, PDS_BLOOM_BLOCKED);
	oracle		o = oracle_new(&shape);
	int			coded = 0;
	int			arrays = 0;

	/* from few counters of one count to all of every count */
	for (int round = 0; round < 400; round++)
	{
		payload		p;

		for (uint64_t i = 0; i < shape.bits; i++)
			o.counters[i] = test_random() % 400 < (uint64_t) round ?
				(uint8_t) (1 + test_random() % 15 % (1 + (uint64_t) round / 25)) : 0;
		p = oracle_encode(&o);
		if (!CHECK(!refused(p.bytes, p.len)))
			printf("# round %d\n", round);
		if ((p.bytes[1] & 15) == PDS_COUNTING_BLOOM_ARRAY)
			arrays++;
		else
			coded++;
		payload_free(&p);
	}
	CHECK(coded > 50 && arrays > 50);
	/* an array of few */
	{
		payload		p;

		memset(o.counters, 0, (size_t) shape.bits);
		for (uint64_t i = 0; i < shape.bits; i++)
			o.counters[i] = (uint8_t) (test_random() % 16);
		p = oracle_encode(&o);
		CHECK(!refused(p.bytes, p.len));
		memset(p.bytes + p.len - shape.bits / 2, 0x11, (size_t) shape.bits / 2);
		CHECK(refused(p.bytes, p.len));
		memset(p.bytes + p.len - shape.bits / 2, 0, (size_t) shape.bits / 2);
		CHECK(refused(p.bytes, p.len));
		payload_free(&p);
	}
	oracle_free(&o);
}

TEST(kinds_with_a_signature_carry_it)
{
	pds_bloom_shape shape = shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&shape);
	pds_kind	kind = pds_kind_make(PDS_KIND_RECORD, 0xcafe1234);
	payload		p;

	filter_add(&f, pds_murmur3_u64(1));
	pds_state_set_kind(f.b, kind);
	p = filter_encode(&f);
	CHECK(!refused(p.bytes, p.len));
	CHECK(payload_view(&p).kind == kind);
	CHECK(written_again_the_same(p.bytes, p.len));
	payload_free(&p);
	filter_free(&f);
}
