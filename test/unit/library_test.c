/*
 * library_test.c: clients/c, the library
 *
 * Every function that can fail is called with what it must refuse, every type goes to bytes and
 * back, and damaged bytes are refused or answer without harm.  The environment variable
 * PROBDS_MUTATIONS says how many of these there are for each type.
 */
#include <stdlib.h>

#include "probds.h"
#include "test.h"

static const struct
{
	const char *type;
	const char *options;
}			types[] = {
	{"hll", ""}, {"hll", "precision=5"}, {"bloom", ""}, {"bloom", "capacity=1000"},
	{"bloom", "capacity=300,rate=0.001,layout=classic"}, {"cms", "epsilon=0.05"},
	{"cms", "epsilon=0.05,conservative=1"}, {"topk", "k=5,counters=40"},
	{"cuckoo", "capacity=1000"}, {"counting_bloom", "capacity=1000"},
	{"scalable_bloom", "capacity=50"}, {"minhash", "k=64"}, {"minhash", ""},
	{"ddsketch", ""}, {"ddsketch", "error=0.001,buckets=16"}, {"fuse", ""}
};

/* the last one, whose sketches are finished when they are stored */
#define FUSE	(TYPES - 1)

#define TYPES	(sizeof(types) / sizeof(types[0]))

static uint64_t random_state = 88172645463325252u;

static uint64_t
next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

/* A sketch of n numbers from "first" on. */
static probds_sketch *
sketch_of(size_t type, int64_t first, int64_t n)
{
	probds_sketch *s;

	CHECK(probds_new(types[type].type, types[type].options, NULL, &s, NULL) == PROBDS_OK);
	for (int64_t i = first; i < first + n; i++)
		CHECK(probds_add(s, probds_value_integer(PROBDS_INTEGER, i), 1, NULL) == PROBDS_OK);
	return s;
}

static void
check_same(probds_sketch *a, probds_sketch *b)
{
	const void *bytes[2];
	size_t		length[2];

	CHECK(probds_to_bytes(a, &bytes[0], &length[0], NULL) == PROBDS_OK);
	CHECK(probds_to_bytes(b, &bytes[1], &length[1], NULL) == PROBDS_OK);
	CHECK_U64(length[0], length[1]);
	CHECK(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0);
}

TEST(bytes_and_text_come_back)
{
	static char text[400000];

	for (size_t type = 0; type < TYPES; type++)
		for (int n = 0; n < 3000; n = 7 * n + 1)
		{
			probds_sketch *s = sketch_of(type, 0, n);
			probds_sketch *t;
			const void *bytes;
			size_t		length;

			CHECK(probds_to_bytes(s, &bytes, &length, NULL) == PROBDS_OK);
			CHECK(probds_from_bytes(bytes, length, NULL, &t, NULL) == PROBDS_OK);
			check_same(s, t);
			CHECK(strcmp(probds_type(t), types[type].type) == 0);
			CHECK(probds_kind(t) == (n > 0 ? PROBDS_INTEGER : PROBDS_NONE));
			probds_free(t);
			CHECK(probds_to_text(s, text, sizeof(text), &length, NULL) == PROBDS_OK);
			CHECK(probds_to_text(s, text, length, &length, NULL) == PROBDS_LIMIT);
			CHECK(probds_from_text(text, length, NULL, &t, NULL) == PROBDS_OK);
			check_same(s, t);
			probds_free(t);
			CHECK(probds_from_text(text, length - 1, NULL, &t, NULL) == PROBDS_CORRUPT);
			CHECK(t == NULL);
			probds_free(s);
		}
}

