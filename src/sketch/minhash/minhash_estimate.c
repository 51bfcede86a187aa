/*
 * minhash_estimate.c: similarity and size from MinHash sketches
 */
#include <math.h>
#include <string.h>

#include "bracket.h"
#include "minhash_estimate.h"
#include "sort.h"

#define LN_2	0.69314718055994530942

/* The chance that the two smallest hashes of a bin have the same register. */
#define SAME_CELL	(1.0 / (1 << PDS_MINHASH_REGISTER_BITS) / (4 * LN_2))

/* ---------- quantiles ---------- */

/* The cube root of a gamma variable is nearly normal. */
double
pds_minhash_gamma_quantile(double a, double z)
{
	double		root = 1 - 1 / (9 * a) + z / (3 * sqrt(a));

	return root > 0 ? a * root * root * root : 0;
}

/* A beta variable is the share of a gamma variable in the sum of two: of shape a and of shape b. */
double
pds_minhash_beta_upper(double a, double b, double z)
{
	double		mean_a = 1 - 1 / (9 * a);
	double		mean_b = 1 - 1 / (9 * b);
	double		sure = mean_b * mean_b - z * z / (9 * b);
	double		root = sqrt(mean_a * mean_a / (9 * b) + sure / (9 * a));
	double		ratio = a / b * pow((mean_a * mean_b + z * root) / sure, 3);

	return sure > 0 ? ratio / (1 + ratio) : 1;
}

/* ---------- two sketches ---------- */

static bool
both_of_tokens(const pds_minhash_view *a, const pds_minhash_view *b)
{
	return a->encoding != PDS_MINHASH_DENSE && b->encoding != PDS_MINHASH_DENSE;
}

static int
common_log2_k(const pds_minhash_view *a, const pds_minhash_view *b)
{
	return a->log2_k < b->log2_k ? a->log2_k : b->log2_k;
}

size_t
pds_minhash_pair_scratch(const pds_minhash_view *a, const pds_minhash_view *b)
{
	if (both_of_tokens(a, b))
		return ((size_t) a->tokens + b->tokens) * sizeof(uint64_t);
	return (2 * sizeof(uint16_t)) << common_log2_k(a, b);
}

/* The distinct tokens of a view at a k, in order; returns how many. */
static pds_status
tokens_at(const pds_minhash_view *v, int log2_k, uint64_t *tokens, uint32_t *n)
{
	pds_status	status = pds_minhash_read_tokens(v, tokens);

	*n = v->tokens;
	if (status != PDS_OK || v->log2_k == log2_k)
		return status;
	for (uint32_t i = 0; i < v->tokens; i++)
		tokens[i] = pds_minhash_token_at(tokens[i], log2_k);
	pds_sort_words(tokens, v->tokens);
	*n = 0;
	for (uint32_t i = 0; i < v->tokens; i++)
		if (*n == 0 || tokens[*n - 1] != tokens[i])
			tokens[(*n)++] = tokens[i];
	return PDS_OK;
}

static void
pair_tokens(pds_minhash_pair *pair, const uint64_t *a, uint32_t n_a, const uint64_t *b,
			uint32_t n_b)
{
	uint32_t	i = 0;
	uint32_t	j = 0;

	pair->exact = true;
	pair->both = 0;
	while (i < n_a && j < n_b)
	{
		pair->both += a[i] == b[j];
		if (a[i] <= b[j])
		{
			j += a[i] == b[j];
			i++;
		}
		else
			j++;
	}
	pair->only_1 = n_a - pair->both;
	pair->only_2 = n_b - pair->both;
}

void
pds_minhash_pair_registers(pds_minhash_pair *pair, const uint16_t *a, const uint16_t *b,
						   uint32_t n)
{
	uint32_t	equal = 0;
	uint32_t	only_1 = 0;
	uint32_t	only_2 = 0;

	for (uint32_t i = 0; i < n; i++)
	{
		only_1 += a[i] > b[i];
		only_2 += a[i] < b[i];
		equal += a[i] == b[i] && a[i] != 0;
	}
	pair->exact = false;
	pair->both = equal;
	pair->only_1 = only_1;
	pair->only_2 = only_2;
}

