/*
 * test.h: the smallest frame that a unit test needs
 *
 *     #include "test.h"
 *
 *     TEST(an_empty_sketch_counts_nothing)
 *     {
 *         CHECK(pds_x_empty(&x));
 *         CHECK_U64(pds_x_count(&x), 0);
 *     }
 *
 * Include it once, in the file that becomes the program: it brings main().  Each TEST is one
 * case in the count.  A failed CHECK fails its case and says where, and the case continues.  A
 * name on the command line runs only the cases whose name contains it.
 */
#ifndef PDS_TEST_H
#define PDS_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TEST_MAX_CASES		256
/* a check in a loop would else print a line a turn */
#define TEST_MAX_COMPLAINTS	5

typedef struct test_case
{
	const char *name;
	void		(*run) (void);
} test_case;

static test_case test_cases[TEST_MAX_CASES];
static int	test_case_count;
static uint64_t test_check_count;
static int	test_complaints;

#define TEST(name) \
	static void name(void); \
	__attribute__((constructor)) static void test_register_##name(void) \
	{ \
		if (test_case_count < TEST_MAX_CASES) \
			test_cases[test_case_count++] = (test_case) {#name, name}; \
	} \
	static void name(void)

#define CHECK(condition) \
	test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_U64(got, want) \
	test_check_u64((got), (want), __FILE__, __LINE__, #got)
#define CHECK_BYTES(got, want, len) \
	test_check_bytes((got), (want), (len), __FILE__, __LINE__, #got)
/* |got - want| <= tolerance; not so when got is no number */
#define CHECK_NEAR(got, want, tolerance) \
	test_check_near((got), (want), (tolerance), __FILE__, __LINE__, #got)

/* Is there something to print?  Counts the check, and the failure. */
static inline bool
test_failed(bool ok, const char *file, int line)
{
	test_check_count++;
	if (ok || ++test_complaints > TEST_MAX_COMPLAINTS)
		return false;
	printf("# %s:%d: ", file, line);
	return true;
}

static inline bool
test_check(bool ok, const char *file, int line, const char *what)
{
	if (test_failed(ok, file, line))
		printf("not true: %s\n", what);
	return ok;
}

static inline bool
test_check_u64(uint64_t got, uint64_t want, const char *file, int line, const char *what)
{
	if (test_failed(got == want, file, line))
		printf("%s is %" PRIu64 " (0x%" PRIx64 "), not %" PRIu64 " (0x%" PRIx64 ")\n",
			   what, got, got, want, want);
	return got == want;
}

static inline bool
test_check_near(double got, double want, double tolerance, const char *file, int line,
				const char *what)
{
	double		off = got > want ? got - want : want - got;
	bool		ok = off <= tolerance;

	if (test_failed(ok, file, line))
		printf("%s is %.17g, not within %g of %.17g\n", what, got, tolerance, want);
	return ok;
}

static inline bool
test_check_bytes(const void *got, const void *want, size_t len, const char *file, int line,
				 const char *what)
{
	const uint8_t *g = got;
	const uint8_t *w = want;
	size_t		i = 0;

	/* equal bytes are compared at once: a sanitizer looks at each access */
	if (len == 0 || memcmp(got, want, len) == 0)
		i = len;
	while (i < len && g[i] == w[i])
		i++;
	if (test_failed(i == len, file, line))
		printf("%s: byte %zu of %zu is %02x, not %02x\n", what, i, len, g[i], w[i]);
	return i == len;
}

/*
 * Random numbers that are the same on every run and machine (SplitMix64).
 * Each case starts from the same state.
 */
static uint64_t test_random_state;

static inline uint64_t
test_random(void)
{
	uint64_t	z = (test_random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A random number below n. */
static inline size_t
below(size_t n)
{
	return (size_t) (test_random() % n);
}

int
main(int argc, char **argv)
{
	int			passed = 0;
	int			failed = 0;

	/* what was printed before a sanitizer's abort shall be seen */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < test_case_count; i++)
	{
		if (argc > 1 && strstr(test_cases[i].name, argv[1]) == NULL)
			continue;
		test_complaints = 0;
		test_random_state = 0;
		test_cases[i].run();
		if (test_complaints == 0)
			passed++;
		else
			failed++;
		printf("%s - %s\n", test_complaints == 0 ? "ok" : "not ok", test_cases[i].name);
	}
	printf("%d passed, %d failed (%" PRIu64 " checks)\n", passed, failed, test_check_count);
	return failed > 0;
}

#endif
