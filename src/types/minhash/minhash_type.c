/*
 * minhash_type.c: the type minhash: its parameters, changes and aggregate
 *
 * The functions that read a sketch are in minhash_answer_type.c.
 *
 * Macros define: probds_minhash_in, probds_minhash_out, probds_minhash_recv, probds_minhash_send,
 * probds_minhash_from_bytea, probds_minhash_typmod_in, probds_minhash_typmod_out,
 * probds_minhash_typmod_cast, probds_minhash_eq, probds_minhash_ne, probds_minhash_lt,
 * probds_minhash_le, probds_minhash_gt, probds_minhash_ge, probds_minhash_cmp,
 * probds_minhash_hash, probds_minhash_hash_extended, probds_minhash_empty, probds_minhash_add,
 * probds_minhash_add_all, probds_minhash_merge, probds_minhash_agg, probds_minhash_final,
 * probds_minhash_size.
 */
#include "postgres.h"

#include <math.h>

#include "aggregate.h"
#include "result_row.h"
#include "compat.h"
#include "state.h"
#include "minhash_type.h"

/* ---------- parameters ---------- */

#define K_HINT \
	"It is a power of 2. The standard error of a Jaccard index is 50 % / sqrt(k) at most: " \
	"4.4 % of the union at 128, 1.6 % at 1024."

static const PdsParameter parameters[] = {
	{"k", PDS_INTEGER, .standard = PDS_MINHASH_DEFAULT_K,
		.least = PDS_MINHASH_MIN_K, .most = PDS_MINHASH_MAX_K,
	.hint = K_HINT},
	{NULL}
};

/* k as a power of 2. */
static bool
minhash_shape_of(const double *values, void *log2_k)
{
	uint32		k = (uint32) values[0];

	*(int *) log2_k = pds_log2_64(k);
	return (k & (k - 1)) == 0;
}

static void
minhash_impossible(const double *values)
{
	int			k = (int) values[0];

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("minhash k must be a power of 2, not %d", k),
			 errhint("Use %d or %d.", 1 << pds_log2_64(k), 2 << pds_log2_64(k))));
}

PDS_ONE_PARAMETER(minhash, UINT32_C(1) << s->log2_k);

/* ---------- the building form ---------- */

static void *
minhash_new(const double *values)
{
	pds_minhash_build *b = pds_state_alloc(PDS_MINHASH_FIRST_SIZE);
	int			log2_k;

	pds_require_shape(&pds_minhash_type, values, &log2_k);
	pds_minhash_build_init(b, log2_k);
	return b;
}

/* ---------- type modifiers ---------- */

static bool
minhash_can_fold(const void *from, const void *to)
{
	return ((const pds_minhash_view *) from)->log2_k > ((const pds_minhash_view *) to)->log2_k;
}

/* A union is of the smaller k.  An empty sketch can be of a smaller k than this. */
static void *
minhash_fold(struct varlena *value, const double *values)
{
	pds_minhash_build *b = pds_state_merge(&pds_minhash_type, minhash_new(values), value);

	return pds_state_kind(b) == PDS_KIND_NONE ? minhash_new(values) : b;
}

/* ---------- the type, to the storage frame ---------- */

void
pds_minhash_summary_of(const pds_minhash_view *v, pds_minhash_summary *s)
{
	void	   *scratch = palloc(pds_minhash_summary_scratch(v) + 1);

	if (pds_minhash_summarize(s, v, scratch) != PDS_OK)
		pds_stored_corrupt(&pds_minhash_type, "Its registers cannot be read.");
	pfree(scratch);
}

PDS_SUMMARY_HEALTH(minhash, pds_minhash_summary, pds_minhash_summary_of,
				   h->modifier = psprintf("%u", 1u << v->log2_k);
				   h->values = pds_minhash_cardinality(&s);
				   h->fill = pds_minhash_fill(&s);
				   h->error = pds_minhash_cardinality_error(&s));

PDS_SKETCH_TYPE(minhash,
	.array_functions = "minhash_add_all()",
	PDS_MODIFIERS(1, "one modifier, k", "Write minhash(128)."),
	.shape_of = minhash_shape_of, .impossible = minhash_impossible, .can_fold = minhash_can_fold,
	.fold = minhash_fold);

PDS_AGGREGATE_STEP(minhash, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE);
PDS_FINAL_FUNCTION(minhash);

/* minhash_size(k int): error, jaccard_error, bytes, filled_bytes */
PDS_SIZE_FUNCTION(minhash, int,
				  Float8GetDatum(pds_for_people(1 / sqrt(asked[0]))),
				  Float8GetDatum(pds_for_people(0.5 / sqrt(asked[0]))),
				  Int64GetDatum((int64) pds_minhash_most_bytes(s)),
				  Int64GetDatum((int64) pds_minhash_full_bytes(s)));
