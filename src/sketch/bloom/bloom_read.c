/*
 * bloom_read.c: reading stored Bloom filters, whole or only where a key would be
 *
 * The stored form is drawn in bloom_format.c.
 */
#include "poll.h"
#include "bloom_format.h"

/* ---------- reading segments ---------- */

/* Walks over the bits that are set in one segment, in ascending order. */
typedef struct segment_reader
{
	pds_bit_reader bits;
	uint32_t	cell_bits;
	int			gap_rice;
	uint64_t	next_cell;		/* the first that can come */
	uint64_t	end_cell;		/* one past the segment */
	uint64_t	end_bit;		/* one past the filter */
	uint64_t	cell;			/* the current one */
	uint32_t	left;			/* bits of it still to come */
	int			rice;
	uint32_t	next_place;
	bool		first;			/* was the last place the first of its cell? */
	bool		corrupt;
} segment_reader;

static void
segment_open(segment_reader *r, const pds_bloom_view *v, uint64_t segment,
			 const uint8_t *data, size_t len)
{
	uint64_t	cells = pds_bloom_cell_count(&v->shape);

	pds_bits_from(&r->bits, data, len);
	r->cell_bits = pds_bloom_cell_bits(&v->shape);
	r->gap_rice = pds_rice_parameter(cells, v->used);
	r->next_cell = segment << v->segment_shift;
	r->end_cell = (segment + 1) << v->segment_shift;
	if (r->end_cell > cells)
		r->end_cell = cells;
	r->end_bit = v->shape.bits;
	r->left = 0;
	r->corrupt = false;
}

/* Go to the next cell; false at the end of the segment. */
static bool
segment_next_cell(segment_reader *r)
{
	uint64_t	high;
	uint64_t	log;

	if (pds_bits_at_end(&r->bits))
		return false;
	high = pds_bits_get_unary(&r->bits);
	r->cell = r->next_cell + (high << r->gap_rice) + pds_bits_get(&r->bits, r->gap_rice);
	log = pds_bits_get_unary(&r->bits);
	if (r->bits.overrun || high > r->end_cell || r->cell >= r->end_cell || log > 12)
	{
		r->corrupt = true;
		return false;
	}
	r->left = (UINT32_C(1) << log) + pds_bits_get(&r->bits, (int) log);
	if (r->left > r->cell_bits)
	{
		r->corrupt = true;
		return false;
	}
	r->rice = pds_rice_parameter(r->cell_bits, r->left);
	r->next_cell = r->cell + 1;
	r->next_place = 0;
	return true;
}

/* The next place in the current cell, of which there are still some left. */
static inline bool
segment_next_place(segment_reader *r, uint32_t *place)
{
	uint64_t	high = pds_bits_get_unary(&r->bits);
	uint64_t	at = r->next_place + (high << r->rice) + pds_bits_get(&r->bits, r->rice);

	if (r->bits.overrun || high > r->cell_bits || at >= r->cell_bits)
	{
		r->corrupt = true;
		return false;
	}
	r->left--;
	r->first = r->next_place == 0;
	r->next_place = (uint32_t) at + 1;
	*place = (uint32_t) at;
	return true;
}

/* Finds a segment after the directory, both of which are in memory. */
static bool
segment_range(const pds_bloom_view *v, const uint8_t *directory, uint64_t segment,
			  size_t *from, size_t *to)
{
	size_t		data_len = v->len - v->data_at - pds_segment_directory(v->segments);

	return pds_segment_range(pds_segment_entries(directory, segment, 0), segment, v->segments,
							 data_len, from, to);
}

/* Walks over all bits that are set in a sparse filter. */
typedef struct filter_reader
{
	const pds_bloom_view *v;
	uint64_t	segment;		/* the next one */
	segment_reader r;
	bool		corrupt;
} filter_reader;

static void
filter_open(filter_reader *f, const pds_bloom_view *v)
{
	f->v = v;
	f->segment = 0;
	f->r.left = 0;
	f->r.corrupt = false;
	f->corrupt = false;
	pds_bits_from(&f->r.bits, v->payload, 0);
}

