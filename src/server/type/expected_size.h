/*
 * expected_size.h: a group's first state, in the size that it is expected to need
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
#ifndef PDS_SERVER_TYPE_EXPECTED_SIZE_H
#define PDS_SERVER_TYPE_EXPECTED_SIZE_H

#include "postgres.h"

#include "fmgr.h"

#include "sketch.h"

/*
 * The new state of a group, or the same in a larger image, for the step of an aggregate over
 * values.  The state is freed if another one is returned.
 */
extern void *pds_expected_state(FunctionCallInfo fcinfo, const PdsSketchType *type, void *state);

#endif
