/*
 * hll_type.h: what the type's functions and its aggregates share
 */
#ifndef PDS_TYPES_HLL_HLL_TYPE_H
#define PDS_TYPES_HLL_HLL_TYPE_H

#include "postgres.h"

#include "fmgr.h"

#include "hll.h"
#include "hll_estimate.h"
#include "sketch.h"
#include "call_argument.h"

extern const PdsSketchType pds_hll_type;

/* Returns the name of a hash family: "native", "redis", "datasketches", "int32". */
extern const char *hll_family_name(int family);

/* A new state that holds nothing; of registers, if "dense" or if the family has no tokens. */
extern pds_hll_build *pds_hll_new(int precision, int family, bool dense);

/*
 * The sketch at a precision, if that is lower than its own, and as registers if
 * dense says so; its ring is emptied.
 */
extern pds_hll_build *pds_hll_at_precision(pds_hll_build *b, int precision, bool dense);

/* The sketch with one more hash; it is moved if it has no space for the hash. */
extern pds_hll_build *pds_hll_add_h1(pds_hll_build *b, uint64 h1);

/*
 * The input that is a sketch of postgresql-hll, as one of hashes: read_foreign() of
 * server/type/sketch.h.
 */
extern bool pds_hll_read_v1(const uint8_t *payload, size_t len, struct varlena **value,
							const char **why);

/*
 * 22023 unless the arguments from argno on can be regwidth, expthresh and sparseon of
 * postgresql-hll.  Any of them may be NULL, and the last ones left out.
 */
extern void pds_hll_require_form_args(FunctionCallInfo fcinfo, int argno);

/* probds_hll.log2m, the precision of postgresql-hll's functions where none is given */
#define PDS_HLL_LOG2M	11
extern int	pds_hll_log2m;

/* The estimator's view of an argument, reading as little as possible of it. */
extern void pds_hll_summary_arg(FunctionCallInfo fcinfo, int argno, pds_hll_summary *s);

#endif
