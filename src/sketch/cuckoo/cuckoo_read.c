/*
 * cuckoo_read.c: reading stored cuckoo filters, whole or only where a class would be
 *
 * The stored form is drawn in cuckoo_format.c.
 */
#include "poll.h"
#include "cuckoo_table.h"

/* A class and its copies in the encoding PDS_CUCKOO_CLASSES, as pds_coded_get. */
PDS_INLINE bool
get_class(pds_coded_reader *r, uint64_t *gap, uint64_t *copies)
{
	if (!pds_get_rice(&r->bits, r->list->rice, gap))
		return false;
	*copies = 1;
	if (__builtin_expect(*gap == 0, 0))
	{
		if (!pds_get_golomb(&r->bits, r->list->order, copies) ||
			!pds_get_rice(&r->bits, r->list->rice, gap) || *gap == 0)
			return false;
		++*copies;
	}
	--*gap;
	return true;
}

/* The same in any encoding. */
PDS_INLINE bool
get_any_class(pds_coded_reader *r, uint64_t *gap, uint64_t *copies)
{
	return r->list->code == PDS_CUCKOO_COUNTS ? pds_coded_get_golomb(r, gap, copies) :
		get_class(r, gap, copies);
}

/* ---------- all of a filter ---------- */

static pds_status
check_view(const pds_cuckoo_view *v, const char **why)
{
	pds_coded_lengths counts = {{0}, 0};
	pds_coded_lengths more = {{0}, 0};
	uint64_t	total = 0;
	uint64_t	class;
	uint64_t	copies;
	pds_coded_reader r;

	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	pds_coded_start(&r, &v->list, v->payload);
	while (pds_coded_walk(&r, get_any_class, &class, &copies))
	{
		pds_poll_each(counts.n);
		if (copies > v->total - total)
			PDS_REFUSE(why, "Its copies are more than it says.");
		total += copies;
		pds_coded_lengths_add(&counts, copies);
		if (copies > 1)
			pds_coded_lengths_add(&more, copies - 1);
	}
	if (r.corrupt)
		PDS_REFUSE(why, "Its list of classes is malformed.");
	if (counts.n != v->distinct || total != v->total)
		PDS_REFUSE(why, "Its list of classes is not as long as it says.");
	if (v->encoding != pds_cuckoo_encoding_for(v->distinct, more.n, v->list.rice))
		PDS_REFUSE(why, "Its copies would be coded in another way.");
	if (v->total > v->distinct &&
		v->list.order != pds_coded_order(v->encoding == PDS_CUCKOO_COUNTS ? &counts : &more))
		PDS_REFUSE(why, "Its copies would be coded in another order.");
	return PDS_OK;
}

PDS_VIEW_CHECK(cuckoo)

pds_status
pds_cuckoo_merge_view(pds_cuckoo_build *b, const pds_cuckoo_view *v)
{
	pds_status	status = pds_cuckoo_merge_start(b, &v->shape, v->total);
	uint64_t	classes[PDS_CUCKOO_BATCH];
	uint64_t	copies[PDS_CUCKOO_BATCH];
	uint64_t	done = 0;
	uint64_t	total = 0;
	int			n;
	/* what it holds then is of this filter */
	bool		fresh = b->total == 0;
	pds_coded_reader r;

	if (status != PDS_OK || v->encoding == PDS_CUCKOO_EMPTY)
		return status;
	pds_cuckoo_flush(b);
	pds_coded_start(&r, &v->list, v->payload);
	do
	{
		for (n = 0; n < PDS_CUCKOO_BATCH &&
			 pds_coded_walk(&r, get_any_class, &classes[n], &copies[n]); n++)
		{
			/* what was damaged since it was checked may hold more than it says */
			if (copies[n] > v->total - total)
				return PDS_CORRUPT;
			total += copies[n];
			pds_cuckoo_prefetch(b, classes[n], true);
		}
		for (int i = 0; i < n; i++, done++)
		{
			if (done < b->resume)
				continue;
			if (pds_cuckoo_is_full(b))
			{
				b->resume = done;
				return pds_cuckoo_full(b);
			}
			pds_cuckoo_put(b, classes[i], copies[i], fresh);
		}
	} while (n == PDS_CUCKOO_BATCH);
	if (r.corrupt || total != v->total)
		return PDS_CORRUPT;
	b->resume = 0;
	b->total += total;
	return PDS_OK;
}

