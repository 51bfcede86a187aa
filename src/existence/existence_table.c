/*
 * existence_table.c: fingerprints of the keys that come after an index was built
 */
#include <math.h>

#include "existence_table.h"

/* Bits of r at a step */
#define REST_BITS(step)		((step) % 2 == 0 ? 3 : 2)

/* Values of t in a page at a step */
#define REST_VALUES(step)	((step) % 2 == 0 ? 6 : 4)

#define FIXED				PDS_EXISTENCE_FIXED_BITS
#define BUCKET				PDS_EXISTENCE_BUCKET

/* A key that is looked up meets so many others in its two buckets of a full page. */
#define KEYS_MET			(2 * BUCKET * PDS_EXISTENCE_FULL_SHARE)

/* ---------- places ---------- */

/*
 * Where the groups begin, as fractions of 2^64.  "scale" is 2^127 by the group's width, this
 * shifted until its highest bit is set.
 */
static const struct
{
	uint64_t	first;
	uint64_t	scale;
	int			shift;
}			groups[PDS_EXISTENCE_GROUPS] =
{
	{UINT64_C(0x0000000000000000), UINT64_C(0xa9207814178d1a47), 2},
	{UINT64_C(0x306fe0a31b715400), UINT64_C(0x8e37d87abcb97633), 2},
	{UINT64_C(0x6a09e667f3bcc800), UINT64_C(0xef2e74287afb3dab), 1},
	{UINT64_C(0xae89f995ad3ad800), UINT64_C(0xc9207814178d2364), 1}
};

double
pds_existence_group_share(uint32_t group)
{
	uint64_t	next = group + 1 < PDS_EXISTENCE_GROUPS ? groups[group + 1].first : 0;

	return ldexp((double) (next - groups[group].first), -64);
}

pds_existence_home
pds_existence_home_of(const pds_existence_table *table, pds_hash h)
{
	pds_existence_home home;
	uint64_t	in;

	home.group = (uint32_t) (h.h1 >= groups[1].first) + (uint32_t) (h.h1 >= groups[2].first) +
		(uint32_t) (h.h1 >= groups[3].first);
	in = (h.h1 - groups[home.group].first) << groups[home.group].shift;
	/* less than 2^63, because "in" is less than the shifted width */
	home.x = pds_mulhi64(in, groups[home.group].scale) << 1;
	home.fixed = (uint32_t) h.h2 & ((1 << FIXED) - 1);
	home.bucket = (uint32_t) (((h.h2 >> 32) * table->buckets) >> 32);
	return home;
}

/* The generations of keys in a table at a step; the table may have begun with some */
static inline uint32_t
depth_of(const pds_existence_table *table, uint32_t step)
{
	return table->base + step / 2;
}

/* The number of a key's family among all of its group, and x in the family */
static inline uint64_t
family_of(const pds_existence_table *table, uint64_t x, uint32_t step, uint64_t *within)
{
	uint32_t	depth = depth_of(table, step);

	*within = x << depth;
	return depth > 0 ? x >> (64 - depth) : 0;
}

/* The page of a member of a family */
static uint32_t
page_of(const pds_existence_table *table, uint32_t group, uint32_t step, uint64_t family,
		uint32_t member)
{
	const uint32_t *segment = table->segment[group];

	if (member == 2)
		return segment[step] + (uint32_t) family;

	/* the first of two families kept the first two pages */
	step -= step % 2;
	while (step > 0 && family % 2 == 0)
	{
		family /= 2;
		step -= 2;
	}
	if (step == 0)
		return segment[0] + 2 * (uint32_t) family + member;
	/* an odd family: the page that was added to two pages, and the page added to three */
	return segment[step - 1 + member] + (uint32_t) (family / 2);
}

/* A slot from its parts, the bits of y with their mark among them */
static inline uint64_t
code_of(uint32_t step, uint32_t fixed, uint32_t rest, uint64_t marked)
{
	return marked << (FIXED + REST_BITS(step)) | (uint64_t) rest << FIXED | fixed;
}

