/*
 * cms_refuse_test.c: bytes that must not pass for a Count-Min sketch, and that what
 * does pass is the only way of writing it
 */
#include "test.h"

#include "cms_oracle.h"
#include "cms.h"
#include "refuse.h"
#include "signature.h"

/*
 * Bytes that did not pass the check but have a header that opens, as they may come
 * from a damaged disk: reading them must be safe, whatever it answers.
 */
static void
read_unchecked(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_cms_view v;

	if (pds_cms_open(&v, copy.bytes, len, len, NULL) == PDS_OK)
	{
		sketch		s = sketch_new(&v.shape);
		uint64_t	f;
		pds_cms_wide product;

		(void) pds_cms_frequency(&v, pds_murmur3_u64(test_random()), pds_in_memory, &v, &f);
		(void) pds_cms_inner_product(&v, &v, &product);
		for (int moves = 0; moves < 6; moves++)
		{
			if (pds_cms_merge_view(s.b, &v, false) != PDS_FULL)
				break;
			sketch_grow(&s);
		}
		sketch_free(&s);
	}
	payload_free(&copy);
}

/* n values of weights up to 2^largest - or 1 - in a sketch. */
static payload
payload_of(const pds_cms_shape *shape, size_t n, int largest)
{
	sketch		s = sketch_new(shape);
	payload		stored;

	for (size_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(test_random()),
				   largest == 0 ? 1 : (int64_t) (test_random() >> (63 - below((size_t) largest)))
				   + 1);
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

/* Sparse of one segment and of several, dense of every width, both variants. */
static payload
example(int number)
{
	static const struct
	{
		double		epsilon;
		double		delta;
		size_t		values;
		int			largest;
	}			examples[] = {
		{0.1, 0.1, 0, 0}, {0.1, 0.1, 1, 0}, {0.05, 0.05, 12, 0}, {0.05, 0.05, 12, 40},
		{0.001, 0.01, 30, 10}, {0.001, 0.01, 600, 0}, {0.001, 0.01, 1200, 50},
		{0.1, 0.1, 100, 0}, {0.1, 0.1, 100, 10}, {0.1, 0.1, 100, 30}, {0.1, 0.1, 100, 54},
		{0.9, 0.9, 1, 0}, {0.9, 0.9, 9, 0}
	};
	int			i = number / 2 % (int) (sizeof(examples) / sizeof(examples[0]));
	pds_cms_shape shape = shape_of(examples[i].epsilon, examples[i].delta);

	shape.conservative = number % 2;
	return payload_of(&shape, examples[i].values, examples[i].largest);
}

/* Two counters of a row can make up for each other; more of conservative ones can. */
static const refuse_target the_target = {
	.ops = &pds_cms_ops,
	.example = example,
	.examples = 26,
	.encodings = 0x3f,
	.classes = 2,
	.least = {0, 0},
	.most = {25, 100},
	.read_unchecked = read_unchecked,
};

TEST(heads_that_are_refused)
{
	for (int conservative = 0; conservative <= 1; conservative++)
	{
		pds_cms_shape shape = shape_of(0.1, 0.1);
		payload		stored;

		shape.conservative = (uint8_t) conservative;
		stored = payload_of(&shape, 5, 0);
		CHECK(!refused(stored.bytes, stored.len));
		CHECK_U64(stored.bytes[1], PDS_CMS_SPARSE);

#define REFUSED_WITH(at, value) \
		do { \
			uint8_t		keep = stored.bytes[at]; \
			stored.bytes[at] = (uint8_t) (value); \
			CHECK(refused(stored.bytes, stored.len)); \
			stored.bytes[at] = keep; \
		} while (0)

		for (int value = 0; value < 256; value++)
		{
			/* type and version, family and encoding, kind, flags, depth */
			if (value != 0x31)
				REFUSED_WITH(0, value);
			if (value != PDS_CMS_SPARSE)
				REFUSED_WITH(1, value);
			if (!kind_of_one_byte(value) || value == PDS_KIND_NONE)
				REFUSED_WITH(2, value);
			if (value > 1)
				REFUSED_WITH(3, value);
			if (value != 3)
				REFUSED_WITH(4, value);
			/* width, total, except for the flag of conservative */
			for (int at = 9; at < 21; at++)
				if (value != stored.bytes[at] && (at < 13 || !conservative))
					REFUSED_WITH(at, value);
			/* how many, and the order */
			if (value != stored.bytes[21])
				REFUSED_WITH(21, value);
			if (value != stored.bytes[22])
				REFUSED_WITH(22, value);
		}
		/* epsilon of a tenth more is another width; delta of a hundredth more no other depth */
		REFUSED_WITH(5, stored.bytes[5] + 10);
		stored.bytes[7]++;
		CHECK(!refused(stored.bytes, stored.len));
		CHECK(written_again_the_same(stored.bytes, stored.len));
		payload_free(&stored);

		/* nothing in it, but a kind, a byte, or an epsilon or delta out of range */
		stored = payload_of(&shape, 0, 0);
		CHECK_U64(stored.len, 13);
		REFUSED_WITH(2, PDS_KIND_NUMBER);
		for (int encoding = 1; encoding < 16; encoding++)
			REFUSED_WITH(1, encoding);
		REFUSED_WITH(6, 0xff);
		REFUSED_WITH(8, 0xff);
		for (int at = 5; at <= 7; at += 2)
		{
			uint8_t		keep[2] = {stored.bytes[at], stored.bytes[at + 1]};

			stored.bytes[at] = 0;
			stored.bytes[at + 1] = 0;
			CHECK(refused(stored.bytes, stored.len));
			memcpy(stored.bytes + at, keep, 2);
		}
		payload_free(&stored);
#undef REFUSED_WITH
	}
}

/* A sum that is not the total, in one row or in all, in plain and conservative ones. */
TEST(counters_that_do_not_add_up_are_refused)
{
	for (int conservative = 0; conservative <= 1; conservative++)
	{
		pds_cms_shape shape = shape_of(0.1, 0.1);
		oracle		o = oracle_new(&shape);
		payload		stored;
		size_t		m = pds_cms_counters(&shape);

		o.shape.conservative = (uint8_t) conservative;

		/* three rows of 28: all counters of 2 but one of 1 */
		for (size_t i = 0; i < m; i++)
			o.counters[i] = 2;
		o.counters[m - 1] = 1;
		o.total = 56;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len) == !conservative);
		payload_free(&stored);
		o.total = 55;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len));
		payload_free(&stored);

		/* a conservative one: the rows together must sum to the total */
		o.total = 167;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len) == !conservative);
		payload_free(&stored);
		o.total = 168;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len));
		payload_free(&stored);

		/* and no row can be without */
		memset(o.counters, 0, m * sizeof(uint64_t));
		for (size_t i = 0; i < 28; i++)
			o.counters[i] = o.counters[28 + i] = 2;
		o.total = 56;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len));
		payload_free(&stored);
		o.counters[2 * 28] = 56;
		stored = oracle_payload(&o);
		CHECK(!refused(stored.bytes, stored.len));
		payload_free(&stored);
		memmove(o.counters, o.counters + 28, 2 * 28 * sizeof(uint64_t));
		memset(o.counters + 2 * 28, 0, 28 * sizeof(uint64_t));
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len));
		payload_free(&stored);

		/* sums modulo 2^64 do not count */
		o.counters[2 * 28] = 56;
		o.counters[1] = UINT64_MAX;
		o.counters[2] = 5;
		stored = oracle_payload(&o);
		CHECK(refused(stored.bytes, stored.len));
		payload_free(&stored);
		oracle_free(&o);
	}
}

