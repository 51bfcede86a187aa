/*
 * payload.h: stored bytes on malloc, and a slow way of writing them
 *
 * For the tests of all types.  Every piece of memory is exactly as large as what
 * is in it, so that a sanitizer sees the first byte too far.
 */
#ifndef PDS_TEST_PAYLOAD_H
#define PDS_TEST_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "header.h"

/* A stored sketch. */
typedef struct payload
{
	uint8_t    *bytes;
	size_t		len;
} payload;

/* Is this the code of a kind that has no signature behind it? */
static inline bool
kind_of_one_byte(int code)
{
	return pds_kind_code_valid((uint8_t) code) && !pds_kind_has_signature((uint8_t) code);
}

/* A broken promise after which a test cannot continue. */
__attribute__((noreturn)) static inline void
sketch_die(const char *what)
{
	fprintf(stderr, "test: %s\n", what);
	abort();
}

static inline void *
sketch_memory(size_t size)
{
	void	   *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		sketch_die("out of memory");
	return p;
}

static inline payload
payload_copy(const uint8_t *bytes, size_t len)
{
	payload		p;

	p.bytes = sketch_memory(len);
	p.len = len;
	memcpy(p.bytes, bytes, len);
	return p;
}

static inline void
payload_free(payload *p)
{
	free(p->bytes);
	p->bytes = NULL;
}

static inline bool
payload_equal(const payload *a, const payload *b)
{
	return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* From hexadecimal digits, white space between them or not. */
static inline payload
payload_from_hex(const char *hex)
{
	payload		p;
	unsigned	v;
	int			n;

	p.bytes = sketch_memory(strlen(hex) / 2);
	p.len = 0;
	for (; sscanf(hex, "%2x%n", &v, &n) == 1; hex += n)
		p.bytes[p.len++] = (uint8_t) v;
	/* no longer than what is in it */
	p.bytes = realloc(p.bytes, p.len > 0 ? p.len : 1);
	if (p.bytes == NULL)
		sketch_die("out of memory");
	return p;
}

/* ---------- for oracles ---------- */

/* One bit after the other, the lowest of each byte first, into zeros. */
typedef struct bit_list
{
	uint8_t    *bytes;
	size_t		bits;
} bit_list;

static inline void
bit_list_put(bit_list *l, uint64_t v, int n)
{
	for (int i = 0; i < n; i++, l->bits++)
		if ((v >> i & 1) != 0)
			l->bytes[l->bits / 8] |= (uint8_t) (1 << (l->bits % 8));
}

/* Seven bits a byte, low ones first. */
static inline size_t
oracle_varint(uint8_t *out, uint64_t v)
{
	size_t		n = 0;

	for (;;)
	{
		out[n] = (uint8_t) (v % 128);
		v /= 128;
		if (v == 0)
			return n + 1;
		out[n++] += 128;
	}
}

#endif
