/*
 * rollup_changed.c: changes of rows that a rollup has counted
 *
 * The sequence X_changes counts the statements that changed such rows.  A sequence does not
 * roll back, so the statements of a transaction wait here until the transaction commits.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "commands/sequence.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rollup.h"

/* Statements of a subtransaction */
typedef struct Pending
{
	Oid			sequence;
	SubTransactionId subxid;
	int64		times;
} Pending;

static List *pending = NIL;		/* of Pending, in TopTransactionContext */

static void
count_pending(void)
{
	ListCell   *lc;

	foreach(lc, pending)
	{
		Pending    *p = lfirst(lc);

		/* the same transaction may have dropped the rollup */
		if (get_rel_relkind(p->sequence) == RELKIND_SEQUENCE)
			while (p->times-- > 0)
				(void) nextval_internal(p->sequence, false);
	}
	pending = NIL;
}

static void
transaction_ends(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		count_pending();
	else if (event == XACT_EVENT_ABORT)
		pending = NIL;
}

static void
subtransaction_ends(SubXactEvent event, SubTransactionId subxid, SubTransactionId parent,
					void *arg)
{
	ListCell   *lc;

	if (event != SUBXACT_EVENT_COMMIT_SUB && event != SUBXACT_EVENT_ABORT_SUB)
		return;
	foreach(lc, pending)
	{
		Pending    *p = lfirst(lc);

		if (p->subxid == subxid && event == SUBXACT_EVENT_COMMIT_SUB)
			p->subxid = parent;
		else if (p->subxid == subxid)
			p->times = 0;
	}
}

void
rollup_count_change(const RollupParts *parts)
{
	static bool listening = false;
	SubTransactionId subxid = GetCurrentSubTransactionId();
	MemoryContext old;
	Pending    *p;
	ListCell   *lc;

	if (!listening)
	{
		RegisterXactCallback(transaction_ends, NULL);
		RegisterSubXactCallback(subtransaction_ends, NULL);
		listening = true;
	}
	foreach(lc, pending)
	{
		p = lfirst(lc);
		if (p->sequence == parts->changes && (p->subxid == subxid || p->times == 0))
		{
			p->subxid = subxid;
			p->times++;
			return;
		}
	}
	old = MemoryContextSwitchTo(TopTransactionContext);
	p = palloc(sizeof(Pending));
	p->sequence = parts->changes;
	p->subxid = subxid;
	p->times = 1;
	pending = lappend(pending, p);
	MemoryContextSwitchTo(old);
}

int64
rollup_changes_pending(const RollupParts *parts)
{
	int64		times = 0;
	ListCell   *lc;

	foreach(lc, pending)
	{
		const Pending *p = lfirst(lc);

		if (p->sequence == parts->changes)
			times += p->times;
	}
	return times;
}
