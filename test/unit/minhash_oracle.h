/*
 * minhash_oracle.h: what a MinHash sketch must be, worked out slowly
 *
 * From the list of all hashes: bit by bit as minhash.h and minhash_format.c say it,
 * with no code of theirs.
 */
#ifndef PDS_TEST_MINHASH_ORACLE_H
#define PDS_TEST_MINHASH_ORACLE_H

#include "payload.h"

#include "murmur3.h"

typedef struct oracle
{
	int			log2_k;
	pds_hash   *hashes;
	size_t		n;
	size_t		space;
} oracle;

typedef struct oracle_token
{
	uint32_t	bin;
	int			rank;
	int			below;
} oracle_token;

static inline oracle
oracle_new(int log2_k)
{
	oracle		o = {log2_k, NULL, 0, 0};

	return o;
}

static inline void
oracle_free(oracle *o)
{
	free(o->hashes);
	o->hashes = NULL;
}

static inline void
oracle_add(oracle *o, pds_hash h)
{
	if (o->n == o->space)
	{
		o->space = 2 * o->space + 16;
		o->hashes = realloc(o->hashes, o->space * sizeof(*o->hashes));
		if (o->hashes == NULL)
			sketch_die("out of memory");
	}
	o->hashes[o->n++] = h;
}

static inline oracle_token
oracle_token_of(const oracle *o, pds_hash h)
{
	oracle_token t = {(uint32_t) (h.h1 % (UINT64_C(1) << o->log2_k)), 1, 0};

	/* the smallest hash of the largest rank stands for all that are smaller */
	if (h.h2 < 65536)
		h.h2 = 65536;
	while (h.h2 < UINT64_C(1) << 63)
	{
		h.h2 *= 2;
		t.rank++;
	}
	t.below = 65535 - (int) (h.h2 / (UINT64_C(1) << 47) % 65536);
	return t;
}

static inline int
oracle_order(const void *a, const void *b)
{
	const oracle_token *x = a;
	const oracle_token *y = b;

	if (x->bin != y->bin)
		return x->bin < y->bin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->below < y->below ? -1 : x->below > y->below;
}

/* The distinct tokens in order; the caller frees them. */
static inline oracle_token *
oracle_tokens(const oracle *o, size_t *n)
{
	oracle_token *list = sketch_memory(o->n * sizeof(*list));

	for (size_t i = 0; i < o->n; i++)
		list[i] = oracle_token_of(o, o->hashes[i]);
	qsort(list, o->n, sizeof(*list), oracle_order);
	*n = 0;
	for (size_t i = 0; i < o->n; i++)
		if (*n == 0 || oracle_order(&list[*n - 1], &list[i]) != 0)
			list[(*n)++] = list[i];
	return list;
}

static inline void
oracle_zeros_and_one(bit_list *l, int64_t zeros)
{
	while (zeros-- > 0)
		bit_list_put(l, 0, 1);
	bit_list_put(l, 1, 1);
}

static inline void
oracle_put_rank(bit_list *l, int d)
{
	static const char *const near[] = {"100", "00", "01", "101"};

	if (d >= -1 && d <= 2)
	{
		for (const char *c = near[d + 1]; *c != '\0'; c++)
			bit_list_put(l, *c == '1', 1);
		return;
	}
	bit_list_put(l, 1, 1);
	bit_list_put(l, 1, 1);
	bit_list_put(l, d < 0, 1);
	oracle_zeros_and_one(l, d < 0 ? -2 - d : d - 3);
}

/* All registers with a base. */
static inline void
oracle_put_registers(bit_list *l, const oracle_token *best, size_t k, int base)
{
	for (size_t bin = 0; bin < k; bin++)
	{
		oracle_put_rank(l, best[bin].rank - base);
		if (best[bin].rank > 0)
			bit_list_put(l, (uint64_t) best[bin].below >> 10, 6);
	}
}

/* The bytes that the sketch of these hashes must be stored as; of numbers. */
static inline payload
oracle_payload(const oracle *o)
{
	size_t		k = (size_t) 1 << o->log2_k;
	size_t		n;
	oracle_token *list = oracle_tokens(o, &n);
	bit_list	l = {calloc(k * 20 + 200, 1), 0};
	uint8_t		head[16] = {0x81, (uint8_t) (n > k ? 2 : n > 0 ? 1 : 0), n > 0 ? PDS_KIND_NUMBER
		: 0,
		(uint8_t) o->log2_k};
	size_t		len = 4;
	payload		p;

	if (n > k)
	{
		oracle_token *best = calloc(k, sizeof(*best));
		size_t		least = SIZE_MAX;

		for (size_t i = 0; i < n; i++)
			best[list[i].bin] = list[i];
		for (int base = 0; base <= 48; base++)
		{
			bit_list	tried = {calloc(k * 20 + 200, 1), 0};

			oracle_put_registers(&tried, best, k, base);
			if (tried.bits < least)
			{
				least = tried.bits;
				free(l.bytes);
				l = tried;
				head[4] = (uint8_t) base;
			}
			else
				free(tried.bytes);
		}
		len = 5;
		free(best);
	}
	else if (n > 0)
	{
		int			r = 0;
		uint32_t	before = 0;

		while (n << (r + 1) <= k)
			r++;
		len += oracle_varint(head + 4, n);
		for (size_t i = 0; i < n; i++)
		{
			uint32_t	gap = list[i].bin - before;

			oracle_zeros_and_one(&l, gap >> r);
			bit_list_put(&l, gap % (1u << r), r);
			oracle_zeros_and_one(&l, list[i].rank - 1);
			bit_list_put(&l, (uint64_t) list[i].below, 16);
			before = list[i].bin;
		}
	}
	p.len = len + (l.bits + 7) / 8;
	p.bytes = sketch_memory(p.len);
	memcpy(p.bytes, head, len);
	memcpy(p.bytes + len, l.bytes, p.len - len);
	free(l.bytes);
	free(list);
	return p;
}

#endif
