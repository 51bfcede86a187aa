/*
 * existence_layout.c: sizes and growth of existence indexes
 */
#include <math.h>

#include "bloom_size.h"
#include "existence_layout.h"

/* Rates below this cost bits and bring nothing: other things fail more often. */
#define LOWEST_RATE		1e-12

/* By how much a layer may be larger in order to have fewer hashes. */
#define SPARED_HASHES	1.08

/* A relation has fewer than 2^32 - 1 pages. */
#define MAX_PAGES		4294967294.0

size_t
pds_existence_delta(const uint8_t *before, const uint8_t *after, uint32_t offset, uint8_t *out)
{
	uint64_t	changed = 0;	/* a bit for each byte */
	size_t		len = 0;

	for (int word = 0; word < PDS_EXISTENCE_BLOCK_BYTES / 8; word++)
	{
		uint64_t	x = pds_load_le64(before + 8 * word) ^ pds_load_le64(after + 8 * word);

		while (x != 0)
		{
			int			byte = pds_ctz64(x) / 8;

			changed |= UINT64_C(1) << (8 * word + byte);
			x &= ~(UINT64_C(0xff) << (8 * byte));
		}
	}
	while (changed != 0)
	{
		int			first = pds_ctz64(changed);
		int			last = first;
		uint16_t	head[2];

		changed &= changed - 1;
		/* a gap of up to four bytes is not longer than another head */
		while (changed != 0 && pds_ctz64(changed) - last <= 5)
		{
			last = pds_ctz64(changed);
			changed &= changed - 1;
		}
		head[0] = (uint16_t) (offset + (uint32_t) first);
		head[1] = (uint16_t) (last - first + 1);
		memcpy(out + len, head, sizeof(head));
		memcpy(out + len + sizeof(head), after + first, head[1]);
		len += sizeof(head) + head[1];
	}
	return len;
}

/*
 * How many bits of a page are set, on average, with so many keys to a block.  The number
 * of keys of one block is Poisson's.
 */
static double
bits_set(double keys_per_block, uint32_t hashes, uint32_t blocks)
{
	const double b = PDS_BLOOM_BLOCK_BITS;
	double		hit = 1 - pow(1 - 1 / b, hashes);

	return blocks * b * (1 - exp(-keys_per_block * hit));
}

/* Bits a key at which so many hashes keep a rate. */
static double
bits_for_hashes(double rate, int hashes, double at_least)
{
	pds_bloom_shape shape = {
		.family = PDS_BLOOM_BLOCKED,
		.hashes = (uint8_t) hashes,
		.bits = PDS_BLOOM_MAX_BITS
	};
	double		low = at_least;
	double		high = 2 * at_least;

	while (high - low > 1e-6 * high)
	{
		double		middle = (low + high) / 2;

		if (pds_bloom_model_rate(&shape, (double) shape.bits / middle) > rate)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/*
 * Fewer hashes than would give the smallest filter, if that makes it little larger: each
 * hash is some five bytes of WAL for every key.
 */
static void
save_hashes(double rate, double *bits_per_key, int *hashes)
{
	double		most = *bits_per_key * SPARED_HASHES;

	while (*hashes > 1)
	{
		double		bits = bits_for_hashes(rate, *hashes - 1, *bits_per_key);

		if (bits > most)
			return;
		*bits_per_key = bits;
		(*hashes)--;
	}
}

bool
pds_existence_layer_for(double keys, double rate, uint32_t min_pages, bool spare_hashes,
						uint32_t blocks_in_page, pds_existence_layer *layer)
{
	int			hashes;
	double		bits_per_key;
	double		pages;
	double		bits_in_page = (double) blocks_in_page * PDS_BLOOM_BLOCK_BITS;

	if (rate < LOWEST_RATE)
		rate = LOWEST_RATE;
	bits_per_key = pds_bloom_solve_blocked(rate, &hashes);
	if (spare_hashes)
		save_hashes(rate, &bits_per_key, &hashes);
	pages = ceil(keys * bits_per_key / bits_in_page);
	if (pages < min_pages)
		pages = min_pages;
	if (!(pages < MAX_PAGES))
		return false;
	layer->first = 0;
	layer->pages = (uint32_t) pages;
	layer->hashes = (uint32_t) hashes;
	layer->capacity = floor(pages * bits_in_page / bits_per_key);
	layer->rate = rate;
	layer->full_bits = (uint32_t) bits_set(PDS_BLOOM_BLOCK_BITS / bits_per_key, layer->hashes,
										   blocks_in_page);
	return true;
}

bool
pds_existence_plan_build(double keys, double capacity, double rate, double expansion,
						 uint32_t blocks_in_page, pds_kind kind, pds_existence_meta *meta)
{
	double		wanted = keys > capacity ? keys : capacity;

	memset(meta, 0, sizeof(*meta));
	meta->magic = PDS_EXISTENCE_MAGIC;
	meta->version = PDS_EXISTENCE_VERSION;
	meta->blocks_in_page = blocks_in_page;
	meta->kind = kind;
	meta->rate = rate;
	meta->expansion = expansion;
	meta->built = wanted >= PDS_EXISTENCE_MANY_KEYS;
	meta->n_layers = 1;
	if (!pds_existence_layer_for(wanted, rate * (meta->built ? PDS_EXISTENCE_BUILT_SHARE :
												 PDS_EXISTENCE_GROWN_SHARE),
								 PDS_EXISTENCE_FIRST_PAGES, !meta->built, blocks_in_page,
								 &meta->layer[0]))
		return false;
	meta->layer[0].first = 1;
	meta->used = 1 + meta->layer[0].pages;
	return true;
}

double
pds_existence_full_rate(const pds_existence_meta *meta)
{
	double		sum = 0;

	for (uint32_t i = 0; i < meta->n_layers; i++)
		sum += meta->layer[i].rate;
	return sum;
}

bool
pds_existence_plan_growth(const pds_existence_meta *meta, pds_existence_layer *layer)
{
	uint32_t	n = meta->n_layers;
	double		left = meta->rate - pds_existence_full_rate(meta);
	double		share = meta->built ? PDS_EXISTENCE_LATER_SHARE : PDS_EXISTENCE_GROWN_SHARE;
	double		factor = meta->expansion - 1;
	double		capacity = 0;

	if (n >= PDS_EXISTENCE_MAX_LAYERS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		capacity += meta->layer[i].capacity;

	/* a table that was there before its index is expected to grow little at first */
	if (meta->built && n <= 2)
		factor /= n == 1 ? 4 : 2;
	if (!pds_existence_layer_for(capacity * factor, left * share, PDS_EXISTENCE_SMALL_PAGES,
								 true, meta->blocks_in_page, layer))
		return false;
	layer->first = meta->used;
	return (double) meta->used + layer->pages < MAX_PAGES;
}

bool
pds_existence_meta_valid(const pds_existence_meta *meta, uint32_t blocks_in_page)
{
	uint64_t	next = 1;

	if (meta->magic != PDS_EXISTENCE_MAGIC || meta->version != PDS_EXISTENCE_VERSION ||
		meta->blocks_in_page != blocks_in_page ||
		meta->n_layers < 1 || meta->n_layers > PDS_EXISTENCE_MAX_LAYERS)
		return false;
	for (uint32_t i = 0; i < meta->n_layers; i++)
	{
		const pds_existence_layer *layer = &meta->layer[i];

		if (layer->first != next || layer->pages < 1 || layer->hashes < 1 ||
			layer->hashes > PDS_BLOOM_MAX_HASHES)
			return false;
		next += layer->pages;
	}
	return next == meta->used;
}
