/*
 * sketch.h: what the files of the library share
 *
 *     errors.c    what is wrong, as a sentence
 *     values.c    values: their canonical bytes, hashes and texts
 *     sketch.c    a sketch: memory, growth, loading and storing
 *     make.c      sketches are made: new ones, from bytes and texts, and merged
 *     add.c       values into sketches
 *     lines.c     lines of a text into sketches, and lookups of them
 *     types.c     what differs from type to type: parameters, adding, facts
 *     fuse.c      the same of the type fuse
 *     answers.c   the answers
 *
 * As in src/server/type, a type is the table pds_<x>_ops of its pure half, and a description.
 */
#ifndef PROBDS_SKETCH_H
#define PROBDS_SKETCH_H

#include <stdbool.h>

#include "header.h"
#include "probds.h"
#include "state_ops.h"

/* What a sketch is told when it is made, by its name in the options. */
typedef struct parameter
{
	const char *name;
	enum
	{
		INTEGER,				/* a whole number from least to most */
		COUNT,					/* at least 1, rounded up */
		SHARE,					/* a probability of base/decimal.h */
		NAME					/* one of a list: its place there */
	}			form;
	double		standard;		/* where it is not given, perhaps out of range; NAN if it must be */
	double		least;
	double		most;
	const char *const *names;	/* with NULL behind the last */
} parameter;

#define MAX_PARAMETERS	4

/* Begin a state of "size" bytes at "b", in a function that returns a code. */
#define BEGIN(b, size) \
	if (((b) = begin_state(s, size)) == NULL) \
		return refuse(s, PDS_FULL, error)

/* Facts about a sketch; a number below 0 is not known. */
typedef struct facts
{
	char		parameters[100];
	double		values;			/* distinct ones */
	double		total;
	double		capacity;
	double		fill;
	double		rate;			/* of false positives */
	double		error;
	const char *status;
} facts;

typedef struct sketch_type sketch_type;

struct sketch_type
{
	const char *name;
	const pds_state_ops *ops;
	const parameter *parameters;
	uint8_t		number;			/* pds_sketch_type */
	bool		weighted;		/* a value has a weight */
	uint8_t		families;		/* those below hash as the server's native ones do */

	/* Begin a state by these values, in *state of *size bytes. */
	int			(*make) (probds_sketch *s, const double *values, probds_error *error);

	/* Is this state one that takes its shape only when it is stored?  NULL: never. */
	bool		(*collects) (const void *state);

	/*
	 * Add a value by its hash and weight; NULL for ops->add, which has no weight.  PDS_FULL of a
	 * type that has no ops->add: there is no memory.
	 */
	pds_status	(*add) (probds_sketch *s, probds_value value, pds_hash hash, int64_t weight);

	/* NULL for none */
	pds_status	(*count) (const void *view, pds_hash hash, uint64_t *lower, uint64_t *count,
						  uint64_t *upper);
	bool		counts;			/* what count() tells is a frequency */

	/* count() of the state, from 0; false if only its stored form tells.  NULL: always. */
	bool		(*count_state) (probds_sketch *s, pds_hash hash, uint64_t *count, uint64_t *upper);
	int			(*describe) (probds_sketch *s, facts *f, probds_error *error);
};

extern const sketch_type *const sketch_types[];
extern const sketch_type fuse_type;

/* The summary of a minhash whose view is there. */
struct pds_minhash_summary;
extern int	summarize_minhash(probds_sketch *s, struct pds_minhash_summary *sum,
							  probds_error *error);

struct probds_sketch
{
	const sketch_type *type;
	probds_allocator allocator;
	void	   *state;			/* the building form, or NULL */
	size_t		size;
	uint8_t    *bytes;			/* the stored form, or NULL if it is not known */
	size_t		length;
	bool		opened;			/* the view is that of "bytes" */
	union
	{
		pds_view_head head;
		uint8_t		bytes[PDS_VIEW_BYTES];
		uint64_t	aligned;
	}			view;
};

/* ---------- errors.c ---------- */

#define PRINTF_LIKE __attribute__((format(printf, 3, 4)))

