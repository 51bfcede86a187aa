/*
 * hll_mutate.c: mutated sketches for hll_fuzz.c, without a fuzzing engine
 *
 *     hll_mutate COUNT [SEED]        so many mutations, the same for the same seed
 *     hll_mutate --seeds FOLDER      write the seeds as files, for libFuzzer
 *
 * Sketches of all precisions and encodings are made and damaged: bits flipped,
 * bytes set, cut off, made longer, two of them spliced, counts rewritten.  Most
 * of that is refused at the first look, so others are damaged with care: the
 * histogram goes on adding up, registers are exchanged, tokens change places.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "hll_fuzz.h"
#include "hll_sketch.h"

#include "base/murmur3.h"
#include "base/varint.h"
#include "hll/hll_registers.h"

#define FILLS	12

static uint64_t state;

static uint64_t
next_random(void)
{
	uint64_t	z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t
below(size_t n)
{
	return (size_t) (next_random() % n);
}

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

/* What is being damaged, with room to become longer. */
typedef struct victim
{
	uint8_t    *bytes;
	size_t		len;
	size_t		room;
} victim;

static void
remove_bytes(victim *v, size_t at, size_t n)
{
	memmove(v->bytes + at, v->bytes + at + n, v->len - at - n);
	v->len -= n;
}

static void
insert_bytes(victim *v, size_t at, const uint8_t *bytes, size_t n)
{
	if (v->len + n > v->room)
		return;
	memmove(v->bytes + at + n, v->bytes + at, v->len - at);
	memmove(v->bytes + at, bytes, n);
	v->len += n;
}

/* Put another number where a varint is. */
static void
edit_varint(victim *v, size_t at, uint64_t value)
{
	uint8_t		bytes[PDS_VARINT_MAX_BYTES];
	uint64_t	before;
	size_t		n = at < v->len ? pds_varint_get(v->bytes + at, v->len - at, &before) : 0;

	if (n == 0)
		return;
	remove_bytes(v, at, n);
	insert_bytes(v, at, bytes, pds_varint_put(bytes, value));
}

