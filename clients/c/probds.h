/*
 * probds.h: sketches outside of the server
 *
 * The sketches of probds, the PostgreSQL extension: the same hashes, the same bytes.  What
 * probds_to_bytes() gives is a value of the server's type, and the other way round.  libprobds(3)
 * has an example.
 *
 * A function that can fail returns PROBDS_OK, which is 0, or another code.  If "error" is not NULL
 * it then has the same code and a sentence.  After an error the sketch is as it was, with two
 * exceptions.  After one of probds_add_...(), some of the values may be in it.  So they may after
 * PROBDS_MEMORY or PROBDS_LIMIT of a merge, and then it can only be freed.
 *
 * Nothing here is global.  Different threads can use different sketches; a sketch is used by one
 * thread at a time, also for questions.
 */
#ifndef PROBDS_H
#define PROBDS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PROBDS_API	__attribute__((visibility("default")))
#else
#define PROBDS_API
#endif

typedef struct probds_sketch probds_sketch;

/* ---------- errors ---------- */

enum
{
	PROBDS_OK,
	PROBDS_CORRUPT,				/* bytes that are no sketch */
	PROBDS_PARAMETER,			/* a name or a value that does not exist */
	PROBDS_VALUE,				/* a value that this sketch cannot take, or a text that is none */
	PROBDS_MISMATCH,			/* two sketches, or kinds, that do not go together */
	PROBDS_LIMIT,				/* more than a sketch can be */
	PROBDS_ABSENT,				/* taken out more than is there */
	PROBDS_NO_ANSWER,			/* sketches of this type do not tell, or this one does not */
	PROBDS_MEMORY				/* the allocator has none */
};

typedef struct probds_error
{
	int			code;
	char		sentence[240];
} probds_error;

/* ---------- sketches ---------- */

/*
 * Where a sketch gets its memory: aligned as malloc() aligns it, NULL if memory has run out.
 * NULL in place of an allocator is malloc() and free().
 */
typedef struct probds_allocator
{
	void	   *(*allocate) (void *context, size_t size);
	void		(*release) (void *context, void *memory);
	void	   *context;
} probds_allocator;

/* "1.1" */
PROBDS_API const char *probds_library_version(void);

/*
 * A new sketch of a type: hll, bloom, cms, topk, cuckoo, counting_bloom, scalable_bloom, minhash,
 * ddsketch or fuse.  Options are those of SQL by their names, "capacity=1e6,rate=0.01"; NULL for
 * none.
 *
 *     hll             precision
 *     bloom           capacity (without it: as many as come), rate, layout=blocked|classic|guava
 *     counting_bloom  capacity, rate, layout=blocked|classic
 *     scalable_bloom  capacity, rate, expansion
 *     cuckoo          capacity, rate
 *     cms             epsilon, delta, conservative=0|1
 *     topk            k, counters
 *     minhash         k
 *     ddsketch        error, buckets
 *     fuse            rate
 *
 * A fuse takes values until it was read from bytes, and is never merged.
 */
PROBDS_API int probds_new(const char *type, const char *options, const probds_allocator *allocator,
						  probds_sketch **sketch, probds_error *error);

/* The sketch of these bytes, or of their text: base64, or \x and hexadecimal digits. */
PROBDS_API int probds_from_bytes(const void *bytes, size_t length,
								 const probds_allocator *allocator, probds_sketch **sketch,
								 probds_error *error);
PROBDS_API int probds_from_text(const char *text, size_t length,
								const probds_allocator *allocator, probds_sketch **sketch,
								probds_error *error);

/* NULL is allowed. */
PROBDS_API void probds_free(probds_sketch *sketch);

/*
 * The bytes of a sketch.  They stay until it is freed, or until a value is added to it or removed,
 * or another sketch is merged into it, also where that fails.
 */
PROBDS_API int probds_to_bytes(probds_sketch *sketch, const void **bytes, size_t *length,
							   probds_error *error);

/*
 * The same in base64, with a zero byte behind it, at "text", which has space for "size" bytes.
 * *length is without the zero byte; PROBDS_LIMIT if it is not below "size".
 */
