/*
 * ddsketch_format.c: the stored form of a DDSketch
 *
 *     header       3 bytes (base/header.h); the kind is number or interval
 *     asked        1 byte: the requested scale, plus 10; 0 to 30
 *     max_buckets  varint, 16 to 65536
 *
 * An empty sketch ends here.  Any other has
 *
 *     coarser      1 byte: by how much its scale is lower than the requested one
 *     flags        1 byte: 1 zeros, 2 negative infinities, 4 positive ones, 8 NaN, 16 negative
 *                  numbers, 32 positive ones, 64 the smallest number is also the largest
 *     total        varint: how many numbers there are
 *     counts       varints: of zeros, of each infinity, of NaN, if flagged
 *     min          8 bytes: the smallest finite number, as a double, little-endian; if there are
 *                  negative numbers, or positive ones and no zeros
 *     max          8 bytes: the largest, if there are positive numbers, or negative ones and no
 *                  zeros, but not with the flag 64
 *     buckets      varints: how many buckets of negative numbers, and of positive ones, if flagged
 *     data         bits
 *
 * The data has the counts of negative buckets, from the bucket of min on to larger numbers.  Then
 * it has the counts of positive buckets, from the bucket of max on to smaller numbers.  So indexes
 * fall by one from bucket to bucket.
 *
 * Each bucket, empty or not, is a symbol.  It is predicted by the counts c1 and c2 of the two
 * buckets before it, which are 1 and 1 at first.  With p = floor((c1 + c2) / 2), and n bits in p,
 *
 *     k = floor(n / 2) if p < 8, floor((n + 1) / 2) otherwise
 *     v = 2(c - p) - 1 if p < c <= 2p, 2(p - c) if c <= p, and c if c > 2p
 *
 * and v is coded by k.  The first bucket of each sign is not empty, and neither is the one behind
 * a gap.  There c - 1 stands in place of c, and p - 1 in place of p if p > 0, but not for k.
 *
 * A count of 0 begins a gap.  It is followed by the number of further buckets that are empty,
 * which is coded in powers from 3 bits on.  Behind the gap c1 is 0, and c2 the count before it.
 *
 *     v coded by k       q = v >> k.  If q < 16: q zeros, a one, and the low k bits of v.
 *                        Otherwise 16 zeros, and v - (16 << k) coded in powers from k bits on.
 *     v coded in powers  q = (v >> k) + 1, a number of m bits: m - 1 zeros, a one, the low m - 1
 *     from k bits on     bits of q, and the low k bits of v.
 *
 * Bits fill bytes from the lowest bit up, numbers lowest bit first; the last byte is filled up
 * with zeros.
 */
#include <math.h>

#include "ddsketch.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"

static const char cut_off[] = "The data is cut off.";

#define HAS_ZEROS		1
#define HAS_NEGATIVE_INFINITIES	2
#define HAS_POSITIVE_INFINITIES	4
#define HAS_NANS		8
#define HAS_NEGATIVES	16
#define HAS_POSITIVES	32
#define IS_ONE_NUMBER	64
#define ALL_FLAGS		127

#define GAP_BITS		3
#define LONGEST_UNARY	16
#define MOST_CODE_BITS	32	/* of a prediction below 2^63 */

#define LOW_BITS(n)		((UINT64_C(1) << (n)) - 1)

static inline int
bits_in(uint64_t v)
{
	return v == 0 ? 0 : pds_log2_64(v) + 1;
}

/* ---------- symbols ---------- */

static void
put_power(pds_bit_writer *w, uint64_t v, int k)
{
	uint64_t	q = (v >> k) + 1;
	int			m = bits_in(q);

	pds_bits_put_unary(w, (uint64_t) m - 1);
	pds_bits_put_long(w, q & LOW_BITS(m - 1), m - 1);
	pds_bits_put_long(w, v & LOW_BITS(k), k);
}

