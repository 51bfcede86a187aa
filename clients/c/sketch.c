/*
 * sketch.c: a sketch: memory, growth, unions, loading and storing
 *
 * What src/server/type/state.c does in the server.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "fuse.h"
#include "sketch.h"
#include "topk.h"

const char *
probds_library_version(void)
{
	return PROBDS_VERSION;
}

/* ---------- errors ---------- */

int
fail(probds_error *error, int code, const char *format, ...)
{
	va_list		args;

	if (error == NULL)
		return code;
	error->code = code;
	va_start(args, format);
	vsnprintf(error->sentence, sizeof(error->sentence), format, args);
	va_end(args);
	/* a sentence can quote a value: what would end the line or steer a terminal is "?" */
	for (char *c = error->sentence; *c != '\0'; c++)
		if ((unsigned char) *c < ' ' || *c == 127)
			*c = '?';
	return code;
}

int
refuse(const probds_sketch *s, pds_status status, probds_error *error)
{
	const char *name = s->type->name;

	switch (status)
	{
		case PDS_OK:
			return PROBDS_OK;
		case PDS_PARAMETER_MISMATCH:
			return fail(error, PROBDS_MISMATCH, "The two %s have different parameters.", name);
		case PDS_OVERFLOW:
			return fail(error, PROBDS_LIMIT, "The count of the %s would be above 2^63 - 1.", name);
		case PDS_NEGATIVE:
			return fail(error, PROBDS_ABSENT, "A count of the %s would be below zero.", name);
		case PDS_TOO_LARGE:
			return s->type->number == PDS_TYPE_FUSE ?
				fail(error, PROBDS_LIMIT, "No fuse can be made of these values: there are more "
					 "than %u, or their hashes are too much alike.", PDS_FUSE_MAX_VALUES) :
				fail(error, PROBDS_LIMIT, "The %s would be larger than a value of the server "
					 "can be.", name);
		case PDS_FINISHED:
			return fail(error, PROBDS_NO_ANSWER, "A fuse that is finished cannot be changed or "
						"merged.");
		case PDS_FULL:
			return fail(error, PROBDS_MEMORY, "There is no memory for the %s.", name);
		default:
			return fail(error, PROBDS_CORRUPT, "The %s is corrupt.", name);
	}
}

/* ---------- memory ---------- */

static void *
allocate(void *context, size_t size)
{
	(void) context;
	return malloc(size);
}

static void
release(void *context, void *memory)
{
	(void) context;
	free(memory);
}

static const probds_allocator standard = {allocate, release, NULL};

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

static probds_sketch *
new_sketch(const sketch_type *type, const probds_allocator *allocator, probds_error *error)
{
	const probds_allocator *from = allocator != NULL ? allocator : &standard;
	probds_sketch *s = from->allocate(from->context, sizeof(*s));

	if (s == NULL)
	{
		fail(error, PROBDS_MEMORY, "There is no memory for the %s.", type->name);
		return NULL;
	}
	memset(s, 0, sizeof(*s));
	s->type = type;
	s->allocator = *from;
	return s;
}

static void
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
static int
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

