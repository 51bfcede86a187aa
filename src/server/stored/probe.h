/*
 * probe.h: what a stored sketch says of one value, reading as little of it as possible
 *
 * A sketch comes to a probe in one of three ways.  It may be in memory: a constant, a variable,
 * the result of another function, or a stored one that is kept (detoast_cache.h).  Or it lies in
 * a table, and the bytes that are needed are fetched.  Or it is the live state of a window
 * aggregate (expanded.h).
 *
 * The stored form of many sketches is a list, coded and in segments: a probe decodes a segment.
 * A call site that probes often enough unpacks the whole sketch to a form in which a probe is a
 * few accesses to memory, and keeps that form.  When to do so is the ski rental problem again
 * (detoast_cache.h): when decoding has cost as much as unpacking would.  So a sketch in which few
 * values are looked for is never unpacked, and many sketches in turn take at most twice the time
 * of decoding.  What is unpacked counts against probds.probe_cache_size.
 */
#ifndef PDS_SERVER_STORED_PROBE_H
#define PDS_SERVER_STORED_PROBE_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "detoast_cache.h"
#include "entry_points.h"
#include "header.h"
#include "sketch.h"

/* Heads are at most so long. */
#define PDS_PROBE_MAX_HEAD	64

/* What unpacking a sketch takes and gives.  Times are in nanoseconds, roughly. */
typedef struct PdsUnpackPlan
{
	Size		size;			/* of the unpacked form in bytes; 0: probe the payload */
	double		unpack_cost;
	double		probe_cost;		/* of one probe of the payload */
} PdsUnpackPlan;

/* How a type is unpacked.  Views are of payloads that are in memory as a whole. */
typedef struct PdsUnpacking
{
	void		(*plan) (const void *view, PdsUnpackPlan *plan);

	/* Make the form in memory of the planned size, which is zero.  Errors: PDS_CORRUPT. */
	pds_status	(*unpack) (const void *view, uint8_t *to);

	/*
	 * Does a probe with this hash read the same bytes of another payload, which is as long?
	 * Heads are compared, too.
	 */
	bool		(*same) (const void *view, const uint8_t *other, pds_hash hash);

	/* What the form says of a value. */
	uint64_t	(*probe) (const void *view, const uint8_t *form, pds_hash hash);
} PdsUnpacking;

/*
 * Define a PdsUnpacking of a type x by functions with pds_x_view in place of void: plan(view,
 * plan), unpack(view, to), same(view, other, hash), probe(view, form, hash).
 */
#define PDS_UNPACKING(name, x, plan_function, unpack_function, same_function, probe_function) \
	static void \
	name##_plan(const void *view, PdsUnpackPlan *plan) \
	{ \
		plan_function(view, plan); \
	} \
	static pds_status \
	name##_unpack(const void *view, uint8_t *to) \
	{ \
		return unpack_function(view, (void *) to); \
	} \
	static bool \
	name##_same(const void *view, const uint8_t *other, pds_hash hash) \
	{ \
		return same_function(view, other, hash); \
	} \
	static uint64_t \
	name##_probe(const void *view, const uint8_t *form, pds_hash hash) \
	{ \
		return probe_function(view, (const void *) form, hash); \
	} \
	static const PdsUnpacking name = { \
		.plan = name##_plan, .unpack = name##_unpack, .same = name##_same, .probe = name##_probe \
	}

/* How a type is probed. */
typedef struct PdsProbe
{
	const PdsSketchType *type;
	size_t		head_bytes;		/* enough for ops->open; PDS_PROBE_MAX_HEAD at most */

	/*
	 * Returns a sketch's answer for the value with this hash.  If the payload is in memory as a
	 * whole, the fetch function is pds_in_memory().  Errors: PDS_CORRUPT.
	 */
	pds_status	(*probe) (const void *view, pds_hash hash, pds_fetch fetch, void *context,
						  uint64_t *answer);

	/* How it is unpacked if it is probed often.  NULL if it is not. */
	const PdsUnpacking *unpacking;

	/*
	 * The same for a live state, with its parameters as a view.  NULL if the type has no live
	 * states.
	 */
	uint64_t	(*probe_state) (const void *state, pds_hash hash);
	void		(*view_state) (const void *state, void *view);

	/* The byte of the payload that is kept at the beginning of a cache line.  NULL: any. */
	size_t		(*align_at) (const void *view);

	/*
	 * The hash of a value for a sketch of a family that does not hash natively; false if such a
	 * sketch cannot hold the value.  These are the families from foreign_from on.  NULL: all
	 * families hash natively.
	 */
	bool		(*hash_value) (const void *view, PdsHasher *hasher, Datum value, pds_hash *hash);
	uint8		foreign_from;
} PdsProbe;

