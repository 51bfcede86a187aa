-- What people do with distributed tables besides one aggregate

-- ---------- citext, with probds_citext ----------

CALL same('citext: probed',
    'SELECT count(*) FROM dist WHERE bloom_add(bloom_empty(10), ''VALUE 7''::citext) @> c47',
    'SELECT count(*) FROM local WHERE c47 = ''value 7''');
CALL same('citext: added', 'SELECT hll_add(hll_empty(), c47) FROM dist',
    'SELECT hll_add(hll_empty(), c47) FROM local');
CALL same('citext: as text', 'SELECT hll_agg(c47::text || '''') FROM dist',
    'SELECT hll_agg(c47::text || '''') FROM local');

-- ---------- forms of one query ----------

CALL same('FILTER', 'SELECT g, hll_agg(c01) FILTER (WHERE w > 1) FROM dist GROUP BY g',
    'SELECT g, hll_agg(c01) FILTER (WHERE w > 1) FROM local GROUP BY g', 'split', 'hll_agg');
CALL same('DISTINCT', 'SELECT id, cms_agg(DISTINCT c01) FROM dist GROUP BY id',
    'SELECT id, cms_agg(DISTINCT c01) FROM local GROUP BY id', 'whole', 'cms_agg');
CALL same('ORDER BY', 'SELECT topk_agg(c01, 10 ORDER BY w, c01) FROM dist',
    'SELECT topk_agg(c01, 10 ORDER BY w, c01) FROM local', 'gathered', 'topk_agg');
-- whose workers send the parameters, too, as columns
CALL same('gathered, with a parameter',
    'SELECT g, topk_agg(c01, 10 ORDER BY c01), scalable_bloom_agg(c04, 100) FROM dist GROUP BY g',
    'SELECT g, topk_agg(c01, 10 ORDER BY c01), scalable_bloom_agg(c04, 100) FROM local GROUP BY g',
    'gathered', 'topk_agg');
CALL same('gathered into a window, with a parameter',
    'SELECT DISTINCT g, hll_agg(c01, 12) OVER (PARTITION BY g) FROM dist',
    'SELECT DISTINCT g, hll_agg(c01, 12) OVER (PARTITION BY g) FROM local');
-- types that Citus does not split
CALL same('gathered by ORDER BY', 'SELECT g, hll_agg(c37 ORDER BY 1) FROM dist GROUP BY g',
    'SELECT g, hll_agg(c37) FROM local GROUP BY g', 'gathered', 'hll_agg');
CALL same('cast', 'SELECT g, hll_agg(c37::text) FROM dist GROUP BY g',
    'SELECT g, hll_agg(c37::text) FROM local GROUP BY g', 'split', 'hll_agg');
CALL refused('pairs', 'SELECT hll_agg(ROW(c01, c04)) FROM dist', split_error());
CALL same('pairs, gathered', 'SELECT hll_agg(ROW(c01, c04) ORDER BY 1) FROM dist',
    'SELECT hll_agg(ROW(c01, c04)) FROM local', 'gathered', 'hll_agg');
CALL same('pairs, cast', 'SELECT hll_agg(ROW(c01, c04)::text) FROM dist',
    'SELECT hll_agg(ROW(c01, c04)::text) FROM local', 'split', 'hll_agg');
CALL refused('a column in a parameter''s place: split',
    'SELECT g, hll_agg(c01, id % 5 + 10) FROM dist GROUP BY g',
    'hll precision must be the same for the whole query');
CALL refused('a column in a parameter''s place: whole',
    'SELECT id, hll_agg(c01, id % 5 + 10) FROM dist GROUP BY id',
    'hll precision must be the same for the whole query');
CALL refused('a column in a parameter''s place: gathered',
    'SELECT g, hll_agg(c01, id % 5 + 10 ORDER BY c01) FROM dist GROUP BY g',
    'hll precision must be the same for all rows of a group');
CALL same('HAVING', 'SELECT g FROM dist GROUP BY g HAVING approx_count_distinct(c01) > 100',
    'SELECT g FROM local GROUP BY g HAVING approx_count_distinct(c01) > 100');
CALL same('several in a query',
    'SELECT hll_agg(c01), cms_agg_weighted(c04, w), topk_agg(c05, 10), bloom_agg(c07, 1500),
        count(*) '
    'FROM dist',
    'SELECT hll_agg(c01), cms_agg_weighted(c04, w), topk_agg(c05, 10), bloom_agg(c07, 1500),
        count(*) '
    'FROM local', 'split', 'hll_agg');
CALL same('one of them gathered', 'SELECT hll_agg(c01), bloom_agg(c07), count(*) FROM dist',
    'SELECT hll_agg(c01), bloom_agg(c07), count(*) FROM local', 'gathered', 'hll_agg');
