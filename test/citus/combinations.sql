-- All aggregates over all types of values, in all forms and groupings

-- Over values: each form with each type
SELECT format('CALL try(%L, %L, %L, %L, %L, %L, ''dist'', ''local'')', f.name,
    c.name || further_arguments(f.further), f.name || '(value' || f.further || ')', c.what,
    CASE WHEN f.name LIKE 'cms_agg_conservative%' THEN 'bounds' ELSE 'same' END, CASE
        WHEN f.further ~ 'weight' THEN 'w' ELSE '1' END)
FROM (SELECT DISTINCT name, further FROM aggregate WHERE first = '"any"'::regtype) f, column_type c
WHERE f.name !~ 'ddsketch|percentile' OR c.n IN (SELECT n FROM number_type)
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
FROM (SELECT DISTINCT name, further FROM aggregate WHERE name ~ '^topk_agg(_weighted)?$') f,
    unnest('{text,bigint,numeric}'::text[]) c(name)
ORDER BY f.name, f.further, c.name \gexec

-- none was forgotten
INSERT INTO verdict (ok, aggregate, call, what, remark)
SELECT false, oid, oid::regprocedure, 'never called',
    'a type or a parameter is missing in combinations.sql' FROM aggregate
WHERE oid NOT IN (SELECT aggregate FROM verdict WHERE aggregate IS NOT NULL);
