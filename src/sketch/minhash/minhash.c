/*
 * minhash.c: the building form of a MinHash sketch
 */
#include "minhash.h"
#include "poll.h"

/* A token's slot: where the search for it begins. */
static inline uint32_t
home(uint64_t token, int log2_slots)
{
	return (uint32_t) ((token * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - log2_slots));
}

static void
begin(pds_minhash_build *b, const pds_minhash_plan *plan)
{
	pds_state_init(b, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE);
	memset((uint8_t *) b + sizeof(pds_state_head), 0, plan->size - sizeof(pds_state_head));
	b->log2_k = plan->log2_k;
	b->dense = plan->dense;
	b->log2_slots = plan->log2_slots;
}

/* The plan of an image with slots, and of one with registers. */
static void
plan_slots(pds_minhash_plan *plan, int log2_k, int log2_slots)
{
	plan->log2_k = (uint8_t) log2_k;
	plan->dense = 0;
	plan->log2_slots = (uint8_t) log2_slots;
	plan->size = pds_minhash_sparse_size(log2_slots);
}

static void
plan_registers(pds_minhash_plan *plan, int log2_k)
{
	plan->log2_k = (uint8_t) log2_k;
	plan->dense = 1;
	plan->log2_slots = 0;
	plan->size = pds_minhash_dense_size(log2_k);
}

void
pds_minhash_build_init(pds_minhash_build *b, int log2_k)
{
	pds_minhash_plan plan;

	plan_slots(&plan, log2_k, PDS_MINHASH_FIRST_LOG2_SLOTS);
	begin(b, &plan);
}

static bool
build_valid(const pds_minhash_build *b, size_t size)
{
	uint32_t	tokens = 0;

	if (b->log2_k < PDS_MINHASH_MIN_LOG2_K || b->log2_k > PDS_MINHASH_MAX_LOG2_K ||
		b->dense > 1 || b->undecided > 1 || b->unused != 0 || b->unused_too != 0)
		return false;
	if (b->dense)
	{
		const uint16_t *registers = pds_minhash_registers(b);

		if (b->undecided || b->tokens != 0 || b->log2_slots != 0 ||
			size != pds_minhash_dense_size(b->log2_k))
			return false;
		for (uint32_t i = 0; i < UINT32_C(1) << b->log2_k; i++)
			if (!pds_minhash_register_valid(registers[i]))
				return false;
		return true;
	}
	if (b->log2_slots < PDS_MINHASH_FIRST_LOG2_SLOTS ||
		b->log2_slots > PDS_MINHASH_MAX_LOG2_K + 1 ||
		size != pds_minhash_sparse_size(b->log2_slots) ||
		b->tokens > pds_minhash_capacity(b->log2_slots, b->log2_k))
		return false;
	for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
	{
		if (b->words[i] == 0)
			continue;
		if (!pds_minhash_token_valid(b->words[i], b->log2_k))
			return false;
		tokens++;
	}
	return tokens == b->tokens && !(b->undecided && tokens > 0);
}

PDS_STATE_CHECK(minhash, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE + 1, sizeof(pds_minhash_build))

pds_status
pds_minhash_add_token(pds_minhash_build *b, uint64_t token)
{
	uint32_t	mask = (UINT32_C(1) << b->log2_slots) - 1;
	uint32_t	i = home(token, b->log2_slots);

	while (b->words[i] != 0)
	{
		if (b->words[i] == token)
			return PDS_OK;
		i = (i + 1) & mask;
	}
	if (b->tokens >= pds_minhash_capacity(b->log2_slots, b->log2_k))
		return PDS_FULL;
	b->words[i] = token;
	b->tokens++;
	return PDS_OK;
}

/* ---------- other images ---------- */

/* The fewest slots for so many tokens, which are no more than k; at least "least". */
static int
slots_for(uint32_t tokens, int log2_k, int least)
{
	while (pds_minhash_capacity(least, log2_k) < tokens)
		least++;
	return least;
}

void
pds_minhash_plan_growth(const pds_minhash_build *b, pds_minhash_plan *plan)
{
	if (b->dense || b->tokens >= UINT32_C(1) << b->log2_k)
		plan_registers(plan, b->log2_k);
	else
		plan_slots(plan, b->log2_k, slots_for(b->tokens + 1, b->log2_k, b->log2_slots));
}

bool
pds_minhash_plan_merge(pds_minhash_build *b, int log2_k, bool dense, uint32_t tokens,
					   pds_minhash_plan *plan)
{
	uint32_t	k;

	if (b->undecided)
	{
		b->undecided = 0;
		b->log2_k = (uint8_t) log2_k;
	}
	if (log2_k > b->log2_k)
		log2_k = b->log2_k;
	if (b->dense || dense)
	{
		plan_registers(plan, log2_k);
		return !b->dense || log2_k < b->log2_k;
	}
	k = UINT32_C(1) << log2_k;
	if (tokens < b->tokens)
		tokens = b->tokens;
	if (tokens > k)
		tokens = k;
	plan_slots(plan, log2_k, slots_for(tokens, log2_k, b->log2_slots));
	return log2_k < b->log2_k || plan->log2_slots > b->log2_slots;
}

static void
raise_registers(pds_minhash_build *b, const pds_minhash_build *from)
{
	uint16_t   *to = pds_minhash_registers(b);
	uint32_t	mask = (UINT32_C(1) << b->log2_k) - 1;

	if (from->dense)
	{
		const uint16_t *registers = pds_minhash_registers(from);
		uint32_t	n = UINT32_C(1) << from->log2_k;

		/* k of them at a time: a loop without a mask */
		for (uint32_t first = 0; first < n; first += mask + 1)
			for (uint32_t i = 0; i <= mask; i++)
			{
				uint16_t	value = registers[first + i];

				to[i] = to[i] > value ? to[i] : value;
			}
		return;
	}
	for (uint32_t i = 0; i < UINT32_C(1) << from->log2_slots; i++)
	{
		uint16_t	value = pds_minhash_token_register(from->words[i]);
		uint32_t	bin = pds_minhash_token_bin(from->words[i]) & mask;

		if (value > to[bin])
			to[bin] = value;
	}
}

static pds_status
add_tokens(pds_minhash_build *b, const pds_minhash_build *from)
{
	for (uint32_t i = 0; i < UINT32_C(1) << from->log2_slots; i++)
	{
		pds_status	status;

		pds_poll_every(i, PDS_MINHASH_POLL_TOKENS);
		if (from->words[i] == 0)
			continue;
		status = pds_minhash_add_token(b, pds_minhash_token_at(from->words[i], b->log2_k));
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}

pds_status
pds_minhash_rebuild(pds_minhash_build *to, pds_minhash_plan *plan, const pds_minhash_build *from)
{
	begin(to, plan);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	if (to->dense)
		raise_registers(to, from);
	else if (add_tokens(to, from) != PDS_OK)
	{
		pds_minhash_plan_growth(to, plan);
		return PDS_FULL;
	}
	return PDS_OK;
}

pds_status
pds_minhash_merge_build(pds_minhash_build *b, const pds_minhash_build *from)
{
	if (from->log2_k < b->log2_k)
		return PDS_PARAMETER_MISMATCH;
	if (b->dense)
	{
		raise_registers(b, from);
		return PDS_OK;
	}
	return from->dense ? PDS_FULL : add_tokens(b, from);
}
