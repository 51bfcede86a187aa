/*
 * sort.h: words in order
 */
#ifndef PDS_BASE_SORT_H
#define PDS_BASE_SORT_H

#include <stdint.h>

/*
 * Sort n words that are the same from bit "bit" up, by exchange on the bits below:
 * in place, and as fast whatever order they are in (Knuth, The Art of Computer
 * Programming 3, section 5.2.2, radix exchange).  It can be left by pds_poll(), as
 * qsort() cannot: then the same words are there, in no order.
 */
extern void pds_sort_words(uint64_t *list, uint64_t n, int bit);

#endif