pds_existence_spot
pds_existence_spot_of(const pds_existence_table *table, const pds_existence_home *home,
					  uint32_t step)
{
	pds_existence_spot spot;
	uint64_t	within;
	uint64_t	family = family_of(table, home->x, step, &within);
	uint32_t	t = (uint32_t) pds_mulhi64(within, 12);
	uint64_t	y = within * 12;
	/* as many bits of y as fit below the mark */
	uint32_t	known = table->bits - FIXED - REST_BITS(step) - 1;

	spot.step = step;
	spot.page = page_of(table, home->group, step, family, t / REST_VALUES(step));
	spot.code = code_of(step, home->fixed, t % REST_VALUES(step),
						UINT64_C(1) << known | y >> (64 - known));
	return spot;
}

uint32_t
pds_existence_family_of(const pds_existence_table *table, const pds_existence_home *home,
						uint32_t step, uint32_t pages[4])
{
	uint64_t	within;
	uint64_t	family = family_of(table, home->x, step, &within);
	uint32_t	n = step % 2 == 0 ? 2 : 3;

	for (uint32_t i = 0; i < n; i++)
		pages[i] = page_of(table, home->group, step, family, i);
	pages[n] = table->segment[home->group][step + 1] + (uint32_t) family;
	return n;
}

uint64_t
pds_existence_pages_at(const pds_existence_table *table, uint32_t step)
{
	return (uint64_t) (step % 2 == 0 ? 2 : 3) << depth_of(table, step);
}

uint64_t
pds_existence_pages_added(const pds_existence_table *table, uint32_t step)
{
	/* one for each family of the step before */
	return step == 0 ? pds_existence_pages_at(table, 0) :
		UINT64_C(1) << depth_of(table, step - 1);
}

/* ---------- slots ---------- */

/*
 * What a slot without a mark says of t: a set of the values of its page, as bits, by its r.
 * They are what a range of one or two values comes to when it is doubled and cut at the
 * borders of pages.  0: nobody writes that r.
 */
static const uint8_t sets[2][8] =
{
	{0, 0x03, 0x0c, 0x30, 0x0f, 0x3c, 0x3f, 0},
	{0, 0x03, 0x0c, 0x0f}
};

/* Returns the r of a set, or 0 if no r stands for it. */
static uint32_t
rest_of_set(uint32_t step, uint32_t set)
{
	for (uint32_t rest = 1; rest < 8; rest++)
		if (sets[step % 2][rest] == set)
			return rest;
	return 0;
}

static inline uint64_t
read_slot(const uint8_t *slots, uint32_t bits, uint32_t i)
{
	uint64_t	at = (uint64_t) i * bits;

	return pds_load_le64(slots + at / 8) >> at % 8 & ((UINT64_C(1) << bits) - 1);
}

static inline void
write_slot(uint8_t *slots, uint32_t bits, uint32_t i, uint64_t code)
{
	uint64_t	at = (uint64_t) i * bits;
	uint64_t	mask = ((UINT64_C(1) << bits) - 1) << at % 8;
	uint64_t	word = pds_load_le64(slots + at / 8);

	pds_store_le64(slots + at / 8, (word & ~mask) | code << at % 8);
}

/*
 * The sum of the two buckets of a key, for each p, as a fraction of 2^32 of their number.
 * These are random numbers: all differences of two of them have to differ, or keys would
 * be moved between few buckets.
 */
static const uint32_t sums[1 << FIXED] =
{
	0x52e6b438, 0xf2a74de4, 0x269e0d37, 0x6513270e,
	0xa6a3a450, 0x0c5c7fd0, 0x128b2f33, 0xd23f0824,
	0x892f902b, 0x1818e811, 0x5d9dc9f8, 0x9531985d,
	0x0ed90475, 0xe8e25d94, 0x81e74ef5, 0x36f675cc
};

