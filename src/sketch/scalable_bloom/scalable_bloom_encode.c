/*
 * scalable_bloom_encode.c: writing the stored form of a scalable Bloom filter
 *
 * It is drawn in scalable_bloom_format.c.
 */
#include <stdlib.h>

#include "varint.h"
#include "poll.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom_format.h"
#include "scalable_bloom_layers.h"

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

/* Are two layers for as many keys, at the same rate? */
static inline bool
same_plan(const pds_scalable_bloom_sorted *a, const pds_scalable_bloom_sorted *b)
{
	return a->view.shape.capacity == b->view.shape.capacity &&
		a->view.shape.rate == b->view.shape.rate;
}

void
pds_scalable_bloom_measure(pds_scalable_bloom_build *b,
							   pds_scalable_bloom_encoding *encoding)
{
	size_t		open = pds_scalable_bloom_closing(b, &encoding->open);
	uint32_t	layers = b->layers + 1;

	/* of the open layer, its bytes, sorted with the others */
	encoding->scratch = layers * sizeof(pds_scalable_bloom_sorted) +
		pds_scalable_bloom_round_up(open);
	encoding->bytes = PDS_SCALABLE_BLOOM_MAX_PREFIX +
		pds_scalable_bloom_directory_bytes(layers) + b->closed + open;
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
	size_t		end = 0;

	for (size_t closed = 0; pds_scalable_bloom_next_closed(b, &closed, &v);)
		sorted[n++].view = v;
	if (open_layer != NULL && encoding->open.encoding != PDS_BLOOM_EMPTY)
	{
		(void) pds_bloom_encode(open_layer, &encoding->open, NULL, open);
		(void) pds_bloom_open(&sorted[n++].view, open, encoding->open.bytes,
							  encoding->open.bytes, NULL);
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[i].set = pds_scalable_bloom_bits_set(&sorted[i].view);
	qsort(sorted, n, sizeof(*sorted), pds_scalable_bloom_compare);

	/*
	 * Values that came one by one can have made a layer what another one is in, though no
	 * union has; as sorted, it comes before that.
	 */
	for (uint32_t i = 0; i < n; i++)
	{
		bool		within = false;

		for (uint32_t j = kept; j > 0 && !within && same_plan(&sorted[i], &sorted[j - 1]); j--)
			within = pds_scalable_bloom_within(&sorted[i].view, &sorted[j - 1].view);
		if (!within)
			sorted[kept++] = sorted[i];
	}

	at = put_head(b, kept, out);
	data = at + pds_scalable_bloom_directory_bytes(kept);
	for (uint32_t i = 0; i < kept; i++)
	{
		pds_poll();
		memcpy(out + data + end, sorted[i].view.payload, sorted[i].view.len);
		end += sorted[i].view.len;
		if (kept > 1)
			pds_store_le32(out + at + (size_t) i * PDS_SCALABLE_BLOOM_DIRECTORY_ENTRY,
						   (uint32_t) end);
	}
	return data + end;
}
