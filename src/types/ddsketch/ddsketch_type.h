/*
 * ddsketch_type.h: what the type's functions and its aggregates share
 */
#ifndef PDS_TYPES_DDSKETCH_DDSKETCH_TYPE_H
#define PDS_TYPES_DDSKETCH_DDSKETCH_TYPE_H

#include "postgres.h"

#include "ddsketch.h"
#include "ddsketch_answer.h"
#include "sketch.h"

extern const PdsSketchType pds_ddsketch_type;

/* What numbers are divided by for an answer: intervals are microseconds, and answers seconds. */
static inline double
pds_ddsketch_unit(pds_kind kind)
{
	return kind == PDS_KIND_INTERVAL ? 1e6 : 1;
}

/*
 * A value as a number, by its hasher, which may read it from text.  An interval is microseconds,
 * its months being 30 days and its days 24 hours, as comparisons have it.  *kind becomes
 * PDS_KIND_NUMBER or PDS_KIND_INTERVAL.  Errors: 42804 for a value that is neither; 22003.
 */
extern double pds_ddsketch_value_of(const PdsHasher *hasher, Datum value, pds_kind *kind);

/* Microseconds as an interval of days and less. */
extern Datum pds_ddsketch_interval(double microseconds);

/* The state with a number of this kind, as often as the weight says.  Errors: 22000, 22003. */
extern pds_ddsketch_build *pds_ddsketch_add_weight(pds_ddsketch_build *b, double value,
												   pds_kind kind, int64 weight);

/* 22023 unless a number is a share, 0 to 1. */
extern void pds_ddsketch_require_share(double q);

/* 22023: rows of a group have different fractions of approx_percentile. */
pg_noreturn extern void pds_ddsketch_refuse_fractions(void);

/* A range of numbers is one of seconds in a sketch of intervals. */
extern pds_ddsketch_range pds_ddsketch_in_seconds(pds_kind kind, pds_ddsketch_range range);

#endif
