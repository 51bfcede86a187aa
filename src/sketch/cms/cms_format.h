/*
 * cms_format.h: walking over the counters of a stored sketch
 */
#ifndef PDS_SKETCH_CMS_CMS_FORMAT_H
#define PDS_SKETCH_CMS_CMS_FORMAT_H

#include "cms.h"

/* Walks over the counters that are not zero of a view in memory, in ascending order. */
typedef struct pds_cms_walk
{
	const pds_cms_view *v;
	uint64_t	at;				/* dense: the next position */
	pds_coded_reader list;		/* sparse; "corrupt": it ended where the bytes make no sense */
} pds_cms_walk;

extern void pds_cms_walk_start(pds_cms_walk *w, const pds_cms_view *v);
extern bool pds_cms_walk_next(pds_cms_walk *w, uint64_t *position, uint64_t *count);

#endif
