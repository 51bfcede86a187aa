/*
 * counting_bloom_state_test.c: adding, removing, uniting and subtracting, against a plain
 * array of counters
 */
#include "test.h"

#include "counting_bloom_filter.h"

/* Small ones in one block, blocks, classic; of few counters and of many. */
static pds_bloom_shape
example_shape(int i)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
		uint8_t		family;
	}			shapes[] = {
		{1, 0.3, PDS_BLOOM_BLOCKED}, {5, 0.01, PDS_BLOOM_BLOCKED}, {100, 0.01, PDS_BLOOM_BLOCKED},
		{400, 0.01, PDS_BLOOM_BLOCKED}, {700, 0.03, PDS_BLOOM_BLOCKED},
		{2000, 0.001, PDS_BLOOM_BLOCKED}, {5, 0.1, PDS_BLOOM_CLASSIC},
		{300, 0.01, PDS_BLOOM_CLASSIC}, {1500, 0.0001, PDS_BLOOM_CLASSIC}
	};

	return shape_of(shapes[i].capacity, shapes[i].rate, shapes[i].family);
}

#define EXAMPLE_SHAPES	9

/* Unpacked it says the same: to counters, and to the bits of a Bloom filter. */
static void
check_unpacked(const pds_counting_bloom_view *v, const oracle *o, uint64_t values)
{
	size_t		size = (size_t) (v->shape.bits / 2);
	uint8_t    *counters = sketch_memory(size);
	uint8_t    *bits = sketch_memory(size / 4);

	memset(counters, 0, size);
	memset(bits, 0, size / 4);
	CHECK(pds_counting_bloom_unpack(v, counters) == PDS_OK);
	CHECK(pds_counting_bloom_set_bits(v, bits) == PDS_OK);
	for (uint64_t i = 0; i < v->shape.bits; i++)
		CHECK(pds_counting_bloom_counter(counters, i) == o->counters[i]);
	for (uint64_t i = 0; i < values; i++)
	{
		pds_hash	h = pds_murmur3_u64(i);
		uint32_t	count = oracle_count(o, h);

		CHECK_U64(pds_counting_bloom_array_count(counters, &v->shape, h), count);
		CHECK(pds_bloom_array_contains(bits, &v->shape, h) == (count > 0));
	}
	free(counters);
	free(bits);
}

/* The filter is the oracle: same bytes, which are checked, and the same answers from all forms. */
static void
check_same(filter *f, const oracle *o, uint64_t values)
{
	payload		want = oracle_encode(o);
	payload		got;
	pds_counting_bloom_view v;
	const char *why = NULL;

	pds_counting_bloom_flush(f->b);
	CHECK(pds_counting_bloom_check_build(f->b, f->size));
	got = filter_encode(f);
	CHECK_U64(got.len, want.len);
	CHECK(payload_equal(&got, &want));
	CHECK(pds_counting_bloom_check(got.bytes, got.len, &why) == PDS_OK);
	if (why != NULL)
		printf("# %s\n", why);
	v = payload_view(&got);
	for (uint64_t i = 0; i < values; i++)
	{
		pds_hash	h = pds_murmur3_u64(i);
		uint32_t	count = oracle_count(o, h);

		CHECK_U64(pds_counting_bloom_build_count(f->b, h), count);
		CHECK_U64(view_count(&v, h), count);
	}
	check_unpacked(&v, o, values);
	payload_free(&got);
	payload_free(&want);
}

TEST(adds_and_removes_are_what_they_are_in_a_plain_array)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		uint64_t	values = 2 + 2 * shape.capacity;
		filter		f = filter_new(&shape);
		oracle		o = oracle_new(&shape);

		if (values > 500)
			values = 500;
		check_same(&f, &o, 5);
		for (int round = 0; round < 6; round++)
		{
			for (uint64_t j = 0; j < values; j++)
			{
				pds_hash	h = pds_murmur3_u64(test_random() % values);

				/* the last rounds take away more than they give */
				if (test_random() % 8 < (round < 3 ? 6 : 2))
				{
					filter_add(&f, h);
					oracle_add(&o, h);
				}
				else
				{
					bool		removed = oracle_remove(&o, h);

					CHECK(pds_counting_bloom_remove(f.b, h) == (removed ? PDS_OK : PDS_NEGATIVE));
				}
			}
			check_same(&f, &o, 10);
		}
		filter_free(&f);
		oracle_free(&o);
	}
}

