/*
 * hll_simulate.h: register arrays as so many values would leave them
 *
 * In the Poisson model the registers are independent and each is at most k with
 * the probability exp(-(n / m) 2^-k), so one random number makes one register,
 * however large n is.  Against a fixed number of values the estimate varies by
 * sqrt(n) more, as the number itself is random: nothing to speak of from 10^7 on.
 */
#ifndef PDS_TEST_HLL_SIMULATE_H
#define PDS_TEST_HLL_SIMULATE_H

#include <math.h>

#include "hll/hll.h"

/* Whoever includes this says where its random numbers come from. */
static uint64_t test_random(void);

/* Between 0 and 1, neither of them included. */
static inline double
simulate_uniform(void)
{
	return ((double) (test_random() >> 11) + 0.5) / 9007199254740992.0;
}

/* One register that Poisson(rate) values fell to. */
static inline uint8_t
simulate_register(double rate, int p)
{
	int			most = pds_hll_max_rank(p);
	double		t = rate / -log(simulate_uniform());
	int			k;

	/* the smallest k with rate * 2^-k <= -log(u) */
	if (!(t > 1))
		return 0;
	(void) frexp(t, &k);
	if (ldexp(1, k - 1) >= t)
		k--;
	return (uint8_t) (k < most ? k : most);
}

static inline void
simulate_registers(uint8_t *registers, int p, double n)
{
	uint32_t	m = pds_hll_registers(p);

	for (uint32_t i = 0; i < m; i++)
		registers[i] = simulate_register(n / m, p);
}

#endif
