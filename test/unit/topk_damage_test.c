/*
 * topk_damage_test.c: damaged states of a sketch of the most frequent values are
 * refused, or can be worked with
 */
#include "damage.h"
#include "topk_sketch.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_topk_build *damaged = image;
	sketch		own = {sketch_memory(size), size};
	sketch		other = sketch_new_of(damaged->k, damaged->counters, PDS_KIND_NUMBER);
	payload		p;

	memcpy(own.b, image, size);
	pds_state_set_kind(own.b, PDS_KIND_NUMBER);
	(void) sketch_add(&other, 1, 1);
	if (sketch_merge(&other, &own) == PDS_OK)
	{
		p = sketch_write(&other);
		payload_free(&p);
	}
	p = sketch_write(&own);
	payload_free(&p);
	for (uint64_t i = 0; i < 150; i++)
		(void) sketch_add(&own, seed % 1000 + i, 1);
	p = sketch_write(&own);
	payload_free(&p);
	sketch_free(&own);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const uint32_t shapes[][2] = {{1, 2048}, {20, 2048}, {300, 4800}, {1, 1}, {20, 40},
	{5, 700}};
	static const uint64_t fills[] = {0, 1, 8, 60, 500, 9000};
	uint64_t	passed = 0;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
	{
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			sketch		s = sketch_new_of(shapes[i][0], shapes[i][1], PDS_KIND_NUMBER);

			for (uint64_t v = 0; v < fills[f]; v++)
				CHECK(sketch_add(&s, v % 3 == 0 ? v % 7 : v, 1 + v % 50) == PDS_OK);
			DAMAGE_UNDECIDED(s.b, s.size, pds_topk_check_build, fills[f] == 0);
			passed += damage_rounds(s.b, s.size, 800, pds_topk_check_build, work_with);
			sketch_free(&s);
		}
	}
	damage_report(passed);
}

/* Texts that share their beginning, and the reference itself */
TEST(damaged_states_of_texts_that_begin_alike_are_refused_or_can_be_worked_with)
{
	static const uint64_t fills[] = {1, 3, 20, 150, 900};
	uint64_t	passed = 0;

	for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
	{
		sketch		s = sketch_new(20, PDS_KIND_STRING);

		for (uint64_t i = 0; i < fills[f]; i++)
		{
			char		text[64];
			uint32_t	len = (uint32_t) sprintf(text, "https://example.org/%llu",
												 (unsigned long long) i);

			CHECK(sketch_add_text(&s, pds_murmur3(text, len, 0).h1, 1, text, len) == PDS_OK);
		}
		CHECK(s.b->reference > 0);
		passed += damage_rounds(s.b, s.size, 2000, pds_topk_check_build, work_with);
		sketch_free(&s);
	}
	damage_report(passed);
}

/* An index without a free slot would be searched for ever. */
TEST(an_index_too_small_for_its_places_is_refused)
{
	sketch		s = sketch_new(300, PDS_KIND_NUMBER);

	CHECK_U64(s.size, 256);
	CHECK(pds_topk_check_build(s.b, s.size));
	s.b->errors = 1;
	s.b->indexed = 1;
	s.b->places = 2;
	memset(s.b->words, 0, 256 - sizeof(*s.b));
	CHECK_U64(pds_topk_slots(s.b), 4);
	CHECK(pds_topk_check_build(s.b, s.size));
	for (int i = 0; i < 4; i++)
		s.b->words[i] = 1;
	CHECK(!pds_topk_check_build(s.b, s.size));
	sketch_free(&s);
}
