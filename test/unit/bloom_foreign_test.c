/*
 * bloom_foreign_test.c: the filters of Guava, RedisBloom and Parquet, read, probed, added to
 * and written
 */
#include "test.h"

#include "bloom_foreign_made.h"

#include "bloom_estimate.h"

static pds_hash
random_hash(void)
{
	pds_hash	h;

	h.h1 = test_random();
	h.h2 = test_random();
	return h;
}

/* ---------- what the systems themselves wrote ---------- */

/* A key as the bytes that are hashed there. */
typedef struct known_key
{
	const char *bytes;
	size_t		len;
	pds_kind	kind;
} known_key;

#define TEXT(s)		{s, sizeof(s) - 1, PDS_KIND_STRING}
#define BYTES(s)	{s, sizeof(s) - 1, PDS_KIND_BYTES}
#define LONG(s)		{s "\0\0\0\0\0\0\0", 8, PDS_KIND_NUMBER}

typedef struct known_filter
{
	uint8_t		family;
	const char *hex;
	int			n;
	known_key	keys[10];
} known_filter;

static const known_filter known[] = {
	/* guava 31.1: BloomFilter.create(funnel, 10, 0.01), put, writeTo */
	{PDS_BLOOM_CLASSIC, "0107000000020010000009000814a040814200002010",
	3, {TEXT("foo"), TEXT("bar"), TEXT("hello")}},
	{PDS_BLOOM_CLASSIC, "010700000002200115558880c0800000100088080c00",
	3, {BYTES("f\0o\0o\0"), BYTES("b\0a\0r\0"), BYTES("h\0e\0l\0l\0o\0")}},
	{PDS_BLOOM_CLASSIC, "01070000000250000104008010400005412610412600",
	3, {LONG("\1"), LONG("\2"), LONG("\3")}},
	{PDS_BLOOM_CLASSIC, "0107000000024818080080000c084020000948000200",
	3, {BYTES("\1\0\0\0"), BYTES("\2\0\0\0"), BYTES("\3\0\0\0")}},
	{PDS_BLOOM_GUAVA32, "000700000002043000410390000240010c1000004084",
	3, {TEXT("foo"), TEXT("bar"), TEXT("hello")}},
	/* RedisBloom: BF.RESERVE k 0.01 10, BF.MADD, BF.SCANDUMP */
	{PDS_BLOOM_REDIS,
		"0500000000000000 01000000 05000000 02000000 1000000000000000 8000000000000000"
		"0500000000000000 7b14ae47e17a743f e9862fb2350e2640 08000000 0a00000000000000 00"
		"2ca02b025803482a08e089182a041a04",
	5, {TEXT("foo"), TEXT("bar"), TEXT("hello"), TEXT("1"), TEXT("2")}},
	/* arrow-rs */
	{PDS_BLOOM_PARQUET,
		"15401c1c00001c1c00001c1c000000"
		"c80150144044086d062504439050602008842b21000563410200e02c404e6004",
		10, {TEXT("a0"), TEXT("a1"), TEXT("a2"), TEXT("a3"), TEXT("a4"),
	TEXT("a5"), TEXT("a6"), TEXT("a7"), TEXT("a8"), TEXT("a9")}},
	{PDS_BLOOM_PARQUET,
		"15401c1c00001c1c00001c1c000000"
		"0000100000020000000400008000000000020000000000800000001000000008",
	1, {TEXT("hello")}},
	{PDS_BLOOM_PARQUET,
		"15401c1c00001c1c00001c1c000000"
		"0000000800000002000000020000020000000004000000084000000000010000",
	1, {LONG("\1")}},
	/* DuckDB 1.5.6: INTEGER, BIGINT */
	{PDS_BLOOM_PARQUET32,
		"15401c1c00001c1c00001c1c000000"
		"240004000000000c004080000502000080000084002040000000500200380000",
	3, {LONG("\1"), LONG("\2"), LONG("\3")}},
	{PDS_BLOOM_PARQUET,
		"15401c1c00001c1c00001c1c000000"
		"0000180804000402020400020000260040004004000002884000002020090000",
	3, {LONG("\1"), LONG("\2"), LONG("\3")}},
};