pds_status
pds_minhash_pair_of(pds_minhash_pair *pair, const pds_minhash_view *a, const pds_minhash_view *b,
					void *scratch)
{
	int			log2_k = common_log2_k(a, b);
	pds_status	status;

	if (both_of_tokens(a, b))
	{
		uint64_t   *first = scratch;
		uint64_t   *second = first + a->tokens;
		uint32_t	n_a;
		uint32_t	n_b;

		status = tokens_at(a, log2_k, first, &n_a);
		if (status == PDS_OK)
			status = tokens_at(b, log2_k, second, &n_b);
		if (status == PDS_OK)
			pair_tokens(pair, first, n_a, second, n_b);
	}
	else
	{
		uint16_t   *first = scratch;
		uint16_t   *second = first + (UINT32_C(1) << log2_k);

		status = pds_minhash_read_registers(a, log2_k, first);
		if (status == PDS_OK)
			status = pds_minhash_read_registers(b, log2_k, second);
		if (status == PDS_OK)
			pds_minhash_pair_registers(pair, first, second, UINT32_C(1) << log2_k);
	}
	return status;
}

/* The share of the differing bins that are the first set's. */
static double
first_share(const pds_minhash_pair *pair)
{
	double		differ = (double) pair->only_1 + pair->only_2;

	return differ > 0 ? pair->only_1 / differ : 0.5;
}

/*
 * The Jaccard index at which registers are equal with probability q, given the share of
 * the differing values that are in the first set only.  Its steps converge by a factor of
 * 100 each.
 */
static double
jaccard_of(double q, double share)
{
	double		j = q;

	for (int i = 0; i < 6; i++)
	{
		double		differ = 1 - j;

		j = q - SAME_CELL * differ * (2 * share * (1 - share) * differ + j);
		if (j < 0)
			j = 0;
	}
	return j;
}

bool
pds_minhash_jaccard(const pds_minhash_pair *pair, double *jaccard)
{
	double		all = (double) pair->both + pair->only_1 + pair->only_2;

	if (all == 0)
		return false;
	*jaccard = pair->both / all;
	if (!pair->exact)
		*jaccard = jaccard_of(*jaccard, first_share(pair));
	return true;
}

bool
pds_minhash_containment(const pds_minhash_pair *pair, double *share)
{
	double		jaccard;
	double		only;

	if (pair->exact)
	{
		if (pair->both + pair->only_1 == 0)
			return false;
		*share = pair->both / ((double) pair->both + pair->only_1);
		return true;
	}
	if (!pds_minhash_jaccard(pair, &jaccard))
		return false;
	/* no bin of the union is the first set's: the set is small beside the other */
	only = (1 - jaccard) * first_share(pair);
	if (pair->both + pair->only_1 == 0 || jaccard + only <= 0)
	{
		*share = 0;
		return true;
	}
	*share = jaccard / (jaccard + only);
	return true;
}

bool
pds_minhash_jaccard_bounds(const pds_minhash_pair *pair, double confidence, double *lower,
						   double *estimate, double *upper)
{
	double		equal = pair->both;
	double		differ = (double) pair->only_1 + pair->only_2;
	double		z = pds_normal_quantile(confidence);

	if (!pds_minhash_jaccard(pair, estimate))
		return false;
	*lower = *upper = *estimate;
	if (pair->exact)
		return true;
	if (equal > 0)
		*lower = jaccard_of(1 - pds_minhash_beta_upper(differ + 1, equal, z), first_share(pair));
	if (differ > 0)
		*upper = jaccard_of(pds_minhash_beta_upper(equal + 1, differ, z), first_share(pair));
	if (*lower > *estimate)
		*lower = *estimate;
	if (*upper < *estimate)
		*upper = *estimate;
	return true;
}

/* ---------- one sketch ---------- */

size_t
pds_minhash_summary_scratch(const pds_minhash_view *v)
{
	return v->encoding == PDS_MINHASH_DENSE ? sizeof(uint16_t) << v->log2_k : 0;
}

