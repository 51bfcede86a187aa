/*
 * cuckoo_state_test.c: the state of a cuckoo filter, and so its bytes, is a function of
 * the copies of each class and of the parameters, and of nothing else
 *
 * Each way to a state is compared with the bytes that cuckoo_oracle.h works out.
 */
#include "test.h"

#include "cuckoo_oracle.h"

static pds_hash
hash_of(uint64_t i)
{
	return pds_murmur3_u64(i);
}

/* Shapes worth a look: a handful of classes, slots of every width, many classes. */
static const struct
{
	uint64_t	capacity;
	double		rate;
}			shapes[] = {
	{1, 0.999}, {1, 0.01}, {10, 0.5}, {100, 0.03}, {300, 0.01}, {1000, 0.03}, {1000, 0.0001},
	{2000, 0.000001}, {500, 1e-9}, {100000, 0.01}
};

#define SHAPES	(sizeof(shapes) / sizeof(shapes[0]))

typedef struct pair
{
	sketch		s;
	oracle		o;
} pair;

static pair
pair_new(size_t shape)
{
	pds_cuckoo_shape of = shape_of(shapes[shape].capacity, shapes[shape].rate);
	pair		p = {sketch_new(&of), oracle_new(shapes[shape].capacity, shapes[shape].rate)};

	CHECK_U64(of.classes, p.o.m);
	return p;
}

static void
pair_free(pair *p)
{
	sketch_free(&p->s);
	oracle_free(&p->o);
}

static void
pair_add(pair *p, uint64_t value)
{
	sketch_add(&p->s, hash_of(value));
	oracle_add(&p->o, hash_of(value));
}

static void
pair_remove(pair *p, uint64_t value)
{
	bool		held = oracle_remove(&p->o, hash_of(value));

	CHECK(pds_cuckoo_remove(p->s.b, hash_of(value)) == (held ? PDS_OK : PDS_NEGATIVE));
}

/* As an array of its classes it says the same of values, and of what has another byte. */
static void
check_unpacked(const payload *stored, const oracle *o)
{
	pds_cuckoo_view v;
	size_t		size;
	uint8_t    *form;
	payload		other;

	CHECK(pds_cuckoo_open(&v, stored->bytes, stored->len, stored->len, NULL) == PDS_OK);
	if (v.encoding == PDS_CUCKOO_EMPTY)
		return;
	size = pds_cuckoo_unpacked_size(&v);
	CHECK(size > 0 || v.distinct < v.shape.classes >> 16);
	if (size == 0)
		return;
	form = sketch_memory(size);
	other = payload_copy(stored->bytes, stored->len);
	CHECK(pds_cuckoo_unpack(&v, form) == PDS_OK);
	for (uint64_t i = 0; i < 2 * o->n + 100; i += 1 + o->n / 200)
	{
		pds_hash	h = hash_of(i);

		CHECK(pds_cuckoo_unpacked_contains(&v, form, h) == (oracle_count(o, h) > 0));
		CHECK(pds_cuckoo_same_lookup(&v, other.bytes, h));
	}
	/* the last byte is of the last segment, unless that holds nothing */
	other.bytes[other.len - 1] ^= 128;
	if (v.list.segments > 1 && memcmp(stored->bytes + v.data_at + 4 * (v.list.segments - 2),
								 stored->bytes + v.data_at + 4 * (v.list.segments - 1), 4) == 0)
		v.list.segments = 0;
	for (uint64_t i = 0; v.list.segments > 0 && i < 100; i++)
	{
		pds_hash	h = hash_of(i);
		bool		last = pds_cuckoo_class(h, &v.shape) >> v.list.shift == v.list.segments - 1;

		CHECK(pds_cuckoo_same_lookup(&v, other.bytes, h) == !last);
	}
	payload_free(&other);
	free(form);
}

