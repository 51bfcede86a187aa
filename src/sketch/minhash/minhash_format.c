/*
 * minhash_format.c: the stored form of a MinHash sketch
 *
 *     header    3 bytes, and 4 if the kind has a signature (base/header.h)
 *     log2_k    1 byte, 4 to 16
 *
 * An empty sketch ends here.  A sparse one, of n tokens, 1 to k:
 *
 *     n         varint
 *     tokens    bits, ascending by bin and then by code.  Of each
 *                 gap    from the bin before (the first: from 0): gap >> r zeros and a
 *                        one, then the low r bits of the gap; r = floor(log2(k / n))
 *                 rank   rank - 1 zeros and a one
 *                 below  16 bits
 *
 * A dense one, of k registers:
 *
 *     base      1 byte, 0 to 48: that with which the registers are fewest bits, of
 *               several the smallest
 *     registers bits, by bin.  Of each d = rank - base, where the rank of an empty bin
 *               is 0,
 *
 *                   d = 0   0 0           d = -1        1 0 0
 *                   d = 1   0 1           d = 2         1 0 1
 *                   d >= 3  1 1 0, d - 3 zeros and a one
 *                   d <= -2 1 1 1, -2 - d zeros and a one
 *
 *               and 6 bits "below" unless the bin is empty
 *
 * Bits fill bytes from the lowest bit up, numbers lowest bit first; the last byte is
 * filled up with zeros.
 *
 * Why this code: the smallest of many hashes is of a rank whose distribution has one
 * shape, moved by the logarithm of how many there were.  Its entropy is 2.83 bits, and
 * these take 2.94 to 3.0.
 */
#include <math.h>

#include "minhash.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"

static const char cut_off[] = "The data is cut off.";
static const char too_long[] = "There is more data than the registers take.";
static const char bad_rank[] = "A rank is out of range.";

#define LOW_BITS(n)		((UINT32_C(1) << (n)) - 1)

static inline int
gap_bits(int log2_k, uint32_t tokens)
{
	return pds_log2_64((UINT64_C(1) << log2_k) / tokens);
}

static inline uint32_t
register_rank(uint16_t value)
{
	return (uint32_t) value >> PDS_MINHASH_REGISTER_BITS;
}

/* ---------- the code of ranks ---------- */

static inline uint32_t
rank_code_bits(int d)
{
	if (d >= 3)
		return (uint32_t) d + 1;
	if (d <= -2)
		return (uint32_t) (2 - d);
	return d == 0 || d == 1 ? 2 : 3;
}

static void
put_rank(pds_bit_writer *w, int d)
{
	if (d >= 3)
	{
		pds_bits_put(w, 3, 3);
		pds_bits_put_unary(w, (uint64_t) (d - 3));
	}
	else if (d <= -2)
	{
		pds_bits_put(w, 7, 3);
		pds_bits_put_unary(w, (uint64_t) (-2 - d));
	}
	else if (d == 0 || d == 1)
		pds_bits_put(w, (uint64_t) d << 1, 2);
	else
		pds_bits_put(w, d == 2 ? 5 : 1, 3);
}

/*
 * What is read may be as far off as the data has zeros.  Most ranks follow from three bits, and
 * these are looked up: a branch for each bit would be mispredicted half of the time.
 */
static inline int64_t
get_rank(pds_bit_reader *r)
{
	static const int8_t ranks[8] = {0, -1, 1, 0, 0, 2, 1, 0};
	static const uint8_t lengths[8] = {2, 3, 2, 0, 2, 3, 2, 0};

	if (r->fill < 3)
		pds_bits_refill(r);
	if (__builtin_expect(r->fill >= 3 && lengths[r->acc & 7] > 0, 1))
	{
		int			rank = ranks[r->acc & 7];
		int			length = lengths[r->acc & 7];

		r->acc >>= length;
		r->fill -= length;
		return rank;
	}
	if (pds_bits_get(r, 1) == 0)
		return pds_bits_get(r, 1);
	if (pds_bits_get(r, 1) == 0)
		return pds_bits_get(r, 1) == 0 ? -1 : 2;
	if (pds_bits_get(r, 1) == 0)
		return 3 + (int64_t) pds_bits_get_unary(r);
	return -2 - (int64_t) pds_bits_get_unary(r);
}

