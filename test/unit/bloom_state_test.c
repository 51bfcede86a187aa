/*
 * bloom_state_test.c: the building form of a Bloom filter: whatever image a set
 * of keys lives in, and whichever way it got there, it is stored as the same bytes
 */
#include "bloom_sets.h"

/* Guava's writeTo() of a capacity of 10 at 0.01: strategy 1, k, words big-endian. */
static void
check_guava(const pds_hash *keys, const char *hex)
{
	pds_bloom_shape s = shape_explicit(128, 7, PDS_BLOOM_CLASSIC);
	filter		f = filter_of_bits(&s);
	uint8_t		want[22];

	for (size_t i = 0; i < sizeof(want); i++)
	{
		unsigned	byte;

		sscanf(hex + 2 * i, "%2x", &byte);
		want[i] = (uint8_t) byte;
	}
	CHECK_U64(want[0], 1);
	CHECK_U64(s.hashes, want[1]);
	CHECK_U64(s.bits, (uint64_t) want[5] * 64);
	for (int i = 0; i < 3; i++)
		filter_add(&f, keys[i]);
	for (int i = 0; i < 16; i++)
		CHECK_U64(pds_bloom_build_array(f.b)[i], want[6 + i / 8 * 8 + 7 - i % 8]);
	filter_free(&f);
}

TEST(classic_is_guavas_murmur128_mitz_64)
{
	static const char *const names[] = {"foo", "bar", "hello"};
	pds_hash	utf8[3];
	pds_hash	utf16[3];
	pds_hash	longs[3];
	pds_hash	ints[3];

	for (int i = 0; i < 3; i++)
	{
		size_t		len = strlen(names[i]);
		uint8_t		wide[16] = {0};
		uint8_t		number[8] = {0};

		number[0] = (uint8_t) (i + 1);
		for (size_t j = 0; j < len; j++)
			wide[2 * j] = (uint8_t) names[i][j];
		utf8[i] = pds_murmur3(names[i], len, 0);
		utf16[i] = pds_murmur3(wide, 2 * len, 0);
		longs[i] = pds_murmur3(number, 8, 0);
		ints[i] = pds_murmur3(number, 4, 0);
	}
	check_guava(utf8, "0107000000020010000009000814a040814200002010");
	check_guava(utf16, "010700000002200115558880c0800000100088080c00");
	check_guava(longs, "01070000000250000104008010400005412610412600");
	check_guava(ints, "0107000000024818080080000c084020000948000200");
}

/* A walk's places one by one, for hashes and sizes of all kinds. */
TEST(places_are_those_of_the_formulas)
{
	static const uint64_t odd[] = {0, 1, 2, 511, 512, 0x7fffffff, 0x80000000, 0xffffffff,
		UINT64_C(0x100000000), UINT64_C(0x7fffffffffffffff), UINT64_C(0x8000000000000000),
	UINT64_C(0xfffffffffffffe00), ~UINT64_C(0)};
	const size_t n = sizeof(odd) / sizeof(odd[0]);

	for (int round = 0; round < 500; round++)
	{
		uint8_t		family = (uint8_t) (round % 2);
		uint64_t	words = round < 4 ? PDS_BLOOM_MAX_BITS / 64 :
			1 + test_random() % (UINT64_C(1) << below(28));
		pds_bloom_shape s;

		if (words > PDS_BLOOM_MAX_BITS / 64)
			words = PDS_BLOOM_MAX_BITS / 64;
		if (family == PDS_BLOOM_BLOCKED && words > 64)
			words = words / 8 * 8;
		s = shape_explicit(words * 64, 1 + (int) below(40), family);
		for (size_t i = 0; i < 30; i++)
		{
			pds_hash	h = {test_random(), test_random()};
			uint64_t	places[PDS_BLOOM_MAX_HASHES];
			pds_bloom_walk w;

			if (i < n)
				h.h1 = odd[i];
			if (i % 3 == 1)
				h.h2 = odd[below(n)];
			pds_bloom_places(&s, h, places);
			w = pds_bloom_walk_start(s.family, s.bits, h);
			for (int k = 0; k < s.hashes; k++)
			{
				CHECK_U64(places[k], oracle_place(h, &s, k));
				CHECK(places[k] < s.bits);
				if (pds_bloom_is_layout(s.family))
					CHECK_U64(pds_bloom_walk_next(&w), places[k]);
			}
		}
	}
}