TEST(any_order_of_adds_and_removes_makes_the_same_bytes)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		uint64_t	stay = shape.capacity / 2 + 1;
		filter		f = filter_new(&shape);
		filter		fresh = filter_new(&shape);
		uint64_t	waiting = 0;
		uint64_t	come = 0;
		uint64_t	gone = 0;
		payload		a;
		payload		b;

		/* numbers from 0 to stay - 1 stay; others come, and go in the order in which they came */
		for (uint64_t j = 0; j < stay; j++)
			filter_add(&fresh, pds_murmur3_u64(j));
		while (waiting < stay || gone < come || come < shape.capacity)
		{
			uint64_t	what = test_random() % 3;

			if (what == 0 && waiting < stay)
				filter_add(&f, pds_murmur3_u64(waiting++));
			else if (what == 1 && come < shape.capacity)
				filter_add(&f, pds_murmur3_u64(1000000 + come++ / 2));
			else if (gone < come)
			{
				CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(1000000 + gone / 2)) ==
					  PDS_OK);
				gone++;
			}
		}
		a = filter_encode(&f);
		b = filter_encode(&fresh);
		/* in the smallest one, of 64 counters or so, too */
		CHECK(payload_equal(&a, &b));
		payload_free(&a);
		payload_free(&b);
		for (uint64_t j = 0; j < stay; j++)
			CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(j)) == PDS_OK);
		CHECK_U64(f.b->nonzero, 0);
		CHECK_U64(pds_state_kind(f.b), PDS_KIND_NONE);
		filter_free(&f);
		filter_free(&fresh);
	}
}

TEST(what_is_saturated_stays)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		filter		f = filter_new(&shape);
		oracle		o = oracle_new(&shape);
		pds_hash	often = pds_murmur3_u64(7);

		for (int j = 0; j < 14; j++)
		{
			filter_add(&f, often);
			oracle_add(&o, often);
		}
		CHECK_U64(pds_counting_bloom_build_count(f.b, often), 14);
		CHECK(pds_counting_bloom_remove(f.b, often) == PDS_OK);
		CHECK_U64(pds_counting_bloom_build_count(f.b, often), 13);
		(void) oracle_remove(&o, often);
		for (int j = 0; j < 5; j++)
		{
			filter_add(&f, often);
			oracle_add(&o, often);
		}
		for (int j = 0; j < 30; j++)
			CHECK(pds_counting_bloom_remove(f.b, often) == PDS_OK);
		CHECK_U64(pds_counting_bloom_build_count(f.b, often), 15);
		check_same(&f, &o, 10);
		filter_free(&f);
		oracle_free(&o);
	}
}

TEST(an_exact_image_is_what_the_values_left_in_it_make)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		uint64_t	window = 2 * shape.capacity < 800 ? 2 * shape.capacity : 800;
		filter		f = filter_new_exact(&shape);

		/* a window over skewed numbers: some are in it hundreds of times */
		for (uint64_t row = 0; row < 6 * window; row++)
		{
			filter_add(&f, pds_murmur3_u64(row * row / window % 97 % (1 + row % 11)));
			if (row >= window)
			{
				uint64_t	old = row - window;

				CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(old * old / window % 97 %
																	 (1 + old % 11))) == PDS_OK);
			}
			if (row % (window / 2 + 1) == 0)
			{
				oracle		o = oracle_new(&shape);
				filter		copy = filter_copy(&f);

				for (uint64_t r = row >= window ? row - window + 1 : 0; r <= row; r++)
					oracle_add(&o, pds_murmur3_u64(r * r / window % 97 % (1 + r % 11)));
				CHECK(pds_counting_bloom_check_build(f.b, f.size));
				check_same(&copy, &o, 12);
				filter_free(&copy);
				oracle_free(&o);
			}
		}
		/* and nothing is left when the window is empty */
		for (uint64_t old = 5 * window; old < 6 * window; old++)
			CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(old * old / window % 97 %
																 (1 + old % 11))) == PDS_OK);
		CHECK_U64(f.b->nonzero, 0);
		filter_free(&f);
	}
}

