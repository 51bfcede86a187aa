/*
 * hll_joint.c: two sketches at once
 *
 * Ertl 2017, section 5.  Split the union of two sets into the values only in the first, only in
 * the second and in both.  Each is a Poisson process that falls to m registers.  A register of
 * the first sketch is the maximum of the first and third process, a register of the second
 * sketch the maximum of the second and third.  Rank by rank from the highest on, a pair of
 * registers is a chain of trials (hll_trials.h).  While neither holds a rank, the trial is which
 * of the two hold the next one.  After that, the trials are about the value of the lower
 * register.
 *
 * Where the first sketch has tokens, more is known: whose registers and ranks its values are.  A
 * value that is in the second set, too, is below or at the second's register there.  So each token
 * says that its value is not there (the register is lower), or that it may be (it is just that), or
 * nothing (it is higher).  That is a chain of trials as well, in which tokens are known to come by.
 */
#include <math.h>
#include <string.h>

#include "sort.h"
#include "hll_estimate.h"
#include "hll_registers.h"

#define CELLS	67108864.0		/* 2^26 */

/* ---------- trials ---------- */

static pds_hll_trials *
add_trials(pds_hll_pair *pair, pds_hll_trial_kind kind, int of, double chance)
{
	pds_hll_trials *t = &pair->trials[pair->model.n++];

	memset(t, 0, sizeof(*t));
	t->kind = kind;
	t->of = (uint8_t) of;
	t->chance = chance;
	return t;
}

static void
begin_trials(pds_hll_pair *pair, int sizes, double among)
{
	pair->of_tokens = false;
	pair->exchanged = false;
	pair->absent = 0;
	pair->common = 0;
	pair->model.sizes = sizes;
	pair->model.among = among;
	pair->model.n = 0;
	pair->model.trials = pair->trials;
}

/* Of registers that are still to be counted (dense), or of so many tokens. */
static void
summarize(pds_hll_summary *s, int family, int precision, bool dense, uint32_t tokens)
{
	memset(s, 0, sizeof(*s));
	s->family = (uint8_t) family;
	s->precision = (uint8_t) precision;
	s->dense = dense;
	s->tokens = tokens;
}

static void
estimate_each(pds_hll_pair *pair)
{
	pair->n_1 = pds_hll_cardinality(&pair->summary_1);
	pair->n_2 = pds_hll_cardinality(&pair->summary_2);
}

void
pds_hll_pair_registers(pds_hll_pair *pair, int family, int precision,
					   const uint8_t *registers_1, const uint8_t *registers_2)
{
	double		m = (double) pds_hll_registers(precision);
	int			q = pds_hll_top_rank(family, precision) - 1;
	uint32_t	pairs[PDS_HLL_RANKS][PDS_HLL_RANKS];
	double		below[2][PDS_HLL_RANKS];	/* values of each where it is the lower one */
	double		above[2][PDS_HLL_RANKS];	/* and where it is the higher one */
	double		open[2];		/* how many of each are up to this rank, and the other above it */
	double		at_most;		/* of how many both are up to this rank */
	int			top = 0;

	/* count first, compare after: comparing would mispredict every other register */
	memset(pairs, 0, sizeof(pairs));
	for (uint32_t i = 0; i < pds_hll_registers(precision); i++)
		pairs[registers_1[i] & 63][registers_2[i] & 63]++;

	summarize(&pair->summary_1, family, precision, true, 0);
	summarize(&pair->summary_2, family, precision, true, 0);
	memset(below, 0, sizeof(below));
	memset(above, 0, sizeof(above));
	for (int r1 = 0; r1 < PDS_HLL_RANKS; r1++)
	{
		for (int r2 = 0; r2 < PDS_HLL_RANKS; r2++)
		{
			uint32_t	n = pairs[r1][r2];
			int			higher = r1 < r2 ? 1 : 0;

			pair->summary_1.histogram[r1] += n;
			pair->summary_2.histogram[r2] += n;
			if (r1 != r2)
			{
				below[1 - higher][higher ? r1 : r2] += n;
				above[higher][higher ? r2 : r1] += n;
			}
			if (n > 0 && (r1 > top || r2 > top))
				top = r1 > r2 ? r1 : r2;
		}
	}
	estimate_each(pair);
	begin_trials(pair, 3, 0);

	at_most = pairs[0][0];
	open[0] = below[0][0];
	open[1] = below[1][0];
	for (int k = 1; k <= top; k++)
	{
		double		chance = ldexp(1 / m, -(k <= q ? k : q));
		pds_hll_trials *t;

		at_most += above[0][k] + above[1][k] + pairs[k][k];
		if (at_most > 0)
		{
			t = add_trials(pair, PDS_HLL_PAIR, 0, chance);
			t->count[1] = above[1][k];
			t->count[2] = above[0][k];
			t->count[3] = pairs[k][k];
			t->count[0] = at_most - t->count[1] - t->count[2] - t->count[3];
		}
		for (int i = 1; i >= 0; i--)
		{
			open[i] += below[i][k] - above[1 - i][k];
			if (open[i] > 0)
			{
				/* size 1 is about the second one only, and size 2 about the first one */
				t = add_trials(pair, PDS_HLL_SET, 1 | 4 >> i, chance);
				t->count[1] = below[i][k];
				t->count[0] = open[i] - t->count[1];
			}
		}
	}
	/* all ranks above: nobody has one */
	if (top <= q)
		add_trials(pair, PDS_HLL_PAIR, 0, ldexp(1 / m, -top))->count[0] = m;
}

