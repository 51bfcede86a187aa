/*
 * ddsketch_foreign.c: histograms of OpenTelemetry and Prometheus, sketches of DataDog
 */
#include <float.h>
#include <math.h>

#include "ddsketch_foreign.h"
#include "ddsketch_message.h"
#include "varint.h"

static const char cut_off[] = "It is cut off, or no message of Protocol Buffers.";
static const char bad_bucket[] = "A bucket is out of range.";
static const char bad_count[] = "A count is out of range.";

/* ---------- reading ---------- */

/* Adds a bucket of OpenTelemetry's index, from a count that may be 0. */
static pds_status
take_bucket(pds_ddsketch_foreign *f, bool negative, int64_t index, uint64_t count,
			const char **why)
{
	if (count == 0)
		return PDS_OK;
	if (index < pds_ddsketch_least_index(f->scale) ||
		index > pds_ddsketch_largest_index(f->scale))
		PDS_REFUSE(why, bad_bucket);
	if (f->buckets == PDS_DDSKETCH_MAX_BUCKETS)
		return PDS_TOO_LARGE;
	f->list[f->buckets++] = (pds_ddsketch_slot) {
		pds_ddsketch_key((int32_t) index, negative), count
	};
	return PDS_OK;
}

/* The index of the first count is in this field, which may stand behind the counts; otherwise 0. */
static pds_status
read_offset(message m, uint32_t number, int64_t *offset, const char **why)
{
	field		at;
	bool		bad;

	*offset = 0;
	while (next_field(&m, &at, &bad))
		if (at.number == number && at.wire == 0)
			*offset = zigzag(at.value);
	if (bad)
		PDS_REFUSE(why, cut_off);
	if (*offset < INT32_MIN || *offset > INT32_MAX)
		PDS_REFUSE(why, bad_bucket);
	return PDS_OK;
}

/* Buckets of OpenTelemetry: an offset (1), and counts (2). */
static pds_status
read_counts(pds_ddsketch_foreign *f, message m, bool negative, const char **why)
{
	repeated	counts = repeated_of(m, 2, 0);
	uint64_t	count;
	int64_t		index;
	pds_status	status = read_offset(m, 1, &index, why);

	while (status == PDS_OK && next_repeated(&counts, &count))
		status = take_bucket(f, negative, index++, count, why);
	if (counts.bad)
		PDS_REFUSE(why, cut_off);
	return status;
}

/*
 * Buckets of Prometheus.  A span has an offset (1) from where the one before ends, and a length
 * (2).  For each bucket of a span there is the difference of its count from the one before.
 */
static pds_status
read_spans(pds_ddsketch_foreign *f, message m, bool negative, uint32_t spans, uint32_t deltas,
		   const char **why)
{
	repeated	differences = repeated_of(m, deltas, 0);
	int64_t		index = 0;
	uint64_t	count = 0;
	uint64_t	difference;
	bool		first = true;
	field		span;
	bool		bad;

	while (next_field(&m, &span, &bad))
	{
		int64_t		offset = 0;
		uint64_t	length = 0;
		field		at;

		if (span.number != spans || span.wire != 2)
			continue;
		while (next_field(&span.bytes, &at, &bad))
		{
			if (at.number == 1 && at.wire == 0)
				offset = zigzag(at.value);
			if (at.number == 2 && at.wire == 0)
				length = at.value;
		}
		if (bad)
			PDS_REFUSE(why, cut_off);
		if (offset < INT32_MIN || offset > INT32_MAX || (offset < 0 && !first) ||
			length > UINT32_MAX)
			PDS_REFUSE(why, bad_bucket);
		first = false;
		index += offset;
		for (; length > 0; length--, index++)
		{
			pds_status	status;

			if (!next_repeated(&differences, &difference))
				PDS_REFUSE(why, "A span has no counts.");
			count += (uint64_t) zigzag(difference);
			if (count > PDS_DDSKETCH_MAX_COUNT)
				PDS_REFUSE(why, bad_count);
			/* its index i is the one of our i - 1 */
			status = take_bucket(f, negative, index - 1, count, why);
			if (status != PDS_OK)
				return status;
		}
	}
	if (bad)
		PDS_REFUSE(why, cut_off);
	if (next_repeated(&differences, &difference))
		PDS_REFUSE(why, "A count is in no span.");
	return PDS_OK;
}

