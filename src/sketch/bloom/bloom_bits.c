/*
 * bloom_bits.c: from a hash to the bits of a filter, and arrays of bits
 */
#include "poll.h"
#include "vector.h"
#include "bloom_bits.h"

/* ---------- from hash to bits ---------- */

void
pds_bloom_places(const pds_bloom_shape *s, pds_hash h, uint64_t *places)
{
	static const uint32_t salt[PDS_BLOOM_SPLIT_WORDS] = {
		0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
		0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
	};
	pds_bloom_walk w;
	uint64_t	block;
	uint32_t	c;

	switch (s->family)
	{
		case PDS_BLOOM_GUAVA32:
			c = (uint32_t) h.h1;
			for (int i = 0; i < s->hashes; i++)
			{
				c += (uint32_t) (h.h1 >> 32);
				places[i] = (c >> 31 ? ~c : c) % s->bits;
			}
			break;
		case PDS_BLOOM_REDIS:
			for (int i = 0; i < s->hashes; i++)
				places[i] = (h.h1 + (uint64_t) i * h.h2) % s->bits;
			break;
		case PDS_BLOOM_PARQUET:
		case PDS_BLOOM_PARQUET32:
			block = (h.h1 >> 32) * (s->bits / PDS_BLOOM_SPLIT_BITS) >> 32;
			for (uint32_t i = 0; i < PDS_BLOOM_SPLIT_WORDS; i++)
				places[i] = block * PDS_BLOOM_SPLIT_BITS + 32 * i +
					((uint32_t) h.h1 * salt[i] >> 27);
			break;
		default:
			w = pds_bloom_walk_start(s->family, s->bits, h);
			for (int i = 0; i < s->hashes; i++)
				places[i] = pds_bloom_walk_next(&w);
			break;
	}
}

bool
pds_bloom_array_contains_places(const uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];

	pds_bloom_places(s, h, places);
	for (int i = 0; i < s->hashes; i++)
		if (!pds_bloom_bit(array, places[i]))
			return false;
	return true;
}

void
pds_bloom_array_add_places(uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];

	pds_bloom_places(s, h, places);
	for (int i = 0; i < s->hashes; i++)
		pds_bloom_set_bit(array, places[i]);
}

/* ---------- arrays ---------- */

/* The bits of a word, by the instruction that all paths but "plain" have. */
PDS_BODY uint64_t
count_word(pds_path path, const uint8_t *word)
{
	uint64_t	v = pds_load_le64(word);

	return (uint64_t) (path == PDS_PATH_PLAIN ? pds_popcount64(v) : __builtin_popcountll(v));
}

PDS_BODY uint64_t
count_part_body(pds_path path, const uint8_t *array, size_t len)
{
	uint64_t	n = 0;

	for (size_t i = 0; i < len; i += 8)
		n += count_word(path, array + i);
	return n;
}

PDS_PATHS(uint64_t, count_part, (const uint8_t *array, size_t len), array, len)

uint64_t
pds_bloom_count_bits(const uint8_t *array, size_t len)
{
	uint64_t	n = 0;

	for (; len > PDS_POLL_BYTES; array += PDS_POLL_BYTES, len -= PDS_POLL_BYTES)
	{
		n += count_part(array, PDS_POLL_BYTES);
		pds_poll();
	}
	return n + count_part(array, len);
}

PDS_BODY uint64_t
count_blocks_body(pds_path path, const uint8_t *array, size_t len, uint64_t *blocks)
{
	const size_t block = PDS_BLOOM_BLOCK_BITS / 8;
	uint64_t	all = 0;

	for (size_t at = 0; at < len; at += block)
	{
		uint64_t	n = 0;

		for (size_t i = 0; i < block; i += 8)
			n += count_word(path, array + at + i);
		blocks[n]++;
		all += n;
	}
	return all;
}

PDS_PATHS(uint64_t, count_blocks, (const uint8_t *array, size_t len, uint64_t *blocks),
		  array, len, blocks)

uint64_t
pds_bloom_count_block_bits(const uint8_t *array, size_t len, uint64_t *blocks)
{
	uint64_t	n = 0;

	for (; len > PDS_POLL_BYTES; array += PDS_POLL_BYTES, len -= PDS_POLL_BYTES)
	{
		n += count_blocks(array, PDS_POLL_BYTES, blocks);
		pds_poll();
	}
	return n + count_blocks(array, len, blocks);
}

/* Define a function that joins each byte of an array with one of "in" by an assignment. */
#define JOIN_ARRAYS(name, assignment) \
	void \
	name(uint8_t *array, const uint8_t *in, size_t len) \
	{ \
		for (; len > PDS_POLL_BYTES; array += PDS_POLL_BYTES, in += PDS_POLL_BYTES, \
			 len -= PDS_POLL_BYTES) \
		{ \
			name(array, in, PDS_POLL_BYTES); \
			pds_poll(); \
		} \
		for (size_t i = 0; i < len; i++) \
			array[i] assignment in[i]; \
	}

JOIN_ARRAYS(pds_bloom_or, |=)
JOIN_ARRAYS(pds_bloom_and, &=)