static pds_hash
key_hash(uint8_t family, const known_key *k)
{
	pds_hash	h = {0, 0};

	if (pds_bloom_hashes_natively(family))
		return pds_murmur3(k->bytes, k->len, 0);
	CHECK(pds_bloom_foreign_hash(family, k->kind, k->bytes, k->len, &h));
	return h;
}

TEST(what_they_wrote)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
	{
		const known_filter *want = &known[i];
		payload		p = payload_from_hex(want->hex);
		payload		stored;
		payload		again;
		pds_bloom_foreign f;
		pds_bloom_view v;
		filter		theirs;
		filter		ours;
		const char *why = "";

		if (!CHECK_U64(foreign_open(want->family, &f, &p, &why), PDS_OK))
			printf("# filter %zu: %s\n", i, why);
		CHECK_U64(f.shape.family, want->family == PDS_BLOOM_PARQUET32 ? PDS_BLOOM_PARQUET
				  : want->family);
		f.shape.family = want->family;
		theirs = foreign_filter(&f, want->keys[0].kind);

		/* the same keys added here set the same bits, and are found */
		ours = filter_of_bits(&f.shape);
		pds_state_set_kind(ours.b, want->keys[0].kind);
		for (int k = 0; k < want->n; k++)
			filter_add(&ours, key_hash(want->family, &want->keys[k]));
		CHECK_BYTES(pds_bloom_build_array(ours.b), pds_bloom_build_array(theirs.b),
					f.shape.bits / 8);
		stored = filter_encode(&theirs);
		v = payload_view(&stored);
		for (int k = 0; k < want->n; k++)
			CHECK(payload_contains(&stored, &v, key_hash(want->family, &want->keys[k])));

		/* and they are written to the byte */
		again = foreign_write(&v.shape, pds_bloom_build_array(ours.b), (uint64_t) want->n, 2);
		if (CHECK_U64(again.len, p.len) && !CHECK_BYTES(again.bytes, p.bytes, p.len))
			printf("# filter %zu\n", i);
		payload_free(&again);
		payload_free(&stored);
		payload_free(&p);
		filter_free(&ours);
		filter_free(&theirs);
	}
}

/* RedisBloom: BF.RESERVE k 0.01 10 makes this of the five values; how many says the fill. */
TEST(redis_knows_how_many_values)
{
	payload		p = payload_from_hex(known[5].hex);
	pds_bloom_foreign f;
	pds_bloom_summary s;
	pds_bloom_view v;
	const char *why;
	filter		b;
	payload		stored;

	CHECK_U64(pds_bloom_redis_open(&f, p.bytes, p.len, &why), PDS_OK);
	CHECK_U64(f.shape.capacity, 10);
	CHECK_U64(f.shape.hashes, 8);
	CHECK_NEAR(pds_decimal_value(f.shape.rate), 0.005, 0);
	b = foreign_filter(&f, PDS_KIND_STRING);
	stored = filter_encode(&b);
	v = payload_view(&stored);
	CHECK_U64(pds_bloom_summarize(&v, &s), PDS_OK);
	CHECK_NEAR(pds_bloom_cardinality(&s), 5, 0.49);
	filter_free(&b);
	payload_free(&stored);
	payload_free(&p);
}

TEST(redis_hash)
{
	pds_hash	h;

	CHECK(pds_bloom_foreign_hash(PDS_BLOOM_REDIS, PDS_KIND_STRING, "foo", 3, &h));
	CHECK_U64(h.h1, UINT64_C(0x822b4f99b121f10d));
	CHECK_U64(h.h2, UINT64_C(0x9d63d52a557f61c2));
}

