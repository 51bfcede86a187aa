/*
 * cms_answer_test.c: what a Count-Min sketch answers, how far off it is, and how
 * little of it is read for that
 */
#include "test.h"

#include <math.h>

#include "cms_oracle.h"

static pds_hash
hash_of(uint64_t i)
{
	return pds_murmur3_u64(i);
}

/*
 * A caller that has nothing in memory: each piece is of its own and no larger
 * than asked for, and gone with the next.
 */
typedef struct far_payload
{
	const payload *from;
	uint8_t    *piece;
	size_t		fetches;
	size_t		bytes;
} far_payload;

static const uint8_t *
fetch_far(void *context, size_t offset, size_t len)
{
	far_payload *f = context;

	CHECK(offset <= f->from->len && len <= f->from->len - offset);
	free(f->piece);
	f->piece = sketch_memory(len);
	memcpy(f->piece, f->from->bytes + offset, len);
	f->fetches++;
	f->bytes += len;
	return f->piece;
}

/* The frequency of a value, from a payload of which only the head is in memory. */
static uint64_t
frequency_from_afar(const payload *stored, pds_hash h, far_payload *f)
{
	size_t		have = stored->len < PDS_CMS_MAX_PREFIX ? stored->len : PDS_CMS_MAX_PREFIX;
	payload		head = payload_copy(stored->bytes, have);
	pds_cms_view v;
	uint64_t	frequency = 0;

	f->from = stored;
	f->piece = NULL;
	f->fetches = 0;
	f->bytes = 0;
	CHECK(pds_cms_open(&v, head.bytes, have, stored->len, NULL) == PDS_OK);
	CHECK(pds_cms_frequency(&v, h, fetch_far, f, &frequency) == PDS_OK);
	free(f->piece);
	payload_free(&head);
	return frequency;
}

/* Unpacked to all counters, a sparse sketch says the same. */
static void
check_unpacked(const payload *stored, const oracle *o, size_t values)
{
	pds_cms_view v = payload_view(stored);
	size_t		size = pds_cms_unpacked_size(&v);
	uint8_t    *array;

	if (v.encoding != PDS_CMS_SPARSE)
		return;
	array = sketch_memory(size);
	memset(array, 0, size);
	CHECK(pds_cms_unpack(&v, array) == PDS_OK);
	for (size_t j = 0; j < values; j++)
		CHECK_U64(pds_cms_unpacked_frequency(&v, array, hash_of(j)),
				  oracle_frequency(o, hash_of(j)));
	free(array);
}

/* What the server has unpacked of one sketch answers for another that is the same there. */
TEST(the_same_lookup_is_the_same_answer)
{
	pds_cms_shape shape = shape_of(0.0003, 0.01);
	sketch		s = sketch_new(&shape);
	payload		stored;
	payload		other;
	pds_cms_view v;
	int			same = 0;
	int			others = 0;

	for (size_t j = 0; j < 4000; j++)
		sketch_add(&s, hash_of(j), 1 + (int64_t) (j % 7));
	stored = sketch_encode(&s);
	other = payload_copy(stored.bytes, stored.len);
	v = payload_view(&stored);
	CHECK(v.encoding == PDS_CMS_SPARSE && v.list.segments > 10);
	for (size_t j = 0; j < 4000; j++)
		CHECK(pds_cms_same_frequency(&v, other.bytes, hash_of(j)));
	/* a bit of one segment: seen by the values that have a counter there, and by no others */
	other.bytes[other.len - 9] ^= 16;
	for (size_t j = 0; j < 4000; j++)
	{
		uint32_t	at[PDS_CMS_MAX_DEPTH];
		bool		is = pds_cms_same_frequency(&v, other.bytes, hash_of(j));
		bool		last = false;

		pds_cms_positions(hash_of(j), &shape, at);
		for (int i = 0; i < shape.depth; i++)
			last = last || at[i] >> v.list.shift == v.list.segments - 1;
		CHECK(is == !last);
		same += is;
		others += !is;
	}
	CHECK(same > 0 && others > 0);
	/* a head of another total */
	other.bytes[other.len - 9] ^= 16;
	other.bytes[v.data_at - 1] ^= 1;
	CHECK(!pds_cms_same_frequency(&v, other.bytes, hash_of(1)));
	other.bytes[v.data_at - 1] ^= 1;
	/* a directory that is damaged is not the same, and not read beyond */
	memset(other.bytes + v.data_at, 0xff, 4 * (size_t) v.list.segments);
	for (size_t j = 0; j < 100; j++)
		CHECK(!pds_cms_same_frequency(&v, other.bytes, hash_of(j)));
	v.payload = other.bytes;
	for (size_t j = 0; j < 100; j++)
		CHECK(!pds_cms_same_frequency(&v, other.bytes, hash_of(j)));
	payload_free(&stored);
	payload_free(&other);
	sketch_free(&s);
}

