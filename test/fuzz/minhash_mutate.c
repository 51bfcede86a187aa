/*
 * minhash_mutate.c: MinHash sketches for mutate.c, and ways of damaging them with care: k,
 * the count of tokens or the base, and the data
 */
#include "mutate.h"
#include "minhash_sketch.h"

#define FILLS	14

/* Of k = 2^group: from empty to many times k values, on either side of k. */
static payload
make_seed(int group, int fill)
{
	size_t		k = (size_t) 1 << group;
	size_t		fills[FILLS] = {0, 1, 2, 3, 7, k / 2, k - 1, k, k + 1, k + 2, 2 * k, 5 * k,
		30 * k,
		3};
	sketch		s = sketch_new(group);
	payload		seed;

	for (size_t i = 0; i < fills[fill] || s.b->tokens < (fills[fill] <= k ? fills[fill] : 0); i++)
	{
		pds_hash	h = {next_random(), next_random()};

		/* ranks up to the largest, and bins in a crowd */
		if (fill % 3 == 0)
			h.h2 >>= below(64);
		if (fill % 5 == 0)
			h.h1 &= 3;
		sketch_add(&s, h);
	}
	seed = sketch_encode(&s);
	sketch_free(&s);
	return seed;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	(void) v;
	(void) entries;
	return PDS_HEADER_BYTES + 2;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	size_t		at = PDS_HEADER_BYTES + 1;

	switch (way)
	{
		case 0:
			/* another k */
			if (v->len >= at)
				v->bytes[at - 1] = (uint8_t) below(18);
			break;
		case 1:
			/* the count of tokens, or the base */
			if (v->len > at)
				edit_varint(v, at, below(2) ? odd_number() : v->bytes[at] + below(3) - 1);
			break;
		case 2:
			/* the other encoding */
			if (v->len > 1)
				v->bytes[1] ^= 3;
			break;
		case 3:
			/* another's data behind this head */
			take_data(v, at, other);
			break;
		case 4:
			/* long runs of zeros, which are large ranks */
			if (v->len > at + 1)
			{
				size_t		from = at + 1 + below(v->len - at - 1);
				size_t		n = 1 + below(8);

				memset(v->bytes + from, 0, n < v->len - from ? n : v->len - from);
			}
			break;
	}
	(void) where;
}

/* Large ones take long: fewer of them. */
static uint64_t
weight(int group)
{
	return group < 6 ? 30 : group < 9 ? 10 : 1;
}

const mutate_target the_target = {
	.name = "minhash",
	.group = "log2 of k",
	.first = 4,
	.last = 11,
	.fills = FILLS,
	.ways = 5,
	.encodings = {"empty", "sparse", "dense"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = 1,
	.data_at = data_at,
	.damage = damage,
};