static inline uint64_t
get_long(pds_bit_reader *r, int n)
{
	uint64_t	v;

	if (n <= 32)
		return pds_bits_get(r, n);
	v = pds_bits_get(r, 32);
	return v | (uint64_t) pds_bits_get(r, n - 32) << 32;
}

/* Too large a number is an overrun. */
static uint64_t
get_power(pds_bit_reader *r, int k)
{
	uint64_t	m = pds_bits_get_unary(r);
	uint64_t	q;

	if (m + (uint64_t) k > 63)
	{
		r->overrun = true;
		return 0;
	}
	q = (UINT64_C(1) << m | get_long(r, (int) m)) - 1;
	return q << k | get_long(r, k);
}

static void
put_by(pds_bit_writer *w, uint64_t v, int k)
{
	uint64_t	q = v >> k;

	if (q < LONGEST_UNARY)
	{
		pds_bits_put_unary(w, q);
		pds_bits_put_long(w, v & LOW_BITS(k), k);
		return;
	}
	pds_bits_put(w, 0, LONGEST_UNARY);
	put_power(w, v - ((uint64_t) LONGEST_UNARY << k), k);
}

static uint64_t
get_by_slowly(pds_bit_reader *r, int k)
{
	uint64_t	q = 0;

	while (q < LONGEST_UNARY && pds_bits_get(r, 1) == 0)
	{
		if (r->overrun)
			return 0;
		q++;
	}
	return q < LONGEST_UNARY ? q << k | get_long(r, k) :
		((uint64_t) LONGEST_UNARY << k) + get_power(r, k);
}

/* Most symbols lie whole in the bits that a refill gets. */
static inline uint64_t
get_by(pds_bit_reader *r, int k)
{
	int			q;
	uint64_t	v;

	if (r->fill < LONGEST_UNARY + MOST_CODE_BITS)
		pds_bits_refill(r);
	q = pds_ctz64(r->acc | UINT64_C(1) << LONGEST_UNARY);
	if (__builtin_expect(q >= LONGEST_UNARY || r->fill < LONGEST_UNARY + MOST_CODE_BITS, 0))
		return get_by_slowly(r, k);
	v = (uint64_t) q << k | (r->acc >> (q + 1) & LOW_BITS(k));
	r->acc >>= q + 1 + k;
	r->fill -= q + 1 + k;
	return v;
}

/* The code of a count that is predicted to be p, and back. */
static inline uint64_t
folded(uint64_t c, uint64_t p)
{
	return c > 2 * p ? c : c > p ? 2 * (c - p) - 1 : 2 * (p - c);
}

static inline uint64_t
unfolded(uint64_t v, uint64_t p)
{
	uint64_t	half = (v + 1) / 2;
	uint64_t	up = -(v & 1);		/* all ones, or none: a branch would be mispredicted */

	return v > 2 * p ? v : p + (half & up) - (half & ~up);
}

static inline uint64_t
prediction(const uint64_t *before)
{
	return (before[0] + before[1]) / 2;
}

static inline int
code_bits(uint64_t p)
{
	return p < 8 ? bits_in(p) / 2 : (bits_in(p) + 1) / 2;
}

static void
begin_counts(uint64_t *before)
{
	before[0] = 1;
	before[1] = 1;
}

static inline void
counted(uint64_t *before, uint64_t c)
{
	before[1] = before[0];
	before[0] = c;
}

/* ---------- writing ---------- */

void
pds_ddsketch_measure(pds_ddsketch_build *b, pds_ddsketch_encoding *x)
{
	x->bytes = PDS_DDSKETCH_MAX_PREFIX;
	x->scratch = 0;
	if (b->buckets > 0)
	{
		const pds_ddsketch_slot *slots = pds_ddsketch_slots(b);
		uint64_t	largest = 0;

		for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
			largest |= slots[i].count;
		x->scratch = (size_t) b->buckets * sizeof(uint64_t);
		/* a symbol that is a zero, a gap, and the count */
		x->bytes += (size_t) b->buckets *
			(size_t) (2 * (LONGEST_UNARY + 2 + 2 * (bits_in(largest) + 2)) + 2 * 33 + 3) / 8 + 8;
	}
}

