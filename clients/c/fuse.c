/*
 * fuse.c: the type fuse, a filter of a set that is finished
 *
 * A sketch that was made here is a list of hashes, of which a filter is stored.  One that was read
 * is a filter, to which nothing can be added.
 */
#include <math.h>

#include "decimal.h"
#include "fuse.h"
#include "sketch.h"

static const parameter parameters[] = {
	{"rate", SHARE, PDS_FUSE_DEFAULT_RATE, 0, 0, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_fuse_build *b;

	BEGIN(b, PDS_FUSE_FIRST_SIZE);
	pds_fuse_build_init(b, PDS_FUSE_FIRST_SIZE, pds_decimal_code(values[0]));
	return PROBDS_OK;
}

static pds_status
count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *n, uint64_t *upper)
{
	pds_status	status;

	*lower = *n = 0;
	status = pds_fuse_view_contains(view, hash, pds_in_memory, (void *) view, n);
	*upper = *n;
	return status;
}

static int
describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_fuse_view *v = (const pds_fuse_view *) &s->view;

	(void) error;
	write_text(f->parameters, sizeof(f->parameters), "rate=%g", pds_decimal_value(v->rate));
	f->values = (double) v->count;
	f->rate = pds_fuse_rate(v);
	return PROBDS_OK;
}

const sketch_type fuse_type = {
	.name = "fuse", .ops = &pds_fuse_ops, .parameters = parameters, .number = PDS_TYPE_FUSE,
	.families = 1, .make = make, .count = count, .describe = describe
};
