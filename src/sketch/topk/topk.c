/*
 * topk.c: the building form of a sketch of the most frequent values
 *
 * Why the bounds hold.  Let m = k' + 1, and for each item c = u - o; c >= 0.
 *
 * 1. u - e <= f <= u, e <= o, and f <= o of a value that is no item.  True of the
 *    empty sketch.  Adding w to an item raises f and u by w.  A new item had
 *    f <= o before, so f <= o + w = u, and u - e = w <= f.  A purge raises o and lets
 *    only items with f <= u <= o go.  In a merge both sides of each inequality are
 *    added up, and a value that one of the sketches does not have counts
 *    between 0 and that one's o there.
 *
 * 2. o <= (N - C) / m, where C is the sum of all c.  True of the empty sketch.  Adding w raises
 *    N and C by w.  A purge by d = o' - o reduces each c by d, or to 0 if c was smaller.  At
 *    least m items had c >= d, so C loses at least m * d.  In a merge N and o are added up, and
 *    so is C.  If an item is in only one of the sketches, the other one adds its o, not a c.
 *
 * 3. So o <= N / m whatever the order of adds, purges and merges, and a value
 *    with f > N / m is an item.
 *
 * A merge is done item by item.  First the offset of the other sketch is added to everything.
 * Then each of its items adds its c as a weight, and its error is reduced by what the other
 * sketch knew better.  A purge halfway does no harm: a value that it drops had u <= o', and
 * begins again with u = o' + c.
 */
#include <stddef.h>

#include "topk_build.h"

/* Places of the first image. */
#define FIRST_PLACES	6

_Static_assert(sizeof(pds_topk_build) % 8 == 0 &&
			   sizeof(pds_topk_build) == offsetof(pds_topk_build, words),
			   "entries are not aligned");
/* all other numbers of places are even, too */
_Static_assert(FIRST_PLACES % 2 == 0 && PDS_TOPK_SMALL_PLACES % 2 == 0, "errors are not aligned");
_Static_assert(PDS_TOPK_MAX_K < 1 << 14, "k does not fit");
_Static_assert(PDS_TOPK_MAX_COUNTERS < 1 << 18, "the number of counters does not fit");
_Static_assert(PDS_TOPK_MAX_ITEM_TEXT <= UINT16_MAX, "the length of a text does not fit");
_Static_assert(PDS_TOPK_SMALL_PLACES / 8 * 7 * (PDS_TOPK_MAX_ITEM_TEXT + PDS_TOPK_LENGTH_BYTES) <=
			   PDS_TOPK_MOST_SMALL_TEXT, "the start of a text does not fit");
_Static_assert(2 * PDS_TOPK_MAX_COUNTERS < PDS_TOPK_NUMBER_MASK,
			   "a slot cannot tell all items");

/* Let the item at place i, which is not in the index yet, be found. */
static inline void
index_item(pds_topk_build *b, uint32_t i, uint64_t hash)
{
	uint32_t	slots = pds_topk_slots(b);
	uint32_t	slot = pds_topk_home(hash, slots);

	while (b->words[slot] != 0)
		if (++slot == slots)
			slot = 0;
	b->words[slot] = pds_topk_tag(hash) | (i + 1);
}

static void
init(pds_topk_build *b, const pds_topk_plan *plan, uint32_t k, uint32_t counters)
{
	pds_state_init(b, PDS_TYPE_TOPK, PDS_FAMILY_NATIVE);
	b->undecided = 0;
	b->k = k;
	b->counters = counters;
	b->errors = plan->errors > 0;
	b->size = (uint32_t) plan->size;
	b->indexed = plan->slots > 0;
	b->reference = 0;
	b->places = plan->places;
	b->items = 0;
	b->text_bytes = 0;
	b->total = 0;
	b->offset = 0;
	/* all of it, also where nothing is read before it is written: a state can get into a table */
	memset(b->words, 0, plan->size - offsetof(pds_topk_build, words));
}

void
pds_topk_build_init(pds_topk_build *b, uint32_t k, uint32_t counters)
{
	const pds_topk_plan first = {PDS_TOPK_FIRST_SIZE, 0, FIRST_PLACES, PDS_TOPK_SAME_REFERENCE, 0};

	init(b, &first, k, counters);
}

/* ---------- texts that begin alike ---------- */

/* How many bytes of the reference a new text begins with. */
static inline uint32_t
shared_bytes(const pds_topk_build *b, const char *text, uint32_t len)
{
	return b->reference == 0 ? 0 : pds_topk_common(pds_topk_reference(b), b->reference, text, len);
}

