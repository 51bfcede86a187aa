/*
 * answers.c: what sketches tell
 */
#include <math.h>
#include <string.h>

#include "ddsketch_answer.h"
#include "hll_estimate.h"
#include "minhash_estimate.h"
#include "sketch.h"
#include "topk.h"

static int
no_answer(const probds_sketch *s, const char *what, probds_error *error)
{
	return fail(error, PROBDS_NO_ANSWER, "A %s does not tell %s.", s->type->name, what);
}

/* As the server rounds a count. */
static double
count_of(double n)
{
	return n < 9.2e18 ? rint(n) : 9223372036854775807.0;
}

static int
describe(probds_sketch *s, facts *f, probds_error *error)
{
	int			code = need_view(s, error);

	memset(f, 0, sizeof(*f));
	f->values = f->total = f->capacity = f->fill = f->rate = f->error = -1;
	f->status = "ok";
	return code != PROBDS_OK ? code : s->type->describe(s, f, error);
}

int
probds_cardinality(probds_sketch *s, double *values, probds_error *error)
{
	facts		f;
	int			code = describe(s, &f, error);

	if (code != PROBDS_OK)
		return code;
	if (f.values < 0)
		return no_answer(s, "how many distinct values there are", error);
	*values = count_of(f.values);
	return PROBDS_OK;
}

int
probds_cardinality_bounds(probds_sketch *s, double confidence, double *lower, double *estimate,
						  double *upper, probds_error *error)
{
	int			code = need_view(s, error);

	if (code != PROBDS_OK)
		return code;
	if (!(confidence > 0 && confidence < 1))
		return fail(error, PROBDS_PARAMETER, "A confidence is between 0 and 1.");
	if (s->type->number == PDS_TYPE_HLL)
	{
		pds_hll_summary sum;

		pds_hll_summarize((const pds_hll_view *) &s->view, &sum);
		pds_hll_bounds(&sum, confidence, lower, estimate, upper);
	}
	else if (s->type->number == PDS_TYPE_MINHASH)
	{
		pds_minhash_summary sum;

		code = summarize_minhash(s, &sum, error);
		if (code != PROBDS_OK)
			return code;
		pds_minhash_cardinality_bounds(&sum, confidence, lower, estimate, upper);
	}
	else
		return no_answer(s, "bounds of a number of values", error);
	*lower = count_of(*lower);
	*estimate = count_of(*estimate);
	*upper = count_of(*upper);
	return PROBDS_OK;
}

/* ---------- one value ---------- */

/* What a sketch says of a value. */
static int
count(probds_sketch *s, const probds_value *value, uint64_t *lower, uint64_t *n, uint64_t *upper,
	  probds_error *error)
{
	pds_hash	hash;
	int			code = need_value(s, value, error);

	if (code == PROBDS_OK)
		code = hash_value(value, &hash, error);
	if (code == PROBDS_OK && s->bytes == NULL && s->type->count_state != NULL &&
		s->type->count_state(s, hash, n, upper))
	{
		*lower = 0;
		return PROBDS_OK;
	}
	if (code == PROBDS_OK)
		code = need_view(s, error);
	return code != PROBDS_OK ? code :
		refuse(s, s->type->count(&s->view, hash, lower, n, upper), error);
}

int
probds_contains(probds_sketch *s, probds_value value, int *contained, probds_error *error)
{
	uint64_t	lower;
	uint64_t	n;
	uint64_t	upper;
	int			code;

	if (s->type->count == NULL || s->type->weighted)
		return no_answer(s, "whether it contains a value", error);
	code = count(s, &value, &lower, &n, &upper, error);
	if (code == PROBDS_OK)
		*contained = n > 0;
	return code;
}

int
probds_frequency(probds_sketch *s, probds_value value, int64_t *lower, int64_t *estimate,
				 int64_t *upper, probds_error *error)
{
	uint64_t	low;
	uint64_t	n;
	uint64_t	high;
	int			code;

	if (s->type->count == NULL || !s->type->counts)
		return no_answer(s, "how often a value was added", error);
	code = count(s, &value, &low, &n, &high, error);
	if (code != PROBDS_OK)
		return code;
	*lower = (int64_t) low;
	*estimate = (int64_t) n;
	*upper = (int64_t) high;
	return PROBDS_OK;
}

/* ---------- all values ---------- */