/* The key of a number's bucket, or 0 for 0. */
static uint64_t
key_of(double v, int scale)
{
	return v == 0 ? 0 : pds_ddsketch_key(pds_ddsketch_index(v, scale), v < 0);
}

/*
 * The smallest or the largest number in a bucket, or 0 for the key 0.  Below the normal numbers
 * edges are rounded, and some buckets have no number: then it is one of another bucket.
 */
static double
extreme_in(uint64_t key, int scale, bool largest)
{
	bool		negative = pds_ddsketch_key_negative(key);
	bool		far = largest != negative;
	double		edge;

	if (key == 0)
		return 0;
	edge = pds_ddsketch_edge((int64_t) pds_ddsketch_key_index(key) + (far ? 1 : 0), scale);
	if (isinf(edge))
		edge = DBL_MAX;
	if (key_of(negative ? -edge : edge, scale) != key)
		edge = nextafter(edge, far ? 0 : HUGE_VAL);
	return negative ? -edge : edge;
}

/*
 * The range of all numbers, from buckets of which the first ones have been read; min and max are
 * NaN if the histogram does not tell them.
 */
static pds_status
find_range(pds_ddsketch_foreign *f, double min, double max, const char **why)
{
	uint64_t	lowest[2] = {UINT64_MAX, UINT64_MAX};	/* of each sign */
	uint64_t	highest[2] = {0, 0};
	uint64_t	first;			/* the bucket of the smallest number; 0 for zeros */
	uint64_t	last;			/* and of the largest */

	f->min = f->max = 0;
	if (f->buckets == 0)
		return PDS_OK;
	for (uint32_t i = 0; i < f->buckets; i++)
	{
		uint64_t	key = f->list[i].key;
		int			sign = pds_ddsketch_key_negative(key);

		if (key < lowest[sign])
			lowest[sign] = key;
		if (key > highest[sign])
			highest[sign] = key;
	}
	first = highest[1] > 0 ? highest[1] : f->zeros > 0 ? 0 : lowest[0];
	last = highest[0] > 0 ? highest[0] : f->zeros > 0 ? 0 : lowest[1];
	f->min = extreme_in(first, f->scale, false);
	f->max = extreme_in(last, f->scale, true);
	if (key_of(f->min, f->scale) != first || key_of(f->max, f->scale) != last)
		PDS_REFUSE(why, bad_bucket);
	if (isfinite(min) && first != 0)
		f->min = min;
	if (isfinite(max) && last != 0)
		f->max = max;
	if (f->min > f->max || key_of(f->min, f->scale) != first || key_of(f->max, f->scale) != last)
		PDS_REFUSE(why, "The smallest or the largest number is in no outermost bucket.");
	if (f->total == 1 && f->min != f->max)
		f->min = f->max = isfinite(min) ? f->min : f->max;
	return PDS_OK;
}

