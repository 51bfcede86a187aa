/*
 * state.h: the building form of a sketch
 *
 * A state is a flat image with spare space that a module changes in place.  Aggregates hand it
 * from row to row, and X_add and X_merge work in it.  It is a value of the sketch type, so it
 * begins as every value does, but with PDS_ENCODING_BUILDING in its header (base/header.h).  It
 * is in native byte order, and aligned as palloc aligns.
 *
 * The functions here give a module's pure half (base/state_ops.h) its memory and call
 * it again where it lacked space.  States have the type void *, values struct varlena *.
 */
#ifndef PDS_SERVER_TYPE_STATE_H
#define PDS_SERVER_TYPE_STATE_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "compat.h"
#include "sketch.h"

/* Memory for a plan of any module. */
typedef union PdsPlan
{
	pds_plan	head;
	uint8		bytes[PDS_PLAN_BYTES];
} PdsPlan;

/* Memory of size bytes for a state, with its length word set and no more. */
extern void *pds_state_alloc(size_t size);

/*
 * Returns whether this state can be changed in place: we made it (aligned, with a full length
 * word).  The caller must know whether we are in an aggregate at all.
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

/* The union of nothing yet. */
extern void *pds_state_nothing(const PdsSketchType *type);

/* Returns the same state in a new image by a plan of the module; the old image remains. */
extern void *pds_state_move(const PdsSketchType *type, const void *state, pds_plan *plan);

/* Returns the same state in a larger image, after a PDS_FULL. */
extern void *pds_state_grow(const PdsSketchType *type, const void *state);

/*
 * A change of a state was answered with this status, which is neither PDS_OK nor
 * PDS_FULL: the type's error, or XX001.
 */
pg_noreturn extern void pds_state_refuse(const PdsSketchType *type, const void *state,
										 pds_status status);

/*
 * Returns the new image of a state that has moved.  The old one is freed, unless it is the one that
 * was given to the caller: a large state may move many times in one call.
 */
static inline void *
pds_state_replace(const void *given, void *old, void *new)
{
	if (old != given)
		pfree(old);
	return new;
}

/*
 * Call a function of a module that changes "state" until it has space enough; any other
 * status is an error.  "call" is an expression that uses "state".
 */
#define PDS_STATE_CHANGE(type, state, call) \
	do { \
		const void *given_ = (state); \
		pds_status	status_; \
		while (unlikely((status_ = (call)) != PDS_OK)) \
		{ \
			if (status_ != PDS_FULL) \
				pds_state_refuse(type, state, status_); \
			(state) = pds_state_replace(given_, state, pds_state_grow(type, state)); \
		} \
	} while (0)

/* One more value, by its hash, of a module that keeps no values.  Errors: 22000 for
 * another kind, and the module's. */
extern void *pds_state_add(const PdsSketchType *type, void *state, pds_hash hash, pds_kind kind);

/* A detoasted value of either form as a new state. */
extern void *pds_state_from(const PdsSketchType *type, struct varlena *value);

/* A stored value (detoasted, short header possible) as a new state. */
extern void *pds_state_load(const PdsSketchType *type, struct varlena *value);

/* The union of a state and a detoasted value of either form. */
extern void *pds_state_merge(const PdsSketchType *type, void *state, struct varlena *value);

/* The stored form, a new value; the state remains a state. */
extern struct varlena *pds_state_store(const PdsSketchType *type, void *state);

/*
 * expected_size.c: the new state of a group, or the same in a larger image, for the step of an
 * aggregate over values.  The state is freed if another one is returned.
 */
extern void *pds_expected_state(FunctionCallInfo fcinfo, const PdsSketchType *type, void *state);

#endif
