/*
 * cuckoo_format.c: the stored form of a cuckoo filter
 *
 * After the server's length word (numbers are little-endian):
 *
 *     0     0x51              sketch type 5, format version 1
 *     1     family | encoding encoding 0 empty, 1 classes, 2 counts
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   varint            capacity, 1 to 2^32
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
 * s is 7 + floor(log2(M / D)), or the smallest number with 2^s >= M if that is less.  So a
 * segment holds 64 to 128 classes on average, and a lookup of one class reads one segment.
 *
 * A segment has, for each class held in ascending order, the gap: the class less the one
 * before, less 1 (the first: less the segment's first).  Gaps are Rice coded with r: the number
 * >> r in unary (so many zeros, then a one), then its low r bits.  r = floor(log2(max(1,
 * floor(985 * M / (1024 * D))))).  (From an M of 2^53 on, it is
 * 985 * floor(floor(M / 1024) / D) in there.)
 *
 * With n the classes of which there is more than one copy, the encoding is 2 if
 * n * (r + 1) > D, and else 1.  In encoding 2 the number of copies follows every gap.
 * In encoding 1 all gaps are one larger, so that none is 0.  In front of a class that has more
 * than one copy stand the number 0, Rice coded as above, and its copies less 1.  These counts
 * are exponential-Golomb coded: with u = count - 1 + 2^order and l = floor(log2(u)), l - order
 * in unary, then the low l bits of u.  The order is the median of floor(log2(count)) over all
 * that are coded, the lower of two.
 *
 * doc/format.md works through an example.
 */
#include <math.h>

#include "decimal.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"
#include "cuckoo_table.h"

/* ---------- classes in order ---------- */

/* All classes held, in ascending order, each once. */
typedef struct class_source
{
	const pds_cuckoo_build *b;
	uint64_t   *list;			/* each class << 1 | is there more than one copy? */
	uint64_t	n;
	uint64_t	at;				/* the next one */
} class_source;

/* (Of a damaged image there could be more of them than it says.) */
static inline void
gather(class_source *src, uint64_t class, bool more)
{
	if (src->n < pds_cuckoo_distinct(src->b))
		src->list[src->n++] = class << 1 | more;
}

static void
gather_slots(class_source *src)
{
	const pds_cuckoo_build *b = src->b;
	const uint8_t *table = pds_cuckoo_buckets_of(b);
	uint64_t	limit = pds_cuckoo_slot_limit(b->fingerprint_bits, b->width);
	bool		excess = b->stash_used > b->homeless;

	for (uint64_t i = 0; i < b->buckets * PDS_CUCKOO_SLOTS; i++)
	{
		uint64_t	v = pds_load_number(table, i, b->width);
		uint64_t	class;
		uint64_t	copies;

		pds_poll_each(i);
		if (v == pds_cuckoo_free_slot(b->width))
			continue;
		class = pds_cuckoo_class_of(b, pds_cuckoo_fingerprint_in(b, v), i / PDS_CUCKOO_SLOTS);
		copies = pds_cuckoo_copies_in(b, v);
		gather(src, class, copies > 1 ||
			   (excess && copies == limit && pds_cuckoo_stash_find(b, class)->copies > 0));
	}
}

/* Those of the stash that are not counted on for a slot. */
static void
gather_stash(class_source *src)
{
	const pds_cuckoo_build *b = src->b;
	const pds_cuckoo_stash *stash = pds_cuckoo_stash_of(b);

	for (uint32_t i = 0; i < b->stash_slots; i++)
		if (b->homeless > 0 && stash[i].copies > 0 &&
			pds_cuckoo_copies(b, stash[i].class) == stash[i].copies)
			gather(src, stash[i].class, stash[i].copies > 1);
}

static void
classes_start(class_source *src, const pds_cuckoo_build *b, void *scratch)
{
	uint64_t	kept = 0;

	*src = (class_source) {b, scratch, 0, 0};
	gather_slots(src);
	gather_stash(src);
	pds_sort_words(src->list, src->n);
	/* a class in two slots is damage */
	for (uint64_t i = 0; i < src->n; i++)
	{
		pds_poll_each(i);
		if (i == 0 || src->list[i] >> 1 != src->list[i - 1] >> 1)
			src->list[kept++] = src->list[i];
	}
	src->n = kept;
}

