/*
 * ddsketch_index.h: from a number to its bucket, and back
 *
 * With b = 2^(2^-scale), bucket i has the numbers above b^i up to b^(i + 1).  Edges between two
 * powers of 2 are irrational, so no number lies on one of them.  All is done in whole numbers: a
 * number is in the same bucket on every CPU, by every compiler, with every mathematical library.
 */
#ifndef PDS_SKETCH_DDSKETCH_DDSKETCH_INDEX_H
#define PDS_SKETCH_DDSKETCH_DDSKETCH_INDEX_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PDS_DDSKETCH_MIN_SCALE		(-10)
#define PDS_DDSKETCH_MAX_SCALE		20

/* Up to this scale there is a table of the edges. */
#define PDS_DDSKETCH_TABLE_SCALE	9

/*
 * floor(2^52 * 2^(j / 512)) for j from 0 to 512.  And for each of 1,024 equal parts of the numbers
 * from 1 to 2, how many of these bounds are below its beginning.
 */
extern uint64_t pds_ddsketch_bounds[(1 << PDS_DDSKETCH_TABLE_SCALE) + 1];
extern uint16_t pds_ddsketch_starts[2 << PDS_DDSKETCH_TABLE_SCALE];

#define PDS_DDSKETCH_MANTISSA_BITS	52
#define PDS_DDSKETCH_EXPONENT_BIAS	1023

/* The index at a scale that is so much lower: half of it, rounded down, so many times. */
static inline int32_t
pds_ddsketch_coarser(int32_t index, int by)
{
	return index >= 0 ? index >> by : ~(~index >> by);
}

/* Is the index of this number, given by its bits, in the table?  Its sign does not matter. */
static inline bool
pds_ddsketch_is_plain(uint64_t bits, int scale)
{
	uint32_t	exponent = (uint32_t) (bits >> PDS_DDSKETCH_MANTISSA_BITS) & 0x7ff;

	/* neither 0 nor subnormal, neither infinite nor NaN */
	return exponent - 1 < 0x7fe && (unsigned) scale <= PDS_DDSKETCH_TABLE_SCALE;
}

/*
 * The index of such a number.  The first bits of its mantissa tell where the search begins; the
 * distance of two edges is larger than what they leave open, so it ends with one comparison.
 */
static inline int32_t
pds_ddsketch_index_plain(uint64_t bits, int scale)
{
	int			coarser = PDS_DDSKETCH_TABLE_SCALE - scale;
	int32_t		exponent = (int32_t) (bits >> PDS_DDSKETCH_MANTISSA_BITS & 0x7ff) -
		PDS_DDSKETCH_EXPONENT_BIAS;
	uint64_t	fraction = bits & ((UINT64_C(1) << PDS_DDSKETCH_MANTISSA_BITS) - 1);
	uint32_t	cell = (uint32_t) (fraction >> (PDS_DDSKETCH_MANTISSA_BITS - 1 - scale));
	uint32_t	below = (pds_ddsketch_starts[cell << coarser] + (UINT32_C(1) << coarser) - 1) >>
		coarser;

	below += (fraction | UINT64_C(1) << PDS_DDSKETCH_MANTISSA_BITS) >
		pds_ddsketch_bounds[below << coarser];
	return exponent * (1 << scale) + (int32_t) below - 1;
}

/* The index of a number that is neither 0, nor infinite, nor NaN; its sign does not matter. */
extern int32_t pds_ddsketch_index(double value, int scale);

/*
 * The lower edge of a bucket, b^index, rounded down to a number of 53 bits; below the normal
 * numbers to the nearest number, above them infinite.  No number lies between it and the edge.
 */
extern double pds_ddsketch_edge(int64_t index, int scale);

/* The number between the edges of a bucket that is the nearest to all of them, by its share. */
extern double pds_ddsketch_middle(int32_t index, int scale);

/* The least and the largest index that a number has. */
extern int32_t pds_ddsketch_least_index(int scale);
extern int32_t pds_ddsketch_largest_index(int scale);

/* How far off the middle of a bucket can be from a number in it, as a share of the number. */
extern double pds_ddsketch_error(int scale);

/*
 * The lowest scale whose error is no larger than this; PDS_DDSKETCH_MAX_SCALE + 1 if all are
 * larger.
 */
extern int	pds_ddsketch_scale_for(double error);

#endif
