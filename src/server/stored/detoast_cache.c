/*
 * detoast_cache.c: large stored values, read in pieces or kept whole
 */
#include "postgres.h"

#ifndef WIN32
#include <sys/mman.h>
#endif

#include "access/heaptoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "detoast_cache.h"
#include "sketch.h"

/*
 * The cost of reading, in nanoseconds: to find a piece (open the TOAST table and its index, go
 * down the index), and for each chunk of it.  Measured with all data in shared buffers, a piece
 * of one chunk takes 4 to 6 us, and the 6,200 chunks of 12 MB take 8 to 13 ms.  The cost of a
 * chunk is set lower here.  Pieces take more buffers than the whole does, and these may have to
 * come from disk.
 */
#define FIND_COST			4500.0
#define CHUNK_COST			1000.0

/* The most values that a cache knows of, whether or not it keeps anything. */
#define MOST_VALUES			1024
#define BUCKETS				1024	/* a power of 2 */

#define CACHE_LINE			64
#define HUGE_PAGE			((uintptr_t) 2 * 1024 * 1024)

int			pds_probe_cache_size = -1;
uint32		pds_stored_generation = 0;

/* All values of which something is kept, the last used first, and how much. */
static dlist_head kept_list = DLIST_STATIC_INIT(kept_list);
static Size kept_total = 0;

/* The setting in kB, with its default filled in. */
static int
cache_size(void)
{
	return pds_probe_cache_size >= 0 ? pds_probe_cache_size :
		Max(work_mem, PDS_PROBE_CACHE_LEAST);
}

/* ---------- what is kept ---------- */

static void
drop_kept(PdsStored *stored)
{
	if (stored->kept == NULL)
		return;
	dlist_delete(&stored->kept_node);
	kept_total -= stored->kept_size;
	pfree(stored->kept_chunk);
	stored->kept = NULL;
	stored->unpacked = 0;
	stored->spent = 0;
}

/*
 * Returns the least recently used entry, except "wanting" itself.  A value that is looked up
 * repeatedly without another in between does not move in the list.  So the value that a cache
 * looked up last is spared as long as there is anything else.
 */
static PdsStored *
choose_victim(const PdsStored *wanting)
{
	PdsStored  *spared = NULL;
	dlist_iter	iter;

	dlist_reverse_foreach(iter, &kept_list)
	{
		PdsStored  *stored = dlist_container(PdsStored, kept_node, iter.cur);

		if (stored == wanting)
			continue;
		if (stored != stored->cache->last)
			return stored;
		if (spared == NULL)
			spared = stored;
	}
	return spared;
}

/* Only where the system (Linux) and its setting give them on advice. */
void
pds_ask_for_huge_pages(void *memory, Size size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t	from = TYPEALIGN(HUGE_PAGE, (uintptr_t) memory);
	uintptr_t	to = TYPEALIGN_DOWN(HUGE_PAGE, (uintptr_t) memory + size);

	if (from < to && to - from >= 2 * HUGE_PAGE)
		(void) madvise((void *) from, to - from, MADV_HUGEPAGE);
#endif
}

