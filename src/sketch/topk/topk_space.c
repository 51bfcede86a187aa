/*
 * topk_space.c: how large the images of the building form are
 */
#include "topk_build.h"

/*
 * Sizes of images.  Up to CHUNK_BYTES they are powers of 2, as the chunks of the server's
 * allocator are.  Groups that grow alike leave all their former chunks behind unused, so there
 * are few such sizes: the first one, one for SECOND_ITEMS items, and the largest.  Images above
 * BLOCK_BYTES are pieces of memory of their own, which are freed when they are left.  They have
 * an eighth to a quarter more space than they need.  Large ones, where each move copies much,
 * have four to six eighths more.
 */
#define SECOND_ITEMS	12
#define SECOND_BYTES	2048
#define CHUNK_BYTES		4096
#define BLOCK_BYTES		8200
#define LARGE_BYTES		16384

/* Images with an index have space for so many times what they need, in items. */
#define GROWTH			2

_Static_assert(GROWTH % 2 == 0, "errors are not aligned");

/* How many places so many items take in an image without an index: an even number. */
static inline uint32_t
places_for(uint64_t items)
{
	return (uint32_t) (items + (items + 6) / 7 + 1) & ~UINT32_C(1);
}

/* ---------- texts that begin alike ---------- */

size_t
pds_topk_text_bytes(const pds_topk_build *b)
{
	size_t		bytes = b->text_bytes - b->reference;

	if (b->reference > 0)
		for (uint32_t i = 0; i < b->places; i++)
			if (pds_topk_entries(b)[i].upper != 0)
				bytes += pds_topk_starts(b)[i] >> PDS_TOPK_START_BITS;
	return bytes;
}

/*
 * Choose the reference of the image that b moves to.  Returns how many bytes of text b's items
 * have there, the reference included, whose length is *reference.  b's own stays if it does
 * half of what it could; otherwise the text of some item is tried.
 */
static size_t
choose_reference(const pds_topk_build *b, uint32_t *reference_of, uint32_t *reference)
{
	char		first[PDS_TOPK_MAX_ITEM_TEXT];
	char		whole[PDS_TOPK_MAX_ITEM_TEXT];
	size_t		all = pds_topk_text_bytes(b);
	size_t		shared = all - (b->text_bytes - b->reference);
	size_t		otherwise = 0;
	const char *text = NULL;
	uint32_t	len;
	uint32_t	candidate = 0;

	*reference_of = PDS_TOPK_SAME_REFERENCE;
	*reference = 0;
	/* (a damaged one can have a reference nevertheless) */
	if (!pds_topk_can_share(b))
		return all;
	*reference = b->reference;
	if (2 * shared > (size_t) b->reference * b->items)
		return b->text_bytes;
	for (uint32_t i = 0; i < b->places; i++)
	{
		const char *other;

		if (pds_topk_entries(b)[i].upper == 0)
			continue;
		other = pds_topk_text(b, i, whole, &len);
		if (text == NULL)
		{
			text = other == whole ? memcpy(first, whole, len) : other;
			candidate = len < PDS_TOPK_MAX_REFERENCE ? len : PDS_TOPK_MAX_REFERENCE;
			*reference_of = i;
		}
		otherwise += pds_topk_common(text, candidate, other, len);
	}
	if (otherwise + b->reference <= shared + candidate)
	{
		*reference_of = PDS_TOPK_SAME_REFERENCE;
		return b->text_bytes;
	}
	*reference = candidate;
	return all + candidate - otherwise;
}

/* ---------- plans ---------- */

/* Does b take all this without a larger image? */
static bool
has_space(const pds_topk_build *b, uint32_t items, size_t text_bytes, bool errors)
{
	uint64_t	sum = (uint64_t) b->items + items;

	if (errors && !b->errors)
		return false;
	/* where a purge is near there is an index */
	if (sum > pds_topk_item_limit(b) && !b->indexed)
		return false;
	/* there is no larger one: what does not fit is a reason to purge */
	if (b->size == PDS_TOPK_MAX_SIZE)
		return true;
	if (sum > pds_topk_item_limit(b))
		sum = pds_topk_item_limit(b);
	return sum <= pds_topk_places_limit(pds_topk_slots(b), b->places) &&
		pds_topk_image_bytes(pds_topk_slots(b), b->places, b->errors,
					b->text_bytes + (uint64_t) text_bytes +
						items * PDS_TOPK_LENGTH_BYTES) <= b->size;
}

/* What is to be moved to an image: items, and bytes of their texts. */
typedef struct load
{
	uint64_t	items;
	uint64_t	text;
	uint64_t	reference;		/* bytes of it that are the reference */
	uint64_t	each;			/* bytes of text an item, rounded up */
} load;

