/*
 * bloom_estimate.c: what a Bloom filter's fill tells
 */
#include <math.h>

#include "poll.h"
#include "bloom_estimate.h"
#include "bloom_size.h"

static inline bool
in_blocks(const pds_bloom_shape *s)
{
	return s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS;
}

/* Bits of the pieces that the filter consists of: blocks, words, or itself. */
static inline double
piece_bits(const pds_bloom_shape *s)
{
	if (in_blocks(s))
		return PDS_BLOOM_BLOCK_BITS;
	if (pds_bloom_is_split_block(s->family))
		return 32;
	/* there are no others that 31 bits of a hash could be */
	if (s->family == PDS_BLOOM_GUAVA32 && s->bits > UINT64_C(1) << 31)
		return (double) (UINT64_C(1) << 31);
	return (double) s->bits;
}

/* How many bits are set that a hash can be. */
static inline double
bits_set(const pds_bloom_summary *s)
{
	return fmin((double) s->set, piece_bits(&s->shape));
}

/* Are they counted by how many bits they have set? */
static inline bool
in_pieces(const pds_bloom_shape *s)
{
	return in_blocks(s) || pds_bloom_is_split_block(s->family);
}

void
pds_bloom_count_blocks(const uint8_t *array, size_t len, pds_bloom_summary *s)
{
	s->set += pds_bloom_count_block_bits(array, len, s->blocks);
}

/* The same of the blocks of a split block filter, and of their words. */
static void
count_split_blocks(const uint8_t *array, size_t len, pds_bloom_summary *s)
{
	for (size_t at = 0; at < len; at += PDS_BLOOM_SPLIT_BITS / 8)
	{
		double		product = 1;

		if (at % PDS_POLL_BYTES == 0)
			pds_poll();
		for (int i = 0; i < PDS_BLOOM_SPLIT_WORDS; i++)
		{
			int			n = pds_popcount64(pds_load_le32(array + at + 4 * i));

			if (n > 0)
				s->blocks[n]++;
			s->set += (uint64_t) n;
			product *= n / 32.0;
		}
		s->product += product;
	}
}

static void
count_cell(void *context, size_t at, const uint8_t *bits, size_t len)
{
	pds_bloom_summary *s = context;

	(void) at;
	if (in_blocks(&s->shape))
		pds_bloom_count_blocks(bits, len, s);
	else
		count_split_blocks(bits, len, s);
}

/* The rate of a small filter is counted in so many words of places. */
#define COUNTED_WORDS	(UINT64_C(1) << 17)
#define MOST_SAMPLES	32768
/* A model counts for as much as so many places found. */
#define MODEL_COUNTS	20

/* A small filter, in which the bits of a key lie at places + i * steps, modulo the size */
static inline bool
is_counted(const pds_bloom_shape *s)
{
	return (s->family == PDS_BLOOM_CLASSIC || s->family == PDS_BLOOM_REDIS) &&
		s->bits <= PDS_BLOOM_COUNTED_BITS;
}

