/*
 * scalable_bloom_format.c: the stored form of a scalable Bloom filter
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x71              sketch type 7, format version 1
 *     1     family | encoding family 0 ours, 3 RedisBloom's; encoding 0 empty, 1 layers
 *     2     kind of value     0 if and only if empty; one that the family holds
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   2 bytes           the promised rate (base/decimal.h)
 *     ...   varint            capacity of the first layer
 *     ...   varint            expansion
 *
 * Empty: nothing more.  Layers:
 *
 *     ...   varint            n, the number of layers, 1 to 1,024
 *     ...   4 bytes each      a directory, if there is more than one: where each ends,
 *                             in bytes from the end of the directory
 *     ...   layers            each a bloom as it is stored (bloom_format.c), head and
 *                             all, of the same family, kind and signature, with a
 *                             capacity, and not empty
 *
 * Layers are sorted by ascending capacity, then by falling rate, then by falling number of bits
 * set, then by ascending length, then by their bytes.  No layer is contained in another, that
 * is, in a layer of the same shape, capacity and rate that has all its bits set.
 *
 * So a sketch of one layer is a bloom with 8 to 21 bytes in front of it.
 */
#include <stdlib.h>

#include "varint.h"
#include "poll.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom_layers.h"

#define DIRECTORY_ENTRY	4

static inline size_t
directory_bytes(uint32_t layers)
{
	return layers > 1 ? (size_t) layers * DIRECTORY_ENTRY : 0;
}

/* ---------- writing ---------- */

/* Write the head at out; returns its length. */
static size_t
put_head(const pds_scalable_bloom_build *b, uint32_t layers, uint8_t *out)
{
	const pds_scalable_bloom_parameters *p = &b->parameters;
	size_t		at = pds_header_put(out, PDS_TYPE_SCALABLE_BLOOM, p->family,
									layers > 0 ? PDS_SCALABLE_BLOOM_LAYERS :
									PDS_SCALABLE_BLOOM_EMPTY, pds_state_kind(b));

	pds_store_le16(out + at, p->rate);
	at += 2;
	at += pds_varint_put(out + at, p->capacity);
	at += pds_varint_put(out + at, p->expansion);
	if (layers > 0)
		at += pds_varint_put(out + at, layers);
	return at;
}

void
pds_scalable_bloom_measure(pds_scalable_bloom_build *b, pds_scalable_bloom_encoding *encoding)
{
	size_t		open = pds_scalable_bloom_closing(b, &encoding->open);
	uint32_t	layers = b->layers + 1;

	/* of the open layer, its bytes, sorted with the others */
	encoding->scratch = layers * sizeof(pds_scalable_bloom_sorted) +
		pds_scalable_bloom_round_up(open);
	encoding->bytes = PDS_SCALABLE_BLOOM_MAX_PREFIX + directory_bytes(layers) + b->closed + open;
}

