/*
 * ddsketch_state_test.c: what a DDSketch is depends on its numbers alone, and its quantiles keep
 * the promise
 */
#include "test.h"
#include "ddsketch_sketch.h"
#include "poll.h"

#define MOST	3000

static double
uniform(void)
{
	return ((double) (test_random() >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Numbers of all sorts, by the number of a distribution. */
#define DISTRIBUTIONS	10

static double
draw(int distribution)
{
	uint64_t	bits = test_random();
	double		v;

	switch (distribution)
	{
		case 0:
			return exp(normal());
		case 1:
			return pow(uniform(), -1 / 1.5);
		case 2:
			return uniform();
		case 3:
			return bits % 2 ? 10 + normal() : 1000 + 30 * normal();
		case 4:
			return -exp(normal());
		case 5:
			return (double) (bits % 20) - 5;
		case 6:
			return 100 * normal();
		case 7:
			memcpy(&v, &bits, sizeof(v));
			return v;
		case 8:
			return bits % 7 == 0 ? HUGE_VAL : bits % 7 == 1 ? -HUGE_VAL :
				bits % 7 == 2 ? (double) NAN : bits % 7 == 3 ? -0.0 : normal();
		default:
			return exp(40 * normal());
	}
}

/* What exact arithmetic makes of numbers: the scale and the number of buckets. */
static uint32_t
buckets_at(const double *numbers, size_t n, int scale)
{
	static uint64_t keys[MOST];
	uint32_t	distinct = 0;
	size_t		k = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(numbers[i]) && numbers[i] != 0)
			keys[k++] = pds_ddsketch_key(pds_ddsketch_index(numbers[i], scale), numbers[i] < 0);
	for (size_t i = 0; i < k; i++)
	{
		size_t		j = 0;

		while (j < distinct && keys[j] != keys[i])
			j++;
		if (j == distinct)
			keys[distinct++] = keys[i];
	}
	return distinct;
}

TEST(quantiles_keep_the_promise)
{
	static const double qs[] = {0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1};
	static double numbers[MOST];

	for (int trial = 0; trial < 400; trial++)
	{
		size_t		n = 1 + below(trial % 3 == 0 ? 20 : MOST);
		int			scale = (int) below(12) - 1;
		payload		p;
		pds_ddsketch_view v;

		for (size_t i = 0; i < n; i++)
			numbers[i] = draw(trial % DISTRIBUTIONS);
		p = payload_of(numbers, n, scale, trial % 2 ? 4096 : 64);
		v = payload_view(&p);
		qsort(numbers, n, sizeof(double), number_cmp);
		CHECK_U64(v.total, n);
		CHECK(number_cmp(&numbers[0], &(double) {pds_ddsketch_min(&v)}) == 0);
		CHECK(number_cmp(&numbers[n - 1], &(double) {pds_ddsketch_max(&v)}) == 0);
		for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]) + 5; i++)
		{
			double		q = i < sizeof(qs) / sizeof(qs[0]) ? qs[i] : uniform();
			double		at = ceil(q * (double) n);
			double		exact = numbers[at < 1 ? 0 : (size_t) at - 1];
			pds_ddsketch_range r = payload_quantile(&p, q);

			if (isnan(exact) || isinf(exact) || exact == 0)
			{
				CHECK(number_cmp(&exact, &r.estimate) == 0);
				continue;
			}
			CHECK(r.lower <= exact && exact <= r.upper);
			CHECK(r.lower <= r.estimate && r.estimate <= r.upper);
			/* below the normal numbers rounding can double it */
			CHECK(fabs(r.estimate - exact) <= fabs(exact) *
				  pds_ddsketch_error(v.scale) * (fabs(exact) < 2.3e-308 ? 2 : 1 + 1e-9));
		}
		payload_free(&p);
	}
}

static void
shuffle(double *numbers, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t		j = below(i);
		double		v = numbers[i - 1];

		numbers[i - 1] = numbers[j];
		numbers[j] = v;
	}
}