TEST(frequencies_are_the_oracle_s)
{
	static const struct
	{
		double		epsilon;
		double		delta;
		size_t		values;
	}			cases[] = {
		{0.999, 0.999, 1}, {0.1, 1e-9, 3}, {0.1, 1e-9, 500}, {0.001, 0.01, 0}, {0.001, 0.01, 1},
		{0.001, 0.01, 90}, {0.001, 0.01, 700}, {0.001, 0.01, 1700}, {0.001, 0.01, 6000},
		{0.0001, 0.001, 9000}
	};

	for (size_t i = 0; i < 4 * sizeof(cases) / sizeof(cases[0]); i++)
	{
		pds_cms_shape shape = shape_of(cases[i / 4].epsilon, cases[i / 4].delta);
		size_t		n = cases[i / 4].values;
		int			largest = i % 4 < 2 ? 3 : 50;
		sketch		s;
		oracle		o;
		payload		stored;
		size_t		most_bytes = 0;
		far_payload f;

		shape.conservative = i % 2;
		s = sketch_new(&shape);
		o = oracle_new(&shape);
		for (size_t j = 0; j < n; j++)
		{
			int64_t		weight = (int64_t) (test_random() >> (63 - below((size_t) largest))) + 1;

			sketch_add(&s, hash_of(j), weight);
			oracle_add(&o, hash_of(j), weight);
		}
		stored = sketch_encode(&s);
		check_unpacked(&stored, &o, 2 * n + 20);
		for (size_t j = 0; j < 2 * n + 20; j += n / 500 + 1)
		{
			uint64_t	want = oracle_frequency(&o, hash_of(j));

			CHECK_U64(frequency_from_afar(&stored, hash_of(j), &f), want);
			if (f.bytes > most_bytes)
				most_bytes = f.bytes;
			CHECK(f.fetches <= 2u * shape.depth);
			if (j % 64 == 0)
				CHECK_U64(payload_frequency(&stored, hash_of(j)), want);
		}
		if (stored.bytes[1] > PDS_CMS_SPARSE)
			CHECK(most_bytes <= 8u * shape.depth);
		else if (stored.len > 5000)
			CHECK(most_bytes < stored.len);
		payload_free(&stored);
		oracle_free(&o);
		sketch_free(&s);
	}
}

/* A key of a Zipf distribution over n: roughly one over its number. */
static uint64_t
zipf(size_t n)
{
	double		u = (double) (test_random() >> 11) / 9007199254740992.0;

	return (uint64_t) pow((double) n, u);
}

#define KEYS	30000

/*
 * Against exact counts: never too low, seldom too high by more than the error
 * that it states, and the bounds hold as often as they must.
 */
TEST(estimates_are_one_sided_and_within_the_bound)
{
	static uint64_t truth[KEYS + 1];
	uint64_t	errors[2] = {0, 0};

	for (int conservative = 0; conservative <= 1; conservative++)
		for (int seed = 0; seed < 10; seed++)
		{
			pds_cms_shape shape = shape_of(0.003, 0.05);
			sketch		s;
			payload		stored;
			pds_cms_view v;
			size_t		too_high = 0;
			size_t		too_low = 0;
			uint64_t	error;

			shape.conservative = (uint8_t) conservative;
			s = sketch_new(&shape);
			memset(truth, 0, sizeof(truth));
			test_random_state = (uint64_t) seed << 32;
			for (int i = 0; i < 100000; i++)
			{
				uint64_t	key = zipf(KEYS);
				int64_t		weight = i % 10 == 0 ? 7 : 1;

				truth[key] += (uint64_t) weight;
				sketch_add(&s, hash_of(key + (uint64_t) seed * 1000000), weight);
			}
			stored = sketch_encode(&s);
			v = payload_view(&stored);
			error = pds_cms_error(&v.shape, v.total);
			CHECK_U64(error, (uint64_t) (exp(1) / shape.width * (double) v.total));
			for (uint64_t key = 0; key <= KEYS; key++)
			{
				uint64_t	estimate = 0;
				uint64_t	lower;

				(void) pds_cms_frequency(&v, hash_of(key + (uint64_t) seed * 1000000),
										 pds_in_memory, &v, &estimate);
				lower = pds_cms_lower_bound(&v.shape, v.total, estimate);
				CHECK(estimate >= truth[key]);
				CHECK(lower <= estimate);
				too_high += estimate - truth[key] > error;
				too_low += lower > truth[key];
				/* the lower bound is no worse than the error */
				CHECK(lower + error >= estimate);
				errors[conservative] += estimate - truth[key];
			}
			CHECK(too_high <= 0.05 * KEYS);
			CHECK(too_low <= 0.05 * KEYS);
			payload_free(&stored);
			sketch_free(&s);
		}
	printf("# mean error: plain %.2f, conservative %.2f\n",
		   (double) errors[0] / KEYS / 10, (double) errors[1] / KEYS / 10);
	CHECK(errors[1] < errors[0] * 7 / 10);
}

