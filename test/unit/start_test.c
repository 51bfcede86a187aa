/*
 * start_test.c: images for as many values as a group is expected to get (plan_start)
 *
 * Whatever an image begins as, its sketch has the same stored bytes; and with half as many
 * distinct values as were expected it never moves.
 */
#include "test.h"

#include "stored.h"

#include "decimal.h"
#include "bloom.h"
#include "bloom_size.h"
#include "cms.h"
#include "hll.h"

/* An empty image of n-th parameters, as X_agg() begins with.  False if there are no more. */
typedef bool (*maker) (size_t n, stored_state *s);

#define IN_PLACE	4			/* so many of the precisions are up to 14 */

static bool
make_hll(size_t n, stored_state *s)
{
	static const int precisions[] = {4, 8, 11, 14, 15, 18};

	if (n == sizeof(precisions) / sizeof(precisions[0]))
		return false;
	*s = (stored_state) {&pds_hll_ops, sketch_memory(PDS_HLL_FIRST_SIZE), PDS_HLL_FIRST_SIZE};
	pds_hll_build_init(s->image, s->size, precisions[n], PDS_FAMILY_NATIVE, false);
	return true;
}

static bool
make_bloom(size_t n, stored_state *s)
{
	static const uint64_t capacities[] = {1, 40, 1000, 50000, 1000000};
	pds_bloom_shape shape;
	size_t		shapes = 2 * sizeof(capacities) / sizeof(capacities[0]);

	if (n > shapes)
		return false;
	s->ops = &pds_bloom_ops;
	s->size = PDS_BLOOM_FIRST_SIZE;
	if (n < shapes)
	{
		uint8_t		family = n % 2 == 0 ? PDS_BLOOM_BLOCKED : PDS_BLOOM_CLASSIC;

		CHECK(pds_bloom_shape_for(capacities[n / 2], pds_decimal_code(0.01), family,
								  &shape) == PDS_OK);
		s->size = pds_bloom_first_size(&shape);
	}
	s->image = sketch_memory(s->size);
	/* the last one is automatic */
	if (n < shapes)
		pds_bloom_build_init(s->image, s->size, &shape);
	else
		pds_bloom_build_init_automatic(s->image, s->size, pds_decimal_code(PDS_BLOOM_AUTO_RATE));
	return true;
}

static bool
make_cms(size_t n, stored_state *s)
{
	static const double epsilons[] = {0.1, 0.01, 0.001, 0.0001};
	pds_cms_shape shape;

	if (n == 2 * sizeof(epsilons) / sizeof(epsilons[0]))
		return false;
	CHECK(pds_cms_shape_for(pds_decimal_code(epsilons[n / 2]), pds_decimal_code(0.01), false,
							&shape) == PDS_OK);
	shape.conservative = n % 2;
	*s = (stored_state) {&pds_cms_ops, sketch_memory(PDS_CMS_FIRST_SIZE), PDS_CMS_FIRST_SIZE};
	pds_cms_build_init(s->image, &shape);
	return true;
}

static const maker makers[] = {make_hll, make_bloom, make_cms};

#define MAKERS	(sizeof(makers) / sizeof(makers[0]))

static const uint64_t expectations[] = {
	0, 1, 2, 25, 26, 30, 100, 107, 108, 1000, 6144, 6145, 20000, 1000000, UINT64_C(1) << 40
};

#define EXPECTATIONS	(sizeof(expectations) / sizeof(expectations[0]))

/* An image as make() makes it, moved if it is told to.  *moved says whether it was. */
static bool
begin(maker make, size_t n, uint64_t values, size_t most, stored_state *s, bool *moved)
{
	stored_space space;

	if (!make(n, s))
		return false;
	pds_state_set_kind(s->image, PDS_KIND_NUMBER);
	space.plan.size = s->size;
	*moved = s->ops->plan_start(s->image, values, most, &space.plan);
	if (*moved)
	{
		CHECK(space.plan.size > s->size);
		CHECK(space.plan.size <= most);
		if (space.plan.size > STORED_MOST)
			*moved = false;
		else
			CHECK(stored_move(s, &space.plan) == PDS_OK);
		CHECK(s->ops->check_state(s->image, s->size));
	}
	return true;
}

