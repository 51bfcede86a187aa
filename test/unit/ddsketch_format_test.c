/*
 * ddsketch_format_test.c: the stored bytes of a DDSketch, and bytes that must not pass for one
 */
#include "test.h"
#include "refuse.h"
#include "ddsketch_sketch.h"

/* ---------- writing ---------- */

TEST(a_sketch_of_one_number)
{
	static const uint8_t want[] = {
		0x91, 0x01, PDS_KIND_NUMBER, 16, 0x80, 0x20,
		/* not coarser; positive, one number; 1 of it */
		0, 32 + 64, 1,
		0, 0, 0, 0, 0, 0, 0xf8, 0x3f,
		/* one bucket, whose count is what was predicted */
		1, 1
	};
	double		number = 1.5;
	payload		p = payload_of(&number, 1, 6, 4096);

	CHECK_U64(p.len, sizeof(want));
	if (p.len == sizeof(want))
		CHECK_BYTES(p.bytes, want, sizeof(want));
	payload_free(&p);
}

TEST(what_is_no_bucket)
{
	static const double numbers[] = {0, -0.0, 0, -HUGE_VAL, HUGE_VAL, HUGE_VAL, NAN};
	static const uint8_t want[] = {
		0x91, 0x01, PDS_KIND_NUMBER, 16, 0x80, 0x20, 0, 15, 7, 3, 1, 2, 1
	};
	payload		p = payload_of(numbers, 7, 6, 4096);

	CHECK_U64(p.len, sizeof(want));
	if (p.len == sizeof(want))
		CHECK_BYTES(p.bytes, want, sizeof(want));
	payload_free(&p);
}

TEST(small_sketches_are_small)
{
	double		numbers[10];

	for (int trial = 0; trial < 1000; trial++)
	{
		payload		p;

		for (int i = 0; i < 10; i++)
			numbers[i] = pow(10, 6 * (double) (test_random() >> 11) / 9007199254740992.0);
		p = payload_of(numbers, 10, 6, 4096);
		CHECK(p.len <= 60);
		payload_free(&p);
	}
}

/* ---------- bytes that are none ---------- */

#define EXAMPLES	40

static payload
example(int number)
{
	stored_state s = sketch_new(number % 7 * 3 - 1, number % 3 == 0 ? 16 : 4096);
	int			n = number < 10 ? number : number * number / 5;
	payload		p;

	test_random_state = (uint64_t) number;
	for (int i = 0; i < n; i++)
	{
		double		u = (double) (test_random() >> 11) / 9007199254740992.0;
		double		v = exp(10 * u - 3);

		if (number % 2 == 1)
			v = floor(v);
		if (number % 5 == 1 && i % 3 == 0)
			v = -v;
		if (number % 11 == 5 && i % 10 == 3)
			v = i % 20 == 3 ? HUGE_VAL : i % 30 == 13 ? -HUGE_VAL : (double) NAN;
		if (sketch_try_add(&s, v, number % 4 == 3 ? 1 + below(100000) : 1) != PDS_OK)
			sketch_die("a number that cannot be added");
	}
	p = sketch_encode(&s);
	sketch_free(&s);
	return p;
}

/* Every answer of a view that only opened must be safe. */
static void
read_unchecked(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_ddsketch_view v;
	pds_ddsketch_range r;
	double		answer;

	if (pds_ddsketch_open(&v, copy.bytes, len, len, NULL) == PDS_OK && v.total > 0)
	{
		(void) pds_ddsketch_quantile(&v, 0.3, &r);
		(void) pds_ddsketch_quantile(&v, 0.99, &r);
		(void) pds_ddsketch_up_to(&v, 10, &answer);
		(void) pds_ddsketch_sum(&v, 1, &answer);
	}
	payload_free(&copy);
}

static const refuse_target the_target = {
	.ops = &pds_ddsketch_ops, .example = example, .examples = EXAMPLES, .encodings = 3,
	.classes = 1, .least = {1}, .most = {70}, .read_unchecked = read_unchecked
};

/* The same numbers in other words. */
TEST(what_could_be_written_otherwise)
{
	static const char *const hex[] = {
		/* two bytes for the one of a total, a bucket */
		"910101108020006081 00000000000000f83f0101",
		"91010110802000600100000000000000f83f8100 01",
		/* a smallest and a largest number that are the same, and no flag */
		"91010110802000200200000000000000f83f000000000000f83f0101",
		/* a count of 0 in the first bucket cannot be said; a total that is not the sum */
		"91010110802000600200000000000000f83f0101",
		/* a scale that is lower without need */
		"91010110802001600100000000000000f83f0101",
		/* another kind, another encoding, another version */
		"91010210802000600100000000000000f83f0101",
		"91020110802000600100000000000000f83f0101",
		"92010110802000600100000000000000f83f0101",
		/* a number that is none, infinite, negative, zero */
		"91010110802000600100000000000000f87f0101",
		"91010110802000600100000000000000f07f0101",
		"91010110802000600100000000000000f8bf0101",
		"910101108020006001000000000000000000 0101",
		/* an empty one with a kind, one without */
		"910001108020", "910100108020000001",
		/* parameters out of range */
		"9100001f8020", "9100000f0f", "91000010818004",
		/* data behind the last bucket */
		"91010110802000600100000000000000f83f010100",
		"91010110802000600100000000000000f83f0103"
	};

	for (size_t i = 0; i < sizeof(hex) / sizeof(hex[0]); i++)
	{
		payload		p = payload_from_hex(hex[i]);

		CHECK(refused(p.bytes, p.len));
		payload_free(&p);
	}
}
