/*
 * citext.h: finds the type of the citext extension
 */
#ifndef PDS_SERVER_CITEXT_H
#define PDS_SERVER_CITEXT_H

#include "postgres.h"

#include "catalog/pg_type.h"

/* Returns whether this is the row of the citext extension's type. */
extern bool pds_is_citext(Form_pg_type type);

/* Returns whether this is the citext type, or a domain over it. */
extern bool pds_type_is_citext(Oid typid);

#endif
