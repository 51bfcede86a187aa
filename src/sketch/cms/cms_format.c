/*
 * cms_format.c: the stored form of a Count-Min sketch
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x31              sketch type 3, format version 1
 *     1     family | encoding encoding 0 empty, 1 sparse, 2 to 5 dense
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   flags             1: conservative; all others 0
 *     ...   depth             1 to 21
 *     ...   2 bytes           epsilon (base/decimal.h)
 *     ...   2 bytes           delta (base/decimal.h)
 *     ...   4 bytes           width
 *
 * Width and depth follow from epsilon and delta (cms_shape.c) and must agree with them.
 * Empty: nothing more.  Else
 *
 *     ...   8 bytes           sum of all weights, 1 to 2^63 - 1
 *
 * Dense, if more than half of the counters are not zero:
 *
 *     ...   counters          row after row, of 1, 2, 4 or 8 bytes each (encoding
 *                             2, 3, 4, 5), the fewest that the largest of them
 *                             fits in
 *
 * so that the counters of one value can be read without the others.  Sparse, if
 * no more than half are:
 *
 *     ...   varint            n, how many counters are not zero
 *     ...   1 byte            order, the median of floor(log2(counter)) over them,
 *                             the lower of two
 *     ...   4 bytes each      a directory, if there is more than one segment:
 *                             where each ends, in bytes from the end of the directory
 *     ...   segments          of 2^s positions each (the last of what remains), each
 *                             a string of bits filled up with zeros to whole bytes
 *
 * With m = width * depth, s is the smallest number with 2^s >= m, or the largest with n * 2^s
 * <= 512 * m if that is smaller.  So a segment has some 256 to 512 counters, and a lookup of
 * one value reads few segments.  A segment has, for each counter that is not zero in ascending
 * order of positions:
 *
 *     its position less the one before, less 1 (the first: less the segment's
 *         first), Rice coded with r = floor(log2(m / n)): the number >> r in unary
 *         (so many zeros, then a one), then its low r bits
 *     the counter, exponential-Golomb coded: with u = counter - 1 + 2^order and
 *         l = floor(log2(u)), l - order in unary, then the low l bits of u
 *
 * The median is the order that makes this shortest: one more costs a bit for each
 * counter that is shorter, and saves one for each that is longer.
 *
 * doc/format.md works through an example.
 */
#include "decimal.h"
#include "varint.h"
#include "poll.h"
#include "sort.h"
#include "cms_build.h"
#include "cms_counters.h"
#include "cms_format.h"

/*
 * Where fields are behind the common header (base/header.h), and how long they are
 * with and without the total.
 */
#define PDS_CMS_AT_FLAGS	0
#define PDS_CMS_AT_DEPTH	1
#define PDS_CMS_AT_EPSILON	2
#define PDS_CMS_AT_DELTA	4
#define PDS_CMS_AT_WIDTH	6
#define PDS_CMS_AT_TOTAL	10
#define PDS_CMS_FIELD_BYTES	18

#define PDS_CMS_CONSERVATIVE	0x01

/* A sketch is sparse if at most so many of its counters are not zero. */
static inline uint32_t
pds_cms_sparse_limit(uint32_t counters)
{
	return counters / 2;
}

/* log2 of the most counters of a segment, on average. */
#define SEGMENT_LOG	9

static pds_coded_list
list_for(const pds_cms_shape *s, uint32_t nonzero, uint8_t order)
{
	uint32_t	m = pds_cms_counters(s);
	pds_coded_list list = pds_coded_layout(m, nonzero, SEGMENT_LOG, 0,
										   pds_log2_64(m / nonzero));

	list.order = order;
	return list;
}

/* ---------- writing ---------- */

/* The counters of a building image that are not zero, in ascending order. */
typedef struct entry_source
{
	const pds_cms_build *b;
	const uint64_t *sorted;		/* of a table: position << 32 | slot */
	int			width_log;		/* log2 of a counter's bytes */
	uint32_t	at;
	uint32_t	end;
} entry_source;

static void
entries_from(entry_source *src, const pds_cms_build *b, const uint64_t *sorted, uint32_t n)
{
	src->b = b;
	src->sorted = sorted;
	src->width_log = pds_log2_64(b->bytes);
	src->at = 0;
	src->end = b->mode == PDS_CMS_COUNTERS ? pds_cms_counters(&b->shape) : n;
}

