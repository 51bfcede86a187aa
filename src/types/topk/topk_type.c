/*
 * topk_type.c: the type topk: its parameters and changes
 *
 * The functions that read a sketch are in topk_answer_type.c.
 *
 * Macros define: probds_topk_in, probds_topk_out, probds_topk_recv, probds_topk_send,
 * probds_topk_from_bytea, probds_topk_typmod_in, probds_topk_typmod_out, probds_topk_typmod_cast,
 * probds_topk_eq, probds_topk_ne, probds_topk_lt, probds_topk_le, probds_topk_gt, probds_topk_ge,
 * probds_topk_cmp, probds_topk_hash, probds_topk_hash_extended, probds_topk_empty,
 * probds_topk_add_all, probds_topk_merge.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "result_row.h"
#include "compat.h"
#include "expanded.h"
#include "entry_points.h"
#include "state.h"
#include "value_text.h"
#include "call_argument.h"
#include "topk_type.h"

/* ---------- parameters ---------- */

static const PdsParameter parameters[] = {
	{"k", PDS_INTEGER, .standard = PDS_TOPK_DEFAULT_K, .least = 1, .most = PDS_TOPK_MAX_K,
	.hint = "It is how many of the most frequent values are reported. "
			"Weights are for topk_agg_weighted(value, weight, k)."},
	/* 0: so many as suit the k */
	{"counters", PDS_INTEGER, .standard = 0, .least = 1, .most = PDS_TOPK_MAX_COUNTERS,
	.hint = "It is how many values are counted, at least k, and comes behind k. Without it there "
			"are 16 for each of the k, and at least 2048."},
	{NULL}
};

static uint32
counters_of(const double *values)
{
	return values[1] == 0 ? pds_topk_usual_counters((uint32) values[0]) : (uint32) values[1];
}

/* The same.  Errors: 22023 for fewer than k. */
static uint32
valid_counters_of(const double *values)
{
	uint32		k = (uint32) values[0];
	uint32		counters = counters_of(values);

	if (!pds_topk_counters_valid(k, counters))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topk counters must be at least k, which is %u, not %u", k, counters),
				 errhint("%s", parameters[1].hint)));
	return counters;
}

static bool
has_usual_counters(const pds_topk_view *v)
{
	return v->counters == pds_topk_usual_counters(v->k);
}

/* Counters are named if one of the two has others than the usual number. */
static char *
topk_describe_beside(const void *view, const void *other)
{
	const pds_topk_view *v = view;

	return has_usual_counters(v) && has_usual_counters(other) ? psprintf("k %u", v->k) :
		psprintf("k %u with %u counters", v->k, v->counters);
}

static char *
topk_describe(const void *view)
{
	return topk_describe_beside(view, view);
}

/* The usual number of counters means the same as none. */
static void
topk_simplify(double *values)
{
	if (counters_of(values) == pds_topk_usual_counters((uint32) values[0]))
		values[1] = parameters[1].standard;
}

static bool
topk_same_parameters(const void *a, const void *b)
{
	const pds_topk_view *va = a;
	const pds_topk_view *vb = b;

	return va->k == vb->k && va->counters == vb->counters;
}

static bool
topk_begun_with(const void *state, const double *values)
{
	const pds_topk_build *b = state;

	return b->k == values[0] && b->counters == counters_of(values);
}

static void
topk_mismatch(const void *a, const void *b)
{
	const pds_topk_view *va = a;
	const pds_topk_view *vb = b;
	bool		to_a = va->counters < vb->counters ||
		(va->counters == vb->counters && va->k < vb->k);
	const pds_topk_view *to = to_a ? va : vb;
	bool		chosen = !has_usual_counters(va) || !has_usual_counters(vb);

	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("cannot combine topk sketches of %s and %s", topk_describe_beside(a, b),
					topk_describe_beside(b, a)),
			 errhint("Fold one of them by a cast, value::topk(%s), or build both with the same %s.",
					 has_usual_counters(to) ? psprintf("%u", to->k) :
					 psprintf("%u, %u", to->k, to->counters),
					 chosen ? "k and counters" : "k")));
}

/* ---------- the building form ---------- */

static void *
topk_new(const double *values)
{
	uint32		counters = valid_counters_of(values);
	pds_topk_build *b = pds_state_alloc(PDS_TOPK_FIRST_SIZE);

	pds_topk_build_init(b, (uint32) values[0], counters);
	return b;
}

static void
topk_refuse(const void *state, pds_status status)
{
	if (status == PDS_OVERFLOW)
		pds_refuse_overflow("topk total", "The weights of all values together",
							PDS_TOPK_MAX_TOTAL);
}

