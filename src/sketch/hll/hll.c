/*
 * hll.c: the building form of a HyperLogLog sketch
 *
 * A token table while it is small, registers when it is not.
 *
 * The table is a hash table with linear probing that keeps its tokens in order (Amble and
 * Knuth, "Ordered hash tables", 1974).  A token's home is proportional to its value, and tokens
 * in the way are moved up.  So an unsuccessful search ends early, the sorted list is the table
 * without its gaps, and growing is a copy from front to back.
 *
 *   - all taken slots, from first to last, are in ascending order
 *   - from a token's home to the token itself no slot is free
 *   - but tokens from slot "tail" on, a cluster that ran into the end of the
 *     table and had to grow towards its front, may be left of their homes
 *
 * An image that has been made larger for values to come begins as a log: tokens stand in the
 * table's place as they came, also twice.  Of many groups each access to a table's slot waits for
 * memory, and so does a ring that is appended to a log, but only once.  A log that is full, or
 * that is read, becomes a table or registers.
 */
#include "poll.h"
#include "hll.h"
#include "hll_registers.h"

/* Tokens between two polls in a merge of tokens, which may be expensive. */
#define POLL_TOKENS	256

/*
 * Up to this precision the largest table becomes registers where it is; above,
 * the buffer for it would be too large for the stack.
 */
#define IN_PLACE	14

/* The longest log: a table of twice the size must fit on the stack */
#define LOG_WORDS	((UINT32_C(1) << IN_PLACE) / sizeof(uint32_t))

/* The tables of an image of the first and of the second size (table_step) */
#define SLOTS_IN(size)	(((size) - sizeof(pds_hll_build)) / sizeof(uint32_t))
#define FIRST_SLOTS		SLOTS_IN(PDS_HLL_FIRST_SIZE)
#define SMALL_SLOTS		SLOTS_IN(512)

/*
 * A table of this many slots takes so many tokens.  Small ones may be all but
 * full: they are a few cache lines, and groups of 100 values are to fit into 512
 * bytes.
 */
static inline uint32_t
table_limit(uint32_t slots)
{
	return slots - slots / (slots <= SMALL_SLOTS ? 32 : 6);
}

/* The slot where a token belongs. */
static inline uint32_t
home_of(const pds_hll_build *b, uint32_t token)
{
	return (uint32_t) (((uint64_t) token * b->slots) >> 32);
}

/* How many tokens the table takes, and how many more. */
static inline uint32_t
most_tokens(const pds_hll_build *b)
{
	uint32_t	limit = table_limit(b->slots);
	uint32_t	most = pds_hll_max_tokens(b->precision);

	return limit < most ? limit : most;
}

static inline uint32_t
space_left(const pds_hll_build *b)
{
	uint32_t	most = most_tokens(b);

	return most > b->tokens ? most - b->tokens : 0;
}

/* Can the image hold registers? */
static inline bool
registers_fit(const pds_hll_build *b)
{
	return b->precision <= IN_PLACE &&
		b->slots * sizeof(uint32_t) >= pds_hll_registers(b->precision);
}

/*
 * How many words a log has.  What it holds must fit into the table, or else be registers where
 * it is.
 */
static inline uint32_t
log_limit(const pds_hll_build *b)
{
	uint32_t	limit = registers_fit(b) ? b->slots : most_tokens(b);

	return limit < LOG_WORDS ? limit : LOG_WORDS;
}

/* The smallest image whose table takes so many tokens. */
static size_t
size_for_tokens(uint32_t tokens)
{
	uint32_t	slots = tokens + tokens / 5 + 1;
	size_t		size = sizeof(pds_hll_build) + slots * sizeof(uint32_t);

	return size > PDS_HLL_FIRST_SIZE ? size : PDS_HLL_FIRST_SIZE;
}

/* How many hashes may wait in the ring, now that it is empty. */
static inline void
make_space(pds_hll_build *b)
{
	uint32_t	space = pds_hll_is_log(b) ? log_limit(b) - b->tokens :
		space_left(b);

	if (b->dense)
		return;					/* init_dense() has seen to it */
	b->space = (uint8_t) (space < PDS_HLL_RING ? space : PDS_HLL_RING);
}

