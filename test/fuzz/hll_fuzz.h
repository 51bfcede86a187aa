/*
 * hll_fuzz.h: the fuzz target, and what it has seen
 */
#ifndef PDS_TEST_HLL_FUZZ_H
#define PDS_TEST_HLL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_count
{
	uint64_t	all;
	uint64_t	refused;
	uint64_t	opened;			/* refused, but not by their head */
	uint64_t	accepted[16];	/* by encoding */
} fuzz_count;

extern fuzz_count fuzz_counts;

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
