/*
 * hll.h: HyperLogLog, how many distinct values there were
 *
 * Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog", 2007.  There are m = 2^p registers, and
 * each holds the largest rank among the hashes that fell to it.  Small sketches are near-exact
 * in the manner of Heule, Nunkesser, Hall, "HyperLogLog in Practice", 2013.  The estimators are
 * those of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017
 * (hll_estimate.h).
 *
 * From hash to register.  With h the first 64 bits of the hash and p the
 * precision (4 to 18):
 *
 *     index = h mod 2^p
 *     rank  = trailing zeros of (h >> p), plus 1; 65 - p if all are zero
 *
 * From hash to token.  While few values have been added a sketch does not hold
 * registers but the set of
 *
 *     cell  = h mod 2^26
 *     rank  = trailing zeros of (h >> 26), plus 1; kept only where cell < 2^p,
 *             for elsewhere the cell alone tells the rank at precision p
 *
 * which counts up to some thousands of values with an error of 0.009 %, and
 * from which the registers of any precision up to 26 follow.
 *
 * The state, and so its stored bytes, depends only on the set of hashes and the precision, not
 * on the order of adds and merges.  It consists of tokens while there are at most 3/16 * 2^p of
 * them, and of registers beyond that.
 *
 * A sketch that was imported from another system (hll_foreign.h) has the registers of the
 * original, however few values there are.  Sketches of Redis and Apache DataSketches have a
 * hash family of their own and continue to hash in it.  They differ from the above as follows:
 *
 *     family       hash                    index           rank               p
 *     redis        MurmurHash64A           h mod 2^p       as native          4 to 14
 *     datasketches MurmurHash3, seed 9001  h1 mod 2^p      leading zeros of   4 to 18
 *                                                          h2, plus 1, to 63
 *     int32        as native, of the 4     as native       as native          4 to 18
 *                  bytes of an integer
 *
 * A DataSketches rank is the same at every precision; the others lengthen by the
 * bits that the index loses.
 */
#ifndef PDS_SKETCH_HLL_HLL_H
#define PDS_SKETCH_HLL_HLL_H

#include "state_ops.h"

/* ---------- precisions, hash families and ranks ---------- */

#define PDS_HLL_MIN_PRECISION		4
#define PDS_HLL_MAX_PRECISION		18
#define PDS_HLL_DEFAULT_PRECISION	14

/* A token's cell has this many bits. */
#define PDS_HLL_CELL_BITS			26

/*
 * Hash families beside PDS_FAMILY_NATIVE.  The family of 4-byte integers is native, except that
 * it hashes 4 bytes (hll_hash_integer() of postgresql-hll).
 */
#define PDS_HLL_REDIS			1
#define PDS_HLL_DATASKETCHES	2
#define PDS_HLL_INT32			3
#define PDS_HLL_FAMILIES		4

/* Can a sketch of this family hold tokens?  The others are always of registers. */
static inline bool
pds_hll_has_tokens(int family)
{
	return family == PDS_FAMILY_NATIVE || family == PDS_HLL_INT32;
}

/* The only precision that Redis has; ours are folded from it. */
#define PDS_HLL_REDIS_PRECISION	14

/* One past the largest register value at any precision of any family. */
#define PDS_HLL_RANKS				64

/* How many registers there are: 2^precision. */
static inline uint32_t
pds_hll_registers(int precision)
{
	return UINT32_C(1) << precision;
}

/* The largest register value: 64 - p bits of zeros, plus 1. */
static inline int
pds_hll_max_rank(int precision)
{
	return 65 - precision;
}

/* The same in any family. */
static inline int
pds_hll_top_rank(int family, int precision)
{
	return family == PDS_HLL_DATASKETCHES ? 63 : pds_hll_max_rank(precision);
}

/* The highest precision of a family. */
static inline int
pds_hll_top_precision(int family)
{
	return family == PDS_HLL_REDIS ? PDS_HLL_REDIS_PRECISION : PDS_HLL_MAX_PRECISION;
}

