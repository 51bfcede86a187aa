/*
 * refused.h: are bytes refused, or are they a sketch, written in the only way
 *
 * A test that includes it defines a refuse_target.  One that wants the tests of all types too
 * includes refuse.h.
 */
#ifndef PDS_TEST_REFUSED_H
#define PDS_TEST_REFUSED_H

#include "stored.h"
#include "test.h"

typedef struct refuse_target
{
	const pds_state_ops *ops;

	/* Is what passed the check a sketch?  NULL: always. */
	bool		(*accepted) (const payload *p);

	/*
	 * Stored sketches of all sorts, the same numbers alike; and which encodings they have, as
	 * bits.
	 */
	payload		(*example) (int number);
	int			examples;
	unsigned	encodings;

	/*
	 * Of so many bits flipped, how many may give another sketch: more than "least" and less
	 * than "most" in a hundred, of each class of examples (number % classes).
	 */
	int			classes;
	unsigned	least[2];
	unsigned	most[2];

	/* Read bytes that are no sketch, as they may come from a damaged disk.  NULL: nothing more. */
	void		(*read_unchecked) (const uint8_t *bytes, size_t len);
} refuse_target;

static const refuse_target the_target;

static inline bool
refused(const uint8_t *bytes, size_t len)
{
	/* exactly so many bytes, for the sanitizer */
	payload		copy = payload_copy(bytes, len);
	const char *why = NULL;
	pds_status	status = the_target.ops->check(copy.bytes, len, &why);
	bool		good = status == PDS_OK &&
		(the_target.accepted == NULL || the_target.accepted(&copy));

	CHECK(status == PDS_OK || status == PDS_CORRUPT);
	CHECK((status == PDS_OK) == (why == NULL));
	CHECK(the_target.ops->check(copy.bytes, len, NULL) == status);
	payload_free(&copy);
	return !good;
}

/* Merged into nothing and written again, does it come out the same? */
static inline bool
written_again_the_same(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	stored_state s = stored_nothing(the_target.ops);
	payload		again = {NULL, 0};
	pds_status	status = stored_merge_bytes(&s, &copy);
	bool		same;

	if (status == PDS_OK)
	{
		CHECK(the_target.ops->check_state(s.image, s.size));
		status = stored_write(&s, &again);
	}
	if (status != PDS_OK && status != PDS_TOO_LARGE)
		sketch_die("a checked sketch does not merge");
	same = status == PDS_TOO_LARGE || payload_equal(&copy, &again);
	payload_free(&again);
	payload_free(&copy);
	free(s.image);
	return same;
}

/*
 * Bytes that did not pass the check but have a header that opens, as they may come from a
 * damaged disk: reading them must be safe, whatever it answers.
 */
static inline void
read_whatever_it_is(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	stored_space view;

	if (the_target.ops->open(&view, copy.bytes, len, len, NULL) == PDS_OK)
	{
		stored_state s = stored_nothing(the_target.ops);
		payload		out;

		if (stored_merge_bytes(&s, &copy) == PDS_OK && stored_write(&s, &out) == PDS_OK)
			payload_free(&out);
		free(s.image);
	}
	payload_free(&copy);
	if (the_target.read_unchecked != NULL)
		the_target.read_unchecked(bytes, len);
}

/* Returns whether damaged bytes are another sketch.  Otherwise they must be refused. */
static inline bool
another_sketch(const uint8_t *bytes, size_t len)
{
	bool		is = !refused(bytes, len);

	if (is)
		CHECK(written_again_the_same(bytes, len));
	read_whatever_it_is(bytes, len);
	return is;
}

#endif
