/*
 * argument.h: what the expression of an argument says about it
 *
 * The declared type of an argument does not say everything.  A literal or a parameter without a
 * type is text. citext is relabeled as text.  A call without a collation may have an argument
 * with one.
 */
#ifndef PDS_SERVER_HASH_ARGUMENT_H
#define PDS_SERVER_HASH_ARGUMENT_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodes.h"

/*
 * The expression of argument argno of the function that is called: a scalar function,
 * or the transition function of an aggregate (the state is argument 0).  NULL where
 * the call does not tell.  Of several aggregates that share their transition function
 * and arguments it is that of one of them.
 */
extern Node *pds_argument(FunctionCallInfo fcinfo, int argno);

/* The type of argument argno of a scalar function.  Errors: 42P18. */
extern Oid	pds_argument_type(FunctionCallInfo fcinfo, int argno);

/*
 * Returns whether argument argno of a scalar function is a literal, a parameter of the
 * statement, or computed from such alone by immutable functions.  A column is none of these.
 * The answer does not depend on whether the planner knew the parameters.
 */
extern bool pds_argument_is_literal(FunctionCallInfo fcinfo, int argno);

/* How an argument of an aggregate differs from row to row */
typedef enum PdsVariation
{
	PDS_NOT_LOOKED_AT,
	PDS_CONSTANT,				/* it does not: literals, parameters, subqueries computed once */
	PDS_MAY_VARY,				/* volatile functions, subplans; columns that Citus has gathered */
	PDS_VARIES					/* a column of the query that the aggregate belongs to */
} PdsVariation;

extern PdsVariation pds_argument_variation(FunctionCallInfo fcinfo, int argno);

/* Returns the collation of argument argno: the call's, or otherwise the expression's. */
extern Oid	pds_argument_collation(FunctionCallInfo fcinfo, int argno);

/*
 * 0A000 if argument argno, declared as text, is citext under an implicit cast.  Its
 * own "=" would be forgotten, and 'Anna' and 'ANNA' be two values.  On a worker of
 * Citus, which is sent implicit casts written out, under any cast.
 */
extern void pds_refuse_citext(FunctionCallInfo fcinfo, int argno);

#endif
