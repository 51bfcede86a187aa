/*
 * hll_foreign_fuzz.c: whatever bytes pass as a sketch of another system must become
 * one of ours, and be read back as the same when they are written again
 *
 * All three readers look at all bytes: each of them knows its own.
 */
#include <math.h>

#include "fuzz.h"
#include "hll_foreign_made.h"

#include "hll_estimate.h"

fuzz_count	fuzz_counts;

#define MOST	PDS_HLL_DATASKETCHES_MAX_LG_K

static uint8_t registers[1 << MOST];
static uint8_t again[1 << MOST];

/* What an importer makes of registers: stored, it is a sketch like any other. */
static void
fuzz_import(int p, int family)
{
	sketch		s = sketch_of_family(p, family, PDS_KIND_STRING);
	sketch		back = sketch_dense(p);
	pds_hll_summary summary;
	payload		stored;
	double		n;

	if (!s.b->dense)
	{
		sketch_free(&s);
		s = sketch_dense(p);
		pds_state_set_kind(s.b, PDS_KIND_STRING);
	}
	memcpy(pds_hll_build_registers(s.b), registers, pds_hll_registers(p));
	pds_hll_summarize_build(s.b, &summary);
	n = pds_hll_cardinality(&summary);
	MUST(isfinite(n) && n >= 0);
	MUST(isfinite(pds_hll_relative_error(&summary)));

	stored = sketch_encode(&s);
	MUST(pds_hll_check(stored.bytes, stored.len, NULL) == PDS_OK);
	sketch_merge_payload(&back, &stored);
	MUST(memcmp(pds_hll_build_registers(back.b), registers, pds_hll_registers(p)) == 0);
	payload_free(&stored);
	sketch_free(&back);
	sketch_free(&s);
}

static bool
fuzz_v1(const payload *in)
{
	pds_hll_v1	s;
	pds_hll_v1	s2;
	pds_hll_v1_form form;
	const char *why = NULL;
	uint32_t	full;
	uint8_t    *out;
	payload		p;
	uint64_t	sum = 0;

	if (pds_hll_v1_open(&s, in->bytes, in->len, &why) != PDS_OK)
	{
		MUST(why != NULL);
		return false;
	}
	if (s.type == PDS_HLL_V1_EXPLICIT)
	{
		for (size_t i = 0; i < pds_hll_v1_hashes(&s); i++)
			sum += pds_hll_v1_hash(&s, i);
		/* seen by the sanitizer, and not optimized away */
		MUST(sum + 1 != 0 || sum == UINT64_MAX);
	}
	if (s.type < PDS_HLL_V1_SPARSE || s.form.log2m < PDS_HLL_MIN_PRECISION ||
		s.form.log2m > PDS_HLL_MAX_PRECISION)
		return true;
	if (pds_hll_v1_registers(&s, registers, &full, &why) != PDS_OK)
	{
		MUST(why != NULL);
		fuzz_counts.opened++;
		return false;
	}
	MUST(full <= pds_hll_registers(s.form.log2m));
	fuzz_import(s.form.log2m, PDS_FAMILY_NATIVE);

	form = s.form;
	out = sketch_memory(pds_hll_v1_bound(&form));
	p = payload_copy(out, pds_hll_v1_write(registers, &form, out));
	free(out);
	MUST(pds_hll_v1_open(&s2, p.bytes, p.len, &why) == PDS_OK);
	if (s2.type != PDS_HLL_V1_EMPTY)
	{
		MUST(pds_hll_v1_registers(&s2, again, &full, &why) == PDS_OK);
		MUST(memcmp(again, registers, pds_hll_registers(s.form.log2m)) == 0);
	}
	payload_free(&p);
	return true;
}

static bool
fuzz_redis(const payload *in)
{
	const char *why = NULL;
	uint8_t		out[PDS_HLL_REDIS_BOUND];
	payload		p;

	if (pds_hll_redis_read(registers, in->bytes, in->len, &why) != PDS_OK)
	{
		MUST(why != NULL);
		fuzz_counts.opened += in->len >= 5 && memcmp(in->bytes, "HYLL", 4) == 0;
		return false;
	}
	fuzz_import(PDS_HLL_REDIS_PRECISION, PDS_HLL_REDIS);
	p = payload_copy(out, pds_hll_redis_write(registers, out));
	MUST(pds_hll_redis_read(again, p.bytes, p.len, &why) == PDS_OK);
	MUST(memcmp(again, registers, 1 << PDS_HLL_REDIS_PRECISION) == 0);
	payload_free(&p);
	return true;
}

static bool
fuzz_datasketches(const payload *in)
{
	pds_hll_datasketches s;
	pds_hll_datasketches s2;
	const char *why = NULL;
	uint8_t    *out;
	payload		p;

	if (pds_hll_datasketches_open(&s, in->bytes, in->len, &why) != PDS_OK)
	{
		MUST(why != NULL);
		return false;
	}
	if (pds_hll_datasketches_registers(&s, registers, &why) != PDS_OK)
	{
		MUST(why != NULL);
		fuzz_counts.opened++;
		return false;
	}
	if (s.lg_k > PDS_HLL_MAX_PRECISION)
		return true;
	fuzz_import(s.lg_k, PDS_HLL_DATASKETCHES);
	out = sketch_memory(pds_hll_datasketches_bound(s.lg_k));
	p = payload_copy(out, pds_hll_datasketches_write(registers, s.lg_k, out));
	free(out);
	MUST(pds_hll_datasketches_open(&s2, p.bytes, p.len, &why) == PDS_OK);
	MUST(pds_hll_datasketches_registers(&s2, again, &why) == PDS_OK);
	MUST(memcmp(again, registers, pds_hll_registers(s.lg_k)) == 0);
	payload_free(&p);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	bool		v1 = fuzz_v1(&in);
	bool		redis = fuzz_redis(&in);
	bool		datasketches = fuzz_datasketches(&in);

	fuzz_counts.all++;
	fuzz_counts.accepted[0] += v1;
	fuzz_counts.accepted[1] += redis;
	fuzz_counts.accepted[2] += datasketches;
	/* no bytes are two of them */
	MUST(v1 + redis + datasketches <= 1);
	fuzz_counts.refused += !(v1 || redis || datasketches);
	payload_free(&in);
	return 0;
}
