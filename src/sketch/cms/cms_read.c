/*
 * cms_read.c: reading stored Count-Min sketches, whole or only the counters of a
 * value
 *
 * The stored form is drawn in cms_format.c.
 */
#include "poll.h"
#include "cms_build.h"
#include "cms_counters.h"
#include "cms_format.h"
#include "cms_read.h"

/* ---------- all counters ---------- */

void
pds_cms_walk_start(pds_cms_walk *w, const pds_cms_view *v)
{
	w->v = v;
	w->at = v->bytes > 0 ? 0 : pds_cms_counters(&v->shape);
	pds_coded_start(&w->list, &v->list, v->payload);
}

bool
pds_cms_walk_next(pds_cms_walk *w, uint64_t *position, uint64_t *count)
{
	const pds_cms_view *v = w->v;

	if (v->encoding == PDS_CMS_SPARSE)
		return pds_coded_walk(&w->list, pds_coded_get_golomb, position, count);
	while (w->at < pds_cms_counters(&v->shape))
	{
		*position = w->at++;
		*count = pds_load_number(v->payload + v->data_at, (size_t) *position, v->bytes);
		if (*count != 0)
			return true;
	}
	return false;
}

uint32_t
pds_cms_count_nonzero(const pds_cms_view *v)
{
	uint32_t	nonzero = v->nonzero;
	uint64_t	any;

	if (v->bytes > 0)
		pds_cms_scan(v->payload + v->data_at, pds_cms_counters(&v->shape), v->bytes, &nonzero,
					 &any);
	return nonzero;
}

pds_status
pds_cms_merge_view(pds_cms_build *b, const pds_cms_view *v, bool subtract)
{
	pds_status	status = pds_cms_merge_start(b, &v->shape, v->total, subtract);
	pds_cms_walk w;
	uint64_t	position;
	uint64_t	count;
	uint32_t	done = 0;

	if (status != PDS_OK || v->encoding == PDS_CMS_EMPTY)
		return status;
	if (v->encoding != PDS_CMS_SPARSE)
	{
		status = pds_cms_change_all(b, v->payload + v->data_at, v->bytes, subtract);
		if (status == PDS_OK)
			pds_cms_merge_finish(b, v->total, subtract);
		return status;
	}

	status = pds_cms_reserve(b, v->nonzero);
	if (status != PDS_OK)
		return status;
	pds_cms_walk_start(&w, v);
	for (; pds_cms_walk_next(&w, &position, &count); done++)
	{
		if (done == v->nonzero)
			return PDS_CORRUPT;
		status = pds_cms_change_one(b, (uint32_t) position, count, subtract);
		if (status != PDS_OK)
			break;
	}
	if (status == PDS_OK)
	{
		if (w.list.corrupt)
			return PDS_CORRUPT;
		pds_cms_merge_finish(b, v->total, subtract);
		return PDS_OK;
	}

	/* undo the changes before the one that failed */
	pds_cms_walk_start(&w, v);
	for (; done > 0 && pds_cms_walk_next(&w, &position, &count); done--)
		(void) pds_cms_change_one(b, (uint32_t) position, count, !subtract);
	/* as much space as before, besides what was missing */
	if (status == PDS_FULL)
		b->wanted = v->nonzero;
	return status;
}

/* ---------- the check ---------- */

/*
 * Checks what must be true of the counters of a sketch.  The counters of a row sum to the
 * total, because each weight went to one of them.  In a conservative sketch they may sum to
 * less.  But each weight has raised a counter by the full weight in at least one row, so all
 * rows together sum to no less than the total.  Every row has a counter above zero.
 */
typedef struct row_check
{
	const pds_cms_view *v;
	uint64_t	row_end;		/* one past the current row's last position */
	uint64_t	sum;			/* of the current row, at most the total */
	uint64_t	all;			/* of all rows, but not much more than the total */
} row_check;

static bool
row_is_right(row_check *c)
{
	if (c->sum == 0 || (c->sum != c->v->total && !c->v->shape.conservative))
		return false;
	if (c->all < c->v->total)
		c->all += c->sum;
	c->sum = 0;
	c->row_end += c->v->shape.width;
	return true;
}

static inline bool
counter_is_right(row_check *c, uint64_t position, uint64_t count)
{
	while (position >= c->row_end)
		if (!row_is_right(c))
			return false;
	if (count > c->v->total - c->sum)
		return false;
	c->sum += count;
	return true;
}

static bool
last_row_is_right(row_check *c)
{
	return c->row_end == pds_cms_counters(&c->v->shape) && row_is_right(c) &&
		c->all >= c->v->total;
}