/* Make this text the reference, of an image without text. */
static void
set_reference(pds_topk_build *b, const char *text, uint32_t len)
{
	if (len > PDS_TOPK_MAX_REFERENCE)
		len = PDS_TOPK_MAX_REFERENCE;
	b->reference = len & PDS_TOPK_MAX_REFERENCE;
	b->text_bytes = len;
	memcpy((char *) b + b->size - len, text, len);
}

/* ---------- items ---------- */

/*
 * Is there free space for one more item, with so many bytes of its own?  (As has_space(), but in
 * the largest image.)
 */
static inline bool
fits(const pds_topk_build *b, uint32_t len)
{
	return b->items < pds_topk_places_limit(pds_topk_slots(b), b->places) &&
		pds_topk_image_bytes(pds_topk_slots(b), b->places, b->errors,
					(uint64_t) b->text_bytes + PDS_TOPK_LENGTH_BYTES + len) <= b->size;
}

/*
 * One more item, which is not there yet and fits.  It shares so many bytes with the reference, and
 * "rest" is the rest of its text.
 */
static inline void
append_item(pds_topk_build *b, uint64_t hash, uint64_t upper, uint64_t error,
			uint32_t shared, const char *rest, uint32_t len)
{
	const uint32_t places = b->places;
	pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t   *starts = (uint32_t *) (entries + places);
	uint32_t	i = b->items;
	uint32_t	text_bytes;
	uint16_t	bytes;
	char	   *start;

	/* which takes no more space: it shares all of it */
	if (b->text_bytes == 0 && pds_topk_can_share(b))
	{
		set_reference(b, rest, len);
		shared = b->reference;
		rest += shared;
		len -= shared;
	}

	if (!b->indexed)
		for (i = pds_topk_home(hash, places); entries[i].upper != 0;)
			if (++i == places)
				i = 0;
	entries[i].hash = hash;
	entries[i].upper = upper;
	if (b->indexed)
		index_item(b, i, hash);
	if (b->errors)
		((uint64_t *) (starts + places))[i] = error;
	b->items++;

	bytes = (uint16_t) len;
	text_bytes = b->text_bytes + (uint32_t) PDS_TOPK_LENGTH_BYTES + len;
	b->text_bytes = text_bytes;
	starts[i] = text_bytes | shared << PDS_TOPK_START_BITS;
	start = (char *) b + b->size - text_bytes;
	memcpy(start, &bytes, PDS_TOPK_LENGTH_BYTES);
	memcpy(start + PDS_TOPK_LENGTH_BYTES, rest, len);
}

pds_status
pds_topk_rebuild(pds_topk_build *to, pds_topk_plan *plan, const pds_topk_build *from)
{
	char		whole[PDS_TOPK_MAX_ITEM_TEXT];
	const char *text;
	uint32_t	len;
	uint32_t	extent;
	bool		same;

	init(to, plan, from->k, from->counters);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	to->total = from->total;
	to->offset = from->offset;
	if (plan->reference_of != PDS_TOPK_SAME_REFERENCE)
	{
		text = pds_topk_text(from, plan->reference_of, whole, &len);
		set_reference(to, text, len);
	}
	else if (pds_topk_can_share(to))
		set_reference(to, pds_topk_reference(from), from->reference);
	same = plan->reference_of == PDS_TOPK_SAME_REFERENCE && to->reference == from->reference;
	extent = pds_topk_extent(from);
	for (uint32_t i = 0; i < extent; i++)
	{
		const pds_topk_entry *e = pds_topk_entries(from) + i;
		uint32_t	shared;

		pds_topk_poll(i);
		if (e->upper == 0)
			continue;
		if (same)
			text = pds_topk_rest(from, i, &shared, &len);
		else
		{
			text = pds_topk_text(from, i, whole, &len);
			shared = shared_bytes(to, text, len);
			text += shared;
			len -= shared;
		}
		append_item(to, e->hash, e->upper, pds_topk_error(from, i), shared, text, len);
	}
	return PDS_OK;
}

/* ---------- purge ---------- */

/* Bits of a key that are looked at in one pass. */
#define STEP_BITS	11

/*
 * Returns the n-th largest upper bound of the items.  Or, if "tied" is above 0, returns the n-th
 * largest ~hash of the items with this upper bound, or a smaller number above the next one.  n is
 * from 1 to the number of these items.  Each pass finds the highest bits that are still unknown.
 */
