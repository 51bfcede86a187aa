/*
 * aggregate.h: the entry points of aggregates
 *
 * The step of those that merge sketches, and the combine function of all, is X_merge()
 * (entry_points.h).  For aggregates over values each module has one step,
 *
 *     static Datum step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
 *
 * with no hash for a NULL value.  PDS_AGGREGATE_ENTRY() makes the C function of it.
 */
#ifndef PDS_SERVER_TYPE_AGGREGATE_H
#define PDS_SERVER_TYPE_AGGREGATE_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/execnodes.h"

#include "header.h"
#include "compat.h"
#include "entry_points.h"
#include "state.h"
#include "call_argument.h"

/*
 * The two questions of every row, made short: is this datum (not NULL) a state
 * of this family that holds values of this kind, and are we in an aggregate?
 * "No" means only that the row must go the longer way.  A caller of its own and the
 * first row of a user's own aggregate can bring values that are shorter than any state.
 */
static inline bool
pds_is_state_of(const void *state, pds_sketch_type type, uint8 family, pds_kind kind)
{
	const uint8 expected[4] = {
		pds_state_byte0(type), (uint8) (family << 4 | PDS_ENCODING_BUILDING),
		pds_kind_code(kind), 0
	};
	uint32		header;
	uint32		wanted;

	if (!VARATT_IS_4B_U(state) || VARSIZE_4B(state) < sizeof(pds_state_head))
		return false;
	memcpy(&header, (const char *) state + VARHDRSZ, sizeof(header));
	memcpy(&wanted, expected, sizeof(wanted));
#ifdef PDS_BIG_ENDIAN
	header = (header ^ wanted) >> 8;
#else
	header = (header ^ wanted) << 8;
#endif
	return (header | (((const pds_state_head *) state)->signature ^
					  pds_kind_signature(kind))) == 0;
}

static inline bool
pds_in_aggregate(FunctionCallInfo fcinfo)
{
	return fcinfo->context != NULL &&
		(IsA(fcinfo->context, AggState) || IsA(fcinfo->context, WindowAggState));
}

/*
 * Returns whether the parameters of an aggregate, the arguments behind the value, are known to be
 * the same for all rows.  Then its states were begun with them, in the step's longer way.
 */
static inline bool
pds_parameters_known(FunctionCallInfo fcinfo)
{
	const PdsCallSite *site = fcinfo->flinfo->fn_extra;

	return site != NULL && site->parameters == PDS_CONSTANT;
}

/*
 * 0A000 unless we are called as part of an aggregate: only there may a state
 * be changed in place.
 */
extern void pds_require_aggregate(FunctionCallInfo fcinfo);

/*
 * Argument 0 (not NULL) as a state to be changed in place.  One that came here
 * by way of send and receive is a stored one.
 */
extern void *pds_state_arg(FunctionCallInfo fcinfo, const PdsSketchType *type);

/*
 * Returns the group's state, creating it for the first row.  The parameters are the arguments
 * from argno on.  Handles everything beyond the usual case, a state that fits.  Errors: 0A000.
 * 22004 for a parameter that is NULL. 22023 for a parameter that is out of range or differs
 * from the earlier rows'.
 */
extern void *pds_aggregate_state(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type);

/*
 * Find out whether the parameters are known.  22023 if one is computed from columns: the query then
 * means something else, pairs of values or weights.
 */
extern void pds_require_constant(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type);

/*
 * Its parts, for parameters that are not all arguments: the state if the parameters are known, or
 * NULL; their values; and the state of these.
 */
