/*
 * counting_bloom_damage_test.c: damaged states of a counting Bloom filter are refused, or
 * can be worked with
 */
#include "counting_bloom_filter.h"
#include "damage.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_counting_bloom_build *damaged = image;
	filter		own = {sketch_memory(size), size};
	filter		from = {sketch_memory(size), size};
	filter		other;
	pds_counting_bloom_view v;
	payload		p;

	memcpy(own.b, image, size);
	memcpy(from.b, image, size);
	other = filter_new(&damaged->shape);
	if (damaged->undecided)
	{
		/* the frame leaves the parameters of nothing alone, and only merges into it */
		CHECK(filter_merge_filter(&own, &other) == PDS_OK);
	}
	else
	{
		filter_add(&other, pds_murmur3_u64(seed));
		CHECK(filter_merge_filter(&other, &from) == PDS_OK);
		p = filter_encode(&other);
		CHECK(pds_counting_bloom_check(p.bytes, p.len, NULL) == PDS_OK);
		payload_free(&p);
		pds_state_set_kind(from.b, PDS_KIND_NUMBER);
		p = filter_encode(&from);
		v = payload_view(&p);
		CHECK(pds_counting_bloom_subtract(other.b, &v) == PDS_OK);
		payload_free(&p);
	}
	for (uint64_t i = 0; i < 60; i++)
	{
		filter_add(&own, pds_murmur3_u64(seed % 50 + i));
		if (i % 3 == 0)
			(void) pds_counting_bloom_remove(own.b, pds_murmur3_u64(seed % 60 + i / 2));
		(void) pds_counting_bloom_build_count(from.b, pds_murmur3_u64(i));
	}
	p = filter_encode(&own);
	CHECK(pds_counting_bloom_check(p.bytes, p.len, NULL) == PDS_OK);
	payload_free(&p);
	filter_free(&own);
	filter_free(&from);
	filter_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {0, 1, 4, 20, 90, 600};
	static const uint64_t capacities[] = {2, 40, 900};
	uint64_t	passed = 0;

	for (int shape = 0; shape < 12; shape++)
	{
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			pds_bloom_shape of = shape_of(capacities[shape / 4], 0.01, (uint8_t) (shape / 2 % 2));
			filter		s = shape % 2 == 0 ? filter_new(&of) : filter_new_exact(&of);

			for (uint64_t i = 0; i < fills[f]; i++)
				filter_add(&s, pds_murmur3_u64(i % 30));
			passed += damage_rounds(s.b, s.size, 200, pds_counting_bloom_check_build, work_with);
			filter_free(&s);
		}
	}
	damage_report(passed);
}

TEST(damaged_unions_of_nothing_are_refused_or_can_be_worked_with)
{
	filter		f = filter_nothing();

	(void) damage_rounds(f.b, f.size, 400, pds_counting_bloom_check_build, work_with);
	filter_free(&f);
}
