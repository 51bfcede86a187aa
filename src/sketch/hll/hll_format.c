/*
 * hll_format.c: the stored form of a HyperLogLog sketch
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x11              sketch type 1, format version 1
 *     1     family | encoding family 0 native, 1 redis, 2 datasketches, 3 int32 (hll.h);
 *                             encoding 0 empty, 1 sparse (native, int32), 2 dense
 *     2     kind of value     0 if and only if empty; one that the family holds
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   precision p       4 to 18; 4 to 14 of redis
 *
 * Empty: nothing more.
 *
 * Sparse, the tokens in ascending order (hll.h tells what a token is):
 *
 *     ...   varint            n, how many: 1 to 3/16 * 2^p
 *     ...   bits              for each: its cell less the one before, less 1 (the
 *                             first: the cell itself), Rice coded: the gap >> k
 *                             in unary (so many zeros, then a one), then its low
 *                             k bits; then, if the cell is below 2^p, 6 bits of
 *                             rank.  k is the largest with n * 2^k <= 64587157:
 *                             2 ln(golden ratio) * 2^26, where the gaps' geometric
 *                             distribution makes k and k + 1 cost alike.
 *
 * Dense:
 *
 *     ...   lo                the smallest register value that occurs
 *     ...   hi                the largest
 *     ...   varints           for each value from lo to hi, how many registers
 *                             have it
 *     ...   registers         packed as hll_registers.h draws it
 *
 * The histogram takes some 25 bytes and is enough to estimate the cardinality without the
 * registers. So a large value needs one TOAST chunk for that, not all of them.
 *
 * Example, {1::bigint} at precision 14, h1 = 0x004403b7fb05c44a:
 *
 *     11 01 01 0e 01 2a 11 17 04
 *
 * which doc/format.md works through.
 */
#include <math.h>

#include "varint.h"
#include "vector.h"
#include "hll.h"
#include "hll_registers.h"
#include "hll_tokens.h"

/*
 * Of registers: 3.17 bits each, which they take on average where they take most, and six times the
 * standard deviation of that, which is in the exceptions.  Before that, of as many tokens as there
 * can be: all that their gaps can take.
 */
size_t
pds_hll_most_bytes(int precision)
{
	double		m = pds_hll_registers(precision);
	uint32_t	n = pds_hll_max_tokens(precision);
	int			k = pds_hll_rice_parameter(n);
	double		dense = 48 + (3.17 * m + 4 * sqrt(m)) / 8;
	double		sparse = PDS_HEADER_MAX_BYTES + 4 +
		((double) n * (k + 1) + ldexp(1, PDS_HLL_CELL_BITS - k)) / 8;

	return (size_t) ceil(fmax(dense, sparse));
}

/* ---------- writing ---------- */

/* The most bytes that the stored form can take. */
static size_t
bound(const pds_hll_build *b)
{
	uint64_t	bits;
	int			k;

	if (b->dense)
	{
		/* every register an escape: 3 + 3 + 6 bits */
		return PDS_HLL_MAX_PREFIX +
			(size_t) pds_hll_registers(b->precision) * 12 / 8 + 2;
	}
	if (b->tokens == 0)
		return PDS_HLL_MAX_PREFIX;
	k = pds_hll_rice_parameter(b->tokens);
	bits = (uint64_t) b->tokens * (uint64_t) (k + 1 + 6) +
		(UINT64_C(1) << (PDS_HLL_CELL_BITS - k));
	return PDS_HLL_MAX_PREFIX + (size_t) (bits / 8) + 1;
}

void
pds_hll_measure(pds_hll_build *b, pds_hll_encoding *e)
{
	pds_hll_flush(b);
	e->bytes = bound(b);
	e->scratch = b->dense ? 0 : b->tokens * sizeof(uint32_t);
}

static size_t
encode_sparse(const uint32_t *tokens, uint32_t n, int p, uint8_t *out)
{
	pds_bit_writer w;
	size_t		at = pds_varint_put(out, n);
	int			k = pds_hll_rice_parameter(n);
	uint32_t	next = 0;

	pds_bits_open(&w, out + at);
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	cell = tokens[i] >> 6;
		uint32_t	gap = cell - next;

		pds_bits_put_unary(&w, gap >> k);
		pds_bits_put(&w, gap & ((UINT32_C(1) << k) - 1), k);
		if ((cell >> p) == 0)
			pds_bits_put(&w, tokens[i] & 63, 6);
		next = cell + 1;
	}
	return at + pds_bits_close(&w);
}

