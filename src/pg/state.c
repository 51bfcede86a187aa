/*
 * state.c: sketches changed by scalar functions: X_add, X_add_all, X_merge
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/array.h"

#include "pg/expanded.h"
#include "pg/state.h"
#include "pg/value.h"

void *
pds_state_from(const PdsSketchType *type, struct varlena *value)
{
	if (pds_is_building(value))
		return pds_sketch_own_state(type, value);
	return type->load(value);
}

void *
pds_state_merge(const PdsSketchType *type, void *state, struct varlena *value)
{
	struct varlena *copy;

	if (!pds_is_building(value))
		return type->merge(state, value);
	/* one that passed through a tuple may have a short header, lie anywhere, be damaged */
	if (VARATT_IS_4B_U(value) && (uintptr_t) value % MAXIMUM_ALIGNOF == 0)
	{
		pds_require_state(type, value);
		return type->merge(state, value);
	}
	copy = pds_sketch_own_state(type, value);
	state = type->merge(state, copy);
	pfree(copy);
	return state;
}

/* The sketch of argument argno (not NULL) as a new state. */
static void *
load_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type)
{
	return type->load(pds_sketch_get(type, PG_GETARG_DATUM(argno)));
}

/* The state with one more value. */
static void *
add_value(const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value)
{
	pds_hash	hash = pds_hasher_hash(hasher, value);

	if (type->add_value == NULL)
		return pds_state_add(type, state, hash, pds_hasher_kind(hasher));
	pds_state_take_kind(type, state, pds_hasher_kind(hasher));
	return type->add_value(state, hash, hasher, value);
}

/* A NULL sketch stays NULL, a NULL value adds nothing. */
Datum
pds_sketch_add(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	PdsTarget	target;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	target = pds_change_begin(fcinfo, type, true);
	return pds_change_end(&target, type,
						  add_value(type, target.state,
									pds_arg_hasher(fcinfo, 1, pds_state_kind(target.state)),
									PG_GETARG_DATUM(1)));
}

/* NULL elements add nothing. */
Datum
pds_sketch_add_all(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	PdsTarget	target;
	void	   *state;
	ArrayType  *array;
	PdsHasher  *hasher;
	ArrayIterator it;
	Datum		value;
	bool		isnull;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	/* an array may hold what cannot be added behind what can */
	target = pds_change_begin(fcinfo, type, false);
	state = target.state;
	array = pds_array_arg(fcinfo, 1, pds_state_kind(state), &hasher);
	it = array_create_iterator(array, 0, NULL);
	while (array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			state = add_value(type, state, hasher, value);
	}
	array_free_iterator(it);
	return pds_change_end(&target, type, state);
}

/* NULL is nothing, so the other one is the union. */
Datum
pds_sketch_merge(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	void	   *state;

	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (PG_ARGISNULL(0))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	state = load_arg(fcinfo, 0, type);
	state = type->merge(state, pds_sketch_get(type, PG_GETARG_DATUM(1)));
	PG_RETURN_POINTER(type->store(state));
}
