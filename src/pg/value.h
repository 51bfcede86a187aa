/*
 * value.h: any SQL value -> canonical bytes -> 128-bit hash
 *
 * The hash contract is doc/hashing.md: values that are equal under their
 * type's own "=" have equal canonical bytes, the same on every server.
 *
 * The look-up of a type (what it is, how its canonical bytes are made) is done
 * once per call site and kept in fn_extra; nothing here depends on fn_expr or
 * on fn_extra surviving from row to row, so Citus' calls work too.
 */
#ifndef PDS_PG_VALUE_H
#define PDS_PG_VALUE_H

#include "postgres.h"

#include "fmgr.h"

#include "base/header.h"
#include "base/murmur3.h"

#pragma GCC visibility push(hidden)

/* How the values of one type (and collation) are hashed. Opaque. */
typedef struct PdsHasher PdsHasher;

/*
 * What a call site of ours keeps in fn_extra.  "room" is for the room whose
 * function it is; both are allocated in fn_mcxt and start out NULL.
 */
typedef struct PdsCallSite
{
	PdsHasher  *hasher;
	void	   *room;
} PdsCallSite;

extern PdsCallSite *pds_call_site(FunctionCallInfo fcinfo);

/*
 * The hasher for a type, allocated in mcxt.  Errors: 42883 when the type has
 * no equality that a hash could respect (json, xml, point, ...), with a hint
 * what to cast to.
 */
extern PdsHasher *pds_hasher_for_type(Oid typid, Oid collation, MemoryContext mcxt);
extern pds_kind pds_hasher_kind(const PdsHasher *hasher);
extern pds_hash pds_hasher_hash(PdsHasher *hasher, Datum value);

/*
 * Hash argument argno (not NULL) of a function declared with "any", by the
 * type it has at this call site.  A literal of type unknown is read as the
 * kind that the sketch holds ("want": number, uuid, bytea, inet, ...), else as
 * text.  *kind becomes the value's kind; comparing it is the caller's duty.
 */
extern pds_hash pds_hash_arg(FunctionCallInfo fcinfo, int argno,
							 pds_kind want, pds_kind *kind);

/*
 * The hasher for argument argno by itself, also of a function declared with a
 * concrete type; "want" as above.
 */
extern PdsHasher *pds_arg_hasher(FunctionCallInfo fcinfo, int argno, pds_kind want);

/*
 * The hasher for the elements of array argument argno (declared anyarray),
 * whose element type is "element".
 */
extern PdsHasher *pds_hasher_for_elements(FunctionCallInfo fcinfo, int argno,
										  Oid element);

/*
 * Fast paths of the aggregates declared with a concrete type.  Argument argno
 * is not NULL.  The text one knows nondeterministic collations and citext.
 */
extern pds_hash pds_hash_text_arg(FunctionCallInfo fcinfo, int argno, pds_kind *kind);
extern pds_hash pds_hash_bytea_arg(FunctionCallInfo fcinfo, int argno);
extern pds_hash pds_hash_inet_arg(FunctionCallInfo fcinfo, int argno);

/* Numbers of up to 64 bits: 8 bytes, little-endian. */
static inline pds_hash
pds_hash_number(int64 v)
{
	return pds_murmur3_u64((uint64) v);
}

/* What to call a kind in a message or an info row: "number", "text", "uuid", "array of date". */
extern const char *pds_kind_name(pds_kind kind);

#pragma GCC visibility pop

#endif
