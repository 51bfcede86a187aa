/*
 * topk_answer_type.c: what is read from all of a topk sketch
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "aggregate.h"
#include "result_row.h"
#include "compat.h"
#include "utf8.h"
#include "call_argument.h"
#include "topk_type.h"

/* The next item of a stored sketch. */
static void
next_item(pds_topk_cursor *c, pds_topk_item *item)
{
	const char *why;

	if (pds_topk_next(c, item, &why) != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, why);
}

/* ---------- the most frequent ones ---------- */

typedef struct ItemsCall
{
	pds_topk_view v;
	pds_topk_cursor c;
	uint32		left;			/* rows still to come */
	bool		share;
	uint64		least;			/* with a share: the least frequency */
} ItemsCall;

/*
 * Returns the least frequency that is this share of the total.  A product that misses a whole
 * number only by the rounding of a double counts as that number: 7 of 100 are 0.07.
 */
static uint64
least_of_share(const pds_topk_view *v, double share)
{
	double		least = ceil((double) v->total * share * (1 - 4 * DBL_EPSILON));

	if (!(share > 0 && share <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("share must be above 0 and at most 1, not %g", share),
				 share > 1 ? errhint("Write 0.01 for 1 %%, or LIMIT for a number of rows.") :
				 errhint("Write 0.01 for 1 %%.")));
	if (least < 1)
		least = 1;
	if (v->offset > 0 && least <= (double) v->offset)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topk sketch cannot list all values with a share of %g", share),
				 errdetail("Values with a share of %.6g or less, a frequency of up to %llu, may "
						   "be missing from it.",
						   (double) v->offset / (double) v->total, (unsigned long long) v->offset),
				 errhint("Use a larger share, or build the sketch with more counters: "
						 "topk_agg(value, k, counters).")));
	return least >= 9.2e18 ? PDS_TOPK_MAX_TOTAL : (uint64) least;
}

static ItemsCall *
begin_items(FunctionCallInfo fcinfo)
{
	ItemsCall  *call = palloc(sizeof(ItemsCall));

	(void) pds_sketch_arg(fcinfo, 0, &pds_topk_type, &call->v);
	pds_topk_items_from(&call->c, &call->v);
	call->share = PG_NARGS() > 1;
	call->left = call->share ? call->v.items : Min(call->v.items, call->v.k);
	call->least = call->share ? least_of_share(&call->v, PG_GETARG_FLOAT8(1)) : 0;
	return call;
}

/*
 * topk_items(topk [, min_share float8]): (item, frequency, lower, upper [, guaranteed])
 * by falling frequency
 */
PDS_FUNCTION(probds_topk_items)
{
	FuncCallContext *context;
	ItemsCall  *call;
	pds_topk_item item;
	const char *text;
	size_t		len;
	Datum		values[5];
	bool		nulls[5] = {false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;
		TupleDesc	desc;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		context->tuple_desc = BlessTupleDesc(desc);
		context->user_fctx = begin_items(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	call = context->user_fctx;
	if (call->left == 0)
		SRF_RETURN_DONE(context);
	next_item(&call->c, &item);
	if (item.upper < call->least)
		SRF_RETURN_DONE(context);
	call->left--;

	len = item.len;
	text = pds_from_utf8(item.text, &len);
	values[0] = PointerGetDatum(cstring_to_text_with_len(text, (int) len));
	values[1] = Int64GetDatum((int64) item.upper);
	values[2] = Int64GetDatum((int64) (item.upper - item.error));
	values[3] = Int64GetDatum((int64) item.upper);
	values[4] = BoolGetDatum(item.upper - item.error >= call->least);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(context->tuple_desc,
															   values, nulls)));
}

/* ---------- as JSON ---------- */

static void
push_numeric(JsonbInState *state, Datum numeric)
{
	JsonbValue	v;

	v.type = jbvNumeric;
	v.val.numeric = DatumGetNumeric(numeric);
	PDS_PUSH_JSONB(state, WJB_VALUE, &v);
}

static void
push_string(JsonbInState *state, JsonbIteratorToken token, const char *text, size_t len)
{
	JsonbValue	v;

	v.type = jbvString;
	v.val.string.val = (char *) text;
	v.val.string.len = (int) len;
	PDS_PUSH_JSONB(state, token, &v);
}

static void
push_count(JsonbInState *state, const char *key, uint64 count)
{
	push_string(state, WJB_KEY, key, strlen(key));
	push_numeric(state, DirectFunctionCall1(int8_numeric, Int64GetDatum((int64) count)));
}

