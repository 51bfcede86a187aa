/*
 * rollup_text.c: the statements that keep a rollup current
 *
 * All names in them are qualified and quoted; they are executed with a search path of
 * pg_catalog alone.  Values of keys are compared by the operators that GROUP BY uses.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "rollup.h"

/* A statement that is being written. */
typedef struct Text
{
	StringInfoData s;
	const RollupParts *parts;
	const RollupDefinition *d;
	Oid			names;			/* the relation whose column names it has, ... */
	int			before;			/* ... which has so many others before them */
} Text;

static void
begin(Text *t, const RollupParts *parts, const RollupDefinition *d)
{
	initStringInfo(&t->s);
	t->parts = parts;
	t->d = d;
	t->names = parts->stored;
	t->before = 1;				/* ROLLUP_TOUCHED */
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

/* All columns, or the keys only, behind "alias."; "separator" comes before each. */
static void
add_columns(Text *t, const char *separator, const char *alias, bool keys_only)
{
	for (int i = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key || !keys_only)
			ADD("%s%s%s", separator, alias, column(t, i));
}

static void
add_list(Text *t, const char *alias, bool keys_only)
{
	bool		first = true;

	for (int i = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key || !keys_only)
		{
			ADD("%s%s%s", first ? "" : ", ", alias, column(t, i));
			first = false;
		}
}

/* The type of a column, for a cast. */
static char *
type_of(const RollupColumn *c)
{
	return format_type_extended(c->type, c->typmod,
								FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);
}

/* The merge of one column; NULL where nothing was merged. */
static char *
merge_of(const Text *t, int i)
{
	const RollupColumn *c = &t->d->column[i];
	char	   *name = column(t, i);

	switch (c->merge)
	{
		case ROLLUP_UNION:
			return psprintf("%s.%s(%s)", rollup_extension_schema(),
							quote_identifier(psprintf("%s_merge_agg", c->type_name)), name);
		case ROLLUP_SUM:
			/* the sum of a bigint is a numeric; without rows, a count is 0 */
			if (c->counts && t->d->keys == 0)
				return psprintf("COALESCE(pg_catalog.sum(%s), 0)::%s", name, type_of(c));
			return psprintf("pg_catalog.sum(%s)::%s", name, type_of(c));
		case ROLLUP_MIN:
			return psprintf("pg_catalog.min(%s)", name);
		case ROLLUP_MAX:
			return psprintf("pg_catalog.max(%s)", name);
		case ROLLUP_AND:
			return psprintf("pg_catalog.bool_and(%s)", name);
		case ROLLUP_OR:
			return psprintf("pg_catalog.bool_or(%s)", name);
	}
	pg_unreachable();
}

/* The keys, and the merge of all others, each with its name if wanted. */
static void
add_merged(Text *t, bool named)
{
	for (int i = 0; i < t->d->columns; i++)
	{
		char	   *what = t->d->column[i].is_key ? column(t, i) : merge_of(t, i);

		ADD("%s%s", i > 0 ? ", " : "", what);
		if (named)
			ADD(" AS %s", rollup_column_name(t->parts->query, (AttrNumber) (i + 1)));
	}
}

static void
add_group_by(Text *t)
{
	if (t->d->keys > 0)
	{
		ADD(" GROUP BY ");
		add_list(t, "", true);
	}
}

/* Is the key in the index as it is?  Entries of an index must be short. */
static bool
is_short(const RollupColumn *c)
{
	return get_typlen(c->type) > 0;
}

/*
 * The hash of the keys that are not in the index themselves, or NULL without any, and where one
 * has no hash.  "of" says what a key is: alias.name, or $n with a NULL alias.
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
						->hash_extended_proc))
			return NULL;
		appendStringInfo(&s, "%s%s", long_keys++ > 0 ? ", " : "",
						 alias != NULL ? psprintf("%s%s", alias, column(t, i)) :
						 psprintf("$%d", n));
	}
	return long_keys == 0 ? NULL :
		psprintf("pg_catalog.hash_record_extended(ROW(%s), 0)", s.data);
}

char *
rollup_index_text(const RollupParts *parts, const RollupDefinition *d)
{
	StringInfoData s;
	Text		text;
	char	   *hash;
	int			n = 0;

	begin(&text, parts, d);
	initStringInfo(&s);
	for (int i = 0; i < d->columns; i++)
		if (d->column[i].is_key && is_short(&d->column[i]))
			appendStringInfo(&s, "%s%s", n++ > 0 ? ", " : "", column(&text, i));
	hash = hash_of(&text, "");
	if (hash != NULL)
		appendStringInfo(&s, "%s(%s)", n++ > 0 ? ", " : "", hash);
	return n == 0 ? NULL : s.data;
}

/* a and b, rows with these keys, are of one group; with_nulls: of keys that may be NULL. */
static void
add_same_group(Text *t, const char *a, const char *b, bool with_nulls)
{
	bool		first = true;

	for (int i = 0; i < t->d->columns; i++)
	{
		char	   *name = column(t, i);
		const char *equal = t->d->column[i].equal;
		const char *as = t->d->column[i].as;

		if (!t->d->column[i].is_key)
			continue;
		ADD("%s", first ? "" : " AND ");
		first = false;
		if (with_nulls)
			ADD("COALESCE(%s.%s%s %s %s.%s%s, %s.%s IS NULL AND %s.%s IS NULL)", a, name, as,
				equal, b, name, as, a, name, b, name);
		else
			ADD("%s.%s%s %s %s.%s%s", a, name, as, equal, b, name, as);
	}
	if (first)
		ADD("true");
	else if (!with_nulls && hash_of(t, "") != NULL)
		ADD(" AND %s OPERATOR(pg_catalog.=) %s", hash_of(t, psprintf("%s.", a)),
			hash_of(t, psprintf("%s.", b)));
}

/* One of the keys of a row is NULL. */
static void
add_has_null(Text *t, const char *alias)
{
	bool		first = true;

	ADD("(");
	for (int i = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key)
		{
			ADD("%s%s.%s IS NULL", first ? "" : " OR ", alias, column(t, i));
			first = false;
		}
	ADD("%s)", first ? "false" : "");
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
 * SELECT of the query's results for the groups in "groups" (a WITH query of keys).  The server
 * pushes a condition on a key down to the source's rows, where an index may find them.  Groups with
 * NULLs are found without an index, if there are any.
 */
static void
add_results_for(Text *t, const char *groups)
{
	char	   *query = pds_relation_name(t->parts->query);

	if (t->d->keys == 0)
	{
		ADD("SELECT q.* FROM %s q WHERE (SELECT EXISTS (SELECT FROM %s))", query, groups);
		return;
	}
	ADD("SELECT q.* FROM %s q WHERE (SELECT EXISTS (SELECT FROM %s))", query, groups);
	for (int i = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key && is_listable(&t->d->column[i]))
			ADD(" AND q.%s %s ANY (ARRAY(SELECT g.%s FROM %s g WHERE g.%s IS NOT NULL))",
				rollup_column_name(t->parts->query, (AttrNumber) (i + 1)), t->d->column[i].equal,
				column(t, i), groups, column(t, i));
	ADD(" AND EXISTS (SELECT FROM %s g WHERE ", groups);
	for (int i = 0, n = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key)
			ADD("%sg.%s%s %s q.%s%s", n++ > 0 ? " AND " : "", column(t, i), t->d->column[i].as,
				t->d->column[i].equal,
				rollup_column_name(t->parts->query, (AttrNumber) (i + 1)), t->d->column[i].as);
	ADD(") UNION ALL SELECT q.* FROM %s q WHERE (SELECT EXISTS (SELECT FROM %s n WHERE ", query,
		groups);
	add_has_null(t, "n");
	ADD(")) AND (");
	for (int i = 0, n = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key)
			ADD("%sq.%s IS NULL", n++ > 0 ? " OR " : "",
				rollup_column_name(t->parts->query, (AttrNumber) (i + 1)));
	ADD(") AND EXISTS (SELECT FROM %s g WHERE ", groups);
	for (int i = 0, n = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key)
		{
			char	   *name = rollup_column_name(t->parts->query, (AttrNumber) (i + 1));

			ADD("%sCOALESCE(g.%s%s %s q.%s%s, g.%s IS NULL AND q.%s IS NULL)",
				n++ > 0 ? " AND " : "", column(t, i), t->d->column[i].as, t->d->column[i].equal,
				name, t->d->column[i].as, column(t, i), name);
		}
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
	add_merged(t, true);
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
	for (int i = 0; i < t->d->columns; i++)
		ADD("%sl.%s", i > 0 ? ", " : "",
			rollup_column_name(t->parts->query, (AttrNumber) (i + 1)));
	ADD(" FROM %s._probds_rollup_touched(NULL::%s, (SELECT o.secret FROM %s "
		"o)::pg_catalog.uuid, %s) l WHERE %s", rollup_extension_schema(),
		pds_relation_name(t->parts->query), pds_relation_name(t->parts->options),
		settled ? "true" : "false", waits(t));
}

char *
rollup_settled_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text		text;

	begin(&text, parts, d);
	add_unmarked(&text);
	return text.s.data;
}

char *
rollup_shown_text(const RollupParts *parts, const RollupDefinition *d, bool live)
{
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);
	if (!live)
	{
		add_settled(t, " WHERE NOT " ROLLUP_TOUCHED);
		return t->s.data;
	}
	/* as TRUNCATE does, readers lock the source before the parts */
	ADD("SELECT q.* FROM %s q WHERE false UNION ALL ", pds_relation_name(parts->query));
	add_unmarked(t);
	add_waiting(t, false);
	return t->s.data;
}

