/*
 * header.c: reading the header of a stored sketch
 */
#include "header.h"

pds_status
pds_header_open(pds_header *h, const uint8_t *payload, size_t have, pds_sketch_type type,
				uint8_t families, const char **why)
{
	if (have < PDS_HEADER_BYTES)
		PDS_REFUSE(why, "It is shorter than a header.");
	if (payload[0] >> 4 != type)
		PDS_REFUSE(why, "It is a sketch of another type, or none at all.");
	if ((payload[0] & 0x0f) != PDS_VERSION)
		PDS_REFUSE(why, "Its format version is not known to this release.");
	h->family = payload[1] >> 4;
	h->encoding = payload[1] & 0x0f;
	if (h->family >= families)
		PDS_REFUSE(why, "Its hash family is not known to this release.");
	if (!pds_kind_code_valid(payload[2]))
		PDS_REFUSE(why, "Its kind of value is not known to this release.");
	if ((payload[2] == PDS_KIND_NONE) != (h->encoding == PDS_ENCODING_EMPTY))
		PDS_REFUSE(why, "Its kind of value does not go with its encoding.");
	h->bytes = pds_header_bytes(h->encoding, payload[2]);
	if (have < h->bytes)
		PDS_REFUSE(why, "It ends within its header.");
	h->kind = pds_header_kind(payload, have);
	return PDS_OK;
}

pds_kind
pds_header_kind(const uint8_t *payload, size_t have)
{
	if (have < PDS_HEADER_BYTES)
		return PDS_KIND_NONE;
	if (!pds_kind_has_signature(payload[2]))
		return payload[2];
	if (have < PDS_HEADER_MAX_BYTES)
		return PDS_KIND_NONE;
	return pds_kind_make(payload[2], pds_load_le32(payload + PDS_HEADER_BYTES));
}

const uint8_t *
pds_in_memory(void *view, size_t offset, size_t len)
{
	(void) len;
	return ((const pds_view_head *) view)->payload + offset;
}
