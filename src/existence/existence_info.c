/*
 * existence_info.c: how full existence indexes are, and one of them as a bloom
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

#include "bloom.h"
#include "bloom_size.h"
#include "decimal.h"
#include "header.h"
#include "existence.h"
#include "result_row.h"
#include "kind_name.h"
#include "state.h"

/* ---------- how full ---------- */

/* Count the bits of the filter. */
static void
summarize_filter(Relation index, const pds_existence_filter *filter, pds_bloom_summary *summary)
{
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKREAD);

	memset(summary, 0, sizeof(*summary));
	summary->shape = pds_existence_shape_of(filter, EXISTENCE_BLOCKS_IN_PAGE);
	for (uint32 i = 0; i < filter->pages; i++)
	{
		Buffer		buffer = ReadBufferExtended(index, MAIN_FORKNUM, filter->first + i,
												RBM_NORMAL, strategy);

		CHECK_FOR_INTERRUPTS();
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		existence_check_page(index, buffer);
		pds_bloom_count_blocks((uint8 *) BufferGetPage(buffer) + PDS_EXISTENCE_BLOCKS_AT,
							   EXISTENCE_BLOCKS_IN_PAGE * PDS_EXISTENCE_BLOCK_BYTES, summary);
		UnlockReleaseBuffer(buffer);
	}
	FreeAccessStrategy(strategy);
}

/* What there is in the table */
typedef struct TableSummary
{
	double		pages;			/* that have been reached */
	pds_existence_count count;
	double		rate;			/* false-positive rate */
} TableSummary;

/* Count the slots of one page of a group. */
static void
summarize_page(Relation index, const pds_existence_table *table, uint32 group, Buffer buffer,
			   uint32 looked_for, TableSummary *summary)
{
	uint32		step = existence_step_of_page(index, buffer, looked_for);

	if (step == PDS_EXISTENCE_UNREACHED)
		return;
	pds_existence_slots_count(table, (uint8 *) BufferGetPage(buffer) + PDS_EXISTENCE_SLOTS_AT,
							  step, &summary->count);
	summary->pages++;
	/* of those keys that are looked up in this page */
	summary->rate += (1 - exp(-summary->count.yes)) * pds_existence_group_share(group) /
		(double) pds_existence_pages_at(table, step);
}

static void
summarize_table(Relation index, const pds_existence_table *table, TableSummary *summary)
{
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKREAD);

	memset(summary, 0, sizeof(*summary));
	for (uint32 group = 0; group < PDS_EXISTENCE_GROUPS; group++)
	{
		for (uint32 step = 0; step <= table->top[group]; step++)
		{
			uint32		n = (uint32) pds_existence_pages_added(table, step);

			for (uint32 i = 0; i < n; i++)
			{
				Buffer		buffer = ReadBufferExtended(index, MAIN_FORKNUM,
														table->segment[group][step] + i,
														RBM_NORMAL, strategy);

				CHECK_FOR_INTERRUPTS();
				LockBuffer(buffer, BUFFER_LOCK_SHARE);
				summarize_page(index, table, group, buffer, step, summary);
				UnlockReleaseBuffer(buffer);
			}
		}
	}
	FreeAccessStrategy(strategy);
}

void
existence_look(Relation index, ExistenceState *state)
{
	pds_existence_meta meta;
	pds_existence_meta again;
	ExistenceOptions options = existence_options(index);
	pds_bloom_summary summary;

	memset(state, 0, sizeof(*state));
	state->bytes = (double) RelationGetNumberOfBlocks(index) * BLCKSZ;
	/* it is being built, or its build failed: it may have no page yet */
	if (!index->rd_index->indisvalid)
	{
		state->status = "invalid";
		return;
	}
	(void) existence_meta_refresh(index);
	meta = *existence_meta(index);
	summarize_filter(index, &meta.filter, &summary);
	state->layers = 1;
	state->keys = pds_bloom_cardinality(&summary);
	state->capacity = meta.filter.capacity;
	state->rate = pds_bloom_current_rate(&summary);
	state->fill = (double) summary.set / (double) summary.shape.bits;
	if (meta.table.started)
	{
		TableSummary table;
		double		slots;

		summarize_table(index, &meta.table, &table);
		slots = table.pages * meta.table.buckets * PDS_EXISTENCE_BUCKET;
		state->layers = 2;
		state->keys += pds_existence_count_keys(&table.count);
		state->capacity += table.pages * pds_existence_page_capacity(&meta.table);
		/* either of the two, which are independent */
		state->rate += table.rate - state->rate * table.rate;
		state->fill = (state->fill * meta.filter.pages + table.count.slots / slots * table.pages) /
			(meta.filter.pages + table.pages);
	}
	state->promised = meta.rate;
	state->bytes_after_reindex = state->bytes;
	if (pds_existence_plan_build(Max(state->keys, 1), options.capacity,
								 options.false_positive_rate, options.expansion, BLCKSZ, meta.kind,
								 &again))
		state->bytes_after_reindex = (double) again.used * BLCKSZ;
	state->status = state->rate > state->promised * 1.01 ? "over capacity" : "ok";
}

