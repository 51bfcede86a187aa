/*
 * probds.c: the library as a whole
 */
#include "postgres.h"

#include "fmgr.h"

#include "pg/compat.h"

PDS_MODULE_MAGIC;
