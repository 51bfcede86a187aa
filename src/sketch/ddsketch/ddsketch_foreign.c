/*
 * ddsketch_foreign.c: histograms of OpenTelemetry and Prometheus, sketches of DataDog
 */
#include <float.h>
#include <math.h>

#include "ddsketch_foreign.h"
#include "ddsketch_message.h"
#include "poll.h"
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

/* Buckets of OpenTelemetry: an offset (1), and counts (2), packed or one by one. */
static pds_status
read_counts(pds_ddsketch_foreign *f, message m, bool negative, const char **why)
{
	int64_t		offset = 0;
	int64_t		n = 0;

	/* the offset may stand behind the counts */
	for (int turn = 0; turn < 2; turn++)
	{
		message		rest = m;
		field		at;
		bool		bad;

		while (next_field(&rest, &at, &bad))
		{
			message		counts = at.bytes;

			if (at.number == 1 && at.wire == 0)
				offset = zigzag(at.value);
			if (at.number != 2 || turn == 0)
				continue;
			if (offset < INT32_MIN || offset > INT32_MAX)
				PDS_REFUSE(why, bad_bucket);
			while (at.wire == 0 || (at.wire == 2 && counts.at < counts.end))
			{
				pds_status	status;

				if (at.wire == 2 && !get_varint(&counts, &at.value))
					PDS_REFUSE(why, cut_off);
				status = take_bucket(f, negative, offset + n++, at.value, why);
				if (status != PDS_OK)
					return status;
				if (at.wire == 0)
					break;
			}
		}
		if (bad)
			PDS_REFUSE(why, cut_off);
	}
	return PDS_OK;
}

/* The next number of a repeated field of a message, packed or one by one. */
typedef struct repeated
{
	message		rest;
	message		packed;
	uint32_t	number;
	bool		bad;
} repeated;

static bool
next_repeated(repeated *r, uint64_t *v)
{
	field		at;

	while (r->packed.at == r->packed.end)
	{
		if (!next_field(&r->rest, &at, &r->bad))
			return false;
		if (at.number != r->number)
			continue;
		if (at.wire == 0)
		{
			*v = at.value;
			return true;
		}
		if (at.wire == 2)
			r->packed = at.bytes;
	}
	r->bad = !get_varint(&r->packed, v);
	return !r->bad;
}

/*
 * Buckets of Prometheus.  A span has an offset (1) from where the one before ends, and a length
 * (2).  For each bucket of a span there is the difference of its count from the one before.
 */
