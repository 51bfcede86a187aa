/*
 * topk_format.c: the stored form of a sketch of the most frequent values
 *
 * After the server's length word (varints as in base/varint.h):
 *
 *     0     0x41              sketch type 4, format version 1
 *     1     family | encoding family 0; encoding 0 empty, 1 items
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   varint            k; k + 65,536 if k' was chosen, and is not max(2048, 16 k)
 *     ...   varint            k', if so
 *
 * Empty, when nothing has been counted: nothing more.  Items:
 *
 *     ...   varint            N, the total
 *     ...   varint            o, the offset
 *     ...   varint            n, the number of items, 0 to k'
 *     ...   varint            r, bytes of all records
 *     ...   numbers           of each item three varints:
 *                                 u of the item before less u; of the first one u - o
 *                                 if o > 0: 0 if e = 0, else 1 + o - e
 *                                 length of its text
 *     ...   records           of each item its text, and its hash (8 bytes), if
 *                             the text does not tell it
 *
 * Items stand in falling order of u, those of the same u in ascending order of
 * their hashes.
 *
 * The hash of a value can be computed from its text if the text determines the canonical bytes.
 * This is so for strings, enums and citext.  It is also so for an integer of 64 bits in decimal
 * digits, with at most a minus sign in front and no leading zero.
 *
 * A text is in UTF-8.  One of more than 4,096 bytes has been cut between two characters
 * and ends with " ...", so that it has 4,097 to 4,100 bytes; its hash is stored.
 */
#include <stdlib.h>

#include "murmur3.h"
#include "sort.h"
#include "varint.h"
#include "topk_build.h"

#define HASH_BYTES	8

/* What is added to k if the number of counters follows. */
#define COUNTERS_FOLLOW	UINT32_C(65536)

/* ---------- from text to hash ---------- */

