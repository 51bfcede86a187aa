/*
 * segments.h: coded data in segments, each of which can be read without the others
 *
 *     entry 0 | entry 1 | ... | segment 0 | segment 1 | ...
 *
 * A sparse sketch codes the gaps between those of its places that are used, 2^shift places a
 * segment.  In front of the segments stands a directory with 4 bytes for each of them, which
 * say where it ends, counted from behind the directory.  A single segment has none.
 */
#ifndef PDS_BASE_SEGMENTS_H
#define PDS_BASE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coded_list.h"

/*
 * The shift, no less than "least", by which a segment has up to "most" used places on
 * average, where so many of "places" are used.
 */
static inline int
pds_segment_shift(uint64_t places, uint64_t used, uint64_t most, int least)
{
	int			shift = least;

	while ((UINT64_C(1) << shift) < places && (used << (shift + 1)) <= most * places)
		shift++;
	return shift;
}

static inline uint64_t
pds_segments(uint64_t places, int shift)
{
	return ((places - 1) >> shift) + 1;
}

static inline size_t
pds_segment_directory(uint64_t segments)
{
	return segments > 1 ? (size_t) segments * 4 : 0;
}

/*
 * Where a segment lies in the data_len bytes behind the directory.  "entries" are the entry of
 * the segment before it, if it has one, and its own entry.  False if they make no sense.
 */
static inline bool
pds_segment_range(const uint8_t *entries, uint64_t segment, uint64_t segments, size_t data_len,
				  size_t *from, size_t *to)
{
	*from = 0;
	*to = data_len;
	if (segments > 1)
	{
		if (segment > 0)
		{
			*from = pds_load_le32(entries);
			entries += 4;
		}
		*to = pds_load_le32(entries);
	}
	return *from <= *to && *to <= data_len;
}

/* The same of a directory from its entry "first" on, which is 0 or that before the segment's. */
static inline const uint8_t *
pds_segment_entries(const uint8_t *directory, uint64_t segment, uint64_t first)
{
	return segment > 0 ? directory + (size_t) (segment - 1 - first) * 4 : directory;
}

#endif
