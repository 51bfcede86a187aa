/*
 * hll_sets.h: sets of hashes, and whether a sketch belongs to a set
 */
#ifndef PDS_TEST_HLL_SETS_H
#define PDS_TEST_HLL_SETS_H

#include "test.h"

#include "hll_oracle.h"

#include "murmur3.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION

/* The larger precisions take long under a sanitizer. */
#define MOST_HASHES	300000

static uint64_t hashes[MOST_HASHES];

/* The first hashes are those of n integers from a place of their own on. */
static inline void
take_hashes(size_t n)
{
	uint64_t	first = test_random();

	for (size_t i = 0; i < n; i++)
		hashes[i] = pds_murmur3_u64(first + i).h1;
}

static inline void
shuffle(uint64_t *a, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t		j = below(i);
		uint64_t	v = a[i - 1];

		a[i - 1] = a[j];
		a[j] = v;
	}
}

/* Is want the stored form of s, and that form all there is to know of it? */
static inline void
check_state(sketch *s, const payload *want)
{
	payload		got = sketch_encode(s);
	sketch		again = sketch_new(s->b->precision);
	payload		twice;
	const char *why = "";

	CHECK_U64(got.len, want->len);
	if (got.len == want->len)
		CHECK_BYTES(got.bytes, want->bytes, want->len);
	if (CHECK(pds_hll_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch_merge_payload(&again, &got);
		twice = sketch_encode(&again);
		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
	}
	else
		printf("# %s\n", why);
	sketch_free(&again);
	payload_free(&got);
}

/* Is s the sketch of the first n hashes? */
static inline void
check_set(sketch *s, size_t n)
{
	payload		want = oracle_payload(hashes, n, s->b->precision);

	check_state(s, &want);
	payload_free(&want);
}

#endif
