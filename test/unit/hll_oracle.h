/*
 * hll_oracle.h: a second HyperLogLog, slow and simple
 *
 * Written from what hll.h, hll_format.c and hll_registers.h say, without the
 * library's code: from a set of hashes straight to the stored bytes, one bit at
 * a time.  Where the two differ, one of them is wrong.
 */
#ifndef PDS_TEST_HLL_ORACLE_H
#define PDS_TEST_HLL_ORACLE_H

#include "hll_sketch.h"

/* 1 + the zeros below the first one, counting no further than bit 63. */
static inline int
oracle_rank(uint64_t h, int from_bit)
{
	int			rank = 1;

	while (from_bit < 64 && (h >> from_bit & 1) == 0)
	{
		rank++;
		from_bit++;
	}
	return rank;
}

static inline void
oracle_registers(const uint64_t *hashes, size_t n, int p, uint8_t *registers)
{
	memset(registers, 0, (size_t) 1 << p);
	for (size_t i = 0; i < n; i++)
	{
		size_t		index = (size_t) (hashes[i] % (UINT64_C(1) << p));
		int			rank = oracle_rank(hashes[i], p);

		if (registers[index] < rank)
			registers[index] = (uint8_t) rank;
	}
}

/* The stored form of these registers; any memory that it can take at bytes. */
static inline payload
oracle_dense(const uint8_t *registers, int p)
{
	size_t		m = (size_t) 1 << p;
	size_t		w = m / 8;
	uint8_t    *out = calloc(m * 2 + 300, 1);
	size_t		at = 4;
	size_t		fewest = m + 1;
	int			lo = 255;
	int			hi = 0;
	int			base = 0;
	uint32_t	registers_of[256] = {0};
	bit_list	layer;
	payload		result;

	if (out == NULL)
		sketch_die("out of memory");
	out[0] = 0x11;
	out[1] = PDS_HLL_DENSE;
	out[2] = PDS_KIND_NUMBER;
	out[3] = (uint8_t) p;
	for (size_t i = 0; i < m; i++)
	{
		if (registers[i] < lo)
			lo = registers[i];
		if (registers[i] > hi)
			hi = registers[i];
		registers_of[registers[i]]++;
	}
	out[at++] = (uint8_t) lo;
	out[at++] = (uint8_t) hi;
	for (int v = lo; v <= hi; v++)
		at += oracle_varint(out + at, registers_of[v]);

	for (int candidate = 0; candidate <= PDS_HLL_RANKS - 7; candidate++)
	{
		size_t		exceptions = m;

		for (int v = candidate; v <= candidate + 6; v++)
			exceptions -= registers_of[v];
		if (exceptions < fewest)
		{
			fewest = exceptions;
			base = candidate;
		}
	}

	/* symbols: the bits 3c to 3c + 2 of 24 that three planes have at row j */
	for (size_t i = 0; i < m; i++)
	{
		size_t		column = i / w;
		size_t		row = i % w;
		int			d = registers[i] - base;
		int			symbol = d >= 0 && d <= 6 ? d : 7;

		for (size_t bit = 0; bit < 3; bit++)
			if ((symbol >> bit & 1) != 0)
				out[at + (3 * column + bit) / 8 * w + row] |=
					(uint8_t) (1 << (3 * column + bit) % 8);
	}
	at += 3 * w;

	layer.bytes = out + at;
	layer.bits = 0;
	for (size_t i = 0; i < m; i++)
		if (registers[i] < base - 2 || registers[i] > base + 11)
			bit_list_put(&layer, registers[i], 6);
	at += (layer.bits + 7) / 8;

	layer.bytes = out + at;
	layer.bits = 0;
	for (size_t i = 0; i < m; i++)
	{
		int			d = registers[i] - base;

		if (d >= 0 && d <= 6)
			continue;
		if (d == -1)
			bit_list_put(&layer, 0, 3);
		else if (d == -2)
			bit_list_put(&layer, 1, 3);
		else if (d >= 7 && d <= 11)
			bit_list_put(&layer, (uint64_t) (d - 5), 3);
		else
			bit_list_put(&layer, 7, 3);
	}
	at += (layer.bits + 7) / 8;

	result = payload_copy(out, at);
	free(out);
	return result;
}

static int
oracle_compare(const void *a, const void *b)
{
	uint32_t	x = *(const uint32_t *) a;
	uint32_t	y = *(const uint32_t *) b;

	return x < y ? -1 : x > y;
}

/*
 * The tokens of a set of hashes as cell * 64 + rank, one a cell, ascending;
 * returns how many.  The rank is 0 where it is not kept.
 */
static inline uint32_t
oracle_tokens(const uint64_t *hashes, size_t n, int p, uint32_t *tokens)
{
	uint32_t	count = 0;

	for (size_t i = 0; i < n; i++)
	{
		uint32_t	cell = (uint32_t) (hashes[i] % (1 << 26));
		int			rank = cell < UINT32_C(1) << p ? oracle_rank(hashes[i], 26) : 0;

		tokens[i] = cell * 64 + (uint32_t) rank;
	}
	qsort(tokens, n, sizeof(uint32_t), oracle_compare);
	for (size_t i = 0; i < n; i++)
	{
		/* of one cell the last, which has the highest rank */
		if (i + 1 < n && tokens[i] / 64 == tokens[i + 1] / 64)
			continue;
		tokens[count++] = tokens[i];
	}
	return count;
}

/* The stored form of a set of hashes (duplicates allowed) at a precision. */
static inline payload
oracle_payload(const uint64_t *hashes, size_t n, int p)
{
	uint32_t   *tokens = sketch_memory(n * sizeof(uint32_t));
	uint32_t	count = oracle_tokens(hashes, n, p, tokens);
	payload		result;

	/* 3/16 of the registers */
	if (16 * (uint64_t) count > 3 * (UINT64_C(1) << p))
	{
		uint8_t    *registers = sketch_memory((size_t) 1 << p);

		oracle_registers(hashes, n, p, registers);
		result = oracle_dense(registers, p);
		free(registers);
	}
	else
	{
		uint8_t    *out = calloc(64 + 8 * (size_t) count, 1);
		size_t		at = 4;
		uint64_t	next = 0;
		int			k = 0;
		bit_list	list;

		if (out == NULL)
			sketch_die("out of memory");
		out[0] = 0x11;
		out[1] = count > 0 ? PDS_HLL_SPARSE : PDS_HLL_EMPTY;
		out[2] = count > 0 ? PDS_KIND_NUMBER : PDS_KIND_NONE;
		out[3] = (uint8_t) p;
		if (count > 0)
			at += oracle_varint(out + at, count);
		while (count > 0 && count * (UINT64_C(2) << k) <= 64587157)
			k++;
		list.bytes = out + at;
		list.bits = 0;
		for (uint32_t i = 0; i < count; i++)
		{
			uint64_t	cell = tokens[i] / 64;
			uint64_t	gap = cell - next;

			for (uint64_t zero = 0; zero < gap >> k; zero++)
				bit_list_put(&list, 0, 1);
			bit_list_put(&list, 1, 1);
			bit_list_put(&list, gap, k);
			if (cell < UINT64_C(1) << p)
				bit_list_put(&list, tokens[i] % 64, 6);
			next = cell + 1;
		}
		result = payload_copy(out, at + (list.bits + 7) / 8);
		free(out);
	}
	free(tokens);
	return result;
}

#endif
