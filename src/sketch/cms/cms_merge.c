/*
 * cms_merge.c: unions and differences of Count-Min sketches
 *
 * They are done in full or not at all.  Where that cannot be known before, what
 * was done is undone.
 */
#include "poll.h"
#include "cms.h"
#include "cms_build.h"
#include "cms_counters.h"

pds_status
pds_cms_merge_start(pds_cms_build *b, const pds_cms_shape *s, uint64_t total, bool subtract)
{
	pds_cms_empty_ring(b);
	if (!pds_cms_same_shape(&b->shape, s))
		return PDS_PARAMETER_MISMATCH;
	if (subtract)
		return total > b->total || (b->shape.conservative && total > 0) ? PDS_NEGATIVE : PDS_OK;
	return total > PDS_CMS_MAX_COUNT - b->total ? PDS_OVERFLOW : PDS_OK;
}

void
pds_cms_merge_finish(pds_cms_build *b, uint64_t total, bool subtract)
{
	pds_cms_set_total(b, subtract ? b->total - total : b->total + total);
}

pds_status
pds_cms_change_all(pds_cms_build *b, const uint8_t *counters, int bytes, bool subtract)
{
	if (b->mode != PDS_CMS_COUNTERS || b->bytes < bytes)
		return pds_cms_want(b, PDS_CMS_COUNTERS, pds_cms_most(bytes), 0);
	if (pds_cms_sum(b->data, b->bytes, counters, bytes, pds_cms_counters(&b->shape), subtract))
		return PDS_OK;
	return subtract ? PDS_NEGATIVE :
		pds_cms_want(b, PDS_CMS_COUNTERS, pds_cms_most(b->bytes) + 1, 0);
}

pds_status
pds_cms_reserve(pds_cms_build *b, uint32_t counters)
{
	if (b->mode == PDS_CMS_VALUES ||
		(b->mode == PDS_CMS_POSITIONS && counters > pds_cms_table_limit(b->slots) - b->used))
		return pds_cms_want(b, PDS_CMS_POSITIONS, 0, counters);
	return PDS_OK;
}

/* Space for so many values, which are going to be changed one by one. */
static pds_status
reserve_values(pds_cms_build *b, uint32_t values)
{
	if (b->mode != PDS_CMS_VALUES)
		return pds_cms_reserve(b, values < PDS_CMS_MAX_COUNTERS / b->shape.depth ?
							   values * b->shape.depth : PDS_CMS_MAX_COUNTERS);
	if (values > pds_cms_table_limit(b->slots) - b->used)
		return pds_cms_want(b, PDS_CMS_VALUES, 0, values);
	return PDS_OK;
}

/* What is in a slot of another table, if anything. */
static pds_status
change_by_slot(pds_cms_build *b, const pds_cms_build *from, uint32_t i, bool subtract)
{
	int			key_bytes = pds_cms_key_bytes(from->mode);
	const uint8_t *slot = pds_cms_slot(from, i);
	uint64_t	key = pds_cms_slot_key(slot, key_bytes);
	uint64_t	count = pds_cms_slot_count(slot, key_bytes, from->bytes);
	uint32_t	at[PDS_CMS_MAX_DEPTH];

	if (count == 0)
		return PDS_OK;
	if (from->mode == PDS_CMS_POSITIONS)
		return pds_cms_change_one(b, (uint32_t) key - 1, count, subtract);
	pds_cms_value_positions(&from->shape, key, at);
	return pds_cms_change(b, at, count, subtract);
}

static pds_status
merge_table(pds_cms_build *b, const pds_cms_build *from, bool subtract)
{
	pds_status	status = from->mode == PDS_CMS_VALUES ? reserve_values(b, from->used) :
		pds_cms_reserve(b, from->used);
	uint32_t	i = 0;

	if (status != PDS_OK)
		return status;
	while (i < from->slots && (status = change_by_slot(b, from, i, subtract)) == PDS_OK)
		pds_poll_each(i++);
	if (status == PDS_OK)
		return status;
	while (i-- > 0)
		(void) change_by_slot(b, from, i, !subtract);
	/* as much space as before, besides what was missing */
	if (status == PDS_FULL)
		b->wanted = b->wanted_mode == from->mode ? from->used : from->used * b->shape.depth;
	return status;
}

pds_status
pds_cms_merge_build(pds_cms_build *b, pds_cms_build *from, bool subtract)
{
	pds_status	status = pds_cms_merge_start(b, &from->shape, from->total, subtract);

	pds_cms_flush(from);
	if (status != PDS_OK || from->total == 0)
		return status;
	status = from->mode == PDS_CMS_COUNTERS ?
		pds_cms_change_all(b, from->data, from->bytes, subtract) :
		merge_table(b, from, subtract);
	if (status == PDS_OK)
		pds_cms_merge_finish(b, from->total, subtract);
	return status;
}

pds_status
pds_cms_keep_rows(pds_cms_build *b, const pds_cms_shape *s)
{
	if (b->shape.conservative || s->conservative ||
		b->shape.width != s->width || b->shape.depth < s->depth)
		return PDS_PARAMETER_MISMATCH;
	pds_cms_empty_ring(b);
	if (b->mode == PDS_CMS_VALUES)
		return pds_cms_want(b, PDS_CMS_POSITIONS, 0, 0);
	b->shape = *s;
	for (uint32_t i = 0; i < b->slots; i++)
		if (pds_cms_slot_key(pds_cms_slot(b, i), 4) > pds_cms_counters(s))
			pds_store_number(pds_cms_slot(b, i) + 4, 0, b->bytes, 0);
	pds_cms_make_space(b);
	return PDS_OK;
}