int
probds_total(probds_sketch *s, int64_t *total, probds_error *error)
{
	facts		f;
	int			code = describe(s, &f, error);

	if (code != PROBDS_OK)
		return code;
	if (f.total < 0)
		return no_answer(s, "how many values were added", error);
	*total = f.total < 9.2e18 ? (int64_t) f.total : INT64_MAX;
	return PROBDS_OK;
}

int
probds_top(probds_sketch *s, probds_item *items, size_t most, size_t *n, probds_error *error)
{
	const pds_topk_view *v = (const pds_topk_view *) &s->view;
	pds_topk_cursor c;
	pds_topk_item item;
	int			code = need_view(s, error);

	*n = 0;
	if (code != PROBDS_OK)
		return code;
	if (s->type->number != PDS_TYPE_TOPK)
		return no_answer(s, "which values are the most frequent", error);
	pds_topk_items_from(&c, v);
	while (c.left > 0 && *n < most && *n < v->k)
	{
		if (pds_topk_next(&c, &item, NULL) != PDS_OK)
			return refuse(s, PDS_CORRUPT, error);
		items[*n].text = item.text;
		items[*n].length = item.len;
		items[*n].frequency = (int64_t) item.upper;
		items[*n].lower = (int64_t) (item.upper - item.error);
		(*n)++;
	}
	return PROBDS_OK;
}

/* The view of a ddsketch of numbers that is not empty, and whose kind can be told here. */
static int
need_numbers(probds_sketch *s, const pds_ddsketch_view **v, probds_error *error)
{
	int			code = need_view(s, error);

	*v = (const pds_ddsketch_view *) &s->view;
	if (code != PROBDS_OK)
		return code;
	if (s->type->number != PDS_TYPE_DDSKETCH)
		return no_answer(s, "quantiles", error);
	return (*v)->total > 0 ? PROBDS_OK :
		fail(error, PROBDS_NO_ANSWER, "The ddsketch is empty.");
}

int
probds_quantile(probds_sketch *s, double quantile, double *lower, double *estimate, double *upper,
				probds_error *error)
{
	const pds_ddsketch_view *v;
	pds_ddsketch_range range;
	double		unit;
	int			code = need_numbers(s, &v, error);

	if (code != PROBDS_OK)
		return code;
	if (!(quantile >= 0 && quantile <= 1))
		return fail(error, PROBDS_PARAMETER, "A quantile is between 0 and 1.");
	if (pds_ddsketch_quantile(v, quantile, &range) != PDS_OK)
		return refuse(s, PDS_CORRUPT, error);
	/* intervals are microseconds, and told as seconds */
	unit = v->kind == PDS_KIND_INTERVAL ? 1e6 : 1;
	*lower = range.lower / unit;
	*estimate = range.estimate / unit;
	*upper = range.upper / unit;
	return PROBDS_OK;
}

int
probds_rank(probds_sketch *s, double number, double *share, probds_error *error)
{
	const pds_ddsketch_view *v;
	double		n;
	int			code = need_numbers(s, &v, error);

	if (code != PROBDS_OK)
		return code;
	if (pds_ddsketch_up_to(v, number * (v->kind == PDS_KIND_INTERVAL ? 1e6 : 1), &n) != PDS_OK)
		return refuse(s, PDS_CORRUPT, error);
	*share = n < (double) v->total ? n / (double) v->total : 1;
	return PROBDS_OK;
}

/* ---------- two sketches ---------- */

static int
need_pair(probds_sketch *a, probds_sketch *b, probds_error *error)
{
	int			code = need_view(a, error);
	pds_kind	kind;

	if (code == PROBDS_OK)
		code = need_view(b, error);
	if (code != PROBDS_OK)
		return code;
	if (a->type != b->type || !pds_kind_join(a->view.head.kind, b->view.head.kind, &kind) ||
		(a->view.head.kind != PDS_KIND_NONE && b->view.head.kind != PDS_KIND_NONE &&
		 a->view.head.family != b->view.head.family))
		return fail(error, PROBDS_MISMATCH, "Sketches of different types, kinds or hash families "
					"cannot be compared.");
	return PROBDS_OK;
}

/* A building form of the stored bytes, apart from the sketch's own. */
static int
copy_of(probds_sketch *s, probds_sketch **copy, probds_error *error)
{
	int			code = probds_from_bytes(s->bytes, s->length, &s->allocator, copy, error);

	return code != PROBDS_OK ? code : need_state(*copy, error);
}