size_t
pds_scalable_bloom_encode(pds_scalable_bloom_build *b,
						  const pds_scalable_bloom_encoding *encoding, void *scratch,
						  uint8_t *out)
{
	pds_scalable_bloom_sorted *sorted = scratch;
	uint8_t    *open = (uint8_t *) (sorted + b->layers + 1);
	pds_bloom_build *open_layer = pds_scalable_bloom_open_layer(b);
	pds_bloom_view v;
	uint32_t	n = 0;
	uint32_t	kept = 0;
	size_t		at;
	size_t		data;
	size_t		end;

	for (size_t closed = 0; pds_scalable_bloom_next_closed(b, &closed, &v);)
		sorted[n++].view = v;
	if (open_layer != NULL && encoding->open.encoding != PDS_BLOOM_EMPTY)
	{
		end = pds_bloom_encode(open_layer, &encoding->open, NULL, open);
		(void) pds_bloom_open(&sorted[n++].view, open, end, end, NULL);
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[i].set = pds_scalable_bloom_bits_set(&sorted[i].view);
	qsort(sorted, n, sizeof(*sorted), pds_scalable_bloom_compare);

	/*
	 * Values that came one by one can have made the open layer what another one is in, though
	 * no union has; as sorted, it comes before that.  No closed layer contains another.
	 */
	for (uint32_t i = 0; i < n; i++)
	{
		bool		within = false;

		for (uint32_t j = kept; j > 0 && !within; j--)
			within = (sorted[i].view.payload == open || sorted[j - 1].view.payload == open) &&
				pds_scalable_bloom_within(&sorted[i].view, &sorted[j - 1].view);
		if (!within)
			sorted[kept++] = sorted[i];
	}

	end = 0;
	at = put_head(b, kept, out);
	data = at + directory_bytes(kept);
	for (uint32_t i = 0; i < kept; i++)
	{
		pds_poll();
		memcpy(out + data + end, sorted[i].view.payload, sorted[i].view.len);
		end += sorted[i].view.len;
		if (kept > 1)
			pds_store_le32(out + at + (size_t) i * DIRECTORY_ENTRY, (uint32_t) end);
	}
	return data + end;
}

/* ---------- reading ---------- */

static pds_status
open_fields(pds_scalable_bloom_view *v, const uint8_t *payload, size_t have, const char **why)
{
	pds_scalable_bloom_parameters *p = &v->parameters;
	uint64_t	number;
	size_t		at = v->data_at;

	v->layers = 0;
	memset(p, 0, sizeof(*p));
	p->family = v->family;
	if (have - at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	p->rate = pds_load_le16(payload + at);
	at += 2;
	if (!pds_varint_read(payload, have, &at, INT64_MAX, &p->capacity))
		PDS_REFUSE(why, "Its capacity is malformed.");
	if (!pds_varint_read(payload, have, &at, PDS_SCALABLE_BLOOM_MAX_EXPANSION, &number))
		PDS_REFUSE(why, "Its expansion is malformed or out of range.");
	p->expansion = (uint32_t) number;
	if (!pds_scalable_bloom_parameters_valid(p))
		PDS_REFUSE(why, "Its hash family, capacity, rate and expansion do not go together.");
	if (v->kind != PDS_KIND_NONE && !pds_bloom_family_holds(p->family, v->kind))
		PDS_REFUSE(why, "Its kind of value does not go with its hash family.");
	if (v->encoding == PDS_SCALABLE_BLOOM_LAYERS)
	{
		if (!pds_varint_read(payload, have, &at, PDS_SCALABLE_BLOOM_MAX_LAYERS, &number) ||
			number == 0)
			PDS_REFUSE(why, "Its number of layers is malformed or out of range.");
		v->layers = (uint32_t) number;
		if (v->len - at < directory_bytes(v->layers))
			PDS_REFUSE(why, "It ends within its directory.");
	}
	else
		PDS_VIEW_OPEN_EMPTY(v, at, why);
	v->data_at = at;
	return PDS_OK;
}

/* Where layer i begins in the payload, and how long it is.  False where that cannot be. */
static bool
layer_range(const pds_scalable_bloom_view *v, uint32_t i, pds_fetch fetch, void *context,
			size_t *at, size_t *len)
{
	size_t		data = v->data_at + directory_bytes(v->layers);
	uint32_t	first = i > 0 ? i - 1 : 0;
	size_t		from = 0;
	size_t		to = v->len - data;

	if (v->layers > 1)
	{
		const uint8_t *directory = fetch(context, v->data_at + (size_t) first * DIRECTORY_ENTRY,
										 (i - first + 1) * DIRECTORY_ENTRY);

		if (i > 0)
			from = pds_load_le32(directory);
		to = pds_load_le32(directory + (size_t) (i - first) * DIRECTORY_ENTRY);
	}
	if (from >= to || to > v->len - data)
		return false;
	*at = data + from;
	*len = to - from;
	return true;
}

/* Reads the head of layer i, which begins at *at.  Errors: PDS_CORRUPT. */
static pds_status
open_layer(const pds_scalable_bloom_view *v, uint32_t i, pds_fetch fetch, void *context,
		   size_t *at, pds_bloom_view *layer)
{
	size_t		len;
	size_t		have;

	if (!layer_range(v, i, fetch, context, at, &len))
		return PDS_CORRUPT;
	have = len < PDS_BLOOM_MAX_PREFIX ? len : PDS_BLOOM_MAX_PREFIX;
	return pds_bloom_open(layer, fetch(context, *at, have), have, len, NULL) == PDS_OK &&
		layer->encoding != PDS_BLOOM_EMPTY && layer->shape.family == v->parameters.family &&
		layer->kind == v->kind && layer->shape.capacity > 0 ? PDS_OK : PDS_CORRUPT;
}

pds_status
pds_scalable_bloom_layer(const pds_scalable_bloom_view *v, uint32_t i, pds_bloom_view *layer)
{
	size_t		at;

	if (v->layers > 0)
		return open_layer(v, i, pds_in_memory, (void *) v, &at, layer);
	memset(layer, 0, sizeof(*layer));
	return pds_scalable_bloom_first_shape(&v->parameters, &layer->shape);
}

static pds_status
check_view(const pds_scalable_bloom_view *v, const char **why)
{
	pds_scalable_bloom_sorted before;
	pds_scalable_bloom_sorted layer;
	size_t		next = 0;

	for (uint32_t i = 0; i < v->layers; i++)
	{
		size_t		at;
		size_t		bytes;
		pds_status	status;

		if (!layer_range(v, i, pds_in_memory, (void *) v, &at, &bytes))
			PDS_REFUSE(why, "Its directory is malformed.");
		status = pds_bloom_check(v->payload + at, bytes, why);
		if (status != PDS_OK)
			return status;
		if (pds_scalable_bloom_layer(v, i, &layer.view) != PDS_OK)
			PDS_REFUSE(why, "A layer is empty, or not of the sketch's hash family and kind of "
					   "value.");
		layer.set = pds_scalable_bloom_bits_set(&layer.view);
		if (i > 0 && pds_scalable_bloom_compare(&before, &layer) >= 0)
			PDS_REFUSE(why, "Its layers are out of order.");
		/* only an earlier layer can contain this layer */
		for (uint32_t j = i; j > 0; j--)
		{
			pds_bloom_view other;

			if (pds_scalable_bloom_layer(v, j - 1, &other) != PDS_OK ||
				other.shape.capacity != layer.view.shape.capacity ||
				other.shape.rate != layer.view.shape.rate)
				break;
			if (pds_scalable_bloom_within(&layer.view, &other))
				PDS_REFUSE(why, "A layer is contained in another.");
		}
		before = layer;
		next = at + bytes;
	}
	if (v->layers > 0 && next != v->len)
		PDS_REFUSE(why, "There are bytes after its end.");
	return PDS_OK;
}

PDS_VIEW_READERS(scalable_bloom, PDS_TYPE_SCALABLE_BLOOM, PDS_BLOOM_REDIS + 1)

/* A fetch of a layer's bytes is one of the sketch's, further on. */
typedef struct layer_source
{
	pds_fetch fetch;
	void	   *context;
	size_t		at;
} layer_source;

static const uint8_t *
fetch_of_layer(void *context, size_t offset, size_t len)
{
	const layer_source *source = context;

	return source->fetch(source->context, source->at + offset, len);
}

pds_status
pds_scalable_bloom_view_contains(const pds_scalable_bloom_view *v, pds_hash h,
								 pds_fetch fetch, void *context, uint64_t *found)
{
	*found = 0;
	for (uint32_t i = v->layers; i > 0 && !*found; i--)
	{
		layer_source source = {fetch, context, 0};
		pds_bloom_view layer;
		pds_status	status = open_layer(v, i - 1, fetch, context, &source.at, &layer);

		if (status == PDS_OK && fetch == pds_in_memory)
			status = pds_bloom_view_contains(&layer, h, pds_in_memory, &layer, found);
		else if (status == PDS_OK)
			status = pds_bloom_view_contains(&layer, h, fetch_of_layer, &source, found);
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}