/* The buckets of one sign, by keys in ascending order, from the last down. */
static void
put_counts(pds_bit_writer *w, const pds_ddsketch_build *b, const uint64_t *keys, uint32_t n)
{
	uint64_t	before[2];
	bool		certain = true;

	begin_counts(before);
	for (uint32_t i = n; i > 0; i--)
	{
		uint64_t	count = pds_ddsketch_slot_of(b, keys[i - 1])->count;
		uint64_t	p = prediction(before);
		int			k = code_bits(p);

		pds_poll_every(i, PDS_DDSKETCH_POLL_BUCKETS);
		if (i < n && keys[i] - keys[i - 1] > 2)
		{
			put_by(w, folded(0, p), k);
			put_power(w, (keys[i] - keys[i - 1]) / 2 - 2, GAP_BITS);
			counted(before, 0);
			p = prediction(before);
			k = code_bits(p);
			certain = true;
		}
		if (certain)
			put_by(w, folded(count - 1, p > 0 ? p - 1 : 0), k);
		else
			put_by(w, folded(count, p), k);
		counted(before, count);
		certain = false;
	}
}

/* The keys of both signs, in ascending order: negative ones first.  Returns how many these are. */
static uint32_t
sorted_keys(const pds_ddsketch_build *b, uint64_t *keys)
{
	const pds_ddsketch_slot *slots = pds_ddsketch_slots(b);
	uint32_t	negatives = 0;
	uint32_t	positives = 0;

	for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
		if (slots[i].count > 0)
		{
			if (pds_ddsketch_key_negative(slots[i].key))
				keys[negatives++] = slots[i].key;
			else
				keys[b->buckets - ++positives] = slots[i].key;
		}
	pds_sort_words(keys, negatives);
	pds_sort_words(keys + negatives, positives);
	return negatives;
}

/* Returns whether the flags say that the smallest, or the largest, number is stored. */
static bool
has_min(int flags)
{
	return (flags & HAS_NEGATIVES) != 0 ||
		(flags & (HAS_POSITIVES | HAS_ZEROS)) == HAS_POSITIVES;
}

static bool
has_max(int flags)
{
	return (flags & IS_ONE_NUMBER) == 0 &&
		((flags & HAS_POSITIVES) != 0 || (flags & (HAS_NEGATIVES | HAS_ZEROS)) == HAS_NEGATIVES);
}

static int
flags_of(const pds_ddsketch_apart *a, uint32_t negatives, uint32_t positives)
{
	return (a->zeros > 0 ? HAS_ZEROS : 0) |
		(a->negative_infinities > 0 ? HAS_NEGATIVE_INFINITIES : 0) |
		(a->positive_infinities > 0 ? HAS_POSITIVE_INFINITIES : 0) |
		(a->nans > 0 ? HAS_NANS : 0) |
		(negatives > 0 ? HAS_NEGATIVES : 0) | (positives > 0 ? HAS_POSITIVES : 0) |
		(negatives + positives > 0 && a->min == a->max ? IS_ONE_NUMBER : 0);
}

