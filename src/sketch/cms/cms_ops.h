/*
 * cms_ops.h: the table of functions by which the server's frame works on sketches
 */
#ifndef PDS_SKETCH_CMS_CMS_OPS_H
#define PDS_SKETCH_CMS_CMS_OPS_H

#include "decimal.h"
#include "state_ops.h"
#include "cms.h"

#define PDS_CMS_DEFAULT_EPSILON	0.001
#define PDS_CMS_DEFAULT_DELTA	0.01

extern const pds_state_ops pds_cms_ops;

/* The shape of the other side of a union or difference. */
extern const pds_cms_shape *pds_cms_operand_shape(const pds_operand *from);

/* Add all counters of an operand of the same shape, or subtract them, as pds_cms_merge_build(). */
extern pds_status pds_cms_combine(pds_cms_build *b, const pds_operand *from, bool subtract);

#endif
