/*
 * topk_mutate.c: sketches of the most frequent values for mutate.c, and ways of
 * damaging them with care: numbers in the head, counts, errors and lengths, texts
 */
#include "mutate.h"
#include "topk_sketch.h"

#include "varint.h"

#define FILLS	18
#define GROUPS	15

/*
 * A kind whose texts tell the hash always, now and then, and never.  Three k with the usual number
 * of counters, and two with few.
 */
static pds_kind
kind_of(int group)
{
	static const pds_kind kinds[] = {PDS_KIND_STRING, PDS_KIND_NUMBER, PDS_KIND_FLOAT};

	return kinds[group % 3];
}

static uint32_t
k_of(int group)
{
	static const uint32_t ks[] = {20, 1, 10000, 1, 20};

	return ks[group / 3];
}

static uint32_t
counters_of(int group)
{
	return group < 9 ? pds_topk_usual_counters(k_of(group)) : group < 12 ? 2 : 60;
}

/* A text in UTF-8 that is longer than a sketch keeps, as it is kept. */
static void
add_cut_text(sketch *s, uint64_t value)
{
	char		text[PDS_TOPK_MAX_TEXT + 100];
	char		cut[PDS_TOPK_MAX_ITEM_TEXT];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = "\xe2\x82\xac"[(i + value) % 3];
	(void) sketch_add_text(s, ~value_hash(pds_state_kind(s->b), value), 1 + value, cut,
						   pds_topk_cut_text(text, cut));
}

/*
 * Empty, few, some to the brim of a form of the state, some that have forgotten, and two
 * with texts that have been cut.
 */
static payload
make_seed(int group, int fill)
{
	static const uint64_t fills[FILLS] = {0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 40, 80, 110, 300,
		4000,
	1, 5};
	sketch		s = sketch_new_of(k_of(group), counters_of(group), kind_of(group));
	uint64_t	n = fills[fill];
	payload		seed;

	for (uint64_t i = 0; i < n; i++)
		(void) sketch_add(&s, below((size_t) n) * below((size_t) n) / n,
						  1 + (next_random() >> (20 + i % 44)));
	for (uint64_t i = 0; fill >= FILLS - 2 && i < n; i++)
		add_cut_text(&s, i);
	seed = sketch_encode(&s);
	sketch_free(&s);
	return seed;
}

/* What a number is, or 0. */
static uint64_t
number_at(const victim *v, size_t at)
{
	uint64_t	number = 0;

	if (at >= v->len || pds_varint_get(v->bytes + at, v->len - at, &number) == 0)
		return 0;
	return number;
}

/*
 * Where the numbers of the head begin: k, total, offset, items, bytes of records.  Behind k a
 * chosen number of counters may stand, which is number -1. Without one, that is k.
 */
static size_t
head_number(const victim *v, int which)
{
	size_t		at = 3;
	bool		chosen = number_at(v, at) > 65536;
	int			skip = which < 0 ? chosen : which + (which > 0 && chosen);

	for (int i = 0; i < skip && at < v->len; i++)
	{
		uint64_t	number;

		at += pds_varint_get(v->bytes + at, v->len - at, &number);
	}
	return at;
}

/* One of the first numbers behind the head, of which each item has two or three. */
static size_t
item_number(const victim *v)
{
	size_t		at = head_number(v, 5);

	for (size_t i = below(12); i > 0 && at < v->len; i--)
	{
		uint64_t	number;
		size_t		n = pds_varint_get(v->bytes + at, v->len - at, &number);

		if (n == 0)
			break;
		at += n;
	}
	return at;
}

static size_t
data_at(const victim *v, uint64_t *entries)
{
	(void) entries;
	return head_number(v, 5);
}

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	size_t		at = head_number(v, (int) below(6) - 1);
	pds_topk_view view;

	switch (way)
	{
		case 0:
			/* any number of the head, to any other or a little more or less */
			edit_varint(v, at, odd_number());
			break;
		case 1:
			edit_varint(v, at, number_at(v, at) + below(5) - 2);
			break;
		case 2:
			/* a count, error or length */
			edit_varint(v, item_number(v), odd_number());
			break;
		case 3:
			at = item_number(v);
			edit_varint(v, at, number_at(v, at) + below(3) - 1);
			break;
		case 4:
			/* a larger total allows much: the counts of what has been forgotten */
			edit_varint(v, head_number(v, 1), next_random() >> (1 + below(30)));
			break;
		case 5:
			/* the head's first bytes to what they might be */
			if (v->len > 5)
				v->bytes[2] = (uint8_t) below(26);
			break;
		case 6:
			/* texts, and the hashes behind them */
			if (pds_topk_open(&view, v->bytes, v->len, v->len, NULL) == PDS_OK)
				flip_data(v, v->len - view.record_bytes);
			break;
	}
	(void) where;
	(void) other;
}

/* Large ones take long: fewer of them. */
static uint64_t
weight(int group)
{
	return group < 3 ? 30 : 10;
}

const mutate_target the_target = {
	.name = "topk",
	.group = "kind, k and counters",
	.first = 0,
	.last = GROUPS - 1,
	.fills = FILLS,
	.ways = 7,
	.encodings = {"empty", "items", "of a third"},
	.weight = weight,
	.make_seed = make_seed,
	.plain_kind = PDS_KIND_FLOAT,
	.signed_families = 1,
	.data_at = data_at,
	.damage = damage,
};
