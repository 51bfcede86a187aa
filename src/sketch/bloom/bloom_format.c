/*
 * bloom_format.c: the stored form of a Bloom filter
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x21              sketch type 2, format version 1
 *     1     family | encoding family 0 blocked, 1 classic, others of bloom.h;
 *                             encoding 0 empty, 1 sparse, 2 array
 *     2     kind of value     0 if and only if empty; one that the family holds
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   2 bytes           rate asked for (base/decimal.h), + 0x8000 if the
 *                             size is explicit
 *     ...   varint            capacity
 *     ...   1 byte            if explicit: k, the number of hashes
 *     ...   varint            if explicit: m / 64
 *
 * The size is not explicit if the family is a layout of ours, and it is at most
 * 4,096 bits and follows from capacity and rate (bloom_size.h).  That keeps a filter of 100 keys
 * at 1 % within 126 bytes.
 *
 * Empty: nothing more.
 *
 * Array, if more than one bit in eight is set: m / 8 bytes, bit i in byte
 * i / 8, the lowest first.
 *
 * Sparse: the m bits are cells of B bits (blocks of 512; elsewhere
 * of 4,096, the last of what remains), and C is their number.
 *
 *     ...   varint            n, how many bits are set
 *     ...   varint            u, how many cells have one that is
 *     ...   4 bytes each      a directory, if there is more than one segment: where
 *                             each ends, in bytes from the end of the directory
 *     ...   segments          of 2^s cells each (the last of what remains), each a
 *                             string of bits filled up with zeros to whole bytes
 *
 * where s is the smallest number with 2^s >= C, or the largest with n * 2^s <= 512 * C if that
 * is smaller.  So a segment has some 256 to 512 bits set, and a lookup of one key reads one
 * segment.  A segment has, for each cell with a bit set in ascending order:
 *
 *     cell less the one before, less 1 (the first: less the segment's first),
 *         Rice coded with r(C, u)
 *     c, how many bits are set in it, in Elias' gamma code (floor(log2 c) in
 *         unary, then that many low bits of c)
 *     each bit's place in the cell less the one before, less 1 (the first: the place),
 *         Rice coded with r(B, c)
 *
 * Rice coded with r: the number >> r in unary (so many zeros, then a one), then its low
 * r bits.  r(range, n) = floor(log2(max(1, floor(985 * range / (1024 * n))))), where gaps of a
 * random set cost least: 985/1024 is 2 ln(golden ratio).
 *
 * doc/format.md works through an example.
 */
#include "decimal.h"
#include "varint.h"
#include "poll.h"
#include "bloom.h"
#include "bloom_size.h"

#define EXPLICIT		0x8000

/* A filter is sparse if at most so many bits are set. */
static inline uint64_t
sparse_limit(uint64_t bits)
{
	return bits / 8;
}

static inline uint64_t
cell_count(const pds_bloom_shape *s)
{
	uint32_t	b = pds_bloom_cell_bits(s);

	return (s->bits + b - 1) / b;
}

/* log2 of the most bits set in a segment, on average */
#define SEGMENT_LOG		9

/* ---------- writing ---------- */

/* The same shape, found from its capacity and rate alone? */
static bool
shape_follows(const pds_bloom_shape *s)
{
	pds_bloom_shape standard;

	return pds_bloom_is_layout(s->family) &&
		s->bits <= PDS_BLOOM_SINGLE_BITS && s->rate != 0 && s->capacity != 0 &&
		pds_bloom_small_shape(s->capacity, s->rate, s->family, &standard) &&
		pds_bloom_same_shape(s, &standard);
}

size_t
pds_bloom_write_head(const pds_bloom_shape *s, uint8_t encoding, pds_kind kind, uint8_t *out)
{
	bool		follows = shape_follows(s);
	size_t		at = pds_header_put(out, PDS_TYPE_BLOOM, s->family, encoding, kind);

	pds_store_le16(out + at, (uint16_t) (s->rate | (follows ? 0 : EXPLICIT)));
	at += 2;
	at += pds_varint_put(out + at, s->capacity);
	if (!follows)
	{
		out[at++] = s->hashes;
		at += pds_varint_put(out + at, s->bits / 64);
	}
	return at;
}

/*
 * The cells of a building image, one after the other: those in which there are
 * bits set, and which.
 */
