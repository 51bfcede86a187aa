/*
 * lines.c: lines of a text into sketches, and lookups of them
 *
 * Some hundred lines at a time are found, then hashed, then added.  In a loop of its own, each of
 * these steps works on several lines at once.
 */
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "bits.h"
#include "hll.h"
#include "sketch.h"

#define LINES	256

typedef struct line
{
	const char *text;
	size_t		length;
	pds_hash	hash;
} line;

#ifdef __SSE2__
/* Which of 64 bytes are c. */
static inline uint64_t
where_equal(const char *at, __m128i c)
{
	const __m128i *p = (const __m128i *) at;
	uint64_t	a = (uint64_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(p), c));
	uint64_t	b = (uint64_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(p + 1), c));
	uint64_t	d = (uint64_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(p + 2), c));
	uint64_t	e = (uint64_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(p + 3), c));

	return a | b << 16 | d << 32 | e << 48;
}
#endif

/* Find the next lines, at most "most" of them; *at moves behind the last one. */
static size_t
find_lines(const char **at, const char *end, char separator, line *lines, size_t most)
{
	const char *begin = *at;
	const char *stop = begin;
	size_t		n = 0;

#ifdef __SSE2__
	const __m128i c = _mm_set1_epi8(separator);

	for (; end - stop >= 64 && n < most; stop += 64)
		for (uint64_t mask = where_equal(stop, c); mask != 0 && n < most; mask &= mask - 1)
		{
			lines[n].text = begin;
			lines[n].length = (size_t) (stop - begin) + (size_t) pds_ctz64(mask);
			begin += lines[n++].length + 1;
		}
	if (stop < begin || n == most)
		stop = begin;
#endif
	while (n < most && stop < end &&
		   (stop = memchr(stop, separator, (size_t) (end - stop))) != NULL)
	{
		lines[n].text = begin;
		lines[n++].length = (size_t) (stop - begin);
		begin = ++stop;
	}
	*at = begin;
	return n;
}

/* Hash lines of text or bytes, behind which the memory ends at "end". */
static void
hash_lines(line *lines, size_t n, const char *end)
{
	for (size_t i = 0; i < n; i++)
		lines[i].hash = lines[i].length < PDS_MURMUR3_BLOCK &&
			end - lines[i].text >= PDS_MURMUR3_BLOCK ?
			pds_murmur3_short(lines[i].text, lines[i].length) :
			pds_murmur3(lines[i].text, lines[i].length, 0);
}

/* Add lines of text or bytes that were hashed; *n is how many were added. */
static pds_status
add_lines(probds_sketch *s, int kind, const line *lines, size_t *n)
{
	pds_status	status = PDS_OK;
	size_t		i = 0;

	if (s->type->number == PDS_TYPE_HLL)
		for (; i < *n && status == PDS_OK; i++)
			CHANGE(s, status, pds_hll_add(s->state, lines[i].hash.h1));
	else
		for (; i < *n && status == PDS_OK; i++)
		{
			probds_value value = probds_value_bytes(kind, lines[i].text, lines[i].length);

			status = add_hash(s, &value, lines[i].hash, 1);
		}
	*n = i - (status != PDS_OK);
	return status;
}

/* Read a line as a value of a kind, and hash it. */
static int
read_line(const probds_sketch *s, int kind, const line *l, uint8_t memory[16], probds_value *value,
		  pds_hash *hash, probds_error *error)
{
	int			code = probds_value_from_text(kind, l->text, l->length, memory, value, error);

	return code != PROBDS_OK ? code : hash_for(s, value, hash, error);
}

/* Add lines that are read as values of another kind. */
static int
add_values(probds_sketch *s, int kind, const line *lines, size_t *n, pds_status *status,
		   probds_error *error)
{
	int			code = PROBDS_OK;
	size_t		i;

	for (i = 0; i < *n; i++)
	{
		probds_value value;
		pds_hash	hash;
		uint8_t		memory[16];

		code = read_line(s, kind, &lines[i], memory, &value, &hash, error);
		if (code != PROBDS_OK || (*status = add_hash(s, &value, hash, 1)) != PDS_OK)
			break;
	}
	*n = i;
	return code;
}

int
probds_add_lines(probds_sketch *s, int kind, char separator, const char *text, size_t length,
				 size_t *used, uint64_t *added, probds_error *error)
{
	line		lines[LINES];
	const char *at = text;
	const char *end = text + length;
	uint64_t	before = *added;
	const probds_value like = probds_value_integer(kind, 0);
	pds_kind	held = kind_of(s);
	int			code = PROBDS_OK;

	*used = 0;
	while (code == PROBDS_OK)
	{
		size_t		found = find_lines(&at, end, separator, lines, LINES);
		size_t		n = found;
		pds_status	status = PDS_OK;

		if (found == 0)
			break;
		if (*added == before)
			code = begin_adding(s, &like, &held, error);
		if (code != PROBDS_OK)
			break;
		if (kind == PROBDS_TEXT || kind == PROBDS_BYTES)
		{
			hash_lines(lines, n, end);
			status = add_lines(s, kind, lines, &n);
		}
		else
			code = add_values(s, kind, lines, &n, &status, error);
		*added += n;
		*used = n == found ? (size_t) (at - text) : (size_t) (lines[n].text - text);
		if (n < found && code == PROBDS_OK)
			code = end_adding(s, status, pds_state_kind(s->state), error);
	}
	/* of a sketch to which nothing came, the kind is what it was */
	if (code != PROBDS_OK && *added == before && s->state != NULL &&
		pds_state_kind(s->state) != held && held == PDS_KIND_NONE)
		pds_state_set_kind(s->state, held);
	return code;
}

int
probds_contains_lines(probds_sketch *s, int kind, char separator, const char *text, size_t length,
					  size_t most, size_t *ends, uint8_t *contained, size_t *n,
					  probds_error *error)
{
	line		lines[LINES];
	const char *at = text;
	const char *end = text + length;
	int			code = need_view(s, error);

	*n = 0;
	if (code == PROBDS_OK && (s->type->count == NULL || s->type->weighted))
		code = fail(error, PROBDS_NO_ANSWER, "A %s does not tell whether it contains a value.",
					s->type->name);
	if (code == PROBDS_OK)
		code = need_kind(s, kind, error);
	while (code == PROBDS_OK && *n < most)
	{
		size_t		found = find_lines(&at, end, separator, lines,
									   most - *n < LINES ? most - *n : LINES);

		if (found == 0)
			break;
		if (kind == PROBDS_TEXT || kind == PROBDS_BYTES)
			hash_lines(lines, found, end);
		for (size_t i = 0; i < found && code == PROBDS_OK; i++)
		{
			uint64_t	lower;
			uint64_t	count;
			uint64_t	upper;
			probds_value value;
			uint8_t		memory[16];

			if (kind != PROBDS_TEXT && kind != PROBDS_BYTES)
				code = read_line(s, kind, &lines[i], memory, &value, &lines[i].hash, error);
			if (code == PROBDS_OK)
				code = refuse(s, s->type->count(&s->view, lines[i].hash, &lower, &count, &upper),
							  error);
			if (code != PROBDS_OK)
				break;
			ends[*n] = (size_t) (lines[i].text - text) + lines[i].length + 1;
			contained[(*n)++] = count > 0;
		}
	}
	return code;
}
