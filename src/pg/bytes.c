/*
 * bytes.c: the canonical bytes of a value, not hashed yet
 */
#include "postgres.h"

#include "pg/bytes.h"
#include "pg/hasher.h"

const uint8 *
pds_bytes_of(PdsHasher *hasher, Datum value, size_t *len)
{
	PdsSink    *sink = &hasher->sink;

	pds_sink_start(sink, PDS_SINK_KEEP);
	pds_append(hasher, value, sink);
	*len = sink->len;
	return sink->len > 0 ? sink->data : (const uint8 *) "";
}
