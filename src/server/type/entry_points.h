/*
 * entry_points.h: the SQL entry points that every sketch type has
 *
 * Each macro makes the C functions probds_<x>_... of a type x, which pds_<x>_type
 * describes; the bodies are common to all.  Their SQL declarations are in
 * src/types/<x>/<x>.sql.  The entry points of aggregates are in aggregate.h.
 */
#ifndef PDS_SERVER_TYPE_ENTRY_POINTS_H
#define PDS_SERVER_TYPE_ENTRY_POINTS_H

#include "postgres.h"

#include "fmgr.h"

#include "sketch.h"

/* sketch_io.c */
extern Datum pds_sketch_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_recv(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_send(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_from_bytea(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_in(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_out(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_typmod_cast(FunctionCallInfo fcinfo, const PdsSketchType *type);

/* sketch_compare.c */
extern bool pds_sketch_equal(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern int	pds_sketch_cmp(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_hash(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_hash_extended(FunctionCallInfo fcinfo, const PdsSketchType *type);

/* sketch_change.c: X_empty(parameters...); aggregate.c: X_merge(X, X) */
extern Datum pds_sketch_empty(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_merge(FunctionCallInfo fcinfo, const PdsSketchType *type);

/* The state with one value more, or less.  Errors: 22000 for another kind, and the type's. */
typedef void *(*PdsChange) (const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value);

extern void *pds_add_value(const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value);
extern void *pds_remove_value(const PdsSketchType *type, void *state, PdsHasher *hasher,
							  Datum value);

/*
 * X_add(X, "any"), X_add_all(X, anyarray), and so on: a NULL value or element changes nothing.
 * A NULL sketch becomes a new one where a value is added (pds_change_begin()), and stays NULL
 * where a value is removed.
 */
extern Datum pds_sketch_change(FunctionCallInfo fcinfo, const PdsSketchType *type,
							   PdsChange change);
extern Datum pds_sketch_change_all(FunctionCallInfo fcinfo, const PdsSketchType *type,
								   PdsChange change);

#define PDS_SKETCH_FUNCTION(name, body) \
	PDS_FUNCTION(name) { body; } \
	extern Datum name(PG_FUNCTION_ARGS)

/*
 * Define the description pds_<x>_type and the entry points that all types have.  In the
 * file are "parameters" and the functions <x>_new, <x>_begun_with, <x>_describe,
 * <x>_same_parameters and <x>_health; other members stand behind the type's name.
 */
#define PDS_SKETCH_TYPE(x, ...) \
	PDS_SKETCH_TYPE_BUT_ADD(x, __VA_ARGS__); \
	PDS_SKETCH_FUNCTION(probds_##x##_add, \
						return pds_sketch_change(fcinfo, &pds_##x##_type, pds_add_value))

/* The same for a type that has an X_add() of its own. */
#define PDS_SKETCH_TYPE_BUT_ADD(x, ...) \
	PDS_SKETCH_TYPE_FINISHED(x, __VA_ARGS__); \
	PDS_SKETCH_FUNCTION(probds_##x##_add_all, \
						return pds_sketch_change_all(fcinfo, &pds_##x##_type, pds_add_value))

/* The same for a type that nothing can be added to. */
#define PDS_SKETCH_TYPE_FINISHED(x, ...) \
	const PdsSketchType pds_##x##_type = { \
		.name = #x, .ops = &pds_##x##_ops, .parameters = parameters, .new_state = x##_new, \
		.begun_with = x##_begun_with, .describe = x##_describe, \
		.same_parameters = x##_same_parameters, .health = x##_health, __VA_ARGS__ \
	}; \
	PDS_SKETCH_FUNCTIONS(x, pds_##x##_type)

/* The number of parameters that a modifier sets, which are the first ones. */
#define PDS_MODIFIERS(n, takes, hint) \
	.modifiers = (n), .modifier_takes = (takes), .modifier_hint = (hint)

/*
 * Define <x>_describe(), <x>_same_parameters() and <x>_begun_with() of a type with one
 * parameter.  "number" is its value, of a view s and of a state s.
 */
#define PDS_ONE_PARAMETER(x, number) \
	static inline uint32 \
	x##_parameter(const pds_##x##_view *s) \
	{ \
		return (number); \
	} \
	static char * \
	x##_describe(const void *view) \
	{ \
		return psprintf("%s %u", parameters[0].name, x##_parameter(view)); \
	} \
	static bool \
	x##_same_parameters(const void *a, const void *b) \
	{ \
		return x##_parameter(a) == x##_parameter(b); \
	} \
	static bool \
	x##_begun_with(const void *state, const double *values) \
	{ \
		const pds_##x##_build *s = state; \
		return (number) == values[0]; \
	} \
	extern const PdsSketchType pds_##x##_type

/* Input and output, casts, type modifiers, comparison, and those changes that are alike in all */
#define PDS_SKETCH_FUNCTIONS(x, type) \
	PDS_SKETCH_FUNCTION(probds_##x##_in, return pds_sketch_in(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_out, return pds_sketch_out(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_recv, return pds_sketch_recv(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_send, return pds_sketch_send(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_from_bytea, return pds_sketch_from_bytea(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_in, return pds_sketch_typmod_in(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_out, return pds_sketch_typmod_out(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_typmod_cast, return pds_sketch_typmod_cast(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_eq, PG_RETURN_BOOL(pds_sketch_equal(fcinfo, &(type)))); \
	PDS_SKETCH_FUNCTION(probds_##x##_ne, PG_RETURN_BOOL(!pds_sketch_equal(fcinfo, &(type)))); \
	PDS_SKETCH_FUNCTION(probds_##x##_lt, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) < 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_le, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) <= 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_gt, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) > 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_ge, PG_RETURN_BOOL(pds_sketch_cmp(fcinfo, &(type)) >= 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_cmp, PG_RETURN_INT32(pds_sketch_cmp(fcinfo, &(type)))); \
	PDS_SKETCH_FUNCTION(probds_##x##_hash, return pds_sketch_hash(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_hash_extended, \
						return pds_sketch_hash_extended(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_empty, return pds_sketch_empty(fcinfo, &(type))); \
	PDS_SKETCH_FUNCTION(probds_##x##_merge, return pds_sketch_merge(fcinfo, &(type)))

/* X_remove and X_remove_all, of a type that has pds_state_ops.remove */
#define PDS_REMOVE_FUNCTIONS(x) \
	PDS_SKETCH_FUNCTION(probds_##x##_remove, \
						return pds_sketch_change(fcinfo, &pds_##x##_type, pds_remove_value)); \
	PDS_SKETCH_FUNCTION(probds_##x##_remove_all, \
						return pds_sketch_change_all(fcinfo, &pds_##x##_type, pds_remove_value))

/* Return from a change of argument 0: argument 0 as it is, which may be NULL. */
#define PDS_RETURN_UNCHANGED() \
	do { \
		if (PG_ARGISNULL(0)) \
			PG_RETURN_NULL(); \
		PG_RETURN_DATUM(PG_GETARG_DATUM(0)); \
	} while (0)

/* The same if argument 0 or argument 1, by which it is changed, is NULL. */
#define PDS_RETURN_UNCHANGED_BY_NULL() \
	do { \
		if (PG_ARGISNULL(0) || PG_ARGISNULL(1)) \
			PDS_RETURN_UNCHANGED(); \
	} while (0)

/*
 * Define <x>_describe() and <x>_same_parameters() of a type whose views have a "shape" that says
 * all: by describe_shape(shape) and same_shape(shape, shape).
 */
#define PDS_DESCRIBED_BY_SHAPE(x, describe_shape, same_shape) \
	static char * \
	x##_describe(const void *view) \
	{ \
		return describe_shape(&((const pds_##x##_view *) view)->shape); \
	} \
	static bool \
	x##_same_parameters(const void *a, const void *b) \
	{ \
		return same_shape(&((const pds_##x##_view *) a)->shape, \
						  &((const pds_##x##_view *) b)->shape); \
	} \
	extern const PdsSketchType pds_##x##_type

/*
 * Define require_same_shape(): 22000, "what" cannot be combined, unless both are of the same
 * shape.  The hint shows describe_call() of the larger one, and which "parameters" to repeat.
 */
#define PDS_REQUIRE_SAME_SHAPE(type_of_shape, same_shape, what, parameters) \
	static void \
	require_same_shape(const type_of_shape *a, const type_of_shape *b) \
	{ \
		if (!same_shape(a, b)) \
			pds_refuse_shapes(what, describe_shape(a), describe_shape(b), \
							  psprintf("Build both with the same " parameters \
									   ", for example by %s.", \
									   describe_call(a->capacity >= b->capacity ? a : b))); \
	} \
	static void require_same_shape(const type_of_shape *a, const type_of_shape *b)

/* Define <x>_mismatch() of such a type by require_same_shape(shape, shape). */
#define PDS_MISMATCH_OF_SHAPES(x, require_same_shape) \
	static void \
	x##_mismatch(const void *a, const void *b) \
	{ \
		require_same_shape(&((const pds_##x##_view *) a)->shape, \
						   &((const pds_##x##_view *) b)->shape); \
	} \
	extern const PdsSketchType pds_##x##_type

/*
 * Define <x>_begun_with() of a type whose states have a "shape", as shape_of() makes it: by
 * same_shape(shape, shape).
 */
#define PDS_BEGUN_WITH_SHAPE(x, type_of_shape, same_shape) \
	static bool \
	x##_begun_with(const void *state, const double *values) \
	{ \
		type_of_shape shape; \
		pds_require_shape(&pds_##x##_type, values, &shape); \
		return same_shape(&((const pds_##x##_build *) state)->shape, &shape); \
	} \
	extern const PdsSketchType pds_##x##_type

/* Define <x>_new() of a type whose states begin with so many bytes: pds_<x>_build_init(b, shape) */
#define PDS_NEW_OF_SHAPE(x, type_of_shape, first_size) \
	static void * \
	x##_new(const double *values) \
	{ \
		pds_##x##_build *b = pds_state_alloc(first_size); \
		type_of_shape shape; \
		pds_require_shape(&pds_##x##_type, values, &shape); \
		pds_##x##_build_init(b, &shape); \
		return b; \
	} \
	extern const PdsSketchType pds_##x##_type

#endif
