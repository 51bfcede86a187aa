/*
 * state_ops.h: what the server's frame calls in a sketch's pure half
 *
 * A sketch has two forms:
 *
 *     stored      canonical bytes, drawn in <x>_format.c; read through a pds_<x>_view
 *     building    a flat image with spare space, changed in place: pds_<x>_build, a state.  An
 *                 aggregate's state is one.  Native byte order, and never stored.
 *
 * A module describes both by one table of functions, pds_<x>_ops, and server/type/state.c does
 * with it what all types do alike: memory, growth, unions, loading and storing.
 *
 * Nothing here allocates.  A call that lacks space returns PDS_FULL and has changed nothing
 * that matters.  Then the frame gets a plan from the module, allocates memory of the plan's
 * size, has the state rebuilt there, and repeats the call.
 *
 * Structs of a module that the frame keeps for it (view, plan, encoding) are void *
 * or begin with what the frame reads of them.  The frame gives PDS_VIEW_BYTES,
 * PDS_PLAN_BYTES and PDS_ENCODING_BYTES for them; PDS_OPS_FIT checks that they fit.
 */
#ifndef PDS_BASE_STATE_OPS_H
#define PDS_BASE_STATE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "header.h"
#include "murmur3.h"
#include "status.h"

#define PDS_VIEW_BYTES		512
#define PDS_PLAN_BYTES		128
#define PDS_ENCODING_BYTES	128

/* The image that a state should move to: the head of each module's own struct. */
typedef struct PDS_HEAD pds_plan
{
	size_t		size;			/* of the image, in bytes */
} pds_plan;

/* How a state is going to be stored: the head of each module's own struct. */
typedef struct PDS_HEAD pds_encoding
{
	size_t		bytes;			/* of the payload, at most */
	size_t		scratch;		/* memory to work in, aligned to 8; 0 for none */
} pds_encoding;

/* The other side of a union: a state, or else the view of a stored sketch. */
typedef struct pds_operand
{
	const void *state;			/* NULL if it is a view */
	const void *view;
} pds_operand;

