/*
 * fuzz.h: what each target's fuzz target (<target>_fuzz.c) has
 *
 * The entry is libFuzzer's; mutate.c calls it as well.  A broken promise
 * aborts, as a bad read does under a sanitizer.
 */
#ifndef PDS_TEST_FUZZ_H
#define PDS_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What a target has seen; it defines fuzz_counts. */
typedef struct fuzz_count
{
	uint64_t	all;
	uint64_t	refused;
	uint64_t	opened;			/* refused, but not by their head */
	uint64_t	accepted[16];	/* by encoding */
} fuzz_count;

extern fuzz_count fuzz_counts;

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) \
	do { \
		if (!(condition)) \
		{ \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A number that is the same for the same bytes, to choose what to do with them by. */
static inline uint64_t
fuzz_seed(const uint8_t *data, size_t size)
{
	uint64_t	seed = 0;

	for (size_t i = 0; i < size; i++)
		seed = (seed ^ data[i]) * UINT64_C(0x100000001b3);
	return seed;
}

#endif
