/*
 * ask.h: what a stored sketch says of one value, reading as little of it as possible
 *
 * A sketch comes to a question in one of three ways.  It may be in memory: a constant, a
 * variable, the result of another function, or a stored one that is kept
 * (detoast_cache.h).  Or it lies in a table, and the bytes that are needed are fetched.  Or
 * it is the live state of a window aggregate (live.h).  One that is asked often in memory is
 * unpacked, if its type wants that (unpack.h).
 */
#ifndef PDS_SERVER_ASK_H
#define PDS_SERVER_ASK_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "detoast_cache.h"
#include "functions.h"
#include "sketch.h"
#include "unpack.h"

/*
 * Returns len bytes of the payload, beginning at offset, to a module's reader.  The reader only
 * asks for bytes within the payload.  The bytes must stay valid until the next call.
 */
typedef const uint8_t *(*PdsFetch) (void *context, size_t offset, size_t len);

/* Heads are at most so long. */
#define PDS_ASK_MAX_HEAD	64

/* How a type answers. */
typedef struct PdsQuestion
{
	const PdsSketchType *type;
	size_t		head_bytes;		/* enough for ops->open; PDS_ASK_MAX_HEAD at most */

	/* Returns a sketch's answer for the value with this hash.  Errors: PDS_CORRUPT. */
	pds_status	(*ask) (const void *view, pds_hash hash, PdsFetch fetch, void *context,
						uint64_t *answer);

	/* How it is unpacked if it is queried often.  NULL if it is not. */
	const PdsUnpacking *unpacking;

	/*
	 * The same for a live state, with its parameters as a view.  NULL if the type has no live
	 * states.
	 */
	uint64_t	(*ask_state) (const void *state, pds_hash hash);
	void		(*view_state) (const void *state, void *view);

	/*
	 * The hash of a value for a sketch of another family than the native one; false if a
	 * sketch of that family cannot hold it.  NULL: there are no other families.
	 */
	bool		(*hash_value) (const void *view, PdsHasher *hasher, Datum value, pds_hash *hash);
} PdsQuestion;

/*
 * Define a PdsQuestion to a type, of functions with the type's own structs in place of
 * void: "ask", and for one that is also of live states "ask_state", and view_state().
 */
#define PDS_QUESTION(question, x, bytes, ask_function, ...) \
	static pds_status \
	question##_ask(const void *view, pds_hash hash, PdsFetch fetch, void *context, \
				   uint64_t *answer) \
	{ \
		return ask_function(view, hash, fetch, context, answer); \
	} \
	static const PdsQuestion question = { \
		.type = &pds_##x##_type, .head_bytes = (bytes), .ask = question##_ask, __VA_ARGS__ \
	}

#define PDS_QUESTION_OF_STATES(question, x, bytes, ask_function, ask_state_function, how_unpacked) \
	static uint64_t \
	question##_ask_state(const void *state, pds_hash hash) \
	{ \
		return ask_state_function(state, hash); \
	} \
	static void \
	question##_view_state(const void *state, void *view) \
	{ \
		view_state(state, view); \
	} \
	PDS_QUESTION(question, x, bytes, ask_function, .ask_state = question##_ask_state, \
				 .view_state = question##_view_state, .unpacking = how_unpacked)

/* A sketch to be asked. */
typedef struct PdsAsked
{
	const PdsQuestion *question;
	void	   *view;
	pds_kind	kind;			/* of its values */
	uint8		family;
	PdsStored  *stored;			/* where it is, or NULL: in memory */
	const uint8_t *payload;		/* if it is in memory, */
	PdsStored  *memory;			/* and where what is unpacked of it is kept, or NULL */
	const void *live;			/* the state that it is, or NULL */
} PdsAsked;

/* The sketch of argument argno, not NULL. */
extern void pds_ask_open(FunctionCallInfo fcinfo, int argno, const PdsQuestion *question,
						 PdsAsked *asked);

/*
 * Returns its answer for the value with this hash, of this kind.  Raises 22000 for another
 * kind.
 */
extern uint64 pds_ask(PdsAsked *asked, pds_hash hash, pds_kind kind);

/* Returns the answer of the sketch in one argument for the value in another; neither is NULL. */
extern uint64 pds_ask_args(FunctionCallInfo fcinfo, int sketch_argno, int value_argno,
						   const PdsQuestion *question, PdsAsked *asked);

/*
 * Returns the answers of the sketch in argument 0 for the elements of the array in argument 1,
 * as a bigint[] of the same dimensions.  The answer for a NULL element is NULL.
 */
extern Datum pds_ask_elements(FunctionCallInfo fcinfo, const PdsQuestion *question);

/*
 * Returns whether the sketch in argument 0 has an answer other than 0 (or, if not "sought", the
 * answer 0) for any element of the array in argument 1.  NULL elements are skipped.
 */
extern bool pds_ask_any(FunctionCallInfo fcinfo, const PdsQuestion *question, bool sought);

/*
 * The view of the sketch of argument argno (not NULL), reading no more of it than its head;
 * "view" is memory for one.
 */
extern void pds_ask_head(FunctionCallInfo fcinfo, int argno, const PdsQuestion *question,
						 void *view);

/* X_contains(X, value), X_contained(value, X), X_contains_any/_all(X, array) */
#define PDS_CONTAINS_FUNCTIONS(x, question) \
	PDS_SKETCH_FUNCTION(probds_##x##_contains, PdsAsked asked; \
						PG_RETURN_BOOL(pds_ask_args(fcinfo, 0, 1, &(question), &asked) != 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_contained, PdsAsked asked; \
						PG_RETURN_BOOL(pds_ask_args(fcinfo, 1, 0, &(question), &asked) != 0)); \
	PDS_SKETCH_FUNCTION(probds_##x##_contains_any, \
						PG_RETURN_BOOL(pds_ask_any(fcinfo, &(question), true))); \
	PDS_SKETCH_FUNCTION(probds_##x##_contains_all, \
						PG_RETURN_BOOL(!pds_ask_any(fcinfo, &(question), false)))

#endif
