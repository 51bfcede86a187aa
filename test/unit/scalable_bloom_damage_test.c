/*
 * scalable_bloom_damage_test.c: damaged states of a scalable Bloom filter are refused,
 * or can be worked with
 */
#include "scalable_bloom_sketch.h"
#include "damage.h"

/* Larger images than this are not asked for: they come of a damaged capacity. */
#define LARGEST		((size_t) 1 << 27)

/* Can it take one more, without a layer that is too large for a test? */
static bool
try_small(sketch *s, pds_hash h)
{
	any_plan	plan;

	/* the frame gives the kind before it adds */
	if (pds_state_kind(s->b) == PDS_KIND_NONE)
		pds_state_set_kind(s->b, PDS_KIND_STRING);
	for (int moves = 0; ops->add(s->b, h) == PDS_FULL; moves++)
	{
		if (moves > 3)
			sketch_die("plans that did not help");
		plan.head.size = s->size;
		ops->plan_growth(s->b, &plan.head);
		if (plan.head.size > LARGEST)
			return false;
		sketch_move(s, &plan);
	}
	return true;
}

static void
write_small(sketch *s)
{
	any_plan	plan;
	payload		p;

	if (ops->plan_finish(s->b, &plan.head) == PDS_FULL && plan.head.size > LARGEST)
		return;
	p = sketch_write(s);
	payload_free(&p);
}

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	sketch		own = {sketch_memory(size), size};
	sketch		from = {sketch_memory(size), size};
	sketch		other = sketch_nothing();
	pds_operand operand = {from.b, NULL};

	memcpy(own.b, image, size);
	memcpy(from.b, image, size);
	if (sketch_try_union(&other, &operand) == PDS_OK)
	{
		if (try_small(&other, key(seed)) && sketch_try_union(&other, &operand) == PDS_OK)
			write_small(&other);
		(void) sketch_try_union(&own, &operand);
	}
	for (uint64_t i = 0; i < 60 && try_small(&own, key(seed % 50 + i)); i++)
		;
	write_small(&own);
	sketch_free(&own);
	sketch_free(&from);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {0, 1, 20, 150, 1200};
	static const uint64_t capacities[] = {10, 700};
	uint64_t	passed = 0;

	for (int collect = 0; collect <= 1; collect++)
		for (size_t c = 0; c < 2; c++)
			for (size_t f = 0; f < 5; f++)
			{
				pds_scalable_bloom_parameters p = parameters_of(capacities[c], 0.02, 2);
				sketch		s = sketch_new(&p, collect != 0);

				for (uint64_t i = 0; i < fills[f]; i++)
					sketch_add(&s, key(i));
				passed += damage_rounds(s.b, s.size, 300, ops->check_state, work_with);
				if (collect == 0)
				{
					/* closed, as a union has it */
					sketch		all = sketch_nothing();

					sketch_union_state(&all, &s);
					passed += damage_rounds(all.b, all.size, 300, ops->check_state, work_with);
					sketch_free(&all);
				}
				sketch_free(&s);
			}
	damage_report(passed);
}