/*
 * Returns the other bucket of a key that is in this bucket. The other bucket's other is this
 * one.  The sum is odd and the number of buckets even, so they are never the same one, which
 * would leave a key half as many slots.
 */
static inline uint32_t
other_bucket(uint32_t buckets, uint32_t bucket, uint64_t code)
{
	uint32_t	sum = (uint32_t) ((uint64_t) sums[code & ((1 << FIXED) - 1)] * buckets >> 32) | 1;

	return sum >= bucket ? sum - bucket : sum + buckets - bucket;
}

/* Is what a slot knows of its key true of a key of which all is known? */
static inline bool
slot_says_yes(uint64_t slot, uint64_t code, uint32_t step)
{
	const uint32_t same_bits = FIXED + REST_BITS(step);
	uint64_t	marked = slot >> same_bits;

	if (((slot ^ code) & ((1 << FIXED) - 1)) != 0)
		return false;
	/* an empty slot, too, which has the empty set */
	if (marked == 0)
		return sets[step % 2][slot >> FIXED] >> (code >> FIXED & ((1 << REST_BITS(step)) - 1)) & 1;
	if (((slot ^ code) & ((UINT64_C(1) << same_bits) - 1)) != 0)
		return false;
	/* their marks one above the other */
	return code >> same_bits >> (__builtin_clzll(slot) - __builtin_clzll(code)) == marked;
}

/* ---------- buckets ---------- */

static inline bool
bucket_says_yes(const uint8_t *slots, uint32_t bits, uint32_t bucket, uint64_t code,
				uint32_t step)
{
	for (uint32_t i = bucket * BUCKET; i < (bucket + 1) * BUCKET; i++)
		if (slot_says_yes(read_slot(slots, bits, i), code, step))
			return true;
	return false;
}

bool
pds_existence_slots_contain(const pds_existence_table *table, const uint8_t *slots,
							const pds_existence_home *home, const pds_existence_spot *spot)
{
	const uint32_t bits = table->bits;
	uint32_t	other = other_bucket(table->buckets, home->bucket, spot->code);

	return bucket_says_yes(slots, bits, home->bucket, spot->code, spot->step) ||
		bucket_says_yes(slots, bits, other, spot->code, spot->step);
}

void
pds_existence_slots_expect(const pds_existence_table *table, const uint8_t *slots,
						   const pds_existence_home *home, const pds_existence_spot *spot)
{
	uint32_t	other = other_bucket(table->buckets, home->bucket, spot->code);

	__builtin_prefetch(slots + (uint64_t) home->bucket * BUCKET * table->bits / 8);
	__builtin_prefetch(slots + (uint64_t) other * BUCKET * table->bits / 8);
}

/* An empty slot of a bucket, or -1; *n_empty becomes how many there are. */
static inline int
empty_slot(const uint8_t *slots, uint32_t bits, uint32_t bucket, int *n_empty)
{
	int			empty = -1;

	*n_empty = 0;
	for (uint32_t i = bucket * BUCKET; i < (bucket + 1) * BUCKET; i++)
		if (read_slot(slots, bits, i) == 0)
		{
			empty = (int) i;
			(*n_empty)++;
		}
	return empty;
}

/* A slot whose key may be moved, and the slot (of the queue) whose key then takes its place */
typedef struct candidate
{
	uint32_t	slot;
	int			before;			/* -1: the new key does */
} candidate;

/* So many slots are tried: more find a place in fuller pages, and take longer. */
#define MAX_CANDIDATES		512

/* Is a slot on the way to this candidate? */
static inline bool
on_the_way(const candidate *queue, int last, uint32_t slot, int *length)
{
	*length = 0;
	for (; last >= 0; last = queue[last].before)
	{
		if (queue[last].slot == slot)
			return true;
		(*length)++;
	}
	return false;
}

