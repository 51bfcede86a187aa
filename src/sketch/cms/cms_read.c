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

/* ---------- segments ---------- */

static void
segment_open(pds_cms_segment *s, const pds_cms_view *v, uint32_t segment,
			 const uint8_t *data, size_t len)
{
	uint32_t	m = pds_cms_counters(&v->shape);
	uint64_t	end = (uint64_t) (segment + 1) << v->segment_shift;

	pds_bits_from(&s->bits, data, len);
	s->rice = pds_cms_gap_rice(m, v->nonzero);
	s->order = v->order;
	s->next = segment << v->segment_shift;
	s->end = end < m ? (uint32_t) end : m;
	s->corrupt = false;
}

/* The next l bits, 0 to 63. */
static inline uint64_t
get_bits(pds_bit_reader *r, int l)
{
	uint64_t	low;

	if (l <= 32)
		return pds_bits_get(r, l);
	low = pds_bits_get(r, 32);
	return low | (uint64_t) pds_bits_get(r, l - 32) << 32;
}

/*
 * A gap and a counter that are in the accumulator as a whole, as most are.  Returns how many bits
 * they take; 0 if they are not.
 */
static inline int
peek_both(const pds_cms_segment *s, uint64_t *gap, uint64_t *u)
{
	uint64_t	bits = s->bits.acc & ((UINT64_C(1) << (s->bits.fill & 63)) - 1);
	int			zeros;
	int			length;
	int			n;

	if (bits == 0)
		return 0;
	zeros = pds_ctz64(bits);
	bits = bits >> zeros >> 1;
	*gap = ((uint64_t) zeros << s->rice) + (bits & ((UINT64_C(1) << s->rice) - 1));
	bits >>= s->rice;
	if (bits == 0)
		return 0;
	length = pds_ctz64(bits);
	n = zeros + s->rice + length + 2;
	bits = bits >> length >> 1;
	length += s->order;
	n += length;
	if (n > s->bits.fill)
		return 0;
	*u = UINT64_C(1) << length | (bits & ((UINT64_C(1) << length) - 1));
	return n;
}

/* False at the end of the segment, or where it is corrupt. */
static inline bool
segment_next(pds_cms_segment *s, uint32_t *position, uint64_t *count)
{
	uint64_t	high;
	uint64_t	at;
	uint64_t	length;
	uint64_t	u;
	int			bits;

	if (pds_bits_at_end(&s->bits))
		return false;
	s->corrupt = true;
	if (s->bits.fill < 40)
		pds_bits_refill(&s->bits);
	bits = peek_both(s, &at, &u);
	if (__builtin_expect(bits > 0, 1))
	{
		s->bits.acc >>= bits;
		s->bits.fill -= bits;
		at += s->next;
		if (at >= s->end)
			return false;
	}
	else
	{
		high = pds_bits_get_unary(&s->bits);
		if (high > s->end)
			return false;
		at = s->next + (high << s->rice) + pds_bits_get(&s->bits, s->rice);
		length = pds_bits_get_unary(&s->bits) + (uint64_t) s->order;
		if (at >= s->end || length > 63)
			return false;
		u = UINT64_C(1) << length | get_bits(&s->bits, (int) length);
	}
	*count = u - (UINT64_C(1) << s->order) + 1;
	if (s->bits.overrun || *count > PDS_CMS_MAX_COUNT)
		return false;
	*position = (uint32_t) at;
	s->next = (uint32_t) at + 1;
	s->corrupt = false;
	return true;
}

/* Where a segment lies behind the directory, given its two entries there. */
static bool
segment_range(const pds_cms_view *v, const uint8_t *entries, uint32_t segment,
			  size_t *from, size_t *to)
{
	size_t		data_len = v->len - v->data_at - pds_segment_directory(v->segments);

	return pds_segment_range(entries, segment, v->segments, data_len, from, to);
}

/* The entries of a directory that say where a segment is, and how long these are. */
static inline size_t
segment_entries(const pds_cms_view *v, uint32_t segment, size_t *len)
{
	*len = v->segments > 1 ? segment > 0 ? 8 : 4 : 0;
	return v->data_at + (size_t) (segment > 0 ? segment - 1 : 0) * 4;
}

