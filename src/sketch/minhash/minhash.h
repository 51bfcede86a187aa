/*
 * minhash.h: MinHash, how similar sets are
 *
 * Broder, "On the resemblance and containment of documents", 1997: of two sets
 * the value with the smallest hash of their union is in both with a probability
 * of J = |A and B| / |A or B|, the Jaccard index.  Here by one permutation (Li,
 * Owen, Zhang, "One permutation hashing", 2012): a hash says to which of k bins
 * its value falls and how small it is there, and each bin keeps the smallest.
 *
 * From hash to token.  With h1 and h2 the halves of the hash and k = 2^log2_k:
 *
 *     bin    = h1 mod k
 *     rank   = leading zeros of h2, plus 1; 48 if h2 < 2^17
 *     below  = 65535 - the 16 bits of h2 behind its highest one bit
 *     code   = rank * 2^16 + below          the larger, the smaller is h2
 *     token  = bin * 2^22 + code
 *
 * (All h2 below 2^16 have the largest code.)  A register is the largest code of
 * a bin without its low 10 bits, so a rank and 6 bits behind it; 0 if nothing
 * fell to the bin.
 *
 * A sketch holds the set of tokens while there are at most k of them, and registers from then
 * on.  Two values have the same token with a probability below 2^-17 / k.  Up to k values, all
 * answers are exact unless that happens.  The state, and so its stored bytes, depends only on
 * the set of hashes and k, not on the order of adds and merges.  The token and the register at
 * a smaller k follow from those at a larger one: sketches of different k merge at the smaller
 * one.
 */
#ifndef PDS_SKETCH_MINHASH_MINHASH_H
#define PDS_SKETCH_MINHASH_MINHASH_H

#include "state_ops.h"

#define PDS_MINHASH_MIN_LOG2_K		4
#define PDS_MINHASH_MAX_LOG2_K		16
#define PDS_MINHASH_DEFAULT_LOG2_K	7

#define PDS_MINHASH_MIN_K		(UINT32_C(1) << PDS_MINHASH_MIN_LOG2_K)
#define PDS_MINHASH_MAX_K		(UINT32_C(1) << PDS_MINHASH_MAX_LOG2_K)
#define PDS_MINHASH_DEFAULT_K	(UINT32_C(1) << PDS_MINHASH_DEFAULT_LOG2_K)

/* The parts of codes and registers. */
#define PDS_MINHASH_RANKS			48
#define PDS_MINHASH_TOKEN_BITS		16	/* behind the highest one bit, in a token */
#define PDS_MINHASH_REGISTER_BITS	6	/* and in a register */
#define PDS_MINHASH_CODE_BITS		22
#define PDS_MINHASH_CODE_MASK		((UINT32_C(1) << PDS_MINHASH_CODE_BITS) - 1)
#define PDS_MINHASH_CUT_BITS		(PDS_MINHASH_TOKEN_BITS - PDS_MINHASH_REGISTER_BITS)

/* Encodings of the stored form. */
#define PDS_MINHASH_EMPTY	PDS_ENCODING_EMPTY
#define PDS_MINHASH_SPARSE	1
#define PDS_MINHASH_DENSE	2

/* The code that the second half of a hash has. */
static inline uint32_t
pds_minhash_code(uint64_t h2)
{
	int			top;

	if ((h2 >> PDS_MINHASH_TOKEN_BITS) == 0)
		return ((uint32_t) PDS_MINHASH_RANKS << PDS_MINHASH_TOKEN_BITS) | 0xffff;
	top = pds_log2_64(h2);
	return ((uint32_t) (64 - top) << PDS_MINHASH_TOKEN_BITS) |
		(~(uint32_t) (h2 >> (top - PDS_MINHASH_TOKEN_BITS)) & 0xffff);
}

static inline uint64_t
pds_minhash_token(pds_hash h, int log2_k)
{
	return (h.h1 & ((UINT64_C(1) << log2_k) - 1)) << PDS_MINHASH_CODE_BITS |
		pds_minhash_code(h.h2);
}

static inline uint32_t
pds_minhash_token_bin(uint64_t token)
{
	return (uint32_t) (token >> PDS_MINHASH_CODE_BITS);
}

/* The register of a bin where this token's code is the largest. */
static inline uint16_t
pds_minhash_token_register(uint64_t token)
{
	return (uint16_t) (((uint32_t) token & PDS_MINHASH_CODE_MASK) >> PDS_MINHASH_CUT_BITS);
}

/* A token as it is at a smaller k. */
static inline uint64_t
pds_minhash_token_at(uint64_t token, int log2_k)
{
	return token & ((UINT64_C(1) << (log2_k + PDS_MINHASH_CODE_BITS)) - 1);
}

/* Returns whether a hash can give this token in a sketch of this k. */
static inline bool
pds_minhash_token_valid(uint64_t token, int log2_k)
{
	uint32_t	rank = ((uint32_t) token & PDS_MINHASH_CODE_MASK) >> PDS_MINHASH_TOKEN_BITS;

	return rank >= 1 && rank <= PDS_MINHASH_RANKS &&
		token >> (log2_k + PDS_MINHASH_CODE_BITS) == 0;
}

/* A register is 0 or at least of rank 1. */
static inline bool
pds_minhash_register_valid(uint16_t value)
{
	return value == 0 || (value >= 1 << PDS_MINHASH_REGISTER_BITS &&
						  value < (PDS_MINHASH_RANKS + 1) << PDS_MINHASH_REGISTER_BITS);
}

/* ---------- the building form ---------- */

/*
 * An open hash table of tokens, by linear probing, or k registers of 2 bytes.  No
 * token is 0: that is a free slot.
 */
