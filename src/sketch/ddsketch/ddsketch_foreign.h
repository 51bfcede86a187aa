/*
 * ddsketch_foreign.h: histograms of OpenTelemetry and Prometheus, sketches of DataDog
 *
 * The first two have the buckets of this sketch, so they come in and go out without loss.
 *
 *   OpenTelemetry  an ExponentialHistogramDataPoint of opentelemetry/proto/metrics/v1: its
 *                  buckets are counted from an offset on.  Index i is (b^i, b^(i + 1)].
 *   Prometheus     a native Histogram of prometheus/prompb: its buckets stand in spans, each count
 *                  as a difference from the one before.  Index i is (b^(i - 1), b^i].
 *
 *   DataDog        a DDSketch of sketches-go's ddsketch.proto, which only comes in.  Its bins are
 *                  [gamma^i, gamma^(i + 1)) in Go and Java, and (gamma^(i - 1), gamma^i] in
 *                  JavaScript and Python ("up"); the message does not tell which.  A bin counts
 *                  as DataDog's estimate of it, at the scale whose error is a tenth of DataDog's.
 *
 * What else stands in them (attributes, times, sums, exemplars) is not read.
 */
#ifndef PDS_SKETCH_DDSKETCH_DDSKETCH_FOREIGN_H
#define PDS_SKETCH_DDSKETCH_DDSKETCH_FOREIGN_H

#include "ddsketch.h"

typedef enum pds_ddsketch_system
{
	PDS_DDSKETCH_OPENTELEMETRY,
	PDS_DDSKETCH_PROMETHEUS,
	PDS_DDSKETCH_DATADOG,
	PDS_DDSKETCH_DATADOG_UP
} pds_ddsketch_system;

/* What was read of a histogram. */
typedef struct pds_ddsketch_foreign
{
	int			scale;
	uint64_t	total;
	uint64_t	zeros;
	double		min;			/* of all finite numbers: as told, or as far as buckets reach */
	double		max;
	pds_ddsketch_slot *list;	/* the buckets that are not empty */
	uint32_t	buckets;
} pds_ddsketch_foreign;

/*
 * Read a histogram of len bytes.  The list has space for len buckets, or PDS_DDSKETCH_MAX_BUCKETS
 * if these are fewer.  Errors: PDS_CORRUPT, with a sentence in *why; PDS_TOO_LARGE for more buckets
 * than a sketch can have.
 */
extern pds_status pds_ddsketch_read_foreign(pds_ddsketch_system system, const uint8_t *bytes,
											size_t len, pds_ddsketch_foreign *f,
											const char **why);

/* What is no bucket goes to b, an empty image of its scale. */
extern void pds_ddsketch_take_apart(pds_ddsketch_build *b, const pds_ddsketch_foreign *f);

/*
 * The buckets of a view, negative ones before the others, and each sign by ascending indexes.
 * Errors: PDS_CORRUPT.
 */
extern pds_status pds_ddsketch_read_buckets(const pds_ddsketch_view *v, pds_ddsketch_bucket *list);

/*
 * Write a sketch that has neither infinities nor NaN, of which this is the list, for one of the
 * first two systems.  The first function returns the most bytes that this takes, or 0 if its
 * buckets are too far from each other to be counted one by one.  The second one returns the length.
 */
extern size_t pds_ddsketch_foreign_bound(pds_ddsketch_system system, const pds_ddsketch_view *v,
										 const pds_ddsketch_bucket *list);
extern size_t pds_ddsketch_write_foreign(pds_ddsketch_system system, const pds_ddsketch_view *v,
										 const pds_ddsketch_bucket *list, uint8_t *out);

#endif
