/*
 * scalable_bloom.c: the building form of a scalable Bloom filter
 */
#include "poll.h"
#include "bloom_size.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom_layers.h"

/* ---------- images ---------- */

static void
init_head(pds_scalable_bloom_build *b, size_t size, const pds_scalable_bloom_parameters *p)
{
	uint32_t	varlena = b->varlena;

	/* all of it: a state can get into a table */
	memset(b, 0, size);
	b->varlena = varlena;
	b->size = (uint32_t) size;
	b->parameters = *p;
	pds_state_init(b, PDS_TYPE_SCALABLE_BLOOM, p->family);
}

void
pds_scalable_bloom_build_init(pds_scalable_bloom_build *b, const pds_scalable_bloom_parameters *p,
							  bool collect)
{
	pds_bloom_shape first;

	init_head(b, PDS_SCALABLE_BLOOM_FIRST_SIZE, p);
	if (!collect)
		return;
	(void) pds_scalable_bloom_first_shape(p, &first);
	b->open_at = sizeof(*b);
	pds_bloom_build_init_automatic(pds_scalable_bloom_open_layer(b), b->size - b->open_at,
								   first.rate);
}

uint64_t
pds_scalable_bloom_collect_limit(uint16_t rate)
{
	pds_scalable_bloom_parameters p = {PDS_BLOOM_BLOCKED, 0, rate, 2, 1};
	pds_bloom_shape first;

	(void) pds_scalable_bloom_first_shape(&p, &first);
	return pds_bloom_auto_limit(first.rate);
}

/* ---------- closed layers ---------- */

void
pds_scalable_bloom_close(pds_scalable_bloom_build *b, size_t len)
{
	uint8_t    *entry = pds_scalable_bloom_closed(b) + b->closed;
	uint8_t    *end = entry + PDS_SCALABLE_BLOOM_ENTRY_BYTES + len;
	uint32_t	entry_len = (uint32_t) len;

	memset(entry, 0, PDS_SCALABLE_BLOOM_ENTRY_BYTES);
	memcpy(entry, &entry_len, sizeof(entry_len));
	memset(end, 0, pds_scalable_bloom_round_up(len) - len);
	b->closed += (uint32_t) pds_scalable_bloom_entry_size(len);
	b->layers++;
}

void
pds_scalable_bloom_append(pds_scalable_bloom_build *b, size_t len)
{
	uint8_t    *closed = pds_scalable_bloom_closed(b);
	size_t		size = pds_scalable_bloom_entry_size(len);
	size_t		at = 0;
	size_t		next = 0;
	pds_bloom_view added;
	pds_bloom_view v;

	(void) pds_bloom_open(&added, closed + b->closed + PDS_SCALABLE_BLOOM_ENTRY_BYTES, len, len,
						  NULL);
	while (pds_scalable_bloom_next_closed(b, &next, &v))
		if (pds_scalable_bloom_within(&added, &v))
			return;
	pds_scalable_bloom_close(b, len);

	/* remove the layers that the new one contains; the new one stays the last */
	for (next = 0; at < b->closed - size && pds_scalable_bloom_next_closed(b, &next, &v); at = next)
	{
		(void) pds_bloom_open(&added, closed + b->closed - size + PDS_SCALABLE_BLOOM_ENTRY_BYTES,
							  len, len, NULL);
		if (!pds_scalable_bloom_within(&v, &added))
			continue;
		memmove(closed + at, closed + next, b->closed - next);
		b->closed -= (uint32_t) (next - at);
		b->layers--;
		next = at;
	}
}

size_t
pds_scalable_bloom_closing(const pds_scalable_bloom_build *b, pds_bloom_encoding *encoding)
{
	pds_bloom_build *open = pds_scalable_bloom_open_layer(b);

	if (open == NULL)
		return 0;
	pds_state_set_kind(open, pds_state_kind(b));
	pds_bloom_measure(open, encoding);
	return encoding->encoding != PDS_BLOOM_EMPTY ? encoding->bytes : 0;
}

void
pds_scalable_bloom_append_open(pds_scalable_bloom_build *b, const pds_scalable_bloom_build *from)
{
	pds_bloom_encoding encoding;
	size_t		len = pds_scalable_bloom_closing(from, &encoding);

	if (len == 0)
		return;
	len = pds_bloom_encode(pds_scalable_bloom_open_layer(from), &encoding, NULL,
						   pds_scalable_bloom_closed(b) + b->closed +
						   PDS_SCALABLE_BLOOM_ENTRY_BYTES);
	pds_scalable_bloom_append(b, len);
}