/* Add the hashes of 0 to n - 1; returns how often it moved. */
static int
add(stored_state *s, uint64_t n)
{
	int			moves = 0;

	for (uint64_t v = 0; v < n; v++)
		while (s->ops->add(s->image, pds_murmur3_u64(v)) == PDS_FULL)
		{
			CHECK(stored_grow(s) == PDS_OK);
			moves++;
		}
	return moves;
}

TEST(the_beginning_does_not_change_the_bytes)
{
	static const uint64_t counts[] = {0, 1, 14, 110, 1000, 30000};
	stored_state s;
	bool		moved;

	for (size_t m = 0; m < MAKERS; m++)
		for (size_t n = 0; begin(makers[m], n, 0, SIZE_MAX, &s, &moved); n++)
		{
			payload		want;
			payload		out;

			CHECK(!moved);
			free(s.image);
			for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
			{
				(void) begin(makers[m], n, 0, SIZE_MAX, &s, &moved);
				(void) add(&s, counts[c]);
				CHECK(stored_write(&s, &want) == PDS_OK);
				free(s.image);
				for (size_t e = 0; e < EXPECTATIONS; e++)
				{
					(void) begin(makers[m], n, expectations[e], SIZE_MAX, &s, &moved);
					if (moved)
					{
						(void) add(&s, counts[c]);
						CHECK(stored_write(&s, &out) == PDS_OK);
						CHECK_BYTES(out.bytes, want.bytes, want.len);
						CHECK_U64(out.len, want.len);
						payload_free(&out);
					}
					free(s.image);
				}
				payload_free(&want);
			}
		}
}

TEST(half_as_many_values_do_not_move_an_image)
{
	stored_state s;
	bool		moved;
	int			some = 0;

	for (size_t m = 0; m < MAKERS; m++)
		for (size_t n = 0; begin(makers[m], n, 0, SIZE_MAX, &s, &moved); n++)
		{
			free(s.image);
			for (size_t e = 0; e < EXPECTATIONS && expectations[e] <= 20000; e++)
			{
				(void) begin(makers[m], n, expectations[e], SIZE_MAX, &s, &moved);
				if (moved)
				{
					/* counters may become wider, and only small tables registers where they are */
					CHECK(add(&s, expectations[e] / 2) <=
						  (makers[m] == make_cms || (makers[m] == make_hll && n >= IN_PLACE)));
					some++;
				}
				free(s.image);
			}
		}
	CHECK(some > 50);
}

TEST(an_image_is_no_larger_than_allowed_and_the_smallest_ones_stay)
{
	stored_state s;
	bool		moved;

	for (size_t m = 0; m < MAKERS; m++)
		for (size_t n = 0; begin(makers[m], n, 0, SIZE_MAX, &s, &moved); n++)
		{
			free(s.image);
			for (size_t e = 0; e < EXPECTATIONS; e++)
				for (size_t most = 64; most < 100000; most *= 2)
				{
					/* (begin() checks what is moved) */
					(void) begin(makers[m], n, expectations[e], most, &s, &moved);
					CHECK(!moved || (most > 128 && expectations[e] > 14));
					free(s.image);
				}
		}
}

/* An automatic filter's shape follows from its table, so that it never begins as bits. */
TEST(an_automatic_filter_begins_as_a_table)
{
	stored_state s;
	bool		moved;

	CHECK(make_bloom(10, &s) && ((pds_bloom_build *) s.image)->automatic);
	free(s.image);
	(void) begin(make_bloom, 10, UINT64_C(1) << 40, SIZE_MAX, &s, &moved);
	CHECK(!moved);
	free(s.image);
}
