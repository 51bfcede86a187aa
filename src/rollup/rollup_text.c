/*
 * rollup_text.c: the statements that keep a rollup current
 *
 * All names in them are qualified and quoted; they are executed with a search path of
 * pg_catalog alone.  Values of keys are compared by the operators that GROUP BY uses.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/typcache.h"

#include "rollup.h"

/* Of a key.  A row of NULLs is a group of its own, but IS NULL, too. */
#define HAS_NO_VALUE	"IS NOT DISTINCT FROM NULL"

/* A statement that is being written. */
typedef struct Text
{
	StringInfoData s;
	const RollupParts *parts;
	const RollupDefinition *d;
	Oid			names;			/* the relation whose column names it has, ... */
	int			before;			/* ... which has so many others before them */
	bool		listable;		/* add_each() leaves out the others */
} Text;

static Text *
begin(const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = palloc0(sizeof(Text));

	initStringInfo(&t->s);
	t->parts = parts;
	t->d = d;
	t->names = parts->stored;
	t->before = 1;				/* ROLLUP_TOUCHED */
	return t;
}

#define ADD(...) appendStringInfo(&t->s, __VA_ARGS__)

static char *
stored(const Text *t)
{
	return pds_relation_name(t->parts->stored);
}

static char *
column(const Text *t, int i)
{
	return rollup_column(t->names, t->before + i);
}

/* The type of a column, for a cast. */
static char *
type_of(const RollupColumn *c)
{
	return format_type_extended(c->type, c->typmod,
								FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);
}

/* The merge of one column, with its type; NULL where nothing was merged. */
static char *
merge_of(const Text *t, int i)
{
	static const char *const functions[] = {
		[ROLLUP_SUM] = "pg_catalog.sum", [ROLLUP_MIN] = "pg_catalog.min",
		[ROLLUP_MAX] = "pg_catalog.max", [ROLLUP_AND] = "pg_catalog.bool_and",
		[ROLLUP_OR] = "pg_catalog.bool_or"
	};
	const RollupColumn *c = &t->d->column[i];

	if (c->merge == ROLLUP_UNION)
		return psprintf("%s.%s(%s)::%s", rollup_extension_schema(),
						quote_identifier(psprintf("%s_merge_agg", c->type_name)), column(t, i),
						type_of(c));
	/* the sum of a bigint is a numeric; without rows, a count is 0 */
	return psprintf(c->counts && t->d->keys == 0 ? "COALESCE(%s(%s), 0)::%s" : "%s(%s)::%s",
					functions[c->merge], column(t, i), type_of(c));
}

/* What stands for a letter behind @ in add_each(). */
static const char *
piece(const Text *t, int i, int key, char letter)
{
	const RollupColumn *c = &t->d->column[i];

	switch (letter)
	{
		case 'p':
			return column(t, i);
		case 'q':
			return rollup_column_name(t->parts->query, (AttrNumber) (i + 1));
		case 'v':
			return psprintf("%s::%s", column(t, i), type_of(c));
		case 'm':
			return c->is_key ? piece(t, i, key, 'v') : merge_of(t, i);
		case 'k':
			return psprintf("%s::%s", c->is_key ? column(t, i) : "NULL", type_of(c));
		case 'n':
			return psprintf("%d", key);
		case '=':
			return c->equal;
		case 't':
			return c->as;
	}
	pg_unreachable();
}

/* Can the values of a key be collected in an array, so that an index finds them? */
static bool
is_listable(const RollupColumn *c)
{
	char		kind = get_typtype(c->type);

	return (kind == TYPTYPE_BASE || kind == TYPTYPE_ENUM || kind == TYPTYPE_RANGE) &&
		OidIsValid(get_array_type(c->type)) && !OidIsValid(get_element_type(c->type));
}

/*
 * Add a pattern for each column, or for the keys only, with "between" between them:
 *
 *     @p  the column of the parts            @n  the number of the key, from 1
 *     @q  the column of the query            @=  the operator that compares keys
 *     @v  @p with the query's type           @t  "::type" that the operator needs, or nothing
 *     @m  the key, or the merge of results, with the query's type
 *     @k  the key, or NULL for results, with the query's type
 *
 * What leaves these statements has the query's types, whatever the columns of the parts have.
 * Anybody can make a table of parts, and bytes of another type would be read as pointers.
 */
