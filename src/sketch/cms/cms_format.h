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

static inline void
pds_cms_walk_start(pds_cms_walk *w, const pds_cms_view *v)
{
	w->v = v;
	w->at = v->bytes > 0 ? 0 : pds_cms_counters(&v->shape);
	pds_coded_start(&w->list, &v->list, v->payload);
}

PDS_INLINE bool
pds_cms_walk_next(pds_cms_walk *w, uint64_t *position, uint64_t *count)
{
	const pds_cms_view *v = w->v;

	if (v->encoding == PDS_CMS_SPARSE)
		return pds_coded_walk(&w->list, pds_coded_get_golomb, position, count);
	while (w->at < pds_cms_counters(&v->shape))
	{
		*position = w->at++;
		*count = pds_load_number(v->payload + v->data_at, (size_t) *position, v->bytes);
		if (*count != 0)
			return true;
	}
	return false;
}

#endif