size_t
pds_ddsketch_encode(pds_ddsketch_build *b, const pds_ddsketch_encoding *x, void *scratch,
					uint8_t *out)
{
	uint8_t		encoding = b->total > 0 ? PDS_DDSKETCH_BUCKETS : PDS_DDSKETCH_EMPTY;
	size_t		at = pds_header_put(out, PDS_TYPE_DDSKETCH, PDS_FAMILY_NATIVE, encoding,
									pds_state_kind(b));
	const pds_ddsketch_apart *a = &b->apart;
	uint64_t   *keys = scratch;
	uint32_t	negatives;
	int			flags;
	pds_bit_writer w;

	(void) x;
	out[at++] = (uint8_t) (b->asked - PDS_DDSKETCH_MIN_SCALE);
	at += pds_varint_put(out + at, b->max_buckets);
	if (encoding == PDS_DDSKETCH_EMPTY)
		return at;
	negatives = b->buckets == 0 ? 0 : sorted_keys(b, keys);
	flags = flags_of(a, negatives, b->buckets - negatives);
	out[at++] = (uint8_t) (b->asked - b->scale);
	out[at++] = (uint8_t) flags;
	at += pds_varint_put(out + at, b->total);
	if (a->zeros > 0)
		at += pds_varint_put(out + at, a->zeros);
	if (a->negative_infinities > 0)
		at += pds_varint_put(out + at, a->negative_infinities);
	if (a->positive_infinities > 0)
		at += pds_varint_put(out + at, a->positive_infinities);
	if (a->nans > 0)
		at += pds_varint_put(out + at, a->nans);
	if (has_min(flags))
	{
		pds_store_le64(out + at, pds_bits_of(a->min));
		at += sizeof(double);
	}
	if (has_max(flags))
	{
		pds_store_le64(out + at, pds_bits_of(a->max));
		at += sizeof(double);
	}
	if (negatives > 0)
		at += pds_varint_put(out + at, negatives);
	if (b->buckets > negatives)
		at += pds_varint_put(out + at, b->buckets - negatives);
	if (b->buckets == 0)
		return at;
	pds_bits_open(&w, out + at);
	put_counts(&w, b, keys, negatives);
	put_counts(&w, b, keys + negatives, b->buckets - negatives);
	return at + pds_bits_close(&w);
}

/* ---------- reading ---------- */

static bool
read_double(const uint8_t *payload, size_t have, size_t *at, double *v)
{
	if (have - *at < sizeof(*v))
		return false;
	*v = pds_double_of(pds_load_le64(payload + *at));
	*at += sizeof(*v);
	return isfinite(*v) && *v != 0;
}

/* A count that is flagged, from 1 up. */
static bool
read_count(const uint8_t *payload, size_t have, size_t *at, int flagged, uint64_t *count)
{
	return flagged == 0 ||
		(pds_varint_read(payload, have, at, PDS_DDSKETCH_MAX_COUNT, count) && *count > 0);
}

static bool
read_buckets(const uint8_t *payload, size_t have, size_t *at, int flagged, uint32_t *buckets)
{
	uint64_t	n = 0;

	if (flagged != 0 && (!pds_varint_read(payload, have, at, PDS_DDSKETCH_MAX_BUCKETS, &n) ||
						 n == 0))
		return false;
	*buckets = (uint32_t) n;
	return true;
}

/* What stands between the flags and the data. */
static pds_status
open_numbers(pds_ddsketch_view *v, const uint8_t *payload, size_t have, size_t *at, int flags,
			 const char **why)
{
	pds_ddsketch_apart *a = &v->apart;

	if (!read_count(payload, have, at, 1, &v->total) ||
		!read_count(payload, have, at, flags & HAS_ZEROS, &a->zeros) ||
		!read_count(payload, have, at, flags & HAS_NEGATIVE_INFINITIES, &a->negative_infinities) ||
		!read_count(payload, have, at, flags & HAS_POSITIVE_INFINITIES, &a->positive_infinities) ||
		!read_count(payload, have, at, flags & HAS_NANS, &a->nans))
		PDS_REFUSE(why, "A count is out of range.");
	if ((has_min(flags) && !read_double(payload, have, at, &a->min)) ||
		(has_max(flags) && !read_double(payload, have, at, &a->max)))
		PDS_REFUSE(why, "The smallest or the largest number is out of range.");
	if ((flags & IS_ONE_NUMBER) != 0)
		a->max = a->min;
	if ((flags & HAS_NEGATIVES ? a->min >= 0 : a->min < 0) ||
		(flags & HAS_POSITIVES ? a->max <= 0 : a->max > 0) ||
		a->min > a->max || (has_max(flags) && has_min(flags) && a->min == a->max))
		PDS_REFUSE(why, "The smallest and the largest number do not go together.");
	if (!read_buckets(payload, have, at, flags & HAS_NEGATIVES, &v->negatives) ||
		!read_buckets(payload, have, at, flags & HAS_POSITIVES, &v->positives) ||
		v->negatives + v->positives > v->max_buckets)
		PDS_REFUSE(why, "The number of buckets is out of range.");
	return PDS_OK;
}

