/*
 * header.h: the three bytes that every stored sketch begins with
 *
 *     byte 0    sketch type (high four bits) | format version (low four)
 *     byte 1    hash family (high four bits) | encoding (low four)
 *     byte 2    kind of the values that were added
 *     byte 3..  what the room of that type says (its parameters, then data)
 *
 * These follow PostgreSQL's varlena length word; the varlena word is no part
 * of what is sent, printed or cast to bytea.
 */
#ifndef PDS_BASE_HEADER_H
#define PDS_BASE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#define PDS_HEADER_BYTES	3
#define PDS_VERSION			1

typedef enum pds_sketch_type
{
	PDS_TYPE_HLL = 1,
	PDS_TYPE_BLOOM = 2,
	PDS_TYPE_CMS = 3,
	PDS_TYPE_TOPK = 4
} pds_sketch_type;

/* How values became hashes.  Sketches merge only within a family. */
typedef enum pds_family
{
	PDS_FAMILY_NATIVE = 0		/* MurmurHash3 x64_128, seed 0, doc/hashing.md */
} pds_family;

/* The encodings below this are the room's; this one is common to all. */
#define PDS_ENCODING_EMPTY		0
/* an aggregate's state, in the server's memory only: never stored or sent */
#define PDS_ENCODING_BUILDING	15

/*
 * The kind of a value: which types may be mixed in one sketch, because equal
 * values of them are the same canonical bytes.  Stored for ever: numbers are
 * never reused.
 *
 *     bits 0-5   one of the numbers below
 *     bit 6      a range over it
 *     bit 7      an array of it
 */
typedef uint8_t pds_kind;

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
#define PDS_KIND_HASH			24	/* hashes made elsewhere, of who knows what */

/*
 * Types without a stable form of their own: hashed by their hash operator
 * class, the number chosen by the type's name (32 to 62).
 */
#define PDS_KIND_OPCLASS_FIRST	32
#define PDS_KIND_OPCLASS_LAST	62

#define PDS_KIND_BASE_MASK		0x3f
#define PDS_KIND_RANGE			0x40
#define PDS_KIND_ARRAY			0x80

/* Is this a kind that this version can have written? */
static inline bool
pds_kind_valid(pds_kind kind)
{
	int			base = kind & PDS_KIND_BASE_MASK;

	if (base == PDS_KIND_NONE)
		return kind == PDS_KIND_NONE;
	return base <= PDS_KIND_HASH ||
		(base >= PDS_KIND_OPCLASS_FIRST && base <= PDS_KIND_OPCLASS_LAST);
}

/*
 * The kind of the union of two sketches: false when they cannot be mixed.
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

static inline uint8_t
pds_header_byte0(pds_sketch_type type)
{
	return (uint8_t) ((type << 4) | PDS_VERSION);
}

/* Is this the header of a state, of this type and hash family? */
static inline bool
pds_header_is_building(const uint8_t *header, pds_sketch_type type, int family)
{
	return header[0] == pds_header_byte0(type) &&
		header[1] == (family << 4 | PDS_ENCODING_BUILDING) && pds_kind_valid(header[2]);
}

#endif
