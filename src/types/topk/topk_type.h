/*
 * topk_type.h: what the SQL face of topk shares between its files
 */
#ifndef PDS_TYPES_TOPK_TOPK_TYPE_H
#define PDS_TYPES_TOPK_TOPK_TYPE_H

#include "postgres.h"

#include "fmgr.h"

#include "sketch.h"
#include "topk.h"

extern const PdsSketchType pds_topk_type;

/* 22023 unless it is within 1 to 10,000. */
extern void topk_require_k(int32 k);

/* An empty sketch as a state. */
extern pds_topk_build *topk_new(uint32 k);

/*
 * The state with a weight more for a value, moved where it has no space.  Errors:
 * 22023 for a negative weight, 22003 for a total that is too large, 54000 for a
 * text that is too long.
 */
extern pds_topk_build *topk_add_weight(pds_topk_build *b, uint64 hash, int64 weight,
									   PdsHasher *hasher, Datum value);

/* Open a stored value, all of it in memory; an error if it is corrupt. */
extern void topk_view(struct varlena *value, pds_topk_view *v);

#endif