/* Move the keys on the way to a candidate by one, the last one to an empty slot. */
static void
plan_moves(const uint8_t *slots, uint32_t bits, const candidate *queue, int last, uint32_t empty,
		   uint64_t code, pds_existence_moves *moves)
{
	for (; last >= 0; last = queue[last].before)
	{
		moves->slot[moves->n] = empty;
		moves->code[moves->n++] = read_slot(slots, bits, queue[last].slot);
		empty = queue[last].slot;
	}
	moves->slot[moves->n] = empty;
	moves->code[moves->n++] = code;
}

/* The bucket that the key in a slot can be moved to */
static inline uint32_t
bucket_after(const pds_existence_table *table, const uint8_t *slots, uint32_t slot)
{
	return other_bucket(table->buckets, slot / BUCKET, read_slot(slots, table->bits, slot));
}

/* Append the slots of a bucket, for which the key of a candidate could be moved there. */
static int
queue_bucket(candidate *queue, int queued, int before, uint32_t bucket)
{
	for (uint32_t i = bucket * BUCKET; i < (bucket + 1) * BUCKET && queued < MAX_CANDIDATES; i++)
	{
		int			length;

		if (!on_the_way(queue, before, i, &length) && length < PDS_EXISTENCE_MAX_MOVES - 1)
			queue[queued++] = (candidate) {i, before};
	}
	return queued;
}

bool
pds_existence_slots_plan(const pds_existence_table *table, const uint8_t *slots, uint32_t bucket,
						 uint64_t code, pds_existence_moves *moves)
{
	const uint32_t bits = table->bits;
	candidate	queue[MAX_CANDIDATES];
	int			queued = 0;
	uint32_t	other = other_bucket(table->buckets, bucket, code);
	int			n;
	int			n_other;
	int			empty = empty_slot(slots, bits, bucket, &n);
	int			empty_other = empty_slot(slots, bits, other, &n_other);

	moves->n = 0;
	if (n + n_other > 0)
	{
		/* into the emptier one */
		plan_moves(slots, bits, NULL, -1, (uint32_t) (n_other > n ? empty_other : empty), code,
				   moves);
		return true;
	}

	/* the shortest way to an empty slot (breadth first) */
	for (uint32_t i = 0; i < BUCKET; i++)
	{
		queue[queued++] = (candidate) {bucket * BUCKET + i, -1};
		queue[queued++] = (candidate) {other * BUCKET + i, -1};
	}
	for (int i = 0; i < queued; i++)
	{
		uint32_t	to = bucket_after(table, slots, queue[i].slot);

		if ((empty = empty_slot(slots, bits, to, &n)) >= 0)
		{
			plan_moves(slots, bits, queue, i, (uint32_t) empty, code, moves);
			return true;
		}
		queued = queue_bucket(queue, queued, i, to);
	}
	return false;
}

void
pds_existence_slots_write(const pds_existence_table *table, uint8_t *slots,
						  const pds_existence_moves *moves)
{
	for (uint32_t i = 0; i < moves->n; i++)
		write_slot(slots, table->bits, moves->slot[i], moves->code[i]);
}

size_t
pds_existence_moves_delta(const pds_existence_table *table, const uint8_t *slots,
						  const pds_existence_moves *moves, uint32_t at, uint8_t *out)
{
	size_t		len = 0;

	for (uint32_t i = 0; i < moves->n; i++)
	{
		uint64_t	bit = (uint64_t) moves->slot[i] * table->bits;
		uint32_t	byte = (uint32_t) (bit / 8);

		len += pds_existence_fragment(at + byte,
									  (uint32_t) ((bit + table->bits + 7) / 8) - byte,
									  slots + byte, out + len);
	}
	return len;
}

/* ---------- growth ---------- */

/* Put a slot into a page in which it is in the same bucket as before, or in its other one. */
static bool
put_slot(const pds_existence_table *table, uint8_t *slots, uint32_t bucket, uint64_t code)
{
	pds_existence_moves moves;

	if (!pds_existence_slots_plan(table, slots, bucket, code, &moves))
		return false;
	pds_existence_slots_write(table, slots, &moves);
	return true;
}

