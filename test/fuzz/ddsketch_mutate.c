/*
 * ddsketch_mutate.c: DDSketches for mutate.c, and ways of damaging them with care: parameters,
 * flags, counts, the smallest and the largest number
 */
#include "mutate.h"
#include "ddsketch_sketch.h"

#define FILLS	14

/* Of scale "group": from empty to many buckets, of one sign or two, with what is no bucket. */
static payload
make_seed(int group, int fill)
{
	static const int fills[FILLS] = {0, 1, 1, 2, 3, 7, 20, 60, 100, 300, 1000, 3000, 5, 40};
	stored_state s = sketch_new(group, fill % 3 == 0 ? 16 + (uint32_t) below(50) : 4096);
	payload		seed;

	for (int i = 0; i < fills[fill]; i++)
	{
		double		u = (double) (next_random() >> 11) / 9007199254740992.0;
		double		v = exp((fill % 4 + 1) * 5 * (u - 0.3));

		if (below(3) == 0 && fill % 2 == 1)
			v = -v;
		if (below(20) == 0)
			v = below(2) ? 0 : below(2) ? HUGE_VAL : below(2) ? -HUGE_VAL : (double) NAN;
		if (sketch_try_add(&s, v, fill == 12 ? odd_number() >> 5 : 1 + below(1 + (size_t) fill)) !=
			PDS_OK)
			break;
	}
	seed = sketch_encode(&s);
	sketch_free(&s);
	return seed;
}

/* Where the data begins. */
static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_ddsketch_view view;

	(void) entries;
	if (pds_ddsketch_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return v->len < 20 ? v->len : 20;
	return (size_t) (view.data - v->bytes);
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	size_t		at = PDS_HEADER_BYTES;

	switch (way)
	{
		case 0:
			/* another scale */
			if (v->len > at)
				v->bytes[at] = (uint8_t) below(34);
			break;
		case 1:
			/* max_buckets */
			if (v->len > at + 1)
				edit_varint(v, at + 1, below(2) ? odd_number() : 16 + below(5000));
			break;
		case 2:
			/* coarser, flags, or the total */
			if (v->len > at + 6)
				v->bytes[at + 3 + below(3)] ^= (uint8_t) (1 << below(8));
			break;
		case 3:
			/* another's data behind this head */
			take_data(v, data_at(v, NULL), other);
			break;
		case 4:
			/* a bit of the smallest or the largest number, or a count */
			if (v->len > at + 22)
				v->bytes[at + 5 + below(18)] ^= (uint8_t) (1 << below(8));
			break;
	}
	(void) where;
}

static uint64_t
weight(int group)
{
	return group > 5 && group < 8 ? 10 : 2;
}

const mutate_target the_target = {
	.name = "ddsketch",
	.group = "scale",
	.first = -2,
	.last = 20,
	.fills = FILLS,
	.ways = 5,
	.encodings = {"empty", "buckets", "other"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = 0,
	.signed_families = 0,
	.data_at = data_at,
	.damage = damage,
};