static pds_status
read_opentelemetry(message m, pds_ddsketch_foreign *f, double *min, double *max,
				   const char **why)
{
	field		at;
	bool		bad;
	message		sides[2] = {{NULL, NULL}, {NULL, NULL}};
	int64_t		scale = 0;

	while (next_field(&m, &at, &bad))
	{
		if (at.number == 4 && at.wire == 1)
			f->total = at.value;
		else if (at.number == 6 && at.wire == 0)
			scale = zigzag(at.value);
		else if (at.number == 7 && at.wire == 1)
			f->zeros = at.value;
		else if ((at.number == 8 || at.number == 9) && at.wire == 2)
			sides[at.number - 8] = at.bytes;
		else if (at.number == 12 && at.wire == 1)
			*min = pds_double_of(at.value);
		else if (at.number == 13 && at.wire == 1)
			*max = pds_double_of(at.value);
	}
	if (bad)
		PDS_REFUSE(why, cut_off);
	if (scale < PDS_DDSKETCH_MIN_SCALE || scale > PDS_DDSKETCH_MAX_SCALE)
		PDS_REFUSE(why, "Its scale is not between -10 and 20.");
	f->scale = (int) scale;
	for (int i = 0; i < 2; i++)
		if (sides[i].at != NULL)
		{
			pds_status	status = read_counts(f, sides[i], i == 1, why);

			if (status != PDS_OK)
				return status;
		}
	return PDS_OK;
}

static pds_status
read_prometheus(message m, pds_ddsketch_foreign *f, const char **why)
{
	message		rest = m;
	field		at;
	bool		bad;
	int64_t		schema = 0;
	pds_status	status;

	while (next_field(&rest, &at, &bad))
	{
		if (at.number == 1 && at.wire == 0)
			f->total = at.value;
		else if (at.number == 4 && at.wire == 0)
			schema = zigzag(at.value);
		else if (at.number == 6 && at.wire == 0)
			f->zeros = at.value;
		else if (at.number == 2 || at.number == 7 || at.number == 10 || at.number == 13)
			PDS_REFUSE(why, "It has counts that are no whole numbers.");
	}
	if (bad)
		PDS_REFUSE(why, cut_off);
	if (schema < PDS_DDSKETCH_MIN_SCALE || schema > PDS_DDSKETCH_MAX_SCALE)
		PDS_REFUSE(why, "Its schema is not between -10 and 20.");
	f->scale = (int) schema;
	status = read_spans(f, m, true, 8, 9, why);
	return status != PDS_OK ? status : read_spans(f, m, false, 11, 12, why);
}

/* ---------- DataDog ---------- */

/* Indexes, and so bins, of DataDog are below 2^31. */
#define MOST_SHIFT		2147483647.0

/* log2 of a number from 1 up to below 2^15, times 2^60, rounded down by some last places. */
static uint64_t
log2_of(double v)
{
	uint64_t	bits = pds_bits_of(v);
	uint64_t	log;
	uint64_t	x;				/* from 2^63 up: v / 2^exponent * 2^63 */

	log = (bits >> PDS_DDSKETCH_MANTISSA_BITS) - PDS_DDSKETCH_EXPONENT_BIAS;
	x = UINT64_C(1) << 63 | bits << (63 - PDS_DDSKETCH_MANTISSA_BITS);
	for (int i = 0; i < 60; i++)
	{
		uint64_t	square = pds_mulhi64(x, x);

		log = log << 1 | square >> 63;
		x = (square >> 63) != 0 ? square : square << 1;
	}
	return log;
}

typedef struct bins
{
	uint64_t	log;			/* log2 of gamma, times 2^60 */
	uint64_t	middle;			/* so much of it is the estimate of a bin above its lower edge */
	int64_t		offset;			/* the bin whose lower edge is 1 */
	bool		negative;
} bins;

/* The index of DataDog's estimate of a bin, 2^((n * log + middle) / 2^60), at a scale from 0 up. */
static int64_t
estimate_index(const bins *b, int64_t n, int scale)
{
	uint64_t	size = n < 0 ? (uint64_t) -n : (uint64_t) n;
	uint64_t	high = pds_mulhi64(size, b->log);
	uint64_t	low = size * b->log;
	uint64_t	sum = n < 0 ? low - b->middle : low + b->middle;
	int64_t		index;

	high = n < 0 ? high - (low < b->middle) : high + (sum < low);
	index = (int64_t) (high << (4 + scale) | sum >> (60 - scale));
	return n < 0 ? -index - 1 : index;
}