static uint64_t
odd_number(void)
{
	static const uint64_t odd[] = {0, 1, 2, 3, 7, 127, 128, 16383, 16384, 0x7fffffff,
	0x80000000, 0xffffffff, UINT64_C(0x7fffffffffffffff), ~UINT64_C(0)};

	return below(2) == 0 ? odd[below(sizeof(odd) / sizeof(odd[0]))] :
		next_random() >> below(64);
}

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

	if (pds_hll_open(&view, v->bytes, v->len, NULL) != PDS_OK ||
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

	if (pds_hll_open(&view, v->bytes, v->len, NULL) != PDS_OK ||
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

/* A few bits of the data, the head left alone. */
static void
flip_data(victim *v)
{
	size_t		head = v->len > 5 && v->bytes[1] == PDS_HLL_DENSE ? 30 : 5;
	size_t		n = 1 + below(4);

	if (v->len <= head)
		return;
	for (size_t i = 0; i < n; i++)
		v->bytes[head + below(v->len - head)] ^= (uint8_t) (1 << below(8));
}

/* Exchange two runs of bytes of the data. */
static void
exchange_runs(victim *v)
{
	size_t		n = 1 + below(8);
	size_t		a;
	size_t		b;

	if (v->len < 8 + 2 * n)
		return;
	a = 5 + below(v->len - 5 - n);
	b = 5 + below(v->len - 5 - n);
	for (size_t i = 0; i < n; i++)
	{
		uint8_t		byte = v->bytes[a + i];

		v->bytes[a + i] = v->bytes[b + i];
		v->bytes[b + i] = byte;
	}
}

static void
mutate(victim *v, const payload *other)
{
	static const uint8_t extremes[] = {0, 1, 0x7f, 0x80, 0xff, 0x55};
	size_t		where = v->len > 0 ? below(v->len) : 0;
	size_t		n;

	/* half of what hits one place hits the head */
	if (below(2) == 0 && v->len > 40)
		where = below(40);
	switch (below(16))
	{
		case 0:
			if (v->len > 0)
				v->bytes[where] ^= (uint8_t) (1 << below(8));
			break;
		case 1:
			if (v->len > 0)
				v->bytes[where] = below(2) == 0 ? (uint8_t) next_random() : extremes[below(6)];
			break;
		case 2:
			v->len = below(4) == 0 && v->len > 0 ? v->len - 1 : below(v->len + 1);
			break;
		case 3:
			n = 1 + below(20);
			if (v->len + n <= v->room)
			{
				memset(v->bytes + v->len, extremes[below(6)], n);
				v->len += n;
			}
			break;
		case 4:
			/* our beginning, the other's end */
			n = below(other->len + 1);
			if (where + n <= v->room)
			{
				memcpy(v->bytes + where, other->bytes + other->len - n, n);
				v->len = where + n;
			}
			break;
		case 5:
			if (v->len > 0)
				remove_bytes(v, where, 1 + below(v->len - where < 5 ? v->len - where : 5));
			break;
		case 6:
			insert_bytes(v, where, other->bytes, other->len < 4 ? other->len : 1 + below(4));
			break;
		case 7:
			edit_varint(v, v->len > 6 ? (v->bytes[1] == PDS_HLL_DENSE ? 6 + below(6) : 4) : where,
						odd_number());
			break;
		case 8:
			/* the head's four bytes to what they might be */
			if (v->len > 5)
			{
				v->bytes[1] = (uint8_t) below(3);
				v->bytes[2] = (uint8_t) (v->bytes[1] > 0);
				v->bytes[3] = (uint8_t) (4 + below(15));
			}
			break;
		case 9:
		case 10:
			flip_data(v);
			break;
		case 11:
			exchange_runs(v);
			break;
		case 12:
			shift_histogram(v);
			break;
		case 13:
			exchange_registers(v);
			break;
		case 14:
			change_register(v);
			break;
		case 15:
			/* ranks and low bits of the last tokens */
			if (v->len > 8)
				v->bytes[v->len - 1 - below(8)] ^= (uint8_t) (1 << below(8));
			break;
	}
}

/* ---------- */

static int
write_seeds(const char *folder)
{
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		for (int fill = 0; fill < FILLS; fill++)
		{
			payload		seed = make_seed(p, fill);
			char		name[512];
			FILE	   *f;

			snprintf(name, sizeof(name), "%s/hll-%02d-%02d", folder, p, fill);
			f = seed.len < 8000 ? fopen(name, "wb") : NULL;
			if (f != NULL)
			{
				fwrite(seed.bytes, 1, seed.len, f);
				fclose(f);
			}
			payload_free(&seed);
		}
	}
	return 0;
}

int
main(int argc, char **argv)
{
	uint64_t	count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	uint64_t	weights = 0;
	uint64_t	weight[PDS_HLL_MAX_PRECISION + 1];

	if (argc > 2 && strcmp(argv[1], "--seeds") == 0)
		return write_seeds(argv[2]);
	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	setvbuf(stdout, NULL, _IOLBF, 0);

	/* large ones take long: fewer of them */
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		weight[p] = p <= 8 ? 1000 : p <= 16 ? UINT64_C(256000) >> p : 2;
		weights += weight[p];
	}
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		uint64_t	share = count * weight[p] / weights + 1;
		uint64_t	before = fuzz_counts.all - fuzz_counts.refused;
		payload		seeds[FILLS];
		size_t		longest = 0;
		victim		v;

		for (int i = 0; i < FILLS; i++)
		{
			seeds[i] = make_seed(p, i);
			if (seeds[i].len > longest)
				longest = seeds[i].len;
			LLVMFuzzerTestOneInput(seeds[i].bytes, seeds[i].len);
		}
		if (fuzz_counts.all - fuzz_counts.refused != before + FILLS)
			sketch_die("a seed is refused");
		v.room = longest + 300;
		v.bytes = sketch_memory(v.room);
		before += FILLS;
		for (uint64_t i = 0; i < share; i++)
		{
			const payload *seed = &seeds[below(FILLS)];
			size_t		rounds = 1 + (below(3) == 0 ? below(6) : 0);

			memcpy(v.bytes, seed->bytes, seed->len);
			v.len = seed->len;
			for (size_t round = 0; round < rounds; round++)
				mutate(&v, &seeds[below(FILLS)]);
			LLVMFuzzerTestOneInput(v.bytes, v.len);
		}
		printf("ok - precision %d: %llu mutations, %llu of them still a sketch\n", p,
			   (unsigned long long) share,
			   (unsigned long long) (fuzz_counts.all - fuzz_counts.refused - before));
		for (int i = 0; i < FILLS; i++)
			payload_free(&seeds[i]);
		free(v.bytes);
	}
	printf("# %llu executions: %llu refused (%llu of them with a good head), "
		   "%llu accepted (%llu empty, %llu sparse, %llu dense)\n",
		   (unsigned long long) fuzz_counts.all,
		   (unsigned long long) fuzz_counts.refused,
		   (unsigned long long) fuzz_counts.opened,
		   (unsigned long long) (fuzz_counts.all - fuzz_counts.refused),
		   (unsigned long long) fuzz_counts.accepted[PDS_HLL_EMPTY],
		   (unsigned long long) fuzz_counts.accepted[PDS_HLL_SPARSE],
		   (unsigned long long) fuzz_counts.accepted[PDS_HLL_DENSE]);
	return 0;
}