typedef struct cell_source
{
	const pds_bloom_build *b;
	uint32_t	cell_bits;
	uint64_t	at;				/* next position of the list, or byte of the array */
	uint64_t	cell;			/* the current one */
	uint32_t	n;				/* its bits */
	uint16_t	places[PDS_BLOOM_MAX_CELL_BITS];
} cell_source;

static void
cells_of(cell_source *src, const pds_bloom_build *b)
{
	src->b = b;
	src->cell_bits = pds_bloom_cell_bits(&b->shape);
	src->at = 0;
}

static bool
next_cell_of(cell_source *src)
{
	const pds_bloom_build *b = src->b;
	const uint8_t *array;
	uint64_t	end;

	src->n = 0;
	if (b->mode == PDS_BLOOM_POSITIONS)
	{
		if (src->at == b->count)
			return false;
		src->cell = b->words[src->at] / src->cell_bits;
		do
			src->places[src->n++] = (uint16_t) (b->words[src->at++] % src->cell_bits);
		while (src->at < b->count && b->words[src->at] / src->cell_bits == src->cell);
		return true;
	}

	array = pds_bloom_build_array(b);
	end = b->shape.bits / 8;
	while (src->at < end && pds_load_le64(array + src->at) == 0)
		src->at += 8;
	if (src->at == end)
		return false;
	src->cell = src->at * 8 / src->cell_bits;
	if ((src->cell + 1) * src->cell_bits / 8 < end)
		end = (src->cell + 1) * src->cell_bits / 8;
	for (; src->at < end; src->at += 8)
	{
		uint64_t	word = pds_load_le64(array + src->at);

		for (; word != 0; word &= word - 1)
			src->places[src->n++] =
				(uint16_t) ((src->at * 8) % src->cell_bits + (uint64_t) pds_ctz64(word));
	}
	return true;
}

/* The most bits that the gaps of n places take, which are in so many. */
static inline uint64_t
most_gap_bits(uint64_t range, uint64_t n)
{
	int			r = pds_rice_parameter(range, n);

	return n * (uint64_t) (r + 1) + (range >> r);
}

static void
put_cell(pds_bit_writer *w, const cell_source *src, uint64_t gap, int gap_rice)
{
	int			r = pds_rice_parameter(src->cell_bits, src->n);
	uint32_t	next = 0;

	pds_put_rice(w, gap, gap_rice);
	pds_put_golomb(w, src->n, 0);
	for (uint32_t i = 0; i < src->n; i++)
	{
		pds_put_rice(w, src->places[i] - next, r);
		next = src->places[i] + UINT32_C(1);
	}
}

static pds_coded_list
list_for(const pds_bloom_shape *s, uint64_t count, uint64_t used)
{
	uint64_t	cells = cell_count(s);

	return pds_coded_layout(cells, count, SEGMENT_LOG, 0,
							pds_rice_parameter(cells, used));
}

/* Write the list at out; returns its length. */
static size_t
put_list(const pds_bloom_build *b, uint64_t count, uint64_t used, uint8_t *out)
{
	pds_coded_list list = list_for(&b->shape, count, used);
	pds_coded_writer w;
	cell_source src;

	pds_coded_begin(&w, &list, out);
	cells_of(&src, b);
	while (next_cell_of(&src))
		put_cell(&w.bits, &src, pds_coded_gap(&w, src.cell), list.rice);
	return pds_coded_end(&w);
}

void
pds_bloom_measure(pds_bloom_build *b, pds_bloom_encoding *plan)
{
	pds_bloom_flush(b);
	plan->count = b->mode == PDS_BLOOM_POSITIONS ? b->count :
		pds_bloom_count_bits(pds_bloom_build_array(b), (size_t) (b->shape.bits / 8));
	plan->used = 0;
	plan->scratch = 0;
	if (plan->count == 0)
		plan->encoding = PDS_BLOOM_EMPTY;
	else if (plan->count <= sparse_limit(b->shape.bits))
		plan->encoding = PDS_BLOOM_SPARSE;
	else
		plan->encoding = PDS_BLOOM_ARRAY;

	plan->bytes = PDS_BLOOM_MAX_PREFIX;
	if (plan->encoding == PDS_BLOOM_ARRAY)
		plan->bytes += (size_t) (b->shape.bits / 8);
	else if (plan->encoding == PDS_BLOOM_SPARSE)
	{
		cell_source src;
		uint64_t	bits = 0;

		cells_of(&src, b);
		while (next_cell_of(&src))
		{
			pds_poll_each(plan->used++);
			bits += most_gap_bits(src.cell_bits, src.n) + 2 * (uint64_t) pds_log2_64(src.n) + 1;
		}
		bits += most_gap_bits(cell_count(&b->shape), plan->used);
		/* a segment's end in the directory, and what fills it up to whole bytes */
		bits += 40 * list_for(&b->shape, plan->count, plan->used).segments;
		plan->bytes += (size_t) (bits / 8) + 1;
	}
}

