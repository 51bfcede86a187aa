/*
 * cuckoo_mutate.c: cuckoo filters for mutate.c, and ways of damaging them with care:
 * numbers of the head, the order, the directory, segments
 */
#include "mutate.h"
#include "cuckoo_sketch.h"

#include "varint.h"

#define FILLS	14
#define GROUPS	8

static pds_cuckoo_shape
shape_of_group(int group)
{
	static const struct
	{
		uint64_t	capacity;
		double		rate;
	}			shapes[GROUPS] = {
		{100, 0.01}, {1, 0.9}, {10, 0.5}, {1000, 0.03}, {1000, 0.0001}, {500, 1e-9},
			{1000000, 0.01},
		{UINT64_C(1) << 32, 1e-9}
	};

	return shape_of(shapes[group].capacity, shapes[group].rate);
}

/* Empty, few, more than the capacity; without copies, with some, with many. */
static payload
make_seed(int group, int fill)
{
	static const uint64_t fills[FILLS] = {0, 1, 2, 3, 5, 8, 20, 60, 130, 300, 900, 30, 100, 300};
	pds_cuckoo_shape shape = shape_of_group(group);
	sketch		s = sketch_new(&shape);
	payload		seed;

	for (uint64_t i = 0; i < fills[fill]; i++)
	{
		pds_hash	h = pds_murmur3_u64(next_random());
		uint64_t	copies = fill < 8 && i % 2 == 0 ? 1 : fill >= 11 ? 1 + below(9) : 1
			+ (below(20) == 0);

		for (uint64_t j = 0; j < copies; j++)
			sketch_add(&s, h);
	}
	seed = sketch_encode(&s);
	/* doubled: counts of many bits */
	for (int i = fill % 3 == 2 ? 40 : 0; i > 0; i--)
	{
		(void) sketch_try_merge_payload(&s, &seed);
		payload_free(&seed);
		seed = sketch_encode(&s);
	}
	sketch_free(&s);
	return seed;
}

/* Where the fields of the head are: capacity, rate, classes, copies, order, data. */
static size_t
head_field(const victim *v, int which)
{
	size_t		at = 3;

	for (int i = 0; i < which && at < v->len; i++)
	{
		uint64_t	number;

		at += i == 1 ? 2 : i == 4 ? 1 : pds_varint_get(v->bytes + at, v->len - at, &number);
	}
	return at;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_cuckoo_view view;

	if (pds_cuckoo_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 9;
	*entries = view.list.segments;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	static const int varints[] = {0, 2, 3};
	size_t		at = head_field(v, varints[below(3)]);
	uint64_t	number = 0;

	switch (way)
	{
		case 0:
			/* any number of the head, to any other or a little more or less */
			edit_varint(v, at, odd_number());
			break;
		case 1:
			if (at < v->len)
				(void) pds_varint_get(v->bytes + at, v->len - at, &number);
			edit_varint(v, at, number + below(5) - 2);
			break;
		case 2:
			/* the rate, the order */
			at = head_field(v, below(2) == 0 ? 1 : 4);
			if (at < v->len)
				v->bytes[at] = (uint8_t) next_random();
			break;
		case 3:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
				v->bytes[1 + below(2)] = (uint8_t) below(26);
			break;
		case 4:
			/* another's list, with its numbers, behind this head */
			take_data(v, head_field(v, 2), other);
			break;
	}
	(void) where;
}

static uint64_t
weight(int group)
{
	(void) group;
	return 10;
}

const mutate_target the_target = {
	.name = "cuckoo",
	.group = "shape",
	.first = 0,
	.last = GROUPS - 1,
	.fills = FILLS,
	.ways = 5,
	.encodings = {"empty", "classes", "counts"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = 1,
	.data_at = data_at,
	.damage = damage,
};