/* False at the end, or where the bytes make no sense. */
static bool
filter_next(filter_reader *f, uint64_t *position)
{
	const pds_bloom_view *v = f->v;
	const uint8_t *directory = v->payload + v->data_at;
	uint32_t	place;

	while (f->r.left == 0 && !segment_next_cell(&f->r))
	{
		size_t		from;
		size_t		to;

		if (f->r.corrupt || f->segment == v->segments ||
			!segment_range(v, directory, f->segment, &from, &to))
		{
			f->corrupt = f->r.corrupt || f->segment < v->segments;
			return false;
		}
		pds_poll();
		segment_open(&f->r, v, f->segment, directory + pds_segment_directory(v->segments) +
					 from,
					 to - from);
		f->segment++;
	}
	if (!segment_next_place(&f->r, &place))
	{
		f->corrupt = true;
		return false;
	}
	*position = f->r.cell * f->r.cell_bits + place;
	if (*position >= f->r.end_bit)
	{
		f->corrupt = true;
		return false;
	}
	return true;
}

static pds_status
check_view(const pds_bloom_view *v, const char **why)
{
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		if (pds_bloom_count_bits(v->payload + v->data_at, v->len - v->data_at) <=
			pds_bloom_sparse_limit(v->shape.bits))
			PDS_REFUSE(why, "So few bits are set that it would be stored as their list.");
	}
	else if (v->encoding == PDS_BLOOM_SPARSE)
	{
		filter_reader f;
		uint64_t	position;
		uint64_t	count = 0;
		uint64_t	used = 0;
		size_t		from;
		size_t		to = 0;

		filter_open(&f, v);
		while (filter_next(&f, &position))
		{
			count++;
			used += f.r.first;
		}
		if (f.corrupt)
			PDS_REFUSE(why, "Its list of bits is malformed.");
		if (count != v->count || used != v->used)
			PDS_REFUSE(why, "Its list of bits does not agree with its header.");
		(void) segment_range(v, v->payload + v->data_at, v->segments - 1, &from, &to);
		if (v->data_at + pds_segment_directory(v->segments) + to != v->len)
			PDS_REFUSE(why, "There are bytes after its end.");
	}
	return PDS_OK;
}

PDS_VIEW_CHECK(bloom)

/* ---------- looking up ---------- */

/* Are these places of a cell set in the segment? *found, unless corrupt. */
static pds_status
probe_cell(const pds_bloom_view *v, uint64_t cell, const uint32_t *places, int n,
		   pds_bloom_fetch fetch, void *context, bool *found)
{
	uint64_t	segment = cell >> v->segment_shift;
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	uint64_t	seen[PDS_BLOOM_MAX_CELL_BITS / 64] = {0};
	const uint8_t *directory = NULL;
	segment_reader r;
	size_t		from;
	size_t		to;

	if (v->segments > 1)
	{
		/* the two entries that segment_range() will look at */
		uint64_t	first = segment > 0 ? segment - 1 : 0;

		directory = fetch(context, v->data_at + (size_t) first * 4,
						  (size_t) (segment - first + 1) * 4);
		from = segment > 0 ? pds_load_le32(directory) : 0;
		to = pds_load_le32(directory + (segment - first) * 4);
	}
	else
	{
		from = 0;
		to = v->len - data_at;
	}
	*found = false;
	if (from > to || to > v->len - data_at)
		return PDS_CORRUPT;
	if (from == to)
		return PDS_OK;
	segment_open(&r, v, segment, fetch(context, data_at + from, to - from), to - from);
	while (segment_next_cell(&r) && r.cell <= cell)
	{
		uint32_t	place;

		while (r.left > 0)
		{
			if (!segment_next_place(&r, &place))
				return PDS_CORRUPT;
			if (r.cell == cell)
				seen[place / 64] |= UINT64_C(1) << place % 64;
		}
	}
	if (r.corrupt)
		return PDS_CORRUPT;
	for (int i = 0; i < n; i++)
		if ((seen[places[i] / 64] >> places[i] % 64 & 1) == 0)
			return PDS_OK;
	*found = true;
	return PDS_OK;
}

