/*
 * input.c: files in blocks of lines, and sketches from files
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

/* As much as stays in the cache of a core. */
#define BLOCK	((size_t) 256 * 1024)

void
input_open(input *in, const char *name, char separator, bool prints)
{
	bool		standard = strcmp(name, "-") == 0;
	struct stat from;
	struct stat to;

	memset(in, 0, sizeof(*in));
	in->name = standard ? "standard input" : name;
	in->separator = separator;
	in->fd = standard ? STDIN_FILENO : open(name, O_RDONLY);
	if (in->fd < 0)
		die("%s: %s", name, strerror(errno));
	if (prints && fstat(in->fd, &from) == 0 && fstat(STDOUT_FILENO, &to) == 0 &&
		S_ISREG(from.st_mode) && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
		die("%s is also standard output", in->name);
	in->progress = isatty(STDERR_FILENO) && !isatty(in->fd) &&
		!(prints && isatty(STDOUT_FILENO));
	in->size = BLOCK;
	in->buffer = malloc(in->size);
	if (in->buffer == NULL)
		die("there is no memory");
}

static size_t
read_some(int fd, char *to, size_t size, const char *name)
{
	ssize_t		n;

	do
		n = read(fd, to, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die("%s: %s", name, strerror(errno));
	return (size_t) n;
}

/* A line on the terminal, four times a second. */
static void
show_progress(input *in)
{
	static struct timespec last;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000 < 250)
		return;
	last = now;
	fprintf(stderr, "\r%s: %.1f MB, %.1f million lines ", in->name, (double) in->bytes / 1e6,
			(double) in->lines / 1e6);
}

bool
input_next(input *in)
{
	if (in->progress)
		show_progress(in);
	if (in->begin > 0)
	{
		memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
		in->end -= in->begin;
		in->begin = 0;
	}
	while (!in->ended)
	{
		size_t		n;

		/* one more byte for a separator that is missing */
		if (in->end + 1 >= in->size)
		{
			char	   *larger = in->size < SIZE_MAX / 2 ? realloc(in->buffer, in->size * 2) : NULL;

			if (larger == NULL)
				die("%s: there is no memory for so long a line", in->name);
			in->buffer = larger;
			in->size *= 2;
		}
		n = read_some(in->fd, in->buffer + in->end, in->size - in->end - 1, in->name);
		in->ended = n == 0;
		if (in->ended && in->end > 0)
			in->buffer[in->end++] = in->separator;
		else if (n == 0 || memchr(in->buffer + in->end, in->separator, n) == NULL)
		{
			in->end += n;
			continue;
		}
		in->end += n;
		in->bytes += n;
		return true;
	}
	return false;
}

void
input_close(input *in)
{
	if (in->progress)
		fprintf(stderr, "\r\033[K");
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	free(in->buffer);
}

/* All of a file; it ends with a zero byte that *length does not count. */
static char *
read_file(const char *name, size_t *length)
{
	int			fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
	size_t		size = BLOCK;
	char	   *bytes = malloc(size);
	size_t		n = 0;
	size_t		more;

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	do
	{
		if (bytes != NULL && n + 1 == size)
			bytes = (size *= 2) > ((size_t) 1 << 32) ? NULL : realloc(bytes, size);
		if (bytes == NULL)
			die("%s: this file is too large for a sketch", name);
		more = read_some(fd, bytes + n, size - n - 1, name);
		n += more;
	}
	while (more > 0);
	if (fd != STDIN_FILENO)
		close(fd);
	bytes[n] = '\0';
	*length = n;
	return bytes;
}

probds_sketch *
read_sketch(const char *name)
{
	size_t		length;
	char	   *bytes = read_file(name, &length);
	size_t		trimmed = length;
	probds_sketch *s;
	probds_error error;

	if (probds_from_bytes(bytes, length, NULL, &s, &error) != PROBDS_OK)
	{
		while (trimmed > 0 && memchr(" \t\r\n", bytes[trimmed - 1], 4) != NULL)
			trimmed--;
		if (probds_from_text(bytes, trimmed, NULL, &s, NULL) != PROBDS_OK)
			die("%s: %s", name, error.sentence);
	}
	free(bytes);
	return s;
}