TEST(a_stored_sketch_continues)
{
	for (size_t type = 0; type < FUSE; type++)
	{
		/* so few that neither topk nor scalable_bloom depend on the order */
		probds_sketch *all = sketch_of(type, 0, 30);
		probds_sketch *s = sketch_of(type, 0, 10);
		probds_sketch *t;
		const void *bytes;
		size_t		length;

		/* an automatic bloom, or one that collects, is sized when it is stored */
		if (types[type].options[0] == '\0' && strcmp(types[type].type, "bloom") == 0)
		{
			probds_free(all);
			probds_free(s);
			continue;
		}
		CHECK(probds_to_bytes(s, &bytes, &length, NULL) == PROBDS_OK);
		CHECK(probds_from_bytes(bytes, length, NULL, &t, NULL) == PROBDS_OK);
		for (int i = 10; i < 30; i++)
			CHECK(probds_add(t, probds_value_integer(PROBDS_INTEGER, i), 1, NULL) == PROBDS_OK);
		check_same(all, t);
		probds_free(t);
		/* as does one whose bytes were looked at */
		for (int i = 10; i < 30; i++)
			CHECK(probds_add(s, probds_value_integer(PROBDS_INTEGER, i), 1, NULL) == PROBDS_OK);
		check_same(all, s);
		probds_free(s);
		probds_free(all);
	}
}

TEST(unions_are_of_all_values)
{
	for (size_t type = 0; type < FUSE; type++)
	{
		const char *name = types[type].type;
		probds_sketch *all = sketch_of(type, 0, 40);
		probds_sketch *a = sketch_of(type, 0, 20);
		probds_sketch *b = sketch_of(type, 20, 20);
		probds_error error;
		bool		automatic = strcmp(name, "bloom") == 0 && types[type].options[0] == '\0';
		int			code = probds_merge(a, b, &error);

		/* two automatic ones of as many values have the same shape */
		CHECK(code == PROBDS_OK);
		if (!automatic && strcmp(name, "scalable_bloom") != 0 &&
			strstr(types[type].options, "conservative") == NULL)
			check_same(all, a);
		CHECK(probds_merge(a, a, &error) == PROBDS_OK);
		probds_free(a);
		probds_free(b);
		probds_free(all);
	}
}

/* A sketch after a merge that fails, and the same values without it. */
static void
check_refused(const char *type, const char *options, const char *other_options,
			  probds_value value, probds_value other_value, int64_t weight)
{
	probds_sketch *s;
	probds_sketch *same;
	probds_sketch *other;

	CHECK(probds_new(type, options, NULL, &s, NULL) == PROBDS_OK &&
		  probds_new(type, options, NULL, &same, NULL) == PROBDS_OK &&
		  probds_new(type, other_options, NULL, &other, NULL) == PROBDS_OK);
	CHECK(probds_add(s, value, 1, NULL) == PROBDS_OK &&
		  probds_add(same, value, 1, NULL) == PROBDS_OK &&
		  probds_add(other, other_value, weight, NULL) == PROBDS_OK);
	CHECK(probds_merge(s, other, NULL) == (weight == 1 ? PROBDS_MISMATCH : PROBDS_LIMIT));
	for (int i = 0; i < 5000; i++)
	{
		value.of.integer = i;
		CHECK(probds_add(s, value, 1, NULL) == PROBDS_OK &&
			  probds_add(same, value, 1, NULL) == PROBDS_OK);
	}
	check_same(s, same);
	probds_free(s);
	probds_free(same);
	probds_free(other);
}

TEST(a_union_that_fails_changes_nothing)
{
	probds_value number = probds_value_integer(PROBDS_INTEGER, 1);
	probds_value day = probds_value_integer(PROBDS_DATE, 1);

	check_refused("hll", "precision=14", "precision=10", number, day, 1);
	check_refused("minhash", "k=1024", "k=16", number, day, 1);
	check_refused("bloom", "", "capacity=1000", number, number, 1);
	check_refused("bloom", "", "capacity=1000", number, day, 1);
	check_refused("scalable_bloom", "", "", number, day, 1);
	check_refused("ddsketch", "error=0.001", "error=0.1", number, number, INT64_MAX);
}

