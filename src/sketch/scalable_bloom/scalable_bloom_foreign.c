/*
 * scalable_bloom_foreign.c: chains of layers from RedisBloom, and for it
 */
#include <math.h>

#include "decimal.h"
#include "poll.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom_estimate.h"
#include "scalable_bloom_foreign.h"
#include "scalable_bloom_layers.h"

/* What is in front of the data of a chain of so many layers. */
static inline size_t
head_bytes(uint32_t layers)
{
	return PDS_BLOOM_REDIS_CHAIN_BYTES + (size_t) layers * PDS_BLOOM_REDIS_LAYER_BYTES;
}

static inline const uint8_t *
layer_head(const uint8_t *bytes, uint32_t i)
{
	return bytes + PDS_BLOOM_REDIS_CHAIN_BYTES + (size_t) i * PDS_BLOOM_REDIS_LAYER_BYTES;
}

pds_status
pds_scalable_bloom_redis_open(pds_scalable_bloom_chain *c, const uint8_t *bytes, size_t len,
							  const char **why)
{
	pds_scalable_bloom_parameters *p = &c->parameters;
	pds_bloom_redis_chain chain;
	pds_bloom_shape shape;
	pds_status	status = pds_bloom_redis_chain_open(&chain, bytes, len, why);
	uint64_t	all_items = 0;
	size_t		end;

	if (status != PDS_OK)
		return status;
	if (!chain.hashes_64_bits)
		PDS_DECLINE(why, "Its hashes are of 32 bits.");
	if (chain.layers > PDS_SCALABLE_BLOOM_MAX_LAYERS)
		PDS_DECLINE(why, "It has more than 1024 layers.");
	if (chain.expansion > PDS_SCALABLE_BLOOM_MAX_EXPANSION)
		PDS_DECLINE(why, "Its layers grow by more than 32768 times.");
	if (len < head_bytes(chain.layers))
		PDS_REFUSE(why, "It is shorter than a header.");
	memset(c, 0, sizeof(*c));
	c->bytes = bytes;
	c->len = len;
	c->layers = chain.layers;
	end = head_bytes(chain.layers);
	for (uint32_t i = 0; i < chain.layers; i++)
	{
		uint64_t	items;

		status = pds_bloom_redis_layer_open(&shape, &items, layer_head(bytes, i), why);
		if (status != PDS_OK)
			return status;
		if (shape.bits / 8 > len - end)
			PDS_REFUSE(why, "Its length is not what its number of bytes takes.");
		end += (size_t) (shape.bits / 8);
		all_items += items;
		if (i == 0)
		{
			double		rate = pds_scalable_bloom_rate_of(&shape);

			/* a chain begins with half of the requested rate, or with all of it */
			if (chain.expansion > 0)
				rate = fmin(2 * rate, 0.999);
			p->family = PDS_BLOOM_REDIS;
			p->rate = pds_decimal_code(fmax(rate, PDS_DECIMAL_MIN));
			p->expansion = chain.expansion;
			p->capacity = shape.capacity;
		}
	}
	if (end != len)
		PDS_REFUSE(why, "Its length is not what its number of bytes takes.");
	if (all_items != chain.items)
		PDS_REFUSE(why, "Its numbers of values do not agree.");
	if (!pds_scalable_bloom_parameters_valid(p))
		PDS_DECLINE(why, "It is larger than a value can be.");
	return PDS_OK;
}

/* What a stored layer takes at most beside its bits: a head, and the coding of a few bits. */
#define LAYER_SLACK		128

/* The closed layers, and behind them the image in which one after the other is made. */
size_t
pds_scalable_bloom_import_size(const pds_scalable_bloom_chain *c)
{
	size_t		closed = 0;
	size_t		open = 0;

	for (uint32_t i = 0; i < c->layers; i++)
	{
		pds_bloom_shape shape;
		const char *why;
		uint64_t	items;
		size_t		size;

		(void) pds_bloom_redis_layer_open(&shape, &items, layer_head(c->bytes, i), &why);
		closed += pds_scalable_bloom_entry_size((size_t) (shape.bits / 8) + LAYER_SLACK);
		size = pds_scalable_bloom_round_up(pds_bloom_bits_size(shape.bits));
		if (size > open)
			open = size;
	}
	return sizeof(pds_scalable_bloom_build) + PDS_SCALABLE_BLOOM_FIRST_SIZE + closed + open;
}

void
pds_scalable_bloom_import(pds_scalable_bloom_build *b, const pds_scalable_bloom_chain *c,
						  pds_kind kind)
{
	const uint8_t *data = c->bytes + head_bytes(c->layers);
	size_t		size = pds_scalable_bloom_import_size(c);

	pds_scalable_bloom_build_init(b, &c->parameters, false);
	b->size = (uint32_t) size;
	pds_state_set_kind(b, kind);
	for (uint32_t i = 0; i < c->layers; i++)
	{
		pds_bloom_build *layer;
		pds_bloom_shape shape;
		const char *why;
		uint64_t	items;
		size_t		open;

		pds_poll();
		(void) pds_bloom_redis_layer_open(&shape, &items, layer_head(c->bytes, i), &why);
		open = pds_scalable_bloom_round_up(pds_bloom_bits_size(shape.bits));
		b->open_at = (uint32_t) (size - open);
		layer = pds_scalable_bloom_open_layer(b);
		pds_bloom_build_init(layer, open, &shape);
		memcpy(pds_bloom_build_array(layer), data, (size_t) (shape.bits / 8));
		pds_scalable_bloom_append_open(b, b);
		b->open_at = 0;
		data += shape.bits / 8;
	}
	memset(pds_scalable_bloom_closed(b) + b->closed, 0, size - sizeof(*b) - b->closed);
}

/* How many layers the chain of a sketch has: an empty one has one without values. */
static inline uint32_t
chain_layers(const pds_scalable_bloom_view *v)
{
	return v->layers > 0 ? v->layers : 1;
}

pds_status
pds_scalable_bloom_redis_size(const pds_scalable_bloom_view *v, size_t *len)
{
	*len = head_bytes(chain_layers(v));
	for (uint32_t i = 0; i < chain_layers(v); i++)
	{
		pds_bloom_view layer;

		if (pds_scalable_bloom_layer(v, i, &layer) != PDS_OK)
			return PDS_CORRUPT;
		*len += (size_t) (layer.shape.bits / 8);
	}
	return PDS_OK;
}

pds_status
pds_scalable_bloom_redis_write(const pds_scalable_bloom_view *v, uint8_t *out)
{
	pds_bloom_redis_chain chain = {0, chain_layers(v), v->parameters.expansion, true};
	uint8_t    *head = out + PDS_BLOOM_REDIS_CHAIN_BYTES;
	uint8_t    *data = out + head_bytes(chain.layers);

	for (uint32_t i = 0; i < chain.layers; i++)
	{
		pds_bloom_view layer;
		pds_bloom_summary sum;
		uint64_t	items;

		if (pds_scalable_bloom_summarize_layer(v, i, &layer, &sum) != PDS_OK)
			return PDS_CORRUPT;
		items = (uint64_t) rint(pds_bloom_cardinality(&sum));
		pds_bloom_redis_put_layer(&layer.shape, items, head);
		chain.items += items;
		head += PDS_BLOOM_REDIS_LAYER_BYTES;
		memset(data, 0, (size_t) (layer.shape.bits / 8));
		if (pds_bloom_view_or(&layer, data) != PDS_OK)
			return PDS_CORRUPT;
		data += layer.shape.bits / 8;
	}
	pds_bloom_redis_put_chain(&chain, out);
	return PDS_OK;
}
