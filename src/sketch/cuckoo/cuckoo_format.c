/*
 * cuckoo_format.c: the stored form of a cuckoo filter
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x51              sketch type 5, format version 1
 *     1     family | encoding encoding 0 empty, 1 classes, 2 counts
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   varint            capacity, at least 1
 *     ...   2 bytes           rate (base/decimal.h)
 *
 * Empty: nothing more.  Else, with M = ceil(capacity / rate) classes (cuckoo.h),
 *
 *     ...   varint            D, how many classes are held, 1 to M
 *     ...   varint            how many copies more there are than classes
 *     ...   1 byte            order of the code of counts; only if there are some more
 *     ...   4 bytes each      a directory, if there is more than one segment:
 *                             where each ends, in bytes from the end of the directory
 *     ...   segments          of 2^s classes each (the last of what remains), each a
 *                             string of bits filled up with zeros to whole bytes
 *
 * s is 8 + floor(log2(M / D)), or the smallest number with 2^s >= M if that is less; so a
 * segment holds 128 to 256 classes, and one can be looked up without a look at the others.
 *
 * A segment is, for each class held in ascending order: the class less the one before
 * (the first: less the segment's first, plus 1), Rice coded with r = floor(log2(mean)),
 * where mean = floor(985 * floor(M / D) / 1024), but r = 0 if that is 0: the number >> r
 * in unary (so many zeros, then a one), then its low r bits.  (From a floor(M / D) of 2^32
 * on mean is 985 * floor(floor(M / D) / 1024).)
 *
 * With n the classes of which there is more than one copy, the encoding is 2 if
 * n * (r + 1) > D, and else 1.  In encoding 2 the number of copies follows every class.
 * In encoding 1 a class that has more than one copy is followed by the number 0, Rice
 * coded as above, and by its copies less 1.  These counts are exponential-Golomb coded:
 * with u = count - 1 + 2^order and l = floor(log2(u)), l - order in unary, then the low l
 * bits of u.  The order is the median of floor(log2(count)) over all that are coded, the
 * lower of two.
 *
 * doc/format.md works through an example.
 */
#include "decimal.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"
#include "cuckoo_format.h"
#include "cuckoo_table.h"

/*
 * The classes of an image are put in order by distributing them over ranges, as many
 * as make some RANGE_CLASSES of each, and sorting each range; of large images no more than
 * STRIPE_CLASSES at a time.
 */
#define RANGE_CLASSES	128
#define STRIPE_CLASSES	(UINT64_C(1) << 26)

/* ---------- classes in order ---------- */

/* A class held, as it is sorted: the class << 1 | is there more than one copy? */
typedef struct stripe
{
	const pds_cuckoo_build *b;
	uint64_t   *list;
	uint32_t   *ends;			/* of each range: where it ends in the list */
	uint64_t	space;			/* how many fit */
	uint64_t	from;			/* first class */
	uint64_t	to;				/* one past the last */
	uint64_t	n;
} stripe;

static uint64_t
entries_of(const pds_cuckoo_build *b)
{
	return pds_cuckoo_distinct(b);
}

static uint64_t
stripe_space(uint64_t entries)
{
	return entries < STRIPE_CLASSES ? entries : STRIPE_CLASSES;
}

static uint64_t
ranges_for(uint64_t space)
{
	return space / RANGE_CLASSES + 1;
}

/* The next class of an image, as it is sorted; those that the stash counts on for a slot not. */
static bool
next_word(pds_cuckoo_walk *w, uint64_t *word)
{
	pds_cuckoo_part part;

	while (pds_cuckoo_walk_next(w, &part))
	{
		bool		more = part.copies > 1;

		pds_poll_each(w->at);
		if (part.stashed)
		{
			if (w->b->buckets > 0 && pds_cuckoo_copies(w->b, part.class) != part.copies)
				continue;
		}
		else if (part.limit && !more)
			more = pds_cuckoo_stash_find(w->b, part.class)->copies > 0;
		*word = part.class << 1 | more;
		return true;
	}
	return false;
}

/* How far into a stripe, in ranges, a class is. */
static inline uint64_t
range_of(const stripe *s, uint64_t class, int shift)
{
	return (class - s->from) >> shift;
}

static uint64_t
count_classes(const stripe *s)
{
	pds_cuckoo_walk w = {s->b, 0};
	uint64_t	word;
	uint64_t	n = 0;

	while (next_word(&w, &word))
		n += (word >> 1) - s->from < s->to - s->from;
	return n;
}

