/*
 * hll_foreign_made.h: sketches of other systems, written one bit at a time
 *
 * For the tests of what reads them: from an array of registers, or a list of
 * coupons, to bytes, by the drawings in src/sketch/hll/hll_foreign_*.c and without the
 * code there.
 */
#ifndef PDS_TEST_HLL_FOREIGN_MADE_H
#define PDS_TEST_HLL_FOREIGN_MADE_H

#include "hll_sketch.h"

#include "hll_foreign.h"
#include "hll_registers.h"

/* Bytes that grow. */
typedef struct byte_list
{
	uint8_t    *bytes;
	size_t		len;
	size_t		space;
	size_t		bits;			/* of the last byte that are taken, 0 to 7 */
} byte_list;

static inline void
put_byte(byte_list *l, unsigned v)
{
	if (l->len == l->space)
	{
		l->space = l->space * 2 + 64;
		l->bytes = realloc(l->bytes, l->space);
		if (l->bytes == NULL)
			sketch_die("out of memory");
	}
	l->bytes[l->len++] = (uint8_t) v;
	l->bits = 0;
}

static inline void
put_le(byte_list *l, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		put_byte(l, (unsigned) (v >> (8 * i) & 0xff));
}

/* n bits of v from the highest on, into bytes from the highest bit on. */
static inline void
put_high(byte_list *l, uint64_t v, int n)
{
	while (n-- > 0)
	{
		size_t		taken = l->bits;

		if (taken == 0)
			put_byte(l, 0);
		l->bytes[l->len - 1] |= (uint8_t) ((v >> n & 1) << (7 - taken));
		l->bits = (taken + 1) % 8;
	}
}

/* n bits of v from the lowest on, into bytes from the lowest bit on. */
static inline void
put_low(byte_list *l, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
	{
		size_t		taken = l->bits;

		if (taken == 0)
			put_byte(l, 0);
		l->bytes[l->len - 1] |= (uint8_t) ((v >> i & 1) << taken);
		l->bits = (taken + 1) % 8;
	}
}

/* The list as a payload of just its length; the list is gone. */
static inline payload
byte_list_take(byte_list *l)
{
	payload		p;

	p.bytes = sketch_memory(l->len);
	p.len = l->len;
	if (l->len > 0)
		memcpy(p.bytes, l->bytes, l->len);
	free(l->bytes);
	memset(l, 0, sizeof(*l));
	return p;
}

/* ---------- postgresql-hll ---------- */

/* Of registers that its width holds; type as PDS_HLL_V1_SPARSE or _FULL. */
static inline payload
foreign_v1(const uint8_t *registers, int log2m, int regwidth, int type, int byte2)
{
	byte_list	l = {0};

	put_byte(&l, (unsigned) (0x10 | type));
	put_byte(&l, (unsigned) ((regwidth - 1) << 5 | log2m));
	put_byte(&l, (unsigned) byte2);
	for (uint32_t i = 0; i < pds_hll_registers(log2m); i++)
	{
		if (type == PDS_HLL_V1_SPARSE && registers[i] == 0)
			continue;
		if (type == PDS_HLL_V1_SPARSE)
			put_high(&l, i, log2m);
		put_high(&l, registers[i], regwidth);
	}
	return byte_list_take(&l);
}

/* ---------- Redis ---------- */

static inline void
redis_head(byte_list *l, unsigned encoding, uint64_t cached)
{
	put_byte(l, 'H');
	put_byte(l, 'Y');
	put_byte(l, 'L');
	put_byte(l, 'L');
	put_byte(l, encoding);
	put_le(l, 0, 3);
	put_le(l, cached, 8);
}

static inline payload
foreign_redis_dense(const uint8_t *registers)
{
	byte_list	l = {0};

	redis_head(&l, 0, 12345);
	for (int i = 0; i < 16384; i++)
		put_low(&l, registers[i], 6);
	return byte_list_take(&l);
}

