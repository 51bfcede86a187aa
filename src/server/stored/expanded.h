/*
 * expanded.h: sketches that stay in their building form between two calls
 *
 * A loop in PL/pgSQL, s := hll_add(s, v), would take the sketch apart and put it
 * together again for each value.  So there X_add gives an expanded object
 * (utils/expandeddatum.h) around the state, which PL/pgSQL keeps in its variable as
 * it is.  Everything else that looks at it gets the stored form, made when it is
 * first asked for.
 *
 * From 18 on the server hands the variable's own object to the function that
 * assigns to it (SupportRequestModifyInPlace), and the value goes in where it is.
 * Before, a function may only read it; then the state is copied as it is.
 *
 * Only a call whose sketch is a variable (an external parameter) or such an object
 * already makes one: in plain SQL the stored form is what is wanted next.
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
} PdsExpanded;

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

#endif