PROBDS_API int probds_to_text(probds_sketch *sketch, char *text, size_t size, size_t *length,
							  probds_error *error);

/* "hll" and so on */
PROBDS_API const char *probds_type(const probds_sketch *sketch);

/* The union becomes the first one; the second stays as it is. */
PROBDS_API int probds_merge(probds_sketch *sketch, probds_sketch *other, probds_error *error);

/* ---------- values ---------- */

/* Kinds of values, by the numbers of doc/hashing.md.  A sketch can be of other kinds, too. */
enum
{
	PROBDS_NONE = 0,			/* of an empty sketch */
	PROBDS_INTEGER = 1,			/* int2, int4, int8; a whole numeric */
	PROBDS_TEXT = 2,			/* in UTF-8, which nobody checks except topk */
	PROBDS_BYTES = 3,
	PROBDS_UUID = 4,			/* 16 bytes */
	PROBDS_FLOAT = 5,			/* float4, float8 */
	PROBDS_BOOLEAN = 6,			/* 0 or 1 */
	PROBDS_DATE = 7,			/* days since 2000-01-01 */
	PROBDS_TIMESTAMP = 10,		/* microseconds since 2000-01-01 */
	PROBDS_TIMESTAMPTZ = 11,	/* the same, in UTC */
	PROBDS_CANONICAL = 256		/* with any kind: its canonical bytes */
};

typedef struct probds_value
{
	int32_t		kind;
	uint32_t	signature;		/* of a kind that has one; else 0 */
	union
	{
		int64_t		integer;	/* of INTEGER, BOOLEAN, DATE, TIMESTAMP, TIMESTAMPTZ */
		double		real;		/* of FLOAT */
		const void *bytes;		/* of TEXT, BYTES, UUID, CANONICAL */
	}			of;
	size_t		length;			/* of bytes */
} probds_value;

static inline probds_value
probds_value_integer(int kind, int64_t integer)
{
	probds_value v;

	v.kind = kind;
	v.signature = 0;
	v.of.integer = integer;
	v.length = 0;
	return v;
}

static inline probds_value
probds_value_float(double real)
{
	probds_value v;

	v.kind = PROBDS_FLOAT;
	v.signature = 0;
	v.of.real = real;
	v.length = 0;
	return v;
}

static inline probds_value
probds_value_bytes(int kind, const void *bytes, size_t length)
{
	probds_value v;

	v.kind = kind;
	v.signature = 0;
	v.of.bytes = bytes;
	v.length = length;
	return v;
}

/*
 * A value of any kind, by the canonical bytes and the signature that doc/hashing.md describes.  A
 * ddsketch does not take it, and a topk only counts one that it holds.
 */
static inline probds_value
probds_value_canonical(int kind, uint32_t signature, const void *bytes, size_t length)
{
	probds_value v = probds_value_bytes(kind | PROBDS_CANONICAL, bytes, length);

	v.signature = signature;
	return v;
}

/*
 * Reads a text as a value of a kind, as the server reads a literal: 42, 1.5e3,
 * a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11, 2026-01-31, 2026-01-31 12:00:00, the same with +00.  Texts
 * and bytes are taken as they are.  "memory" is for a uuid and stays in use.
 */
PROBDS_API int probds_value_from_text(int kind, const char *text, size_t length,
									  uint8_t memory[16], probds_value *value,
									  probds_error *error);

/* h1 and h2 of doc/hashing.md. */
PROBDS_API int probds_value_hash(probds_value value, uint64_t hash[2], probds_error *error);

/* The kind of a sketch's values, and the name of a kind ("text"; "number" for INTEGER). */
PROBDS_API int probds_kind(const probds_sketch *sketch);
PROBDS_API const char *probds_kind_of_name(int kind);

/*
 * Add a value.  A weight other than 1 is for cms (below 0 takes out), topk and ddsketch.  A
 * ddsketch takes INTEGER and FLOAT as numbers.
 */
PROBDS_API int probds_add(probds_sketch *sketch, probds_value value, int64_t weight,
						  probds_error *error);

