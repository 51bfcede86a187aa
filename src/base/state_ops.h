/*
 * state_ops.h: what the server's frame calls in a sketch's pure half
 *
 * A sketch has two forms: the stored one, canonical bytes that are read through a
 * view, and the building one, a flat image with spare space (a state).  A module
 * describes both by one table of functions, pds_<x>_ops, and server/state.c does with
 * it what all types do alike: memory, growth, unions, loading and storing.
 *
 * Nothing here allocates.  A call that lacks space answers PDS_FULL and has changed
 * nothing that matters: the frame asks for a plan, gets memory of the size that the
 * plan says, has the state rebuilt there, and makes the call again.
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

/* What image a state should move to: the head of each module's own struct. */
typedef struct pds_plan
{
	size_t		size;			/* of the image, in bytes */
} pds_plan;

/* How a state is going to be stored: the head of each module's own struct. */
typedef struct pds_encoding
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
	 * Are these len bytes a sketch that this library can have written?  The one gate
	 * for text, binary and bytea input.  Errors: PDS_CORRUPT, with a sentence in *why.
	 */
	pds_status	(*check) (const uint8_t *payload, size_t len, const char **why);

	/*
	 * Read the head of a payload of len bytes that is all in memory, into a view.
	 * Errors: PDS_CORRUPT, with a sentence in *why (which may be NULL).
	 */
	pds_status	(*open) (void *view, const uint8_t *payload, size_t len, const char **why);

	/* ---------- the building form ---------- */

	/*
	 * Is this, of so many bytes and aligned, a state that can be worked with?  Asked of
	 * what has been in a table, where it can have been damaged.
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
	 * One more value, by its hash.  Errors: PDS_FULL, and what the type's refuse()
	 * explains.  NULL for a module that keeps values (PdsSketchType.add_value).
	 */
	pds_status	(*add) (void *state, pds_hash hash);

	/* The plan after a PDS_FULL of an image of size bytes. */
	void		(*plan_growth) (const void *state, size_t size, pds_plan *plan);

	/*
	 * Move the state of "from" to "to", of plan->size bytes; "from" stays usable.
	 * Errors: PDS_FULL after the plan was changed to a larger one.
	 */
	pds_status	(*rebuild) (void *to, pds_plan *plan, const void *from);

	/*
	 * Before a union: PDS_OK when the state will do as it is, PDS_FULL when it should
	 * move by the plan first, PDS_PARAMETER_MISMATCH when the two cannot be united.  A
	 * state of nothing takes the other's parameters here.
	 */
	pds_status	(*plan_merge) (void *state, size_t size, const pds_operand *from, pds_plan *plan);

	/*
	 * The union; the operand is not changed, except as changes_as_operand tells.
	 * Errors: PDS_FULL, after which the union may be said again; PDS_CORRUPT; and what
	 * the type's refuse() explains.
	 */
	pds_status	(*merge) (void *state, const pds_operand *from);

	/* Would a union work in this operand (empty its ring)?  NULL: never. */
	bool		(*changes_as_operand) (const void *state);

	/*
	 * Before a state is stored: as plan_merge, where it is stored from another image
	 * than its own.  NULL: never.
	 */
	pds_status	(*plan_finish) (void *state, pds_plan *plan);

	/*
	 * The stored form: first what it takes, then the writing, which returns the exact
	 * length.  Both may empty a ring, and change the state no further.
	 * encode_plan returns PDS_CORRUPT, with a sentence in *why, where they find damage.
	 */
	pds_status	(*encode_plan) (void *state, pds_encoding *encoding, const char **why);
	size_t		(*encode) (void *state, const pds_encoding *encoding, void *scratch,
						   uint8_t *out);
} pds_state_ops;

/*
 * What every table begins with, by the names that these functions have in <x>_ops.c; of the
 * others the module says which it has.
 */
#define PDS_STATE_OPS(x, size) \
	.check = pds_##x##_check, \
	.open = ops_open, \
	.check_state = pds_##x##_check_build, \
	.first_size = (size), \
	.init_nothing = ops_init_nothing, \
	.is_nothing = ops_is_nothing, \
	.rebuild = ops_rebuild, \
	.plan_merge = ops_plan_merge, \
	.merge = ops_merge, \
	.encode_plan = ops_encode_plan, \
	.encode = ops_encode

/* A module's structs, as it is compiled, are no larger than what the frame keeps for them. */
#define PDS_OPS_FIT(view_type, plan_type, encoding_type) \
	_Static_assert(sizeof(view_type) <= PDS_VIEW_BYTES && \
				   sizeof(plan_type) <= PDS_PLAN_BYTES && \
				   sizeof(encoding_type) <= PDS_ENCODING_BYTES, \
				   "the frame keeps too little memory")

#endif
