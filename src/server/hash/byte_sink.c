/*
 * byte_sink.c: where canonical bytes go
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "byte_sink.h"
#include "utf8.h"

/* Buffers begin with so many bytes, and for hashing grow to so many. */
#define FIRST_BYTES		512
#define HASH_BYTES		((size_t) 8192)

/* A buffer beyond this does not stay with its sink. */
#define STAYING_BYTES	((size_t) 64 * 1024)

StaticAssertDecl(HASH_BYTES % PDS_MURMUR3_BLOCK == 0 &&
				 FIRST_BYTES >= PDS_SINK_RESERVE_MAX + PDS_MURMUR3_BLOCK,
				 "a buffer must take what is reserved, behind part of a block");

void
pds_sink_start(PdsSink *sink, PdsSinkMode mode)
{
	if (sink->size > STAYING_BYTES)
	{
		pfree(sink->data);
		sink->data = NULL;
		sink->size = 0;
	}
	sink->mode = mode;
	sink->len = 0;
	sink->gone = 0;
	sink->h1 = sink->h2 = 0;
}

/* Give the buffer this size. */
static void
resize(PdsSink *sink, size_t size)
{
	if (size > MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("value is too large"),
				 errdetail("Its canonical form takes more than %zu bytes.",
						   (size_t) MaxAllocSize)));
	if (sink->data == NULL)
		sink->data = MemoryContextAlloc(sink->mcxt, size);
	else
		sink->data = repalloc(sink->data, size);
	sink->size = size;
}

/* Hash the whole blocks in the buffer, and move the rest to its front. */
static void
drain(PdsSink *sink)
{
	size_t		whole = sink->len - sink->len % PDS_MURMUR3_BLOCK;

	pds_murmur3_blocks(&sink->h1, &sink->h2, sink->data, whole);
	sink->gone += whole;
	sink->len -= whole;
	memmove(sink->data, sink->data + whole, sink->len);
}

void
pds_sink_make_space(PdsSink *sink, size_t n)
{
	size_t		size = sink->size < FIRST_BYTES ? FIRST_BYTES : 2 * sink->size;

	Assert(n <= PDS_SINK_RESERVE_MAX);
	switch (sink->mode)
	{
		case PDS_SINK_HASH:
			if (sink->size < HASH_BYTES)
				resize(sink, size);
			else
				drain(sink);
			break;
		case PDS_SINK_TRY:
			if (size <= PDS_SINK_TRY_BYTES)
				resize(sink, size);
			else
			{
				sink->gone += sink->len;
				sink->len = 0;
			}
			break;
		case PDS_SINK_KEEP:
			/* the last step may be a smaller one */
			resize(sink, size > MaxAllocSize && sink->size + n <= MaxAllocSize ? MaxAllocSize :
				   size);
			break;
	}
}

void
pds_sink_put(PdsSink *sink, const void *bytes, size_t n)
{
	const uint8 *p = bytes;

	while (n > 0)
	{
		size_t		part = Min(n, PDS_SINK_RESERVE_MAX);
		uint8	   *to = pds_sink_reserve(sink, part);

		/* as much as there is space for */
		part = Min(n, sink->size - sink->len);
		memcpy(to, p, part);
		sink->len += part;
		p += part;
		n -= part;
	}
}

void
pds_sink_put_utf8(PdsSink *sink, const char *text, size_t len)
{
	const char *in_utf8 = pds_to_utf8(text, &len);

	pds_sink_put(sink, in_utf8, len);
	if (in_utf8 != text)
		pfree((char *) in_utf8);
}

pds_hash
pds_sink_hash(const PdsSink *sink)
{
	uint64		h1 = sink->h1;
	uint64		h2 = sink->h2;
	size_t		whole = sink->len - sink->len % PDS_MURMUR3_BLOCK;

	if (sink->len == 0 && sink->gone == 0)
		return pds_murmur3("", 0, 0);
	pds_murmur3_blocks(&h1, &h2, sink->data, whole);
	return pds_murmur3_end(h1, h2, sink->data + whole, sink->len - whole, pds_sink_total(sink));
}
