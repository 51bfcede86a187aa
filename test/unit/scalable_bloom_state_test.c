/*
 * scalable_bloom_state_test.c: a scalable Bloom filter as it is being built
 */
#include <math.h>

#include "scalable_bloom_sketch.h"
#include "test.h"

#include "bloom_size.h"
#include "scalable_bloom_estimate.h"

/* The share of foreign keys that a stored sketch finds. */
static double
measured_rate(const payload *p, uint64_t probes)
{
	pds_scalable_bloom_view v = payload_view(p);
	uint64_t	found = 0;

	for (uint64_t i = 0; i < probes; i++)
		found += view_contains(&v, key((UINT64_C(1) << 40) + i));
	return (double) found / (double) probes;
}

TEST(an_empty_sketch_holds_nothing)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, 0.01, 2);
	payload		stored = payload_of_keys(&p, 0, 0);
	pds_scalable_bloom_view v = payload_view(&stored);

	/* header, rate 0.01 is 1 + 900 * 1 + 0 = 901, capacity 1000, expansion 2 */
	static const uint8_t bytes[] = {0x71, 0x00, 0x00, 0x85, 0x03, 0xe8, 0x07, 0x02};

	CHECK_U64(stored.len, sizeof(bytes));
	CHECK_BYTES(stored.bytes, bytes, sizeof(bytes));
	CHECK_U64(v.layers, 0);
	CHECK(!view_contains(&v, key(1)));
	payload_free(&stored);
}

TEST(whatever_was_added_is_found_while_it_grows)
{
	pds_scalable_bloom_parameters p = parameters_of(10, 0.01, 2);
	sketch		s = sketch_new(&p, false);

	for (uint64_t n = 0; n < 30000; n++)
	{
		sketch_add(&s, key(n));
		if (n < 100 || n % 1999 == 0)
		{
			payload		stored = sketch_encode(&s);
			pds_scalable_bloom_view v = payload_view(&stored);

			for (uint64_t i = 0; i <= n; i++)
				CHECK(view_contains(&v, key(i)));
			payload_free(&stored);
		}
	}
	sketch_free(&s);
}

TEST(layers_expand_and_tighten_and_their_rates_stay_below_the_promise)
{
	static const double promised[] = {0.9, 0.3, 0.03, 0.01, 0.001, 1e-5};
	static const uint32_t expansions[] = {1, 2, 4, 1000};

	for (size_t r = 0; r < 6; r++)
		for (size_t e = 0; e < 4; e++)
		{
			pds_scalable_bloom_parameters p = parameters_of(100, promised[r], expansions[e]);
			pds_bloom_shape last;
			pds_bloom_shape next;
			double		rates;

			CHECK(pds_scalable_bloom_first_shape(&p, &last) == PDS_OK);
			CHECK_U64(last.capacity, 100);
			rates = pds_scalable_bloom_rate_of(&last);
			CHECK_NEAR(rates, promised[r] / 2, promised[r] / 100);
			for (int i = 1; i < PDS_SCALABLE_BLOOM_MAX_LAYERS; i++)
			{
				double		share = fmax(0.076 * pow(0.8, i - 1), 1e-4);

				pds_scalable_bloom_next_shape(&p, &last, rates, &next);
				CHECK(next.capacity == last.capacity * expansions[e] ||
					  next.capacity == pds_bloom_max_capacity(next.rate, PDS_BLOOM_BLOCKED));
				CHECK(pds_scalable_bloom_rate_of(&next) <= pds_scalable_bloom_rate_of(&last));
				/* three digits, rounded down, are left */
				CHECK_NEAR(pds_scalable_bloom_rate_of(&next), promised[r] * share,
						   promised[r] * share * 0.06 + promised[r] * 5e-6);
				rates += pds_scalable_bloom_rate_of(&next);
				CHECK(rates < promised[r]);
				last = next;
				/* the sizes of blooms take a while to find */
				if (i > 40 && last.capacity == pds_bloom_max_capacity(next.rate, PDS_BLOOM_BLOCKED))
					break;
			}
		}
}

TEST(a_union_that_used_up_the_rate_still_grows)
{
	pds_scalable_bloom_parameters p = parameters_of(100, 0.01, 2);
	pds_bloom_shape last;
	pds_bloom_shape next;

	CHECK(pds_scalable_bloom_first_shape(&p, &last) == PDS_OK);
	pds_scalable_bloom_next_shape(&p, &last, 0.02, &next);
	CHECK_NEAR(pds_scalable_bloom_rate_of(&next), 1e-6, 1e-12);
	CHECK_U64(next.capacity, 200);
}

