/*
 * cuckoo_agg.c: the aggregates of cuckoo
 *
 * The state is a cuckoo in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_cuckoo_agg, probds_cuckoo_final.
 */
#include "postgres.h"

#include "cuckoo_type.h"
#include "aggregate.h"
#include "state.h"

PDS_AGGREGATE_STEP(cuckoo, PDS_TYPE_CUCKOO,
				   PDS_FAMILY_NATIVE);

/*
 * The inverse transition: a row leaves the window.  If that cannot be, NULL has the server
 * aggregate the window's rows again, which then says why.
 */
static pg_attribute_always_inline Datum
cuckoo_inverse_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_cuckoo_build *b = pds_aggregate_state(fcinfo, PDS_FIRST_PARAMETER, &pds_cuckoo_type);

	if (isnull)
		PG_RETURN_POINTER(b);
	if (pds_state_kind(b) != kind || pds_cuckoo_remove(b, hash) != PDS_OK)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(b);
}

PDS_AGGREGATE_ENTRY(probds_cuckoo_inverse_agg, cuckoo_inverse_step);
PDS_LIVE_FINAL_FUNCTION(cuckoo, true);
