/*
 * ddsketch_foreign_mutate.c: histograms of other systems for mutate.c
 */
#include "mutate.h"
#include "ddsketch_sketch.h"
#include "ddsketch_foreign.h"
#include "varint.h"

#define FILLS	12

static const int fills[FILLS] = {0, 1, 1, 2, 3, 7, 20, 60, 100, 300, 5, 40};

static size_t
put_double(uint8_t *out, double v)
{
	uint64_t	bits;

	memcpy(&bits, &v, sizeof(bits));
	pds_store_le64(out, bits);
	return sizeof(bits);
}

/* Of DataDog: a mapping, a pair of an index and a count, counts from an offset on, zeros */
static payload
make_datadog(int group, int fill)
{
	static const double gammas[] = {1.02, 1.002, 1.5, 3, 1.000001};
	payload		seed;
	size_t		at = 0;
	size_t		counts = (size_t) fills[fill];

	seed.bytes = sketch_memory(64 + 8 * counts);
	seed.bytes[at++] = (uint8_t) group;
	seed.bytes[at++] = 0x0a;
	seed.bytes[at++] = 9;
	seed.bytes[at++] = 0x09;
	at += put_double(seed.bytes + at, gammas[below(5)]);
	seed.bytes[at++] = 0x12 + 8 * (uint8_t) below(2);
	at += pds_varint_put(seed.bytes + at, 13 + 1 + (8 * counts < 128 ? 1 : 2) + 8 * counts + 2);
	seed.bytes[at++] = 0x0a;
	seed.bytes[at++] = 11;
	seed.bytes[at++] = 0x08;
	seed.bytes[at++] = (uint8_t) below(128);
	seed.bytes[at++] = 0x11;
	at += put_double(seed.bytes + at, (double) below(9));
	seed.bytes[at++] = 0x12;
	at += pds_varint_put(seed.bytes + at, 8 * counts);
	for (size_t i = 0; i < counts; i++)
		at += put_double(seed.bytes + at, (double) below(100));
	seed.bytes[at++] = 0x18;
	seed.bytes[at++] = (uint8_t) below(128);
	seed.bytes[at++] = 0x21;
	seed.len = at + put_double(seed.bytes + at, (double) below(3));
	return seed;
}

/* Of OpenTelemetry (group 0) and Prometheus (1), at several scales; of DataDog (2, 3). */
static payload
make_seed(int group, int fill)
{
	stored_state s = sketch_new((int) below(31) - 10, 4096);
	pds_ddsketch_bucket *list;
	pds_ddsketch_view v;
	payload		stored;
	payload		seed;
	size_t		most;

	if (group >= 2)
	{
		sketch_free(&s);
		return make_datadog(group, fill);
	}
	for (int i = 0; i < fills[fill]; i++)
	{
		double		v1 = 1 + (double) below(1000) / (fill % 2 ? 1e6 : 300);

		sketch_add(&s, below(4) == 0 ? -v1 : below(9) == 0 ? 0 : v1);
	}
	stored = sketch_encode(&s);
	v = payload_view(&stored);
	list = sketch_memory(sizeof(pds_ddsketch_bucket) * (v.negatives + v.positives));
	(void) pds_ddsketch_read_buckets(&v, list);
	most = pds_ddsketch_foreign_bound((pds_ddsketch_system) group, &v, list);
	if (most > 30000)
		most = 0;
	seed.bytes = sketch_memory(most + 1);
	seed.bytes[0] = (uint8_t) group;
	seed.len = 1;
	if (most > 0)
		seed.len += pds_ddsketch_write_foreign((pds_ddsketch_system) group, &v, list,
											   seed.bytes + 1);
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
	.last = 3,
	.fills = FILLS,
	.ways = 3,
	.encodings = {"empty", "buckets", "other"},
	.weight = weight,
	.make_seed = make_seed,
	.damage = damage,
};
