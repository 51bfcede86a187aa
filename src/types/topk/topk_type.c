/*
 * topk_type.c: the type topk: constructors, changes and type modifiers
 *
 * What is read from a sketch is in topk_answer_type.c.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "compat.h"
#include "expanded.h"
#include "state.h"
#include "text.h"
#include "value.h"
#include "topk_type.h"

void
topk_require_k(int32 k)
{
	if (k < 1 || k > PDS_TOPK_MAX_K)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topk k must be between 1 and %d, not %d", PDS_TOPK_MAX_K, k),
				 errhint("It is how many of the most frequent values are reported. A weight stands before it: topk_agg(value, weight, k).")));
}

/* ---------- the building form ---------- */

pds_topk_build *
topk_new(uint32 k)
{
	pds_topk_build *b = pds_state_alloc(PDS_TOPK_FIRST_SIZE);

	pds_topk_build_init(b, k);
	return b;
}

/* The state where it has space for so many items more; b itself stays as it was. */
static pds_topk_build *
topk_make_space(pds_topk_build *b, uint32 items, size_t text_bytes, bool errors)
{
	pds_topk_plan plan;
	pds_topk_build *to;

	if (!pds_topk_plan_space(b, items, text_bytes, errors, &plan))
		return b;
	to = pds_state_alloc(plan.size);
	pds_topk_rebuild(to, &plan, b);
	return to;
}

pg_noreturn static void
total_out_of_range(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("topk total out of range"),
			 errdetail("The weights of all values together can be at most %llu.",
					   (unsigned long long) PDS_TOPK_MAX_TOTAL)));
}

pds_topk_build *
topk_add_weight(pds_topk_build *b, uint64 hash, int64 weight, PdsHasher *hasher, Datum value)
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
		pds_topk_build *larger;

		if (status == PDS_OK)
			return b;
		if (status == PDS_OVERFLOW)
			total_out_of_range();
		larger = topk_make_space(b, 1, len, false);
		if (larger == b)
			pds_stored_corrupt(&pds_topk_type, NULL);
		b = larger;
	}
}

static void *
topk_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	return topk_add_weight(state, hash.h1, 1, hasher, value);
}

void
topk_view(struct varlena *value, pds_topk_view *v)
{
	const char *why;
	size_t		len = PDS_PAYLOAD_LEN(value);

	if (pds_topk_open(v, PDS_PAYLOAD(value), len, len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, why);
}

static void *
topk_merge(void *state, struct varlena *value)
{
	pds_topk_build *b = state;
	const pds_topk_build *other = NULL;
	pds_topk_view v;
	pds_status	status;
	uint32		k;

	if (pds_is_building(value))
	{
		other = (const pds_topk_build *) value;
		if (other->undecided)
			return b;
		k = other->k;
	}
	else
	{
		topk_view(value, &v);
		k = v.k;
	}

	if (b->undecided)
	{
		b->k = (uint16) k;
		b->undecided = 0;
	}
	else if (b->k != k)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine topk sketches of k %d and k %u", b->k, k),
				 errhint("Fold one of them by a cast, value::topk(%u), or build both with the same k.",
						 Min((uint32) b->k, k))));
	pds_state_join(&pds_topk_type, b, value);
	if (other != NULL)
	{
		b = topk_make_space(b, other->items, other->text_bytes, other->offset > 0);
		status = pds_topk_merge_build(b, other);
	}
	else
	{
		b = topk_make_space(b, v.items, v.record_bytes, v.offset > 0);
		status = pds_topk_merge_view(b, &v);
	}
	if (status == PDS_OVERFLOW)
		total_out_of_range();
	if (status != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, NULL);
	return b;
}

/* A union of nothing yet. */
static void *
topk_nothing(void)
{
	pds_topk_build *b = topk_new(PDS_TOPK_DEFAULT_K);

	b->undecided = 1;
	return b;
}

static void *
topk_load(struct varlena *value)
{
	return topk_merge(topk_nothing(), value);
}

static struct varlena *
topk_store(void *state)
{
	pds_topk_build *b = state;
	struct varlena *v = palloc(VARHDRSZ + pds_topk_encode_bound(b));
	void	   *scratch = palloc(pds_topk_encode_scratch(b) + 1);

	SET_VARSIZE(v, VARHDRSZ + pds_topk_encode(b, scratch, (uint8_t *) VARDATA(v)));
	pfree(scratch);
	return v;
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

static int32
topk_typmod_in(char **args, int n)
{
	int32		k;

	if (n != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type topk takes one modifier, k"),
				 errhint("Write topk(20).")));
	k = pds_typmod_int32(args[0]);
	topk_require_k(k);
	return k;
}

