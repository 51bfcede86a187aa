/*
 * counting_bloom_ops.c: what the server's frame calls, by the table of
 * base/state_ops.h
 */
#include "decimal.h"
#include "counting_bloom.h"

/* For so many values an empty union of nothing has space. */
#define DEFAULT_CAPACITY	1000000

static void
init_nothing(pds_counting_bloom_build *b)
{
	pds_bloom_shape s;

	(void) pds_counting_bloom_shape_for(DEFAULT_CAPACITY,
										pds_decimal_code(PDS_COUNTING_BLOOM_DEFAULT_RATE),
										PDS_BLOOM_BLOCKED, &s);
	pds_counting_bloom_init(b, PDS_COUNTING_BLOOM_FIRST_SIZE, &s);
}

static pds_status
ops_remove(void *state, pds_hash hash)
{
	return pds_counting_bloom_remove(state, hash);
}

PDS_STATE_OPS(counting_bloom, pds_counting_bloom_add,
			  .first_size = PDS_COUNTING_BLOOM_FIRST_SIZE, .remove = ops_remove);