static void
add_each(Text *t, bool keys_only, const char *between, const char *pattern)
{
	int			n = 0;

	for (int i = 0; i < t->d->columns; i++)
	{
		if ((keys_only && !t->d->column[i].is_key) ||
			(t->listable && !is_listable(&t->d->column[i])))
			continue;
		if (n++ > 0)
			appendStringInfoString(&t->s, between);
		for (const char *p = pattern; *p != '\0'; p++)
			if (*p == '@')
				appendStringInfoString(&t->s, piece(t, i, n, *++p));
			else
				appendStringInfoChar(&t->s, *p);
	}
}

/* The same for the keys that rollup_keys_text() lists; @n is the number of the array. */
static void
add_each_listable(Text *t, const char *between, const char *pattern)
{
	t->listable = true;
	add_each(t, true, between, pattern);
	t->listable = false;
}

static void
add_group_by(Text *t)
{
	if (t->d->keys > 0)
	{
		ADD(" GROUP BY ");
		add_each(t, true, ", ", "@p");
	}
}

/* Is the key in the index as it is?  Entries of an index must be short. */
static bool
is_short(const RollupColumn *c)
{
	return get_typlen(c->type) > 0;
}

/* Are there rows in its values?  The hash of a row is another one when its type gets a column. */
static bool
has_rows(Oid type)
{
	Oid			base = getBaseType(type);
	Oid			of = get_element_type(base);

	if (!OidIsValid(of))
		of = get_multirange_range(base);
	if (!OidIsValid(of))
		of = get_range_subtype(base);
	return OidIsValid(of) ? has_rows(of) : type_is_rowtype(base);
}

/* The parameter for key n, with the collation of the key: equal values have the same hash. */
static char *
parameter(const RollupColumn *c, int n)
{
	return !OidIsValid(c->collation) || c->collation == DEFAULT_COLLATION_OID ?
		psprintf("$%d", n) :
		psprintf("$%d COLLATE %s", n, generate_collation_name(c->collation));
}

/*
 * The hash of the keys that are not in the index themselves, or NULL without any, and where one
 * has no hash that stays.  "alias" says what a key is: alias.name, or $n with a NULL alias.
 */
static char *
hash_of(const Text *t, const char *alias)
{
	StringInfoData s;
	int			long_keys = 0;
	int			n = 0;

	initStringInfo(&s);
	for (int i = 0; i < t->d->columns; i++)
	{
		const RollupColumn *c = &t->d->column[i];

		if (!c->is_key)
			continue;
		n++;
		if (is_short(c))
			continue;
		if (!OidIsValid(lookup_type_cache(c->type, TYPECACHE_HASH_EXTENDED_PROC)
						->hash_extended_proc) || has_rows(c->type))
			return NULL;
		appendStringInfo(&s, "%s%s", long_keys++ > 0 ? ", " : "",
						 alias != NULL ? psprintf("%s%s", alias, column(t, i)) :
						 parameter(c, n));
	}
	return long_keys == 0 ? NULL :
		psprintf("pg_catalog.hash_record_extended(ROW(%s), 0)", s.data);
}

char *
rollup_index_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = begin(parts, d);
	char	   *hash = hash_of(t, "");

	for (int i = 0, n = 0; i < d->columns; i++)
		if (d->column[i].is_key && is_short(&d->column[i]) && n++ < INDEX_MAX_KEYS - 1)
			ADD("%s%s", t->s.len > 0 ? ", " : "", column(t, i));
	if (hash != NULL)
		ADD("%s(%s)", t->s.len > 0 ? ", " : "", hash);
	return t->s.len == 0 ? NULL : t->s.data;
}

/* Whether two rows are of the same group.  NULL equals NULL in records, and these can be sorted. */
static void
add_same_group(Text *t, const char *one, const char *other)
{
	ADD("ROW(");
	add_each(t, true, ", ", one);
	ADD(")::pg_catalog.record OPERATOR(pg_catalog.=) ROW(");
	add_each(t, true, ", ", other);
	ADD(")::pg_catalog.record");
}