/* Gather and sort the classes of a stripe, which begins where the last one ended. */
static void
next_stripe(stripe *s)
{
	uint64_t	classes = s->b->shape.classes;
	uint64_t	ranges = ranges_for(s->space);
	pds_cuckoo_walk w = {s->b, 0};
	uint64_t	word;
	uint64_t	at = 0;
	int			shift = 0;

	s->from = s->to;
	s->to = classes;
	if (s->space < entries_of(s->b))
	{
		/* classes are spread evenly, unless somebody has chosen them */
		s->to = classes - s->from < classes / entries_of(s->b) * (s->space - s->space / 16) ?
			classes : s->from + classes / entries_of(s->b) * (s->space - s->space / 16);
		while (count_classes(s) > s->space && s->to - s->from > 1)
			s->to = s->from + (s->to - s->from) / 2;
	}
	while (((s->to - s->from - 1) >> shift) >= ranges)
		shift++;

	memset(s->ends, 0, (ranges + 1) * sizeof(uint32_t));
	while (next_word(&w, &word))
		if ((word >> 1) - s->from < s->to - s->from)
			s->ends[range_of(s, word >> 1, shift) + 1]++;
	for (uint64_t i = 0; i < ranges; i++)
		s->ends[i + 1] += s->ends[i];
	s->n = s->ends[ranges] < s->space ? s->ends[ranges] : s->space;
	w.at = 0;
	while (next_word(&w, &word))
		if ((word >> 1) - s->from < s->to - s->from)
		{
			uint32_t	*end = &s->ends[range_of(s, word >> 1, shift)];

			/* the same class in several slots, which is damage, could be too many */
			if (*end < s->space)
				s->list[(*end)++] = word;
		}
	for (uint64_t i = 0; i < ranges; i++)
	{
		uint64_t	first = s->from + (i << shift);
		uint64_t	last = first + (UINT64_C(1) << shift) - 1;
		uint64_t	end;

		pds_poll_each(i);
		/* of damage, not all may be there */
		if (s->ends[i] <= at || at == s->n)
			continue;
		end = s->ends[i] < s->n ? s->ends[i] : s->n;
		pds_sort_words(s->list + at, end - at, pds_log2_64((first ^ last) << 1 | 1) + 1);
		at = end;
	}
}

/* Walks over all classes held, in ascending order, each once. */
typedef struct class_source
{
	stripe		s;
	uint64_t	at;				/* in the stripe */
	uint64_t	last;			/* the class before, or UINT64_MAX */
} class_source;

static void
classes_start(class_source *src, const pds_cuckoo_build *b, void *scratch)
{
	src->s.b = b;
	src->s.space = stripe_space(entries_of(b));
	src->s.list = scratch;
	src->s.ends = (uint32_t *) (src->s.list + src->s.space);
	src->s.from = 0;
	src->s.to = 0;
	src->s.n = 0;
	src->at = 0;
	src->last = UINT64_MAX;
}

/* Once more from the beginning; one stripe is still there. */
static void
classes_restart(class_source *src)
{
	if (src->s.from > 0)
	{
		src->s.to = 0;
		src->s.n = 0;
	}
	src->at = 0;
	src->last = UINT64_MAX;
}

static inline bool
next_class(class_source *src, uint64_t *class, uint64_t *copies)
{
	for (;;)
	{
		uint64_t	word;

		if (src->at == src->s.n)
		{
			if (src->s.to == src->s.b->shape.classes)
				return false;
			next_stripe(&src->s);
			src->at = 0;
			continue;
		}
		word = src->s.list[src->at++];
		*class = word >> 1;
		if (*class == src->last)
			continue;
		src->last = *class;
		*copies = (word & 1) != 0 ? pds_cuckoo_copies(src->s.b, *class) : 1;
		return true;
	}
}

/* ---------- writing ---------- */

/* What all classes together say of the code. */
typedef struct contents
{
	uint64_t	distinct;
	uint64_t	total;
	uint64_t	repeated;
	uint8_t		encoding;
	uint8_t		rice;
	uint8_t		order;
	int			shift;
} contents;

static void
survey(class_source *src, contents *c)
{
	pds_cuckoo_lengths counts = {{0}, 0};
	pds_cuckoo_lengths more = {{0}, 0};
	uint64_t	m = src->s.b->shape.classes;
	uint64_t	class;
	uint64_t	copies;

	memset(c, 0, sizeof(*c));
	while (next_class(src, &class, &copies))
	{
		pds_poll_each(c->distinct);
		c->distinct++;
		c->total += copies;
		pds_cuckoo_lengths_add(&counts, copies);
		if (copies > 1)
			pds_cuckoo_lengths_add(&more, copies - 1);
	}
	c->repeated = more.n;
	if (c->distinct == 0)
	{
		c->encoding = PDS_CUCKOO_EMPTY;
		return;
	}
	c->rice = (uint8_t) pds_cuckoo_gap_rice(m, c->distinct);
	c->encoding = pds_cuckoo_encoding_for(c->distinct, c->repeated, c->rice);
	c->order = pds_cuckoo_order(c->encoding == PDS_CUCKOO_COUNTS ? &counts : &more);
	c->shift = pds_cuckoo_segment_shift(m, c->distinct);
}

