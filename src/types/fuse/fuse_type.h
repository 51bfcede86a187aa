/*
 * fuse_type.h: the type fuse
 */
#ifndef PDS_TYPES_FUSE_FUSE_TYPE_H
#define PDS_TYPES_FUSE_FUSE_TYPE_H

#include "sketch.h"

extern const PdsSketchType pds_fuse_type;

#endif