/* Returns whether a sketch of this family can hold values of this kind (not PDS_KIND_NONE). */
static inline bool
pds_hll_family_holds(int family, pds_kind kind)
{
	if (family == PDS_FAMILY_NATIVE)
		return true;
	if (family == PDS_HLL_INT32)
		return kind == PDS_KIND_NUMBER;
	if (family == PDS_HLL_DATASKETCHES &&
		(kind == PDS_KIND_NUMBER || kind == PDS_KIND_FLOAT))
		return true;
	return kind == PDS_KIND_STRING || kind == PDS_KIND_BYTES || kind == PDS_KIND_HASH;
}

/* The most tokens that a sketch holds before it turns to registers. */
static inline uint32_t
pds_hll_max_tokens(int precision)
{
	return UINT32_C(3) << (precision - 4);
}

/* ---------- what is known of a sketch ---------- */

/* Encodings of the stored form. */
#define PDS_HLL_EMPTY	PDS_ENCODING_EMPTY
#define PDS_HLL_SPARSE	1
#define PDS_HLL_DENSE	2

/*
 * The input of the estimators: the number of tokens, or the number of registers of each value.
 */
typedef struct pds_hll_summary
{
	uint8_t		family;
	uint8_t		precision;
	bool		dense;
	uint32_t	tokens;			/* if not dense */
	uint32_t	histogram[PDS_HLL_RANKS];	/* if dense; sums to 2^p */
} pds_hll_summary;

/* ---------- the building form ---------- */

/*
 * Hashes wait in a ring, and many are inserted at a time.  Among thousands of groups every
 * access to a table or register is a cache miss, and this way the misses overlap.
 */
#define PDS_HLL_RING	8

/*
 * What an add reads and writes stands first, so that it is often in one cache line: 16 bytes and
 * the ring.
 *
 *     0      4      7         8         12    13      14    15        16   48    52     56   60
 *     +------+------+---------+---------+-----+-------+-----+---------+----+-----+------+----+-----
 *     |varl. |header|precision|signature|dense|pending|space|undecided|ring|slots|tokens|tail|words
 *     +------+------+---------+---------+-----+-------+-----+---------+----+-----+------+----+-----
 */
typedef struct pds_hll_build
{
	PDS_STATE_HEAD(uint8_t precision);
	uint8_t		dense;			/* 0: tokens; 1: registers */
	uint8_t		pending;		/* how many wait in the ring */
	uint8_t		space;			/* how many may: never more than what the
								 * table takes, so that emptying cannot fail */
	uint8_t		undecided;		/* a union of nothing yet: takes the precision
								 * of the first sketch that it meets */
	uint32_t	ring[PDS_HLL_RING];
	uint32_t	slots;			/* size of the token table; if dense, 0 */
	uint32_t	tokens;			/* how many of them are taken; how long a log
								 * is; if dense, 0 */
	uint32_t	tail;			/* the table's last cluster from here on, if it
								 * ran into the end; else its size; or
								 * PDS_HLL_LOG; if dense, 0 */

	/* If not dense, the token table or log (hll.c).  If dense, 2^p registers of one byte. */
	uint32_t	words[];
} pds_hll_build;

/* pds_hll_build.tail if the tokens are a log, in no order, and some perhaps twice */
#define PDS_HLL_LOG		UINT32_MAX

static inline bool
pds_hll_is_log(const pds_hll_build *b)
{
	return b->tail == PDS_HLL_LOG;
}

/* So many tokens it has for certain. */
static inline uint32_t
pds_hll_tokens_at_least(const pds_hll_build *b)
{
	return b->dense || pds_hll_is_log(b) ? 0 : b->tokens;
}

static inline uint8_t *
pds_hll_build_registers(const pds_hll_build *b)
{
	return (uint8_t *) b->words;
}

/* Bytes of a building image: as small as possible, and to hold registers. */
#define PDS_HLL_FIRST_SIZE		128

