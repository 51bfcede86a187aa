/*
 * cms_damage_test.c: damaged states of a Count-Min sketch are refused, or can be
 * worked with
 */
#include "cms_sketch.h"
#include "damage.h"

#include "decimal.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_cms_build *damaged = image;
	sketch		own = {sketch_memory(size), size};
	sketch		from = {sketch_memory(size), size};
	sketch		other = sketch_new(&damaged->shape);
	payload		p;

	memcpy(own.b, image, size);
	memcpy(from.b, image, size);
	if (sketch_try(&other, pds_murmur3_u64(seed), 3) == PDS_OK &&
		sketch_try_merge(&other, &from, false) == PDS_OK)
	{
		p = sketch_write(&other);
		payload_free(&p);
		(void) sketch_try_merge(&other, &from, true);
	}
	p = sketch_write(&own);
	payload_free(&p);
	for (uint64_t i = 0; i < 60; i++)
		(void) sketch_try(&own, pds_murmur3_u64(seed % 50 + i), 1);
	p = sketch_write(&own);
	payload_free(&p);
	sketch_free(&own);
	sketch_free(&from);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {0, 1, 6, 25, 90, 400, 3000};
	static const double epsilons[] = {0.2, 0.01, 0.001};
	uint64_t	passed = 0;

	for (int shape = 0; shape < 6; shape++)
	{
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			pds_cms_shape of;
			sketch		s;

			CHECK(pds_cms_shape_for(pds_decimal_code(epsilons[shape / 2]), pds_decimal_code(0.05),
									shape % 2 == 1, &of) == PDS_OK);
			s = sketch_new(&of);
			for (uint64_t i = 0; i < fills[f]; i++)
				sketch_add(&s, pds_murmur3_u64(i), i % 9 == 0 ? (int64_t) 1 << i % 34 : 1);
			DAMAGE_UNDECIDED(s.b, s.size, pds_cms_check_build, fills[f] == 0);
			passed += damage_rounds(s.b, s.size, 400, pds_cms_check_build, work_with);
			sketch_free(&s);
		}
	}
	damage_report(passed);
}

/* Nothing looks whether a counter can hold a sum that is not above the total. */
TEST(a_counter_above_the_total_is_damage)
{
	pds_cms_shape shape = shape_of(0.1, 0.05);
	sketch		s = sketch_new(&shape);
	pds_cms_plan plan;
	sketch		counters;

	for (uint64_t i = 0; i < 100; i++)
		sketch_add(&s, pds_murmur3_u64(i), 1);
	pds_cms_flush(s.b);
	plan = (pds_cms_plan) {sizeof(pds_cms_build) + pds_cms_counters(&shape), 1, PDS_CMS_COUNTERS};
	counters = sketch_moved(&s, plan);
	CHECK(pds_cms_check_build(counters.b, counters.size));
	for (uint32_t i = 0; i < pds_cms_counters(&shape); i++)
	{
		uint8_t		count = counters.b->data[i];

		counters.b->data[i] = 100;
		CHECK(pds_cms_check_build(counters.b, counters.size));
		counters.b->data[i] = 101;
		CHECK(!pds_cms_check_build(counters.b, counters.size));
		counters.b->data[i] = count;
	}
	sketch_free(&counters);
	sketch_free(&s);
}

/* A union makes an image to begin with of an undecided one: a smaller one cannot be undecided. */
TEST(an_undecided_state_that_is_too_small_is_refused)
{
	const size_t size = sizeof(pds_cms_build) + 16;
	pds_cms_build *whole = sketch_memory(PDS_CMS_FIRST_SIZE);
	pds_cms_build *part = sketch_memory(size);
	pds_cms_shape shape;

	CHECK(pds_cms_shape_for(pds_decimal_code(0.9), pds_decimal_code(0.9), false, &shape) == PDS_OK);
	pds_cms_build_init(whole, &shape);
	CHECK(whole->mode == PDS_CMS_COUNTERS && pds_cms_counters(&shape) <= 16);
	memcpy(part, whole, size);
	CHECK(pds_cms_check_build(part, size));
	part->undecided = 1;
	CHECK(!pds_cms_check_build(part, size));
	whole->undecided = 1;
	CHECK(pds_cms_check_build(whole, PDS_CMS_FIRST_SIZE));
	free(part);
	free(whole);
}
