/*
 * cuckoo_read.c: reading stored cuckoo filters, whole or only where a class would be
 *
 * The stored form is drawn in cuckoo_format.c.
 */
#include "poll.h"
#include "cuckoo_format.h"
#include "cuckoo_table.h"

/* ---------- segments ---------- */

/* Walks over the classes of one segment, in ascending order. */
typedef struct segment_reader
{
	pds_bit_reader bits;
	const pds_cuckoo_view *v;
	bool		repeats;		/* can copies be told of a class behind it? */
	bool		ahead;			/* has the next gap been read already? */
	bool		corrupt;
	uint64_t	gap;			/* then it is this */
	uint64_t	before;			/* the class before */
	uint64_t	left;			/* how many can still come */
} segment_reader;

static void
segment_open(segment_reader *r, const pds_cuckoo_view *v, uint64_t segment, const uint8_t *data,
			 size_t len)
{
	uint64_t	first = segment << v->segment_shift;
	uint64_t	classes = v->shape.classes - first;

	pds_bits_from(&r->bits, data, len);
	r->v = v;
	r->repeats = v->encoding == PDS_CUCKOO_CLASSES && v->total > v->distinct;
	r->ahead = false;
	r->corrupt = false;
	r->gap = 0;
	r->before = first - 1;
	r->left = classes >> v->segment_shift > 0 ? UINT64_C(1) << v->segment_shift : classes;
}

static inline uint64_t
get_long(pds_bit_reader *bits, int n)
{
	uint64_t	low = 0;

	if (n <= 32)
		return pds_bits_get(bits, n);
	low = pds_bits_get(bits, 32);
	return (uint64_t) pds_bits_get(bits, n - 32) << 32 | low;
}

/*
 * A gap that is all in the accumulator, as most are: how many bits it takes; 0 if it is
 * not.
 */
static inline int
peek_gap(pds_bit_reader *bits, int rice, uint64_t *gap)
{
	uint64_t	valid;
	int			zeros;

	if (bits->fill < 40)
		pds_bits_refill(bits);
	valid = bits->acc & ((UINT64_C(1) << (bits->fill & 63)) - 1);
	if (valid == 0)
		return 0;
	zeros = pds_ctz64(valid);
	if (zeros + 1 + rice > bits->fill || rice > 56)
		return 0;
	*gap = (uint64_t) zeros << rice | (valid >> zeros >> 1 & ((UINT64_C(1) << rice) - 1));
	return zeros + 1 + rice;
}

/* A gap; PDS_CUCKOO_MAX_CLASSES and above if it makes no sense. */
static inline uint64_t
get_gap(segment_reader *r)
{
	int			rice = r->v->rice;
	uint64_t	high;
	int			bits = peek_gap(&r->bits, rice, &high);

	if (bits > 0)
	{
		r->bits.acc >>= bits;
		r->bits.fill -= bits;
		return high;
	}
	high = pds_bits_get_unary(&r->bits);
	if (high > PDS_CUCKOO_MAX_CLASSES >> rice)
		return UINT64_MAX;
	return (high << rice) + get_long(&r->bits, rice);
}

/* A count; 0 if it makes no sense. */
static uint64_t
get_count(segment_reader *r)
{
	int			order = r->v->order;
	uint64_t	zeros = pds_bits_get_unary(&r->bits);
	int			length;
	uint64_t	u;

	if (zeros > (uint64_t) (63 - order))
		return 0;
	length = order + (int) zeros;
	u = (UINT64_C(1) << length | get_long(&r->bits, length)) + 1;
	return u - (UINT64_C(1) << order);
}

static bool
segment_fails(segment_reader *r)
{
	r->corrupt = true;
	return false;
}

/* False at the end of the segment, or where the bytes make no sense. */
static inline bool
segment_next(segment_reader *r, uint64_t *class, uint64_t *copies)
{
	uint64_t	gap = r->gap;

	if (!r->ahead)
	{
		if (pds_bits_at_end(&r->bits))
			return false;
		gap = get_gap(r);
	}
	r->ahead = false;
	if (gap == 0 || gap > r->left || r->bits.overrun)
		return segment_fails(r);
	r->left -= gap;
	r->before += gap;
	*class = r->before;
	*copies = 1;
	if (r->v->encoding == PDS_CUCKOO_COUNTS)
		*copies = get_count(r);
	else if (r->repeats && !pds_bits_at_end(&r->bits))
	{
		r->gap = get_gap(r);
		r->ahead = r->gap > 0;
		if (!r->ahead)
		{
			*copies = get_count(r);
			if (*copies > 0)
				++*copies;
		}
	}
	if (*copies == 0 || *copies > r->v->total || r->bits.overrun)
		return segment_fails(r);
	return true;
}

/* Where a segment lies behind the directory, which begins at "directory". */
static bool
segment_range(const pds_cuckoo_view *v, const uint8_t *directory, uint64_t segment,
			  uint64_t first_entry, size_t *from, size_t *to)
{
	size_t		data_len = v->len - v->data_at - pds_segment_directory(v->segments);

	return pds_segment_range(pds_segment_entries(directory, segment, first_entry), segment,
							 v->segments, data_len, from, to) &&
		(segment < v->segments - 1 || *to == data_len);
}

/* ---------- all of a filter ---------- */

/* Walks over all classes of a view in memory. */
typedef struct filter_reader
{
	const pds_cuckoo_view *v;
	uint64_t	segment;		/* the next one */
	bool		open;
	bool		corrupt;		/* it ended where the bytes make no sense */
	segment_reader r;
} filter_reader;

static void
filter_open(filter_reader *f, const pds_cuckoo_view *v)
{
	f->v = v;
	f->segment = 0;
	f->open = false;
	f->corrupt = false;
}