/* Finds the last of the closed layers. Returns false if no layer is closed. */
static bool
last_closed(const pds_scalable_bloom_build *b, pds_scalable_bloom_sorted *last)
{
	pds_scalable_bloom_sorted v;
	bool		found = false;

	for (size_t at = 0; pds_scalable_bloom_next_closed(b, &at, &v.view);)
	{
		v.set = pds_scalable_bloom_bits_set(&v.view);
		if (!found || pds_scalable_bloom_compare(&v, last) > 0)
			*last = v;
		found = true;
	}
	return found;
}

/* The sum of the layers' rates. */
static double
rates_of(const pds_scalable_bloom_build *b)
{
	const pds_bloom_build *open = pds_scalable_bloom_open_layer(b);
	double		rates = open != NULL ? pds_scalable_bloom_rate_of(&open->shape) : 0;
	pds_bloom_view v;

	for (size_t at = 0; pds_scalable_bloom_next_closed(b, &at, &v);)
		rates += pds_scalable_bloom_rate_of(&v.shape);
	return rates;
}

/* ---------- adding ---------- */

/* Can there be a layer after the open one? */
static bool
can_grow(const pds_scalable_bloom_build *b)
{
	return b->parameters.expansion > 0 && b->layers + 1 < PDS_SCALABLE_BLOOM_MAX_LAYERS;
}

static bool
is_full(const pds_scalable_bloom_build *b)
{
	const pds_bloom_build *open = pds_scalable_bloom_open_layer(b);

	return open->mode == PDS_BLOOM_BITS && b->set >= b->full;
}

pds_status
pds_scalable_bloom_add(pds_scalable_bloom_build *b, pds_hash h)
{
	pds_bloom_build *open = pds_scalable_bloom_open_layer(b);
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	pds_bloom_view v;
	uint8_t    *array;

	if (open == NULL)
		return PDS_FULL;
	if (open->automatic)
		return pds_bloom_add(open, h);
	for (size_t at = 0; pds_scalable_bloom_next_closed(b, &at, &v);)
	{
		uint64_t	found;

		if (pds_bloom_view_contains(&v, h, pds_in_memory, &v, &found) == PDS_OK && found)
			return PDS_OK;
	}

	/* a list is moved to an array long before the layer is full */
	if (open->mode != PDS_BLOOM_BITS)
		return pds_bloom_add(open, h);
	array = pds_bloom_build_array(open);
	if (pds_bloom_array_contains(array, &open->shape, h))
		return PDS_OK;
	if (is_full(b))
		return can_grow(b) ? PDS_FULL : PDS_TOO_LARGE;
	pds_bloom_places(&open->shape, h, places);
	for (int i = 0; i < open->shape.hashes; i++)
	{
		b->set += !pds_bloom_bit(array, places[i]);
		pds_bloom_set_bit(array, places[i]);
	}
	return PDS_OK;
}

/* ---------- moving ---------- */

/* An open layer of this shape that is going to take so many positions, or any array. */
static void
plan_open(const pds_bloom_shape *s, uint64_t positions, bool array, pds_bloom_plan *plan)
{
	/* in one that is odd, of very few keys for its bits, a list could get full */
	if (array || pds_scalable_bloom_full_bits(s) <= s->bits / 4)
		positions = s->bits;
	plan->shape = *s;
	pds_bloom_plan_positions(positions, plan);
}

/* What follows from an open layer's bits. */
static void
count_open(pds_scalable_bloom_build *b)
{
	pds_bloom_build *open = pds_scalable_bloom_open_layer(b);

	b->set = 0;
	b->full = 0;
	if (open->automatic)
		return;
	pds_bloom_flush(open);
	b->full = pds_scalable_bloom_full_bits(&open->shape);
	if (open->mode == PDS_BLOOM_BITS)
		b->set = pds_bloom_count_bits(pds_bloom_build_array(open),
									  (size_t) (open->shape.bits / 8));
}