pds_status
pds_bloom_view_contains(const pds_bloom_view *v, pds_hash h, pds_bloom_fetch fetch,
						void *context, bool *found)
{
	const pds_bloom_shape *s = &v->shape;
	pds_bloom_walk w = pds_bloom_walk_start(s->family, s->bits, h);
	uint32_t	b = pds_bloom_cell_bits(s);
	uint32_t	places[PDS_BLOOM_MAX_HASHES];
	uint64_t	positions[PDS_BLOOM_MAX_HASHES];

	*found = false;
	if (v->encoding == PDS_BLOOM_EMPTY)
		return PDS_OK;
	if (v->encoding == PDS_BLOOM_ARRAY && s->family == PDS_BLOOM_BLOCKED)
	{
		/* the walk's positions, less the block's */
		const uint8_t *block = fetch(context, v->data_at + (size_t) (w.base / 8), b / 8);

		w.base = 0;
		for (int i = 0; i < s->hashes; i++)
			if (!pds_bloom_bit(block, pds_bloom_walk_next(&w)))
				return PDS_OK;
		*found = true;
		return PDS_OK;
	}
	if (s->family == PDS_BLOOM_BLOCKED)
	{
		uint64_t	cell = w.base / b;

		for (int i = 0; i < s->hashes; i++)
			places[i] = (uint32_t) (pds_bloom_walk_next(&w) % b);
		return probe_cell(v, cell, places, s->hashes, fetch, context, found);
	}
	pds_bloom_places(s, h, positions);
	for (int i = 0; i < s->hashes; i++)
	{
		uint64_t	position = positions[i];

		if (v->encoding == PDS_BLOOM_ARRAY)
		{
			if (!pds_bloom_bit(fetch(context, v->data_at + (size_t) (position / 8), 1),
							   position % 8))
				return PDS_OK;
		}
		else
		{
			pds_status	status;

			places[0] = (uint32_t) (position % b);
			status = probe_cell(v, position / b, places, 1, fetch, context, found);
			if (status != PDS_OK || !*found)
				return status;
			*found = false;
		}
	}
	*found = true;
	return PDS_OK;
}

/* Is the segment of a cell the same bytes in both? */
static bool
same_segment(const pds_bloom_view *a, const pds_bloom_view *b, uint64_t cell)
{
	uint64_t	segment = cell >> a->segment_shift;
	const uint8_t *a_data = a->payload + a->data_at;
	const uint8_t *b_data = b->payload + b->data_at;
	size_t		directory = pds_segment_directory(a->segments);
	size_t		from;
	size_t		to;
	size_t		b_from;
	size_t		b_to;

	return segment_range(a, a_data, segment, &from, &to) &&
		segment_range(b, b_data, segment, &b_from, &b_to) &&
		from == b_from && to == b_to &&
		memcmp(a_data + directory + from, b_data + directory + from, to - from) == 0;
}

bool
pds_bloom_same_probe(const pds_bloom_view *a, const pds_bloom_view *b, pds_hash h)
{
	const pds_bloom_shape *s = &a->shape;
	uint32_t	cell_bits = pds_bloom_cell_bits(s);
	uint64_t	positions[PDS_BLOOM_MAX_HASHES];

	if (s->family == PDS_BLOOM_BLOCKED)
		return same_segment(a, b, pds_bloom_block_of(h.h1, s->bits) / cell_bits);
	pds_bloom_places(s, h, positions);
	for (int i = 0; i < s->hashes; i++)
		if (!same_segment(a, b, positions[i] / cell_bits))
			return false;
	return true;
}

/* ---------- reading it all ---------- */

