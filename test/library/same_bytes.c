/*
 * same_bytes.c: sets of values and what the server made of them, made again by the library
 *
 * The first line of standard input has columns of "type options".  The other lines have a set each:
 * the kind, the bytes of the server's sketches in hexadecimal, one for each column, and the values,
 * with \x1f behind each.  The set is added value by value, and as lines.  t/049_library.pl writes
 * this input.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probds.h"

#define COLUMNS	20

static char *columns[COLUMNS];
static int	n_columns;
static unsigned long compared;
static unsigned long different;

static void
require(int code, const probds_error *error)
{
	if (code == PROBDS_OK)
		return;
	printf("not ok - %s\n", error->sentence);
	exit(1);
}

static int
kind_named(const char *name)
{
	for (int kind = 0; kind < 32; kind++)
		if (strcmp(probds_kind_of_name(kind), name) == 0)
			return kind;
	printf("not ok - kind %s\n", name);
	exit(1);
}

/* The bytes of a bytea value in the text of its values. */
static size_t
unhex(const char *text, size_t length, char *out)
{
	for (size_t i = 0; i + 1 < length; i += 2)
	{
		unsigned	byte;

		sscanf(text + i, "%2x", &byte);
		out[i / 2] = (char) byte;
	}
	return length / 2;
}

static void
compare(probds_sketch *s, const char *hex, const char *how)
{
	const void *bytes;
	size_t		length;
	probds_error error;
	int			same;

	require(probds_to_bytes(s, &bytes, &length, &error), &error);
	same = strlen(hex) == 2 * length;
	for (size_t i = 0; same && i < length; i++)
	{
		char		two[3];

		snprintf(two, sizeof(two), "%02x", ((const unsigned char *) bytes)[i]);
		same = memcmp(two, hex + 2 * i, 2) == 0;
	}
	compared++;
	if (!same && different++ < 10)
		printf("not ok - %s %s, kind %s: the server has %.60s\n", probds_type(s), how,
			   probds_kind_of_name(probds_kind(s)), hex);
	probds_free(s);
}

static probds_sketch *
sketch_of_column(int i)
{
	char		type[40];
	const char *space = strchr(columns[i], ' ');
	probds_sketch *s;
	probds_error error;

	snprintf(type, sizeof(type), "%.*s", (int) (space - columns[i]), columns[i]);
	require(probds_new(type, space + 1, NULL, &s, &error), &error);
	return s;
}

static void
check_column(int i, int kind, const char *hex, const char *values, size_t length)
{
	probds_sketch *s = sketch_of_column(i);
	const char *at = values;
	const char *stop;
	char	   *bytes = malloc(length + 1);
	probds_error error;
	size_t		used;
	uint64_t	lines = 0;

	for (; (stop = strchr(at, '\x1f')) != NULL; at = stop + 1)
	{
		probds_value v;
		uint8_t		memory[16];

		if (kind == PROBDS_BYTES)
			v = probds_value_bytes(kind, bytes, unhex(at + 2, (size_t) (stop - at) - 2, bytes));
		else
			require(probds_value_from_text(kind, at, (size_t) (stop - at), memory, &v, &error),
					&error);
		require(probds_add(s, v, 1, &error), &error);
	}
	compare(s, hex, "by values");
	free(bytes);
	if (kind == PROBDS_BYTES)
		return;
	s = sketch_of_column(i);
	require(probds_add_lines(s, kind, '\x1f', values, length, &used, &lines, &error), &error);
	compare(s, hex, "by lines");
}

/* Columns of a line, which is changed; the last one gets the rest. */
static int
split(char *line, char **fields, int most)
{
	int			n = 0;

	while (n < most && line != NULL)
	{
		fields[n++] = line;
		line = strchr(line, '\t');
		if (line != NULL)
			*line++ = '\0';
	}
	return n;
}

int
main(void)
{
	char	   *line = NULL;
	size_t		size = 0;
	char	   *fields[COLUMNS + 2];
	ssize_t		length;

	if ((length = getline(&line, &size, stdin)) <= 0)
		return 1;
	line[length - 1] = '\0';
	n_columns = split(strdup(line), columns, COLUMNS);
	while ((length = getline(&line, &size, stdin)) > 0)
	{
		line[length - 1] = '\0';
		if (split(line, fields, n_columns + 2) != n_columns + 2)
		{
			printf("not ok - a line lacks columns\n");
			return 1;
		}
		for (int i = 0; i < n_columns; i++)
			if (fields[i + 1][0] != '\0')
				check_column(i, kind_named(fields[0]), fields[i + 1], fields[n_columns + 1],
							 strlen(fields[n_columns + 1]));
	}
	printf("%lu compared, %lu different\n", compared, different);
	return different > 0;
}
