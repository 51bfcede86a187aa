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
#include "bloom_format.h"
#include "bloom_size.h"

#define EXPLICIT		0x8000

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
cells_from(cell_source *src, const pds_bloom_build *b)
{
	src->b = b;
	src->cell_bits = pds_bloom_cell_bits(&b->shape);
	src->at = 0;
}

static bool
next_cell(cell_source *src)
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
	uint64_t	cells = pds_bloom_cell_count(s);

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
	cells_from(&src, b);
	while (next_cell(&src))
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
	else if (plan->count <= pds_bloom_sparse_limit(b->shape.bits))
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

		cells_from(&src, b);
		while (next_cell(&src))
		{
			pds_poll_each(plan->used++);
			bits += most_gap_bits(src.cell_bits, src.n) + 2 * (uint64_t) pds_log2_64(src.n) + 1;
		}
		bits += most_gap_bits(pds_bloom_cell_count(&b->shape), plan->used);
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
	rate = (uint16_t) (payload[at] | payload[at + 1] << 8);
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
		uint64_t	cells = pds_bloom_cell_count(&v->shape);

		if (!pds_varint_read(payload, have, &at, pds_bloom_sparse_limit(v->shape.bits),
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

PDS_VIEW_OPEN(bloom, PDS_TYPE_BLOOM, PDS_BLOOM_FAMILIES)
