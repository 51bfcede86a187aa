/*
 * hll_type.h: what the type's functions and its aggregates share
 */
#ifndef PDS_HLL_HLL_TYPE_H
#define PDS_HLL_HLL_TYPE_H

#include "postgres.h"

#include "fmgr.h"

#include "hll/hll.h"
#include "hll/hll_estimate.h"
#include "pg/sketch.h"

#pragma GCC visibility push(hidden)

extern const PdsSketchType pds_hll_type;

/* A new building sketch in the current memory context. */
extern pds_hll_build *hll_new(size_t size, int precision);

/* The same state in a new, larger image, after a PDS_FULL. */
extern pds_hll_build *hll_grow(const pds_hll_build *b);

/* Move b to what plan says; b itself stays as it was. */
extern pds_hll_build *hll_move(const pds_hll_build *b, const pds_hll_plan *plan);

/*
 * The union of a building sketch, changed in place, and a stored or building
 * value (detoasted).  Returns b, or the new image that it had to move to.
 * Errors: 22000 if the kinds or hash families do not go together.
 */
extern pds_hll_build *hll_merge(pds_hll_build *b, struct varlena *value);

/*
 * Add a value by its hash, in place or in a new image, which is returned.
 * Errors: 22000 if b holds values of another kind.
 */
extern pds_hll_build *hll_add_hash(pds_hll_build *b, uint64_t hash, pds_kind kind);

/* A value (detoasted, of either form) as a new building sketch. */
extern pds_hll_build *hll_load(struct varlena *value);

/* A building sketch as a new stored value; empties its ring. */
extern struct varlena *hll_store(pds_hll_build *b);

/* Raise an error unless it is within 4 to 18. */
extern void hll_require_precision(int32 precision);

/* Open a stored value; an error if it is corrupt. */
extern void hll_view(struct varlena *value, pds_hll_view *v);

/* The estimator's view of an argument, reading as little as possible of it. */
extern void hll_summary_arg(FunctionCallInfo fcinfo, int argno, pds_hll_summary *s);

/* A result row of bigint (lower, estimate, upper). */
extern Datum hll_bounds_row(FunctionCallInfo fcinfo, double lower,
							double estimate, double upper);

/* A confidence argument; 22023 unless it is between 0 and 1. */
extern double hll_confidence_arg(FunctionCallInfo fcinfo, int argno);

/* A building image with an aligned full-size header that may be read as such. */
extern pds_hll_build *hll_building(struct varlena *value);

#pragma GCC visibility pop

#endif
