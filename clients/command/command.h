/*
 * command.h: what the files of the command share
 *
 *     probds.c    options, and what each command does
 *     input.c     files in blocks of lines, and sketches from files
 *     output.c    answers and sketches to files
 */
#ifndef PROBDS_COMMAND_H
#define PROBDS_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "probds.h"

/* The exit status, as grep has it. */
enum
{
	FOUND,
	NOT_FOUND,
	TROUBLE
};

/* ---------- input.c ---------- */

/* Whole lines of a file, in a block; the last one of a file may lack its separator. */
typedef struct input
{
	const char *name;
	char		separator;
	int			fd;
	char	   *buffer;
	size_t		size;
	size_t		begin;			/* what was read and not used is from here */
	size_t		end;
	bool		ended;
	uint64_t	lines;			/* used before */
	uint64_t	bytes;
	bool		progress;
} input;

/*
 * Open a file, or standard input for "-".  "prints": lines come out before the end, so that a line
 * of progress would disturb them on a terminal, and a file that gets them would never end.
 */
extern void input_open(input *in, const char *name, char separator, bool prints);

/*
 * Read more; false if nothing is left.  What is in the buffer then ends with a separator, except
 * that the last line of a file gets one.
 */
extern bool input_next(input *in);
extern void input_close(input *in);

/* The sketch in a file: its bytes, or their text. */
extern probds_sketch *read_sketch(const char *name);

/* ---------- output.c ---------- */

/* Print "probds: ..." and a line feed on standard error, and exit with TROUBLE. */
extern _Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef enum form
{
	BYTES,
	HEX,
	BASE64
} form;

/* Write a sketch to a file, or to standard output for "-". */
extern void write_sketch(probds_sketch *s, const char *name, form form);

/* Standard output, with a sentence if it fails. */
extern void put(const void *bytes, size_t length);
extern void put_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern void put_end(void);

#endif
