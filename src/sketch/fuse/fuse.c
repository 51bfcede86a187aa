/*
 * fuse.c: the building form of a fuse filter, a list of hashes
 */
#include "decimal.h"
#include "fuse.h"
#include "sort.h"

void
pds_fuse_build_init(pds_fuse_build *b, size_t size, uint16_t rate)
{
	uint32_t	varlena = b->varlena;

	/* all of it, also where nothing is read before it is written: a state can get into a table */
	memset(b, 0, size);
	b->varlena = varlena;
	b->rate = rate;
	b->slots = (size - sizeof(*b)) / sizeof(uint64_t);
	pds_state_init(b, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE);
}

void
pds_fuse_sort(pds_fuse_build *b)
{
	uint64_t	kept = 0;

	if (b->sorted == b->count)
		return;
	pds_sort_words(b->hashes, b->count);
	for (uint64_t i = 0; i < b->count; i++)
		if (i == 0 || b->hashes[i] != b->hashes[i - 1])
			b->hashes[kept++] = b->hashes[i];
	b->count = b->sorted = kept;
}

/* ---------- space ---------- */

#define SAMPLE	256

/*
 * Are more than a quarter of the hashes duplicates, by a sample?  All those of a value are in it,
 * or none.
 */
static bool
has_duplicates(const pds_fuse_build *b)
{
	uint64_t	sample[SAMPLE];
	uint64_t	mask = (UINT64_C(2) << pds_log2_64(b->count / SAMPLE)) - 1;
	uint64_t	n = 0;
	uint64_t	distinct = 1;

	for (uint64_t i = 0; i < b->count && n < SAMPLE; i++)
		if ((b->hashes[i] & mask) == 0)
			sample[n++] = b->hashes[i];
	pds_sort_words(sample, n);
	for (uint64_t i = 1; i < n; i++)
		distinct += sample[i] != sample[i - 1];
	return n > 0 && distinct < n - n / 4;
}

/*
 * Sorting costs more than a larger list, so a list that has few duplicates grows.  One that has
 * its greatest size is sorted in any case.
 */
pds_status
pds_fuse_make_space(pds_fuse_build *b)
{
	bool		most = b->slots >= PDS_FUSE_MAX_LIST;

	if (!most && b->count >= 16 * SAMPLE && !has_duplicates(b))
		return PDS_FULL;
	pds_fuse_sort(b);
	/* a union that is said again after a PDS_FULL would never come to an end */
	if (b->count > PDS_FUSE_MAX_VALUES)
		return PDS_TOO_LARGE;
	return b->count <= b->slots / 2 || most ? PDS_OK : PDS_FULL;
}

pds_status
pds_fuse_plan_finish(pds_fuse_build *b)
{
	pds_fuse_sort(b);
	return b->count > PDS_FUSE_MAX_VALUES ? PDS_TOO_LARGE : PDS_OK;
}

/* A tenth more: an estimate that is a little too low costs most of all. */
bool
pds_fuse_plan_start(const pds_fuse_build *b, uint64_t rows, size_t most, pds_fuse_plan *plan)
{
	uint64_t	slots = rows < PDS_FUSE_MAX_LIST / 2 ? rows + rows / 10 : PDS_FUSE_MAX_LIST;

	plan->size = sizeof(*b) + (size_t) slots * sizeof(uint64_t);
	return slots > b->slots && plan->size <= most;
}

void
pds_fuse_plan_growth(const pds_fuse_build *b, pds_fuse_plan *plan)
{
	uint64_t	slots = b->slots < PDS_FUSE_MAX_LIST / 2 ? 2 * b->slots : PDS_FUSE_MAX_LIST;

	plan->size = sizeof(*b) + (size_t) slots * sizeof(uint64_t);
}

pds_status
pds_fuse_rebuild(pds_fuse_build *to, pds_fuse_plan *plan, const pds_fuse_build *from)
{
	pds_fuse_build_init(to, plan->size, from->rate);
	if (to->slots <= from->count)
		return PDS_TOO_LARGE;
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	to->count = from->count;
	to->sorted = from->sorted;
	memcpy(to->hashes, from->hashes, (size_t) from->count * sizeof(uint64_t));
	return PDS_OK;
}

/* ---------- images that may be damaged ---------- */

static bool
build_valid(const pds_fuse_build *b, size_t size)
{
	if (b->undecided > 1 || b->finished > 1 || b->rate == 0 || b->rate >= PDS_DECIMAL_CODES ||
		b->slots > (size - sizeof(*b)) / sizeof(uint64_t) || b->slots > PDS_FUSE_MAX_LIST ||
		b->count > b->slots || (b->sorted != 0 && b->sorted != b->count))
		return false;
	for (uint64_t i = 1; i < b->sorted; i++)
		if (b->hashes[i] <= b->hashes[i - 1])
			return false;
	return true;
}

PDS_STATE_CHECK(fuse, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE + 1, sizeof(pds_fuse_build))
