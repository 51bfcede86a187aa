/*
 * existence_layout_test.c: places, sizes and growth of existence indexes
 *
 * The rates of layers are simulated: layers are filled with pseudo-random hashes, and the
 * share of foreign hashes that they say yes to is compared with what they promise.
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

TEST(places_are_in_the_layer_and_in_order_of_h1)
{
	pds_existence_layer layer = {.first = 5, .pages = 7, .hashes = 6};
	uint64_t	last = 0;

	CHECK_U64(pds_existence_place_of(&layer, 127, (pds_hash) {0, 1}).page, 5);
	CHECK_U64(pds_existence_place_of(&layer, 127, (pds_hash) {0, 1}).offset, 64);
	CHECK_U64(pds_existence_place_of(&layer, 127, (pds_hash) {UINT64_MAX, 1}).page, 11);
	CHECK_U64(pds_existence_place_of(&layer, 127, (pds_hash) {UINT64_MAX, 1}).offset, 8192 - 64);
	for (uint64_t i = 0; i < 10000; i++)
	{
		pds_hash	h = {i * (UINT64_MAX / 10000), 0};
		pds_existence_place p = pds_existence_place_of(&layer, 127, h);
		uint64_t	at = (uint64_t) p.page * PAGE + p.offset;

		CHECK(at >= last && p.page < 12);
		CHECK(p.offset >= 64 && p.offset % 64 == 0 && p.offset <= PAGE - 64);
		last = at;
	}
}

/* The blocks of a layer are those of a bloom of as many bits. */
TEST(bits_are_those_of_a_blocked_bloom)
{
	pds_existence_layer layer = {.first = 1, .pages = 9, .hashes = 7};
	pds_bloom_shape shape = {.family = PDS_BLOOM_BLOCKED, .hashes = 7, .bits = 9 * 127 * 512};
	uint8_t    *pages = calloc(10, PAGE);
	uint8_t    *array = calloc(1, (size_t) shape.bits / 8);
	uint8_t    *packed = calloc(1, (size_t) shape.bits / 8);

	for (uint64_t i = 0; i < 20000; i++)
	{
		pds_hash	h = hash_of(i);
		pds_existence_place p = pds_existence_place_of(&layer, 127, h);

		pds_existence_block_add(pages + (size_t) p.page * PAGE + p.offset, layer.hashes, h);
		pds_bloom_array_add(array, &shape, h);
		CHECK(pds_existence_block_contains(pages + (size_t) p.page * PAGE + p.offset, layer.hashes, h));
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

/* A filter of all layers of an index, in memory */
typedef struct model
{
	pds_existence_meta meta;
	uint8_t    *pages;
	size_t		allocated;
} model;

static void
model_extend(model *m)
{
	m->pages = realloc(m->pages, (size_t) m->meta.used * PAGE);
	memset(m->pages + m->allocated, 0, (size_t) m->meta.used * PAGE - m->allocated);
	m->allocated = (size_t) m->meta.used * PAGE;
}

static uint8_t *
model_block(const model *m, const pds_existence_layer *layer, pds_hash h)
{
	pds_existence_place p = pds_existence_place_of(layer, 127, h);

	return m->pages + (size_t) p.page * PAGE + p.offset;
}

static bool
model_contains(const model *m, pds_hash h)
{
	for (uint32_t i = 0; i < m->meta.n_layers; i++)
	{
		const pds_existence_layer *layer = &m->meta.layer[i];

		if (pds_existence_block_contains(model_block(m, layer, h), layer->hashes, h))
			return true;
	}
	return false;
}

/* Bits set in a page on average */
static double
model_fill(const model *m, const pds_existence_layer *layer)
{
	uint64_t	bits = 0;

	for (uint32_t i = 0; i < layer->pages; i++)
		bits += pds_bloom_count_bits(m->pages + (size_t) (layer->first + i) * PAGE + 64, 127 * 64);
	return (double) bits / layer->pages;
}

/* How many of n foreign keys are said yes to */
static uint64_t
model_false_positives(const model *m, uint64_t n)
{
	uint64_t	yes = 0;

	for (uint64_t i = 0; i < n; i++)
		yes += model_contains(m, hash_of(UINT64_C(1) << 40 | i));
	return yes;
}

TEST(a_full_layer_has_the_bits_and_the_rate_it_was_planned_for)
{
	static const double rates[] = {0.1, 0.01, 0.001};

	for (int r = 0; r < 6; r++)
	{
		model		m = {0};
		pds_existence_layer *layer = &m.meta.layer[0];
		const uint64_t n = 1000000;
		double		expected;

		CHECK(pds_existence_layer_for(300000, rates[r % 3], 1, r >= 3, 127, layer));
		m.meta.n_layers = 1;
		m.meta.used = layer->pages;
		model_extend(&m);
		for (uint64_t i = 0; i < (uint64_t) layer->capacity; i++)
			pds_existence_block_add(model_block(&m, layer, hash_of(i)), layer->hashes, hash_of(i));
		/* half of a percent: some 30 standard errors of the number of bits */
		CHECK_NEAR(model_fill(&m, layer), layer->full_bits, 0.005 * layer->full_bits);
		expected = n * rates[r % 3];
		CHECK_NEAR((double) model_false_positives(&m, n), expected, 4 * sqrt(expected));
		free(m.pages);
	}
}

TEST(a_layer_that_spares_hashes_is_little_larger)
{
	for (double rate = 0.5; rate > 1e-9; rate /= 3)
	{
		pds_existence_layer best;
		pds_existence_layer spared;

		CHECK(pds_existence_layer_for(10000000, rate, 1, false, 127, &best));
		CHECK(pds_existence_layer_for(10000000, rate, 1, true, 127, &spared));
		CHECK(spared.hashes <= best.hashes);
		CHECK(rate > 0.01 || spared.hashes < best.hashes);
		CHECK(spared.pages >= best.pages && spared.pages <= best.pages * 1.081);
	}
}

/* Fill an index with n keys; a layer that is full gets a successor, as in the server. */
static void
model_fill_up(model *m, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
	{
		const pds_existence_layer *newest = &m->meta.layer[m->meta.n_layers - 1];
		pds_hash	h = hash_of(i);

		if (model_contains(m, h))
			continue;
		pds_existence_block_add(model_block(m, newest, h), newest->hashes, h);
		if (pds_existence_is_time_to_look(newest, h) && h.h2 % (newest->pages < 64 ? 64 : 1024) == 0 &&
			model_fill(m, newest) >= newest->full_bits)
		{
			pds_existence_layer next;

			CHECK(pds_existence_plan_growth(&m->meta, &next));
			CHECK_U64(next.first, m->meta.used);
			m->meta.layer[m->meta.n_layers++] = next;
			m->meta.used += next.pages;
			CHECK(pds_existence_meta_valid(&m->meta, 127));
			model_extend(m);
		}
	}
}

TEST(an_index_that_grew_keeps_its_promise_and_loses_nothing)
{
	model		m = {0};
	const uint64_t keys = 900000;
	const uint64_t n = 1000000;
	double		full;

	CHECK(pds_existence_plan_build(1, 0, 0.01, 1.25, 127, PDS_KIND_NUMBER, &m.meta));
	model_extend(&m);
	model_fill_up(&m, 0, keys);
	CHECK(m.meta.n_layers >= 4);
	full = pds_existence_full_rate(&m.meta);
	CHECK(full < 0.01);
	/* its last layer is not full, so it is below what all of them promise */
	CHECK((double) model_false_positives(&m, n) < n * full + 3 * sqrt(n * full));
	for (uint64_t i = 0; i < keys; i++)
		if (!model_contains(&m, hash_of(i)))
			CHECK(false);
	free(m.pages);
}

TEST(an_index_that_was_built_and_then_grew_keeps_its_promise)
{
	model		m = {0};
	const uint64_t n = 1000000;

	CHECK(pds_existence_plan_build(400000, 0, 0.01, 2, 127, PDS_KIND_NUMBER, &m.meta));
	CHECK(m.meta.built == 1);
	/* what a bloom takes, 3 % and the metapage */
	{
		pds_bloom_shape shape;

		CHECK(pds_bloom_shape_for(400000, pds_decimal_code(0.01), PDS_BLOOM_BLOCKED, &shape) == PDS_OK);
		CHECK((m.meta.used - 1.0) * PAGE <= 1.03 * (double) shape.bits / 8);
	}
	model_extend(&m);
	model_fill_up(&m, 0, 900000);
	CHECK(m.meta.n_layers >= 3);
	CHECK((double) model_false_positives(&m, n) < n * 0.01 + 3 * sqrt(n * 0.01));
	free(m.pages);
}

/* ---------- plans ---------- */

TEST(rates_of_any_number_of_layers_add_up_to_less_than_the_promise)
{
	static const double rates[] = {0.5, 0.01, 1e-9};
	static const double expansions[] = {1.25, 2, 16};
	static const double keys[] = {1, 1e6};

	for (int r = 0; r < 3; r++)
		for (int e = 0; e < 3; e++)
			for (int k = 0; k < 2; k++)
			{
				pds_existence_meta meta;
				pds_existence_layer next;
				double		capacity;

				CHECK(pds_existence_plan_build(keys[k], 0, rates[r], expansions[e], 127,
											   PDS_KIND_STRING, &meta));
				capacity = meta.layer[0].capacity;
				while (pds_existence_plan_growth(&meta, &next))
				{
					meta.layer[meta.n_layers++] = next;
					meta.used += next.pages;
					CHECK(pds_existence_meta_valid(&meta, 127));
					capacity += next.capacity;
				}
				/* (below 1e-12 a rate is as good as none) */
				CHECK(pds_existence_full_rate(&meta) < rates[r] + PDS_EXISTENCE_MAX_LAYERS * 1e-12);
				CHECK(meta.n_layers == PDS_EXISTENCE_MAX_LAYERS || capacity > 1e11);
				CHECK(capacity > 1e7);
			}
}

TEST(a_capacity_is_what_the_first_layer_has_space_for)
{
	pds_existence_meta meta;

	CHECK(pds_existence_plan_build(10, 5000000, 0.001, 2, 127, PDS_KIND_STRING, &meta));
	CHECK(meta.layer[0].capacity >= 5000000 && meta.layer[0].capacity < 5000000 * 1.001);
	CHECK(pds_existence_plan_build(6000000, 5000000, 0.001, 2, 127, PDS_KIND_STRING, &meta));
	CHECK(meta.layer[0].capacity >= 6000000 && meta.layer[0].capacity < 6000000 * 1.001);
	/* larger than a relation */
	CHECK(!pds_existence_plan_build(10, 1e14, 0.001, 2, 127, PDS_KIND_STRING, &meta));
}

TEST(meta_data_that_nobody_can_have_written_is_refused)
{
	pds_existence_meta meta;
	pds_existence_meta bad;

	CHECK(pds_existence_plan_build(1000, 0, 0.01, 2, 127, PDS_KIND_STRING, &meta));
	CHECK(pds_existence_meta_valid(&meta, 127));
	CHECK(!pds_existence_meta_valid(&meta, 63));
	bad = meta, bad.magic++;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.version++;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.n_layers = 0;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.n_layers = PDS_EXISTENCE_MAX_LAYERS + 1;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.n_layers = 2;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.layer[0].first = 2;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.layer[0].hashes = 0;
	CHECK(!pds_existence_meta_valid(&bad, 127));
	bad = meta, bad.used++;
	CHECK(!pds_existence_meta_valid(&bad, 127));
}