uint8 *
pds_stored_reserve(PdsStored *stored, Size size, size_t align_at)
{
	PdsStoredCache *cache = stored->cache;
	Size		limit = (Size) cache_size() * 1024;

	size += 2 * VARHDRSZ + CACHE_LINE - 1;
	if (size + (stored->kept != NULL ? stored->kept_size : 0) > limit)
		return NULL;
	while (kept_total + size > limit)
		drop_kept(choose_victim(stored));
	/* after an error it stays with the cache, which forgets everything at the next look-up */
	cache->pending_chunk = MemoryContextAllocExtended(cache->context, size,
													  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
	if (cache->pending_chunk == NULL)
		return NULL;
	pds_ask_for_huge_pages(cache->pending_chunk, size);
	cache->pending_size = size;
	cache->pending = (uint8 *)
		TYPEALIGN(CACHE_LINE, (uintptr_t) cache->pending_chunk + 2 * VARHDRSZ + align_at) -
			align_at;
	return cache->pending;
}

void
pds_stored_keep(PdsStored *stored)
{
	PdsStoredCache *cache = stored->cache;

	drop_kept(stored);
	stored->kept = cache->pending;
	stored->kept_chunk = cache->pending_chunk;
	stored->kept_size = cache->pending_size;
	stored->spent = 0;
	dlist_push_head(&kept_list, &stored->kept_node);
	kept_total += stored->kept_size;
}

/* ---------- caches ---------- */

/* All of a cache's memory is about to go. */
static void
forget(void *arg)
{
	PdsStoredCache *cache = arg;
	dlist_iter	iter;

	dlist_foreach(iter, &cache->recent)
	{
		PdsStored  *stored = dlist_container(PdsStored, recent_node, iter.cur);

		if (stored->kept != NULL)
		{
			dlist_delete(&stored->kept_node);
			kept_total -= stored->kept_size;
		}
	}
	cache->last = NULL;
	cache->count = 0;
	dlist_init(&cache->recent);
}

/* A cache that knows nothing. */
static void
begin(PdsStoredCache *cache)
{
	cache->generation = pds_stored_generation;
	cache->xmin = TransactionXmin;
	cache->buckets = MemoryContextAllocZero(cache->context, BUCKETS * sizeof(PdsStored *));
	cache->forget.func = forget;
	cache->forget.arg = cache;
	MemoryContextRegisterResetCallback(cache->context, &cache->forget);
}

static void
at_transaction_end(XactEvent event, void *arg)
{
	pds_stored_generation++;
}

static void
at_subtransaction_end(SubXactEvent event, SubTransactionId mine,
					  SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		pds_stored_generation++;
}

PdsStoredCache *
pds_stored_cache(MemoryContext mcxt, Size known_size)
{
	static bool registered = false;
	PdsStoredCache *cache = MemoryContextAllocZero(mcxt, sizeof(PdsStoredCache));

	if (!registered)
	{
		RegisterXactCallback(at_transaction_end, NULL);
		RegisterSubXactCallback(at_subtransaction_end, NULL);
		registered = true;
	}
	cache->known_size = known_size;
	dlist_init(&cache->recent);
	cache->context = AllocSetContextCreate(mcxt, "probds stored sketches", ALLOCSET_SMALL_SIZES);
	begin(cache);
	return cache;
}

static inline PdsStored **
bucket_of(PdsStoredCache *cache, const struct varatt_external *pointer)
{
	return &cache->buckets[murmurhash32(pointer->va_valueid) & (BUCKETS - 1)];
}

/* A place for one more value: the one not looked up for longest, if they are many. */
static PdsStored *
blank(PdsStoredCache *cache)
{
	Size		size = MAXALIGN(sizeof(PdsStored)) + cache->known_size;
	int			most = Min(MOST_VALUES, 1 + cache_size() / 16);
	PdsStored  *stored;
	PdsStored **link;
	uint8	   *head;

	if (cache->count < most)
	{
		stored = MemoryContextAllocZero(cache->context, size);
		dlist_push_head(&cache->recent, &stored->recent_node);
		cache->count++;
		return stored;
	}
	stored = dlist_tail_element(PdsStored, recent_node, &cache->recent);
	for (link = bucket_of(cache, &stored->pointer); *link != stored; link = &(*link)->chain)
		;
	*link = stored->chain;
	drop_kept(stored);
	dlist_delete(&stored->recent_node);
	head = stored->head;
	memset(stored, 0, size);
	stored->head = head;
	dlist_push_head(&cache->recent, &stored->recent_node);
	return stored;
}

PdsStored *
pds_stored_lookup(PdsStoredCache *cache, const struct varatt_external *pointer)
{
	PdsStored **bucket = bucket_of(cache, pointer);
	PdsStored  *stored;

	if (!pds_stored_cache_current(cache))
	{
		MemoryContextReset(cache->context);
		begin(cache);
		bucket = bucket_of(cache, pointer);
	}
	for (stored = *bucket; stored != NULL; stored = stored->chain)
		if (memcmp(&stored->pointer, pointer, sizeof(*pointer)) == 0)
			break;
	if (stored != NULL)
	{
		dlist_move_head(&cache->recent, &stored->recent_node);
		if (stored->kept != NULL)
			dlist_move_head(&kept_list, &stored->kept_node);
	}
	else
	{
		stored = blank(cache);
		stored->pointer = *pointer;
		stored->cache = cache;
		stored->len = (size_t) pointer->va_rawsize - VARHDRSZ;
		stored->sliceable = !VARATT_EXTERNAL_IS_COMPRESSED(*pointer);
		stored->chain = *bucket;
		*bucket = stored;
	}
	cache->last = stored;
	return stored;
}

/* In the TOAST table that there is not. */
PdsStored *
pds_stored_at(PdsStoredCache *cache, const void *address, size_t len)
{
	struct varatt_external pointer = {0};

	pointer.va_rawsize = (int32) (VARHDRSZ + len);
	pointer.va_valueid = (Oid) ((uintptr_t) address & PG_UINT32_MAX);
	pointer.va_toastrelid = InvalidOid;
	return pds_stored_find_pointer(cache, &pointer);
}

/* ---------- reading ---------- */

/*
 * Of a value that is not compressed.  The server reads into what it takes for a
 * value, which begins at a multiple of 4: VARHDRSZ bytes before the one at or
 * below "to" may be used.
 */
static void
read_slice(PdsStored *stored, size_t offset, size_t len, uint8 *to)
{
	Relation	toast = table_open(stored->pointer.va_toastrelid, AccessShareLock);
	size_t		shift = (uintptr_t) to % sizeof(int32);

	table_relation_fetch_toast_slice(toast, stored->pointer.va_valueid, (int32) stored->len,
									 (int32) offset, (int32) len,
									 (struct varlena *) (to - shift - VARHDRSZ));
	table_close(toast, AccessShareLock);
	if (shift > 0)
		memmove(to, to - shift, len);
}

static inline double
cost_of(size_t offset, size_t len)
{
	size_t		chunks = (offset + len - 1) / TOAST_MAX_CHUNK_SIZE - offset / TOAST_MAX_CHUNK_SIZE +
		1;

	return FIND_COST + CHUNK_COST * (double) chunks;
}

/* A small value is cheaper whole than in two pieces. */
static inline bool
is_small(const PdsStored *stored)
{
	return cost_of(0, stored->len) <= 2 * cost_of(0, 1);
}

static void
free_head(PdsStored *stored)
{
	if (stored->head != NULL)
		pfree(stored->head - VARHDRSZ);
	stored->head = NULL;
	stored->head_len = 0;
}

/*
 * Read the first chunk (stored->head, head_len) of a value that is not compressed, or all of a
 * small one.
 */
static void
read_head(PdsStored *stored)
{
	size_t		len;

	if (stored->head_len > 0)
		return;
	len = is_small(stored) ? stored->len : Min(stored->len, TOAST_MAX_CHUNK_SIZE);
	/* a buffer of the value in whose place this one is */
	if (len > TOAST_MAX_CHUNK_SIZE)
		free_head(stored);
	if (stored->head == NULL)
		stored->head = (uint8 *) MemoryContextAlloc(stored->cache->context, VARHDRSZ +
													Max(len, TOAST_MAX_CHUNK_SIZE)) + VARHDRSZ;
	read_slice(stored, 0, len, stored->head);
	stored->head_len = len;
	stored->spent += cost_of(0, len);
}

const uint8 *
pds_stored_get_head(PdsStored *stored, Datum value, int32 most, size_t *have)
{
	const uint8 *head;

	if (stored->sliceable)
	{
		read_head(stored);
		head = stored->head;
		*have = stored->head_len;
	}
	else
	{
		struct varlena *slice = PG_DETOAST_DATUM_SLICE(value, 0, most);

		head = PDS_PAYLOAD(slice);
		*have = PDS_PAYLOAD_LEN(slice);
	}
	return *have > PDS_HEADER_BYTES && (head[1] & 0x0f) == PDS_ENCODING_BUILDING ? NULL : head;
}

const uint8 *
pds_stored_read(PdsStored *stored, size_t offset, size_t len)
{
	uint8	   *to;

	if (offset + len <= stored->head_len)
		return stored->head + offset;
	to = (uint8 *) palloc(VARHDRSZ + len) + VARHDRSZ;
	read_slice(stored, offset, len, to);
	stored->spent += cost_of(offset, len);
	return to;
}

bool
pds_stored_earned(const PdsStored *stored)
{
	return !stored->sliceable || is_small(stored) || stored->spent >= cost_of(0, stored->len);
}

void
pds_stored_read_all(PdsStored *stored, uint8 *to)
{
	union
	{
		struct varlena value;
		char		bytes[TOAST_POINTER_SIZE];
	}			toast;
	struct varlena *value;

	if (stored->head_len == stored->len)
	{
		memcpy(to, stored->head, stored->len);
		free_head(stored);
		return;
	}
	if (stored->sliceable)
	{
		read_slice(stored, 0, stored->len, to);
		return;
	}
	SET_VARTAG_EXTERNAL(&toast, VARTAG_ONDISK);
	memcpy(VARDATA_EXTERNAL(&toast), &stored->pointer, sizeof(stored->pointer));
	value = detoast_attr(&toast.value);
	if (VARSIZE(value) != VARHDRSZ + stored->len)
		elog(ERROR, "stored value is of another length than its TOAST pointer says");
	memcpy(to, VARDATA(value), stored->len);
	pfree(value);
}
