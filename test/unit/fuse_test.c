/*
 * fuse_test.c: fuse filters: what they hold, how often they are wrong, how large they are, and
 * bytes that are none
 */
#include "test.h"

#include <math.h>

#include "fuse_sketch.h"

static const uint64_t sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 100, 127, 128, 129, 1000, 4096, 4097,
32768, 32769, 200000};
static const double rates[] = {0.9, 0.06, 0.01, 0.001, 1e-6, 1e-9};

TEST(fingerprints_keep_the_rate)
{
	CHECK(pds_fuse_bits(pds_decimal_code(0.9)) == 4);
	CHECK(pds_fuse_bits(pds_decimal_code(0.0625)) == 4);
	CHECK(pds_fuse_bits(pds_decimal_code(0.06)) == 5 && pds_fuse_bits(pds_decimal_code(0.01)) == 7);
	CHECK(pds_fuse_bits(pds_decimal_code(1e-6)) == 20);
	CHECK(pds_fuse_bits(pds_decimal_code(1e-9)) == 30);
}

/* No false negatives; others are found at the rate, within 4 sigma; the size is as it says. */
TEST(filters_of_all_sizes)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t j = 0; j < sizeof(rates) / sizeof(rates[0]); j++)
		{
			uint64_t	n = sizes[i];
			payload		p = filter_of(n << 32, n, rates[j]);
			pds_fuse_view v = filter_view(&p);
			double		most = pds_fuse_rate(&v);
			uint64_t	found = 0;
			uint64_t	lost = 0;
			uint64_t	probes = 20000;

			CHECK(pds_fuse_check(p.bytes, p.len, NULL) == PDS_OK);
			CHECK(v.count == n && v.encoding == PDS_FUSE_FINISHED);
			CHECK(most <= rates[j] || v.bits == PDS_FUSE_MIN_BITS);
			for (uint64_t k = 0; k < n; k++)
				lost += !filter_contains(&v, pds_murmur3_u64((n << 32) + k).h1);
			CHECK(lost == 0);
			for (uint64_t k = 0; k < probes; k++)
				found += filter_contains(&v, pds_murmur3_u64((UINT64_C(1) << 60) + k).h1);
			CHECK(fabs((double) found - most * (double) probes) <=
				  4 * sqrt(most * (double) probes) + 2);
			if (n >= 100)
				CHECK((double) p.len * 8 <= 1.3 * 1.06 * v.bits * (double) n);
			if (n >= 1000)
				CHECK((double) p.len * 8 <= 1.09 * v.bits * (double) n);
			payload_free(&p);
		}
}

/* In any order, with duplicates, united or sent as hashes: the same bytes. */
TEST(the_set_makes_the_bytes)
{
	const uint64_t n = 40000;
	payload		expected = filter_of(0, n, 0.01);
	stored_state halves[2] = {filter_new(0.01), filter_new(0.01)};
	stored_state many = filter_new(0.01);
	stored_state all = stored_nothing(&pds_fuse_ops);
	payload		sent;
	payload		out;
	pds_operand from = {halves[0].image, NULL};

	for (uint64_t i = n; i-- > 0;)
		filter_add(&halves[i % 2], pds_murmur3_u64(i).h1);
	from.state = halves[0].image;
	CHECK(stored_merge(&all, &from, PDS_KIND_NUMBER) == PDS_OK);
	sent = filter_write(&halves[1], false);
	CHECK(pds_fuse_check(sent.bytes, sent.len, NULL) == PDS_OK);
	CHECK(sent.len == 3 + 2 + 3 + 8 * n / 2);
	CHECK(stored_merge_bytes(&all, &sent) == PDS_OK);
	CHECK(stored_merge_bytes(&all, &sent) == PDS_OK);
	out = filter_write(&all, true);
	CHECK(payload_equal(&out, &expected));
	payload_free(&out);

	/* a list with many duplicates does not grow for them */
	for (uint64_t i = 0; i < 40 * n; i++)
		filter_add(&many, pds_murmur3_u64(i * 7919 % n).h1);
	CHECK(many.size <= 32 * n && pds_fuse_check_build(many.image, many.size));
	out = filter_write(&many, true);
	CHECK(payload_equal(&out, &expected));
	payload_free(&out);

	/* what is finished is not united */
	CHECK(stored_merge_bytes(&all, &expected) == PDS_FINISHED);
	payload_free(&sent);
	payload_free(&expected);
	free(halves[0].image);
	free(halves[1].image);
	free(many.image);
	free(all.image);
}

TEST(hashes_are_looked_up)
{
	stored_state s = filter_new(0.01);
	payload		p;
	pds_fuse_view v;

	for (uint64_t i = 0; i < 100; i++)
		filter_add(&s, i * 3);
	p = filter_write(&s, false);
	v = filter_view(&p);
	for (uint64_t i = 0; i < 300; i++)
		CHECK(filter_contains(&v, i) == (i % 3 == 0));
	CHECK(pds_fuse_rate(&v) < 1e-17);
	payload_free(&p);
	free(s.image);
}

