/*
 * expected_size.c: a group's first state, in the size that it is expected to need
 *
 * A state that grows is moved, away from the executor's entry for its group.  With thousands of
 * groups every row then waits for more pages of memory.  The planner has an estimate of how many
 * rows a group has, so a state can have the size that it needs from the first row on, beside
 * that entry.
 *
 * An estimate may be wrong, and values may be equal.  A state begins large only if it would grow
 * to that size with half as many values.  All states of a hash aggregate that begin large
 * take no more than half of hash_mem.  Whatever a state begins with, the result is the same.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/plannodes.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "call_argument.h"
#include "state.h"

/* What a call site knows (PdsCallSite.expected). */
struct PdsExpected
{
	uint64		values;			/* rows of a group; 0 if that is not known */
	Size		most;			/* bytes of a group's first image */
	Size		left;			/* bytes of all first images to come that are large */
};

/* More rows than this make no difference, and a float can be any number. */
#define MOST_ROWS		1e12

/* About what the plan_start of a module asks for. */
#define BYTES_PER_ROW	16

/* Larger ones are no chunks of a block, and have their exact size (ALLOC_CHUNK_LIMIT). */
#define MOST_CHUNK		8192

/*
 * Asks the plan.  Nothing is known about grouping sets, which have one estimate for all of them,
 * or where a FILTER takes some of the rows.
 */
static void
ask_plan(FunctionCallInfo fcinfo, PdsExpected *expected)
{
	const Agg  *agg = (const Agg *) ((AggState *) fcinfo->context)->ss.ps.plan;
	const Aggref *aggref = AggGetAggref(fcinfo);
	double		groups = Max((double) agg->numGroups, 1);
	bool		hashed = agg->aggstrategy == AGG_HASHED;
	double		rows;
	double		bytes;

	if (aggref == NULL || aggref->aggfilter != NULL || agg->groupingSets != NIL ||
		agg->chain != NIL || outerPlan(agg) == NULL)
		return;
	rows = Min(outerPlan(agg)->plan_rows, MOST_ROWS);
	/* not hashed, they live one at a time; but each is memory that is set to zero */
	bytes = hashed ? work_mem * 1024.0 * hash_mem_multiplier / 2 : rows * BYTES_PER_ROW;
	expected->left = (Size) Min(bytes, (double) (MaxAllocHugeSize / 2));
	expected->most = hashed ? (Size) (expected->left / groups) : expected->left;
	expected->values = (uint64) (rows / groups);
}

/*
 * The call site's estimate.  NULL outside of an aggregate, and for a call site without an
 * expression.  Somebody calls the step by hand there, perhaps with another FmgrInfo for each row
 * (Citus does).
 */
static PdsExpected *
expected_of(FunctionCallInfo fcinfo)
{
	PdsCallSite *site;

	if (fcinfo->flinfo == NULL || fcinfo->flinfo->fn_expr == NULL || fcinfo->context == NULL ||
		!IsA(fcinfo->context, AggState))
		return NULL;
	site = pds_call_site(fcinfo);
	if (site->expected == NULL)
	{
		site->expected = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(PdsExpected));
		ask_plan(fcinfo, site->expected);
	}
	return site->expected;
}

void *
pds_expected_state(FunctionCallInfo fcinfo, const PdsSketchType *type, void *state)
{
	PdsExpected *expected;
	PdsPlan		plan;
	Size		size;
	void	   *to;

	if (type->ops->plan_start == NULL || (expected = expected_of(fcinfo)) == NULL ||
		expected->values == 0 || expected->left == 0)
		return state;
	plan.head.size = VARSIZE(state);
	if (!type->ops->plan_start(state, expected->values, expected->most, &plan.head))
	{
		/* nor will another group of this size */
		expected->values = 0;
		return state;
	}
	/* what the allocator takes for it */
	size = plan.head.size > MOST_CHUNK ? plan.head.size : pg_nextpower2_32((uint32) plan.head.size);
	if (size > expected->left)
	{
		/* there are more groups than was expected */
		expected->left = 0;
		return state;
	}
	expected->left -= size;
	to = pds_state_move(type, state, &plan.head);
	pfree(state);
	return to;
}
