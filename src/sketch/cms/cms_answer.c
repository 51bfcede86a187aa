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

char *
pds_cms_wide_text(pds_cms_wide v, char *out)
{
	char		digits[40];
	int			n = 0;
	int			len = 0;

	do
	{
		/* long division by ten, in pieces of 32 bits */
		uint32_t	part[4] = {
			(uint32_t) (v.high >> 32), (uint32_t) v.high, (uint32_t) (v.low >> 32), (uint32_t) v.low
		};
		uint64_t	rest = 0;

		for (int i = 0; i < 4; i++)
		{
			rest = rest << 32 | part[i];
			part[i] = (uint32_t) (rest / 10);
			rest %= 10;
		}
		v.high = (uint64_t) part[0] << 32 | part[1];
		v.low = (uint64_t) part[2] << 32 | part[3];
		digits[n++] = (char) ('0' + rest);
	} while ((v.high | v.low) != 0);
	while (n > 0)
		out[len++] = digits[--n];
	out[len] = '\0';
	return out;
}
