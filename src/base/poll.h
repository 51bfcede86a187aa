/*
 * poll.h: long loops give way
 *
 * A value can have 1 GB, and a loop over all of it takes a while.  Code below src/server/ does
 * not know whether the user still waits, so these loops call pds_poll() every megabyte or so.
 *
 * pds_poll() may not return, because the server can raise an error from it.  So it is only
 * called in loops that read, that make something new, or that change something that is lost
 * with the error, such as the state of an aggregate.  It is never called while a state changes
 * that may survive the error, such as X_add in a variable.
 */
#ifndef PDS_BASE_POLL_H
#define PDS_BASE_POLL_H

#include <stddef.h>

/* The function that pds_poll() calls, or NULL. Set once, when the library is loaded. */
extern void (*pds_poll_hook) (void);

/*
 * Call pds_poll() after so many bytes of a simple loop, or so many items of a more expensive
 * one.
 */
#define PDS_POLL_BYTES	((size_t) 1 << 20)
#define PDS_POLL_ITEMS	65536

static inline void
pds_poll(void)
{
	if (pds_poll_hook != NULL)
		pds_poll_hook();
}

/* Call pds_poll() in every n-th round of a loop. i is the loop's count from 0, n a constant. */
static inline void
pds_poll_every(size_t i, size_t n)
{
	if (i % n == n - 1)
		pds_poll();
}

/* ... of simple items. */
static inline void
pds_poll_each(size_t i)
{
	pds_poll_every(i, PDS_POLL_ITEMS);
}

#endif
