/*
 * touch.c: aggregates that do next to nothing: the floors of ours
 *
 * touch_agg and store_agg have a state of so many bytes in each group.  touch_agg adds one to its
 * first word for each row.  It is the floor for any aggregate.  store_agg keeps the lower 4 bytes
 * of each value, which pass through a ring of 8 in the first line.  It is the floor for one that
 * must keep something of each row.  read_agg adds up the bytes of stored sketches, eight at a time.
 * It is the floor for any union of them.  test/bench/run compiles this for its own server and
 * compares with them.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(bench_touch);
PG_FUNCTION_INFO_V1(bench_touched);
PG_FUNCTION_INFO_V1(bench_store);
PG_FUNCTION_INFO_V1(bench_read);

/*
 * The state of this row's group: the first argument, or for the first row so many bytes as the
 * third one says.  The server copies the first state of any type but internal.  Only the first
 * line is set to 0, so that no other is touched.
 */
static void *
state_of(FunctionCallInfo fcinfo, int least)
{
	MemoryContext context;
	void	   *state;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR, (errmsg("this function is for aggregates only")));
	if (!PG_ARGISNULL(0))
		return PG_GETARG_POINTER(0);
	state = MemoryContextAlloc(context, (Size) Max(PG_GETARG_INT32(2), least));
	memset(state, 0, 64);
	return state;
}

/* bench_touch(state internal, value bigint, bytes int) returns internal; from 64 bytes on */
Datum
bench_touch(PG_FUNCTION_ARGS)
{
	int64	   *state = state_of(fcinfo, 64);

	if (!PG_ARGISNULL(1))
		(*state)++;
	PG_RETURN_POINTER(state);
}

#define RING	8
#define LEAST_STORED	256

typedef struct stored
{
	uint32		unused[3];
	uint32		pending;
	uint32		ring[RING];
	uint32		used;			/* of the words, which are used again from the front */
	uint32		words[FLEXIBLE_ARRAY_MEMBER];
} stored;

/* bench_store(state internal, value bigint, bytes int) returns internal; from 256 bytes on */
Datum
bench_store(PG_FUNCTION_ARGS)
{
	stored	   *state = state_of(fcinfo, LEAST_STORED);
	uint32		words = (Max(PG_GETARG_INT32(2), LEAST_STORED) - sizeof(stored)) / sizeof(uint32);

	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(state);
	state->ring[state->pending++] = (uint32) PG_GETARG_INT64(1);
	if (state->pending == RING)
	{
		memcpy(state->words + state->used, state->ring, sizeof(state->ring));
		state->pending = 0;
		state->used += RING;
		if (state->used + RING > words)
			state->used = 0;
	}
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

/* bench_read(sum bigint, value hll) returns bigint */
Datum
bench_read(PG_FUNCTION_ARGS)
{
	uint64		sum = (uint64) PG_GETARG_INT64(0);
	struct varlena *value;
	const char *bytes;
	Size		len;

	if (PG_ARGISNULL(1))
		PG_RETURN_INT64((int64) sum);
	value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(1));
	bytes = VARDATA_ANY(value);
	len = VARSIZE_ANY_EXHDR(value);
	for (Size i = 0; i < len; i += sizeof(uint64))
	{
		uint64		word = 0;

		memcpy(&word, bytes + i, Min(len - i, sizeof(word)));
		sum += word;
	}
	PG_FREE_IF_COPY(value, 1);
	PG_RETURN_INT64((int64) sum);
}
