/*
 * existence_table.h: fingerprints of the keys that come after an index was built
 *
 * A Bloom filter cannot be made larger without its keys.  So an existence index puts the
 * keys that its filter has no space for into a table of fingerprints, which grows page by
 * page.  A probe reads one page of the table.
 *
 * Places.  h1 says which page a key is in.  It is cut into PDS_EXISTENCE_GROUPS groups of
 * unequal widths, 1 : 2^(1/4) : 2^(2/4) : 2^(3/4), and the place in the group is a fraction
 * x in [0, 1).  A group consists of 2^d families of equal widths, each of two or three
 * pages of equal widths:
 *
 *     step    0         1            2                     3
 *     pages   a | b     a | b | c    a | b    c | d        a | b | e    c | d | f     ...
 *     d       0         0            1                     1
 *
 * When a page of a family is full, the keys of the family are distributed again.  Two pages
 * become three, and three become four, which are two families of two.  After that, pages are
 * 2/3 or 3/4 full.  Groups of unequal widths grow at different times, so all pages together are
 * always about 83 % full (Larson, "Linear hashing with partial expansions", 1980).  The
 * families of a group go from step to step one by one.  Each page stores its step, so a reader
 * can verify that it has the right page.
 *
 * The new pages of a group for one step are neighbours in the relation: a segment.
 *
 *     page    0    the server's page header (24 bytes)
 *             24   magic number (4 bytes), step (4 bytes), zeros
 *             64   slots of w bits, four in a bucket, without gaps; 8 spare bytes
 *
 * Slots.  A key has two buckets of its page and is in one of the two (Fan, Andersen, Kaminsky,
 * Mitzenmacher, "Cuckoo filter: practically better than Bloom", 2014).  The buckets are b, from
 * the upper half of h2, and c[p] - b.  A slot begins with p, which also comes from h2:
 *
 *     bit   0 ... 3   4 ... 6          7 ...                       w - 1
 *           p         r                known bits of y | 1 | 0 ... 0
 *
 * r and y are what is known of x beyond the page.  12 x in the family is t + y, t from 0 to
 * 11.  A page of two has six values of t, r being one of them (3 bits), a page of three has
 * four (2 bits).  y is a fraction; a new key has as many bits of it as fit.  Each time a
 * family becomes two, one bit of y goes over into t.  The highest bit that is set in a slot
 * marks the end of what is known.  A slot of zeros is empty.
 *
 * When no bit of y is left of a key, the next doubling leaves two possible values of t, and the
 * one after that four.  Then the key belongs into several pages.  Its slot in each of these
 * pages has no mark, and r stands for a set of values of t:
 *
 *     r              1      2      3      4        5        6
 *     page of two    0 1    2 3    4 5    0...3    2...5    0...5
 *     page of three  0 1    2 3    0...3
 *
 * With a slot for each value instead, an old key would fill six of the eight slots that it can
 * be in, in every page.  Two such keys would not fit beside each other.
 *
 * So a key that has been in the table for j generations has j bits less, but there are only
 * 2^-j as many such keys. Each generation adds the same false-positive rate.
 */
#ifndef PDS_EXISTENCE_EXISTENCE_TABLE_H
#define PDS_EXISTENCE_EXISTENCE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "murmur3.h"

#define PDS_EXISTENCE_TABLE_MAGIC	UINT32_C(0x50447847)

#define PDS_EXISTENCE_GROUPS		4

/* Steps of a group: 24 generations */
#define PDS_EXISTENCE_MAX_STEPS		48

/* 2^this families in each group at the beginning, at most */
#define PDS_EXISTENCE_MAX_BASE		16

/* The step of a page that its family has not reached */
#define PDS_EXISTENCE_UNREACHED		UINT32_MAX

/* Where the slots begin in a page, and how many are in a bucket */
#define PDS_EXISTENCE_SLOTS_AT		64
#define PDS_EXISTENCE_BUCKET		4

/*
 * Bits of p, and of the whole slot.  A new key has five bits of y at least: after as many
 * generations its slot starts to stand for sets.
 */
#define PDS_EXISTENCE_FIXED_BITS	4
#define PDS_EXISTENCE_MIN_SLOT		(PDS_EXISTENCE_FIXED_BITS + 3 + 1 + 5)
#define PDS_EXISTENCE_MAX_SLOT		57

/* The share of the slots of a page that are filled when it is full, about */
#define PDS_EXISTENCE_FULL_SHARE	0.96

/* A page that cannot take a key although it is emptier than this is not to be blamed. */
#define PDS_EXISTENCE_ODD_SHARE		0.85

/* How often the table can double before it exceeds its rate: then it has 98,304 pages */
#define PDS_EXISTENCE_GENERATIONS	13

typedef struct pds_existence_table
{
	uint32_t	bits;			/* w */
	uint32_t	buckets;		/* of a page */
	uint32_t	base;			/* 2^base families in each group at step 0 */
	uint32_t	started;		/* are there pages? */
	uint32_t	top[PDS_EXISTENCE_GROUPS];	/* the highest step that has pages */
	uint32_t	segment[PDS_EXISTENCE_GROUPS][PDS_EXISTENCE_MAX_STEPS];	/* their first ones */
} pds_existence_table;

/* What follows the server's page header: in pages of the filter, too, with step 0 */
typedef struct pds_existence_page_head
{
	uint32_t	magic;
	uint32_t	step;
} pds_existence_page_head;

/* ---------- places ---------- */

/* The part of a key that does not depend on the step: the group, x, p and the first bucket. */
typedef struct pds_existence_home
{
	uint32_t	group;
	uint32_t	fixed;
	uint32_t	bucket;
	uint64_t	x;
} pds_existence_home;

