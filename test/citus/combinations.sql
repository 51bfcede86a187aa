-- All aggregates over all types of values, in all forms and groupings

CREATE VIEW aggregate AS
SELECT p.oid, p.proname::text AS name, p.proargtypes[0]::regtype AS first,
    p.proargtypes::oid[] AS types, p.proargnames AS names,
    (SELECT coalesce(string_agg(', ' || coalesce(p.proargnames[i + 1], '?'), '' ORDER BY i), '')
        FROM generate_series(1, p.pronargs - 1) i) AS further
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid AND p.prokind = 'a'
    JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
    AND d.deptype = 'e' AND e.extname IN ('probds', 'probds_citext');

-- The arguments after the first, by their names; one that is not known here becomes an error
CREATE FUNCTION further_arguments(further text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(', ' || CASE name WHEN 'precision_bits' THEN '11'
        WHEN 'capacity' THEN '1500' WHEN 'false_positive_rate' THEN '0.001'
        WHEN 'layout' THEN '''classic''' WHEN 'k' THEN '16' WHEN 'expansion' THEN '2'
            WHEN 'counters' THEN '1700'
            WHEN 'weight' THEN 'w' WHEN 'epsilon' THEN '0.01' WHEN 'delta' THEN '0.05'
            ELSE name END, '' ORDER BY n), '')
    FROM unnest(string_to_array(substr(further, 3), ', ')) WITH ORDINALITY f(name, n)
$$;

-- Over values: each form with each type
SELECT format('CALL try(%L, %L, %L, %L, %L, %L, ''dist'', ''local'')', f.name,
    c.name || further_arguments(f.further), f.name || '(value' || f.further || ')', c.what,
    CASE WHEN f.name LIKE 'cms_agg_conservative%' THEN 'bounds' ELSE 'same' END, CASE
        WHEN f.further ~ 'weight' THEN 'w' ELSE '1' END)
FROM (SELECT DISTINCT name, further FROM aggregate WHERE first = '"any"'::regtype) f, column_type c
ORDER BY f.name, f.further, c.n \gexec
-- over stored sketches, and hashes
SELECT format('CALL try(%L, %L, %L, %L, ''same'', ''1'', %L, %L)', name,
    coalesce(nullif(first::text, 'bigint'), 'c05') || further_arguments(further), CASE first::text
    WHEN 'bigint' THEN name || '(hash' || further || ')' ELSE name || '(' || first || ')' END,
    CASE first::text WHEN 'bigint' THEN 'bigint, hashes' ELSE 'stored sketches' END,
    CASE first::text WHEN 'bigint' THEN 'dist' ELSE 'sketch' END, CASE first::text
        WHEN 'bigint' THEN 'local' ELSE 'sketch_local' END)
FROM aggregate a WHERE name NOT IN (SELECT name FROM aggregate WHERE first = '"any"'::regtype)
ORDER BY name, further \gexec
-- a topk of more values than counters
SELECT format('CALL try(%L, %L, %L, %L, ''bounds'', %L, ''many'', ''many_local'')', f.name,
    c.name || further_arguments(f.further), f.name || '(value' || f.further || ')',
    c.name || ', more than counters', CASE WHEN f.further ~ 'weight' THEN 'w' ELSE '1' END)
FROM (SELECT DISTINCT name, further FROM aggregate WHERE name = 'topk_agg') f,
    unnest('{text,bigint,numeric}'::text[]) c(name)
ORDER BY f.name, f.further, c.name \gexec

-- none was forgotten
INSERT INTO verdict (ok, aggregate, call, what, remark)
SELECT false, oid, oid::regprocedure, 'never called',
    'a type or a parameter is missing in combinations.sql' FROM aggregate
WHERE oid NOT IN (SELECT aggregate FROM verdict WHERE aggregate IS NOT NULL);
