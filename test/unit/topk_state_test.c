/*
 * topk_state_test.c: that the bounds of a sketch of the most frequent values hold,
 * and that it is what topk.h says it is
 */
#include "test.h"

#include "topk_oracle.h"

static const pds_kind kinds[] = {PDS_KIND_STRING, PDS_KIND_NUMBER, PDS_KIND_FLOAT};

#define EACH_KIND(kind) \
	for (size_t kind##_i = 0; kind##_i < 3; kind##_i++) \
		for (pds_kind kind = kinds[kind##_i], kind##_once = 1; kind##_once; kind##_once = 0)

/* What a stored sketch says against what is true, and against what it promises. */
static void
check_bounds(const payload *p, const uint64_t *truth, uint64_t total)
{
	pds_topk_view v = payload_view(p);
	pds_topk_cursor c;
	pds_topk_item item;
	uint64_t	m = v.counters + 1;
	uint64_t	counts = 0;
	uint64_t	most_missing = 0;
	uint8_t    *seen = calloc(ORACLE_VALUES, 1);

	CHECK(payload_accepted(p, NULL));
	CHECK_U64(v.total, total);
	CHECK(v.items <= v.counters);
	pds_topk_items_from(&c, &v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
	{
		char		text[VALUE_TEXT] = "";
		uint64_t	value;

		memcpy(text, item.text, item.len < VALUE_TEXT ? item.len : VALUE_TEXT - 1);
		value = strtoull(text + (v.kind == PDS_KIND_STRING), NULL, 10);
		CHECK(value < ORACLE_VALUES && !seen[value]);
		seen[value] = 1;
		CHECK(truth[value] <= item.upper);
		CHECK(truth[value] >= item.upper - item.error);
		CHECK(item.error <= v.offset && item.upper >= v.offset);
		CHECK_U64(pds_topk_item_hash(v.kind, &item), value_hash(v.kind, value));
		counts += item.upper - v.offset;
	}
	CHECK_U64(c.left, 0);
	for (uint64_t value = 0; value < ORACLE_VALUES; value++)
		if (!seen[value] && truth[value] > most_missing)
			most_missing = truth[value];
	CHECK(most_missing <= v.offset);
	/* o <= (N - C) / (k' + 1) */
	CHECK(counts + m * v.offset <= total);
	free(seen);
}

TEST(an_empty_sketch_is_a_few_bytes)
{
	for (uint32_t k = 1; k <= PDS_TOPK_MAX_K; k = k * 3 + 1)
	{
		sketch		s = sketch_new(k, PDS_KIND_STRING);
		payload		p = sketch_encode(&s);
		pds_topk_view v = payload_view(&p);

		CHECK(p.len <= 5);
		CHECK(payload_accepted(&p, NULL));
		CHECK_U64(v.k, k);
		CHECK_U64(v.encoding, PDS_TOPK_EMPTY);
		CHECK_U64(v.items, 0);
		payload_free(&p);
		sketch_free(&s);
	}
}

TEST(the_library_and_the_oracle_write_the_same)
{
	EACH_KIND(kind)
	{
		/* usual numbers of counters; few, in images without an index for most of the time; many */
		static const uint32_t shapes[][2] = {
			{1, 2048}, {200, 3200}, {1, 1}, {1, 2}, {20, 20}, {20, 101}, {5, 897}, {20, 5000}
		};

		for (size_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++)
		{
			uint32_t	k = shapes[shape][0];
			uint32_t	counters = shapes[shape][1];
			sketch		s = sketch_new_of(k, counters, kind);
			oracle		o = oracle_new_of(k, counters, kind);
			uint64_t	next = 1;

			for (uint64_t i = 0; i < 60000; i++)
			{
				uint64_t	value = oracle_draw(test_random());
				uint64_t	weight = 1 + (i % 16 == 0 ? test_random() >> (34 + i % 30) : 0);

				CHECK(sketch_add(&s, value, weight) == PDS_OK);
				oracle_add(&o, value, weight);
				if (i == next || i == 59999)
				{
					payload		got = sketch_encode(&s);
					oracle		copy = oracle_new_of(k, counters, kind);
					payload		want;

					/* the oracle's way of writing changes it */
					copy.total = o.total;
					copy.offset = o.offset;
					copy.n = o.n;
					memcpy(copy.items, o.items, o.n * sizeof(oracle_item));
					memcpy(copy.where, o.where, ORACLE_VALUES * sizeof(int32_t));
					want = oracle_encode(&copy);
					CHECK_U64(got.len, want.len);
					CHECK(payload_equal(&got, &want));
					check_bounds(&got, o.truth, o.total);
					payload_free(&got);
					payload_free(&want);
					oracle_free(&copy);
					next = next * 3 / 2 + 1;
				}
			}
			CHECK(s.b->offset > 0);
			oracle_free(&o);
			sketch_free(&s);
		}
	}
}

/* Purges of counts that are all large, all equal, or of all sizes */
TEST(purges_of_all_widths)
{
	for (int shape = 0; shape < 60; shape++)
	{
		sketch		s = sketch_new(1, PDS_KIND_NUMBER);
		oracle		o = oracle_new(1, PDS_KIND_NUMBER);
		payload		got;
		payload		want;

		for (uint64_t value = 0; value < 12000; value++)
		{
			uint64_t	weight;

			if (shape < 48)
				weight = (UINT64_C(1) << shape) + (test_random() >> (64 - shape % 20 - 1));
			else if (shape < 54)
				weight = (test_random() >> (20 + test_random() % 44)) + 1;
			else
				weight = UINT64_C(1) << (test_random() % 49);
			if (weight > UINT64_C(1) << 49)
				weight = UINT64_C(1) << 49;
			CHECK(sketch_add(&s, value, weight) == PDS_OK);
			oracle_add(&o, value, weight);
		}
		got = sketch_encode(&s);
		want = oracle_encode(&o);
		CHECK(payload_equal(&got, &want));
		check_bounds(&got, o.truth, o.total);
		payload_free(&got);
		payload_free(&want);
		oracle_free(&o);
		sketch_free(&s);
	}
}

/* Up to k' distinct values: exact, and the same bytes in any order and tree. */
TEST(few_values_are_counted_exactly)
{
	EACH_KIND(kind)
	{
		for (uint64_t distinct = 1; distinct <= 2048; distinct = distinct < 1000 ? distinct * 4 + 1
			 : distinct + 349)
		{
			payload		first = {NULL, 0};

			for (int round = 0; round < 6; round++)
			{
				/* the same rows, dealt out to some sketches that are then merged */
				int			parts = 1 + round * 2;
				sketch		part[16];
				payload		p;
				pds_topk_view v;
				uint64_t	total = 0;

				for (int i = 0; i < parts; i++)
					part[i] = sketch_new(20, kind);
				for (uint64_t step = 0; step < 3 * distinct; step++)
				{
					uint64_t	i = round % 2 ? 3 * distinct - 1 - step : step;
					uint64_t	weight = i % 7 + 1;

					CHECK(sketch_add(&part[test_random() % (uint64_t) parts], i % distinct,
									 weight) == PDS_OK);
					total += weight;
				}
				for (int i = parts - 1; i > 0; i--)
				{
					if (round % 3 == 0)
						CHECK(sketch_merge(&part[i / 2], &part[i]) == PDS_OK);
					else
					{
						p = sketch_encode(&part[i]);
						CHECK(sketch_merge_payload(&part[i / 2], &p) == PDS_OK);
						payload_free(&p);
					}
				}
				p = sketch_encode(&part[0]);
				v = payload_view(&p);
				CHECK_U64(v.items, distinct);
				CHECK_U64(v.offset, 0);
				CHECK_U64(v.total, total);
				CHECK(payload_accepted(&p, NULL));
				if (first.bytes == NULL)
					first = p;
				else
				{
					CHECK(payload_equal(&first, &p));
					payload_free(&p);
				}
				for (int i = 0; i < parts; i++)
					sketch_free(&part[i]);
			}
			payload_free(&first);
		}
	}
}

/* A tree of merges, of stored and of building sketches. */
TEST(bounds_hold_whatever_the_merge_tree)
{
	static const uint32_t few[] = {20, 150, 1000, 9000};

	for (int shape = 0; shape < 12; shape++)
	{
		pds_kind	kind = kinds[shape % 3];
		sketch		part[24];
		uint32_t	counters = shape < 8 ? 2048 : few[shape - 8];
		oracle		all = oracle_new_of(20, counters, kind);
		payload		p;

		for (int i = 0; i < 24; i++)
		{
			size_t		rows = shape < 4 ? 15000 : 1000 + test_random() % 20000;

			part[i] = sketch_new_of(20, counters, kind);
			for (size_t row = 0; row < rows; row++)
			{
				uint64_t	value = oracle_draw(test_random());
				uint64_t	weight = shape % 2 ? 1 : test_random() % 1000 + 1;

				/* other parts, other values */
				if (shape >= 6)
					value = (value + (uint64_t) i * 5000) % ORACLE_VALUES;
				CHECK(sketch_add(&part[i], value, weight) == PDS_OK);
				all.truth[value] += weight;
				all.total += weight;
			}
		}
		for (int left = 24; left > 1;)
		{
			/* into the first, pairwise from the end, or at random */
			int			from = shape % 4 == 3 ? 1 + (int) (test_random() % (uint64_t) (left - 1))
				: left - 1;
			int			to = shape % 4 == 0 ? 0 : (from - 1) / 2;

			if (test_random() % 2)
				CHECK(sketch_merge(&part[to], &part[from]) == PDS_OK);
			else
			{
				p = sketch_encode(&part[from]);
				CHECK(payload_accepted(&p, NULL));
				CHECK(sketch_merge_payload(&part[to], &p) == PDS_OK);
				payload_free(&p);
			}
			sketch_free(&part[from]);
			part[from] = part[--left];
		}
		p = sketch_encode(&part[0]);
		check_bounds(&p, all.truth, all.total);
		CHECK(payload_view(&p).offset > 0);
		payload_free(&p);
		sketch_free(&part[0]);
		oracle_free(&all);
	}
}

/* Of stored sketches: no purge on the way, so either may be the first. */
TEST(a_union_is_the_same_from_either_side_and_what_the_oracle_says)
{
	EACH_KIND(kind)
	{
		oracle		o[2];
		payload		p[2];
		payload		merged[2];
		payload		want;

		for (int i = 0; i < 2; i++)
		{
			o[i] = oracle_new(20, kind);
			for (int row = 0; row < 40000; row++)
				oracle_add(&o[i], oracle_draw(test_random()), 1 + test_random() % 3);
			p[i] = oracle_encode(&o[i]);
			CHECK(payload_accepted(&p[i], NULL));
		}
		for (int i = 0; i < 2; i++)
		{
			sketch		s = sketch_load(&p[i]);

			CHECK(sketch_merge_payload(&s, &p[1 - i]) == PDS_OK);
			merged[i] = sketch_encode(&s);
			sketch_free(&s);
		}
		oracle_merge(&o[0], &o[1]);
		want = oracle_encode(&o[0]);
		CHECK(payload_equal(&merged[0], &merged[1]));
		CHECK(payload_equal(&merged[0], &want));
		check_bounds(&merged[0], o[0].truth, o[0].total);
		payload_free(&want);
		for (int i = 0; i < 2; i++)
		{
			payload_free(&merged[i]);
			payload_free(&p[i]);
			oracle_free(&o[i]);
		}
	}
}

/* All values different: the worst that can happen to it. */
TEST(distinct_values_leave_nothing_but_the_truth)
{
	sketch		s = sketch_new(20, PDS_KIND_STRING);
	uint64_t   *truth = calloc(ORACLE_VALUES, sizeof(uint64_t));
	payload		p;

	for (uint64_t value = 0; value < 100000; value++)
	{
		CHECK(sketch_add(&s, value, 1) == PDS_OK);
		truth[value] = 1;
		CHECK(s.b->items <= 4096);
		CHECK(s.b->offset <= s.b->total / 2049);
	}
	p = sketch_encode(&s);
	check_bounds(&p, truth, 100000);
	payload_free(&p);
	sketch_free(&s);
	free(truth);
}

/* ---------- images ---------- */

TEST(small_groups_take_little_memory)
{
	static const struct
	{
		uint64_t	values;
		size_t		text;
		size_t		unlike;		/* the size of the image if texts begin differently */
		size_t		alike;		/* if they begin alike */
	}			expected[] = {
		{1, 10, 256, 256}, {4, 10, 256, 256}, {2, 40, 256, 256}, {12, 10, 512, 512},
		{12, 50, 1024, 512}, {25, 10, 4096, 4096}, {100, 5, 4096, 4096}, {100, 10, 4096, 4096},
		{100, 32, 8200, 4096}, {100, 50, 8200, 4096}, {170, 53, 15360, 8200},
	};

	for (size_t i = 0; i < 2 * sizeof(expected) / sizeof(expected[0]); i++)
	{
		sketch		s = sketch_new(20, PDS_KIND_STRING);
		size_t		length = expected[i / 2].text;
		size_t		size = i % 2 == 0 ? expected[i / 2].unlike : expected[i / 2].alike;
		size_t		chunks = 0;
		size_t		last = 0;

		for (uint64_t value = 0; value < expected[i / 2].values; value++)
		{
			char		text[124];

			if (i % 2 == 0)
				snprintf(text, sizeof(text), "%c%0*llu", (int) (1 + value),
						 (int) length - 1, (unsigned long long) value);
			else
				snprintf(text, sizeof(text), "%0*llu", (int) length, (unsigned long long) value);
			CHECK(sketch_add_text(&s, pds_murmur3_u64(value).h1, 1, text,
								  (uint32_t) length) == PDS_OK);
			if (s.size != last && s.size <= 8192)
				chunks += s.size;
			last = s.size;
		}
		CHECK_U64(s.size, size);
		/* with all that it left behind in the server's allocator */
		CHECK(chunks <= 256 + 1024 + 4096);
		sketch_free(&s);
	}
}

/* Also for text without items, which damaged bytes can claim. */
TEST(a_plan_has_the_space_that_it_is_for)
{
	static const size_t texts[] = {0, 1, 100, 200, 300, 600, 1500, 3000, 5000, 20000, 200000};

	for (uint32_t items = 0; items < 4500; items += items < 40 ? 1 : items / 16)
		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
			for (int had = 0; had < 6; had++)
			{
				sketch		s = sketch_new(20, PDS_KIND_STRING);

				for (uint64_t value = 0; value < (uint64_t) (had / 2) * 9; value++)
					CHECK(sketch_add(&s, value, 1) == PDS_OK);
				/* dies if the plan is not enough */
				sketch_space(&s, items, texts[t], had % 2 == 1);
				CHECK(pds_topk_check_build(s.b, s.size));
				sketch_free(&s);
			}
}

TEST(a_call_without_space_counts_nothing)
{
	sketch		s = sketch_new(20, PDS_KIND_STRING);
	char		text[PDS_TOPK_MAX_TEXT];
	uint32_t	len;

	memset(text, 'x', sizeof(text));
	CHECK(sketch_add(&s, 1, 5) == PDS_OK);
	CHECK(pds_topk_add(s.b, 77, 3, text, sizeof(text)) == PDS_FULL);
	CHECK_U64(s.b->total, 5);
	CHECK_U64(s.b->items, 1);
	CHECK(pds_topk_find(s.b, 77) == NULL);
	CHECK(sketch_add_text(&s, 77, 3, text, sizeof(text)) == PDS_OK);
	CHECK_U64(s.b->total, 8);
	CHECK(memcmp(sketch_text(&s, 77, &len), text, sizeof(text)) == 0);
	CHECK_U64(len, sizeof(text));
	sketch_free(&s);
}

TEST(texts_of_all_lengths_survive_moves_and_purges)
{
	sketch		s = sketch_new(1, PDS_KIND_FLOAT);
	char	   *text = sketch_memory(PDS_TOPK_MAX_TEXT);
	payload		p;
	sketch		again;
	payload		second;

	for (uint64_t i = 0; i < 20000; i++)
	{
		uint32_t	len = (uint32_t) (i % 97 == 0 ? i % (PDS_TOPK_MAX_TEXT + 1) : i % 50);

		memset(text, (int) (1 + i % 255), len);
		/* every fifth comes often enough to stay */
		CHECK(sketch_add_text(&s, pds_murmur3_u64(i % 5 ? i : i % 1000).h1, 1 + i % 3,
							  text, i % 5 ? len : 0) == PDS_OK);
	}
	for (uint32_t i = 0; i < pds_topk_extent(s.b); i++)
	{
		const pds_topk_entry *e = &pds_topk_entries(s.b)[i];
		uint32_t	len;
		const char *there = sketch_text(&s, e->hash, &len);

		for (uint32_t j = 1; j < len; j++)
			CHECK(there[j] == there[0]);
		CHECK(pds_topk_find(s.b, e->hash) == e);
	}
	p = sketch_encode(&s);
	CHECK(payload_accepted(&p, NULL));
	again = sketch_load(&p);
	second = sketch_encode(&again);
	CHECK(payload_equal(&p, &second));
	payload_free(&second);
	payload_free(&p);
	sketch_free(&again);
	sketch_free(&s);
	free(text);
}

/* The i-th of texts that begin alike, in different ways and up to different lengths. */
static uint32_t
alike(uint64_t shape, uint64_t i, char *text)
{
	static const char *const sites[] = {
		"https://example.org/", "https://example.com/a/b/", "", "h"
	};
	uint32_t	len = shape == 0 ? 600 : 0;

	/* more in common than a reference holds */
	memset(text, 'x', len);
	return len + (uint32_t) sprintf(text + len, "%s%llu", sites[shape == 3 ? i % 4 : shape],
									(unsigned long long) i);
}

TEST(texts_that_begin_alike_come_back_whole)
{
	static char text[1000];

	for (uint64_t shape = 0; shape < 4; shape++)
	{
		for (uint64_t values = 1; values <= 2000; values = values * 5 / 2 + 1)
		{
			sketch		s = sketch_new(20, PDS_KIND_STRING);
			sketch		other = sketch_new(20, PDS_KIND_STRING);
			payload		p;
			payload		stored;

			/* an empty text is no reference; those of the other come in another order */
			CHECK(sketch_add_text(&s, pds_murmur3("", 0, 0).h1, 3, "", 0) == PDS_OK);
			for (uint64_t i = 0; i < values; i++)
			{
				uint32_t	len = alike(shape, i, text);

				CHECK(sketch_add_text(&s, pds_murmur3(text, len, 0).h1, 1, text, len) == PDS_OK);
				len = alike(shape, values - 1 - i, text);
				CHECK(sketch_add_text(&other, pds_murmur3(text, len, 0).h1, 2, text,
									  len) == PDS_OK);
			}
			stored = sketch_encode(&other);
			CHECK(sketch_merge(&s, &other) == PDS_OK);
			CHECK(sketch_merge_payload(&s, &stored) == PDS_OK);
			CHECK_U64(s.b->items, values + 1);
			for (uint64_t i = 0; i < values; i++)
			{
				uint32_t	len = alike(shape, i, text);
				uint32_t	there_len;
				uint64_t	hash = pds_murmur3(text, len, 0).h1;
				const char *there = sketch_text(&s, hash, &there_len);

				CHECK_U64(there_len, len);
				CHECK(there_len == len && memcmp(there, text, len) == 0);
				CHECK_U64(pds_topk_find(s.b, hash)->upper, 5);
			}
			p = sketch_encode(&s);
			/* a text that is not what it was has another hash */
			CHECK(payload_accepted(&p, NULL));
			CHECK_U64(payload_view(&p).total, 3 + 5 * values);
			payload_free(&p);
			payload_free(&stored);
			sketch_free(&other);
			sketch_free(&s);
		}
	}
}

/* ---------- what there is more ---------- */

TEST(totals_do_not_wrap)
{
	sketch		s = sketch_new(20, PDS_KIND_NUMBER);
	sketch		one = sketch_new(20, PDS_KIND_NUMBER);
	payload		p;
	payload		after;

	CHECK(sketch_add(&s, 1, PDS_TOPK_MAX_TOTAL - 1) == PDS_OK);
	CHECK(sketch_add(&s, 1, 2) == PDS_OVERFLOW);
	CHECK(sketch_add(&s, 2, 2) == PDS_OVERFLOW);
	CHECK(!pds_topk_count(s.b, value_hash(PDS_KIND_NUMBER, 1), 2));
	CHECK(sketch_add(&s, 2, 1) == PDS_OK);
	CHECK_U64(s.b->total, PDS_TOPK_MAX_TOTAL);
	CHECK(sketch_add(&one, 3, 1) == PDS_OK);
	p = sketch_encode(&s);
	CHECK(payload_accepted(&p, NULL));
	CHECK(sketch_merge(&s, &one) == PDS_OVERFLOW);
	CHECK(sketch_merge_payload(&one, &p) == PDS_OVERFLOW);
	CHECK_U64(one.b->total, 1);
	after = sketch_encode(&s);
	CHECK(payload_equal(&p, &after));
	payload_free(&after);
	payload_free(&p);
	sketch_free(&one);
	sketch_free(&s);
}

TEST(sketches_of_different_k_or_counters_do_not_merge)
{
	static const uint32_t others[][2] = {{21, 2048}, {20, 100}, {19, 2047}};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
	{
		sketch		a = sketch_new(20, PDS_KIND_NUMBER);
		sketch		b = sketch_new_of(others[i][0], others[i][1], PDS_KIND_NUMBER);
		payload		p;

		CHECK(sketch_add(&a, 1, 1) == PDS_OK);
		CHECK(sketch_add(&b, 1, 1) == PDS_OK);
		CHECK(sketch_merge(&a, &b) == PDS_PARAMETER_MISMATCH);
		p = sketch_encode(&b);
		CHECK(sketch_merge_payload(&a, &p) == PDS_PARAMETER_MISMATCH);
		CHECK_U64(a.b->total, 1);
		payload_free(&p);
		sketch_free(&a);
		sketch_free(&b);
	}
}

/* At the limit without an index: the next value is refused, and nothing of it is counted. */
TEST(a_purge_of_few_counters_needs_an_index)
{
	for (uint32_t counters = 1; counters <= 900; counters = counters * 3 / 2 + 1)
	{
		sketch		s = sketch_new_of(1, counters, PDS_KIND_STRING);
		uint64_t	value = 0;

		while (s.b->items < 2 * counters)
			CHECK(sketch_add(&s, value++, 1) == PDS_OK);
		CHECK_U64(s.b->offset, 0);
		CHECK(pds_topk_check_build(s.b, s.size));
		if (!s.b->indexed)
			CHECK(pds_topk_add(s.b, 1, 1, "more", 4) == PDS_FULL);
		CHECK_U64(s.b->total, value);
		CHECK(sketch_add(&s, value++, 1) == PDS_OK);
		CHECK(s.b->indexed);
		CHECK_U64(s.b->items, counters + 1);
		CHECK_U64(s.b->offset, 1);
		CHECK_U64(s.b->total, value);
		CHECK(pds_topk_check_build(s.b, s.size));
		sketch_free(&s);
	}
}

TEST(of_two_texts_of_a_value_the_smaller_stays)
{
	static const char *const texts[] = {"0.10000000149011612", "0.1", "0.2", "ABC", "abc", ""};

	for (int i = 0; i < 6; i++)
	{
		for (int j = 0; j < 6; j++)
		{
			const char *small = strlen(texts[i]) < strlen(texts[j]) ||
				(strlen(texts[i]) == strlen(texts[j]) && strcmp(texts[i], texts[j]) < 0) ?
				texts[i] : texts[j];
			sketch		a = sketch_new(20, PDS_KIND_FLOAT);
			sketch		b = sketch_new(20, PDS_KIND_FLOAT);
			const char *there;
			uint32_t	len;

			CHECK(sketch_add_text(&a, 5, 1, texts[i], (uint32_t) strlen(texts[i])) == PDS_OK);
			CHECK(sketch_add(&a, 9, 1) == PDS_OK);
			CHECK(sketch_add_text(&b, 5, 1, texts[j], (uint32_t) strlen(texts[j])) == PDS_OK);
			CHECK(sketch_merge(&a, &b) == PDS_OK);
			there = sketch_text(&a, 5, &len);
			CHECK_U64(len, strlen(small));
			CHECK(memcmp(there, small, len) == 0);
			CHECK_U64(pds_topk_find(a.b, 5)->upper, 2);
			sketch_free(&a);
			sketch_free(&b);
		}
	}
}

/* Another k for the same items: fewer counters forget what no longer fits. */
TEST(a_lower_k_is_a_purge)
{
	oracle		o = oracle_new(500, PDS_KIND_STRING);
	sketch		s = sketch_new(500, PDS_KIND_STRING);
	payload		p;
	payload		want;

	for (int i = 0; i < 50000; i++)
	{
		uint64_t	value = oracle_draw(test_random());

		CHECK(sketch_add(&s, value, 1) == PDS_OK);
		oracle_add(&o, value, 1);
	}
	CHECK(s.b->items > 2048);
	s.b->k = 20;
	s.b->counters = 2048;
	o.k = 20;
	o.counters = 2048;
	/* not a state to add to: it is for storing at once */
	CHECK(!pds_topk_check_build(s.b, s.size));
	p = sketch_write(&s);
	want = oracle_encode(&o);
	CHECK(payload_equal(&p, &want));
	check_bounds(&p, o.truth, o.total);
	payload_free(&p);
	payload_free(&want);
	sketch_free(&s);
	oracle_free(&o);
}

/* How many slots of the index are looked at for an item, on average. */
static double
mean_search(const pds_topk_build *b)
{
	uint32_t	slots = pds_topk_slots(b);
	uint64_t	sum = 0;

	for (uint32_t i = 0; i < slots; i++)
		if (b->words[i] != 0)
		{
			uint32_t	item = (b->words[i] & PDS_TOPK_NUMBER_MASK) - 1;
			uint32_t	home = pds_topk_home(pds_topk_entries(b)[item].hash, slots);

			sum += 1 + (i + slots - home) % slots;
		}
	return (double) sum / b->items;
}

/*
 * Of values that occur once each, those with the smallest hashes stay.  They are found as soon as
 * others.
 */
TEST(values_that_stayed_are_found_quickly)
{
	sketch		a = sketch_new_of(20, 4000, PDS_KIND_NUMBER);
	sketch		b = sketch_new_of(20, 4000, PDS_KIND_NUMBER);
	payload		p;

	/* one more than there are before half of them are dropped */
	for (uint64_t i = 0; i <= 8000; i++)
	{
		CHECK(sketch_add(&a, i, 1) == PDS_OK);
		CHECK(sketch_add(&b, 10000 + i, 1) == PDS_OK);
	}
	CHECK(a.b->indexed && a.b->items == 4001);
	p = sketch_encode(&b);
	CHECK(sketch_merge_payload(&a, &p) == PDS_OK);
	CHECK(mean_search(a.b) < 4);
	payload_free(&p);
	sketch_free(&a);
	sketch_free(&b);
}
