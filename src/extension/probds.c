/*
 * probds.c: the library as a whole
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/guc.h"

#include "poll.h"
#include "ordinary.h"
#include "compat.h"
#include "detoast_cache.h"
#include "existence.h"
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

PDS_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

static const PdsSketchType *const sketch_types[] = {
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

/* Long loops of the pure floors (base/poll.h) */
static void
check_for_interrupts(void)
{
	CHECK_FOR_INTERRUPTS();
}

void
_PG_init(void)
{
	pds_sketch_types = sketch_types;
	pds_poll_hook = check_for_interrupts;
	DefineCustomIntVariable("probds.probe_cache_size",
							"Sets the maximum memory in which a session keeps stored sketches "
							"that it probes.",
							"A sketch that a query probes again and again is read once and kept "
							"until the query ends. "
							"With 0 every probe reads the parts that it needs. "
							"-1 means work_mem, but at least 64 MB.",
							&pds_probe_cache_size,
							-1, -1, MAX_KILOBYTES,
							PGC_USERSET, GUC_UNIT_KB,
							NULL, NULL, NULL);
	DefineCustomIntVariable("probds_hll.log2m",
							"Sets the precision of hll_add_agg() of probds_hll.",
							"It is for calls without a precision. "
							"hll_set_defaults() sets it, too.",
							&pds_hll_log2m,
							PDS_HLL_LOG2M, PDS_HLL_MIN_PRECISION, PDS_HLL_MAX_PRECISION,
							PGC_USERSET, 0,
							NULL, NULL, NULL);
	existence_init();
	pds_ordinary_init();
	/* from 15 on this is an alias of MarkGUCPrefixReserved() */
	EmitWarningsOnPlaceholders("probds");
}
