/*
 * driver.h: the fuzz target of a sketch type: whatever bytes pass its check must be a
 * sketch in every way, and what does not pass must be safe to read
 *
 * A type's <type>_fuzz.c describes it in a fuzz_target; what all types promise is asserted
 * here, by way of the module's table of functions.
 */
#ifndef PDS_TEST_DRIVER_H
#define PDS_TEST_DRIVER_H

#include "fuzz.h"
#include "payload.h"
#include "pieces.h"
#include "stored.h"

/* ---------- what all types promise ---------- */

/* The state is stored as these bytes, and can be worked with. */
static inline void
stored_must_be(stored_state *s, const payload *in)
{
	payload		out;

	MUST(!s->ops->is_nothing(s->image) && s->ops->check_state(s->image, s->size));
	MUST(stored_write(s, &out) == PDS_OK);
	MUST(payload_equal(in, &out));
	payload_free(&out);
}

/* The state is stored as some sketch, unless it became too large for a test. */
static inline void
stored_must_be_good(stored_state *s)
{
	payload		out;
	pds_status	status = stored_write(s, &out);

	MUST(status == PDS_OK || status == PDS_TOO_LARGE);
	if (status != PDS_OK)
		return;
	MUST(s->ops->check(out.bytes, out.len, NULL) == PDS_OK);
	payload_free(&out);
}

/* What passed the check: loaded it is the same, also as a state; twice of it and more in it. */
static inline void
stored_good(const pds_state_ops *ops, const payload *in, const pds_operand *from, pds_kind added,
			uint64_t seed)
{
	pds_kind	kind = pds_header_kind(in->bytes, in->len);
	stored_state s = stored_nothing(ops);
	stored_state t = stored_nothing(ops);
	pds_operand as_state = {NULL, NULL};
	pds_status	status = stored_merge(&s, from, kind);

	/* (what is finished becomes no state) */
	MUST(status == PDS_OK || status == PDS_TOO_LARGE || status == PDS_FINISHED);
	if (status == PDS_OK)
	{
		stored_must_be(&s, in);
		as_state.state = s.image;
		status = stored_merge(&t, &as_state, kind);
		MUST(status == PDS_OK || status == PDS_TOO_LARGE);
		if (status == PDS_OK)
			stored_must_be(&t, in);
		status = stored_merge(&s, from, kind);
		MUST(status != PDS_CORRUPT && status != PDS_FULL && status != PDS_PARAMETER_MISMATCH);
		if (status == PDS_OK)
			stored_must_be_good(&s);
		for (int i = 0; ops->add != NULL && i < 20 && status == PDS_OK; i++)
		{
			pds_hash	h = fuzz_hash(&seed);

			if (kind == PDS_KIND_NONE)
				pds_state_set_kind(s.image, added);
			while ((status = ops->add(s.image, h)) == PDS_FULL)
				if ((status = stored_grow(&s)) != PDS_OK)
					break;
			MUST(status != PDS_CORRUPT);
		}
		if (status == PDS_OK)
			stored_must_be_good(&s);
	}
	free(s.image);
	free(t.image);
}

/*
 * Bytes, whatever they are: refused with a reason, or a sketch in every way.  Values that are
 * added to a sketch of no kind are of the kind "added".
 */
static inline void
fuzz_stored(const pds_state_ops *ops, const payload *in, pds_kind added)
{
	stored_space view;
	pds_operand from = {NULL, &view};
	const char *why = NULL;
	pds_status	status = ops->check(in->bytes, in->len, &why);
	bool		opens = ops->open(&view, in->bytes, in->len, in->len, NULL) == PDS_OK;

	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	MUST(opens || status != PDS_OK);
	if (status == PDS_OK)
		stored_good(ops, in, &from, added, fuzz_seed(in->bytes, in->len));
	else if (opens)
	{
		/* a damaged table's sketch: each reader must stay within bounds, and end */
		stored_state s = stored_nothing(ops);
		payload		out;

		if (stored_merge(&s, &from, pds_header_kind(in->bytes, in->len)) == PDS_OK &&
			stored_write(&s, &out) == PDS_OK)
			payload_free(&out);
		free(s.image);
	}
}

/* ---------- the driver ---------- */

/* What a type brings.  Every function may be NULL. */
typedef struct fuzz_target
{
	const pds_state_ops *ops;
	pds_kind	added;			/* a kind that every sketch without one can take */

	/* So many bytes are enough to open a sketch. */
	size_t		prefix;

	/* Is what passed the check a sketch?  (A value that is there twice passes topk's.) */
	bool		(*accepted) (const payload *in);

	/* Is a view of a sketch too large to be made a state of here? */
	bool		(*too_large) (const void *view);

	/* A stored sketch that this one can be united with, its own each time. */
	payload		(*another) (const void *view, uint64_t seed);

	/* Does the union of a sketch with itself change nothing? */
	bool		sets;

	/* What became of that union: "all" is NULL unless the status is PDS_OK. */
	void		(*united) (const void *view, const payload *other, pds_status status,
						   const payload *all);

	/* What only this type promises of a sketch, and of bytes that only open. */
	void		(*good) (const payload *in, const void *view, uint64_t seed);
	void		(*unchecked) (const payload *in, const void *view, uint64_t seed);
} fuzz_target;