static uint64_t
nth_largest(const pds_topk_build *b, uint32_t n, uint64_t tied)
{
	const pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t	histogram[1 << STEP_BITS];
	uint64_t	low = tied > 0 ? 0 : b->offset;
	uint64_t	any = 0;
	int			width;

	for (uint32_t i = 0; i < b->items; i++)
		any |= (tied > 0 ? ~entries[i].hash : entries[i].upper) - low;
	width = any == 0 ? 0 : pds_log2_64(any) + 1;
	while (width > 0)
	{
		int			bits = width < STEP_BITS ? width : STEP_BITS;
		uint32_t	step = (UINT32_C(1) << bits) - 1;

		width -= bits;
		memset(histogram, 0, sizeof(uint32_t) << bits);
		for (uint32_t i = 0; i < b->items; i++)
		{
			uint64_t	key = tied > 0 ? ~entries[i].hash : entries[i].upper;
			/* what is below "low" wraps around to a large number */
			uint64_t	above = (key - low) >> width;

			if (above >> bits == 0 && (tied == 0 || entries[i].upper == tied))
				histogram[above]++;
		}
		while (histogram[step] < n)
			n -= histogram[step--];
		low += (uint64_t) step << width;
		/* all of this step belong to the n largest */
		if (tied > 0 && histogram[step] == n)
			break;
	}
	return low;
}

/*
 * Raise the offset to the (k' + 1)-th largest upper bound, drop all items except the first k',
 * and close the gaps.  The image has an index (pds_topk_plan_space()).  Items and texts
 * keep their order, so each moves only to where others have been.
 */
static void
purge(pds_topk_build *b)
{
	uint32_t	counters = b->counters;
	uint64_t	threshold = nth_largest(b, counters + 1, 0);
	pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t   *starts = pds_topk_starts(b);
	uint64_t   *errors = pds_topk_errors(b);
	char	   *end = (char *) b + b->size;
	uint32_t	text = 0;
	uint32_t	kept = 0;
	uint32_t	above = 0;
	uint64_t	least = 0;		/* ~hash of those that stay of the threshold's items */

	for (uint32_t i = 0; i < b->items; i++)
		above += entries[i].upper > threshold;
	if (above < counters)
		least = nth_largest(b, counters - above, threshold);
	memset(b->words, 0, pds_topk_slots(b) * sizeof(uint32_t));
	for (uint32_t i = 0; i < b->items; i++)
	{
		uint32_t	len;
		uint32_t	shared;
		const char *from;

		if (entries[i].upper < threshold ||
			(entries[i].upper == threshold && (above == counters || ~entries[i].hash < least)))
			continue;
		from = pds_topk_rest(b, i, &shared, &len) - PDS_TOPK_LENGTH_BYTES;
		len += PDS_TOPK_LENGTH_BYTES;
		text += len;
		memmove(end - text, from, len);
		starts[kept] = text;
		entries[kept] = entries[i];
		errors[kept] = errors[i];
		index_item(b, kept, entries[kept].hash);
		kept++;
	}
	b->items = kept;
	b->text_bytes = text;
	b->offset = threshold;
}

/* ---------- values and unions ---------- */

uint32_t
pds_topk_cut_text(const char *text, char *out)
{
	uint32_t	len = PDS_TOPK_MAX_TEXT;

	/* back to the first byte of a character; of bytes that are no text not too far */
	while (len > PDS_TOPK_MAX_TEXT - 3 && ((unsigned char) text[len] & 0xc0) == 0x80)
		len--;
	if (((unsigned char) text[len] & 0xc0) == 0x80)
		len = PDS_TOPK_MAX_TEXT;
	memcpy(out, text, len);
	memcpy(out + len, PDS_TOPK_CUT_MARK, PDS_TOPK_CUT_BYTES);
	return len + PDS_TOPK_CUT_BYTES;
}

/*
 * Values that are equal may be written differently (0.1 as real and as double precision, of a
 * collation without case).  The shorter of two texts is kept, and of equally long ones the
 * first in byte order, so that a union is the same from either side.  (A text that determines
 * the hash is never another one; such texts share.)
 */
static void
settle_text(pds_topk_build *b, uint32_t i, const char *text, uint32_t len)
{
	uint32_t	there_len;
	uint32_t	shared;
	const char *there = pds_topk_rest(b, i, &shared, &there_len);
	char	   *start = (char *) there - PDS_TOPK_LENGTH_BYTES;
	uint16_t	bytes = (uint16_t) len;

	if (shared > 0 || len > there_len || (len == there_len && memcmp(text, there, len) >= 0))
		return;
	memcpy(start, &bytes, PDS_TOPK_LENGTH_BYTES);
	memcpy(start + PDS_TOPK_LENGTH_BYTES, text, len);
}