char *
rollup_all_text(const RollupParts *parts, const RollupDefinition *d, bool some_wait)
{
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);
	if (some_wait)
		add_unmarked(t);
	else
	{
		ADD("SELECT ");
		add_list(t, "", false);
		ADD(" FROM %s WHERE NOT " ROLLUP_TOUCHED " AND NOT %s", stored(t), waits(t));
	}
	add_waiting(t, !some_wait);
	return t->s.data;
}

void
rollup_merged_columns(StringInfo out, const RollupParts *parts, const RollupDefinition *d)
{
	Text		text;

	begin(&text, parts, d);
	text.names = parts->shown;
	text.before = 0;
	for (int i = 0, n = 0; i < d->columns; i++)
		if (!d->column[i].is_key)
			appendStringInfo(out, "%s%s AS %s", n++ > 0 ? ", " : "", merge_of(&text, i),
							 rollup_column_name(parts->shown, (AttrNumber) (i + 1)));
}

/* The groups with marks, as a WITH query. */
static void
add_touched(Text *t, const char *name, const char *more)
{
	ADD("WITH %s AS MATERIALIZED (SELECT DISTINCT ", name);
	add_list(t, "", true);
	ADD("%s FROM %s WHERE " ROLLUP_TOUCHED "%s)", t->d->keys == 0 ? "true AS probds_g" : "",
		stored(t), more);
}

