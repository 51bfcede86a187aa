/*
 * cms_type.h: what the SQL face of cms shares between its files
 */
#ifndef PDS_TYPES_CMS_CMS_TYPE_H
#define PDS_TYPES_CMS_CMS_TYPE_H

#include "postgres.h"

#include "cms.h"
#include "sketch.h"

#define CMS_DEFAULT_EPSILON	0.001
#define CMS_DEFAULT_DELTA	0.01

extern const PdsSketchType pds_cms_type;

/*
 * The shape for these arguments of SQL.  Errors: 22023 for what is out of
 * range, 54000 for what is larger than a value can be.
 */
extern void cms_shape_for(double epsilon, double delta, bool conservative, pds_cms_shape *s);

/* An empty sketch as a state; one that will be asked between changes. */
extern pds_cms_build *cms_new(const pds_cms_shape *shape);
extern pds_cms_build *cms_new_to_ask(const pds_cms_shape *shape);

/* The same state in a new image, after a PDS_FULL. */
extern pds_cms_build *cms_grow(const pds_cms_build *b);

/*
 * The state with a weight more of a value of this kind, moved where it has no
 * space.  Errors: 22000 for another kind of value, for less than nothing, and for
 * a negative weight in a conservative sketch; 22003 for more than can be counted.
 */
extern pds_cms_build *cms_add_weight(pds_cms_build *b, pds_hash hash, pds_kind kind, int64 weight);

/* Read the head of a stored sketch (detoasted, all of it). */
extern void cms_view(const struct varlena *value, pds_cms_view *v);

/* 22000 unless both sketches are of the same shape. */
extern void cms_require_same_shape(const pds_cms_shape *a, const pds_cms_shape *b);

#endif