/*
 * Add an item of another sketch, or the weight of a value, to b.  "count" is the item's upper
 * bound less the offset of its own sketch, "deficit" that offset less the item's error.  For a
 * value they are its weight and 0.  The total is the caller's business.  Errors: PDS_FULL.
 */
static pds_status
put(pds_topk_build *b, uint64_t hash, uint64_t count, uint64_t deficit, const char *text,
	uint32_t len)
{
	pds_topk_entry *e = pds_topk_find(b, hash);
	uint32_t	shared;

	if (e != NULL)
	{
		uint32_t	i = (uint32_t) (e - pds_topk_entries(b));

		/* no total allows that */
		if (count > UINT64_MAX - e->upper)
			return PDS_CORRUPT;
		e->upper += count;
		if (b->errors)
			pds_topk_errors(b)[i] -= deficit;
		settle_text(b, i, text, len);
		return PDS_OK;
	}

	if (b->items == pds_topk_item_limit(b))
	{
		/* few counters fit into an image without an index, but only one with it is purged */
		if (!b->indexed)
			return PDS_FULL;
		purge(b);
	}
	shared = shared_bytes(b, text, len);
	if (!fits(b, len - shared))
	{
		/* k' items fit into the largest image, so if it is full there are more */
		if (b->size == PDS_TOPK_MAX_SIZE && b->items > b->counters && b->indexed)
			purge(b);
		if (!fits(b, len - shared))
			return PDS_FULL;
	}
	append_item(b, hash, b->offset + count, b->offset - deficit, shared, text + shared,
				len - shared);
	return PDS_OK;
}

pds_status
pds_topk_add(pds_topk_build *b, uint64_t hash, uint64_t weight, const char *text, uint32_t len)
{
	pds_status	status;

	if (weight > PDS_TOPK_MAX_TOTAL - b->total)
		return PDS_OVERFLOW;
	status = put(b, hash, weight, 0, text, len);
	if (status == PDS_OK)
		b->total += weight;
	return status;
}

/*
 * Begin a union with a sketch of this k, k', total and offset; its items are to follow by put().
 * Errors: PDS_PARAMETER_MISMATCH, PDS_OVERFLOW, and PDS_FULL if b has no space for errors; after
 * all of them nothing is changed.
 */
static pds_status
merge_begin(pds_topk_build *b, uint32_t k, uint32_t counters, uint64_t total, uint64_t offset)
{
	if (k != b->k || counters != b->counters)
		return PDS_PARAMETER_MISMATCH;
	if (total > PDS_TOPK_MAX_TOTAL - b->total)
		return PDS_OVERFLOW;
	if (offset > 0)
	{
		pds_topk_entry *entries = pds_topk_entries(b);
		uint64_t   *errors = pds_topk_errors(b);

		if (!b->errors)
			return PDS_FULL;
		for (uint32_t i = 0; i < pds_topk_extent(b); i++)
		{
			if (entries[i].upper == 0)
				continue;
			entries[i].upper += offset;
			errors[i] += offset;
		}
	}
	b->total += total;
	b->offset += offset;
	return PDS_OK;
}

pds_status
pds_topk_merge_build(pds_topk_build *b, const pds_topk_build *from)
{
	pds_status	status = merge_begin(b, from->k, from->counters, from->total, from->offset);
	char		whole[PDS_TOPK_MAX_ITEM_TEXT];

	for (uint32_t i = 0; i < pds_topk_extent(from) && status == PDS_OK; i++)
	{
		const pds_topk_entry *e = pds_topk_entries(from) + i;
		const char *text;
		uint32_t	len;

		pds_topk_poll(i);
		if (e->upper == 0)
			continue;
		text = pds_topk_text(from, i, whole, &len);
		status = put(b, e->hash, e->upper - from->offset,
					 from->offset - pds_topk_error(from, i), text, len);
	}
	return status;
}

pds_status
pds_topk_merge_view(pds_topk_build *b, const pds_topk_view *v)
{
	pds_status	status = merge_begin(b, v->k, v->counters, v->total, v->offset);
	pds_topk_cursor c;
	pds_topk_item item;

	pds_topk_items_from(&c, v);
	while (c.left > 0 && status == PDS_OK)
	{
		pds_topk_poll(c.left);
		status = pds_topk_next(&c, &item, NULL);
		if (status == PDS_OK)
			status = put(b, pds_topk_item_hash(v->kind, &item), item.upper - v->offset,
						 v->offset - item.error, item.text, item.len);
	}
	return status;
}

/* ---------- unpacked ---------- */

/* Places for the items of a view, of which a third is free. */
static inline uint32_t
unpacked_places(const pds_topk_view *v)
{
	return (v->items + v->items / 2 + 2) & ~UINT32_C(1);
}

