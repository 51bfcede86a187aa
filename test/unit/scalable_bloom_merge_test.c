/*
 * scalable_bloom_merge_test.c: unions of scalable Bloom filters
 */
#include "scalable_bloom_sketch.h"
#include "test.h"

#include "scalable_bloom_build.h"
#include "scalable_bloom_estimate.h"

#define SKETCHES	9

/* Of different sizes and parameters; some share keys, two are the same, one is empty. */
static void
make_sketches(payload *stored)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
		uint32_t	expansion;
		uint64_t	from;
		uint64_t	to;
	}			of[SKETCHES] = {
		{100, 0.01, 2, 0, 90}, {100, 0.01, 2, 50, 140}, {100, 0.01, 2, 0, 5000},
		{100, 0.01, 2, 4000, 4600}, {100, 0.01, 2, 0, 90}, {5000, 0.01, 2, 0, 30},
		{100, 0.05, 2, 0, 2000}, {300, 0.001, 4, 100, 2500}, {1000, 0.02, 3, 0, 0}
	};

	for (int i = 0; i < SKETCHES; i++)
	{
		pds_scalable_bloom_parameters p = parameters_of(of[i].capacity, of[i].rate,
														of[i].expansion);

		stored[i] = payload_of_keys(&p, of[i].from, of[i].to);
	}
}