/* Conservative parts merged are still never too low, and no worse than plain. */
TEST(conservative_unions_are_one_sided)
{
	static uint64_t truth[KEYS + 1];
	pds_cms_shape shape = conservative_shape_of(0.003, 0.05);
	pds_cms_shape plain_shape = shape_of(0.003, 0.05);
	sketch		all = sketch_new(&shape);
	sketch		plain = sketch_new(&plain_shape);
	payload		stored;
	payload		plainly;

	for (int part = 0; part < 8; part++)
	{
		sketch		s = sketch_new(&shape);

		for (int i = 0; i < 10000; i++)
		{
			uint64_t	key = zipf(KEYS);

			truth[key]++;
			sketch_add(&s, hash_of(key), 1);
			sketch_add(&plain, hash_of(key), 1);
		}
		CHECK(sketch_try_merge(&all, &s, false) == PDS_OK);
		sketch_free(&s);
	}
	stored = sketch_encode(&all);
	plainly = sketch_encode(&plain);
	for (uint64_t key = 0; key <= KEYS; key += 7)
	{
		uint64_t	estimate = payload_frequency(&stored, hash_of(key));

		CHECK(estimate >= truth[key]);
		CHECK(estimate <= payload_frequency(&plainly, hash_of(key)));
	}
	payload_free(&stored);
	payload_free(&plainly);
	sketch_free(&all);
	sketch_free(&plain);
}

TEST(bounds_at_the_ends)
{
	pds_cms_shape usual = shape_of(0.001, 0.01);
	pds_cms_shape small = shape_of(0.999, 0.999);

	/* the only value there is is exact */
	CHECK_U64(pds_cms_lower_bound(&usual, 1, 1), 1);
	CHECK_U64(pds_cms_lower_bound(&usual, INT64_MAX, INT64_MAX), INT64_MAX);
	CHECK_U64(pds_cms_lower_bound(&small, INT64_MAX, INT64_MAX), INT64_MAX);
	CHECK_U64(pds_cms_lower_bound(&small, INT64_MAX, 1), 0);
	CHECK_U64(pds_cms_lower_bound(&small, 100, 50), 0);
	CHECK_U64(pds_cms_lower_bound(&usual, 100000, 0), 0);
	CHECK_U64(pds_cms_error(&usual, 0), 0);
	/* e / 2719 is 1 / 1000.26 */
	CHECK_U64(pds_cms_error(&usual, 1000), 0);
	CHECK_U64(pds_cms_error(&usual, 1001), 1);
	CHECK_U64(pds_cms_lower_bound(&usual, 1001, 2), 2);
	CHECK_U64(pds_cms_lower_bound(&usual, 1002, 2), 1);
	CHECK(pds_cms_error(&small, INT64_MAX) < INT64_MAX);
}

/* The rows' inner products of two oracles, each number in pieces of 16 bits. */
static pds_cms_wide
oracle_inner(const oracle *a, const oracle *b)
{
	pds_cms_wide least = {UINT64_MAX, UINT64_MAX};

	for (size_t row = 0; row < a->shape.depth; row++)
	{
		uint64_t	sum[8] = {0};
		uint64_t	carry = 0;
		pds_cms_wide v = {0, 0};

		for (size_t i = row * a->shape.width; i < (row + 1) * a->shape.width; i++)
			for (int p = 0; p < 4; p++)
				for (int q = 0; q < 4; q++)
				{
					uint64_t	part = (a->counters[i] >> 16 * p & 0xffff) *
						(b->counters[i] >> 16 * q & 0xffff);

					sum[p + q] += part & 0xffff;
					sum[p + q + 1] += part >> 16;
				}
		for (int p = 0; p < 8; p++)
		{
			carry += sum[p];
			if (p < 4)
				v.low |= (carry & 0xffff) << 16 * p;
			else
				v.high |= (carry & 0xffff) << 16 * (p - 4);
			carry >>= 16;
		}
		if (v.high < least.high || (v.high == least.high && v.low < least.low))
			least = v;
	}
	return least;
}