static inline bool
next_class(class_source *src, uint64_t *class, uint64_t *copies)
{
	uint64_t	word;

	if (src->at == src->n)
		return false;
	word = src->list[src->at++];
	*class = word >> 1;
	*copies = (word & 1) != 0 ? pds_cuckoo_copies(src->b, *class) : 1;
	return true;
}

/* ---------- writing ---------- */

/* What all classes together say of the code. */
typedef struct contents
{
	uint64_t	distinct;
	uint64_t	total;
	uint8_t		encoding;
	pds_coded_list list;
} contents;

/* log2 of the most classes held that are to be expected in a segment. */
#define SEGMENT_LOG		7

static pds_coded_list
list_for(const pds_cuckoo_shape *s, uint64_t distinct)
{
	return pds_coded_layout(s->classes, distinct, SEGMENT_LOG, 0,
							pds_rice_parameter(s->classes, distinct));
}

/*
 * Classes are held, and held twice, as Poisson's distribution has it.  A gap takes r + 1 bits, and
 * more as pds_coded_gap_bits() says.  In encoding 1 a class that is held twice takes as much once
 * more, and all gaps are longer by 1.  Six times the square root of the capacity is for chance.
 */
size_t
pds_cuckoo_full_bytes(const pds_cuckoo_shape *s)
{
	double		capacity = (double) s->capacity;
	double		classes = (double) s->classes;
	double		load = capacity / classes;
	double		distinct = ceil(classes * -expm1(-load));
	double		twice = classes * (-expm1(-load) - load * exp(-load));
	pds_coded_list list = list_for(s, (uint64_t) distinct);
	double		bits = pds_coded_gap_bits(&list, distinct) +
		fmin(twice * (list.rice + 1) + ldexp(distinct, -list.rice), distinct) +
		3 * twice + 6 * sqrt(capacity);

	return PDS_CUCKOO_MAX_PREFIX + 5 * (size_t) list.segments + (size_t) ceil(bits / 8);
}

/* The encoding of a filter of which so many classes have more than one copy. */
static uint8_t
encoding_for(uint64_t distinct, uint64_t repeated, int rice)
{
	return repeated * (uint64_t) (rice + 1) > distinct ? PDS_CUCKOO_COUNTS : PDS_CUCKOO_CLASSES;
}

static void
survey(class_source *src, contents *c)
{
	const pds_cuckoo_shape *s = &src->b->shape;
	pds_coded_lengths counts = {{0}, 0};
	pds_coded_lengths more = {{0}, 0};
	uint64_t	class;
	uint64_t	copies;

	memset(c, 0, sizeof(*c));
	while (next_class(src, &class, &copies))
	{
		pds_poll_each(c->distinct);
		c->distinct++;
		c->total += copies;
		pds_coded_lengths_add(&counts, copies);
		if (copies > 1)
			pds_coded_lengths_add(&more, copies - 1);
	}
	if (c->distinct == 0)
	{
		c->encoding = PDS_CUCKOO_EMPTY;
		return;
	}
	c->list = list_for(s, c->distinct);
	c->encoding = encoding_for(c->distinct, more.n, c->list.rice);
	c->list.order = pds_coded_order(c->encoding == PDS_CUCKOO_COUNTS ? &counts : &more);
}