static inline size_t
pds_hll_dense_size(int precision)
{
	return sizeof(pds_hll_build) + pds_hll_registers(precision);
}

/*
 * An image that becomes registers where it is.  Up to 8 kB the server's allocator gives a power of
 * two anyway, and what is left makes the log longer.
 */
#define PDS_HLL_LARGEST_CHUNK	8192

static inline size_t
pds_hll_roomy_size(int precision)
{
	size_t		size = PDS_HLL_FIRST_SIZE;

	while (size < pds_hll_dense_size(precision))
		size *= 2;
	return size <= PDS_HLL_LARGEST_CHUNK ? size : pds_hll_dense_size(precision);
}

/*
 * Make an empty sketch of a family in size bytes at b, aligned to 4 bytes.  It has registers, all
 * of them 0, if "dense", and then size is at least pds_hll_dense_size(); otherwise it has tokens,
 * and size is at least PDS_HLL_FIRST_SIZE.  The varlena word is left alone.
 */
extern void pds_hll_build_init(pds_hll_build *b, size_t size, int precision, int family,
							   bool dense);

/*
 * What image a state should move to: how many bytes, at which precision, as
 * registers or tokens.
 */
typedef struct pds_hll_plan
{
	size_t		size;
	uint8_t		precision;
	bool		dense;
	bool		empty;			/* as nothing, of this hash family */
	uint8_t		family;
	bool		log;			/* the tokens as a log, if it has a ring */
} pds_hll_plan;

/*
 * For a new image that is expected to get so many values: the table that it would grow to if half
 * of them were distinct.  The largest table becomes registers where it is.  Returns false if that
 * is the one it has, or has more than "most" bytes.
 */
extern bool pds_hll_plan_start(const pds_hll_build *b, uint64_t values, size_t most,
							   pds_hll_plan *plan);

/*
 * Before a union with a sketch of this precision that holds registers (dense)
 * or at least so many tokens.  Returns false when b will do as it is.  Token by
 * token a PDS_FULL is still possible: that is when registers become necessary.
 * Empties the ring.
 */
extern bool pds_hll_plan_merge(pds_hll_build *b, size_t size, int precision,
							   bool dense, uint32_t tokens, pds_hll_plan *plan);

/* Work in the hashes that wait in the ring, and make a table or registers of a log. */
extern void pds_hll_flush(pds_hll_build *b);

/* Work in the hashes that wait in the ring, or move them to the log. */
extern void pds_hll_empty_ring(pds_hll_build *b);

/* How many tokens more the table takes.  Empties the ring.  Not for registers. */
extern uint32_t pds_hll_table_space(pds_hll_build *b);

/* The token of a hash at a precision. */
static inline uint32_t
pds_hll_token(uint64_t h, int precision)
{
	uint32_t	cell = (uint32_t) h & ((UINT32_C(1) << PDS_HLL_CELL_BITS) - 1);

	if ((cell >> precision) != 0)
		return cell << 6;
	/* the guard bit makes 39 of "all zero" */
	return (cell << 6) |
		(uint32_t) (pds_ctz64((h >> PDS_HLL_CELL_BITS) |
							  (UINT64_C(1) << (64 - PDS_HLL_CELL_BITS))) + 1);
}

/*
 * Apply a token of any precision to the registers at precision p.
 */
static inline void
pds_hll_token_to_register(uint8_t *registers, uint32_t token, int p)
{
	uint32_t	cell = token >> 6;
	uint32_t	index = cell & ((UINT32_C(1) << p) - 1);
	uint32_t	above = cell >> p;
	uint8_t		rank;

	if (above != 0)
		rank = (uint8_t) (pds_ctz32(above) + 1);
	else
		rank = (uint8_t) ((token & 63) + (uint32_t) (PDS_HLL_CELL_BITS - p));
	/* without a branch: it would be mispredicted half of the time */
	registers[index] = registers[index] > rank ? registers[index] : rank;
}

/* What a token becomes at a lower precision p. */
static inline uint32_t
pds_hll_token_at(uint32_t token, int p)
{
	return ((token >> 6) >> p) != 0 ? token & ~UINT32_C(63) : token;
}

