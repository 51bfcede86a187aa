/*
 * bloom_type.h: what the SQL face of bloom shares between its files
 */
#ifndef PDS_TYPES_BLOOM_BLOOM_TYPE_H
#define PDS_TYPES_BLOOM_BLOOM_TYPE_H

#include "postgres.h"

#include "bloom.h"
#include "bloom_family.h"
#include "sketch.h"

extern const PdsSketchType pds_bloom_type;

/*
 * A capacity as SQL has it, where it may be a numeric as well: rounded up.  22023 unless
 * it is above 0.
 */
extern int64 bloom_capacity(double capacity);

/*
 * The shape for these arguments of SQL.  Errors: 22023 for what is out of
 * range, 54000 for what is larger than a value can be.
 */
extern void bloom_shape_for(int64 capacity, double rate, uint8 family, pds_bloom_shape *s);

/*
 * A layout's name as its family (22023 for any other), and back, of any family: how
 * the bits are laid out.
 */
extern uint8 bloom_layout_family(const char *name, size_t len);
extern const char *bloom_layout_name(uint8 family);

/* The same of an argument, which may also be "guava": PDS_BLOOM_AS_GUAVA. */
extern uint8 bloom_layout_arg(const text *layout);

/* The stored form of a state, a new value. */
extern struct varlena *bloom_store(void *state);

/* An empty filter as a state; a NULL shape is for an automatic one. */
extern pds_bloom_build *bloom_new(const pds_bloom_shape *shape);

/* The state with one more hash, moved where it has no space. */
extern pds_bloom_build *bloom_add_hash(pds_bloom_build *b, pds_hash hash);

/* Read the head of a stored filter (detoasted, all of it). */
extern void bloom_view(struct varlena *value, pds_bloom_view *v);

/* 22000 unless both filters are of the same shape. */
extern void bloom_require_same_shape(const pds_bloom_shape *a, const pds_bloom_shape *b);

/*
 * The intersection of a state that was made of stored values with one more of
 * them; the state is changed in place.
 */
extern void bloom_intersect(pds_bloom_build *b, struct varlena *value);

#endif