static void
summarize_registers(pds_minhash_summary *s, const uint16_t *registers)
{
	s->filled = 0;
	s->sum = 0;
	for (uint32_t i = 0; i < UINT32_C(1) << s->log2_k; i++)
	{
		int			rank = registers[i] >> PDS_MINHASH_REGISTER_BITS;
		int			below = registers[i] & ((1 << PDS_MINHASH_REGISTER_BITS) - 1);

		s->filled += rank > 0;
		/* the middle of the hashes that have this register */
		s->sum += rank == 0 ? 1 :
			ldexp((2 << PDS_MINHASH_REGISTER_BITS) - below - 0.5,
				  -PDS_MINHASH_REGISTER_BITS - rank);
	}
}

pds_status
pds_minhash_summarize(pds_minhash_summary *s, const pds_minhash_view *v, void *scratch)
{
	pds_status	status;

	s->log2_k = v->log2_k;
	s->dense = v->encoding == PDS_MINHASH_DENSE;
	s->tokens = v->tokens;
	s->filled = 0;
	s->sum = 0;
	if (!s->dense)
		return PDS_OK;
	status = pds_minhash_read_registers(v, v->log2_k, scratch);
	if (status != PDS_OK)
		return status;
	summarize_registers(s, scratch);
	return s->filled > 0 ? PDS_OK : PDS_CORRUPT;
}

static double
bins(const pds_minhash_summary *s)
{
	return (double) (UINT32_C(1) << s->log2_k);
}

double
pds_minhash_fill(const pds_minhash_summary *s)
{
	return (s->dense ? s->filled : s->tokens) / bins(s);
}

double
pds_minhash_cardinality(const pds_minhash_summary *s)
{
	double		n;

	if (!s->dense)
		return s->tokens;
	n = bins(s) * (s->filled - 1) / s->sum;
	/* there were more than k values, or there would be tokens */
	return n > bins(s) + 1 ? n : bins(s) + 1;
}

double
pds_minhash_cardinality_error(const pds_minhash_summary *s)
{
	double		load = pds_minhash_cardinality(s) / bins(s);

	return s->dense ? sqrt((1 / -expm1(-load) - 1 / load) / bins(s)) : 0;
}

/* The most of n values that have come to one token with another, at a confidence. */
static double
most_lost(const pds_minhash_summary *s, double confidence)
{
	double		n = s->tokens;
	double		mean = n * n / 2 / (3 * 65536.0 * bins(s));
	double		p = exp(-mean);
	double		below = p;
	double		lost = 0;

	while (below < confidence && lost < n)
	{
		lost++;
		p *= mean / lost;
		below += p;
	}
	return lost;
}

void
pds_minhash_cardinality_bounds(const pds_minhash_summary *s, double confidence, double *lower,
							   double *estimate, double *upper)
{
	double		z = pds_normal_quantile(confidence);

	*estimate = pds_minhash_cardinality(s);
	if (!s->dense)
	{
		*lower = *estimate;
		*upper = *estimate + most_lost(s, confidence);
		return;
	}
	*lower = floor(bins(s) * pds_minhash_gamma_quantile(s->filled, -z) / s->sum);
	*upper = ceil(bins(s) * pds_minhash_gamma_quantile((double) s->filled + 1, z) / s->sum);
	if (*lower > *estimate)
		*lower = floor(*estimate);
	if (*lower < bins(s) + 1)
		*lower = bins(s) + 1;
	if (*upper < *estimate)
		*upper = ceil(*estimate);
}

/* ---------- many sketches ---------- */

/* The smallest k of all, and whether all of them are of tokens. */
static int
least_log2_k(const pds_minhash_view *v, uint32_t n, bool *of_tokens)
{
	int			log2_k = v[0].log2_k;

	*of_tokens = true;
	for (uint32_t i = 0; i < n; i++)
	{
		log2_k = v[i].log2_k < log2_k ? v[i].log2_k : log2_k;
		*of_tokens = *of_tokens && v[i].encoding != PDS_MINHASH_DENSE;
	}
	return log2_k;
}

/* Two lists of tokens, or two arrays of registers and two of flags. */
size_t
pds_minhash_common_scratch(const pds_minhash_view *v, uint32_t n)
{
	bool		of_tokens;
	int			log2_k = least_log2_k(v, n, &of_tokens);
	size_t		most = 0;

	if (!of_tokens)
		return (2 * sizeof(uint16_t) + 2) << log2_k;
	for (uint32_t i = 0; i < n; i++)
		most = v[i].tokens > most ? v[i].tokens : most;
	return 2 * most * sizeof(uint64_t);
}

