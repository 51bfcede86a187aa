/*
 * polls.c: counts how often the library asks whether it may continue, and sends a cancel
 * request at such a place
 *
 * CHECK_FOR_INTERRUPTS() looks at a flag and calls ProcessInterrupts() where it is set.
 * test/t/034_limits.pl links the library's objects once more, together with this file and with
 * --wrap=ProcessInterrupts: so the calls of the library, and not those of the server, come here
 * first.  No clock is needed.  The flag is always set, and the request to cancel is always
 * pending.  The server is made to hold the request until the call of that number, as it does
 * while it reads a message.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

extern void __real_ProcessInterrupts(void);
extern void __wrap_ProcessInterrupts(void);
extern PGDLLEXPORT Datum test_polls(PG_FUNCTION_ARGS);

static bool counting = false;
static int64 polls;
static int64 cancel_at;

void
__wrap_ProcessInterrupts(void)
{
	if (counting && ++polls == cancel_at)
		QueryCancelHoldoffCount = 0;
	__real_ProcessInterrupts();
}

/*
 * test_polls(statement text, cancel_at bigint) returns bigint
 *
 * Runs the statement and returns how often the library has polled meanwhile.  With
 * cancel_at above 0 the statement is canceled at the poll of that number, with the server's
 * own error (57014).
 */
PG_FUNCTION_INFO_V1(test_polls);
Datum
test_polls(PG_FUNCTION_ARGS)
{
	char	   *statement = text_to_cstring(PG_GETARG_TEXT_PP(0));

	polls = 0;
	cancel_at = PG_GETARG_INT64(1);
	SPI_connect();
	PG_TRY();
	{
		counting = true;
		QueryCancelHoldoffCount = 1;
		QueryCancelPending = true;
		InterruptPending = true;
		if (SPI_execute(statement, false, 0) < 0)
			elog(ERROR, "cannot run \"%s\"", statement);
	}
	PG_FINALLY();
	{
		counting = false;
		QueryCancelHoldoffCount = 0;
		QueryCancelPending = false;
	}
	PG_END_TRY();
	SPI_finish();
	PG_RETURN_INT64(polls);
}
