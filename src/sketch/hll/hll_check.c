/*
 * hll_check.c: is this the building form of a HyperLogLog sketch, or a damaged one?
 *
 * A state may come from a table, where anybody may have written it.
 */
#include "hll_image.h"
#include "hll_registers.h"

/* A token that pds_hll_token() makes at this precision. */
static bool
token_valid(uint32_t token, int precision)
{
	uint32_t	rank = token & 63;

	return ((token >> 6) >> precision) != 0 ? rank == 0 :
		rank >= 1 && rank <= 64 - PDS_HLL_CELL_BITS + 1;
}

static bool
registers_valid(const pds_hll_build *b, size_t size)
{
	const uint8_t *registers = pds_hll_build_registers(b);
	uint32_t	n = pds_hll_registers(b->precision);
	int			top = pds_hll_top_rank(pds_hll_build_family(b), b->precision);

	if (size < pds_hll_dense_size(b->precision) || b->space != PDS_HLL_RING || b->tokens > n ||
		b->slots != 0 || b->tail != 0)
		return false;
	for (int i = 0; i < b->pending; i++)
		if (b->ring[i] >> 6 >= n || (int) (b->ring[i] & 63) > top)
			return false;
	return pds_hll_registers_highest(registers, b->precision) <= top &&
		pds_hll_registers_lowest(registers, b->precision) >= b->dense - 1;
}

static bool
tokens_valid(const uint32_t *tokens, uint32_t n, int precision)
{
	for (uint32_t i = 0; i < n; i++)
		if (!token_valid(tokens[i], precision))
			return false;
	return true;
}

/* Behind a log all words are 0, as its table needs them. */
static bool
log_valid(const pds_hll_build *b)
{
	const uint32_t *log = b->words;

	if (b->tokens >= pds_hll_log_limit(b) || b->space <= b->pending ||
		b->space > pds_hll_log_limit(b) - b->tokens || !tokens_valid(log, b->tokens, b->precision))
		return false;
	for (uint32_t i = b->tokens; i < b->slots; i++)
		if (log[i] != 0)
			return false;
	return true;
}

static bool
table_valid(const pds_hll_build *b, size_t size)
{
	const uint32_t *table = b->words;
	uint32_t	tokens = 0;
	uint32_t	last = 0;
	uint32_t	after_gap = 0;	/* the slot after the last free one */

	if (!pds_hll_has_tokens(pds_hll_build_family(b)) || b->slots < PDS_HLL_FIRST_SLOTS ||
		b->slots > PDS_HLL_SLOTS_IN(size) || b->space > PDS_HLL_RING ||
		!tokens_valid(b->ring, b->pending, b->precision))
		return false;
	if (pds_hll_is_log(b))
		return log_valid(b);
	if (b->tokens > pds_hll_table_limit(b->slots) || b->tokens > pds_hll_max_tokens(b->precision) ||
		b->space > pds_hll_space_left(b) || b->tail > b->slots)
		return false;
	for (uint32_t i = 0; i < b->slots; i++)
	{
		uint32_t	home = pds_hll_home_of(b, table[i]);

		if (table[i] == 0)
		{
			after_gap = i + 1;
			continue;
		}
		if (home > b->tail)
			home = b->tail;
		/* in ascending order, and where it is looked for */
		if (!token_valid(table[i], b->precision) || (tokens > 0 && table[i] >> 6 <= last >> 6) ||
			home > i || home < after_gap)
			return false;
		last = table[i];
		tokens++;
	}
	return tokens == b->tokens;
}

static bool
build_valid(const pds_hll_build *b, size_t size)
{
	if (size < PDS_HLL_FIRST_SIZE && b->dense == 0)
		return false;
	if (b->precision < PDS_HLL_MIN_PRECISION ||
		b->precision > pds_hll_top_precision(pds_hll_build_family(b)) ||
		b->undecided > 1 || (b->undecided && (b->dense || b->tokens > 0 || b->pending > 0)) ||
		(b->pending > 0 && b->pending >= b->space))
		return false;
	return b->dense ? registers_valid(b, size) : table_valid(b, size);
}

PDS_STATE_CHECK(hll, PDS_TYPE_HLL, PDS_HLL_FAMILIES, sizeof(pds_hll_build))
