/*
 * cuckoo_answer_type.c: is this value in the filter, how often, and what else it answers
 *
 * Macros define: probds_cuckoo_contained, probds_cuckoo_contains, probds_cuckoo_contains_all,
 * probds_cuckoo_contains_any.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/builtins.h"

#include "compat.h"
#include "decimal.h"
#include "cuckoo_type.h"
#include "result_row.h"
#include "probe.h"

/* ---------- values ---------- */

/* The parameters of a live state as those of a view. */
static void
view_state(const pds_cuckoo_build *b, pds_cuckoo_view *v)
{
	v->kind = pds_state_kind(b);
	v->shape = b->shape;
	v->distinct = pds_cuckoo_distinct(b);
	v->total = b->total;
}

/* A filter that is often probed whether a value is there is unpacked to an array of classes. */
static void
plan_unpacking(const pds_cuckoo_view *v, PdsUnpackPlan *plan)
{
	plan->size = 0;
	if (v->encoding == PDS_CUCKOO_EMPTY)
		return;
	plan->size = pds_cuckoo_unpacked_size(v);
	plan->unpack_cost = 1000 + (double) plan->size * 0.3 + (double) v->distinct * 5;
	plan->probe_cost = 50 + 1.5 * (double) v->distinct / (double) v->list.segments;
}

PDS_UNPACKING(to_classes, cuckoo, plan_unpacking, pds_cuckoo_unpack, pds_cuckoo_same_lookup,
			  pds_cuckoo_unpacked_contains);
PDS_PROBE_OF_STATES(is_there, cuckoo, PDS_CUCKOO_MAX_PREFIX, pds_cuckoo_view_count,
					   pds_cuckoo_count, &to_classes);
PDS_PROBE_OF_STATES(how_many, cuckoo, PDS_CUCKOO_MAX_PREFIX, pds_cuckoo_view_count,
					   pds_cuckoo_count, NULL);

PDS_CONTAINS_FUNCTIONS(cuckoo, is_there);

/* cuckoo_count(cuckoo, "any") */
PDS_FUNCTION(probds_cuckoo_count)
{
	PdsProbed	probed;

	PG_RETURN_INT64((int64) pds_probe_args(fcinfo, 0, 1, &how_many, &probed));
}

/* ---------- answers of the whole ---------- */

/* cuckoo_cardinality(cuckoo): about how many distinct values it holds */
PDS_FUNCTION(probds_cuckoo_cardinality)
{
	pds_cuckoo_view v;

	pds_probe_head(fcinfo, 0, &how_many, &v);
	return pds_count_datum(pds_cuckoo_cardinality(&v.shape, v.distinct));
}

/* cuckoo_false_positive_rate(cuckoo): as it is filled now */
PDS_FUNCTION(probds_cuckoo_false_positive_rate)
{
	pds_cuckoo_view v;

	pds_probe_head(fcinfo, 0, &how_many, &v);
	PG_RETURN_FLOAT8(pds_cuckoo_rate(&v.shape, v.distinct));
}

/*
 * cuckoo_info(cuckoo): capacity, items, copies, fill, false_positive_rate, promised_rate,
 * kind, family, bytes, encoding, status
 */
PDS_FUNCTION(probds_cuckoo_info)
{
	static const char *const encodings[] = {"empty", "list", "counted list"};
	pds_cuckoo_view v;
	Datum		values[11];
	int			n = 0;

	(void) pds_sketch_arg(fcinfo, 0, &pds_cuckoo_type, &v);
	values[n++] = Int64GetDatum((int64) v.shape.capacity);
	values[n++] = pds_count_datum(pds_cuckoo_cardinality(&v.shape, v.distinct));
	values[n++] = Int64GetDatum((int64) v.total);
	values[n++] = Float8GetDatum(pds_for_people((double) v.distinct / (double) v.shape.capacity));
	values[n++] = Float8GetDatum(pds_for_people(pds_cuckoo_rate(&v.shape, v.distinct)));
	values[n++] = Float8GetDatum(pds_decimal_value(v.shape.rate));
	values[n++] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[n++] = CStringGetTextDatum("native");
	values[n++] = Int32GetDatum((int32) v.len);
	values[n++] = CStringGetTextDatum(encodings[v.encoding]);
	values[n++] = CStringGetTextDatum(pds_cuckoo_status_name(&v));
	return pds_info_row(fcinfo, values, NULL);
}