CALL same('no row',
    'SELECT hll_agg(c01), bloom_agg(c01, 10), cms_agg(c01), topk_agg(c01), '
    'approx_count_distinct(c01), approx_top_k(c01) FROM dist WHERE w > 100',
    'SELECT hll_agg(c01), bloom_agg(c01, 10), cms_agg(c01), topk_agg(c01), '
        'approx_count_distinct(c01), approx_top_k(c01) FROM local WHERE w > 100');
CALL same('one shard', 'SELECT hll_agg(c01), bloom_agg(c05) FROM dist WHERE id = 7',
    'SELECT hll_agg(c01), bloom_agg(c05) FROM local WHERE id = 7');
CALL same('a function of the result',
    'SELECT g, (hll_info(hll_agg(c01, 11))).cardinality FROM dist GROUP BY g',
    'SELECT g, (hll_info(hll_agg(c01, 11))).cardinality FROM local GROUP BY g');
CALL same('a subquery with LIMIT',
    'SELECT hll_agg(c01) FROM (SELECT c01 FROM dist WHERE id = 7 ORDER BY c01 LIMIT 100) q',
    'SELECT hll_agg(c01) FROM (SELECT c01 FROM local WHERE id = 7 ORDER BY c01 LIMIT 100) q');
CALL same('UNION ALL',
    'SELECT hll_agg(v) FROM (SELECT c01 AS v FROM dist UNION ALL SELECT c19 FROM dist) q',
    'SELECT hll_agg(v) FROM (SELECT c01 AS v FROM local UNION ALL SELECT c19 FROM local) q');
CALL same('a window', 'SELECT DISTINCT id, hll_agg(c01) OVER (PARTITION BY id) FROM dist',
    'SELECT DISTINCT id, hll_agg(c01) OVER (PARTITION BY id) FROM local');
CALL same('a row',
    'SELECT hll_agg(ROW(c01, c04)::pair) FROM (SELECT c01, c04 FROM dist WHERE false) q',
    'SELECT NULL::hll');
CALL same('a time as microseconds',
    'SELECT hll_agg((extract(epoch FROM c16) * 1000000)::bigint) FROM dist',
    'SELECT hll_agg((extract(epoch FROM c16) * 1000000)::bigint) FROM local', 'split', 'hll_agg');

-- parameters, also when the statement has been executed often enough for a generic plan
PREPARE by_precision(int, text) AS SELECT hll_agg(c01, $1) AS hll,
    bloom_agg(c05, 1500, 0.01, $2) AS bloom FROM dist;
EXECUTE by_precision(12, 'classic') \gset first_
EXECUTE by_precision(11, 'classic') \gset
EXECUTE by_precision(11, 'blocked') \gset
EXECUTE by_precision(10, 'blocked') \gset
EXECUTE by_precision(9, 'blocked') \gset
EXECUTE by_precision(12, 'classic') \gset
EXECUTE by_precision(12, 'classic') \gset
INSERT INTO verdict (ok, call, what) SELECT hll = :'first_hll' AND bloom = :'first_bloom'
    AND hll = :'hll' AND bloom = :'bloom', 'hll_agg(c01, $1), bloom_agg(c05, 1500, 0.01, $2)',
    'parameters'
FROM (SELECT hll_agg(c01, 12) AS hll, bloom_agg(c05, 1500, 0.01, 'classic') AS bloom FROM local) l;
PREPARE probe(text, bigint) AS SELECT count(*) AS probed FROM sketch
    WHERE bloom @> $1 OR cms -> $1 > $2;
EXECUTE probe('value 7', 3) \gset
INSERT INTO verdict (ok, call, what) SELECT count(*) = :probed AND :probed > 0,
    'bloom @> $1 OR cms -> $1 > $2', 'a parameter that is looked up' FROM sketch_local
    WHERE bloom @> 'value 7' OR cms -> 'value 7' > 3;

-- settings of the session reach the workers
SET TimeZone = 'Pacific/Auckland';
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'sql_standard';
SET extra_float_digits = -10;
SET bytea_output = 'escape';
CALL same('settings',
    'SELECT topk_agg(c16, 10), topk_agg(c17, 10), topk_agg(c11, 10), topk_agg(c02, 10) '
    'FROM dist',
    'SELECT topk_agg(c16, 10), topk_agg(c17, 10), topk_agg(c11, 10), topk_agg(c02, 10) '
    'FROM local');
RESET ALL;

-- ---------- joins ----------

