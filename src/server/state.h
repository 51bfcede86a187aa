/*
 * state.h: the building form of a sketch, and the SQL functions that change one
 *
 * A state is a flat image with spare space that a space changes in place: what an
 * aggregate hands from row to row, and what X_add and X_merge work in.  It is a
 * value of the sketch type, so it begins as every value does, and with
 * PDS_ENCODING_BUILDING in its header: (base/header.h):
 * in native byte order, with spare space, aligned as palloc aligns.
 *
 * States have the type void *, values struct varlena *.
 */
#ifndef PDS_SERVER_STATE_H
#define PDS_SERVER_STATE_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "compat.h"
#include "sketch.h"

/* Memory of size bytes for a state, with its length word set and no more. */
static inline void *
pds_state_alloc(size_t size)
{
	void	   *state = palloc(size);

	SET_VARSIZE(state, size);
	return state;
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

/*
 * The state takes the kind of a value that it is going to hold.  Errors: 22000
 * if it holds values of another kind.
 */
static inline void
pds_state_take_kind(const PdsSketchType *type, void *state, pds_kind kind)
{
	pds_kind	holds = pds_state_kind(state);

	if (likely(holds == kind))
		return;
	if (holds != PDS_KIND_NONE)
		pds_kind_mismatch(type, holds, kind);
	pds_state_set_kind(state, kind);
}

/*
 * One more value, by its hash (of a module that keeps no values).  Errors: 22000 as
 * above, and the module's.
 */
static inline void *
pds_state_add(const PdsSketchType *type, void *state, pds_hash hash, pds_kind kind)
{
	pds_state_take_kind(type, state, kind);
	return type->add(state, hash);
}

/*
 * The state takes the kind that its union with a value (stored or building) has.
 * Errors: 22000 if their kinds or hash families do not go together.
 */
static inline void
pds_state_join(const PdsSketchType *type, void *state, const struct varlena *value)
{
	pds_state_set_kind(state, pds_require_mergeable(type, pds_state_kind(state),
													pds_state_family(state),
													pds_value_kind(value),
													pds_value_family(value)));
}

/* A detoasted value of either form as a new state. */
extern void *pds_state_from(const PdsSketchType *type, struct varlena *value);

/* The union of a state and a detoasted value of either form. */
extern void *pds_state_merge(const PdsSketchType *type, void *state,
							 struct varlena *value);

/*
 * Common bodies of SQL functions: X_add(X, "any"), X_add_all(X, anyarray),
 * X_merge(X, X).
 */
extern Datum pds_sketch_add(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_add_all(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_merge(FunctionCallInfo fcinfo, const PdsSketchType *type);

/*
 * Their SQL entry points.  A module with an addition of its own makes the other
 * one of the first two by PDS_SKETCH_FUNCTION.
 */
#define PDS_ADD_FUNCTIONS(x, type) \
	PDS_SKETCH_FUNCTION(probds_##x##_add, return pds_sketch_add(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_add_all, return pds_sketch_add_all(fcinfo, &(type)))

#define PDS_MERGE_FUNCTION(x, type) \
	PDS_SKETCH_FUNCTION(probds_##x##_merge, return pds_sketch_merge(fcinfo, &(type)))

#endif