typedef struct pds_state_ops
{
	/* ---------- the stored form ---------- */

	/*
	 * Checks that this library can have written these len bytes as a sketch.  The one gate for
	 * text, binary and bytea input.  Errors: PDS_CORRUPT, with a sentence in *why.
	 */
	pds_status	(*check) (const uint8_t *payload, size_t len, const char **why);

	/*
	 * Read the head of a payload of len bytes, of which the first "have" are at payload,
	 * into a view.  These are all of them, or a head that the module says is enough.
	 * Errors: PDS_CORRUPT, with a sentence in *why (which may be NULL).
	 */
	pds_status	(*open) (void *view, const uint8_t *payload, size_t have, size_t len,
						 const char **why);

	/* ---------- the building form ---------- */

	/*
	 * Returns whether this is a state that is safe to work with, given its size; it is aligned.
	 * For states that have been in a table, where they can be damaged.
	 */
	bool		(*check_state) (const void *state, size_t size);

	/*
	 * The union of nothing yet, in first_size bytes: it takes its parameters from the
	 * first sketch that it is merged with.  If it meets none, it is stored as an empty
	 * sketch of the default parameters.
	 */
	size_t		first_size;
	void		(*init_nothing) (void *state);
	bool		(*is_nothing) (const void *state);

	/*
	 * For a new state that is expected to get so many values, some of which may be equal.
	 * Returns whether it should move by the plan, to an image of no more than "most" bytes,
	 * before it gets the first one.  NULL: never.
	 */
	bool		(*plan_start) (const void *state, uint64_t values, size_t most, pds_plan *plan);

	/*
	 * One more value, by its hash.  Errors: PDS_FULL, and what the type's refuse()
	 * explains.  NULL for a module that keeps values (PdsSketchType.add_value).
	 */
	pds_status	(*add) (void *state, pds_hash hash);

	/*
	 * One value less, by its hash.  Errors: PDS_NEGATIVE, and what the type's refuse() explains.
	 * NULL if nothing can be removed.
	 */
	pds_status	(*remove) (void *state, pds_hash hash);

	/* The plan after a PDS_FULL of an image of plan->size bytes. */
	void		(*plan_growth) (const void *state, pds_plan *plan);

	/*
	 * Move the state of "from" to "to", of plan->size bytes; "from" stays usable.
	 * Errors: PDS_FULL after the plan was changed to a larger one; PDS_TOO_LARGE; PDS_CORRUPT.
	 */
	pds_status	(*rebuild) (void *to, pds_plan *plan, const void *from);

	/*
	 * Before a union, for an image of plan->size bytes.  Returns PDS_OK if the state can stay
	 * as it is, PDS_FULL if it should move by the plan first, and PDS_PARAMETER_MISMATCH if the
	 * two cannot be united.  Other errors: what the type's refuse() explains.  A state of nothing
	 * takes the other's parameters here.
	 */
	pds_status	(*plan_union) (void *state, const pds_operand *from, pds_plan *plan);

	/*
	 * The union; with nothing it is what it was.  The operand is not changed, except as
	 * changes_as_operand tells.  Errors: PDS_FULL, after which the union may be said again;
	 * PDS_CORRUPT; and what the type's refuse() explains.
	 */
	pds_status	(*merge) (void *state, const pds_operand *from);

	/*
	 * The usual union with a stored sketch, made short: of the same parameters, kind and family,
	 * with space for all that it can hold.  It must be what the functions above come to.  Any
	 * other status than PDS_OK only says that they must be called: that it is not the usual
	 * case, or damage, which they find again.  NULL: never.
	 */
	pds_status	(*merge_plainly) (void *state, const uint8_t *payload, size_t len);

	/* Would a union work in this operand (empty its ring)?  NULL: never. */
	bool		(*changes_as_operand) (const void *state);

	/*
	 * Before a state is stored: as plan_union, where it is stored from another image
	 * than its own.  NULL: never.
	 */
	pds_status	(*plan_finish) (void *state, pds_plan *plan);

	/*
	 * The stored form: first what it takes, then the writing, which returns the exact
	 * length.  Both may empty a ring, and change the state no further.  The length is 0 if the
	 * state has no stored form: the type's refuse() explains PDS_TOO_LARGE.
	 */
	void		(*measure) (void *state, pds_encoding *encoding);
	size_t		(*encode) (void *state, const pds_encoding *encoding, void *scratch,
						   uint8_t *out);

	/*
	 * Between the two: a sentence if only a damaged state can be measured like that,
	 * otherwise NULL.  No function: never.
	 */
	const char *(*contradiction) (const void *state, const pds_encoding *encoding);
} pds_state_ops;

/*
 * A module's structs, as it is compiled, are no larger than what the frame keeps for them,
 * and begin with what it reads of them.
 */
#define PDS_OPS_FIT(view_type, plan_type, encoding_type) \
	_Static_assert(sizeof(view_type) <= PDS_VIEW_BYTES && \
				   sizeof(plan_type) <= PDS_PLAN_BYTES && \
				   sizeof(encoding_type) <= PDS_ENCODING_BYTES && \
				   offsetof(plan_type, size) == offsetof(pds_plan, size) && \
				   offsetof(encoding_type, bytes) == offsetof(pds_encoding, bytes) && \
				   offsetof(encoding_type, scratch) == offsetof(pds_encoding, scratch), \
				   "not what the frame keeps and reads")

/*
 * Declare the functions of a module's states, behind its structs, and the table of them.  What
 * they do is said above; a module that keeps values may have no pds_<x>_plan_growth().
 */
#define PDS_STATE_FUNCTIONS(x) \
	extern bool pds_##x##_check_build(const void *image, size_t size); \
	extern void pds_##x##_plan_growth(const pds_##x##_build *b, pds_##x##_plan *plan); \
	extern pds_status pds_##x##_rebuild(pds_##x##_build *to, pds_##x##_plan *plan, \
										const pds_##x##_build *from); \
	extern pds_status pds_##x##_plan_union(pds_##x##_build *b, const pds_operand *from, \
										   pds_##x##_plan *plan); \
	extern pds_status pds_##x##_merge(pds_##x##_build *b, const pds_operand *from); \
	extern void pds_##x##_measure(pds_##x##_build *b, pds_##x##_encoding *encoding); \
	extern size_t pds_##x##_encode(pds_##x##_build *b, const pds_##x##_encoding *encoding, \
								   void *scratch, uint8_t *out); \
	extern const pds_state_ops pds_##x##_ops

