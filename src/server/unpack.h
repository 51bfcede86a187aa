/*
 * unpack.h: a sketch that is asked again and again is unpacked once
 *
 * The stored form of many sketches is a list, coded and in segments: to ask of one value, a
 * segment is decoded.  A call site that asks often enough unpacks the whole sketch to a form in
 * which an answer is a few accesses to memory, and keeps that form.
 *
 * When to do so is the ski rental problem again (detoast_cache.h): when decoding has cost as
 * much as unpacking would.  So a sketch of which few values are asked is never unpacked, and
 * many sketches in turn take at most twice the time of decoding.  The call site's cache keeps
 * the unpacked forms, and they count against probds.probe_cache_size.
 */
#ifndef PDS_SERVER_UNPACK_H
#define PDS_SERVER_UNPACK_H

#include "postgres.h"

#include "detoast_cache.h"
#include "sketch.h"

/* What unpacking a sketch takes and gives.  Times are in nanoseconds, roughly. */
typedef struct PdsUnpackPlan
{
	Size		size;			/* of the unpacked form in bytes; 0: ask the payload */
	double		unpack_cost;
	double		ask_cost;		/* of one question to the payload */
} PdsUnpackPlan;

/* How a type unpacks.  Views are of payloads that are in memory as a whole. */
typedef struct PdsUnpacking
{
	const PdsSketchType *type;

	void		(*plan) (const void *view, PdsUnpackPlan *plan);

	/* Make the form in memory of the planned size, which is zero.  Errors: PDS_CORRUPT. */
	pds_status	(*unpack) (const void *view, const uint8_t *payload, uint8_t *to);

	/*
	 * Does a question about this hash read the same bytes of another payload, which is as
	 * long?  The view is of the first.  Heads are compared, too.
	 */
	bool		(*same) (const void *view, const uint8_t *payload, const uint8_t *other,
						 pds_hash hash);

	/* What the form says of a value. */
	uint64_t	(*ask) (const void *view, const uint8_t *form, pds_hash hash);
} PdsUnpacking;

/*
 * The PdsUnpacking of a type with pds_X_view.  Its functions take such a view, of a payload in
 * memory: plan(view, plan), unpack(view, to), same(view, other, hash), ask(view, form, hash).
 */
#define PDS_UNPACKING(name, x, plan_function, unpack_function, same_function, ask_function) \
	static void \
	name##_plan(const void *view, PdsUnpackPlan *plan) \
	{ \
		plan_function(view, plan); \
	} \
	static pds_status \
	name##_unpack(const void *view, const uint8_t *payload, uint8_t *to) \
	{ \
		pds_##x##_view v = *(const pds_##x##_view *) view; \
		v.payload = payload; \
		return unpack_function(&v, to); \
	} \
	static bool \
	name##_same(const void *view, const uint8_t *payload, const uint8_t *other, pds_hash hash) \
	{ \
		pds_##x##_view v = *(const pds_##x##_view *) view; \
		v.payload = payload; \
		return same_function(&v, other, hash); \
	} \
	static uint64_t \
	name##_ask(const void *view, const uint8_t *form, pds_hash hash) \
	{ \
		return ask_function(view, form, hash); \
	} \
	static const PdsUnpacking name = { \
		.type = &pds_##x##_type, .plan = name##_plan, .unpack = name##_unpack, \
		.same = name##_same, .ask = name##_ask \
	}

/*
 * The unpacked form of a stored sketch of which something is kept; NULL if that is the
 * payload, and this is to be asked.  Counts the question.
 */
extern const uint8 *pds_unpacked_slowly(PdsStored *stored, const PdsUnpacking *how,
										const void *view);

static inline const uint8 *
pds_unpacked(PdsStored *stored, const PdsUnpacking *how, const void *view)
{
	if (likely(stored->unpacked > 0))
		return stored->kept;
	return pds_unpacked_slowly(stored, how, view);
}

/*
 * The same for a sketch in memory, in an entry of pds_stored_at() for its payload.  An address
 * does not tell a sketch: a constant stays at its address, but the next row of a column may put
 * another sketch there.  So the address only says where to count what was spent.  A form is kept
 * with the payload that it was made of.  It answers for a sketch in which the lookup would have
 * read the same bytes.
 */
extern const uint8 *pds_unpacked_in_memory(PdsStored *stored, const PdsUnpacking *how,
										   const void *view, const uint8_t *payload,
										   pds_hash hash);

#endif