CREATE TABLE other_local (id int, code int, label text);
INSERT INTO other_local SELECT i % 20, i, 'value ' || i FROM generate_series(1, 200) i;
CREATE TABLE other (LIKE other_local);
SELECT create_distributed_table('other', 'id');
INSERT INTO other SELECT * FROM other_local;
CALL same('two tables of the same distribution',
    'SELECT g, hll_agg(label), topk_agg(c01, 10) FROM dist JOIN other USING (id) WHERE code < 60 '
    'GROUP BY g',
    'SELECT g, hll_agg(label), topk_agg(c01, 10) FROM local JOIN other_local USING (id) '
        'WHERE code < 60 GROUP BY g', 'split', 'hll_agg');
-- (of these EXPLAIN shows no query of a worker)
SET citus.enable_repartition_joins = on;
CALL same('repartitioned',
    'SELECT g, hll_agg(label, 11), cms_agg(c01) FROM dist JOIN other ON c01 = label GROUP BY g',
    'SELECT g, hll_agg(label, 11), cms_agg(c01) FROM local JOIN other_local ON c01 = label '
        'GROUP BY g');
CALL same('repartitioned, gathered', 'SELECT bloom_agg(label) FROM dist JOIN other ON c01 = label',
    'SELECT bloom_agg(label) FROM local JOIN other_local ON c01 = label');
RESET citus.enable_repartition_joins;
CREATE TABLE wanted (label text);
INSERT INTO wanted SELECT 'value ' || i FROM generate_series(1, 1000, 50) i;
SELECT create_reference_table('wanted');
CALL same('a Bloom join',
    'SELECT count(*) FROM dist WHERE (SELECT bloom_agg(label, 20, 0.0001) FROM wanted) @> c01',
    'SELECT count(*) FROM local WHERE (SELECT bloom_agg(label, 20, 0.0001) FROM wanted) @> c01');

-- ---------- a filter that is sized for what it saw ----------

-- merged across shards it would say yes to every probe
CREATE TABLE automatic AS SELECT bloom_agg(bigint) AS f FROM many;
INSERT INTO verdict (ok, call, what, remark)
SELECT yes < 200 AND missing = 0, 'bloom_agg(value)',
    'of 10,000 values that it does not have, few are found',
    format('%s found, %s missing', yes, missing)
FROM (SELECT count(*) AS yes FROM automatic, generate_series(1000001, 1010000) i WHERE f @> i) y,
    (SELECT count(*) AS missing FROM automatic, many_local WHERE NOT f @> bigint) m;

-- ---------- stored sketches ----------

-- every way to change one, in place
SELECT format('UPDATE %1$s SET hll = hll_add(hll, ''new''::text), bloom = bloom_add(bloom, '
    '''new''::text), cms = cms_add(cms, ''new''::text, 3), topk = topk_add(topk, ''new''::text) '
    'WHERE id < 10', t) FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
SELECT format('UPDATE %1$s SET hll = hll_add(hll, g), bloom = bloom_add(bloom, g), '
    'cms = cms_add(cms, g), topk = topk_add(topk, g, id)', t)
    FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
SELECT format('UPDATE %1$s SET hll = hll_add_all(hll, ARRAY[g, ''x'']), '
    'bloom = bloom_add_all(bloom, ARRAY[g, ''x'']), cms = cms_add_all(cms, ARRAY[g, ''x'']), '
    'topk = topk_add_all(topk, ARRAY[g, ''x'']) WHERE id = 7', t)
    FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
SELECT format('UPDATE %1$s SET hll = hll || hll_add(hll_empty(16), ''y''::text), bloom = bloom || '
    'bloom_add(bloom_empty(2000), ''y''::text), cms = cms || cms_add(cms_empty(0.01, 0.05), '
    '''y''::text), topk = topk || topk_add(topk_empty(10), ''y''::text)', t)
    FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
CALL same('UPDATE by X_add, X_add_all, ||', 'SELECT * FROM sketch', 'SELECT * FROM sketch_local');
CALL same('=, GROUP BY and DISTINCT',
    'SELECT count(DISTINCT hll), count(DISTINCT topk), count(*) FILTER '
    '(WHERE bloom = bloom_empty(2000)) FROM sketch',
    'SELECT count(DISTINCT hll), count(DISTINCT topk), count(*) FILTER '
    '(WHERE bloom = bloom_empty(2000)) FROM sketch_local');
CALL same('answers on the workers', $$SELECT id, g, #hll, bloom @> 'new', cms -> 'new',
    topk -> 'new', hll_jaccard(hll, hll_empty()) FROM sketch$$, $$SELECT id, g, #hll,
    bloom @> 'new', cms -> 'new', topk -> 'new', hll_jaccard(hll, hll_empty()) FROM sketch_local$$);