/* With runs cut at random where "cut" is set: all ways are as good. */
static inline payload
foreign_redis_sparse(const uint8_t *registers, uint64_t (*cut) (void))
{
	byte_list	l = {0};

	redis_head(&l, 1, UINT64_C(1) << 63 | 7);
	for (unsigned i = 0; i < 16384;)
	{
		unsigned	most = registers[i] != 0 ? 4 : cut != NULL && cut() % 3 == 0 ? 64 : 16384;
		unsigned	run = 1;

		if (cut != NULL)
			most = 1 + (unsigned) (cut() % most);
		while (run < most && i + run < 16384 && registers[i + run] == registers[i])
			run++;
		if (registers[i] != 0)
			put_byte(&l, 0x80u + (registers[i] - 1u) * 4 + (run - 1));
		else if (run <= 64)
			put_byte(&l, run - 1);
		else
		{
			put_byte(&l, 0x40u + (run - 1) / 256);
			put_byte(&l, (run - 1) % 256);
		}
		i += run;
	}
	return byte_list_take(&l);
}

/* ---------- Apache DataSketches ---------- */

/* A table of coupons with free places, or none if it is compact. */
static inline void
put_coupons(byte_list *l, const uint32_t *coupons, uint32_t n, bool compact, int lg_table)
{
	uint32_t	left = compact ? n : UINT32_C(1) << lg_table;

	while (left > 0)
	{
		/* spread them over the table, so that the rest of them always fits */
		bool		taken = n > 0 && (n == left || left % 3 != 0);

		put_le(l, taken ? *coupons : 0, 4);
		coupons += taken;
		n -= taken;
		left--;
	}
}

static inline int
lg_table_for(uint32_t n, int least)
{
	int			lg = least;

	while (UINT64_C(3) << lg < UINT64_C(4) * n)
		lg++;
	return lg;
}

/* A list (set = false, up to 255) or a set of coupons. */
static inline payload
foreign_coupons(const uint32_t *coupons, uint32_t n, int lg_k, bool set, bool compact)
{
	byte_list	l = {0};
	int			lg_table = set ? lg_table_for(n, 5) : lg_table_for(n, 3);

	put_byte(&l, set ? 3 : 2);
	put_byte(&l, 1);
	put_byte(&l, 7);
	put_byte(&l, (unsigned) lg_k);
	put_byte(&l, (unsigned) lg_table);
	put_byte(&l, (n == 0 ? 4u : 0) | (compact ? 8 : 0) | (set ? 16 : 0));
	put_byte(&l, set ? 0 : n);
	put_byte(&l, set ? 1 | 1 << 2 : 0 | 2 << 2);
	if (set)
		put_le(&l, n, 4);
	put_coupons(&l, coupons, n, compact, lg_table);
	return byte_list_take(&l);
}

static inline uint8_t
lowest(const uint8_t *registers, int lg_k)
{
	uint8_t		least = 255;

	for (uint32_t i = 0; i < pds_hll_registers(lg_k); i++)
		least = registers[i] < least ? registers[i] : least;
	return least;
}

/* Registers of 4, 6 or 8 bits. */
static inline payload
foreign_registers(const uint8_t *registers, int lg_k, int width, bool compact)
{
	byte_list	l = {0};
	uint32_t	k = pds_hll_registers(lg_k);
	uint32_t   *exceptions = sketch_memory(k * sizeof(uint32_t));
	uint32_t	n = 0;
	uint8_t		least = width == 4 ? lowest(registers, lg_k) : 0;
	uint32_t	at_least = 0;

	for (uint32_t i = 0; i < k; i++)
	{
		at_least += registers[i] == least;
		if (width == 4 && registers[i] - least >= 15)
			exceptions[n++] = (uint32_t) registers[i] << 26 | i;
	}
	put_byte(&l, 10);
	put_byte(&l, 1);
	put_byte(&l, 7);
	put_byte(&l, (unsigned) lg_k);
	put_byte(&l, width == 4 ? (unsigned) lg_table_for(n, 2) : 0);
	put_byte(&l, compact ? 8 : 0);
	put_byte(&l, least);
	put_byte(&l, 2u | (unsigned) (width / 2 - 2) << 2);
	/* estimators: nobody reads them */
	put_le(&l, UINT64_C(0x123456789abcdef0), 8);
	put_le(&l, 0, 8);
	put_le(&l, UINT64_MAX, 8);
	put_le(&l, at_least, 4);
	put_le(&l, n, 4);
	for (uint32_t i = 0; i < k; i++)
	{
		unsigned	d = registers[i] - least;

		put_low(&l, width == 4 && d > 15 ? 15 : d, width);
	}
	if (width == 6)
		put_byte(&l, 0);
	if (width == 4)
		put_coupons(&l, exceptions, n, compact, lg_table_for(n, 2));
	free(exceptions);
	return byte_list_take(&l);
}

#endif
