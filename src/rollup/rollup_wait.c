/*
 * rollup_wait.c: waiting for those who write to a table, without a lock of our own
 *
 * A lock that conflicts with writers would make those who begin to write queue behind us,
 * and us behind a VACUUM.  So, as CREATE INDEX CONCURRENTLY does: find the transactions
 * that hold a lock under which rows can be written, and wait until each has ended.  Who
 * begins later takes later numbers (rollup_run.c).
 */
#include "postgres.h"

#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"

#include "rollup/rollup.h"

/* The locks under which a transaction may write rows */
static const LOCKMASK writing =
	LOCKBIT_ON(RowExclusiveLock) | LOCKBIT_ON(ShareRowExclusiveLock) |
	LOCKBIT_ON(ExclusiveLock) | LOCKBIT_ON(AccessExclusiveLock);

/* Add the transactions of one table to a list of VirtualTransactionId *. */
static List *
add_writers(List *writers, Oid relation, const LockData *locks)
{
	for (int i = 0; i < locks->nelements; i++)
	{
		const LockInstanceData *lock = &locks->locks[i];
		const LOCKTAG *tag = &lock->locktag;
		VirtualTransactionId *vxid;

		if (tag->locktag_type != LOCKTAG_RELATION || tag->locktag_field1 != MyDatabaseId ||
			tag->locktag_field2 != relation || (lock->holdMask & writing) == 0 ||
			lock->pid == MyProcPid)
			continue;
		vxid = palloc(sizeof(VirtualTransactionId));
		*vxid = PDS_LOCK_VXID(lock);
		writers = lappend(writers, vxid);
	}
	return writers;
}

void
rollup_wait_for_writers(Oid relation)
{
	List	   *writers = NIL;
	List	   *relations = find_all_inheritors(relation, NoLock, NULL);
	LockData   *locks = GetLockStatusData();
	ListCell   *lc;

	foreach(lc, relations)
		writers = add_writers(writers, lfirst_oid(lc), locks);
	foreach(lc, writers)
		(void) VirtualXactLock(*(VirtualTransactionId *) lfirst(lc), true);
}
