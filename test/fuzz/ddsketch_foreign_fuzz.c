/*
 * ddsketch_foreign_fuzz.c: a message of another system, whatever it is, is refused with a reason,
 * or becomes a sketch that goes out again
 *
 * The first byte tells which system.
 */
#include "fuzz.h"
#include "ddsketch_sketch.h"
#include "ddsketch_foreign.h"

fuzz_count	fuzz_counts;

/* Out, and in again: the same sketch, if min and max are told. */
static void
there_and_back(pds_ddsketch_system system, const payload *in)
{
	pds_ddsketch_view v = payload_view(in);
	pds_ddsketch_bucket *buckets =
		sketch_memory(sizeof(pds_ddsketch_bucket) * (v.negatives + v.positives));
	pds_ddsketch_foreign f;
	const char *why = NULL;
	size_t		most;
	size_t		len;

	MUST(pds_ddsketch_read_buckets(&v, buckets) == PDS_OK);
	most = pds_ddsketch_foreign_bound(system, &v, buckets);
	if (most > 0 && most <= 1000000)
	{
		uint8_t    *space = sketch_memory(most);

		len = pds_ddsketch_write_foreign(system, &v, buckets, space);
		f.list = sketch_memory(sizeof(pds_ddsketch_slot) * len);
		MUST(pds_ddsketch_read_foreign(system, space, len, &f, &why) == PDS_OK);
		MUST(f.total == v.total && f.scale == v.scale && f.zeros == v.apart.zeros &&
			 f.buckets == v.negatives + v.positives);
		if (system == PDS_DDSKETCH_OPENTELEMETRY)
			MUST(f.min == v.apart.min && f.max == v.apart.max);
		free(f.list);
		free(space);
	}
	free(buckets);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pds_ddsketch_system system = (pds_ddsketch_system) (size > 0 ? data[0] % 4 : 0);
	payload		in = payload_copy(size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0);
	/* as many as its bytes can have, and not one more */
	pds_ddsketch_slot *list = sketch_memory(sizeof(pds_ddsketch_slot) *
											(in.len < 65536 ? in.len : 65536));
	pds_ddsketch_foreign f = {.list = list};
	const char *why = NULL;
	pds_status	status = pds_ddsketch_read_foreign(system, in.bytes, in.len, &f, &why);

	fuzz_counts.all++;
	MUST((status == PDS_CORRUPT) == (why != NULL));
	if (status == PDS_OK)
	{
		stored_state s = sketch_new(f.scale, f.buckets > 4096 ? f.buckets : 4096);
		payload		out;

		fuzz_counts.accepted[f.total > 0]++;
		for (uint32_t i = 0; i < f.buckets; i++)
			while (pds_ddsketch_add_bucket(s.image, list[i].key, list[i].count) != PDS_OK)
				MUST(stored_grow(&s) == PDS_OK);
		pds_ddsketch_take_apart(s.image, &f);
		if (f.total > 0)
			pds_state_set_kind(s.image, PDS_KIND_NUMBER);
		out = sketch_encode(&s);
		MUST(pds_ddsketch_check(out.bytes, out.len, NULL) == PDS_OK);
		there_and_back(system == PDS_DDSKETCH_PROMETHEUS ? system : PDS_DDSKETCH_OPENTELEMETRY,
					   &out);
		payload_free(&out);
		sketch_free(&s);
	}
	else
		fuzz_counts.refused++;
	free(list);
	payload_free(&in);
	return 0;
}