size_t
pds_bloom_encode(pds_bloom_build *b, const pds_bloom_encoding *plan, void *scratch, uint8_t *out)
{
	size_t		at = pds_bloom_write_head(&b->shape, plan->encoding, pds_state_kind(b), out);

	(void) scratch;
	if (plan->encoding == PDS_BLOOM_SPARSE)
	{
		at += pds_varint_put(out + at, plan->count);
		at += pds_varint_put(out + at, plan->used);
		return at + put_list(b, plan->count, plan->used, out + at);
	}
	if (plan->encoding == PDS_BLOOM_EMPTY)
		return at;
	if (b->mode == PDS_BLOOM_BITS)
		memcpy(out + at, pds_bloom_build_array(b), (size_t) (b->shape.bits / 8));
	else
	{
		memset(out + at, 0, (size_t) (b->shape.bits / 8));
		pds_bloom_build_or(b, out + at);
	}
	return at + (size_t) (b->shape.bits / 8);
}

/* ---------- reading the head ---------- */

static pds_status
open_fields(pds_bloom_view *v, const uint8_t *payload, size_t have, const char **why)
{
	size_t		at = v->data_at;
	uint16_t	rate;

	if (have - at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	PDS_VIEW_CLEAR(v);
	v->shape.family = v->family;
	rate = pds_load_le16(payload + at);
	at += 2;
	v->shape.rate = rate & (uint16_t) ~EXPLICIT;
	if (v->shape.rate >= PDS_DECIMAL_CODES)
		PDS_REFUSE(why, "Its false-positive rate is malformed.");
	if (!pds_varint_read(payload, have, &at, INT64_MAX, &v->shape.capacity))
		PDS_REFUSE(why, "Its capacity is malformed.");

	if (rate & EXPLICIT)
	{
		uint64_t	words;

		if (at >= have)
			PDS_REFUSE(why, "It ends within its header.");
		v->shape.hashes = payload[at++];
		if (!pds_varint_read(payload, have, &at, PDS_BLOOM_MAX_BITS / 64, &words))
			PDS_REFUSE(why, "Its number of bits is malformed.");
		v->shape.bits = words * 64;
		if (!pds_bloom_shape_valid(&v->shape) || shape_follows(&v->shape))
			PDS_REFUSE(why, "Its numbers of bits and hashes are out of range.");
	}
	else if (!pds_bloom_is_layout(v->shape.family) ||
			 v->shape.rate == 0 || v->shape.capacity == 0 ||
			 !pds_bloom_small_shape(v->shape.capacity, v->shape.rate, v->shape.family,
									&v->shape))
		PDS_REFUSE(why, "Its capacity and rate do not tell its number of bits.");

	if (v->kind != PDS_KIND_NONE && !pds_bloom_family_holds(v->shape.family, v->kind))
		PDS_REFUSE(why, "Its kind of value does not go with its hash family.");
	if (v->encoding == PDS_BLOOM_SPARSE)
	{
		uint64_t	cells = cell_count(&v->shape);

		if (!pds_varint_read(payload, have, &at, sparse_limit(v->shape.bits),
							  &v->count) || v->count == 0)
			PDS_REFUSE(why, "Its number of bits that are set is malformed.");
		if (!pds_varint_read(payload, have, &at, cells, &v->used) || v->used == 0 ||
			v->used > v->count)
			PDS_REFUSE(why, "Its number of cells is malformed.");
		v->list = list_for(&v->shape, v->count, v->used);
		if (!pds_coded_found_at(&v->list, at, v->len))
			PDS_REFUSE(why, "It ends within its directory.");
	}
	else if (v->encoding == PDS_BLOOM_ARRAY)
	{
		if (v->len - at != v->shape.bits / 8)
			PDS_REFUSE(why, "Its length is not what its number of bits takes.");
	}
	else
		PDS_VIEW_OPEN_EMPTY(v, at, why);
	v->data_at = at;
	return PDS_OK;
}

/* ---------- reading cells ---------- */

/* Reads the cells in which bits are set, and the places of these bits, in ascending order. */
typedef struct cell_reader
{
	pds_coded_reader list;
	uint64_t	bits;			/* of the filter */
	uint32_t	cell_bits;
	uint32_t	n;				/* how many bits are set in the current cell */
	uint32_t	at;				/* how many of them next_position() has told */
	uint64_t	first;			/* the cell's first position */
	uint16_t	places[PDS_BLOOM_MAX_CELL_BITS];
} cell_reader;

static void
cells_from(cell_reader *c, const pds_bloom_view *v)
{
	c->bits = v->shape.bits;
	c->cell_bits = pds_bloom_cell_bits(&v->shape);
	c->n = c->at = 0;
	pds_coded_start(&c->list, &v->list, v->payload);
}

/* A cell: the gap before it, and how many bits are set; as pds_coded_get. */
PDS_INLINE bool
get_cell(pds_coded_reader *r, uint64_t *gap, uint64_t *n)
{
	cell_reader *c = (cell_reader *) r;
	uint64_t	next = 0;
	int			rice;

	if (!pds_coded_get_golomb(r, gap, n) || *n > c->cell_bits)
		return false;
	rice = pds_rice_parameter(c->cell_bits, *n);
	for (uint64_t i = 0; i < *n; i++)
	{
		uint64_t	between;

		if (!pds_get_rice(&r->bits, rice, &between) || between >= c->cell_bits - next)
			return false;
		c->places[i] = (uint16_t) (next + between);
		next += between + 1;
	}
	/* the last cell can be shorter */
	return (r->next + *gap) * c->cell_bits + next <= c->bits;
}

/* The next cell of a whole filter.  False at the end, or where the bytes make no sense. */
static bool
next_cell(cell_reader *c)
{
	uint64_t	cell;
	uint64_t	n;

	if (!pds_coded_walk(&c->list, get_cell, &cell, &n))
		return false;
	c->n = (uint32_t) n;
	c->at = 0;
	c->first = cell * c->cell_bits;
	return true;
}

/* The next bit that is set in a filter, cell by cell. */
static inline bool
next_position(cell_reader *c, uint64_t *position)
{
	if (c->at == c->n && !next_cell(c))
		return false;
	*position = c->first + c->places[c->at++];
	return true;
}

static pds_status
check_view(const pds_bloom_view *v, const char **why)
{
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		if (pds_bloom_count_bits(v->payload + v->data_at, v->len - v->data_at) <=
			sparse_limit(v->shape.bits))
			PDS_REFUSE(why, "So few bits are set that it would be stored as their list.");
	}
	else if (v->encoding == PDS_BLOOM_SPARSE)
	{
		cell_reader c;
		uint64_t	count = 0;
		uint64_t	used = 0;

		cells_from(&c, v);
		for (; next_cell(&c); used++)
			count += c.n;
		if (c.list.corrupt)
			PDS_REFUSE(why, "Its list of bits is malformed.");
		if (count != v->count || used != v->used)
			PDS_REFUSE(why, "Its list of bits does not agree with its header.");
	}
	return PDS_OK;
}

