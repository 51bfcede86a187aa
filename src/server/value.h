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

/*
 * The data that a call site of ours keeps in fn_extra.  "known" is for the module whose
 * function it is; both are allocated in fn_mcxt and start out NULL.
 */
typedef struct PdsCallSite
{
	PdsHasher  *hasher;
	void	   *known;
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
extern pds_hash pds_hash_text_arg(FunctionCallInfo fcinfo, int argno, pds_kind *kind);
extern pds_hash pds_hash_bytea_arg(FunctionCallInfo fcinfo, int argno);
extern pds_hash pds_hash_inet_arg(FunctionCallInfo fcinfo, int argno);

#endif
