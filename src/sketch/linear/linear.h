/*
 * linear.h: linear counting, how many distinct values there were
 *
 * Whang, Vander-Zanden, Taylor, "A linear-time probabilistic counting algorithm for
 * database applications", 1990: each value sets one of m bits by its hash; of n values
 * m exp(-n / m) bits stay 0, so n is about -m log(zeros / m).
 */
#ifndef PDS_SKETCH_LINEAR_LINEAR_H
#define PDS_SKETCH_LINEAR_LINEAR_H

#include "state_ops.h"

#define PDS_LINEAR_MIN_BITS		64
#define PDS_LINEAR_MAX_BITS		65536
#define PDS_LINEAR_DEFAULT_BITS	4096
#define PDS_LINEAR_BITMAP		1	/* the encoding of one that is not empty */

typedef struct pds_linear_build
{
	uint32_t	varlena;		/* the server's length word, not ours */
	uint8_t		header[PDS_HEADER_BYTES];
	uint8_t		undecided;		/* a union of nothing yet */
	uint32_t	signature;		/* of the kind of its values */
	uint32_t	bits;
	uint8_t		bitmap[];
} pds_linear_build;

/*
 * A stored sketch:
 *
 *     0     header            base/header.h
 *           4 bytes           the number of bits, little-endian
 *           bits / 8          the bitmap, unless it is empty
 */
typedef struct pds_linear_view
{
	PDS_VIEW_HEAD;				/* data_at: where the number of bits is */
	uint32_t	bits;
	const uint8_t *bitmap;		/* NULL if it is empty */
} pds_linear_view;

typedef struct pds_linear_plan
{
	size_t		size;
	uint32_t	bits;
} pds_linear_plan;

typedef pds_encoding pds_linear_encoding;

static inline size_t
pds_linear_size(uint32_t bits)
{
	return sizeof(pds_linear_build) + (bits + 7) / 8;
}

extern void pds_linear_init(pds_linear_build *b, uint32_t bits);
extern pds_status pds_linear_add(pds_linear_build *b, pds_hash hash);
extern double pds_linear_cardinality(const pds_linear_view *v);
extern const pds_state_ops pds_linear_ops;

#endif