PDS_VIEW_READERS(bloom, PDS_TYPE_BLOOM, PDS_BLOOM_FAMILIES)

/* ---------- looking up ---------- */

/* Are these n positions, all in one cell, set?  *found, unless corrupt. */
static pds_status
probe_cell(const pds_bloom_view *v, const uint64_t *positions, int n, pds_fetch fetch,
		   void *context, uint64_t *found)
{
	uint64_t	seen[PDS_BLOOM_MAX_CELL_BITS / 64] = {0};
	cell_reader c;
	uint64_t	cell;
	uint64_t	set;
	pds_status	status;

	cells_from(&c, v);
	cell = positions[0] / c.cell_bits;
	status = pds_coded_least(&c.list, &v->list, get_cell, &cell, 1, fetch, context, &set);
	*found = status == PDS_OK && set > 0;
	if (!*found)
		return status;
	for (uint64_t i = 0; i < set; i++)
		seen[c.places[i] / 64] |= UINT64_C(1) << c.places[i] % 64;
	for (int i = 0; i < n; i++)
	{
		uint64_t	place = positions[i] % c.cell_bits;

		*found = *found && (seen[place / 64] >> place % 64 & 1) != 0;
	}
	return PDS_OK;
}

pds_status
pds_bloom_view_contains(const pds_bloom_view *v, pds_hash h, pds_fetch fetch,
						void *context, uint64_t *found)
{
	const pds_bloom_shape *s = &v->shape;
	const uint32_t cell_bits = pds_bloom_cell_bits(s);
	uint64_t	positions[PDS_BLOOM_MAX_HASHES];
	int			next;

	*found = 0;
	if (v->encoding == PDS_BLOOM_EMPTY)
		return PDS_OK;
	if (v->encoding == PDS_BLOOM_ARRAY && fetch == pds_in_memory)
	{
		*found = pds_bloom_array_contains(v->payload + v->data_at, s, h);
		return PDS_OK;
	}
	pds_bloom_places(s, h, positions);
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		/* a block as a whole, or a byte for each bit */
		const bool	blocked = s->family == PDS_BLOOM_BLOCKED;
		const uint64_t unit = blocked ? cell_bits : 8;
		const uint8_t *bytes = NULL;

		for (int i = 0; i < s->hashes; i++)
		{
			if (!blocked || i == 0)
				bytes = fetch(context, v->data_at + (size_t) (positions[i] / unit * unit / 8),
							  (size_t) (unit / 8));
			if (!pds_bloom_bit(bytes, positions[i] % unit))
				return PDS_OK;
		}
		*found = 1;
		return PDS_OK;
	}
	*found = 1;
	for (int i = 0; i < s->hashes && *found; i = next)
	{
		pds_status	status;

		next = i + 1;
		while (next < s->hashes && positions[next] / cell_bits == positions[i] / cell_bits)
			next++;
		status = probe_cell(v, positions + i, next - i, fetch, context, found);
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}