TEST(a_layer_is_full_at_its_capacity)
{
	static const uint64_t capacities[] = {1, 2, 10, 100, 1000, 20000};

	for (size_t c = 0; c < 6; c++)
	{
		pds_scalable_bloom_parameters p = parameters_of(capacities[c], 0.01, 2);
		double		sum = 0;
		int			rounds = c < 5 ? 200 : 20;
		pds_bloom_shape shape;
		double		keys = (double) capacities[c];

		CHECK(pds_scalable_bloom_first_shape(&p, &shape) == PDS_OK);
		for (int round = 0; round < rounds; round++)
		{
			sketch		s = sketch_new(&p, false);
			uint64_t	n = 0;

			while (s.b->layers == 0)
				sketch_add(&s, key(test_random() + n++));
			sum += (double) (n - 1);
			sketch_free(&s);
		}
		/*
		 * The number of keys at which the threshold of bits is met varies by at most
		 * sqrt(keys); the threshold is the mean, and passed by up to one key.
		 */
		CHECK_NEAR(sum / rounds, keys + 0.5, 1 + 4 * sqrt(keys / rounds) + 0.006 * keys);
	}
}

TEST(the_measured_rate_is_below_the_promised_one)
{
	static const double promised[] = {0.1, 0.01};

	for (size_t r = 0; r < 2; r++)
	{
		pds_scalable_bloom_parameters p = parameters_of(100, promised[r], 2);
		payload		stored = payload_of_keys(&p, 0, 50000);
		pds_scalable_bloom_view v = payload_view(&stored);
		pds_scalable_bloom_summary sum;
		double		rate = measured_rate(&stored, 100000);

		CHECK(pds_scalable_bloom_summarize(&v, &sum) == PDS_OK);
		CHECK(v.layers >= 9);
		CHECK(sum.design_rate < promised[r]);
		CHECK(rate <= promised[r] + 4 * sqrt(promised[r] / 100000));
		/* and as estimated: 5 standard deviations of a count */
		CHECK_NEAR(rate, sum.current_rate, 5 * sqrt(sum.current_rate / 100000));
		/* no key is in two layers: some are in none, as the layers had said yes */
		CHECK_NEAR(sum.keys, 50000, 50000 * promised[r] + 5 * sum.keys_error);
		payload_free(&stored);
	}
}

TEST(one_by_one_and_all_at_once_make_the_same)
{
	pds_scalable_bloom_parameters p = parameters_of(20, 0.02, 3);
	payload		at_once = payload_of_keys(&p, 0, 3000);
	payload		stored = payload_of_keys(&p, 0, 0);

	for (uint64_t i = 0; i < 3000; i++)
	{
		/* X_add reads the stored one, adds, and stores it again */
		sketch		s = payload_state(&stored);

		sketch_add(&s, key(i));
		/* a value that is there already changes nothing */
		if (i % 7 == 0)
			sketch_add(&s, key(test_random() % (i + 1)));
		payload_free(&stored);
		stored = sketch_encode(&s);
		sketch_free(&s);
	}
	CHECK(payload_equal(&stored, &at_once));
	payload_free(&at_once);
	payload_free(&stored);
}

TEST(up_to_the_capacity_the_order_does_not_matter)
{
	static const uint64_t capacities[] = {5, 60, 700, 9000};

	for (size_t c = 0; c < 4; c++)
	{
		pds_scalable_bloom_parameters p = parameters_of(capacities[c], 0.01, 2);
		/* nine tenths, so that it is not full by chance */
		uint64_t	n = capacities[c] * 9 / 10;
		payload		forwards = payload_of_keys(&p, 0, n);
		sketch		backwards = sketch_new(&p, false);
		sketch		collected = sketch_new(&p, true);
		payload		other;

		for (uint64_t i = n; i > 0; i--)
		{
			sketch_add(&backwards, key(i - 1));
			sketch_add(&collected, key(i - 1));
		}
		other = sketch_encode(&backwards);
		CHECK(payload_equal(&forwards, &other));
		payload_free(&other);
		other = sketch_encode(&collected);
		CHECK(payload_equal(&forwards, &other));
		payload_free(&other);
		sketch_free(&backwards);
		sketch_free(&collected);
		payload_free(&forwards);
	}
}