typedef struct pds_minhash_build
{
	PDS_STATE_HEAD(uint8_t log2_k);
	uint8_t		dense;			/* 1 if there are registers, 0 if tokens */
	uint8_t		undecided;		/* a union of nothing yet: takes the k of the first
								 * sketch that it meets */
	uint8_t		log2_slots;		/* if not dense */
	uint8_t		unused;			/* 0 */
	uint32_t	tokens;			/* how many there are, if not dense */
	uint32_t	unused_too;		/* 0 */
	uint64_t	words[];
} pds_minhash_build;

#define PDS_MINHASH_FIRST_LOG2_SLOTS	3

/* Bytes of an image of so many slots, and of one of registers. */
static inline size_t
pds_minhash_sparse_size(int log2_slots)
{
	return sizeof(pds_minhash_build) + ((size_t) 8 << log2_slots);
}

static inline size_t
pds_minhash_dense_size(int log2_k)
{
	return sizeof(pds_minhash_build) + ((size_t) 2 << log2_k);
}

/* Bytes of an image to begin with. */
#define PDS_MINHASH_FIRST_SIZE	(sizeof(pds_minhash_build) + (8 << PDS_MINHASH_FIRST_LOG2_SLOTS))

static inline uint16_t *
pds_minhash_registers(const pds_minhash_build *b)
{
	return (uint16_t *) b->words;
}

/* The most tokens in so many slots: no more than k, and three quarters of them. */
static inline uint32_t
pds_minhash_capacity(int log2_slots, int log2_k)
{
	uint32_t	most = (UINT32_C(3) << log2_slots) / 4;
	uint32_t	k = UINT32_C(1) << log2_k;

	return most < k ? most : k;
}

/*
 * Make an empty sketch of PDS_MINHASH_FIRST_SIZE bytes at b, aligned to 8.  The
 * varlena word is left alone.
 */
extern void pds_minhash_build_init(pds_minhash_build *b, int log2_k);

/* The image that a state should move to. */
typedef struct pds_minhash_plan
{
	size_t		size;
	uint8_t		log2_k;
	uint8_t		dense;
	uint8_t		log2_slots;
} pds_minhash_plan;

/*
 * Before a union with a sketch of this k that has registers (dense) or so many tokens.
 * Returns false when b will do as it is; an undecided b takes the k.
 */
extern bool pds_minhash_plan_merge(pds_minhash_build *b, int log2_k, bool dense,
								   uint32_t tokens, pds_minhash_plan *plan);

/*
 * Add a token of b's k to a state of tokens.  Errors: PDS_FULL.
 *
 * A token that somebody chose to crowd together with others takes up to 65,536 steps.  Hence a poll
 * every so many tokens of a list.
 */
#define PDS_MINHASH_POLL_TOKENS	256

extern pds_status pds_minhash_add_token(pds_minhash_build *b, uint64_t token);

/*
 * Add a value by its hash.  The kind of value is the caller's business.  Errors:
 * PDS_FULL.
 */
static inline pds_status
pds_minhash_add(pds_minhash_build *b, pds_hash h)
{
	uint64_t	token = pds_minhash_token(h, b->log2_k);
	uint16_t   *at;
	uint16_t	value;

	if (!b->dense)
		return pds_minhash_add_token(b, token);
	at = pds_minhash_registers(b) + pds_minhash_token_bin(token);
	value = pds_minhash_token_register(token);
	/* seldom true: no store, and a branch that is predicted */
	if (value > *at)
		*at = value;
	return PDS_OK;
}

/*
 * The union of two images; "from", whose k is no smaller, is not changed.  Errors:
 * PDS_FULL, after which the union may be said again; PDS_PARAMETER_MISMATCH if the k
 * of "from" is smaller.
 */
extern pds_status pds_minhash_merge_build(pds_minhash_build *b, const pds_minhash_build *from);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_minhash_view
{
	PDS_VIEW_HEAD;				/* data_at: where the header ends */
	uint8_t		log2_k;
	uint8_t		base;			/* of the code of ranks, if dense */
	uint32_t	tokens;			/* if sparse */
	const uint8_t *data;		/* behind the fields */
	size_t		data_len;
} pds_minhash_view;

/* The longest fields that stand before the data. */
#define PDS_MINHASH_MAX_PREFIX	(PDS_HEADER_MAX_BYTES + 4)

/* pds_minhash_open() and pds_minhash_check() */
PDS_VIEW_FUNCTIONS(minhash);

/* As pds_minhash_merge_build; PDS_CORRUPT as well. */
extern pds_status pds_minhash_merge_view(pds_minhash_build *b, const pds_minhash_view *v);

/*
 * Read v->tokens tokens of a sparse view, in ascending order.  Errors: PDS_CORRUPT, also
 * for bytes that are no sketch; in no case is memory read outside of the data.
 */
extern pds_status pds_minhash_read_tokens(const pds_minhash_view *v, uint64_t *tokens);

/*
 * Read a view of any encoding as registers at a k that is no larger than its own.
 * Errors: PDS_CORRUPT, as above.
 */
extern pds_status pds_minhash_read_registers(const pds_minhash_view *v, int log2_k,
											 uint16_t *registers);

/*
 * The most bytes of a stored sketch, and of one of many values, unless somebody chooses the values
 * by their hashes.
 */
extern size_t pds_minhash_most_bytes(int log2_k);
extern size_t pds_minhash_full_bytes(int log2_k);

/* How the stored form of a building image will be. */
typedef struct pds_minhash_encoding
{
	size_t		bytes;			/* the most that it can take */
	size_t		scratch;		/* bytes to work in, aligned to 8 */
	uint8_t		base;			/* if dense: of the code of ranks */
} pds_minhash_encoding;

/* pds_minhash_rebuild() and others, and pds_minhash_ops: state_ops.h */
PDS_STATE_FUNCTIONS(minhash);

#endif
