/*
 * bloom_mutate.c: Bloom filters for mutate.c, and ways of damaging them with care:
 * numbers in the head, entries of the directory, bits of lists and arrays
 */
#include "bloom_filter.h"
#include "mutate.h"

#include "varint.h"

#define FILLS	10
#define SHAPES	13

/*
 * Of one cell and of many, planned and not, one too large for an array here, and of
 * other systems' families.
 */
static pds_bloom_shape
shape_number(int i)
{
	switch (i)
	{
		case 0:
			return shape_of(5, 0.1, PDS_BLOOM_BLOCKED);
		case 1:
			return shape_of(5, 0.01, PDS_BLOOM_CLASSIC);
		case 2:
			return shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
		case 3:
			return shape_of(100, 0.01, PDS_BLOOM_CLASSIC);
		case 4:
			return shape_explicit(4096, 3, PDS_BLOOM_BLOCKED);
		case 5:
			return shape_explicit(4160, 2, PDS_BLOOM_CLASSIC);
		case 6:
			return shape_of(700, 0.01, PDS_BLOOM_BLOCKED);
		case 7:
			return shape_of(2000, 0.001, PDS_BLOOM_CLASSIC);
		case 8:
			return shape_of(3000, 0.01, PDS_BLOOM_BLOCKED);
		case 9:
			return shape_of(100000000, 0.01, PDS_BLOOM_BLOCKED);
		case 10:
			return shape_explicit(640, 5, PDS_BLOOM_GUAVA32);
		case 11:
			return shape_explicit(9600, 7, PDS_BLOOM_REDIS);
		default:
			return shape_explicit(8192, 8, PDS_BLOOM_PARQUET);
	}
}

/* Empty, some lists to the brim, arrays from then on, and two that are no keys'. */
static payload
make_seed(int group, int fill)
{
	pds_bloom_shape s = shape_number(group);
	uint64_t	limit = s.bits / 8 / s.hashes;
	const uint64_t fills[FILLS] = {0, 1, 2, limit / 4 + 1, limit / 2 + 1, limit + limit / 30,
	limit + limit / 5 + 2, 6 * limit, 0, 0};
	uint64_t	n = fills[fill] < 3000 ? fills[fill] : 3000;
	filter		f = filter_new(&s);
	uint64_t	first = next_random();
	payload		seed;

	for (uint64_t i = 0; i < n; i++)
		filter_add(&f, pds_murmur3_u64(first + i));
	if (fill >= 8 && s.bits <= 100000)
	{
		uint64_t	set = fill == 8 ? s.bits / 8 : s.bits;

		/* the last bits, as many as a list can have; and all */
		filter_as(&f, PDS_BLOOM_BITS);
		for (uint64_t i = s.bits - set; i < s.bits; i++)
			pds_bloom_set_bit(pds_bloom_build_array(f.b), i);
	}
	seed = filter_encode(&f);
	filter_free(&f);
	return seed;
}

/* Where the numbers of the head begin: capacity, k, m / 64, n, u. */
static size_t
head_number(const victim *v, int which)
{
	size_t		at = 5;

	for (int i = 0; i < which; i++)
	{
		uint64_t	number;
		size_t		n;

		/* a size that is not explicit is not there */
		if (i == 1 && v->len > 4 && v->bytes[4] < 0x80)
			i = 3;
		if (i == which)
			break;
		n = i == 1 ? 1 : at < v->len ? pds_varint_get(v->bytes + at, v->len - at, &number) : 0;
		at += n;
	}
	return at;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_bloom_view view;

	if (pds_bloom_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 6;
	*entries = view.list.segments;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	size_t		at;

	switch (way)
	{
		case 0:
			/* any number of the head */
			edit_varint(v, head_number(v, (int) below(5)), odd_number());
			break;
		case 1:
			/* how many bits are set, or cells, by a little */
			at = head_number(v, 3 + (int) below(2));
			if (at < v->len)
				v->bytes[at] = (uint8_t) (v->bytes[at] + 1 + below(3) - 2);
			break;
		case 2:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] = (uint8_t) (below(PDS_BLOOM_FAMILIES) << 4 | below(3));
				v->bytes[2] = (v->bytes[1] & 15) > 0 ? filter_kind(v->bytes[1] >> 4)
					: PDS_KIND_NONE;
			}
			break;
		case 3:
			if (v->len > 5)
			{
				v->bytes[3] = (uint8_t) next_random();
				v->bytes[4] = (uint8_t) (below(0x20) | (v->bytes[4] & 0x80));
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
	return shape <= 3 ? 100 : shape <= 5 || shape == 10 ? 40 : shape == 9 ? 10 : 20;
}

const mutate_target the_target = {
	.name = "bloom",
	.group = "shape",
	.first = 0,
	.last = SHAPES - 1,
	.fills = FILLS,
	.ways = 4,
	.encodings = {"empty", "sparse", "array"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = 2,
	.data_at = data_at,
	.damage = damage,
};
