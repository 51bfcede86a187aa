/*
 * existence_layout_test.c: the filter of existence indexes, and their meta data
 *
 * Rates are simulated: a filter is filled with pseudo-random hashes, and the share of foreign
 * hashes that it says yes to is compared with what it promises.
 */
#include <math.h>
#include <stdlib.h>

#include "decimal.h"
#include "bloom_size.h"
#include "existence_layout.h"
#include "test.h"

#define PAGE	8192

static uint64_t
mixed(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static pds_hash
hash_of(uint64_t key)
{
	return (pds_hash) {mixed(key), mixed(key ^ UINT64_C(0x5555555555555555))};
}

TEST(a_page_has_a_whole_number_of_cache_lines)
{
	CHECK_U64(pds_existence_blocks_in_page(8192), 127);
	CHECK_U64(pds_existence_blocks_in_page(1024), 15);
	CHECK_U64(pds_existence_blocks_in_page(32768), 511);
}

TEST(places_are_in_the_filter_and_in_order_of_h1)
{
	pds_existence_filter filter = {.first = 5, .pages = 7, .hashes = 6};
	uint64_t	last = 0;

	CHECK_U64(pds_existence_place_of(&filter, 127, (pds_hash) {0, 1}).page, 5);
	CHECK_U64(pds_existence_place_of(&filter, 127, (pds_hash) {0, 1}).offset, 64);
	CHECK_U64(pds_existence_place_of(&filter, 127, (pds_hash) {UINT64_MAX, 1}).page, 11);
	CHECK_U64(pds_existence_place_of(&filter, 127, (pds_hash) {UINT64_MAX, 1}).offset, 8192 - 64);
	for (uint64_t i = 0; i < 10000; i++)
	{
		pds_hash	h = {i * (UINT64_MAX / 10000), 0};
		pds_existence_place p = pds_existence_place_of(&filter, 127, h);
		uint64_t	at = (uint64_t) p.page * PAGE + p.offset;

		CHECK(at >= last && p.page < 12);
		CHECK(p.offset >= 64 && p.offset % 64 == 0 && p.offset <= PAGE - 64);
		last = at;
	}
}

/* The blocks of the filter are those of a bloom of as many bits. */
TEST(bits_are_those_of_a_blocked_bloom)
{
	pds_existence_filter filter = {.first = 1, .pages = 9, .hashes = 7};
	pds_bloom_shape shape = {.family = PDS_BLOOM_BLOCKED, .hashes = 7, .bits = 9 * 127 * 512};
	uint8_t    *pages = calloc(10, PAGE);
	uint8_t    *array = calloc(1, (size_t) shape.bits / 8);
	uint8_t    *packed = calloc(1, (size_t) shape.bits / 8);

	for (uint64_t i = 0; i < 20000; i++)
	{
		pds_hash	h = hash_of(i);
		pds_existence_place p = pds_existence_place_of(&filter, 127, h);

		pds_existence_block_add(pages + (size_t) p.page * PAGE + p.offset, filter.hashes, h);
		pds_bloom_array_add(array, &shape, h);
		CHECK(pds_existence_block_contains(pages + (size_t) p.page * PAGE + p.offset, filter.hashes,
										   h));
	}
	for (size_t page = 0; page < 9; page++)
		memcpy(packed + page * 127 * 64, pages + (page + 1) * PAGE + 64, 127 * 64);
	CHECK_BYTES(packed, array, (size_t) shape.bits / 8);
	free(pages);
	free(array);
	free(packed);
}

/* What the server does with such a record */
static void
replay(uint8_t *page, const uint8_t *delta, size_t len)
{
	const uint8_t *end = delta + len;

	while (delta < end)
	{
		uint16_t	head[2];

		memcpy(head, delta, sizeof(head));
		memcpy(page + head[0], delta + sizeof(head), head[1]);
		delta += sizeof(head) + head[1];
	}
	CHECK(delta == end);
}

TEST(a_delta_replayed_gives_the_block)
{
	static uint8_t page[PAGE];
	uint8_t		before[64];
	uint8_t		after[64];
	uint8_t		delta[PDS_EXISTENCE_MAX_DELTA];

	for (uint64_t i = 0; i < 20000; i++)
	{
		uint32_t	offset = 64 + 64 * (uint32_t) (mixed(i) % 127);
		/* from one byte to all of them */
		int			changes = i % 100 == 0 ? 64 : 1 + (int) (mixed(i + 7) % 12);
		size_t		len;

		for (int j = 0; j < 64; j++)
			before[j] = (uint8_t) mixed(i * 64 + (uint64_t) j);
		memcpy(after, before, 64);
		for (int j = 0; j < changes; j++)
		{
			int			at = changes == 64 ? j : (int) (mixed(i * 99 + (uint64_t) j) % 64);

			after[at] = before[at] ^ 0x10;
		}
		/* the last byte and the first */
		if (i % 3 == 0)
			after[0] ^= 1, after[63] ^= 1;
		memcpy(page + offset, before, 64);
		len = pds_existence_delta(before, after, offset, delta);
		CHECK(len > 0 && len <= sizeof(delta));
		replay(page, delta, len);
		CHECK_BYTES(page + offset, after, 64);
	}
	CHECK_U64(pds_existence_delta(before, before, 64, delta), 0);
}

/* A key of seven bits takes no more than so many bytes in WAL. */
TEST(a_delta_is_short)
{
	uint8_t		before[64] = {0};
	uint8_t		after[64];
	uint8_t		delta[PDS_EXISTENCE_MAX_DELTA];

	for (uint64_t i = 0; i < 10000; i++)
	{
		memset(after, 0, 64);
		pds_existence_block_add(after, 7, hash_of(i));
		CHECK(pds_existence_delta(before, after, 64, delta) <= 7 * 5);
	}
}

/* ---------- rates ---------- */

TEST(a_full_filter_has_the_bits_and_the_rate_it_was_planned_for)
{
	static const double rates[] = {0.1, 0.01, 0.001};

	for (int r = 0; r < 3; r++)
	{
		pds_existence_filter filter;
		const uint64_t n = 1000000;
		uint64_t	yes = 0;
		uint64_t	bits = 0;
		double		expected = n * rates[r];
		uint8_t    *pages;

		CHECK(pds_existence_filter_for(300000, rates[r], 127, &filter));
		pages = calloc(filter.pages, PAGE);
		for (uint64_t i = 0; i < n + (uint64_t) filter.capacity; i++)
		{
			pds_hash	h = hash_of(i);
			pds_existence_place p = pds_existence_place_of(&filter, 127, h);
			uint8_t    *block = pages + (size_t) p.page * PAGE + p.offset;

			if (i < (uint64_t) filter.capacity)
				pds_existence_block_add(block, filter.hashes, h);
			else
				yes += pds_existence_block_contains(block, filter.hashes, h);
		}
		for (uint32_t i = 0; i < filter.pages; i++)
			bits += pds_bloom_count_bits(pages + (size_t) i * PAGE + 64, 127 * 64);
		/* half of a percent: some 30 standard errors of the number of bits */
		CHECK_NEAR((double) bits / filter.pages, filter.full_bits, 0.005 * filter.full_bits);
		CHECK_NEAR((double) yes, expected, 4 * sqrt(expected));
		free(pages);
	}
}

/* ---------- plans ---------- */

TEST(filter_and_table_share_the_rate)
{
	static const double rates[] = {0.5, 0.01, 1e-9};
	static const double keys[] = {1, 99999, 100000, 1e9};

	for (int r = 0; r < 3; r++)
		for (int k = 0; k < 4; k++)
		{
			pds_existence_meta meta;
			double		table;

			CHECK(pds_existence_plan_build(keys[k], 0, rates[r], 1, PAGE, PDS_KIND_STRING, &meta));
			CHECK(pds_existence_meta_valid(&meta, PAGE));
			table = pds_existence_table_rate(meta.table.bits, PDS_EXISTENCE_GENERATIONS);
			CHECK(meta.filter.rate + table <= rates[r] * 1.0001);
			/* a bit less would break it, unless there are as few as can be */
			CHECK(meta.filter.rate + 2 * table > rates[r] ||
				  meta.table.bits == PDS_EXISTENCE_MIN_SLOT);
		}
}

TEST(a_filter_over_many_keys_is_as_large_as_a_bloom_of_them)
{
	static const double keys[] = {100000, 400000, 1e7};

	for (int i = 0; i < 3; i++)
	{
		pds_existence_meta meta;
		pds_bloom_shape shape;

		CHECK(pds_existence_plan_build(keys[i], 0, 0.01, 1, PAGE, PDS_KIND_NUMBER, &meta));
		CHECK(pds_bloom_shape_for((uint64_t) keys[i], pds_decimal_code(0.01), PDS_BLOOM_BLOCKED,
								  &shape) == PDS_OK);
		/* what a bloom takes, 3 %, and what the last page has over */
		CHECK((meta.filter.pages - 1.0) * PAGE <= 1.03 * (double) shape.bits / 8);
	}
}

TEST(a_capacity_is_what_the_filter_has_space_for)
{
	pds_existence_meta meta;

	CHECK(pds_existence_plan_build(10, 5000000, 0.001, 1, PAGE, PDS_KIND_STRING, &meta));
	CHECK(meta.filter.capacity >= 5000000 && meta.filter.capacity < 5000000 * 1.001);
	CHECK(pds_existence_plan_build(6000000, 5000000, 0.001, 1, PAGE, PDS_KIND_STRING, &meta));
	CHECK(meta.filter.capacity >= 6000000 && meta.filter.capacity < 6000000 * 1.001);
	/* larger than a relation */
	CHECK(!pds_existence_plan_build(10, 1e14, 0.001, 1, PAGE, PDS_KIND_STRING, &meta));
}

TEST(an_expansion_is_what_the_table_has_space_for_when_it_begins)
{
	static const double expansions[] = {1, 1.25, 2, 16};
	double		before = 0;

	for (int e = 0; e < 4; e++)
	{
		pds_existence_meta meta;
		double		space;

		CHECK(pds_existence_plan_build(1000000, 0, 0.01, expansions[e], PAGE, PDS_KIND_STRING,
									   &meta));
		CHECK(pds_existence_plan_table(&meta));
		CHECK(pds_existence_meta_valid(&meta, PAGE));
		space = (double) (meta.used - 1 - meta.filter.pages) *
			pds_existence_page_capacity(&meta.table);
		CHECK(space >= (expansions[e] - 1) * meta.filter.capacity);
		/* a power of two pages, and one in ten for those that fill up earlier */
		CHECK(expansions[e] == 1 ||
			  space <= 2 * (expansions[e] - 1) * meta.filter.capacity / 0.9);
		CHECK(expansions[e] > 1 || meta.used - 1 - meta.filter.pages == 8);
		CHECK(space >= before);
		before = space;
	}
}

TEST(steps_end_where_a_relation_does)
{
	pds_existence_meta meta;
	int			steps = 0;

	CHECK(pds_existence_plan_build(1, 0, 0.01, 1, PAGE, PDS_KIND_STRING, &meta));
	CHECK(pds_existence_plan_table(&meta));
	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
		while (pds_existence_plan_step(&meta, group))
		{
			CHECK(pds_existence_meta_valid(&meta, PAGE));
			steps++;
		}
	CHECK_U64(steps, PDS_EXISTENCE_GROUPS * (PDS_EXISTENCE_MAX_STEPS - 1));

	/* with more pages to begin with, it is the number of pages that ends it */
	CHECK(pds_existence_plan_build(1e9, 0, 0.01, 16, PAGE, PDS_KIND_STRING, &meta));
	CHECK(meta.table.base > 8);
	CHECK(pds_existence_plan_table(&meta));
	while (pds_existence_plan_step(&meta, 0))
		continue;
	CHECK(meta.table.top[0] < PDS_EXISTENCE_MAX_STEPS - 1);
	CHECK(pds_existence_meta_valid(&meta, PAGE));
}

TEST(meta_data_that_nobody_can_have_written_is_refused)
{
	pds_existence_meta meta;
	pds_existence_meta bad;

	CHECK(pds_existence_plan_build(1000, 0, 0.01, 1, PAGE, PDS_KIND_STRING, &meta));
	CHECK(pds_existence_meta_valid(&meta, PAGE));
	CHECK(!pds_existence_meta_valid(&meta, PAGE / 2));
	bad = meta, bad.magic++;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.version++;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.filter.first = 2;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.filter.hashes = 0;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.filter.hashes = PDS_BLOOM_MAX_HASHES + 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.used++;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));

	CHECK(pds_existence_plan_table(&meta));
	CHECK(pds_existence_meta_valid(&meta, PAGE));
	bad = meta, bad.table.started = 2;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.bits = PDS_EXISTENCE_MIN_SLOT - 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.bits = PDS_EXISTENCE_MAX_SLOT + 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.buckets++;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.base = PDS_EXISTENCE_MAX_BASE + 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.top[1] = PDS_EXISTENCE_MAX_STEPS;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.top[1] = 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.segment[2][0] = meta.used - 1;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
	bad = meta, bad.table.segment[2][0] = 0;
	CHECK(!pds_existence_meta_valid(&bad, PAGE));
}
