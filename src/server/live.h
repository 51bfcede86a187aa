/*
 * live.h: the state of a window aggregate as its result
 *
 * Over a window the final function is called for every row.  If it made the
 * stored form each time, a row would cost as much as the sketch is large, while
 * most queries only ask it one question: cms_frequency(cms_agg(...) OVER ..., v).
 * So what it returns there is a read-only pointer to an expanded object
 * (utils/expandeddatum.h) around the live state: functions of the same type read
 * the state through pds_live_state(), everything else that looks gets the stored
 * form, made then: detoasting, a tuple or a tuplestore being formed, datumCopy().
 *
 * How long it is good.  A result by reference must last until the node is asked
 * for its next row; who keeps it longer copies it, and any copy is a stored value.
 * The state changes at the next row and not before.
 *
 * The WindowAgg node itself copies each result to its aggregate context, for rows
 * that turn out to have the same frame; with the frame, they have the state in
 * common.  A copy made in that context, in which nobody else works, is therefore
 * another pointer to the object, and no stored value.
 */
#ifndef PDS_SERVER_LIVE_H
#define PDS_SERVER_LIVE_H

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