/*
 * Writes a value as JSON.  Numbers and booleans are JSON's own (except NaN and infinities,
 * which JSON does not have), jsonb is unchanged, and everything else is a string.
 */
static void
push_value(JsonbInState *state, pds_kind kind, const pds_topk_item *item)
{
	size_t		len = item->len;
	const char *in_server = pds_from_utf8(item->text, &len);
	char	   *text = pnstrdup(in_server, len);
	JsonbValue	v;

	push_string(state, WJB_KEY, "item", 4);
	/* a text that has been cut is no number, nor a document */
	if (item->len > PDS_TOPK_MAX_TEXT)
		push_string(state, WJB_VALUE, text, len);
	else if ((kind == PDS_KIND_NUMBER || kind == PDS_KIND_FLOAT) && len > 0 &&
			 text[len - 1] >= '0' && text[len - 1] <= '9')
		push_numeric(state, DirectFunctionCall3(numeric_in, CStringGetDatum(text),
												ObjectIdGetDatum(InvalidOid),
												Int32GetDatum(-1)));
	else if (kind == PDS_KIND_BOOLEAN)
	{
		v.type = jbvBool;
		v.val.boolean = text[0] == 't';
		PDS_PUSH_JSONB(state, WJB_VALUE, &v);
	}
	else if (kind == PDS_KIND_JSONB)
	{
		Jsonb	   *json = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(text)));

		if (!JsonbExtractScalar(&json->root, &v))
		{
			v.type = jbvBinary;
			v.val.binary.data = &json->root;
			v.val.binary.len = VARSIZE_ANY_EXHDR(json);
		}
		PDS_PUSH_JSONB(state, WJB_VALUE, &v);
	}
	else
		push_string(state, WJB_VALUE, text, len);
}

/*
 * Final function of approx_top_k: an array of {"item", "frequency", "lower", "upper"}.  Without
 * a row it is NULL, as the server's aggregates to JSON are.
 */
PDS_FUNCTION(probds_topk_final_json)
{
	JsonbInState state = {0};
	pds_topk_view v;
	pds_topk_cursor c;
	pds_topk_item item;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	(void) pds_sketch_arg(fcinfo, 0, &pds_topk_type, &v);
	pds_topk_items_from(&c, &v);
	PDS_PUSH_JSONB(&state, WJB_BEGIN_ARRAY, NULL);
	for (uint32 left = Min(v.items, v.k); left > 0; left--)
	{
		next_item(&c, &item);
		PDS_PUSH_JSONB(&state, WJB_BEGIN_OBJECT, NULL);
		push_value(&state, v.kind, &item);
		push_count(&state, "frequency", item.upper);
		push_count(&state, "lower", item.upper - item.error);
		push_count(&state, "upper", item.upper);
		PDS_PUSH_JSONB(&state, WJB_END_OBJECT, NULL);
	}
	PDS_PUSH_JSONB(&state, WJB_END_ARRAY, NULL);
	PG_RETURN_JSONB_P(JsonbValueToJsonb(state.result));
}

/* ---------- about the sketch ---------- */

/* topk_total(topk): the sum of all weights */
PDS_FUNCTION(probds_topk_total)
{
	pds_topk_view v;

	pds_sketch_head_arg(fcinfo, 0, &pds_topk_type, PDS_TOPK_MAX_PREFIX, &v);
	PG_RETURN_INT64((int64) v.total);
}

/* topk_info(topk): k, counters, items, total, error, kind, family, bytes, encoding */
PDS_FUNCTION(probds_topk_info)
{
	static const char *const encodings[] = {"empty", "items"};
	pds_topk_view v;
	Datum		values[9];

	(void) pds_sketch_arg(fcinfo, 0, &pds_topk_type, &v);
	values[0] = Int32GetDatum((int32) v.k);
	values[1] = Int32GetDatum((int32) v.counters);
	values[2] = Int32GetDatum((int32) v.items);
	values[3] = Int64GetDatum((int64) v.total);
	values[4] = Float8GetDatum(v.total == 0 ? 0 : (double) v.offset / (double) v.total);
	values[5] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[6] = CStringGetTextDatum("native");
	values[7] = Int32GetDatum((int32) v.len);
	values[8] = CStringGetTextDatum(encodings[v.encoding]);
	return pds_info_row(fcinfo, values, NULL);
}
