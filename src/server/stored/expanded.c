/*
 * expanded.c: sketches that stay in their building form between two calls
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "nodes/supportnodes.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "argument.h"
#include "compat.h"
#include "expanded.h"
#include "state.h"

/*
 * Is a copy that is being made another pointer to a window's state?  Its size alone does not
 * tell: an empty filter is stored in as few bytes.
 */
static inline bool
copies_pointer(const PdsExpanded *e)
{
	return e->aggcontext != NULL && CurrentMemoryContext == e->aggcontext;
}

static Size
expanded_flat_size(ExpandedObjectHeader *eoh)
{
	PdsExpanded *e = (PdsExpanded *) eoh;

	if (copies_pointer(e))
		return EXPANDED_POINTER_SIZE;
	if (e->stored == NULL)
	{
		MemoryContext caller = CurrentMemoryContext;

		/* a context of its own: in the caller's, which can be a sort's, pfree() may be an error */
		if (e->storing == NULL)
			e->storing = AllocSetContextCreate(e->header.eoh_context, "probds stored sketch",
											   ALLOCSET_SMALL_SIZES);
		MemoryContextSwitchTo(e->storing);
		e->stored = pds_state_store(e->type, e->state);
		MemoryContextSwitchTo(caller);
	}
	return VARSIZE(e->stored);
}

static void
expanded_flatten(ExpandedObjectHeader *eoh, void *result, Size size)
{
	PdsExpanded *e = (PdsExpanded *) eoh;

	memcpy(result, copies_pointer(e) ? (void *) e->header.eoh_ro_ptr : e->stored, size);
}

const ExpandedObjectMethods pds_expanded_methods = {
	.get_flat_size = expanded_flat_size,
	.flatten_into = expanded_flatten,
};

/* The state has changed. */
static void
forget_stored(PdsExpanded *e)
{
	if (e->stored != NULL)
		MemoryContextReset(e->storing);
	e->stored = NULL;
}

/* The object that a datum points to, if it is a variable's and of this type. */
static PdsExpanded *
changeable_of(const PdsSketchType *type, Datum value)
{
	PdsExpanded *e = pds_expanded_of(type, (const struct varlena *) DatumGetPointer(value));

	return e != NULL && e->aggcontext == NULL ? e : NULL;
}

static bool
is_variable(FunctionCallInfo fcinfo)
{
	Node	   *arg = pds_argument(fcinfo, 0);

	/* a variable of a domain */
	if (arg != NULL && IsA(arg, RelabelType))
		arg = (Node *) ((RelabelType *) arg)->arg;
	return arg != NULL && IsA(arg, Param) && ((Param *) arg)->paramkind == PARAM_EXTERN;
}

bool
pds_is_kept(FunctionCallInfo fcinfo)
{
	return VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(PG_GETARG_DATUM(0))) ||
		is_variable(fcinfo);
}

/* The image of a state, in a memory context. */
static void *
copy_state(MemoryContext context, const void *state)
{
	void	   *copy = MemoryContextAlloc(context, VARSIZE(state));

	memcpy(copy, state, VARSIZE(state));
	return copy;
}

/* Returns a new state for a NULL sketch: see pds_change_begin(). */
static void *
begin_sketch(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	Node	   *sketch = pds_argument(fcinfo, 0);
	int32		typmod = sketch == NULL ? -1 : exprTypmod(sketch);
	double		values[PDS_MAX_PARAMETERS];

	/* of a domain, the modifier of its base type */
	if (typmod < 0 && sketch != NULL && IsA(sketch, RelabelType))
		(void) getBaseTypeAndTypmod(exprType((Node *) ((RelabelType *) sketch)->arg), &typmod);
	if (!pds_parameter_unpack(type->parameters, type->modifiers, typmod, values))
		pds_parameter_defaults(type->name, type->parameters, values);
	return type->new_state(values);
}