size_t
pds_topk_unpacked_size(const pds_topk_view *v)
{
	return (size_t) pds_topk_image_bytes(0, unpacked_places(v), true,
										 v->items * PDS_TOPK_LENGTH_BYTES);
}

pds_status
pds_topk_unpack(const pds_topk_view *v, pds_topk_build *to)
{
	const pds_topk_plan plan = {
		pds_topk_unpacked_size(v), 0, unpacked_places(v), PDS_TOPK_SAME_REFERENCE, 1
	};
	pds_topk_cursor c;
	pds_topk_item item;

	init(to, &plan, v->k, v->counters);
	pds_topk_items_from(&c, v);
	while (c.left > 0)
	{
		pds_status	status = pds_topk_next(&c, &item, NULL);
		uint64_t	hash;

		pds_topk_poll(c.left);
		if (status != PDS_OK)
			return status;
		hash = pds_topk_item_hash(v->kind, &item);
		/* of a damaged sketch that has a value twice: the first, as pds_topk_lookup() */
		if (pds_topk_find(to, hash) == NULL)
			append_item(to, hash, item.upper, item.error, 0, "", 0);
	}
	return PDS_OK;
}

/* ---------- images that may be damaged ---------- */

/* Does the index lead to each of the items, and have a free slot? */
static bool
index_valid(const pds_topk_build *b)
{
	const pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t	taken = 0;

	for (uint32_t i = 0; i < pds_topk_slots(b); i++)
	{
		uint32_t	number = b->words[i] & PDS_TOPK_NUMBER_MASK;

		if (b->words[i] == 0)
			continue;
		if (number == 0 || number > b->items ||
			(b->words[i] & ~PDS_TOPK_NUMBER_MASK) != pds_topk_tag(entries[number - 1].hash))
			return false;
		taken++;
	}
	return taken == b->items && taken < pds_topk_slots(b);
}

/* Are the items within their bounds, and their texts apart from each other? */
static bool
items_valid(const pds_topk_build *b)
{
	const pds_topk_entry *entries = pds_topk_entries(b);
	uint64_t	text_bytes = 0;
	uint32_t	items = 0;
	uint32_t	last = 0;

	for (uint32_t i = 0; i < pds_topk_extent(b); i++)
	{
		uint32_t	start = pds_topk_starts(b)[i];
		uint32_t	shared;
		uint32_t	len;

		if (entries[i].upper == 0 && !b->indexed)
			continue;
		if (entries[i].upper == 0 || entries[i].upper < b->offset || entries[i].upper > b->total ||
			pds_topk_error(b, i) > b->offset)
			return false;
		if (!b->indexed)
			start &= PDS_TOPK_START_MASK;
		if (start < PDS_TOPK_LENGTH_BYTES || start > b->text_bytes)
			return false;
		(void) pds_topk_rest(b, i, &shared, &len);
		if (shared > b->reference || shared + len > PDS_TOPK_MAX_ITEM_TEXT)
			return false;
		len += PDS_TOPK_LENGTH_BYTES;
		if (len > start || (b->indexed && start < last + len))
			return false;
		last = start;
		text_bytes += len;
		items++;
	}
	return items == b->items && text_bytes + b->reference <= b->text_bytes;
}

static bool
build_valid(const pds_topk_build *b, size_t size)
{
	if (b->undecided > 1 || (b->undecided && b->total > 0) || b->k < 1 || b->k > PDS_TOPK_MAX_K ||
		!pds_topk_counters_valid(b->k, b->counters) || b->size != size ||
		size % 8 != 0 || size > PDS_TOPK_MAX_SIZE ||
		b->total > PDS_TOPK_MAX_TOTAL || b->offset > b->total)
		return false;
	/*
	 * of all sizes that there are, these are even; an index has a slot more than there can be
	 * items
	 */
	if (b->places % 2 != 0 || b->places == 0 ||
		(b->indexed && (!b->errors || b->reference > 0)) ||
		(!b->indexed && (b->places > PDS_TOPK_SMALL_PLACES ||
						 b->text_bytes > PDS_TOPK_MOST_SMALL_TEXT)) ||
		pds_topk_image_bytes(pds_topk_slots(b), b->places, b->errors, b->text_bytes) > size)
		return false;
	if (b->items > pds_topk_places_limit(pds_topk_slots(b), b->places) ||
		b->items > pds_topk_item_limit(b))
		return false;
	return (!b->indexed || index_valid(b)) && items_valid(b);
}

PDS_STATE_CHECK(topk, PDS_TYPE_TOPK, PDS_FAMILY_NATIVE + 1, PDS_TOPK_FIRST_SIZE)
