/*
 * value.h: any SQL value -> canonical bytes -> 128-bit hash
 *
 * The hash contract is doc/hashing.md: values that are equal under their type's own
 * "=" have equal canonical bytes, the same on every server.
 *
 * A type (what it is, how its canonical bytes are made) is looked up once per call site and
 * kept in fn_extra.  Nothing here depends on fn_expr, or on fn_extra surviving from row to row,
 * so Citus' calls work too.
 */
#ifndef PDS_SERVER_VALUE_H
#define PDS_SERVER_VALUE_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/array.h"

#include "fixed.h"
#include "hasher.h"
#include "kind.h"
#include "murmur3.h"

/* of an aggregate (expected.c) */
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
} PdsCallSite;

extern PdsCallSite *pds_call_site(FunctionCallInfo fcinfo);

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
extern pds_hash pds_hash_text_arg_slowly(FunctionCallInfo fcinfo, int argno);

static pg_attribute_always_inline pds_hash
pds_hash_text_arg(FunctionCallInfo fcinfo, int argno, pds_kind *kind)
{
	const PdsCallSite *site = fcinfo->flinfo->fn_extra;
	const struct varlena *v = (const struct varlena *) PG_GETARG_POINTER(argno);
	const PdsHasher *hasher;
	pds_hash	hash;
	uint64		h1;
	uint64		h2;

	/* the usual case, without a look at anything but what the call site keeps */
	if (likely(site != NULL && (hasher = site->hasher) != NULL && hasher->argno == argno &&
			   hasher->call_collation == PG_GET_COLLATION() &&
			   hasher->shape == PDS_SHAPE_BYTES &&
			   !VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v)))
	{
		hash = pds_murmur3(VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v), 0);
		h1 = hash.h1;
		h2 = hash.h2;
	}
	else
	{
		hash = pds_hash_text_arg_slowly(fcinfo, argno);
		hasher = pds_call_site(fcinfo)->hasher;
		h1 = hash.h1;
		h2 = hash.h2;
	}
	*kind = hasher->kind;
	/* in registers: the halves of a struct that two branches write would go through memory */
	return (pds_hash) {h1, h2};
}

extern pds_hash pds_hash_bytea_arg(FunctionCallInfo fcinfo, int argno);
extern pds_hash pds_hash_inet_arg(FunctionCallInfo fcinfo, int argno);

#endif
