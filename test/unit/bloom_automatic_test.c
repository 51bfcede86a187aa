/*
 * bloom_automatic_test.c: the filter that sizes itself for the values that it saw, exactly
 * while it can keep all hashes, by folding beyond.  Any order gives the same bytes, which are
 * those of a filter planned for that size
 */
#include <math.h>

#include "bloom_sets.h"

#define AUTO_RATE	PDS_BLOOM_AUTO_RATE

TEST(few_keys_get_the_filter_planned_for_them)
{
	for (size_t n = 0; n <= 40000; n = n < 10 ? n + 1 : n * 2)
	{
		pds_bloom_shape s = shape_of(n > 0 ? n : 1, AUTO_RATE, PDS_BLOOM_BLOCKED);
		filter		f = filter_automatic();
		filter		parts[3];
		payload		want;

		take_hashes(n);
		if (n > 5)
			hashes[3] = (pds_hash) {0, 0};
		want = oracle_of_hashes(n, &s);
		for (size_t i = 0; i < n; i++)
		{
			filter_add(&f, hashes[i]);
			filter_add(&f, hashes[below(i + 1)]);
		}
		CHECK_U64(f.b->mode, PDS_BLOOM_HASHES);
		check_state(&f, &want);
		check_state(&f, &want);
		filter_free(&f);

		/* in parts that overlap, merged in another order */
		for (int p = 0; p < 3; p++)
			parts[p] = filter_automatic();
		shuffle(hashes, n);
		for (size_t i = 0; i < n; i++)
		{
			filter_add(&parts[i % 3], hashes[i]);
			filter_add(&parts[below(3)], hashes[i]);
		}
		filter_merge(&parts[2], &parts[0]);
		filter_merge(&parts[1], &parts[2]);
		check_state(&parts[1], &want);
		for (int p = 0; p < 3; p++)
			filter_free(&parts[p]);
		payload_free(&want);
	}
}

/* A stored automatic filter is one of its shape: it can be added to and united. */
TEST(once_stored_it_is_as_if_planned)
{
	pds_bloom_shape s = shape_of(1000, AUTO_RATE, PDS_BLOOM_BLOCKED);
	filter		f = filter_automatic();
	payload		stored;
	filter		g;

	take_hashes(2000);
	for (size_t i = 0; i < 1000; i++)
		filter_add(&f, hashes[i]);
	stored = filter_encode(&f);
	g = filter_of_payload(&stored);
	CHECK(!g.b->automatic);
	for (size_t i = 1000; i < 2000; i++)
		filter_add(&g, hashes[i]);
	check_set(&g, 2000, &s);
	payload_free(&stored);
	filter_free(&g);

	/* nor does the image that was decided continue as an automatic one */
	{
		pds_bloom_plan plan;

		CHECK_U64(pds_bloom_plan_finish(f.b, 1, &plan), PDS_FULL);
		filter_move(&f, &plan);
		CHECK(!f.b->automatic);
		CHECK_U64(pds_bloom_plan_finish(f.b, 1, &plan), PDS_OK);
		check_set(&f, 1000, &s);
	}
	filter_free(&f);
}

/* ---------- beyond what it keeps hashes of ---------- */

/* What it must be for a number of blocks: the same keys in a filter of that shape. */
static payload
planned(uint64_t n, const pds_bloom_shape *s)
{
	filter		f = filter_of_bits(s);
	payload		p;

	for (uint64_t i = 0; i < n; i++)
		filter_add(&f, pds_murmur3_u64(i));
	p = filter_encode(&f);
	filter_free(&f);
	return p;
}

