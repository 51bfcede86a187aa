/*
 * add.c: values into sketches
 */
#include <string.h>

#include "sketch.h"

static uint8_t
family_of(const probds_sketch *s)
{
	return s->state != NULL ? pds_state_family(s->state) : s->bytes[1] >> 4;
}

int
need_value(const probds_sketch *s, const probds_value *value, probds_error *error)
{
	pds_kind	kind = kind_of_value(value);
	pds_kind	holds = kind_of(s);

	if (value->kind < 0 || value->kind >= 2 * PROBDS_CANONICAL ||
		pds_kind_code(kind) == PDS_KIND_NONE || pds_kind_code(kind) == PDS_KIND_HASH ||
		!pds_kind_code_valid(pds_kind_code(kind)) ||
		(value->signature != 0 && !pds_kind_has_signature(pds_kind_code(kind))))
		return fail(error, PROBDS_VALUE, "There are no values of kind %d with signature %u.",
					value->kind, value->signature);
	if (s->type->number == PDS_TYPE_DDSKETCH)
	{
		if (value->kind != PROBDS_INTEGER && value->kind != PROBDS_FLOAT)
			return fail(error, PROBDS_VALUE, "A ddsketch takes numbers, not values of kind %s.",
						probds_kind_of_name(pds_kind_code(kind)));
		kind = PROBDS_INTEGER;
	}
	if (holds != PDS_KIND_NONE && holds != kind)
		return fail(error, PROBDS_MISMATCH, "The %s is of %s values, so %s values can neither be "
					"added nor looked up.", s->type->name,
					probds_kind_of_name(pds_kind_code(holds)),
					probds_kind_of_name(pds_kind_code(kind)));
	if (family_of(s) >= s->type->families)
		return fail(error, PROBDS_VALUE, "The %s has the hashes of another system, which only the "
					"server makes.", s->type->name);
	return PROBDS_OK;
}

int
need_kind(const probds_sketch *s, int kind, probds_error *error)
{
	probds_value like = probds_value_integer(kind, 0);

	return need_value(s, &like, error);
}

int
begin_adding(probds_sketch *s, const probds_value *like, pds_kind *before, probds_error *error)
{
	int			code = need_value(s, like, error);

	if (code == PROBDS_OK)
		code = need_state(s, error);
	if (code != PROBDS_OK)
		return code;
	*before = pds_state_kind(s->state);
	pds_state_set_kind(s->state, s->type->number == PDS_TYPE_DDSKETCH ? PROBDS_INTEGER :
					   kind_of_value(like));
	return PROBDS_OK;
}

int
end_adding(probds_sketch *s, pds_status status, pds_kind before, probds_error *error)
{
	if (status == PDS_OK)
		return PROBDS_OK;
	pds_state_set_kind(s->state, before);
	if (status == PDS_CORRUPT && s->type->number == PDS_TYPE_TOPK)
		return fail(error, PROBDS_VALUE, "A topk keeps values as texts: this one is not valid "
					"UTF-8, or of a kind whose text only the server writes.");
	return refuse(s, status, error);
}

int
probds_add(probds_sketch *s, probds_value value, int64_t weight, probds_error *error)
{
	pds_hash	hash;
	pds_kind	before;
	int			code;

	if (weight != 1 && !s->type->weighted)
		return fail(error, PROBDS_VALUE, "A value of a %s has no weight.", s->type->name);
	if (weight < 0 && s->type->number != PDS_TYPE_CMS)
		return fail(error, PROBDS_VALUE, "A weight of a %s cannot be below 0.", s->type->name);
	code = hash_for(s, &value, &hash, error);
	if (code == PROBDS_OK && weight == 0)
		code = need_value(s, &value, error);
	if (code != PROBDS_OK || weight == 0)
		return code;
	code = begin_adding(s, &value, &before, error);
	if (code != PROBDS_OK)
		return code;
	return end_adding(s, add_hash(s, &value, hash, weight), before, error);
}

int
probds_add_integers(probds_sketch *s, int kind, const int64_t *values, size_t n,
					probds_error *error)
{
	probds_value value = probds_value_integer(kind, 0);
	pds_status	status = PDS_OK;
	pds_kind	before;
	pds_hash	hash;
	int			code = kind == PROBDS_FLOAT || kind == PROBDS_TEXT || kind == PROBDS_BYTES ||
		kind == PROBDS_UUID || kind >= PROBDS_CANONICAL ?
		fail(error, PROBDS_VALUE, "Values of kind %s are no integers.",
			 probds_kind_of_name(kind)) : PROBDS_OK;

	if (code == PROBDS_OK && n > 0)
		code = begin_adding(s, &value, &before, error);
	for (size_t i = 0; code == PROBDS_OK && i < n; i++)
	{
		value.of.integer = values[i];
		code = hash_for(s, &value, &hash, error);
		if (code != PROBDS_OK)
		{
			if (i == 0)
				pds_state_set_kind(s->state, before);
			break;
		}
		status = add_hash(s, &value, hash, 1);
		if (status != PDS_OK)
			return end_adding(s, status, i == 0 ? before : pds_state_kind(s->state), error);
	}
	return code;
}

int
probds_add_floats(probds_sketch *s, const double *values, size_t n, probds_error *error)
{
	probds_value value = probds_value_float(0);
	pds_kind	before;
	int			code = n > 0 ? begin_adding(s, &value, &before, error) : PROBDS_OK;

	for (size_t i = 0; code == PROBDS_OK && i < n; i++)
	{
		pds_status	status;

		value.of.real = values[i];
		status = add_hash(s, &value, pds_hash_number(pds_double_bits(values[i])), 1);
		if (status != PDS_OK)
			return end_adding(s, status, i == 0 ? before : pds_state_kind(s->state), error);
	}
	return code;
}

int
probds_remove(probds_sketch *s, probds_value value, probds_error *error)
{
	pds_hash	hash;
	int			code = hash_for(s, &value, &hash, error);

	if (s->type->ops->remove == NULL)
		return fail(error, PROBDS_NO_ANSWER, "Nothing can be taken out of a %s.", s->type->name);
	if (code == PROBDS_OK)
		code = need_value(s, &value, error);
	if (code == PROBDS_OK)
		code = need_state(s, error);
	return code != PROBDS_OK ? code : refuse(s, s->type->ops->remove(s->state, hash), error);
}