bool
pds_bloom_same_probe(const pds_bloom_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	cells[PDS_BLOOM_MAX_HASHES];

	pds_bloom_places(&v->shape, h, cells);
	for (int i = 0; i < v->shape.hashes; i++)
		cells[i] /= pds_bloom_cell_bits(&v->shape);
	return pds_coded_same(&v->list, cells, v->shape.hashes, v->payload, other);
}

/* ---------- reading it all ---------- */

pds_status
pds_bloom_view_positions(const pds_bloom_view *v, uint64_t *out)
{
	cell_reader c;
	uint64_t	n = 0;

	cells_from(&c, v);
	while (next_cell(&c))
	{
		if (c.n > v->count - n)
			return PDS_CORRUPT;
		for (uint32_t i = 0; i < c.n; i++)
			out[n++] = c.first + c.places[i];
	}
	return c.list.corrupt || n != v->count ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_bloom_view_each_cell(const pds_bloom_view *v, pds_bloom_use_cell use, void *context)
{
	uint8_t		bits[PDS_BLOOM_MAX_CELL_BITS / 8];
	cell_reader c;

	cells_from(&c, v);
	while (next_cell(&c))
	{
		uint64_t	end = c.first + c.cell_bits < c.bits ? c.first + c.cell_bits : c.bits;
		size_t		len = (size_t) ((end - c.first) / 8);

		memset(bits, 0, len);
		for (uint32_t i = 0; i < c.n; i++)
			pds_bloom_set_bit(bits, c.places[i]);
		use(context, (size_t) (c.first / 8), bits, len);
	}
	return c.list.corrupt ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_bloom_view_or(const pds_bloom_view *v, uint8_t *array)
{
	cell_reader c;

	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		pds_bloom_or(array, v->payload + v->data_at, (size_t) (v->shape.bits / 8));
		return PDS_OK;
	}
	cells_from(&c, v);
	while (next_cell(&c))
		for (uint32_t i = 0; i < c.n; i++)
			pds_bloom_set_bit(array, c.first + c.places[i]);
	return c.list.corrupt ? PDS_CORRUPT : PDS_OK;
}

static bool
arrays_within(const uint8_t *a, const uint8_t *b, size_t len)
{
	for (size_t i = 0; i < len; i += 8)
	{
		if ((pds_load_le64(a + i) & ~pds_load_le64(b + i)) != 0)
			return false;
		pds_poll_every(i / 8, PDS_POLL_BYTES / 8);
	}
	return true;
}

bool
pds_bloom_view_within(const pds_bloom_view *a, const pds_bloom_view *b)
{
	const uint8_t *array = b->payload + b->data_at;
	cell_reader in_a;
	cell_reader in_b;
	uint64_t	position;
	uint64_t	other;

	if (a->encoding == PDS_BLOOM_EMPTY)
		return true;
	if (a->encoding == PDS_BLOOM_ARRAY)
		return b->encoding == PDS_BLOOM_ARRAY &&
			arrays_within(a->payload + a->data_at, array, (size_t) (a->shape.bits / 8));
	if (b->encoding == PDS_BLOOM_EMPTY || (b->encoding == PDS_BLOOM_SPARSE && b->count < a->count))
		return false;
	cells_from(&in_a, a);
	cells_from(&in_b, b);
	while (next_position(&in_a, &position))
	{
		if (b->encoding == PDS_BLOOM_ARRAY)
		{
			if (!pds_bloom_bit(array, position))
				return false;
			continue;
		}
		do
			if (!next_position(&in_b, &other))
				return false;
		while (other < position);
		if (other > position)
			return false;
	}
	return !in_a.list.corrupt;
}

pds_status
pds_bloom_merge_view(pds_bloom_build *b, const pds_bloom_view *v)
{
	pds_status	status;

	if (!pds_bloom_same_shape(&b->shape, &v->shape))
		return PDS_PARAMETER_MISMATCH;
	pds_bloom_join_shapes(&b->shape, &v->shape);
	if (v->encoding == PDS_BLOOM_EMPTY)
		return PDS_OK;
	if (b->mode == PDS_BLOOM_BITS)
		return pds_bloom_view_or(v, pds_bloom_build_array(b));
	if (b->mode == PDS_BLOOM_HASHES || v->encoding == PDS_BLOOM_ARRAY ||
		b->count + v->count > b->slots)
		return PDS_FULL;
	status = pds_bloom_view_positions(v, b->words + b->count);
	if (status != PDS_OK)
		return status;
	if (b->count == 0)
		b->sorted = v->count;
	b->count += v->count;
	return PDS_OK;
}

/* An array of bits, of which all before "next" are intersected. */
typedef struct intersected
{
	uint8_t    *array;
	size_t		next;
} intersected;

static void
intersect_cell(void *context, size_t at, const uint8_t *bits, size_t len)
{
	intersected *x = context;

	memset(x->array + x->next, 0, at - x->next);
	pds_bloom_and(x->array + at, bits, len);
	x->next = at + len;
}

pds_status
pds_bloom_intersect_view(pds_bloom_build *b, const pds_bloom_view *v)
{
	const uint8_t *in = v->payload + v->data_at;
	uint64_t	position = 0;
	uint64_t	kept = 0;
	uint64_t	next = 0;
	cell_reader c;

	if (b->mode == PDS_BLOOM_HASHES || !pds_bloom_same_shape(&b->shape, &v->shape))
		return PDS_PARAMETER_MISMATCH;
	pds_bloom_join_shapes(&b->shape, &v->shape);
	pds_bloom_flush(b);
	if (b->mode == PDS_BLOOM_BITS)
	{
		intersected x = {pds_bloom_build_array(b), 0};
		const size_t len = (size_t) (b->shape.bits / 8);
		pds_status	status = PDS_OK;

		if (v->encoding == PDS_BLOOM_ARRAY)
			intersect_cell(&x, 0, in, len);
		else
			status = pds_bloom_view_each_cell(v, intersect_cell, &x);
		memset(x.array + x.next, 0, len - x.next);
		return status;
	}
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		for (uint64_t i = 0; i < b->count; i++)
		{
			pds_poll_each(i);
			if (pds_bloom_bit(in, b->words[i]))
				b->words[kept++] = b->words[i];
		}
		b->count = b->sorted = kept;
		return PDS_OK;
	}

	/* of two lists, what both have */
	cells_from(&c, v);
	while (next_position(&c, &position))
	{
		while (next < b->count && b->words[next] < position)
			next++;
		if (next < b->count && b->words[next] == position)
			b->words[kept++] = position;
	}
	b->count = b->sorted = kept;
	return c.list.corrupt ? PDS_CORRUPT : PDS_OK;
}