/*
 * SELECT of the query's results for the groups in the WITH query probds_groups.  The server pushes
 * a condition on a key down to the source's rows, where an index may find them.  Groups with NULLs
 * are found without an index, if there are any.
 */
static void
add_results(Text *t)
{
	char	   *query = pds_relation_name(t->parts->query);

	ADD("SELECT q.* FROM %s q WHERE (SELECT EXISTS (SELECT FROM probds_groups))", query);
	if (t->d->keys == 0)
		return;
	add_each_listable(t, "", " AND ($@n IS NULL OR q.@q @= ANY ($@n))");
	ADD(" AND EXISTS (SELECT FROM probds_groups g WHERE ");
	add_each(t, true, " AND ", "g.@p@t @= q.@q@t");
	ADD(") UNION ALL SELECT q.* FROM %s q WHERE (SELECT EXISTS (SELECT FROM probds_groups n WHERE ",
		query);
	add_each(t, true, " OR ", "n.@p " HAS_NO_VALUE);
	ADD(")) AND (");
	add_each(t, true, " OR ", "q.@q " HAS_NO_VALUE);
	ADD(") AND EXISTS (SELECT FROM probds_groups g WHERE ");
	add_same_group(t, "g.@v", "q.@q");
	ADD(")");
}

/* ---------- reading ---------- */

/* Whether a group waits, as a condition. */
static char *
waits(const Text *t)
{
	return psprintf("(SELECT EXISTS (SELECT FROM %s WHERE " ROLLUP_TOUCHED "))", stored(t));
}

/* SELECT of the groups without marks, merged. */
static void
add_settled(Text *t, const char *where)
{
	ADD("SELECT ");
	add_each(t, false, ", ", "@m AS @q");
	ADD(" FROM %s%s", stored(t), where);
	add_group_by(t);
}

/* The same, where other groups have marks */
static void
add_unmarked(Text *t)
{
	add_settled(t, "");
	ADD(" HAVING pg_catalog.bool_or(" ROLLUP_TOUCHED ") IS NOT TRUE");
}

/* SELECT of what the query gives for the groups with marks, if a group waits */
static void
add_waiting(Text *t, bool settled)
{
	ADD(" UNION ALL SELECT ");
	add_each(t, false, ", ", "l.@q");
	ADD(" FROM %s._probds_rollup_touched(NULL::%s, (SELECT o.secret FROM %s "
		"o)::pg_catalog.uuid, %s) l WHERE %s", rollup_extension_schema(),
		pds_relation_name(t->parts->query), pds_relation_name(t->parts->options),
		settled ? "true" : "false", waits(t));
}

char *
rollup_settled_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = begin(parts, d);

	add_unmarked(t);
	return t->s.data;
}

char *
rollup_shown_text(const RollupParts *parts, const RollupDefinition *d, bool live)
{
	Text	   *t = begin(parts, d);

	if (!live)
	{
		add_settled(t, " WHERE NOT " ROLLUP_TOUCHED);
		return t->s.data;
	}
	/* who reads waits for a TRUNCATE of the source before he takes his snapshot */
	ADD("SELECT q.* FROM %s q WHERE false UNION ALL ", pds_relation_name(parts->query));
	add_unmarked(t);
	add_waiting(t, false);
	return t->s.data;
}

char *
rollup_all_text(const RollupParts *parts, const RollupDefinition *d, bool some_wait)
{
	Text	   *t = begin(parts, d);

	if (some_wait)
		add_unmarked(t);
	else
	{
		ADD("SELECT ");
		add_each(t, false, ", ", "@v");
		ADD(" FROM %s WHERE NOT " ROLLUP_TOUCHED " AND NOT %s", stored(t), waits(t));
	}
	add_waiting(t, !some_wait);
	return t->s.data;
}

void
rollup_merged_columns(StringInfo out, const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = begin(parts, d);

	t->names = parts->shown;
	t->before = 0;
	for (int i = 0, n = 0; i < d->columns; i++)
		if (!d->column[i].is_key)
			appendStringInfo(out, "%s%s AS %s", n++ > 0 ? ", " : "", merge_of(t, i),
							 rollup_column_name(parts->shown, (AttrNumber) (i + 1)));
}