static bool
topk_typmod_valid(int32 typmod)
{
	return typmod >= 1 && typmod <= PDS_TOPK_MAX_K;
}

static char *
topk_typmod_out(int32 typmod)
{
	return psprintf("%d", typmod);
}

/*
 * Can a sketch be one of this k?  If that has no more counters, by forgetting;
 * else only if it has forgotten nothing so far.
 */
static bool
can_fold(const pds_topk_view *v, int32 k)
{
	return v->offset == 0 || pds_topk_counters(k) <= pds_topk_counters(v->k);
}

static bool
topk_typmod_holds(const uint8_t *payload, size_t len, int32 typmod,
				  char **promised, char **found, char **hint)
{
	pds_topk_view v;

	if (pds_topk_open(&v, payload, len, len, NULL) != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, NULL);
	if (v.k == (uint32) typmod)
		return true;
	*promised = psprintf("k %d", typmod);
	*found = psprintf("k %u", v.k);
	*hint = can_fold(&v, typmod) ?
		psprintf("Fold it by an explicit cast, value::topk(%d), or build it with topk_agg(value, %d).",
				 typmod, typmod) :
		psprintf("Build it with topk_agg(value, %d) or topk_empty(%d).", typmod, typmod);
	return false;
}

static struct varlena *
topk_typmod_fold(struct varlena *value, int32 typmod)
{
	pds_topk_view v;
	pds_topk_build *b;

	topk_view(value, &v);
	if (!can_fold(&v, typmod))
		return NULL;
	/* what is too much for the new k goes when it is stored */
	b = topk_load(value);
	b->k = (uint16) typmod;
	return topk_store(b);
}

static void
topk_health(struct varlena *value, PdsHealth *h)
{
	pds_topk_view v;

	topk_view(value, &v);
	h->parameters = psprintf("k %u", v.k);
	h->fill = (double) v.items / pds_topk_counters(v.k);
	h->error = v.total == 0 ? -1 : (double) v.offset / (double) v.total;
	h->status = "ok";
	h->kind = v.kind;
	h->family = "native";
}

const PdsSketchType pds_topk_type = {
	.name = "topk",
	.array_functions = "topk_add_all()",
	.check = pds_topk_check,
	.check_here = topk_check_here,
	.nothing = topk_nothing,
	.load = topk_load,
	.add_value = topk_add_value,
	.merge = topk_merge,
	.store = topk_store,
	.health = topk_health,
	.check_state = pds_topk_check_build,
	.typmod_in = topk_typmod_in,
	.typmod_out = topk_typmod_out,
	.typmod_valid = topk_typmod_valid,
	.typmod_holds = topk_typmod_holds,
	.typmod_fold = topk_typmod_fold,
};

PDS_SKETCH_FUNCTIONS(topk, pds_topk_type);
PDS_MERGE_FUNCTION(topk, pds_topk_type);
PDS_SKETCH_FUNCTION(probds_topk_add_all, return pds_sketch_add_all(fcinfo, &pds_topk_type));

/* ---------- constructors and changes ---------- */

/* topk_empty(k int) */
PG_FUNCTION_INFO_V1(probds_topk_empty);
Datum
probds_topk_empty(PG_FUNCTION_ARGS)
{
	int32		k = PG_GETARG_INT32(0);

	topk_require_k(k);
	PG_RETURN_POINTER(topk_store(topk_new(k)));
}

/*
 * topk_add(topk, "any" [, weight bigint]): a NULL weight, as a NULL value, adds
 * nothing.
 */
PG_FUNCTION_INFO_V1(probds_topk_add);
Datum
probds_topk_add(PG_FUNCTION_ARGS)
{
	PdsTarget	target;
	PdsHasher  *hasher;
	Datum		value = PG_GETARG_DATUM(1);
	uint64		hash;

	if (PG_NARGS() < 3 || PG_ARGISNULL(0) || PG_ARGISNULL(1))
		return pds_sketch_add(fcinfo, &pds_topk_type);
	if (PG_ARGISNULL(2))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	target = pds_change_begin(fcinfo, &pds_topk_type, true);
	hasher = pds_arg_hasher(fcinfo, 1, pds_state_kind(target.state));
	hash = pds_hasher_hash(hasher, value).h1;
	pds_state_take_kind(&pds_topk_type, target.state, pds_hasher_kind(hasher));
	return pds_change_end(&target, &pds_topk_type,
						  topk_add_weight(target.state, hash, PG_GETARG_INT64(2), hasher, value));
}