static inline uint64_t
next_random(uint64_t *state)
{
	uint64_t	z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/*
 * At how many of all places that a key with these steps can begin are all its bits set?  They are
 * tried 64 at once: those at which the first bit is set, and so on for the bits that follow.
 */
static uint64_t
count_beginnings(const pds_bloom_shape *s, const uint64_t *words, pds_hash h)
{
	const uint64_t n = s->bits / 64;
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	uint64_t	found = 0;

	pds_bloom_places(s, h, places);
	for (int k = 1; k < s->hashes; k++)
		places[k] = places[k] >= places[0] ? places[k] - places[0] :
			places[k] + s->bits - places[0];
	for (uint64_t i = 0; i < n; i++)
	{
		uint64_t	all = words[i];

		for (int k = 1; k < s->hashes && all != 0; k++)
		{
			const uint64_t *from = words + i + places[k] / 64;
			int			shift = (int) (places[k] % 64);

			all &= shift == 0 ? from[0] : from[0] >> shift | from[1] << (64 - shift);
		}
		found += pds_popcount64(all);
	}
	return found;
}

/* A step of this residue, about so far within the range of steps. */
static inline uint64_t
step_of(const pds_bloom_shape *s, uint64_t about, uint64_t residue)
{
	/* classic: 63 bits */
	uint64_t	step = s->family == PDS_BLOOM_CLASSIC ? about >> 1 : about;

	return step - step % s->bits + residue;
}

/*
 * Steps that come back to where they began, or to half of the filter from there, are few and find
 * much.  So they are sampled by themselves: residues 0 and m / 2, and the same where all additions
 * wrap.  "model" is the rate that the fill alone lets expect, above 0.
 */
static double
counted_rate(const pds_bloom_summary *s, double model)
{
	const uint64_t bits = s->shape.bits;
	const uint64_t n = bits / 64;
	const uint64_t samples = COUNTED_WORDS / n < MOST_SAMPLES ? COUNTED_WORDS / n : MOST_SAMPLES;
	const uint64_t wrap = s->shape.family == PDS_BLOOM_CLASSIC ? (UINT64_C(1) << 63) % bits :
		(UINT64_MAX % bits + 1) % bits;
	const uint64_t special[4] = {0, bits / 2, wrap, (wrap + bits / 2) % bits};
	const uint64_t each = samples / 16 < 256 ? samples / 16 + 8 : 256;
	uint64_t	random = 0;
	double		rate = 0;
	double		rest = 0;
	double		found_in_rest = 0;
	double		places;
	int			kinds = 0;
	uint64_t	words[2 * PDS_BLOOM_COUNTED_BITS / 64 + 1];	/* twice, for places near the end */

	words[0] = 0;
	for (uint64_t i = 0; i < n; i++)
		words[i] = words[n + i] = pds_load_le64(s->small + 8 * i);
	words[2 * n] = words[0];

	for (int i = 0; i < 4; i++)
	{
		double		found = 0;

		if (i >= 2 && (special[i] == special[0] || special[i] == special[1]))
			continue;
		for (uint64_t sample = 0; sample < each; sample++)
		{
			uint64_t	about = UINT64_MAX / each * sample + UINT64_MAX / each / 2;
			pds_hash	h = {next_random(&random), step_of(&s->shape, about, special[i])};

			found += (double) count_beginnings(&s->shape, words, h);
		}
		rate += found / (double) each / (double) bits / (double) bits;
		kinds++;
	}
	for (uint64_t sample = 0; sample < samples; sample++)
	{
		uint64_t	residue = next_random(&random) % bits;
		uint64_t	about = next_random(&random);
		pds_hash	h = {next_random(&random), step_of(&s->shape, about, residue)};

		if (residue == special[0] || residue == special[1] || residue == special[2] ||
			residue == special[3])
			continue;
		rest += 1;
		found_in_rest += (double) count_beginnings(&s->shape, words, h);
	}
	rate += found_in_rest / rest / (double) bits * (1 - (double) kinds / (double) bits);
	places = rest * (double) bits;
	return fmin(1, (rate * places + MODEL_COUNTS) / (places + MODEL_COUNTS / model));
}

pds_status
pds_bloom_summarize(const pds_bloom_view *v, pds_bloom_summary *s)
{
	const uint64_t bits = v->shape.bits;
	const uint8_t *array = v->payload + v->data_at;

	memset(s, 0, offsetof(pds_bloom_summary, small));
	s->shape = v->shape;
	if (is_counted(&v->shape))
	{
		memset(s->small, 0, (size_t) (bits / 8));
		if (pds_bloom_view_or(v, s->small) != PDS_OK)
			return PDS_CORRUPT;
	}
	if (!in_pieces(&v->shape))
		s->set = v->encoding == PDS_BLOOM_ARRAY ?
			pds_bloom_count_bits(array, (size_t) (bits / 8)) : v->count;
	else if (v->encoding == PDS_BLOOM_ARRAY)
		count_cell(s, 0, array, (size_t) (bits / 8));
	else
	{
		if (pds_bloom_view_each_cell(v, count_cell, s) != PDS_OK)
			return PDS_CORRUPT;
		if (in_blocks(&v->shape))
			s->blocks[0] = bits / PDS_BLOOM_BLOCK_BITS - v->used;
	}
	return PDS_OK;
}

/*
 * Keys that set "set" of b places, with k throws each.  The plain inversion is too high because
 * of the variance of the logarithm, and the excess adds up over many small blocks.  The halves
 * remove it: less than 10^-4 of it remains up to three throws a place.  They also give an
 * answer when no place is free.
 */
static inline double
keys_of_fill(double set, double b, int k)
{
	return log((b - set + 0.5) / (b + 0.5)) * (1 + 0.5 / b) / (k * log1p(-1 / b));
}

double
pds_bloom_cardinality(const pds_bloom_summary *s)
{
	double		b = piece_bits(&s->shape);
	double		keys = 0;

	if (!in_pieces(&s->shape))
		return keys_of_fill(bits_set(s), b, s->shape.hashes);
	for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
		if (s->blocks[i] > 0)
			keys += (double) s->blocks[i] * keys_of_fill(i, b, s->shape.hashes);
	return keys;
}

/* The variance of that, of throws. */
static inline double
variance_of_fill(double set, double b)
{
	double		load = keys_of_fill(set, b, 1) / b;

	return b * (expm1(load) - load);
}

double
pds_bloom_cardinality_error(const pds_bloom_summary *s)
{
	double		b = piece_bits(&s->shape);
	double		variance = 0;

	if (!in_pieces(&s->shape))
		variance = variance_of_fill(bits_set(s), b);
	else
		for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
			if (s->blocks[i] > 0)
				variance += (double) s->blocks[i] * variance_of_fill(i, b);
	return sqrt(variance) / s->shape.hashes;
}

double
pds_bloom_current_rate(const pds_bloom_summary *s)
{
	double		rate = 0;

	if (pds_bloom_is_split_block(s->shape.family))
		return s->product * PDS_BLOOM_SPLIT_BITS / (double) s->shape.bits;
	if (!in_blocks(&s->shape))
	{
		rate = pds_bloom_fill_rate(&s->shape, bits_set(s) / piece_bits(&s->shape));
		return rate > 0 && is_counted(&s->shape) ? counted_rate(s, rate) : rate;
	}
	for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
		rate += (double) s->blocks[i] *
			pow((double) i / PDS_BLOOM_BLOCK_BITS, s->shape.hashes);
	return rate * PDS_BLOOM_BLOCK_BITS / (double) s->shape.bits;
}

const char *
pds_bloom_status_of(const pds_bloom_summary *s)
{
	double		capacity = (double) s->shape.capacity;
	double		keys = pds_bloom_cardinality(s);

	/* an imported filter may not say what it was planned for */
	if (s->shape.capacity == 0)
		capacity = (double) s->shape.bits * log(2) / s->shape.hashes;
	/* of a full one one cannot say by how much */
	if (s->set == s->shape.bits ||
		keys - 3 * pds_bloom_cardinality_error(s) > capacity)
		return "over capacity";
	return keys >= 0.9 * capacity ? "nearly full" : "ok";
}