/* Make registers, all of them 0, where the slots of a table are. */
static void
init_dense(pds_hll_build *b)
{
	memset(b->words, 0, b->slots * sizeof(uint32_t));
	b->dense = 1;
	b->slots = b->tokens = b->tail = 0;
	b->space = PDS_HLL_RING;
}

void
pds_hll_build_init(pds_hll_build *b, size_t size, int precision, int family, bool dense)
{
	pds_state_init(b, PDS_TYPE_HLL, (uint8_t) family);
	b->precision = (uint8_t) precision;
	b->dense = 0;
	b->pending = 0;
	b->undecided = 0;
	memset(b->ring, 0, sizeof(b->ring));
	b->slots = (uint32_t) SLOTS_IN(size);
	if (dense)
	{
		init_dense(b);
		return;
	}
	b->tokens = 0;
	b->tail = b->slots;
	memset(b->words, 0, b->slots * sizeof(uint32_t));
	make_space(b);
}

/*
 * Sizes go 128, 512, 2,048, 8,192, ... bytes, whole chunks of the server's
 * allocator, and never beyond what the most tokens of this precision need.  Groups
 * that grow alike leave all their former chunks behind unused, so few large
 * steps take less memory than many small ones.
 */
static size_t
table_step(size_t size, size_t need, int precision)
{
	size_t		most = size_for_tokens(pds_hll_max_tokens(precision));
	size_t		step = PDS_HLL_FIRST_SIZE;

	while (step < need || step < size)
		step = step < 512 ? 512 : step * 4;
	if (step < most)
		return step;

	/* the last table has the size of the registers, to become them where it is */
	return precision <= IN_PLACE && pds_hll_roomy_size(precision) > most ?
		pds_hll_roomy_size(precision) : most;
}

void
pds_hll_plan_growth(const pds_hll_build *b, pds_hll_plan *plan)
{
	plan->empty = false;
	plan->log = true;
	plan->precision = b->precision;
	plan->dense = b->tokens >= pds_hll_max_tokens(b->precision);
	plan->size = plan->dense ? pds_hll_roomy_size(b->precision) :
		table_step(plan->size, plan->size + 1, b->precision);
}

bool
pds_hll_plan_start(const pds_hll_build *b, uint64_t values, size_t most, pds_hll_plan *plan)
{
	uint32_t	limit = pds_hll_max_tokens(b->precision);
	uint64_t	tokens = values / 2 < limit ? values / 2 : limit;

	plan->empty = false;
	plan->log = true;
	plan->precision = b->precision;
	plan->dense = false;
	plan->size = table_step(0, size_for_tokens((uint32_t) tokens), b->precision);
	return !b->dense && plan->size > PDS_HLL_FIRST_SIZE && plan->size <= most;
}

bool
pds_hll_plan_merge(pds_hll_build *b, size_t size, int precision,
				   bool dense, uint32_t tokens, pds_hll_plan *plan)
{
	uint32_t	most;
	uint64_t	sum;

	/* how many tokens there are is not known before */
	pds_hll_flush(b);
	sum = (uint64_t) b->tokens + tokens;
	plan->empty = false;
	plan->log = false;
	plan->precision = (uint8_t) (precision < b->precision ? precision : b->precision);
	most = pds_hll_max_tokens(plan->precision);
	/* of two sets of tokens the larger one is surely part of the union */
	plan->dense = dense || b->dense || b->tokens > most || tokens > most;
	if (plan->dense)
		plan->size = pds_hll_dense_size(plan->precision);
	else
		plan->size = table_step(size, size_for_tokens(sum < most ? (uint32_t) sum : most),
								plan->precision);
	return plan->precision != b->precision || plan->dense != b->dense || plan->size > size;
}

/*
 * Turn a full table into registers in the same image, if that is large enough.
 * The tokens pass through a buffer on the stack.
 */
static bool
become_dense(pds_hll_build *b)
{
	uint32_t	tokens[UINT32_C(3) << (IN_PLACE - 4)];
	uint32_t	n = b->tokens;

	if (n < pds_hll_max_tokens(b->precision) || !registers_fit(b))
		return false;
	pds_hll_sorted_tokens(b, tokens);
	init_dense(b);
	for (uint32_t i = 0; i < n; i++)
		pds_hll_token_to_register(pds_hll_build_registers(b), tokens[i], b->precision);
	return true;
}

