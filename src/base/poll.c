/*
 * poll.c: who is asked
 */
#include "poll.h"

void		(*pds_poll_hook) (void) = NULL;
