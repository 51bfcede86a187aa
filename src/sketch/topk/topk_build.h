/*
 * topk_build.h: what building and reading have to say to each other
 */
#ifndef PDS_SKETCH_TOPK_TOPK_BUILD_H
#define PDS_SKETCH_TOPK_TOPK_BUILD_H

#include "poll.h"
#include "topk.h"

/* In a loop over items, with its count from 0: their texts may be long. */
static inline void
pds_topk_poll(uint32_t i)
{
	pds_poll_every(i, 1024);
}

/* ---------- images ---------- */

/*
 * The most text in an image without an index.  A damaged one may have that much and take as much
 * again, of which all starts fit.
 */
#define PDS_TOPK_MOST_SMALL_TEXT	(UINT32_C(1) << (PDS_TOPK_START_BITS - 1))

/* The most items while building. */
static inline uint32_t
pds_topk_item_limit(const pds_topk_build *b)
{
	return 2 * (uint32_t) b->counters;
}

/* How many items so many places take; without an index some must be free. */
static inline uint32_t
pds_topk_places_limit(uint32_t slots, uint32_t places)
{
	return slots > 0 ? places : places - places / 8 - (places < 8);
}

/* How many bytes an image of this shape and so much text takes. */
static inline uint64_t
pds_topk_image_bytes(uint32_t slots, uint32_t places, bool errors, uint64_t text_bytes)
{
	return sizeof(pds_topk_build) + (uint64_t) slots * sizeof(uint32_t) + text_bytes +
		places * (uint64_t) (PDS_TOPK_PLACE_BYTES + (errors ? PDS_TOPK_ERROR_BYTES : 0));
}

/* How many bytes two texts have in common at their beginning. */
static inline uint32_t
pds_topk_common(const char *a, uint32_t a_len, const char *b, uint32_t b_len)
{
	uint32_t	len = a_len < b_len ? a_len : b_len;
	uint32_t	n = 0;

	while (n + 8 <= len && memcmp(a + n, b + n, 8) == 0)
		n += 8;
	while (n < len && a[n] == b[n])
		n++;
	return n;
}

/* Can texts in this image share their beginning?  Where a value's text can change, none does. */
static inline bool
pds_topk_can_share(const pds_topk_build *b)
{
	uint8_t		code = b->header[2];

	return !b->indexed &&
		(code == PDS_KIND_STRING || code == PDS_KIND_ENUM || code == PDS_KIND_CITEXT);
}

#endif