static pds_status
read_spans(pds_ddsketch_foreign *f, message m, bool negative, uint32_t spans, uint32_t deltas,
		   const char **why)
{
	repeated	differences = {m, {NULL, NULL}, deltas, false};
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

/*
 * The smallest and the largest number that can be in a bucket.  Below the normal numbers edges are
 * rounded, and some buckets have no number.
 */
static double
inside(uint64_t key, int scale, double edge, double towards)
{
	int32_t		index = pds_ddsketch_key_index(key);

	if (isinf(edge))
		edge = DBL_MAX;
	if (edge == 0 || pds_ddsketch_index(edge, scale) != index)
		edge = nextafter(edge, towards);
	return edge != 0 && pds_ddsketch_index(edge, scale) == index ? edge : 0;
}

static double
least_in(uint64_t key, int scale)
{
	return inside(key, scale, pds_ddsketch_edge(pds_ddsketch_key_index(key), scale), HUGE_VAL);
}

static double
most_in(uint64_t key, int scale)
{
	return inside(key, scale,
				  pds_ddsketch_edge((int64_t) pds_ddsketch_key_index(key) + 1, scale), 0);
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
	double		least;
	double		most;

	for (uint32_t i = 0; i < f->buckets; i++)
	{
		uint64_t	key = f->list[i].key;
		int			sign = pds_ddsketch_key_negative(key);

		if (key < lowest[sign])
			lowest[sign] = key;
		if (key > highest[sign])
			highest[sign] = key;
	}
	f->min = f->max = 0;
	if (f->buckets == 0)
		return PDS_OK;
	/* what lies in the outermost buckets, unless these are zeros */
	if (highest[1] > 0)
		f->min = -most_in(highest[1], f->scale);
	else if (f->zeros == 0)
		f->min = least_in(lowest[0], f->scale);
	if (highest[0] > 0)
		f->max = most_in(highest[0], f->scale);
	else if (f->zeros == 0)
		f->max = -least_in(lowest[1], f->scale);
	if ((highest[1] > 0 || f->zeros == 0) != (f->min != 0) ||
		(highest[0] > 0 || f->zeros == 0) != (f->max != 0))
		PDS_REFUSE(why, bad_bucket);
	least = f->min;
	most = f->max;
	if (isfinite(min) && least != 0)
		f->min = min;
	if (isfinite(max) && most != 0)
		f->max = max;
	/* each in the bucket of the other limit, and of its sign */
	if (f->min > f->max || (f->min == 0) != (least == 0) || (f->max == 0) != (most == 0) ||
		(f->min < 0) != (least < 0) || (f->max < 0) != (most < 0) ||
		(least != 0 && pds_ddsketch_index(f->min, f->scale) !=
		 pds_ddsketch_index(least, f->scale)) ||
		(most != 0 && pds_ddsketch_index(f->max, f->scale) != pds_ddsketch_index(most, f->scale)))
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
			*min = double_of(at.value);
		else if (at.number == 13 && at.wire == 1)
			*max = double_of(at.value);
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
	uint64_t	bits;
	uint64_t	log;
	uint64_t	x;				/* from 2^63 up: v / 2^exponent * 2^63 */

	memcpy(&bits, &v, sizeof(bits));
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
	message		rest = m;
	int64_t		bin = 0;
	pds_status	status = PDS_OK;
	field		at;
	field		part;
	bool		bad;

	/* the offset may stand behind the counts */
	while (next_field(&rest, &at, &bad))
		if (at.number == 3 && at.wire == 0)
			bin = zigzag(at.value);
	if (!bad && (bin < INT32_MIN || bin > INT32_MAX))
		PDS_REFUSE(why, bad_bucket);
	while (!bad && status == PDS_OK && next_field(&m, &at, &bad))
	{
		if (at.number == 1 && at.wire == 2)
		{
			int64_t		index = 0;
			double		count = 0;

			while (next_field(&at.bytes, &part, &bad))
				if (part.number == 1 && part.wire == 0)
					index = zigzag(part.value);
				else if (part.number == 2 && part.wire == 1)
					count = double_of(part.value);
			if (!bad)
				status = take_bin(f, b, index, count, why);
		}
		else if (at.number == 2 && at.wire == 1)
			status = take_bin(f, b, bin++, double_of(at.value), why);
		else if (at.number == 2 && at.wire == 2)
		{
			bad = (at.bytes.end - at.bytes.at) % 8 != 0;
			for (; !bad && status == PDS_OK && at.bytes.at < at.bytes.end; at.bytes.at += 8)
				status = take_bin(f, b, bin++, double_of(pds_load_le64(at.bytes.at)), why);
		}
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
			zeros = double_of(at.value);
	while (!bad && next_field(&mapping, &at, &bad))
		if (at.number == 1 && at.wire == 1)
			gamma = double_of(at.value);
		else if (at.number == 2 && at.wire == 1)
			offset = double_of(at.value);
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

pds_status
pds_ddsketch_take_foreign(pds_ddsketch_build *b, const pds_ddsketch_foreign *f)
{
	for (uint32_t i = 0; i < f->buckets; i++)
	{
		pds_status	status = pds_ddsketch_add_bucket(b, f->list[i].key, f->list[i].count);

		if (status != PDS_OK)
			return status;
	}
	b->total = f->total;
	b->apart.zeros = f->zeros;
	b->apart.min = f->min;
	b->apart.max = f->max;
	return PDS_OK;
}

/* ---------- writing ---------- */

/* OpenTelemetry counts buckets one by one, empty or not: so many at most. */
#define MOST_BUCKETS	1000000

/* Where bytes are written, or only counted if "out" is NULL. */
typedef struct writer
{
	uint8_t    *out;
	size_t		len;
} writer;

static void
put_varint(writer *w, uint64_t v)
{
	uint8_t		bytes[PDS_VARINT_MAX_BYTES];
	size_t		n = pds_varint_put(bytes, v);

	if (w->out != NULL)
		memcpy(w->out + w->len, bytes, n);
	w->len += n;
}

static uint64_t
unzigzag(int64_t v)
{
	return (uint64_t) v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static void
put_fixed(writer *w, uint32_t number, uint64_t v)
{
	put_varint(w, number << 3 | 1);
	if (w->out != NULL)
		pds_store_le64(w->out + w->len, v);
	w->len += 8;
}

static void
put_double(writer *w, uint32_t number, double v)
{
	uint64_t	bits;

	memcpy(&bits, &v, sizeof(bits));
	put_fixed(w, number, bits);
}

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

/* How many buckets there are from the first to the last, empty or not. */
static uint64_t
span_of(const pds_ddsketch_bucket *list, uint32_t n)
{
	return n == 0 ? 0 : (uint64_t) ((int64_t) list[n - 1].index - list[0].index) + 1;
}

static void
put_counts(writer *w, const pds_ddsketch_bucket *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
	{
		for (int64_t index = i == 0 ? list[0].index : (int64_t) list[i - 1].index + 1;
			 index < list[i].index; index++)
			put_varint(w, 0);
		put_varint(w, list[i].count);
	}
}

/* Buckets of OpenTelemetry, as a field. */
static void
put_side(writer *w, uint32_t number, const pds_ddsketch_bucket *list, uint32_t n)
{
	writer		inside = {NULL, 0};
	writer		offset = {NULL, 0};

	if (n == 0)
		return;
	put_counts(&inside, list, n);
	put_varint(&offset, 1 << 3);
	put_varint(&offset, unzigzag(list[0].index));
	put_varint(&offset, 2 << 3 | 2);
	put_varint(&offset, inside.len);
	put_varint(w, number << 3 | 2);
	put_varint(w, offset.len + inside.len);
	put_varint(w, 1 << 3);
	put_varint(w, unzigzag(list[0].index));
	put_varint(w, 2 << 3 | 2);
	put_varint(w, inside.len);
	put_counts(w, list, n);
}

/* Spans of Prometheus, and their counts, as fields. */
static void
put_differences(writer *w, const pds_ddsketch_bucket *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put_varint(w, unzigzag((int64_t) list[i].count -
							   (i == 0 ? 0 : (int64_t) list[i - 1].count)));
}

static void
put_spans(writer *w, uint32_t spans, uint32_t deltas, const pds_ddsketch_bucket *list, uint32_t n)
{
	writer		inside = {NULL, 0};
	int64_t		end = -1;		/* of the span before, as an index of OpenTelemetry */

	if (n == 0)
		return;
	for (uint32_t i = 0; i < n;)
	{
		uint32_t	first = i;
		writer		span = {NULL, 0};

		do
			i++;
		while (i < n && list[i].index == list[i - 1].index + 1);
		for (int turn = 0; turn < 2; turn++)
		{
			writer	   *to = turn == 0 ? &span : w;

			if (turn == 1)
			{
				put_varint(w, spans << 3 | 2);
				put_varint(w, span.len);
			}
			put_varint(to, 1 << 3);
			put_varint(to, unzigzag(list[first].index - end));
			put_varint(to, 2 << 3);
			put_varint(to, i - first);
		}
		end = (int64_t) list[i - 1].index + 1;
	}
	put_differences(&inside, list, n);
	put_varint(w, deltas << 3 | 2);
	put_varint(w, inside.len);
	put_differences(w, list, n);
}

size_t
pds_ddsketch_write_foreign(pds_ddsketch_system system, const pds_ddsketch_view *v,
						   const pds_ddsketch_bucket *list, uint8_t *out)
{
	const pds_ddsketch_bucket *positives = list + v->negatives;
	writer		w = {out, 0};

	if (system == PDS_DDSKETCH_PROMETHEUS)
	{
		put_varint(&w, 1 << 3);
		put_varint(&w, v->total);
		put_varint(&w, 4 << 3);
		put_varint(&w, unzigzag(v->scale));
		put_varint(&w, 6 << 3);
		put_varint(&w, v->apart.zeros);
		put_spans(&w, 8, 9, list, v->negatives);
		put_spans(&w, 11, 12, positives, v->positives);
		return w.len;
	}
	if (span_of(list, v->negatives) + span_of(positives, v->positives) > MOST_BUCKETS)
		return 0;
	put_fixed(&w, 4, v->total);
	put_varint(&w, 6 << 3);
	put_varint(&w, unzigzag(v->scale));
	put_fixed(&w, 7, v->apart.zeros);
	put_side(&w, 8, positives, v->positives);
	put_side(&w, 9, list, v->negatives);
	if (v->total > 0)
	{
		put_double(&w, 12, v->apart.min);
		put_double(&w, 13, v->apart.max);
	}
	return w.len;
}