/* A count, which DataDog has as a double.  Errors: PDS_CORRUPT. */
static pds_status
take_count(double count, uint64_t *n, const char **why)
{
	if (!(count >= 0 && count <= 9007199254740992.0) || count != floor(count))
		PDS_REFUSE(why, "A count is no whole number, or out of range.");
	*n = (uint64_t) count;
	return PDS_OK;
}

/* Adds a bin, from a count that may be 0. */
static pds_status
take_bin(pds_ddsketch_foreign *f, const bins *b, int64_t bin, double count, const char **why)
{
	uint64_t	n;
	pds_status	status = take_count(count, &n, why);

	if (status != PDS_OK)
		return status;
	if (bin < INT32_MIN || bin > INT32_MAX)
		PDS_REFUSE(why, bad_bucket);
	return take_bucket(f, b->negative, estimate_index(b, bin - b->offset, f->scale), n, why);
}

/* Bins: pairs of an index and a count (1), counts (2) from an offset (3) on. */
static pds_status
read_bins(pds_ddsketch_foreign *f, message m, const bins *b, const char **why)
{
	repeated	counts = repeated_of(m, 2, 1);
	uint64_t	count;
	int64_t		bin;
	pds_status	status = read_offset(m, 3, &bin, why);
	field		at;
	bool		bad;

	while (status == PDS_OK && next_repeated(&counts, &count))
		status = take_bin(f, b, bin++, pds_double_of(count), why);
	bad = counts.bad;
	while (!bad && status == PDS_OK && next_field(&m, &at, &bad))
	{
		double		of_pair = 0;
		field		part;

		if (at.number != 1 || at.wire != 2)
			continue;
		bin = 0;
		while (next_field(&at.bytes, &part, &bad))
			if (part.number == 1 && part.wire == 0)
				bin = zigzag(part.value);
			else if (part.number == 2 && part.wire == 1)
				of_pair = pds_double_of(part.value);
		if (!bad)
			status = take_bin(f, b, bin, of_pair, why);
	}
	if (bad)
		PDS_REFUSE(why, cut_off);
	return status;
}