/*
 * The register and rank of a token, at this precision, as one word; 0 where the token does not
 * tell.
 */
static uint64_t
place_of_token(uint32_t token, int tokens_precision, int precision)
{
	uint32_t	cell = token >> 6;
	uint32_t	index = cell & ((UINT32_C(1) << precision) - 1);
	uint32_t	above = cell >> precision;
	uint32_t	rank;

	if (above != 0)
		rank = (uint32_t) pds_ctz32(above) + 1;
	else if (cell >> tokens_precision == 0)
		rank = (token & 63) + (uint32_t) (PDS_HLL_CELL_BITS - precision);
	else
		return 0;
	return (uint64_t) index << 6 | rank;
}

/* Registers at which so many tokens fall together are counted together. */
#define TOGETHER		32

static int
together(uint32_t tokens)
{
	int			log = pds_log2_64(tokens);

	if (tokens <= 4)
		return (int) tokens - 1;
	/* two classes for each power of 2 */
	log = 2 * log + (int) (tokens >> (log - 1) & 1);
	return log - 1 < TOGETHER ? log - 1 : TOGETHER - 1;
}

/*
 * A set of tokens against the registers of a native sketch, each at its own precision.  "exchanged"
 * if the registers are those of the first sketch.
 */
static void
pair_mixed(pds_hll_pair *pair, pds_hll_build *sparse, const pds_hll_build *dense, bool exchanged,
		   void *scratch)
{
	uint32_t	n = sparse->tokens;
	uint64_t   *places = scratch;
	uint32_t   *tokens = (uint32_t *) (places + n);
	const uint8_t *registers = pds_hll_build_registers(dense);
	int			precision = dense->precision;
	double		m = (double) pds_hll_registers(precision);
	int			q = pds_hll_max_rank(precision) - 1;
	uint32_t	lower[PDS_HLL_RANKS][TOGETHER];
	uint32_t	same[PDS_HLL_RANKS][TOGETHER];
	uint32_t	sum[PDS_HLL_RANKS][TOGETHER];
	uint32_t   *histogram = pair->summary_2.histogram;
	uint64_t	kept = 0;
	double		below = 0;
	int			top = 0;

	pds_hll_sorted_tokens(sparse, tokens);
	summarize(&pair->summary_1, PDS_FAMILY_NATIVE, sparse->precision, false, n);
	summarize(&pair->summary_2, PDS_FAMILY_NATIVE, precision, true, 0);
	pds_hll_registers_histogram(registers, precision, histogram);
	estimate_each(pair);
	begin_trials(pair, 2, n);
	pair->exchanged = exchanged;

	/* tokens below their register say nothing */
	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	place = place_of_token(tokens[i], sparse->precision, precision);

		places[kept] = place;
		kept += place != 0 && (place & 63) >= registers[place >> 6];
	}
	pds_sort_words(places, kept);

	memset(lower, 0, sizeof(lower));
	memset(same, 0, sizeof(same));
	memset(sum, 0, sizeof(sum));
	for (uint64_t i = 0, next; i < kept; i = next)
	{
		int			rank = (int) (places[i] & 63);
		int			at = registers[places[i] >> 6];
		int			class;

		for (next = i + 1; next < kept && places[next] == places[i]; next++)
			;
		class = together((uint32_t) (next - i));
		sum[rank][class] += (uint32_t) (next - i);
		lower[rank][class] += at < rank;
		same[rank][class] += at == rank;
		if (at < rank)
			pair->absent += (uint32_t) (next - i);
		if (rank > top)
			top = rank;
	}
	for (int k = 1; k < PDS_HLL_RANKS; k++)
		if (histogram[k] > 0 && k > top)
			top = k;

	for (int k = 1; k <= top; k++)
	{
		double		chance = ldexp(1 / m, -(k <= q ? k : q));
		double		others_lower;
		double		others_same = histogram[k];

		below += histogram[k - 1];
		others_lower = below;
		for (int class = 0; class < TOGETHER; class++)
		{
			pds_hll_trials *t;

			/* there are not so many tokens that all classes of all ranks were taken */
			if (sum[k][class] == 0 || pair->model.n >= PDS_HLL_MAX_TRIALS - 2 * PDS_HLL_RANKS)
				continue;
			t = add_trials(pair, PDS_HLL_TOKENS, 0, chance);
			t->count[0] = lower[k][class];
			t->count[1] = same[k][class];
			t->tokens = sum[k][class] / (t->count[0] + t->count[1]);
			others_lower -= t->count[0];
			others_same -= t->count[1];
		}
		if (others_lower + others_same > 0)
		{
			pds_hll_trials *t = add_trials(pair, PDS_HLL_SET, 2, chance);

			t->count[0] = others_lower;
			t->count[1] = others_same;
		}
	}
	if (top <= q)
		add_trials(pair, PDS_HLL_SET, 2, ldexp(1 / m, -top))->count[0] = m;
}