void
pds_cuckoo_measure(pds_cuckoo_build *b, pds_cuckoo_encoding *x)
{
	uint64_t	m = b->shape.classes;
	uint64_t	n;
	uint64_t	bits;
	uint64_t	repeated = 0;
	uint64_t	lengths = 0;
	uint64_t	segments;
	int			rice;

	pds_cuckoo_flush(b);
	n = entries_of(b);
	x->bytes = PDS_CUCKOO_MAX_PREFIX;
	x->scratch = 0;
	if (n == 0)
		return;
	if (b->total > n)
	{
		pds_cuckoo_walk w = {b, 0};
		pds_cuckoo_part part;

		while (pds_cuckoo_walk_next(&w, &part))
		{
			pds_poll_each(w.at);
			if (part.copies > 1 || part.stashed)
			{
				repeated++;
				lengths += (uint64_t) pds_log2_64(part.copies) + 1;
			}
		}
	}

	/*
	 * Gaps are never longer than with all n of them different.  Counts of lengths l in
	 * a code of their median take no more than 4 l + 3 bits each, and one without a
	 * count costs no more than what the other encoding takes.
	 */
	rice = pds_cuckoo_gap_rice(m, n < m ? n : m);
	bits = n * (uint64_t) (rice + 1) + (m >> rice) + n / 8;
	bits += repeated < n / 50 ? 200 * repeated : repeated > 0 ? 4 * n : 0;
	bits += 4 * lengths;
	segments = n / (1 << (PDS_CUCKOO_SEGMENT_LOG - 1)) + 2;
	x->bytes += (size_t) (bits / 8 + 5 * segments);
	x->scratch = (size_t) (stripe_space(n) * sizeof(uint64_t) +
						   (ranges_for(stripe_space(n)) + 1) * sizeof(uint32_t));
}

/* Append the low n bits of v, 0 to 63; higher ones must be 0. */
static inline void
put_long(pds_bit_writer *w, uint64_t v, int n)
{
	if (n > 32)
	{
		pds_bits_put(w, v & UINT32_MAX, 32);
		v >>= 32;
		n -= 32;
	}
	pds_bits_put(w, v, n);
}

static inline void
put_gap(pds_bit_writer *w, uint64_t gap, int rice)
{
	uint64_t	high = gap >> rice;
	uint64_t	low = gap & ((UINT64_C(1) << rice) - 1);

	if (high + (uint64_t) rice < 48)
	{
		/* mostly it is short: all of it at once */
		pds_bits_put(w, (low << 1 | 1) << high, (int) high + 1 + rice);
		return;
	}
	pds_bits_put_unary(w, high);
	put_long(w, low, rice);
}

static inline void
put_count(pds_bit_writer *w, uint64_t count, int order)
{
	uint64_t	u = count - 1 + (UINT64_C(1) << order);
	int			length = pds_log2_64(u);

	pds_bits_put_unary(w, (uint64_t) (length - order));
	put_long(w, u ^ UINT64_C(1) << length, length);
}

static size_t
encode_segments(class_source *src, const contents *c, uint8_t *out)
{
	uint64_t	segments = pds_cuckoo_segments(src->s.b->shape.classes, c->shift);
	uint8_t    *data = out + pds_cuckoo_directory_bytes(segments);
	size_t		len = 0;
	uint64_t	class = 0;
	uint64_t	copies = 0;
	bool		more = next_class(src, &class, &copies);

	for (uint64_t segment = 0; segment < segments; segment++)
	{
		/* the first gap is never 0 */
		uint64_t	before = (segment << c->shift) - 1;
		pds_bit_writer w;

		pds_poll_every((size_t) segment, 1024);
		pds_bits_open(&w, data + len);
		for (; more && class >> c->shift == segment; more = next_class(src, &class, &copies))
		{
			put_gap(&w, class - before, c->rice);
			before = class;
			if (c->encoding == PDS_CUCKOO_COUNTS)
				put_count(&w, copies, c->order);
			else if (copies > 1)
			{
				put_gap(&w, 0, c->rice);
				put_count(&w, copies - 1, c->order);
			}
		}
		len += pds_bits_close(&w);
		if (segments > 1)
			pds_store_le32(out + (size_t) segment * 4, (uint32_t) len);
	}
	return (size_t) (data - out) + len;
}

