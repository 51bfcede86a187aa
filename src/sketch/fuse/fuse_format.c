/*
 * fuse_format.c: the stored form of a fuse filter
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0xa1              sketch type 10, format version 1
 *     1     family | encoding encoding 0 empty, 1 hashes, 2 finished
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   2 bytes           rate (base/decimal.h)
 *
 * Empty: nothing more.  Else
 *
 *     ...   varint            n, how many distinct hashes, 1 to 2^26
 *
 * Hashes: 8 bytes each, in ascending order.  Finished:
 *
 *     ...   4 bytes each      a directory of ceil(n / 32768) parts: the part's seed in the low 6
 *                             bits, above them where it ends, in units of 8 slots
 *     ...   the parts         a ribbon each (fuse_ribbon.c), of as many bytes in such a unit as a
 *                             fingerprint has bits
 */
#include <math.h>

#include "decimal.h"
#include "fuse.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"

/* ---------- reading ---------- */

static pds_status
open_fields(pds_fuse_view *v, const uint8_t *payload, size_t have, const char **why)
{
	PDS_VIEW_CLEAR(v);
	if (have - v->data_at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	v->rate = pds_load_le16(payload + v->data_at);
	v->data_at += 2;
	if (v->rate == 0 || v->rate >= PDS_DECIMAL_CODES)
		PDS_REFUSE(why, "Its false-positive rate is out of range.");
	if (v->encoding != PDS_FUSE_HASHES && v->encoding != PDS_FUSE_FINISHED)
	{
		PDS_VIEW_OPEN_EMPTY(v, v->data_at, why);
		return PDS_OK;
	}
	if (!pds_varint_read(payload, have, &v->data_at, PDS_FUSE_MAX_VALUES, &v->count) ||
		v->count == 0)
		PDS_REFUSE(why, "Its number of values is out of range.");
	v->bits = pds_fuse_bits(v->rate);
	if (v->encoding == PDS_FUSE_FINISHED)
		v->parts = pds_fuse_parts(v->count);
	if (v->encoding == PDS_FUSE_FINISHED ? v->len - v->data_at < (size_t) v->parts * 4 :
		v->len - v->data_at != (size_t) v->count * 8)
		PDS_REFUSE(why, "It is not as long as its values take.");
	return PDS_OK;
}

/* Slots can have any contents, for all that a reader can find out. */
static pds_status
check_view(const pds_fuse_view *v, const char **why)
{
	const uint8_t *data = v->payload + v->data_at;
	uint32_t	end = 0;

	for (uint64_t i = 1; v->encoding == PDS_FUSE_HASHES && i < v->count; i++)
	{
		pds_poll_each(i);
		if (pds_load_le64(data + 8 * i) <= pds_load_le64(data + 8 * i - 8))
			PDS_REFUSE(why, "Its hashes are not in ascending order.");
	}
	for (uint32_t i = 0; i < v->parts; i++)
	{
		uint32_t	next = pds_load_le32(data + 4 * i) / PDS_FUSE_SEEDS;

		if (next < end)
			PDS_REFUSE(why, "Its parts are not in ascending order.");
		end = next;
	}
	if (v->parts > 0 && ((uint64_t) end * 8 < v->count ||
						 v->len - v->data_at != (size_t) v->parts * 4 + (size_t) end * v->bits))
		PDS_REFUSE(why, "It is not as long as its parts take.");
	return PDS_OK;
}

PDS_VIEW_READERS(fuse, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE + 1)

static bool
hashes_contain(const pds_fuse_view *v, uint64_t hash, pds_fetch fetch, void *context)
{
	uint64_t	from = 0;
	uint64_t	to = v->count;

	while (from < to)
	{
		uint64_t	middle = from + (to - from) / 2;
		uint64_t	found = pds_load_le64(fetch(context, v->data_at + (size_t) middle * 8, 8));

		if (found == hash)
			return true;
		if (found < hash)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* A part of no keys has no slots.  Errors: PDS_CORRUPT. */
static pds_status
parts_contain(const pds_fuse_view *v, uint64_t hash, pds_fetch fetch, void *context,
			  uint64_t *found)
{
	uint32_t	part = pds_fuse_part_of(hash, v->parts);
	size_t		ribbons_at = v->data_at + (size_t) v->parts * 4;
	const uint8_t *entry = fetch(context, v->data_at + (part > 0 ? (size_t) part * 4 - 4 : 0),
								 part > 0 ? 8 : 4);
	uint32_t	start = part > 0 ? pds_load_le32(entry) / PDS_FUSE_SEEDS : 0;
	uint32_t	own = pds_load_le32(part > 0 ? entry + 4 : entry);
	uint32_t	end = own / PDS_FUSE_SEEDS;

	if (end < start || (v->len - ribbons_at) / v->bits < end)
		return PDS_CORRUPT;
	*found = end > start &&
		pds_fuse_ribbon_contains(pds_fuse_within(hash, v->parts, own % PDS_FUSE_SEEDS),
								 (uint64_t) (end - start) * 8, v->bits, fetch, context,
								 ribbons_at + (size_t) start * v->bits);
	return PDS_OK;
}

pds_status
pds_fuse_view_contains(const pds_fuse_view *v, pds_hash h, pds_fetch fetch, void *context,
					   uint64_t *found)
{
	if (v->encoding == PDS_FUSE_FINISHED)
		return parts_contain(v, h.h1, fetch, context, found);
	*found = hashes_contain(v, h.h1, fetch, context);
	return PDS_OK;
}

double
pds_fuse_rate(const pds_fuse_view *v)
{
	return v->encoding == PDS_FUSE_FINISHED ? ldexp(1, -v->bits) : ldexp((double) v->count, -64);
}

/* ---------- writing ---------- */

static size_t
head_put(uint8_t *out, const pds_fuse_build *b, uint8_t encoding)
{
	size_t		at = pds_header_put(out, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE, encoding,
									pds_state_kind(b));

	pds_store_le16(out + at, b->rate);
	at += 2;
	return encoding == PDS_FUSE_EMPTY ? at : at + pds_varint_put(out + at, b->count);
}

double
pds_fuse_full_bytes(double n, uint16_t rate)
{
	uint8_t		count[PDS_VARINT_MAX_BYTES];
	uint32_t	parts = pds_fuse_parts((uint64_t) n);
	uint64_t	slots = pds_fuse_slots((uint64_t) ceil(n / parts), 0);

	return PDS_HEADER_BYTES + 2 + (double) pds_varint_put(count, (uint64_t) n) +
		parts * (4 + (double) slots / 8 * pds_fuse_bits(rate));
}

/* How many of the hashes from "from" on are of this part. */
static uint64_t
part_keys(const pds_fuse_build *b, uint64_t from, uint32_t part, uint32_t parts)
{
	uint64_t	n = 0;

	while (from + n < b->count && pds_fuse_part_of(b->hashes[from + n], parts) == part)
		n++;
	return n;
}

/* Each part with the slots of the last seed. */
void
pds_fuse_measure(pds_fuse_build *b, pds_fuse_encoding *encoding)
{
	uint32_t	parts;
	uint64_t	from = 0;

	pds_fuse_sort(b);
	parts = b->finished ? pds_fuse_parts(b->count) : 0;
	encoding->bytes = PDS_FUSE_MAX_PREFIX + (parts > 0 ? (size_t) parts * 4 :
											 (size_t) b->count * 8);
	encoding->largest = 0;
	for (uint32_t part = 0; part < parts; part++)
	{
		uint64_t	n = part_keys(b, from, part, parts);

		from += n;
		encoding->bytes += (size_t) pds_fuse_slots(n, PDS_FUSE_SEEDS - 1) / 8 *
			pds_fuse_bits(b->rate);
		if (n > encoding->largest)
			encoding->largest = n;
	}
	encoding->scratch = parts == 0 ? 0 : sizeof(uint64_t) *
		((size_t) encoding->largest +
		 pds_fuse_work_words(pds_fuse_slots(encoding->largest, PDS_FUSE_SEEDS - 1)));
}

/*
 * Write the ribbon of a part with the first seed that has one.  Returns its slots, or 0 if no seed
 * has one.  Another seed than 0 has the hashes in another order.
 */
static uint64_t
put_part(const uint64_t *hashes, uint64_t n, uint32_t parts, uint8_t bits, uint64_t *within,
		 uint64_t *work, uint8_t *out, uint8_t *seed)
{
	for (*seed = 0; *seed < PDS_FUSE_SEEDS; (*seed)++)
	{
		uint64_t	slots = pds_fuse_slots(n, *seed);

		/* most parts are too small for the loops in them to give way */
		pds_poll();
		for (uint64_t i = 0; i < n; i++)
			within[i] = pds_fuse_within(hashes[i], parts, *seed);
		if (*seed > 0)
			pds_sort_words(within, n);
		if (pds_fuse_solve(within, n, slots, bits, work, out))
			return slots;
	}
	return 0;
}

static size_t
put_parts(const pds_fuse_build *b, uint64_t largest, uint64_t *scratch, uint8_t *out)
{
	uint32_t	parts = pds_fuse_parts(b->count);
	uint8_t		bits = pds_fuse_bits(b->rate);
	uint64_t	from = 0;
	uint32_t	end = 0;

	for (uint32_t part = 0; part < parts; part++)
	{
		uint64_t	n = part_keys(b, from, part, parts);
		uint8_t		seed = 0;
		uint64_t	slots = n == 0 ? 0 :
			put_part(b->hashes + from, n, parts, bits, scratch, scratch + largest,
					 out + (size_t) parts * 4 + (size_t) end * bits, &seed);

		if (n > 0 && slots == 0)
			return 0;
		from += n;
		end += (uint32_t) (slots / 8);
		pds_store_le32(out + (size_t) part * 4, end * PDS_FUSE_SEEDS + seed);
	}
	return (size_t) parts * 4 + (size_t) end * bits;
}

size_t
pds_fuse_encode(pds_fuse_build *b, const pds_fuse_encoding *encoding, void *scratch,
				uint8_t *out)
{
	size_t		at = head_put(out, b, b->count == 0 ? PDS_FUSE_EMPTY :
							  b->finished ? PDS_FUSE_FINISHED : PDS_FUSE_HASHES);
	size_t		len;

	if (b->count > 0 && b->finished)
	{
		len = put_parts(b, encoding->largest, scratch, out + at);
		return len > 0 ? at + len : 0;
	}
	for (uint64_t i = 0; i < b->count; i++, at += 8)
	{
		pds_poll_each(i);
		pds_store_le64(out + at, b->hashes[i]);
	}
	return at;
}