void
pds_hll_pair_tokens(pds_hll_pair *pair, uint32_t tokens_1, uint32_t tokens_2, uint32_t common)
{
	summarize(&pair->summary_1, PDS_FAMILY_NATIVE, PDS_HLL_MAX_PRECISION, false, tokens_1);
	summarize(&pair->summary_2, PDS_FAMILY_NATIVE, PDS_HLL_MAX_PRECISION, false, tokens_2);
	estimate_each(pair);
	begin_trials(pair, 0, 0);
	pair->of_tokens = true;
	pair->common = common;
}

/* ---------- two sketches, whatever they hold ---------- */

/* How many cells two sorted lists of tokens have in common. */
static uint32_t
common_cells(const uint32_t *a, uint32_t n_a, const uint32_t *b, uint32_t n_b)
{
	uint32_t	common = 0;

	for (uint32_t i = 0, j = 0; i < n_a && j < n_b;)
	{
		uint32_t	cell_a = a[i] >> 6;
		uint32_t	cell_b = b[j] >> 6;

		common += cell_a == cell_b;
		i += cell_a <= cell_b;
		j += cell_b <= cell_a;
	}
	return common;
}

/* The waiting may turn out to be tokens. */
static size_t
tokens_at_most(const pds_hll_build *b)
{
	return b->dense ? 0 : (size_t) b->tokens + b->pending;
}

size_t
pds_hll_pair_scratch(const pds_hll_build *a, const pds_hll_build *b)
{
	int			p = a->precision < b->precision ? a->precision : b->precision;
	size_t		tokens = tokens_at_most(a) + tokens_at_most(b);

	return 2 * (size_t) pds_hll_registers(p) + tokens * (sizeof(uint64_t) + sizeof(uint32_t));
}

/* Registers at a precision; "space" for those that must be folded. */
static const uint8_t *
registers_at(const pds_hll_build *b, int precision, uint8_t *space)
{
	if (b->dense && b->precision == precision)
		return pds_hll_build_registers(b);
	memset(space, 0, pds_hll_registers(precision));
	if (b->dense)
		pds_hll_registers_merge(space, precision, pds_hll_build_registers(b), b->precision,
								pds_state_family(b));
	return space;
}