size_t
pds_cuckoo_encode(const pds_cuckoo_build *b, const pds_cuckoo_encoding *x, void *scratch,
				  uint8_t *out)
{
	class_source src;
	contents	c = {0};
	size_t		at;

	if (x->scratch > 0)
	{
		classes_start(&src, b, scratch);
		survey(&src, &c);
	}
	at = pds_header_put(out, PDS_TYPE_CUCKOO, pds_state_family(b), c.encoding, pds_state_kind(b));
	at += pds_varint_put(out + at, b->shape.capacity);
	pds_store_le16(out + at, b->shape.rate);
	at += 2;
	if (c.encoding == PDS_CUCKOO_EMPTY)
		return at;
	at += pds_varint_put(out + at, c.distinct);
	at += pds_varint_put(out + at, c.total - c.distinct);
	if (c.total > c.distinct)
		out[at++] = c.order;
	classes_restart(&src);
	return at + encode_segments(&src, &c, out + at);
}

/* ---------- reading the head ---------- */

/* Read a varint of the head; false if there is none. */
static bool
get_varint(pds_cuckoo_view *v, size_t have, uint64_t *out)
{
	size_t		n = pds_varint_get(v->payload + v->data_at, have - v->data_at, out);

	v->data_at += n;
	return n > 0;
}

static pds_status
open_contents(pds_cuckoo_view *v, size_t have, const char **why)
{
	uint64_t	m = v->shape.classes;
	uint64_t	more;

	if (!get_varint(v, have, &v->distinct) || v->distinct == 0 || v->distinct > m)
		PDS_REFUSE(why, "Its number of classes is malformed.");
	if (!get_varint(v, have, &more) || more > PDS_CUCKOO_MAX_COUNT - v->distinct)
		PDS_REFUSE(why, "Its number of copies is malformed.");
	v->total = v->distinct + more;
	if (more > 0)
	{
		if (v->data_at == have)
			PDS_REFUSE(why, "It ends within its header.");
		v->order = v->payload[v->data_at++];
		if (v->order > PDS_CUCKOO_MAX_ORDER)
			PDS_REFUSE(why, "Its copies are coded in a way that is not possible.");
	}
	else if (v->encoding == PDS_CUCKOO_COUNTS)
		PDS_REFUSE(why, "It counts copies although there are none.");
	/* each takes a bit at least: what is planned for a filter hangs on its length */
	if ((v->distinct - 1) / 8 >= v->len - v->data_at)
		PDS_REFUSE(why, "Its list of classes is not as long as it says.");
	v->rice = (uint8_t) pds_cuckoo_gap_rice(m, v->distinct);
	v->segment_shift = pds_cuckoo_segment_shift(m, v->distinct);
	v->segments = pds_cuckoo_segments(m, v->segment_shift);
	if (v->segments > 1 && v->segments > (v->len - v->data_at) / 4)
		PDS_REFUSE(why, "It ends within its directory.");
	return PDS_OK;
}

pds_status
pds_cuckoo_open(pds_cuckoo_view *v, const uint8_t *payload, size_t have, size_t len,
				const char **why)
{
	pds_header	h;
	pds_status	status = pds_header_open(&h, payload, have, PDS_TYPE_CUCKOO,
										 PDS_FAMILY_NATIVE + 1, why);
	uint64_t	capacity;
	uint16_t	rate;

	if (status != PDS_OK)
		return status;
	memset(v, 0, sizeof(*v));
	v->encoding = h.encoding;
	v->family = h.family;
	v->kind = h.kind;
	v->payload = payload;
	v->len = len;
	v->data_at = h.bytes;
	if (h.encoding > PDS_CUCKOO_COUNTS)
		PDS_REFUSE(why, "Its encoding is not known to this release.");
	if (!get_varint(v, have, &capacity) || have - v->data_at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	rate = (uint16_t) (payload[v->data_at] | payload[v->data_at + 1] << 8);
	v->data_at += 2;
	if (capacity == 0 || rate == 0 || rate >= PDS_DECIMAL_CODES ||
		pds_cuckoo_shape_for(capacity, rate, &v->shape) != PDS_OK)
		PDS_REFUSE(why, "Its capacity or false-positive rate is out of range.");
	if (v->encoding != PDS_CUCKOO_EMPTY)
		return open_contents(v, have, why);
	if (len != v->data_at && len != PDS_CUCKOO_ANY_LENGTH)
		PDS_REFUSE(why, "There are bytes after its end.");
	return PDS_OK;
}