static inline bool
next_entry(entry_source *src, uint64_t *position, uint64_t *count)
{
	const pds_cms_build *b = src->b;
	uint32_t	in_word = UINT32_C(8) >> src->width_log;

	if (b->mode != PDS_CMS_COUNTERS)
	{
		uint64_t	entry;

		if (src->at == src->end)
			return false;
		entry = src->sorted[src->at++];
		*position = entry >> 32;
		*count = pds_cms_slot_count(pds_cms_slot(b, (uint32_t) entry), 4, b->bytes);
		return true;
	}
	while (src->end - src->at >= in_word)
	{
		uint64_t	word = pds_load_le64(b->data + ((size_t) src->at << src->width_log));

		if (word != 0)
		{
			/* the lowest counter that is not zero */
			src->at += (uint32_t) (pds_ctz64(word) >> (3 + src->width_log));
			break;
		}
		src->at += in_word;
	}
	while (src->at < src->end)
	{
		*position = src->at++;
		*count = pds_load_number(b->data, (size_t) *position, b->bytes);
		if (*count != 0)
			return true;
	}
	return false;
}

/* The slots of a table that are not zero, n of them, by position. */
static const uint64_t *
sort_slots(const pds_cms_build *b, uint64_t *sorted, uint32_t n)
{
	uint32_t	k = 0;

	for (uint32_t i = 0; i < b->slots; i++)
	{
		const uint8_t *slot = pds_cms_slot(b, i);

		if (pds_cms_slot_count(slot, 4, b->bytes) != 0)
			sorted[k++] = (pds_cms_slot_key(slot, 4) - 1) << 32 | i;
	}
	pds_sort_words(sorted, n);
	return sorted;
}

/* Counters of a table, in no order: how many are not zero, and all or-ed together. */
static void
scan_table(const pds_cms_build *b, uint32_t *nonzero, uint64_t *any, pds_coded_lengths *lengths)
{
	*nonzero = 0;
	*any = 0;
	for (uint32_t i = 0; i < b->slots; i++)
	{
		uint64_t	count = pds_cms_slot_count(pds_cms_slot(b, i), 4, b->bytes);

		if (count == 0)
			continue;
		(*nonzero)++;
		*any |= count;
		pds_coded_lengths_add(lengths, count);
	}
}

void
pds_cms_measure(pds_cms_build *b, pds_cms_encoding *x)
{
	uint32_t	m = pds_cms_counters(&b->shape);
	pds_coded_lengths lengths = {{0}, 0};
	uint64_t	any = 0;
	uint64_t	bits;
	pds_coded_list list;

	x->order = 0;
	x->nonzero = 0;
	x->scratch = 0;
	if (b->total > 0 && b->mode == PDS_CMS_COUNTERS)
		pds_cms_scan(b->data, m, b->bytes, &x->nonzero, &any);
	else if (b->total > 0)
		scan_table(b, &x->nonzero, &any, &lengths);
	if (x->nonzero == 0)
	{
		x->encoding = PDS_CMS_EMPTY;
		x->bytes = PDS_HEADER_BYTES + PDS_CMS_AT_TOTAL;
		return;
	}
	if (x->nonzero > pds_cms_sparse_limit(m))
	{
		int			bytes = pds_cms_bytes_for(any);

		x->encoding = (uint8_t) (PDS_CMS_DENSE1 + pds_log2_64((uint64_t) bytes));
		x->bytes = pds_header_bytes(x->encoding, pds_state_kind(b)) + PDS_CMS_FIELD_BYTES +
			(size_t) m * (size_t) bytes;
		return;
	}

	if (b->mode == PDS_CMS_COUNTERS)
	{
		entry_source src;
		uint64_t	position;
		uint64_t	count;

		entries_from(&src, b, NULL, 0);
		while (next_entry(&src, &position, &count))
		{
			pds_poll_each(position);
			pds_coded_lengths_add(&lengths, count);
		}
	}
	else
		x->scratch = (size_t) x->nonzero * sizeof(uint64_t);
	x->encoding = PDS_CMS_SPARSE;
	x->order = pds_coded_order(&lengths);

	/* u is less than four times 2^order, or than four times the counter */
	list = list_for(&b->shape, x->nonzero, x->order);
	bits = x->nonzero * (UINT64_C(1) + list.rice) + (m >> list.rice);
	for (int length = 0; length < 63; length++)
	{
		int			longest = (length > x->order ? length : x->order) + 1;

		bits += (uint64_t) lengths.count[length] * (uint64_t) (2 * longest - x->order + 1);
	}
	x->bytes = PDS_CMS_MAX_PREFIX + pds_coded_directory(&list) + (size_t) list.segments +
		(size_t) (bits / 8) + 1;
}

