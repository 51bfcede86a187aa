/*
 * status.h: what the pure floors answer instead of raising errors
 *
 * Nothing in src/base and src/sketch allocates memory or raises an error.  A function that
 * can fail returns one of these, and the type's file in src/types raises the error with the
 * right SQLSTATE.
 */
#ifndef PDS_BASE_STATUS_H
#define PDS_BASE_STATUS_H

typedef enum pds_status
{
	PDS_OK = 0,
	PDS_FULL,					/* the image has no space: give it a larger one
								 * and say it again */
	PDS_PARAMETER_MISMATCH,		/* sizes that no folding can reconcile */
	PDS_CORRUPT,				/* bytes that no version of this library wrote */
	PDS_OVERFLOW,				/* a count would be above 2^63 - 1 */
	PDS_NEGATIVE,				/* a count would be below zero */
	PDS_TOO_LARGE,				/* more than a value of the server can hold */
	PDS_FINISHED				/* a sketch that nothing can be added to any more */
} pds_status;

/*
 * Leave a function that checks bytes, and say in a sentence why (if anybody
 * wants to know: "why" may be NULL).
 */
#define PDS_REFUSE(why, sentence) \
	do { \
		if ((why) != NULL) \
			*(why) = (sentence); \
		return PDS_CORRUPT; \
	} while (0)

#endif