static inline bool
filter_next(filter_reader *f, uint64_t *class, uint64_t *copies)
{
	const pds_cuckoo_view *v = f->v;
	const uint8_t *directory = v->payload + v->data_at;

	for (;;)
	{
		size_t		from;
		size_t		to;

		if (f->open)
		{
			if (segment_next(&f->r, class, copies))
				return true;
			if (f->r.corrupt)
				break;
			f->open = false;
		}
		if (f->segment == v->segments)
			return false;
		if (!segment_range(v, directory, f->segment, 0, &from, &to))
			break;
		segment_open(&f->r, v, f->segment,
					 directory + pds_segment_directory(v->segments) + from, to - from);
		f->open = true;
		f->segment++;
	}
	f->corrupt = true;
	return false;
}

static pds_status
check_view(const pds_cuckoo_view *v, const char **why)
{
	pds_cuckoo_lengths counts = {{0}, 0};
	pds_cuckoo_lengths more = {{0}, 0};
	uint64_t	total = 0;
	uint64_t	class;
	uint64_t	copies;
	filter_reader f;

	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	filter_open(&f, v);
	while (filter_next(&f, &class, &copies))
	{
		pds_poll_each(counts.n);
		if (copies > v->total - total)
			PDS_REFUSE(why, "Its copies are more than it says.");
		total += copies;
		pds_cuckoo_lengths_add(&counts, copies);
		if (copies > 1)
			pds_cuckoo_lengths_add(&more, copies - 1);
	}
	if (f.corrupt)
		PDS_REFUSE(why, "Its list of classes is malformed.");
	if (counts.n != v->distinct || total != v->total)
		PDS_REFUSE(why, "Its list of classes is not as long as it says.");
	if (v->encoding != pds_cuckoo_encoding_for(v->distinct, more.n, v->rice))
		PDS_REFUSE(why, "Its copies would be coded in another way.");
	if (v->total > v->distinct &&
		v->order != pds_cuckoo_order(v->encoding == PDS_CUCKOO_COUNTS ? &counts : &more))
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
	filter_reader f;

	if (status != PDS_OK || v->encoding == PDS_CUCKOO_EMPTY)
		return status;
	pds_cuckoo_flush(b);
	filter_open(&f, v);
	do
	{
		for (n = 0; n < PDS_CUCKOO_BATCH && filter_next(&f, &classes[n], &copies[n]); n++)
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
	if (f.corrupt || total != v->total)
		return PDS_CORRUPT;
	b->resume = 0;
	b->total += total;
	return PDS_OK;
}

/* ---------- one class ---------- */

const uint8_t *
pds_cuckoo_in_memory(void *view, size_t offset, size_t len)
{
	(void) len;
	return ((const pds_cuckoo_view *) view)->payload + offset;
}

pds_status
pds_cuckoo_view_count(const pds_cuckoo_view *v, pds_hash h, pds_cuckoo_fetch fetch, void *context,
					  uint64_t *copies)
{
	uint64_t	wanted = pds_cuckoo_class(h, &v->shape);
	uint64_t	class;
	uint64_t	segment;
	uint64_t	first;
	const uint8_t *directory = NULL;
	segment_reader r;
	size_t		from;
	size_t		to;

	*copies = 0;
	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	segment = wanted >> v->segment_shift;
	first = segment > 0 ? segment - 1 : 0;
	if (v->segments > 1)
		directory = fetch(context, v->data_at + (size_t) first * 4,
						  (size_t) (segment - first + 1) * 4);
	if (!segment_range(v, directory, segment, first, &from, &to))
		return PDS_CORRUPT;
	if (from == to)
		return PDS_OK;
	segment_open(&r, v, segment,
				 fetch(context, v->data_at + pds_segment_directory(v->segments) + from,
					   to - from), to - from);
	/* without copies there are only gaps, until the class or a few bits of the end */
	if (v->total == v->distinct)
	{
		uint64_t	gap;
		int			bits;

		while ((bits = peek_gap(&r.bits, v->rice, &gap)) > 0 && gap <= r.left && gap > 0 &&
			   r.before + gap + 1 <= wanted)
		{
			r.bits.acc >>= bits;
			r.bits.fill -= bits;
			r.left -= gap;
			r.before += gap;
		}
	}
	while (segment_next(&r, &class, copies))
		if (class >= wanted)
		{
			*copies = class == wanted ? *copies : 0;
			return PDS_OK;
		}
	*copies = 0;
	return r.corrupt ? PDS_CORRUPT : PDS_OK;
}

bool
pds_cuckoo_same_lookup(const pds_cuckoo_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	segment = pds_cuckoo_class(h, &v->shape) >> v->segment_shift;
	uint64_t	first = segment > 0 ? segment - 1 : 0;
	size_t		at = v->data_at + (v->segments > 1 ? (size_t) first * 4 : 0);
	size_t		entries = v->segments > 1 ? (size_t) (segment - first + 1) * 4 : 0;
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	size_t		from;
	size_t		to;

	return memcmp(v->payload, other, v->data_at) == 0 &&
		memcmp(v->payload + at, other + at, entries) == 0 &&
		segment_range(v, v->payload + at, segment, first, &from, &to) &&
		memcmp(v->payload + data_at + from, other + data_at + from, to - from) == 0;
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
	filter_reader f;
	uint64_t	class;
	uint64_t	copies;

	begins[0] = 0;
	filter_open(&f, v);
	while (filter_next(&f, &class, &copies))
	{
		if (n == v->distinct)
			return PDS_CORRUPT;
		pds_poll_each(n);
		while (part < class >> shift)
			begins[++part] = n;
		list[n++] = (uint16_t) (class & ((UINT64_C(1) << shift) - 1));
	}
	if (f.corrupt || n != v->distinct)
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
