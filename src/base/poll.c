/*
 * poll.c: who is asked
 */
#include "base/poll.h"

void		(*pds_poll_hook) (void) = NULL;
