/*
 * kind.h: the kind of the values that a sketch holds
 *
 * A kind says which values may be mixed in one sketch, because equal values of it have equal
 * canonical bytes.  A kind is a code of one byte.  If one byte does not describe the values
 * fully, the kind also has a signature of 32 bits.  This is a hash of a collation, the columns
 * of a record, the bounds of a range, or the operator class that hashes the values.  Two kinds
 * go together only if both code and signature are equal.  Kinds are stored, so a code never
 * gets another meaning.
 *
 *     bits 0-5   one of the numbers below
 *     bit 6      a range over it
 *     bit 7      an array of it
 *
 * doc/hashing.md says what each signature is a hash of.
 */
#ifndef PDS_BASE_KIND_H
#define PDS_BASE_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* The code in the low 8 bits, the signature in the high 32. */
typedef uint64_t pds_kind;

#define PDS_KIND_NONE			0	/* nothing added yet */
#define PDS_KIND_NUMBER			1	/* int2, int4, int8, oid, numeric */
#define PDS_KIND_STRING			2	/* text, varchar, bpchar, name, "char" */
#define PDS_KIND_BYTES			3	/* bytea */
#define PDS_KIND_UUID			4
#define PDS_KIND_FLOAT			5	/* float4, float8 */
#define PDS_KIND_BOOLEAN		6
#define PDS_KIND_DATE			7
#define PDS_KIND_TIME			8
#define PDS_KIND_TIMETZ			9
#define PDS_KIND_TIMESTAMP		10
#define PDS_KIND_TIMESTAMPTZ	11
#define PDS_KIND_INTERVAL		12
#define PDS_KIND_INET			13	/* inet, cidr */
#define PDS_KIND_MACADDR		14
#define PDS_KIND_MACADDR8		15
#define PDS_KIND_JSONB			16
#define PDS_KIND_ENUM			17
#define PDS_KIND_BIT			18	/* bit, varbit */
#define PDS_KIND_MONEY			19
#define PDS_KIND_RECORD			20	/* composites */
#define PDS_KIND_MULTIRANGE		21
#define PDS_KIND_COLLATED		22	/* text under a nondeterministic collation */
#define PDS_KIND_CITEXT			23	/* the extension's lower-case form */
#define PDS_KIND_HASH			24	/* hashes made elsewhere, of unknown values */
#define PDS_KIND_NESTED			25	/* what the two flags cannot say: an array of
									 * arrays, a range over arrays or ranges */
#define PDS_KIND_OPCLASS		26	/* types without a stable form of their own: hashed
									 * by their hash operator class */
#define PDS_KIND_LAST			PDS_KIND_OPCLASS

#define PDS_KIND_BASE_MASK		0x3f
#define PDS_KIND_RANGE			0x40
#define PDS_KIND_ARRAY			0x80

#define PDS_KIND_SIGNATURE_BYTES	4

static inline uint8_t
pds_kind_code(pds_kind kind)
{
	return (uint8_t) kind;
}

static inline uint32_t
pds_kind_signature(pds_kind kind)
{
	return (uint32_t) (kind >> 32);
}

static inline pds_kind
pds_kind_make(uint8_t code, uint32_t signature)
{
	return (pds_kind) signature << 32 | code;
}

/* Returns whether this version can have written a kind of this code. */
static inline bool
pds_kind_code_valid(uint8_t code)
{
	int			base = code & PDS_KIND_BASE_MASK;

	if (base == PDS_KIND_NONE)
		return code == PDS_KIND_NONE;
	if (base == PDS_KIND_NESTED)
		return code != PDS_KIND_NESTED;
	return base <= PDS_KIND_LAST;
}

/* Returns whether a kind of this code has a signature. */
static inline bool
pds_kind_has_signature(uint8_t code)
{
	switch (code & PDS_KIND_BASE_MASK)
	{
		case PDS_KIND_RECORD:
		case PDS_KIND_MULTIRANGE:
		case PDS_KIND_COLLATED:
		case PDS_KIND_NESTED:
		case PDS_KIND_OPCLASS:
			return true;
		default:
			return (code & PDS_KIND_RANGE) != 0;
	}
}

/* The name of a kind of a valid code, arrays and ranges apart. */
static inline const char *
pds_kind_base_name(uint8_t code)
{
	static const char *const names[] = {
		"none", "number", "text", "bytea", "uuid", "float", "boolean", "date",
		"time", "timetz", "timestamp", "timestamptz", "interval", "inet",
		"macaddr", "macaddr8", "jsonb", "enum", "bit", "money", "record",
		"multirange", "collated text", "citext", "hash", "nested type", "opclass-hashed"
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == PDS_KIND_LAST + 1, "a kind has no name");
	return names[code & PDS_KIND_BASE_MASK];
}

/*
 * The kind of the union of two sketches.  Returns false when they cannot be mixed.
 * A sketch that holds nothing takes the other's kind.
 */
static inline bool
pds_kind_join(pds_kind a, pds_kind b, pds_kind *out)
{
	if (a != PDS_KIND_NONE && b != PDS_KIND_NONE && a != b)
		return false;
	*out = a != PDS_KIND_NONE ? a : b;
	return true;
}

#endif
