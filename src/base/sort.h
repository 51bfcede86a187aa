/*
 * sort.h: words in order
 */
#ifndef PDS_BASE_SORT_H
#define PDS_BASE_SORT_H

#include <stdint.h>

/*
 * Sort n words in place.  They are distributed over the values of up to ten bits at a time, from
 * the highest in which they differ (McIlroy, Bostic, McIlroy, "Engineering radix sort", 1993).  The
 * time does not depend on the order of the words.  Unlike qsort(), it may be left by pds_poll().
 * Then the list has the same words in no particular order.
 */
extern void pds_sort_words(uint64_t *list, uint64_t n);

#endif