/* The groups with marks, as a WITH query. */
static void
add_touched(Text *t, const char *name)
{
	ADD("WITH %s AS MATERIALIZED (SELECT DISTINCT ", name);
	add_each(t, true, ", ", "@p");
	ADD("%s FROM %s WHERE " ROLLUP_TOUCHED, t->d->keys == 0 ? "true AS probds_g" : "", stored(t));
}

char *
rollup_keys_text(const RollupParts *parts, const RollupDefinition *d, int64 limit, int most)
{
	Text	   *t = begin(parts, d);

	add_touched(t, "probds_groups");
	ADD(" LIMIT " INT64_FORMAT ") SELECT ", limit);
	add_each_listable(t, ", ", psprintf("ARRAY(SELECT DISTINCT @v FROM probds_groups WHERE @p IS "
										"NOT NULL LIMIT %d)", most));
	return t->s.data;
}

char *
rollup_touched_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = begin(parts, d);

	add_touched(t, "probds_groups");
	ADD(") ");
	add_results(t);
	return t->s.data;
}

/* ---------- appending ---------- */

char *
rollup_recent(const RollupParts *parts, const RollupDefinition *d, const RollupOptions *options,
			  const char *column)
{
	char	   *type;
	StringInfoData s;

	if ((options->retention == NULL && options->frozen_after == NULL) || !d->column[0].is_key)
		return "true";
	type = format_type_extended(d->column[0].type, -1, FORMAT_TYPE_FORCE_QUALIFY);
	initStringInfo(&s);
	appendStringInfo(&s, "(%s IS NULL OR %s OPERATOR(pg_catalog.>=) GREATEST(", column, column);
	for (int i = 0, n = 0; i < 2; i++)
	{
		char	   *interval = i == 0 ? options->retention : options->frozen_after;

		if (interval != NULL)
			appendStringInfo(&s, "%s(pg_catalog.now() OPERATOR(pg_catalog.-) "
							 "%s::pg_catalog.interval)::%s", n++ > 0 ? ", " : "",
							 quote_literal_cstr(interval), type);
	}
	appendStringInfoString(&s, "))");
	return s.data;
}

