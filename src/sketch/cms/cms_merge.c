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
#include "cms_format.h"

/* May a union, or a difference, begin?  Errors as pds_cms_merge_build(), except PDS_FULL. */
static pds_status
begin(pds_cms_build *b, const pds_cms_shape *s, uint64_t total, bool subtract)
{
	pds_cms_empty_ring(b);
	if (!pds_cms_same_shape(&b->shape, s))
		return PDS_PARAMETER_MISMATCH;
	if (subtract)
		return total > b->total || (b->shape.conservative && total > 0) ? PDS_NEGATIVE : PDS_OK;
	return total > PDS_CMS_MAX_COUNT - b->total ? PDS_OVERFLOW : PDS_OK;
}

/* All counters of an array at once. */
static pds_status
change_all(pds_cms_build *b, const uint8_t *counters, int bytes, bool subtract)
{
	if (b->mode != PDS_CMS_COUNTERS || b->bytes < bytes)
		return pds_cms_want(b, PDS_CMS_COUNTERS, pds_cms_most(bytes), 0);
	if (pds_cms_sum(b->data, b->bytes, counters, bytes, pds_cms_counters(&b->shape), subtract))
		return PDS_OK;
	return subtract ? PDS_NEGATIVE :
		pds_cms_want(b, PDS_CMS_COUNTERS, pds_cms_most(b->bytes) + 1, 0);
}

/* The counts of a table, or of a stored list, one after the other. */
typedef struct entries
{
	uint8_t		mode;			/* what they are counts of */
	uint32_t	most;			/* there are no more of them */
	const pds_cms_build *table;	/* or NULL, */
	uint32_t	slot;			/* and its next one */
	pds_cms_walk list;
} entries;

/* The next one, by its key in a table. */
PDS_INLINE bool
next_entry(entries *e, uint64_t *key, uint64_t *count)
{
	if (e->table == NULL)
	{
		if (!pds_cms_walk_next(&e->list, key, count))
			return false;
		++*key;
		return true;
	}
	while (e->slot < e->table->slots)
	{
		const uint8_t *slot = pds_cms_slot(e->table, e->slot++);
		int			key_bytes = pds_cms_key_bytes(e->mode);

		*key = pds_cms_slot_key(slot, key_bytes);
		*count = pds_cms_slot_count(slot, key_bytes, e->table->bytes);
		if (*count != 0)
			return true;
	}
	return false;
}

static pds_status
change_entry(pds_cms_build *b, uint8_t mode, uint64_t key, uint64_t count, bool subtract)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];

	if (mode == PDS_CMS_POSITIONS)
		return pds_cms_change_one(b, (uint32_t) key - 1, count, subtract);
	pds_cms_value_positions(&b->shape, key, at);
	return pds_cms_change(b, at, count, subtract);
}

/* Is there space for so many counts of this mode, which are going to be changed one by one? */
static pds_status
reserve(pds_cms_build *b, uint8_t mode, uint32_t counts)
{
	uint8_t		wanted = b->mode == PDS_CMS_VALUES ? mode : PDS_CMS_POSITIONS;

	if (mode == PDS_CMS_VALUES && b->mode != PDS_CMS_VALUES)
		counts = counts < PDS_CMS_MAX_COUNTERS / b->shape.depth ? counts * b->shape.depth :
			PDS_CMS_MAX_COUNTERS;
	return b->mode == PDS_CMS_COUNTERS ||
		(b->mode == wanted && counts <= pds_cms_table_limit(b->slots) - b->used) ?
		PDS_OK : pds_cms_want(b, wanted, 0, counts);
}

static pds_status
change_entries(pds_cms_build *b, entries e, bool subtract)
{
	entries		again = e;
	pds_status	status = reserve(b, e.mode, e.most);
	uint32_t	done = 0;
	uint64_t	key;
	uint64_t	count;

	if (status != PDS_OK)
		return status;
	for (; next_entry(&e, &key, &count); done++)
	{
		if (done == e.most)
			return PDS_CORRUPT;
		pds_poll_each(done);
		status = change_entry(b, e.mode, key, count, subtract);
		if (status != PDS_OK)
			break;
	}
	if (status == PDS_OK)
		return e.table == NULL && e.list.list.corrupt ? PDS_CORRUPT : PDS_OK;

	/* undo the changes before the one that failed, which cannot fail */
	for (; done > 0 && next_entry(&again, &key, &count); done--)
		(void) change_entry(b, e.mode, key, count, !subtract);
	/* as much space as before, besides what was missing */
	if (status == PDS_FULL)
		b->wanted = b->wanted_mode == e.mode ? e.most : e.most * b->shape.depth;
	return status;
}

pds_status
pds_cms_merge_build(pds_cms_build *b, pds_cms_build *from, bool subtract)
{
	pds_status	status = begin(b, &from->shape, from->total, subtract);

	pds_cms_flush(from);
	if (status != PDS_OK || from->total == 0)
		return status;
	status = from->mode == PDS_CMS_COUNTERS ?
		change_all(b, from->data, from->bytes, subtract) :
		change_entries(b, (entries) {.mode = from->mode, .most = from->used, .table = from},
					   subtract);
	if (status == PDS_OK)
		pds_cms_set_total(b, subtract ? b->total - from->total : b->total + from->total);
	return status;
}

pds_status
pds_cms_merge_view(pds_cms_build *b, const pds_cms_view *v, bool subtract)
{
	pds_status	status = begin(b, &v->shape, v->total, subtract);
	entries		e = {.mode = PDS_CMS_POSITIONS, .most = v->nonzero};

	if (status != PDS_OK || v->encoding == PDS_CMS_EMPTY)
		return status;
	pds_cms_walk_start(&e.list, v);
	status = v->encoding == PDS_CMS_SPARSE ? change_entries(b, e, subtract) :
		change_all(b, v->payload + v->data_at, v->bytes, subtract);
	if (status == PDS_OK)
		pds_cms_set_total(b, subtract ? b->total - v->total : b->total + v->total);
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
