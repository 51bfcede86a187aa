/*
 * hasher.c: from a value and its hasher to canonical bytes, and to the hash
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/typcache.h"

#include "hasher.h"
#include "utf8.h"

StaticAssertDecl(PDS_PUT_MAX + 4 <= PDS_SINK_RESERVE_MAX, "a sink takes what put() writes");

PdsHasher *
pds_hasher_blank(MemoryContext mcxt)
{
	PdsHasher  *hasher = MemoryContextAllocZero(mcxt, sizeof(PdsHasher));

	hasher->mcxt = mcxt;
	hasher->sink.mcxt = mcxt;
	hasher->recodes = !pds_text_is_utf8();
	return hasher;
}

pds_kind
pds_hasher_kind(const PdsHasher *hasher)
{
	return hasher->kind;
}

/* The bytes of a value of one of the varlena shapes. */
typedef struct VarlenaBytes
{
	struct varlena *v;
	const char *bytes;
	size_t		len;
} VarlenaBytes;

static inline VarlenaBytes
varlena_open(const PdsHasher *hasher, Datum value)
{
	VarlenaBytes b;

	b.v = (struct varlena *) DatumGetPointer(value);
	if (unlikely(VARATT_IS_EXTERNAL(b.v) || VARATT_IS_COMPRESSED(b.v)))
		b.v = PG_DETOAST_DATUM_PACKED(value);
	b.bytes = VARDATA_ANY(b.v);
	b.len = VARSIZE_ANY_EXHDR(b.v);
	if (hasher->shape == PDS_SHAPE_BYTES)
		return b;
	if (hasher->typid == BPCHAROID)
		b.len = (size_t) bpchartruelen(VARDATA_ANY(b.v), (int) b.len);
	if (hasher->recodes)
		b.bytes = pds_to_utf8(b.bytes, &b.len);
	return b;
}

static inline void
varlena_close(VarlenaBytes *b, Datum value)
{
	if (b->bytes != VARDATA_ANY(b->v))
		pfree((char *) b->bytes);
	if ((Pointer) b->v != DatumGetPointer(value))
		pfree(b->v);
}

void
pds_append(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	VarlenaBytes b;

	switch (hasher->shape)
	{
		case PDS_SHAPE_PUT:
			sink->len += hasher->put(hasher, value, pds_sink_reserve(sink, PDS_PUT_MAX));
			break;
		case PDS_SHAPE_BYTES:
		case PDS_SHAPE_TEXT:
			b = varlena_open(hasher, value);
			pds_sink_put(sink, b.bytes, b.len);
			varlena_close(&b, value);
			break;
		case PDS_SHAPE_APPEND:
			hasher->append(hasher, value, sink);
			break;
	}
}

void
pds_append_framed(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	PdsSink    *frame = &hasher->sink;
	VarlenaBytes b;
	uint8	   *out;
	size_t		len;

	switch (hasher->shape)
	{
		case PDS_SHAPE_PUT:
			out = pds_sink_reserve(sink, 4 + PDS_PUT_MAX);
			len = hasher->put(hasher, value, out + 4);
			pds_store_le32(out, (uint32) len);
			sink->len += 4 + len;
			return;
		case PDS_SHAPE_BYTES:
		case PDS_SHAPE_TEXT:
			b = varlena_open(hasher, value);
			pds_sink_put_u32(sink, (uint32) b.len);
			pds_sink_put(sink, b.bytes, b.len);
			varlena_close(&b, value);
			return;
		case PDS_SHAPE_APPEND:
			break;
	}

	/* The length comes first: the bytes are kept until it is known, or made twice. */
	pds_sink_start(frame, PDS_SINK_TRY);
	hasher->append(hasher, value, frame);
	if (pds_sink_total(frame) > PG_UINT32_MAX - 1)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("part of a value is too large to be hashed"),
				 errdetail("Its canonical form takes more than 4 GB.")));
	pds_sink_put_u32(sink, (uint32) pds_sink_total(frame));
	if (frame->gone == 0)
		pds_sink_put(sink, frame->data, frame->len);
	else
		hasher->append(hasher, value, sink);
}

pds_hash
pds_hasher_hash(PdsHasher *hasher, Datum value)
{
	pds_hash	hash;
	VarlenaBytes b;

	switch (hasher->shape)
	{
		case PDS_SHAPE_PUT:
			{
				uint8		bytes[PDS_PUT_MAX];
				size_t		len = hasher->put(hasher, value, bytes);

				if (len == 8)
					return pds_murmur3_u64(pds_load_le64(bytes));
				return pds_murmur3(bytes, len, 0);
			}
		case PDS_SHAPE_BYTES:
		case PDS_SHAPE_TEXT:
			b = varlena_open(hasher, value);
			hash = pds_murmur3(b.bytes, b.len, 0);
			varlena_close(&b, value);
			return hash;
		case PDS_SHAPE_APPEND:
			break;
	}
	pds_sink_start(&hasher->sink, PDS_SINK_HASH);
	hasher->append(hasher, value, &hasher->sink);
	return pds_sink_hash(&hasher->sink);
}