/* Numbers that a column of Parquet can hold, in 8 bytes and in 4. */
TEST(parquet_numbers)
{
	static const int64_t values[] = {
		0, 1, -1, INT32_MAX, INT32_MIN, (int64_t) INT32_MAX + 1, (int64_t) INT32_MIN - 1,
		INT64_MAX, INT64_MIN
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
	{
		uint8_t		bytes[9] = {0};
		bool		fits = values[i] >= INT32_MIN && values[i] <= INT32_MAX;
		pds_hash	wide = {0, 0};
		pds_hash	narrow = {0, 0};

		pds_store_le64(bytes, (uint64_t) values[i]);
		CHECK(pds_bloom_foreign_hash(PDS_BLOOM_PARQUET, PDS_KIND_NUMBER, bytes, 8, &wide));
		CHECK(pds_bloom_foreign_hash(PDS_BLOOM_PARQUET32, PDS_KIND_NUMBER, bytes, 8, &narrow) ==
			  fits);
		CHECK(wide.h1 != narrow.h1);
		if (fits)
		{
			pds_hash	four;

			CHECK(pds_bloom_foreign_hash(PDS_BLOOM_PARQUET, PDS_KIND_BYTES, bytes, 4, &four));
			CHECK_U64(narrow.h1, four.h1);
		}
		/* a numeric with a fraction is of other lengths */
		for (size_t len = 0; len < 10; len++)
			CHECK(len == 8 || !pds_bloom_foreign_hash(PDS_BLOOM_PARQUET, PDS_KIND_NUMBER, bytes,
													  len, &wide));
	}
}

/* ---------- filters of all sizes ---------- */

static pds_bloom_shape
random_shape(uint8_t family, int round)
{
	uint64_t	unit = family == PDS_BLOOM_PARQUET ? 256 : 64;
	int			hashes = family == PDS_BLOOM_PARQUET ? 8 : 1 + (int) below(40);
	uint64_t	units = round % 4 == 0 ? 1 + below(8) : round % 4 == 3 ? 1 + below(5000) : 1
		+ below(200);
	pds_bloom_shape s = shape_explicit(units * unit, hashes, family);

	if (family == PDS_BLOOM_REDIS)
	{
		s.capacity = 1 + below(1000);
		s.rate = pds_decimal_code(0.01);
	}
	return s;
}

/* In each form of a state, and each encoding: the bits that the others set, and no more. */
TEST(bits_of_every_family)
{
	for (int round = 0; round < 200; round++)
	{
		pds_bloom_shape s = random_shape(foreign_families[round % FOREIGN_FAMILIES], round);
		uint64_t	most = s.bits / s.hashes + 1;
		size_t		n = below((size_t) (round % 3 == 0 ? most / 16 + 2 : most));
		size_t		len = (size_t) (s.bits / 8);
		uint8_t    *array = sketch_memory(len);
		pds_hash   *keys = sketch_memory((n + 1) * sizeof(pds_hash));
		filter		f = filter_new(&s);
		filter		direct = filter_of_bits(&s);
		pds_bloom_foreign opened;
		pds_bloom_view v;
		payload		stored;
		payload		p;
		payload		again;
		const char *why = "";

		pds_state_set_kind(f.b, PDS_KIND_BYTES);
		pds_state_set_kind(direct.b, PDS_KIND_BYTES);
		memset(array, 0, len);
		for (size_t i = 0; i < n; i++)
		{
			keys[i] = random_hash();
			foreign_set(array, &s, keys[i]);
			filter_add(&f, keys[i]);
			filter_add(&direct, keys[i]);
		}
		CHECK_BYTES(pds_bloom_build_array(direct.b), array, len);

		/* stored, read, and what is in it asked for */
		stored = filter_encode(&f);
		v = payload_view(&stored);
		CHECK_U64(v.shape.family, s.family);
		p = filter_encode(&direct);
		CHECK(payload_equal(&p, &stored));
		payload_free(&p);
		for (size_t i = 0; i < n; i++)
			CHECK(payload_contains(&stored, &v, keys[i]));
		for (int i = 0; i < 200; i++)
		{
			pds_hash	h = random_hash();
			bool		has = foreign_has(array, &s, h);

			CHECK(pds_bloom_array_contains(array, &s, h) == has);
			CHECK(payload_contains(&stored, &v, h) == has);
		}

		/* out, in and out */
		p = foreign_bytes(&s, array, n);
		if (!CHECK_U64(foreign_open(s.family, &opened, &p, &why), PDS_OK))
			printf("# family %d, %llu bits: %s\n", s.family, (unsigned long long) s.bits, why);
		CHECK(pds_bloom_same_shape(&opened.shape, &s));
		filter_free(&f);
		f = foreign_filter(&opened, PDS_KIND_BYTES);
		CHECK_BYTES(pds_bloom_build_array(f.b), array, len);
		again = foreign_write(&opened.shape, array, n, 2);
		if (CHECK_U64(again.len, p.len))
		{
			/* the rate and bits a value of RedisBloom are computed again */
			if (s.family == PDS_BLOOM_REDIS)
				memcpy(again.bytes + 44, p.bytes + 44, 16);
			CHECK_BYTES(again.bytes, p.bytes, p.len);
		}
		payload_free(&again);

		payload_free(&p);
		payload_free(&stored);
		filter_free(&direct);
		filter_free(&f);
		free(keys);
		free(array);
	}
}

/* What RedisBloom looks at when it loads: k belongs to the bits a value, and these to the rate. */
TEST(redis_head_agrees_with_itself)
{
	for (int hashes = 1; hashes <= PDS_BLOOM_MAX_HASHES; hashes++)
	{
		static const double rates[] = {0, 0.25, 0.01, 0.005, 0.0025, 0.00123, 1e-5, 1e-9};

		for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		{
			pds_bloom_shape s = shape_explicit(1024, hashes, PDS_BLOOM_REDIS);
			uint8_t		array[128] = {0};
			pds_bloom_foreign f;
			payload		p;
			const char *why = "";

			s.capacity = 77;
			s.rate = pds_decimal_code(rates[i]);
			for (uint32_t expansion = 0; expansion < 3; expansion++)
			{
				p = foreign_write(&s, array, 5, expansion);
				CHECK_U64(pds_load_le32(p.bytes + 12), expansion == 0 ? 13 : 5);
				CHECK_U64(pds_load_le32(p.bytes + 16), expansion == 0 ? 2 : expansion);
				if (!CHECK_U64(pds_bloom_redis_open(&f, p.bytes, p.len, &why), PDS_OK))
					printf("# %d hashes, rate %g: %s\n", hashes, rates[i], why);
				CHECK_U64(f.shape.hashes, (uint64_t) hashes);
				CHECK_U64(f.shape.capacity, 77);
				payload_free(&p);
			}
		}
	}
}

/* ---------- estimates ---------- */

/* The numbers of keys and the rate that a filter's fill tells, at what it is made for. */
TEST(estimates_of_every_family)
{
	for (int i = 0; i < FOREIGN_FAMILIES; i++)
	{
		for (int sparse = 0; sparse < 2; sparse++)
		{
			pds_bloom_shape s = shape_explicit(1 << 20, 8, foreign_families[i]);
			int			n = sparse ? 5000 : 100000;
			filter		f = filter_new(&s);
			pds_bloom_summary sum;
			pds_bloom_view v;
			payload		stored;
			double		rate;
			int			hits = 0;

			pds_state_set_kind(f.b, PDS_KIND_BYTES);
			for (int k = 0; k < n; k++)
				filter_add(&f, random_hash());
			stored = filter_encode(&f);
			v = payload_view(&stored);
			CHECK_U64(v.encoding, sparse ? PDS_BLOOM_SPARSE : PDS_BLOOM_ARRAY);
			CHECK_U64(pds_bloom_summarize(&v, &sum), PDS_OK);
			CHECK_NEAR(pds_bloom_cardinality(&sum), n, 5 * pds_bloom_cardinality_error(&sum));
			CHECK(pds_bloom_cardinality_error(&sum) < 0.005 * n);
			CHECK(strcmp(pds_bloom_status_of(&sum), sparse ? "ok" : "over capacity") == 0);
			rate = pds_bloom_current_rate(&sum);
			for (int k = 0; k < 200000 && !sparse; k++)
				hits += payload_contains(&stored, &v, random_hash());
			CHECK(sparse || (rate > 0.005 && rate < 0.05));
			if (!sparse)
				CHECK_NEAR(hits / 200000.0, rate, 0.05 * rate);
			payload_free(&stored);
			filter_free(&f);
		}
	}
}

/* The rates of a split block filter in both encodings are the same sums. */
TEST(word_counts_in_both_encodings)
{
	for (int round = 0; round < 30; round++)
	{
		pds_bloom_shape s = shape_explicit(256 * (1 + below(300)), 8, PDS_BLOOM_PARQUET);
		filter		f = filter_of_bits(&s);
		uint64_t	n = s.bits / 64 / (1 + below(4));
		payload		stored;
		pds_bloom_view v;
		pds_bloom_summary sum;
		const uint8_t *array = pds_bloom_build_array(f.b);
		double		product = 0;

		pds_state_set_kind(f.b, PDS_KIND_BYTES);
		for (uint64_t i = 0; i < n; i++)
			filter_add(&f, random_hash());
		for (size_t block = 0; block < s.bits / 256; block++)
		{
			double		share = 1;

			for (size_t word = 0; word < 8; word++)
				share *= __builtin_popcount(pds_load_le32(array + block * 32 + word * 4)) / 32.0;
			product += share;
		}
		stored = filter_encode(&f);
		v = payload_view(&stored);
		CHECK_U64(pds_bloom_summarize(&v, &sum), PDS_OK);
		CHECK_NEAR(pds_bloom_current_rate(&sum), product / (double) (s.bits / 256), 1e-12);
		payload_free(&stored);
		filter_free(&f);
	}
}

/* ---------- what is refused ---------- */

/* The status of bytes that are changed at a place, in memory that ends where they end. */
static pds_status
changed(uint8_t family, const payload *p, size_t at, uint8_t value)
{
	payload		copy = payload_copy(p->bytes, p->len);
	pds_bloom_foreign f;
	const char *why = NULL;
	pds_status	status;

	copy.bytes[at] = value;
	status = foreign_open(family, &f, &copy, &why);
	CHECK(status == PDS_OK || why != NULL);
	payload_free(&copy);
	return status;
}

TEST(what_is_refused)
{
	uint8_t		array[96] = {1};

	for (int i = 0; i < FOREIGN_FAMILIES; i++)
	{
		pds_bloom_shape s = shape_explicit(768, 8, foreign_families[i]);
		payload		p = foreign_bytes(&s, array, 1);
		uint8_t		longer[256] = {0};
		payload		more = {longer, p.len + 1};
		pds_bloom_foreign f;
		const char *why = NULL;

		CHECK_U64(foreign_open(s.family, &f, &p, &why), PDS_OK);
		for (size_t len = 0; len < p.len; len++)
		{
			payload		cut = payload_copy(p.bytes, len);

			why = NULL;
			CHECK_U64(foreign_open(s.family, &f, &cut, &why), PDS_CORRUPT);
			CHECK(why != NULL);
			payload_free(&cut);
		}
		memcpy(longer, p.bytes, p.len);
		CHECK_U64(foreign_open(s.family, &f, &more, &why), PDS_CORRUPT);
		/* the other readers */
		for (int j = 0; j < FOREIGN_FAMILIES; j++)
			if (j != i && !(i < 2 && j < 2))
				CHECK(foreign_open(foreign_families[j], &f, &p, &why) != PDS_OK);
		payload_free(&p);
	}
}

TEST(what_is_refused_of_guava)
{
	uint8_t		array[96] = {1};
	pds_bloom_shape s = shape_explicit(768, 8, PDS_BLOOM_CLASSIC);
	payload		p = foreign_bytes(&s, array, 1);

	CHECK_U64(changed(s.family, &p, 0, 0), PDS_OK);
	CHECK_U64(changed(s.family, &p, 0, 2), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 1, 0), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 1, 40), PDS_OK);
	CHECK_U64(changed(s.family, &p, 1, 41), PDS_PARAMETER_MISMATCH);
	CHECK_U64(changed(s.family, &p, 1, 255), PDS_PARAMETER_MISMATCH);
	CHECK_U64(changed(s.family, &p, 2, 0x80), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 5, 11), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 5, 13), PDS_CORRUPT);
	payload_free(&p);
	p = payload_from_hex("010700000000");
	CHECK_U64(changed(s.family, &p, 0, 1), PDS_CORRUPT);
	payload_free(&p);
}

