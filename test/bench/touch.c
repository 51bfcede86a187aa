/*
 * touch.c: an aggregate that only touches the first line of its state
 *
 * The floor for an aggregate with a state for each of many groups.  Each group has a state of so
 * many bytes, and each row adds one to its first word.  test/bench/run compiles this for its own
 * server and compares cache misses with it.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(bench_touch);
PG_FUNCTION_INFO_V1(bench_touched);

/*
 * bench_touch(state internal, value bigint, bytes int) returns internal
 *
 * The state is internal because the server copies the first state of any other type.
 */
Datum
bench_touch(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	int64	   *state;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR, (errmsg("bench_touch is for aggregates only")));
	if (PG_ARGISNULL(0))
	{
		state = MemoryContextAlloc(context, (Size) Max(PG_GETARG_INT32(2), 64));
		*state = 0;
	}
	else
		state = (int64 *) PG_GETARG_POINTER(0);
	if (!PG_ARGISNULL(1))
		(*state)++;
	PG_RETURN_POINTER(state);
}

/* bench_touched(state internal) returns bigint */
Datum
bench_touched(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_INT64(*(int64 *) PG_GETARG_POINTER(0));
}
