/*
 * linear.c: linear counting: the algorithm, its stored bytes and the estimate
 */
#include <math.h>
#include <string.h>

#include "linear.h"

void
pds_linear_init(pds_linear_build *b, uint32_t bits)
{
	pds_state_init(b, PDS_TYPE_LINEAR, PDS_FAMILY_NATIVE);
	b->undecided = 0;
	b->bits = bits;
	memset(b->bitmap, 0, (bits + 7) / 8);
}

pds_status
pds_linear_add(pds_linear_build *b, pds_hash hash)
{
	uint64_t	bit = hash.h1 % b->bits;

	b->bitmap[bit / 8] |= (uint8_t) (1 << bit % 8);
	return PDS_OK;
}

static pds_status
pds_linear_open(pds_linear_view *v, const uint8_t *payload, size_t have, size_t len,
				const char **why)
{
	pds_status	status = pds_view_open(v, payload, have, len, PDS_TYPE_LINEAR,
									   PDS_FAMILY_NATIVE + 1, why);

	if (status != PDS_OK)
		return status;
	if (v->encoding > PDS_LINEAR_BITMAP || have < v->data_at + 4)
		PDS_REFUSE(why, "Its encoding is not known, or it is cut off.");
	v->bits = pds_load_le32(payload + v->data_at);
	v->bitmap = v->encoding == PDS_ENCODING_EMPTY ? NULL : payload + v->data_at + 4;
	if (v->bits < PDS_LINEAR_MIN_BITS || v->bits > PDS_LINEAR_MAX_BITS ||
		len != v->data_at + 4 + (v->bitmap == NULL ? 0 : (v->bits + 7) / 8))
		PDS_REFUSE(why, "Its length does not go with its number of bits.");
	return PDS_OK;
}

static bool
is_zero(const uint8_t *bitmap, uint32_t bits)
{
	for (uint32_t i = 0; i < (bits + 7) / 8; i++)
		if (bitmap[i] != 0)
			return false;
	return true;
}

static bool
ends_in_zeros(const uint8_t *bitmap, uint32_t bits)
{
	return bits % 8 == 0 || bitmap[bits / 8] >> bits % 8 == 0;
}

static pds_status
pds_linear_check(const uint8_t *payload, size_t len, const char **why)
{
	pds_linear_view v;
	pds_status	status = pds_linear_open(&v, payload, len, len, why);

	if (status == PDS_OK && v.bitmap != NULL &&
		(v.kind == PDS_KIND_NONE || is_zero(v.bitmap, v.bits) || !ends_in_zeros(v.bitmap, v.bits)))
		PDS_REFUSE(why, "Its bits do not agree with its header.");
	return status;
}

static bool
pds_linear_check_build(const void *state, size_t size)
{
	const pds_linear_build *b = state;

	return pds_state_head_valid(state, size, PDS_TYPE_LINEAR, PDS_FAMILY_NATIVE + 1) &&
		size >= sizeof(*b) && b->undecided <= 1 &&
		b->bits >= PDS_LINEAR_MIN_BITS && b->bits <= PDS_LINEAR_MAX_BITS &&
		size == pds_linear_size(b->bits) && ends_in_zeros(b->bitmap, b->bits) &&
		is_zero(b->bitmap, b->bits) == (pds_state_kind(b) == PDS_KIND_NONE);
}

static void
init_nothing(pds_linear_build *b)
{
	pds_linear_init(b, PDS_LINEAR_DEFAULT_BITS);
}

/* It never has to grow. */
static void
pds_linear_plan_growth(const pds_linear_build *b, pds_linear_plan *plan)
{
	plan->bits = b->bits;
}

/* To other bits only a union of nothing moves. */
static pds_status
pds_linear_rebuild(pds_linear_build *to, const pds_linear_plan *plan, const pds_linear_build *from)
{
	(void) from;
	pds_linear_init(to, plan->bits);
	return PDS_OK;
}

static pds_status
pds_linear_plan_union(pds_linear_build *b, const pds_operand *from, pds_linear_plan *plan)
{
	uint32_t	bits = from->state != NULL ? ((const pds_linear_build *) from->state)->bits :
		((const pds_linear_view *) from->view)->bits;

	if (b->bits == bits)
		b->undecided = 0;
	if (b->undecided)
	{
		plan->size = pds_linear_size(bits);
		plan->bits = bits;
		return PDS_FULL;
	}
	return b->bits == bits ? PDS_OK : PDS_PARAMETER_MISMATCH;
}

static pds_status
pds_linear_merge(pds_linear_build *b, const pds_operand *from)
{
	const uint8_t *bitmap = from->state != NULL ? ((const pds_linear_build *) from->state)->bitmap :
		((const pds_linear_view *) from->view)->bitmap;

	for (uint32_t i = 0; bitmap != NULL && i < (b->bits + 7) / 8; i++)
		b->bitmap[i] |= bitmap[i];
	return PDS_OK;
}

static void
pds_linear_measure(pds_linear_build *b, pds_linear_encoding *encoding)
{
	encoding->bytes = PDS_HEADER_MAX_BYTES + 4 + (b->bits + 7) / 8;
	encoding->scratch = 0;
}

static size_t
pds_linear_encode(const pds_linear_build *b, const pds_linear_encoding *encoding, void *scratch,
				  uint8_t *out)
{
	bool		empty = is_zero(b->bitmap, b->bits);
	size_t		at = pds_header_put(out, PDS_TYPE_LINEAR, PDS_FAMILY_NATIVE,
									empty ? PDS_ENCODING_EMPTY : PDS_LINEAR_BITMAP, pds_state_kind(b));

	(void) encoding;
	(void) scratch;
	pds_store_le32(out + at, b->bits);
	at += 4;
	if (empty)
		return at;
	memcpy(out + at, b->bitmap, (b->bits + 7) / 8);
	return at + (b->bits + 7) / 8;
}

double
pds_linear_cardinality(const pds_linear_view *v)
{
	uint32_t	set = 0;

	for (uint32_t i = 0; v->bitmap != NULL && i < v->bits; i++)
		set += v->bitmap[i / 8] >> i % 8 & 1;
	/* of a full one no more can be told */
	return v->bits * log((double) v->bits / (set < v->bits ? v->bits - set : 0.5));
}

PDS_STATE_OPS(linear, pds_linear_add,
			  .first_size = sizeof(pds_linear_build) + PDS_LINEAR_DEFAULT_BITS / 8);