/*
 * Define a PdsProbe to a type x, of functions with pds_x_view and pds_x_build in place of void;
 * PDS_PROBE_OF_STATES for one that is also of live states.
 */
#define PDS_PROBE(name, x, bytes, probe_function, ...) \
	static pds_status \
	name##_probe(const void *view, pds_hash hash, pds_fetch fetch, void *context, \
				 uint64_t *answer) \
	{ \
		return probe_function(view, hash, fetch, context, answer); \
	} \
	static const PdsProbe name = { \
		.type = &pds_##x##_type, .head_bytes = (bytes), .probe = name##_probe, __VA_ARGS__ \
	}

#define PDS_PROBE_OF_STATES(name, x, bytes, probe_function, probe_state_function, how_unpacked) \
	static uint64_t \
	name##_probe_state(const void *state, pds_hash hash) \
	{ \
		return probe_state_function(state, hash); \
	} \
	static void \
	name##_view_state(const void *state, void *view) \
	{ \
		view_state(state, view); \
	} \
	PDS_PROBE(name, x, bytes, probe_function, .probe_state = name##_probe_state, \
			  .view_state = name##_view_state, .unpacking = how_unpacked)

/*
 * What a call site keeps (PdsCallSite.known) of the last sketch that was in memory: its head,
 * and what that means.  The meaning depends on these bytes and the length of the payload, so these
 * are compared.  An address can be another sketch's by the next row.
 */
typedef struct PdsProbeSite
{
	PdsView		view;			/* of no sketch: of SIZE_MAX bytes */
	uint8_t		head[PDS_PROBE_MAX_HEAD];
	bool		unpackable;		/* the sketch can be unpacked */

	PdsView		live;			/* of a live state, no more than its parameters */
	PdsStoredCache *cache;		/* made when there is something for it */
} PdsProbeSite;

/* What the call site's cache knows of a sketch in a table (pds_stored_known()). */
typedef struct PdsStoredSketch
{
	PdsView		view;			/* its head */
	bool		opened;
	bool		unpackable;
} PdsStoredSketch;

/* A sketch to be probed. */
typedef struct PdsProbed
{
	const PdsProbe *probe;
	void	   *view;			/* its payload is NULL unless it is in memory */
	PdsStored  *stored;			/* where it is, or NULL: in memory */
	PdsStored  *memory;			/* where what is unpacked of one in memory is kept, or NULL */
	const void *live;			/* the state that it is, or NULL */
} PdsProbed;

/* Returns the answer of the sketch in one argument for the value in another; neither is NULL. */
extern uint64 pds_probe_args(FunctionCallInfo fcinfo, int sketch_argno, int value_argno,
							 const PdsProbe *probe, PdsProbed *probed);

/*
 * Returns the answers of the sketch in argument 0 for the elements of the array in argument 1,
 * as a bigint[] of the same dimensions.  The answer for a NULL element is NULL.
 */
extern Datum pds_probe_elements(FunctionCallInfo fcinfo, const PdsProbe *probe);

/*
 * Returns whether the sketch in argument 0 has an answer other than 0 (or, if not "sought", the
 * answer 0) for any element of the array in argument 1.  NULL elements are skipped.
 */
extern bool pds_probe_any(FunctionCallInfo fcinfo, const PdsProbe *probe, bool sought);

/*
 * The view of the sketch of argument argno (not NULL), reading no more of it than its head;
 * "view" is memory for one.
 */
extern void pds_probe_head(FunctionCallInfo fcinfo, int argno, const PdsProbe *probe,
						   void *view);

/* X_contains_any/_all(X, array) */
#define PDS_CONTAINS_ARRAY_FUNCTIONS(x, probe) \
	PDS_SKETCH_FUNCTION(probds_##x##_contains_any, \
						PG_RETURN_BOOL(pds_probe_any(fcinfo, &(probe), true))); \
	PDS_SKETCH_FUNCTION(probds_##x##_contains_all, \
						PG_RETURN_BOOL(!pds_probe_any(fcinfo, &(probe), false)))

/* ... and X_contains(X, value), X_contained(value, X) */
#define PDS_CONTAINS_FUNCTIONS(x, probe) \
	PDS_SKETCH_FUNCTION(probds_##x##_contains, PdsProbed probed; \
						PG_RETURN_BOOL(pds_probe_args(fcinfo, 0, 1, &(probe), &probed) != 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_contained, PdsProbed probed; \
						PG_RETURN_BOOL(pds_probe_args(fcinfo, 1, 0, &(probe), &probed) != 0)); \
	PDS_CONTAINS_ARRAY_FUNCTIONS(x, probe)

#endif