void
pds_scalable_bloom_plan_growth(const pds_scalable_bloom_build *b, pds_scalable_bloom_plan *plan)
{
	const pds_bloom_build *open = pds_scalable_bloom_open_layer(b);
	pds_scalable_bloom_sorted last;
	pds_bloom_encoding encoding;
	pds_bloom_shape next;
	size_t		closed = b->closed;

	if (open != NULL && (open->automatic || !is_full(b)))
	{
		plan->step = PDS_SCALABLE_BLOOM_GROW;
		plan->open.size = plan->size - b->open_at;
		pds_bloom_plan_growth(open, &plan->open);
	}
	else if (open == NULL && last_closed(b, &last) &&
			 (last.set < pds_scalable_bloom_full_bits(&last.view.shape) || !can_grow(b)))
	{
		plan->step = PDS_SCALABLE_BLOOM_OPEN;
		closed -= pds_scalable_bloom_entry_size(last.view.len);
		plan_open(&last.view.shape, last.view.count, last.view.encoding == PDS_BLOOM_ARRAY,
				  &plan->open);
	}
	else
	{
		plan->step = PDS_SCALABLE_BLOOM_NEXT;
		closed += pds_scalable_bloom_entry_size(pds_scalable_bloom_closing(b, &encoding));
		if (open != NULL)
			pds_scalable_bloom_next_shape(&b->parameters, &open->shape, rates_of(b), &next);
		else if (b->layers > 0)
			pds_scalable_bloom_next_shape(&b->parameters, &last.view.shape, rates_of(b), &next);
		else
			(void) pds_scalable_bloom_first_shape(&b->parameters, &next);
		plan_open(&next, 0, false, &plan->open);
	}
	plan->size = sizeof(*b) + closed + pds_scalable_bloom_round_up(plan->open.size);
	if (plan->size > PDS_SCALABLE_BLOOM_MAX_SIZE)
	{
		plan->step = PDS_SCALABLE_BLOOM_STOP;
		plan->size = sizeof(*b);
	}
}

/* The closed layers of "from", except the one that a view is of (NULL: all). */
static void
copy_closed(pds_scalable_bloom_build *to, const pds_scalable_bloom_build *from,
			const pds_bloom_view *except)
{
	pds_bloom_view v;
	size_t		before = 0;

	for (size_t at = 0; pds_scalable_bloom_next_closed(from, &at, &v); before = at)
	{
		if (except != NULL && v.payload == except->payload)
			continue;
		memcpy(pds_scalable_bloom_closed(to) + to->closed, pds_scalable_bloom_closed(from) + before,
			   at - before);
		to->closed += (uint32_t) (at - before);
		to->layers++;
	}
}

pds_status
pds_scalable_bloom_rebuild(pds_scalable_bloom_build *to, pds_scalable_bloom_plan *plan,
						   const pds_scalable_bloom_build *from)
{
	pds_bloom_build *open;
	pds_scalable_bloom_sorted last;
	bool		reopen = plan->step == PDS_SCALABLE_BLOOM_OPEN && last_closed(from, &last);

	if (plan->step == PDS_SCALABLE_BLOOM_STOP)
		return PDS_TOO_LARGE;
	init_head(to, plan->size, &from->parameters);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	copy_closed(to, from, reopen ? &last.view : NULL);
	if (plan->step != PDS_SCALABLE_BLOOM_GROW)
		pds_scalable_bloom_append_open(to, from);
	if (plan->step == PDS_SCALABLE_BLOOM_CLOSE)
		return PDS_OK;
	to->open_at = (uint32_t) (sizeof(*to) + to->closed);
	open = pds_scalable_bloom_open_layer(to);
	if (plan->step == PDS_SCALABLE_BLOOM_GROW)
		(void) pds_bloom_rebuild(open, &plan->open, pds_scalable_bloom_open_layer(from));
	else
		pds_bloom_build_init_planned(open, &plan->open);
	if (reopen)
		(void) pds_bloom_merge_view(open, &last.view);
	count_open(to);
	return PDS_OK;
}

/* ---------- before it is stored ---------- */

pds_status
pds_scalable_bloom_plan_finish(pds_scalable_bloom_build *b, pds_scalable_bloom_plan *plan)
{
	pds_status	status;

	if (!pds_scalable_bloom_collects(b))
		return PDS_OK;
	status = pds_bloom_plan_finish(pds_scalable_bloom_open_layer(b), b->parameters.capacity,
								   &plan->open);
	plan->step = PDS_SCALABLE_BLOOM_GROW;
	if (status == PDS_FULL)
		plan->size = sizeof(*b) + pds_scalable_bloom_round_up(plan->open.size);
	return status;
}

