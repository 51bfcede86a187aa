/*
 * bytes.h: any SQL value -> its canonical bytes (doc/hashing.md)
 *
 * For sketches of other hash families, which make another hash of the same bytes.
 */
#ifndef PDS_SERVER_BYTES_H
#define PDS_SERVER_BYTES_H

#include "postgres.h"

#include "fmgr.h"

#include "value.h"

/* The canonical bytes of a value.  They stay until the hasher is used again. */
extern const uint8 *pds_bytes_of(PdsHasher *hasher, Datum value, size_t *len);

#endif
