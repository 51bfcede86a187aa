/*
 * result_row.h: numbers as the results of SQL functions
 */
#ifndef PDS_SERVER_TYPE_RESULT_ROW_H
#define PDS_SERVER_TYPE_RESULT_ROW_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/tuplestore.h"

#include "sketch.h"

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

/*
 * Define entry points that answer from a summary s of argument 0, which
 * summary_arg(fcinfo, 0, &s) reads.  The first answers with a number, the second with bounds
 * at the confidence of argument 1.
 */
#define PDS_SUMMARY_FUNCTION(name, summary, summary_arg, answer) \
	PDS_FUNCTION(name) \
	{ \
		summary		s; \
		summary_arg(fcinfo, 0, &s); \
		return answer; \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

#define PDS_BOUNDS_FUNCTION(name, summary, summary_arg, bounds) \
	PDS_FUNCTION(name) \
	{ \
		double		confidence = pds_confidence_arg(fcinfo, 1); \
		summary		s; \
		double		lower; \
		double		estimate; \
		double		upper; \
		summary_arg(fcinfo, 0, &s); \
		bounds(&s, confidence, &lower, &estimate, &upper); \
		return pds_bounds_row(lower, estimate, upper); \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

/*
 * Define probds_<x>_size(): its arguments are the type's parameters, as values in "asked" and as
 * the shape s.  The last arguments are the Datums of the row.
 */
#define PDS_SIZE_FUNCTION(x, type_of_shape, ...) \
	PDS_FUNCTION(probds_##x##_size) \
	{ \
		double		asked[PDS_MAX_PARAMETERS]; \
		type_of_shape s; \
		pds_parameter_args(fcinfo, 0, #x, parameters, asked); \
		pds_require_shape(&pds_##x##_type, asked, &s); \
		{ \
			Datum		values[] = {__VA_ARGS__}; \
			return pds_info_row(fcinfo, values, NULL); \
		} \
	} \
	extern Datum probds_##x##_size(PG_FUNCTION_ARGS)

/*
 * Define what a type tells of a whole sketch.  v is the sketch's view; summarize(v, &s) makes
 * the summary s of v.  The first macro defines probds_<x>_info(): its last arguments are the
 * Datums of the row.  The second defines <x>_health(): its last arguments are statements that
 * set the fields of *h.
 */
#define PDS_INFO_FUNCTION(x, summary, summarize, ...) \
	PDS_FUNCTION(probds_##x##_info) \
	{ \
		pds_##x##_view view; \
		const pds_##x##_view *v = &view; \
		summary		s; \
		(void) pds_sketch_arg(fcinfo, 0, &pds_##x##_type, &view); \
		summarize(v, &s); \
		{ \
			Datum		values[] = {__VA_ARGS__}; \
			return pds_info_row(fcinfo, values, NULL); \
		} \
	} \
	extern Datum probds_##x##_info(PG_FUNCTION_ARGS)

#define PDS_SUMMARY_HEALTH(x, summary, summarize, ...) \
	static void \
	x##_health(const void *view, PdsHealth *h) \
	{ \
		const pds_##x##_view *v = view; \
		summary		s; \
		summarize(v, &s); \
		__VA_ARGS__; \
	} \
	extern const PdsSketchType pds_##x##_type

#endif
