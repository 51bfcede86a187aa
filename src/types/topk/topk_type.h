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

/*
 * The state with a weight more for a value, moved where it has no space.  Errors:
 * 22023 for a negative weight, 22003 for a total that is too large, 54000 for a
 * text that is too long.
 */
extern pds_topk_build *pds_topk_add_weight(pds_topk_build *b, uint64 hash, int64 weight,
										   PdsHasher *hasher, Datum value);

#endif
