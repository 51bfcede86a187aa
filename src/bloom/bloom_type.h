/*
 * bloom_type.h: what the SQL face of bloom shares between its files
 */
#ifndef PDS_BLOOM_BLOOM_TYPE_H
#define PDS_BLOOM_BLOOM_TYPE_H

#include "postgres.h"

#include "bloom/bloom.h"
#include "pg/sketch.h"

#pragma GCC visibility push(hidden)

extern const PdsSketchType pds_bloom_type;

/*
 * The shape for these arguments of SQL.  Errors: 22023 for what is out of
 * range, 54000 for what is larger than a value can be.
 */
/*
 * A capacity as SQL has it, where it may be a numeric as well: rounded up.  22023 unless
 * it is above 0.
 */
extern int64 bloom_capacity(double capacity);

extern void bloom_shape_for(int64 capacity, double rate, uint8 family, pds_bloom_shape *s);

/*
 * A layout's name as its family (22023 for any other), and back, of any family: how
 * the bits are laid out.
 */
extern uint8 bloom_layout_family(const char *name, size_t len);
extern const char *bloom_layout_name(uint8 family);

/* The same of an argument, which may also be "guava": PDS_BLOOM_AS_GUAVA. */
extern uint8 bloom_layout_arg(const text *layout);

/* What to call a hash family: "native", "redis", "parquet", ... */
extern const char *bloom_family_name(uint8 family);

/*
 * The hash of a value for a family that does not hash natively; false if no such
 * filter can have a value like that in it.
 */
extern bool bloom_foreign_hash(uint8 family, PdsHasher *hasher, Datum value, pds_hash *hash);

/* The same of a value to be added.  Errors: 22000 if it cannot be. */
extern pds_hash bloom_foreign_hash_to_add(uint8 family, PdsHasher *hasher, Datum value);

/* The hash of a value to be looked for, in any family. */
static inline bool
bloom_hash_value(uint8 family, PdsHasher *hasher, Datum value, pds_hash *hash)
{
	if (unlikely(!pds_bloom_hashes_natively(family)))
		return bloom_foreign_hash(family, hasher, value, hash);
	*hash = pds_hasher_hash(hasher, value);
	return true;
}

/* The stored form of a state, a new value. */
extern struct varlena *bloom_store(void *state);

/* An empty filter as a state; a NULL shape is for an automatic one. */
extern pds_bloom_build *bloom_new(const pds_bloom_shape *shape);

/* The state with one more hash, moved where it has no room. */
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

#pragma GCC visibility pop

#endif
