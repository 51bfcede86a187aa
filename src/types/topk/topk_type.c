/*
 * topk_type.c: the type topk: its parameters and changes
 *
 * The functions that read a sketch are in topk_answer_type.c.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "compat.h"
#include "expanded.h"
#include "functions.h"
#include "state.h"
#include "text.h"
#include "value.h"
#include "topk_type.h"

/* ---------- parameters ---------- */

static const PdsParameter parameters[] = {
	{"k", PDS_INTEGER, .standard = PDS_TOPK_DEFAULT_K, .least = 1, .most = PDS_TOPK_MAX_K,
	.hint = "It is how many of the most frequent values are reported. A weight stands before it: "
			"topk_agg(value, weight, k)."},
	{NULL}
};

PDS_ONE_PARAMETER(topk, s->k);

static void
topk_mismatch(const void *a, const void *b)
{
	uint32		ka = ((const pds_topk_view *) a)->k;
	uint32		kb = ((const pds_topk_view *) b)->k;

	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("cannot combine topk sketches of k %u and k %u", ka, kb),
			 errhint("Fold one of them by a cast, value::topk(%u), or build both with the same k.",
					 Min(ka, kb))));
}

/* ---------- the building form ---------- */

static void *
topk_new(const double *values)
{
	pds_topk_build *b = pds_state_alloc(PDS_TOPK_FIRST_SIZE);

	pds_topk_build_init(b, (uint32) values[0]);
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

	/* also of a value that is there: of several texts for it one is chosen */
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
 * Can a sketch be one of this k?  If that has no more counters, by forgetting;
 * else only if it has forgotten nothing so far.
 */
static bool
topk_can_fold(const void *from, const void *to)
{
	const pds_topk_view *v = from;
	uint32		k = ((const pds_topk_view *) to)->k;

	return v->offset == 0 || pds_topk_counters(k) <= pds_topk_counters(v->k);
}

/* Items beyond the new k are dropped when the sketch is stored. */
static void *
topk_fold(struct varlena *value, const double *values)
{
	pds_topk_build *b = pds_state_load(&pds_topk_type, value);

	b->k = (uint16) values[0];
	return b;
}

static void
topk_health(const void *view, PdsHealth *h)
{
	const pds_topk_view *v = view;

	h->fill = (double) v->items / pds_topk_counters(v->k);
	h->error = v->total == 0 ? -1 : (double) v->offset / (double) v->total;
}

PDS_SKETCH_TYPE_BUT_ADD(topk,
	.array_functions = "topk_add_all()",
	PDS_MODIFIERS(1, "one modifier, k", "Write topk(20)."),
	.changed_hint = "A weight stands before k: topk_agg(value, weight, k).",
	.check_here = topk_check_here, .add_value = topk_add_value, .refuse = topk_refuse,
	.can_fold = topk_can_fold, .fold = topk_fold, .mismatch = topk_mismatch);

/* ---------- changes ---------- */

/*
 * topk_add(topk, "any" [, weight bigint]): a NULL weight, as a NULL value, adds
 * nothing.
 */
PDS_FUNCTION(probds_topk_add)
{
	PdsTarget	target;
	PdsHasher  *hasher;
	Datum		value = PG_GETARG_DATUM(1);
	uint64		hash;

	if (PG_NARGS() < 3 || PG_ARGISNULL(0) || PG_ARGISNULL(1))
		return pds_sketch_change(fcinfo, &pds_topk_type, pds_add_value);
	if (PG_ARGISNULL(2))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	target = pds_change_begin(fcinfo, &pds_topk_type, true);
	hasher = pds_arg_hasher(fcinfo, 1, pds_state_kind(target.state));
	hash = pds_hasher_hash(hasher, value).h1;
	pds_state_take_kind(&pds_topk_type, target.state, pds_hasher_kind(hasher));
	return pds_change_end(&target, &pds_topk_type,
						  pds_topk_add_weight(target.state, hash, PG_GETARG_INT64(2), hasher,
											  value));
}
