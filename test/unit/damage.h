/*
 * damage.h: states (building images) damaged at random, for the tests that what
 * passes pds_<room>_check_build() can be worked with
 */
#ifndef PDS_TEST_DAMAGE_H
#define PDS_TEST_DAMAGE_H

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

#endif
