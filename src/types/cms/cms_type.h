/*
 * cms_type.h: what the SQL face of cms shares between its files
 */
#ifndef PDS_TYPES_CMS_CMS_TYPE_H
#define PDS_TYPES_CMS_CMS_TYPE_H

#include "postgres.h"

#include "cms.h"
#include "sketch.h"

extern const PdsSketchType pds_cms_type;

/*
 * The state with a weight more of a value of this kind, moved where it has no
 * space.  Errors: 22000 for another kind of value, for less than nothing, and for
 * a negative weight in a conservative sketch; 22003 for more than can be counted.
 */
extern pds_cms_build *pds_cms_add_weight(pds_cms_build *b, pds_hash hash, pds_kind kind,
										 int64 weight);

/* 22000 unless both sketches are of the same shape. */
extern void pds_cms_require_same_shape(const pds_cms_shape *a, const pds_cms_shape *b);

#endif
