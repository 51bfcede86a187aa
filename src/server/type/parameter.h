/*
 * parameter.h: what a sketch type is told when it is built
 *
 * A type describes its parameters once, in an array of PdsParameter in the order in
 * which SQL has them.  From it come the arguments of X_empty() and X_agg(), the type
 * modifier, and the messages about what is out of range.  Whatever its form in SQL, a
 * parameter's value is a double here.
 */
#ifndef PDS_SERVER_TYPE_PARAMETER_H
#define PDS_SERVER_TYPE_PARAMETER_H

#include "postgres.h"

#include <math.h>

#include "fmgr.h"

#include "compat.h"

/* How a parameter looks in SQL, and what of it a type modifier keeps. */
typedef enum PdsParameterForm
{
	PDS_INTEGER,				/* integer */
	PDS_COUNT,					/* double precision, rounded up; four decimal digits */
	PDS_SHARE,					/* double precision, rounded to base/decimal.h; its code */
	PDS_NAME,					/* text, one of a list; its place in it, 1 bit */
	PDS_FLAG					/* boolean; no modifier has it */
} PdsParameterForm;

typedef struct PdsParameter
{
	const char *name;			/* "false-positive rate" */
	PdsParameterForm form;
	double		standard;		/* where it is not given, perhaps out of range; NAN if it must be */
	double		least;			/* INTEGER: the range */
	double		most;
	const char *const *names;	/* NAME: the list, with NULL behind the last */
	int			unmodified;		/* NAME: how many of the last no modifier can have */
	const char *hint;			/* of the error for a value out of range */
} PdsParameter;

/* The parameters of filters: a number of values, and a false-positive rate. */
#define PDS_CAPACITY_PARAMETER \
	{ \
		"capacity", PDS_COUNT, .standard = NAN, \
		.hint = "The capacity is the number of distinct values at which the false-positive " \
		"rate is reached. It comes before the rate." \
	}

#define PDS_RATE_PARAMETER(rate) \
	{ \
		"false-positive rate", PDS_SHARE, .standard = (rate), \
		.hint = "Write 0.01 for 1 %. The capacity comes before it." \
	}

/* A capacity as a number of values; one beyond all bounds is refused by the size it leads to. */
static inline uint64
pds_capacity_of(double value)
{
	return value < -(double) PG_INT64_MIN ? (uint64) value : PG_INT64_MAX;
}

/*
 * 54000: a filter for so many values, at the rate of this code, would be too large, of which
 * one can be for "most" values.  "what" is what it is called: "bloom filter".
 */
pg_noreturn extern void pds_refuse_capacity(const char *what, double capacity, uint16 rate,
											uint64 most);

/* A type has so many parameters at most. */
#define PDS_MAX_PARAMETERS	4

/* The parameters of a type: an array with one of no name behind the last. */
extern int	pds_parameter_count(const PdsParameter *parameters);

/* Their names for a message: "epsilon and delta". */
extern char *pds_parameter_names(const PdsParameter *parameters, int n);

/*
 * The arguments of an SQL function from argno on as values; parameters that are NULL, or beyond the
 * function's last argument, have their standard values.  Errors: 22023 for what is out of range.
 */
extern void pds_parameter_args(FunctionCallInfo fcinfo, int argno, const char *type,
							   const PdsParameter *parameters, double *values);

/*
 * The default values of all parameters, for a NULL sketch that a value is added to.  Errors: 22004
 * if a parameter has no default.
 */
extern void pds_parameter_defaults(const char *type, const PdsParameter *parameters,
								   double *values);

/* The first "most" parameters of a type are those that its modifier has. */

/* A modifier's n arguments as values.  Errors: 22023, and 22P02 of the server's. */
extern void pds_parameter_typmod_args(const char *type, const PdsParameter *parameters, int most,
									  char **args, int n, double *values);

/* These values as a modifier; 22023 if it cannot keep them. */
extern int32 pds_parameter_pack(const char *type, const PdsParameter *parameters, int most,
								const double *values);

/* And back.  False if it is none that pds_parameter_pack() can have made. */
extern bool pds_parameter_unpack(const PdsParameter *parameters, int most, int32 typmod,
								 double *values);

/* The values as a modifier shows them: "1000,0.01". */
extern char *pds_parameter_text(const PdsParameter *parameters, int most, const double *values,
								const char *separator);

#endif