PdsTarget
pds_change_begin(FunctionCallInfo fcinfo, const PdsSketchType *type, bool in_place)
{
	Datum		value = PG_GETARG_DATUM(0);
	PdsExpanded *old = PG_ARGISNULL(0) ? NULL : changeable_of(type, value);
	PdsTarget	target = {NULL, NULL};
	struct varlena *stored = NULL;
	MemoryContext caller = CurrentMemoryContext;

	/* the first value gives a sketch its kind, which an error would have to take back */
	if (old != NULL && in_place && VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(value)) &&
		pds_state_kind(old->state) != PDS_KIND_NONE)
	{
		target.expanded = old;
		target.state = old->state;
		return target;
	}
	if (old == NULL && !PG_ARGISNULL(0))
		stored = pds_sketch_get(type, value);
	if (old != NULL || is_variable(fcinfo))
	{
		MemoryContext context = AllocSetContextCreate(caller, "probds sketch",
													  ALLOCSET_START_SMALL_SIZES);

		target.expanded = MemoryContextAllocZero(context, sizeof(PdsExpanded));
		EOH_init_header(&target.expanded->header, &pds_expanded_methods, context);
		target.expanded->type = type;
		/* the state is made where it stays: a large sketch is not copied once more */
		MemoryContextSwitchTo(context);
	}
	target.state = old != NULL ? copy_state(CurrentMemoryContext, old->state) :
		stored != NULL ? pds_state_load(type, stored) : begin_sketch(fcinfo, type);
	MemoryContextSwitchTo(caller);
	if (target.expanded != NULL)
		target.expanded->state = target.state;
	return target;
}

Datum
pds_change_end(PdsTarget *target, const PdsSketchType *type, void *state)
{
	PdsExpanded *e = target->expanded;

	if (e == NULL)
		return PointerGetDatum(pds_state_store(type, state));
	if (state != e->state)
	{
		/* it had to move to a larger one, in the memory context of this call */
		void	   *old = e->state;

		e->state = copy_state(e->header.eoh_context, state);
		pfree(old);
		pfree(state);
	}
	forget_stored(e);
	return EOHPGetRWDatum(&e->header);
}

Datum
pds_change_nothing(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	Datum		value = PG_GETARG_DATUM(0);
	PdsTarget	target;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	/* of an object that it may only read PL/pgSQL would keep the stored form */
	if (changeable_of(type, value) == NULL ||
		VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(value)))
		PG_RETURN_DATUM(value);
	target = pds_change_begin(fcinfo, type, false);
	return pds_change_end(&target, type, target.state);
}

struct varlena *
pds_live_result(FunctionCallInfo fcinfo, const PdsSketchType *type, void *state)
{
	PdsExpanded *live = fcinfo->flinfo->fn_extra;
	MemoryContext aggcontext;
	struct varlena *pointer;

	if (AggCheckCallContext(fcinfo, &aggcontext) != AGG_CONTEXT_WINDOW)
		return NULL;
	if (live == NULL)
	{
		live = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(PdsExpanded));
		EOH_init_header(&live->header, &pds_expanded_methods, fcinfo->flinfo->fn_mcxt);
		live->type = type;
		fcinfo->flinfo->fn_extra = live;
	}
	forget_stored(live);
	live->state = state;
	live->aggcontext = aggcontext;

	/* up to 15 the server asks in which memory context a result is, so it must be allocated */
	pointer = palloc(EXPANDED_POINTER_SIZE);
	memcpy(pointer, live->header.eoh_ro_ptr, EXPANDED_POINTER_SIZE);
	return pointer;
}

/* probds_add_support(internal) -> internal: may X_add(s, v) change s where it is? */
PG_FUNCTION_INFO_V1(probds_add_support);
extern Datum probds_add_support(PG_FUNCTION_ARGS);
Datum
probds_add_support(PG_FUNCTION_ARGS)
{
	Node	   *result = NULL;

#ifdef PDS_HAVE_MODIFY_IN_PLACE
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestModifyInPlace))
	{
		/* yes if s is the variable assigned to, and v does not look at it */
		SupportRequestModifyInPlace *r = (SupportRequestModifyInPlace *) request;
		Node	   *arg = linitial(r->args);

		if (IsA(arg, Param) && ((Param *) arg)->paramkind == PARAM_EXTERN &&
			((Param *) arg)->paramid == r->paramid)
			result = arg;
	}
#endif
	PG_RETURN_POINTER(result);
}
