/*
 * ddsketch_foreign_mutate.c: histograms of other systems for mutate.c
 */
#include "mutate.h"
#include "ddsketch_sketch.h"
#include "ddsketch_foreign.h"

#define FILLS	12

/* Of OpenTelemetry (group 0) and Prometheus (group 1), at several scales. */
static payload
make_seed(int group, int fill)
{
	static const int fills[FILLS] = {0, 1, 1, 2, 3, 7, 20, 60, 100, 300, 5, 40};
	stored_state s = sketch_new((int) below(31) - 10, 4096);
	pds_ddsketch_bucket *list;
	pds_ddsketch_view v;
	payload		stored;
	payload		seed;

	for (int i = 0; i < fills[fill]; i++)
	{
		double		v1 = 1 + (double) below(1000) / (fill % 2 ? 1e6 : 300);

		sketch_add(&s, below(4) == 0 ? -v1 : below(9) == 0 ? 0 : v1);
	}
	stored = sketch_encode(&s);
	v = payload_view(&stored);
	list = sketch_memory(sizeof(pds_ddsketch_bucket) * (v.negatives + v.positives));
	(void) pds_ddsketch_read_buckets(&v, list);
	seed.len = pds_ddsketch_write_foreign((pds_ddsketch_system) group, &v, list, NULL);
	if (seed.len > 20000)
		seed.len = 0;
	seed.bytes = sketch_memory(seed.len + 1);
	seed.bytes[0] = (uint8_t) group;
	if (seed.len > 0)
		(void) pds_ddsketch_write_foreign((pds_ddsketch_system) group, &v, list, seed.bytes + 1);
	seed.len++;
	free(list);
	payload_free(&stored);
	sketch_free(&s);
	return seed;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	switch (way)
	{
		case 0:
			/* a varint somewhere */
			if (v->len > 2)
				edit_varint(v, 1 + below(v->len - 1), below(2) ? odd_number() : below(40));
			break;
		case 1:
			/* a tag or a length near the beginning */
			if (v->len > 2)
				v->bytes[1 + below(v->len - 1 < 60 ? v->len - 1 : 60)] = (uint8_t) below(128);
			break;
		case 2:
			/* the rest of another message */
			take_data(v, where > 0 ? where : 1, other);
			break;
	}
}

static uint64_t
weight(int group)
{
	(void) group;
	return 1;
}

const mutate_target the_target = {
	.name = "ddsketch_foreign",
	.group = "system",
	.first = 0,
	.last = 1,
	.fills = FILLS,
	.ways = 3,
	.encodings = {"empty", "buckets", "other"},
	.weight = weight,
	.make_seed = make_seed,
	.damage = damage,
};
