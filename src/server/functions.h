/*
 * functions.h: the SQL entry points that every sketch type has
 *
 * Each macro makes the C functions probds_<x>_... of a type x, which pds_<x>_type
 * describes; the bodies are common to all.  Their SQL declarations are the
 * templates src/extension/sketch_*.sql.  Those of aggregates are in aggregate.h.
 */
#ifndef PDS_SERVER_FUNCTIONS_H
#define PDS_SERVER_FUNCTIONS_H

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

/* change.c: X_empty(parameters...), X_merge(X, X) */
extern Datum pds_sketch_empty(FunctionCallInfo fcinfo, const PdsSketchType *type);
extern Datum pds_sketch_merge(FunctionCallInfo fcinfo, const PdsSketchType *type);

/* The state with one value more, or less.  Errors: 22000 for another kind, and the type's. */
typedef void *(*PdsChange) (const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value);

extern void *pds_add_value(const PdsSketchType *type, void *state, PdsHasher *hasher, Datum value);
extern void *pds_remove_value(const PdsSketchType *type, void *state, PdsHasher *hasher,
							  Datum value);

/*
 * X_add(X, "any"), X_add_all(X, anyarray), and so on: a NULL sketch stays NULL, a NULL value
 * or element changes nothing.
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
	const PdsSketchType pds_##x##_type = { \
		.name = #x, .ops = &pds_##x##_ops, .parameters = parameters, .new_state = x##_new, \
		.begun_with = x##_begun_with, .describe = x##_describe, \
		.same_parameters = x##_same_parameters, .health = x##_health, __VA_ARGS__ \
	}; \
	PDS_SKETCH_FUNCTIONS(x, pds_##x##_type)

/* The number of parameters that a modifier sets, which are the first ones. */
#define PDS_MODIFIERS(n, takes, hint) \
	.modifiers = (n), .modifier_takes = (takes), .modifier_hint = (hint)

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
	PDS_SKETCH_FUNCTION(probds_##x##_add_all, \
						return pds_sketch_change_all(fcinfo, &(type), pds_add_value)); \
	PDS_SKETCH_FUNCTION(probds_##x##_merge, return pds_sketch_merge(fcinfo, &(type)))

/* X_remove and X_remove_all, of a type that has PdsSketchType.remove */
#define PDS_REMOVE_FUNCTIONS(x) \
	PDS_SKETCH_FUNCTION(probds_##x##_remove, \
						return pds_sketch_change(fcinfo, &pds_##x##_type, pds_remove_value)); \
	PDS_SKETCH_FUNCTION(probds_##x##_remove_all, \
						return pds_sketch_change_all(fcinfo, &pds_##x##_type, pds_remove_value))

#endif
