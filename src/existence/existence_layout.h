/*
 * existence_layout.h: what an existence index consists of, and where a key's bits are
 *
 * An existence index has a Bloom filter for the keys that it was built over, and a table of
 * fingerprints for those that came when the filter was full (existence_table.h).
 *
 * The filter has the blocked layout (bloom/bloom.h).  Its blocks of 64 bytes lie in pages:
 *
 *     block 0      the metapage: pds_existence_meta behind the server's page header
 *     filter page  0    the server's page header (24 bytes)
 *                  24   magic number (4 bytes), zeros
 *                  64   the blocks: 127 in a page of 8 kB, each one cache line
 *
 *     block = floor(h1 * blocks / 2^64)     of the filter
 *     page  = first + block / 127,  and block % 127 in it
 *     bit   = as in bloom/bloom.h, from h2
 *
 * A page of zeros is an empty filter page.  Bits are only ever set.
 *
 * The rates of filter and table add up to no more than the rate that the index promises.  A
 * filter that was built over many keys takes nearly all of it, and is as large as a bloom of
 * these keys.  The table of an index that began with few keys is the larger part of it
 * sooner or later, so there the table takes nearly all.
 *
 * This file is PostgreSQL-free.  The numbers on a page are in native byte order, as in
 * every file of the server.
 */
#ifndef PDS_EXISTENCE_EXISTENCE_LAYOUT_H
#define PDS_EXISTENCE_EXISTENCE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "kind.h"
#include "murmur3.h"
#include "bloom.h"
#include "existence_table.h"

#define PDS_EXISTENCE_MAGIC			UINT32_C(0x50447845)
#define PDS_EXISTENCE_FILTER_MAGIC	UINT32_C(0x50447846)
#define PDS_EXISTENCE_VERSION		4

/* Bytes of a block, and where the first one begins in a page. */
#define PDS_EXISTENCE_BLOCK_BYTES	(PDS_BLOOM_BLOCK_BITS / 8)
#define PDS_EXISTENCE_BLOCKS_AT		64

/* The least that a filter has */
#define PDS_EXISTENCE_FIRST_PAGES	8

/* The part of the rate that the filter takes: of an index built over many keys, or of others */
#define PDS_EXISTENCE_BUILT_SHARE	0.95
#define PDS_EXISTENCE_GROWN_SHARE	0.03125

/* From how many keys on an index counts as built over many. */
#define PDS_EXISTENCE_MANY_KEYS		100000

typedef struct pds_existence_filter
{
	uint32_t	first;			/* block number of the first page */
	uint32_t	pages;
	uint32_t	hashes;			/* bits of a key, 1 to PDS_BLOOM_MAX_HASHES */
	uint32_t	full_bits;		/* bits set in a page, on average, when it is full */
	double		capacity;		/* for how many keys */
	double		rate;			/* false-positive rate when it is full */
} pds_existence_filter;

typedef struct pds_existence_meta
{
	uint32_t	magic;
	uint32_t	version;
	uint32_t	blocks_in_page;
	uint32_t	used;			/* pages in use, the metapage among them */
	uint64_t	kind;			/* of the values that were hashed: base/kind.h */
	double		rate;			/* what the index promises */
	pds_existence_filter filter;
	pds_existence_table table;
	uint64_t	shape;			/* of composite types in the keys; 0 without any */
} pds_existence_meta;

/* ---------- places ---------- */

/* How many blocks fit in a page of so many bytes. */
static inline uint32_t
pds_existence_blocks_in_page(size_t page_bytes)
{
	return (uint32_t) ((page_bytes - PDS_EXISTENCE_BLOCKS_AT) / PDS_EXISTENCE_BLOCK_BYTES);
}

/* The place of the block of a hash: the page's number in the relation, and the offset in bytes. */
typedef struct pds_existence_place
{
	uint32_t	page;
	uint32_t	offset;
} pds_existence_place;

static inline pds_existence_place
pds_existence_place_of(const pds_existence_filter *filter, uint32_t blocks_in_page, pds_hash h)
{
	uint64_t	block = pds_mulhi64(h.h1, (uint64_t) filter->pages * blocks_in_page);
	pds_existence_place place;

	place.page = filter->first + (uint32_t) (block / blocks_in_page);
	place.offset = PDS_EXISTENCE_BLOCKS_AT +
		(uint32_t) (block % blocks_in_page) * PDS_EXISTENCE_BLOCK_BYTES;
	return place;
}

/* The filter as a blocked Bloom filter; its capacity and rate are left open. */
static inline pds_bloom_shape
pds_existence_shape_of(const pds_existence_filter *filter, uint32_t blocks_in_page)
{
	pds_bloom_shape shape = {
		.family = PDS_BLOOM_BLOCKED,
		.hashes = (uint8_t) filter->hashes,
		.bits = (uint64_t) filter->pages * blocks_in_page * PDS_BLOOM_BLOCK_BITS
	};

	return shape;
}

/* Returns whether all bits of a hash are set in its block. */
static inline bool
pds_existence_block_contains(const uint8_t *block, uint32_t hashes, pds_hash h)
{
	return pds_bloom_block_contains(block, PDS_BLOOM_BLOCK_BITS, h.h2, (int) hashes);
}

static inline void
pds_existence_block_add(uint8_t *block, uint32_t hashes, pds_hash h)
{
	pds_bloom_block_add(block, h.h2, (int) hashes);
}

/*
 * The changes of a block in fragments (existence_table.h); "offset" is where the block begins in
 * its page.  Returns the length of what is written at out.
 */
#define PDS_EXISTENCE_MAX_DELTA		(5 * PDS_EXISTENCE_BLOCK_BYTES)
extern size_t pds_existence_delta(const uint8_t *before, const uint8_t *after,
								  uint32_t offset, uint8_t *out);

/* ---------- sizes ---------- */

/*
 * A filter for so many keys (at least 1) at a rate; "first" is left 0, and "capacity" is what all
 * of its pages can hold.  Returns false if it would need more pages than a relation can have.
 */
extern bool pds_existence_filter_for(double keys, double rate, uint32_t blocks_in_page,
									 pds_existence_filter *filter);

/*
 * The meta data of an index that is built over so many distinct keys, for a capacity of
 * at least "capacity".  Its table, when it begins, has space for (expansion - 1) times as
 * many.  False as above.
 */
extern bool pds_existence_plan_build(double keys, double capacity, double rate,
									 double expansion, size_t page_bytes, pds_kind kind,
									 pds_existence_meta *meta);

/*
 * Add the first pages of the table, or those of a group for its next step.  False if the index has
 * as many pages as it can have.
 */
extern bool pds_existence_plan_table(pds_existence_meta *meta);
extern bool pds_existence_plan_step(pds_existence_meta *meta, uint32_t group);

/* Returns whether the functions here can have made this. */
extern bool pds_existence_meta_valid(const pds_existence_meta *meta, size_t page_bytes);

#endif