static payload
union_of(const payload *a, const payload *b)
{
	sketch		s = payload_state(a);
	payload		stored;

	sketch_union_payload(&s, b);
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

TEST(a_union_finds_what_either_side_finds)
{
	payload		stored[SKETCHES];

	make_sketches(stored);
	for (int i = 0; i < SKETCHES; i++)
		for (int j = 0; j < SKETCHES; j++)
		{
			payload		both = union_of(&stored[i], &stored[j]);
			pds_scalable_bloom_view a = payload_view(&stored[i]);
			pds_scalable_bloom_view b = payload_view(&stored[j]);
			pds_scalable_bloom_view v = payload_view(&both);

			for (uint64_t k = 0; k < 6000; k += 11)
				CHECK(view_contains(&v, key(k)) ==
					  (view_contains(&a, key(k)) || view_contains(&b, key(k))));
			CHECK(v.layers <= a.layers + b.layers);
			payload_free(&both);
		}
	for (int i = 0; i < SKETCHES; i++)
		payload_free(&stored[i]);
}

TEST(a_union_is_the_same_bytes_by_any_tree)
{
	payload		stored[SKETCHES];
	payload		all = {NULL, 0};

	make_sketches(stored);
	for (int round = 0; round < 60; round++)
	{
		payload		left[2 * SKETCHES];
		size_t		n = 0;

		for (int i = 0; i < SKETCHES; i++)
			left[n++] = payload_copy(stored[i].bytes, stored[i].len);
		/* some of them a second time */
		for (int i = 0; i < round % 5; i++)
		{
			const payload *again = &stored[test_random() % SKETCHES];

			left[n++] = payload_copy(again->bytes, again->len);
		}
		while (n > 1)
		{
			size_t		i = test_random() % n;
			size_t		j = test_random() % (n - 1);
			payload		both;

			if (j >= i)
				j++;
			if (test_random() % 2 == 0)
				both = union_of(&left[i], &left[j]);
			else
			{
				/* states, as partial aggregates have them */
				sketch		a = payload_state(&left[i]);
				sketch		b = payload_state(&left[j]);

				sketch_union_state(&a, &b);
				both = sketch_encode(&a);
				sketch_free(&a);
				sketch_free(&b);
			}
			payload_free(&left[i]);
			payload_free(&left[j]);
			left[i] = both;
			left[j] = left[--n];
			if (i == n)
				i = j;
		}
		if (round == 0)
			all = payload_copy(left[0].bytes, left[0].len);
		CHECK(payload_equal(&left[0], &all));
		payload_free(&left[0]);
	}
	payload_free(&all);
	for (int i = 0; i < SKETCHES; i++)
		payload_free(&stored[i]);
}

TEST(a_union_with_itself_or_nothing_changes_nothing)
{
	payload		stored[SKETCHES];

	make_sketches(stored);
	for (int i = 0; i < SKETCHES; i++)
	{
		payload		both = union_of(&stored[i], &stored[i]);
		sketch		nothing = sketch_nothing();
		sketch		s = payload_state(&stored[i]);

		CHECK(payload_equal(&both, &stored[i]));
		payload_free(&both);
		/* nothing into it, and it into nothing */
		sketch_union_state(&s, &nothing);
		both = sketch_encode(&s);
		CHECK(payload_equal(&both, &stored[i]));
		payload_free(&both);
		sketch_union_state(&nothing, &s);
		both = sketch_encode(&nothing);
		CHECK(payload_equal(&both, &stored[i]));
		payload_free(&both);
		sketch_free(&nothing);
		sketch_free(&s);
	}
	for (int i = 0; i < SKETCHES; i++)
		payload_free(&stored[i]);
}

/* Layers that were filled further contain what they were. */
TEST(a_union_with_what_it_was_changes_nothing)
{
	pds_scalable_bloom_parameters p = parameters_of(100, 0.01, 2);
	payload		later = payload_of_keys(&p, 0, 3000);

	for (uint64_t n = 0; n <= 3000; n += n < 120 ? 1 : 97)
	{
		payload		earlier = payload_of_keys(&p, 0, n);
		payload		both = union_of(&later, &earlier);
		payload		turned = union_of(&earlier, &later);

		CHECK(payload_equal(&both, &later));
		CHECK(payload_equal(&turned, &later));
		payload_free(&both);
		payload_free(&turned);
		payload_free(&earlier);
	}
	payload_free(&later);
}

/* Of layers in each other only the largest stays, whatever the order in which they come. */
TEST(layers_in_each_other)
{
	pds_scalable_bloom_parameters p = parameters_of(2000, 0.01, 2);
	payload		stored[12];

	/* lists and arrays, each in the next; and three that are not */
	for (uint64_t i = 0; i < 9; i++)
		stored[i] = payload_of_keys(&p, 0, 1 + i * i * 20);
	for (uint64_t i = 9; i < 12; i++)
		stored[i] = payload_of_keys(&p, 1, 1 + i * 10);
	for (int round = 0; round < 50; round++)
	{
		sketch		s = sketch_nothing();
		payload		all;
		pds_scalable_bloom_view v;

		for (int i = 0; i < 12; i++)
		{
			int			j = i + (int) (test_random() % (uint64_t) (12 - i));
			payload		keep = stored[i];

			stored[i] = stored[j];
			stored[j] = keep;
			sketch_union_payload(&s, &stored[i]);
		}
		all = sketch_encode(&s);
		v = payload_view(&all);
		CHECK_U64(v.layers, 1);
		payload_free(&all);
		sketch_free(&s);
	}
	for (int i = 0; i < 12; i++)
		payload_free(&stored[i]);
}

/*
 * Layers of one sketch are not compared with each other when they are loaded or stored, which would
 * take a time that grows with their square.  So one that damaged bytes have twice stays.
 */
TEST(closed_layers_of_one_sketch_are_not_compared)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, 0.01, 2);
	payload		one = payload_of_keys(&p, 0, 900);
	payload		other = payload_of_keys(&p, 900, 1800);
	payload		both = union_of(&one, &other);
	sketch		damaged = payload_state(&both);
	sketch		loaded = sketch_nothing();
	pds_scalable_bloom_view v;
	pds_bloom_view first;
	pds_bloom_view second;
	size_t		at = 0;

	CHECK(pds_scalable_bloom_next_closed(damaged.b, &at, &first) &&
		  pds_scalable_bloom_next_closed(damaged.b, &at, &second));
	CHECK_U64(first.len, second.len);
	memcpy((uint8_t *) second.payload, first.payload, first.len);
	sketch_union_state(&loaded, &damaged);
	CHECK_U64(loaded.b->layers, 2);
	payload_free(&both);
	both = sketch_write(&loaded);
	CHECK(ops->open(&v, both.bytes, both.len, both.len, NULL) == PDS_OK);
	CHECK_U64(v.layers, 2);
	CHECK(ops->check(both.bytes, both.len, NULL) == PDS_CORRUPT);
	payload_free(&both);
	payload_free(&other);
	payload_free(&one);
	sketch_free(&loaded);
	sketch_free(&damaged);
}

/* With an open layer: a list of positions, an array, one that is full. */
TEST(states_with_an_open_layer_merge_as_what_they_are_stored_as)
{
	static const uint64_t counts[] = {0, 1, 60, 700, 1500, 9000};
	pds_scalable_bloom_parameters p = parameters_of(700, 0.01, 2);

	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
		{
			sketch		a = sketch_new(&p, false);
			sketch		b = sketch_new(&p, false);
			payload		a_stored;
			payload		b_stored;
			payload		want;
			payload		got;

			for (uint64_t k = 0; k < counts[i]; k++)
				sketch_add(&a, key(k));
			for (uint64_t k = 0; k < counts[j]; k++)
				sketch_add(&b, key(5000 + k));
			a_stored = sketch_encode(&a);
			b_stored = sketch_encode(&b);
			want = union_of(&a_stored, &b_stored);
			CHECK(ops->changes_as_operand(b.b) == (counts[j] > 0));
			sketch_union_state(&a, &b);
			got = sketch_encode(&a);
			CHECK(payload_equal(&got, &want));
			payload_free(&got);
			/* the operand is what it was */
			got = sketch_encode(&b);
			CHECK(payload_equal(&got, &b_stored));
			payload_free(&got);
			payload_free(&want);
			payload_free(&a_stored);
			payload_free(&b_stored);
			sketch_free(&a);
			sketch_free(&b);
		}
}

