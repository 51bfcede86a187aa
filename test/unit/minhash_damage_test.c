/*
 * minhash_damage_test.c: damaged states of a MinHash sketch are refused, or can be worked
 * with
 */
#include "damage.h"
#include "minhash_sketch.h"

static void
work_with(const void *image, size_t size, uint64_t seed)
{
	const pds_minhash_build *damaged = image;
	sketch		own = {sketch_memory(size), size};
	sketch		other = sketch_new(damaged->log2_k - (seed % 2 && damaged->log2_k > 4));
	payload		p;

	memcpy(own.b, image, size);
	for (uint64_t i = 0; i < seed % 50; i++)
		sketch_add(&other, pds_murmur3_u64(i));
	CHECK(sketch_merge(&other, &own) == PDS_OK);
	p = sketch_write(&other);
	CHECK(pds_minhash_check(p.bytes, p.len, NULL) == PDS_OK || other.b->dense);
	payload_free(&p);
	p = sketch_write(&own);
	payload_free(&p);
	own.b->undecided = 0;
	for (uint64_t i = 0; i < 150; i++)
		sketch_add(&own, pds_murmur3_u64(seed % 1000 + i));
	p = sketch_write(&own);
	payload_free(&p);
	sketch_free(&own);
	sketch_free(&other);
}

TEST(damaged_states_are_refused_or_can_be_worked_with)
{
	static const int powers[] = {4, 7, 9};
	static const uint64_t fills[] = {0, 1, 8, 16, 60, 128, 500, 9000};
	uint64_t	passed = 0;

	for (size_t p = 0; p < sizeof(powers) / sizeof(powers[0]); p++)
	{
		for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++)
		{
			sketch		s = sketch_new(powers[p]);

			for (uint64_t i = 0; i < fills[f]; i++)
				sketch_add(&s, pds_murmur3_u64(i));
			DAMAGE_UNDECIDED(s.b, s.size, pds_minhash_check_build, fills[f] == 0);
			passed += damage_rounds(s.b, s.size, 800, pds_minhash_check_build, work_with);
			sketch_free(&s);
		}
	}
	damage_report(passed);
}

/* A table without a free slot would be searched for ever. */
TEST(a_table_too_full_is_refused)
{
	sketch		s = sketch_new(7);

	for (uint64_t i = 0; i < 7; i++)
	{
		CHECK(pds_minhash_check_build(s.b, s.size) == (i <= 6));
		s.b->words[i] = (i << 22 | 1 << 16) + 1;
		s.b->tokens++;
	}
	CHECK(!pds_minhash_check_build(s.b, s.size));
	sketch_free(&s);
}
