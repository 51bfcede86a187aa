/*
 * damage.h: states (building images) damaged at random, for the tests that what
 * passes pds_<type>_check_build() can be worked with
 */
#ifndef PDS_TEST_DAMAGE_H
#define PDS_TEST_DAMAGE_H

#include <stdlib.h>

#include "payload.h"
#include "test.h"

/* What a server's length word takes, and the head of the largest state. */
#define DAMAGE_FROM		4
#define DAMAGE_HEAD		110

/*
 * Change up to three bytes of an image, most often near its beginning.  What it is
 * stays what it says: the header's first two bytes.
 */
static inline void
damage_image(void *image, size_t size)
{
	static const uint8_t odd[] = {0, 1, 2, 8, 0x7f, 0x80, 0xff};
	uint8_t    *bytes = image;
	size_t		n = 1 + test_random() % 3;

	for (size_t i = 0; i < n; i++)
	{
		size_t		end = test_random() % 4 > 0 && size > DAMAGE_HEAD ? DAMAGE_HEAD : size;
		size_t		at = DAMAGE_FROM + 2 + test_random() % (end - DAMAGE_FROM - 2);

		if (test_random() % 2 == 0)
			bytes[at] ^= (uint8_t) (1 << test_random() % 8);
		else
			bytes[at] = odd[test_random() % sizeof(odd)];
	}
}

/* pds_<type>_check_build() */
typedef bool damage_check(const void *image, size_t size);

/* What an image that passes can be asked to do; it is not to be changed. */
typedef void damage_work(const void *image, size_t size, uint64_t seed);

/*
 * Damage copies of an image, which must pass as it is, so many times (DAMAGE_ROUNDS
 * in the environment: so many instead), and work with those that still pass.  Returns
 * how many did.
 */
static inline uint64_t
damage_rounds(const void *image, size_t size, int rounds, damage_check *check, damage_work *work)
{
	void	   *damaged = sketch_memory(size);
	uint64_t	passed = 0;

	if (getenv("DAMAGE_ROUNDS") != NULL)
		rounds = atoi(getenv("DAMAGE_ROUNDS"));
	CHECK(check(image, size));
	/* the state of another release */
	memcpy(damaged, image, size);
	((uint8_t *) damaged)[DAMAGE_FROM] ^= 1;
	CHECK(!check(damaged, size));
	for (int i = 0; i < rounds; i++)
	{
		memcpy(damaged, image, size);
		damage_image(damaged, size);
		if (check(damaged, size))
		{
			passed++;
			work(damaged, size, test_random());
		}
	}
	free(damaged);
	return passed;
}

/*
 * A union of nothing takes the parameters of what it meets.  So a state of something that says it
 * is such a union would be read by parameters that are not its own.
 */
#define DAMAGE_UNDECIDED(b, size, check, empty) \
	do { \
		CHECK(!(b)->undecided); \
		(b)->undecided = 1; \
		CHECK((check)((b), (size)) == (empty)); \
		(b)->undecided = 0; \
	} while (0)

static inline void
damage_report(uint64_t passed)
{
	printf("# %" PRIu64 " damaged states pass as others\n", passed);
	CHECK(passed > 0);
}

#endif