TEST(a_union_tells_its_rate)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, 0.01, 2);
	payload		all = payload_of_keys(&p, 0, 950);
	pds_scalable_bloom_view v;
	pds_scalable_bloom_summary sum;

	for (uint64_t i = 1; i < 10; i++)
	{
		payload		next = payload_of_keys(&p, i * 950, (i + 1) * 950);
		payload		both = union_of(&all, &next);

		payload_free(&next);
		payload_free(&all);
		all = both;
	}
	v = payload_view(&all);
	CHECK_U64(v.layers, 10);
	CHECK(pds_scalable_bloom_summarize(&v, &sum) == PDS_OK);
	CHECK_NEAR(sum.design_rate, 1 - 0.95111, 0.0001);
	CHECK_NEAR(sum.current_rate, 0.04, 0.008);
	CHECK_NEAR(sum.keys, 9500, 5 * sum.keys_error);
	payload_free(&all);
}

/* What is added to a union goes into its last layer, or one after it. */
TEST(a_union_grows)
{
	payload		stored[SKETCHES];
	payload		both;
	sketch		s;
	pds_scalable_bloom_view v;
	uint32_t	layers;

	make_sketches(stored);
	both = union_of(&stored[2], &stored[7]);
	v = payload_view(&both);
	layers = v.layers;
	s = payload_state(&both);
	payload_free(&both);
	for (uint64_t i = 0; i < 20000; i++)
		sketch_add(&s, key(100000 + i));
	both = sketch_encode(&s);
	v = payload_view(&both);
	CHECK(v.layers > layers);
	CHECK_U64(v.parameters.expansion, 4);
	for (uint64_t i = 0; i < 20000; i++)
		CHECK(view_contains(&v, key(100000 + i)));
	for (uint64_t i = 0; i < 5000; i++)
		CHECK(view_contains(&v, key(i)));
	payload_free(&both);
	sketch_free(&s);
	for (int i = 0; i < SKETCHES; i++)
		payload_free(&stored[i]);
}

TEST(what_does_not_go_together_is_refused)
{
	pds_scalable_bloom_parameters ours = parameters_of(100, 0.01, 2);
	pds_scalable_bloom_parameters theirs = {PDS_BLOOM_REDIS, 0, pds_decimal_code(0.01), 2, 100};
	sketch		a = sketch_new(&ours, false);
	sketch		b = sketch_new(&theirs, false);
	sketch		collects = sketch_new(&ours, true);
	pds_operand of_b = {b.b, NULL};
	pds_operand of_collects = {collects.b, NULL};
	pds_operand of_a = {a.b, NULL};

	CHECK(sketch_try_union(&a, &of_b) == PDS_PARAMETER_MISMATCH);
	CHECK(ops->merge(a.b, &of_b) == PDS_PARAMETER_MISMATCH);
	CHECK(sketch_try_union(&a, &of_collects) == PDS_PARAMETER_MISMATCH);
	CHECK(ops->merge(a.b, &of_collects) == PDS_PARAMETER_MISMATCH);
	CHECK(sketch_try_union(&collects, &of_a) == PDS_PARAMETER_MISMATCH);
	CHECK(ops->merge(collects.b, &of_a) == PDS_PARAMETER_MISMATCH);
	sketch_free(&a);
	sketch_free(&b);
	sketch_free(&collects);
}

TEST(more_layers_than_there_can_be_are_refused)
{
	pds_scalable_bloom_parameters p = parameters_of(1, 0.3, 1);
	sketch		s = sketch_nothing();
	pds_status	status = PDS_OK;
	int			n = 0;

	for (; status == PDS_OK && n < 2000; n++)
	{
		payload		one;
		pds_scalable_bloom_view v;
		pds_operand operand = {NULL, &v};

		p.capacity = (uint64_t) n + 1;
		one = payload_of_keys(&p, 0, 1);
		v = payload_view(&one);
		status = sketch_try_union(&s, &operand);
		payload_free(&one);
	}
	CHECK(status == PDS_TOO_LARGE);
	CHECK_U64(n, PDS_SCALABLE_BLOOM_MAX_LAYERS + 1);
	sketch_free(&s);
}
