/*
 * bloom_type.h: what the SQL face of bloom shares between its files
 */
#ifndef PDS_TYPES_BLOOM_BLOOM_TYPE_H
#define PDS_TYPES_BLOOM_BLOOM_TYPE_H

#include "postgres.h"

#include "bloom.h"
#include "bloom_family.h"
#include "sketch.h"

extern const PdsSketchType pds_bloom_type;

#define PDS_BLOOM_DEFAULT_RATE	0.01

/* How the bits of a family are laid out: "blocked", "classic", "split block". */
extern const char *pds_bloom_layout_name(uint8 family);

/*
 * The intersection of a state that was made of stored values with one more of
 * them; the state is changed in place.
 */
extern void pds_bloom_intersect(pds_bloom_build *b, struct varlena *value);

#endif
