/*
 * call_argument.h: any SQL value -> canonical bytes -> 128-bit hash
 *
 * The hash contract is doc/hashing.md: values that are equal under their type's own
 * "=" have equal canonical bytes, the same on every server.
 *
 * A type (what it is, how its canonical bytes are made) is looked up once per call site and
 * kept in fn_extra.  Nothing here depends on fn_expr, or on fn_extra surviving from row to row,
 * so Citus' calls work too.
 */
#ifndef PDS_SERVER_HASH_CALL_ARGUMENT_H
#define PDS_SERVER_HASH_CALL_ARGUMENT_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/array.h"

#include "argument.h"
#include "hasher.h"
#include "kind.h"
#include "murmur3.h"

/* of an aggregate (expected_size.c) */
typedef struct PdsExpected PdsExpected;

/*
 * The data that a call site of ours keeps in fn_extra.  "known" is for the module whose
 * function it is.  All are allocated in fn_mcxt and start out NULL.
 */
typedef struct PdsCallSite
{
	PdsHasher  *hasher;
	void	   *known;
	PdsExpected *expected;
	PdsVariation parameters;	/* of an aggregate (aggregate.c) */
	bool		keeps_state;	/* it is known to have a final function (aggregate.c) */
	Oid			weight_type;	/* of an aggregate's weight (weight.h) in weight_expr */
	Node	   *weight_expr;
} PdsCallSite;

extern PdsCallSite *pds_call_site(FunctionCallInfo fcinfo);

/*
 * The type that a function was declared with for an argument; for "any", the argument's type at
 * this call site.  Errors: 42P18.
 */
extern Oid	pds_declared_type(FunctionCallInfo fcinfo, int argno);

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
 * For the aggregates, whose argument 1 is hashed row by row.  Returns what the call site has
 * looked up about the argument, or NULL before the first row.
 */
static inline const PdsHasher *
pds_known_hasher(FunctionCallInfo fcinfo)
{
	const PdsCallSite *site = fcinfo->flinfo->fn_extra;

	return site != NULL ? site->hasher : NULL;
}

/* Returns whether the values are 8-byte integers. */
static inline bool
pds_hashes_int64(const PdsHasher *hasher)
{
	return hasher != NULL && hasher->typid == INT8OID;
}

/* Returns whether a value (not NULL) lies in memory as the bytes that are hashed. */
static inline bool
pds_hashes_bytes(const PdsHasher *hasher, Datum value)
{
	return hasher != NULL && hasher->shape == PDS_SHAPE_BYTES &&
		!VARATT_IS_EXTERNAL(DatumGetPointer(value)) &&
		!VARATT_IS_COMPRESSED(DatumGetPointer(value));
}

/* The hash of a value for which that is true. */
static inline pds_hash
pds_hash_in_memory(Datum value)
{
	return pds_murmur3(VARDATA_ANY(DatumGetPointer(value)),
					   VARSIZE_ANY_EXHDR(DatumGetPointer(value)), 0);
}

/*
 * The canonical bytes of a value (doc/hashing.md), for sketches of other hash families, which make
 * another hash of the same bytes.  They stay until the hasher is used again.
 */
extern const uint8 *pds_bytes_of(PdsHasher *hasher, Datum value, size_t *len);

#endif
