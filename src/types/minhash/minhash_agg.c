/*
 * minhash_agg.c: the aggregates of minhash
 *
 * Macros define: probds_minhash_agg, probds_minhash_final.
 */
#include "postgres.h"

#include "aggregate.h"
#include "compat.h"
#include "minhash_type.h"

PDS_AGGREGATE_STEP(minhash, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE);
PDS_FINAL_FUNCTION(minhash);
