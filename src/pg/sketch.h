/*
 * sketch.h: what every sketch type does alike as a value of the server
 *
 * Text, binary and bytea input and output, comparison, type modifiers and the
 * messages about what does not go together.  A room describes itself in a
 * PdsSketchType and gets its SQL entry points from PDS_SKETCH_FUNCTIONS.
 *
 * A Datum of a sketch type is one of two things: the stored form, or the
 * building form of an aggregate's state, which the executor hands about between
 * transition, combine and final functions (and, where an aggregate of a
 * user's own has no final function, to anybody).  pds_sketch_get() is the door
 * through which all but the aggregates read: behind it there is only the stored
 * form.
 */
#ifndef PDS_PG_SKETCH_H
#define PDS_PG_SKETCH_H

#include "postgres.h"

#include "fmgr.h"

#include "base/header.h"
#include "base/status.h"
#include "pg/compat.h"

#pragma GCC visibility push(hidden)

typedef struct PdsSketchType
{
	const char *name;			/* of the SQL type */

	/* is this payload one that we can have written? (base/status.h) */
	pds_status	(*check) (const uint8_t *payload, size_t len, const char **why);

	/* the stored form of an aggregate's state, palloc'd; varlena to varlena */
	struct varlena *(*finish) (struct varlena *building);

	/*
	 * The type modifier as the user wrote it, from its arguments: validates
	 * and packs into a number >= 0; and back, without the parentheses.
	 */
	int32		(*typmod_in) (int32 *args, int n);
	char	   *(*typmod_out) (int32 typmod);

	/*
	 * Does a payload keep the promise of a modifier?  If not, what it promises
	 * and what it is, for the error message ("precision 12"), and what to do
	 * about it; palloc'd.
	 */
	bool		(*typmod_holds) (const uint8_t *payload, size_t len, int32 typmod,
								 char **promised, char **found, char **hint);

	/*
	 * Fold a value to the modifier, for explicit casts; NULL if no folding
	 * leads there.
	 */
	struct varlena *(*typmod_fold) (struct varlena *value, int32 typmod);
} PdsSketchType;

/* Payload of a detoasted, possibly short-headed value. */
#define PDS_PAYLOAD(v)		((const uint8_t *) VARDATA_ANY(v))
#define PDS_PAYLOAD_LEN(v)	((size_t) VARSIZE_ANY_EXHDR(v))

/* Is this value, detoasted or at least not compressed, an aggregate's state? */
static inline bool
pds_is_building(const struct varlena *v)
{
	return VARSIZE_ANY_EXHDR(v) > PDS_HEADER_BYTES &&
		(PDS_PAYLOAD(v)[1] & 0x0f) == PDS_ENCODING_BUILDING;
}

/*
 * Can this state be changed where it is?  It is one that we made (aligned, with
 * a full length word); whether we are in an aggregate at all is the caller's
 * question.
 */
static inline bool
pds_is_writable_state(const struct varlena *v)
{
	return VARATT_IS_4B_U(v) && pds_is_building(v);
}

/* The stored form of a value: detoasted, short header possible, not to be changed. */
extern struct varlena *pds_sketch_get(const PdsSketchType *type, Datum value);

/*
 * The first "most" bytes of the payload, or all of it: a large stored value is
 * not read beyond the TOAST chunks that these are in.
 */
extern struct varlena *pds_sketch_get_head(const PdsSketchType *type, Datum value,
										   int32 most);

/* A payload as a new value. */
extern struct varlena *pds_sketch_from_payload(const uint8_t *payload, size_t len);

/* Common bodies of SQL functions. */
extern Datum pds_sketch_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_recv(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_send(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_from_bytea(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_cast(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern int	pds_sketch_cmp(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_hash(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_hash_extended(FunctionCallInfo fcinfo, const PdsSketchType *type);

/* The SQL entry points of a type x described by the PdsSketchType "type". */
#define PDS_SKETCH_FUNCTION(name, body) \
	PG_FUNCTION_INFO_V1(name); \
	Datum name(PG_FUNCTION_ARGS) { body; } \
	extern Datum name(PG_FUNCTION_ARGS)

#define PDS_SKETCH_FUNCTIONS(x, type) \
	PDS_SKETCH_FUNCTION(probds_##x##_in, return pds_sketch_in(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_out, return pds_sketch_out(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_recv, return pds_sketch_recv(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_send, return pds_sketch_send(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_from_bytea, return pds_sketch_from_bytea(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_in, return pds_sketch_typmod_in(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_out, return pds_sketch_typmod_out(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_cast, return pds_sketch_typmod_cast(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_eq, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) == 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_ne, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) != 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_lt, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) < 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_le, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) <= 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_gt, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) > 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_ge, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) >= 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_cmp, PG_RETURN_INT32(pds_sketch_cmp(fcinfo, &(type)))); \
	PDS_SKETCH_FUNCTION(probds_##x##_hash, return pds_sketch_hash(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_hash_extended, return pds_sketch_hash_extended(fcinfo, &(type)))

/* 22000: a value of one kind meets a sketch that holds another. */
pg_noreturn extern void pds_kind_mismatch(const PdsSketchType *type, pds_kind holds,
										  pds_kind value);

/*
 * The kind of the union of two sketches of these kinds and hash families.
 * 22000 if there is none.  An empty sketch goes with every other.
 */
extern pds_kind pds_require_mergeable(const PdsSketchType *type,
									  pds_kind kind_a, uint8_t family_a,
									  pds_kind kind_b, uint8_t family_b);

/* XX001: stored bytes that do not make sense. */
pg_noreturn extern void pds_stored_corrupt(const PdsSketchType *type, const char *why);

/*
 * The kind that a sketch of kind "holds" has once a value of kind "value" is
 * in it; an error if that cannot be.
 */
static inline pds_kind
pds_kind_with(const PdsSketchType *type, pds_kind holds, pds_kind value)
{
	if (likely(holds == value))
		return holds;
	if (holds != PDS_KIND_NONE)
		pds_kind_mismatch(type, holds, value);
	return value;
}

/*
 * 0A000 unless we are called as part of an aggregate: only there may a state
 * be changed in place.
 */
extern void pds_require_aggregate(FunctionCallInfo fcinfo);

/* An estimated number of values as bigint: rounded, and clipped to what it can hold. */
extern Datum pds_count_datum(double n);

/* The same number with six significant digits, for info rows. */
extern double pds_for_people(double n);

#pragma GCC visibility pop

#endif
