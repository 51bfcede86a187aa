/*
 * make.c: sketches are made: new ones, from bytes and texts, and merged
 */
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "sketch.h"
#include "topk.h"

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

/* ---------- from bytes and texts ---------- */

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
		return refuse(s, PDS_FULL, error);
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
	refuse(s, PDS_FULL, error);
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

/* ---------- new ---------- */

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

/* ---------- merged ---------- */

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
