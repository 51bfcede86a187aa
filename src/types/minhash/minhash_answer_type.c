/*
 * minhash_answer_type.c: what is read from minhash sketches
 *
 * Macros define: probds_minhash_info.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "result_row.h"
#include "compat.h"
#include "entry_points.h"
#include "minhash_type.h"

/* Argument argno, opened. */
static pds_minhash_view
view_arg(FunctionCallInfo fcinfo, int argno)
{
	pds_minhash_view v;

	(void) pds_sketch_arg(fcinfo, argno, &pds_minhash_type, &v);
	return v;
}

static void
summary_arg(FunctionCallInfo fcinfo, int argno, pds_minhash_summary *s)
{
	pds_minhash_view v = view_arg(fcinfo, argno);

	pds_minhash_summary_of(&v, s);
}

/* ---------- one sketch ---------- */

/* minhash_cardinality(minhash), #minhash */
PDS_SUMMARY_FUNCTION(probds_minhash_cardinality, pds_minhash_summary, summary_arg,
					 pds_count_datum(pds_minhash_cardinality(&s)));

/* minhash_bounds(minhash, confidence float8): (lower, estimate, upper) */
PDS_BOUNDS_FUNCTION(probds_minhash_bounds, pds_minhash_summary, summary_arg,
					pds_minhash_cardinality_bounds);

static const char *const encodings[] = {"empty", "sparse", "dense"};

/*
 * minhash_info(minhash): k, encoding, kind, bytes, fill, cardinality, error, jaccard_error.
 * For the last: sqrt(J (1 - J) / k) is largest where J is a half.
 */
PDS_INFO_FUNCTION(minhash, pds_minhash_summary, pds_minhash_summary_of,
				  Int32GetDatum(1 << v->log2_k),
				  CStringGetTextDatum(encodings[v->encoding]),
				  CStringGetTextDatum(pds_kind_full_name(v->kind)),
				  Int32GetDatum((int32) v->len),
				  Float8GetDatum(pds_for_people(pds_minhash_fill(&s))),
				  pds_count_datum(pds_minhash_cardinality(&s)),
				  Float8GetDatum(pds_for_people(pds_minhash_cardinality_error(&s))),
				  Float8GetDatum(pds_for_people(s.dense ? 0.5 / sqrt(ldexp(1, v->log2_k)) : 0)));

