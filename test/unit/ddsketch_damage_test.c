/*
 * ddsketch_damage_test.c: damaged states of a DDSketch are refused, or can be worked with
 */
#include "damage.h"
#include "ddsketch_sketch.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	stored_state own = {&pds_ddsketch_ops, sketch_memory(size), size};
	stored_state other = sketch_new((int) (seed % 12), 100);
	pds_operand from = {image, NULL};
	payload		p;

	memcpy(own.image, image, size);
	for (uint64_t i = 0; i < seed % 50; i++)
		sketch_add(&other, (double) i - 10);
	if (stored_merge(&other, &from, PDS_KIND_NUMBER) == PDS_OK &&
		stored_write(&other, &p) == PDS_OK)
		payload_free(&p);
	((pds_ddsketch_build *) own.image)->undecided = 0;
	for (uint64_t i = 0; i < 100; i++)
		(void) sketch_try_add(&own, (double) (seed % 1000) * (double) i, i);
	if (stored_write(&own, &p) == PDS_OK)
		payload_free(&p);
	sketch_free(&own);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const int fills[] = {0, 1, 5, 12, 60, 700};
	uint64_t	passed = 0;

	for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		for (int scale = 0; scale < 9; scale += 4)
		{
			stored_state s = sketch_new(scale, 64);

			for (int i = 0; i < fills[f]; i++)
				sketch_add(&s, (double) (i * i) * 1.5 - 7);
			DAMAGE_UNDECIDED(sketch_build(&s), s.size, pds_ddsketch_check_build, fills[f] == 0);
			passed += damage_rounds(s.image, s.size, 800, pds_ddsketch_check_build, work_with);
			sketch_free(&s);
		}
	damage_report(passed);
}

/* Two counts that no total can have, in what becomes one bucket: an error, and not another plan. */
TEST(counts_that_overflow_in_a_fold_are_damage)
{
	stored_state s = sketch_new(4, 64);
	pds_ddsketch_build *b = s.image;
	stored_space plan;

	CHECK(pds_ddsketch_add_bucket(b, pds_ddsketch_key(6, false), PDS_DDSKETCH_MAX_COUNT) == PDS_OK);
	CHECK(pds_ddsketch_add_bucket(b, pds_ddsketch_key(7, false), 1) == PDS_OK);
	pds_ddsketch_plan_fold(b, 3, 64, (pds_ddsketch_plan *) &plan);
	CHECK(stored_move(&s, &plan.plan) == PDS_CORRUPT);
	sketch_free(&s);
}