/* The base for registers of which so many have which rank; *bits they take with it. */
static uint8_t
best_base(const uint32_t *ranks, size_t *bits)
{
	uint8_t		best = 0;

	*bits = SIZE_MAX;
	for (int base = 0; base <= PDS_MINHASH_RANKS; base++)
	{
		size_t		sum = 0;

		for (int rank = 0; rank <= PDS_MINHASH_RANKS; rank++)
			sum += (size_t) ranks[rank] *
				(rank_code_bits(rank - base) + (rank > 0 ? PDS_MINHASH_REGISTER_BITS : 0));
		if (sum < *bits)
		{
			*bits = sum;
			best = (uint8_t) base;
		}
	}
	return best;
}

/* ---------- writing ---------- */

/* Bytes before the data, without the count of tokens or the base. */
static size_t
head_bytes(const pds_minhash_build *b)
{
	return pds_header_bytes(b->dense || b->tokens > 0 ? PDS_MINHASH_SPARSE : PDS_MINHASH_EMPTY,
							pds_state_kind(b)) + 1;
}

void
pds_minhash_measure(pds_minhash_build *b, pds_minhash_encoding *x)
{
	size_t		bits = 0;

	x->base = 0;
	x->scratch = 0;
	x->bytes = head_bytes(b);
	if (b->dense)
	{
		uint32_t	ranks[PDS_MINHASH_RANKS + 1] = {0};
		const uint16_t *registers = pds_minhash_registers(b);

		for (uint32_t i = 0; i < UINT32_C(1) << b->log2_k; i++)
			ranks[register_rank(registers[i])]++;
		x->base = best_base(ranks, &bits);
		x->bytes += 1 + bits / 8 + 1;
	}
	else if (b->tokens > 0)
	{
		x->scratch = (size_t) b->tokens * sizeof(uint64_t);
		for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
			bits += ((uint32_t) b->words[i] & PDS_MINHASH_CODE_MASK) >> PDS_MINHASH_TOKEN_BITS;
		bits += (size_t) b->tokens *
			(size_t) (1 + gap_bits(b->log2_k, b->tokens) + PDS_MINHASH_TOKEN_BITS);
		/* of the gaps, which are below k in all, what is above their low bits */
		bits += ((size_t) 1 << b->log2_k) >> gap_bits(b->log2_k, b->tokens);
		x->bytes += PDS_VARINT_MAX_BYTES + bits / 8 + 1;
	}
}

/* In ascending order; returns how many: fewer than b->tokens only of a damaged state. */
static uint32_t
sorted_tokens(const pds_minhash_build *b, uint64_t *list)
{
	uint32_t	n = 0;
	uint32_t	distinct = 0;

	for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
		if (b->words[i] != 0)
			list[n++] = b->words[i];
	pds_sort_words(list, n);
	for (uint32_t i = 0; i < n; i++)
		if (distinct == 0 || list[distinct - 1] != list[i])
			list[distinct++] = list[i];
	return distinct;
}

static size_t
write_tokens(uint8_t *out, const uint64_t *list, uint32_t n, int log2_k)
{
	pds_bit_writer w;
	int			r = gap_bits(log2_k, n);
	uint32_t	before = 0;

	pds_bits_open(&w, out);
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	bin = pds_minhash_token_bin(list[i]);
		uint32_t	code = (uint32_t) list[i] & PDS_MINHASH_CODE_MASK;

		pds_bits_put_unary(&w, (bin - before) >> r);
		pds_bits_put(&w, (bin - before) & LOW_BITS(r), r);
		pds_bits_put_unary(&w, (code >> PDS_MINHASH_TOKEN_BITS) - 1);
		pds_bits_put(&w, code & LOW_BITS(PDS_MINHASH_TOKEN_BITS), PDS_MINHASH_TOKEN_BITS);
		before = bin;
	}
	return pds_bits_close(&w);
}

