-- What Citus does without probds_citus.  It splits the aggregates over "any" whatever the type of
-- the value is, and refuses to run them.
SELECT format('CALL try(%L, %L, %L, %L, ''same'', ''1'', ''dist'', ''local'')', name,
    column_name || further_arguments(further), name || '(value' || further || ')',
    'without probds_citus')
FROM aggregate, unnest('{c01,c05}'::text[]) column_name
WHERE first = '"any"'::regtype AND name NOT LIKE 'cms_agg_conservative%'
    AND (name !~ 'ddsketch|percentile' OR column_name = 'c05')
ORDER BY name, further, column_name \gexec
CALL refused('without probds_citus', 'SELECT hll_agg(c01) FROM dist', split_error());
CALL same('without probds_citus, no row', 'SELECT hll_agg(c01) FROM dist WHERE w > 100',
    'SELECT NULL::hll');
CALL same('without probds_citus, one shard', 'SELECT hll_agg(c01, 12) FROM dist WHERE id = 7',
    'SELECT hll_agg(c01, 12) FROM local WHERE id = 7');
CALL same('without probds_citus, ORDER BY',
    'SELECT g, hll_agg(c01 ORDER BY 1) FROM dist GROUP BY g',
    'SELECT g, hll_agg(c01) FROM local GROUP BY g', 'gathered', 'hll_agg');
CALL same('without probds_citus, stored sketches', 'SELECT hll_merge_agg(hll) FROM sketch',
    'SELECT hll_merge_agg(hll) FROM sketch_local', 'split', 'hll_merge_agg');