/* Are the oracle's bytes the stored form of s, and is that all there is to know of it? */
static void
check_pair(pair *p)
{
	payload		want = oracle_payload(&p->o);
	payload		got = sketch_encode(&p->s);
	const char *why = "";

	CHECK_U64(got.len, want.len);
	if (got.len == want.len)
		CHECK_BYTES(got.bytes, want.bytes, want.len);
	CHECK_U64(p->s.b->total, oracle_total(&p->o));
	CHECK_U64(pds_cuckoo_distinct(p->s.b), p->o.n);
	CHECK_U64(pds_state_kind(p->s.b), p->o.n > 0 ? PDS_KIND_NUMBER : PDS_KIND_NONE);
	if (CHECK(pds_cuckoo_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch		again = sketch_nothing();
		payload		twice;

		CHECK(sketch_try_merge_payload(&again, &got) == PDS_OK);
		twice = sketch_encode(&again);
		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
		sketch_free(&again);
	}
	else
		printf("# %s\n", why);
	for (uint64_t i = 0; i < 50; i++)
	{
		pds_hash	h = hash_of(below(2 * p->o.n + 10));

		CHECK_U64(payload_count(&got, h), oracle_count(&p->o, h));
		CHECK_U64(pds_cuckoo_count(p->s.b, h), oracle_count(&p->o, h));
	}
	check_unpacked(&got, &p->o);
	payload_free(&want);
	payload_free(&got);
}

/* How many values a shape is tried with. */
static size_t
most_of(size_t shape)
{
	size_t		n = (size_t) shapes[shape].capacity;

	return n < 100 ? 300 : n < 5000 ? 3 * n : n / 10;
}

TEST(an_empty_filter)
{
	for (size_t i = 0; i < SHAPES; i++)
	{
		pair		p = pair_new(i);
		payload		stored = sketch_encode(&p.s);

		CHECK(stored.len <= 9);
		check_pair(&p);
		CHECK(pds_cuckoo_remove(p.s.b, hash_of(1)) == PDS_NEGATIVE);
		payload_free(&stored);
		pair_free(&p);
	}
}

TEST(distinct_values)
{
	for (size_t i = 0; i < SHAPES; i++)
	{
		pair		p = pair_new(i);
		size_t		most = most_of(i);
		size_t		next = 0;

		for (size_t n = 0; n < most; n++)
		{
			if (n == next)
			{
				check_pair(&p);
				next += next / 2 + 1;
			}
			pair_add(&p, n);
		}
		check_pair(&p);
		pair_free(&p);
	}
}

/* Few copies of each, many of each, and of a few very many. */
TEST(copies)
{
	for (size_t i = 0; i < SHAPES; i++)
		for (int how = 0; how < 4; how++)
		{
			pair		p = pair_new(i);
			size_t		most = most_of(i);
			size_t		values = how == 0 ? most : how == 1 ? most / 3 + 1 :
				how == 2 ? most / 40 + 1 : 3;
			size_t		next = 0;

			for (size_t n = 0; n < 2 * most; n++)
			{
				if (n == next)
				{
					check_pair(&p);
					next += next / 2 + 1;
				}
				pair_add(&p, below(how == 3 && below(4) == 0 ? most : values));
			}
			check_pair(&p);
			pair_free(&p);
		}
}

TEST(what_is_removed_leaves_no_trace)
{
	for (size_t i = 0; i < SHAPES; i++)
		for (int how = 0; how < 2; how++)
		{
			pair		p = pair_new(i);
			size_t		most = most_of(i);
			uint64_t   *held = sketch_memory(8 * most * sizeof(uint64_t));
			size_t		n = 0;

			for (size_t round = 0; round < 4 * most; round++)
			{
				bool		grow = round < 2 * most ? below(3) > 0 : below(3) == 0;

				if (grow || n == 0)
				{
					held[n] = below(how == 0 ? 8 * most : most / 10 + 1);
					pair_add(&p, held[n++]);
				}
				else
				{
					size_t		at = below(n);

					pair_remove(&p, held[at]);
					held[at] = held[--n];
				}
				/* what may never have been added */
				if (round % 16 == 0)
				{
					uint64_t	value = (UINT64_C(1) << 40) + below(1000);

					if (oracle_count(&p.o, hash_of(value)) == 0)
						pair_remove(&p, value);
				}
				if (round % (most / 3 + 1) == 0)
					check_pair(&p);
			}
			check_pair(&p);
			while (n > 0)
				pair_remove(&p, held[--n]);
			CHECK_U64(p.o.n, 0);
			check_pair(&p);

			/* and now of another kind */
			CHECK_U64(pds_state_kind(p.s.b), PDS_KIND_NONE);
			free(held);
			pair_free(&p);
		}
}

/* A window that moves over ever new values needs no more space than at first. */
TEST(a_moving_window_stays_small)
{
	for (size_t window = 20; window <= 2000; window *= 10)
	{
		pds_cuckoo_shape shape = shape_of(1000, 0.01);
		pair		p = {sketch_new(&shape), oracle_new(1000, 0.01)};
		size_t		size = 0;

		for (uint64_t v = 0; v < 20000; v++)
		{
			pair_add(&p, v);
			if (v >= window)
				pair_remove(&p, v - window);
			if (v == 5000)
				size = p.s.size;
			if (v % 2000 == 77)
				check_pair(&p);
		}
		CHECK(p.s.size <= size * 2);
		printf("# a window of %zu: %zu bytes\n", window, p.s.size);
		pair_free(&p);
	}
}

TEST(unions_are_sums)
{
	for (size_t i = 0; i < SHAPES; i++)
	{
		size_t		most = most_of(i);
		const size_t fills[] = {0, 1, 8, 40, 100, most / 3, most};
		enum { FILLS = sizeof(fills) / sizeof(fills[0]) };

		for (int n = 0; n < FILLS * FILLS; n++)
		{
			pair		a = pair_new(i);
			pair		b = pair_new(i);
			payload		stored;

			for (size_t j = 0; j < fills[n % FILLS]; j++)
				pair_add(&a, n % 2 == 0 ? j : below(j / 2 + 1));
			for (size_t j = 0; j < fills[n / FILLS]; j++)
				pair_add(&b, n % 3 == 0 ? most / 2 + j : n % 3 == 1 ? j : below(j + 1));
			stored = sketch_encode(&b.s);
			/* some with values that wait in a ring */
			if (fills[n / FILLS] > 0 && n % 4 == 0)
				pair_add(&b, 3);
			CHECK(sketch_try_merge(&a.s, &b.s) == PDS_OK);
			oracle_merge(&a.o, &b.o);
			check_pair(&a);
			check_pair(&b);
			if (fills[n / FILLS] == 0 || n % 4 != 0)
			{
				CHECK(sketch_try_merge_payload(&a.s, &stored) == PDS_OK);
				oracle_merge(&a.o, &b.o);
				check_pair(&a);
			}
			payload_free(&stored);
			pair_free(&a);
			pair_free(&b);
		}
	}
}

/* The same values in parts, merged in trees of random form. */
TEST(unions_in_any_order)
{
	for (size_t i = 0; i < SHAPES; i++)
		for (int round = 0; round < 4; round++)
		{
			enum { PARTS = 12 };
			pair		all = pair_new(i);
			sketch		parts[PARTS];
			size_t		most = most_of(i);
			size_t		n = PARTS;
			payload		want;
			payload		got;

			for (size_t j = 0; j < PARTS; j++)
				parts[j] = below(4) == 0 ? sketch_nothing() : sketch_new(&all.s.b->shape);
			for (size_t j = 0; j < most; j++)
			{
				uint64_t	value = below(round % 2 == 0 ? 4 * most : most / 4 + 1);
				size_t		part = below(PARTS);

				pair_add(&all, value);
				if (!parts[part].b->undecided)
					sketch_add(&parts[part], hash_of(value));
				else
				{
					pair		one = pair_new(i);

					pair_add(&one, value);
					CHECK(sketch_try_merge(&parts[part], &one.s) == PDS_OK);
					pair_free(&one);
				}
			}
			while (n > 1)
			{
				size_t		at = below(n - 1);

				if (below(2) == 0)
					CHECK(sketch_try_merge(&parts[at], &parts[n - 1]) == PDS_OK);
				else
				{
					payload		stored = sketch_encode(&parts[n - 1]);

					/* of a part that has met nothing, the default shape */
					if (!parts[n - 1].b->undecided)
						CHECK(sketch_try_merge_payload(&parts[at], &stored) == PDS_OK);
					payload_free(&stored);
				}
				sketch_free(&parts[--n]);
			}
			want = sketch_encode(&all.s);
			got = sketch_encode(&parts[0]);
			CHECK(payload_equal(&want, &got));
			check_pair(&all);
			payload_free(&want);
			payload_free(&got);
			sketch_free(&parts[0]);
			pair_free(&all);
		}
}

TEST(shapes_do_not_mix)
{
	pair		a = pair_new(3);
	pair		b = pair_new(4);
	payload		stored = sketch_encode(&b.s);

	CHECK(sketch_try_merge(&a.s, &b.s) == PDS_PARAMETER_MISMATCH);
	CHECK(sketch_try_merge_payload(&a.s, &stored) == PDS_PARAMETER_MISMATCH);
	payload_free(&stored);
	pair_free(&a);
	pair_free(&b);
}

TEST(a_union_of_nothing)
{
	sketch		nothing = sketch_nothing();
	sketch		other = sketch_nothing();
	pair		a = pair_new(4);
	payload		stored = sketch_encode(&nothing);

	CHECK(pds_cuckoo_ops.is_nothing(nothing.b));
	CHECK(sketch_try_merge(&nothing, &other) == PDS_OK);
	CHECK(pds_cuckoo_ops.is_nothing(nothing.b));
	CHECK(pds_cuckoo_check(stored.bytes, stored.len, NULL) == PDS_OK);
	pair_add(&a, 1);
	CHECK(sketch_try_merge(&a.s, &nothing) == PDS_OK);
	check_pair(&a);
	CHECK(sketch_try_merge(&nothing, &a.s) == PDS_OK);
	CHECK(!pds_cuckoo_ops.is_nothing(nothing.b));
	CHECK(pds_cuckoo_same_shape(&nothing.b->shape, &a.s.b->shape));
	payload_free(&stored);
	sketch_free(&nothing);
	sketch_free(&other);
	pair_free(&a);
}

/* Doubling one value's copies 62 times: the most that there can be, and one more. */
TEST(counts_up_to_the_limit)
{
	for (size_t i = 0; i < SHAPES; i++)
	{
		pair		p = pair_new(i);
		payload		before;
		payload		after;

		pair_add(&p, 7);
		for (int n = 1; n < 63; n++)
		{
			payload		half = sketch_encode(&p.s);

			CHECK(sketch_try_merge_payload(&p.s, &half) == PDS_OK);
			payload_free(&half);
			p.o.list[0].copies *= 2;
			/* 2^n - 1 */
			pair_add(&p, 7);
			check_pair(&p);
		}
		CHECK_U64(p.s.b->total, INT64_MAX);
		before = sketch_encode(&p.s);
		CHECK(sketch_try_add(&p.s, hash_of(7)) == PDS_OVERFLOW);
		CHECK(sketch_try_merge_payload(&p.s, &before) == PDS_OVERFLOW);
		after = sketch_encode(&p.s);
		CHECK(payload_equal(&before, &after));
		payload_free(&before);
		payload_free(&after);
		pair_free(&p);
	}
}

/* Values of neighbouring classes, as somebody could choose them: no slot for most of them. */
TEST(values_that_were_chosen)
{
	for (size_t i = 3; i < SHAPES; i++)
	{
		pair		p = pair_new(i);
		uint64_t	step = UINT64_MAX / p.s.b->shape.classes;

		for (uint64_t n = 0; n < 3000; n++)
		{
			pds_hash	h = {n * step + step / 2, 0};

			sketch_add(&p.s, h);
			oracle_add(&p.o, h);
		}
		check_pair(&p);
		for (uint64_t n = 0; n < 3000; n++)
		{
			pds_hash	h = {n * step + step / 2, 0};

			CHECK(pds_cuckoo_remove(p.s.b, h) == PDS_OK);
			(void) oracle_remove(&p.o, h);
			if (n % 500 == 0)
				check_pair(&p);
		}
		check_pair(&p);
		pair_free(&p);
	}
}

TEST(a_table_is_full_before_it_grows)
{
	static const double rates[] = {0.03, 0.01, 0.001, 0.0001};

	for (int r = 0; r < 4; r++)
	{
		pds_cuckoo_shape shape = shape_of(100000, rates[r]);
		sketch		s = sketch_new(&shape);
		double		least = 1;

		for (uint64_t n = 0; n < 250000; n++)
		{
			uint64_t	buckets = s.b->buckets;
			double		load =
				(double) (s.b->used + s.b->pending) / (double) (4 * s.b->buckets);

			sketch_add(&s, hash_of(n));
			if (buckets != s.b->buckets && load < least)
				least = load;
			/* of slots of one byte collisions go to the stash */
			if (n == 99999)
				CHECK(s.size < 100000 * (size_t) s.b->width * (s.b->width == 1 ? 6 : 5) / 4);
		}
		printf("# at a rate of %g: grows at a load of %.4f\n", rates[r], least);
		CHECK(least >= 0.94);
		sketch_free(&s);
	}
}

/* All values are removed from a table that was about to grow, and others are added. */
TEST(a_crowded_table_that_was_emptied)
{
	static const uint64_t capacities[] = {1, 100, 3000};

	for (int c = 0; c < 3; c++)
		for (uint64_t seed = 0; seed < 5; seed++)
		{
			pds_cuckoo_shape shape = shape_of(capacities[c], 1e-6);
			sketch		s = sketch_new(&shape);
			oracle		o = oracle_new(capacities[c], 1e-6);
			pair		p = {s, o};
			uint64_t	n = 0;

			while (!p.s.b->crowded)
				pair_add(&p, seed << 32 | n++);
			while (n > 0)
				pair_remove(&p, seed << 32 | --n);
			for (n = 0; n < 5; n++)
				pair_add(&p, seed << 32 | n);
			check_pair(&p);
			pair_free(&p);
		}
}

/*
 * A nearly full table with many repeated values gets wider slots, which count copies.  If not
 * every fingerprint finds a place there, the table gets more buckets, too.  With narrower slots
 * again, the new image would be smaller than the planned one; sketch_move() refuses that.
 */
TEST(a_full_table_that_needs_wider_slots)
{
	pds_cuckoo_shape shape = shape_of(10, 0.00323);

	for (uint64_t seed = 0; seed < 400; seed++)
	{
		sketch		s = sketch_new(&shape);
		oracle		o = oracle_new(10, 0.00323);
		uint64_t	values = 99 + seed % 6;

		/* some hundred values, and then 20 of these again */
		for (uint64_t i = 0; i < values + 20; i++)
		{
			pds_hash	h = hash_of(seed << 32 | i % values);

			sketch_add(&s, h);
			oracle_add(&o, h);
		}
		CHECK_U64(s.b->total, values + 20);
		for (uint64_t i = 0; i < values; i++)
			CHECK_U64(sketch_count(&s, hash_of(seed << 32 | i)),
					  oracle_count(&o, hash_of(seed << 32 | i)));
		sketch_free(&s);
		oracle_free(&o);
	}
}

TEST(parameters)
{
	for (uint16_t rate = 1; rate < PDS_DECIMAL_CODES; rate++)
	{
		pds_cuckoo_shape s;
		uint64_t	most = pds_cuckoo_max_capacity(rate);

		CHECK(most >= 100000000 && most <= PDS_CUCKOO_MAX_CAPACITY);
		pds_cuckoo_shape_for(PDS_CUCKOO_MAX_CAPACITY, rate, &s);
		CHECK(s.classes > PDS_CUCKOO_MAX_CAPACITY && s.classes <= PDS_CUCKOO_MAX_CLASSES);
		CHECK_NEAR((double) s.classes, PDS_CUCKOO_MAX_CAPACITY / pds_decimal_value(rate),
				   1e-9 * (double) s.classes);
	}
}

/*
 * Two filters that would be too large if all their classes were different: most of them can be
 * the same ones.  The first only says that it holds so many.
 */
TEST(a_union_may_be_smaller_than_its_parts)
{
	pds_cuckoo_shape shape = shape_of(130000000, 1e-9);
	sketch		s = sketch_new(&shape);
	pds_cuckoo_view other = {.shape = shape, .distinct = 50000000};
	pds_operand operand = {NULL, &other};
	pds_cuckoo_plan plan;

	s.b->used = 130000000;
	CHECK_U64(pds_cuckoo_ops.plan_union(s.b, &operand, (pds_plan *) &plan), PDS_FULL);
	CHECK(plan.size <= PDS_CUCKOO_MAX_IMAGE);
	other.distinct = 130000000;
	CHECK_U64(pds_cuckoo_ops.plan_union(s.b, &operand, (pds_plan *) &plan), PDS_OK);
	sketch_free(&s);
}

/* Where size_t has 32 bits, the memory to sort all classes in does not look small. */
TEST(memory_to_store_in)
{
	pds_cuckoo_shape shape = shape_of(800000000, 0.03);
	sketch		s = sketch_new(&shape);
	pds_cuckoo_encoding x;

	s.b->used = 600000000;
	s.b->total = s.b->used;
	pds_cuckoo_ops.measure(s.b, (pds_encoding *) &x);
	CHECK(x.scratch / sizeof(uint64_t) >= s.b->used || x.scratch == SIZE_MAX);
	sketch_free(&s);
}
