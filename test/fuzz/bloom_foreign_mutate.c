/*
 * bloom_foreign_mutate.c: filters of other systems for mutate.c, and ways of
 * damaging them with care
 */
#include "bloom_foreign_made.h"
#include "mutate.h"

#define GUAVA	0
#define REDIS	1
#define PARQUET	2

#define FILLS	10

static payload
make_seed(int group, int fill)
{
	uint8_t		family = group == REDIS ? PDS_BLOOM_REDIS :
		group == PARQUET ? PDS_BLOOM_PARQUET :
		fill % 2 == 0 ? PDS_BLOOM_CLASSIC : PDS_BLOOM_GUAVA32;
	uint64_t	units = 1 + (uint64_t) fill * (uint64_t) fill;
	pds_bloom_shape s = group == PARQUET ? shape_explicit(units * 256, 8, family) :
		shape_explicit(units * 64, 1 + 3 * fill, family);
	uint8_t    *array = sketch_memory((size_t) (s.bits / 8));
	payload		p;

	memset(array, 0, (size_t) (s.bits / 8));
	for (int i = 0; i < fill * fill * (fill % 3); i++)
	{
		pds_hash	h;

		h.h1 = next_random();
		h.h2 = next_random();
		foreign_set(array, &s, h);
	}
	p = foreign_bytes(&s, array, (uint64_t) fill);
	if (group == REDIS)
		p.bytes[12] = (uint8_t) (fill % 2 == 0 ? 5 : 13);
	free(array);
	return p;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	static const size_t heads[] = {6, 15, 73};
	/* of RedisBloom's, 8 bytes each */
	static const size_t numbers[] = {0, 20, 28, 36, 44, 52, 64};
	size_t		n;

	(void) other;
	switch (way)
	{
		case 0:
			flip_data(v, heads[below(3)]);
			break;
		case 1:
			exchange_runs(v, heads[below(3)]);
			break;
		case 2:
			/* words less or more, and the head of Guava's says so */
			n = below(3);
			if (v->len >= 14 && n < 2)
				remove_bytes(v, 6, 8);
			else if (v->len + 8 <= v->space && v->len > 6)
				insert_bytes(v, 6, v->bytes, v->len < 8 ? v->len : 8);
			if (v->len >= 6)
			{
				v->bytes[4] = (uint8_t) ((v->len - 6) / 8 >> 8);
				v->bytes[5] = (uint8_t) ((v->len - 6) / 8);
			}
			break;
		case 3:
			/* a number of RedisBloom's, alone or the one that must agree with it as well */
			if (v->len >= 73)
			{
				size_t		at = numbers[below(7)];
				uint64_t	value = odd_number();

				pds_store_le64(v->bytes + at, value);
				if (at == 28 && below(2) == 0)
					pds_store_le64(v->bytes + 20, value / 8);
				if (at == 36 && below(2) == 0)
					pds_store_le64(v->bytes, value);
			}
			break;
		case 4:
			if (v->len > 1)
				edit_varint(v, 1, below(2) == 0 ? odd_number() : 64 * below(100));
			break;
		case 5:
			if (v->len >= 73)
				v->bytes[below(2) == 0 ? 12 : 72] = (uint8_t) below(33);
			break;
		case 6:
			if (where + 1 < v->len)
				v->bytes[1] = (uint8_t) below(48);
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
	.name = "bloom_foreign",
	.group = "system",
	.first = GUAVA,
	.last = PARQUET,
	.fills = FILLS,
	.ways = 7,
	.encodings = {"Guava", "RedisBloom", "Parquet"},
	.weight = weight,
	.make_seed = make_seed,
	.damage = damage,
};
