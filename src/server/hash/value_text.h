/*
 * value_text.h: any SQL value -> its text, the same in every session
 *
 * For sketches that keep values.  Texts are stored and compared, so they must not depend on
 * settings (DateStyle, TimeZone, ...).  Where possible, equal values have one text.  A text is
 * the output form of the type, except:
 *
 *     strings, enums, citext   their canonical bytes (doc/hashing.md): char(n)
 *                              without its padding, citext in lower case
 *     oid, regclass, ...       the number
 *     numeric                  without zeros at the end: 1 for 1.00
 *     float                    0 for -0; the fewest digits that tell the value
 *     money                    two decimals, no symbol
 *     boolean                  true, false
 *     cidr                     as inet
 *     dates and times          ISO; with time zone, in UTC
 *     bytea                    hexadecimal, after \x
 */
#ifndef PDS_SERVER_HASH_VALUE_TEXT_H
#define PDS_SERVER_HASH_VALUE_TEXT_H

#include "postgres.h"

#include "fmgr.h"

#include "hasher.h"

/*
 * The text of a value, in UTF-8 (utf8.h), without a zero byte and not terminated by
 * one.  It lies in the value itself, or stays until the hasher is
 * used again.
 */
extern const char *pds_text_of(PdsHasher *hasher, Datum value, size_t *len);

/*
 * Have equal values of one type with this kind always the same text?  Not where a
 * collation ignores case, nor 1 day and 24 hours, nor 1.0 and 1.00 in an array or
 * in jsonb.
 */
static inline bool
pds_kind_has_one_text(pds_kind kind)
{
	const uint32 others = UINT32_C(1) << PDS_KIND_NONE | UINT32_C(1) << PDS_KIND_INTERVAL |
		UINT32_C(1) << PDS_KIND_JSONB | UINT32_C(1) << PDS_KIND_RECORD |
		UINT32_C(1) << PDS_KIND_MULTIRANGE | UINT32_C(1) << PDS_KIND_COLLATED;

	return pds_kind_code(kind) <= PDS_KIND_HASH && (others >> pds_kind_code(kind) & 1) == 0;
}

#endif