/* 0 if the registers are all empty. */
static size_t
encode_dense(const uint8_t *registers, int p, uint8_t *out)
{
	uint32_t	histogram[PDS_HLL_RANKS];
	pds_hll_packing pk;
	int			lo = 0;
	int			hi = PDS_HLL_RANKS - 1;
	size_t		at = 2;

	pds_hll_registers_histogram(registers, p, histogram);
	if (histogram[0] == pds_hll_registers(p))
		return 0;
	while (histogram[lo] == 0)
		lo++;
	while (histogram[hi] == 0)
		hi--;
	out[0] = (uint8_t) lo;
	out[1] = (uint8_t) hi;
	for (int v = lo; v <= hi; v++)
		at += pds_varint_put(out + at, histogram[v]);
	pk = pds_hll_packing_of(histogram, p);
	pds_hll_registers_pack(registers, p, &pk, out + at);
	return at + pk.bytes;
}

/* Write the header and the precision; returns how many bytes they take. */
static size_t
put_head(const pds_hll_build *b, uint8_t encoding, uint8_t *out)
{
	size_t		at = pds_header_put(out, PDS_TYPE_HLL, pds_state_family(b), encoding,
									pds_state_kind(b));

	out[at++] = b->precision;
	return at;
}

size_t
pds_hll_encode(pds_hll_build *b, const pds_hll_encoding *e, void *scratch, uint8_t *out)
{
	size_t		at;

	(void) e;
	pds_hll_flush(b);
	if (b->dense)
	{
		size_t		len;

		at = put_head(b, PDS_HLL_DENSE, out);
		len = encode_dense(pds_hll_build_registers(b), b->precision, out + at);
		if (len > 0)
			return at + len;
	}
	else if (b->tokens > 0)
	{
		pds_hll_sorted_tokens(b, scratch);
		at = put_head(b, PDS_HLL_SPARSE, out);
		return at + encode_sparse(scratch, b->tokens, b->precision, out + at);
	}
	return put_head(b, PDS_HLL_EMPTY, out);
}

/* ---------- reading ---------- */

/* lo, hi, and the histogram between them */
static pds_status
open_dense(pds_hll_view *v, const char **why)
{
	const uint8_t *data = v->data;
	size_t		len = v->data_len;
	size_t		at = 2;
	uint64_t	left = pds_hll_registers(v->precision);
	int			lo;
	int			hi;

	if (len < at)
		PDS_REFUSE(why, "It ends within its header.");
	lo = data[0];
	hi = data[1];
	if (lo > hi || hi == 0 || hi > pds_hll_top_rank(v->family, v->precision))
		PDS_REFUSE(why, "Its register values are out of range.");
	memset(v->histogram, 0, sizeof(v->histogram));
	for (int value = lo; value <= hi; value++)
	{
		uint64_t	count;
		size_t		n = pds_varint_get(data + at, len - at, &count);

		if (n == 0 || count > left ||
			(count == 0 && (value == lo || value == hi)))
			PDS_REFUSE(why, "Its histogram of register values is malformed.");
		v->histogram[value] = (uint32_t) count;
		left -= count;
		at += n;
	}
	if (left != 0)
		PDS_REFUSE(why, "Its histogram does not add up to the number of registers.");
	v->data = data + at;
	v->data_len = len - at;
	return PDS_OK;
}

static pds_status
open_fields(pds_hll_view *v, const uint8_t *payload, size_t have, const char **why)
{
	uint64_t	tokens;
	size_t		n;

	if (v->data_at == have)
		PDS_REFUSE(why, "It ends within its header.");
	v->precision = payload[v->data_at];
	v->tokens = 0;
	v->data = payload + v->data_at + 1;
	v->data_len = have - v->data_at - 1;
	if (v->precision < PDS_HLL_MIN_PRECISION || v->precision > PDS_HLL_MAX_PRECISION)
		PDS_REFUSE(why, "Its precision is not within 4 to 18.");
	if ((v->encoding == PDS_HLL_SPARSE && !pds_hll_has_tokens(v->family)) ||
		v->precision > pds_hll_top_precision(v->family) ||
		(v->kind != PDS_KIND_NONE && !pds_hll_family_holds(v->family, v->kind)))
		PDS_REFUSE(why, "Its hash family does not go with the rest of its header.");

	switch (v->encoding)
	{
		case PDS_HLL_EMPTY:
			return PDS_OK;
		case PDS_HLL_SPARSE:
			n = pds_varint_get(v->data, v->data_len, &tokens);
			if (n == 0 || tokens == 0 || tokens > pds_hll_max_tokens(v->precision))
				PDS_REFUSE(why, "Its number of values is malformed.");
			v->tokens = (uint32_t) tokens;
			v->data += n;
			v->data_len -= n;
			return PDS_OK;
		case PDS_HLL_DENSE:
			return open_dense(v, why);
		default:
			PDS_REFUSE(why, "Its encoding is not known to this release.");
	}
}

void
pds_hll_summarize(const pds_hll_view *v, pds_hll_summary *s)
{
	s->family = v->family;
	s->precision = v->precision;
	s->dense = v->encoding == PDS_HLL_DENSE;
	s->tokens = v->tokens;
	if (s->dense)
		memcpy(s->histogram, v->histogram, sizeof(s->histogram));
}