/* A mapping (1) has gamma (1), an offset of indexes (2) and an interpolation (3). */
static pds_status
read_datadog(message m, bool rounds_up, pds_ddsketch_foreign *f, const char **why)
{
	message		sides[2] = {{NULL, NULL}, {NULL, NULL}};
	message		mapping = {NULL, NULL};
	double		gamma = 0;
	double		offset = 0;
	double		zeros = 0;
	uint64_t	interpolation = 0;
	field		at;
	bool		bad;
	bins		b;
	pds_status	status;

	while (next_field(&m, &at, &bad))
		if (at.number == 1 && at.wire == 2)
			mapping = at.bytes;
		else if ((at.number == 2 || at.number == 3) && at.wire == 2)
			sides[at.number - 2] = at.bytes;
		else if (at.number == 4 && at.wire == 1)
			zeros = pds_double_of(at.value);
	while (!bad && next_field(&mapping, &at, &bad))
		if (at.number == 1 && at.wire == 1)
			gamma = pds_double_of(at.value);
		else if (at.number == 2 && at.wire == 1)
			offset = pds_double_of(at.value);
		else if (at.number == 3 && at.wire == 0)
			interpolation = at.value;
	if (bad)
		PDS_REFUSE(why, cut_off);
	/* relative errors from 3.31e-7 to 0.999 */
	if (!(gamma >= 1 + 2 * 3.31e-7 && gamma <= 1999))
		PDS_REFUSE(why, "Its gamma is out of range.");
	if (!(offset >= -MOST_SHIFT && offset <= MOST_SHIFT) || offset != floor(offset))
		PDS_REFUSE(why, "The offset of its indexes is no whole number, or out of range.");
	if (interpolation != 0)
		PDS_REFUSE(why, "Its logarithm is interpolated.");
	status = take_count(zeros, &f->zeros, why);
	if (status != PDS_OK)
		return status;
	f->scale = pds_ddsketch_scale_for((gamma - 1) / (gamma + 1) / 10);
	if (f->scale > PDS_DDSKETCH_MAX_SCALE)
		f->scale = PDS_DDSKETCH_MAX_SCALE;
	b.log = log2_of(gamma);
	/* 2 gamma / (gamma + 1) above it */
	b.middle = b.log + (UINT64_C(1) << 60) - log2_of(gamma + 1);
	b.offset = (int64_t) offset + (rounds_up ? 1 : 0);
	for (int i = 0; i < 2; i++)
	{
		b.negative = i == 1;
		status = read_bins(f, sides[i], &b, why);
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}

pds_status
pds_ddsketch_read_foreign(pds_ddsketch_system system, const uint8_t *bytes, size_t len,
						  pds_ddsketch_foreign *f, const char **why)
{
	message		m = {bytes, bytes + len};
	double		min = NAN;
	double		max = NAN;
	uint64_t	counted;
	pds_status	status;

	f->scale = 0;
	f->total = 0;
	f->zeros = 0;
	f->buckets = 0;
	status = system == PDS_DDSKETCH_OPENTELEMETRY ? read_opentelemetry(m, f, &min, &max, why) :
		system == PDS_DDSKETCH_PROMETHEUS ? read_prometheus(m, f, why) :
		read_datadog(m, system == PDS_DDSKETCH_DATADOG_UP, f, why);
	if (status != PDS_OK)
		return status;
	counted = f->zeros;
	for (uint32_t i = 0; i < f->buckets; i++)
	{
		if (counted > PDS_DDSKETCH_MAX_COUNT ||
			f->list[i].count > PDS_DDSKETCH_MAX_COUNT - counted)
			PDS_REFUSE(why, bad_count);
		counted += f->list[i].count;
	}
	if (system >= PDS_DDSKETCH_DATADOG)
		f->total = counted;
	if (counted > PDS_DDSKETCH_MAX_COUNT || counted != f->total)
		PDS_REFUSE(why, "Its counts do not add up.");
	return find_range(f, min, max, why);
}

void
pds_ddsketch_take_apart(pds_ddsketch_build *b, const pds_ddsketch_foreign *f)
{
	b->total = f->total;
	b->apart.zeros = f->zeros;
	b->apart.min = f->min;
	b->apart.max = f->max;
}

/* ---------- writing ---------- */

pds_status
pds_ddsketch_read_buckets(const pds_ddsketch_view *v, pds_ddsketch_bucket *list)
{
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;
	uint32_t	left[2] = {v->negatives + v->positives, v->negatives};

	/* the largest index comes first */
	pds_ddsketch_buckets_from(&r, v);
	while (pds_ddsketch_next(&r, &bucket))
		list[--left[bucket.negative ? 1 : 0]] = bucket;
	return r.bits.overrun ? PDS_CORRUPT : PDS_OK;
}

/* OpenTelemetry counts buckets one by one, empty or not: so many at most. */
#define MOST_BUCKETS	1000000

/* How many buckets there are from the first to the last, empty or not. */
static uint64_t
span_of(const pds_ddsketch_bucket *list, uint32_t n)
{
	return n == 0 ? 0 : (uint64_t) ((int64_t) list[n - 1].index - list[0].index) + 1;
}

size_t
pds_ddsketch_foreign_bound(pds_ddsketch_system system, const pds_ddsketch_view *v,
						   const pds_ddsketch_bucket *list)
{
	uint64_t	one_by_one = system == PDS_DDSKETCH_PROMETHEUS ? 0 :
		span_of(list, v->negatives) + span_of(list + v->negatives, v->positives);

	/* a bucket's span and count take up to 22 bytes, an empty bucket one */
	return one_by_one > MOST_BUCKETS ? 0 :
		96 + 22 * ((size_t) v->negatives + v->positives) + one_by_one;
}

/*
 * A message is written from its end to its beginning: then the length of what a field holds is
 * known when the head of the field is written.
 */
typedef struct writer
{
	uint8_t    *at;
} writer;

static void
put_varint(writer *w, uint64_t v)
{
	uint8_t		bytes[PDS_VARINT_MAX_BYTES];
	size_t		n = pds_varint_put(bytes, v);

	w->at -= n;
	memcpy(w->at, bytes, n);
}

static uint64_t
unzigzag(int64_t v)
{
	return (uint64_t) v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static void
put_number(writer *w, uint32_t number, uint64_t v)
{
	put_varint(w, v);
	put_varint(w, number << 3);
}

static void
put_fixed(writer *w, uint32_t number, uint64_t v)
{
	w->at -= 8;
	pds_store_le64(w->at, v);
	put_varint(w, number << 3 | 1);
}

/* The head of a field that holds all up to "end". */
static void
put_head(writer *w, uint32_t number, const uint8_t *end)
{
	put_varint(w, (uint64_t) (end - w->at));
	put_varint(w, number << 3 | 2);
}

/* Buckets of OpenTelemetry, as a field. */
static void
put_side(writer *w, uint32_t number, const pds_ddsketch_bucket *list, uint32_t n)
{
	const uint8_t *end = w->at;

	if (n == 0)
		return;
	for (uint32_t i = n; i-- > 0;)
	{
		put_varint(w, list[i].count);
		for (int64_t gap = i == 0 ? 0 : (int64_t) list[i].index - list[i - 1].index - 1; gap > 0;
			 gap--)
			put_varint(w, 0);
	}
	put_head(w, 2, end);
	put_number(w, 1, unzigzag(list[0].index));
	put_head(w, number, end);
}

/* Spans of Prometheus, and the differences of their counts, as fields. */
static void
put_spans(writer *w, uint32_t spans, uint32_t deltas, const pds_ddsketch_bucket *list, uint32_t n)
{
	const uint8_t *end = w->at;
	uint32_t	first = n;

	if (n == 0)
		return;
	for (uint32_t i = n; i-- > 0;)
		put_varint(w, unzigzag((int64_t) list[i].count -
							   (i == 0 ? 0 : (int64_t) list[i - 1].count)));
	put_head(w, deltas, end);
	while (first > 0)
	{
		uint32_t	next = first--;
		int64_t		before = -1;	/* the end of the span before, as an index of OpenTelemetry */

		while (first > 0 && list[first - 1].index == list[first].index - 1)
			first--;
		if (first > 0)
			before = (int64_t) list[first - 1].index + 1;
		end = w->at;
		put_number(w, 2, next - first);
		put_number(w, 1, unzigzag(list[first].index - before));
		put_head(w, spans, end);
	}
}

size_t
pds_ddsketch_write_foreign(pds_ddsketch_system system, const pds_ddsketch_view *v,
						   const pds_ddsketch_bucket *list, uint8_t *out)
{
	const pds_ddsketch_bucket *positives = list + v->negatives;
	uint8_t    *end = out + pds_ddsketch_foreign_bound(system, v, list);
	writer		w = {end};

	if (system == PDS_DDSKETCH_PROMETHEUS)
	{
		put_spans(&w, 11, 12, positives, v->positives);
		put_spans(&w, 8, 9, list, v->negatives);
		put_number(&w, 6, v->apart.zeros);
		put_number(&w, 4, unzigzag(v->scale));
		put_number(&w, 1, v->total);
	}
	else
	{
		if (v->total > 0)
		{
			put_fixed(&w, 13, pds_bits_of(v->apart.max));
			put_fixed(&w, 12, pds_bits_of(v->apart.min));
		}
		put_side(&w, 9, list, v->negatives);
		put_side(&w, 8, positives, v->positives);
		put_fixed(&w, 7, v->apart.zeros);
		put_number(&w, 6, unzigzag(v->scale));
		put_fixed(&w, 4, v->total);
	}
	memmove(out, w.at, (size_t) (end - w.at));
	return (size_t) (end - w.at);
}
