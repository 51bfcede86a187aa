/*
 * counting_bloom_mutate.c: counting filters for mutate.c, and ways of damaging them with
 * care: fields of the head, codes, entries of the directory, counters
 */
#include "counting_bloom_filter.h"
#include "mutate.h"

#define FILLS	9
#define SHAPES	10

/* One block of few and of many counters, blocks, classic; one too large for an array here. */
static pds_bloom_shape
shape_number(int i)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
	}			shapes[SHAPES] = {
		{1, 0.3}, {4, 0.01}, {40, 0.01}, {300, 0.001}, {420, 0.01}, {1000, 0.1}, {1000, 0.0001},
		{5, 0.1}, {600, 0.01}, {20000000, 0.01}
	};

	return shape_of(shapes[i].capacity, shapes[i].rate,
					i == 7 || i == 8 ? PDS_BLOOM_CLASSIC : PDS_BLOOM_BLOCKED);
}

/* Empty, of one value and of many, of the same ones many times, beyond all capacity. */
static payload
make_seed(int group, int fill)
{
	pds_bloom_shape s = shape_number(group);
	uint64_t	c = s.capacity < 1000 ? s.capacity : 1000;
	const uint64_t values[FILLS] = {0, 1, 5, c / 4 + 1, c, 8 * c, 2 * c, 10, 20 * c};
	const uint64_t distinct[FILLS] = {1, 1, 3, c, c, 6 * c, c / 9 + 1, 1, 20 * c};
	uint64_t	first = next_random();
	filter		f = filter_new(&s);
	payload		seed;

	for (uint64_t i = 0; i < values[fill] && i < 10000; i++)
		filter_add(&f, pds_murmur3_u64(first + next_random() % distinct[fill]));
	seed = filter_encode(&f);
	filter_free(&f);
	return seed;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_counting_bloom_view view;

	if (pds_counting_bloom_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 12;
	*entries = view.list.segments;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	pds_counting_bloom_view view;
	bool		good = pds_counting_bloom_open(&view, v->bytes, v->len, v->len, NULL) == PDS_OK;

	switch (way)
	{
		case 0:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] = (uint8_t) (below(3) << 4 | below(4));
				v->bytes[2] = (v->bytes[1] & 15) > 0;
			}
			break;
		case 1:
			/* rate, capacity, hashes, counters */
			if (v->len > 9)
				v->bytes[3 + below(6)] = (uint8_t) odd_number();
			break;
		case 2:
			edit_varint(v, 5, odd_number());
			break;
		case 3:
			/* how many counters are not zero, and the code of their counts */
			if (good && view.encoding == PDS_COUNTING_BLOOM_CODED)
				v->bytes[view.data_at - 1 - below(5)] ^= (uint8_t) (1 << below(8));
			break;
		case 4:
			/* two neighbours of an array change places, or all become alike */
			if (good && view.encoding == PDS_COUNTING_BLOOM_ARRAY)
			{
				uint8_t    *byte = v->bytes + view.data_at + below(view.shape.bits / 2);

				if (below(8) == 0)
					memset(v->bytes + view.data_at, *byte, (size_t) (view.shape.bits / 2));
				else
					*byte = (uint8_t) (*byte << 4 | *byte >> 4);
			}
			break;
	}
	(void) where;
	(void) other;
}

/* Large ones take long: fewer of them. */
static uint64_t
weight(int shape)
{
	return shape <= 2 || shape == 7 ? 100 : shape == 9 ? 5 : 20;
}

const mutate_target the_target = {
	.name = "counting_bloom",
	.group = "shape",
	.first = 0,
	.last = SHAPES - 1,
	.fills = FILLS,
	.ways = 5,
	.encodings = {"empty", "coded", "array"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = PDS_COUNTING_BLOOM_FAMILIES,
	.data_at = data_at,
	.damage = damage,
};