/*
 * The part that depends on the step: the page's number in the relation, and the contents of its
 * slot.
 */
typedef struct pds_existence_spot
{
	uint32_t	step;
	uint32_t	page;
	uint64_t	code;
} pds_existence_spot;

extern pds_existence_home pds_existence_home_of(const pds_existence_table *table, pds_hash h);

/* The step is at most the group's top. */
extern pds_existence_spot pds_existence_spot_of(const pds_existence_table *table,
												const pds_existence_home *home, uint32_t step);

/*
 * The pages of the family of a key at a step: two or three, whose number is returned.  Behind them
 * the page that is added to the family for the next step, if its group has come to that.
 */
extern uint32_t pds_existence_family_of(const pds_existence_table *table,
										const pds_existence_home *home, uint32_t step,
										uint32_t pages[4]);

/* How many pages a group has at a step, and how many of these were added for it. */
extern uint64_t pds_existence_pages_at(const pds_existence_table *table, uint32_t step);
extern uint64_t pds_existence_pages_added(const pds_existence_table *table, uint32_t step);

/* The share of all keys that go to a group. */
extern double pds_existence_group_share(uint32_t group);

/* ---------- slots ---------- */

/*
 * Functions on the slots of a page, which begin at "slots".  The bytes up to the end of
 * the page belong to them.
 */

/* Returns whether a key is in the slots. */
extern bool pds_existence_slots_contain(const pds_existence_table *table, const uint8_t *slots,
										const pds_existence_home *home,
										const pds_existence_spot *spot);

/* Have the memory at hand that pds_existence_slots_contain() will look at. */
extern void pds_existence_slots_expect(const pds_existence_table *table, const uint8_t *slots,
									   const pds_existence_home *home,
									   const pds_existence_spot *spot);

/* What pds_existence_slots_plan() found: where what is to be written */
#define PDS_EXISTENCE_MAX_MOVES		6
typedef struct pds_existence_moves
{
	uint32_t	n;				/* 1: no key has to be moved */
	uint32_t	slot[PDS_EXISTENCE_MAX_MOVES];
	uint64_t	code[PDS_EXISTENCE_MAX_MOVES];
} pds_existence_moves;

/* How a key can be put in, moving others where it has to.  False if the page is full. */
extern bool pds_existence_slots_plan(const pds_existence_table *table, const uint8_t *slots,
									 uint32_t bucket, uint64_t code,
									 pds_existence_moves *moves);

extern void pds_existence_slots_write(const pds_existence_table *table, uint8_t *slots,
									  const pds_existence_moves *moves);

/*
 * Some bytes of a page as the server's generic WAL records have them: offset and length, numbers
 * of 16 bits in native byte order, and the bytes.  Returns the length of what is written at out.
 */
static inline size_t
pds_existence_fragment(uint32_t offset, uint32_t length, const uint8_t *bytes, uint8_t *out)
{
	uint16_t	head[2] = {(uint16_t) offset, (uint16_t) length};

	memcpy(out, head, sizeof(head));
	memcpy(out + sizeof(head), bytes, length);
	return sizeof(head) + length;
}

/*
 * The change in such fragments; "at" is where the slots begin in the page.  Returns the length of
 * what is written at out.
 */
#define PDS_EXISTENCE_MAX_MOVES_DELTA	(PDS_EXISTENCE_MAX_MOVES * (4 + 8))
extern size_t pds_existence_moves_delta(const pds_existence_table *table, const uint8_t *slots,
										const pds_existence_moves *moves, uint32_t at,
										uint8_t *out);

/*
 * Distribute the keys of a family at a step over one page more: two or three pages of slots
 * at "from", and one more of zeros at "to".  False if they do not fit, which chance does not
 * do; "to" is of no use then.
 */
extern bool pds_existence_slots_distribute(const pds_existence_table *table, uint32_t step,
										   const uint8_t *const *from, uint8_t *const *to);

/* What there is in pages of slots */
typedef struct pds_existence_count
{
	uint64_t	slots;			/* that are filled */
	uint64_t	none_known;		/* of these, with no bit of y */
	uint64_t	one_known;		/* and with one bit */
	double		yes;			/* expected number of slots that say yes to a foreign key which
								 * is looked up in the page that was counted last */
} pds_existence_count;

/* Add the slots of a page to a count. */
extern void pds_existence_slots_count(const pds_existence_table *table, const uint8_t *slots,
									  uint32_t step, pds_existence_count *count);

/*
 * Estimates the number of keys.  A key without a remaining bit of y can be in several pages.
 * The number of keys older than a generation equals the number of keys of this generation.  So
 * in a table that grew, there are as many old keys as keys with one bit left.
 */
extern double pds_existence_count_keys(const pds_existence_count *count);

/* ---------- sizes ---------- */

/*
 * A table that keeps a false-positive rate until it has doubled PDS_EXISTENCE_GENERATIONS
 * times, with space for at least "keys" at the beginning, or the least that a table has.
 */
extern void pds_existence_table_for(double rate, double keys, size_t page_bytes,
									pds_existence_table *table);

/* The rate of a table that has doubled so many times and whose pages are all full. */
extern double pds_existence_table_rate(uint32_t bits, uint32_t generations);

/* How many keys a page has space for. */
extern double pds_existence_page_capacity(const pds_existence_table *table);

/*
 * Returns whether pds_existence_table_for() and steps can have made this, in the pages from
 * "first" up to "end".
 */
extern bool pds_existence_table_valid(const pds_existence_table *table, size_t page_bytes,
									  uint64_t first, uint64_t end);

#endif