static pds_status
open_fields(pds_ddsketch_view *v, const uint8_t *payload, size_t have, const char **why)
{
	size_t		at = v->data_at;
	uint64_t	max_buckets;
	int			flags;

	PDS_VIEW_CLEAR(v);
	if (v->encoding != PDS_DDSKETCH_EMPTY && v->encoding != PDS_DDSKETCH_BUCKETS)
		PDS_REFUSE(why, "The encoding is unknown.");
	if (v->kind != PDS_KIND_NONE && v->kind != PDS_KIND_NUMBER && v->kind != PDS_KIND_INTERVAL)
		PDS_REFUSE(why, "It holds neither numbers nor intervals.");
	if (have <= at)
		PDS_REFUSE(why, cut_off);
	if (payload[at] > PDS_DDSKETCH_MAX_SCALE - PDS_DDSKETCH_MIN_SCALE)
		PDS_REFUSE(why, "The scale is out of range.");
	v->asked = (int8_t) (payload[at++] + PDS_DDSKETCH_MIN_SCALE);
	v->scale = v->asked;
	if (!pds_varint_read(payload, have, &at, PDS_DDSKETCH_MAX_BUCKETS, &max_buckets) ||
		max_buckets < PDS_DDSKETCH_MIN_BUCKETS)
		PDS_REFUSE(why, "The largest number of buckets is out of range.");
	v->max_buckets = (uint32_t) max_buckets;
	if (v->encoding == PDS_DDSKETCH_BUCKETS)
	{
		pds_status	status;

		if (have - at < 2)
			PDS_REFUSE(why, cut_off);
		if (payload[at] > v->asked - PDS_DDSKETCH_MIN_SCALE)
			PDS_REFUSE(why, "The scale is out of range.");
		v->scale = (int8_t) (v->asked - payload[at++]);
		flags = payload[at++];
		if (flags > ALL_FLAGS || ((flags & IS_ONE_NUMBER) != 0 &&
								  ((flags & HAS_ZEROS) != 0 ||
								   ((flags & HAS_NEGATIVES) != 0) ==
								   ((flags & HAS_POSITIVES) != 0))))
			PDS_REFUSE(why, "Its flags are unknown.");
		status = open_numbers(v, payload, have, &at, flags, why);
		if (status != PDS_OK)
			return status;
	}
	v->data = payload + at;
	v->data_len = have - at;
	return PDS_OK;
}

/* Each sign begins with a bucket that is not empty. */
#define BEGINS	UINT64_MAX

void
pds_ddsketch_buckets_from(pds_ddsketch_reader *r, const pds_ddsketch_view *v)
{
	pds_bits_from(&r->bits, v->data, v->data_len);
	r->negatives = v->negatives;
	r->positives = v->positives;
	r->least = pds_ddsketch_least_index(v->scale);
	r->first = v->positives > 0 ? pds_ddsketch_index(v->apart.max, v->scale) : 0;
	r->index = v->negatives > 0 ? pds_ddsketch_index(v->apart.min, v->scale) : r->first;
	r->before[0] = BEGINS;
}

