/*
 * bloom_merge_test.c: unions and intersections of Bloom filters: by whatever way, a
 * union is the filter of all keys; an intersection has the bits that both have
 */
#include "bloom_sets.h"

/*
 * Builds a filter of the first n of these hashes in a way that nobody would choose. The parts
 * overlap, each has its own kind of image, kept or stored, and they are merged in any order.
 */
static filter
by_detours(const pds_hash *from, size_t n, const pds_bloom_shape *s, int depth)
{
	filter		f = below(4) == 0 ? filter_undecided() :
		below(4) == 0 ? filter_of_bits(s) : filter_new(s);
	int			parts = depth == 0 ? 0 : (int) below(4);

	if (parts < 2)
	{
		pds_hash   *own = sketch_memory(n * sizeof(pds_hash));

		if (f.b->undecided)
		{
			filter_free(&f);
			f = filter_new(s);
		}
		memcpy(own, from, n * sizeof(pds_hash));
		shuffle(own, n);
		for (size_t i = 0; i < n; i++)
		{
			filter_add(&f, own[i]);
			if (below(n) == 0 && f.b->mode != PDS_BLOOM_BITS)
				filter_as(&f, below(2) == 0 ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS);
		}
		free(own);
		return f;
	}
	for (int i = 0; i < parts; i++)
	{
		size_t		start = n * (size_t) i / (size_t) parts;
		size_t		end = n * (size_t) (i + 1) / (size_t) parts;
		filter		part;

		if (start > 0 && below(2) == 0)
			start -= below(start);
		part = by_detours(from + start, end - start, s, depth - 1);
		if (below(2) == 0)
			filter_merge(&f, &part);
		else
		{
			payload		stored = filter_encode(&part);

			filter_merge_payload(&f, &stored);
			payload_free(&stored);
		}
		filter_free(&part);
	}
	return f;
}

TEST(neither_merge_tree_nor_detour_shows)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		for (int round = 0; round < 24; round++)
		{
			size_t		most = (size_t) (s.bits / s.hashes) * (round % 4 == 0 ? 2 : 1) / 4 + 4;
			size_t		n = below(most > 20000 ? round % 20 == 0 ? 20000 : 2000 : most);
			filter		f;

			take_hashes(n);
			f = by_detours(hashes, n, &s, 4);
			check_set(&f, n, &s);
			filter_free(&f);
		}
	}
}

/* Every kind of image and encoding into every other, and the source as it was. */
TEST(every_kind_merges_into_every_other)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		for (int into = 0; into < 4; into++)
		{
			for (int from = 0; from < 4; from++)
			{
				for (int size = 0; size < 3; size++)
				{
					size_t		a = size == 0 ? 0 : 1 + below(size == 1 ? 3 : 300);
					size_t		b = below(3) == 0 ? 0 : 1 + below(size == 1 ? 3 : 300);
					filter		f;
					filter		g;
					payload		stored;

					/* the oracle takes its time over large ones */
					if (s.bits > 100000 && (size_t) (into + from + shape) % 3 != (size_t) size)
						continue;
					f = into == 3 ? filter_undecided() : filter_new(&s);
					g = filter_new(&s);
					take_hashes(a + b);
					if (into == 3)
						a = 0;
					for (size_t i = 0; i < a; i++)
						filter_add(&f, hashes[b + i]);
					for (size_t i = 0; i < b; i++)
						filter_add(&g, hashes[i]);
					if (into < 3 && f.b->mode != PDS_BLOOM_BITS)
						filter_as(&f, (pds_bloom_mode) into);
					if (from < 3 && g.b->mode != PDS_BLOOM_BITS)
						filter_as(&g, (pds_bloom_mode) from);
					stored = filter_encode(&g);
					if (from == 3)
						filter_merge_payload(&f, &stored);
					else
						filter_merge(&f, &g);
					check_set(&f, a + b, &s);
					check_state(&g, &stored);
					/* once more is no more */
					if (from == 3)
						filter_merge(&f, &g);
					else
						filter_merge_payload(&f, &stored);
					check_set(&f, a + b, &s);
					payload_free(&stored);
					filter_free(&f);
					filter_free(&g);
				}
			}
		}
	}
}

/*
 * A large table goes into a small one that was given space for it before. Hashes come out in
 * order, and each would otherwise have to pass all before it.
 */
TEST(a_table_is_given_space_before_another_is_merged_in)
{
	for (int automatic = 0; automatic <= 1; automatic++)
	{
		pds_bloom_shape s = shape_of(4000000, 0.01, PDS_BLOOM_BLOCKED);
		filter		f = automatic ? filter_automatic() : filter_new(&s);
		filter		g = automatic ? filter_automatic() : filter_new(&s);
		pds_bloom_plan plan;

		take_hashes(60000);
		for (size_t i = 0; i < 50000; i++)
			filter_add(&g, hashes[i]);
		for (size_t i = 0; i < 20; i++)
			filter_add(&f, hashes[49990 + i]);
		CHECK_U64(g.b->mode, PDS_BLOOM_HASHES);
		CHECK(pds_bloom_plan_merge(f.b, &g.b->shape, PDS_BLOOM_HASHES, g.b->count, &plan));
		CHECK_U64(plan.mode, PDS_BLOOM_HASHES);
		filter_move(&f, &plan);
		CHECK(!pds_bloom_plan_merge(f.b, &g.b->shape, PDS_BLOOM_HASHES, g.b->count, &plan));
		CHECK_U64(pds_bloom_merge_build(f.b, g.b), PDS_OK);
		CHECK_U64(f.b->count, 50010);
		if (!automatic)
			check_set(&f, 50010, &s);
		filter_free(&f);
		filter_free(&g);
	}
}