/* Set the error; returns its code. */
extern int	fail(probds_error *error, int code, const char *format, ...) PRINTF_LIKE;

/* A status of the pure half as an error. */
extern int	refuse(const probds_sketch *s, pds_status status, probds_error *error);

/* ---------- sketch.c ---------- */

/* The kind of its values. */
extern pds_kind kind_of(const probds_sketch *s);

/* Memory, aligned as malloc() does it, or NULL. */
extern void *take(probds_sketch *s, size_t size);
extern void give(probds_sketch *s, void *memory);

/* The state has changed: its stored form is no longer. */
extern void forget_bytes(probds_sketch *s);

/* Make a new state of this size.  NULL if there is no memory. */
extern void *begin_state(probds_sketch *s, size_t size);

/* Before the state changes: it is there, and the stored form is no longer. */
extern int	need_state(probds_sketch *s, probds_error *error);

/* Merge a view into the state. */
extern int	merge_view(probds_sketch *s, const void *view, probds_error *error);

/* Before an answer: bytes and view are there. */
extern int	need_view(probds_sketch *s, probds_error *error);

/* Move the state by the plan.  PDS_FULL if there is no memory. */
extern pds_status move_state(probds_sketch *s, pds_plan *plan);

/* Call a function that changes s->state until it has space enough. */
#define CHANGE(s, status, call) \
	do { \
		while (((status) = (call)) == PDS_FULL) \
			if (((status) = grow_state(s)) != PDS_OK) \
				break; \
	} while (0)

extern pds_status grow_state(probds_sketch *s);

/* ---------- add.c ---------- */

/* The kind of a value. */
static inline pds_kind
kind_of_value(const probds_value *v)
{
	return pds_kind_make((uint8_t) v->kind, v->signature);
}

/* Can this value, or values of a kind that has no signature, be added or looked up? */
extern int	need_value(const probds_sketch *s, const probds_value *value, probds_error *error);
extern int	need_kind(const probds_sketch *s, int kind, probds_error *error);

/*
 * Before values of a kind are added, of which *before is what the state held; and after it, with
 * the status of the last one.
 */
extern int	begin_adding(probds_sketch *s, const probds_value *like, pds_kind *before,
						 probds_error *error);
extern int	end_adding(probds_sketch *s, pds_status status, pds_kind before, probds_error *error);

static inline pds_status
add_hash(probds_sketch *s, const probds_value *value, pds_hash hash, int64_t weight)
{
	pds_status	status;

	if (s->type->ops->add == NULL)
		status = s->type->add(s, *value, hash, weight);
	else if (s->type->add != NULL)
		CHANGE(s, status, s->type->add(s, *value, hash, weight));
	else
		CHANGE(s, status, s->type->ops->add(s->state, hash));
	return status;
}

/* ---------- values.c ---------- */

extern int	hash_value(const probds_value *v, pds_hash *hash, probds_error *error);

/* The hash for a sketch; a ddsketch has no use of it. */
static inline int
hash_for(const probds_sketch *s, const probds_value *value, pds_hash *hash, probds_error *error)
{
	if (s->type->number != PDS_TYPE_DDSKETCH)
		return hash_value(value, hash, error);
	hash->h1 = hash->h2 = 0;
	return PROBDS_OK;
}

/* The longest text of a value of a fixed size. */
#define VALUE_TEXT	64

/*
 * The text of a value as topk keeps it (server/hash/value_text.h), in the value or at "memory";
 * NULL if it is none.  Bytes are written at "memory" up to "most" of them, and *length tells how
 * many there would be.
 */
extern const char *value_text(const probds_value *v, char *memory, size_t most, size_t *length);

/* Returns whether a text is valid UTF-8 without a zero byte. */
extern bool is_utf8(const char *text, size_t length);

/* Reads a number; false if there is anything else.  By the C locale. */
extern bool read_float(const char *text, size_t length, double *value);

/* snprintf() in the C locale. */
extern int	write_text(char *out, size_t size, const char *format, ...) PRINTF_LIKE;

#endif