/* Fetch a segment and open it; false if it does not lie within the payload. */
static bool
segment_fetch(pds_cms_segment *s, const pds_cms_view *v, uint32_t segment,
			  pds_cms_fetch fetch, void *context)
{
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	size_t		entries_len;
	size_t		entries_at = segment_entries(v, segment, &entries_len);
	const uint8_t *entries = NULL;
	size_t		from;
	size_t		to;

	if (entries_len > 0)
		entries = fetch(context, entries_at, entries_len);
	if (!segment_range(v, entries, segment, &from, &to))
		return false;
	segment_open(s, v, segment, to > from ? fetch(context, data_at + from, to - from) : v->payload,
				 to - from);
	return true;
}

const uint8_t *
pds_cms_in_memory(void *view, size_t offset, size_t len)
{
	const pds_cms_view *v = view;

	(void) len;
	return v->payload + offset;
}

/* ---------- all counters ---------- */

void
pds_cms_walk_start(pds_cms_walk *w, const pds_cms_view *v)
{
	w->v = v;
	w->at = 0;
	w->corrupt = false;
	w->segment.corrupt = false;
	pds_bits_from(&w->segment.bits, v->payload, 0);
}

bool
pds_cms_walk_next(pds_cms_walk *w, uint32_t *position, uint64_t *count)
{
	const pds_cms_view *v = w->v;

	if (v->encoding == PDS_CMS_SPARSE)
	{
		while (!segment_next(&w->segment, position, count))
		{
			if (!w->segment.corrupt && w->at == v->segments)
				return false;
			if (w->segment.corrupt ||
				!segment_fetch(&w->segment, v, w->at, pds_cms_in_memory, (void *) v))
			{
				w->corrupt = true;
				return false;
			}
			pds_poll();
			w->at++;
		}
		return true;
	}
	if (v->encoding != PDS_CMS_EMPTY)
	{
		uint32_t	m = pds_cms_counters(&v->shape);

		while (w->at < m)
		{
			*count = pds_cms_load(v->payload + v->data_at, w->at++, v->bytes);
			if (*count != 0)
			{
				*position = w->at - 1;
				return true;
			}
		}
	}
	return false;
}

pds_status
pds_cms_count_nonzero(const pds_cms_view *v, uint32_t *nonzero)
{
	uint64_t	any;

	*nonzero = v->nonzero;
	if (v->bytes > 0)
		pds_cms_scan(v->payload + v->data_at, pds_cms_counters(&v->shape), v->bytes, nonzero, &any);
	return PDS_OK;
}

pds_status
pds_cms_merge_view(pds_cms_build *b, const pds_cms_view *v, bool subtract)
{
	pds_status	status = pds_cms_merge_start(b, &v->shape, v->total, subtract);
	pds_cms_walk w;
	uint32_t	position;
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
		status = pds_cms_change_one(b, position, count, subtract);
		if (status != PDS_OK)
			break;
	}
	if (status == PDS_OK)
	{
		if (w.corrupt)
			return PDS_CORRUPT;
		pds_cms_merge_finish(b, v->total, subtract);
		return PDS_OK;
	}

	/* undone: all that came before the one that failed */
	pds_cms_walk_start(&w, v);
	for (; done > 0 && pds_cms_walk_next(&w, &position, &count); done--)
		(void) pds_cms_change_one(b, position, count, !subtract);
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
counter_is_right(row_check *c, uint32_t position, uint64_t count)
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
	pds_cms_lengths lengths = {{0}};
	row_check	rows;
	pds_cms_walk w;
	uint32_t	position;
	uint64_t	count;
	uint32_t	nonzero = 0;
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
		pds_poll_each(nonzero++);
		any |= count;
		lengths.count[pds_log2_64(count)]++;
	}
	if (w.corrupt)
		PDS_REFUSE(why, "Its list of counters is malformed.");
	if (!last_row_is_right(&rows))
		PDS_REFUSE(why, "Its counters do not add up to its total.");

	if (v->encoding == PDS_CMS_SPARSE)
	{
		size_t		directory = pds_segment_directory(v->segments);

		if (nonzero != v->nonzero)
			PDS_REFUSE(why, "Its number of counters is not what it says.");
		if (pds_cms_order(&lengths, nonzero) != v->order)
			PDS_REFUSE(why, "Its counters are not coded in the one way that they should be.");
		if (directory > 0 &&
			pds_load_le32(v->payload + v->data_at + directory - 4) !=
			v->len - v->data_at - directory)
			PDS_REFUSE(why, "There are bytes after its end.");
	}
	else
	{
		if (nonzero <= pds_cms_sparse_limit(pds_cms_counters(&v->shape)))
			PDS_REFUSE(why, "So few of its counters are not zero that it would be stored as their "
							"list.");
		if (pds_cms_bytes_for(any) != v->bytes)
			PDS_REFUSE(why, "Its counters are wider than they need be.");
	}
	return PDS_OK;
}

