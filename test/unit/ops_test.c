/*
 * ops_test.c: every module's table of functions (base/state_ops.h) is complete, and what
 * it makes of nothing is an empty sketch
 */
#include "test.h"

#include "payload.h"

#include "bloom.h"
#include "cms.h"
#include "counting_bloom.h"
#include "cuckoo.h"
#include "ddsketch.h"
#include "fuse.h"
#include "hll.h"
#include "minhash.h"
#include "scalable_bloom.h"
#include "topk.h"

static const struct
{
	const char *name;
	const pds_state_ops *ops;
}			tables[] = {
	{"bloom", &pds_bloom_ops}, {"cms", &pds_cms_ops},
	{"counting_bloom", &pds_counting_bloom_ops}, {"cuckoo", &pds_cuckoo_ops},
	{"ddsketch", &pds_ddsketch_ops}, {"fuse", &pds_fuse_ops}, {"hll", &pds_hll_ops},
	{"minhash", &pds_minhash_ops},
	{"scalable_bloom", &pds_scalable_bloom_ops}, {"topk", &pds_topk_ops}
};

#define TABLES	(sizeof(tables) / sizeof(tables[0]))

TEST(every_table_is_complete)
{
	for (size_t i = 0; i < TABLES; i++)
	{
		const pds_state_ops *ops = tables[i].ops;

		printf("# %s\n", tables[i].name);
		CHECK(ops->check != NULL);
		CHECK(ops->open != NULL);
		CHECK(ops->check_state != NULL);
		CHECK(ops->first_size >= sizeof(pds_state_head) && ops->first_size % 8 == 0);
		CHECK(ops->init_nothing != NULL);
		CHECK(ops->is_nothing != NULL);
		/* what adds can need space, also where the type adds its values itself */
		CHECK(ops->add == NULL || ops->plan_growth != NULL);
		CHECK(ops->rebuild != NULL);
		CHECK(ops->plan_union != NULL);
		CHECK(ops->merge != NULL);
		CHECK(ops->measure != NULL);
		CHECK(ops->encode != NULL);
	}
}

/* The union of nothing is a state, and is stored as bytes that are checked and opened. */
TEST(the_union_of_nothing_is_stored)
{
	for (size_t i = 0; i < TABLES; i++)
	{
		const pds_state_ops *ops = tables[i].ops;
		void	   *state = sketch_memory(ops->first_size);
		uint64_t	plan[PDS_PLAN_BYTES / 8];
		uint64_t	space[PDS_ENCODING_BYTES / 8];
		uint64_t	view[PDS_VIEW_BYTES / 8];
		pds_encoding *encoding = (pds_encoding *) space;
		void	   *scratch = NULL;
		const char *why = NULL;
		payload		out;

		printf("# %s\n", tables[i].name);
		ops->init_nothing(state);
		CHECK(ops->is_nothing(state));
		CHECK(ops->check_state(state, ops->first_size));
		CHECK_U64(pds_state_kind(state), PDS_KIND_NONE);
		if (ops->plan_finish != NULL && ops->plan_finish(state, (pds_plan *) plan) == PDS_FULL)
		{
			void	   *to = sketch_memory(((pds_plan *) plan)->size);

			CHECK(ops->rebuild(to, (pds_plan *) plan, state) == PDS_OK);
			free(state);
			state = to;
		}
		ops->measure(state, encoding);
		CHECK(ops->contradiction == NULL || ops->contradiction(state, encoding) == NULL);
		out.bytes = sketch_memory(encoding->bytes);
		if (encoding->scratch > 0)
			scratch = sketch_memory(encoding->scratch);
		out.len = ops->encode(state, encoding, scratch, out.bytes);
		CHECK(out.len <= encoding->bytes);
		CHECK(ops->check(out.bytes, out.len, &why) == PDS_OK && why == NULL);
		CHECK(ops->open(view, out.bytes, out.len, out.len, &why) == PDS_OK);
		/* and nothing that is cut off or longer */
		for (size_t len = 0; len < out.len; len++)
			CHECK(ops->check(out.bytes, len, &why) == PDS_CORRUPT && why != NULL);
		payload_free(&out);
		free(scratch);
		free(state);
	}
}
