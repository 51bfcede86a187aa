/*
 * sketch.c: a sketch: memory, growth, loading and storing
 *
 * What src/server/type/state.c does in the server.
 */
#include <string.h>

#include "base64.h"
#include "fuse.h"
#include "sketch.h"

const char *
probds_library_version(void)
{
	return PROBDS_VERSION;
}

/* ---------- memory ---------- */

void *
take(probds_sketch *s, size_t size)
{
	return s->allocator.allocate(s->allocator.context, size > 0 ? size : 1);
}

void
give(probds_sketch *s, void *memory)
{
	if (memory != NULL)
		s->allocator.release(s->allocator.context, memory);
}

static int
no_memory(const probds_sketch *s, probds_error *error)
{
	return refuse(s, PDS_FULL, error);
}

void
forget_bytes(probds_sketch *s)
{
	give(s, s->bytes);
	s->bytes = NULL;
	s->opened = false;
}

void
probds_free(probds_sketch *s)
{
	if (s == NULL)
		return;
	forget_bytes(s);
	give(s, s->state);
	s->allocator.release(s->allocator.context, s);
}

/* ---------- the building form ---------- */

/* Memory for a plan, an encoding or a view of any module. */
typedef union frame
{
	pds_plan	plan;
	pds_encoding encoding;
	uint8_t		bytes[PDS_PLAN_BYTES > PDS_ENCODING_BYTES ? PDS_PLAN_BYTES : PDS_ENCODING_BYTES];
	uint64_t	aligned;
} frame;

void *
begin_state(probds_sketch *s, size_t size)
{
	void	   *state = take(s, size);

	if (state == NULL)
		return NULL;
	memset(state, 0, sizeof(pds_state_head));
	give(s, s->state);
	s->state = state;
	s->size = size;
	return state;
}

/* The same state in another image. */
static pds_status
rebuild(probds_sketch *s, const void *state, pds_plan *plan, void **to)
{
	for (;;)
	{
		pds_status	status;

		*to = take(s, plan->size);
		if (*to == NULL)
			return PDS_FULL;
		memset(*to, 0, sizeof(pds_state_head));
		status = s->type->ops->rebuild(*to, plan, state);
		if (status == PDS_OK)
			return PDS_OK;
		give(s, *to);
		*to = NULL;
		if (status != PDS_FULL)
			return status;
	}
}

pds_status
move_state(probds_sketch *s, pds_plan *plan)
{
	void	   *to;
	pds_status	status = rebuild(s, s->state, plan, &to);

	if (status != PDS_OK)
		return status;
	give(s, s->state);
	s->state = to;
	s->size = plan->size;
	return PDS_OK;
}

pds_status
grow_state(probds_sketch *s)
{
	frame		f;

	/* a type that adds its values itself lacks space nowhere else */
	if (s->type->ops->plan_growth == NULL)
		return PDS_CORRUPT;
	f.plan.size = s->size;
	s->type->ops->plan_growth(s->state, &f.plan);
	return move_state(s, &f.plan);
}

/* The union with a stored sketch, whose kind and family go with the state. */
int
merge_view(probds_sketch *s, const void *view, probds_error *error)
{
	const pds_state_ops *ops = s->type->ops;
	pds_operand operand = {NULL, view};
	const pds_view_head *head = view;
	pds_status	status;
	pds_kind	kind;
	frame		f;

	/* first: to go to the other's parameters changes the state */
	if (pds_state_kind(s->state) != PDS_KIND_NONE && head->kind != PDS_KIND_NONE &&
		pds_state_family(s->state) != head->family)
		return fail(error, PROBDS_MISMATCH, "The two %s are of different hash families.",
					s->type->name);
	if (!pds_kind_join(pds_state_kind(s->state), head->kind, &kind))
		return fail(error, PROBDS_MISMATCH, "One %s is of %s values, the other of %s values.",
					s->type->name, probds_kind_of_name(pds_kind_code(pds_state_kind(s->state))),
					probds_kind_of_name(pds_kind_code(head->kind)));
	for (;;)
	{
		f.plan.size = s->size;
		status = ops->plan_union(s->state, &operand, &f.plan);
		if (status != PDS_FULL)
			break;
		status = move_state(s, &f.plan);
		if (status != PDS_OK)
			break;
	}
	if (status != PDS_OK)
		return refuse(s, status, error);
	pds_state_set_kind(s->state, kind);
	CHANGE(s, status, ops->merge(s->state, &operand));
	return refuse(s, status, error);
}

