/*
 * fuse_mutate.c: fuse filters for mutate.c, and ways of damaging them with care: the number of
 * values, the rate, the directory
 */
#include "mutate.h"
#include "fuse_sketch.h"

#define FILLS	12

/* Finished filters and hashes in turn; some of several parts. */
static payload
make_seed(int group, int fill)
{
	static const double rates[] = {0.9, 0.06, 0.01, 1e-6, 1e-9};
	static const uint64_t fills[FILLS] = {0, 1, 2, 5, 8, 20, 60, 130, 300, 300, 35000, 70000};
	stored_state s = filter_new(rates[group]);
	payload		out;

	for (uint64_t i = 0; i < fills[fill]; i++)
		filter_add(&s, fill == 9 ? i : pds_murmur3_u64(next_random()).h1);
	out = filter_write(&s, fill >= 8 || fill % 2 == 0);
	free(s.image);
	return out;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_fuse_view view;

	if (pds_fuse_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 6;
	*entries = view.parts;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	size_t		at = 6 + where % 16;

	switch (way)
	{
		case 0:
			edit_varint(v, 5, odd_number());
			break;
		case 1:
			if (v->len > 5)
				edit_varint(v, 5, v->bytes[5] + below(5) - 2);
			break;
		case 2:
			if (v->len > 5)
				v->bytes[3 + below(2)] = (uint8_t) next_random();
			break;
		case 3:
			if (v->len > 5)
				v->bytes[1 + below(2)] = (uint8_t) below(26);
			break;
		case 4:
			if (at < v->len)
				v->bytes[at] = (uint8_t) next_random();
			break;
		case 5:
			take_data(v, 5, other);
			break;
	}
}

/* Large ones take long: fewer of them. */
static uint64_t
weight(int group)
{
	(void) group;
	return 10;
}

const mutate_target the_target = {
	.name = "fuse",
	.group = "rate",
	.first = 0,
	.last = 4,
	.fills = FILLS,
	.ways = 6,
	.encodings = {"empty", "hashes", "finished"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = 1,
	.data_at = data_at,
	.damage = damage,
};