bool
pds_ddsketch_next(pds_ddsketch_reader *r, pds_ddsketch_bucket *bucket)
{
	bool		certain = r->before[0] == BEGINS;
	uint64_t	p;
	uint64_t	count;
	int			k;

	bucket->negative = r->negatives > 0;
	if (r->negatives == 0 && r->positives == 0)
		return false;
	if (certain)
		begin_counts(r->before);
	p = prediction(r->before);
	k = code_bits(p);
	count = get_by(&r->bits, k);
	if (certain)
		count = unfolded(count, p > 0 ? p - 1 : 0) + 1;
	else
	{
		count = unfolded(count, p);
		if (count == 0)
		{
			uint64_t	gap = get_power(&r->bits, GAP_BITS);

			if (gap >= (uint64_t) 1 << 32)
				r->bits.overrun = true;
			r->index -= (int64_t) (gap & UINT32_MAX) + 1;
			counted(r->before, 0);
			p = prediction(r->before);
			count = unfolded(get_by(&r->bits, code_bits(p)), p > 0 ? p - 1 : 0) + 1;
		}
	}
	if (r->bits.overrun || count > PDS_DDSKETCH_MAX_COUNT || r->index < r->least)
	{
		r->bits.overrun = true;
		return false;
	}
	bucket->index = (int32_t) r->index;
	bucket->count = count;
	counted(r->before, count);
	r->index--;
	if (!bucket->negative)
		r->positives--;
	else if (--r->negatives == 0)
	{
		r->index = r->first;
		r->before[0] = BEGINS;
	}
	return true;
}

/* Is this the bucket of a number that is said to be in it? */
static bool
is_of(const pds_ddsketch_bucket *bucket, const pds_ddsketch_view *v, double number)
{
	return bucket->index == pds_ddsketch_index(number, v->scale);
}

/*
 * The smallest and the largest number are in the buckets where they must be, and are as many as
 * there can be.
 */
static bool
range_valid(const pds_ddsketch_view *v, const pds_ddsketch_bucket *last_negative,
			const pds_ddsketch_bucket *last_positive, uint64_t in_buckets)
{
	const pds_ddsketch_apart *a = &v->apart;

	if (v->negatives == 0 && v->positives > 0 && a->zeros == 0 && !is_of(last_positive, v, a->min))
		return false;
	if (v->positives == 0 && v->negatives > 0 && a->zeros == 0 && !is_of(last_negative, v, a->max))
		return false;
	/* one number is its own smallest and largest */
	return in_buckets + a->zeros != 1 || a->min == a->max;
}

static pds_status
check_view(const pds_ddsketch_view *v, const char **why)
{
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;
	pds_ddsketch_bucket last[2] = {{0, false, 0}, {0, false, 0}};
	const pds_ddsketch_apart *a = &v->apart;
	uint64_t	apart = a->zeros;
	uint64_t	in_buckets = 0;
	uint64_t	possible = 0;

	if (v->encoding == PDS_DDSKETCH_EMPTY)
	{
		if (v->data_len != 0)
			PDS_REFUSE(why, "An empty sketch has data.");
		return PDS_OK;
	}
	pds_ddsketch_buckets_from(&r, v);
	while (pds_ddsketch_next(&r, &bucket))
	{
		if (bucket.count > PDS_DDSKETCH_MAX_COUNT - in_buckets)
			PDS_REFUSE(why, "A count is out of range.");
		in_buckets += bucket.count;
		possible += bucket.count > 1 ? 2 : 1;
		last[bucket.negative ? 0 : 1] = bucket;
	}
	if (r.bits.overrun)
		PDS_REFUSE(why, cut_off);
	if (!pds_bits_at_end(&r.bits))
		PDS_REFUSE(why, "There is more data than the buckets take.");
	/* each is at most 2^63 - 1, and so is the sum so far */
	if ((apart += a->negative_infinities) > PDS_DDSKETCH_MAX_COUNT ||
		(apart += a->positive_infinities) > PDS_DDSKETCH_MAX_COUNT ||
		(apart += a->nans) > PDS_DDSKETCH_MAX_COUNT ||
		(apart += in_buckets) != v->total)
		PDS_REFUSE(why, "Its counts do not add up.");
	if (!range_valid(v, &last[0], &last[1], in_buckets))
		PDS_REFUSE(why, "The smallest and the largest number do not go with the buckets.");
	if (v->scale < v->asked && possible <= v->max_buckets)
		PDS_REFUSE(why, "So few numbers have no lower scale.");
	return PDS_OK;
}

PDS_VIEW_READERS(ddsketch, PDS_TYPE_DDSKETCH, PDS_FAMILY_NATIVE + 1)