static pds_status
check_view(const pds_hll_view *v, const char **why)
{
	if (v->encoding == PDS_HLL_EMPTY)
	{
		if (v->data_len != 0)
			PDS_REFUSE(why, "There are bytes after its end.");
	}
	else if (v->encoding == PDS_HLL_SPARSE)
	{
		pds_hll_tokens r;

		pds_hll_tokens_from(&r, v->data, v->data_len, v->tokens, v->precision);
		for (uint32_t i = 0; i < v->tokens; i++)
			if (pds_hll_next_token(&r) == 0)
				PDS_REFUSE(why, "Its list of values is malformed.");
		if (pds_hll_tokens_overrun(&r))
			PDS_REFUSE(why, "Its list of values is malformed.");
		if (!pds_hll_tokens_at_end(&r))
			PDS_REFUSE(why, "There are bytes after its end.");
	}
	else
	{
		pds_hll_packing pk = pds_hll_packing_of(v->histogram, v->precision);

		if (v->data_len != pk.bytes)
			PDS_REFUSE(why, "Its length is not what its registers take.");
		if (!pds_hll_registers_check_packed(v->data, v->precision, &pk, v->histogram))
			PDS_REFUSE(why, "Its registers do not agree with their histogram.");
	}
	return PDS_OK;
}

PDS_VIEW_READERS(hll, PDS_TYPE_HLL, PDS_HLL_FAMILIES)

/* ---------- unions ---------- */

/* Takes one token of any kind.  Errors: PDS_CORRUPT if the bytes make none. */
static __attribute__((noinline)) pds_status
one_to_register(pds_hll_tokens *r, uint8_t *registers, int p)
{
	uint32_t	token = pds_hll_next_token(r);

	if (token == 0)
		return PDS_CORRUPT;
	pds_hll_token_to_register(registers, token, p);
	return PDS_OK;
}

/* A cell that tells its rank: above is what is above the index. */
static inline void
cell_to_register(uint8_t *registers, uint64_t cell, uint64_t above, uint32_t mask)
{
	uint32_t	index = (uint32_t) cell & mask;
	uint8_t		rank = (uint8_t) (pds_ctz64(above) + 1);

	registers[index] = registers[index] > rank ? registers[index] : rank;
}

/*
 * Where a token begins is known only when the one before it has been read, so the time goes into
 * that chain.  Hence a window of at least 56 bits in a register, from which two tokens are taken
 * before it is filled again, from an address that was known earlier.
 */
typedef struct token_window
{
	size_t		at;				/* the next byte, of which the window may have bits */
	uint64_t	window;
	uint64_t	next;			/* one past the last cell */
	uint32_t	bits;			/* in the window; what is above repeats byte "at" */
	uint32_t	k;
} token_window;

/* A window of what comes next. */
static inline void
open_window(token_window *w, const pds_hll_tokens *r)
{
	w->window = pds_bits_at(r->data, r->len, r->bit);
	w->next = r->next;
	w->bits = 56 - (uint32_t) (r->bit & 7);
	w->at = (r->bit >> 3) + 7;
	w->k = (uint32_t) r->k;
}

/*
 * Fill the window and take two tokens from it.  Returns false if it has them not whole, or if the
 * first has a rank: nothing is taken then.
 */
static inline bool
take_two(token_window *w, uint64_t more, uint8_t *registers, int p)
{
	const uint64_t guard = UINT64_C(1) << 63;	/* there is a bit to be found */
	const uint64_t low = (UINT64_C(1) << w->k) - 1;
	const uint32_t mask = pds_hll_registers(p) - 1;
	uint32_t	k = w->k;
	uint64_t	first;
	uint64_t	second;
	uint64_t	cell;
	uint64_t	above;
	uint32_t	zeros;
	uint32_t	zeros2;
	uint32_t	used;

	w->window |= more << w->bits;
	w->at += (63 - w->bits) >> 3;
	w->bits |= 56;

	first = w->window | guard;
	zeros = (uint32_t) pds_ctz64(first);
	second = first >> ((zeros + k + 1) & 63);
	zeros2 = (uint32_t) pds_ctz64(second);
	used = zeros + zeros2 + 2 * (k + 1);
	cell = w->next + ((uint64_t) zeros << k) + (first >> zeros >> 1 & low);
	above = cell >> p;
	if (used > 56 || above == 0)
		return false;
	cell_to_register(registers, cell, above, mask);
	cell += 1 + ((uint64_t) zeros2 << k) + (second >> zeros2 >> 1 & low);
	cell_to_register(registers, cell, cell >> p, mask);
	w->next = cell + 1;
	w->window >>= used;
	w->bits -= used;
	return true;
}