TEST(a_fuse_is_finished)
{
	probds_sketch *s = sketch_of(FUSE, 0, 90);
	probds_sketch *all = sketch_of(FUSE, 0, 91);
	probds_sketch *t;
	probds_value value = probds_value_integer(PROBDS_INTEGER, 90);
	probds_error error;
	const void *bytes;
	size_t		length;
	double		n;
	int			contained;

	CHECK(probds_to_bytes(s, &bytes, &length, NULL) == PROBDS_OK);
	CHECK(probds_from_bytes(bytes, length, NULL, &t, NULL) == PROBDS_OK);
	/* the one that was made can change, and the one that was read is as it was after an error */
	CHECK(probds_add(s, value, 1, NULL) == PROBDS_OK);
	check_same(s, all);
	CHECK(probds_add(t, value, 1, &error) == PROBDS_NO_ANSWER);
	CHECK(probds_merge(t, s, &error) == PROBDS_NO_ANSWER);
	CHECK(probds_merge(s, t, &error) == PROBDS_NO_ANSWER);
	CHECK(probds_merge(s, s, &error) == PROBDS_NO_ANSWER);
	check_same(s, all);
	CHECK(probds_cardinality(t, &n, NULL) == PROBDS_OK && n == 90);
	for (int i = 0; i < 90; i++)
	{
		value.of.integer = i;
		CHECK(probds_contains(t, value, &contained, NULL) == PROBDS_OK && contained == 1);
	}
	probds_free(s);
	probds_free(t);
	probds_free(all);
}

/* A lookup in a sketch that grows tells what its bytes tell. */
TEST(lookups_between_values)
{
	for (size_t type = 0; type < TYPES; type++)
	{
		probds_sketch *s = sketch_of(type, 0, 0);
		int			contained;

		for (int i = 0; i < 600; i++)
		{
			probds_value value = probds_value_integer(PROBDS_INTEGER, 7 * i % 1000);
			probds_value other = probds_value_integer(PROBDS_INTEGER, 5 * i % 1000);
			int64_t		counts[2][3];
			const void *bytes;
			size_t		length;
			int			again;
			probds_sketch *t;

			CHECK(probds_add(s, value, 1, NULL) == PROBDS_OK);
			if (probds_contains(s, other, &contained, NULL) != PROBDS_OK)
				break;
			/* (a filter without a capacity chooses its size when it is stored) */
			if (i % 50 != 49 || strcmp(types[type].type, "scalable_bloom") == 0)
				continue;
			CHECK(probds_frequency(s, other, &counts[0][0], &counts[0][1], &counts[0][2], NULL) ==
				  PROBDS_OK || strcmp(types[type].type, "bloom") == 0 || type == FUSE);
			CHECK(probds_to_bytes(s, &bytes, &length, NULL) == PROBDS_OK);
			CHECK(probds_from_bytes(bytes, length, NULL, &t, NULL) == PROBDS_OK);
			CHECK(probds_contains(t, other, &again, NULL) == PROBDS_OK && again == contained);
			if (probds_frequency(t, other, &counts[1][0], &counts[1][1], &counts[1][2], NULL) ==
				PROBDS_OK)
				CHECK(memcmp(counts[0], counts[1], sizeof(counts[0])) == 0);
			probds_free(t);
		}
		probds_free(s);
	}
}

