/*
 * sketch.h: what every sketch type does alike as a value of the server
 *
 * A module describes itself in a PdsSketchType and gets its SQL entry points from
 * entry_points.h and aggregate.h.  Their SQL declarations are in src/types/<x>/<x>.sql.
 *
 * A Datum of a sketch type is either the stored form, or the building form of an aggregate's
 * state.  The executor hands states about between transition, combine and final functions.  If
 * a user's own aggregate has no final function, a state can get anywhere.  Everything except
 * the aggregates reads through pds_sketch_get(), which returns only the stored form.
 */
#ifndef PDS_SERVER_TYPE_SKETCH_H
#define PDS_SERVER_TYPE_SKETCH_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "murmur3.h"
#include "state_ops.h"
#include "status.h"
#include "compat.h"
#include "declared.h"
#include "kind_name.h"
#include "parameter.h"
#include "call_argument.h"

/*
 * The head of an SQL entry point, whose body follows.  Raises 42P13 if SQL declares it with a
 * type that is not ours.
 */
#define PDS_FUNCTION(name) \
	PG_FUNCTION_INFO_V1(name); \
	static pg_attribute_always_inline Datum name##_declared(PG_FUNCTION_ARGS); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		static Oid	last; \
		pds_require_declared(fcinfo, &last); \
		return name##_declared(fcinfo); \
	} \
	static Datum \
	name##_declared(PG_FUNCTION_ARGS)

/* The facts about a sketch that probds_health() and probds_describe() report. */
typedef struct PdsHealth
{
	const char *modifier;		/* of the type, as SQL has it: "14"; or NULL */
	double		values;			/* how many distinct ones, as estimated, or -1 */
	double		capacity;		/* for so many it is made, or 0 */
	int64		total;			/* the sum of all weights, or -1 */
	const char *says;			/* in one line, instead of what follows from the others; or NULL */
	const char *parameters;		/* "precision 12", as described */
	double		fill;			/* 0 to 1 */
	double		rate;			/* false-positive rate as filled now, or -1 */
	double		error;			/* relative, or -1 */
	const char *status;			/* "ok", unless something is wrong */
	pds_kind	kind;
	const char *family;			/* "native", unless it is another */
	int64		bytes;
} PdsHealth;

/*
 * The description of a type.  "View" is the module's view of a stored sketch, all of whose
 * payload is in memory (pds_state_ops.open).  "Values" are the values of its parameters
 * (parameter.h).  Functions palloc in the current memory context.
 */
