/*
 * cuckoo_type.h: what the SQL face of cuckoo shares between its files
 */
#ifndef PDS_TYPES_CUCKOO_CUCKOO_TYPE_H
#define PDS_TYPES_CUCKOO_CUCKOO_TYPE_H

#include "postgres.h"

#include "cuckoo.h"
#include "sketch.h"

extern const PdsSketchType pds_cuckoo_type;

/* "ok", "nearly full" or "over capacity" */
extern const char *pds_cuckoo_status_name(const pds_cuckoo_view *v);

#endif