PDS_VIEW_CHECK(cms)

/* ---------- the counters of a value ---------- */

pds_status
pds_cms_frequency(const pds_cms_view *v, pds_hash h, pds_cms_fetch fetch, void *context,
				  uint64_t *frequency)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];
	uint64_t	least = UINT64_MAX;
	uint32_t	opened = UINT32_MAX;
	pds_cms_segment s;
	uint32_t	position = 0;
	uint64_t	count = 0;
	bool		more = false;

	*frequency = 0;
	if (v->encoding == PDS_CMS_EMPTY)
		return PDS_OK;
	pds_cms_positions(h, &v->shape, at);
	for (int i = 0; i < v->shape.depth; i++)
	{
		uint64_t	there = 0;

		if (v->bytes > 0)
			there = pds_cms_load(fetch(context, v->data_at + (size_t) at[i] * v->bytes, v->bytes),
								 0, v->bytes);
		else
		{
			/* positions ascend, so one walk over a segment is enough */
			if (at[i] >> v->segment_shift != opened)
			{
				opened = at[i] >> v->segment_shift;
				if (!segment_fetch(&s, v, opened, fetch, context))
					return PDS_CORRUPT;
				more = segment_next(&s, &position, &count);
			}
			while (more && position < at[i])
				more = segment_next(&s, &position, &count);
			if (s.corrupt)
				return PDS_CORRUPT;
			if (more && position == at[i])
				there = count;
		}
		least = there < least ? there : least;
		if (least == 0)
			break;
	}
	*frequency = least;
	return PDS_OK;
}

static bool
same_segment(const pds_cms_view *v, const uint8_t *other, uint32_t segment)
{
	size_t		len;
	size_t		at = segment_entries(v, segment, &len);
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	size_t		from;
	size_t		to;

	return memcmp(v->payload + at, other + at, len) == 0 &&
		segment_range(v, v->payload + at, segment, &from, &to) &&
		memcmp(v->payload + data_at + from, other + data_at + from, to - from) == 0;
}

bool
pds_cms_same_frequency(const pds_cms_view *v, const uint8_t *other, pds_hash h)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];
	uint32_t	last = UINT32_MAX;

	if (memcmp(v->payload, other, v->data_at) != 0)
		return false;
	pds_cms_positions(h, &v->shape, at);
	for (int i = 0; i < v->shape.depth; i++)
	{
		uint32_t	segment = at[i] >> v->segment_shift;

		if (segment != last && !same_segment(v, other, segment))
			return false;
		last = segment;
	}
	return true;
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
	uint32_t	position;
	uint64_t	count;

	pds_cms_walk_start(&w, v);
	while (pds_cms_walk_next(&w, &position, &count))
		pds_cms_store(array, position, bytes, count);
	return w.corrupt ? PDS_CORRUPT : PDS_OK;
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
		uint64_t	there = pds_cms_load(array, at[i], bytes);

		least = there < least ? there : least;
	}
	return least;
}
