/*
 * existence_grow.c: the table of fingerprints in its pages, and how these become more
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"

#include "existence.h"

/* How often a family can grow while its page is looked for */
#define MAX_RESTARTS	1000

static inline uint8 *
slots_of_page(Page page)
{
	return (uint8 *) page + PDS_EXISTENCE_SLOTS_AT;
}

/* ---------- the page of a key ---------- */

/*
 * Lock the page that a key belongs into: shared for a probe, to which "exclusive" is NULL.  An
 * insertion needs an exclusive lock unless the key seems to be there; *exclusive becomes whether
 * it has one.
 *
 * Where the page is follows from the step of its family, which only the page knows.  It is
 * looked for from the highest step of its group downwards; most of the time all families of
 * a group are at that one.
 */
static Buffer
lock_page_of_key(Relation index, const pds_existence_home *home, bool *exclusive,
				 pds_existence_spot *spot)
{
	uint32		step = existence_meta(index)->table.top[home->group];
	int			restarts = 0;

	for (;;)
	{
		const pds_existence_table *table = &existence_meta(index)->table;
		Buffer		buffer;
		uint32		found;

		*spot = pds_existence_spot_of(table, home, step);
		buffer = existence_read_page(index, spot->page);
		/* (a page that is not locked may be changing, so this is not certain) */
		if (exclusive != NULL)
			*exclusive = !pds_existence_slots_contain(table, slots_of_page(BufferGetPage(buffer)),
													  home, spot);
		LockBuffer(buffer, exclusive != NULL && *exclusive ? BUFFER_LOCK_EXCLUSIVE :
				   BUFFER_LOCK_SHARE);
		found = existence_step_of_page(index, buffer, step);
		if (likely(found == step))
			return buffer;
		UnlockReleaseBuffer(buffer);

		/* the page is of an earlier step: of our family, or of the family that will be ours */
		if (found == PDS_EXISTENCE_UNREACHED && step > 0)
			step--;
		else if (found < step)
			step = found;
		else
		{
			/* of a later step: the family or its neighbour has grown meanwhile */
			CHECK_FOR_INTERRUPTS();
			if ((found > table->top[home->group] && !existence_meta_refresh(index)) ||
				++restarts > MAX_RESTARTS)
				existence_page_is_damaged(index, spot->page,
										  "at a step that its index has come to");
			step = existence_meta(index)->table.top[home->group];
		}
	}
}

void
existence_expect(Relation index, const pds_existence_place *place, pds_hash hash)
{
	const pds_existence_table *table = &existence_meta(index)->table;
	const uint8 *page = existence_expect_page(index, place->page);
	pds_existence_home home;
	pds_existence_spot spot;

	if (page != NULL)
		__builtin_prefetch(page + place->offset);
	if (!table->started)
		return;
	home = pds_existence_home_of(table, hash);
	spot = pds_existence_spot_of(table, &home, table->top[home.group]);
	page = existence_expect_page(index, spot.page);
	if (page != NULL)
		pds_existence_slots_expect(table, page + PDS_EXISTENCE_SLOTS_AT, &home, &spot);
}

bool
existence_table_contains(Relation index, pds_hash hash)
{
	pds_existence_home home = pds_existence_home_of(&existence_meta(index)->table, hash);
	pds_existence_spot spot;
	Buffer		buffer = lock_page_of_key(index, &home, NULL, &spot);
	bool		found = pds_existence_slots_contain(&existence_meta(index)->table,
													slots_of_page(BufferGetPage(buffer)),
													&home, &spot);

	UnlockReleaseBuffer(buffer);
	return found;
}

/* ---------- growth ---------- */

/* The pages of a family, and the page that is added to it */
typedef struct Family
{
	uint32		n;				/* of both */
	Buffer		buffer[4];
} Family;

/* All of them are locked in this order, by everybody. */
static void
lock_family(Relation index, const pds_existence_home *home, uint32 step, Family *family)
{
	uint32		pages[4];

	family->n = pds_existence_family_of(&existence_meta(index)->table, home, step, pages) + 1;
	for (uint32 i = 0; i < family->n; i++)
	{
		family->buffer[i] = ReadBuffer(index, pages[i]);
		LockBuffer(family->buffer[i], BUFFER_LOCK_EXCLUSIVE);
	}
}

static void
unlock_family(Family *family)
{
	for (uint32 i = 0; i < family->n; i++)
		UnlockReleaseBuffer(family->buffer[i]);
}