void
pds_hll_pair_of(pds_hll_pair *pair, pds_hll_build *a, pds_hll_build *b, void *scratch)
{
	int			p = a->precision < b->precision ? a->precision : b->precision;
	int			family = pds_state_family(a) > pds_state_family(b) ?
		pds_state_family(a) : pds_state_family(b);	/* one that holds nothing is native */
	uint8_t    *space = scratch;

	pds_hll_flush(a);
	pds_hll_flush(b);
	if (!a->dense && !b->dense)
	{
		uint32_t   *tokens = scratch;

		pds_hll_sorted_tokens(a, tokens);
		pds_hll_sorted_tokens(b, tokens + a->tokens);
		pds_hll_pair_tokens(pair, a->tokens, b->tokens,
							common_cells(tokens, a->tokens, tokens + a->tokens, b->tokens));
		return;
	}
	if (!a->dense && a->tokens > 0)
	{
		pair_mixed(pair, a, b, false, scratch);
		return;
	}
	if (!b->dense && b->tokens > 0)
	{
		pair_mixed(pair, b, a, true, scratch);
		return;
	}
	pds_hll_pair_registers(pair, family, p, registers_at(a, p, space),
						   registers_at(b, p, space + pds_hll_registers(p)));
}

/* ---------- estimates ---------- */

/* Most likely sizes: the search begins where half of the smaller set is in both. */
static void
fit(pds_hll_pair *pair)
{
	double		smaller = fmin(pair->n_1, pair->n_2);

	pair->size[0] = smaller / 2;
	pair->size[1] = pair->n_2 - smaller / 2;
	pair->size[2] = pair->n_1 - smaller / 2;
	pds_hll_model_fit(&pair->model, pair->size);
}

/* What is only there lest a logarithm be infinite. */
static double
unless_nothing(double size)
{
	return size > 2 * PDS_HLL_LEAST_SIZE ? size : 0;
}

static void
estimate_tokens(const pds_hll_pair *pair, pds_hll_overlap *o)
{
	uint32_t	in_union = pair->summary_1.tokens + pair->summary_2.tokens - pair->common;

	o->both = pair->n_1 + pair->n_2 - pds_hll_linear_count(in_union);
	o->both = fmax(0, fmin(o->both, fmin(pair->n_1, pair->n_2)));
	o->only_1 = pair->n_1 - o->both;
	o->only_2 = pair->n_2 - o->both;
}

void
pds_hll_pair_estimate(pds_hll_pair *pair, pds_hll_overlap *o)
{
	double		n = pair->model.among;

	memset(o, 0, sizeof(*o));
	if (pair->of_tokens || pair->n_1 <= 0 || pair->n_2 <= 0)
	{
		estimate_tokens(pair, o);
		return;
	}
	if (n > 0 && pair->absent == n)
	{
		/* for certain: there is no value that both could have */
		o->only_1 = pair->n_1;
		o->only_2 = pair->n_2;
	}
	else
	{
		fit(pair);
		o->both = unless_nothing(pair->size[0]);
		o->only_2 = unless_nothing(pair->size[1]);
		if (n > 0)
		{
			/* tokens may stand for two values */
			o->both *= pair->n_1 / n;
			o->only_1 = pair->n_1 - o->both;
		}
		else
			o->only_1 = unless_nothing(pair->size[2]);
	}
	if (pair->exchanged)
	{
		double		only_1 = o->only_1;

		o->only_1 = o->only_2;
		o->only_2 = only_1;
	}
}

/* ---------- bounds ---------- */

/* P(G - L >= d) of two numbers by Poisson. */
static double
difference_at_least(double mean_g, double mean_l, int d)
{
	double		p_l = exp(-mean_l);
	double		sum = 0;

	/* what is left of L beyond is less than a rounding */
	for (int l = 0; l < 20 + 3 * mean_l; l++)
	{
		sum += p_l * (d + l <= 0 ? 1 : 1 - pds_hll_poisson_at_most(mean_g, d + l - 1));
		p_l *= mean_l / (l + 1);
	}
	return sum;
}

/*
 * Would "both" values in both sets have at least so many cells in common?  Some of them share a
 * cell, and some values that are in one set only share one with those of the other.
 */
static double
at_least_common(const pds_hll_pair *pair, double both, double common)
{
	double		only_1 = fmax(pair->n_1 - both, 0);
	double		only_2 = fmax(pair->n_2 - both, 0);

	return difference_at_least(only_1 * only_2 / CELLS, both * both / (2 * CELLS),
							   (int) (common - both));
}

