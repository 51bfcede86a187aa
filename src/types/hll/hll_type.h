/*
 * hll_type.h: what the type's functions and its aggregates share
 */
#ifndef PDS_TYPES_HLL_HLL_TYPE_H
#define PDS_TYPES_HLL_HLL_TYPE_H

#include "postgres.h"

#include "fmgr.h"

#include "hll.h"
#include "hll_estimate.h"
#include "hll_foreign.h"
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

/* Can a sketch of ours have this precision? */
static inline bool
pds_hll_holds_precision(int precision)
{
	return precision >= PDS_HLL_MIN_PRECISION && precision <= PDS_HLL_MAX_PRECISION;
}

/*
 * A sketch of postgresql-hll, of a precision that we hold, as a new state.  *full becomes the
 * number of its full registers.  NULL if it is damaged; then *why is a sentence.
 */
extern pds_hll_build *pds_hll_of_v1(const pds_hll_v1 *s, int family, uint32_t *full,
									const char **why);

/*
 * Are too many registers full?  One that is as full as its width allows may have seen more.  Such
 * registers make the estimate low.  It is low by 0.11 % if one register in 16 is full, and by less
 * if fewer are.  (With 2 bits it takes one in 64, with 1 bit one in 230.)  That is half of the
 * standard error of precision 18.
 */
extern bool pds_hll_v1_too_full(const pds_hll_v1_form *form, uint32_t full);

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