/* Put a new token before slot i, which is where the order wants it. */
static void
insert_token(pds_hll_build *b, uint32_t i, uint32_t token)
{
	uint32_t   *table = b->words;
	uint32_t	slots = b->slots;
	uint32_t	gap = i;

	b->tokens++;
	while (gap < slots && table[gap] != 0)
		gap++;
	if (gap < slots)
	{
		for (; gap > i; gap--)
			table[gap] = table[gap - 1];
		table[i] = token;
		return;
	}

	/* the end: all from the last gap on moves towards the front */
	gap = i - 1;
	while (table[gap] != 0)
		gap--;
	if (gap < b->tail)
		b->tail = gap;
	for (; gap < i - 1; gap++)
		table[gap] = table[gap + 1];
	table[i - 1] = token;
}

pds_status
pds_hll_add_token(pds_hll_build *b, uint32_t token)
{
	uint32_t   *table = b->words;
	uint32_t	slots = b->slots;
	uint32_t	i = home_of(b, token);

	if (b->dense)
	{
		pds_hll_token_to_register(pds_hll_build_registers(b), token, b->precision);
		return PDS_OK;
	}
	if (i > b->tail)
		i = b->tail;
	for (; i < slots; i++)
	{
		uint32_t	there = table[i];

		if (there == 0 || there >> 6 > token >> 6)
			break;
		if (there >> 6 == token >> 6)
		{
			/* the same cell: the higher rank stays */
			if (token > there)
				table[i] = token;
			return PDS_OK;
		}
	}
	if (space_left(b) == 0)
	{
		if (!become_dense(b))
			return PDS_FULL;
		return pds_hll_add_token(b, token);
	}
	insert_token(b, i, token);
	return PDS_OK;
}

/*
 * Add a token greater than all before it, the first slot after which is
 * *next: the way to fill a table from a sorted list.  If *next is past the table, this is an add.
 */
static inline pds_status
append_token(pds_hll_build *b, uint32_t token, uint32_t *next)
{
	uint32_t	i;

	if (*next >= b->slots)
		return pds_hll_add_token(b, token);
	i = home_of(b, token);
	if (i < *next)
		i = *next;
	if (i >= b->slots || space_left(b) == 0)
		return pds_hll_add_token(b, token);
	b->words[i] = token;
	b->tokens++;
	*next = i + 1;
	return PDS_OK;
}

/* A table or log becomes the registers of another image of the same precision. */
static void
take_registers(pds_hll_build *b, const pds_hll_build *from)
{
	init_dense(b);
	memcpy(pds_hll_build_registers(b), pds_hll_build_registers(from),
		   pds_hll_registers(b->precision));
}

/*
 * A log becomes a table, or registers.  If more registers than a sketch may have tokens are not
 * 0, there are surely more tokens as well.  Otherwise a table finds out which of them are
 * different.  It has twice the space, where they rarely are in each other's way.
 *
 * Nothing here polls: half a log is damage, and the state may outlive the error.
 *
 * Not inline: what empties the ring of every state should not have so much on the stack.
 */
static __attribute__((noinline)) void
settle(pds_hll_build *b)
{
	union
	{
		pds_hll_build image;
		uint32_t	words[sizeof(pds_hll_build) / sizeof(uint32_t) + 2 * LOG_WORDS];
	}			wide;
	uint32_t   *log = b->words;
	uint32_t	n = b->tokens;
	uint32_t	next = 0;

	if (n > pds_hll_max_tokens(b->precision) && registers_fit(b))
	{
		uint8_t    *registers = pds_hll_build_registers(&wide.image);
		uint32_t	nonzero = 0;

		pds_hll_build_init(&wide.image, pds_hll_dense_size(b->precision), b->precision,
						   pds_state_family(b), true);
		for (uint32_t i = 0; i < n; i++)
			pds_hll_token_to_register(registers, log[i], b->precision);
		for (uint32_t i = 0; i < pds_hll_registers(b->precision); i++)
			nonzero += registers[i] != 0;
		if (nonzero > pds_hll_max_tokens(b->precision))
		{
			take_registers(b, &wide.image);
			return;
		}
	}
	pds_hll_build_init(&wide.image, sizeof(pds_hll_build) + 2 * n * sizeof(uint32_t),
					   b->precision, pds_state_family(b), false);
	for (uint32_t i = 0; i < n; i++)
		(void) pds_hll_add_token(&wide.image, log[i]);
	if (wide.image.dense)
	{
		take_registers(b, &wide.image);
		return;
	}
	memset(log, 0, n * sizeof(uint32_t));
	b->tokens = 0;
	b->tail = b->slots;
	for (uint32_t i = 0; i < wide.image.slots; i++)
		if (wide.image.words[i] != 0)
			(void) append_token(b, wide.image.words[i], &next);
	make_space(b);
}

