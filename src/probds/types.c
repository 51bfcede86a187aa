/*
 * types.c: the sketch types that there are
 */
#include "postgres.h"

#include "bloom/bloom_type.h"
#include "cms/cms_type.h"
#include "hll/hll_type.h"
#include "topk/topk_type.h"

const PdsSketchType *const pds_sketch_types[] = {
	&pds_hll_type,
	&pds_bloom_type,
	&pds_cms_type,
	&pds_topk_type,
	NULL
};
