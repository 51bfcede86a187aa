/*
 * signature.h: the signature of a kind in a stored sketch
 *
 * For the tests of all types: the same sketch stored with a kind of one byte and
 * with a kind that has a signature.
 */
#ifndef PDS_TEST_SIGNATURE_H
#define PDS_TEST_SIGNATURE_H

#include "payload.h"

#define SIGNATURE	UINT32_C(0x89abcdef)
#define SIGNED_KIND	pds_kind_make(PDS_KIND_OPCLASS, SIGNATURE)

/* Is a payload a sketch?  If it is, of which kind. */
typedef bool (*signature_open) (const payload *p, pds_kind *kind);

/* Such a function, opens(), of a module. */
#define SIGNATURE_OPENS(x) \
	static bool \
	opens(const payload *p, pds_kind *kind) \
	{ \
		pds_##x##_view v; \
		if (pds_##x##_check(p->bytes, p->len, NULL) != PDS_OK || \
			pds_##x##_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK) \
			return false; \
		*kind = v.kind; \
		return true; \
	}

/*
 * "with" must be "plain", except for the code of the kind and the signature after it.  It must
 * be refused wherever it is cut off.
 */
static inline void
check_signature(const payload *plain, const payload *with, signature_open open)
{
	static const uint8_t head[] = {PDS_KIND_OPCLASS, 0xef, 0xcd, 0xab, 0x89};
	pds_kind	kind;

	CHECK_U64(with->len, plain->len + PDS_KIND_SIGNATURE_BYTES);
	CHECK_BYTES(with->bytes, plain->bytes, 2);
	CHECK_BYTES(with->bytes + 2, head, sizeof(head));
	CHECK_BYTES(with->bytes + PDS_HEADER_MAX_BYTES, plain->bytes + PDS_HEADER_BYTES,
				plain->len - PDS_HEADER_BYTES);
	CHECK(open(with, &kind));
	CHECK_U64(kind, SIGNED_KIND);
	CHECK_U64(pds_header_kind(with->bytes, with->len), SIGNED_KIND);
	for (size_t len = 0; len < with->len; len++)
	{
		payload		cut = payload_copy(with->bytes, len);

		CHECK(!open(&cut, &kind));
		payload_free(&cut);
	}
}

#endif