/* Is this an integer of 64 bits, as an integer is written? */
static bool
integer_of_text(const char *text, uint32_t len, int64_t *value)
{
	bool		negative = len > 0 && text[0] == '-';
	uint64_t	limit = (uint64_t) INT64_MAX + negative;
	uint64_t	v = 0;
	uint32_t	i = negative;

	if (len == i || len > 20 || (text[i] == '0' && (negative || len > 1)))
		return false;
	for (; i < len; i++)
	{
		uint64_t	digit = (uint64_t) (unsigned char) text[i] - '0';

		if (digit > 9 || v > (limit - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*value = negative ? (int64_t) (0 - v) : (int64_t) v;
	return true;
}

static inline bool
is_canonical_text(pds_kind kind)
{
	return kind == PDS_KIND_STRING || kind == PDS_KIND_ENUM || kind == PDS_KIND_CITEXT;
}

/* Does the text of an item tell its hash? */
static inline bool
text_tells_hash(pds_kind kind, const char *text, uint32_t len)
{
	int64_t		value;

	if (len > PDS_TOPK_MAX_TEXT)
		return false;
	return is_canonical_text(kind) ||
		(kind == PDS_KIND_NUMBER && integer_of_text(text, len, &value));
}

uint64_t
pds_topk_item_hash(pds_kind kind, const pds_topk_item *item)
{
	int64_t		value;

	if (item->stored_hash != NULL)
		return pds_load_le64(item->stored_hash);
	if (kind == PDS_KIND_NUMBER && integer_of_text(item->text, item->len, &value))
		return pds_murmur3_u64((uint64_t) value).h1;
	return pds_murmur3(item->text, item->len, 0).h1;
}

/* ---------- writing ---------- */

/* What an item is sorted by, and its place. */
typedef struct sort_key
{
	uint64_t	upper;
	uint64_t	hash;
	uint32_t	place;
} sort_key;

static int
compare_keys(const void *a, const void *b)
{
	const sort_key *x = a;
	const sort_key *y = b;

	if (x->upper != y->upper)
		return x->upper > y->upper ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

void
pds_topk_measure(pds_topk_build *b, pds_topk_encoding *e)
{
	e->bytes = PDS_TOPK_MAX_PREFIX + pds_topk_text_bytes(b) +
		(size_t) b->items * (2 * PDS_VARINT_MAX_BYTES + 2 + HASH_BYTES);
	e->scratch = b->items * sizeof(sort_key);
}

/*
 * The items in the order in which they are written, and how many of them stay;
 * the offset is raised if not all do.
 */
static uint32_t
rest(const pds_topk_build *b, sort_key *keys, uint64_t *offset)
{
	const pds_topk_entry *entries = pds_topk_entries(b);
	uint32_t	n = 0;
	uint32_t	counters = b->counters;

	for (uint32_t i = 0; i < pds_topk_extent(b); i++)
	{
		if (entries[i].upper == 0)
			continue;
		keys[n].upper = entries[i].upper;
		keys[n].hash = entries[i].hash;
		keys[n++].place = i;
	}
	/* of nothing the caller has no memory for keys */
	if (n > 0)
		qsort(keys, n, sizeof(sort_key), compare_keys);
	*offset = b->offset;
	if (n <= counters)
		return n;

	/* a purge, as while building */
	*offset = keys[counters].upper;
	return counters;
}

/* k, and k' unless it is the usual one */
static size_t
put_parameters(const pds_topk_build *b, uint8_t *out)
{
	size_t		at;

	if (b->counters == pds_topk_usual_counters(b->k))
		return pds_varint_put(out, b->k);
	at = pds_varint_put(out, COUNTERS_FOLLOW + b->k);
	return at + pds_varint_put(out + at, b->counters);
}

static size_t
put_numbers(const pds_topk_build *b, const sort_key *keys, uint32_t n, uint64_t offset,
			uint8_t *out)
{
	size_t		at = 0;

	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	error = pds_topk_error(b, keys[i].place);
		uint32_t	shared;
		uint32_t	len;

		(void) pds_topk_rest(b, keys[i].place, &shared, &len);
		at += pds_varint_put(out + at, i == 0 ? keys[0].upper - offset :
							 keys[i - 1].upper - keys[i].upper);
		if (offset > 0)
			at += pds_varint_put(out + at, error == 0 ? 0 : 1 + offset - error);
		at += pds_varint_put(out + at, shared + len);
	}
	return at;
}

size_t
pds_topk_encode(pds_topk_build *b, const pds_topk_encoding *e, void *scratch, uint8_t *out)
{
	char		whole[PDS_TOPK_MAX_ITEM_TEXT];
	sort_key   *keys = scratch;
	pds_kind	kind = pds_state_kind(b);
	uint64_t	offset;
	uint32_t	n;
	size_t		records = 0;
	size_t		at;

	(void) e;
	at = pds_header_put(out, PDS_TYPE_TOPK, PDS_FAMILY_NATIVE,
						b->total == 0 ? PDS_TOPK_EMPTY : PDS_TOPK_ITEMS, kind);
	at += put_parameters(b, out + at);
	if (b->total == 0)
		return at;

	n = rest(b, keys, &offset);
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	len;
		const char *text = pds_topk_text(b, keys[i].place, whole, &len);

		records += len;
		if (!text_tells_hash(kind, text, len))
			records += HASH_BYTES;
	}
	at += pds_varint_put(out + at, b->total);
	at += pds_varint_put(out + at, offset);
	at += pds_varint_put(out + at, n);
	at += pds_varint_put(out + at, records);
	at += put_numbers(b, keys, n, offset, out + at);
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	len;
		const char *text = pds_topk_text(b, keys[i].place, whole, &len);

		pds_topk_poll(i);
		memcpy(out + at, text, len);
		at += len;
		if (!text_tells_hash(kind, text, len))
		{
			pds_store_le64(out + at, keys[i].hash);
			at += HASH_BYTES;
		}
	}
	return at;
}

/* ---------- reading ---------- */

/* The other way round; the usual number of counters is not written. */
static bool
read_parameters(pds_topk_view *v, const uint8_t *payload, size_t have, size_t *at)
{
	uint64_t	number;
	uint64_t	counters;

	if (!pds_varint_read(payload, have, at, COUNTERS_FOLLOW + PDS_TOPK_MAX_K, &number))
		return false;
	v->k = (uint32_t) number % COUNTERS_FOLLOW;
	if (v->k == 0 || v->k > PDS_TOPK_MAX_K)
		return false;
	v->counters = pds_topk_usual_counters(v->k);
	if (number < COUNTERS_FOLLOW)
		return true;
	if (!pds_varint_read(payload, have, at, PDS_TOPK_MAX_COUNTERS, &counters) ||
		counters == v->counters || !pds_topk_counters_valid(v->k, (uint32_t) counters))
		return false;
	v->counters = (uint32_t) counters;
	return true;
}

static pds_status
open_fields(pds_topk_view *v, const uint8_t *payload, size_t have, const char **why)
{
	uint64_t	number;
	uint64_t	records;
	size_t		at = v->data_at;

	v->total = v->offset = 0;
	v->items = v->record_bytes = 0;
	if (v->encoding != PDS_TOPK_EMPTY && v->encoding != PDS_TOPK_ITEMS)
		PDS_REFUSE(why, "Its encoding is not known to this release.");
	if (!read_parameters(v, payload, have, &at))
		PDS_REFUSE(why, "Its k or its number of counters is malformed or out of range.");

	if (v->encoding == PDS_TOPK_EMPTY)
	{
		if (at != v->len)
			PDS_REFUSE(why, "There are bytes after its end.");
		v->data_at = at;
		return PDS_OK;
	}
	if (!pds_varint_read(payload, have, &at, PDS_TOPK_MAX_TOTAL, &v->total) || v->total == 0)
		PDS_REFUSE(why, "Its total is malformed.");
	if (!pds_varint_read(payload, have, &at, v->total / (v->counters + 1), &v->offset))
		PDS_REFUSE(why, "Its offset is malformed or above what its total allows.");
	if (!pds_varint_read(payload, have, &at, v->counters, &number))
		PDS_REFUSE(why, "Its number of items is malformed or out of range.");
	v->items = (uint32_t) number;
	if (!pds_varint_read(payload, have, &at, PDS_TOPK_MAX_SIZE, &records) || records > v->len - at)
		PDS_REFUSE(why, "Its items are cut off.");
	v->record_bytes = (uint32_t) records;
	v->data_at = at;
	return PDS_OK;
}

void
pds_topk_items_from(pds_topk_cursor *c, const pds_topk_view *v)
{
	c->v = v;
	c->left = v->items;
	c->number = v->payload + v->data_at;
	c->record = v->payload + v->len - v->record_bytes;
	c->upper = 0;
}

/* The next of the numbers. */
static bool
next_number(pds_topk_cursor *c, uint64_t *number)
{
	const uint8_t *end = c->v->payload + c->v->len - c->v->record_bytes;
	size_t		n = pds_varint_get(c->number, (size_t) (end - c->number), number);

	c->number += n;
	return n > 0;
}

pds_status
pds_topk_next(pds_topk_cursor *c, pds_topk_item *item, const char **why)
{
	const pds_topk_view *v = c->v;
	size_t		left = (size_t) (v->payload + v->len - c->record);
	bool		first = c->left == v->items;
	uint64_t	number;

	if (!next_number(c, &number) || number > (first ? v->total : c->upper) - v->offset)
		PDS_REFUSE(why, "Its counts are malformed, or below what it has forgotten.");
	item->upper = first ? v->offset + number : c->upper - number;
	if (item->upper == 0)
		PDS_REFUSE(why, "A value in it did not occur.");
	item->error = 0;
	if (v->offset > 0)
	{
		if (!next_number(c, &number) || number > v->offset)
			PDS_REFUSE(why, "Its errors are malformed or out of range.");
		if (number > 0)
			item->error = v->offset + 1 - number;
	}
	if (!next_number(c, &number) || number > PDS_TOPK_MAX_ITEM_TEXT || number > left)
		PDS_REFUSE(why, "Its texts are too long, or cut off.");
	item->text = (const char *) c->record;
	item->len = (uint32_t) number;
	item->stored_hash = NULL;
	left -= item->len;
	c->record += item->len;
	if (!text_tells_hash(v->kind, item->text, item->len))
	{
		if (left < HASH_BYTES)
			PDS_REFUSE(why, "Its hashes are cut off.");
		item->stored_hash = c->record;
		c->record += HASH_BYTES;
	}
	c->upper = item->upper;
	c->left--;
	return PDS_OK;
}

/* Are the numbers and the records of a cursor both at their ends? */
static bool
at_end(const pds_topk_cursor *c)
{
	const pds_topk_view *v = c->v;

	return c->left == 0 && c->number == v->payload + v->len - v->record_bytes &&
		c->record == v->payload + v->len;
}

static pds_status
check_view(const pds_topk_view *v, const char **why)
{
	pds_topk_cursor c;
	pds_topk_item item;
	uint64_t	space;
	uint64_t	upper = 0;
	uint64_t	hash = 0;

	if (v->encoding == PDS_TOPK_EMPTY)
		return PDS_OK;

	/* what the counts above the offset may sum to (topk.c) */
	space = v->total - v->offset * (v->counters + 1);
	pds_topk_items_from(&c, v);
	while (c.left > 0)
	{
		uint64_t	last = hash;
		pds_status	status;

		pds_topk_poll(c.left);
		status = pds_topk_next(&c, &item, why);
		if (status != PDS_OK)
			return status;
		if (memchr(item.text, '\0', item.len) != NULL)
			PDS_REFUSE(why, "A text in it has a zero byte.");
		if (item.len > PDS_TOPK_MAX_TEXT &&
			memcmp(item.text + item.len - PDS_TOPK_CUT_BYTES, PDS_TOPK_CUT_MARK,
				   PDS_TOPK_CUT_BYTES) != 0)
			PDS_REFUSE(why, "A text in it is too long, and not one that has been cut.");
		hash = pds_topk_item_hash(v->kind, &item);
		if (item.upper == upper && hash <= last)
			PDS_REFUSE(why, "Items of the same count are out of order.");
		upper = item.upper;
		if (upper - v->offset > space)
			PDS_REFUSE(why, "Its counts are more than its total.");
		space -= upper - v->offset;
	}
	if (!at_end(&c))
		PDS_REFUSE(why, "There are bytes after its end.");
	if (v->offset == 0 && space > 0)
		PDS_REFUSE(why, "It has forgotten nothing, but its counts are less than its total.");
	return PDS_OK;
}

PDS_VIEW_READERS(topk, PDS_TYPE_TOPK, PDS_FAMILY_NATIVE + 1)

bool
pds_topk_distinct(const pds_topk_view *v, uint64_t *scratch)
{
	pds_topk_cursor c;
	pds_topk_item item;
	uint32_t	n = 0;

	pds_topk_items_from(&c, v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
	{
		pds_topk_poll(n);
		scratch[n++] = pds_topk_item_hash(v->kind, &item);
	}
	pds_sort_words(scratch, n);
	for (uint32_t i = 1; i < n; i++)
		if (scratch[i - 1] == scratch[i])
			return false;
	return n == v->items;
}

pds_status
pds_topk_lookup(const pds_topk_view *v, uint64_t hash, bool *found, pds_topk_item *item)
{
	pds_topk_cursor c;

	*found = false;
	pds_topk_items_from(&c, v);
	while (c.left > 0 && !*found)
	{
		pds_status	status = pds_topk_next(&c, item, NULL);

		pds_topk_poll(c.left);
		if (status != PDS_OK)
			return status;
		*found = pds_topk_item_hash(v->kind, item) == hash;
	}
	return PDS_OK;
}
