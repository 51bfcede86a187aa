/*
 * sketch.h: what every sketch type does alike as a value of the server
 *
 * Text, binary and bytea input and output, comparison, type modifiers and the
 * messages about what does not go together.  A module describes itself in a
 * PdsSketchType and gets its SQL entry points from PDS_SKETCH_FUNCTIONS here,
 * from state.h (add, merge) and aggregate.h.  Their SQL declarations are the
 * templates src/extension/sketch_*.sql.
 *
 * A Datum of a sketch type is one of two things: the stored form, or the
 * building form of an aggregate's state, which the executor hands about between
 * transition, combine and final functions (and, where an aggregate of a
 * user's own has no final function, to anybody).  pds_sketch_get() is the door
 * through which all but the aggregates read: behind it there is only the stored
 * form.
 */
#ifndef PDS_SERVER_SKETCH_H
#define PDS_SERVER_SKETCH_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "murmur3.h"
#include "status.h"
#include "compat.h"
#include "kind_name.h"
#include "value.h"

/* What probds_health() wants to know of a sketch. */
typedef struct PdsHealth
{
	const char *parameters;		/* "precision 12" */
	double		fill;			/* 0 to 1 */
	double		rate;			/* false-positive rate as filled now, or -1 */
	double		error;			/* relative, or -1 */
	const char *status;			/* "ok", or what is wrong */
	pds_kind	kind;
	const char *family;
	int64		bytes;
} PdsHealth;

typedef struct PdsSketchType
{
	const char *name;			/* of the SQL type */
	const char *array_functions;	/* its functions that take an array, for a hint */

	/* is this payload one that we can have written? (base/status.h) */
	pds_status	(*check) (const uint8_t *payload, size_t len, const char **why);

	/*
	 * For what check() cannot know without the server, of a payload that has
	 * passed it: is what is text in it valid text here?  A sentence if not.
	 * NULL if there is nothing of the kind.
	 */
	const char *(*check_here) (const uint8_t *payload, size_t len);

	/*
	 * What can be done with a state, the building form of a sketch (state.h).
	 * All palloc in the current memory context; a call that gets a state may
	 * change it, and returns it or the larger one that it had to move to.
	 *
	 * nothing: the state of a union that has met nothing yet; it takes its
	 * parameters from the first sketch that it is merged with.
	 *
	 * load: a stored value (detoasted, short header possible) as a new state.
	 *
	 * add: with one more value, by its hash.  The kind of value is the frame's
	 * business (pds_state_add).
	 *
	 * add_value: instead of add, for a module that keeps values: with the value
	 * and its hasher as well.
	 *
	 * merge: the union with a value, which is a stored one as for load, or
	 * another state (pds_is_building), not to be changed.  A module calls
	 * pds_state_join() in it.
	 *
	 * store: the stored form, a new value; the state remains a state.
	 *
	 * check_state: is this, of so many bytes and aligned, a state that can be worked
	 * with?  Asked of what has been in a table, where it can have been damaged.
	 */
	void	   *(*nothing) (void);
	void	   *(*load) (struct varlena *value);
	void	   *(*add) (void *state, pds_hash hash);
	void	   *(*add_value) (void *state, pds_hash hash, PdsHasher *hasher, Datum value);
	void	   *(*merge) (void *state, struct varlena *value);
	struct varlena *(*store) (void *state);
	bool		(*check_state) (const void *state, size_t size);

	/* How a stored value (detoasted) is; palloc'd.  XX001 if it is corrupt. */
	void		(*health) (struct varlena *value, PdsHealth *h);

	/*
	 * The type modifier as the user wrote it, from its n arguments (read them
	 * with pds_typmod_int32 and its like): validates and packs into a number
	 * >= 0; and back, without the parentheses.
	 */
	int32		(*typmod_in) (char **args, int n);
	char	   *(*typmod_out) (int32 typmod);

	/* Is this one that typmod_in can have made?  Of the others only this is called. */
	bool		(*typmod_valid) (int32 typmod);

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

/* All of them, with NULL behind the last; in the order of the install script. */
extern const PdsSketchType *const pds_sketch_types[];

/* Payload of a detoasted, possibly short-headed value. */
#define PDS_PAYLOAD(v)		((const uint8_t *) VARDATA_ANY(v))
#define PDS_PAYLOAD_LEN(v)	((size_t) VARSIZE_ANY_EXHDR(v))

/* The kind of a detoasted value of either form, aligned if it is a state; and its family. */
static inline pds_kind
pds_value_kind(const struct varlena *v)
{
	if ((PDS_PAYLOAD(v)[1] & 0x0f) == PDS_ENCODING_BUILDING)
		return pds_state_kind(v);
	return pds_header_kind(PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v));
}

