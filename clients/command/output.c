/*
 * output.c: answers and sketches to files
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

void
die(const char *format, ...)
{
	va_list		args;

	fprintf(stderr, "probds: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(TROUBLE);
}

static _Noreturn void
write_failed(const char *name)
{
	die("cannot write to %s: %s", name, strerror(errno));
}

void
put(const void *bytes, size_t length)
{
	if (fwrite(bytes, 1, length, stdout) != length)
		write_failed("standard output");
}

void
put_text(const char *format, ...)
{
	va_list		args;
	int			n;

	va_start(args, format);
	n = vprintf(format, args);
	va_end(args);
	if (n < 0)
		write_failed("standard output");
}

void
put_end(void)
{
	if (fflush(stdout) != 0)
		write_failed("standard output");
}

/* The bytes as they are, or as a line of text. */
static bool
write_form(FILE *out, probds_sketch *s, form form, probds_error *error)
{
	const void *bytes;
	size_t		length;
	char	   *text;
	bool		good;

	if (probds_to_bytes(s, &bytes, &length, error) != PROBDS_OK)
		die("%s", error->sentence);
	if (form == BYTES)
		return fwrite(bytes, 1, length, out) == length;
	if (form == HEX)
	{
		good = fputs("\\x", out) >= 0;
		for (size_t i = 0; good && i < length; i++)
			good = fprintf(out, "%02x", ((const unsigned char *) bytes)[i]) > 0;
		return good && putc('\n', out) != EOF;
	}
	text = malloc(length / 3 * 4 + 8);
	if (text == NULL)
		die("there is no memory");
	if (probds_to_text(s, text, length / 3 * 4 + 8, &length, error) != PROBDS_OK)
		die("%s", error->sentence);
	good = fputs(text, out) >= 0 && putc('\n', out) != EOF;
	free(text);
	return good;
}

void
write_sketch(probds_sketch *s, const char *name, form form)
{
	bool		standard = strcmp(name, "-") == 0;
	FILE	   *out = standard ? stdout : fopen(name, "wb");
	probds_error error;

	if (out == NULL || !write_form(out, s, form, &error) ||
		(standard ? fflush(out) : fclose(out)) != 0)
		write_failed(standard ? "standard output" : name);
}