/*
 * Define the table pds_<x>_ops of a module that has functions of these names, each with
 * its own structs in place of void, pds_plan and pds_encoding:
 *
 *     pds_<x>_check, _check_build, _open (which can read a head, too), _rebuild,
 *     _plan_growth, _plan_union, _merge, _measure, _encode
 *
 * and in <x>_ops.c init_nothing(), of a state whose member "undecided" then says that it
 * is a union of nothing yet.  "add_function" is what adds a hash.  Behind it stand first_size and
 * other members of the table.
 */
#define PDS_STATE_OPS(x, add_function, ...) \
	PDS_STATE_ADAPTERS(x) \
	static pds_status \
	ops_add(void *state, pds_hash hash) \
	{ \
		return add_function(state, hash); \
	} \
	static void \
	ops_plan_growth(const void *state, pds_plan *plan) \
	{ \
		pds_##x##_plan_growth(state, (pds_##x##_plan *) plan); \
	} \
	const pds_state_ops pds_##x##_ops = { \
		PDS_STATE_MEMBERS(x), .add = ops_add, .plan_growth = ops_plan_growth, __VA_ARGS__ \
	}

/* The same for a module that keeps values, which adds them elsewhere. */
#define PDS_STATE_OPS_OF_VALUES(x, ...) \
	PDS_STATE_ADAPTERS(x) \
	const pds_state_ops pds_##x##_ops = {PDS_STATE_MEMBERS(x), __VA_ARGS__}

/* Define plan_start() of a module that has pds_<x>_plan_start(), with its own structs. */
#define PDS_PLAN_START(x) \
	static bool \
	plan_start(const void *state, uint64_t values, size_t most, pds_plan *plan) \
	{ \
		return pds_##x##_plan_start(state, values, most, (pds_##x##_plan *) plan); \
	} \
	extern const pds_state_ops pds_##x##_ops

/* The functions of a module that the frame can call. */
#define PDS_STATE_ADAPTERS(x) \
	PDS_OPS_FIT(pds_##x##_view, pds_##x##_plan, pds_##x##_encoding); \
	static pds_status \
	ops_open(void *view, const uint8_t *payload, size_t have, size_t len, const char **why) \
	{ \
		return pds_##x##_open(view, payload, have, len, why); \
	} \
	static void \
	ops_init_nothing(void *state) \
	{ \
		init_nothing(state); \
		((pds_##x##_build *) state)->undecided = 1; \
	} \
	static bool \
	ops_is_nothing(const void *state) \
	{ \
		return ((const pds_##x##_build *) state)->undecided != 0; \
	} \
	static pds_status \
	ops_rebuild(void *to, pds_plan *plan, const void *from) \
	{ \
		return pds_##x##_rebuild(to, (pds_##x##_plan *) plan, from); \
	} \
	static pds_status \
	ops_plan_union(void *state, const pds_operand *from, pds_plan *plan) \
	{ \
		return from->state != NULL && ops_is_nothing(from->state) ? PDS_OK : \
			pds_##x##_plan_union(state, from, (pds_##x##_plan *) plan); \
	} \
	static pds_status \
	ops_merge(void *state, const pds_operand *from) \
	{ \
		return from->state != NULL && ops_is_nothing(from->state) ? PDS_OK : \
			pds_##x##_merge(state, from); \
	} \
	static void \
	ops_measure(void *state, pds_encoding *encoding) \
	{ \
		pds_##x##_measure(state, (pds_##x##_encoding *) encoding); \
	} \
	static size_t \
	ops_encode(void *state, const pds_encoding *encoding, void *scratch, uint8_t *out) \
	{ \
		return pds_##x##_encode(state, (const pds_##x##_encoding *) encoding, scratch, out); \
	}

#define PDS_STATE_MEMBERS(x) \
	.check = pds_##x##_check, .open = ops_open, .check_state = pds_##x##_check_build, \
	.init_nothing = ops_init_nothing, .is_nothing = ops_is_nothing, .rebuild = ops_rebuild, \
	.plan_union = ops_plan_union, .merge = ops_merge, .measure = ops_measure, \
	.encode = ops_encode

#endif