TEST(inner_products_are_the_oracle_s)
{
	pds_cms_shape shape = shape_of(0.01, 0.01);
	static const size_t fills[] = {0, 1, 20, 100, 400, 1500};
	static const int widths[] = {1, 10, 30, 50};

	for (int pair = 0; pair < 6 * 6 * 4 * 4; pair++)
	{
		sketch		s[2];
		oracle		o[2];
		payload		stored[2];
		pds_cms_view v[2];
		pds_cms_wide got = {0, 0};
		pds_cms_wide other = {0, 0};
		pds_cms_wide want;

		for (int i = 0; i < 2; i++)
		{
			size_t		n = fills[i == 0 ? pair % 6 : pair / 6 % 6];
			int			largest = widths[i == 0 ? pair / 36 % 4 : pair / 144];

			s[i] = sketch_new(&shape);
			o[i] = oracle_new(&shape);
			for (size_t j = 0; j < n; j++)
			{
				int64_t		weight = (int64_t) (test_random() >> (64 - largest)) + 1;

				sketch_add(&s[i], hash_of(j), weight);
				oracle_add(&o[i], hash_of(j), weight);
			}
			stored[i] = sketch_encode(&s[i]);
			v[i] = payload_view(&stored[i]);
		}
		CHECK(pds_cms_inner_product(&v[0], &v[1], &got) == PDS_OK);
		CHECK(pds_cms_inner_product(&v[1], &v[0], &other) == PDS_OK);
		want = oracle_inner(&o[0], &o[1]);
		CHECK_U64(got.high, want.high);
		CHECK_U64(got.low, want.low);
		CHECK_U64(other.high, want.high);
		CHECK_U64(other.low, want.low);
		for (int i = 0; i < 2; i++)
		{
			payload_free(&stored[i]);
			oracle_free(&o[i]);
			sketch_free(&s[i]);
		}
	}
}

TEST(an_inner_product_is_a_join_s_size)
{
	pds_cms_shape shape = shape_of(0.003, 0.05);
	sketch		a = sketch_new(&shape);
	sketch		b = sketch_new(&shape);
	static uint64_t in_a[KEYS + 1];
	static uint64_t in_b[KEYS + 1];
	payload		stored_a;
	payload		stored_b;
	pds_cms_view va;
	pds_cms_view vb;
	pds_cms_wide product;
	uint64_t	rows = 0;

	for (int i = 0; i < 50000; i++)
	{
		uint64_t	key = zipf(KEYS);

		in_a[key]++;
		sketch_add(&a, hash_of(key), 1);
		key = zipf(KEYS);
		in_b[key]++;
		sketch_add(&b, hash_of(key), 1);
	}
	for (int key = 0; key <= KEYS; key++)
		rows += in_a[key] * in_b[key];
	stored_a = sketch_encode(&a);
	stored_b = sketch_encode(&b);
	va = payload_view(&stored_a);
	vb = payload_view(&stored_b);
	CHECK(pds_cms_inner_product(&va, &vb, &product) == PDS_OK);
	printf("# join size %" PRIu64 ", estimated %" PRIu64 "\n", rows, product.low);
	CHECK(product.high == 0);
	CHECK(product.low >= rows);
	CHECK((double) product.low <= (double) rows + exp(1) / shape.width * 50000.0 * 50000.0);
	payload_free(&stored_a);
	payload_free(&stored_b);
	sketch_free(&a);
	sketch_free(&b);
}

TEST(inner_products_that_cannot_be)
{
	pds_cms_shape shapes[] = {shape_of(0.01, 0.01), shape_of(0.01, 0.1),
		conservative_shape_of(0.01, 0.01)};
	payload		stored[3];
	pds_cms_view v[3];
	pds_cms_wide product;

	for (int i = 0; i < 3; i++)
	{
		sketch		s = sketch_new(&shapes[i]);

		sketch_add(&s, hash_of(1), 1);
		stored[i] = sketch_encode(&s);
		v[i] = payload_view(&stored[i]);
		sketch_free(&s);
	}
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			CHECK(pds_cms_inner_product(&v[i], &v[j], &product) ==
				  (i == j && i < 2 ? PDS_OK : PDS_PARAMETER_MISMATCH));
	for (int i = 0; i < 3; i++)
		payload_free(&stored[i]);
}

TEST(counters_that_are_not_zero_are_counted)
{
	pds_cms_shape shape = shape_of(0.01, 0.01);

	for (size_t n = 0; n < 600; n = n * 2 + 1)
	{
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(&shape);
		uint32_t	want = 0;
		payload		stored;
		pds_cms_view v;

		for (size_t j = 0; j < n; j++)
		{
			sketch_add(&s, hash_of(j), 300);
			oracle_add(&o, hash_of(j), 300);
		}
		for (uint32_t i = 0; i < pds_cms_counters(&shape); i++)
			want += o.counters[i] > 0;
		stored = sketch_encode(&s);
		v = payload_view(&stored);
		CHECK_U64(pds_cms_count_nonzero(&v), want);
		payload_free(&stored);
		oracle_free(&o);
		sketch_free(&s);
	}
}
