/*
 * minhash_sketch.h: MinHash sketches on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece
 * of memory is exactly as large as the library asked for, so that a sanitizer
 * sees the first byte too far.
 */
#ifndef PDS_TEST_MINHASH_SKETCH_H
#define PDS_TEST_MINHASH_SKETCH_H

#include "payload.h"

#include "minhash.h"
#include "minhash_estimate.h"

typedef struct sketch
{
	pds_minhash_build *b;
	size_t		size;
} sketch;

/* ---------- building ---------- */

static inline sketch
sketch_new(int log2_k)
{
	sketch		s;

	s.size = PDS_MINHASH_FIRST_SIZE;
	s.b = sketch_memory(s.size);
	pds_minhash_build_init(s.b, log2_k);
	return s;
}

static inline sketch
sketch_nothing(void)
{
	sketch		s;

	s.size = pds_minhash_ops.first_size;
	s.b = sketch_memory(s.size);
	pds_minhash_ops.init_nothing(s.b);
	return s;
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

/* To another image; of a plan that turns out too small, to the larger one. */
static inline void
sketch_move(sketch *s, pds_minhash_plan *plan)
{
	for (;;)
	{
		pds_minhash_build *to = sketch_memory(plan->size);
		size_t		size = plan->size;

		if (pds_minhash_rebuild(to, plan, s->b) == PDS_OK)
		{
			free(s->b);
			s->b = to;
			s->size = size;
			return;
		}
		if (plan->size <= size && !plan->dense)
			sketch_die("a plan that does not grow");
		free(to);
	}
}

static inline void
sketch_add(sketch *s, pds_hash h)
{
	pds_minhash_plan plan;

	pds_state_set_kind(s->b, PDS_KIND_NUMBER);
	while (pds_minhash_add(s->b, h) == PDS_FULL)
	{
		pds_minhash_plan_growth(s->b, &plan);
		sketch_move(s, &plan);
	}
}

/* As the server's frame does it. */
static inline pds_status
sketch_unite(sketch *s, const pds_operand *from, pds_kind kind)
{
	union
	{
		pds_plan	head;
		pds_minhash_plan plan;
	}			u;
	pds_status	status;

	u.head.size = s->size;
	status = pds_minhash_ops.plan_union(s->b, from, &u.head);
	if (status == PDS_FULL)
		sketch_move(s, &u.plan);
	if (kind != PDS_KIND_NONE)
		pds_state_set_kind(s->b, kind);
	while ((status = pds_minhash_ops.merge(s->b, from)) == PDS_FULL)
	{
		pds_minhash_ops.plan_growth(s->b, &u.head);
		sketch_move(s, &u.plan);
	}
	return status;
}

static inline pds_status
sketch_merge(sketch *s, const sketch *from)
{
	pds_operand operand = {from->b, NULL};

	return sketch_unite(s, &operand, pds_state_kind(from->b));
}

/* ---------- the stored form ---------- */

/* Of a state that may come from damaged bytes. */
static inline payload
sketch_write(const sketch *s)
{
	pds_minhash_encoding x;
	uint8_t    *out;
	void	   *scratch;
	payload		p;
	size_t		len;

	pds_minhash_measure(s->b, &x);
	out = sketch_memory(x.bytes);
	scratch = sketch_memory(x.scratch);
	len = pds_minhash_encode(s->b, &x, scratch, out);
	if (len > x.bytes)
		sketch_die("longer than its bound");
	/* again, to the byte: the sanitizer sees what is read beyond it */
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	return p;
}

static inline payload
sketch_encode(const sketch *s)
{
	if (!pds_minhash_check_build(s->b, s->size))
		sketch_die("a state is refused");
	return sketch_write(s);
}

static inline pds_minhash_view
payload_view(const payload *p)
{
	pds_minhash_view v;

	if (pds_minhash_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK)
		sketch_die("a stored sketch that cannot be opened");
	return v;
}

static inline pds_status
sketch_merge_payload(sketch *s, const payload *p)
{
	pds_minhash_view v = payload_view(p);
	pds_operand operand = {NULL, &v};

	return sketch_unite(s, &operand, v.kind);
}

/* A stored sketch as a building one. */
static inline sketch
sketch_load(const payload *p)
{
	sketch		s = sketch_nothing();

	if (sketch_merge_payload(&s, p) != PDS_OK)
		sketch_die("a stored sketch that cannot be loaded");
	return s;
}

/* ---------- answers ---------- */

static inline pds_minhash_pair
payload_pair(const payload *a, const payload *b)
{
	pds_minhash_view v = payload_view(a);
	pds_minhash_view w = payload_view(b);
	void	   *scratch = sketch_memory(pds_minhash_pair_scratch(&v, &w));
	pds_minhash_pair pair;

	if (pds_minhash_pair_of(&pair, &v, &w, scratch) != PDS_OK)
		sketch_die("stored sketches that cannot be compared");
	free(scratch);
	return pair;
}

static inline pds_minhash_summary
payload_summary(const payload *p)
{
	pds_minhash_view v = payload_view(p);
	void	   *scratch = sketch_memory(pds_minhash_summary_scratch(&v));
	pds_minhash_summary s;

	if (pds_minhash_summarize(&s, &v, scratch) != PDS_OK)
		sketch_die("a stored sketch that cannot be summarized");
	free(scratch);
	return s;
}

/* "out" takes as many numbers as bands; returns how many were written. */
static inline uint32_t
payload_bands(const payload *p, uint32_t bands, uint32_t rows, uint64_t *out)
{
	pds_minhash_view v = payload_view(p);
	uint16_t   *registers = sketch_memory(sizeof(uint16_t) << v.log2_k);
	uint16_t   *scratch = sketch_memory(sizeof(uint16_t) << v.log2_k);
	uint32_t	n;

	if (pds_minhash_read_registers(&v, v.log2_k, registers) != PDS_OK)
		sketch_die("a stored sketch that cannot be read");
	n = pds_minhash_bands(registers, v.log2_k, bands, rows, scratch, out);
	free(scratch);
	free(registers);
	return n;
}

#endif
