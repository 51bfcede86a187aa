/*
 * answer.h: numbers as the results of SQL functions
 */
#ifndef PDS_SERVER_ANSWER_H
#define PDS_SERVER_ANSWER_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/tuplestore.h"

/* An estimated number of values as bigint: rounded, and clipped to what it can hold. */
extern Datum pds_count_datum(double n);

/* Returns the number with six significant digits, for info rows. */
extern double pds_for_people(double n);

/*
 * A result row of bigint (lower, estimate, upper), each as pds_count_datum()
 * makes it.  The function must declare just these OUT arguments.
 */
extern Datum pds_bounds_row(double lower, double estimate, double upper);

/* The same of numbers that are whole already, and may be above 2^53. */
extern Datum pds_bounds_row_exact(int64 lower, int64 estimate, int64 upper);

/*
 * One row of the OUT arguments that the function declares; nulls may be NULL, if none is.
 */
extern Datum pds_info_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

/*
 * Begin the result of a function that returns a set of rows: what is put into the
 * tuplestore, with the row type in resultinfo->setDesc.
 */
extern Tuplestorestate *pds_begin_rows(FunctionCallInfo fcinfo);

/* A confidence argument (not NULL); 22023 unless it is between 0 and 1. */
extern double pds_confidence_arg(FunctionCallInfo fcinfo, int argno);

#endif
