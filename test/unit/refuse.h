/*
 * refuse.h: bytes that must not pass for a sketch, and that what does pass is the only way
 * of writing it, for the tests of all types
 *
 * A test that includes it defines a refuse_target, and gets the tests at the end of this file.
 */
#ifndef PDS_TEST_REFUSE_H
#define PDS_TEST_REFUSE_H

#include "refused.h"

/* ---------- the tests of all types ---------- */

TEST(examples_are_not_refused)
{
	unsigned	seen = 0;

	for (int i = 0; i < the_target.examples; i++)
	{
		payload		stored = the_target.example(i);

		CHECK(!refused(stored.bytes, stored.len));
		CHECK(written_again_the_same(stored.bytes, stored.len));
		seen |= 1u << (stored.bytes[1] & 15);
		payload_free(&stored);
	}
	CHECK_U64(seen, the_target.encodings);
}

TEST(every_truncation_is_refused)
{
	for (int i = 0; i < the_target.examples; i++)
	{
		payload		stored = the_target.example(i);

		/* of long ones a part, the head and the end in any case */
		for (size_t len = 0; len < stored.len;
			 len += len < 300 || len > stored.len - 50 ? 1 : below(stored.len / 20) + 1)
		{
			CHECK(refused(stored.bytes, len));
			read_whatever_it_is(stored.bytes, len);
		}
		CHECK(refused(stored.bytes, stored.len - 1));
		payload_free(&stored);
	}
}

TEST(every_extension_is_refused)
{
	for (int i = 0; i < the_target.examples; i++)
	{
		payload		stored = the_target.example(i);
		uint8_t    *longer = calloc(stored.len + 40, 1);

		memcpy(longer, stored.bytes, stored.len);
		for (int byte = 0; byte < 256; byte += stored.len > 10000 ? 51 : 1)
		{
			longer[stored.len] = (uint8_t) byte;
			CHECK(refused(longer, stored.len + 1));
		}
		longer[stored.len] = 0;
		for (size_t more = 1; more <= 40; more += stored.len > 10000 ? 13 : 1)
			CHECK(refused(longer, stored.len + more));
		free(longer);
		payload_free(&stored);
	}
}

/* What passes after a change of one bit is another sketch, as good as any. */
TEST(a_flipped_bit_is_refused_or_another_sketch)
{
	uint64_t	flips[2] = {0, 0};
	uint64_t	passed[2] = {0, 0};

	for (int i = 0; i < the_target.examples; i++)
	{
		payload		stored = the_target.example(i);
		int			class = i % the_target.classes;

		for (size_t bit = 0; bit < 8 * stored.len; bit++)
		{
			/* of long ones a part, the head and the end in any case */
			if (stored.len > 300 && bit > 256 && bit < 8 * stored.len - 100 &&
				below(stored.len / 50 + 1) > 0)
				continue;
			stored.bytes[bit / 8] ^= (uint8_t) (1 << (bit % 8));
			flips[class]++;
			passed[class] += another_sketch(stored.bytes, stored.len);
			stored.bytes[bit / 8] ^= (uint8_t) (1 << (bit % 8));
		}
		payload_free(&stored);
	}
	for (int class = 0; class < the_target.classes; class++)
	{
		printf("# %" PRIu64 " of %" PRIu64 " flipped bits give another sketch\n",
			   passed[class], flips[class]);
		CHECK(100 * passed[class] > the_target.least[class] * flips[class]);
		CHECK(100 * passed[class] < the_target.most[class] * flips[class]);
	}
}

/* Several bits or bytes at once, often in the head, and pieces of one in another. */
TEST(mutations_are_refused_or_another_sketch)
{
	uint64_t	passed = 0;
	payload    *examples = sketch_memory((size_t) the_target.examples * sizeof(payload));

	for (int i = 0; i < the_target.examples; i++)
		examples[i] = the_target.example(i);
	for (int round = 0; round < 30000; round++)
	{
		const payload *one = &examples[below((size_t) the_target.examples)];
		const payload *other = &examples[below((size_t) the_target.examples)];
		payload		stored;

		if (one->len >= 600 && round % 100 != 0)
			continue;
		stored = payload_copy(one->bytes, one->len);
		for (size_t n = below(4) + 1; n > 0; n--)
		{
			size_t		at = below(round % 2 == 0 && stored.len > 16 ? 16 : stored.len);
			size_t		len = stored.len - at < other->len ? stored.len - at : other->len;

			switch (below(3))
			{
				case 0:
					stored.bytes[at] = (uint8_t) test_random();
					break;
				case 1:
					stored.bytes[at] ^= (uint8_t) (1 << below(8));
					break;
				default:
					memcpy(stored.bytes + at, other->bytes + other->len - len, len);
					break;
			}
		}
		passed += another_sketch(stored.bytes, stored.len);
		payload_free(&stored);
	}
	for (int i = 0; i < the_target.examples; i++)
		payload_free(&examples[i]);
	free(examples);
	printf("# %" PRIu64 " mutations give another sketch\n", passed);
	CHECK(passed > 0);
}

#endif