static inline uint8
pds_value_family(const struct varlena *v)
{
	return PDS_PAYLOAD(v)[1] >> 4;
}

/* Is this value, detoasted or at least not compressed, an aggregate's state? */
static inline bool
pds_is_building(const struct varlena *v)
{
	return VARSIZE_ANY_EXHDR(v) > PDS_HEADER_BYTES &&
		(PDS_PAYLOAD(v)[1] & 0x0f) == PDS_ENCODING_BUILDING;
}

/* The stored form of a value: detoasted, short header possible, not to be changed. */
extern struct varlena *pds_sketch_get(const PdsSketchType *type, Datum value);

/*
 * The first "most" bytes of the payload, or all of it: a large stored value is
 * not read beyond the TOAST chunks that these are in.
 */
extern struct varlena *pds_sketch_get_head(const PdsSketchType *type, Datum value,
										   int32 most);

/*
 * A state that is not one of our own, or not any more, as a new one, which is.
 * XX001 if it is damaged.
 */
extern struct varlena *pds_sketch_own_state(const PdsSketchType *type,
											const struct varlena *value);

/* XX001 if a state (aligned, with a full length word) is damaged. */
extern void pds_require_state(const PdsSketchType *type, const struct varlena *state);

/* A payload as a new value. */
extern struct varlena *pds_sketch_from_payload(const uint8_t *payload, size_t len);

/*
 * One argument of a type modifier as a number; the server's usual error
 * (22P02, 22003) if it is none.
 */
extern int32 pds_typmod_int32(const char *arg);
extern double pds_typmod_float8(const char *arg);

/* Common bodies of SQL functions. */
extern Datum pds_sketch_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_recv(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_send(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_from_bytea(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_cast(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern bool pds_sketch_equal(FunctionCallInfo fcinfo, const PdsSketchType *type);
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
	PDS_SKETCH_FUNCTION(probds_##x##_eq, PG_RETURN_BOOL(pds_sketch_equal(fcinfo, &(type)))); \
	PDS_SKETCH_FUNCTION(probds_##x##_ne, PG_RETURN_BOOL(!pds_sketch_equal(fcinfo, &(type)))); \
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
 * 22000 if a value is of another kind than those in a sketch: it was hashed otherwise
 * and would not be found.  An empty sketch accepts every kind.
 */
static inline void
pds_require_kind(const PdsSketchType *type, pds_kind holds, pds_kind value)
{
	if (unlikely(holds != value && holds != PDS_KIND_NONE))
		pds_kind_mismatch(type, holds, value);
}

/* The same before any element of an array has been hashed. */
static inline void
pds_require_kind_of_elements(const PdsSketchType *type, pds_kind holds, const PdsHasher *element)
{
	if (!pds_hasher_varies(element))
		pds_require_kind(type, holds, pds_hasher_kind(element));
}

/*
 * The kind of the union of two sketches of these kinds and hash families.
 * 22000 if there is none.  An empty sketch goes with every other.
 */
extern pds_kind pds_require_mergeable(const PdsSketchType *type,
									  pds_kind kind_a, uint8_t family_a,
									  pds_kind kind_b, uint8_t family_b);

/* XX001: stored bytes that do not make sense. */
pg_noreturn extern void pds_stored_corrupt(const PdsSketchType *type, const char *why);

#endif
