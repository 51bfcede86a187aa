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
#include "value.h"

extern const PdsSketchType pds_hll_type;

/* A new building sketch in the current memory context. */
extern pds_hll_build *hll_new(size_t size, int precision);

/* The same of registers, all of them 0. */
extern pds_hll_build *hll_new_registers(int precision, int family);

/* Move b to what plan says; b itself stays as it was. */
extern pds_hll_build *hll_move(const pds_hll_build *b, const pds_hll_plan *plan);

/*
 * The sketch at a precision, if that is lower than its own, and as registers if
 * dense says so; its ring is emptied.
 */
extern pds_hll_build *hll_at_precision(pds_hll_build *b, int precision, bool dense);

/* A stored value (detoasted) as a new building sketch: a pds_hll_build. */
extern void *hll_load(struct varlena *value);

/* A building sketch as a stored value. */
extern struct varlena *hll_store(void *state);

/* An empty sketch of any family. */
extern pds_hll_build *hll_new_empty(int precision, int family);

/* The sketch with one more hash, moved where it has no space for it. */
extern pds_hll_build *hll_add_h1(pds_hll_build *b, uint64 h1);

/* Raise an error unless it is within 4 to 18. */
extern void hll_require_precision(int32 precision);

/* Open a stored value; an error if it is corrupt. */
extern void hll_view(struct varlena *value, pds_hll_view *v);

/* The estimator's view of an argument, reading as little as possible of it. */
extern void hll_summary_arg(FunctionCallInfo fcinfo, int argno, pds_hll_summary *s);

#endif
