/*
 * bloom_read.c: reading stored Bloom filters, whole or only where a key would be
 *
 * The stored form is drawn in bloom_format.c.
 */
#include "poll.h"
#include "bloom_format.h"

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
			pds_bloom_sparse_limit(v->shape.bits))
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

PDS_VIEW_CHECK(bloom)

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
