/*
 * cuckoo_fuzz.c: whatever bytes pass pds_cuckoo_check() must be a filter in every way
 */
#include "fuzz.h"
#include "stored.h"
#include "cuckoo_sketch.h"
#include "cuckoo_ops.h"

fuzz_count	fuzz_counts;

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 16;
}

/* A filter of the same shape, of few values or of some. */
static sketch
another(const pds_cuckoo_view *v, uint64_t seed)
{
	static const uint64_t numbers[] = {0, 1, 5, 30, 200, 3000};
	sketch		s = sketch_new(&v->shape);
	uint64_t	n = numbers[next(&seed) % 6];

	/* most are quick to make */
	if (n == 3000 && next(&seed) % 64 != 0)
		n = 12;
	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(next(&seed) % (2 * n)));
	return s;
}

static void
must_be_good(const payload *p)
{
	const char *why = "";

	if (pds_cuckoo_check(p->bytes, p->len, &why) != PDS_OK)
		fprintf(stderr, "%s\n", why);
	MUST(pds_cuckoo_check(p->bytes, p->len, NULL) == PDS_OK);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const pds_cuckoo_view *v, uint64_t seed)
{
	sketch		s = another(v, seed);
	pds_operand operand = {NULL, v};
	pds_cuckoo_view copy = *v;
	uint64_t	copies;

	for (int i = 0; i < 8; i++)
	{
		pds_hash	h = {next(&seed) << 16, 0};

		(void) pds_cuckoo_view_count(v, h, pds_cuckoo_in_memory, &copy, &copies);
	}
	(void) sketch_try_union(&s, &operand, v->kind);
	sketch_free(&s);
}

/* The union with another filter, from either side; and its values removed again. */
static void
fuzz_union(const payload *in, const pds_cuckoo_view *v, uint64_t seed)
{
	sketch		other = another(v, seed);
	payload		stored = sketch_encode(&other);
	sketch		left = sketch_nothing();
	sketch		right = sketch_nothing();
	payload		a;
	payload		b;

	must_be_good(&stored);
	MUST(sketch_try_merge_payload(&left, in) == PDS_OK);
	MUST(sketch_try_merge_payload(&right, &stored) == PDS_OK);
	if (v->total > PDS_CUCKOO_MAX_COUNT - other.b->total)
		MUST(sketch_try_merge_payload(&left, &stored) == PDS_OVERFLOW);
	else
	{
		MUST(sketch_try_merge_payload(&left, &stored) == PDS_OK);
		MUST(sketch_try_merge_payload(&right, in) == PDS_OK);
		/* the kind is the server's business */
		pds_state_set_kind(right.b, pds_state_kind(left.b));
		a = sketch_encode(&left);
		b = sketch_encode(&right);
		MUST(payload_equal(&a, &b));
		must_be_good(&a);
		payload_free(&a);
		payload_free(&b);
	}
	payload_free(&stored);
	sketch_free(&left);
	sketch_free(&right);
	sketch_free(&other);
}

/* More values, and these removed again: the same bytes. */
static void
fuzz_more(const payload *in, const pds_cuckoo_view *v, uint64_t seed)
{
	uint64_t	n = next(&seed) % 64 == 0 ? 3000 : 20;
	sketch		s = sketch_nothing();
	payload		out;

	if (v->total > PDS_CUCKOO_MAX_COUNT - n)
		return;
	MUST(sketch_try_merge_payload(&s, in) == PDS_OK);
	for (uint64_t i = 0; i < n; i++)
		MUST(sketch_try_add(&s, pds_murmur3_u64(seed % 1000 + i % 700)) == PDS_OK);
	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(s.b, v->kind);
	out = sketch_encode(&s);
	must_be_good(&out);
	for (uint64_t i = 0; i < n; i++)
	{
		pds_hash	h = pds_murmur3_u64(seed % 1000 + i % 700);

		MUST(payload_count(&out, h) > 0);
		MUST(pds_cuckoo_remove(s.b, h) == PDS_OK);
	}
	payload_free(&out);
	out = sketch_encode(&s);
	MUST(payload_equal(&out, in));
	payload_free(&out);
	sketch_free(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	const char *why = NULL;
	pds_status	status = pds_cuckoo_check(in.bytes, in.len, &why);
	uint64_t	seed = fuzz_seed(data, size);
	size_t		have = in.len < PDS_CUCKOO_MAX_PREFIX ? in.len : PDS_CUCKOO_MAX_PREFIX;
	payload		head = payload_copy(in.bytes, have);
	pds_cuckoo_view v;
	pds_status	opened = pds_cuckoo_open(&v, head.bytes, have, in.len, NULL);

	fuzz_counts.all++;
	fuzz_stored(&pds_cuckoo_ops, &in);
	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	/* the head alone is as good, or as bad */
	MUST(pds_cuckoo_open(&v, in.bytes, in.len, in.len, NULL) == opened);
	if (status == PDS_OK)
	{
		sketch		same = sketch_nothing();
		payload		again;

		MUST(opened == PDS_OK);
		fuzz_counts.accepted[v.encoding]++;
		MUST(sketch_try_merge_payload(&same, &in) == PDS_OK);
		MUST(same.b->total == v.total && pds_cuckoo_distinct(same.b) == v.distinct);
		again = sketch_encode(&same);
		MUST(payload_equal(&in, &again));
		if (seed % 4 == 0)
			fuzz_union(&in, &v, seed / 4);
		if (seed % 4 == 1)
			fuzz_more(&in, &v, seed / 4);
		payload_free(&again);
		sketch_free(&same);
	}
	else
	{
		fuzz_counts.refused++;
		if (opened == PDS_OK)
		{
			fuzz_counts.opened++;
			fuzz_unchecked(&v, seed);
		}
	}
	payload_free(&head);
	payload_free(&in);
	return 0;
}
