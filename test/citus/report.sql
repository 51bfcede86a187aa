-- What failed, and a table of how Citus ran the aggregates, in Markdown, to :table

SELECT format('not ok - %s: %s%s: %s', what, call, CASE grouping
    WHEN 'other' THEN ' GROUP BY another column' WHEN 'key' THEN ' GROUP BY the distribution column'
    ELSE '' END, concat_ws(', ', how, remark))
FROM verdict WHERE NOT ok ORDER BY n;

-- one row for all that is run alike: of an aggregate the name, or those of its forms that are
CREATE TEMP TABLE ran AS
SELECT form, split_part(form, '(', 1) AS name, CASE what
    WHEN 'citext' THEN 'citext with `probds_citext`' ELSE what END AS what,
    max(how) FILTER (WHERE grouping = 'none') AS ungrouped,
        max(how) FILTER (WHERE grouping = 'other') AS other,
        max(how) FILTER (WHERE grouping = 'key') AS key, min(n) AS n
FROM verdict WHERE grouping IS NOT NULL AND what !~ 'more than counters$|^without '
GROUP BY form, what;

CREATE TEMP TABLE alike AS
SELECT form, name, ungrouped, other, key, string_agg(what, ', ' ORDER BY n) AS types,
    count(*) AS n_types, min(n) AS n FROM ran GROUP BY form, name, ungrouped, other, key;

CREATE TEMP TABLE printed AS
SELECT name, types, ungrouped, other, key, n_types, min(n) AS n,
    CASE WHEN count(*) = (SELECT count(DISTINCT form) FROM ran r WHERE r.name = a.name) THEN '`' ||
        name || '`' ELSE string_agg('`' || form || '`', ', ' ORDER BY n) END AS forms
FROM alike a GROUP BY name, types, ungrouped, other, key, n_types;

\o :table
\set head '| aggregates | of | without GROUP BY | GROUP BY another column |'
\qecho :head 'GROUP BY the distribution column |'
\qecho '|---|---|---|---|---|'
SELECT format('| %s | %s | %s | %s | %s |', string_agg(forms, ', ' ORDER BY n),
    CASE WHEN n_types = (SELECT count(DISTINCT what) FROM ran
        WHERE form LIKE '%(value%') THEN 'values of any type' ELSE types END, ungrouped, other, key)
FROM printed GROUP BY types, n_types, ungrouped, other, key ORDER BY min(n);
\o