extern void *pds_aggregate_known_state(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern void pds_aggregate_arguments(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type,
									double *values);
extern void *pds_aggregate_state_of(FunctionCallInfo fcinfo, const PdsSketchType *type,
									const double *values);

/* The same, and adds a value by its hash, if it is not NULL. */
extern Datum pds_aggregate_step(FunctionCallInfo fcinfo, int argno, bool isnull, pds_hash hash,
								pds_kind kind, const PdsSketchType *type);

/*
 * A final function that over a window returns the live state (expanded.h) where that can be
 * asked, and makes the stored form elsewhere.  can_ask may empty the state's ring.
 */
extern Datum pds_aggregate_final_live(FunctionCallInfo fcinfo, const PdsSketchType *type,
									  bool (*can_ask) (void *state));

/* The common body of the final functions of aggregates that result in a sketch, and its entry. */
extern Datum pds_aggregate_final(FunctionCallInfo fcinfo, const PdsSketchType *type);

#define PDS_FINAL_FUNCTION(x) \
	PDS_SKETCH_FUNCTION(probds_##x##_final, \
						return pds_aggregate_final(fcinfo, &pds_##x##_type))

/* The same, but over a window the result is the live state (expanded.h), if it can be asked. */
#define PDS_LIVE_FINAL_FUNCTION(x, can_be_asked) \
	static bool \
	can_ask(void *state) \
	{ \
		pds_##x##_flush(state); \
		return can_be_asked; \
	} \
	PDS_SKETCH_FUNCTION(probds_##x##_final, \
						return pds_aggregate_final_live(fcinfo, &pds_##x##_type, can_ask))

/*
 * Define <x>_step(), the step of an aggregate whose parameters are the arguments behind the
 * value.  The usual case is a state of this type and family with space for one more hash, and
 * parameters that are known; "otherwise" is a function that does all others.
 */
#define PDS_FIRST_PARAMETER	2

#define PDS_AGGREGATE_STEP_OR(x, sketch_type, family, otherwise) \
	static pg_attribute_always_inline Datum \
	x##_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind) \
	{ \
		pds_##x##_build *b = (pds_##x##_build *) PG_GETARG_POINTER(0); \
		if (likely(!isnull && !PG_ARGISNULL(0) && pds_parameters_known(fcinfo) && \
				   pds_in_aggregate(fcinfo) && \
				   pds_is_state_of(b, sketch_type, family, kind) && \
				   pds_##x##_add(b, hash) == PDS_OK)) \
			PG_RETURN_POINTER(b); \
		return otherwise(fcinfo, isnull, hash, kind); \
	} \
	PDS_AGGREGATE_ENTRY(probds_##x##_agg, x##_step)

#define PDS_AGGREGATE_STEP(x, sketch_type, family) \
	static pg_noinline Datum \
	slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind) \
	{ \
		return pds_aggregate_step(fcinfo, PDS_FIRST_PARAMETER, isnull, hash, kind, \
								  &pds_##x##_type); \
	} \
	PDS_AGGREGATE_STEP_OR(x, sketch_type, family, slow_step)

/*
 * Define the SQL function of a step: probds_<x>_agg(state, value, ...).  One C function serves
 * every type of value, whether declared as "any" or by its own type (probds_citus).  What the call
 * site has looked up about the type tells the two that are the most frequent: 8-byte integers,
 * and text as it is.  Their hash is inlined, and so is the step, once for each.  Constants
 * behind "step" are handed to the step, too.
 */
#define PDS_AGGREGATE_ENTRY(name, step, ...) \
	PDS_FUNCTION(name) \
	{ \
		const PdsHasher *hasher = pds_known_hasher(fcinfo); \
		pds_hash	h = {0, 0}; \
		pds_kind	kind; \
		if (unlikely(PG_ARGISNULL(1))) \
			return step(fcinfo, true, h, PDS_KIND_NONE, ##__VA_ARGS__); \
		if (pds_hashes_int64(hasher)) \
			return step(fcinfo, false, pds_hash_number(PG_GETARG_INT64(1)), PDS_KIND_NUMBER, \
						##__VA_ARGS__); \
		if (pds_hashes_bytes(hasher, PG_GETARG_DATUM(1))) \
			return step(fcinfo, false, pds_hash_in_memory(PG_GETARG_DATUM(1)), hasher->kind, \
						##__VA_ARGS__); \
		h = pds_hash_arg(fcinfo, 1, PDS_KIND_NONE, &kind); \
		return step(fcinfo, false, h, kind, ##__VA_ARGS__); \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

#endif
