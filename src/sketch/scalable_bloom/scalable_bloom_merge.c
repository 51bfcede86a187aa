/*
 * scalable_bloom_merge.c: the union of scalable Bloom filters
 *
 * It adds the layers of the other side; of two layers one of which contains the other that one
 * stays.  Another family is refused, and so is a side that collects.
 */
#include "scalable_bloom_build.h"

/* Bytes that closed layers of the operand may take. */
static size_t
operand_bytes(const pds_operand *from)
{
	const pds_scalable_bloom_view *v = from->view;
	const pds_scalable_bloom_build *other = from->state;
	pds_bloom_encoding encoding;
	size_t		len;

	if (other == NULL)
		return v->len + v->layers * pds_scalable_bloom_entry_size(0) + 8 * v->layers;
	len = pds_scalable_bloom_closing(other, &encoding);
	return other->closed + (len > 0 ? pds_scalable_bloom_entry_size(len) : 0);
}

static const pds_scalable_bloom_parameters *
operand_parameters(const pds_operand *from)
{
	return from->state != NULL ?
		&((const pds_scalable_bloom_build *) from->state)->parameters :
		&((const pds_scalable_bloom_view *) from->view)->parameters;
}

pds_status
pds_scalable_bloom_plan_union(pds_scalable_bloom_build *b, const pds_operand *from,
							  pds_scalable_bloom_plan *plan)
{
	const pds_scalable_bloom_parameters *other = operand_parameters(from);
	size_t		need;

	if (b->undecided)
	{
		b->parameters = *other;
		b->header[1] = (uint8_t) (other->family << 4 | PDS_ENCODING_BUILDING);
		b->undecided = 0;
	}
	if (other->family != b->parameters.family || pds_scalable_bloom_collects(b) ||
		(from->state != NULL && pds_scalable_bloom_collects(from->state)))
		return PDS_PARAMETER_MISMATCH;
	need = sizeof(*b) + b->closed + operand_bytes(from);
	if (b->open_at != 0)
	{
		pds_bloom_encoding encoding;

		need += pds_scalable_bloom_entry_size(pds_scalable_bloom_closing(b, &encoding));
	}
	else if (need <= plan->size)
		return PDS_OK;
	if (need > PDS_SCALABLE_BLOOM_MAX_SIZE - 7)
		return PDS_TOO_LARGE;
	plan->step = PDS_SCALABLE_BLOOM_CLOSE;
	plan->size = pds_scalable_bloom_round_up(need);
	/* a union of many does not move at each of them */
	if (b->layers > 0 && need + need / 2 <= PDS_SCALABLE_BLOOM_MAX_SIZE)
		plan->size = pds_scalable_bloom_round_up(need + need / 2);
	return PDS_FULL;
}

pds_status
pds_scalable_bloom_merge(pds_scalable_bloom_build *b, const pds_operand *from)
{
	const pds_scalable_bloom_build *other = from->state;
	const pds_scalable_bloom_view *stored = from->view;
	bool		fresh = b->layers == 0;
	pds_bloom_view v;

	if (operand_parameters(from)->family != b->parameters.family ||
		pds_scalable_bloom_collects(b) || (other != NULL && pds_scalable_bloom_collects(other)))
		return PDS_PARAMETER_MISMATCH;
	if (b->open_at != 0 || sizeof(*b) + b->closed + operand_bytes(from) > b->size)
		return PDS_FULL;
	pds_scalable_bloom_join_parameters(&b->parameters, operand_parameters(from));

	for (uint32_t i = 0, at = 0; i < (other != NULL ? other->layers : stored->layers); i++)
	{
		size_t		next = at;

		if (other != NULL)
		{
			(void) pds_scalable_bloom_next_closed(other, &next, &v);
			at = (uint32_t) next;
		}
		else if (pds_scalable_bloom_layer(stored, i, &v) != PDS_OK)
			return PDS_CORRUPT;
		memcpy(pds_scalable_bloom_closed(b) + b->closed + PDS_SCALABLE_BLOOM_ENTRY_BYTES,
			   v.payload, v.len);
		/* of the layers of one sketch, none contains another */
		if (fresh)
			pds_scalable_bloom_close(b, v.len);
		else
			pds_scalable_bloom_append(b, v.len);
	}
	if (other != NULL)
		pds_scalable_bloom_append_open(b, other);
	return b->layers <= PDS_SCALABLE_BLOOM_MAX_LAYERS ? PDS_OK : PDS_TOO_LARGE;
}
