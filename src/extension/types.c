/*
 * types.c: the sketch types that there are
 */
#include "postgres.h"

#include "bloom_type.h"
#include "cms_type.h"
#include "counting_bloom_type.h"
#include "cuckoo_type.h"
#include "ddsketch_type.h"
#include "fuse_type.h"
#include "hll_type.h"
#include "minhash_type.h"
#include "scalable_bloom_type.h"
#include "topk_type.h"

const PdsSketchType *const pds_sketch_types[] = {
	&pds_hll_type,
	&pds_bloom_type,
	&pds_cms_type,
	&pds_topk_type,
	&pds_minhash_type,
	&pds_ddsketch_type,
	&pds_counting_bloom_type,
	&pds_cuckoo_type,
	&pds_scalable_bloom_type,
	&pds_fuse_type,
	NULL
};