static void
bounds_of_tokens(const pds_hll_pair *pair, double confidence, double most, double *lower,
				 double *upper)
{
	double		tail = (1 - confidence) / 2;
	double		c = pair->common;

	*lower = *upper = c;
	while (*lower >= 1 && at_least_common(pair, *lower - 1, c) > tail)
		*lower -= 1;
	while (*upper >= 1 && 1 - at_least_common(pair, *upper, c + 1) <= tail)
		*upper -= 1;
	/* or where some of those in both share a cell with another of them */
	while (*lower + 1 <= most && at_least_common(pair, *lower, c) <= tail)
		*lower += 1;
	while (*upper + 1 <= most && 1 - at_least_common(pair, *upper + 1, c + 1) > tail)
		*upper += 1;
}

/* As whole numbers.  Where nothing at all is ruled out, the least that is not is one value. */
static void
to_whole(double *lower, double *upper)
{
	*lower = *lower > 0 ? fmax(1, pds_hll_whole_lower(*lower)) : 0;
	*upper = pds_hll_whole_upper(*upper);
}

void
pds_hll_pair_bounds(const pds_hll_pair *pair, const pds_hll_overlap *o, double confidence,
					double *lower, double *upper)
{
	double		n = pair->model.among;
	double		least;
	double		estimate;
	double		most_1;
	double		most_2;
	double		most;

	*lower = *upper = 0;
	if (pair->n_1 <= 0 || pair->n_2 <= 0 || (n > 0 && pair->absent == n))
		return;
	pds_hll_bounds(&pair->summary_1, confidence, &least, &estimate, &most_1);
	pds_hll_bounds(&pair->summary_2, confidence, &least, &estimate, &most_2);
	most = fmin(most_1, most_2);
	if (pair->of_tokens)
		bounds_of_tokens(pair, confidence, most, lower, upper);
	else if (n > 0)
	{
		/* of tokens; that none is absent is no test, but rules out no number */
		double		possible = fmin(n - pair->absent, most_2);

		pds_hll_model_bounds(&pair->model, pair->size, 0, confidence, 0,
							 pair->absent > 0 ? possible : pair->size[0], lower, upper);
		if (pair->absent == 0)
			*upper = possible;
		to_whole(lower, upper);
		/* and values that share a cell with another */
		*upper = fmin(*upper + (most_1 - n), most);
	}
	else
	{
		pds_hll_model_bounds(&pair->model, pair->size, 0, confidence, 0, most, lower, upper);
		to_whole(lower, upper);
	}
	*lower = fmin(*lower, rint(o->both));
	*upper = fmax(*upper, rint(o->both));
}

void
pds_hll_pair_difference_bounds(const pds_hll_pair *pair, const pds_hll_overlap *o,
							   double confidence, double *lower, double *upper)
{
	double		n = pair->model.among;
	double		estimate;
	double		most;

	pds_hll_bounds(pair->exchanged ? &pair->summary_2 : &pair->summary_1, confidence, lower,
				   &estimate, &most);
	*upper = most;
	if (pair->n_1 <= 0 || pair->n_2 <= 0 || (n > 0 && pair->absent == n))
		return;					/* all of the first */
	if (pair->of_tokens)
		pds_hll_token_bounds(pair->summary_1.tokens - pair->common, pair->summary_2.tokens,
							 confidence, lower, upper);
	else if (n > 0 && !pair->exchanged)
	{
		/* tokens of the first that are not in both */
		double		least_both;
		double		most_both;

		pds_hll_pair_bounds(pair, o, confidence, &least_both, &most_both);
		*lower = fmax(n - most_both, pair->absent);
		*upper = most - least_both;
	}
	else
	{
		pds_hll_model_bounds(&pair->model, pair->size, pair->exchanged ? 1 : 2, confidence, 0,
							 most, lower, upper);
		to_whole(lower, upper);
	}
	*lower = fmin(*lower, rint(o->only_1));
	*upper = fmax(*upper, rint(o->only_1));
}

bool
pds_hll_pair_tells(const pds_hll_pair *pair, const pds_hll_overlap *o)
{
	double		lower;
	double		upper;

	if (pair->of_tokens)
		return true;
	pds_hll_pair_bounds(pair, o, 0.95, &lower, &upper);
	return lower > 0 || upper == 0;
}