/* In another order, in parts that are merged as states and as stored sketches: the same bytes. */
TEST(the_order_does_not_matter)
{
	static double numbers[MOST];

	for (int trial = 0; trial < 150; trial++)
	{
		static const uint32_t most[] = {16, 17, 100, 400, 4096};
		uint32_t	max_buckets = most[trial % 5];
		int			scale = (int) below(21);
		size_t		n = 1 + below(600);
		size_t		parts = 1 + below(5);
		stored_state all = stored_nothing(&pds_ddsketch_ops);
		stored_state loaded = stored_nothing(&pds_ddsketch_ops);
		payload		want;
		payload		got;
		pds_ddsketch_view v;

		for (size_t i = 0; i < n; i++)
			numbers[i] = draw((int) below(DISTRIBUTIONS));
		want = payload_of(numbers, n, scale, max_buckets);
		v = payload_view(&want);
		/* the largest scale at which they fit */
		CHECK(v.negatives + v.positives == buckets_at(numbers, n, v.scale));
		CHECK(v.negatives + v.positives <= max_buckets);
		CHECK(v.scale == scale || buckets_at(numbers, n, v.scale + 1) > max_buckets);
		shuffle(numbers, n);
		for (size_t part = 0; part < parts; part++)
		{
			stored_state s = sketch_new(scale, max_buckets);
			pds_operand from = {NULL, NULL};
			payload		stored;

			for (size_t i = part * n / parts; i < (part + 1) * n / parts; i++)
				sketch_add(&s, numbers[i]);
			from.state = s.image;
			CHECK(stored_merge(&all, &from, PDS_KIND_NUMBER) == PDS_OK);
			CHECK(pds_ddsketch_check_build(all.image, all.size));
			stored = sketch_encode(&s);
			CHECK(stored_merge_bytes(&loaded, &stored) == PDS_OK);
			payload_free(&stored);
			sketch_free(&s);
		}
		pds_state_set_kind(all.image, PDS_KIND_NUMBER);
		pds_state_set_kind(loaded.image, PDS_KIND_NUMBER);
		got = sketch_encode(&all);
		CHECK(payload_equal(&want, &got));
		payload_free(&got);
		got = sketch_encode(&loaded);
		CHECK(payload_equal(&want, &got));
		payload_free(&got);
		payload_free(&want);
		sketch_free(&all);
		sketch_free(&loaded);
	}
}

/* A sketch that is folded is the one of these parameters from the beginning. */
TEST(a_fold_is_as_built)
{
	static double numbers[MOST];

	for (int trial = 0; trial < 100; trial++)
	{
		size_t		n = 1 + below(500);
		int			to = (int) below(20) - 3;
		stored_state s = sketch_new(16, 2000);
		stored_space plan;
		payload		want;
		payload		got;

		for (size_t i = 0; i < n; i++)
			sketch_add(&s, numbers[i] = draw((int) below(DISTRIBUTIONS)));
		if (to > 16)
			to = 16;
		pds_ddsketch_plan_fold(s.image, to, 100, (pds_ddsketch_plan *) &plan);
		CHECK(stored_move(&s, &plan.plan) == PDS_OK);
		got = sketch_encode(&s);
		want = payload_of(numbers, n, to, 100);
		CHECK(payload_equal(&want, &got));
		payload_free(&want);
		payload_free(&got);
		sketch_free(&s);
	}
}

/* Sketches of different parameters become one of the coarser ones. */
TEST(different_parameters)
{
	static double numbers[MOST];

	for (int trial = 0; trial < 100; trial++)
	{
		size_t		n = 2 + below(500);
		int			a = (int) below(20);
		int			b = (int) below(20);
		payload		p;
		payload		q;
		payload		want;
		payload		got;
		stored_state s;

		for (size_t i = 0; i < n; i++)
			numbers[i] = exp(3 * normal());
		p = payload_of(numbers, n / 2, a, 50);
		q = payload_of(numbers + n / 2, n - n / 2, b, 300);
		want = payload_of(numbers, n, a < b ? a : b, 50);
		for (int i = 0; i < 2; i++)
		{
			s = sketch_load(i == 0 ? &p : &q);
			CHECK(stored_merge_bytes(&s, i == 0 ? &q : &p) == PDS_OK);
			got = sketch_encode(&s);
			CHECK(payload_equal(&want, &got));
			payload_free(&got);
			sketch_free(&s);
		}
		payload_free(&p);
		payload_free(&q);
		payload_free(&want);
	}
}

static int	polls;

static void
count_polls(void)
{
	polls++;
}

