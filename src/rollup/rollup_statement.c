/*
 * rollup_statement.c: executing a statement, and what it found
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/snapmgr.h"

#include "rollup.h"

void
rollup_require_read_committed(const char *what)
{
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("%s at isolation level READ COMMITTED", what)));
}

uint64
rollup_execute(int expected, char *statement)
{
	int			code = SPI_execute(statement, false, 0);

	if (code != expected)
		elog(ERROR, "statement ended with %s: %s", SPI_result_code_string(code), statement);
	pfree(statement);
	return SPI_processed;
}

uint64
rollup_execute_latest(int expected, const char *statement)
{
	SPIPlanPtr	plan = SPI_prepare(statement, 0, NULL);
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	int			code = plan == NULL ? SPI_result :
		SPI_execute_snapshot(plan, NULL, NULL, snapshot, InvalidSnapshot, false, true, 0);

	UnregisterSnapshot(snapshot);
	if (code != expected)
		elog(ERROR, "statement ended with %s: %s", SPI_result_code_string(code), statement);
	SPI_freeplan(plan);
	return SPI_processed;
}

char *
rollup_value(const char *query)
{
	if (SPI_execute(query, false, 1) != SPI_OK_SELECT)
		elog(ERROR, "no query: %s", query);
	return SPI_processed == 0 ? NULL :
		SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
}
