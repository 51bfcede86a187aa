/*
 * expanded.h: sketches that stay in their building form between two calls
 *
 * They are expanded objects (utils/expandeddatum.h) around a state.  Everything that does not know
 * them gets the stored form, which is made when it is first asked for: by detoasting, forming a
 * tuple or a tuplestore, or datumCopy().
 *
 * A loop in PL/pgSQL, s := hll_add(s, v) or s := s || part, would take the sketch apart and put it
 * together again for each value.  So there X_add and X_merge give such an object, which PL/pgSQL
 * keeps in its variable as it is.
 *
 * From 18 on the server hands the variable's own object to the function that
 * assigns to it (SupportRequestModifyInPlace), and the value goes in where it is.
 * Before, a function may only read it; then the state is copied as it is.
 *
 * Only a call whose sketch is a variable (an external parameter) or such an object
 * already makes one: in plain SQL the stored form is what is wanted next.
 *
 * Over a window the final function is called for every row.  If it made the stored form each
 * time, the cost of a row would grow with the size of the sketch.  But most queries only need
 * one answer from it: cms_frequency(cms_agg(...)  OVER ..., v).  So it returns a read-only
 * pointer to an object around the live state.  Functions of the same type read the state through
 * pds_live_state().
 *
 * How long that is valid.  A result by reference must last until the node returns its next row.
 * Code that keeps it longer copies it, and any copy is a stored value.  The state changes at
 * the next row and not before.
 *
 * The WindowAgg node itself copies each result to its aggregate context, for rows
 * that turn out to have the same frame; with the frame, they have the state in
 * common.  A copy made in that context, in which nobody else works, is therefore
 * another pointer to the object, and no stored value.
 */
#ifndef PDS_SERVER_STORED_EXPANDED_H
#define PDS_SERVER_STORED_EXPANDED_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/expandeddatum.h"

#include "compat.h"
#include "sketch.h"

typedef struct PdsExpanded
{
	ExpandedObjectHeader header;
	const PdsSketchType *type;
	void	   *state;
	struct varlena *stored;		/* its stored form, once asked for */
	MemoryContext storing;		/* where that is, or NULL */
	MemoryContext aggcontext;	/* of the WindowAgg node whose state it is, or NULL */
} PdsExpanded;

extern const ExpandedObjectMethods pds_expanded_methods;

/* A sketch on its way through a function that changes it. */
typedef struct PdsTarget
{
	PdsExpanded *expanded;		/* what the result will be; NULL: the stored form */
	void	   *state;
} PdsTarget;

/* Will the changed sketch be kept as an expanded object?  Argument 0 is not NULL. */
extern bool pds_is_kept(FunctionCallInfo fcinfo);

/*
 * Returns the sketch that is argument 0, to be changed.  With in_place, an argument that
 * is an object and may be changed is the result itself. Then an error after the first change
 * leaves it half changed. Otherwise the result is always a copy.
 *
 * For a NULL sketch the result is a new sketch, as array_append() makes a new array.  Its
 * parameters are those of the argument's type modifier, or the default ones.  Errors: 22004 if a
 * parameter has no default.
 */
extern PdsTarget pds_change_begin(FunctionCallInfo fcinfo, const PdsSketchType *type,
								  bool in_place);

/* The result of that function, of the state that the changes have led to. */
extern Datum pds_change_end(PdsTarget *target, const PdsSketchType *type, void *state);

/* The result of a function that leaves argument 0, which may be NULL, as it is. */
extern Datum pds_change_nothing(FunctionCallInfo fcinfo, const PdsSketchType *type);

/*
 * The result of a final function, one for each call site: the state (not NULL) if
 * it was called over a window, else NULL.
 */
extern struct varlena *pds_live_result(FunctionCallInfo fcinfo, const PdsSketchType *type,
									   void *state);

/* The object that a datum (not NULL) points to; NULL if it is a value, or another type's object. */
static inline PdsExpanded *
pds_expanded_of(const PdsSketchType *type, const struct varlena *v)
{
	PdsExpanded *e;

	if (likely(!VARATT_IS_EXTERNAL_EXPANDED(v)))
		return NULL;
	e = (PdsExpanded *) DatumGetEOHP(PointerGetDatum(v));
	return e->header.eoh_methods == &pds_expanded_methods && e->type == type ? e : NULL;
}

/* The live state that a datum (not NULL) of this type points to; NULL if it is a value. */
static inline void *
pds_live_state(const PdsSketchType *type, const struct varlena *v)
{
	const PdsExpanded *e = pds_expanded_of(type, v);

	return e != NULL && e->aggcontext != NULL ? e->state : NULL;
}

#endif