/* Many small filters into one: its image grows, and not by a little each time. */
TEST(many_small_filters_into_one)
{
	pds_bloom_shape s = shape_of(150000, 0.01, PDS_BLOOM_BLOCKED);

	for (int stored = 0; stored <= 1; stored++)
	{
		filter		f = filter_undecided();
		size_t		before = 0;
		int			moves = 0;

		take_hashes(6000);
		for (size_t n = 0; n < 6000; n += 5)
		{
			filter		g = filter_new(&s);

			for (size_t i = n; i < n + 5; i++)
				filter_add(&g, hashes[i]);
			if (stored)
			{
				payload		p = filter_encode(&g);

				filter_merge_payload(&f, &p);
				payload_free(&p);
			}
			else
				filter_merge(&f, &g);
			moves += f.size != before;
			before = f.size;
			filter_free(&g);
		}
		CHECK(moves < 30);
		check_set(&f, 6000, &s);
		filter_free(&f);
	}
}

/* What does not fit is said, and can be said again: nothing is lost by then. */
TEST(without_space_a_union_is_full_and_nothing_lost)
{
	pds_bloom_shape s = shape_of(150000, 0.01, PDS_BLOOM_BLOCKED);

	for (int from = 0; from < 3; from++)
	{
		for (int into = 0; into < 2; into++)
		{
			filter		f = filter_new(&s);
			filter		g = filter_new(&s);
			payload		stored;
			pds_bloom_view v;

			take_hashes(1500);
			filter_add(&f, hashes[0]);
			filter_as(&f, (pds_bloom_mode) into);
			for (size_t i = 1; i < 1500; i++)
				filter_add(&g, hashes[i]);
			filter_as(&g, (pds_bloom_mode) from);
			stored = filter_encode(&g);
			v = payload_view(&stored);
			CHECK_U64(pds_bloom_merge_build(f.b, g.b), PDS_FULL);
			CHECK_U64(pds_bloom_merge_view(f.b, &v), PDS_FULL);
			filter_merge(&f, &g);
			check_set(&f, 1500, &s);
			payload_free(&stored);
			filter_free(&f);
			filter_free(&g);
		}
	}
}

/* Two tables of a planned filter that together are better an array. */
TEST(two_large_tables_become_an_array)
{
	pds_bloom_shape s = shape_of(150000, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&s);
	filter		g = filter_new(&s);

	take_hashes(2400);
	for (size_t i = 0; i < 2400; i++)
		filter_add(i % 2 == 0 ? &f : &g, hashes[i]);
	CHECK_U64(f.b->mode, PDS_BLOOM_HASHES);
	filter_merge(&f, &g);
	CHECK_U64(f.b->mode, PDS_BLOOM_BITS);
	check_set(&f, 2400, &s);
	filter_free(&f);
	filter_free(&g);
}

TEST(other_shapes_are_no_union_and_no_intersection)
{
	static const struct
	{
		uint64_t	bits;
		int			hashes;
		uint8_t		family;
	}			other[] = {
		{9600, 7, PDS_BLOOM_CLASSIC}, {9600, 8, PDS_BLOOM_CLASSIC}, {9664, 7, PDS_BLOOM_CLASSIC},
		{9728, 7, PDS_BLOOM_CLASSIC}, {9728, 7, PDS_BLOOM_BLOCKED}, {960, 7, PDS_BLOOM_BLOCKED},
		{960, 7, PDS_BLOOM_CLASSIC},
	};
	const int	n = sizeof(other) / sizeof(other[0]);

	for (int i = 0; i < n; i++)
	{
		for (int j = 0; j < n; j++)
		{
			pds_bloom_shape a = shape_explicit(other[i].bits, other[i].hashes, other[i].family);
			pds_bloom_shape b = shape_explicit(other[j].bits, other[j].hashes, other[j].family);
			filter		f = filter_new(&a);
			filter		g = filter_new(&b);
			filter		automatic = filter_automatic();
			pds_status	want = i == j ? PDS_OK : PDS_PARAMETER_MISMATCH;
			payload		stored;
			pds_bloom_view v;

			filter_add(&g, hash_of(1));
			stored = filter_encode(&g);
			v = payload_view(&stored);
			CHECK(pds_bloom_same_shape(&a, &b) == (i == j));
			if (i != j)
			{
				CHECK_U64(pds_bloom_merge_build(f.b, g.b), want);
				CHECK_U64(pds_bloom_merge_view(f.b, &v), want);
			}
			filter_as(&f, PDS_BLOOM_BITS);
			CHECK_U64(pds_bloom_intersect_view(f.b, &v), want);
			CHECK_U64(pds_bloom_merge_build(f.b, automatic.b), PDS_PARAMETER_MISMATCH);
			CHECK_U64(pds_bloom_merge_build(automatic.b, f.b), PDS_PARAMETER_MISMATCH);
			payload_free(&stored);
			filter_free(&f);
			filter_free(&g);
			filter_free(&automatic);
		}
	}
}

