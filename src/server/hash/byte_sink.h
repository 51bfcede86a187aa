/*
 * byte_sink.h: where canonical bytes go
 *
 * The bytes of a value are appended to a sink, which hashes them as they come, keeps
 * them, or only counts them.  A value of any size is hashed in constant memory: an
 * array of 100 million numbers has canonical bytes of more than a gigabyte.
 */
#ifndef PDS_SERVER_HASH_BYTE_SINK_H
#define PDS_SERVER_HASH_BYTE_SINK_H

#include "postgres.h"

#include "murmur3.h"

typedef enum PdsSinkMode
{
	PDS_SINK_HASH,				/* hash what does not fit into the buffer */
	PDS_SINK_KEEP,				/* enlarge the buffer */
	PDS_SINK_TRY				/* the same up to PDS_SINK_TRY_BYTES, then only count */
} PdsSinkMode;

typedef struct PdsSink
{
	PdsSinkMode mode;
	uint8	   *data;			/* the buffer, or NULL */
	size_t		len;			/* bytes in it */
	size_t		size;			/* bytes of it */
	uint64		gone;			/* how many bytes are not in it any more */
	uint64		h1;				/* the hash of these */
	uint64		h2;
	MemoryContext mcxt;			/* where the buffer lives */
} PdsSink;

/* The most bytes that pds_sink_reserve() gives. */
#define PDS_SINK_RESERVE_MAX	272

#define PDS_SINK_TRY_BYTES		((size_t) 1 << 20)

/* Empty a sink and tell it what to do.  A large buffer is given back. */
extern void pds_sink_start(PdsSink *sink, PdsSinkMode mode);

/* Make space for n more bytes, at most PDS_SINK_RESERVE_MAX; not for others to call. */
extern void pds_sink_make_space(PdsSink *sink, size_t n);

/* Space for n bytes, at most PDS_SINK_RESERVE_MAX, of which sink->len is raised by the caller. */
static inline uint8 *
pds_sink_reserve(PdsSink *sink, size_t n)
{
	if (unlikely(sink->size - sink->len < n))
		pds_sink_make_space(sink, n);
	return sink->data + sink->len;
}

/* Append n bytes. */
extern void pds_sink_put(PdsSink *sink, const void *bytes, size_t n);

/* Append text of the database, in UTF-8. */
extern void pds_sink_put_utf8(PdsSink *sink, const char *text, size_t len);

static inline void
pds_sink_put_byte(PdsSink *sink, uint8 byte)
{
	*pds_sink_reserve(sink, 1) = byte;
	sink->len++;
}

static inline void
pds_sink_put_u32(PdsSink *sink, uint32 v)
{
	pds_store_le32(pds_sink_reserve(sink, sizeof(v)), v);
	sink->len += sizeof(v);
}

/* How many bytes have been appended. */
static inline uint64
pds_sink_total(const PdsSink *sink)
{
	return sink->gone + sink->len;
}

/* The hash of all of them (PDS_SINK_HASH), or of those in a buffer that kept them all. */
extern pds_hash pds_sink_hash(const PdsSink *sink);

#endif
