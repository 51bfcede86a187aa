/*
 * existence_layout.c: sizes and growth of existence indexes
 */
#include <math.h>

#include "bloom_size.h"
#include "existence_layout.h"

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

		changed &= changed - 1;
		/* a gap of up to four bytes is not longer than another head */
		while (changed != 0 && pds_ctz64(changed) - last <= 5)
		{
			last = pds_ctz64(changed);
			changed &= changed - 1;
		}
		len += pds_existence_fragment(offset + (uint32_t) first, (uint32_t) (last - first + 1),
									  after + first, out + len);
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

bool
pds_existence_filter_for(double keys, double rate, uint32_t blocks_in_page,
						 pds_existence_filter *filter)
{
	int			hashes;
	double		bits_per_key;
	double		pages;
	double		bits_in_page = (double) blocks_in_page * PDS_BLOOM_BLOCK_BITS;

	bits_per_key = pds_bloom_solve_blocked(rate, &hashes);
	pages = ceil(keys * bits_per_key / bits_in_page);
	if (pages < PDS_EXISTENCE_FIRST_PAGES)
		pages = PDS_EXISTENCE_FIRST_PAGES;
	if (!(pages < MAX_PAGES))
		return false;
	filter->first = 0;
	filter->pages = (uint32_t) pages;
	filter->hashes = (uint32_t) hashes;
	filter->capacity = floor(pages * bits_in_page / bits_per_key);
	filter->rate = rate;
	filter->full_bits = (uint32_t) bits_set(PDS_BLOOM_BLOCK_BITS / bits_per_key, filter->hashes,
										   blocks_in_page);
	return true;
}

bool
pds_existence_plan_build(double keys, double capacity, double rate, double expansion,
						 size_t page_bytes, pds_kind kind, pds_existence_meta *meta)
{
	double		wanted = keys > capacity ? keys : capacity;
	double		share = wanted >= PDS_EXISTENCE_MANY_KEYS ? PDS_EXISTENCE_BUILT_SHARE :
		PDS_EXISTENCE_GROWN_SHARE;

	memset(meta, 0, sizeof(*meta));
	meta->magic = PDS_EXISTENCE_MAGIC;
	meta->version = PDS_EXISTENCE_VERSION;
	meta->blocks_in_page = pds_existence_blocks_in_page(page_bytes);
	meta->kind = kind;
	meta->rate = rate;
	if (!pds_existence_filter_for(wanted, rate * share, meta->blocks_in_page, &meta->filter))
		return false;
	meta->filter.first = 1;
	meta->used = 1 + meta->filter.pages;
	pds_existence_table_for(rate * (1 - share), (expansion - 1) * meta->filter.capacity,
							page_bytes, &meta->table);
	return true;
}

/* Give a group the pages of a step. */
static bool
add_segment(pds_existence_meta *meta, uint32_t group, uint32_t step)
{
	uint64_t	n = pds_existence_pages_added(&meta->table, step);

	if (!((double) meta->used + (double) n < MAX_PAGES))
		return false;
	meta->table.segment[group][step] = meta->used;
	meta->table.top[group] = step;
	meta->used += (uint32_t) n;
	return true;
}

bool
pds_existence_plan_table(pds_existence_meta *meta)
{
	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
		if (!add_segment(meta, group, 0))
			return false;
	meta->table.started = 1;
	return true;
}

bool
pds_existence_plan_step(pds_existence_meta *meta, uint32_t group)
{
	uint32_t	step = meta->table.top[group] + 1;

	return step < PDS_EXISTENCE_MAX_STEPS && add_segment(meta, group, step);
}

bool
pds_existence_meta_valid(const pds_existence_meta *meta, size_t page_bytes)
{
	const pds_existence_filter *filter = &meta->filter;

	return meta->magic == PDS_EXISTENCE_MAGIC && meta->version == PDS_EXISTENCE_VERSION &&
		meta->blocks_in_page == pds_existence_blocks_in_page(page_bytes) &&
		filter->first == 1 && filter->pages >= 1 &&
		filter->hashes >= 1 && filter->hashes <= PDS_BLOOM_MAX_HASHES &&
		pds_existence_table_valid(&meta->table, page_bytes, UINT64_C(1) + filter->pages,
								  meta->used);
}