/* Hashes that somebody made: all in one part, and all at one place of it. */
TEST(made_hashes)
{
	stored_state s = filter_new(0.01);
	payload		p;
	pds_fuse_view v;
	uint64_t	lost = 0;

	for (uint64_t i = 0; i < 70000; i++)
		filter_add(&s, i < 35000 ? i : UINT64_MAX - i);
	p = filter_write(&s, true);
	v = filter_view(&p);
	CHECK(v.parts == 3 && pds_fuse_check(p.bytes, p.len, NULL) == PDS_OK);
	for (uint64_t i = 0; i < 70000; i++)
		lost += !filter_contains(&v, i < 35000 ? i : UINT64_MAX - i);
	CHECK(lost == 0);
	/* the part between them has no keys, and so no slots */
	for (uint64_t i = 0; i < 1000; i++)
		CHECK(!filter_contains(&v, (UINT64_C(1) << 63) + i));
	payload_free(&p);
	free(s.image);
}

/* The list is no longer than its limit. */
TEST(too_many)
{
	pds_fuse_build b = {0};
	pds_fuse_plan plan;

	b.slots = PDS_FUSE_MAX_LIST;
	b.count = PDS_FUSE_MAX_LIST;
	pds_fuse_plan_growth(&b, &plan);
	CHECK(plan.size == sizeof(b) + (size_t) PDS_FUSE_MAX_LIST * 8);
	CHECK(!pds_fuse_plan_start(&b, UINT64_MAX, SIZE_MAX, &plan));
	CHECK(plan.size == sizeof(b) + (size_t) PDS_FUSE_MAX_LIST * 8);
}

/*
 * More distinct hashes than a filter can hold, in a list that has space for them.  These states
 * say that they are in order, so nobody looks at the hashes, which are not there.
 */
TEST(more_than_a_filter_holds)
{
	pds_fuse_build full = {.slots = PDS_FUSE_MAX_LIST, .count = PDS_FUSE_MAX_LIST,
	.sorted = PDS_FUSE_MAX_LIST};
	pds_fuse_build most = {.slots = PDS_FUSE_MAX_LIST, .count = PDS_FUSE_MAX_VALUES,
	.sorted = PDS_FUSE_MAX_VALUES};
	uint64_t	image[PDS_FUSE_FIRST_SIZE / sizeof(uint64_t)];
	pds_operand operand = {image, NULL};
	pds_plan	plan;

	pds_fuse_build_init((pds_fuse_build *) image, sizeof(image), 1);
	CHECK_U64(pds_fuse_ops.add(image, (pds_hash) {1, 2}), PDS_OK);
	CHECK_U64(pds_fuse_ops.add(&full, (pds_hash) {1, 2}), PDS_TOO_LARGE);
	/* PDS_FULL would be said again for ever: there is no larger list */
	CHECK_U64(pds_fuse_ops.merge(&full, &operand), PDS_TOO_LARGE);
	CHECK_U64(pds_fuse_ops.plan_finish(&full, &plan), PDS_TOO_LARGE);
	CHECK_U64(pds_fuse_ops.plan_finish(&most, &plan), PDS_OK);
	most.count = ++most.sorted;
	CHECK_U64(pds_fuse_ops.plan_finish(&most, &plan), PDS_TOO_LARGE);
}

static void
refuse_cut(const payload *p)
{
	for (size_t len = 0; len < p->len; len++)
	{
		payload		cut = payload_copy(p->bytes, len);

		CHECK(pds_fuse_check(cut.bytes, len, NULL) == PDS_CORRUPT);
		payload_free(&cut);
	}
}

TEST(bytes_that_are_no_filter)
{
	payload		p = filter_of(0, 50, 0.01);
	payload		longer = payload_copy(p.bytes, p.len);
	uint8_t		byte;

	refuse_cut(&p);
	longer.bytes = realloc(longer.bytes, p.len + 1);
	longer.bytes[p.len] = 0;
	CHECK(pds_fuse_check(longer.bytes, p.len + 1, NULL) == PDS_CORRUPT);
	/* type, family, kind, rate, count, the end of a part; any seed will do */
	for (int at = 0; at < 10; at++)
	{
		if (at == 6)
			continue;
		byte = p.bytes[at];
		p.bytes[at] = 0xff;
		CHECK(pds_fuse_check(p.bytes, p.len, NULL) == PDS_CORRUPT);
		p.bytes[at] = byte;
	}
	CHECK(pds_fuse_check(p.bytes, p.len, NULL) == PDS_OK);
	payload_free(&p);
	payload_free(&longer);
}