static size_t
write_registers(uint8_t *out, const uint16_t *registers, int log2_k, int base)
{
	pds_bit_writer w;

	pds_bits_open(&w, out);
	for (uint32_t i = 0; i < UINT32_C(1) << log2_k; i++)
	{
		uint32_t	rank = register_rank(registers[i]);

		put_rank(&w, (int) rank - base);
		if (rank > 0)
			pds_bits_put(&w, registers[i] & LOW_BITS(PDS_MINHASH_REGISTER_BITS),
						 PDS_MINHASH_REGISTER_BITS);
	}
	return pds_bits_close(&w);
}

size_t
pds_minhash_encode(pds_minhash_build *b, const pds_minhash_encoding *x, void *scratch,
				   uint8_t *out)
{
	uint8_t		encoding = b->dense ? PDS_MINHASH_DENSE :
		b->tokens > 0 ? PDS_MINHASH_SPARSE : PDS_MINHASH_EMPTY;
	size_t		at = pds_header_put(out, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE, encoding,
									pds_state_kind(b));

	out[at++] = b->log2_k;
	if (encoding == PDS_MINHASH_DENSE)
	{
		out[at++] = x->base;
		at += write_registers(out + at, pds_minhash_registers(b), b->log2_k, x->base);
	}
	else if (encoding == PDS_MINHASH_SPARSE)
	{
		uint32_t	n = sorted_tokens(b, scratch);

		at += pds_varint_put(out + at, n);
		at += write_tokens(out + at, scratch, n, b->log2_k);
	}
	return at;
}

/*
 * Of k tokens: 1 bit of each gap and k of all, 2 bits of a rank on average, and 16.  The standard
 * deviation of a rank is 1.41 bits, of which six times are added.
 */
size_t
pds_minhash_most_bytes(int log2_k)
{
	double		k = ldexp(1, log2_k);

	return (size_t) ceil(PDS_MINHASH_MAX_PREFIX + 3 + (20 * k + 8.5 * sqrt(k)) / 8);
}

/* Of k registers: 3 bits of a rank on average, with a standard deviation of 1.3 bits, and 6. */
size_t
pds_minhash_full_bytes(int log2_k)
{
	double		k = ldexp(1, log2_k);

	return (size_t) ceil(PDS_MINHASH_MAX_PREFIX + 1 + (9.01 * k + 8 * sqrt(k)) / 8);
}

/* ---------- reading ---------- */

static pds_status
open_fields(pds_minhash_view *v, const uint8_t *payload, size_t have, const char **why)
{
	size_t		at = v->data_at;

	if (v->encoding > PDS_MINHASH_DENSE)
		PDS_REFUSE(why, "The encoding is unknown.");
	if (have <= at)
		PDS_REFUSE(why, cut_off);
	v->log2_k = payload[at++];
	v->base = 0;
	v->tokens = 0;
	if (v->log2_k < PDS_MINHASH_MIN_LOG2_K || v->log2_k > PDS_MINHASH_MAX_LOG2_K)
		PDS_REFUSE(why, "The number of bins is out of range.");
	if (v->encoding == PDS_MINHASH_DENSE)
	{
		if (have <= at)
			PDS_REFUSE(why, cut_off);
		v->base = payload[at++];
		if (v->base > PDS_MINHASH_RANKS)
			PDS_REFUSE(why, bad_rank);
	}
	else if (v->encoding == PDS_MINHASH_SPARSE)
	{
		uint64_t	tokens;
		size_t		bytes = pds_varint_get(payload + at, have - at, &tokens);

		if (bytes == 0 || tokens == 0 || tokens > UINT64_C(1) << v->log2_k)
			PDS_REFUSE(why, "The number of values is out of range.");
		v->tokens = (uint32_t) tokens;
		at += bytes;
	}
	v->data = payload + at;
	v->data_len = have - at;
	return PDS_OK;
}

