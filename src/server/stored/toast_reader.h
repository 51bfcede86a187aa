/*
 * toast_reader.h: many stored values in turn, out of one TOAST table
 *
 * Reading a value of 6 kB out of line takes the server 22,000 instructions.  Half of them are to
 * open and lock the TOAST table and its index, to make a scan and a tuple slot, and to undo all
 * that.  An aggregate that reads one such value for each row does this once for all.
 *
 * The table stays open and locked (ACCESS SHARE) from the second value of a group to the group's
 * end.  The executor closes it then, as it closes what aggregates like percentile_cont() hold
 * (AggRegisterCallback), and under the resource owner under which it runs the query, whatever
 * became of the query.  After an error the resource owner itself does.  No page stays pinned
 * between two values.
 */
#ifndef PDS_SERVER_STORED_TOAST_READER_H
#define PDS_SERVER_STORED_TOAST_READER_H

#include "postgres.h"

#include "fmgr.h"

/*
 * Argument argno (not NULL) of an aggregate's step, detoasted as PG_GETARG_VARLENA_PP() does it.
 * The reader is what is known at the call site, for which the step must keep nothing else.  The
 * value may lie in memory of the reader, until the next call: *borrowed says whether the caller
 * must not free it.
 */
extern struct varlena *pds_toast_reader_arg(FunctionCallInfo fcinfo, int argno, bool *borrowed);

#endif
