/*
 * header_test.c: base/header and base/kind, what is written and what is refused
 */
#include "test.h"

#include "payload.h"

TEST(a_kind_is_its_code_and_its_signature)
{
	pds_kind	kind = pds_kind_make(PDS_KIND_RECORD | PDS_KIND_ARRAY, UINT32_C(0xfedcba98));

	CHECK_U64(pds_kind_code(kind), PDS_KIND_RECORD | PDS_KIND_ARRAY);
	CHECK_U64(pds_kind_signature(kind), UINT32_C(0xfedcba98));
	CHECK_U64(pds_kind_make(PDS_KIND_NUMBER, 0), PDS_KIND_NUMBER);
}

TEST(kinds_join_only_if_code_and_signature_agree)
{
	pds_kind	a = pds_kind_make(PDS_KIND_OPCLASS, 1);
	pds_kind	b = pds_kind_make(PDS_KIND_OPCLASS, 2);
	pds_kind	out;

	CHECK(pds_kind_join(a, a, &out) && out == a);
	CHECK(pds_kind_join(a, PDS_KIND_NONE, &out) && out == a);
	CHECK(pds_kind_join(PDS_KIND_NONE, b, &out) && out == b);
	CHECK(!pds_kind_join(a, b, &out));
	CHECK(!pds_kind_join(PDS_KIND_NUMBER, PDS_KIND_STRING, &out));
}

/* Every code: is it a kind, and does it have a signature? */
TEST(codes_that_are_kinds)
{
	int			valid = 0;
	int			with_signature = 0;

	for (int code = 0; code < 256; code++)
	{
		valid += pds_kind_code_valid((uint8_t) code);
		with_signature += pds_kind_code_valid((uint8_t) code) &&
			pds_kind_has_signature((uint8_t) code);
	}
	/* none; 26 codes alone, as ranges, as arrays and as arrays of ranges, but no
	 * NESTED alone */
	CHECK_U64(valid, 1 + 26 * 4 - 1);
	/* all ranges; of the others record, multirange, collated, nested and opclass */
	CHECK_U64(with_signature, 26 * 2 + 5 * 2 - 1);
}

TEST(what_is_put_is_opened)
{
	for (int code = 0; code < 256; code++)
	{
		pds_kind	kind = pds_kind_make((uint8_t) code, pds_kind_has_signature((uint8_t) code) ?
										 UINT32_C(0x01020304) : 0);
		uint8_t		bytes[PDS_HEADER_MAX_BYTES];
		size_t		n = pds_header_put(bytes, PDS_TYPE_CMS, 2, 1, kind);
		pds_header	h;
		const char *why = NULL;
		pds_status	status = pds_header_open(&h, bytes, n, PDS_TYPE_CMS, 3, &why);

		CHECK_U64(n, pds_header_bytes(1, kind));
		/* something of no kind */
		if (!pds_kind_code_valid((uint8_t) code) || code == PDS_KIND_NONE)
		{
			CHECK(status == PDS_CORRUPT && why != NULL);
			continue;
		}
		CHECK(status == PDS_OK);
		CHECK(h.family == 2 && h.encoding == 1 && h.kind == kind && h.bytes == n);
		CHECK(pds_header_open(&h, bytes, n - 1, PDS_TYPE_CMS, 3, &why) == PDS_CORRUPT);
		CHECK(pds_header_open(&h, bytes, n, PDS_TYPE_CMS, 2, &why) == PDS_CORRUPT);
		CHECK(pds_header_open(&h, bytes, n, PDS_TYPE_HLL, 3, &why) == PDS_CORRUPT);
		bytes[0] ^= 3;
		CHECK(pds_header_open(&h, bytes, n, PDS_TYPE_CMS, 3, NULL) == PDS_CORRUPT);
	}
}

TEST(what_holds_nothing_has_no_kind)
{
	uint8_t		bytes[PDS_HEADER_MAX_BYTES];
	pds_header	h;

	CHECK_U64(pds_header_put(bytes, PDS_TYPE_HLL, 0, PDS_ENCODING_EMPTY,
							 pds_kind_make(PDS_KIND_RECORD, 7)), PDS_HEADER_BYTES);
	CHECK(pds_header_open(&h, bytes, PDS_HEADER_BYTES, PDS_TYPE_HLL, 1, NULL) == PDS_OK);
	CHECK_U64(h.kind, PDS_KIND_NONE);
	bytes[2] = PDS_KIND_NUMBER;
	CHECK(pds_header_open(&h, bytes, PDS_HEADER_BYTES, PDS_TYPE_HLL, 1, NULL) == PDS_CORRUPT);
}

TEST(heads_of_states)
{
	pds_state_head head;
	pds_state_head other;

	memset(&head, 0, sizeof(head));
	pds_state_init(&head, PDS_TYPE_BLOOM, 3);
	CHECK(pds_state_head_valid(&head, sizeof(head), PDS_TYPE_BLOOM, 4));
	CHECK(!pds_state_head_valid(&head, sizeof(head), PDS_TYPE_BLOOM, 3));
	CHECK(!pds_state_head_valid(&head, sizeof(head), PDS_TYPE_CMS, 4));
	CHECK(!pds_state_head_valid(&head, sizeof(head) - 1, PDS_TYPE_BLOOM, 4));
	CHECK(pds_state_kind(&head) == PDS_KIND_NONE && pds_state_family(&head) == 3);

	pds_state_set_kind(&head, pds_kind_make(PDS_KIND_COLLATED, 5));
	CHECK(pds_state_head_valid(&head, sizeof(head), PDS_TYPE_BLOOM, 4));
	CHECK(pds_state_kind(&head) == pds_kind_make(PDS_KIND_COLLATED, 5));
	memset(&other, 0, sizeof(other));
	pds_state_copy_head(&other, &head);
	CHECK(pds_state_kind(&other) == pds_state_kind(&head) && pds_state_family(&other) == 3);

	/* a signature of a kind that has none */
	head.header[2] = PDS_KIND_NUMBER;
	CHECK(!pds_state_head_valid(&head, sizeof(head), PDS_TYPE_BLOOM, 4));
}
