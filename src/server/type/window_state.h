/*
 * window_state.h: the state of a window aggregate as its result
 *
 * Over a window the final function is called for every row.  If it made the stored form each
 * time, the cost of a row would grow with the size of the sketch.  But most queries only need
 * one answer from it: cms_frequency(cms_agg(...)  OVER ..., v).  So it returns a read-only
 * pointer to an expanded object (utils/expandeddatum.h) around the live state.  Functions of
 * the same type read the state through pds_live_state().  Everything else gets the stored form,
 * which is made at that moment: detoasting, forming a tuple or a tuplestore, datumCopy().
 *
 * How long it is valid.  A result by reference must last until the node returns its next row.
 * Code that keeps it longer copies it, and any copy is a stored value.  The state changes at
 * the next row and not before.
 *
 * The WindowAgg node itself copies each result to its aggregate context, for rows
 * that turn out to have the same frame; with the frame, they have the state in
 * common.  A copy made in that context, in which nobody else works, is therefore
 * another pointer to the object, and no stored value.
 */
#ifndef PDS_SERVER_TYPE_WINDOW_STATE_H
#define PDS_SERVER_TYPE_WINDOW_STATE_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/expandeddatum.h"

#include "compat.h"
#include "sketch.h"

/*
 * The result of a final function, one for each call site: the state (not NULL) if
 * it was called over a window, else NULL.
 */
extern struct varlena *pds_live_result(FunctionCallInfo fcinfo, const PdsSketchType *type,
									   void *state);

extern const ExpandedObjectMethods pds_live_methods;

typedef struct PdsLive
{
	ExpandedObjectHeader header;
	const PdsSketchType *type;
	void	   *state;
	MemoryContext aggcontext;	/* of the WindowAgg node, where the state lives */
	MemoryContext context;		/* our own, of what follows */
	struct varlena *stored;		/* the stored form of the state, once asked for */
} PdsLive;

/* The live state that a datum (not NULL) of this type points to; NULL if it is a value. */
static inline void *
pds_live_state(const PdsSketchType *type, const struct varlena *v)
{
	const PdsLive *live;

	if (likely(!VARATT_IS_EXTERNAL_EXPANDED(v)))
		return NULL;
	live = (const PdsLive *) DatumGetEOHP(PointerGetDatum(v));
	return live->header.eoh_methods == &pds_live_methods && live->type == type ?
		live->state : NULL;
}

#endif
