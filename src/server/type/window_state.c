/*
 * window_state.c: the state of a window aggregate as its result
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "window_state.h"
#include "state.h"

/*
 * Is a copy that is being made another pointer to the state?  Its size alone does not
 * tell: an empty filter is stored in as few bytes.
 */
static inline bool
copies_pointer(const PdsLive *live)
{
	return CurrentMemoryContext == live->aggcontext;
}

static Size
live_flat_size(ExpandedObjectHeader *eoh)
{
	PdsLive    *live = (PdsLive *) eoh;

	if (copies_pointer(live))
		return EXPANDED_POINTER_SIZE;
	if (live->stored == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(live->context);

		live->stored = pds_state_store(live->type, live->state);
		MemoryContextSwitchTo(old);
	}
	return VARSIZE_ANY(live->stored);
}

static void
live_flatten(ExpandedObjectHeader *eoh, void *result, Size size)
{
	PdsLive    *live = (PdsLive *) eoh;

	if (size == EXPANDED_POINTER_SIZE && copies_pointer(live))
		memcpy(result, live->header.eoh_ro_ptr, EXPANDED_POINTER_SIZE);
	else
		memcpy(result, live->stored, size);
}

const ExpandedObjectMethods pds_live_methods = {
	.get_flat_size = live_flat_size,
	.flatten_into = live_flatten,
};

struct varlena *
pds_live_result(FunctionCallInfo fcinfo, const PdsSketchType *type, void *state)
{
	PdsLive    *live = fcinfo->flinfo->fn_extra;
	MemoryContext aggcontext;
	struct varlena *pointer;

	if (AggCheckCallContext(fcinfo, &aggcontext) != AGG_CONTEXT_WINDOW)
		return NULL;
	if (live == NULL)
	{
		MemoryContext context = fcinfo->flinfo->fn_mcxt;

		live = MemoryContextAllocZero(context, sizeof(PdsLive));
		EOH_init_header(&live->header, &pds_live_methods, context);
		live->type = type;
		live->context = AllocSetContextCreate(context, "probds window aggregate",
											  ALLOCSET_SMALL_SIZES);
		fcinfo->flinfo->fn_extra = live;
	}
	if (live->stored != NULL)
	{
		MemoryContextReset(live->context);
		live->stored = NULL;
	}
	live->state = state;
	live->aggcontext = aggcontext;

	/* up to 15 the server asks in which memory context a result is, so it must be allocated */
	pointer = palloc(EXPANDED_POINTER_SIZE);
	memcpy(pointer, live->header.eoh_ro_ptr, EXPANDED_POINTER_SIZE);
	return pointer;
}
