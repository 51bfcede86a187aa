/*
 * cms_answer.c: how far off an estimate can be, and inner products
 */
#include "poll.h"
#include "cms.h"
#include "cms_read.h"

#define EULER	2.718281828459045235

uint64_t
pds_cms_error(const pds_cms_shape *s, uint64_t total)
{
	/* the width is at least 3, so that this is below 2^63 */
	return (uint64_t) ((double) total * (EULER / s->width));
}

uint64_t
pds_cms_lower_bound(const pds_cms_shape *s, uint64_t total, uint64_t f)
{
	double		slack = (double) (total - f) * (EULER / (s->width - EULER));

	return slack < (double) f ? f - (uint64_t) slack : 0;
}

static inline void
add_product(pds_cms_wide *sum, uint64_t a, uint64_t b)
{
	uint64_t	low = a * b;

	sum->low += low;
	sum->high += pds_mulhi64(a, b) + (sum->low < low);
}

pds_status
pds_cms_inner_product(const pds_cms_view *a, const pds_cms_view *b, pds_cms_wide *product)
{
	pds_cms_wide rows[PDS_CMS_MAX_DEPTH] = {{0, 0}};
	pds_cms_walk wa;
	pds_cms_walk wb;
	uint64_t	at_a;
	uint64_t	at_b;
	uint64_t	count_a;
	uint64_t	count_b;
	bool		more;

	if (!pds_cms_same_shape(&a->shape, &b->shape) || a->shape.conservative)
		return PDS_PARAMETER_MISMATCH;
	pds_cms_walk_start(&wa, a);
	pds_cms_walk_start(&wb, b);
	more = pds_cms_walk_next(&wa, &at_a, &count_a) && pds_cms_walk_next(&wb, &at_b, &count_b);
	for (size_t i = 0; more; i++)
	{
		pds_poll_each(i);
		if (at_a < at_b)
			more = pds_cms_walk_next(&wa, &at_a, &count_a);
		else if (at_a > at_b)
			more = pds_cms_walk_next(&wb, &at_b, &count_b);
		else
		{
			add_product(&rows[at_a / a->shape.width], count_a, count_b);
			more = pds_cms_walk_next(&wa, &at_a, &count_a) &&
				pds_cms_walk_next(&wb, &at_b, &count_b);
		}
	}
	*product = rows[0];
	for (int i = 1; i < a->shape.depth; i++)
		if (rows[i].high < product->high ||
			(rows[i].high == product->high && rows[i].low < product->low))
			*product = rows[i];
	return wa.list.corrupt || wb.list.corrupt ? PDS_CORRUPT : PDS_OK;
}
