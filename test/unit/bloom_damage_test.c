/*
 * bloom_damage_test.c: damaged states of a Bloom filter are refused, or can be worked
 * with
 */
#include "bloom_filter.h"
#include "damage.h"

/* Larger ones take long; a damaged head may say that one is. */
#define MOST_BITS	(UINT64_C(1) << 24)

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_bloom_build *damaged = image;
	filter		own;
	filter		other;
	payload		p;

	if (!damaged->automatic && !damaged->undecided && damaged->shape.bits > MOST_BITS)
		return;
	own.b = sketch_memory(size);
	own.size = size;
	other = damaged->automatic || damaged->undecided ? filter_automatic()
		: filter_new(&damaged->shape);
	memcpy(own.b, image, size);
	for (uint64_t i = 0; i < 10; i++)
		filter_add(&other, pds_murmur3_u64(seed + i));
	if (!own.b->undecided)
	{
		filter_merge(&other, &own);
		p = filter_encode(&other);
		payload_free(&p);
		p = filter_encode(&own);
		payload_free(&p);
		for (uint64_t i = 0; i < 60; i++)
			filter_add(&own, pds_murmur3_u64(seed % 50 + i));
		p = filter_encode(&own);
		payload_free(&p);
	}
	filter_free(&own);
	filter_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t capacities[] = {0, 100, 5000, 200000};
	static const uint64_t fills[] = {0, 1, 6, 25, 90, 400, 3000};
	uint64_t	passed = 0;

	for (int family = 0; family < PDS_BLOOM_FAMILIES; family++)
	{
		for (size_t c = 0; c < 4; c++)
		{
			for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
			{
				pds_bloom_shape shape;
				filter		s;

				if (family > PDS_BLOOM_CLASSIC && c != 1)
					continue;
				if (c == 0)
					s = filter_automatic();
				else
				{
					shape = pds_bloom_is_layout((uint8_t) family)
						? shape_of(capacities[c], 0.01, (uint8_t) family) :
						shape_explicit(2048, 8, (uint8_t) family);
					s = filter_new(&shape);
				}
				for (uint64_t i = 0; i < fills[f]; i++)
					filter_add(&s, pds_murmur3_u64(i));
				passed += damage_rounds(s.b, s.size, 150, pds_bloom_check_build, work_with);
				filter_free(&s);
			}
		}
	}
	damage_report(passed);
}
