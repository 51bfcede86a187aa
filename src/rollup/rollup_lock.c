/*
 * rollup_lock.c: the locks of a rollup and its source
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/lsyscache.h"

#include "rollup.h"

/*
 * So often rollup_lock_all() begins again: where readers and writers never stop, it would wait for
 * ever.  Then it keeps what it locks.  If that is a deadlock, the server ends it.
 */
#define MOST_ROUNDS	50

/* The table that a rollup reads, through other rollups or not. */
static Oid
bottom_of(const RollupParts *parts)
{
	RollupParts at = *parts;
	List	   *seen = NIL;

	/*
	 * One that somebody has put together can be its own source.  Or it reads a table that he has
	 * no right to, and must not lock: its writers wait for no such rollup.
	 */
	while (get_rel_relkind(at.source) == RELKIND_VIEW && !list_member_oid(seen, at.source))
	{
		seen = lappend_oid(seen, at.source);
		if (!rollup_find(at.source, &at) || !rollup_may_hang(&at))
			return parts->source;
	}
	return at.source;
}

void
rollup_lock_source(const RollupParts *parts)
{
	LockRelationOid(bottom_of(parts), AccessShareLock);
}

void
rollup_lock_all(List *shared, int mode, List *exclusive)
{
	List	   *all = list_concat_copy(shared, exclusive);
	Oid			waited = linitial_oid(all);
	ListCell   *lc;

#define MODE_OF(relation) (list_member_oid(shared, relation) ? mode : AccessExclusiveLock)
	for (int round = 0;; round++)
	{
		List	   *locked;

		CHECK_FOR_INTERRUPTS();
		/* first the view, where readers wait before they lock anything that writers need */
		if (round == MOST_ROUNDS)
			waited = llast_oid(all);
		locked = list_make1_oid(waited);
		LockRelationOid(waited, MODE_OF(waited));
		foreach(lc, all)
			if (lfirst_oid(lc) != waited)
			{
				if (round == MOST_ROUNDS)
					LockRelationOid(lfirst_oid(lc), MODE_OF(lfirst_oid(lc)));
				else if (!ConditionalLockRelationOid(lfirst_oid(lc), MODE_OF(lfirst_oid(lc))))
					break;
				locked = lappend_oid(locked, lfirst_oid(lc));
			}
		if (lc == NULL)
			break;
		waited = lfirst_oid(lc);
		foreach(lc, locked)
			UnlockRelationOid(lfirst_oid(lc), MODE_OF(lfirst_oid(lc)));
	}
#undef MODE_OF
}

List *
rollup_objects(const RollupParts *parts)
{
	return list_make4_oid(parts->query, parts->stored, parts->options, parts->shown);
}

void
rollup_lock(const RollupParts *parts, int mode)
{
	List	   *shared = find_all_inheritors(bottom_of(parts), NoLock, NULL);
	RollupParts below;

	/* anybody may have put together one with parts of somebody else's */
	if (rollup_find(parts->source, &below) && below.shown == parts->source &&
		OidIsValid(below.owner))
	{
		shared = lappend_oid(shared, below.stored);
		mode = Min(mode, ShareRowExclusiveLock);
	}
	rollup_lock_all(shared, mode, rollup_objects(parts));
}
