/*
 * linear_type.h: the type linear
 */
#ifndef PDS_TYPES_LINEAR_LINEAR_TYPE_H
#define PDS_TYPES_LINEAR_LINEAR_TYPE_H

#include "sketch.h"

extern const PdsSketchType pds_linear_type;

#endif