/* The same counters in a second way: each must be refused. */
TEST(a_second_way_of_writing_is_refused)
{
	pds_cms_shape shape = shape_of(0.1, 0.1);
	size_t		m = pds_cms_counters(&shape);
	oracle		o = oracle_new(&shape);
	payload		stored;
	uint8_t		wide[1000];
	size_t		head = 21;

	/* dense, but wider than it need be */
	for (size_t i = 0; i < m; i++)
		o.counters[i] = 9;
	o.total = 9 * 28;
	stored = oracle_payload(&o);
	CHECK(!refused(stored.bytes, stored.len));
	for (int bytes = 2; bytes <= 8; bytes *= 2)
	{
		memset(wide, 0, sizeof(wide));
		memcpy(wide, stored.bytes, head);
		wide[1] = (uint8_t) (bytes == 2 ? 3 : bytes == 4 ? 4 : 5);
		for (size_t i = 0; i < m; i++)
			wide[head + i * (size_t) bytes] = 9;
		CHECK(refused(wide, head + m * (size_t) bytes));
	}
	payload_free(&stored);

	/* dense, though so few that it should be sparse */
	memset(o.counters, 0, m * sizeof(uint64_t));
	for (size_t row = 0; row < 3; row++)
		for (size_t i = 0; i < 14; i++)
			o.counters[row * 28 + i] = 18;
	stored = oracle_payload(&o);
	CHECK_U64(stored.bytes[1], PDS_CMS_SPARSE);
	CHECK(!refused(stored.bytes, stored.len));
	memset(wide, 0, sizeof(wide));
	memcpy(wide, stored.bytes, head);
	wide[1] = PDS_CMS_DENSE1;
	for (size_t i = 0; i < m; i++)
		wide[head + i] = (uint8_t) o.counters[i];
	CHECK(refused(wide, head + m));
	/* one more, and so it should */
	wide[head + 14] = 9;
	wide[head + 13] = 9;
	CHECK(!refused(wide, head + m));

	/* the number of counters in two bytes where one does */
	memcpy(wide, stored.bytes, head);
	wide[1] = PDS_CMS_SPARSE;
	wide[head] = (uint8_t) (stored.bytes[head] | 0x80);
	wide[head + 1] = 0;
	memcpy(wide + head + 2, stored.bytes + head + 1, stored.len - head - 1);
	CHECK(refused(wide, stored.len + 1));

	/* padding */
	stored.bytes[stored.len - 1] |= 0x80;
	CHECK(refused(stored.bytes, stored.len));
	payload_free(&stored);
	oracle_free(&o);
}