/* All bits of a key in one block, all blocks and all bits of a block in use. */
TEST(blocks_and_bits_are_all_in_use)
{
	for (uint64_t bits = 64; bits <= 40 * 512; bits += bits < 4096 ? 192 : 3072)
	{
		pds_bloom_shape s = shape_explicit(bits, 8, PDS_BLOOM_BLOCKED);
		uint8_t    *seen = oracle_bits(&s);
		uint64_t	count = 0;

		/* many more than it takes on average to see all of them */
		for (uint64_t i = 0; i < bits * 4; i++)
		{
			pds_hash	h = hash_of(i);
			pds_bloom_walk w = pds_bloom_walk_start(s.family, s.bits, h);
			uint64_t	block = pds_bloom_block_of(h.h1, bits);
			bool		inside = true;

			CHECK(bits > PDS_BLOOM_SINGLE_BITS ? block % 512 == 0 : block == 0);
			for (int k = 0; k < 8; k++)
			{
				uint64_t	place = pds_bloom_walk_next(&w);

				inside = inside && place >= block && place < block + pds_bloom_block_bits(bits);
				count += seen[place] == 0;
				seen[place] = 1;
			}
			CHECK(inside);
		}
		CHECK_U64(count, bits);
		free(seen);
	}
}

/* How many keys to try a shape with: up to half of its bits and beyond. */
static size_t
fill_of(const pds_bloom_shape *s, int step)
{
	double		all = (double) s->bits / s->hashes;
	const double part[] = {0, 0, 0, 0.001, 0.01, 0.05, 0.1, 0.124, 0.14, 0.2, 0.5, 1, 3};
	double		n = all * part[step] + step;

	return n < 30000 ? (size_t) n : 30000;
}

TEST(neither_order_nor_duplicates_nor_image_shows)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		for (int step = 0; step < 13; step++)
		{
			size_t		n = fill_of(&s, step);
			int			rounds = n * s.hashes < 5000 && s.bits < 100000 ? 10 : 1;
			payload		want;

			take_hashes(n);
			want = oracle_of_hashes(n, &s);
			for (int round = 0; round < rounds; round++)
			{
				size_t		first = round == 0 ? pds_bloom_first_size(&s) :
					PDS_BLOOM_FIRST_SIZE + below(2000);
				filter		f;

				if (first > pds_bloom_bits_size(s.bits))
					first = pds_bloom_bits_size(s.bits);
				f = filter_sized(&s, first);
				shuffle(hashes, n);
				for (size_t i = 0; i < n; i++)
				{
					filter_add(&f, hashes[i]);
					if (below(4) == 0)
						filter_add(&f, hashes[below(i + 1)]);
					/* another kind of image half-way */
					if (below(n) == 0 && f.b->mode != PDS_BLOOM_BITS)
						filter_as(&f, below(2) == 0 ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS);
				}
				check_state(&f, &want);
				/* storing it changed nothing */
				if (n > 0)
					filter_add(&f, hashes[0]);
				check_state(&f, &want);
				filter_free(&f);
			}
			payload_free(&want);
		}
	}
}

/* Nothing that marks an empty slot in a table is a hash that could get lost. */
TEST(the_hash_of_zeros_is_a_hash)
{
	const pds_hash zero = {0, 0};

	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		for (size_t n = 0; n < 60; n = n * 2 + 1)
		{
			filter		f = filter_new(&s);
			filter		g = filter_new(&s);

			take_hashes(n + 1);
			hashes[n] = zero;
			filter_add(&f, zero);
			for (size_t i = 0; i < n; i++)
				filter_add(&f, hashes[i]);
			filter_add(&f, zero);
			check_set(&f, n + 1, &s);
			/* and by a union */
			filter_merge(&g, &f);
			check_set(&g, n + 1, &s);
			filter_free(&f);
			filter_free(&g);
		}
	}
}

