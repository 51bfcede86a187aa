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

/* Subtract all counters of an operand of the same shape, as pds_cms_merge_build(). */
extern pds_status pds_cms_subtract(pds_cms_build *b, const pds_operand *from);

#endif