TEST(what_is_refused_of_redis)
{
	uint8_t		array[128] = {1};
	pds_bloom_shape s = shape_explicit(1024, 8, PDS_BLOOM_REDIS);
	payload		p = foreign_bytes(&s, array, 1);

	/* layers, options, the way of rounding */
	CHECK_U64(changed(s.family, &p, 8, 0), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 8, 2), PDS_PARAMETER_MISMATCH);
	CHECK_U64(changed(s.family, &p, 12, 1), PDS_PARAMETER_MISMATCH);
	CHECK_U64(changed(s.family, &p, 12, 4), PDS_OK);
	CHECK_U64(changed(s.family, &p, 12, 13), PDS_OK);
	CHECK_U64(changed(s.family, &p, 12, 16 + 5), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 72, 10), PDS_OK);
	CHECK_U64(changed(s.family, &p, 72, 9), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 72, 64), PDS_CORRUPT);
	/* bytes, bits, values, k, capacity */
	CHECK_U64(changed(s.family, &p, 20, 129), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 28, 1), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 0, 2), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 36, 2), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 60, 9), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 60, 0), PDS_CORRUPT);
	CHECK_U64(changed(s.family, &p, 71, 0x80), PDS_CORRUPT);
	memset(p.bytes + 64, 0, 8);
	CHECK_U64(changed(s.family, &p, 8, 1), PDS_CORRUPT);
	p.bytes[64] = 1;
	CHECK_U64(changed(s.family, &p, 8, 1), PDS_OK);
	/* a rate of NaN, and bits a value of infinity */
	CHECK_U64(changed(s.family, &p, 51, 0xff), PDS_CORRUPT);
	memcpy(p.bytes + 52, "\0\0\0\0\0\0\xf0\x7f", 8);
	CHECK_U64(changed(s.family, &p, 8, 1), PDS_CORRUPT);
	payload_free(&p);
}

