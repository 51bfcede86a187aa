/*
 * fuse_sketch.h: fuse filters on malloc, for the tests
 */
#ifndef PDS_TEST_FUSE_SKETCH_H
#define PDS_TEST_FUSE_SKETCH_H

#include "stored.h"

#include "decimal.h"
#include "fuse.h"

/* The state of an aggregate at a rate. */
static inline stored_state
filter_new(double rate)
{
	stored_state s = {&pds_fuse_ops, sketch_memory(PDS_FUSE_FIRST_SIZE), PDS_FUSE_FIRST_SIZE};

	pds_fuse_build_init(s.image, s.size, pds_decimal_code(rate));
	return s;
}

static inline void
filter_add(stored_state *s, uint64_t hash)
{
	pds_hash	h = {hash, 0};

	pds_state_set_kind(s->image, PDS_KIND_NUMBER);
	while (pds_fuse_add(s->image, h) == PDS_FULL)
		if (stored_grow(s) != PDS_OK)
			sketch_die("a list does not grow");
}

/* Its bytes, as a filter or as hashes.  No bytes if there is no such filter. */
static inline payload
filter_write(stored_state *s, bool finished)
{
	payload		out;

	((pds_fuse_build *) s->image)->finished = finished;
	if (stored_write(s, &out) != PDS_OK)
		sketch_die("a state is not stored");
	return out;
}

/* The filter of the hashes of the numbers from "from" on. */
static inline payload
filter_of(uint64_t from, uint64_t n, double rate)
{
	stored_state s = filter_new(rate);
	payload		out;

	for (uint64_t i = 0; i < n; i++)
		filter_add(&s, pds_murmur3_u64(from + i).h1);
	out = filter_write(&s, true);
	free(s.image);
	return out;
}

static inline pds_fuse_view
filter_view(const payload *p)
{
	pds_fuse_view v;

	if (pds_fuse_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK)
		sketch_die("a filter does not open");
	return v;
}

static inline bool
filter_contains(const pds_fuse_view *v, uint64_t hash)
{
	pds_hash	h = {hash, 0};
	pds_fuse_view copy = *v;
	uint64_t	found;

	return pds_fuse_view_contains(v, h, pds_in_memory, &copy, &found) == PDS_OK && found;
}

#endif