pds_topk_build *
pds_topk_add_weight(pds_topk_build *b, uint64 hash, int64 weight, PdsHasher *hasher, Datum value)
{
	char		cut[PDS_TOPK_MAX_ITEM_TEXT];
	const char *text;
	size_t		len;

	if (weight < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topk weight must not be negative, but is " INT64_FORMAT, weight)));
	if (weight == 0)
		return b;

	/* also if the value is in the sketch: several texts can be equal, and one is chosen */
	text = pds_text_of(hasher, value, &len);
	if (len > PDS_TOPK_MAX_TEXT)
	{
		len = pds_topk_cut_text(text, cut);
		text = cut;
	}
	for (;;)
	{
		pds_status	status = pds_topk_add(b, hash, (uint64) weight, text, (uint32) len);
		pds_topk_plan plan;

		if (status == PDS_OK)
			return b;
		if (status != PDS_FULL ||
			!pds_topk_plan_space(b, 1, len, false, &plan))
			pds_state_refuse(&pds_topk_type, b, status);
		b = pds_state_move(&pds_topk_type, b, (pds_plan *) &plan);
	}
}

static void *
topk_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	return pds_topk_add_weight(state, hash.h1, 1, hasher, value);
}

/* ---------- the type, to the storage frame ---------- */

/*
 * What pds_topk_check() cannot know: what is valid UTF-8, and memory to sort in.  In an
 * SQL_ASCII database texts can be any bytes.
 */
static const char *
topk_check_here(const uint8_t *payload, size_t len)
{
	pds_topk_view v;
	pds_topk_cursor c;
	pds_topk_item item;
	uint64_t   *scratch;
	bool		distinct;

	if (pds_topk_open(&v, payload, len, len, NULL) != PDS_OK)
		return "It cannot be opened.";
	pds_topk_items_from(&c, &v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
	{
		CHECK_FOR_INTERRUPTS();
		if (GetDatabaseEncoding() != PG_SQL_ASCII &&
			!pg_verify_mbstr(PG_UTF8, item.text, (int) item.len, true))
			return "A text in it is not valid UTF-8.";
	}
	scratch = palloc(v.items * sizeof(uint64_t) + 1);
	distinct = pds_topk_distinct(&v, scratch);
	pfree(scratch);
	return distinct ? NULL : "A value stands in it twice.";
}

/*
 * Can a sketch be one of these parameters?  If that has no more counters, by forgetting;
 * else only if it has forgotten nothing so far.
 */
static bool
topk_can_fold(const void *from, const void *to)
{
	const pds_topk_view *v = from;

	return v->offset == 0 || ((const pds_topk_view *) to)->counters <= v->counters;
}

/* Items beyond the new counters are dropped when the sketch is stored. */
static void *
topk_fold(struct varlena *value, const double *values)
{
	pds_topk_build *b = pds_state_load(&pds_topk_type, value);

	b->k = (uint32) values[0];
	b->counters = counters_of(values);
	return b;
}

static void
topk_health(const void *view, PdsHealth *h)
{
	const pds_topk_view *v = view;

	h->modifier = has_usual_counters(v) ? psprintf("%u", v->k) :
		psprintf("%u, %u", v->k, v->counters);
	h->total = (int64) v->total;
	h->fill = (double) v->items / v->counters;
	h->error = v->total == 0 ? -1 : (double) v->offset / (double) v->total;
}

PDS_SKETCH_TYPE_BUT_ADD(topk,
	.array_functions = "topk_add_all()",
	PDS_MODIFIERS(2, "k and a number of counters as its modifier",
				  "Write topk(20) or topk(20, 500)."),
	.weighted = true, .simplify = topk_simplify, .describe_beside = topk_describe_beside,
	.check_here = topk_check_here, .add_value = topk_add_value, .refuse = topk_refuse,
	.can_fold = topk_can_fold, .fold = topk_fold, .mismatch = topk_mismatch);

/*
 * topk_size(k int, counters int): counters, bytes, filled_bytes.  Without counters (NULL) there are
 * the usual ones.
 */
#define USUAL_TEXT	16

PDS_FUNCTION(probds_topk_size)
{
	double		asked[PDS_MAX_PARAMETERS];
	uint32		counters;
	Datum		values[3];

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	pds_parameter_args(fcinfo, 0, "topk", parameters, asked);
	counters = valid_counters_of(asked);
	values[0] = Int32GetDatum((int32) counters);
	values[1] = Int64GetDatum((int64) pds_topk_most_bytes(counters, PDS_TOPK_MAX_ITEM_TEXT));
	values[2] = Int64GetDatum((int64) pds_topk_most_bytes(counters, USUAL_TEXT));
	return pds_info_row(fcinfo, values, NULL);
}

/* ---------- changes ---------- */

/* topk_add(sketch, "any", weight bigint): a NULL value or weight adds nothing */
PDS_FUNCTION(probds_topk_add)
{
	PdsTarget	target;
	PdsHasher  *hasher;
	Datum		value = PG_GETARG_DATUM(1);
	uint64		hash;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		return pds_change_nothing(fcinfo, &pds_topk_type);
	target = pds_change_begin(fcinfo, &pds_topk_type, true);
	hasher = pds_arg_hasher(fcinfo, 1, pds_state_kind(target.state));
	hash = pds_hasher_hash(hasher, value).h1;
	pds_state_take_kind(&pds_topk_type, target.state, pds_hasher_kind(hasher));
	return pds_change_end(&target, &pds_topk_type,
						  pds_topk_add_weight(target.state, hash, PG_GETARG_INT64(2), hasher,
											  value));
}
