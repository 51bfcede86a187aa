/*
 * hll_damage_test.c: damaged states of a HyperLogLog sketch are refused, or can be
 * worked with
 */
#include "damage.h"
#include "hll_sets.h"

/* What one can be asked to do: add, be merged, be stored. */
static void
work_with(const void *image, size_t size, uint64_t seed)
{
	sketch		own = {sketch_memory(size), size};
	sketch		other = sketch_new(4 + (int) (seed % 12));
	payload		p;

	memcpy(own.b, image, size);
	if (pds_state_family(own.b) == PDS_FAMILY_NATIVE && own.b->precision >= other.b->precision)
	{
		sketch_merge(&other, &own);
		p = sketch_encode(&other);
		payload_free(&p);
		/* what it was must not have been changed, but may */
	}
	p = sketch_write(&own);
	payload_free(&p);
	if (pds_state_family(own.b) == PDS_FAMILY_NATIVE)
	{
		for (uint64_t i = 0; i < 40; i++)
			sketch_add(&own, pds_murmur3_u64(seed + i).h1);
		/* nobody adds to a union of nothing; with a value it is refused */
		p = own.b->undecided ? sketch_write(&own) : sketch_encode(&own);
		payload_free(&p);
	}
	sketch_free(&own);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {0, 1, 10, 30, 100, 1000, 20000};
	uint64_t	passed = 0;

	for (int p = 4; p <= 14; p += 2)
	{
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			sketch		s = sketch_new(p);

			for (uint64_t i = 0; i < fills[f]; i++)
				sketch_add(&s, pds_murmur3_u64(i).h1);
			DAMAGE_UNDECIDED(s.b, s.size, pds_hll_check_build, fills[f] == 0);
			passed += damage_rounds(s.b, s.size, 400, pds_hll_check_build, work_with);
			sketch_free(&s);
		}
	}
	damage_report(passed);
}
