/*
 * selectivity.h: how many rows pass a probe of a filter, for the planner
 */
#ifndef PDS_SERVER_STORED_SELECTIVITY_H
#define PDS_SERVER_STORED_SELECTIVITY_H

#include "probe.h"

/* RESTRICT of filter @> value and value <@ filter */
extern Datum pds_contains_sel(FunctionCallInfo fcinfo, const PdsProbe *probe);

/* The planner's support function of X_contains() and X_contained() */
extern Datum pds_contains_support(FunctionCallInfo fcinfo, const PdsProbe *probe);

#endif
