/*
 * cuckoo_damage_test.c: damaged states of a cuckoo filter are refused, or can be worked with
 */
#include "cuckoo_sketch.h"
#include "damage.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_cuckoo_build *damaged = image;
	sketch		own = {sketch_memory(size), size};
	sketch		from = {sketch_memory(size), size};
	sketch		other = sketch_new(&damaged->shape);
	payload		p;

	memcpy(own.b, image, size);
	memcpy(from.b, image, size);
	if (sketch_try_add(&other, pds_murmur3_u64(seed)) == PDS_OK &&
		sketch_try_merge(&other, &from) == PDS_OK)
	{
		p = sketch_write(&other);
		CHECK(pds_cuckoo_check(p.bytes, p.len, NULL) == PDS_OK);
		payload_free(&p);
	}
	p = sketch_write(&own);
	CHECK(pds_cuckoo_check(p.bytes, p.len, NULL) == PDS_OK);
	payload_free(&p);
	for (uint64_t i = 0; i < 60; i++)
	{
		(void) sketch_try_add(&own, pds_murmur3_u64(seed % 50 + i));
		(void) pds_cuckoo_remove(own.b, pds_murmur3_u64(seed % 70 + i));
		(void) sketch_count(&own, pds_murmur3_u64(i));
	}
	sketch_grow(&own);
	p = sketch_write(&own);
	payload_free(&p);
	sketch_free(&own);
	sketch_free(&from);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {0, 1, 6, 25, 90, 400, 3000};
	static const double rates[] = {0.03, 0.01, 0.0001, 0.5};
	uint64_t	passed = 0;

	for (int shape = 0; shape < 8; shape++)
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			pds_cuckoo_shape of = shape_of(shape % 2 == 0 ? 1000 : 20, rates[shape / 2]);
			sketch		s = sketch_new(&of);

			for (uint64_t i = 0; i < fills[f]; i++)
				sketch_add(&s, pds_murmur3_u64(i % 9 == 0 ? i % 20 : i));
			DAMAGE_UNDECIDED(s.b, s.size, pds_cuckoo_check_build, fills[f] == 0);
			passed += damage_rounds(s.b, s.size, 300, pds_cuckoo_check_build, work_with);
			sketch_free(&s);
		}
	damage_report(passed);
}

/* A union makes an image to begin with of an undecided one: a smaller one cannot be undecided. */
TEST(an_undecided_state_that_is_too_small_is_refused)
{
	pds_cuckoo_shape of = shape_of(1, 0.01);
	sketch		s = sketch_new(&of);

	for (uint64_t i = 0; i < 11; i++)
		sketch_add(&s, pds_murmur3_u64(i));
	for (uint64_t i = 0; i < 11; i++)
		CHECK(pds_cuckoo_remove(s.b, pds_murmur3_u64(i)) == PDS_OK);
	CHECK(s.size < PDS_CUCKOO_FIRST_SIZE);
	CHECK(pds_cuckoo_check_build(s.b, s.size));
	s.b->undecided = 1;
	CHECK(!pds_cuckoo_check_build(s.b, s.size));
	sketch_free(&s);
}
