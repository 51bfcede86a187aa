/*
 * sketch_change.c: sketches made and changed by scalar functions: X_empty, X_add, X_add_all,
 * X_remove, X_remove_all
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/array.h"

#include "expanded.h"
#include "entry_points.h"
#include "state.h"
#include "call_argument.h"

Datum
pds_sketch_empty(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	double		values[PDS_MAX_PARAMETERS];

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	pds_parameter_args(fcinfo, 0, type->name, type->parameters, values);
	PG_RETURN_POINTER(pds_state_store(type, type->new_state(values)));
}

void *
pds_add_value(const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	if (type->add_datum != NULL)
		return type->add_datum(state, hasher, value);
	hash = pds_hasher_hash(hasher, value);
	if (type->add_value == NULL)
		return pds_state_add(type, state, hash, pds_hasher_kind(hasher));
	pds_state_take_kind(type, state, pds_hasher_kind(hasher));
	return type->add_value(state, hash, hasher, value);
}

void *
pds_remove_value(const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value)
{
	pds_hash	hash = pds_hasher_hash(hasher, value);
	pds_status	status;

	pds_require_kind(type, pds_state_kind(state), pds_hasher_kind(hasher));
	status = type->ops->remove(state, hash);
	if (status != PDS_OK)
		pds_state_refuse(type, state, status);
	return state;
}

/* The kind as which a literal is read that has no type. */
static pds_kind
kind_of_literals(const PdsSketchType *type, const void *state)
{
	pds_kind	kind = pds_state_kind(state);

	return kind != PDS_KIND_NONE ? kind : type->reads_text_as;
}

/*
 * Returns whether a change leaves argument 0 as it is: the value is NULL, or there is no sketch to
 * remove it from.
 */
static inline bool
changes_nothing(FunctionCallInfo fcinfo, PdsChange change)
{
	return PG_ARGISNULL(1) || (PG_ARGISNULL(0) && change == pds_remove_value);
}

Datum
pds_sketch_change(FunctionCallInfo fcinfo, const PdsSketchType *type, PdsChange change)
{
	PdsTarget	target;

	if (changes_nothing(fcinfo, change))
		return pds_change_nothing(fcinfo, type);
	target = pds_change_begin(fcinfo, type, true);
	return pds_change_end(&target, type,
						  change(type, target.state,
								 pds_arg_hasher(fcinfo, 1, kind_of_literals(type, target.state)),
								 PG_GETARG_DATUM(1)));
}

Datum
pds_sketch_change_all(FunctionCallInfo fcinfo, const PdsSketchType *type, PdsChange change)
{
	PdsTarget	target;
	void	   *state;
	PdsHasher  *hasher;
	ArrayIterator it;
	Datum		value;
	bool		isnull;

	if (changes_nothing(fcinfo, change))
		return pds_change_nothing(fcinfo, type);
	/* an array may hold what cannot be added or removed behind what can */
	target = pds_change_begin(fcinfo, type, false);
	state = target.state;
	it = array_create_iterator(pds_array_arg(fcinfo, 1, kind_of_literals(type, state), &hasher),
							   0, NULL);
	/* though there be no element, so that a wrong type is found with the first row */
	if (change == pds_remove_value)
		pds_require_kind_of_elements(type, pds_state_kind(state), hasher);
	while (array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			state = change(type, state, hasher, value);
	}
	array_free_iterator(it);
	return pds_change_end(&target, type, state);
}