TEST(unions_are_the_same_in_any_tree)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		filter		parts[9];
		oracle		o = oracle_new(&shape);
		filter		all;
		int			n = 9;

		for (int p = 0; p < n; p++)
		{
			uint64_t	values = (uint64_t) p * (uint64_t) p * shape.capacity / 60 + 1;

			parts[p] = p % 3 == 2 ? filter_new_exact(&shape) : filter_new(&shape);
			for (uint64_t j = 0; j < values && j < 300; j++)
			{
				pds_hash	h = pds_murmur3_u64(test_random() % 40 * test_random() % 40);

				filter_add(&parts[p], h);
				oracle_add(&o, h);
			}
		}
		/* stored or not, into nothing or into another */
		while (n > 1)
		{
			int			a = (int) (test_random() % (uint64_t) n);
			int			b = (a + 1 + (int) (test_random() % (uint64_t) (n - 1))) % n;

			if (test_random() % 2 == 0)
			{
				filter		to = filter_nothing();

				CHECK(pds_counting_bloom_check_build(to.b, to.size));
				CHECK(pds_counting_bloom_ops.is_nothing(to.b));
				CHECK(filter_merge_filter(&to, &parts[a]) == PDS_OK);
				filter_free(&parts[a]);
				parts[a] = to;
			}
			if (test_random() % 2 == 0)
				CHECK(filter_merge_filter(&parts[a], &parts[b]) == PDS_OK);
			else
			{
				payload		p = filter_encode(&parts[b]);
				pds_counting_bloom_view v = payload_view(&p);

				CHECK(filter_merge_view(&parts[a], &v) == PDS_OK);
				payload_free(&p);
			}
			CHECK(pds_counting_bloom_check_build(parts[a].b, parts[a].size));
			filter_free(&parts[b]);
			parts[b] = parts[--n];
		}
		all = parts[0];
		check_same(&all, &o, 30);
		filter_free(&all);
		oracle_free(&o);
	}
}

TEST(a_difference_undoes_a_union)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		filter		a = filter_new(&shape);
		filter		b = filter_new(&shape);
		payload		before;
		payload		b_stored;
		payload		after;
		pds_counting_bloom_view v;

		for (uint64_t j = 0; j < shape.capacity / 2 + 1; j++)
		{
			filter_add(&a, pds_murmur3_u64(j));
			filter_add(&b, pds_murmur3_u64(2 * j + 1));
		}
		before = filter_encode(&a);
		b_stored = filter_encode(&b);
		v = payload_view(&b_stored);
		/* b is no part of a, and that changes nothing */
		if (i != 0)
			CHECK(pds_counting_bloom_subtract(a.b, &v) == PDS_NEGATIVE);
		after = filter_encode(&a);
		CHECK(i == 0 || payload_equal(&before, &after));
		payload_free(&after);
		payload_free(&before);

		before = filter_encode(&a);
		CHECK(filter_merge_view(&a, &v) == PDS_OK);
		CHECK(pds_counting_bloom_subtract(a.b, &v) == PDS_OK);
		after = filter_encode(&a);
		CHECK(payload_equal(&before, &after));
		v = payload_view(&after);
		CHECK(pds_counting_bloom_subtract(a.b, &v) == PDS_OK);
		CHECK_U64(a.b->nonzero, 0);
		CHECK_U64(pds_state_kind(a.b), PDS_KIND_NONE);
		payload_free(&after);
		payload_free(&before);
		payload_free(&b_stored);
		filter_free(&a);
		filter_free(&b);
	}
}

