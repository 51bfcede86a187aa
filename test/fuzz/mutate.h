/*
 * mutate.h: damaging stored sketches, for a target's <target>_mutate.c
 */
#ifndef PDS_TEST_MUTATE_H
#define PDS_TEST_MUTATE_H

#include "payload.h"

/* What is being damaged, with space to become longer. */
typedef struct victim
{
	uint8_t    *bytes;
	size_t		len;
	size_t		space;
} victim;

/*
 * What a target brings.  Its seeds are valid sketches of all sorts, in groups with
 * numbers from first to last.  As most of what hits at random is refused at the
 * first look, it has ways of its own of damaging with care.
 */
typedef struct mutate_target
{
	const char *name;			/* "hll" */
	const char *group;			/* what a group is: "precision" */
	int			first;
	int			last;
	int			fills;			/* seeds of a group, from the empty one up */
	int			ways;
	const char *encodings[3];
	uint64_t	(*weight) (int group);
	payload		(*make_seed) (int group, int fill);

	/*
	 * A kind of one byte, and the number of hash families, whose sketches differ only in the
	 * header from those of a kind with a signature. 0 if a seed is not a stored sketch of ours.
	 * mutate.c makes signed sketches of some seeds, and takes the signature out before it calls
	 * damage(), which need not know of it.
	 */
	uint8_t		plain_kind;
	uint8_t		signed_families;

	/*
	 * Where the data begins, behind the head.  It begins with a directory of so many entries
	 * of four bytes.  mutate.c damages both, exchanges runs of the data and puts another
	 * sketch's there.  NULL if nobody can say.
	 */
	size_t		(*data_at) (const victim *v, uint64_t *entries);

	/* "where" is a place that a hit has been drawn for, "other" another seed */
	void		(*damage) (victim *v, int way, size_t where, const payload *other);
} mutate_target;

extern const mutate_target the_target;

/* A random number below n, the same on every run with the same seed. */
extern uint64_t next_random(void);
extern size_t below(size_t n);

extern void remove_bytes(victim *v, size_t at, size_t n);
extern void insert_bytes(victim *v, size_t at, const uint8_t *bytes, size_t n);

/* Put another number where a varint is. */
extern void edit_varint(victim *v, size_t at, uint64_t value);

/* A number that is often near a limit. */
extern uint64_t odd_number(void);

/* The data of the other behind our own head, of so many bytes. */
extern void take_data(victim *v, size_t head, const payload *other);

/* Flip a few bits from "head" on. */
extern void flip_data(victim *v, size_t head);

/* Exchange two runs of bytes from "head" on. */
extern void exchange_runs(victim *v, size_t head);

#endif