/*
 * Tokens that have a rank go one by one.  They come first, because their cells are the lowest.  So
 * do pairs too long for the window, and the last token of an odd number.
 */
PDS_BODY pds_status
to_registers_body(pds_path path, uint8_t *registers, int p, const uint8_t *data, size_t len,
				  uint32_t n)
{
	pds_hll_tokens r;

	(void) path;
	pds_hll_tokens_from(&r, data, len, n, p);
	while (n > 0)
	{
		if (n >= 2)
		{
			token_window w;
			bool		taken = true;

			open_window(&w, &r);
			/* pds_bits_at() alone would do, at 1.04 of the time for long lists */
			for (; taken && n >= 2 && w.at + 8 <= len; n -= taken ? 2 : 0)
				taken = take_two(&w, pds_load_le64(data + w.at), registers, p);
			for (; taken && n >= 2; n -= taken ? 2 : 0)
				taken = take_two(&w, pds_bits_at(data, len, 8 * w.at), registers, p);
			r.next = w.next;
			r.bit = 8 * w.at - w.bits;
		}
		if (n > 0)
		{
			if (one_to_register(&r, registers, p) != PDS_OK)
				return PDS_CORRUPT;
			n--;
		}
	}
	/* cells only grow, so the last one tells of all */
	return r.bit > 8 * len || (r.next - 1) >> PDS_HLL_CELL_BITS != 0 ? PDS_CORRUPT : PDS_OK;
}

PDS_PATHS(pds_status, to_registers,
		  (uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n),
		  registers, p, data, len, n)

pds_status
pds_hll_tokens_to_registers(uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n)
{
	return to_registers(registers, p, data, len, n);
}

/* The union with n tokens of a stored list.  Errors: PDS_FULL, PDS_CORRUPT. */
static pds_status
merge_list(pds_hll_build *b, const uint8_t *data, size_t len, uint32_t n, int precision)
{
	pds_hll_tokens r;
	uint32_t	next = UINT32_MAX;

	if (b->dense && b->precision == precision)
		return pds_hll_tokens_to_registers(pds_hll_build_registers(b), precision, data, len, n);
	pds_hll_tokens_from(&r, data, len, n, precision);
	while (n > 0)
	{
		uint32_t	tokens[256];
		uint32_t	part = n < 256 ? n : 256;
		pds_status	status;

		for (uint32_t i = 0; i < part; i++)
			if ((tokens[i] = pds_hll_next_token(&r)) == 0)
				return PDS_CORRUPT;
		if (pds_hll_tokens_overrun(&r))
			return PDS_CORRUPT;
		status = pds_hll_merge_tokens(b, tokens, part, &next);
		if (status != PDS_OK)
			return status;
		n -= part;
	}
	return PDS_OK;
}

pds_status
pds_hll_merge_view(pds_hll_build *b, const pds_hll_view *v)
{
	pds_hll_packing pk;

	if (v->precision < b->precision)
		return PDS_PARAMETER_MISMATCH;
	if (v->encoding == PDS_HLL_EMPTY)
		return PDS_OK;
	if (v->encoding == PDS_HLL_SPARSE)
		return merge_list(b, v->data, v->data_len, v->tokens, v->precision);

	if (!b->dense)
		return PDS_FULL;
	pk = pds_hll_packing_of(v->histogram, v->precision);
	if (v->data_len != pk.bytes)
		return PDS_CORRUPT;
	return pds_hll_registers_merge_packed(pds_hll_build_registers(b), b->precision,
										  v->data, &pk, v->precision, v->family);
}

pds_status
pds_hll_merge_plainly(void *image, const uint8_t *payload, size_t len)
{
	pds_hll_build *b = image;
	uint8_t		head[PDS_HEADER_BYTES] = {pds_header_byte0(PDS_TYPE_HLL), 0, b->header[2]};
	size_t		at = PDS_HEADER_BYTES;
	uint64_t	tokens;

	head[1] = (uint8_t) (pds_state_family(b) << 4 | PDS_HLL_SPARSE);
	if (len < PDS_HEADER_MAX_BYTES || b->undecided || head[2] == PDS_KIND_NONE ||
		memcmp(payload, head, sizeof(head)) != 0)
		return PDS_FULL;
	if (pds_kind_has_signature(head[2]))
	{
		if (pds_load_le32(payload + at) != b->signature)
			return PDS_FULL;
		at += PDS_KIND_SIGNATURE_BYTES;
	}
	if (at == len || payload[at++] != b->precision ||
		!pds_varint_read(payload, len, &at, pds_hll_max_tokens(b->precision), &tokens) ||
		tokens == 0)
		return PDS_FULL;
	if (!b->dense && pds_hll_table_space(b) < tokens)
		return PDS_FULL;
	return merge_list(b, payload + at, len - at, (uint32_t) tokens, b->precision);
}