TEST(differences_keep_what_is_saturated)
{
	pds_bloom_shape shape = example_shape(3);
	filter		a = filter_new(&shape);
	filter		b = filter_new(&shape);
	pds_counting_bloom_view from;
	payload		p;

	for (int i = 0; i < 15; i++)
		filter_add(&a, pds_murmur3_u64(1));
	for (int i = 0; i < 20; i++)
		filter_add(&b, pds_murmur3_u64(1));
	filter_add(&a, pds_murmur3_u64(2));
	p = filter_encode(&b);
	from = payload_view(&p);
	CHECK(pds_counting_bloom_subtract(a.b, &from) == PDS_OK);
	CHECK_U64(pds_counting_bloom_build_count(a.b, pds_murmur3_u64(1)), 15);
	CHECK_U64(pds_counting_bloom_build_count(a.b, pds_murmur3_u64(2)), 1);
	payload_free(&p);
	filter_free(&a);
	filter_free(&b);
}

TEST(other_shapes_do_not_mix)
{
	for (int i = 1; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape x = example_shape(i);
		pds_bloom_shape y = example_shape(i - 1);
		filter		a = filter_new(&x);
		filter		b = filter_new(&y);
		payload		p = filter_encode(&b);
		pds_counting_bloom_view from = payload_view(&p);

		CHECK(filter_merge_filter(&a, &b) == PDS_PARAMETER_MISMATCH);
		CHECK(pds_counting_bloom_subtract(a.b, &from) == PDS_PARAMETER_MISMATCH);
		payload_free(&p);
		filter_free(&a);
		filter_free(&b);
	}
}

/* A filter with a ring, which an operand keeps. */
TEST(a_ring_holds_nothing_back)
{
	pds_bloom_shape shape = shape_of(200000, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&shape);
	filter		g = filter_new(&shape);
	filter		both = filter_new(&shape);
	payload		a;
	payload		b;

	CHECK(shape.bits >= PDS_COUNTING_BLOOM_RING_COUNTERS);
	for (uint64_t i = 0; i < 100007; i++)
	{
		filter_add(i % 2 == 0 ? &f : &g, pds_murmur3_u64(i));
		filter_add(&both, pds_murmur3_u64(i));
	}
	CHECK(f.b->pending > 0 && g.b->pending > 0);
	CHECK(pds_counting_bloom_check_build(f.b, f.size));
	CHECK(filter_merge_filter(&f, &g) == PDS_OK);
	a = filter_encode(&f);
	b = filter_encode(&both);
	CHECK(payload_equal(&a, &b));
	payload_free(&a);
	for (uint64_t i = 0; i < 100007; i++)
	{
		/* a hash may wait while another leaves */
		if (i % 1000 == 0)
			filter_add(&f, pds_murmur3_u64(200000));
		CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(i)) == PDS_OK);
		if (i % 1000 == 0)
			CHECK(pds_counting_bloom_remove(f.b, pds_murmur3_u64(200000)) == PDS_OK);
	}
	CHECK_U64(f.b->nonzero, 0);
	payload_free(&b);
	filter_free(&f);
	filter_free(&g);
	filter_free(&both);
}