TEST(what_is_refused_of_parquet)
{
	/* in turn: BLOCK, XXHASH, UNCOMPRESSED of something else; no blocks; not whole ones */
	static const char *const bad[] = {
		"15401c2c00001c1c00001c1c000000", "15401c1c00001c2c00001c1c000000",
		"15401c1c00001c1c00001c2c000000", "15001c1c00001c1c00001c1c000000",
		"15201c1c00001c1c00001c1c000000", "153f1c1c00001c1c00001c1c000000",
		"15c0001c1c00001c1c00001c1c000000", "15ffffffff0f1c1c00001c1c00001c1c000000",
		"15808080808080808080011c1c00001c1c00001c1c000000", "25401c1c00001c1c00001c1c000000", ""
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		for (int with = 0; with < 2; with++)
		{
			payload		head = payload_from_hex(bad[i]);
			payload		p = {sketch_memory(head.len + 32), head.len + (with ? 32 : 0)};
			pds_bloom_foreign f;
			const char *why = NULL;

			memset(p.bytes, 1, head.len + 32);
			memcpy(p.bytes, head.bytes, head.len);
			if (!CHECK_U64(pds_bloom_parquet_open(&f, p.bytes, p.len, &why), PDS_CORRUPT))
				printf("# %s\n", bad[i]);
			CHECK(why != NULL);
			payload_free(&p);
			payload_free(&head);
		}
	}
}