TEST(values_of_all_kinds_by_their_canonical_bytes)
{
	static const uint8_t minus_one[8] = {255, 255, 255, 255, 255, 255, 255, 255};
	probds_value inet = probds_value_canonical(13, 0, "\004\040\012\0\0\001", 6);
	probds_value record = probds_value_canonical(20, 0x12345678, "\001", 1);
	static const struct
	{
		int			kind;
		uint32_t	signature;
	}			wrong[] = {{0, 0}, {24, 0}, {27, 0}, {13, 5}, {256, 0}, {25, 0}};
	probds_sketch *s;
	int			contained;
	int64_t		n;
	uint64_t	hash[2];

	CHECK(probds_value_hash(probds_value_canonical(PROBDS_INTEGER, 0, minus_one, 8), hash,
							NULL) == PROBDS_OK);
	CHECK_U64(hash[0], (uint64_t) -6853156495446839949);
	CHECK(probds_new("bloom", "capacity=100", NULL, &s, NULL) == PROBDS_OK);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(probds_add(s, probds_value_canonical(wrong[i].kind, wrong[i].signature, "", 0), 1,
						 NULL) == PROBDS_VALUE);
	CHECK(probds_add(s, record, 1, NULL) == PROBDS_OK);
	CHECK(probds_kind(s) == 20);
	CHECK(probds_contains(s, record, &contained, NULL) == PROBDS_OK && contained == 1);
	CHECK(probds_contains(s, inet, &contained, NULL) == PROBDS_MISMATCH);
	record.signature++;
	CHECK(probds_contains(s, record, &contained, NULL) == PROBDS_MISMATCH);
	probds_free(s);
	CHECK(probds_new("topk", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add(s, inet, 1, NULL) == PROBDS_VALUE);
	CHECK(probds_kind(s) == PROBDS_NONE);
	CHECK(probds_frequency(s, inet, &n, &n, &n, NULL) == PROBDS_OK && n == 0);
	probds_free(s);
	CHECK(probds_new("ddsketch", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add(s, probds_value_canonical(PROBDS_INTEGER, 0, minus_one, 8), 1, NULL) ==
		  PROBDS_VALUE);
	CHECK(probds_add_integers(s, PROBDS_INTEGER | PROBDS_CANONICAL, (int64_t[]) {1}, 1, NULL) ==
		  PROBDS_VALUE);
	probds_free(s);
	/* an error leaves an empty sketch without a kind */
	CHECK(probds_new("hll", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add_integers(s, PROBDS_DATE, (int64_t[]) {INT64_MAX}, 1, NULL) == PROBDS_VALUE);
	CHECK(probds_kind(s) == PROBDS_NONE);
	probds_free(s);
}

TEST(hashes_are_those_of_the_page)
{
	static const struct
	{
		int			kind;
		const char *text;
		int64_t		hash;
	}			vectors[] = {
		{PROBDS_INTEGER, "42", -5283633198602748424},
		{PROBDS_INTEGER, "-1", -6853156495446839949},
		{PROBDS_FLOAT, "0.1", -4759005337917139}, {PROBDS_FLOAT, "-0", 2945182322382062539},
		{PROBDS_FLOAT, "NaN", 3958114705316880442},
		{PROBDS_FLOAT, "-Infinity", 796547275549774552},
		{PROBDS_BOOLEAN, "t", 8849112093580131862},
		{PROBDS_TEXT, "foo", -2129773440516405919}, {PROBDS_TEXT, "", 0},
		{PROBDS_TEXT, "caf\303\251", -6708179634213395235},
		{PROBDS_UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", -874653215435296113},
		{PROBDS_DATE, "2000-01-02", 19144387141682250},
		{PROBDS_DATE, "infinity", -825607467753297562},
		{PROBDS_TIMESTAMP, "2000-01-02 00:00:00", -356589497984370872},
		{PROBDS_TIMESTAMPTZ, "2000-01-01 00:00:00-01", -5842370609088701451},
		{PROBDS_TIMESTAMPTZ, "-infinity", 78142285821850151}
	};

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
	{
		uint8_t		memory[16];
		probds_value v;
		uint64_t	hash[2];

		CHECK(probds_value_from_text(vectors[i].kind, vectors[i].text, strlen(vectors[i].text),
									 memory, &v, NULL) == PROBDS_OK);
		CHECK(probds_value_hash(v, hash, NULL) == PROBDS_OK);
		CHECK_U64(hash[0], (uint64_t) vectors[i].hash);
	}
}

TEST(texts_that_are_no_values_are_refused)
{
	static const struct
	{
		int			kind;
		const char *text;
	}			wrong[] = {
		{PROBDS_INTEGER, ""}, {PROBDS_INTEGER, "-"}, {PROBDS_INTEGER, "1 "},
		{PROBDS_INTEGER, "1.5"},
		{PROBDS_INTEGER, "9223372036854775808"}, {PROBDS_INTEGER, "-9223372036854775809"},
		{PROBDS_INTEGER, "99999999999999999999"}, {PROBDS_FLOAT, ""}, {PROBDS_FLOAT, "0x10"},
		{PROBDS_FLOAT, "1e"}, {PROBDS_FLOAT, " 1"}, {PROBDS_FLOAT, "nan(1)"},
		{PROBDS_UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1"}, {PROBDS_UUID, "g"},
		{PROBDS_UUID, "-"},
		{PROBDS_DATE, "2023-02-29"}, {PROBDS_DATE, "2023-13-01"}, {PROBDS_DATE, "23-01-01"},
		{PROBDS_DATE, "2023-01-01 "}, {PROBDS_DATE, "5874898-01-01"},
		{PROBDS_TIMESTAMP, "2023-01-01 24:00:01"}, {PROBDS_TIMESTAMP, "2023-01-01 12:00:00+00"},
		{PROBDS_TIMESTAMP, "294277-01-01"}, {PROBDS_TIMESTAMPTZ, "2023-01-01 12:00:00"},
		{PROBDS_BOOLEAN, "maybe"}, {14, "08:00:2b:01:02:03"}, {-1, "x"}, {999, "x"}
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		uint8_t		memory[16];
		probds_value v;
		probds_error error;

		CHECK(probds_value_from_text(wrong[i].kind, wrong[i].text, strlen(wrong[i].text), memory,
									 &v, &error) == PROBDS_VALUE);
		CHECK(error.code == PROBDS_VALUE && error.sentence[0] != '\0');
	}
}

TEST(lines_are_their_values)
{
	static const int kinds[] = {PROBDS_TEXT, PROBDS_BYTES, PROBDS_INTEGER, PROBDS_FLOAT};
	static char text[40000];

	for (int round = 0; round < 40; round++)
	{
		int			kind = kinds[round % 4];
		size_t		length = 0;
		size_t		at = 0;
		uint64_t	lines = 0;
		probds_sketch *a;
		probds_sketch *b;

		CHECK(probds_new("topk", "k=5", NULL, &a, NULL) == PROBDS_OK);
		CHECK(probds_new("topk", "k=5", NULL, &b, NULL) == PROBDS_OK);
		while (length < sizeof(text) - 100)
		{
			size_t		n = next_random() % (round < 20 ? 20 : 90);
			uint8_t		memory[16];
			probds_value v;
			char	   *line = text + length;

			if (kind == PROBDS_TEXT || kind == PROBDS_BYTES)
				for (size_t i = 0; i < n; i++)
					text[length++] = (char) ('a' + next_random() % 3);
			else
				length += (size_t) sprintf(line, "%d", (int) (next_random() % 1000) - 500);
			CHECK(probds_value_from_text(kind, line, (size_t) (text + length - line), memory, &v,
										 NULL) == PROBDS_OK);
			CHECK(probds_add(a, v, 1, NULL) == PROBDS_OK);
			text[length++] = '\n';
		}
		/* in pieces that end anywhere, in memory of just that size */
		while (at < length)
		{
			size_t		piece = 1 + next_random() % 3000;
			size_t		used;
			char	   *copy;

			piece = piece < length - at ? piece : length - at;
			copy = malloc(piece);
			memcpy(copy, text + at, piece);
			CHECK(probds_add_lines(b, kind, '\n', copy, piece, &used, &lines, NULL) == PROBDS_OK);
			CHECK(used <= piece);
			free(copy);
			at += used;
		}
		check_same(a, b);
		probds_free(a);
		probds_free(b);
	}
}

TEST(a_line_that_is_no_value_is_told)
{
	const char *text = "1\n2\nx\n4\n";
	probds_sketch *s;
	size_t		used;
	uint64_t	lines = 0;
	probds_error error;

	CHECK(probds_new("hll", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add_lines(s, PROBDS_INTEGER, '\n', text, 8, &used, &lines, &error) ==
		  PROBDS_VALUE);
	CHECK_U64(used, 4);
	CHECK_U64(lines, 2);
	probds_free(s);
	/* of an empty sketch, the kind stays open */
	CHECK(probds_new("topk", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add_lines(s, PROBDS_TEXT, '\n', "\xff\n", 2, &used, &lines, &error) ==
		  PROBDS_VALUE);
	CHECK(probds_kind(s) == PROBDS_NONE);
	CHECK(probds_add(s, probds_value_integer(PROBDS_INTEGER, 1), 1, NULL) == PROBDS_OK);
	probds_free(s);
}

/* A sketch that has values keeps their kind. */
TEST(lines_of_another_kind_change_nothing)
{
	for (size_t i = 0; i < TYPES; i++)
	{
		probds_sketch *s = sketch_of(i, 1, 3);
		probds_sketch *same = sketch_of(i, 1, 3);
		size_t		used;
		uint64_t	lines = 0;
		int			code = probds_add_lines(s, PROBDS_TEXT, '\n', "a\n", 2, &used, &lines, NULL);

		/* (a ddsketch says that it takes numbers alone) */
		CHECK(code == PROBDS_MISMATCH || code == PROBDS_VALUE);
		CHECK(probds_kind(s) == PROBDS_INTEGER && used == 0 && lines == 0);
		check_same(s, same);
		probds_free(s);
		probds_free(same);
	}
}

/* The number of its day, in microseconds, is below all of 64 bits. */
TEST(the_lowest_timestamp_has_a_text)
{
	probds_value lowest = probds_value_integer(PROBDS_TIMESTAMP, INT64_MIN + 1);
	probds_sketch *s;
	probds_item item;
	size_t		n;

	CHECK(probds_new("topk", NULL, NULL, &s, NULL) == PROBDS_OK);
	CHECK(probds_add(s, lowest, 1, NULL) == PROBDS_OK);
	CHECK(probds_top(s, &item, 1, &n, NULL) == PROBDS_OK && n == 1);
	CHECK_BYTES(item.text, "290279-12-22 19:59:05.224193 BC", item.length);
	probds_free(s);
}

TEST(what_is_no_option_is_refused)
{
	static const struct
	{
		const char *type;
		const char *options;
		int			code;
	}			wrong[] = {
		{"hyper", "", PROBDS_PARAMETER}, {"hll", "precision=3", PROBDS_PARAMETER},
		{"hll", "precision=14.5", PROBDS_PARAMETER}, {"hll", "precision", PROBDS_PARAMETER},
		{"hll", "precision=", PROBDS_PARAMETER}, {"hll", "k=3", PROBDS_PARAMETER},
		{"hll", "=", PROBDS_PARAMETER}, {"hll", ",", PROBDS_PARAMETER},
		{"bloom", "capacity=0", PROBDS_PARAMETER}, {"bloom", "capacity=nan", PROBDS_PARAMETER},
		{"bloom", "capacity=1e30", PROBDS_LIMIT}, {"bloom", "capacity=infinity", PROBDS_LIMIT},
		{"bloom", "rate=0.001", PROBDS_PARAMETER}, {"bloom", "capacity=9,rate=1", PROBDS_PARAMETER},
		{"bloom", "capacity=9,layout=square", PROBDS_PARAMETER},
		{"cuckoo", "", PROBDS_PARAMETER}, {"cuckoo", "capacity=1e12", PROBDS_LIMIT},
		{"counting_bloom", "", PROBDS_PARAMETER}, {"counting_bloom", "capacity=1e12", PROBDS_LIMIT},
		{"scalable_bloom", "rate=1e-8", PROBDS_PARAMETER},
		{"scalable_bloom", "capacity=1e18", PROBDS_LIMIT}, {"cms", "epsilon=1e-9", PROBDS_LIMIT},
		{"topk", "k=20,counters=3", PROBDS_PARAMETER}, {"minhash", "k=100", PROBDS_PARAMETER},
		{"ddsketch", "error=1e-9", PROBDS_PARAMETER}
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		probds_sketch *s;
		probds_error error;
		int			code = probds_new(wrong[i].type, wrong[i].options, NULL, &s, &error);

		if (code != wrong[i].code)
			printf("# %s %s: %d\n", wrong[i].type, wrong[i].options, code);
		CHECK(code == wrong[i].code && s == NULL && error.code == code);
	}
}

TEST(kinds_and_types_do_not_mix)
{
	probds_sketch *s = sketch_of(0, 0, 3);
	probds_sketch *t = sketch_of(2, 0, 3);
	probds_sketch *topk = sketch_of(7, 0, 3);
	probds_sketch *dd = sketch_of(13, 1, 3);
	probds_value text = probds_value_bytes(PROBDS_TEXT, "a", 1);
	int64_t		total;
	double		x;
	int			contained;

	CHECK(probds_add(s, text, 1, NULL) == PROBDS_MISMATCH);
	CHECK(probds_merge(s, t, NULL) == PROBDS_MISMATCH);
	CHECK(probds_contains(t, text, &contained, NULL) == PROBDS_MISMATCH);
	CHECK(probds_contains(s, text, &contained, NULL) == PROBDS_NO_ANSWER);
	CHECK(probds_add(s, text, 2, NULL) == PROBDS_VALUE);
	CHECK(probds_add(topk, text, -1, NULL) == PROBDS_VALUE);
	CHECK(probds_add(dd, text, 1, NULL) == PROBDS_VALUE);
	CHECK(probds_add(dd, probds_value_float(2.5), 7, NULL) == PROBDS_OK);
	CHECK(probds_total(dd, &total, NULL) == PROBDS_OK && total == 10);
	CHECK(probds_add(dd, probds_value_float(2.5), INT64_MAX, NULL) == PROBDS_LIMIT);
	CHECK(probds_total(s, &total, NULL) == PROBDS_NO_ANSWER);
	CHECK(probds_remove(s, text, NULL) == PROBDS_NO_ANSWER);
	CHECK(probds_quantile(s, 0.5, &x, &x, &x, NULL) == PROBDS_NO_ANSWER);
	CHECK(probds_quantile(dd, 1.5, &x, &x, &x, NULL) == PROBDS_PARAMETER);
	CHECK(probds_cardinality(s, &x, NULL) == PROBDS_OK && x == 3);
	probds_free(s);
	probds_free(t);
	probds_free(topk);
	probds_free(dd);
}

TEST(answers)
{
	probds_sketch *cms = sketch_of(5, 0, 100);
	probds_sketch *cuckoo = sketch_of(8, 0, 100);
	probds_sketch *top = sketch_of(7, 0, 20);
	probds_sketch *a = sketch_of(12, 0, 60);
	probds_sketch *b = sketch_of(12, 20, 60);
	probds_sketch *dd = sketch_of(13, 1, 100);
	probds_value seven = probds_value_integer(PROBDS_INTEGER, 7);
	probds_item items[3];
	size_t		n;
	int64_t		lower;
	int64_t		estimate;
	int64_t		upper;
	double		x;
	double		y;
	double		z;
	int			contained;

	CHECK(probds_add(cms, seven, 1000, NULL) == PROBDS_OK);
	CHECK(probds_add(cms, seven, -1, NULL) == PROBDS_OK);
	CHECK(probds_frequency(cms, seven, &lower, &estimate, &upper, NULL) == PROBDS_OK);
	CHECK(lower <= 1000 && estimate >= 1000 && upper >= 1000 && estimate < 1100);
	CHECK(probds_contains(cuckoo, seven, &contained, NULL) == PROBDS_OK && contained == 1);
	for (int i = 0; i < 2; i++)
		CHECK(probds_remove(cuckoo, seven, NULL) == (i == 0 ? PROBDS_OK : PROBDS_ABSENT));
	CHECK(probds_contains(cuckoo, seven, &contained, NULL) == PROBDS_OK && contained == 0);
	CHECK(probds_add(top, seven, 9, NULL) == PROBDS_OK);
	CHECK(probds_top(top, items, 3, &n, NULL) == PROBDS_OK && n == 3);
	CHECK(items[0].length == 1 && items[0].text[0] == '7' && items[0].frequency == 10);
	CHECK(probds_jaccard(a, b, &x, NULL) == PROBDS_OK && x == 0.5);
	CHECK(probds_quantile(dd, 0.5, &x, &y, &z, NULL) == PROBDS_OK && x <= 50 && z >= 50);
	CHECK_NEAR(y, 50, 0.6);
	CHECK(probds_rank(dd, 50, &x, NULL) == PROBDS_OK);
	CHECK_NEAR(x, 0.5, 0.02);
	probds_free(cms);
	probds_free(cuckoo);
	probds_free(top);
	probds_free(a);
	probds_free(b);
	probds_free(dd);
}

/* ---------- memory ---------- */

typedef struct purse
{
	int			left;			/* so many more */
	int			held;
} purse;

static void *
take_from(void *context, size_t size)
{
	purse	   *p = context;

	if (p->left-- <= 0)
		return NULL;
	p->held++;
	return malloc(size);
}

static void
give_back(void *context, void *memory)
{
	((purse *) context)->held--;
	free(memory);
}

TEST(memory_can_end_anywhere)
{
	for (size_t type = 0; type < TYPES; type++)
		for (int n = 0; n < 60; n++)
		{
			purse		p = {n, 0};
			probds_allocator allocator = {take_from, give_back, &p};
			probds_sketch *s;
			probds_sketch *t = NULL;
			const void *bytes;
			size_t		length;
			double		x;
			int			code = probds_new(types[type].type, types[type].options, &allocator, &s,
										  NULL);

			for (int i = 0; code == PROBDS_OK && i < 300; i++)
				code = probds_add(s, probds_value_integer(PROBDS_INTEGER, i), 1, NULL);
			if (code == PROBDS_OK)
				code = probds_to_bytes(s, &bytes, &length, NULL);
			if (code == PROBDS_OK)
				code = probds_from_bytes(bytes, length, &allocator, &t, NULL);
			if (code == PROBDS_OK)
				code = probds_merge(t, s, NULL);
			if (code == PROBDS_OK)
				(void) probds_cardinality(t, &x, NULL);
			CHECK(code == PROBDS_OK || code == PROBDS_MEMORY || code == PROBDS_LIMIT ||
				  (code == PROBDS_NO_ANSWER && type == FUSE));
			probds_free(s);
			probds_free(t);
			CHECK_U64((uint64_t) p.held, 0);
		}
}

/* ---------- damage ---------- */

static void
ignore(void *context, const char *name, const char *text)
{
	*(size_t *) context += strlen(name) + strlen(text);
}

/* Ask everything. */
static void
ask(probds_sketch *s, probds_sketch *other)
{
	probds_value values[2] = {probds_value_integer(PROBDS_INTEGER, 5),
		probds_value_bytes(PROBDS_TEXT, "abc", 3)};
	probds_item items[8];
	size_t		n = 0;
	double		x;
	double		y;
	double		z;
	int64_t		i;
	int			c;
	const void *bytes;

	(void) probds_cardinality(s, &x, NULL);
	(void) probds_cardinality_bounds(s, 0.95, &x, &y, &z, NULL);
	for (int v = 0; v < 2; v++)
	{
		(void) probds_contains(s, values[v], &c, NULL);
		(void) probds_frequency(s, values[v], &i, &i, &i, NULL);
	}
	(void) probds_total(s, &i, NULL);
	(void) probds_top(s, items, 8, &n, NULL);
	(void) probds_quantile(s, 0.5, &x, &y, &z, NULL);
	(void) probds_rank(s, 5, &x, NULL);
	(void) probds_jaccard(s, other, &x, NULL);
	(void) probds_info(s, ignore, &n, NULL);
	(void) probds_merge(s, other, NULL);
	(void) probds_add(s, values[0], 1, NULL);
	(void) probds_contains(s, values[0], &c, NULL);
	(void) probds_remove(s, values[0], NULL);
	(void) probds_to_bytes(s, &bytes, &n, NULL);
}

TEST(damaged_bytes_do_no_harm)
{
	const char *asked = getenv("PROBDS_MUTATIONS");
	long		rounds = asked != NULL ? atol(asked) : 1000;
	uint64_t	accepted = 0;

	for (size_t type = 0; type < TYPES; type++)
	{
		probds_sketch *sources[4];

		for (int i = 0; i < 4; i++)
			sources[i] = sketch_of(type, i, (int64_t[]) {1, 12, 90, 700}[i]);
		for (long round = 0; round < rounds; round++)
		{
			const void *bytes;
			size_t		length;
			uint8_t    *copy;
			probds_sketch *s;
			probds_error error;

			(void) probds_to_bytes(sources[round % 4], &bytes, &length, NULL);
			copy = malloc(length);
			memcpy(copy, bytes, length);
			for (uint64_t n = 1 + next_random() % 3; n > 0; n--)
			{
				/* often near the beginning, where the numbers are */
				size_t		at = next_random() % (next_random() % 2 || length < 16 ? length : 16);

				copy[at] = next_random() % 2 ? (uint8_t) next_random() :
					(uint8_t) (copy[at] ^ 1u << next_random() % 8);
			}
			if (next_random() % 4 == 0)
				length = next_random() % (length + 1);
			if (probds_from_bytes(copy, length, NULL, &s, &error) == PROBDS_OK)
			{
				accepted++;
				ask(s, sources[next_random() % 4]);
				probds_free(s);
			}
			else
				CHECK((error.code == PROBDS_CORRUPT || error.code == PROBDS_LIMIT) &&
					  error.sentence[0] != '\0');
			free(copy);
		}
		for (int i = 0; i < 4; i++)
			probds_free(sources[i]);
	}
	CHECK(accepted > 0);
}