/* existence_info(relation, column_name): a row for each index on the column */
PG_FUNCTION_INFO_V1(probds_existence_info);
Datum
probds_existence_info(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	ExistenceTarget *target = existence_target(NULL, PG_GETARG_OID(0), PG_GETARG_NAME(1),
											   CurrentMemoryContext);
	ListCell   *lc;

	foreach(lc, target->seen)
	{
		ExistenceSeen *seen = lfirst(lc);
		Relation	index = index_open(seen->index, AccessShareLock);
		ExistenceState state;
		Datum		values[11];
		bool		nulls[11] = {false};

		existence_look(index, &state);
		values[0] = ObjectIdGetDatum(seen->index);
		for (int i = 1; i <= 9; i++)
			nulls[i] = state.layers == 0 && i != 7;
		values[1] = Int32GetDatum((int32) state.layers);
		values[2] = pds_count_datum(state.keys);
		values[3] = pds_count_datum(state.capacity);
		values[4] = Float8GetDatum(pds_for_people(state.fill));
		values[5] = Float8GetDatum(pds_for_people(state.rate));
		values[6] = Float8GetDatum(pds_for_people(state.promised));
		values[7] = pds_count_datum(state.bytes);
		values[8] = pds_count_datum(state.bytes_after_reindex);
		values[9] = nulls[9] ? (Datum) 0 :
			CStringGetTextDatum(pds_kind_name(existence_meta(index)->kind));
		values[10] = CStringGetTextDatum(seen->why != NULL ? seen->why : state.status);
		tuplestore_putvalues(rows, result->setDesc, values, nulls);
		index_close(index, NoLock);
	}
	return (Datum) 0;
}

/* ---------- as a bloom ---------- */

/* The blocks of the filter, one behind the other. */
static void
copy_filter(Relation index, const pds_existence_filter *filter, uint8 *array)
{
	const Size	bytes = EXISTENCE_BLOCKS_IN_PAGE * PDS_EXISTENCE_BLOCK_BYTES;

	for (uint32 i = 0; i < filter->pages; i++)
	{
		Buffer		buffer = ReadBuffer(index, filter->first + i);

		CHECK_FOR_INTERRUPTS();
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		existence_check_page(index, buffer);
		memcpy(array + i * bytes,
			   (uint8 *) BufferGetPage(buffer) + PDS_EXISTENCE_BLOCKS_AT, bytes);
		UnlockReleaseBuffer(buffer);
	}
}

/* A bloom, as far as storing one goes. */
static const PdsSketchType plain_bloom = {.name = "bloom", .ops = &pds_bloom_ops};

static struct varlena *
export_filter(Relation index, const pds_existence_filter *filter, pds_kind kind)
{
	pds_bloom_shape shape = pds_existence_shape_of(filter, EXISTENCE_BLOCKS_IN_PAGE);
	pds_bloom_build *b;
	struct varlena *value;
	Size		size;

	shape.rate = pds_decimal_code(filter->rate);
	shape.capacity = (uint64) filter->capacity;
	if (!pds_bloom_shape_valid(&shape))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" is larger than a value of type bloom can be",
						RelationGetRelationName(index))));
	size = pds_bloom_bits_size(shape.bits);
	b = MemoryContextAllocExtended(CurrentMemoryContext, size, MCXT_ALLOC_HUGE);
	pds_bloom_build_init(b, size, &shape);
	pds_state_set_kind(b, kind);
	copy_filter(index, filter, pds_bloom_build_array(b));
	value = pds_state_store(&plain_bloom, b);
	pfree(b);
	return value;
}

/* existence_export(relation, column_name): an index that is one filter as a bloom */
PDS_FUNCTION(probds_existence_export)
{
	ExistenceTarget *target = existence_target(NULL, PG_GETARG_OID(0), PG_GETARG_NAME(1),
											   CurrentMemoryContext);
	Relation	index;
	const pds_existence_meta *meta;
	struct varlena *value;

	if (check_enable_rls(target->relation, InvalidOid, false) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("cannot export an index of table \"%s\"", get_rel_name(target->relation)),
				 errdetail("Row-level security restricts the rows that you can see, and the "
						   "index has the keys of all rows.")));
	if (target->maybe)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("no index of table \"%s\" has all keys of column \"%s\"",
						get_rel_name(target->relation), NameStr(target->column)),
				 errhint("existence_info() shows why.")));
	if (list_length(target->indexes) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot export the indexes of %d partitions as one filter",
						list_length(target->indexes)),
				 errhint("Export them one by one.")));
	index = index_open(linitial_oid(target->indexes), AccessShareLock);
	(void) existence_meta_refresh(index);
	meta = existence_meta(index);
	if (meta->table.started)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot export index \"%s\", which has 2 layers, as one filter",
						RelationGetRelationName(index)),
				 errdetail("Keys inserted after the index was built are in its fingerprint table."),
				 errhint("REINDEX the index, which makes one filter of all keys.")));
	value = export_filter(index, &meta->filter, meta->kind);
	index_close(index, NoLock);
	PG_RETURN_POINTER(value);
}