/* Add a token (or its rank, if dense), past the ring; not to a log.  Errors: PDS_FULL. */
extern pds_status pds_hll_add_token(pds_hll_build *b, uint32_t token);

/*
 * Add a value by the first 64 bits of its hash.  Errors: PDS_FULL.  The kind
 * of value is the caller's business (pds_kind_join).
 */
static inline pds_status
pds_hll_add(pds_hll_build *b, uint64_t h)
{
	int			p = b->precision;
	uint32_t	word;

	if (b->dense)
	{
		uint64_t	rest = h >> p;
		uint32_t	index = (uint32_t) h & ((UINT32_C(1) << p) - 1);
		uint32_t	rank = (uint32_t) (rest != 0 ? pds_ctz64(rest) : 64 - p) + 1;

		word = (index << 6) | rank;
	}
	else
	{
		word = pds_hll_token(h, p);
		if (b->space == 0)
			return pds_hll_add_token(b, word);
	}
	b->ring[b->pending++] = word;
	if (b->pending == b->space)
		pds_hll_empty_ring(b);
	return PDS_OK;
}

/*
 * The union of two building images; "from" is not changed.  Errors: PDS_FULL,
 * after which the union may be said again; PDS_PARAMETER_MISMATCH if "from" has
 * the lower precision (rebuild b at that first).
 */
extern pds_status pds_hll_merge_build(pds_hll_build *b, const pds_hll_build *from);

/*
 * The union with n tokens in ascending order (zeros are passed over), of b's
 * precision or a higher one.  A list may come in several parts: *next is
 * UINT32_MAX before the first and is passed on from part to part.  Errors:
 * PDS_FULL, after which all may be said again.
 */
extern pds_status pds_hll_merge_tokens(pds_hll_build *b, const uint32_t *tokens,
									   uint32_t n, uint32_t *next);

/*
 * These empty the ring, but do not change the state.  The tokens of b in
 * ascending order are b->tokens of them, so flush b before you measure out.
 */
extern void pds_hll_summarize_build(pds_hll_build *b, pds_hll_summary *s);
extern void pds_hll_sorted_tokens(pds_hll_build *b, uint32_t *out);

/* ---------- the stored form ---------- */

/* A stored sketch, read in place. */
typedef struct pds_hll_view
{
	PDS_VIEW_HEAD;				/* data_at: where the header ends */
	uint8_t		precision;
	uint32_t	tokens;			/* if sparse */
	uint32_t	histogram[PDS_HLL_RANKS];	/* if dense */
	const uint8_t *data;		/* what follows count or histogram */
	size_t		data_len;
} pds_hll_view;

/* The longest header, count or histogram that stands before the data. */
#define PDS_HLL_MAX_PREFIX	(PDS_HEADER_MAX_BYTES + 3 + 3 * PDS_HLL_RANKS)

/* pds_hll_open(), to which PDS_HLL_MAX_PREFIX bytes are enough for the summary; pds_hll_check() */
PDS_VIEW_FUNCTIONS(hll);

extern void pds_hll_summarize(const pds_hll_view *v, pds_hll_summary *s);

/* The most bytes of a stored sketch, unless somebody chooses its values by their hashes. */
extern size_t pds_hll_most_bytes(int precision);

/*
 * Add a stored sketch to a building one of at most its precision.  Errors: as
 * pds_hll_merge_build, and PDS_CORRUPT.
 */
extern pds_status pds_hll_merge_view(pds_hll_build *b, const pds_hll_view *v);

/* The same for a list of tokens that is certain to fit: merge_plainly() of base/state_ops.h. */
extern pds_status pds_hll_merge_plainly(void *image, const uint8_t *payload, size_t len);

typedef pds_encoding pds_hll_encoding;

/* pds_hll_rebuild() and others, and pds_hll_ops: state_ops.h */
PDS_STATE_FUNCTIONS(hll);

#endif