TEST(what_was_collected_is_one_layer_whatever_the_order)
{
	static const uint64_t counts[] = {0, 1, 100, 101, 1000, 30000};
	pds_scalable_bloom_parameters p = parameters_of(100, 0.01, 2);

	for (size_t c = 0; c < 6; c++)
	{
		uint64_t	n = counts[c];
		payload		first = {NULL, 0};

		for (int round = 0; round < 3; round++)
		{
			sketch		s = sketch_new(&p, true);
			payload		stored;
			pds_scalable_bloom_view v;
			pds_bloom_view layer;

			/* all of them in another order, some of them twice */
			for (uint64_t i = 0; i < n; i++)
			{
				sketch_add(&s, key(round == 0 ? i : n - 1 - i));
				if (round == 2)
					sketch_add(&s, key(test_random() % n));
			}
			CHECK(ops->check_state(s.b, s.size));
			stored = sketch_encode(&s);
			v = payload_view(&stored);
			CHECK_U64(v.layers, n > 0);
			if (n > 0)
			{
				CHECK(pds_scalable_bloom_layer(&v, 0, &layer) == PDS_OK);
				CHECK_U64(layer.shape.capacity, n > 100 ? n : 100);
				CHECK_NEAR(pds_scalable_bloom_rate_of(&layer.shape), 0.005, 1e-9);
				for (uint64_t i = 0; i < n; i++)
					CHECK(view_contains(&v, key(i)));
			}
			if (round == 0)
				first = payload_copy(stored.bytes, stored.len);
			CHECK(payload_equal(&stored, &first));
			payload_free(&stored);
			sketch_free(&s);
		}
		/* and grows when more is added to it */
		if (n > 0)
		{
			sketch		s = payload_state(&first);
			payload		stored;
			pds_scalable_bloom_view v;
			pds_bloom_view layer;

			for (uint64_t i = 0; i < (n > 100 ? n : 100) + 50; i++)
				sketch_add(&s, key(n + i));
			stored = sketch_encode(&s);
			v = payload_view(&stored);
			CHECK_U64(v.layers, 2);
			CHECK(pds_scalable_bloom_layer(&v, 1, &layer) == PDS_OK);
			CHECK_U64(layer.shape.capacity, 2 * (n > 100 ? n : 100));
			payload_free(&stored);
			sketch_free(&s);
		}
		payload_free(&first);
	}
}

TEST(more_than_the_list_of_hashes_holds_is_collected_too)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, 0.02, 2);
	payload		first = {NULL, 0};

	for (int round = 0; round < 2; round++)
	{
		sketch		s = sketch_new(&p, true);
		uint64_t	n = PDS_BLOOM_AUTO_HASHES + 100000;
		payload		stored;
		pds_scalable_bloom_view v;
		pds_bloom_view layer;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, key(round == 0 ? i : n - 1 - i));
		stored = sketch_encode(&s);
		v = payload_view(&stored);
		CHECK(pds_scalable_bloom_layer(&v, 0, &layer) == PDS_OK);
		CHECK(layer.shape.capacity >= n * 99 / 100 && layer.shape.capacity < n * 12 / 10);
		for (uint64_t i = 0; i < n; i += 97)
			CHECK(view_contains(&v, key(i)));
		CHECK(measured_rate(&stored, 20000) < 0.01 + 4 * sqrt(0.01 / 20000));
		if (round == 0)
			first = stored;
		else
		{
			CHECK(payload_equal(&first, &stored));
			payload_free(&stored);
		}
		sketch_free(&s);
	}
	payload_free(&first);
}

TEST(a_sketch_that_does_not_grow_refuses_more)
{
	pds_scalable_bloom_parameters p = {PDS_BLOOM_REDIS, 0, pds_decimal_code(0.01), 0, 100};
	sketch		s;
	uint64_t	n = 0;

	CHECK(pds_scalable_bloom_parameters_valid(&p));
	s = sketch_new(&p, false);
	while (sketch_try(&s, key(n)) == PDS_OK && n < 1000)
		n++;
	CHECK(n > 85 && n < 115);
	CHECK(sketch_try(&s, key(n)) == PDS_TOO_LARGE);
	CHECK(sketch_try(&s, key(0)) == PDS_OK);
	sketch_free(&s);
}

TEST(layers_are_of_a_limited_number)
{
	pds_scalable_bloom_parameters p = parameters_of(1, 0.3, 1);
	sketch		s = sketch_new(&p, false);
	uint64_t	n = 0;
	payload		stored;
	pds_scalable_bloom_view v;

	while (sketch_try(&s, key(n)) == PDS_OK && n < 100000)
		n++;
	CHECK(sketch_try(&s, key(n)) == PDS_TOO_LARGE);
	stored = sketch_encode(&s);
	v = payload_view(&stored);
	CHECK(v.layers > 900 && v.layers <= PDS_SCALABLE_BLOOM_MAX_LAYERS);
	for (uint64_t i = 0; i < n; i++)
		CHECK(view_contains(&v, key(i)));
	payload_free(&stored);
	sketch_free(&s);
}
