/*
 * citext.h: finds the type of the citext extension
 */
#ifndef PDS_SERVER_CITEXT_H
#define PDS_SERVER_CITEXT_H

#include "postgres.h"

#include "catalog/pg_type.h"

/* Returns whether this is the type of the citext extension, or a domain over it. */
extern bool pds_type_is_citext(Oid typid);

#endif
