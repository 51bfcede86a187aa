/*
 * topk_format_test.c: the stored bytes of sketches of the most frequent values, written
 * and read, and bytes that must not pass for one
 */
#include "test.h"
#include "topk.h"
#include "refuse.h"

#include "topk_oracle.h"
#include "signature.h"

/* ---------- writing ---------- */

TEST(a_sketch_of_three_words)
{
	static const uint8_t want[] = {
		0x41, 0x01, PDS_KIND_STRING, 20,
		9, 0, 3, 9,
		/* the 5, and 2 less, cat 2 less */
		5, 3,
		2, 3,
		2, 3,
		't', 'h', 'e', 'a', 'n', 'd', 'c', 'a', 't'
	};
	sketch		s = sketch_new(20, PDS_KIND_STRING);
	static const char words[] = "the and the cat the and the and the ";
	payload		p;

	for (int i = 0; i < 9; i++)
		CHECK(sketch_add_text(&s, pds_murmur3(words + i * 4, 3, 0).h1, 1, words + i * 4, 3) ==
			  PDS_OK);
	p = sketch_encode(&s);
	/* the: 5, and: 3, cat: 1 */
	CHECK_U64(p.len, sizeof(want));
	if (p.len == sizeof(want))
		CHECK_BYTES(p.bytes, want, sizeof(want));
	payload_free(&p);
	sketch_free(&s);
}