/* Stored bytes: families, kinds and shapes that do not go together. */
TEST(stored_bytes_that_are_refused)
{
	static const struct
	{
		uint8_t		family;
		pds_kind	kind;
		bool		holds;
	}			cases[] = {
		{PDS_BLOOM_GUAVA32, PDS_KIND_NUMBER, true}, {PDS_BLOOM_GUAVA32, PDS_KIND_DATE, true},
		{PDS_BLOOM_REDIS, PDS_KIND_STRING, true}, {PDS_BLOOM_REDIS, PDS_KIND_BYTES, true},
		{PDS_BLOOM_REDIS, PDS_KIND_HASH, true}, {PDS_BLOOM_REDIS, PDS_KIND_NUMBER, false},
		{PDS_BLOOM_REDIS, PDS_KIND_UUID, false}, {PDS_BLOOM_PARQUET, PDS_KIND_NUMBER, true},
		{PDS_BLOOM_PARQUET, PDS_KIND_UUID, true}, {PDS_BLOOM_PARQUET, PDS_KIND_STRING, true},
		{PDS_BLOOM_PARQUET, PDS_KIND_FLOAT, false}, {PDS_BLOOM_PARQUET32, PDS_KIND_NUMBER, true},
		{PDS_BLOOM_PARQUET32, PDS_KIND_HASH, true}, {PDS_BLOOM_PARQUET32, PDS_KIND_STRING, false},
		{PDS_BLOOM_PARQUET, PDS_KIND_NUMBER | PDS_KIND_ARRAY, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		pds_bloom_shape s = shape_explicit(512, 8, cases[i].family);
		filter		f = filter_new(&s);
		payload		p;

		pds_state_set_kind(f.b, cases[i].kind);
		filter_add(&f, random_hash());
		p = filter_encode(&f);
		if (!CHECK((pds_bloom_check(p.bytes, p.len, NULL) == PDS_OK) == cases[i].holds))
			printf("# family %d, kind %d\n", cases[i].family, pds_kind_code(cases[i].kind));
		/* families that there are not */
		p.bytes[1] = (uint8_t) (PDS_BLOOM_FAMILIES << 4 | (p.bytes[1] & 0x0f));
		CHECK_U64(pds_bloom_check(p.bytes, p.len, NULL), PDS_CORRUPT);
		payload_free(&p);
		filter_free(&f);
	}
	for (int hashes = 1; hashes <= 40; hashes++)
	{
		pds_bloom_shape s = {.family = PDS_BLOOM_PARQUET, .hashes = (uint8_t) hashes, .bits = 512};

		CHECK(pds_bloom_shape_valid(&s) == (hashes == 8));
		s.hashes = 8;
		s.bits = (uint64_t) hashes * 64;
		CHECK(pds_bloom_shape_valid(&s) == (hashes % 4 == 0));
	}
	/* a size left to capacity and rate: 126 bytes for 100 values at 1 %, of layouts only */
	for (uint8_t family = 0; family < PDS_BLOOM_FAMILIES; family++)
	{
		uint8_t		head[] = {0x21, (uint8_t) (family << 4), 0, 0x85, 0x03, 100};

		CHECK((pds_bloom_check(head, sizeof(head), NULL) == PDS_OK) == pds_bloom_is_layout(family));
	}
}