TEST(counters_that_are_not_zero_are_the_bits_of_the_bloom_filter)
{
	for (int i = 0; i < EXAMPLE_SHAPES; i++)
	{
		pds_bloom_shape shape = example_shape(i);
		size_t		bytes = (size_t) (shape.bits / 8);
		uint8_t    *want = sketch_memory(bytes);
		uint8_t    *got = sketch_memory(bytes);

		for (uint64_t n = 0; n < 4; n++)
		{
			filter		f = filter_new(&shape);
			payload		p;
			pds_counting_bloom_view v;

			memset(want, 0, bytes);
			memset(got, 0, bytes);
			for (uint64_t j = 0; j < n * shape.capacity; j++)
			{
				filter_add(&f, pds_murmur3_u64(j));
				pds_bloom_array_add(want, &shape, pds_murmur3_u64(j));
			}
			p = filter_encode(&f);
			v = payload_view(&p);
			CHECK(pds_counting_bloom_set_bits(&v, got) == PDS_OK);
			CHECK_BYTES(got, want, bytes);
			payload_free(&p);
			filter_free(&f);
		}
		free(want);
		free(got);
	}
}

TEST(what_was_added_is_found_and_counted_from_above)
{
	pds_bloom_shape shape = shape_of(5000, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&shape);
	payload		p;
	pds_counting_bloom_view v;

	for (uint64_t i = 0; i < 5000; i++)
		for (uint64_t j = 0; j <= i % 5; j++)
			filter_add(&f, pds_murmur3_u64(i));
	p = filter_encode(&f);
	v = payload_view(&p);
	for (uint64_t i = 0; i < 5000; i++)
		CHECK(view_count(&v, pds_murmur3_u64(i)) >= i % 5 + 1);
	payload_free(&p);
	filter_free(&f);
}

/* What the server has unpacked of one filter answers for another that is the same there. */
TEST(the_same_lookup_is_the_same_answer)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape shape = shape_of(20000, 0.01, (uint8_t) family);
		filter		f = filter_new(&shape);
		payload		stored[2];
		pds_counting_bloom_view v[2];
		int			same = 0;
		int			others = 0;

		for (uint64_t i = 0; i < 3000; i++)
			filter_add(&f, pds_murmur3_u64(i));
		stored[0] = filter_encode(&f);
		stored[1] = payload_copy(stored[0].bytes, stored[0].len);
		v[0] = payload_view(&stored[0]);
		CHECK(v[0].list.segments > 10);
		for (uint64_t i = 0; i < 3000; i++)
			CHECK(pds_counting_bloom_same_lookup(&v[0], stored[1].bytes, pds_murmur3_u64(i)));
		/* with another head nothing is the same */
		stored[1].bytes[v[0].data_at - 1] ^= 1;
		for (uint64_t i = 0; i < 3000; i++)
			CHECK(!pds_counting_bloom_same_lookup(&v[0], stored[1].bytes, pds_murmur3_u64(i)));
		stored[1].bytes[v[0].data_at - 1] ^= 1;

		/* a bit of one segment: seen by the values that have a counter there, and by no others */
		stored[1].bytes[stored[1].len - 9] ^= 16;
		for (uint64_t i = 0; i < 3000; i++)
		{
			pds_hash	h = pds_murmur3_u64(i);
			bool		is = pds_counting_bloom_same_lookup(&v[0], stored[1].bytes, h);
			pds_bloom_walk w = pds_bloom_walk_start(shape.family, shape.bits, h);
			bool		last = false;

			for (int k = 0; k < shape.hashes; k++)
				last = last || pds_bloom_walk_next(&w) >> v[0].list.shift == v[0].list.segments - 1;
			CHECK(is == !last);
			same += is;
			others += !is;
		}
		CHECK(same > 0 && others > 0);
		/* a directory that is damaged is not the same, and not read beyond */
		memset(stored[1].bytes + v[0].data_at, 0xff, 4 * (size_t) v[0].list.segments);
		v[1] = v[0];
		v[1].payload = stored[1].bytes;
		for (uint64_t i = 0; i < 100; i++)
		{
			CHECK(!pds_counting_bloom_same_lookup(&v[0], stored[1].bytes, pds_murmur3_u64(i)));
			CHECK(!pds_counting_bloom_same_lookup(&v[1], stored[1].bytes, pds_murmur3_u64(i)));
		}
		payload_free(&stored[0]);
		payload_free(&stored[1]);
		filter_free(&f);
	}
}
