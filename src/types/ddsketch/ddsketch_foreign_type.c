/*
 * ddsketch_foreign_type.c: histograms of OpenTelemetry and Prometheus, in and out, and sketches of
 * DataDog, in
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "compat.h"
#include "ddsketch_foreign.h"
#include "ddsketch_type.h"
#include "entry_points.h"
#include "state.h"

static const char *const names[] = {"OpenTelemetry", "Prometheus", "DataDog", "DataDog"};

static Datum
import(FunctionCallInfo fcinfo, pds_ddsketch_system system)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);
	size_t		len = VARSIZE_ANY_EXHDR(bytes);
	pds_ddsketch_foreign f;
	const char *why = NULL;
	pds_ddsketch_build *b;
	pds_status	status;

	f.list = palloc_extended(Min(len, (size_t) PDS_DDSKETCH_MAX_BUCKETS) *
							 sizeof(pds_ddsketch_slot) + 1, MCXT_ALLOC_HUGE);
	status = pds_ddsketch_read_foreign(system, (const uint8 *) VARDATA_ANY(bytes), len, &f, &why);
	if (status == PDS_TOO_LARGE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("histogram has more than %d buckets", PDS_DDSKETCH_MAX_BUCKETS)));
	if (status != PDS_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid %s of %s", system < PDS_DDSKETCH_DATADOG ? "histogram" : "sketch",
						names[system]),
				 errdetail("%s", why)));
	b = pds_state_alloc(PDS_DDSKETCH_FIRST_SIZE);
	pds_ddsketch_build_init(b, f.scale, Max(f.buckets, PDS_DDSKETCH_DEFAULT_BUCKETS), 0);
	for (uint32 i = 0; i < f.buckets; i++)
	{
		CHECK_FOR_INTERRUPTS();
		PDS_STATE_CHANGE(&pds_ddsketch_type, b,
						 pds_ddsketch_add_bucket(b, f.list[i].key, f.list[i].count));
	}
	pds_ddsketch_take_apart(b, &f);
	if (f.total > 0)
		pds_state_set_kind(b, PDS_KIND_NUMBER);
	PG_RETURN_POINTER(pds_state_store(&pds_ddsketch_type, b));
}

/* ddsketch_from_opentelemetry(bytea), ddsketch_from_prometheus(bytea) */
PDS_SKETCH_FUNCTION(probds_ddsketch_from_opentelemetry,
					return import(fcinfo, PDS_DDSKETCH_OPENTELEMETRY));
PDS_SKETCH_FUNCTION(probds_ddsketch_from_prometheus,
					return import(fcinfo, PDS_DDSKETCH_PROMETHEUS));

/* ddsketch_from_datadog(bytea, boolean) */
PDS_SKETCH_FUNCTION(probds_ddsketch_from_datadog,
					return import(fcinfo, PG_GETARG_BOOL(1) ? PDS_DDSKETCH_DATADOG_UP :
								  PDS_DDSKETCH_DATADOG));

static Datum
export(FunctionCallInfo fcinfo, pds_ddsketch_system system)
{
	pds_ddsketch_view v;
	pds_ddsketch_bucket *list;
	bytea	   *out;
	size_t		most;

	(void) pds_sketch_arg(fcinfo, 0, &pds_ddsketch_type, &v);
	if (v.apart.negative_infinities > 0 || v.apart.positive_infinities > 0 || v.apart.nans > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("histograms of %s have no infinities and no NaN", names[system])));
	if (v.kind == PDS_KIND_INTERVAL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("histograms of %s have numbers, not intervals", names[system]),
				 errhint("Build the sketch of extract(epoch FROM value).")));
	list = palloc_extended(sizeof(*list) * (v.negatives + v.positives) + 1, MCXT_ALLOC_HUGE);
	if (pds_ddsketch_read_buckets(&v, list) != PDS_OK)
		pds_stored_corrupt(&pds_ddsketch_type, "Its buckets cannot be read.");
	most = pds_ddsketch_foreign_bound(system, &v, list);
	if (most == 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the values are too far from each other for a histogram of %s",
						names[system]),
				 errhint("Fold the sketch by a cast to a larger error, such as ::ddsketch(0.1).")));
	out = palloc(VARHDRSZ + most);
	SET_VARSIZE(out, VARHDRSZ +
				pds_ddsketch_write_foreign(system, &v, list, (uint8 *) VARDATA(out)));
	PG_RETURN_BYTEA_P(out);
}

/* ddsketch_to_opentelemetry(ddsketch), ddsketch_to_prometheus(ddsketch) */
PDS_SKETCH_FUNCTION(probds_ddsketch_to_opentelemetry,
					return export(fcinfo, PDS_DDSKETCH_OPENTELEMETRY));
PDS_SKETCH_FUNCTION(probds_ddsketch_to_prometheus,
					return export(fcinfo, PDS_DDSKETCH_PROMETHEUS));