static size_t
encode_sparse(const pds_cms_build *b, const pds_cms_encoding *x, uint64_t *scratch, uint8_t *out)
{
	pds_coded_list list = list_for(&b->shape, x->nonzero, x->order);
	size_t		at = pds_varint_put(out, x->nonzero);
	pds_coded_writer w;
	entry_source src;
	uint64_t	position;
	uint64_t	count;

	out[at++] = x->order;
	pds_coded_begin(&w, &list, out + at);
	entries_from(&src, b, b->mode == PDS_CMS_COUNTERS ? NULL : sort_slots(b, scratch, x->nonzero),
				 x->nonzero);
	while (next_entry(&src, &position, &count))
	{
		pds_put_rice(&w.bits, pds_coded_gap(&w, position), list.rice);
		pds_put_golomb(&w.bits, count, x->order);
	}
	return at + pds_coded_end(&w);
}

static void
encode_dense(const pds_cms_build *b, int bytes, uint8_t *out)
{
	uint32_t	m = pds_cms_counters(&b->shape);

	if (b->mode == PDS_CMS_COUNTERS)
	{
		pds_cms_copy(out, bytes, b->data, b->bytes, m);
		return;
	}
	memset(out, 0, (size_t) m * (size_t) bytes);
	for (uint32_t i = 0; i < b->slots; i++)
	{
		const uint8_t *slot = pds_cms_slot(b, i);
		uint64_t	count = pds_cms_slot_count(slot, 4, b->bytes);

		/* a slot without a count may be of a row that has been forgotten */
		if (count != 0)
			pds_store_number(out, pds_cms_slot_key(slot, 4) - 1, bytes, count);
	}
}

size_t
pds_cms_encode(pds_cms_build *b, const pds_cms_encoding *x, void *scratch, uint8_t *out)
{
	const pds_cms_shape *s = &b->shape;
	size_t		at = pds_header_put(out, PDS_TYPE_CMS, pds_state_family(b), x->encoding,
									pds_state_kind(b));
	uint8_t    *fields = out + at;

	fields[PDS_CMS_AT_FLAGS] = s->conservative ? PDS_CMS_CONSERVATIVE : 0;
	fields[PDS_CMS_AT_DEPTH] = s->depth;
	pds_store_le16(fields + PDS_CMS_AT_EPSILON, s->epsilon);
	pds_store_le16(fields + PDS_CMS_AT_DELTA, s->delta);
	pds_store_le32(fields + PDS_CMS_AT_WIDTH, s->width);
	if (x->encoding == PDS_CMS_EMPTY)
		return at + PDS_CMS_AT_TOTAL;
	pds_store_le64(fields + PDS_CMS_AT_TOTAL, b->total);
	at += PDS_CMS_FIELD_BYTES;
	if (x->encoding == PDS_CMS_SPARSE)
		return at + encode_sparse(b, x, scratch, out + at);
	encode_dense(b, 1 << (x->encoding - PDS_CMS_DENSE1), out + at);
	return x->bytes;
}

/* ---------- reading the head ---------- */

/* n, the order, and how the rest is divided */
static pds_status
open_sparse(pds_cms_view *v, const uint8_t *payload, size_t have, const char **why)
{
	uint64_t	nonzero;
	uint8_t		order;

	if (!pds_varint_read(payload, have, &v->data_at,
						 pds_cms_sparse_limit(pds_cms_counters(&v->shape)), &nonzero) ||
		nonzero == 0 || v->data_at == have)
		PDS_REFUSE(why, "Its number of counters is malformed.");
	v->nonzero = (uint32_t) nonzero;
	order = payload[v->data_at++];
	if (order > PDS_CODED_MAX_ORDER)
		PDS_REFUSE(why, "Its counters are coded in a way that is not possible.");
	v->list = list_for(&v->shape, v->nonzero, order);
	if (!pds_coded_found_at(&v->list, v->data_at, v->len))
		PDS_REFUSE(why, "It ends within its directory.");
	return PDS_OK;
}