/* Which numbers take 8 bytes more? */
TEST(the_text_of_an_integer_tells_its_hash)
{
	static const struct
	{
		const char *text;
		bool		tells;
		int64_t		value;
	}			cases[] = {
		{"0", true, 0}, {"7", true, 7}, {"-1", true, -1}, {"1234567890", true, 1234567890},
		{"9223372036854775807", true, INT64_MAX}, {"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0}, {"-9223372036854775809", false, 0},
		{"18446744073709551616", false, 0}, {"99999999999999999999", false, 0},
		{"", false, 0}, {"-", false, 0}, {"-0", false, 0}, {"00", false, 0}, {"01", false, 0},
		{"-01", false, 0}, {"+1", false, 0}, {"1.5", false, 0}, {"1e3", false, 0}, {" 1", false, 0},
		{"1 ", false, 0}, {"NaN", false, 0}, {"--1", false, 0}, {"1-", false, 0}, {":", false, 0},
		{"/", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		sketch		s = sketch_new(20, PDS_KIND_NUMBER);
		uint64_t	hash = cases[i].tells ? pds_murmur3_u64((uint64_t) cases[i].value).h1 : 42;
		uint32_t	len = (uint32_t) strlen(cases[i].text);
		payload		p;
		pds_topk_view v;
		pds_topk_cursor c;
		pds_topk_item item;

		CHECK(sketch_add_text(&s, hash, 3, cases[i].text, len) == PDS_OK);
		p = sketch_encode(&s);
		CHECK(payload_accepted(&p, NULL));
		CHECK(written_again_the_same(p.bytes, p.len));
		v = payload_view(&p);
		CHECK_U64(v.record_bytes, len + (cases[i].tells ? 0 : 8));
		pds_topk_items_from(&c, &v);
		CHECK(pds_topk_next(&c, &item, NULL) == PDS_OK);
		CHECK((item.stored_hash == NULL) == cases[i].tells);
		CHECK_U64(pds_topk_item_hash(v.kind, &item), hash);
		CHECK_U64(item.len, len);
		CHECK_U64(item.upper, 3);
		CHECK_U64(item.error, 0);
		payload_free(&p);
		sketch_free(&s);
	}
}

static uint64_t
error_in(const pds_topk_build *b, const pds_topk_entry *e)
{
	return pds_topk_error(b, (uint32_t) (e - pds_topk_entries(b)));
}

TEST(values_are_found_by_their_hash)
{
	static const pds_kind kinds[] = {PDS_KIND_STRING, PDS_KIND_NUMBER, PDS_KIND_FLOAT};

	for (int i = 0; i < 3; i++)
	{
		oracle		o = oracle_new(20, kinds[i]);
		payload		p;
		pds_topk_view v;
		pds_topk_build *unpacked;

		for (int row = 0; row < 30000; row++)
			oracle_add(&o, oracle_draw(test_random()), 1);
		p = oracle_encode(&o);
		v = payload_view(&p);
		unpacked = sketch_memory(pds_topk_unpacked_size(&v));
		CHECK(pds_topk_unpack(&v, unpacked) == PDS_OK);
		for (uint64_t value = 0; value < 2000; value++)
		{
			const pds_topk_entry *e = pds_topk_find(unpacked, value_hash(kinds[i], value));
			pds_topk_item item;
			bool		found;

			CHECK(pds_topk_lookup(&v, value_hash(kinds[i], value), &found, &item) == PDS_OK);
			CHECK(found == (o.where[value] >= 0));
			CHECK(found == (e != NULL));
			if (found)
			{
				CHECK_U64(e->upper, item.upper);
				CHECK_U64(error_in(unpacked, e), item.error);
				CHECK_U64(item.upper, o.items[o.where[value]].upper);
				CHECK_U64(item.error, o.items[o.where[value]].error);
			}
		}
		free(unpacked);
		payload_free(&p);
		oracle_free(&o);
	}
}

/* Unpacked, there is a place for each item and a free one, also where all crowd at the end. */
TEST(unpacked_of_few_items_or_crowded_ones)
{
	for (uint32_t items = 0; items < 40; items++)
	{
		sketch		s = sketch_new(20, PDS_KIND_FLOAT);
		payload		p;
		pds_topk_view v;
		pds_topk_build *unpacked;

		for (uint64_t i = 0; i < items; i++)
		{
			char		text[8];
			int			len = snprintf(text, sizeof(text), "%d.5", (int) i);

			CHECK(sketch_add_text(&s, UINT64_MAX - i, i + 1, text, (uint32_t) len) == PDS_OK);
		}
		p = sketch_encode(&s);
		v = payload_view(&p);
		unpacked = sketch_memory(pds_topk_unpacked_size(&v));
		CHECK(pds_topk_unpack(&v, unpacked) == PDS_OK);
		for (uint64_t i = 0; i < 80; i++)
		{
			const pds_topk_entry *e = pds_topk_find(unpacked, UINT64_MAX - i);

			CHECK(i < items ? e != NULL && e->upper == i + 1 && error_in(unpacked, e) == 0
				  : e == NULL);
			CHECK(pds_topk_find(unpacked, i) == NULL);
		}
		free(unpacked);
		payload_free(&p);
		sketch_free(&s);
	}
}

/* ---------- refusing ---------- */

/* Some stored sketches: empty, exact, with an offset, with hashes */
static payload
example(int which)
{
	static const pds_kind kinds[] = {PDS_KIND_STRING, PDS_KIND_NUMBER, PDS_KIND_FLOAT};
	static const int rows[] = {0, 1, 30, 2500, 25000};
	oracle		o = oracle_new(20, kinds[which % 3]);
	payload		p;

	for (int row = 0; row < rows[which / 3]; row++)
		oracle_add(&o, oracle_draw(test_random()), 1 + test_random() % 5);
	p = oracle_encode(&o);
	oracle_free(&o);
	return p;
}

static bool
is_accepted(const payload *p)
{
	return payload_accepted(p, NULL);
}

static const refuse_target the_target = {
	.ops = &pds_topk_ops,
	.accepted = is_accepted,
	.example = example,
	.examples = 15,
	.encodings = 0x3,
	.classes = 1,
	.least = {0},
	.most = {50},
};

/* Two items and what can be wrong with them: k 20, kind, total, offset, then as given */
typedef struct raw
{
	uint8_t		bytes[9000];
	size_t		len;
} raw;

static raw
raw_sketch(pds_kind kind, uint64_t total, uint64_t offset, uint64_t n, uint64_t records)
{
	raw			r;

	r.bytes[0] = 0x41;
	r.bytes[1] = PDS_TOPK_ITEMS;
	r.bytes[2] = kind;
	r.bytes[3] = 20;
	r.len = 4;
	r.len += oracle_varint(r.bytes + r.len, total);
	r.len += oracle_varint(r.bytes + r.len, offset);
	r.len += oracle_varint(r.bytes + r.len, n);
	r.len += oracle_varint(r.bytes + r.len, records);
	return r;
}

static void
raw_number(raw *r, uint64_t v)
{
	r->len += oracle_varint(r->bytes + r->len, v);
}

static void
raw_text(raw *r, const char *text)
{
	memcpy(r->bytes + r->len, text, strlen(text));
	r->len += strlen(text);
}

static bool
raw_refused(const raw *r)
{
	return refused(r->bytes, r->len);
}

/* Two words with these counts */
static bool
two_words_refused(uint64_t total, uint64_t first, uint64_t gap, const char *a, const char *b)
{
	raw			r = raw_sketch(PDS_KIND_STRING, total, 0, 2, strlen(a) + strlen(b));

	raw_number(&r, first);
	raw_number(&r, strlen(a));
	raw_number(&r, gap);
	raw_number(&r, strlen(b));
	raw_text(&r, a);
	raw_text(&r, b);
	return raw_refused(&r);
}

TEST(heads_that_are_refused)
{
	payload		p = example(6);
	payload		nothing = example(0);

	for (int value = 0; value < 256; value++)
	{
		static const int at[] = {0, 1, 2};

		for (int i = 0; i < 3; i++)
		{
			uint8_t		keep = p.bytes[at[i]];
			bool		good = i == 0 ? value == 0x41 : i == 1 ? value == PDS_TOPK_ITEMS :
				kind_of_one_byte(value) && value != 0;

			p.bytes[at[i]] = (uint8_t) value;
			/* of another kind, texts may have to be followed by hashes */
			CHECK(refused(p.bytes, p.len) || good);
			if (i < 2)
				CHECK(refused(p.bytes, p.len) == !good);
			p.bytes[at[i]] = keep;
		}
	}
	CHECK_U64(nothing.len, 4);
	for (int i = 1; i < 3; i++)
	{
		nothing.bytes[i] = 1;
		CHECK(refused(nothing.bytes, nothing.len));
		nothing.bytes[i] = 0;
	}
	nothing.bytes[3] = 0;
	CHECK(refused(nothing.bytes, nothing.len));
	payload_free(&nothing);
	payload_free(&p);
}

TEST(k_is_between_1_and_10000)
{
	for (uint64_t k = 0; k < 20000; k++)
	{
		uint8_t		bytes[16] = {0x41, PDS_TOPK_EMPTY, PDS_KIND_NONE};
		size_t		len = 3 + oracle_varint(bytes + 3, k);

		CHECK(refused(bytes, len) == (k == 0 || k > 10000));
	}
}

/* Numbers of counters: at least k, at most 160,000, and not the usual one, which is not written */
TEST(counters_are_written_only_if_they_were_chosen)
{
	static const uint64_t ks[] = {0, 1, 2, 20, 128, 129, 500, 6250, 10000, 10001, 65536};
	static const uint64_t numbers[] = {0, 1, 2, 19, 20, 21, 499, 500, 2047, 2048, 2049, 2064,
	8000, 9999, 10000, 159999, 160000, 160001, UINT64_MAX};

	for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++)
	{
		for (size_t j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++)
		{
			uint64_t	k = ks[i];
			uint64_t	n = numbers[j];
			bool		usual = n == (16 * k > 2048 ? 16 * k : 2048);
			uint8_t		bytes[32] = {0x41, PDS_TOPK_EMPTY, PDS_KIND_NONE};
			size_t		len = 3 + oracle_varint(bytes + 3, 65536 + k);

			CHECK(refused(bytes, len));
			len += oracle_varint(bytes + len, n);
			CHECK(refused(bytes, len) ==
				  (k == 0 || k > 10000 || n < k || n > 160000 || usual));
		}
	}
}

TEST(counts_that_cannot_be_are_refused)
{
	CHECK(!two_words_refused(9, 5, 1, "the", "and"));
	/* sums that are not the total, when nothing is forgotten */
	CHECK(two_words_refused(8, 5, 1, "the", "and"));
	CHECK(two_words_refused(10, 5, 1, "the", "and"));
	/* none left, or fewer */
	CHECK(two_words_refused(9, 0, 0, "the", "and"));
	CHECK(two_words_refused(5, 5, 5, "the", "and"));
	CHECK(two_words_refused(5, 5, 6, "the", "and"));
	CHECK(two_words_refused(9, UINT64_MAX, 1, "the", "and"));
	CHECK(two_words_refused(9, 5, UINT64_MAX, "the", "and"));
	/* a tie has one order, and a value stands there once */
	CHECK(two_words_refused(10, 5, 0, "the", "and") != two_words_refused(10, 5, 0, "and", "the"));
	CHECK(two_words_refused(10, 5, 0, "the", "the"));
	CHECK(two_words_refused(9, 5, 1, "the", "the"));
	/* the largest */
	CHECK(!two_words_refused(INT64_MAX, (uint64_t) INT64_MAX - 1, (uint64_t) INT64_MAX - 2, "the",
							 "and"));
	CHECK(two_words_refused((uint64_t) INT64_MAX + 1, (uint64_t) INT64_MAX,
							(uint64_t) INT64_MAX - 1, "the", "and"));
	/* a byte that ends strings */
	{
		raw			r = raw_sketch(PDS_KIND_STRING, 1, 0, 1, 3);

		raw_number(&r, 1);
		raw_number(&r, 3);
		raw_text(&r, "abc");
		CHECK(!raw_refused(&r));
		r.bytes[r.len - 2] = 0;
		CHECK(raw_refused(&r));
	}
}

TEST(offsets_and_errors_that_cannot_be_are_refused)
{
	/* 2049 * 3 are gone, and 10 is left of one item: u = 13 */
	for (uint64_t total = 6140; total < 6170; total++)
	{
		for (uint64_t error = 0; error < 6; error++)
		{
			raw			r = raw_sketch(PDS_KIND_STRING, total, 3, 1, 1);

			raw_number(&r, 10);
			raw_number(&r, error);
			raw_number(&r, 1);
			raw_text(&r, "x");
			CHECK(raw_refused(&r) == (total < 6157 || error > 3));
		}
	}
	/* an item of which nothing is above that */
	for (uint64_t total = 6140; total < 6150; total++)
	{
		raw			r = raw_sketch(PDS_KIND_STRING, total, 3, 1, 1);

		raw_number(&r, 0);
		raw_number(&r, 1);
		raw_number(&r, 1);
		raw_text(&r, "x");
		CHECK(raw_refused(&r) == (total < 6147));
	}
	/* nothing but what it has forgotten */
	{
		raw			r = raw_sketch(PDS_KIND_STRING, 2049, 1, 0, 0);

		CHECK(!raw_refused(&r));
		r = raw_sketch(PDS_KIND_STRING, 2048, 1, 0, 0);
		CHECK(raw_refused(&r));
		r = raw_sketch(PDS_KIND_STRING, 2048, 0, 0, 0);
		CHECK(raw_refused(&r));
		r = raw_sketch(PDS_KIND_STRING, 0, 0, 0, 0);
		CHECK(raw_refused(&r));
	}
}

TEST(numbers_of_items_and_lengths_of_texts_have_limits)
{
	for (uint32_t len = PDS_TOPK_MAX_TEXT - 1; len <= PDS_TOPK_MAX_TEXT + 1; len++)
	{
		raw			r = raw_sketch(PDS_KIND_STRING, 1, 0, 1, len);

		raw_number(&r, 1);
		raw_number(&r, len);
		memset(r.bytes + r.len, 'x', len);
		r.len += len;
		CHECK(raw_refused(&r) == (len > PDS_TOPK_MAX_TEXT));
	}
	for (uint64_t n = 2047; n <= 2049; n++)
	{
		uint64_t	hashes[2049];
		uint8_t    *bytes = calloc(40000, 1);
		raw			head = raw_sketch(PDS_KIND_FLOAT, n, 0, n, 8 * n);
		size_t		at = head.len;

		memcpy(bytes, head.bytes, head.len);
		for (uint64_t i = 0; i < n; i++)
		{
			hashes[i] = i * 3;
			bytes[at++] = i == 0;
			bytes[at++] = 0;
		}
		for (uint64_t i = 0; i < n; i++)
		{
			pds_store_le64(bytes + at, hashes[i]);
			at += 8;
		}
		CHECK(refused(bytes, at) == (n > 2048));
		free(bytes);
	}
}

/* Characters of one to four bytes */
static const char *const characters[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};

TEST(a_text_is_cut_between_two_characters)
{
	for (uint32_t bytes = 1; bytes <= 4; bytes++)
	{
		for (uint32_t shift = 0; shift < bytes; shift++)
		{
			char		text[PDS_TOPK_MAX_TEXT + 16];
			char		cut[PDS_TOPK_MAX_ITEM_TEXT];
			uint32_t	kept = shift + (PDS_TOPK_MAX_TEXT - shift) / bytes * bytes;
			uint32_t	len;

			memset(text, 'x', shift);
			for (uint32_t at = shift; at < sizeof(text); at++)
				text[at] = characters[bytes - 1][(at - shift) % bytes];
			len = pds_topk_cut_text(text, cut);
			CHECK_U64(len, kept + PDS_TOPK_CUT_BYTES);
			CHECK_BYTES(cut, text, kept);
			CHECK_BYTES(cut + kept, PDS_TOPK_CUT_MARK, PDS_TOPK_CUT_BYTES);
			/* so that a text that is longer than one kept whole has been cut */
			CHECK(len > PDS_TOPK_MAX_TEXT && len <= PDS_TOPK_MAX_ITEM_TEXT);
		}
	}
	{
		/* bytes that are no text at all lose none */
		char		text[PDS_TOPK_MAX_TEXT + 1];
		char		cut[PDS_TOPK_MAX_ITEM_TEXT];

		memset(text, 0x80, sizeof(text));
		CHECK_U64(pds_topk_cut_text(text, cut), PDS_TOPK_MAX_ITEM_TEXT);
	}
}

TEST(texts_that_are_cut_keep_their_hash)
{
	static const pds_kind kinds[] = {PDS_KIND_STRING, PDS_KIND_ENUM, PDS_KIND_NUMBER,
		PDS_KIND_FLOAT};
	char		text[PDS_TOPK_MAX_TEXT + 1];
	char		cut[PDS_TOPK_MAX_ITEM_TEXT];
	uint32_t	len;

	memset(text, 'x', sizeof(text));
	len = pds_topk_cut_text(text, cut);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
	{
		sketch		s = sketch_new(3, kinds[i]);
		payload		p;
		pds_topk_view v;
		pds_topk_item item;
		sketch		again;
		payload		q;
		bool		found;

		/* three values of which no more is known than that they differ */
		for (uint64_t n = 1; n <= 3; n++)
			CHECK(sketch_add_text(&s, n, n, cut, len) == PDS_OK);
		p = sketch_encode(&s);
		CHECK(payload_accepted(&p, NULL));
		v = payload_view(&p);
		for (uint64_t n = 1; n <= 4; n++)
		{
			CHECK(pds_topk_lookup(&v, n, &found, &item) == PDS_OK && found == (n <= 3));
			CHECK(!found
				  || (item.upper == n && item.len == len && memcmp(item.text, cut, len) == 0));
		}
		/* nor are they found by the hash of what is left of them */
		CHECK(pds_topk_lookup(&v, pds_murmur3(cut, len, 0).h1, &found, &item) == PDS_OK && !found);
		again = sketch_load(&p);
		q = sketch_encode(&again);
		CHECK(payload_equal(&p, &q));
		payload_free(&p);
		payload_free(&q);
		sketch_free(&s);
		sketch_free(&again);
	}
	for (uint32_t n = PDS_TOPK_MAX_TEXT; n <= PDS_TOPK_MAX_ITEM_TEXT + 1; n++)
	{
		/* marked or not, with a hash or without */
		for (int form = 0; form < 4; form++)
		{
			bool		with_hash = form & 1;
			bool		marked = form & 2;
			raw			r = raw_sketch(PDS_KIND_STRING, 1, 0, 1, n + (with_hash ? 8 : 0));

			raw_number(&r, 1);
			raw_number(&r, n);
			memset(r.bytes + r.len, 'x', n + 8);
			if (marked)
				memcpy(r.bytes + r.len + n - PDS_TOPK_CUT_BYTES, PDS_TOPK_CUT_MARK,
					   PDS_TOPK_CUT_BYTES);
			r.len += n + (with_hash ? 8 : 0);
			CHECK(!raw_refused(&r) == (n > PDS_TOPK_MAX_TEXT ? n <= PDS_TOPK_MAX_ITEM_TEXT && marked
									   && with_hash : !with_hash));
		}
	}
}

SIGNATURE_OPENS(topk)

TEST(a_signature_stands_behind_the_kind)
{
	sketch		s = sketch_new(2, PDS_KIND_UUID);
	payload		plain;
	payload		with;

	for (uint64_t i = 1; i < 50; i++)
		sketch_add_text(&s, pds_murmur3_u64(i).h1, i, "text", 4);
	plain = sketch_encode(&s);
	pds_state_set_kind(s.b, SIGNED_KIND);
	with = sketch_encode(&s);
	check_signature(&plain, &with, opens);
	payload_free(&plain);
	payload_free(&with);
	sketch_free(&s);
}