typedef struct PdsSketchType
{
	const char *name;			/* of the SQL type */
	const char *array_functions;	/* its functions that take an array, for a hint */

	const pds_state_ops *ops;	/* its pure half */

	/* The parameters of a type.  A type modifier can set the first "modifiers" of them. */
	const PdsParameter *parameters;
	int			modifiers;
	const char *modifier_takes; /* "one modifier, the precision" */
	const char *modifier_hint;	/* "Write hll(14)." */

	/* Modifiers of another system that may stand behind them: checked, not kept.  Or NULL. */
	const PdsParameter *other_modifiers;
	bool		weighted;		/* it has X_agg_weighted() */

	/*
	 * The shape of these parameters, each in range, in the module's own struct; false if
	 * there is no such sketch, of which impossible() is the error.  NULL: all can be made.
	 */
	bool		(*shape_of) (const double *values, void *shape);
	void		(*impossible) (const double *values);

	/* Make values that mean the same the same ones, for a modifier.  NULL: they are. */
	void		(*simplify) (double *values);

	/*
	 * An empty sketch of these parameters, as a new state.  Errors: as
	 * pds_require_shape().
	 */
	void	   *(*new_state) (const double *values);

	/*
	 * Was this state begun with these parameters?  One that came by way of send and
	 * receive no more than fits them.
	 */
	bool		(*begun_with) (const void *state, const double *values);

	/*
	 * The same as far as a modifier has them.  NULL: begun_with(), because a modifier has all
	 * of them.
	 */
	bool		(*fits_modifier) (const void *state, const double *values);

	/*
	 * For what ops->check cannot know without the server, of a payload that has passed
	 * it: is what is text in it valid text here?  A sentence if not.  NULL if there is
	 * nothing of the kind.
	 */
	const char *(*check_here) (const uint8_t *payload, size_t len);

	/*
	 * Input that is a sketch of another system, which its first bytes tell.  False: it is not.
	 * Else *value is the sketch; or NULL, and *why a sentence.  NULL: there is no such input.
	 */
	bool		(*read_foreign) (const uint8_t *payload, size_t len, struct varlena **value,
								 const char **why);

	/*
	 * Instead of ops->add, for a module that keeps values or has hash families of its
	 * own: one more value, with its hasher as well.  NULL: ops->add does.
	 */
	void	   *(*add_value) (void *state, pds_hash hash, PdsHasher *hasher, Datum value);

	/*
	 * Instead of both, for a module that takes values as they are, without a hash: one more value,
	 * of any type that its hasher says.  It looks at the kind itself.  An empty sketch reads a
	 * literal that has no type as reads_text_as.  NULL: the others do.
	 */
	void	   *(*add_datum) (void *state, PdsHasher *hasher, Datum value);
	pds_kind	reads_text_as;

	/*
	 * The error for what a change of a state was refused for; returns if it has nothing
	 * to say of this status, which is damage then.  NULL: nothing is ever refused.
	 */
	void		(*refuse) (const void *state, pds_status status);

	/* "precision 12", of a view; palloc'd. */
	char	   *(*describe) (const void *view);

	/*
	 * The same where another sketch is named as well, if that may take more words: two that
	 * differ must not be described alike.  NULL: describe() does.
	 */
	char	   *(*describe_beside) (const void *view, const void *other);

	/* Returns whether two sketches have the same parameters, as far as a modifier has them. */
	bool		(*same_parameters) (const void *a, const void *b);

	/*
	 * Returns whether a sketch of the parameters of "from" can be folded to those of "to", an
	 * empty one.  NULL: only if it is empty.
	 */
	bool		(*can_fold) (const void *from, const void *to);

	/*
	 * The fold: a new state, or NULL after all.  No function: an empty one of these
	 * parameters.
	 */
	void	   *(*fold) (struct varlena *value, const double *values);

	/*
	 * The error for two sketches that cannot be united, kinds and families aside.
	 * NULL: the usual one, which describes both.
	 */
	void		(*mismatch) (const void *a, const void *b);

	/*
	 * How a stored sketch is: its fill, and what is not as usual; kind and bytes are
	 * known.  XX001 if it is corrupt.
	 */
	void		(*health) (const void *view, PdsHealth *h);
} PdsSketchType;

/*
 * The modifier of a filter, its rate being a code of base/decimal.h: "1000, 0.01".  NULL if the
 * capacity or the rate is not known.
 */
extern const char *pds_capacity_modifier(uint64 capacity, uint16 rate);

/* All of them, in the order of the install script; NULL ends the list.  _PG_init() sets it. */
extern const PdsSketchType *const *pds_sketch_types;

/* The one of a type of the extension, or of a domain over it; NULL if that is no sketch. */
extern const PdsSketchType *pds_sketch_type_of(Oid type);

/* Memory for a view, or a shape, of any module. */
typedef union PdsView
{
	uint64		aligned;
	uint8		bytes[PDS_VIEW_BYTES];
} PdsView;

/* Opens a value, and finds out the facts about it.  Errors: XX001 if it is corrupt. */
extern void pds_sketch_health(const PdsSketchType *type, Datum value, PdsView *view,
							  PdsHealth *h);

/* The parameters of a sketch in a message that has those of another one. */
static inline char *
pds_describe_beside(const PdsSketchType *type, const void *view, const void *other)
{
	return type->describe_beside != NULL ? type->describe_beside(view, other) :
		type->describe(view);
}

/* The shape of these parameters; 54000 or 22023 if there is no such sketch. */
extern void pds_require_shape(const PdsSketchType *type, const double *values, void *shape);

/* Payload of a detoasted, possibly short-headed value. */
#define PDS_PAYLOAD(v)		((const uint8_t *) VARDATA_ANY(v))
#define PDS_PAYLOAD_LEN(v)	((size_t) VARSIZE_ANY_EXHDR(v))

/* The kind of a detoasted value of either form, aligned if it is a state; and its family. */
static inline pds_kind
pds_value_kind(const struct varlena *v)
{
	if ((PDS_PAYLOAD(v)[1] & 0x0f) == PDS_ENCODING_BUILDING)
		return pds_state_kind(v);
	return pds_header_kind(PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v));
}