/* A group of ten keys costs little, however large its filter is planned. */
TEST(images_grow_with_what_is_in_them)
{
	pds_bloom_shape s = shape_of(1000000, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&s);

	CHECK_U64(f.size, PDS_BLOOM_FIRST_SIZE);
	for (size_t n = 1; n <= 40000; n++)
	{
		filter_add(&f, hash_of(n));
		if (f.b->mode == PDS_BLOOM_HASHES)
		{
			CHECK(f.size <= 256 + n * 16 * 3);
			CHECK(f.size < pds_bloom_bits_size(s.bits) / 4);
		}
		else
			CHECK_U64(f.size, pds_bloom_bits_size(s.bits));
		if (n == 10)
			CHECK(f.size <= 512);
	}
	CHECK_U64(f.b->mode, PDS_BLOOM_BITS);
	filter_free(&f);

	/* and a small one is an array from the start */
	s = shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
	f = filter_new(&s);
	CHECK_U64(f.b->mode, PDS_BLOOM_BITS);
	CHECK(f.size <= 256);
	filter_free(&f);
}

/*
 * The server copies states about in memory: keys that wait in the ring come along, and
 * the array finds its way back to a cache line's boundary wherever that is.
 */
TEST(the_ring_survives_being_moved)
{
	pds_bloom_shape s = shape_of(200000, 0.001, PDS_BLOOM_BLOCKED);
	size_t		size = pds_bloom_bits_size(s.bits);
	uint8_t    *memory[2];
	filter		f;
	size_t		n = 0;

	CHECK(s.bits >= PDS_BLOOM_RING_BITS);
	take_hashes(20000);
	for (int i = 0; i < 2; i++)
		memory[i] = sketch_memory(size + 128);
	f = filter_of_bits(&s);
	memcpy(memory[0], f.b, size);
	filter_free(&f);
	f.b = (pds_bloom_build *) memory[0];
	f.size = size;
	for (int round = 0; round < 400; round++)
	{
		size_t		more = below(60);
		uint8_t    *to = memory[(round + 1) % 2] + below(16) * 8;

		for (size_t i = 0; i < more && n < 20000; i++)
			filter_add(&f, hashes[n++]);
		memset(memory[(round + 1) % 2], 0xee, size + 128);
		memcpy(to, f.b, size);
		f.b = (pds_bloom_build *) to;
		if (round % 7 == 0)
			pds_bloom_flush(f.b);
		if (round % 100 == 99)
			check_set(&f, n, &s);
	}
	/* a move by plan takes what waits along, too */
	{
		pds_bloom_plan plan = {size, PDS_BLOOM_BITS, s};
		filter		to;

		filter_add(&f, hashes[0]);
		filter_add(&f, (pds_hash) {1, 2});
		hashes[n++] = (pds_hash) {1, 2};
		CHECK(f.b->pending > 0);
		to = filter_moved(&f, &plan);
		check_set(&to, n, &s);
		filter_free(&to);
	}
	free(memory[0]);
	free(memory[1]);
}

/* A list of positions is not sorted for each key that comes when it is all but full. */
TEST(full_lists_of_positions_grow)
{
	pds_bloom_shape s = shape_of(1000000, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&s);
	int			moves = 0;
	size_t		before;

	filter_add(&f, hash_of(1));
	filter_as(&f, PDS_BLOOM_POSITIONS);
	before = f.size;
	take_hashes(2000);
	for (size_t i = 0; i < 2000; i++)
	{
		filter_add(&f, hashes[i]);
		moves += f.size != before;
		before = f.size;
	}
	CHECK_U64(f.b->mode, PDS_BLOOM_POSITIONS);
	CHECK(moves <= 9);
	hashes[2000] = hash_of(1);
	check_set(&f, 2001, &s);
	filter_free(&f);
}

/* A list of more than one bit in eight is stored as the array that an array would be. */
TEST(long_lists_of_positions_are_stored_as_arrays)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(1000, 0.01, (uint8_t) family);
		pds_bloom_plan plan = {sizeof(pds_bloom_build) + 8 * 5000, PDS_BLOOM_POSITIONS, s};
		filter		f = filter_undecided();

		filter_move(&f, &plan);
		pds_state_set_kind(f.b, PDS_KIND_NUMBER);
		take_hashes(400);
		for (size_t i = 0; i < 400; i++)
			CHECK(pds_bloom_add(f.b, hashes[i]) == PDS_OK);
		CHECK_U64(f.b->mode, PDS_BLOOM_POSITIONS);
		check_set(&f, 400, &s);
		filter_free(&f);
	}
}