static inline void
must_be_good(const fuzz_target *t, const payload *p)
{
	const char *why = NULL;

	if (t->ops->check(p->bytes, p->len, &why) != PDS_OK)
		fprintf(stderr, "%s\n", why);
	MUST(why == NULL);
	MUST(t->accepted == NULL || t->accepted(p));
}

/* The union of two stored sketches, or of the first with a state of the second. */
static inline pds_status
union_of(const fuzz_target *t, const payload *a, const payload *b, bool as_state, payload *out)
{
	const payload *sides[2] = {a, b};
	stored_state s = stored_nothing(t->ops);
	stored_state loaded = stored_nothing(t->ops);
	pds_status	status = PDS_OK;

	for (int i = 0; i < 2 && status == PDS_OK; i++)
	{
		pds_operand from = {loaded.image, NULL};

		if (i == 0 || !as_state)
			status = stored_merge_bytes(&s, sides[i]);
		else if ((status = stored_merge_bytes(&loaded, sides[i])) == PDS_OK)
		{
			from.state = loaded.image;
			status = stored_merge(&s, &from, pds_state_kind(loaded.image));
		}
	}
	if (status == PDS_OK)
		status = stored_write(&s, out);
	free(loaded.image);
	free(s.image);
	return status;
}

/* The union with another sketch: the same from either side, and by way of a state. */
static inline void
fuzz_union(const fuzz_target *t, const payload *in, const void *view, uint64_t seed)
{
	payload		other = t->another(view, seed);
	payload		all = {NULL, 0};
	payload		again = {NULL, 0};
	pds_status	status = union_of(t, in, &other, false, &all);

	must_be_good(t, &other);
	MUST(status == PDS_OK || status == PDS_TOO_LARGE || status == PDS_OVERFLOW);
	MUST(union_of(t, &other, in, false, &again) == status);
	if (status == PDS_OK)
	{
		must_be_good(t, &all);
		MUST(payload_equal(&all, &again));
		payload_free(&again);
		MUST(union_of(t, in, &other, true, &again) == PDS_OK);
		MUST(payload_equal(&all, &again));
		payload_free(&again);
		if (t->sets)
		{
			MUST(union_of(t, &all, in, false, &again) == PDS_OK);
			MUST(payload_equal(&all, &again));
			payload_free(&again);
		}
	}
	if (t->united != NULL && status != PDS_TOO_LARGE)
		t->united(view, &other, status, status == PDS_OK ? &all : NULL);
	payload_free(&all);
	payload_free(&other);
}

static inline int
fuzz_one(const fuzz_target *t, const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	payload		head = payload_copy(data, size < t->prefix ? size : t->prefix);
	uint64_t	seed = fuzz_seed(data, size);
	stored_space view;
	bool		good = t->ops->check(in.bytes, in.len, NULL) == PDS_OK;
	pds_status	opened = t->ops->open(&view, head.bytes, head.len, in.len, NULL);

	fuzz_counts.all++;
	good = good && (t->accepted == NULL || t->accepted(&in));
	if (good || t->accepted == NULL || t->ops->check(in.bytes, in.len, NULL) != PDS_OK)
		fuzz_stored(t->ops, &in, t->added);
	/* the head alone is as good, or as bad */
	MUST(t->ops->open(&view, in.bytes, in.len, in.len, NULL) == opened);
	if (good)
	{
		MUST(opened == PDS_OK);
		/* (cms counts all that is dense as one) */
		fuzz_counts.accepted[(in.bytes[1] & 15) < 2 ? in.bytes[1] & 15 : 2]++;
		if (t->good != NULL)
			t->good(&in, &view, seed);
		if (t->another != NULL && seed % 4 == 0 && (t->too_large == NULL || !t->too_large(&view)))
			fuzz_union(t, &in, &view, seed / 4);
	}
	else
	{
		fuzz_counts.refused++;
		if (opened == PDS_OK)
		{
			fuzz_counts.opened++;
			if (t->unchecked != NULL)
				t->unchecked(&in, &view, seed);
		}
	}
	payload_free(&head);
	payload_free(&in);
	return 0;
}

/* The entry, for a fuzz_target of these fields. */
#define FUZZ_TARGET(...) \
	fuzz_count	fuzz_counts; \
	int \
	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
	{ \
		static const fuzz_target target = {__VA_ARGS__}; \
		return fuzz_one(&target, data, size); \
	}

#endif