static inline uint8
pds_value_family(const struct varlena *v)
{
	return PDS_PAYLOAD(v)[1] >> 4;
}

/* Returns whether this value, detoasted or at least not compressed, is an aggregate's state. */
static inline bool
pds_is_building(const struct varlena *v)
{
	return VARSIZE_ANY_EXHDR(v) > PDS_HEADER_BYTES &&
		(PDS_PAYLOAD(v)[1] & 0x0f) == PDS_ENCODING_BUILDING;
}

/* The stored form of a value: detoasted, short header possible, not to be changed. */
extern struct varlena *pds_sketch_get(const PdsSketchType *type, Datum value);

/* A sketch that is an argument (not NULL) as a new state. */
extern void *pds_state_load_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type);

/*
 * The view of argument argno (not NULL), of all of the value, which is returned and must
 * stay.  XX001 if it is corrupt.
 */
extern struct varlena *pds_sketch_arg(FunctionCallInfo fcinfo, int argno,
									  const PdsSketchType *type, void *view);

/* The same, but no more than the first "most" bytes are read, and nothing of them stays. */
extern void pds_sketch_head_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type,
								int32 most, void *view);

/*
 * A state that is not one of our own, or not any more, as a new one, which is.
 * XX001 if it is damaged.
 */
extern struct varlena *pds_sketch_own_state(const PdsSketchType *type,
											const struct varlena *value);

/* XX001 if a state (aligned, with a full length word) is damaged. */
extern void pds_require_state(const PdsSketchType *type, const struct varlena *state);

/*
 * The stored forms of the elements of argument argno, an array of sketches, that are not NULL.
 * Returns how many.
 */
extern int	pds_sketch_array_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type,
								 struct varlena ***values);

/*
 * Open a stored value (detoasted, all of it), into a view of the type's module.  XX001 if
 * it is corrupt.
 */
extern void pds_sketch_open(const PdsSketchType *type, const struct varlena *value, void *view);

/* A payload as a new value. */
extern struct varlena *pds_sketch_from_payload(const uint8_t *payload, size_t len);

/* 22000: a value of one kind meets a sketch that holds another. */
pg_noreturn extern void pds_kind_mismatch(const PdsSketchType *type, pds_kind holds,
										  pds_kind value);

/*
 * 22000: a sketch of a hash family cannot take "what": a value of a kind, a number too large.
 * The hint may be NULL.
 */
pg_noreturn extern void pds_family_mismatch(const char *type, const char *family, const char *what,
											const char *hint);

/* 22003: a count, as "sum of the weights in a cms", where "subject", "The sum", is at most that. */
pg_noreturn extern void pds_refuse_overflow(const char *what, const char *subject, uint64 most);

/* 54000: more distinct values than a function can size a filter for. */
pg_noreturn extern void pds_refuse_values(const char *function, uint64 most, const char *hint);

/*
 * 22000 if a value is of another kind than those in a sketch: it was hashed otherwise
 * and would not be found.  An empty sketch accepts every kind.
 */
static inline void
pds_require_kind(const PdsSketchType *type, pds_kind holds, pds_kind value)
{
	if (unlikely(holds != value && holds != PDS_KIND_NONE))
		pds_kind_mismatch(type, holds, value);
}

/* The same check, before any element of an array has been hashed. */
static inline void
pds_require_kind_of_elements(const PdsSketchType *type, pds_kind holds, const PdsHasher *element)
{
	if (!element->varies)
		pds_require_kind(type, holds, pds_hasher_kind(element));
}

/*
 * Returns the kind of the union of two sketches of these kinds and hash families.  Raises 22000
 * if they cannot be united.  An empty sketch accepts every kind.
 */
extern pds_kind pds_require_mergeable(const PdsSketchType *type,
									  pds_kind kind_a, uint8_t family_a,
									  pds_kind kind_b, uint8_t family_b);

/* XX001: stored bytes that do not make sense. */
pg_noreturn extern void pds_stored_corrupt(const PdsSketchType *type, const char *why);

/*
 * 22000: "what" cannot be combined, which reads like "cms values of different shapes".  The
 * two are described; hint may be NULL.
 */
pg_noreturn extern void pds_refuse_shapes(const char *what, const char *one, const char *other,
										  const char *hint);

#endif