/* ---------- one class ---------- */

pds_status
pds_cuckoo_view_count(const pds_cuckoo_view *v, pds_hash h, pds_fetch fetch, void *context,
					  uint64_t *copies)
{
	uint64_t	class = pds_cuckoo_class(h, &v->shape);
	pds_coded_reader r;
	pds_status	status;

	*copies = 0;
	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	status = v->encoding == PDS_CUCKOO_COUNTS ?
		pds_coded_least(&r, &v->list, pds_coded_get_golomb, &class, 1, fetch, context, copies) :
		pds_coded_least(&r, &v->list, get_class, &class, 1, fetch, context, copies);
	return status == PDS_OK && *copies > v->total ? PDS_CORRUPT : status;
}

bool
pds_cuckoo_same_lookup(const pds_cuckoo_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	class = pds_cuckoo_class(h, &v->shape);

	return pds_coded_same(&v->list, &class, 1, v->payload, other);
}

/* ---------- unpacked ---------- */

/* Classes of a part, as a power of 2. */
static inline int
part_shift(const pds_cuckoo_view *v)
{
	int			shift = 3 + pds_log2_64(v->shape.classes / v->distinct);

	return shift < 16 ? shift : 16;
}

static inline uint64_t
part_count(const pds_cuckoo_view *v)
{
	return ((v->shape.classes - 1) >> part_shift(v)) + 1;
}

size_t
pds_cuckoo_unpacked_size(const pds_cuckoo_view *v)
{
	uint64_t	parts = part_count(v);

	/* no filter has that many; and below, size_t with 32 bits is enough */
	if (v->distinct > UINT32_C(1) << 29 || parts > 1024 + v->distinct)
		return 0;
	return (size_t) (parts + 1) * sizeof(uint32_t) + (size_t) v->distinct * sizeof(uint16_t);
}

pds_status
pds_cuckoo_unpack(const pds_cuckoo_view *v, uint8_t *to)
{
	int			shift = part_shift(v);
	uint64_t	parts = part_count(v);
	uint32_t   *begins = (uint32_t *) (void *) to;
	uint16_t   *list = (uint16_t *) (begins + parts + 1);
	uint64_t	part = 0;		/* all up to it have their beginnings */
	uint32_t	n = 0;
	pds_coded_reader r;
	uint64_t	class;
	uint64_t	copies;

	begins[0] = 0;
	pds_coded_start(&r, &v->list, v->payload);
	while (pds_coded_walk(&r, get_any_class, &class, &copies))
	{
		if (n == v->distinct)
			return PDS_CORRUPT;
		pds_poll_each(n);
		while (part < class >> shift)
			begins[++part] = n;
		list[n++] = (uint16_t) (class & ((UINT64_C(1) << shift) - 1));
	}
	if (r.corrupt || n != v->distinct)
		return PDS_CORRUPT;
	while (part < parts)
		begins[++part] = n;
	return PDS_OK;
}

bool
pds_cuckoo_unpacked_contains(const pds_cuckoo_view *v, const uint8_t *form, pds_hash h)
{
	int			shift = part_shift(v);
	const uint32_t *begins = (const uint32_t *) (const void *) form;
	const uint16_t *list = (const uint16_t *) (begins + part_count(v) + 1);
	uint64_t	wanted = pds_cuckoo_class(h, &v->shape);
	uint64_t	part = wanted >> shift;
	uint16_t	low = (uint16_t) (wanted & ((UINT64_C(1) << shift) - 1));
	unsigned	found = 0;

	/* all of them: where to stop cannot be predicted */
	for (uint32_t i = begins[part]; i < begins[part + 1]; i++)
		found |= list[i] == low;
	return found != 0;
}
