/*
 * murmur3.h: MurmurHash3 x64_128
 *
 * Austin Appleby's public-domain hash, the one hash of everything native in
 * probds (doc/hashing.md).  Same result on every CPU and byte order.
 */
#ifndef PDS_BASE_MURMUR3_H
#define PDS_BASE_MURMUR3_H

#include "bits.h"

/* 128 bits of hash.  As a byte string: h1, then h2, each little-endian. */
typedef struct pds_hash
{
	uint64_t	h1;
	uint64_t	h2;
} pds_hash;

/*
 * Hash len bytes.  The seed fills both halves of the state; the reference
 * implementation takes 32 bits of seed, wider ones are as in Apache DataSketches.
 */
extern pds_hash pds_murmur3(const void *data, size_t len, uint64_t seed);

/*
 * Hash in pieces. pds_murmur3_blocks() takes whole blocks of PDS_MURMUR3_BLOCK bytes and
 * changes the two halves of the state, which begin as the seed. pds_murmur3_end() takes the
 * rest, of less than a block, and the number of bytes in all.
 */
#define PDS_MURMUR3_BLOCK	16

extern void pds_murmur3_blocks(uint64_t *h1, uint64_t *h2, const void *data, size_t len);
extern pds_hash pds_murmur3_end(uint64_t h1, uint64_t h2, const void *data, size_t len,
								uint64_t total);

#define PDS_MURMUR3_C1 UINT64_C(0x87c37b91114253d5)
#define PDS_MURMUR3_C2 UINT64_C(0x4cf5ad432745937f)

static inline uint64_t
pds_rotl64(uint64_t x, int r)
{
	return (x << r) | (x >> (64 - r));
}

/* The finalizer: every bit of the input reaches every bit of the output. */
static inline uint64_t
pds_murmur3_fmix(uint64_t k)
{
	k ^= k >> 33;
	k *= UINT64_C(0xff51afd7ed558ccd);
	k ^= k >> 33;
	k *= UINT64_C(0xc4ceb9fe1a85ec53);
	k ^= k >> 33;
	return k;
}

static inline pds_hash
pds_murmur3_finish(uint64_t h1, uint64_t h2, uint64_t len)
{
	pds_hash	h;

	h1 ^= len;
	h2 ^= len;
	h1 += h2;
	h2 += h1;
	h1 = pds_murmur3_fmix(h1);
	h2 = pds_murmur3_fmix(h2);
	h1 += h2;
	h2 += h1;
	h.h1 = h1;
	h.h2 = h2;
	return h;
}

/* pds_murmur3() of the 8 little-endian bytes of v with seed 0, without a loop. */
static inline pds_hash
pds_murmur3_u64(uint64_t v)
{
	return pds_murmur3_finish(pds_rotl64(v * PDS_MURMUR3_C1, 31) * PDS_MURMUR3_C2,
							  0, 8);
}

/* Numbers of up to 64 bits: 8 bytes, little-endian. */
static inline pds_hash
pds_hash_number(int64_t v)
{
	return pds_murmur3_u64((uint64_t) v);
}

/*
 * pds_murmur3() of less than a block with seed 0, without a branch.  A whole block is read at p.
 */
static inline pds_hash
pds_murmur3_short(const void *p, size_t len)
{
	/* the low "len" bytes of 8, and of the 8 behind them */
	uint64_t	low = len < 8 ? (UINT64_C(1) << (8 * len)) - 1 : UINT64_MAX;
	uint64_t	high = len > 8 ? (UINT64_C(1) << (8 * (len - 8))) - 1 : 0;
	uint64_t	k1 = pds_load_le64(p) & low;
	uint64_t	k2 = pds_load_le64((const uint8_t *) p + 8) & high;

	return pds_murmur3_finish(pds_rotl64(k1 * PDS_MURMUR3_C1, 31) * PDS_MURMUR3_C2,
							  pds_rotl64(k2 * PDS_MURMUR3_C2, 33) * PDS_MURMUR3_C1, len);
}

#endif
