/*
 * scalable_bloom_mutate.c: scalable Bloom filters for mutate.c, and ways of damaging them
 * with care: numbers of the head, the directory, layers in other places
 */
#include "scalable_bloom_sketch.h"
#include "mutate.h"

#define FILLS	9
#define GROUPS	6

static pds_scalable_bloom_parameters
parameters_of_group(int group)
{
	static const struct
	{
		uint8_t		family;
		uint64_t	capacity;
		double		rate;
		uint32_t	expansion;
	}			of[GROUPS] = {
		{PDS_BLOOM_BLOCKED, 10, 0.01, 2}, {PDS_BLOOM_BLOCKED, 1, 0.3, 1},
		{PDS_BLOOM_BLOCKED, 200, 0.05, 4}, {PDS_BLOOM_REDIS, 20, 0.02, 2},
		{PDS_BLOOM_REDIS, 400, 0.01, 0}, {PDS_BLOOM_BLOCKED, 100000, 1e-5, 32768}
	};
	pds_scalable_bloom_parameters p = {of[group].family, 0, pds_decimal_code(of[group].rate),
	of[group].expansion, of[group].capacity};

	return p;
}

/* Empty, of one layer and of some; collected; and unions. */
static payload
make_seed(int group, int fill)
{
	static const uint64_t fills[FILLS] = {0, 1, 4, 12, 40, 90, 300, 60, 100};
	pds_scalable_bloom_parameters p = parameters_of_group(group);
	uint64_t	first = next_random();
	sketch		s = sketch_new(&p, fill == 7 && p.family == PDS_BLOOM_BLOCKED);
	payload		seed;

	for (uint64_t i = 0; i < fills[fill]; i++)
		(void) sketch_try(&s, key(first + i));
	seed = sketch_encode(&s);
	sketch_free(&s);
	if (fill == 8)
	{
		payload		other = make_seed(group, 4);

		s = payload_state(&seed);
		sketch_union_payload(&s, &other);
		payload_free(&other);
		payload_free(&seed);
		seed = sketch_encode(&s);
		sketch_free(&s);
	}
	return seed;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_scalable_bloom_view view;

	if (pds_scalable_bloom_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 8;
	*entries = view.layers;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	pds_scalable_bloom_view view;
	bool		opens = pds_scalable_bloom_open(&view, v->bytes, v->len, v->len, NULL) == PDS_OK;
	size_t		directory = opens && view.layers > 1 ? 4 * (size_t) view.layers : 0;
	size_t		data = opens ? view.data_at + directory : 9;

	switch (way)
	{
		case 0:
			/* capacity, expansion, number of layers: of one byte, mostly */
			edit_varint(v, 5 + below(4), odd_number());
			break;
		case 1:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] =
					(uint8_t) ((below(2) == 0 ? PDS_BLOOM_BLOCKED : PDS_BLOOM_REDIS) << 4 |
							   below(2));
				v->bytes[2] = (uint8_t) below(4);
			}
			break;
		case 2:
			if (v->len > 5)
				v->bytes[3 + below(2)] = (uint8_t) next_random();
			break;
		case 3:
			/* the first layer's plan: another capacity, and so another order */
			if (data + 5 < v->len)
				edit_varint(v, data + 5, below(50));
			break;
	}
	(void) where;
	(void) other;
}

static uint64_t
weight(int group)
{
	return group == 5 ? 3 : 10;
}

const mutate_target the_target = {
	.name = "scalable_bloom",
	.group = "parameters",
	.first = 0,
	.last = GROUPS - 1,
	.fills = FILLS,
	.ways = 4,
	.encodings = {"empty", "layers", "of none"},
	.weight = weight,
	.make_seed = make_seed,
	.data_at = data_at,
	.damage = damage,
};