/* ---------- images that may be damaged ---------- */

static bool
closed_valid(const pds_scalable_bloom_build *b)
{
	size_t		end = b->open_at != 0 ? b->open_at : b->size;
	uint32_t	layers = 0;
	size_t		at = 0;

	if (b->closed > end - sizeof(*b) || b->closed % 8 != 0 ||
		(b->open_at != 0 && b->open_at != sizeof(*b) + b->closed))
		return false;
	while (at < b->closed)
	{
		const uint8_t *entry = pds_scalable_bloom_closed(b) + at;
		uint32_t	len;
		pds_bloom_view v;

		memcpy(&len, entry, sizeof(len));
		if (b->closed - at < PDS_SCALABLE_BLOOM_ENTRY_BYTES ||
			len > b->closed - at - PDS_SCALABLE_BLOOM_ENTRY_BYTES ||
			pds_bloom_check(entry + PDS_SCALABLE_BLOOM_ENTRY_BYTES, len, NULL) != PDS_OK ||
			pds_bloom_open(&v, entry + PDS_SCALABLE_BLOOM_ENTRY_BYTES, len, len, NULL) != PDS_OK ||
			v.encoding == PDS_BLOOM_EMPTY || v.shape.family != b->parameters.family ||
			v.kind != pds_state_kind(b) || v.shape.capacity == 0)
			return false;
		at += pds_scalable_bloom_entry_size(len);
		layers++;
	}
	return layers == b->layers && layers <= PDS_SCALABLE_BLOOM_MAX_LAYERS;
}

static bool
open_valid(const pds_scalable_bloom_build *b)
{
	const pds_bloom_build *open = pds_scalable_bloom_open_layer(b);
	pds_bloom_shape first;

	if (!pds_bloom_check_build(open, b->size - b->open_at) || open->undecided ||
		open->shape.family != b->parameters.family || open->shape.capacity == 0)
		return false;
	if (open->automatic)
		return b->layers == 0 && pds_scalable_bloom_first_shape(&b->parameters, &first) == PDS_OK &&
			first.rate == open->shape.rate &&
			b->parameters.capacity <= pds_bloom_auto_limit(first.rate);
	return open->mode != PDS_BLOOM_HASHES && open->pending == 0 &&
		b->full == pds_scalable_bloom_full_bits(&open->shape) &&
		(open->mode != PDS_BLOOM_BITS ||
		 b->set == pds_bloom_count_bits(pds_bloom_build_array(open),
										(size_t) (open->shape.bits / 8)));
}

/* Does the open layer hold nothing, for all that can be seen of it? */
static bool
open_is_empty(const pds_scalable_bloom_build *b)
{
	const pds_bloom_build *open = pds_scalable_bloom_open_layer(b);

	if (open->mode == PDS_BLOOM_BITS)
		return !open->automatic && b->set == 0;
	return open->count == 0 && open->zero == 0;
}

/* Without a kind there are no values, and others are of a kind that the family holds. */
static bool
kind_valid(const pds_scalable_bloom_build *b)
{
	pds_kind	kind = pds_state_kind(b);

	if (kind != PDS_KIND_NONE)
		return pds_bloom_family_holds(b->parameters.family, kind);
	return b->layers == 0 && (b->open_at == 0 || open_is_empty(b));
}

static bool
build_valid(const pds_scalable_bloom_build *b, size_t size)
{
	if (pds_state_family(b) != b->parameters.family ||
		!pds_scalable_bloom_parameters_valid(&b->parameters) ||
		b->size < sizeof(*b) || b->size > size || b->undecided > 1)
		return false;
	if (b->undecided && (b->layers > 0 || b->closed > 0 || b->open_at != 0))
		return false;
	if (b->open_at != 0 && (b->open_at < sizeof(*b) || b->open_at > b->size))
		return false;
	return closed_valid(b) && (b->open_at == 0 || open_valid(b)) && kind_valid(b);
}

PDS_STATE_CHECK(scalable_bloom, PDS_TYPE_SCALABLE_BLOOM, PDS_BLOOM_REDIS + 1,
				sizeof(pds_scalable_bloom_build))
