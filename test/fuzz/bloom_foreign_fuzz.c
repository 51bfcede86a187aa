/*
 * bloom_foreign_fuzz.c: whatever bytes pass as a filter of another system must
 * become one of ours, and be read back as the same when they are written again
 *
 * All three readers look at all bytes: each of them knows its own.
 */
#include <math.h>

#include "bloom_foreign_made.h"
#include "fuzz.h"

#include "bloom_estimate.h"

fuzz_count	fuzz_counts;

/* A stored filter is probed, added to and summarized like any other. */
static void
fuzz_stored(const payload *stored, const pds_bloom_shape *shape, uint64_t seed)
{
	pds_bloom_view v;
	pds_bloom_summary s;
	filter		more;
	payload		again;

	MUST(pds_bloom_check(stored->bytes, stored->len, NULL) == PDS_OK);
	v = payload_view(stored);
	MUST(pds_bloom_same_shape(&v.shape, shape));
	MUST(v.shape.capacity == shape->capacity && v.shape.rate == shape->rate);
	MUST(pds_bloom_summarize(&v, &s) == PDS_OK);
	MUST(isfinite(pds_bloom_cardinality(&s)) && pds_bloom_cardinality(&s) >= 0);
	MUST(isfinite(pds_bloom_cardinality_error(&s)));
	MUST(pds_bloom_current_rate(&s) >= 0 && pds_bloom_current_rate(&s) <= 1 + 1e-12);
	(void) pds_bloom_status_of(&s);

	more = filter_of_payload(stored);
	pds_state_set_kind(more.b, PDS_KIND_BYTES);
	for (int i = 0; i < 8; i++)
	{
		pds_hash	h;

		pds_store_le64(&h, seed += 0x9e3779b97f4a7c15);
		h = pds_murmur3(&h, 8, seed);
		(void) payload_contains(stored, &v, h);
		filter_add(&more, h);
		again = filter_encode(&more);
		v = payload_view(&again);
		MUST(payload_contains(&again, &v, h));
		payload_free(&again);
		v = payload_view(stored);
	}
	filter_free(&more);
}

static bool
fuzz_reader(uint8_t family, const payload *in)
{
	pds_bloom_foreign f;
	pds_bloom_foreign back;
	const char *why = NULL;
	pds_status	status = foreign_open(family, &f, in, &why);
	filter		imported;
	payload		stored;
	payload		out;

	if (status != PDS_OK)
	{
		MUST((status == PDS_CORRUPT || status == PDS_PARAMETER_MISMATCH) && why != NULL);
		fuzz_counts.opened += status == PDS_PARAMETER_MISMATCH;
		return false;
	}
	MUST(pds_bloom_shape_valid(&f.shape));
	imported = foreign_filter(&f, PDS_KIND_BYTES);
	stored = filter_encode(&imported);
	fuzz_stored(&stored, &f.shape, fuzz_seed(in->bytes, in->len));

	out = foreign_write(&f.shape, pds_bloom_build_array(imported.b), 3, 2);
	MUST(foreign_open(family, &back, &out, &why) == PDS_OK);
	MUST(pds_bloom_same_shape(&back.shape, &f.shape));
	MUST(back.shape.capacity == f.shape.capacity);
	MUST(memcmp(back.data, f.data, (size_t) (f.shape.bits / 8)) == 0);
	/* the same bytes, except for what RedisBloom says of itself */
	MUST(family == PDS_BLOOM_REDIS || payload_equal(&out, in));

	payload_free(&out);
	payload_free(&stored);
	filter_free(&imported);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t families[] = {PDS_BLOOM_CLASSIC, PDS_BLOOM_REDIS, PDS_BLOOM_PARQUET};
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	int			of = 0;

	fuzz_counts.all++;
	for (int i = 0; i < 3; i++)
	{
		bool		is = fuzz_reader(families[i], &in);

		fuzz_counts.accepted[i] += is;
		of += is;
	}
	/* no bytes are two of them */
	MUST(of <= 1);
	fuzz_counts.refused += of == 0;
	payload_free(&in);
	return 0;
}
