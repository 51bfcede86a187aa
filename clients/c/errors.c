/*
 * errors.c: what is wrong, as a sentence
 */
#include <stdarg.h>
#include <stdio.h>

#include "fuse.h"
#include "sketch.h"

int
fail(probds_error *error, int code, const char *format, ...)
{
	va_list		args;

	if (error == NULL)
		return code;
	error->code = code;
	va_start(args, format);
	vsnprintf(error->sentence, sizeof(error->sentence), format, args);
	va_end(args);
	/* a sentence can quote a value: what would end the line or steer a terminal is "?" */
	for (char *c = error->sentence; *c != '\0'; c++)
		if ((unsigned char) *c < ' ' || *c == 127)
			*c = '?';
	return code;
}

int
refuse(const probds_sketch *s, pds_status status, probds_error *error)
{
	const char *name = s->type->name;

	switch (status)
	{
		case PDS_OK:
			return PROBDS_OK;
		case PDS_PARAMETER_MISMATCH:
			return fail(error, PROBDS_MISMATCH, "The two %s have different parameters.", name);
		case PDS_OVERFLOW:
			return fail(error, PROBDS_LIMIT, "The count of the %s would be above 2^63 - 1.", name);
		case PDS_NEGATIVE:
			return fail(error, PROBDS_ABSENT, "A count of the %s would be below zero.", name);
		case PDS_TOO_LARGE:
			return s->type->number == PDS_TYPE_FUSE ?
				fail(error, PROBDS_LIMIT, "No fuse can be made of these values: there are more "
					 "than %u, or their hashes are too much alike.", PDS_FUSE_MAX_VALUES) :
				fail(error, PROBDS_LIMIT, "The %s would be larger than a value of the server "
					 "can be.", name);
		case PDS_FINISHED:
			return fail(error, PROBDS_NO_ANSWER, "A fuse that is finished cannot be changed or "
						"merged.");
		case PDS_FULL:
			return fail(error, PROBDS_MEMORY, "There is no memory for the %s.", name);
		default:
			return fail(error, PROBDS_CORRUPT, "The %s is corrupt.", name);
	}
}
