/*
 * measure.h: many trials, their error, and whether it is what it should be
 *
 * A root mean square error of T trials is itself off by some 1 / sqrt(2 T), a
 * mean by 1 / sqrt(T) of the standard error.  Every bound here is so many of
 * those around what theory says; as the seeds are fixed, a run either always
 * passes or never.
 */
#ifndef PDS_TEST_MEASURE_H
#define PDS_TEST_MEASURE_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* How many standard deviations a measured figure may be off. */
#define SIGMAS	4.0

static int	cases_passed;
static int	cases_failed;

static uint64_t random_state;

static uint64_t
test_random(void)
{
	uint64_t	z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* One thing that must hold; said only when it does not. */
__attribute__((format(printf, 2, 3))) static void
must(int ok, const char *format,...)
{
	va_list		args;

	if (ok)
	{
		cases_passed++;
		return;
	}
	cases_failed++;
	printf("not ok - ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* The relative errors of an estimator. */
typedef struct errors
{
	double		sum;
	double		squares;
	double		fourths;
	long		trials;
} errors;

static inline void
errors_add(errors *e, double estimate, double truth)
{
	double		off = estimate / truth - 1;

	e->sum += off;
	e->squares += off * off;
	e->fourths += off * off * off * off;
	e->trials++;
}

static inline double
bias_of(const errors *e)
{
	return e->trials > 0 ? e->sum / (double) e->trials : 0;
}

static inline double
rmse_of(const errors *e)
{
	return e->trials > 0 ? sqrt(e->squares / (double) e->trials) : 0;
}

static int
finish(void)
{
	printf("%d passed, %d failed\n", cases_passed, cases_failed);
	return cases_failed > 0;
}

#endif