/* Is the family still at this step, or later?  XX002 if its pages disagree. */
static bool
family_is_at(Relation index, const Family *family, uint32 step)
{
	uint32		first = existence_step_of_page(index, family->buffer[0], step);

	if (first > step && first != PDS_EXISTENCE_UNREACHED)
		return false;
	for (uint32 i = 0; i < family->n; i++)
	{
		uint32		found = existence_step_of_page(index, family->buffer[i],
												   i + 1 < family->n ? step : 1);

		if (found != (i + 1 < family->n ? step : PDS_EXISTENCE_UNREACHED))
			existence_page_is_damaged(index, BufferGetBlockNumber(family->buffer[i]),
									  "at the step of its family");
	}
	return true;
}

/*
 * Distribute the keys of a family over one page more, unless somebody else has done it.
 * False if that cannot be done.
 */
static bool
grow_family(Relation index, const pds_existence_home *home, uint32 step)
{
	GenericXLogState *state;
	const uint8 *from[4];
	uint8	   *to[4];
	Family		family = {0};
	bool		done = true;

	if (!existence_have_step(index, home->group, step + 1))
		return false;
	lock_family(index, home, step, &family);
	if (family_is_at(index, &family, step))
	{
		state = GenericXLogStart(index);
		for (uint32 i = 0; i < family.n; i++)
		{
			Page		page = GenericXLogRegisterBuffer(state, family.buffer[i],
														 GENERIC_XLOG_FULL_IMAGE);

			existence_page_init(page, PDS_EXISTENCE_TABLE_MAGIC, step + 1);
			from[i] = slots_of_page(BufferGetPage(family.buffer[i]));
			to[i] = slots_of_page(page);
		}
		done = pds_existence_slots_distribute(&existence_meta(index)->table, step, from, to);
		if (done)
			GenericXLogFinish(state);
		else
			GenericXLogAbort(state);
	}
	unlock_family(&family);
	return done;
}

/* ---------- insertion ---------- */

/* Write a key, and others that are moved for it, into a page that is locked. */
static void
write_moves(Relation index, Buffer buffer, const pds_existence_table *table,
			const pds_existence_moves *moves)
{
	Page		page = BufferGetPage(buffer);
	bool		was_new = PageIsNew(page);

	START_CRIT_SECTION();
	if (was_new)
		existence_page_init(page, PDS_EXISTENCE_TABLE_MAGIC, 0);
	pds_existence_slots_write(table, slots_of_page(page), moves);
	MarkBufferDirty(buffer);
	if (RelationNeedsWAL(index))
	{
		char		delta[PDS_EXISTENCE_MAX_MOVES_DELTA];

		existence_log_change(buffer, was_new, delta,
							 pds_existence_moves_delta(table, slots_of_page(page), moves,
													   PDS_EXISTENCE_SLOTS_AT, (uint8_t *) delta));
	}
	END_CRIT_SECTION();
}

/*
 * Is a page that has no place for a key so empty that more pages would not help?  Chance does
 * not do that, but somebody who makes keys of the same hash can.
 */
static bool
is_oddly_full(const pds_existence_table *table, Buffer buffer, uint32 step)
{
	pds_existence_count count = {0};

	pds_existence_slots_count(table, slots_of_page(BufferGetPage(buffer)), step, &count);
	return (double) count.slots < PDS_EXISTENCE_ODD_SHARE * table->buckets * PDS_EXISTENCE_BUCKET;
}

bool
existence_table_insert(Relation index, pds_hash hash)
{
	pds_existence_home home = pds_existence_home_of(&existence_meta(index)->table, hash);

	for (;;)
	{
		pds_existence_spot spot;
		pds_existence_moves moves;
		bool		exclusive;
		Buffer		buffer = lock_page_of_key(index, &home, &exclusive, &spot);
		const pds_existence_table *table = &existence_meta(index)->table;
		const uint8 *slots = slots_of_page(BufferGetPage(buffer));
		bool		done = pds_existence_slots_contain(table, slots, &home, &spot);
		bool		full = false;
		bool		odd = false;

		/* (without an exclusive lock the key only seemed to be there: look again) */
		if (!done && exclusive)
		{
			done = pds_existence_slots_plan(table, slots, home.bucket, spot.code, &moves);
			full = !done;
			odd = full && is_oddly_full(table, buffer, spot.step);
			if (done)
				write_moves(index, buffer, table, &moves);
		}
		UnlockReleaseBuffer(buffer);
		if (done)
			return true;
		if (full && (odd || !grow_family(index, &home, spot.step)))
			return false;
	}
}