/* minhash_bands(minhash, bands int, rows int): bigint[] */
PDS_FUNCTION(probds_minhash_bands)
{
	pds_minhash_view v = view_arg(fcinfo, 0);
	int32		bands = PG_GETARG_INT32(1);
	int32		rows = PG_GETARG_INT32(2);
	int32		k = 1 << v.log2_k;
	uint16_t   *registers;
	uint16_t   *scratch;
	uint64_t   *numbers;
	Datum	   *elements;
	uint32_t	n;

	if (bands < 1 || rows < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("minhash bands and rows must be at least 1, not %d and %d", bands, rows)));
	if ((int64) bands * rows > k)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%d bands of %d rows need more than the %d registers of the minhash",
						bands, rows, k),
				 errhint("Bands times rows must not be above k. Two sets of Jaccard index J have "
						 "a band in common with a probability of 1 - (1 - J^rows)^bands.")));
	registers = palloc(2 * sizeof(*registers) * k);
	scratch = registers + k;
	numbers = palloc(sizeof(*numbers) * bands);
	if (pds_minhash_read_registers(&v, v.log2_k, registers) != PDS_OK)
		pds_stored_corrupt(&pds_minhash_type, "Its registers cannot be read.");
	n = pds_minhash_bands(registers, v.log2_k, (uint32_t) bands, (uint32_t) rows, scratch, numbers);
	if (n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(INT8OID));
	elements = palloc(sizeof(*elements) * n);
	for (uint32_t i = 0; i < n; i++)
		elements[i] = Int64GetDatum((int64) numbers[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(elements, (int) n, INT8OID, sizeof(int64),
										  FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* ---------- two sketches ---------- */

/* What arguments 0 and 1 show of each other.  Errors: 22000 for two kinds. */
static pds_minhash_pair
pair_args(FunctionCallInfo fcinfo)
{
	pds_minhash_view a = view_arg(fcinfo, 0);
	pds_minhash_view b = view_arg(fcinfo, 1);
	pds_minhash_pair pair;
	void	   *scratch;

	(void) pds_require_mergeable(&pds_minhash_type, a.kind, a.family, b.kind, b.family);
	scratch = palloc(pds_minhash_pair_scratch(&a, &b) + 1);
	if (pds_minhash_pair_of(&pair, &a, &b, scratch) != PDS_OK)
		pds_stored_corrupt(&pds_minhash_type, "Its values cannot be read.");
	pfree(scratch);
	return pair;
}

/* What a pair shows, or NULL where that is not defined. */
static Datum
pair_answer(FunctionCallInfo fcinfo, bool (*answer_of) (const pds_minhash_pair *, double *))
{
	pds_minhash_pair pair = pair_args(fcinfo);
	double		answer;

	if (!answer_of(&pair, &answer))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(answer);
}

/* minhash_jaccard(minhash, minhash): NULL if both are empty */
PDS_SKETCH_FUNCTION(probds_minhash_jaccard, return pair_answer(fcinfo, pds_minhash_jaccard));

/* minhash_containment(minhash, minhash): NULL if the first is empty */
PDS_SKETCH_FUNCTION(probds_minhash_containment,
					return pair_answer(fcinfo, pds_minhash_containment));

/* minhash_jaccard_bounds(minhash, minhash, confidence float8): (lower, estimate, upper) */
PDS_FUNCTION(probds_minhash_jaccard_bounds)
{
	double		confidence = pds_confidence_arg(fcinfo, 2);
	pds_minhash_pair pair = pair_args(fcinfo);
	double		lower;
	double		estimate;
	double		upper;
	Datum		values[3];

	if (!pds_minhash_jaccard_bounds(&pair, confidence, &lower, &estimate, &upper))
		PG_RETURN_NULL();
	values[0] = Float8GetDatum(lower);
	values[1] = Float8GetDatum(estimate);
	values[2] = Float8GetDatum(upper);
	return pds_info_row(fcinfo, values, NULL);
}

/* ---------- many sketches ---------- */

/*
 * minhash_intersection_bounds(minhash[], confidence float8): (lower, estimate, upper); NULL if
 * there is no element, or one that is NULL.  Errors: 22000 for two kinds.
 */
PDS_FUNCTION(probds_minhash_intersection_bounds)
{
	double		confidence = pds_confidence_arg(fcinfo, 1);
	struct varlena **values;
	int			n = pds_sketch_array_arg(fcinfo, 0, &pds_minhash_type, &values);
	pds_minhash_view *v = palloc(sizeof(*v) * (n + 1));
	pds_kind	kind = PDS_KIND_NONE;
	pds_minhash_common common;
	double		lower;
	double		estimate;
	double		upper;

	if (n == 0 || array_contains_nulls(PG_GETARG_ARRAYTYPE_P(0)))
		PG_RETURN_NULL();
	for (int i = 0; i < n; i++)
	{
		pds_sketch_open(&pds_minhash_type, values[i], &v[i]);
		kind = pds_require_mergeable(&pds_minhash_type, kind, v[0].family, v[i].kind, v[i].family);
	}
	if (pds_minhash_common_of(&common, v, (uint32_t) n,
							  palloc(pds_minhash_common_scratch(v, (uint32_t) n) + 1)) != PDS_OK)
		pds_stored_corrupt(&pds_minhash_type, "Its values cannot be read.");
	pds_minhash_common_bounds(&common, confidence, &lower, &estimate, &upper);
	return pds_bounds_row(lower, estimate, upper);
}