char *
rollup_touched_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);
	add_touched(t, "probds_groups", "");
	ADD(" ");
	add_results_for(t, "probds_groups");
	return t->s.data;
}

/* ---------- appending ---------- */

char *
rollup_recent(const RollupParts *parts, const RollupDefinition *d, const RollupOptions *options,
			  const char *column)
{
	char	   *type;
	StringInfoData s;

	if (options->retention == NULL && options->frozen_after == NULL)
		return NULL;
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
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);
	ADD("INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_columns(t, ", ", "", marks);
	ADD(") SELECT %s", marks ? "true" : "false");
	for (int i = 0; i < d->columns; i++)
		if (d->column[i].is_key || !marks)
			ADD(", q.%s", rollup_column_name(parts->query, (AttrNumber) (i + 1)));
	ADD(" FROM %s q", pds_relation_name(parts->query));
	if (marks && d->columns > 0 && d->column[0].is_key)
	{
		char	   *first = psprintf("q.%s", rollup_column_name(parts->query, 1));
		char	   *recent = rollup_recent(parts, d, options, first);

		if (recent != NULL)
			ADD(" WHERE %s", recent);
	}
	ADD(" RETURNING ");
	add_list(t, "", false);
	return t->s.data;
}

/* ---------- folding ---------- */