/* Tokens one after the other. */
typedef struct token_reader
{
	pds_bit_reader bits;
	int			gap_bits;
	int			log2_k;
	uint64_t	bin;			/* of the token before */
} token_reader;

static void
tokens_from(token_reader *t, const pds_minhash_view *v)
{
	pds_bits_from(&t->bits, v->data, v->data_len);
	t->gap_bits = gap_bits(v->log2_k, v->tokens);
	t->log2_k = v->log2_k;
	t->bin = 0;
}

/* Returns the next token, or 0 if the bytes are not a valid token. */
static inline uint64_t
next_token(token_reader *t)
{
	uint64_t	gap = pds_bits_get_unary(&t->bits);
	uint64_t	rank;

	if (gap >> t->log2_k != 0)
		return 0;
	gap = gap << t->gap_bits | pds_bits_get(&t->bits, t->gap_bits);
	t->bin += gap;
	rank = pds_bits_get_unary(&t->bits) + 1;
	if (t->bin >> t->log2_k != 0 || rank > PDS_MINHASH_RANKS)
		return 0;
	return t->bin << PDS_MINHASH_CODE_BITS | rank << PDS_MINHASH_TOKEN_BITS |
		pds_bits_get(&t->bits, PDS_MINHASH_TOKEN_BITS);
}

/* The next register; UINT16_MAX if its bits are no register. */
static inline uint16_t
next_register(pds_bit_reader *bits, int base)
{
	int64_t		rank = base + get_rank(bits);

	if (rank < 0 || rank > PDS_MINHASH_RANKS)
		return UINT16_MAX;
	if (rank == 0)
		return 0;
	return (uint16_t) ((uint32_t) rank << PDS_MINHASH_REGISTER_BITS |
					   pds_bits_get(bits, PDS_MINHASH_REGISTER_BITS));
}

static pds_status
check_tokens(const pds_minhash_view *v, const char **why)
{
	token_reader t;
	uint64_t	before = 0;

	tokens_from(&t, v);
	for (uint32_t i = 0; i < v->tokens; i++)
	{
		uint64_t	token = next_token(&t);

		if (t.bits.overrun)
			PDS_REFUSE(why, cut_off);
		if (token == 0)
			PDS_REFUSE(why, "A value is out of range.");
		if (token <= before)
			PDS_REFUSE(why, "Values are not in order.");
		before = token;
	}
	if (!pds_bits_at_end(&t.bits))
		PDS_REFUSE(why, "There is more data than the values take.");
	return PDS_OK;
}

/* How many tokens there can be that make no larger a register than this. */
static inline uint32_t
tokens_up_to(uint16_t value)
{
	return value == 0 ? 0 :
		((uint32_t) value - LOW_BITS(PDS_MINHASH_REGISTER_BITS)) << PDS_MINHASH_CUT_BITS;
}

static pds_status
check_registers(const pds_minhash_view *v, const char **why)
{
	uint32_t	ranks[PDS_MINHASH_RANKS + 1] = {0};
	uint32_t	k = UINT32_C(1) << v->log2_k;
	uint64_t	possible = 0;
	size_t		bits;
	pds_bit_reader r;

	pds_bits_from(&r, v->data, v->data_len);
	for (uint32_t i = 0; i < k; i++)
	{
		uint16_t	value = next_register(&r, v->base);

		if (r.overrun)
			PDS_REFUSE(why, cut_off);
		if (value == UINT16_MAX)
			PDS_REFUSE(why, bad_rank);
		ranks[register_rank(value)]++;
		possible += tokens_up_to(value);
	}
	if (!pds_bits_at_end(&r))
		PDS_REFUSE(why, too_long);
	if (best_base(ranks, &bits) != v->base)
		PDS_REFUSE(why, "The registers are not coded in the shortest way.");
	if (possible <= k)
		PDS_REFUSE(why, "A sketch of so few values is stored as values.");
	return PDS_OK;
}