/*
 * Round up, or down, to four significant bits.  Where groups hold nearly the same, their images
 * are of the same shape then, and the next row's place is foreseen (pds_topk_likely_place()).
 */
static inline uint64_t
step_of(uint64_t n)
{
	return n < 16 ? 1 : UINT64_C(1) << (pds_log2_64(n) - 3);
}

static inline uint64_t
round_up(uint64_t n)
{
	return (n + step_of(n) - 1) / step_of(n) * step_of(n);
}

static inline uint64_t
round_down(uint64_t n)
{
	return n / step_of(n) * step_of(n);
}

static inline uint64_t
table_bytes(uint64_t items, bool errors, uint64_t text_bytes)
{
	return pds_topk_image_bytes(0, places_for(items), errors, text_bytes);
}

/* The same for so many items with texts as those of a load. */
static inline uint64_t
likely_bytes(const load *l, uint64_t items, bool errors)
{
	return table_bytes(items, errors, l->reference + items * l->each);
}

/* The size of an image without an index that takes all this. */
static uint64_t
table_size(const load *l, bool errors)
{
	uint64_t	need = table_bytes(l->items, errors, l->text);
	uint64_t	second = likely_bytes(l, SECOND_ITEMS, errors);
	uint64_t	size = PDS_TOPK_FIRST_SIZE;

	/* (damaged bytes can have text without items) */
	if (l->items <= SECOND_ITEMS && second <= SECOND_BYTES && need <= SECOND_BYTES)
	{
		while (size < second || size < need)
			size *= 2;
		return size;
	}
	if (need + need / 8 <= CHUNK_BYTES)
		return CHUNK_BYTES;
	size = need + need / 8 * (need <= LARGE_BYTES ? 1 : 4);
	return size > BLOCK_BYTES ? round_up(size) : BLOCK_BYTES;
}

/* An image without an index, with places for as many items as texts of this length leave. */
static void
plan_table(const load *l, pds_topk_plan *plan)
{
	uint64_t	size = table_size(l, plan->errors);
	uint64_t	one = table_bytes(7, plan->errors, 7 * l->each) - sizeof(pds_topk_build);
	uint64_t	most = PDS_TOPK_SMALL_PLACES / 8 * 7;
	uint64_t	items = (size - sizeof(pds_topk_build) - l->reference) * 7 / one;

	if (items > most)
		items = most;
	while (items > l->items && (likely_bytes(l, items, plan->errors) > size ||
								table_bytes(items, plan->errors, l->text) > size))
		items--;
	plan->slots = 0;
	plan->places = round_down(places_for(items));
	if (plan->places < places_for(l->items))
		plan->places = places_for(l->items);
	plan->size = (size_t) size;
}

/* An image with an index. */
static void
plan_indexed(const load *l, uint64_t limit, pds_topk_plan *plan)
{
	uint64_t	items = l->items * GROWTH < limit ? l->items * GROWTH : limit;
	uint64_t	text = items * l->each;

	/* texts as long as they were so far, and some more in any case */
	if (text < l->text + l->text / 4)
		text = l->text + l->text / 4;
	plan->slots = (uint32_t) (2 * items);
	plan->places = (uint32_t) items;
	plan->errors = true;
	plan->size = (size_t) pds_topk_image_bytes(plan->slots, plan->places, true, text);
	if (plan->size < PDS_TOPK_FIRST_SIZE)
		plan->size = PDS_TOPK_FIRST_SIZE;
}

bool
pds_topk_plan_space(const pds_topk_build *b, uint32_t items, size_t text_bytes,
				   bool errors, pds_topk_plan *plan)
{
	load		l;
	uint32_t	reference = 0;
	uint64_t	own;
	bool		table;

	if (has_space(b, items, text_bytes, errors))
		return false;
	plan->errors = errors || b->errors;
	plan->reference_of = PDS_TOPK_SAME_REFERENCE;
	l.items = (uint64_t) b->items + items;
	table = l.items <= PDS_TOPK_SMALL_PLACES / 8 * 7 && l.items <= pds_topk_item_limit(b);
	own = table ? choose_reference(b, &plan->reference_of, &reference) : pds_topk_text_bytes(b);
	l.text = own + text_bytes + (uint64_t) items * PDS_TOPK_LENGTH_BYTES;
	l.reference = reference;
	/* one more item shares as much as the others do */
	if (table && b->items > items)
		l.each = round_up((own - l.reference + b->items - 1) / b->items);
	else
		l.each = l.items == 0 ? 0 : (l.text - l.reference + l.items - 1) / l.items;
	if (table)
		plan_table(&l, plan);
	else
		plan_indexed(&l, pds_topk_item_limit(b), plan);
	if (plan->size > PDS_TOPK_MAX_SIZE)
		plan->size = PDS_TOPK_MAX_SIZE;
	plan->size = (plan->size + 7) & ~(size_t) 7;
	return true;
}