pds_status
pds_bloom_view_positions(const pds_bloom_view *v, uint64_t *out)
{
	filter_reader f;
	uint64_t	n = 0;
	uint64_t	position;

	filter_open(&f, v);
	while (filter_next(&f, &position))
	{
		if (n == v->count)
			return PDS_CORRUPT;
		out[n++] = position;
	}
	return f.corrupt || n != v->count ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_bloom_view_block_counts(const pds_bloom_view *v, uint64_t *counts)
{
	filter_reader f;
	uint64_t	position;

	filter_open(&f, v);
	while (filter_next(&f, &position))
		/* at the first of a cell's bits the others are still to come */
		if (f.r.first)
			counts[f.r.left + 1]++;
	return f.corrupt ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_bloom_view_word_counts(const pds_bloom_view *v, uint64_t *counts, double *product)
{
	uint32_t	words[PDS_BLOOM_SPLIT_WORDS] = {0};
	uint64_t	block = 0;
	filter_reader f;
	uint64_t	position;
	bool		more;

	filter_open(&f, v);
	do
	{
		more = filter_next(&f, &position);
		if (!more || position / PDS_BLOOM_SPLIT_BITS != block)
		{
			/* of a block that has no bit set, nothing is added */
			*product += pds_bloom_split_block_counts(words, counts);
			memset(words, 0, sizeof(words));
		}
		if (more)
		{
			block = position / PDS_BLOOM_SPLIT_BITS;
			words[position % PDS_BLOOM_SPLIT_BITS / 32] |= UINT32_C(1) << position % 32;
		}
	} while (more);
	return f.corrupt ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_bloom_view_or(const pds_bloom_view *v, uint8_t *array)
{
	const uint8_t *in = v->payload + v->data_at;
	filter_reader f;
	uint64_t	position;

	if (v->encoding == PDS_BLOOM_EMPTY)
		return PDS_OK;
	if (v->encoding == PDS_BLOOM_ARRAY)
	{
		pds_bloom_or(array, in, (size_t) (v->shape.bits / 8));
		return PDS_OK;
	}
	filter_open(&f, v);
	while (filter_next(&f, &position))
		pds_bloom_set_bit(array, position);
	return f.corrupt ? PDS_CORRUPT : PDS_OK;
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
	filter_reader f;
	filter_reader g;
	uint64_t	position;
	uint64_t	other;

	if (a->encoding == PDS_BLOOM_EMPTY)
		return true;
	if (a->encoding == PDS_BLOOM_ARRAY)
		return b->encoding == PDS_BLOOM_ARRAY &&
			arrays_within(a->payload + a->data_at, array, (size_t) (a->shape.bits / 8));
	if (b->encoding == PDS_BLOOM_EMPTY || (b->encoding == PDS_BLOOM_SPARSE && b->count < a->count))
		return false;
	filter_open(&f, a);
	filter_open(&g, b);
	while (filter_next(&f, &position))
	{
		if (b->encoding == PDS_BLOOM_ARRAY)
		{
			if (!pds_bloom_bit(array, position))
				return false;
			continue;
		}
		do
			if (!filter_next(&g, &other))
				return false;
		while (other < position);
		if (other > position)
			return false;
	}
	return !f.corrupt;
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

/* Clear the bits from "from" to one before "to". */
static void
clear_range(uint8_t *array, uint64_t from, uint64_t to)
{
	for (; from < to && from % 8 != 0; from++)
		array[from / 8] &= (uint8_t) ~(1 << from % 8);
	if (from < to)
		memset(array + from / 8, 0, (size_t) ((to - from) / 8));
	for (from += (to - from) / 8 * 8; from < to; from++)
		array[from / 8] &= (uint8_t) ~(1 << from % 8);
}

pds_status
pds_bloom_intersect_view(pds_bloom_build *b, const pds_bloom_view *v)
{
	uint8_t    *array;
	const uint8_t *in = v->payload + v->data_at;
	uint64_t	position = 0;
	uint64_t	kept = 0;
	uint64_t	next = 0;
	filter_reader f;

	if (b->mode == PDS_BLOOM_HASHES || !pds_bloom_same_shape(&b->shape, &v->shape))
		return PDS_PARAMETER_MISMATCH;
	pds_bloom_join_shapes(&b->shape, &v->shape);
	pds_bloom_flush(b);
	array = pds_bloom_build_array(b);
	if (v->encoding == PDS_BLOOM_ARRAY && b->mode == PDS_BLOOM_BITS)
	{
		pds_bloom_and(array, in, (size_t) (b->shape.bits / 8));
		return PDS_OK;
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

	/* b keeps of its own what the list of v has */
	filter_open(&f, v);
	while (v->encoding == PDS_BLOOM_SPARSE && filter_next(&f, &position))
	{
		if (b->mode == PDS_BLOOM_BITS)
			clear_range(array, next, position);
		else
		{
			while (next < b->count && b->words[next] < position)
				next++;
			if (next < b->count && b->words[next] == position)
				b->words[kept++] = position;
			continue;
		}
		next = position + 1;
	}
	if (b->mode == PDS_BLOOM_BITS)
		clear_range(array, next, b->shape.bits);
	else
		b->count = b->sorted = kept;
	return f.corrupt ? PDS_CORRUPT : PDS_OK;
}
