/*
 * cms_read.h: walking over the counters of a stored sketch
 */
#ifndef PDS_SKETCH_CMS_CMS_READ_H
#define PDS_SKETCH_CMS_CMS_READ_H

#include "cms.h"

/* Walks over the counters that are not zero in one segment, in ascending order. */
typedef struct pds_cms_segment
{
	pds_bit_reader bits;
	int			rice;
	int			order;
	uint32_t	next;			/* the first position that can come */
	uint32_t	end;			/* one past the segment */
	bool		corrupt;
} pds_cms_segment;

/* Walks over the counters that are not zero of a view in memory. */
typedef struct pds_cms_walk
{
	const pds_cms_view *v;
	uint32_t	at;				/* dense: the next position; sparse: segment */
	pds_cms_segment segment;
	bool		corrupt;		/* it ended where the bytes make no sense */
} pds_cms_walk;

extern void pds_cms_walk_start(pds_cms_walk *w, const pds_cms_view *v);
extern bool pds_cms_walk_next(pds_cms_walk *w, uint32_t *position, uint64_t *count);

#endif
