/*
 * change.c: sketches made and changed by scalar functions: X_empty, X_add, X_add_all, X_merge
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/array.h"

#include "expanded.h"
#include "functions.h"
#include "state.h"
#include "value.h"

Datum
pds_sketch_empty(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	double		values[PDS_MAX_PARAMETERS];

	pds_parameter_args(fcinfo, 0, type->name, type->parameters, values);
	PG_RETURN_POINTER(pds_state_store(type, type->new_state(values)));
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
	state = pds_state_load_arg(fcinfo, 0, type);
	state = pds_state_merge(type, state, pds_sketch_get(type, PG_GETARG_DATUM(1)));
	PG_RETURN_POINTER(pds_state_store(type, state));
}
