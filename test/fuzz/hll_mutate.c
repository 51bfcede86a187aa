/*
 * hll_mutate.c: HyperLogLog sketches for mutate.c, and ways of damaging them with care: the
 * histogram still adds up, registers are exchanged, tokens change places
 */
#include "hll_sketch.h"
#include "mutate.h"

#include "murmur3.h"
#include "varint.h"
#include "hll_registers.h"

#define FILLS	12

/* ---------- seeds ---------- */

/* An empty one, some sparse ones to the brim, dense ones from then on. */
static payload
make_seed(int p, int fill)
{
	uint64_t	limit = pds_hll_max_tokens(p);
	sketch		s = fill == FILLS - 1 ? sketch_dense(p) : sketch_new(p);
	const uint64_t fills[FILLS - 1] = {0, 1, 2, limit / 3 + 1, limit - limit / 9,
	limit + limit / 9 + 1, 2 * limit, 6 * limit, 40 * limit, 300 * limit, limit};
	uint64_t	first = next_random();
	payload		seed;

	if (fill == FILLS - 1)
	{
		/* values from end to end, so that all but few are escapes */
		for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		{
			int			rank = (int) below((size_t) pds_hll_max_rank(p) + 1);

			if (rank > 0 || i == 0)
				sketch_add(&s, hash_of_register(i, rank > 0 ? rank : 1, p));
		}
	}
	else
	{
		uint64_t	n = fills[fill] < 300000 ? fills[fill] : 300000;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, pds_murmur3_u64(first + i).h1);
	}
	seed = sketch_encode(&s);
	sketch_free(&s);
	return seed;
}

/* ---------- mutations ---------- */

/*
 * A dense sketch's histogram with some registers moved from one value to
 * another: it still adds up, and the layers behind may have other lengths.
 */
static void
shift_histogram(victim *v)
{
	uint64_t	count[256];
	size_t		at = 6;
	size_t		start = at;
	int			values;
	size_t		from;
	size_t		to;
	uint64_t	moved;

	if (v->len < 8 || v->bytes[4] > v->bytes[5])
		return;
	values = v->bytes[5] - v->bytes[4] + 1;
	for (int i = 0; i < values; i++)
	{
		size_t		n = pds_varint_get(v->bytes + at, v->len - at, &count[i]);

		if (n == 0)
			return;
		at += n;
	}
	remove_bytes(v, start, at - start);
	from = below((size_t) values);
	to = below(3) == 0 ? below((size_t) values) : (from + 1) % (size_t) values;
	moved = count[from] == 0 ? 0 : below(2) == 0 ? 1 : 1 + below(count[from]);
	count[from] -= moved;
	count[to] += moved;
	/* a new value at the upper end now and then */
	if (below(6) == 0 && values < 200 && count[from] > 1)
	{
		v->bytes[5]++;
		count[values++] = 1;
		count[from]--;
	}
	at = start;
	for (int i = 0; i < values; i++)
	{
		uint8_t		bytes[PDS_VARINT_MAX_BYTES];
		size_t		n = pds_varint_put(bytes, count[i]);

		insert_bytes(v, at, bytes, n);
		at += n;
	}
}

/* A symbol of the planes, column by column. */
static int
get_bit(const uint8_t *planes, size_t w, size_t reg, size_t bit)
{
	size_t		i = 3 * (reg / w) + bit;

	return planes[i / 8 * w + reg % w] >> (i % 8) & 1;
}

static void
flip_bit(uint8_t *planes, size_t w, size_t reg, size_t bit)
{
	size_t		i = 3 * (reg / w) + bit;

	planes[i / 8 * w + reg % w] ^= (uint8_t) (1 << (i % 8));
}

/* Exchange the symbols of two registers: the histogram still holds. */
static void
exchange_registers(victim *v)
{
	pds_hll_view view;
	size_t		w;
	size_t		a;
	size_t		b;
	uint8_t    *planes;

	if (pds_hll_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK ||
		view.encoding != PDS_HLL_DENSE)
		return;
	w = pds_hll_registers(view.precision) / 8;
	if (view.data_len < 3 * w)
		return;
	planes = v->bytes + (view.data - v->bytes);
	a = below(8 * w);
	b = below(8 * w);
	for (size_t bit = 0; bit < 3; bit++)
	{
		if (get_bit(planes, w, a, bit) != get_bit(planes, w, b, bit))
		{
			flip_bit(planes, w, a, bit);
			flip_bit(planes, w, b, bit);
		}
	}
}

/* Make one register another value, in the planes and in the histogram. */
static void
change_register(victim *v)
{
	pds_hll_view view;
	pds_hll_packing pk;
	size_t		w;
	size_t		reg;
	uint8_t    *planes;
	int			before = 0;
	int			after = (int) below(7);
	size_t		at = 6;

	if (pds_hll_open(&view, v->bytes, v->len, v->len, NULL) != PDS_OK ||
		view.encoding != PDS_HLL_DENSE)
		return;
	pk = pds_hll_packing_of(view.histogram, view.precision);
	w = pds_hll_registers(view.precision) / 8;
	if (view.data_len < 3 * w)
		return;
	planes = v->bytes + (view.data - v->bytes);
	reg = below(8 * w);
	for (size_t bit = 0; bit < 3; bit++)
		before |= get_bit(planes, w, reg, bit) << bit;
	before += pk.base;
	after += pk.base;
	if (before == pk.base + 7 || after < v->bytes[4] || after > v->bytes[5])
		return;
	for (size_t bit = 0; bit < 3; bit++)
		if (((before - pk.base) >> bit & 1) != ((after - pk.base) >> bit & 1))
			flip_bit(planes, w, reg, bit);
	for (int value = v->bytes[4]; value <= v->bytes[5]; value++)
	{
		uint64_t	count;
		size_t		n = pds_varint_get(v->bytes + at, v->len - at, &count);

		if (n == 0)
			return;
		edit_varint(v, at, count - (value == before) + (value == after));
		n = pds_varint_get(v->bytes + at, v->len - at, &count);
		at += n;
	}
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	(void) entries;
	return v->len > 5 && v->bytes[1] == PDS_HLL_DENSE ? 30 : 5;
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	(void) other;
	switch (way)
	{
		case 0:
			edit_varint(v, v->len > 6 ? (v->bytes[1] == PDS_HLL_DENSE ? 6 + below(6) : 4) : where,
						odd_number());
			break;
		case 1:
			/* the head's four bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] = (uint8_t) below(3);
				v->bytes[2] = (uint8_t) (v->bytes[1] > 0);
				v->bytes[3] = (uint8_t) (4 + below(15));
			}
			break;
		case 2:
			shift_histogram(v);
			break;
		case 3:
			exchange_registers(v);
			break;
		case 4:
			change_register(v);
			break;
		case 5:
			/* ranks and low bits of the last tokens */
			if (v->len > 8)
				v->bytes[v->len - 1 - below(8)] ^= (uint8_t) (1 << below(8));
			break;
	}
}

/* Large ones take long: fewer of them. */
static uint64_t
weight(int precision)
{
	return precision <= 8 ? 1000 : precision <= 16 ? UINT64_C(256000) >> precision : 2;
}

const mutate_target the_target = {
	.name = "hll",
	.group = "precision",
	.first = PDS_HLL_MIN_PRECISION,
	.last = PDS_HLL_MAX_PRECISION,
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