char *
rollup_append_text(const RollupParts *parts, const RollupDefinition *d, bool marks,
				   const RollupOptions *options)
{
	Text	   *t = begin(parts, d);

	ADD("INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_each(t, marks, "", ", @p");
	ADD(") SELECT %s", marks ? "true" : "false");
	add_each(t, marks, "", ", q.@q");
	ADD(" FROM %s q", pds_relation_name(parts->query));
	if (marks)
		ADD(" WHERE %s", rollup_recent(parts, d, options,
									   psprintf("q.%s", rollup_column_name(parts->query, 1))));
	ADD(" RETURNING ");
	add_each(t, false, ", ", "@k");
	return t->s.data;
}

/* ---------- folding ---------- */

/* INSERT of the merges of the rows in probds_gone: parts of a group, and marks, apart. */
static void
add_insert_merged(Text *t)
{
	ADD("INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_each(t, false, "", ", @p");
	ADD(") SELECT " ROLLUP_TOUCHED);
	add_each(t, false, "", ", @m");
	ADD(" FROM probds_gone GROUP BY " ROLLUP_TOUCHED);
	add_each(t, true, "", ", @p");
}

char *
rollup_fold_text(const RollupParts *parts, const RollupDefinition *d, bool nulls)
{
	Text	   *t = begin(parts, d);

	ADD("WITH probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE true",
		stored(t));
	add_each(t, true, "", nulls ?
			 " AND CASE WHEN $@n " HAS_NO_VALUE " THEN p.@p " HAS_NO_VALUE
			 " ELSE p.@p@t @= $@n@t END" :
			 " AND p.@p@t @= $@n@t");
	if (hash_of(t, "") != NULL)
		ADD(" AND %s OPERATOR(pg_catalog.=) %s", hash_of(t, "p."), hash_of(t, NULL));
	ADD(" LIMIT %d FOR UPDATE SKIP LOCKED), probds_gone AS (DELETE FROM %s WHERE ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT probds_c FROM probds_locked WHERE (SELECT "
		"pg_catalog.count(*) FROM probds_locked) OPERATOR(pg_catalog.>) 1)) RETURNING *) ",
		ROLLUP_FOLD_MOST, stored(t));
	add_insert_merged(t);
	return t->s.data;
}

char *
rollup_fold_all_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text	   *t = begin(parts, d);

	ADD("WITH probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE p.ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT c FROM (SELECT ctid AS c, "
		"pg_catalog.count(*) OVER (PARTITION BY " ROLLUP_TOUCHED, stored(t));
	add_each(t, true, "", ", @p");
	ADD(") AS n FROM %s) w WHERE n OPERATOR(pg_catalog.>) 1)) FOR UPDATE SKIP LOCKED), "
		"probds_gone AS (DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT "
		"probds_c FROM probds_locked)) RETURNING *), probds_put AS (", stored(t), stored(t));
	add_insert_merged(t);
	ADD(" RETURNING 1) SELECT (SELECT pg_catalog.count(*) FROM probds_gone) "
		"OPERATOR(pg_catalog.-) (SELECT pg_catalog.count(*) FROM probds_put)");
	return t->s.data;
}

/* ---------- refreshing ---------- */

char *
rollup_refresh_text(const RollupParts *parts, const RollupDefinition *d, int64 limit)
{
	Text	   *t = begin(parts, d);

	/* some groups with marks, numbered */
	add_touched(t, "probds_marked");
	add_each_listable(t, "", " AND ($@n IS NULL OR @v @= ANY ($@n) OR @p IS NULL)");
	ADD(" LIMIT " INT64_FORMAT "), probds_m AS MATERIALIZED (SELECT *, pg_catalog.row_number() "
		"OVER () AS probds_n FROM probds_marked)", limit);

	/* all their rows, and those of them that nobody else has locked */
	ADD(", probds_seen AS MATERIALIZED (SELECT p.ctid AS probds_c, m.probds_n FROM probds_m m "
		"JOIN %s p ON true", stored(t));
	add_each(t, true, "", " AND p.@p@t @= m.@p@t");
	if (hash_of(t, "") != NULL)
		ADD(" AND %s OPERATOR(pg_catalog.=) %s", hash_of(t, "p."), hash_of(t, "m."));
	if (d->keys > 0)
	{
		ADD(" UNION ALL SELECT p.ctid, m.probds_n FROM probds_m m JOIN %s p ON ", stored(t));
		add_same_group(t, "m.@v", "p.@v");
		ADD(" WHERE (SELECT EXISTS (SELECT FROM probds_m n WHERE ");
		add_each(t, true, " OR ", "n.@p " HAS_NO_VALUE);
		ADD(")) AND (");
		add_each(t, true, " OR ", "p.@p " HAS_NO_VALUE);
		ADD(")");
	}
	ADD("), probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE p.ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT probds_c FROM probds_seen)) FOR UPDATE SKIP "
		"LOCKED)", stored(t));

	/* the groups whose rows are all locked */
	ADD(", probds_ok AS MATERIALIZED (SELECT s.probds_n FROM probds_seen s LEFT JOIN "
		"probds_locked l ON l.probds_c OPERATOR(pg_catalog.=) s.probds_c GROUP BY s.probds_n "
		"HAVING pg_catalog.bool_and(l.probds_c IS NOT NULL))"
		", probds_groups AS MATERIALIZED (SELECT m.* FROM probds_m m JOIN probds_ok o ON "
		"o.probds_n OPERATOR(pg_catalog.=) m.probds_n)");

	/* away with their rows; then what the query gives now */
	ADD(", probds_gone AS (DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT "
		"s.probds_c FROM probds_seen s JOIN probds_ok o ON o.probds_n OPERATOR(pg_catalog.=) "
		"s.probds_n)))", stored(t));
	ADD(", probds_put AS (INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_each(t, false, "", ", @p");
	ADD(") SELECT false, q.* FROM (");
	add_results(t);
	ADD(") q)");

	/* rows as the view shows them, with their keys only */
	ADD(" SELECT ");
	add_each(t, false, ", ", "@k");
	ADD(" FROM probds_groups");
	return t->s.data;
}