void
pds_cuckoo_measure(pds_cuckoo_build *b, pds_cuckoo_encoding *x)
{
	uint64_t	m = b->shape.classes;
	uint64_t	n;
	uint64_t	bits;
	uint64_t	repeated;
	uint64_t	lengths;
	uint64_t	segments;
	int			rice;

	pds_cuckoo_flush(b);
	n = pds_cuckoo_distinct(b);
	x->bytes = PDS_CUCKOO_MAX_PREFIX;
	x->scratch = 0;
	if (n == 0)
		return;
	/*
	 * There are total - n copies more than classes, of as many classes at most; together
	 * the logarithms of their counts are largest where all counts are alike.
	 */
	repeated = b->total - n < n ? b->total - n : n;
	lengths = b->total - n < n ? repeated :
		n * ((uint64_t) pds_log2_64((b->total - n) / n + 1) + 1);

	/*
	 * Gaps are never longer than with all n of them different.  Coded with their median as the
	 * order, counts of lengths l take at most 4 l + 3 bits each.  A class without a count takes
	 * no more than it does in the other encoding.
	 */
	rice = pds_rice_parameter(m, n < m ? n : m);
	bits = n * (uint64_t) (rice + 1) + (m >> rice) + n / 8;
	bits += repeated < n / 50 ? 200 * repeated : repeated > 0 ? 4 * n : 0;
	bits += 4 * lengths;
	segments = n / (1 << (SEGMENT_LOG - 1)) + 2;
	x->bytes += (size_t) (bits / 8 + 5 * segments);
	/* where size_t has 32 bits, one that is too large must not look small */
	x->scratch = n < SIZE_MAX / sizeof(uint64_t) ? (size_t) n * sizeof(uint64_t) : SIZE_MAX;
}

static size_t
put_list(class_source *src, const contents *c, uint8_t *out)
{
	pds_coded_writer w;
	uint64_t	class;
	uint64_t	copies;

	pds_coded_begin(&w, &c->list, out);
	while (next_class(src, &class, &copies))
	{
		uint64_t	gap = pds_coded_gap(&w, class);

		if (c->encoding == PDS_CUCKOO_COUNTS)
		{
			pds_put_rice(&w.bits, gap, c->list.rice);
			pds_put_golomb(&w.bits, copies, c->list.order);
			continue;
		}
		if (copies > 1)
		{
			pds_put_rice(&w.bits, 0, c->list.rice);
			pds_put_golomb(&w.bits, copies - 1, c->list.order);
		}
		pds_put_rice(&w.bits, gap + 1, c->list.rice);
	}
	return pds_coded_end(&w);
}

size_t
pds_cuckoo_encode(pds_cuckoo_build *b, const pds_cuckoo_encoding *x, void *scratch,
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
		out[at++] = c.list.order;
	src.at = 0;
	return at + put_list(&src, &c, out + at);
}

/* ---------- reading the head ---------- */

static pds_status
open_contents(pds_cuckoo_view *v, size_t have, const char **why)
{
	uint8_t		order = 0;
	uint64_t	more;

	if (!pds_varint_read(v->payload, have, &v->data_at, v->shape.classes, &v->distinct) ||
		v->distinct == 0)
		PDS_REFUSE(why, "Its number of classes is malformed.");
	if (!pds_varint_read(v->payload, have, &v->data_at, PDS_CUCKOO_MAX_COUNT - v->distinct, &more))
		PDS_REFUSE(why, "Its number of copies is malformed.");
	v->total = v->distinct + more;
	if (more > 0)
	{
		if (v->data_at == have)
			PDS_REFUSE(why, "It ends within its header.");
		order = v->payload[v->data_at++];
		if (order > PDS_CODED_MAX_ORDER)
			PDS_REFUSE(why, "Its copies are coded in a way that is not possible.");
	}
	else if (v->encoding == PDS_CUCKOO_COUNTS)
		PDS_REFUSE(why, "It counts copies although there are none.");
	/* each takes a bit at least: what is planned for a filter hangs on its length */
	if ((v->distinct - 1) / 8 >= v->len - v->data_at)
		PDS_REFUSE(why, "Its list of classes is not as long as it says.");
	v->list = list_for(&v->shape, v->distinct);
	v->list.code = v->encoding;
	v->list.order = order;
	if (!pds_coded_found_at(&v->list, v->data_at, v->len))
		PDS_REFUSE(why, "It ends within its directory.");
	return PDS_OK;
}

