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
 *     ...   1 byte            the seed, below 64
 *     ...   the table         fuse_ribbon.c; its size follows from n, the rate and the seed
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
	if (v->encoding == PDS_FUSE_FINISHED)
	{
		if (v->data_at >= have || payload[v->data_at] >= PDS_FUSE_SEEDS)
			PDS_REFUSE(why, "Its seed is out of range.");
		v->shape = pds_fuse_shape_for(v->count, v->rate, payload[v->data_at++]);
	}
	if (v->len - v->data_at != (v->encoding == PDS_FUSE_FINISHED ?
								pds_fuse_table_bytes(&v->shape) : (size_t) v->count * 8))
		PDS_REFUSE(why, "It is not as long as its values take.");
	return PDS_OK;
}

PDS_VIEW_OPEN(fuse, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE + 1)

/* Any table can be that of a filter, for all that a reader can find out. */
static pds_status
check_view(const pds_fuse_view *v, const char **why)
{
	const uint8_t *hashes = v->payload + v->data_at;

	for (uint64_t i = 1; v->encoding == PDS_FUSE_HASHES && i < v->count; i++)
		if (pds_load_le64(hashes + 8 * i) <= pds_load_le64(hashes + 8 * i - 8))
			PDS_REFUSE(why, "Its hashes are not in ascending order.");
	return PDS_OK;
}

PDS_VIEW_CHECK(fuse)

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

pds_status
pds_fuse_view_contains(const pds_fuse_view *v, pds_hash h, pds_fetch fetch, void *context,
					   uint64_t *found)
{
	*found = v->encoding == PDS_FUSE_FINISHED ?
		pds_fuse_table_contains(&v->shape, h.h1, fetch, context, v->data_at) :
		hashes_contain(v, h.h1, fetch, context);
	return PDS_OK;
}

double
pds_fuse_rate(const pds_fuse_view *v)
{
	return v->encoding == PDS_FUSE_FINISHED ? ldexp(1, -v->shape.bits) :
		ldexp((double) v->count, -64);
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

size_t
pds_fuse_full_bytes(uint64_t n, uint16_t rate)
{
	uint8_t		count[PDS_VARINT_MAX_BYTES];
	pds_fuse_shape s = pds_fuse_shape_for(n, rate, 0);

	return PDS_HEADER_BYTES + 2 + pds_varint_put(count, n) + 1 + pds_fuse_table_bytes(&s);
}

/*
 * With the largest table, that of the last seed.  Another seed than 0 has the hashes in another
 * order, in a list of its own.
 */
void
pds_fuse_measure(pds_fuse_build *b, pds_fuse_encoding *encoding)
{
	encoding->bytes = PDS_FUSE_MAX_PREFIX;
	encoding->scratch = 0;
	pds_fuse_sort(b);
	if (b->count > 0 && b->finished)
	{
		pds_fuse_shape s = pds_fuse_shape_for(b->count, b->rate, PDS_FUSE_SEEDS - 1);

		encoding->bytes += pds_fuse_table_bytes(&s);
		encoding->scratch = (pds_fuse_work_words(&s) + (size_t) b->count) * sizeof(uint64_t);
	}
	else
		encoding->bytes += (size_t) b->count * 8;
}

/* Write the first seed that has a table, and this.  Returns 0 if none has. */
static size_t
put_table(const pds_fuse_build *b, uint64_t *scratch, uint8_t *out)
{
	for (int seed = 0; seed < PDS_FUSE_SEEDS; seed++)
	{
		pds_fuse_shape s = pds_fuse_shape_for(b->count, b->rate, (uint8_t) seed);
		const uint64_t *hashes = b->hashes;

		if (seed > 0)
		{
			for (uint64_t i = 0; i < b->count; i++)
				scratch[i] = pds_fuse_seeded(b->hashes[i], s.seed);
			pds_sort_words(scratch, b->count, 64);
			hashes = scratch;
		}
		out[0] = s.seed;
		if (pds_fuse_solve(&s, hashes, b->count, scratch + b->count, out + 1))
			return 1 + pds_fuse_table_bytes(&s);
	}
	return 0;
}

size_t
pds_fuse_encode(pds_fuse_build *b, const pds_fuse_encoding *encoding, void *scratch,
				uint8_t *out)
{
	size_t		at = head_put(out, b, b->count == 0 ? PDS_FUSE_EMPTY :
							  b->finished ? PDS_FUSE_FINISHED : PDS_FUSE_HASHES);
	size_t		table;

	(void) encoding;
	if (b->count > 0 && b->finished)
	{
		table = put_table(b, scratch, out + at);
		return table > 0 ? at + table : 0;
	}
	for (uint64_t i = 0; i < b->count; i++, at += 8)
		pds_store_le64(out + at, b->hashes[i]);
	return at;
}