static pds_status
check_view(const pds_minhash_view *v, const char **why)
{
	switch (v->encoding)
	{
		case PDS_MINHASH_SPARSE:
			return check_tokens(v, why);
		case PDS_MINHASH_DENSE:
			return check_registers(v, why);
		default:
			if (v->data_len != 0)
				PDS_REFUSE(why, "An empty sketch has data.");
			return PDS_OK;
	}
}

PDS_VIEW_READERS(minhash, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE + 1)

pds_status
pds_minhash_read_tokens(const pds_minhash_view *v, uint64_t *tokens)
{
	token_reader t;

	if (v->tokens == 0)
		return PDS_OK;
	tokens_from(&t, v);
	for (uint32_t i = 0; i < v->tokens; i++)
	{
		tokens[i] = next_token(&t);
		if (tokens[i] == 0 || (i > 0 && tokens[i] <= tokens[i - 1]))
			return PDS_CORRUPT;
	}
	return t.bits.overrun ? PDS_CORRUPT : PDS_OK;
}

/* Raise registers to those that a sketch has at this k. */
static pds_status
raise_registers(const pds_minhash_view *v, int log2_k, uint16_t *registers)
{
	uint32_t	mask = LOW_BITS(log2_k);
	pds_bit_reader r;
	token_reader t;

	if (v->encoding == PDS_MINHASH_DENSE)
	{
		pds_bits_from(&r, v->data, v->data_len);
		for (uint32_t i = 0; i < UINT32_C(1) << v->log2_k; i++)
		{
			uint16_t	value = next_register(&r, v->base);

			if (value == UINT16_MAX)
				return PDS_CORRUPT;
			if (value > registers[i & mask])
				registers[i & mask] = value;
		}
		return r.overrun ? PDS_CORRUPT : PDS_OK;
	}
	if (v->encoding == PDS_MINHASH_EMPTY)
		return PDS_OK;
	tokens_from(&t, v);
	for (uint32_t i = 0; i < v->tokens; i++)
	{
		uint64_t	token = next_token(&t);
		uint32_t	bin = pds_minhash_token_bin(token) & mask;

		if (token == 0)
			return PDS_CORRUPT;
		if (pds_minhash_token_register(token) > registers[bin])
			registers[bin] = pds_minhash_token_register(token);
	}
	return t.bits.overrun ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_minhash_read_registers(const pds_minhash_view *v, int log2_k, uint16_t *registers)
{
	memset(registers, 0, sizeof(*registers) << log2_k);
	return raise_registers(v, log2_k, registers);
}

/* ---------- a union ---------- */

static pds_status
merge_tokens(pds_minhash_build *b, const pds_minhash_view *v)
{
	token_reader t;

	tokens_from(&t, v);
	for (uint32_t i = 0; i < v->tokens; i++)
	{
		uint64_t	token = next_token(&t);
		pds_status	status;

		pds_poll_every(i, PDS_MINHASH_POLL_TOKENS);
		if (token == 0 || t.bits.overrun)
			return PDS_CORRUPT;
		status = pds_minhash_add_token(b, pds_minhash_token_at(token, b->log2_k));
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}

pds_status
pds_minhash_merge_view(pds_minhash_build *b, const pds_minhash_view *v)
{
	if (v->log2_k < b->log2_k)
		return PDS_PARAMETER_MISMATCH;
	if (v->encoding == PDS_MINHASH_EMPTY)
		return PDS_OK;
	if (b->dense)
		return raise_registers(v, b->log2_k, pds_minhash_registers(b));
	return v->encoding == PDS_MINHASH_DENSE ? PDS_FULL : merge_tokens(b, v);
}