/* INSERT of the merges of rows that were deleted: parts of a group, and marks, apart. */
static void
add_insert_merged(Text *t, const char *from)
{
	ADD("INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_columns(t, ", ", "", false);
	ADD(") SELECT " ROLLUP_TOUCHED ", ");
	add_merged(t, false);
	ADD(" FROM %s GROUP BY " ROLLUP_TOUCHED, from);
	for (int i = 0; i < t->d->columns; i++)
		if (t->d->column[i].is_key)
			ADD(", %s", column(t, i));
}

char *
rollup_fold_text(const RollupParts *parts, const RollupDefinition *d, bool nulls)
{
	Text		text;
	Text	   *t = &text;
	int			n = 0;

	begin(t, parts, d);
	ADD("WITH probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE ",
		stored(t));
	for (int i = 0; i < d->columns; i++)
		if (d->column[i].is_key)
		{
			n++;
			ADD("%s", n > 1 ? " AND " : "");
			if (nulls)
				ADD("CASE WHEN $%d IS NULL THEN p.%s IS NULL ELSE ", n, column(t, i));
			ADD("p.%s%s %s $%d%s%s", column(t, i), d->column[i].as, d->column[i].equal, n,
				d->column[i].as, nulls ? " END" : "");
		}
	if (hash_of(t, "") != NULL)
		ADD(" AND %s OPERATOR(pg_catalog.=) %s", hash_of(t, "p."), hash_of(t, NULL));
	ADD("%s LIMIT %d FOR UPDATE SKIP LOCKED), probds_gone AS (DELETE FROM %s WHERE ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT probds_c FROM probds_locked WHERE (SELECT "
		"pg_catalog.count(*) FROM probds_locked) OPERATOR(pg_catalog.>) 1)) RETURNING *) ",
		n == 0 ? "true" : "", ROLLUP_FOLD_MOST, stored(t));
	add_insert_merged(t, "probds_gone");
	return t->s.data;
}

char *
rollup_fold_all_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);
	ADD("WITH probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE p.ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT c FROM (SELECT ctid AS c, "
		"pg_catalog.count(*) OVER (PARTITION BY " ROLLUP_TOUCHED, stored(t));
	for (int i = 0; i < d->columns; i++)
		if (d->column[i].is_key)
			ADD(", %s", column(t, i));
	ADD(") AS n FROM %s) w WHERE n OPERATOR(pg_catalog.>) 1)) FOR UPDATE SKIP LOCKED), "
		"probds_gone AS (DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT "
		"probds_c FROM probds_locked)) RETURNING *), probds_put AS (", stored(t), stored(t));
	add_insert_merged(t, "probds_gone");
	ADD(" RETURNING 1) SELECT (SELECT pg_catalog.count(*) FROM probds_gone) "
		"OPERATOR(pg_catalog.-) (SELECT pg_catalog.count(*) FROM probds_put)");
	return t->s.data;
}

/* ---------- refreshing ---------- */

char *
rollup_refresh_text(const RollupParts *parts, const RollupDefinition *d)
{
	Text		text;
	Text	   *t = &text;

	begin(t, parts, d);

	/* some groups with marks, numbered */
	add_touched(t, "probds_marked", " LIMIT $1");
	ADD(", probds_m AS MATERIALIZED (SELECT *, pg_catalog.row_number() OVER () AS probds_n FROM "
		"probds_marked)");

	/* all their rows, and those of them that nobody else has locked */
	ADD(", probds_seen AS MATERIALIZED (SELECT p.ctid AS probds_c, m.probds_n FROM probds_m m "
		"JOIN %s p ON ", stored(t));
	add_same_group(t, "p", "m", false);
	if (d->keys > 0)
	{
		ADD(" UNION ALL SELECT p.ctid, m.probds_n FROM probds_m m JOIN %s p ON ", stored(t));
		add_same_group(t, "p", "m", true);
		ADD(" WHERE ");
		add_has_null(t, "m");
	}
	ADD("), probds_locked AS MATERIALIZED (SELECT p.ctid AS probds_c FROM %s p WHERE p.ctid "
		"OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT probds_c FROM probds_seen)) FOR UPDATE SKIP "
		"LOCKED)", stored(t));

	/* the groups whose rows are all locked */
	ADD(", probds_ok AS MATERIALIZED (SELECT s.probds_n FROM probds_seen s LEFT JOIN "
		"probds_locked l ON l.probds_c OPERATOR(pg_catalog.=) s.probds_c GROUP BY s.probds_n "
		"HAVING pg_catalog.count(*) OPERATOR(pg_catalog.=) pg_catalog.count(l.probds_c))"
		", probds_groups AS MATERIALIZED (SELECT m.* FROM probds_m m JOIN probds_ok o ON "
		"o.probds_n OPERATOR(pg_catalog.=) m.probds_n)");

	/* away with their rows; then what the query gives now */
	ADD(", probds_gone AS (DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT "
		"s.probds_c FROM probds_seen s JOIN probds_ok o ON o.probds_n OPERATOR(pg_catalog.=) "
		"s.probds_n)))", stored(t));
	ADD(", probds_put AS (INSERT INTO %s (" ROLLUP_TOUCHED, stored(t));
	add_columns(t, ", ", "", false);
	ADD(") SELECT false, q.* FROM (");
	add_results_for(t, "probds_groups");
	ADD(") q)");

	/* rows as the view shows them, with their keys only */
	ADD(" SELECT ");
	for (int i = 0; i < d->columns; i++)
		ADD("%s%s", i > 0 ? ", " : "", d->column[i].is_key ? column(t, i) :
			psprintf("NULL::%s", type_of(&d->column[i])));
	ADD(" FROM probds_groups");
	return t->s.data;
}
