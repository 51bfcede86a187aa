/*
 * bloom_sets.h: sets of hashes, and whether a filter belongs to a set
 */
#ifndef PDS_TEST_BLOOM_SETS_H
#define PDS_TEST_BLOOM_SETS_H

#include <math.h>

#include "test.h"

#include "bloom_oracle.h"

#define MOST_HASHES	100000

static pds_hash hashes[MOST_HASHES];

static inline pds_hash
hash_of(uint64_t v)
{
	uint8_t		bytes[8];

	pds_store_le64(bytes, v);
	return pds_murmur3(bytes, sizeof(bytes), 0);
}

/* The first hashes are those of n integers from a place of their own on. */
static inline void
take_hashes(size_t n)
{
	uint64_t	first = test_random();

	for (size_t i = 0; i < n; i++)
		hashes[i] = hash_of(first + i);
}

static inline void
shuffle(pds_hash *a, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t		j = below(i);
		pds_hash	h = a[i - 1];

		a[i - 1] = a[j];
		a[j] = h;
	}
}

/*
 * Filters of all sorts: both layouts and other systems' families, one cell, a few,
 * many segments.
 */
#define ODD_SHAPES	19

static inline pds_bloom_shape
odd_shape(int i)
{
	switch (i)
	{
		case 0:
			return shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
		case 1:
			return shape_of(100, 0.01, PDS_BLOOM_CLASSIC);
		case 2:
			return shape_of(1, 0.999, PDS_BLOOM_BLOCKED);
		case 3:
			return shape_of(3, 1e-9, PDS_BLOOM_CLASSIC);
		case 4:
			return shape_of(427, 0.01, PDS_BLOOM_BLOCKED);
		case 5:
			return shape_of(428, 0.01, PDS_BLOOM_BLOCKED);
		case 6:
			return shape_of(1000, 0.0001, PDS_BLOOM_CLASSIC);
		case 7:
			return shape_of(20000, 0.001, PDS_BLOOM_BLOCKED);
		case 8:
			return shape_of(20000, 0.001, PDS_BLOOM_CLASSIC);
		case 9:
			return shape_of(150000, 0.01, PDS_BLOOM_BLOCKED);
		case 10:
			return shape_of(150000, 0.01, PDS_BLOOM_CLASSIC);
		case 11:
			return shape_explicit(64, 40, PDS_BLOOM_BLOCKED);
		case 12:
			return shape_explicit(4160, 1, PDS_BLOOM_CLASSIC);
		case 13:
			return shape_explicit(4608, 40, PDS_BLOOM_BLOCKED);
		case 14:
			return shape_explicit(64 * 300, 7, PDS_BLOOM_GUAVA32);
		case 15:
			return shape_explicit(64 * 7, 5, PDS_BLOOM_REDIS);
		case 16:
			return shape_explicit(64 * 3001, 9, PDS_BLOOM_REDIS);
		case 17:
			return shape_explicit(256 * 5, 8, PDS_BLOOM_PARQUET32);
		default:
			return shape_explicit(256 * 700, 8, PDS_BLOOM_PARQUET);
	}
}

static inline bool
follows(const pds_bloom_shape *s)
{
	double		rate = pds_decimal_value(s->rate);

	/* a classic one must be the textbook's, which is often too small */
	if (s->family == PDS_BLOOM_CLASSIC && s->capacity != 0 &&
		(double) s->bits != 64 * ceil((double) s->capacity * -log(rate) / (log(2) * log(2) * 64)))
		return false;
	return s->capacity != 0 && s->bits <= 4096;
}

/* Is want the stored form of f, and that form all there is to know of it? */
static inline void
check_state(filter *f, const payload *want)
{
	payload		got = filter_encode(f);
	const char *why = "";

	CHECK_U64(got.len, want->len);
	if (got.len == want->len)
		CHECK_BYTES(got.bytes, want->bytes, want->len);
	if (CHECK(pds_bloom_check(got.bytes, got.len, &why) == PDS_OK))
	{
		filter		again = filter_of_payload(&got);
		payload		twice = filter_encode(&again);

		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
		filter_free(&again);
	}
	else
		printf("# %s\n", why);
	payload_free(&got);
}

/* The stored form of the filter of the first n hashes. */
static inline payload
oracle_of_hashes(size_t n, const pds_bloom_shape *s)
{
	uint8_t    *bits = oracle_bits(s);
	payload		p;

	for (size_t i = 0; i < n; i++)
		oracle_add(bits, s, hashes[i]);
	p = oracle_payload(bits, s, follows(s));
	free(bits);
	return p;
}

/* Is f the filter of the first n hashes? */
static inline void
check_set(filter *f, size_t n, const pds_bloom_shape *s)
{
	payload		want = oracle_of_hashes(n, s);

	check_state(f, &want);
	payload_free(&want);
}

#endif