TEST(many_keys_are_folded_to_what_would_have_been_built)
{
	static const uint64_t counts[] = {0, 1};

	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
	{
		uint64_t	n = PDS_BLOOM_AUTO_HASHES + counts[c];
		filter		f = filter_automatic();
		payload		stored;
		payload		want;
		pds_bloom_view v;

		for (uint64_t i = 0; i < n; i++)
			filter_add(&f, pds_murmur3_u64(i));
		/* what was there already is no reason to change over */
		filter_add(&f, pds_murmur3_u64(0));
		CHECK_U64(f.b->mode, counts[c] == 0 ? PDS_BLOOM_HASHES : PDS_BLOOM_BITS);
		stored = filter_encode(&f);
		v = payload_view(&stored);
		CHECK_U64(v.shape.hashes, 6);
		CHECK_U64(v.shape.rate, pds_decimal_code(AUTO_RATE));
		if (counts[c] == 0)
			CHECK_U64(v.shape.capacity, n);
		else
		{
			CHECK_U64(PDS_BLOOM_AUTO_BLOCKS % (v.shape.bits / 512), 0);
			/* the next divisor of 2162160 is a fifth away at most */
			CHECK((double) v.shape.capacity > 0.997 * (double) n);
			CHECK((double) v.shape.capacity < 1.25 * (double) n);
		}
		want = planned(n, &v.shape);
		CHECK(payload_equal(&stored, &want));
		payload_free(&want);

		/* the other way round, and in two parts with a union */
		if (c > 0)
		{
			filter		g = filter_automatic();
			filter		h = filter_automatic();

			for (uint64_t i = n; i-- > 0;)
				filter_add(i % 5 < 3 ? &g : &h, pds_murmur3_u64(i));
			for (uint64_t i = 0; i < 1000; i++)
				filter_add(&h, pds_murmur3_u64(i * 7));
			filter_merge(&g, &h);
			want = filter_encode(&g);
			CHECK(payload_equal(&stored, &want));
			payload_free(&want);
			/* an array into hashes, and hashes into an array */
			filter_merge(&h, &g);
			want = filter_encode(&h);
			CHECK(payload_equal(&stored, &want));
			payload_free(&want);
			filter_free(&h);
			h = filter_automatic();
			for (uint64_t i = 0; i < 1000; i++)
				filter_add(&h, pds_murmur3_u64(i));
			filter_merge(&g, &h);
			want = filter_encode(&g);
			CHECK(payload_equal(&stored, &want));
			payload_free(&want);
			filter_free(&g);
			filter_free(&h);
		}
		payload_free(&stored);
		filter_free(&f);
	}
}

/*
 * The shape that an array is folded to hangs on an estimate in floating point, and
 * is stored.  No number of bits set lies so near to a change that two
 * machines could differ: their logarithms are off by some 10^-15.
 */
TEST(no_fold_hangs_on_a_rounding)
{
	const double m = PDS_BLOOM_AUTO_BLOCKS * 512.0;
	const double per_key = 1 - pow(1 - 1.0 / 512, 6);
	double		nearest = 1;
	int			divisors = 0;

	for (uint64_t blocks = 1024; blocks <= PDS_BLOOM_AUTO_BLOCKS; blocks++)
	{
		double		capacity = 1;
		double		hi = 1e9;
		double		set;

		if (PDS_BLOOM_AUTO_BLOCKS % blocks != 0)
			continue;
		divisors++;
		/* the largest capacity whose filter has so many blocks */
		while (hi - capacity > 1)
		{
			double		mid = floor((capacity + hi) / 2);
			pds_bloom_shape s;

			if (pds_bloom_shape_for((uint64_t) mid, pds_decimal_code(AUTO_RATE),
									PDS_BLOOM_BLOCKED, &s) == PDS_OK && s.bits <= blocks * 512)
				capacity = mid;
			else
				hi = mid;
		}
		set = floor(-m * expm1(-capacity * per_key / PDS_BLOOM_AUTO_BLOCKS));
		for (double at = set - 2; at <= set + 2; at++)
		{
			double		keys = -(double) PDS_BLOOM_AUTO_BLOCKS * log1p(-at / m) / per_key;
			double		off = fabs(keys / capacity - 1);

			if (off < nearest)
				nearest = off;
		}
	}
	CHECK(divisors > 100);
	CHECK(nearest > 1e-12);
	printf("# %d divisors, the nearest number of bits %g from a change\n", divisors, nearest);
}

TEST(more_than_it_can_size_is_said)
{
	filter		f = filter_automatic();
	pds_bloom_plan plan;
	uint8_t    *array;
	uint64_t	limit = pds_bloom_auto_limit(pds_decimal_code(PDS_BLOOM_AUTO_RATE));

	CHECK(limit > 111000000 && limit < 112000000);
	plan.shape = f.b->shape;
	plan.mode = PDS_BLOOM_BITS;
	plan.size = pds_bloom_bits_size(plan.shape.bits);
	filter_move(&f, &plan);
	CHECK(f.b->automatic);
	/* as full as 10^8 keys would make it, and then a little fuller than the limit */
	array = pds_bloom_build_array(f.b);
	memset(array, 0x55, (size_t) (plan.shape.bits / 8));
	memset(array, 0, (size_t) (plan.shape.bits / 8 / 8));
	CHECK_U64(pds_bloom_plan_finish(f.b, 1, &plan), PDS_FULL);
	CHECK(plan.shape.capacity > 95000000 && plan.shape.capacity <= limit);
	memset(array, 0x55, (size_t) (plan.shape.bits / 8));
	CHECK_U64(pds_bloom_plan_finish(f.b, 1, &plan), PDS_TOO_LARGE);
	filter_free(&f);
}