/* Add many: numbers of a kind that has "integer", and of FLOAT. */
PROBDS_API int probds_add_integers(probds_sketch *sketch, int kind, const int64_t *values, size_t n,
								   probds_error *error);
PROBDS_API int probds_add_floats(probds_sketch *sketch, const double *values, size_t n,
								 probds_error *error);

/*
 * Add the lines of a text, each of which ends with "separator", as values of a kind.  *used is
 * where the first line begins that was not added: one that does not end, or the one of the error.
 * *lines grows by the lines that were added.
 */
PROBDS_API int probds_add_lines(probds_sketch *sketch, int kind, char separator, const char *text,
								size_t length, size_t *used, uint64_t *lines, probds_error *error);

/* Take a value out of a cuckoo or counting_bloom, to which it was added. */
PROBDS_API int probds_remove(probds_sketch *sketch, probds_value value, probds_error *error);

/* ---------- answers ---------- */

/* How many distinct values: hll, minhash, bloom, counting_bloom, scalable_bloom, cuckoo, fuse. */
PROBDS_API int probds_cardinality(probds_sketch *sketch, double *values, probds_error *error);

/* The same with bounds at a confidence, 0.95 say: hll, minhash. */
PROBDS_API int probds_cardinality_bounds(probds_sketch *sketch, double confidence, double *lower,
										 double *estimate, double *upper, probds_error *error);

/* 1 if the value may be there, 0 if not: bloom, counting_bloom, scalable_bloom, cuckoo, fuse. */
PROBDS_API int probds_contains(probds_sketch *sketch, probds_value value, int *contained,
							   probds_error *error);

/*
 * The same of the lines of a text, each of which ends with "separator", up to "most" of them.  *n
 * is how many there are, ends[i] where line i ends, behind its separator, and contained[i] is 0 or
 * 1.
 * After an error, it is of line *n.
 */
PROBDS_API int probds_contains_lines(probds_sketch *sketch, int kind, char separator,
									 const char *text, size_t length, size_t most, size_t *ends,
									 uint8_t *contained, size_t *n, probds_error *error);

/* How often a value was added, and bounds: cms, topk, cuckoo, counting_bloom. */
PROBDS_API int probds_frequency(probds_sketch *sketch, probds_value value, int64_t *lower,
								int64_t *estimate, int64_t *upper, probds_error *error);

/* The sum of all weights: cms, topk, ddsketch; the values of a cuckoo. */
PROBDS_API int probds_total(probds_sketch *sketch, int64_t *total, probds_error *error);

/* An item of a topk, whose text stays until the sketch changes. */
typedef struct probds_item
{
	const char *text;
	size_t		length;
	int64_t		lower;
	int64_t		frequency;
} probds_item;

/*
 * The most frequent values of a topk, the most frequent first, at most its k and "most" of them.
 * *n is how many were written.
 */
PROBDS_API int probds_top(probds_sketch *sketch, probds_item *items, size_t most, size_t *n,
						  probds_error *error);

/* A quantile of a ddsketch, 0 to 1, between bounds.  An empty one has none. */
PROBDS_API int probds_quantile(probds_sketch *sketch, double quantile, double *lower,
							   double *estimate, double *upper, probds_error *error);

/* The share of a ddsketch's numbers that are at or below this one. */
PROBDS_API int probds_rank(probds_sketch *sketch, double number, double *share,
						   probds_error *error);

/* Two hll, or two minhash: the Jaccard index, and the number of values in both (hll). */
PROBDS_API int probds_jaccard(probds_sketch *a, probds_sketch *b, double *jaccard,
							  probds_error *error);
PROBDS_API int probds_intersection(probds_sketch *a, probds_sketch *b, double *values,
								   probds_error *error);

/* Calls "field" with the name and the text of each fact about a sketch. */
PROBDS_API int probds_info(probds_sketch *sketch,
						   void (*field) (void *context, const char *name, const char *text),
						   void *context, probds_error *error);

#ifdef __cplusplus
}
#endif

#endif