static pds_status
check_view(const pds_cms_view *v, const char **why)
{
	pds_coded_lengths lengths = {{0}, 0};
	row_check	rows;
	pds_cms_walk w;
	uint64_t	position;
	uint64_t	count;
	uint64_t	any = 0;

	if (v->encoding == PDS_CMS_EMPTY)
		return PDS_OK;
	rows.v = v;
	rows.row_end = v->shape.width;
	rows.sum = 0;
	rows.all = 0;
	pds_cms_walk_start(&w, v);
	while (pds_cms_walk_next(&w, &position, &count))
	{
		if (!counter_is_right(&rows, position, count))
			PDS_REFUSE(why, "Its counters do not add up to its total.");
		pds_poll_each(lengths.n);
		pds_coded_lengths_add(&lengths, count);
		any |= count;
	}
	if (w.list.corrupt)
		PDS_REFUSE(why, "Its list of counters is malformed.");
	if (!last_row_is_right(&rows))
		PDS_REFUSE(why, "Its counters do not add up to its total.");

	if (v->encoding == PDS_CMS_SPARSE)
	{
		if (lengths.n != v->nonzero)
			PDS_REFUSE(why, "Its number of counters is not what it says.");
		if (pds_coded_order(&lengths) != v->list.order)
			PDS_REFUSE(why, "Its counters are not coded in the one way that they should be.");
	}
	else
	{
		if (lengths.n <= pds_cms_sparse_limit(pds_cms_counters(&v->shape)))
			PDS_REFUSE(why, "So few of its counters are not zero that it would be stored as their "
							"list.");
		if (pds_cms_bytes_for(any) != v->bytes)
			PDS_REFUSE(why, "Its counters are wider than they need be.");
	}
	return PDS_OK;
}

PDS_VIEW_CHECK(cms)

/* ---------- the counters of a value ---------- */

static void
places_of(const pds_cms_view *v, pds_hash h, uint64_t *places)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];

	pds_cms_positions(h, &v->shape, at);
	for (int i = 0; i < v->shape.depth; i++)
		places[i] = at[i];
}

pds_status
pds_cms_frequency(const pds_cms_view *v, pds_hash h, pds_fetch fetch, void *context,
				  uint64_t *frequency)
{
	uint64_t	at[PDS_CMS_MAX_DEPTH];
	uint64_t	least = UINT64_MAX;
	pds_coded_reader r;

	*frequency = 0;
	if (v->encoding == PDS_CMS_EMPTY)
		return PDS_OK;
	places_of(v, h, at);
	if (v->encoding == PDS_CMS_SPARSE)
		return pds_coded_least(&r, &v->list, pds_coded_get_golomb, at, v->shape.depth, fetch,
							   context, frequency);
	for (int i = 0; i < v->shape.depth && least > 0; i++)
	{
		uint64_t	there = pds_load_number(fetch(context, v->data_at + (size_t) at[i] * v->bytes,
											   v->bytes), 0, v->bytes);

		least = there < least ? there : least;
	}
	*frequency = least;
	return PDS_OK;
}

bool
pds_cms_same_frequency(const pds_cms_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	places[PDS_CMS_MAX_DEPTH];

	places_of(v, h, places);
	return pds_coded_same(&v->list, places, v->shape.depth, v->payload, other);
}

/* ---------- unpacked ---------- */

size_t
pds_cms_unpacked_size(const pds_cms_view *v)
{
	return (size_t) pds_cms_counters(&v->shape) * (size_t) pds_cms_bytes_for(v->total);
}

pds_status
pds_cms_unpack(const pds_cms_view *v, uint8_t *array)
{
	int			bytes = pds_cms_bytes_for(v->total);
	pds_cms_walk w;
	uint64_t	position;
	uint64_t	count;

	pds_cms_walk_start(&w, v);
	while (pds_cms_walk_next(&w, &position, &count))
		pds_store_number(array, (size_t) position, bytes, count);
	return w.list.corrupt ? PDS_CORRUPT : PDS_OK;
}

uint64_t
pds_cms_unpacked_frequency(const pds_cms_view *v, const uint8_t *array, pds_hash h)
{
	int			bytes = pds_cms_bytes_for(v->total);
	uint32_t	at[PDS_CMS_MAX_DEPTH];
	uint64_t	least = UINT64_MAX;

	pds_cms_positions(h, &v->shape, at);
	for (int i = 0; i < v->shape.depth; i++)
	{
		uint64_t	there = pds_load_number(array, at[i], bytes);

		least = there < least ? there : least;
	}
	return least;
}
