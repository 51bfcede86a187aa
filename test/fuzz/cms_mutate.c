/*
 * cms_mutate.c: Count-Min sketches for mutate.c, and ways of damaging them with
 * care: fields of the head, entries of the directory, codes of lists, counters
 */
#include "cms_sketch.h"
#include "mutate.h"

#include "varint.h"

#define FILLS	10
#define SHAPES	10

/* One counter or few, rows and columns of all numbers; one too large for an array here. */
static pds_cms_shape
shape_number(int i)
{
	switch (i)
	{
		case 0:
			return shape_of(0.999, 0.999);
		case 1:
			return shape_of(0.9, 0.2);
		case 2:
			return conservative_shape_of(0.5, 0.1);
		case 3:
			return shape_of(0.05, 0.01);
		case 4:
			return shape_of(0.3, 1e-9);
		case 5:
			return conservative_shape_of(0.02, 0.01);
		case 6:
			return shape_of(0.004, 0.1);
		case 7:
			return shape_of(0.001, 0.01);
		case 8:
			return conservative_shape_of(0.001, 0.01);
		default:
			return shape_of(1e-6, 0.001);
	}
}

/* Empty, lists to the brim, arrays from then on, of counters of every width. */
static payload
make_seed(int group, int fill)
{
	pds_cms_shape s = shape_number(group);
	uint64_t	limit = s.width * UINT64_C(2) / 3;
	const uint64_t fills[FILLS] = {0, 1, 2, limit / 4 + 1, limit / 2 + 1, limit, limit * 2,
	limit * 3, limit * 4, limit * 5};
	static const int widths[FILLS] = {1, 1, 60, 3, 20, 50, 1, 9, 22, 50};
	uint64_t	n = fills[fill] < 3000 ? fills[fill] : 3000;
	sketch		k = sketch_new(&s);
	uint64_t	first = next_random();
	payload		seed;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&k, pds_murmur3_u64(first + i), (int64_t) (next_random() >> (64 - widths[fill]))
				   + 1);
	seed = sketch_encode(&k);
	sketch_free(&k);
	return seed;
}

/* The head of v, if it is one. */
static bool
open_victim(const victim *v, pds_cms_view *view)
{
	return pds_cms_open(view, v->bytes, v->len, v->len, NULL) == PDS_OK;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	pds_cms_view view;

	if (pds_cms_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK)
		return 21;
	*entries = view.list.segments;
	return view.data_at;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	pds_cms_view view;
	bool		good = open_victim(v, &view);
	size_t		at;

	switch (way)
	{
		case 0:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] = (uint8_t) below(7);
				v->bytes[2] = v->bytes[1] > 0;
				v->bytes[3] = (uint8_t) below(2);
			}
			break;
		case 1:
			/* epsilon and delta, and the shape that goes with them */
			if (v->len > 13)
			{
				uint16_t	epsilon = (uint16_t) (1 + below(PDS_DECIMAL_CODES - 1));
				uint16_t	delta = (uint16_t) (1 + below(PDS_DECIMAL_CODES - 1));
				pds_cms_shape s;

				if (pds_cms_shape_for(epsilon, delta, false, &s) != PDS_OK && below(4) > 0)
					break;
				v->bytes[4] = s.depth;
				pds_store_le16(v->bytes + 5, epsilon);
				pds_store_le16(v->bytes + 7, delta);
				pds_store_le32(v->bytes + 9, s.width);
			}
			break;
		case 2:
			/* the total */
			if (v->len > 21)
				pds_store_le64(v->bytes + 13, below(2) == 0 ? odd_number() :
							   pds_load_le64(v->bytes + 13) + below(5) - 2);
			break;
		case 3:
			/* how many counters a list has, and its order */
			edit_varint(v, 21, good && below(2) == 0 ? view.nonzero + below(5) - 2 : odd_number());
			break;
		case 4:
			if (good && view.encoding == PDS_CMS_SPARSE)
				v->bytes[view.data_at - 1] = (uint8_t) below(66);
			break;
		case 5:
			/* the same amount from one counter to another of an array, so that sums stay */
			if (good && view.encoding > PDS_CMS_SPARSE)
			{
				uint8_t    *a;
				uint8_t    *b;

				at = view.data_at + below(view.shape.width - 1) * view.bytes;
				a = v->bytes + at;
				b = v->bytes + at + view.bytes;
				if (*a > 0 && *b < 255)
				{
					--*a;
					++*b;
				}
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
	return shape <= 3 ? 100 : shape <= 6 ? 40 : shape == 9 ? 5 : 10;
}

const mutate_target the_target = {
	.name = "cms",
	.group = "shape",
	.first = 0,
	.last = SHAPES - 1,
	.fills = FILLS,
	.ways = 6,
	.encodings = {"empty", "sparse", "dense"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_NUMBER,
	.signed_families = 1,
	.data_at = data_at,
	.damage = damage,
};
