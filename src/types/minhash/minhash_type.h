/*
 * minhash_type.h: what the type's functions and its aggregates share
 */
#ifndef PDS_TYPES_MINHASH_MINHASH_TYPE_H
#define PDS_TYPES_MINHASH_MINHASH_TYPE_H

#include "postgres.h"

#include "minhash.h"
#include "minhash_estimate.h"
#include "sketch.h"

extern const PdsSketchType pds_minhash_type;

/*
 * Reads the input of the estimators from a view whose payload is in memory.  Raises XX001 if it
 * is corrupt.
 */
extern void pds_minhash_summary_of(const pds_minhash_view *v, pds_minhash_summary *s);

#endif