/* What a slot says of t: a set of the values of its page.  Empty if nobody writes it. */
static inline uint32_t
set_of_slot(uint32_t step, uint32_t rest, uint64_t marked)
{
	if (marked == 0)
		return sets[step % 2][rest];
	return rest < REST_VALUES(step) ? 1U << rest : 0;
}

/*
 * Put a key without a known bit of y into the pages "to" of a step.  "ts" are the values of t
 * that it can have there, of all pages.
 */
static bool
put_set(const pds_existence_table *table, uint32_t step, uint8_t *const *to, uint32_t bucket,
		uint32_t fixed, uint32_t ts)
{
	for (uint32_t page = 0; ts != 0; page++, ts >>= REST_VALUES(step))
	{
		uint32_t	set = ts & ((1U << REST_VALUES(step)) - 1);
		bool		one = (set & (set - 1)) == 0;
		uint32_t	rest = one ? (uint32_t) pds_log2_64(set | 1) : rest_of_set(step, set);

		if (set == 0)
			continue;
		if (!one && rest == 0)
			return false;
		if (!put_slot(table, to[page], bucket, code_of(step, fixed, rest, one)))
			return false;
	}
	return true;
}

/* All values of t as those of two families: each becomes two. */
static uint32_t
twice(uint32_t ts)
{
	uint32_t	doubled = 0;

	for (uint32_t t = 0; t < 12; t++)
		doubled |= (ts >> t & 1) * (3U << 2 * t);
	return doubled;
}

/*
 * Put a key into one of the pages "to" of a step, or into several if not enough is known of
 * it.  "ts" are the values of t that it can have in the family that it comes from.
 */
static bool
put_key(const pds_existence_table *table, uint32_t step, uint8_t *const *to, uint32_t bucket,
		uint32_t fixed, uint32_t ts, uint64_t marked)
{
	uint32_t	bit;
	uint32_t	t;

	if (marked <= 1)
		return put_set(table, step, to, bucket, fixed, step % 2 == 0 ? twice(ts) : ts);

	t = (uint32_t) pds_log2_64(ts);
	/* three pages of four values */
	if (step % 2 == 1)
		return put_slot(table, to[t / 4], bucket, code_of(step, fixed, t % 4, marked));

	/* two families: t and the first bit of y are the t of one of them */
	bit = (uint32_t) pds_log2_64(marked) - 1;
	t = 2 * t + (marked >> bit & 1);
	marked = UINT64_C(1) << bit | (marked & ((UINT64_C(1) << bit) - 1));
	return put_slot(table, to[t / 6], bucket, code_of(step, fixed, t % 6, marked));
}

bool
pds_existence_slots_distribute(const pds_existence_table *table, uint32_t step,
							   const uint8_t *const *from, uint8_t *const *to)
{
	uint32_t	n = step % 2 == 0 ? 2 : 3;
	uint32_t	rest_bits = REST_BITS(step);

	for (uint32_t page = 0; page < n; page++)
	{
		for (uint32_t i = 0; i < table->buckets * BUCKET; i++)
		{
			uint64_t	code = read_slot(from[page], table->bits, i);
			uint64_t	marked = code >> (FIXED + rest_bits);
			uint32_t	set = set_of_slot(step, (uint32_t) (code >> FIXED) &
										  ((1U << rest_bits) - 1), marked);

			if (code == 0)
				continue;
			/* a slot that nobody has written */
			if (set == 0)
				return false;
			if (!put_key(table, step + 1, to, i / BUCKET,
						 (uint32_t) code & ((1 << FIXED) - 1),
						 set << page * REST_VALUES(step), marked))
				return false;
		}
	}
	return true;
}