static pds_status
open_fields(pds_cms_view *v, const uint8_t *payload, size_t have, const char **why)
{
	size_t		header = v->data_at;
	const uint8_t *fields = payload + header;
	pds_cms_shape s;
	uint8_t		flags;

	if (have - header < PDS_CMS_AT_TOTAL)
		PDS_REFUSE(why, "It ends within its header.");
	PDS_VIEW_CLEAR(v);
	flags = fields[PDS_CMS_AT_FLAGS];
	s.conservative = flags == PDS_CMS_CONSERVATIVE;
	s.unused = 0;
	s.depth = fields[PDS_CMS_AT_DEPTH];
	s.epsilon = pds_load_le16(fields + PDS_CMS_AT_EPSILON);
	s.delta = pds_load_le16(fields + PDS_CMS_AT_DELTA);
	s.width = pds_load_le32(fields + PDS_CMS_AT_WIDTH);
	v->data_at = header + PDS_CMS_FIELD_BYTES;

	if ((flags & ~PDS_CMS_CONSERVATIVE) != 0)
		PDS_REFUSE(why, "It has flags that are not known to this release.");
	if (s.epsilon == 0 || s.epsilon >= PDS_DECIMAL_CODES ||
		s.delta == 0 || s.delta >= PDS_DECIMAL_CODES)
		PDS_REFUSE(why, "Its epsilon or delta is out of range.");
	if (pds_cms_shape_for(s.epsilon, s.delta, s.conservative, &v->shape) != PDS_OK ||
		!pds_cms_same_shape(&s, &v->shape))
		PDS_REFUSE(why, "Its width and depth do not go with its epsilon and delta.");

	if (v->encoding == PDS_CMS_EMPTY)
	{
		v->data_at = header + PDS_CMS_AT_TOTAL;
		if (v->len != v->data_at)
			PDS_REFUSE(why, "There are bytes after its end.");
		return PDS_OK;
	}
	if (v->encoding > PDS_CMS_DENSE8)
		PDS_REFUSE(why, "Its encoding is not known to this release.");
	if (have < v->data_at)
		PDS_REFUSE(why, "It ends within its header.");
	v->total = pds_load_le64(fields + PDS_CMS_AT_TOTAL);
	if (v->total == 0 || v->total > PDS_CMS_MAX_COUNT)
		PDS_REFUSE(why, "Its total is out of range.");
	if (v->encoding == PDS_CMS_SPARSE)
		return open_sparse(v, payload, have, why);
	v->bytes = (uint8_t) (1 << (v->encoding - PDS_CMS_DENSE1));
	if (v->len - v->data_at != (size_t) pds_cms_counters(&v->shape) * v->bytes)
		PDS_REFUSE(why, "Its length is not what its counters take.");
	return PDS_OK;
}

/* ---------- all counters ---------- */

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

PDS_VIEW_READERS(cms, PDS_TYPE_CMS, PDS_FAMILY_NATIVE + 1)

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

/* ---------- errors, and inner products ---------- */

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
	bool		step_a = true;
	bool		step_b = true;

	if (!pds_cms_same_shape(&a->shape, &b->shape) || a->shape.conservative)
		return PDS_PARAMETER_MISMATCH;
	pds_cms_walk_start(&wa, a);
	pds_cms_walk_start(&wb, b);
	for (size_t i = 0;; i++)
	{
		pds_poll_each(i);
		if ((step_a && !pds_cms_walk_next(&wa, &at_a, &count_a)) ||
			(step_b && !pds_cms_walk_next(&wb, &at_b, &count_b)))
			break;
		step_a = at_a <= at_b;
		step_b = at_b <= at_a;
		if (step_a && step_b)
			add_product(&rows[at_a / a->shape.width], count_a, count_b);
	}
	*product = rows[0];
	for (int i = 1; i < a->shape.depth; i++)
		if (rows[i].high < product->high ||
			(rows[i].high == product->high && rows[i].low < product->low))
			*product = rows[i];
	return wa.list.corrupt || wb.list.corrupt ? PDS_CORRUPT : PDS_OK;
}