/* No branches: a misprediction would wait for the miss before it. */
static inline void
raise_registers(uint8_t *registers, const uint32_t *words, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	w = words[i];
		uint8_t		rank = (uint8_t) (w & 63);
		uint8_t		there = registers[w >> 6];

		registers[w >> 6] = there > rank ? there : rank;
	}
}

void
pds_hll_flush(pds_hll_build *b)
{
	pds_hll_empty_ring(b);
	if (pds_hll_is_log(b))
		settle(b);
}

void
pds_hll_empty_ring(pds_hll_build *b)
{
	uint32_t	n = b->pending;

	if (n == 0)
		return;
	b->pending = 0;
	if (b->dense)
		raise_registers(pds_hll_build_registers(b), b->ring, n);
	else if (pds_hll_is_log(b))
	{
		memcpy(b->words + b->tokens, b->ring, n * sizeof(uint32_t));
		b->tokens += n;
		if (b->tokens == log_limit(b))
			settle(b);
		else
			make_space(b);
	}
	else
	{
		const uint32_t *table = b->words;

		for (uint32_t i = 0; i < n; i++)
			__builtin_prefetch(table + home_of(b, b->ring[i]), 1);
		for (uint32_t i = 0; i < n; i++)
			(void) pds_hll_add_token(b, b->ring[i]);
		make_space(b);
	}
}

uint32_t
pds_hll_table_space(pds_hll_build *b)
{
	pds_hll_flush(b);
	return space_left(b);
}

/*
 * Add n tokens, of b's precision or a higher one; zeros among them are passed over.  They are in
 * ascending order, and *next is as for append_token().  Or they are in no order, and next is NULL.
 *
 * Tokens that somebody chose to crowd together in the table take up to 100,000 steps each.
 * Hence a poll every so many tokens; in a stored list that is every part.
 */
static pds_status
merge_tokens(pds_hll_build *b, const uint32_t *tokens, uint32_t n, uint32_t *next)
{
	int			p = b->precision;
	uint32_t	past = UINT32_MAX;

	if (b->dense)
	{
		uint8_t    *registers = pds_hll_build_registers(b);

		for (uint32_t i = 0; i < n; i++)
			if (tokens[i] != 0)
				pds_hll_token_to_register(registers, tokens[i], p);
		return PDS_OK;
	}

	if (next == NULL)
		next = &past;
	else if (b->tokens == 0)
		*next = 0;
	for (uint32_t i = 0; i < n; i++)
	{
		pds_poll_every(i, POLL_TOKENS);
		if (tokens[i] != 0 && append_token(b, pds_hll_token_at(tokens[i], p), next) != PDS_OK)
			return PDS_FULL;
	}
	return PDS_OK;
}

pds_status
pds_hll_merge_tokens(pds_hll_build *b, const uint32_t *tokens, uint32_t n,
					 uint32_t *next)
{
	pds_status	status;

	pds_hll_flush(b);
	status = merge_tokens(b, tokens, n, next);
	make_space(b);
	return status;
}

pds_status
pds_hll_merge_build(pds_hll_build *b, const pds_hll_build *from)
{
	pds_status	status;

	if (from->precision < b->precision)
		return PDS_PARAMETER_MISMATCH;
	if (from->dense && !b->dense)
		return PDS_FULL;

	pds_hll_flush(b);
	if (!from->dense)
	{
		uint32_t	next = UINT32_MAX;

		if (pds_hll_is_log(from))
			status = merge_tokens(b, from->words, from->tokens, NULL);
		else
			status = merge_tokens(b, from->words, from->slots, &next);
		if (status == PDS_OK)
			status = merge_tokens(b, from->ring, from->pending, NULL);
		make_space(b);
		return status;
	}
	pds_hll_registers_merge(pds_hll_build_registers(b), b->precision,
							pds_hll_build_registers(from), from->precision,
							pds_state_family(from));
	for (int i = 0; i < from->pending; i++)
		pds_hll_registers_fold(pds_hll_build_registers(b), b->precision, from->ring[i] >> 6,
							   (uint8_t) (from->ring[i] & 63), from->precision,
							   pds_state_family(from));
	return PDS_OK;
}