void
pds_existence_slots_count(const pds_existence_table *table, const uint8_t *slots, uint32_t step,
						  pds_existence_count *count)
{
	double		known = 0;

	for (uint32_t i = 0; i < table->buckets * BUCKET; i++)
	{
		uint64_t	code = read_slot(slots, table->bits, i);
		uint64_t	marked = code >> (FIXED + REST_BITS(step));

		if (code == 0)
			continue;
		count->slots++;
		count->none_known += marked <= 1;
		count->one_known += marked == 2 || marked == 3;
		if (marked == 0)
			known += __builtin_popcount(sets[step % 2][code >> FIXED]);
		else
			known += ldexp(1, -pds_log2_64(marked));
	}
	/* the chance that p and t are the same, and that the key is in one of the two buckets */
	count->yes = known * ldexp(1, -FIXED) / REST_VALUES(step) * 2 / table->buckets;
}

double
pds_existence_count_keys(const pds_existence_count *count)
{
	uint64_t	none_known = count->none_known < count->one_known ? count->none_known :
		count->one_known;

	return (double) (count->slots - count->none_known + none_known);
}

/* ---------- sizes ---------- */

/*
 * Let y be the known bits of a key when it came.  If its family had two pages then, the key
 * matches one in 12 * 2^y of the family's foreign keys of the same p.  This share does not
 * change: when the family becomes two, the key is in one of them, with a bit less.  A key that
 * came when the family had three pages has a bit more.  Let "full" be the number of keys of a
 * full page.  A generation begins with 1.5 full.  It gets 0.5 full while the family has two
 * pages, and 1 full while it has three, which counts half.  That is 1 full in all.  The first
 * generation begins with nothing and gets 2 + 0.5.
 */
double
pds_existence_table_rate(uint32_t bits, uint32_t generations)
{
	int			known = (int) bits - FIXED - REST_BITS(0) - 1;

	return KEYS_MET * ldexp(1, -FIXED - known) / 12 * (2.5 + generations);
}

static uint32_t
buckets_in_page(size_t page_bytes, uint32_t bits)
{
	/* a slot is read and written as eight bytes */
	return (uint32_t) ((page_bytes - PDS_EXISTENCE_SLOTS_AT - 8) * 8 / bits / BUCKET) & ~1U;
}

double
pds_existence_page_capacity(const pds_existence_table *table)
{
	return PDS_EXISTENCE_FULL_SHARE * table->buckets * BUCKET;
}

void
pds_existence_table_for(double rate, double keys, size_t page_bytes, pds_existence_table *table)
{
	memset(table, 0, sizeof(*table));
	table->bits = PDS_EXISTENCE_MIN_SLOT;
	while (table->bits < PDS_EXISTENCE_MAX_SLOT &&
		   pds_existence_table_rate(table->bits, PDS_EXISTENCE_GENERATIONS) > rate)
		table->bits++;
	table->buckets = buckets_in_page(page_bytes, table->bits);
	/* groups are not full at the same time */
	while (table->base < PDS_EXISTENCE_MAX_BASE && keys > 0.9 * PDS_EXISTENCE_GROUPS *
		   (double) pds_existence_pages_at(table, 0) * pds_existence_page_capacity(table))
		table->base++;
}

bool
pds_existence_table_valid(const pds_existence_table *table, size_t page_bytes, uint64_t first,
						  uint64_t end)
{
	uint64_t	pages = 0;

	if (table->bits < PDS_EXISTENCE_MIN_SLOT || table->bits > PDS_EXISTENCE_MAX_SLOT ||
		table->buckets != buckets_in_page(page_bytes, table->bits) ||
		table->base > PDS_EXISTENCE_MAX_BASE || table->started > 1)
		return false;
	for (uint32_t group = 0; group < PDS_EXISTENCE_GROUPS; group++)
	{
		if (table->top[group] >= PDS_EXISTENCE_MAX_STEPS)
			return false;
		for (uint32_t step = 0; table->started && step <= table->top[group]; step++)
		{
			uint64_t	n = pds_existence_pages_added(table, step);

			if (table->segment[group][step] < first || table->segment[group][step] + n > end)
				return false;
			pages += n;
		}
	}
	return first + pages == end;
}