/* What pds_topk_check() cannot know: what is valid UTF-8, and memory to sort in. */
static int
check_topk(probds_sketch *s, probds_error *error)
{
	pds_topk_view *v = (pds_topk_view *) &s->view;
	pds_topk_cursor c;
	pds_topk_item item;
	uint64_t   *scratch;
	bool		distinct;

	pds_topk_items_from(&c, v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
		if (!is_utf8(item.text, item.len))
			return fail(error, PROBDS_CORRUPT, "These bytes are no sketch. A text in it is not "
						"valid UTF-8.");
	scratch = take(s, v->items * sizeof(uint64_t));
	if (scratch == NULL)
		return no_memory(s, error);
	distinct = pds_topk_distinct(v, scratch);
	give(s, scratch);
	return distinct ? PROBDS_OK :
		fail(error, PROBDS_CORRUPT, "These bytes are no sketch. A value stands in it twice.");
}

/* Bytes that the sketch has become the owner of. */
static int
check(probds_sketch *s, probds_error *error)
{
	const char *why = "";
	int			code;

	if (s->type->ops->check(s->bytes, s->length, &why) != PDS_OK)
		return fail(error, PROBDS_CORRUPT, "These bytes are no sketch. %s", why);
	code = need_view(s, error);
	if (code == PROBDS_OK && s->type->number == PDS_TYPE_TOPK)
		code = check_topk(s, error);
	return code;
}

/* A sketch with space for so many bytes, whose first one is this; NULL after an error. */
static probds_sketch *
sketch_for(uint8_t first, size_t length, const probds_allocator *allocator, probds_error *error)
{
	const sketch_type *type = NULL;
	probds_sketch *s;

	for (int i = 0; sketch_types[i] != NULL; i++)
		if (sketch_types[i]->number == first >> 4)
			type = sketch_types[i];
	if (type == NULL || length > 0x3fffffff - 4)
	{
		fail(error, PROBDS_CORRUPT, type == NULL ? "These bytes are no sketch." :
			 "These bytes are more than a sketch can have.");
		return NULL;
	}
	s = new_sketch(type, allocator, error);
	if (s == NULL)
		return NULL;
	s->bytes = take(s, length);
	s->length = length;
	if (s->bytes != NULL)
		return s;
	no_memory(s, error);
	probds_free(s);
	return NULL;
}

static int
hand_out(probds_sketch *s, probds_sketch **sketch, probds_error *error)
{
	int			code = check(s, error);

	if (code != PROBDS_OK)
		probds_free(s);
	else
		*sketch = s;
	return code;
}

int
probds_from_bytes(const void *bytes, size_t length, const probds_allocator *allocator,
				  probds_sketch **sketch, probds_error *error)
{
	probds_error own;
	probds_sketch *s;

	*sketch = NULL;
	if (length == 0)
		return fail(error, PROBDS_CORRUPT, "There are no bytes.");
	s = sketch_for(*(const uint8_t *) bytes, length, allocator, error = error ? error : &own);
	if (s == NULL)
		return error->code;
	memcpy(s->bytes, bytes, length);
	return hand_out(s, sketch, error);
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
		(c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Two digits as a byte, or -1. */
static int
hex_byte(const char *text)
{
	int			high = hex_digit(text[0]);
	int			low = hex_digit(text[1]);

	return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* Read hexadecimal digits; false if there is something else. */
static bool
read_hex(const char *text, size_t length, uint8_t *out)
{
	for (size_t i = 0; i < length / 2; i++)
	{
		int			byte = hex_byte(text + 2 * i);

		if (byte < 0)
			return false;
		out[i] = (uint8_t) byte;
	}
	return length % 2 == 0;
}

/* Read base64 up to its end; false if there is something else.  *n gets the number of bytes. */
static bool
read_base64(const char *text, size_t length, uint8_t *out, size_t *n)
{
	size_t		read = pds_base64_decode(text, length, out);
	size_t		padding = 0;
	char		last[4];
	uint8_t		three[3];

	*n = read / 4 * 3;
	if (read == length)
		return true;
	if (length - read != 4)
		return false;
	memcpy(last, text + read, 4);
	while (padding < 2 && last[3 - padding] == '=')
		last[3 - padding++] = 'A';
	if (padding == 0 || pds_base64_decode(last, 4, three) != 4)
		return false;
	memcpy(out + *n, three, 3 - padding);
	*n += 3 - padding;
	return true;
}

int
probds_from_text(const char *text, size_t length, const probds_allocator *allocator,
				 probds_sketch **sketch, probds_error *error)
{
	bool		hex = length >= 2 && text[0] == '\\' && text[1] == 'x';
	size_t		digits = hex ? length - 2 : length;
	probds_error own;
	probds_sketch *s;
	uint8_t		first[3];
	int			byte;

	*sketch = NULL;
	if (error == NULL)
		error = &own;
	byte = digits < (hex ? 2 : 4) ? -1 : hex ? hex_byte(text + 2) :
		pds_base64_decode(text, 4, first) == 4 ? first[0] : -1;
	if (byte < 0)
		return fail(error, PROBDS_CORRUPT, "The text is no sketch: neither base64 nor \\x and "
					"hexadecimal digits.");
	s = sketch_for((uint8_t) byte, hex ? digits / 2 : digits / 4 * 3 + 3, allocator, error);
	if (s == NULL)
		return error->code;
	if (hex ? !read_hex(text + 2, digits, s->bytes) :
		!read_base64(text, length, s->bytes, &s->length))
	{
		probds_free(s);
		return fail(error, PROBDS_CORRUPT, "The text is no sketch: it has a character that is "
					"not of its alphabet, or is cut off.");
	}
	return hand_out(s, sketch, error);
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

/*
 * The union by way of a copy of the stored form.  A state that collects takes its shape there, and
 * remains one that collects after an error.
 */
static int
merge_in_copy(probds_sketch *s, probds_sketch *other, probds_error *error)
{
	probds_sketch *copy = NULL;
	int			code = need_view(s, error);

	if (code == PROBDS_OK)
		code = probds_from_bytes(s->bytes, s->length, &s->allocator, &copy, error);
	if (code == PROBDS_OK)
		code = probds_merge(copy, other, error);
	if (code == PROBDS_OK)
	{
		forget_bytes(s);
		give(s, s->state);
		s->state = copy->state;
		s->size = copy->size;
		copy->state = NULL;
	}
	probds_free(copy);
	return code;
}

int
probds_merge(probds_sketch *s, probds_sketch *other, probds_error *error)
{
	int			code;

	if (s->type != other->type)
		return fail(error, PROBDS_MISMATCH, "A %s cannot be merged with a %s.", s->type->name,
					other->type->name);
	code = need_view(other, error);
	if (code != PROBDS_OK)
		return code;
	if (s == other || (s->state != NULL && s->type->collects != NULL &&
					   s->type->collects(s->state)))
		return merge_in_copy(s, other, error);
	code = need_state(s, error);
	return code != PROBDS_OK ? code : merge_view(s, &other->view, error);
}

/* ---------- making ---------- */

/* The value of a parameter; false after an error. */
static bool
read_parameter(const sketch_type *type, const parameter *p, const char *text, size_t length,
			   double *value, probds_error *error)
{
	if (p->form == NAME)
	{
		for (int i = 0; p->names[i] != NULL; i++)
			if (strlen(p->names[i]) == length && memcmp(p->names[i], text, length) == 0)
			{
				*value = i;
				return true;
			}
	}
	else if (read_float(text, length, value))
	{
		double		v = *value;

		if (p->form == COUNT && v >= 1)
		{
			/* ceil(), without its library; above 2^53 all numbers are whole */
			if (v < 9007199254740992.0 && (double) (uint64_t) v < v)
				*value = (double) ((uint64_t) v + 1);
			return true;
		}
		if (p->form == SHARE && v >= 1e-9 && v < 1)
			return true;
		if (p->form == INTEGER && v >= p->least && v <= p->most && v == (double) (int64_t) v)
			return true;
	}
	fail(error, PROBDS_PARAMETER, "The %s of a %s cannot be \"%.*s\".", p->name, type->name,
		 (int) (length < 40 ? length : 40), text);
	return false;
}

/* "name=value,name=value"; false after an error. */
static bool
read_options(const sketch_type *type, const char *options, double *values, probds_error *error)
{
	while (*options != '\0')
	{
		size_t		length = strcspn(options, ",");
		size_t		name = strcspn(options, "=,");
		const parameter *p = type->parameters;
		int			i = 0;

		while (p[i].name != NULL &&
			   (strlen(p[i].name) != name || memcmp(p[i].name, options, name) != 0))
			i++;
		if (p[i].name == NULL || name == length)
		{
			fail(error, PROBDS_PARAMETER, p[i].name == NULL ? "A %s has no parameter \"%.*s\"." :
				 "A %s needs a value for \"%.*s\".", type->name, (int) (name < 40 ? name : 40),
				 options);
			return false;
		}
		if (!read_parameter(type, &p[i], options + name + 1, length - name - 1, &values[i],
							error))
			return false;
		options += length + (options[length] == ',');
	}
	return true;
}

int
probds_new(const char *name, const char *options, const probds_allocator *allocator,
		   probds_sketch **sketch, probds_error *error)
{
	const sketch_type *type = NULL;
	double		values[MAX_PARAMETERS];
	probds_sketch *s;
	int			code;

	*sketch = NULL;
	for (int i = 0; sketch_types[i] != NULL; i++)
		if (strcmp(sketch_types[i]->name, name) == 0)
			type = sketch_types[i];
	if (type == NULL)
		return fail(error, PROBDS_PARAMETER, "There is no sketch type \"%.40s\".", name);
	for (int i = 0; type->parameters[i].name != NULL; i++)
		values[i] = type->parameters[i].standard;
	if (options != NULL && !read_options(type, options, values, error))
		return PROBDS_PARAMETER;
	s = new_sketch(type, allocator, error);
	if (s == NULL)
		return PROBDS_MEMORY;
	code = type->make(s, values, error);
	if (code != PROBDS_OK)
		probds_free(s);
	else
		*sketch = s;
	return code;
}