CALL same('items on the workers', 'SELECT id, t.* FROM sketch, topk_items(topk) t',
    'SELECT id, t.* FROM sketch_local, topk_items(topk) t');

-- INSERT ... SELECT where the rows are, and a second time into the same groups
CREATE TABLE daily_local (id int, g text, hll hll(12), bloom bloom(1500), cms cms(0.01),
    topk topk(10), PRIMARY KEY (id, g));
CREATE TABLE daily (LIKE daily_local INCLUDING ALL);
SELECT create_distributed_table('daily', 'id');
SELECT format('INSERT INTO %1$s AS d SELECT id, g, hll_agg(c04, 12), bloom_agg(c04, 1500), '
    'cms_agg_weighted(c04, w, 0.01, 0.01), topk_agg(c04, 10) FROM %2$s '
    'GROUP BY id, g ON CONFLICT (id, g) DO UPDATE SET hll = d.hll || excluded.hll, bloom = d.bloom '
    '|| excluded.bloom, cms = d.cms || excluded.cms, topk = d.topk || excluded.topk', t, s)
FROM (VALUES ('daily', 'dist'), ('daily_local', 'local'), ('daily', 'dist'),
    ('daily_local', 'local')) v(t, s) \gexec
CALL same('INSERT ... SELECT ... ON CONFLICT', 'SELECT * FROM daily', 'SELECT * FROM daily_local');
CALL same('merged by group',
    'SELECT g, hll_merge_agg(hll), bloom_merge_agg(bloom), bloom_intersect_agg(bloom), '
    'cms_merge_agg(cms), topk_merge_agg(topk) FROM daily GROUP BY g',
    'SELECT g, hll_merge_agg(hll), bloom_merge_agg(bloom), bloom_intersect_agg(bloom), '
        'cms_merge_agg(cms), topk_merge_agg(topk) FROM daily_local GROUP BY g', 'split',
        'hll_merge_agg');
CALL refused('a modifier holds', 'UPDATE daily SET hll = hll_empty(13)',
    'does not fit type hll\(12\)');
-- into a local table, from halves that are merged here
CREATE TABLE by_group AS SELECT g, hll_agg(c04, 12) AS hll FROM dist GROUP BY g;
CALL same('a local table of sketches', 'SELECT * FROM by_group',
    'SELECT g, hll_merge_agg(hll) FROM daily_local GROUP BY g');

-- a shard that moves
SELECT shardid AS shard, nodename AS from_host, nodeport AS from_port FROM citus_shards
WHERE table_name = 'daily'::regclass ORDER BY shard_size DESC, shardid LIMIT 1 \gset
SELECT nodename AS to_host, nodeport AS to_port FROM pg_dist_node
WHERE groupid <> 0 AND nodeport <> :from_port LIMIT 1 \gset
SELECT citus_move_shard_placement(:shard, :'from_host', :from_port, :'to_host', :to_port,
    'block_writes');
CALL same('after a shard has moved', 'SELECT * FROM daily', 'SELECT * FROM daily_local');

-- ---------- the other types ----------

SELECT format('UPDATE %1$s SET cuckoo = cuckoo_add(cuckoo, ''new''::text), counting_bloom = '
    'counting_bloom_add(counting_bloom, g), scalable_bloom = scalable_bloom_add(scalable_bloom, '
    'g), minhash = minhash_add(minhash, ''new''::text) WHERE id < 10', t)
    FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
SELECT format('UPDATE %1$s SET cuckoo = cuckoo_remove(cuckoo || cuckoo_add(cuckoo_empty(2000), '
    '''gone''::text), ''gone''), counting_bloom = '
    'counting_bloom_remove(counting_bloom_add(counting_bloom, ''gone''::text), ''gone'')', t)
    FROM unnest('{sketch,sketch_local}'::text[]) t \gexec
CALL same('UPDATE of the other types',
    'SELECT id, g, cuckoo, counting_bloom, scalable_bloom, minhash FROM sketch',
    'SELECT id, g, cuckoo, counting_bloom, scalable_bloom, minhash FROM sketch_local');
CALL same('their answers on the workers', $$SELECT id, g, cuckoo @> 'new',
    cuckoo_cardinality(cuckoo), counting_bloom @> g, counting_bloom_count(counting_bloom, g),
    scalable_bloom @> 'g1', minhash_cardinality(minhash), minhash_bands(minhash, 8, 2)
    FROM sketch$$,
    $$SELECT id, g, cuckoo @> 'new', cuckoo_cardinality(cuckoo), counting_bloom @> g,
        counting_bloom_count(counting_bloom, g), scalable_bloom @> 'g1',
        minhash_cardinality(minhash), minhash_bands(minhash, 8, 2) FROM sketch_local$$);