/* What filters were planned for may differ: the union says the larger, whoever is first. */
TEST(plans_are_joined_in_any_order)
{
	const uint64_t capacities[] = {0, 90, 95, 100};
	const uint16_t rates[] = {0, pds_decimal_code(0.01), pds_decimal_code(0.02)};

	for (int round = 0; round < 400; round++)
	{
		pds_bloom_shape s[3];
		filter		f[3];
		payload		stored[3];
		payload		unions[2];
		payload		both[2];

		for (int i = 0; i < 3; i++)
		{
			s[i] = shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
			s[i].capacity = capacities[below(4)];
			s[i].rate = rates[below(3)];
			f[i] = filter_of_bits(&s[i]);
			for (uint64_t k = 0; k < 30; k++)
				filter_add(&f[i], hash_of(k * (uint64_t) (i + 1)));
			stored[i] = filter_encode(&f[i]);
		}
		/* the first, second and third, in two orders */
		for (int order = 0; order < 2; order++)
		{
			filter		u = filter_of_payload(&stored[order == 0 ? 0 : 2]);
			filter		x = filter_of_payload(&stored[order == 0 ? 0 : 2]);

			for (int i = 1; i < 3; i++)
			{
				int			next = order == 0 ? i : 2 - i;
				pds_bloom_view v = payload_view(&stored[next]);

				if (below(2) == 0)
					filter_merge(&u, &f[next]);
				else
					filter_merge_payload(&u, &stored[next]);
				CHECK_U64(pds_bloom_intersect_view(x.b, &v), PDS_OK);
			}
			unions[order] = filter_encode(&u);
			both[order] = filter_encode(&x);
			CHECK(pds_bloom_check(unions[order].bytes, unions[order].len, NULL) == PDS_OK);
			CHECK(pds_bloom_check(both[order].bytes, both[order].len, NULL) == PDS_OK);
			filter_free(&u);
			filter_free(&x);
		}
		CHECK(payload_equal(&unions[0], &unions[1]));
		CHECK(payload_equal(&both[0], &both[1]));
		for (int i = 0; i < 3; i++)
		{
			filter_free(&f[i]);
			payload_free(&stored[i]);
		}
		for (int i = 0; i < 2; i++)
		{
			payload_free(&unions[i]);
			payload_free(&both[i]);
		}
	}
}

/* ---------- intersection ---------- */

TEST(an_intersection_has_the_bits_that_both_have)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);
		size_t		all = (size_t) (s.bits / s.hashes);

		for (int round = 0; round < (s.bits > 100000 ? 5 : 40); round++)
		{
			size_t		n1 = below(3) == 0 ? below(4) : below(all < 8000 ? all : 8000);
			size_t		n2 = below(3) == 0 ? below(4) : below(all < 8000 ? all : 8000);
			size_t		common = below((n1 < n2 ? n1 : n2) + 1);
			uint8_t    *one = oracle_bits(&s);
			uint8_t    *two = oracle_bits(&s);
			filter		f = filter_new(&s);
			filter		g = filter_new(&s);
			payload		stored;
			payload		want;
			pds_bloom_view v;

			take_hashes(n1 + n2 - common);
			for (size_t i = 0; i < n1; i++)
			{
				filter_add(&f, hashes[i]);
				oracle_add(one, &s, hashes[i]);
			}
			for (size_t i = n1 - common; i < n1 + n2 - common; i++)
			{
				filter_add(&g, hashes[i]);
				oracle_add(two, &s, hashes[i]);
			}
			stored = filter_encode(&g);
			v = payload_view(&stored);
			for (uint64_t i = 0; i < s.bits; i++)
				one[i] &= two[i];
			want = oracle_payload(one, &s, follows(&s));

			if (f.b->mode == PDS_BLOOM_HASHES)
			{
				CHECK_U64(pds_bloom_intersect_view(f.b, &v), PDS_PARAMETER_MISMATCH);
				filter_as(&f, below(2) == 0 ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS);
			}
			CHECK_U64(pds_bloom_intersect_view(f.b, &v), PDS_OK);
			check_state(&f, &want);
			/* once more is the same, and none of the common keys is lost */
			CHECK_U64(pds_bloom_intersect_view(f.b, &v), PDS_OK);
			check_state(&f, &want);
			v = payload_view(&want);
			for (size_t i = n1 - common; i < n1; i++)
				CHECK(payload_contains(&want, &v, hashes[i]));
			payload_free(&stored);
			payload_free(&want);
			filter_free(&f);
			filter_free(&g);
			free(one);
			free(two);
		}
	}
}