static pds_status
open_fields(pds_cuckoo_view *v, const uint8_t *payload, size_t have, const char **why)
{
	uint64_t	capacity;
	uint16_t	rate;

	PDS_VIEW_CLEAR(v);
	if (v->encoding > PDS_CUCKOO_COUNTS)
		PDS_REFUSE(why, "Its encoding is not known to this release.");
	if (!pds_varint_read(payload, have, &v->data_at, UINT64_MAX, &capacity) ||
		have - v->data_at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	rate = pds_load_le16(payload + v->data_at);
	v->data_at += 2;
	if (capacity == 0 || capacity > PDS_CUCKOO_MAX_CAPACITY || rate == 0 ||
		rate >= PDS_DECIMAL_CODES)
		PDS_REFUSE(why, "Its capacity or false-positive rate is out of range.");
	pds_cuckoo_shape_for(capacity, rate, &v->shape);
	if (v->encoding != PDS_CUCKOO_EMPTY)
		return open_contents(v, have, why);
	if (v->len != v->data_at)
		PDS_REFUSE(why, "There are bytes after its end.");
	return PDS_OK;
}

/* ---------- reading a class ---------- */

/* A class and its copies, as pds_coded_get. */
PDS_INLINE bool
get_class(pds_coded_reader *r, uint64_t *gap, uint64_t *copies)
{
	if (r->list->code == PDS_CUCKOO_COUNTS)
		return pds_coded_get_golomb(r, gap, copies);
	if (!pds_get_rice(&r->bits, r->list->rice, gap))
		return false;
	*copies = 1;
	if (__builtin_expect(*gap == 0, 0))
	{
		if (!pds_get_golomb(&r->bits, r->list->order, copies) ||
			!pds_get_rice(&r->bits, r->list->rice, gap) || *gap == 0)
			return false;
		++*copies;
	}
	--*gap;
	return true;
}

/* ---------- all of a filter ---------- */

static pds_status
check_view(const pds_cuckoo_view *v, const char **why)
{
	pds_coded_lengths counts = {{0}, 0};
	pds_coded_lengths more = {{0}, 0};
	uint64_t	total = 0;
	uint64_t	class;
	uint64_t	copies;
	pds_coded_reader r;

	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	pds_coded_start(&r, &v->list, v->payload);
	while (pds_coded_walk(&r, get_class, &class, &copies))
	{
		pds_poll_each(counts.n);
		if (copies > v->total - total)
			PDS_REFUSE(why, "Its copies are more than it says.");
		total += copies;
		pds_coded_lengths_add(&counts, copies);
		if (copies > 1)
			pds_coded_lengths_add(&more, copies - 1);
	}
	if (r.corrupt)
		PDS_REFUSE(why, "Its list of classes is malformed.");
	if (counts.n != v->distinct || total != v->total)
		PDS_REFUSE(why, "Its list of classes is not as long as it says.");
	if (v->encoding != encoding_for(v->distinct, more.n, v->list.rice))
		PDS_REFUSE(why, "Its copies would be coded in another way.");
	if (v->total > v->distinct &&
		v->list.order != pds_coded_order(v->encoding == PDS_CUCKOO_COUNTS ? &counts : &more))
		PDS_REFUSE(why, "Its copies would be coded in another order.");
	return PDS_OK;
}

PDS_VIEW_READERS(cuckoo, PDS_TYPE_CUCKOO, PDS_FAMILY_NATIVE + 1)

pds_status
pds_cuckoo_merge_view(pds_cuckoo_build *b, const pds_cuckoo_view *v)
{
	pds_status	status = pds_cuckoo_merge_start(b, &v->shape, v->total);
	uint64_t	classes[PDS_CUCKOO_BATCH];
	uint64_t	copies[PDS_CUCKOO_BATCH];
	uint64_t	done = 0;
	uint64_t	total = 0;
	int			n;
	/* what it holds then is of this filter */
	bool		fresh = b->total == 0;
	pds_coded_reader r;

	if (status != PDS_OK || v->encoding == PDS_CUCKOO_EMPTY)
		return status;
	pds_cuckoo_flush(b);
	pds_coded_start(&r, &v->list, v->payload);
	do
	{
		for (n = 0; n < PDS_CUCKOO_BATCH &&
			 pds_coded_walk(&r, get_class, &classes[n], &copies[n]); n++)
		{
			/* what was damaged since it was checked may hold more than it says */
			if (copies[n] > v->total - total)
				return PDS_CORRUPT;
			total += copies[n];
			pds_cuckoo_prefetch(b, classes[n], true);
		}
		for (int i = 0; i < n; i++, done++)
		{
			if (done < b->resume)
				continue;
			if (pds_cuckoo_is_full(b))
			{
				b->resume = done;
				return pds_cuckoo_full(b);
			}
			pds_cuckoo_put(b, classes[i], copies[i], fresh);
		}
	} while (n == PDS_CUCKOO_BATCH);
	if (r.corrupt || total != v->total)
		return PDS_CORRUPT;
	b->resume = 0;
	b->total += total;
	return PDS_OK;
}

/* ---------- one class ---------- */

pds_status
pds_cuckoo_view_count(const pds_cuckoo_view *v, pds_hash h, pds_fetch fetch, void *context,
					  uint64_t *copies)
{
	uint64_t	class = pds_cuckoo_class(h, &v->shape);
	pds_coded_reader r;
	pds_status	status;

	*copies = 0;
	if (v->encoding == PDS_CUCKOO_EMPTY)
		return PDS_OK;
	status = pds_coded_least(&r, &v->list, get_class, &class, 1, fetch, context, copies);
	return status == PDS_OK && *copies > v->total ? PDS_CORRUPT : status;
}

bool
pds_cuckoo_same_lookup(const pds_cuckoo_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	class = pds_cuckoo_class(h, &v->shape);

	return pds_coded_same(&v->list, &class, 1, v->payload, other);
}

/* ---------- unpacked ---------- */

/* Classes of a part, as a power of 2. */
static inline int
part_shift(const pds_cuckoo_view *v)
{
	int			shift = 3 + pds_log2_64(v->shape.classes / v->distinct);

	return shift < 16 ? shift : 16;
}

static inline uint64_t
part_count(const pds_cuckoo_view *v)
{
	return ((v->shape.classes - 1) >> part_shift(v)) + 1;
}

size_t
pds_cuckoo_unpacked_size(const pds_cuckoo_view *v)
{
	uint64_t	parts = part_count(v);

	/* no filter has that many; and below, size_t with 32 bits is enough */
	if (v->distinct > UINT32_C(1) << 29 || parts > 1024 + v->distinct)
		return 0;
	return (size_t) (parts + 1) * sizeof(uint32_t) + (size_t) v->distinct * sizeof(uint16_t);
}

pds_status
pds_cuckoo_unpack(const pds_cuckoo_view *v, uint8_t *to)
{
	int			shift = part_shift(v);
	uint64_t	parts = part_count(v);
	uint32_t   *begins = (uint32_t *) (void *) to;
	uint16_t   *list = (uint16_t *) (begins + parts + 1);
	uint64_t	part = 0;		/* all up to it have their beginnings */
	uint32_t	n = 0;
	pds_coded_reader r;
	uint64_t	class;
	uint64_t	copies;

	begins[0] = 0;
	pds_coded_start(&r, &v->list, v->payload);
	while (pds_coded_walk(&r, get_class, &class, &copies))
	{
		if (n == v->distinct)
			return PDS_CORRUPT;
		pds_poll_each(n);
		while (part < class >> shift)
			begins[++part] = n;
		list[n++] = (uint16_t) (class & ((UINT64_C(1) << shift) - 1));
	}
	if (r.corrupt || n != v->distinct)
		return PDS_CORRUPT;
	while (part < parts)
		begins[++part] = n;
	return PDS_OK;
}

bool
pds_cuckoo_unpacked_contains(const pds_cuckoo_view *v, const uint8_t *form, pds_hash h)
{
	int			shift = part_shift(v);
	const uint32_t *begins = (const uint32_t *) (const void *) form;
	const uint16_t *list = (const uint16_t *) (begins + part_count(v) + 1);
	uint64_t	wanted = pds_cuckoo_class(h, &v->shape);
	uint64_t	part = wanted >> shift;
	uint16_t	low = (uint16_t) (wanted & ((UINT64_C(1) << shift) - 1));
	unsigned	found = 0;

	/* all of them: where to stop cannot be predicted */
	for (uint32_t i = begins[part]; i < begins[part + 1]; i++)
		found |= list[i] == low;
	return found != 0;
}
