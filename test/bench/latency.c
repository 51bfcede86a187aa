/*
 * latency.c: how long this machine takes for a random access
 *
 *     latency BYTES...
 *
 * Prints for each size the nanoseconds of one load that depends on the load before, over
 * an array of so many bytes: the middle of five measurements.  A ring through all cache
 * lines in random order (Sattolo's algorithm) leaves the processor nothing to foresee.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LINE	64
#define LOADS	400000
#define ROUNDS	5

typedef struct line
{
	uint64_t	next;
	char		rest[LINE - sizeof(uint64_t)];
} line;

static uint64_t state = UINT64_C(88172645463325252);

static uint64_t
xorshift(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

static double
latency(size_t bytes)
{
	size_t		n = bytes / LINE > 2 ? bytes / LINE : 2;
	line	   *lines = aligned_alloc(LINE, n * LINE);
	volatile uint64_t sink;
	double		ns[ROUNDS];
	uint64_t	at = 0;

	if (lines == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		lines[i].next = i;
	for (size_t i = n - 1; i > 0; i--)
	{
		size_t		j = (size_t) (xorshift() % i);
		uint64_t	next = lines[i].next;

		lines[i].next = lines[j].next;
		lines[j].next = next;
	}
	for (int round = 0; round < ROUNDS; round++)
	{
		double		begin = now();

		for (int i = 0; i < LOADS; i++)
			at = lines[at].next;
		ns[round] = (now() - begin) / LOADS;
	}
	sink = at;
	(void) sink;
	free(lines);
	qsort(ns, ROUNDS, sizeof(double), compare);
	return ns[ROUNDS / 2];
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s%.1f", i > 1 ? " " : "", latency((size_t) strtoull(argv[i], NULL, 10)));
	putchar('\n');
	return 0;
}