static pds_status
common_tokens(pds_minhash_common *c, const pds_minhash_view *v, uint32_t n, int log2_k,
			  uint64_t *tokens)
{
	uint64_t   *others = tokens + v[0].tokens;
	pds_status	status = tokens_at(&v[0], log2_k, tokens, &c->equal);

	for (uint32_t i = 1; i < n && status == PDS_OK; i++)
	{
		uint32_t	kept = 0;
		uint32_t	n_others;

		status = tokens_at(&v[i], log2_k, others, &n_others);
		for (uint32_t a = 0, b = 0; a < c->equal && b < n_others && status == PDS_OK;)
		{
			uint64_t	token = tokens[a];

			if (token == others[b])
				tokens[kept++] = token;
			a += token <= others[b];
			b += token >= others[b];
		}
		c->equal = kept;
	}
	return status;
}

pds_status
pds_minhash_common_of(pds_minhash_common *c, const pds_minhash_view *v, uint32_t n, void *scratch)
{
	int			log2_k = least_log2_k(v, n, &c->exact);
	uint32_t	k = UINT32_C(1) << log2_k;
	uint16_t   *highest = scratch;
	uint16_t   *registers = highest + k;
	uint8_t    *all = (uint8_t *) (registers + k);	/* do all sets have the bin's smallest hash? */
	uint8_t    *either = all + k;	/* or the next bin's */
	uint32_t	unequal = 0;

	c->most = UINT32_MAX;
	for (uint32_t i = 0; i < n; i++)
		if (v[i].encoding != PDS_MINHASH_DENSE && v[i].tokens < c->most)
			c->most = v[i].tokens;
	if (c->exact)
		return common_tokens(c, v, n, log2_k, scratch);

	memset(highest, 0, sizeof(*highest) * k);
	for (uint32_t i = 0; i < n; i++)
	{
		if (pds_minhash_read_registers(&v[i], log2_k, registers) != PDS_OK)
			return PDS_CORRUPT;
		for (uint32_t bin = 0; bin < k; bin++)
			highest[bin] = registers[bin] > highest[bin] ? registers[bin] : highest[bin];
	}
	c->in_union.log2_k = (uint8_t) log2_k;
	c->in_union.dense = true;
	c->in_union.tokens = 0;
	summarize_registers(&c->in_union, highest);
	if (c->in_union.filled == 0)
		return PDS_CORRUPT;

	memset(all, 1, 2 * (size_t) k);
	for (uint32_t i = 0; i < n; i++)
	{
		if (pds_minhash_read_registers(&v[i], log2_k, registers) != PDS_OK)
			return PDS_CORRUPT;
		for (uint32_t bin = 0; bin < k; bin++)
		{
			uint32_t	next = (bin + 1) & (k - 1);
			bool		has = registers[bin] == highest[bin];

			all[bin] &= has;
			either[bin] &= has || (registers[next] == highest[next] && highest[next] != 0);
		}
	}
	c->equal = 0;
	for (uint32_t bin = 0; bin < k; bin++)
	{
		c->equal += all[bin] && highest[bin] != 0;
		unequal += either[bin] && !all[bin];
	}
	c->by_chance = SAME_CELL * unequal;
	return PDS_OK;
}

void
pds_minhash_common_bounds(const pds_minhash_common *c, double confidence, double *lower,
						  double *estimate, double *upper)
{
	const pds_minhash_summary *u = &c->in_union;
	double		z = pds_normal_quantile(confidence);
	double		most = c->most;
	double		each;

	*lower = *estimate = *upper = c->equal;
	if (c->exact)
		return;
	each = bins(u) / u->sum;
	*lower = c->equal > 0 ? pds_minhash_gamma_quantile(c->equal, -z) - c->by_chance : 0;
	*upper = pds_minhash_gamma_quantile((double) c->equal + 1, z) - c->by_chance;
	*estimate = fmax(0, c->equal - c->by_chance) / u->filled * pds_minhash_cardinality(u);
	*estimate = fmin(*estimate, most);
	*lower = fmin(fmax(0, floor(*lower * each)), floor(*estimate));
	*upper = fmin(fmax(ceil(*upper * each), ceil(*estimate)), most);
}