/* Positions, counters and directories out of range, made by hand. */
TEST(lists_that_make_no_sense_are_refused)
{
	pds_cms_shape shape = shape_of(0.9, 0.2);
	size_t		m = pds_cms_counters(&shape);
	uint8_t		out[300];
	sketch		s = sketch_new(&shape);
	payload		stored;

	/* 4 columns, 2 rows: two counters of 2^62 */
	CHECK_U64(m, 8);
	sketch_add(&s, pds_murmur3_u64(1), INT64_C(1) << 62);
	stored = sketch_encode(&s);
	CHECK_U64(stored.bytes[21], 2);
	CHECK_U64(stored.bytes[22], 62);
	memset(out, 0, sizeof(out));
	memcpy(out, stored.bytes, 23);
	for (int first = 0; first <= 8; first++)
		for (int second = 0; second <= 8; second++)
			for (int high = 0; high <= 1; high++)
			{
				bit_list	list = {out + 23, 0};
				size_t		len;

				memset(out + 23, 0, sizeof(out) - 23);
				/* m / n = 4: two low bits; u = 2^63 - 1, or 2^64 - 1: its low bits */
				for (int i = 0; i <= 1; i++)
				{
					int			gap = i == 0 ? first : second;

					oracle_put_unary(&list, (uint64_t) (gap >> 2));
					bit_list_put(&list, (uint64_t) gap, 2);
					oracle_put_unary(&list, (uint64_t) high);
					bit_list_put(&list, UINT64_MAX, 62 + high);
				}
				len = 23 + (list.bits + 7) / 8;
				CHECK(refused(out, len) ==
					  (high || first >= 4 || first + 1 + second < 4 || first + 1 + second >= 8));
			}
	payload_free(&stored);
	sketch_free(&s);

	/* ends of segments in a directory */
	shape = shape_of(0.001, 0.01);
	stored = payload_of(&shape, 600, 0);
	{
		pds_cms_view v = payload_view(&stored);
		uint8_t    *entries = stored.bytes + v.data_at;

		CHECK(v.list.segments > 3);
		printf("# %u counters in %d segments\n", v.nonzero, (int) v.list.segments);
		for (uint32_t i = 0; i < v.list.segments; i++)
			for (int change = -3; change <= 3; change++)
			{
				uint32_t	keep = pds_load_le32(entries + 4 * i);

				if (change == 0)
					continue;
				pds_store_le32(entries + 4 * i, keep + (uint32_t) change);
				CHECK(refused(stored.bytes, stored.len));
				read_unchecked(stored.bytes, stored.len);
				pds_store_le32(entries + 4 * i, change < 0 ? UINT32_MAX : 0);
				CHECK(refused(stored.bytes, stored.len));
				read_unchecked(stored.bytes, stored.len);
				pds_store_le32(entries + 4 * i, keep);
			}
		CHECK(!refused(stored.bytes, stored.len));
	}
	payload_free(&stored);
}

SIGNATURE_OPENS(cms)

TEST(a_signature_stands_behind_the_kind)
{
	/* sparse; dense */
	for (uint64_t n = 1; n <= 1000; n *= 1000)
	{
		pds_cms_shape shape;
		sketch		s;
		payload		plain;
		payload		with;

		CHECK(pds_cms_shape_for(pds_decimal_code(0.01), pds_decimal_code(0.1), false, &shape) ==
			  PDS_OK);
		s = sketch_new(&shape);
		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, pds_murmur3_u64(i), 1);
		plain = sketch_encode(&s);
		pds_state_set_kind(s.b, SIGNED_KIND);
		with = sketch_encode(&s);
		check_signature(&plain, &with, opens);
		payload_free(&plain);
		payload_free(&with);
		sketch_free(&s);
	}
}
