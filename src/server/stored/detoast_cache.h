/*
 * detoast_cache.h: large stored values, read in pieces or kept whole
 *
 * A large value in a table lies out of line, in TOAST chunks of 2 kB.  A
 * function that needs to see a few bytes of it reads only these; called again
 * and again for the same value it had better keep it.  A cache belongs to one
 * call site and knows the values it has met by their TOAST pointers.
 *
 * When to read the whole value is the ski rental problem.  A value is read in pieces until the
 * pieces have cost as much as reading it whole.  That costs at most twice what was necessary,
 * whatever follows.  A value that was evicted has to earn its place again, so many large values
 * in turn are no worse.
 *
 * Why a value that is kept cannot be a stale one.  A TOAST value is never
 * changed in place: an update stores a new one under another va_valueid.  That
 * number is given to another value only after the chunks of the old one have
 * been removed from the TOAST table, which happens
 *  - when no snapshot can see them: not while the snapshot lasts with which they
 *    were read, and that is as long as a query and the functions that it calls.
 *    (In PL/pgSQL a call site lives for the transaction, and so for several
 *    queries: caches forget all when TransactionXmin has moved.)
 *  - at any time, if the (sub)transaction that stored them was aborted.  We can only have seen
 *    them if it was ours, and caches forget everything at its end.  Two cases remain: our own
 *    TRUNCATE, and a transaction in another database that holds TransactionXmin back between
 *    two queries.  For these, the server's counter of OIDs would have to wrap around, by 2^32,
 *    within the transaction.
 *
 * What is kept counts against probds.probe_cache_size, one bound for all caches
 * of the session; what was not used for longest gives way.
 */
#ifndef PDS_SERVER_STORED_DETOAST_CACHE_H
#define PDS_SERVER_STORED_DETOAST_CACHE_H

#include "postgres.h"

#include "access/detoast.h"
#include "fmgr.h"
#include "lib/ilist.h"
#include "utils/snapmgr.h"

#include "compat.h"

/*
 * The setting probds.probe_cache_size, in kB; -1 for work_mem, or PDS_PROBE_CACHE_LEAST
 * if that is more.
 */
extern int	pds_probe_cache_size;

#define PDS_PROBE_CACHE_LEAST	(64 * 1024)

/*
 * Ask for pages of 2 MB for new memory that is large.  The processor finds their addresses in its
 * table of pages, and a list of 88 MB is not 21,000 page faults.
 */
extern void pds_ask_for_huge_pages(void *memory, Size size);

/* How a call site's values are kept.  Opaque, except for the fields that are inlined below. */
typedef struct PdsStoredCache PdsStoredCache;

/* A stored value as a cache knows it. */
typedef struct PdsStored
{
	struct varatt_external pointer; /* which it is */
	PdsStoredCache *cache;
	size_t		len;			/* bytes of its payload (what follows the length
								 * word) */
	bool		sliceable;		/* not compressed: it can be read in pieces */

	/*
	 * Nanoseconds spent on it since the last change of what is kept of it: on pieces read, and
	 * on what the module adds.
	 */
	double		spent;

	/*
	 * Returns what is kept of it, in memory of the cache's, or NULL if nothing is kept.  A call
	 * of any other function may remove it.
	 */
	uint8	   *kept;
	Size		unpacked;		/* not the payload but a form of so many bytes (probe.h) */
	void	   *kept_chunk;		/* where its memory begins */
	Size		kept_size;
	dlist_node	kept_node;

	uint8	   *head;			/* its first chunk, or all of it, once read */
	size_t		head_len;

	dlist_node	recent_node;
	struct PdsStored *chain;	/* in a bucket of the cache */
} PdsStored;

struct PdsStoredCache
{
	PdsStored  *last;			/* the one looked up last */
	uint32		generation;		/* of when its values were read */
	TransactionId xmin;
	Size		known_size;
	int			count;
	dlist_head	recent;			/* all of them, the last used first */
	PdsStored **buckets;
	MemoryContext context;		/* a child of the call site's */
	MemoryContextCallback forget;
	uint8	   *pending;		/* reserved and not kept yet */
	void	   *pending_chunk;
	Size		pending_size;
};

/* Counts the ends of transactions and the aborts of subtransactions. */
extern uint32 pds_stored_generation;

static inline bool
pds_stored_cache_current(const PdsStoredCache *cache)
{
	return cache->generation == pds_stored_generation &&
		TransactionIdEquals(cache->xmin, TransactionXmin);
}

/*
 * A cache that lives as long as mcxt, for a module that wants known_size bytes of
 * its own with each value (pds_stored_known), zero at first.
 */
extern PdsStoredCache *pds_stored_cache(MemoryContext mcxt, Size known_size);

extern PdsStored *pds_stored_lookup(PdsStoredCache *cache,
									const struct varatt_external *pointer);

static inline PdsStored *
pds_stored_find_pointer(PdsStoredCache *cache, const struct varatt_external *pointer)
{
	if (likely(cache->last != NULL &&
			   pds_stored_cache_current(cache) &&
			   memcmp(&cache->last->pointer, pointer, sizeof(*pointer)) == 0))
		return cache->last;
	return pds_stored_lookup(cache, pointer);
}

/* Returns whether this value lies in a TOAST table. */
static inline bool
pds_is_stored(const struct varlena *v)
{
	return VARATT_IS_EXTERNAL_ONDISK(v);
}

/* Returns what the cache knows of such a value; valid until the next call. */
static inline PdsStored *
pds_stored_find(PdsStoredCache *cache, const struct varlena *v)
{
	struct varatt_external pointer;

	VARATT_EXTERNAL_GET_POINTER(pointer, v);
	return pds_stored_find_pointer(cache, &pointer);
}

/*
 * The same for a value in memory, by its address.  The next time, another value may be at this
 * address, so the module must be able to recognize its value.  Nothing can be read of it here.
 */
extern PdsStored *pds_stored_at(PdsStoredCache *cache, const void *address, size_t len);

static inline void *
pds_stored_known(PdsStored *stored)
{
	return (char *) stored + MAXALIGN(sizeof(PdsStored));
}

/*
 * Returns at least "most" of the first bytes of the payload, or all, and how many there are.
 * Returns NULL for an aggregate's state, which can only be read whole.
 */
extern const uint8 *pds_stored_get_head(PdsStored *stored, Datum value, int32 most, size_t *have);

/*
 * A piece of the payload: in the head if it is there, or else a copy in the
 * current memory context.  Not of a value that is not sliceable.
 */
extern const uint8 *pds_stored_read(PdsStored *stored, size_t offset, size_t len);

/*
 * Returns whether it is time to keep the whole value.  Small values are read whole, and compressed
 * values cannot be read in pieces.
 */
extern bool pds_stored_earned(const PdsStored *stored);

/*
 * Returns memory for something to be kept of a value, aligned so that the byte at align_at (0
 * to 63) is the first of a cache line.  Evicts the least recently used values for it.  Returns
 * NULL if there is still no space.  What is kept of the value so far stays.
 */
extern uint8 *pds_stored_reserve(PdsStored *stored, Size size, size_t align_at);

/* Keep what is in the memory reserved last, in place of what was kept. */
extern void pds_stored_keep(PdsStored *stored);

/*
 * Put the whole payload into memory of stored->len bytes.  At least VARHDRSZ bytes before it
 * must belong to the same piece of memory, or twice as many if it is not at a multiple of 4.
 */
extern void pds_stored_read_all(PdsStored *stored, uint8 *to);

#endif
