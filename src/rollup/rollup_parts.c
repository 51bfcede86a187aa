/*
 * rollup_parts.c: which objects a rollup consists of
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/readfuncs.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "rollup.h"

/* ---------- names ---------- */

char *
rollup_column_name(Oid relation, AttrNumber number)
{
	return pstrdup(quote_identifier(get_attname(relation, number, false)));
}

/* The schema that the functions of this library are in, quoted. */
const char *
rollup_extension_schema(void)
{
	Oid			extension = get_extension_oid("probds", false);
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			schema = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(extension));
	scan = systable_beginscan(rel, ExtensionOidIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return quote_identifier(get_namespace_name(schema));
}

const char *
rollup_dropped_column(const RollupParts *parts)
{
	const char *name;

	for (AttrNumber i = 1; (name = get_attname(parts->definition, i, true)) != NULL; i++)
		if (!OidIsValid(get_atttype(parts->stored, i)))
			return name;
	return NULL;
}

/* ---------- from one part to all ---------- */

/* The relation of whose row type a column of the metadata is; InvalidOid if it is gone. */
static Oid
part_of_column(Oid progress, const char *column)
{
	AttrNumber	number = get_attnum(progress, column);

	if (number == InvalidAttrNumber)
		return InvalidOid;
	return get_typ_typrelid(get_atttype(progress, number));
}

bool
rollup_is_progress(Oid relation)
{
	AttrNumber	number = get_attnum(relation, "probds_rollup");

	return get_rel_relkind(relation) == RELKIND_RELATION &&
		number != InvalidAttrNumber && get_atttype(relation, number) == INT4OID;
}

/* All of it, from the metadata. */
static bool
parts_of_progress(Oid progress, RollupParts *parts)
{
	List	   *sequences;

	if (!rollup_is_progress(progress))
		return false;
	parts->progress = progress;
	parts->definition = part_of_column(progress, "definition");
	parts->stored = part_of_column(progress, "stored");
	parts->shown = part_of_column(progress, "shown");
	if (!OidIsValid(parts->definition) || !OidIsValid(parts->stored) ||
		!OidIsValid(parts->shown))
		return false;
	sequences = getOwnedSequences(progress);
	if (list_length(sequences) != 1)
		return false;
	parts->changes = linitial_oid(sequences);
	return rollup_source_of(parts->definition, &parts->source, &parts->number);
}

/*
 * Returns the metadata table that has a column of this relation's row type.  Anybody may create
 * a table with such a column, so a table of the relation's owner comes first.
 */
static Oid
progress_of_part(Oid relation)
{
	Oid			row_type = get_rel_type_id(relation);
	Relation	rel;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			result = InvalidOid;

	if (!OidIsValid(row_type))
		return InvalidOid;
	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(TypeRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(row_type));
	scan = systable_beginscan(rel, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend depend = (Form_pg_depend) GETSTRUCT(tuple);
		bool		own;

		if (depend->classid != RelationRelationId || depend->objsubid <= 0 ||
			!rollup_is_progress(depend->objid))
			continue;
		own = pds_relation_owner(depend->objid) == pds_relation_owner(relation);
		if (own || !OidIsValid(result))
			result = depend->objid;
		if (own)
			break;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return result;
}

/* The owner of all parts; InvalidOid if they have several. */
static Oid
common_owner(const RollupParts *parts)
{
	Oid			owner = pds_relation_owner(parts->progress);

	return pds_relation_owner(parts->definition) == owner &&
		pds_relation_owner(parts->stored) == owner &&
		pds_relation_owner(parts->shown) == owner && pds_relation_owner(parts->changes) == owner ?
			owner : InvalidOid;
}

bool
rollup_find(Oid relation, RollupParts *parts)
{
	Oid			progress = rollup_is_progress(relation) ? relation : progress_of_part(relation);

	memset(parts, 0, sizeof(*parts));
	if (!OidIsValid(progress) || !parts_of_progress(progress, parts))
		return false;
	parts->owner = common_owner(parts);
	return true;
}

/*
 * All code of a rollup runs as its owner.  If its view belonged to somebody else, his
 * expressions would.
 */
void
rollup_require_one_owner(const RollupParts *parts)
{
	if (!OidIsValid(parts->owner))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the parts of rollup %s have different owners",
						pds_relation_name(parts->shown)),
				 errhint("Change the owner of %s, %s, %s and %s to the same role.",
						 pds_relation_name(parts->stored), pds_relation_name(parts->definition),
						 pds_relation_name(parts->progress), pds_relation_name(parts->changes))));
}