/* Make a state of the stored form, which stays. */
static int
load(probds_sketch *s, probds_error *error)
{
	int			code = need_view(s, error);

	if (code != PROBDS_OK)
		return code;
	if (begin_state(s, s->type->ops->first_size) == NULL)
		return no_memory(s, error);
	s->type->ops->init_nothing(s->state);
	code = merge_view(s, &s->view, error);
	if (code != PROBDS_OK)
	{
		give(s, s->state);
		s->state = NULL;
	}
	return code;
}

int
need_state(probds_sketch *s, probds_error *error)
{
	if (s->state == NULL)
	{
		int			code = load(s, error);

		if (code != PROBDS_OK)
			return code;
	}
	if (s->bytes != NULL)
		forget_bytes(s);
	return PROBDS_OK;
}

/* ---------- the stored form ---------- */

static int
store(probds_sketch *s, probds_error *error)
{
	const pds_state_ops *ops = s->type->ops;
	void	   *moved = NULL;
	void	   *state = s->state;
	void	   *scratch = NULL;
	uint8_t    *bytes;
	frame		f;
	pds_status	status = PDS_OK;

	if (s->type->number == PDS_TYPE_FUSE)
		((pds_fuse_build *) state)->finished = 1;
	if (ops->plan_finish != NULL)
		status = ops->plan_finish(state, &f.plan);
	if (status == PDS_FULL)
	{
		status = rebuild(s, state, &f.plan, &moved);
		state = moved;
	}
	if (status != PDS_OK)
		return refuse(s, status, error);
	ops->measure(state, &f.encoding);
	bytes = take(s, f.encoding.bytes);
	if (f.encoding.scratch > 0)
		scratch = take(s, f.encoding.scratch);
	if (bytes == NULL || (f.encoding.scratch > 0 && scratch == NULL))
	{
		give(s, bytes);
		give(s, scratch);
		give(s, moved);
		return no_memory(s, error);
	}
	s->length = ops->encode(state, &f.encoding, scratch, bytes);
	give(s, scratch);
	give(s, moved);
	if (s->length == 0)
	{
		give(s, bytes);
		return refuse(s, PDS_TOO_LARGE, error);
	}
	s->bytes = bytes;
	return PROBDS_OK;
}

int
need_view(probds_sketch *s, probds_error *error)
{
	int			code = s->bytes == NULL ? store(s, error) : PROBDS_OK;
	const char *why = NULL;

	if (code != PROBDS_OK || s->opened)
		return code;
	if (s->type->ops->open(&s->view, s->bytes, s->length, s->length, &why) != PDS_OK)
		return fail(error, PROBDS_CORRUPT, "The %s is corrupt. %s", s->type->name,
					why != NULL ? why : "");
	s->opened = true;
	return PROBDS_OK;
}

int
probds_to_bytes(probds_sketch *s, const void **bytes, size_t *length, probds_error *error)
{
	int			code = s->bytes == NULL ? store(s, error) : PROBDS_OK;

	if (code != PROBDS_OK)
		return code;
	*bytes = s->bytes;
	*length = s->length;
	return PROBDS_OK;
}

int
probds_to_text(probds_sketch *s, char *text, size_t size, size_t *length, probds_error *error)
{
	int			code = s->bytes == NULL ? store(s, error) : PROBDS_OK;

	if (code != PROBDS_OK)
		return code;
	*length = (s->length + 2) / 3 * 4;
	if (*length >= size)
		return fail(error, PROBDS_LIMIT, "The text of the %s has %zu bytes.", s->type->name,
					*length);
	text[pds_base64_encode(s->bytes, s->length, text)] = '\0';
	return PROBDS_OK;
}

/* ---------- the whole ---------- */

const char *
probds_type(const probds_sketch *s)
{
	return s->type->name;
}

pds_kind
kind_of(const probds_sketch *s)
{
	return s->state != NULL ? pds_state_kind(s->state) : pds_header_kind(s->bytes, s->length);
}

int
probds_kind(const probds_sketch *s)
{
	return pds_kind_code(kind_of(s));
}