/* The tokens of a table, in ascending order. */
static void
copy_tokens(const pds_hll_build *b, uint32_t *out)
{
	const uint32_t *table = b->words;
	uint32_t	n = 0;

	for (uint32_t i = 0; n < b->tokens; i++)
	{
		out[n] = table[i];
		n += table[i] != 0;
	}
}

pds_status
pds_hll_rebuild(pds_hll_build *to, pds_hll_plan *plan,
				const pds_hll_build *from)
{
	pds_hll_build_init(to, plan->size, plan->precision,
					   plan->empty ? plan->family : pds_state_family(from), plan->dense);
	if (plan->empty)
		return PDS_OK;
	pds_state_copy_head(to, from);
	if (!plan->dense && plan->log && to->slots > FIRST_SLOTS &&
		from->tokens < log_limit(to) && from->pending == 0 && !pds_hll_is_log(from))
	{
		copy_tokens(from, to->words);
		to->tokens = from->tokens;
		to->tail = PDS_HLL_LOG;
		make_space(to);
		return PDS_OK;
	}
	/* cannot fail: a plan has space for what there is */
	(void) pds_hll_merge_build(to, from);
	return PDS_OK;
}

void
pds_hll_summarize_build(pds_hll_build *b, pds_hll_summary *s)
{
	pds_hll_flush(b);
	s->family = pds_state_family(b);
	s->precision = b->precision;
	s->dense = b->dense;
	s->tokens = b->tokens;
	if (b->dense)
		pds_hll_registers_histogram(pds_hll_build_registers(b), b->precision,
									s->histogram);
}

void
pds_hll_sorted_tokens(pds_hll_build *b, uint32_t *out)
{
	pds_hll_flush(b);
	copy_tokens(b, out);
}

/* ---------- a state from a table, where anybody may have written it ---------- */

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
	uint32_t	n = pds_hll_registers(b->precision);
	int			top = pds_hll_top_rank(pds_state_family(b), b->precision);
	uint32_t	histogram[PDS_HLL_RANKS];

	if (b->dense != 1 || size < pds_hll_dense_size(b->precision) || b->space != PDS_HLL_RING ||
		b->tokens != 0 || b->slots != 0 || b->tail != 0)
		return false;
	for (int i = 0; i < b->pending; i++)
		if (b->ring[i] >> 6 >= n || (int) (b->ring[i] & 63) > top)
			return false;
	pds_hll_registers_histogram(pds_hll_build_registers(b), b->precision, histogram);
	for (int v = 0; v <= top; v++)
		n -= histogram[v];
	return n == 0;
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

	if (b->tokens >= log_limit(b) || b->space <= b->pending ||
		b->space > log_limit(b) - b->tokens || !tokens_valid(log, b->tokens, b->precision))
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

	if (!pds_hll_has_tokens(pds_state_family(b)) || b->slots < FIRST_SLOTS ||
		b->slots > SLOTS_IN(size) || b->space > PDS_HLL_RING ||
		!tokens_valid(b->ring, b->pending, b->precision))
		return false;
	if (pds_hll_is_log(b))
		return log_valid(b);
	if (b->tokens > most_tokens(b) || b->space > space_left(b) || b->tail > b->slots)
		return false;
	for (uint32_t i = 0; i < b->slots; i++)
	{
		uint32_t	home = home_of(b, table[i]);

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
		b->precision > pds_hll_top_precision(pds_state_family(b)) ||
		b->undecided > 1 || (b->undecided && (b->dense || b->tokens > 0 || b->pending > 0)) ||
		(b->pending > 0 && b->pending >= b->space))
		return false;
	return b->dense ? registers_valid(b, size) : table_valid(b, size);
}

PDS_STATE_CHECK(hll, PDS_TYPE_HLL, PDS_HLL_FAMILIES, sizeof(pds_hll_build))
