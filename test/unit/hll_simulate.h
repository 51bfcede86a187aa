/*
 * hll_simulate.h: register arrays as so many values would leave them
 *
 * In the Poisson model the registers are independent.  Each is at most k with the probability
 * exp(-(n / m) 2^-k), so one random number makes one register, however large n is.  Against a
 * fixed number of values the estimate varies by sqrt(n) more, as the number itself is random:
 * nothing to speak of from 10^7 on.
 */
#ifndef PDS_TEST_HLL_SIMULATE_H
#define PDS_TEST_HLL_SIMULATE_H

#include <math.h>

#include "hll.h"

/* Whoever includes this says where its random numbers come from. */
static uint64_t test_random(void);

/* The distribution of a register: below[k] = 2^64 P(value <= k) */
typedef struct simulated
{
	uint64_t	below[PDS_HLL_RANKS];
	int			median;
} simulated;

/* Of registers that each Poisson(rate) values fall to. */
static inline simulated
simulate_at(double rate, int p)
{
	simulated	s;
	int			most = pds_hll_max_rank(p);

	s.median = most;
	for (int k = most; k >= 0; k--)
	{
		long double pr = k < most ? expl(-(long double) rate * ldexpl(1, -k)) : 1;

		s.below[k] = pr * 18446744073709551616.0L >= 18446744073709551615.0L ?
			UINT64_MAX : (uint64_t) (pr * 18446744073709551616.0L);
		if (pr >= 0.5L)
			s.median = k;
	}
	return s;
}

static inline uint8_t
simulate_register(const simulated *s)
{
	uint64_t	u = test_random();
	int			k = s->median;

	/* the first k that u is below */
	while (u >= s->below[k] && s->below[k] != UINT64_MAX)
		k++;
	while (k > 0 && u < s->below[k - 1])
		k--;
	return (uint8_t) k;
}

static inline void
simulate_registers(uint8_t *registers, int p, double n)
{
	uint32_t	m = pds_hll_registers(p);
	simulated	s = simulate_at(n / m, p);

	for (uint32_t i = 0; i < m; i++)
		registers[i] = simulate_register(&s);
}

/* Registers of two sets of which "both" values are in common. */
static inline void
simulate_pair(uint8_t *first, uint8_t *second, int p,
			  double only_1, double only_2, double both)
{
	double		m = pds_hll_registers(p);
	simulated	s1 = simulate_at(only_1 / m, p);
	simulated	s2 = simulate_at(only_2 / m, p);
	simulated	s = simulate_at(both / m, p);

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
	{
		uint8_t		common = simulate_register(&s);

		first[i] = simulate_register(&s1);
		second[i] = simulate_register(&s2);
		if (first[i] < common)
			first[i] = common;
		if (second[i] < common)
			second[i] = common;
	}
}

#endif