void
rollup_require(Oid relation, RollupParts *parts)
{
	if (!OidIsValid(relation) || get_rel_name(relation) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	if (!rollup_find(relation, parts))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a rollup", get_rel_name(relation)),
				 errhint("probds_create_rollup() creates rollups, and probds_rollups() lists "
						 "them.")));
	rollup_require_one_owner(parts);
}

/* ---------- from a trigger ---------- */

/* Collect the relations whose row types an expression's constants have. */
static bool
collect_row_types(Node *node, void *context)
{
	List	  **relations = context;

	if (node == NULL)
		return false;
	if (IsA(node, Const))
	{
		Oid			relation = get_typ_typrelid(((Const *) node)->consttype);

		if (OidIsValid(relation))
			*relations = lappend_oid(*relations, relation);
	}
	return expression_tree_walker(node, collect_row_types, context);
}

bool
rollup_of_trigger(const char *qual, RollupParts *parts)
{
	List	   *relations = NIL;
	ListCell   *lc;

	if (qual == NULL)
		return false;
	(void) collect_row_types(stringToNode(qual), &relations);
	foreach(lc, relations)
		if (rollup_is_progress(lfirst_oid(lc)) && rollup_find(lfirst_oid(lc), parts))
			return true;
	return false;
}

/* ---------- rights ---------- */

void
rollup_require_owner(const RollupParts *parts)
{
	if (!has_privs_of_role(GetUserId(), parts->owner))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(parts->shown));
}

/* ---------- the metadata ---------- */

/* A text[] as C strings, with NULL behind the last. */
static char **
strings_of(Datum array)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	Datum	   *elements;
	int			n;
	char	  **strings;

	deconstruct_array(a, TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, &n);
	strings = palloc((n + 1) * sizeof(char *));
	for (int i = 0; i < n; i++)
		strings[i] = TextDatumGetCString(elements[i]);
	strings[n] = NULL;
	return strings;
}

void
rollup_read_progress(const RollupParts *parts, bool for_update, RollupProgress *p)
{
	char	   *query = psprintf("SELECT p.probds_rollup, p.mode, p.watermark, p.slots, p.settings,"
								 " p.retention::pg_catalog.text, p.changes_seen, p.truncated FROM "
								 "%s p%s",
								 pds_relation_name(parts->progress), for_update ? " FOR UPDATE" :
									 "");
	Datum		value[8];
	bool		isnull[8];

	if (SPI_execute(query, !for_update, 2) != SPI_OK_SELECT || SPI_processed != 1)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table %s does not have one row", pds_relation_name(parts->progress)),
				 errdetail("The row records how far rollup %s has been refreshed.",
						   pds_relation_name(parts->shown)),
				 errhint("Restore the row, or drop the rollup with probds_drop_rollup() and "
						 "create it again.")));
	for (int i = 0; i < (int) lengthof(value); i++)
		value[i] = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, i + 1, &isnull[i]);
	if (isnull[0] || DatumGetInt32(value[0]) != ROLLUP_FORMAT || isnull[1] || isnull[3])
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("rollup %s has a format that this version of probds does not support",
						pds_relation_name(parts->shown))));
	p->refreshed = strcmp(TextDatumGetCString(value[1]), "refresh") == 0;
	p->counted = !isnull[2];
	p->watermark = isnull[2] ? 0 : DatumGetInt64(value[2]);
	p->slots = DatumGetInt32(value[3]);
	p->settings = isnull[4] ? NULL : strings_of(value[4]);
	p->retention = isnull[5] ? NULL : TextDatumGetCString(value[5]);
	p->changes_seen = isnull[6] ? 0 : DatumGetInt64(value[6]);
	p->truncated = !isnull[7] && DatumGetBool(value[7]);
	if (p->slots < 1 || p->slots > ROLLUP_MAX_SLOTS)
		p->slots = 1;
}
