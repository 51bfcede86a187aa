/*
 * cms_state_test.c: the state of a Count-Min sketch, and so its bytes, is a
 * function of the weights' sums and of the parameters, and of nothing else
 *
 * Each way to a state is compared with the bytes that cms_oracle.h works out.
 */
#include "test.h"

#include "cms_oracle.h"

static pds_hash
hash_of(uint64_t i)
{
	return pds_murmur3_u64(i);
}

/* Shapes worth a look: tiny, small, usual, deep, and wide. */
static const double parameters[][2] = {
	{0.999, 0.999}, {0.9, 0.2}, {0.1, 0.01}, {0.01, 0.1}, {0.003, 0.01}, {0.03, 1e-9},
		{0.001, 0.01},
	{0.0001, 0.001}
};

#define SHAPES	(sizeof(parameters) / sizeof(parameters[0]))

static pds_cms_shape
shape_number(size_t i)
{
	pds_cms_shape s = shape_of(parameters[i / 2][0], parameters[i / 2][1]);

	s.conservative = i % 2;
	return s;
}

/* Are the oracle's bytes the stored form of s, and is that all there is to know of it? */
static void
check_state(const sketch *s, const oracle *o)
{
	payload		want = oracle_payload(o);
	payload		got = sketch_encode(s);
	const char *why = "";

	CHECK_U64(got.len, want.len);
	if (got.len == want.len)
		CHECK_BYTES(got.bytes, want.bytes, want.len);
	CHECK_U64(s->b->total, o->total);
	CHECK_U64(pds_state_kind(s->b), o->total > 0 ? PDS_KIND_NUMBER : PDS_KIND_NONE);
	if (CHECK(pds_cms_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch		again = sketch_new(&s->b->shape);
		payload		twice;

		CHECK(sketch_try_merge_payload(&again, &got, false) == PDS_OK);
		twice = sketch_encode(&again);
		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
		sketch_free(&again);
	}
	else
		printf("# %s\n", why);
	payload_free(&want);
	payload_free(&got);
}

/* Weights that make counters of every width. */
static int64_t
random_weight(int largest)
{
	return (int64_t) (test_random() >> (64 - 1 - below((size_t) largest))) + 1;
}

TEST(an_empty_sketch)
{
	for (size_t i = 0; i < 2 * SHAPES; i++)
	{
		pds_cms_shape shape = shape_number(i);
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(&shape);
		payload		stored = sketch_encode(&s);

		CHECK(stored.len <= 40);
		check_state(&s, &o);
		payload_free(&stored);
		oracle_free(&o);
		sketch_free(&s);
	}
}

TEST(values_one_by_one_give_the_oracle_s_bytes)
{
	/* weights of 1, up to 2^10, 2^40; all of 2^53 but few */
	static const int largest[] = {1, 10, 40, 53};

	for (size_t i = 0; i < 2 * SHAPES; i++)
		for (int w = 0; w < 4; w++)
		{
			pds_cms_shape shape = shape_number(i);
			sketch		s = sketch_new(&shape);
			oracle		o = oracle_new(&shape);
			size_t		m = pds_cms_counters(&shape);
			size_t		most = m < 30000 ? 3 * m / shape.depth + 20 : m / shape.depth;
			size_t		next = 0;

			for (size_t n = 0; n < most; n++)
			{
				uint64_t	value = below(most);
				int64_t		weight = w == 0 ? 1 : random_weight(largest[w]);

				if (n == next)
				{
					check_state(&s, &o);
					next += next / (most > 1000 ? 1 : 4) + 1;
				}
				sketch_add(&s, hash_of(value), weight);
				oracle_add(&o, hash_of(value), weight);
			}
			check_state(&s, &o);
			oracle_free(&o);
			sketch_free(&s);
		}
}

/* At exactly half of the counters, and one more. */
TEST(sparse_up_to_half_of_the_counters)
{
	for (size_t i = 0; i < 2 * (SHAPES - 1); i++)
	{
		pds_cms_shape shape = shape_number(i);
		size_t		m = pds_cms_counters(&shape);
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(&shape);
		bool		was_dense = false;

		for (uint64_t v = 0; v < 4 * m; v++)
		{
			size_t		nonzero = 0;
			payload		stored;

			sketch_add(&s, hash_of(v), 1);
			oracle_add(&o, hash_of(v), 1);
			for (size_t j = 0; j < m; j++)
				nonzero += o.counters[j] != 0;
			if (nonzero < m * 2 / 5)
				continue;
			stored = sketch_encode(&s);
			CHECK_U64(stored.bytes[1] > PDS_CMS_SPARSE, 2 * nonzero > m);
			/* once dense, always dense */
			CHECK(!was_dense || stored.bytes[1] > PDS_CMS_SPARSE);
			was_dense = stored.bytes[1] > PDS_CMS_SPARSE;
			payload_free(&stored);
			if (nonzero > m * 3 / 5)
				break;
		}
		CHECK(was_dense);
		check_state(&s, &o);
		oracle_free(&o);
		sketch_free(&s);
	}
}

TEST(what_is_taken_out_leaves_no_trace)
{
	for (size_t i = 0; i < 2 * SHAPES; i += 2)
	{
		pds_cms_shape shape = shape_number(i);
		size_t		m = pds_cms_counters(&shape);
		size_t		n = (m < 30000 ? 2 * m : m / 2) / shape.depth + 10;
		int64_t    *weights = calloc(n, sizeof(int64_t));
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(&shape);

		for (size_t round = 0; round < 6 * n; round++)
		{
			uint64_t	v = below(n);
			int64_t		weight = round < 3 * n && below(3) > 0 ? random_weight(20) :
				-(int64_t) (below(2) == 0 ? weights[v] : (int64_t) below((size_t) weights[v] + 1));

			weights[v] += weight;
			sketch_add(&s, hash_of(v), weight);
			oracle_add(&o, hash_of(v), weight);
			if (round % (n / 4 + 1) == 0)
				check_state(&s, &o);
		}
		for (size_t v = 0; v < n; v++)
		{
			sketch_add(&s, hash_of(v), -weights[v]);
			oracle_add(&o, hash_of(v), -weights[v]);
		}
		CHECK_U64(s.b->total, 0);
		check_state(&s, &o);

		/* and now of another kind */
		pds_state_set_kind(s.b, PDS_KIND_STRING);
		CHECK(pds_cms_add(s.b, hash_of(1), 0) == PDS_OK);
		CHECK_U64(pds_state_kind(s.b), PDS_KIND_NONE);
		free(weights);
		oracle_free(&o);
		sketch_free(&s);
	}
}

/*
 * What was never put in can be taken out where other values cover all its counters,
 * and only there, whatever the image holds.
 */
TEST(what_can_be_taken_out_depends_on_counters_alone)
{
	for (size_t i = 0; i < 2 * SHAPES; i += 2)
		for (int round = 0; round < 40; round++)
		{
			pds_cms_shape shape = shape_number(i);
			size_t		n = below(shape.width / 4 + 3) + 1;
			sketch		s = sketch_new(&shape);
			oracle		o = oracle_new(&shape);

			for (size_t j = 0; j < n; j++)
			{
				sketch_add(&s, hash_of(j), 3);
				oracle_add(&o, hash_of(j), 3);
			}
			for (uint64_t j = 0; j < 60; j++)
			{
				pds_hash	h = hash_of(1000000 + below(100000));
				pds_status	want = oracle_frequency(&o, h) >= 2 ? PDS_OK : PDS_NEGATIVE;

				CHECK(sketch_try(&s, h, -2) == want);
				if (want == PDS_OK)
					oracle_add(&o, h, -2);
			}
			check_state(&s, &o);
			oracle_free(&o);
			sketch_free(&s);
		}
}

/* A window that moves over ever new values: the table must not fill with zeros. */
TEST(a_moving_window_stays_small)
{
	pds_cms_shape shape = shape_of(0.0001, 0.001);
	sketch		s = sketch_new(&shape);
	oracle		o = oracle_new(&shape);
	size_t		largest = 0;
	uint64_t	moves = 0;

	for (uint64_t v = 0; v < 20000; v++)
	{
		pds_cms_build *before = s.b;

		sketch_add(&s, hash_of(v), 1);
		oracle_add(&o, hash_of(v), 1);
		if (v >= 20)
		{
			sketch_add(&s, hash_of(v - 20), -1);
			oracle_add(&o, hash_of(v - 20), -1);
		}
		moves += s.b != before;
		if (s.size > largest)
			largest = s.size;
		if (v % 1000 == 77)
			check_state(&s, &o);
	}
	printf("# 20 of 7 counters each in %zu bytes; moved %" PRIu64 " times for 20000 values\n",
		   largest, moves);
	CHECK(largest <= 4096);
	CHECK(moves < 20000 / 20);
	oracle_free(&o);
	sketch_free(&s);
}

/* n values of a place of their own, in one of several forms. */
static void
fill(sketch *s, oracle *o, uint64_t from, size_t n, int largest)
{
	for (size_t i = 0; i < n; i++)
	{
		int64_t		weight = largest == 0 ? 1 : random_weight(largest);

		sketch_add(s, hash_of(from + i), weight);
		oracle_add(o, hash_of(from + i), weight);
	}
}

TEST(unions_and_differences_are_the_oracle_s)
{
	for (size_t i = 0; i < 2 * (SHAPES - 1); i++)
	{
		pds_cms_shape shape = shape_number(i);
		size_t		rows = shape.width;
		const size_t fills[] = {0, 1, 5, rows / 20 + 2, rows / 3, rows, 2 * rows};
		static const int widths[] = {0, 7, 15, 31, 53};
		enum { FILLS = sizeof(fills) / sizeof(fills[0]), WIDTHS = 5 };

		for (int pair = 0; pair < FILLS * FILLS * WIDTHS; pair++)
		{
			sketch		a = sketch_new(&shape);
			sketch		b = sketch_new(&shape);
			oracle		oa = oracle_new(&shape);
			oracle		ob = oracle_new(&shape);
			payload		before;
			payload		stored;
			payload		after;

			/* of large ones, which take long, a part */
			if (pds_cms_counters(&shape) > 2000 && below(5) > 0)
				goto done;
			fill(&a, &oa, 100, fills[pair % FILLS], widths[pair / FILLS / FILLS]);
			fill(&b, &ob, 100 + below(rows), fills[pair / FILLS % FILLS], widths[below(WIDTHS)]);
			before = sketch_encode(&a);
			stored = sketch_encode(&b);

			CHECK(sketch_try_merge(&a, &b, false) == PDS_OK);
			oracle_merge(&oa, &ob, false);
			check_state(&a, &oa);
			check_state(&b, &ob);

			CHECK(sketch_try_merge_payload(&a, &stored, false) == PDS_OK);
			oracle_merge(&oa, &ob, false);
			check_state(&a, &oa);

			/* and back, which a conservative sketch does not do */
			if (shape.conservative)
			{
				pds_status	want = ob.total > 0 ? PDS_NEGATIVE : PDS_OK;

				CHECK(sketch_try_merge_payload(&a, &stored, true) == want);
				CHECK(sketch_try_merge(&a, &b, true) == want);
				check_state(&a, &oa);
			}
			else
			{
				CHECK(sketch_try_merge_payload(&a, &stored, true) == PDS_OK);
				CHECK(sketch_try_merge(&a, &b, true) == PDS_OK);
				after = sketch_encode(&a);
				CHECK(payload_equal(&before, &after));
				payload_free(&after);
			}
			payload_free(&stored);
			payload_free(&before);
done:
			oracle_free(&oa);
			oracle_free(&ob);
			sketch_free(&a);
			sketch_free(&b);
		}
	}
}

/* A difference that cannot be: nothing is changed, whatever came before it failed. */
TEST(a_difference_below_zero_changes_nothing)
{
	for (size_t i = 0; i < 2 * (SHAPES - 1); i += 2)
	{
		pds_cms_shape shape = shape_number(i);

		for (int form = 0; form < 40; form++)
		{
			sketch		a = sketch_new(&shape);
			sketch		b = sketch_new(&shape);
			oracle		oa = oracle_new(&shape);
			oracle		ob = oracle_new(&shape);
			size_t		n = form % 4 == 0 ? 3 : form % 4 == 1 ? shape.width / 20 + 3
				: 2 * shape.width;
			payload		stored;

			fill(&a, &oa, 0, n, form / 4);
			/* what a has and, somewhere, one more; a has more altogether */
			CHECK(sketch_try_merge(&b, &a, false) == PDS_OK);
			oracle_merge(&ob, &oa, false);
			fill(&b, &ob, below(2 * n), 1, 0);
			sketch_add(&a, hash_of(n + 7), 1000);
			oracle_add(&oa, hash_of(n + 7), 1000);
			stored = sketch_encode(&b);

			if (sketch_try_merge(&a, &b, true) != PDS_NEGATIVE)
			{
				/* its counters were those of the last value: then no harm is done */
				oracle_merge(&oa, &ob, true);
			}
			else
				CHECK(sketch_try_merge_payload(&a, &stored, true) == PDS_NEGATIVE);
			check_state(&a, &oa);
			payload_free(&stored);
			oracle_free(&oa);
			oracle_free(&ob);
			sketch_free(&a);
			sketch_free(&b);
		}
	}
}

TEST(weights_that_cannot_be_change_nothing)
{
	for (size_t i = 0; i < 2 * SHAPES; i++)
		for (int dense = 0; dense <= 1; dense++)
		{
			pds_cms_shape shape = shape_number(i);
			sketch		s = sketch_new(&shape);
			oracle		o = oracle_new(&shape);
			sketch		full = sketch_new(&shape);
			payload		stored;

			fill(&s, &o, 0, dense ? 2 * shape.width : 3, 3);

			/* below zero: more than there is of it, of all, or that there can be */
			CHECK(sketch_try(&s, hash_of(1), -(int64_t) oracle_frequency(&o, hash_of(1)) - 1) ==
				  PDS_NEGATIVE);
			CHECK(sketch_try(&s, hash_of(1), -(int64_t) o.total - 1) == PDS_NEGATIVE);
			CHECK(sketch_try(&s, hash_of(1), INT64_MIN) == PDS_NEGATIVE);
			CHECK(sketch_try(&s, hash_of(1), -1) == (shape.conservative ? PDS_NEGATIVE : PDS_OK));
			if (!shape.conservative)
				oracle_add(&o, hash_of(1), -1);
			check_state(&s, &o);

			/* above 2^63 - 1 */
			CHECK(sketch_try(&s, hash_of(2), INT64_MAX) == PDS_OVERFLOW);
			CHECK(sketch_try(&s, hash_of(2), INT64_MAX - (int64_t) o.total + 1) == PDS_OVERFLOW);
			check_state(&s, &o);
			sketch_add(&full, hash_of(2), INT64_MAX - (int64_t) o.total + 1);
			stored = sketch_encode(&full);
			CHECK(sketch_try_merge(&s, &full, false) == PDS_OVERFLOW);
			CHECK(sketch_try_merge_payload(&s, &stored, false) == PDS_OVERFLOW);
			check_state(&s, &o);

			/* but just up to there */
			sketch_add(&s, hash_of(2), INT64_MAX - (int64_t) o.total);
			oracle_add(&o, hash_of(2), INT64_MAX - (int64_t) o.total);
			CHECK_U64(s.b->total, INT64_MAX);
			check_state(&s, &o);
			CHECK(sketch_try(&s, hash_of(2), 1) == PDS_OVERFLOW);
			CHECK(sketch_try(&s, hash_of(2), 0) == PDS_OK);
			check_state(&s, &o);
			payload_free(&stored);
			sketch_free(&full);
			oracle_free(&o);
			sketch_free(&s);
		}
}

TEST(other_shapes_do_not_merge)
{
	pds_cms_shape shape = shape_of(0.001, 0.01);
	/* the last two have the same width and depth */
	pds_cms_shape others[] = {shape_of(0.002, 0.01), shape_of(0.001, 0.1),
	conservative_shape_of(0.001, 0.01), shape_of(0.001, 0.009), shape_of(0.001, 0.011)};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		for (int empty = 0; empty <= 1; empty++)
		{
			sketch		a = sketch_new(&shape);
			sketch		b = sketch_new(&others[i]);
			payload		stored;

			if (!empty)
				sketch_add(&b, hash_of(1), 1);
			stored = sketch_encode(&b);
			CHECK(sketch_try_merge(&a, &b, false) == PDS_PARAMETER_MISMATCH);
			CHECK(sketch_try_merge_payload(&a, &stored, false) == PDS_PARAMETER_MISMATCH);
			CHECK(sketch_try_merge_payload(&a, &stored, true) == PDS_PARAMETER_MISMATCH);
			CHECK_U64(a.b->total, 0);
			payload_free(&stored);
			sketch_free(&a);
			sketch_free(&b);
		}
}

/* Fewer rows are those of a sketch that never had more. */
TEST(rows_can_be_forgotten)
{
	static const size_t fills[] = {0, 1, 20, 300, 3000};

	for (size_t i = 0; i < 5; i++)
	{
		pds_cms_shape shape = shape_of(0.003, 0.001);
		pds_cms_shape fewer = shape_of(0.003, 0.1);
		pds_cms_shape wider = shape_of(0.002, 0.1);
		pds_cms_shape other = conservative_shape_of(0.003, 0.1);
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(&fewer);

		for (size_t v = 0; v < fills[i]; v++)
		{
			sketch_add(&s, hash_of(v), 3);
			oracle_add(&o, hash_of(v), 3);
		}
		CHECK(pds_cms_keep_rows(s.b, &wider) == PDS_PARAMETER_MISMATCH);
		CHECK(pds_cms_keep_rows(s.b, &other) == PDS_PARAMETER_MISMATCH);
		while (pds_cms_keep_rows(s.b, &fewer) == PDS_FULL)
			sketch_grow(&s);
		CHECK(pds_cms_same_shape(&s.b->shape, &fewer));
		check_state(&s, &o);
		CHECK(pds_cms_keep_rows(s.b, &shape) == PDS_PARAMETER_MISMATCH);

		/* and it continues as such */
		for (size_t v = 0; v < 200; v++)
		{
			sketch_add(&s, hash_of(v * 5), 1);
			oracle_add(&o, hash_of(v * 5), 1);
		}
		check_state(&s, &o);
		oracle_free(&o);
		sketch_free(&s);
	}
}

/* What groups of few values take, and what is promised of the stored form. */
TEST(sizes)
{
	static const struct
	{
		size_t		values;
		size_t		image;
		size_t		stored;
	}			want[] = {{1, 256, 40}, {6, 256, 80}, {29, 1024, 300}, {100, 4096, 3000},
	{125, 4096, 1200}, {1000, 13700, 3000}, {1800, 13700, 4000}};
	pds_cms_shape shape = shape_of(0.001, 0.01);

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
	{
		sketch		s = sketch_new(&shape);
		payload		stored;

		for (size_t v = 0; v < want[i].values; v++)
			sketch_add(&s, hash_of(v), 1);
		stored = sketch_encode(&s);
		printf("# %zu values: image %zu, stored %zu bytes\n", want[i].values, s.size, stored.len);
		CHECK(s.size <= want[i].image);
		CHECK(stored.len <= want[i].stored);
		payload_free(&stored);
		sketch_free(&s);
	}
	for (int largest = 10; largest <= 55; largest += 15)
	{
		sketch		s = sketch_new(&shape);
		payload		stored;

		/* what weights do to 100 values */
		for (size_t v = 0; v < 100; v++)
			sketch_add(&s, hash_of(v), random_weight(largest));
		stored = sketch_encode(&s);
		printf("# 100 values of weights up to 2^%d: %zu bytes\n", largest, stored.len);
		if (largest < 40)
			CHECK(stored.len <= 3000);
		payload_free(&stored);
		sketch_free(&s);
	}
}

/* However counters are distributed, the list of them is shorter than all of them. */
TEST(sparse_is_smaller_than_dense_would_be)
{
	pds_cms_shape shape = shape_of(0.01, 0.3);
	size_t		m = pds_cms_counters(&shape);

	for (int bytes = 1; bytes <= 8; bytes *= 2)
		for (int large = 0; large <= 10; large++)
		{
			sketch		s = sketch_new(&shape);
			payload		stored;

			/* values until half is full: some of them just fit the width */
			for (uint64_t v = 0; s.b->total < PDS_CMS_MAX_COUNT / 2; v++)
			{
				sketch_add(&s, hash_of(v), below(10) < (size_t) large && v < 60 ?
						   (INT64_C(1) << (8 * bytes - (bytes == 8 ? 8 : 1))) : 1);
				stored = sketch_encode(&s);
				if (stored.bytes[1] != PDS_CMS_SPARSE)
					break;
				CHECK(stored.len < PDS_CMS_MAX_PREFIX + m * (size_t) bytes);
				payload_free(&stored);
			}
			if (s.b->total < PDS_CMS_MAX_COUNT / 2)
				payload_free(&stored);
			sketch_free(&s);
		}
}

/* Asked between changes, an image of every mode says what its stored form would. */
TEST(an_image_answers_as_its_stored_form)
{
	for (size_t i = 0; i < 2 * SHAPES; i++)
	{
		pds_cms_shape shape = shape_number(i);
		sketch		s = sketch_new(&shape);

		pds_cms_build_init_to_ask(s.b, &shape);
		CHECK(pds_cms_can_ask(s.b));
		CHECK_U64(pds_cms_build_frequency(s.b, hash_of(7)), 0);
		for (uint64_t v = 0; v < 1500; v++)
		{
			sketch_add(&s, hash_of(v % 700), v % 3 == 0 ? 1 : random_weight(30));
			if (!shape.conservative && v % 2 == 0)
				sketch_add(&s, hash_of(v % 700), -1);
			pds_cms_flush(s.b);
			CHECK(pds_cms_can_ask(s.b));
			if (v < 20 || v % 97 == 0)
			{
				payload		stored = sketch_encode(&s);

				for (uint64_t w = 0; w < 40; w++)
					CHECK_U64(pds_cms_build_frequency(s.b, hash_of(w * 23)),
							  payload_frequency(&stored, hash_of(w * 23)));
				payload_free(&stored);
			}
		}
		sketch_free(&s);
	}
}