/* The values in one of two hll only, or in both; false in *tells if that cannot be told. */
static int
overlap(probds_sketch *a, probds_sketch *b, pds_hll_overlap *o, bool *tells, probds_error *error)
{
	probds_sketch *one = NULL;
	probds_sketch *two = NULL;
	pds_hll_pair *pair = NULL;
	void	   *scratch = NULL;
	int			code = copy_of(a, &one, error);

	if (code == PROBDS_OK)
		code = copy_of(b, &two, error);
	/* an empty sketch goes with all families */
	if (code == PROBDS_OK && pds_state_family(one->state) != pds_state_family(two->state))
	{
		*o = (pds_hll_overlap) {0, 0, 0};
		*tells = false;
	}
	else if (code == PROBDS_OK)
	{
		pair = take(a, sizeof(*pair));
		scratch = take(a, pds_hll_pair_scratch(one->state, two->state));
		if (pair == NULL || scratch == NULL)
			code = refuse(a, PDS_FULL, error);
		else
		{
			pds_hll_pair_of(pair, one->state, two->state, scratch);
			pds_hll_pair_estimate(pair, o);
			*tells = pds_hll_pair_tells(pair, o);
		}
	}
	give(a, pair);
	give(a, scratch);
	probds_free(one);
	probds_free(two);
	return code;
}

int
probds_jaccard(probds_sketch *a, probds_sketch *b, double *jaccard, probds_error *error)
{
	int			code = need_pair(a, b, error);
	bool		tells;

	if (code != PROBDS_OK)
		return code;
	if (a->type->number == PDS_TYPE_HLL)
	{
		pds_hll_overlap o;
		double		all;

		code = overlap(a, b, &o, &tells, error);
		if (code != PROBDS_OK)
			return code;
		all = o.only_1 + o.only_2 + o.both;
		tells = tells && all > 0;
		*jaccard = tells ? o.both / all : 0;
	}
	else if (a->type->number == PDS_TYPE_MINHASH)
	{
		const pds_minhash_view *v = (const pds_minhash_view *) &a->view;
		const pds_minhash_view *w = (const pds_minhash_view *) &b->view;
		void	   *scratch = take(a, pds_minhash_pair_scratch(v, w));
		pds_minhash_pair pair;
		pds_status	status = scratch == NULL ? PDS_FULL :
			pds_minhash_pair_of(&pair, v, w, scratch);

		give(a, scratch);
		if (status != PDS_OK)
			return refuse(a, status, error);
		tells = pds_minhash_jaccard(&pair, jaccard);
	}
	else
		return no_answer(a, "a Jaccard index", error);
	return tells ? PROBDS_OK : fail(error, PROBDS_NO_ANSWER, "It cannot be told from these two "
									"%s how similar they are.", a->type->name);
}

int
probds_intersection(probds_sketch *a, probds_sketch *b, double *values, probds_error *error)
{
	int			code = need_pair(a, b, error);
	pds_hll_overlap o;
	bool		tells;

	if (code != PROBDS_OK)
		return code;
	if (a->type->number != PDS_TYPE_HLL)
		return no_answer(a, "how many values two have in common", error);
	code = overlap(a, b, &o, &tells, error);
	if (code != PROBDS_OK)
		return code;
	*values = count_of(o.both);
	return tells ? PROBDS_OK : fail(error, PROBDS_NO_ANSWER, "The number of common values cannot "
									"be told from nothing.");
}

/* ---------- facts ---------- */

int
probds_info(probds_sketch *s, void (*field) (void *context, const char *name, const char *text),
			void *context, probds_error *error)
{
	facts		f;
	char		text[64];
	int			code = describe(s, &f, error);
	const struct
	{
		const char *name;
		double		value;
		const char *format;
	}			numbers[] = {
		{"distinct_values", f.values < 0 ? -1 : count_of(f.values), "%.0f"},
		{"total", f.total, "%.0f"}, {"capacity", f.capacity, "%.0f"}, {"fill", f.fill, "%.6g"},
		{"false_positive_rate", f.rate, "%.6g"}, {"error", f.error, "%.6g"}
	};

	if (code != PROBDS_OK)
		return code;
	field(context, "type", s->type->name);
	field(context, "parameters", f.parameters);
	field(context, "kind", probds_kind_of_name(probds_kind(s)));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value >= 0)
		{
			write_text(text, sizeof(text), numbers[i].format, numbers[i].value);
			field(context, numbers[i].name, text);
		}
	field(context, "status", f.status);
	write_text(text, sizeof(text), "%zu", s->length);
	field(context, "bytes", text);
	return PROBDS_OK;
}
