/*
 * value.h: any SQL value -> canonical bytes -> 128-bit hash
 *
 * The hash contract is doc/hashing.md: values that are equal under their type's own
 * "=" have equal canonical bytes, the same on every server.
 *
 * The look-up of a type (what it is, how its canonical bytes are made) is done once
 * per call site and kept in fn_extra; nothing here depends on fn_expr or on fn_extra
 * surviving from row to row, so Citus' calls work too.
 */
#ifndef PDS_PG_VALUE_H
#define PDS_PG_VALUE_H

#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/array.h"

#include "base/kind.h"
#include "base/murmur3.h"

#pragma GCC visibility push(hidden)

/* How the values of one type (and collation) are hashed.  hasher.h */
typedef struct PdsHasher PdsHasher;

/*
 * What a call site of ours keeps in fn_extra.  "room" is for the module whose
 * function it is; both are allocated in fn_mcxt and start out NULL.
 */
typedef struct PdsCallSite
{
	PdsHasher  *hasher;
	void	   *room;
} PdsCallSite;

extern PdsCallSite *pds_call_site(FunctionCallInfo fcinfo);

/*
 * The hasher for a type, allocated in mcxt.  Errors: 42883 when the type has no
 * equality that a hash could respect (json, xml, point, ...), with a hint what to
 * cast to.
 */
extern PdsHasher *pds_hasher_for_type(Oid typid, Oid collation, MemoryContext mcxt);

/*
 * The kind of the value that was hashed last.  It is the same for all values but
 * records, whose columns may differ; before the first value it is what the type tells.
 */
extern pds_kind pds_hasher_kind(const PdsHasher *hasher);

/* Can its values be of different kinds? */
extern bool pds_hasher_varies(const PdsHasher *hasher);

extern pds_hash pds_hasher_hash(PdsHasher *hasher, Datum value);

/*
 * Hash argument argno (not NULL) of a function declared with "any" or text, by the
 * type that it has at this call site.  A literal or parameter declared as text is
 * read as the kind that the sketch holds ("want"; PDS_KIND_NONE: as text).  *kind
 * becomes the value's kind; comparing the two is the caller's duty.  Errors: 42804 for a
 * literal of a kind whose text has several readings, 0A000 for citext.
 */
extern pds_hash pds_hash_arg(FunctionCallInfo fcinfo, int argno,
							 pds_kind want, pds_kind *kind);

/*
 * The hasher for argument argno by itself, also of a function declared with a
 * concrete type; "want" as above.
 */
extern PdsHasher *pds_arg_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want);

/*
 * Array argument argno (not NULL), and the hasher for its elements.  Of a function
 * declared with text it is the text of an array, whose elements are read as "want".
 */
extern ArrayType *pds_array_arg(FunctionCallInfo fcinfo, int argno, pds_kind want,
								PdsHasher **element);

/*
 * Fast paths of the aggregates declared with a concrete type.  Argument argno is not
 * NULL.  The text one knows nondeterministic collations, and refuses citext.
 */
extern pds_hash pds_hash_text_arg(FunctionCallInfo fcinfo, int argno, pds_kind *kind);
extern pds_hash pds_hash_bytea_arg(FunctionCallInfo fcinfo, int argno);
extern pds_hash pds_hash_inet_arg(FunctionCallInfo fcinfo, int argno);

/* The canonical bits of a floating-point number: -0 is 0, and there is one NaN. */
static inline int64
pds_double_bits(float8 v)
{
	int64		bits;

	if (unlikely(isnan(v)))
		return INT64CONST(0x7ff8000000000000);
	if (v == 0.0)
		return 0;
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static inline pds_hash
pds_hash_bool(bool v)
{
	uint8		byte = v ? 1 : 0;

	return pds_murmur3(&byte, 1, 0);
}

/* Numbers of up to 64 bits: 8 bytes, little-endian. */
static inline pds_hash
pds_hash_number(int64 v)
{
	return pds_murmur3_u64((uint64) v);
}

/* Is this the type of the citext extension, or a domain over it? */
extern bool pds_type_is_citext(Oid typid);

#pragma GCC visibility pop

#endif
