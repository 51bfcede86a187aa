/*
 * poll.h: long loops give way
 *
 * A value can be of 1 GB, and a loop over all of it takes a while.  Below
 * src/server/ nobody knows whether its user still waits; so these loops ask, every
 * megabyte or so, by pds_poll().
 *
 * It need not return: the server raises an error from it.  So it is only called
 * where something is read, or made that nobody has yet, or is changed that
 * is lost with the error (the state of an aggregate); never where a state is
 * changed that may live on (X_add in a variable).
 */
#ifndef PDS_BASE_POLL_H
#define PDS_BASE_POLL_H

#include <stddef.h>

/* What it calls: set once, when the library is loaded; NULL for nothing. */
extern void (*pds_poll_hook) (void);

/* After so many bytes of a simple loop, so many items of a dearer one. */
#define PDS_POLL_BYTES	((size_t) 1 << 20)
#define PDS_POLL_ITEMS	65536

static inline void
pds_poll(void)
{
	if (pds_poll_hook != NULL)
		pds_poll_hook();
}

/* In a loop, with its count from 0: every so many (a constant). */
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
