/*
 * coded_list.c: coded lists, except what is inlined
 */
#include <math.h>

#include "coded_list.h"

pds_coded_list
pds_coded_layout(uint64_t places, uint64_t used, int log_most, int least, int gap_rice)
{
	pds_coded_list l = {0};
	int			all = places > 1 ? pds_log2_64(places - 1) + 1 : 0;
	int			shift = used <= places ? pds_log2_64(places / used) + log_most :
		pds_log2_64(((places << log_most) / used) | 1);

	if (shift > all)
		shift = all;
	if (shift < least)
		shift = least;
	l.places = places;
	l.segments = ((places - 1) >> shift) + 1;
	l.shift = (uint8_t) shift;
	l.rice = (uint8_t) gap_rice;
	return l;
}

double
pds_coded_gap_bits(const pds_coded_list *l, double used)
{
	double		longer = pow(1 - used / (double) l->places, ldexp(1, l->rice));

	return used * (l->rice + 1 + longer / (1 - longer));
}

bool
pds_coded_found_at(pds_coded_list *l, size_t data_at, size_t len)
{
	if (l->segments > 1 && l->segments > (len - data_at) / 4)
		return false;
	l->directory = data_at;
	l->data_at = data_at + pds_coded_directory(l);
	l->data_len = len - l->data_at;
	return true;
}

/* ---------- reading ---------- */

bool
pds_get_code_slowly(pds_bit_reader *r, int more, bool golomb, uint64_t *v)
{
	uint64_t	zeros = pds_bits_get_unary(r);
	int			bits = golomb ? more + (int) (zeros & 63) : more;
	uint64_t	low;

	if (zeros > (golomb ? (uint64_t) (63 - more) : (uint64_t) INT64_MAX >> more))
		return false;
	low = pds_bits_get(r, bits < 32 ? bits : 32);
	if (bits > 32)
		low |= (uint64_t) pds_bits_get(r, bits - 32) << 32;
	*v = pds_code_value(zeros, low, more, golomb);
	return !r->overrun && *v <= INT64_MAX;
}

/* Where a segment lies behind the directory.  False if the directory makes no sense. */
static bool
segment_range(const pds_coded_list *l, uint64_t segment, pds_fetch fetch, void *context,
			  size_t *from, size_t *to)
{
	*from = 0;
	*to = l->data_len;
	if (l->segments > 1)
	{
		bool		first = segment == 0;
		const uint8_t *ends = fetch(context, l->directory + (size_t) (segment - !first) * 4,
									first ? 4 : 8);

		*from = first ? 0 : pds_load_le32(ends);
		*to = pds_load_le32(ends + (first ? 0 : 4));
	}
	return *from <= *to && *to <= l->data_len &&
		(segment < l->segments - 1 || *to == l->data_len);
}

bool
pds_coded_open(pds_coded_reader *r, const pds_coded_list *l, uint64_t segment, pds_fetch fetch,
			   void *context)
{
	size_t		from;
	size_t		to;

	if (!segment_range(l, segment, fetch, context, &from, &to))
		return false;
	pds_bits_from(&r->bits, from < to ? fetch(context, l->data_at + from, to - from) : NULL,
				  to - from);
	r->list = l;
	r->next = segment << l->shift;
	r->end = (segment + 1) << l->shift;
	if (r->end > l->places)
		r->end = l->places;
	r->corrupt = false;
	return true;
}

void
pds_coded_start(pds_coded_reader *r, const pds_coded_list *l, const uint8_t *payload)
{
	pds_bits_from(&r->bits, NULL, 0);
	r->list = l;
	r->payload = payload;
	r->segment = r->next = r->end = 0;
	r->corrupt = false;
}

static const uint8_t *
fetch_from_payload(void *payload, size_t offset, size_t len)
{
	(void) len;
	return (const uint8_t *) payload + offset;
}

bool
pds_coded_next_segment(pds_coded_reader *r)
{
	if (r->segment == r->list->segments)
		return false;
	pds_poll();
	r->corrupt = !pds_coded_open(r, r->list, r->segment++, fetch_from_payload,
								 (void *) (uintptr_t) r->payload);
	return !r->corrupt;
}

bool
pds_coded_same(const pds_coded_list *l, const uint64_t *places, int n, const uint8_t *payload,
			   const uint8_t *other)
{
	const uint8_t *both[] = {payload, other};
	size_t		from[2];
	size_t		to[2];

	if (memcmp(payload, other, l->directory) != 0)
		return false;
	for (int i = 0; i < n; i++)
	{
		if (i > 0 && places[i] >> l->shift == places[i - 1] >> l->shift)
			continue;
		for (int k = 0; k < 2; k++)
			if (!segment_range(l, places[i] >> l->shift, fetch_from_payload,
							   (void *) (uintptr_t) both[k], &from[k], &to[k]))
				return false;
		if (from[0] != from[1] || to[0] != to[1] ||
			memcmp(payload + l->data_at + from[0], other + l->data_at + from[0],
				   to[0] - from[0]) != 0)
			return false;
	}
	return true;
}
