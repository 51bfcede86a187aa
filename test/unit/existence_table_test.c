/*
 * existence_table_test.c: the table of fingerprints of existence indexes
 *
 * A model keeps the pages in memory and treats them as the server does. It looks for the page
 * of a key from the highest step of its group downwards. When a page of a family is full, it
 * distributes the family's keys over one page more.
 */
#include <math.h>
#include <stdlib.h>

#include "existence_table.h"
#include "test.h"

#define PAGE	8192

/* Servers can be built with pages of 1 to 32 kB. */
#define LARGEST_PAGE	32768

static uint64_t
mixed(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static pds_hash
hash_of(uint64_t key)
{
	return (pds_hash) {mixed(key), mixed(key ^ UINT64_C(0x5555555555555555))};
}

/* ---------- a table in memory ---------- */

typedef struct model
{
	pds_existence_table table;
	uint8_t    *pages;
	uint32_t   *step;			/* of each page */
	size_t		bytes;			/* of a page */
	uint32_t	used;
	uint32_t	allocated;
	double		full;			/* sum of the fill of pages that were full */
	int			grown;			/* how often that was */
	uint64_t	moves;			/* keys that were moved */
	uint64_t	added;			/* keys that were no false positives */
} model;

static uint8_t *
slots_of(const model *m, uint32_t page)
{
	return m->pages + page * m->bytes + PDS_EXISTENCE_SLOTS_AT;
}

static void
add_segment(model *m, uint32_t group, uint32_t step)
{
	uint32_t	n = (uint32_t) pds_existence_pages_added(&m->table, step);

	if (m->used + n > m->allocated)
	{
		m->allocated = 2 * (m->used + n);
		m->pages = realloc(m->pages, m->allocated * m->bytes);
		m->step = realloc(m->step, m->allocated * sizeof(uint32_t));
	}
	memset(m->pages + m->used * m->bytes, 0, n * m->bytes);
	for (uint32_t i = 0; i < n; i++)
		m->step[m->used + i] = step == 0 ? 0 : PDS_EXISTENCE_UNREACHED;
	m->table.segment[group][step] = m->used;
	m->table.top[group] = step;
	m->used += n;
}

/* With pages of so many bytes */
static void
model_begin_with(model *m, double rate, double keys, size_t bytes)
{
	memset(m, 0, sizeof(*m));
	m->bytes = bytes;
	pds_existence_table_for(rate, keys, bytes, &m->table);
	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
		add_segment(m, group, 0);
	m->table.started = 1;
}

static void
model_begin(model *m, double rate, double keys)
{
	model_begin_with(m, rate, keys, PAGE);
}

static void
model_end(model *m)
{
	free(m->pages);
	free(m->step);
}

static pds_existence_spot
find_page(const model *m, const pds_existence_home *home)
{
	uint32_t	step = m->table.top[home->group];

	for (;;)
	{
		pds_existence_spot spot = pds_existence_spot_of(&m->table, home, step);
		uint32_t	found = m->step[spot.page];

		if (found == step)
			return spot;
		/* nobody else is there who could make it a later one */
		CHECK(found == PDS_EXISTENCE_UNREACHED || found < step);
		step = found == PDS_EXISTENCE_UNREACHED ? step - 1 : found;
	}
}

static bool
model_contains(const model *m, pds_hash h)
{
	pds_existence_home home = pds_existence_home_of(&m->table, h);
	pds_existence_spot spot = find_page(m, &home);

	return pds_existence_slots_contain(&m->table, slots_of(m, spot.page), &home, &spot);
}

static double
fill_of(const model *m, uint32_t page)
{
	pds_existence_count count = {0};

	pds_existence_slots_count(&m->table, slots_of(m, page), m->step[page], &count);
	return (double) count.slots / (4.0 * m->table.buckets);
}

static bool
grow_family(model *m, const pds_existence_home *home, uint32_t step)
{
	static uint8_t fresh[4][LARGEST_PAGE];
	uint32_t	pages[4];
	const uint8_t *from[4];
	uint8_t    *to[4];
	uint32_t	n;

	if (m->table.top[home->group] == step)
		add_segment(m, home->group, step + 1);
	n = pds_existence_family_of(&m->table, home, step, pages);
	CHECK_U64(m->step[pages[n]], PDS_EXISTENCE_UNREACHED);
	memset(fresh, 0, sizeof(fresh));
	for (uint32_t i = 0; i <= n; i++)
	{
		CHECK(i == n || m->step[pages[i]] == step);
		from[i] = slots_of(m, pages[i]);
		to[i] = fresh[i];
	}
	if (!pds_existence_slots_distribute(&m->table, step, from, to))
		return false;
	for (uint32_t i = 0; i <= n; i++)
	{
		memcpy(slots_of(m, pages[i]), fresh[i], m->bytes - PDS_EXISTENCE_SLOTS_AT);
		m->step[pages[i]] = step + 1;
	}
	return true;
}

static void
model_add(model *m, pds_hash h)
{
	pds_existence_home home = pds_existence_home_of(&m->table, h);

	for (;;)
	{
		pds_existence_spot spot = find_page(m, &home);
		uint8_t    *slots = slots_of(m, spot.page);
		pds_existence_moves moves;

		if (pds_existence_slots_contain(&m->table, slots, &home, &spot))
			return;
		if (pds_existence_slots_plan(&m->table, slots, home.bucket, spot.code, &moves))
		{
			pds_existence_slots_write(&m->table, slots, &moves);
			m->moves += moves.n - 1;
			m->added++;
			return;
		}
		m->full += fill_of(m, spot.page);
		m->grown++;
		if (!grow_family(m, &home, spot.step))
		{
			CHECK(false);
			return;
		}
	}
}

/* How many of n foreign keys are said yes to */
static double
false_positives(const model *m, uint64_t n)
{
	uint64_t	yes = 0;

	for (uint64_t i = 0; i < n; i++)
		yes += model_contains(m, hash_of(UINT64_C(1) << 40 | i));
	return (double) yes;
}

/* The rate that follows from the slots, and how many slots there are and of how many keys */
static double
counted_rate(const model *m, double *keys, double *slots)
{
	pds_existence_count count = {0};
	double		rate = 0;

	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
		for (uint32_t step = 0; step <= m->table.top[group]; step++)
			for (uint32_t i = 0; i < pds_existence_pages_added(&m->table, step); i++)
			{
				uint32_t	page = m->table.segment[group][step] + i;

				if (m->step[page] == PDS_EXISTENCE_UNREACHED)
					continue;
				pds_existence_slots_count(&m->table, slots_of(m, page), m->step[page], &count);
				rate += count.yes * pds_existence_group_share(group) /
					(double) pds_existence_pages_at(&m->table, m->step[page]);
			}
	*keys = pds_existence_count_keys(&count);
	*slots = (double) count.slots;
	return rate;
}

/* ---------- places ---------- */

TEST(groups_are_where_their_widths_say)
{
	pds_existence_table table;
	uint64_t	n[PDS_EXISTENCE_GROUPS] = {0};
	double		sum = 0;

	pds_existence_table_for(0.01, 0, PAGE, &table);
	for (uint64_t i = 0; i < 1000000; i++)
		n[pds_existence_home_of(&table, hash_of(i)).group]++;
	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
	{
		double		share = pds_existence_group_share(group);

		CHECK_NEAR((double) n[group], 1e6 * share, 4 * sqrt(1e6 * share * (1 - share)));
		CHECK_NEAR(share, pow(2, group / 4.0) * pds_existence_group_share(0), 1e-12);
		sum += share;
	}
	CHECK_NEAR(sum, 1, 1e-12);
}

/* x goes from 0 nearly to 1 in each group, in the order of h1. */
TEST(places_in_a_group_fill_it_evenly)
{
	pds_existence_table table;
	pds_existence_home last = {0};
	const uint64_t n = 100000;

	pds_existence_table_for(0.01, 0, PAGE, &table);
	for (uint64_t i = 0; i <= n; i++)
	{
		pds_hash	h = {i == n ? UINT64_MAX : i * (UINT64_MAX / n), i};
		pds_existence_home home = pds_existence_home_of(&table, h);

		CHECK(home.bucket < table.buckets);
		if (i > 0 && home.group == last.group)
		{
			double		width = ldexp((double) (home.x - last.x), -64) *
				pds_existence_group_share(home.group) * (double) n;

			CHECK(home.x > last.x);
			CHECK(i == n || fabs(width - 1) < 1e-6);
		}
		else if (i > 0)
		{
			CHECK(home.group == last.group + 1);
			CHECK(last.x >= UINT64_MAX - UINT64_MAX / 10000 && home.x < UINT64_MAX / 10000);
		}
		last = home;
	}
	CHECK_U64(last.group, PDS_EXISTENCE_GROUPS - 1);
	CHECK(last.x >= UINT64_MAX - 16);
}

/* At each step each page belongs to one family, and no place is outside of them. */
TEST(the_pages_of_all_families_are_all_pages)
{
	for (int base = 0; base < 3; base++)
	{
		model		m;

		model_begin(&m, 0.01, base == 0 ? 0 : base == 1 ? 60000 : 120000);
		CHECK_U64(m.table.base, base);
		for (uint32_t step = 0; step < 9; step++)
		{
			uint32_t   *seen;
			uint32_t	families = 1U << (base + step / 2);

			if (step > 0)
				for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
					add_segment(&m, group, step);
			seen = calloc(m.used, sizeof(uint32_t));
			for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
			{
				for (uint32_t family = 0; family < families; family++)
				{
					pds_existence_home home = {.group = group};
					uint32_t	pages[4];
					uint32_t	n;

					home.x = base + step / 2 == 0 ? 77 :
						(uint64_t) family << (64 - (base + step / 2)) | 77;
					n = pds_existence_family_of(&m.table, &home, step, pages);
					CHECK_U64(n, step % 2 == 0 ? 2 : 3);
					for (uint32_t i = 0; i < n; i++)
						seen[pages[i]]++;
				}
			}
			for (uint32_t page = 0; page < m.used; page++)
				CHECK_U64(seen[page], 1);
			CHECK_U64(m.used, PDS_EXISTENCE_GROUPS * pds_existence_pages_at(&m.table, step));
			free(seen);
			/* all of them are used, evenly */
			seen = calloc(m.used, sizeof(uint32_t));
			for (uint64_t i = 0; i < 400; i++)
				for (uint32_t j = 0; j < m.used; j++)
				{
					pds_existence_home home = pds_existence_home_of(&m.table,
																	hash_of(i * m.used + j));

					seen[pds_existence_spot_of(&m.table, &home, step).page]++;
				}
			for (uint32_t page = 0; page < m.used; page++)
				CHECK(seen[page] > 150 && seen[page] < 750);
			free(seen);
		}
		model_end(&m);
	}
}

/* ---------- slots ---------- */

/* Slots of all widths: what was put in is found, and nothing is written beside it. */
TEST(a_page_of_slots_of_any_width_keeps_its_keys)
{
	for (uint32_t bits = PDS_EXISTENCE_MIN_SLOT; bits <= PDS_EXISTENCE_MAX_SLOT; bits++)
	{
		static uint8_t page[PAGE + 16];
		pds_existence_table table;
		uint64_t	n = 0;
		bool		full = false;

		memset(&table, 0, sizeof(table));
		for (double rate = 1; table.bits != bits; rate /= 1.5)
			pds_existence_table_for(rate, 0, PAGE, &table);
		memset(page, 0, sizeof(page));
		memset(page, 0xa5, PDS_EXISTENCE_SLOTS_AT);
		memset(page + PAGE, 0xa5, 16);
		while (!full)
		{
			pds_existence_home home = pds_existence_home_of(&table, hash_of(n));
			pds_existence_spot spot = pds_existence_spot_of(&table, &home, 0);
			uint8_t    *slots = page + PDS_EXISTENCE_SLOTS_AT;
			pds_existence_moves moves;

			full = !pds_existence_slots_plan(&table, slots, home.bucket, spot.code, &moves);
			if (!full)
			{
				pds_existence_slots_write(&table, slots, &moves);
				n++;
			}
		}
		/* whose slots are full */
		CHECK((double) n > 0.93 * 4 * table.buckets && n < 4 * table.buckets);
		for (uint64_t i = 0; i < n; i++)
		{
			pds_existence_home home = pds_existence_home_of(&table, hash_of(i));
			pds_existence_spot spot = pds_existence_spot_of(&table, &home, 0);

			CHECK(pds_existence_slots_contain(&table, page + PDS_EXISTENCE_SLOTS_AT, &home, &spot));
		}
		for (int i = 0; i < PDS_EXISTENCE_SLOTS_AT; i++)
			CHECK(page[i] == 0xa5);
		for (int i = PAGE; i < PAGE + 16; i++)
			CHECK(page[i] == 0xa5);
	}
}

/* What the server does with such a record */
static void
replay(uint8_t *page, const uint8_t *delta, size_t len)
{
	const uint8_t *end = delta + len;

	while (delta < end)
	{
		uint16_t	head[2];

		memcpy(head, delta, sizeof(head));
		CHECK(head[0] >= PDS_EXISTENCE_SLOTS_AT && head[0] + head[1] <= PAGE);
		memcpy(page + head[0], delta + sizeof(head), head[1]);
		delta += sizeof(head) + head[1];
	}
	CHECK(delta == end);
}

TEST(deltas_replayed_give_the_page)
{
	static const uint32_t widths[] = {PDS_EXISTENCE_MIN_SLOT, 14, 31, PDS_EXISTENCE_MAX_SLOT};

	for (int w = 0; w < 4; w++)
	{
		static uint8_t page[PAGE];
		static uint8_t copy[PAGE];
		pds_existence_table table;
		uint8_t		delta[PDS_EXISTENCE_MAX_MOVES_DELTA];
		uint64_t	bytes = 0;
		uint64_t	n = 0;

		memset(&table, 0, sizeof(table));
		for (double rate = 1; table.bits != widths[w]; rate /= 1.5)
			pds_existence_table_for(rate, 0, PAGE, &table);
		memset(page, 0, sizeof(page));
		memset(copy, 0, sizeof(copy));
		for (;; n++)
		{
			pds_existence_home home = pds_existence_home_of(&table, hash_of(n));
			pds_existence_spot spot = pds_existence_spot_of(&table, &home, 0);
			uint8_t    *slots = page + PDS_EXISTENCE_SLOTS_AT;
			pds_existence_moves moves;
			size_t		len;

			if (!pds_existence_slots_plan(&table, slots, home.bucket, spot.code, &moves))
				break;
			CHECK(moves.n >= 1 && moves.n <= PDS_EXISTENCE_MAX_MOVES);
			pds_existence_slots_write(&table, slots, &moves);
			len = pds_existence_moves_delta(&table, slots, &moves, PDS_EXISTENCE_SLOTS_AT, delta);
			CHECK(len > 0 && len <= sizeof(delta));
			replay(copy, delta, len);
			bytes += len;
		}
		CHECK_BYTES(page, copy, PAGE);
		/* two bytes, or three, or what a slot has, and four; some more for keys that are moved */
		CHECK((double) bytes / (double) n < (4 + widths[w] / 8.0 + 1) * 1.5);
	}
}

/* Somebody can make keys of one hash: they fill two buckets, and no growth helps. */
TEST(keys_of_one_hash_do_not_fit)
{
	model		m;
	pds_existence_home home;
	pds_existence_spot spot;
	pds_existence_moves moves;
	uint32_t	n = 0;

	model_begin(&m, 0.001, 0);
	for (;; n++)
	{
		/* of one page, with one p, but otherwise different */
		home = pds_existence_home_of(&m.table, (pds_hash) {(uint64_t) n << 30, 5});
		spot = pds_existence_spot_of(&m.table, &home, 0);
		if (pds_existence_slots_contain(&m.table, slots_of(&m, spot.page), &home, &spot))
			continue;
		if (!pds_existence_slots_plan(&m.table, slots_of(&m, spot.page), home.bucket, spot.code,
									  &moves))
			break;
		pds_existence_slots_write(&m.table, slots_of(&m, spot.page), &moves);
	}
	CHECK(fill_of(&m, spot.page) < 0.01);
	CHECK(grow_family(&m, &home, 0));
	model_end(&m);
}

/*
 * Two buckets are two: keys of the same p in one of four slots would be too many too often, and
 * a family whose keys do not fit cannot grow.
 */
TEST(every_key_has_eight_slots)
{
	static uint8_t slots[LARGEST_PAGE];

	for (size_t bytes = 512; bytes <= LARGEST_PAGE; bytes *= 2)
		for (int r = 0; r < 3; r++)
		{
			pds_existence_table table;

			pds_existence_table_for((double[]) {0.3, 0.0096875, 0.0005}[r], 0, bytes, &table);
			/* of a large page the first ones, the last ones and some between */
			for (uint32_t bucket = 0; bucket < table.buckets;
				 bucket += bucket < 32 || bucket + 45 >= table.buckets ? 1 : 13)
				for (uint32_t fixed = 0; fixed < 1 << PDS_EXISTENCE_FIXED_BITS; fixed++)
				{
					pds_existence_moves moves;
					uint64_t	key = 0;

					memset(slots, 0, bytes - PDS_EXISTENCE_SLOTS_AT);
					/* other bits of y: the marked ones are above p and r */
					while (key < 20 &&
						   pds_existence_slots_plan(&table, slots, bucket,
													(16 + key) << 7 | 1 << 4 | fixed, &moves))
					{
						pds_existence_slots_write(&table, slots, &moves);
						key++;
					}
					if (key != 8)
						CHECK_U64(key, 8);
				}
		}
}

TEST(slots_that_nobody_has_written_are_not_distributed)
{
	model		m;
	pds_existence_home home;
	uint32_t	pages[4];

	model_begin(&m, 0.001, 0);
	home = pds_existence_home_of(&m.table, hash_of(1));
	(void) pds_existence_family_of(&m.table, &home, 0, pages);
	/* seven of six values of t */
	memset(slots_of(&m, pages[0]), 0xff, 64);
	CHECK(!grow_family(&m, &home, 0));
	memset(slots_of(&m, pages[0]), 0, 64);
	/* no mark, and no set or the eighth of seven */
	slots_of(&m, pages[1])[0] = 1;
	CHECK(!grow_family(&m, &home, 0));
	slots_of(&m, pages[1])[0] = 0x71;
	CHECK(!grow_family(&m, &home, 0));
	slots_of(&m, pages[1])[0] = 0;
	CHECK(grow_family(&m, &home, 0));
	model_end(&m);
}

/* ---------- growth ---------- */

TEST(pages_of_any_size_grow)
{
	for (size_t bytes = 1024; bytes <= LARGEST_PAGE; bytes *= 2)
	{
		model		m;
		const uint64_t most = 30 * bytes;
		const uint64_t n = 100000;
		double		counted;
		double		slots;
		double		rate;

		model_begin_with(&m, 0.0096875, 0, bytes);
		CHECK_U64(m.table.bits, 14);
		/* all but the head, less than two buckets and the spare bytes */
		CHECK(m.table.buckets * 4 * 14 / 8 <= bytes - PDS_EXISTENCE_SLOTS_AT - 8);
		CHECK(m.table.buckets * 4 * 14 / 8 + 14 > bytes - PDS_EXISTENCE_SLOTS_AT - 8);
		for (uint64_t keys = 0; keys < most; keys++)
			model_add(&m, hash_of(keys));
		for (uint64_t i = 0; i < most; i++)
			if (!model_contains(&m, hash_of(i)))
				CHECK(false);
		CHECK(m.table.top[0] >= 4);
		CHECK(pds_existence_table_valid(&m.table, bytes, 0, m.used));
		rate = counted_rate(&m, &counted, &slots);
		CHECK(rate < 0.0096875);
		CHECK_NEAR(false_positives(&m, n), (double) n * rate, 4 * sqrt((double) n * rate) + 1);
		CHECK_NEAR(counted, (double) m.added, 0.001 * (double) most);
		model_end(&m);
	}
}

/*
 * The oldest keys have lost all bits of y, and then some more, several times.  Small pages
 * come to that with few keys.
 */
TEST(a_table_grows_on_when_nothing_is_left_of_y)
{
	model		m;
	const uint64_t most = 4000000;
	const uint64_t n = 1000000;
	double		counted;
	double		slots;
	double		rate;

	model_begin_with(&m, 0.3, 0, 512);
	CHECK_U64(m.table.bits, PDS_EXISTENCE_MIN_SLOT);
	for (uint64_t keys = 0; keys < most; keys++)
		model_add(&m, hash_of(keys));
	for (uint64_t i = 0; i < most; i++)
		if (!model_contains(&m, hash_of(i)))
			CHECK(false);
	/* five bits are gone after as many generations, t after four more */
	CHECK(m.table.top[0] >= 2 * 10);
	rate = counted_rate(&m, &counted, &slots);
	CHECK(rate < pds_existence_table_rate(m.table.bits, 1 + m.table.top[0] / 2));
	CHECK_NEAR(false_positives(&m, n), (double) n * rate, 5 * sqrt((double) n * rate));
	/* a false positive is not put in */
	CHECK_NEAR(counted, (double) m.added, 0.01 * (double) most);
	CHECK((double) m.added >= (double) most * (1 - rate));
	CHECK(slots < 1.05 * (double) most);
	CHECK(m.full / m.grown > 0.9);
	model_end(&m);
}

TEST(a_table_that_grows_loses_nothing_and_keeps_its_rate)
{
	static const double rates[] = {0.3, 0.0096875, 0.0005, 1e-6};

	for (int r = 0; r < 4; r++)
	{
		model		m;
		const uint64_t most = 600000;
		const uint64_t n = 300000;

		model_begin(&m, rates[r], 0);
		for (uint64_t keys = 1; keys <= most; keys++)
		{
			double		counted;
			double		slots;
			double		rate;
			double		found;

			model_add(&m, hash_of(keys - 1));
			if (keys % (most / 4) != 0)
				continue;
			for (uint64_t i = 0; i < keys; i++)
				if (!model_contains(&m, hash_of(i)))
					CHECK(false);
			found = false_positives(&m, n);
			rate = counted_rate(&m, &counted, &slots);
			CHECK(rate < rates[r]);
			/* what is counted is what is found: 4 standard errors */
			CHECK_NEAR(found, (double) n * rate, 4 * sqrt((double) n * rate) + 1);
			/* a false positive is not put in, nor is a key twice */
			CHECK(counted <= 1.001 * (double) keys && counted >= (double) keys * (1 - rate));
		}
		/* pages are full when 94 slots of 100 are, and three quarters full on average */
		CHECK(m.full / m.grown > 0.94);
		CHECK((double) m.used * m.table.buckets * 4 < (double) most / 0.7);
		/* and few keys have to be moved */
		CHECK((double) m.moves < 0.5 * (double) most);
		model_end(&m);
	}
}

/*
 * The same rate after each generation: what a generation of keys adds to it does not change
 * when it is halved and its keys have a bit less.
 */
TEST(the_rate_of_a_full_table_is_linear_in_its_generations)
{
	model		m;
	uint64_t	keys = 0;

	model_begin(&m, 0.0096875, 0);
	CHECK_U64(m.table.bits, 14);
	for (uint32_t generation = 1; generation <= 5; generation++)
	{
		double		counted;
		double		slots;
		double		rate;

		/* all groups have come to the first step of this generation, the wider ones further */
		while (m.table.top[0] < 2 * generation)
			model_add(&m, hash_of(keys++));
		rate = counted_rate(&m, &counted, &slots);
		CHECK(rate > pds_existence_table_rate(14, generation - 1));
		CHECK(rate < pds_existence_table_rate(14, generation));
	}
	model_end(&m);
}

/* Keys of which no bit of y is left go to several pages, and the rate says so. */
TEST(keys_of_which_nothing_is_left_are_still_found)
{
	model		m;
	const uint64_t keys = 300000;
	double		counted;
	double		slots;
	double		rate;
	double		found;

	/* narrower slots than there are: a new key has two bits of y */
	model_begin_with(&m, 0.5, 0, 512);
	m.table.bits = 10;
	for (uint64_t i = 0; i < keys; i++)
		model_add(&m, hash_of(i));
	for (uint64_t i = 0; i < keys; i++)
		if (!model_contains(&m, hash_of(i)))
			CHECK(false);
	rate = counted_rate(&m, &counted, &slots);
	found = false_positives(&m, 100000);
	/* (several of them can say yes to one key) */
	CHECK(found < 1e5 * rate + 4 * sqrt(1e5 * rate) && found > 1e5 * rate * (1 - rate));
	/* there are more slots filled than keys */
	CHECK(slots > 1.005 * counted);
	/* which are less by those that were false positives when they came */
	CHECK_NEAR(counted, (double) m.added, 0.02 * (double) keys);
	model_end(&m);
}

TEST(a_table_with_space_for_its_keys_does_not_grow)
{
	model		m;

	model_begin(&m, 0.01, 300000);
	CHECK(m.table.base > 0);
	for (uint64_t i = 0; i < 250000; i++)
		model_add(&m, hash_of(i));
	CHECK_U64(m.used, PDS_EXISTENCE_GROUPS * pds_existence_pages_at(&m.table, 0));
	CHECK(pds_existence_table_valid(&m.table, PAGE, 0, m.used));
	for (uint64_t i = 250000; i < 1000000; i++)
		model_add(&m, hash_of(i));
	CHECK(m.table.top[0] > 0);
	CHECK(pds_existence_table_valid(&m.table, PAGE, 0, m.used));
	for (uint64_t i = 0; i < 1000000; i++)
		if (!model_contains(&m, hash_of(i)))
			CHECK(false);
	model_end(&m);
}