/* Of buckets that somebody chose, each may take as many steps as there are. */
TEST(many_buckets_give_way)
{
	stored_state s = sketch_new(20, 65536);
	stored_state united;
	stored_space plan;
	pds_operand from = {NULL, NULL};
	payload		p;

	for (uint64_t i = 1; i <= 4096; i++)
		sketch_add(&s, (double) i);
	CHECK_U64(sketch_build(&s)->buckets, 4096);

	/* in a larger image, stored, loaded, and united with another state */
	pds_poll_hook = count_polls;
	polls = 0;
	pds_ddsketch_plan_fold(s.image, 20, 65536, (pds_ddsketch_plan *) &plan);
	CHECK(stored_move(&s, &plan.plan) == PDS_OK);
	CHECK(polls >= 16);
	polls = 0;
	p = sketch_encode(&s);
	CHECK(polls >= 16);
	polls = 0;
	united = sketch_load(&p);
	CHECK(polls >= 16);
	polls = 0;
	from.state = s.image;
	CHECK(stored_merge(&united, &from, PDS_KIND_NUMBER) == PDS_OK);
	CHECK(polls >= 16);
	pds_poll_hook = NULL;
	payload_free(&p);
	sketch_free(&united);
	sketch_free(&s);
}

TEST(weights)
{
	stored_state s = sketch_new(6, 4096);
	stored_state t = sketch_new(6, 4096);
	payload		p;
	payload		q;

	for (int i = 1; i <= 50; i++)
	{
		CHECK(sketch_try_add(&s, i % 7, (uint64_t) (i % 3)) == PDS_OK);
		for (int j = 0; j < i % 3; j++)
			sketch_add(&t, i % 7);
	}
	p = sketch_encode(&s);
	q = sketch_encode(&t);
	CHECK(payload_equal(&p, &q));
	/* a count is below 2^63 */
	CHECK(sketch_try_add(&s, 3, INT64_MAX) == PDS_OVERFLOW);
	CHECK(sketch_try_add(&s, -5, UINT64_MAX) == PDS_OVERFLOW);
	CHECK(sketch_try_add(&s, 3, UINT64_MAX - 10) == PDS_OVERFLOW);
	CHECK(sketch_try_add(&s, 3, INT64_MAX - sketch_build(&s)->total) == PDS_OK);
	CHECK(sketch_try_add(&s, 3, 1) == PDS_OVERFLOW);
	payload_free(&p);
	p = sketch_encode(&s);
	CHECK(pds_ddsketch_check(p.bytes, p.len, NULL) == PDS_OK);
	CHECK(stored_merge_bytes(&t, &p) == PDS_OVERFLOW);
	payload_free(&p);
	p = sketch_encode(&t);
	CHECK(payload_equal(&p, &q));
	payload_free(&p);
	payload_free(&q);
	sketch_free(&s);
	sketch_free(&t);
}

TEST(ranks_and_sums)
{
	static double numbers[MOST];

	for (int trial = 0; trial < 100; trial++)
	{
		size_t		n = 1 + below(MOST);
		double		sum = 0;
		double		got;
		payload		p;
		pds_ddsketch_view v;

		for (size_t i = 0; i < n; i++)
			sum += numbers[i] = exp(normal());
		p = payload_of(numbers, n, 6, 4096);
		v = payload_view(&p);
		CHECK(pds_ddsketch_sum(&v, 1, &got) == PDS_OK);
		CHECK(fabs(got - sum) <= sum * pds_ddsketch_error(6) * (1 + 1e-9));
		qsort(numbers, n, sizeof(double), number_cmp);
		for (int i = 0; i < 20; i++)
		{
			double		at = exp(normal());
			size_t		least = 0;
			size_t		most = 0;

			/* at most the numbers of its bucket are in doubt */
			while (least < n && pds_ddsketch_index(numbers[least], 6) < pds_ddsketch_index(at, 6))
				least++;
			most = least;
			while (most < n && pds_ddsketch_index(numbers[most], 6) == pds_ddsketch_index(at, 6))
				most++;
			CHECK(pds_ddsketch_up_to(&v, at, &got) == PDS_OK);
			CHECK(got >= (double) least - 1e-6 && got <= (double) most + 1e-6);
		}
		CHECK(pds_ddsketch_up_to(&v, numbers[n - 1], &got) == PDS_OK && got == (double) n);
		CHECK(pds_ddsketch_up_to(&v, numbers[0] / 2, &got) == PDS_OK && got == 0);
		CHECK(pds_ddsketch_up_to(&v, numbers[0], &got) == PDS_OK && got >= 1);
		payload_free(&p);
	}
}
