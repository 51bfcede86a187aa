-- leaks: every function of the extension called many times in one query
--
-- CALL leaks.run(n, seconds) does it, and leaks.report says how it went.  Memory is measured
-- from inside each query, after a tenth of the calls and after all of them.  It is what the
-- backend's memory contexts hold, and what the backend has of the system (the part that is its
-- own).  A call that keeps one byte would be seen as megabytes.

CREATE SCHEMA leaks;
CREATE EXTENSION IF NOT EXISTS probds;
SET search_path = leaks, public;
SET client_min_messages = warning;

-- ---------- memory ----------

-- Bytes in use in memory contexts and of the process
CREATE FUNCTION memory() RETURNS bigint[] LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN ARRAY[(SELECT sum(used_bytes) FROM pg_backend_memory_contexts),
        1024 * (regexp_match(pg_read_file('/proc/self/status', 0, 4000),
        'RssAnon:\s*(\d+)'))[1]::bigint];
END $$;

-- ---------- what functions are called with ----------

-- Values by the row's number i; of each a hundred different ones
CREATE TABLE value (type text PRIMARY KEY, expression text);
INSERT INTO value VALUES
    ('text', '(i % 100)::text'), ('bytea', 'int8send(i % 100)'),
        ('smallint', '(i % 100)::smallint'),
    ('integer', '(i % 100)::int'), ('bigint', '(i % 100)'), ('oid', '(i % 100)::oid'),
    ('uuid', 'lpad((i % 100)::text, 32, ''0'')::uuid'), ('inet', '''10.0.0.0''::inet + i % 100'),
    ('numeric', '(i % 100)::numeric'), ('real', '(i % 100)::real'),
        ('double precision', '(i % 100)::float8 / 8'), ('boolean', 'i % 2 = 0'),
    ('date', 'date ''2024-01-01'' + (i % 100)::int'),
        ('time without time zone', 'time ''0:00'' + i % 100 * interval ''1 s'''),
    ('timestamp without time zone', 'timestamp ''2024-01-01'' + i % 100 * interval ''1 s'''),
        ('timestamp with time zone',
        'timestamptz ''2024-01-01 0:00+00'' + i % 100 * interval ''1 s'''),
    ('interval', 'i % 100 * interval ''1 hour'''),
        ('jsonb', 'jsonb_build_object(''a'', i % 100, ''b'', 1.50)'),
    ('"any"', 'ARRAY[(i % 100)::text, NULL]');

-- Others that are taken as "any" or text; of some the look-up or the canonical form needs memory
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN positive AS numeric CHECK (VALUE >= 0);
CREATE TABLE other (type text PRIMARY KEY, expression text);
INSERT INTO other VALUES
    ('fraction', '(i % 100)::numeric / 8'), ('large number', '10::numeric ^ 30 + i % 100'),
        ('varchar', '(i % 100)::varchar'), ('char', '(i % 100)::char(10)'),
        ('name', '(i % 100)::text::name'),
    ('timetz', 'timetz ''0:00+01'' + i % 100 * interval ''1 s'''),
    ('cidr', 'set_masklen(''10.0.0.0''::cidr, (i % 8 + 8)::int)'),
        ('macaddr', '(ARRAY[''08:00:2b:01:02:03'', ''08:00:2b:01:02:04'']::macaddr[])[i % 2 + 1]'),
    ('enum', '(ARRAY[''sad'', ''ok'', ''happy'']::mood[])[i % 3 + 1]'),
    ('domain', '(i % 100)::positive'), ('array', 'ARRAY[i % 100, 2]'),
        ('array of text', 'ARRAY[(i % 100)::text, NULL]'),
    ('range', 'int8range(i % 100, 1000, ''[]'')'), ('row', '(i % 100, ''x''::text)::pair'),
        ('record', 'ROW(i % 100, ''x''::text)'),
    ('array of rows', 'ARRAY[(i % 100, ''x''::text)::pair]'),
        ('rows of two types', 'CASE i % 2 WHEN 0 THEN ROW(i % 100) ELSE ROW(i % 100 + 1) END'),
        ('array of arrays', 'ARRAY[''1 2''::int2vector]'),
        ('nested', 'ROW(ARRAY[ROW(i % 100, ARRAY[''a''])], int8range(i % 100, NULL))'),
    ('xid', '(i % 100)::text::xid'), ('bit', '(i % 100)::int::bit(32)'),
        ('money', '(i % 100)::int::money'), ('regclass', '''pg_class''::regclass'),
    ('NULL', 'CASE WHEN i % 2 = 0 THEN i % 100 END'), ('literal', '''7''');

-- Sketches, four of each type: of nothing, few, and many values.  X_b is part of X, X_text and
-- X_bytes are X as text and as bytea.
\ir ../types/types.sql
CREATE TABLE sketch_type AS SELECT * FROM types WHERE NOT fixed;
DO $$
BEGIN
    EXECUTE (SELECT 'CREATE TABLE sample AS SELECT k, ' ||
        string_agg(format('coalesce(%1$s_agg(v, %2$s), %1$s_empty(%2$s)) AS %1$s, '
        'coalesce(%1$s_agg(v, %2$s) FILTER (WHERE v %% 2 = 0), %1$s_empty(%2$s)) AS %1$s_b', type,
        other), ', ' ORDER BY type)
        || $q$, coalesce(bloom_agg(v, 1000, 0.01, 'classic'),
            bloom_empty(1000, 0.01, 'classic')) AS classic, coalesce(array_agg(v), '{}') AS list
        FROM generate_series(0, 3) k LEFT
            JOIN LATERAL generate_series(1, (ARRAY[0, 10, 100, 2500])[k + 1]) v ON true
            GROUP BY k$q$ FROM sketch_type);
    EXECUTE (SELECT 'ALTER TABLE sample ' ||
        string_agg(format('ADD %1$s_text text, ADD %1$s_bytes bytea', type), ', ')
        FROM sketch_type);
    EXECUTE (SELECT 'UPDATE sample SET ' ||
        string_agg(format('%1$s_text = %1$s::text, %1$s_bytes = %1$s::bytea', type), ', ')
        FROM sketch_type);
END $$;
-- one that is made once has no sketch to be merged with
CREATE TABLE fixed_type AS SELECT * FROM types WHERE fixed;
ALTER TABLE sample ADD fuse fuse, ADD fuse_b fuse, ADD fuse_text text, ADD fuse_bytes bytea;
UPDATE sample SET fuse = made.fuse, fuse_b = made.fuse_b, fuse_text = made.fuse::text,
    fuse_bytes = made.fuse::bytea
FROM (SELECT k, coalesce(fuse_agg(v, 0.001), fuse_empty(0.001)) AS fuse,
        coalesce(fuse_agg(v, 0.001) FILTER (WHERE v % 2 = 0), fuse_empty(0.001)) AS fuse_b
    FROM sample, unnest(list) v GROUP BY k UNION ALL SELECT 0, fuse_empty(0.001),
    fuse_empty(0.001)) made WHERE made.k = sample.k;
ALTER TABLE sample ADD guava bytea, ADD v1 bytea;
UPDATE sample SET guava = bloom_to_guava(classic), v1 = hll_to_storage_v1(hll);

-- Large ones, out of line, whose readers keep them or fetch slices; one row
CREATE TABLE large AS
SELECT hll_agg(v, 16) AS hll, bloom_agg(v, 100000) AS bloom,
    bloom_agg(v, 100000, 0.01, 'classic') AS classic, cms_agg(v, 0.0001, 0.01) AS cms,
    topk_agg(md5(v::text), 1000) AS topk
FROM generate_series(1, 100000) v;

-- What other systems wrote (sql/hll_foreign.sql, sql/bloom_foreign.sql)
CREATE TABLE stranger AS
SELECT '\x48594c4c0100000006000000000000005cb3904207844235804621804a8e844bfb80425a'::bytea AS redis,
    ('\x0a0107040008000aad5f88e56ba05440000000000000fb3f0000000000000000'
        '000000000000000004020307030403060304050202030704')::bytea AS datasketches,
    ('\x0500000000000000010000000500000002000000100000000000000080000000'
        '0000000005000000000000007b14ae47e17a743fe9862fb2350e264008000000'
        '0a0000000000000000'
        '2ca02b025803482a08e089182a041a04')::bytea AS redis_filter,
    ('\x15401c1c00001c1c00001c1c000000c80150144044086d062504439050602008'
        '842b21000563410200e02c404e6004')::bytea AS parquet;

-- A table with existence indexes
CREATE TABLE existing AS SELECT v::bigint AS k, v::text AS t FROM generate_series(1, 100) v;
CREATE INDEX ON existing USING existence (k);
CREATE INDEX ON existing USING existence (t);

-- ---------- the calls ----------

-- "source" gives rows of i and what else the expression takes; the first
-- generate_series is in a target list, so that it keeps no list of its rows.
CREATE TABLE call (
    id int GENERATED ALWAYS AS IDENTITY,
    fn text,                        -- whose entry this is: regprocedure, or NULL
    what text,
    source text NOT NULL DEFAULT '(SELECT generate_series(1::bigint, %s) AS i) q '
        'JOIN leaks.sample ON k = i %% 4',
    expression text NOT NULL
);

-- Of all types: X stands for its name, @ for parameters, @@ for those of a
-- modifier that are no constant.  X_add has a weight in some, which is an argument with a default.
INSERT INTO call (fn, expression)
SELECT CASE WHEN fn NOT LIKE 'X\_add(%' OR x NOT IN ('cms', 'topk') THEN replace(fn, 'X', x) END,
    replace(replace(replace(expression, 'X', x), '@@',
    format('CASE WHEN i > 0 THEN %L::cstring[] END', '{' || p || '}')), '@', p)
FROM (SELECT type, replace(other, ' ', '') FROM (TABLE sketch_type UNION ALL TABLE fixed_type) t)
    t (x, p), (VALUES
    ('X_in(cstring,oid,integer)', 'X_in(textout(X_text), 0, -1)'),
    ('X_out(X)', 'X_out(X)'),
    ('X_send(X)', 'X_send(X)'), ('probds_describe("any")', 'probds_describe(X)'),
    ('X_typmod_in(cstring[])', 'X_typmod_in(@@)'),
    ('X_typmod_out(integer)', 'X_typmod_out(m) FROM (SELECT X_typmod_in(@@) AS m OFFSET 0) t'),
    ('X_from_bytea(bytea)', 'X_bytes::X'),
    ('X(X,integer,boolean)', 'X::X(@) IS NULL'),
    ('X_eq(X,X)', 'X = X_b'), ('X_ne(X,X)', 'X <> X_b'), ('X_lt(X,X)', 'X *< X_b'),
        ('X_le(X,X)', 'X *<= X_b'), ('X_gt(X,X)', 'X *> X_b'), ('X_ge(X,X)', 'X *>= X_b'),
    ('X_cmp(X,X)', 'X_cmp(X, X_b)'),
    ('X_hash(X)', 'X_hash(X)'), ('X_hash_extended(X,bigint)', 'X_hash_extended(X, i)'),
    -- of text a literal, which is read as what the sketch holds; the empty one takes it as text
    ('X_add(X,"any")', 'X_add(X, i)'), ('X_add(X,text)', 'X_add(X, ''7'')'),
    ('X_add_all(X,anyarray)', 'X_add_all(X, ARRAY[i, NULL, 7])'),
        ('X_add_all(X,text)', 'X_add_all(X, ''{7,NULL,8}'')'),
    ('X_merge(X,X)', 'X || X_b'),
    (NULL, 'X_merge(NULL, X)'), (NULL, 'X_add(X, NULL::int)')) c (fn, expression)
WHERE x <> 'fuse' OR expression !~ 'X_add|X_merge|\|\|';

-- Of filters
INSERT INTO call (fn, expression)
SELECT replace(fn, 'X', x), replace(expression, 'X', x)
FROM unnest('{cuckoo,counting_bloom,scalable_bloom,fuse}'::text[]) t (x), (VALUES
    ('X_contains(X,"any")', 'X @> i'), ('X_contains(X,text)', 'X @> ''7'''),
        ('_X_contained("any",X)', 'i <@ X'), ('_X_contained(text,X)', '''7'' <@ X'),
    ('X_contains_any(X,anyarray)', 'X_contains_any(X, ARRAY[i, NULL, 7])'),
        ('X_contains_any(X,text)', 'X_contains_any(X, ''{7,NULL,8}'')'),
    ('X_contains_all(X,anyarray)', 'X_contains_all(X, ARRAY[i, NULL, 7])'),
        ('X_contains_all(X,text)', 'X_contains_all(X, ''{7,NULL,8}'')'),
    ('X_cardinality(X)', 'X_cardinality(X)')) c (fn, expression);
-- Of filters from which values can be removed
INSERT INTO call (fn, expression)
SELECT replace(fn, 'X', x), replace(expression, 'X', x)
FROM (SELECT type FROM sketch_type WHERE type IN ('cuckoo', 'counting_bloom')) t (x), (VALUES
    ('X_count(X,"any")', 'X_count(X, i)'), ('X_count(X,text)', 'X_count(X, ''7'')'),
    ('X_remove(X,"any")', 'X_remove(X_add(X, i), i)'),
        ('X_remove(X,text)', 'X_remove(X_add(X, 7), ''7'')'),
    ('X_remove_all(X,anyarray)', 'X_remove_all(X_add_all(X, ARRAY[i, 7]), ARRAY[i, NULL, 7])'),
        ('X_remove_all(X,text)', 'X_remove_all(X_add_all(X, ARRAY[8, 7]), ''{7,NULL,8}'')'),
    ('X_info(X)', 'X_info(X)')) c (fn, expression);
INSERT INTO call (fn, expression) VALUES
    ('cuckoo_empty(double precision,double precision)', 'cuckoo_empty(i % 100 + 1)'),
        ('cuckoo_false_positive_rate(cuckoo)', 'cuckoo_false_positive_rate(cuckoo)'),
    ('counting_bloom_false_positive_rate(counting_bloom)',
        'counting_bloom_false_positive_rate(counting_bloom)'),
    ('counting_bloom_empty(double precision,double precision,text)',
        'counting_bloom_empty(i % 100 + 1)'),
        ('counting_bloom_to_bloom(counting_bloom)', 'counting_bloom_to_bloom(counting_bloom)'),
    ('scalable_bloom_empty(double precision,double precision,integer)',
        'scalable_bloom_empty(i % 100 + 1)'), ('scalable_bloom_false_positive_rate(scalable_bloom)',
        'scalable_bloom_false_positive_rate(scalable_bloom)'),
    ('scalable_bloom_info(scalable_bloom)',
        '(SELECT sum(bytes) FROM scalable_bloom_info(scalable_bloom))'),
        ('scalable_bloom_from_redis(bytea,regtype)',
        'scalable_bloom_from_redis(redis_filter, (ARRAY[''text'', ''bytea'']::regtype[])[i % 2 + '
        '1]) FROM leaks.stranger'),
    ('scalable_bloom_to_redis(scalable_bloom)',
        'scalable_bloom_to_redis(scalable_bloom_add(f, i::text)) '
        'FROM (SELECT scalable_bloom_from_redis(redis_filter) AS f FROM leaks.stranger OFFSET 0) '
        't'),
    ('counting_bloom_subtract(counting_bloom,counting_bloom)',
        'counting_bloom_subtract(counting_bloom, counting_bloom_b)');

INSERT INTO call (fn, expression) VALUES
    ('probds_hash("any")', 'probds_hash(i)'), ('probds_hash(text)', 'probds_hash(i::text)'),
    ('_probds_shift(anyelement,bigint)', '_probds_shift(i, -1)'),
    ('existence_might_contain(regclass,name,"any")',
        'existence_might_contain(''leaks.existing'', ''k'', i)'),
        ('existence_might_contain(regclass,name,text)',
        'existence_might_contain(''leaks.existing'', ''t'', i::text)'),
    ('existence_might_contain(regclass,name,character)',
        'existence_might_contain(''leaks.existing'', ''t'', i::text::bpchar)'),
    (NULL, 'existence_might_contain(''leaks.existing'', ''k'', ''7'')'),
    ('existence_might_contain_any(regclass,name,anyarray)',
        'existence_might_contain_any(''leaks.existing'', ''k'', ARRAY[i, NULL, 7])'),
        ('existence_might_contain_any(regclass,name,text)',
        'existence_might_contain_any(''leaks.existing'', ''k'', ''{777,8}'')'),
    ('existence_might_contain_all(regclass,name,anyarray)',
        'existence_might_contain_all(''leaks.existing'', ''t'', ARRAY[i::text, NULL])'),
        ('existence_might_contain_all(regclass,name,text)',
        'existence_might_contain_all(''leaks.existing'', ''t'', ''{7,NULL,8}'')'),
    ('existence_info(regclass,name)',
        '(SELECT keys FROM existence_info(''leaks.existing'', CASE '
        'WHEN i > 0 THEN name ''k'' END))'),
        ('existence_verify(regclass,name)', 'existence_verify(''leaks.existing'', ''k'')'),
        ('existence_export(regclass,name)', 'existence_export(''leaks.existing'', ''t'')'),
    ('hll_difference_cardinality(hll,hll)', 'hll_difference_cardinality(hll, hll_b)'),
    ('hll_difference_bounds(hll,hll,double precision)', 'hll_difference_bounds(hll, hll_b)'),
    ('hll_union_cardinality(hll[])', 'hll_union_cardinality(ARRAY[hll, NULL, hll_b])'),
    ('minhash_intersection_bounds(minhash[],double precision)',
        'minhash_intersection_bounds(ARRAY[minhash, minhash_b, minhash])'),
    ('minhash_empty(integer)', 'minhash_empty(16 << i::int % 8)'),
    ('minhash_jaccard(minhash,minhash)', 'minhash_jaccard(minhash, minhash_b)'),
    ('minhash_jaccard_bounds(minhash,minhash,double precision)',
        'minhash_jaccard_bounds(minhash, minhash_b)'),
    ('minhash_containment(minhash,minhash)', 'minhash_containment(minhash, minhash_b)'),
    ('minhash_bands(minhash,integer,integer)', 'minhash_bands(minhash, 16, 4)'),
    ('minhash_cardinality(minhash)', '#minhash'),
    ('minhash_bounds(minhash,double precision)', 'minhash_bounds(minhash)'),
    ('minhash_info(minhash)', 'minhash_info(minhash)'),
    ('ddsketch_empty(double precision,integer)', 'ddsketch_empty(0.01, 16 + i::int % 100)'),
    ('ddsketch_size(double precision,integer)', 'ddsketch_size(0.01, 16 + i::int % 100)'),
    ('ddsketch_quantile(ddsketch,double precision)', 'ddsketch_quantile(ddsketch, 0.5)'),
    ('ddsketch_quantile_interval(ddsketch,double precision)',
        'ddsketch_quantile_interval(ddsketch_add(ddsketch_empty(), i * interval ''1 s''), 0.5)'),
    ('ddsketch_quantiles(ddsketch,double precision[])',
        'ddsketch_quantiles(ddsketch, ARRAY[0.5, NULL, 0.9])'),
    ('ddsketch_bounds(ddsketch,double precision)', 'ddsketch_bounds(ddsketch, 0.9)'),
    ('ddsketch_rank(ddsketch,"any")', 'ddsketch_rank(ddsketch, i)'),
        ('ddsketch_rank(ddsketch,text)', 'ddsketch_rank(ddsketch, ''7'')'),
    ('ddsketch_count(ddsketch)', 'ddsketch_count(ddsketch)'),
        ('ddsketch_min(ddsketch)', 'ddsketch_min(ddsketch)'),
        ('ddsketch_max(ddsketch)', 'ddsketch_max(ddsketch)'),
        ('ddsketch_sum(ddsketch)', 'ddsketch_sum(ddsketch)'),
        ('ddsketch_avg(ddsketch)', 'ddsketch_avg(ddsketch)'),
    ('ddsketch_buckets(ddsketch)', 'count(b) FROM ddsketch_buckets(ddsketch) b'),
    ('ddsketch_info(ddsketch)', 'ddsketch_info(ddsketch)'),
    ('ddsketch_to_opentelemetry(ddsketch)', 'ddsketch_to_opentelemetry(ddsketch)'),
        ('ddsketch_to_prometheus(ddsketch)', 'ddsketch_to_prometheus(ddsketch)'),
    ('ddsketch_from_opentelemetry(bytea)',
        'ddsketch_from_opentelemetry(ddsketch_to_opentelemetry(ddsketch))'),
        ('ddsketch_from_prometheus(bytea)',
        'ddsketch_from_prometheus(ddsketch_to_prometheus(ddsketch))'),
        ('ddsketch_from_datadog(bytea,boolean)', $$ddsketch_from_datadog(
        '\x0a090900000000000008401a0d0a0b0800110000000000000840', i % 2 = 0)$$),
    ('murmur3_x64_128(bytea,bigint)', 'murmur3_x64_128(int8send(i), i)'),
    ('hll_empty(integer)', 'hll_empty(i::int % 15 + 4)'),
    (NULL, 'hll::hll(10) IS NULL'), (NULL, 'cms::cms(0.01, 0.1) IS NULL'),
        (NULL, 'topk::topk(8) IS NULL'), (NULL, 'minhash::minhash(32) IS NULL'),
    ('hll_reduce(hll,integer)', 'hll_reduce(hll, i::int % 9 + 4)'),
    ('hll_add_hash(hll,bigint)',
        'hll_add_hash(h, i) FROM (SELECT hll_from_storage_v1(''\x128b7f004403b7fb05c44a'') AS h '
        'OFFSET 0) t'),
    ('hll_from_storage_v1(bytea,regtype)', 'hll_from_storage_v1(v1, ''bigint'')'),
    ('hll_to_storage_v1(hll,integer,integer,bigint,integer)',
        'hll_to_storage_v1(hll, i::int % 4 + 8)'),
    ('hll_from_redis(bytea,regtype)',
        'hll_from_redis(redis, (ARRAY[''text'', ''bytea'']::regtype[])[i % 2 + 1]) '
        'FROM leaks.stranger'),
    ('hll_to_redis(hll)',
        'hll_to_redis(hll_add(h, i::text)) FROM (SELECT hll_from_redis(redis) AS h '
        'FROM leaks.stranger OFFSET 0) t'),
    ('hll_from_datasketches(bytea,regtype)',
        'hll_from_datasketches(datasketches, (ARRAY[''text'', ''bigint'']::regtype[])[i % 2 + 1]) '
        'FROM leaks.stranger'),
    ('hll_to_datasketches(hll)',
        'hll_to_datasketches(hll_add(h, i)) '
        'FROM (SELECT hll_from_datasketches(datasketches, ''bigint'') AS h '
        'FROM leaks.stranger OFFSET 0) t'),
    ('hll_cardinality(hll)', '#hll'),
    ('hll_error(hll)', 'hll_error(hll)'),
    ('hll_bounds(hll,double precision)', 'hll_bounds(hll, (i % 9 + 1) / 10.0)'),
    ('hll_info(hll)', 'hll_info(hll)'),
    ('hll_union_cardinality(hll,hll)', 'hll_union_cardinality(hll, hll_b)'),
    ('hll_intersection_cardinality(hll,hll)', 'hll_intersection_cardinality(hll, hll_b)'),
    ('hll_intersection_bounds(hll,hll,double precision)', 'hll_intersection_bounds(hll, hll_b)'),
    ('hll_jaccard(hll,hll)', 'hll_jaccard(hll, hll_b)'),
    ('bloom_empty(double precision,double precision,text)',
        'bloom_empty(i % 100 + 1, 0.01, (ARRAY[''classic'', ''blocked''])[i % 2 + 1])'),
    ('bloom_size(double precision,double precision,text)',
        'bloom_size(i, 0.01, (ARRAY[''classic'', ''blocked''])[i % 2 + 1])'),
    ('bloom_intersect(bloom,bloom)', 'bloom & bloom_b'),
    ('bloom_from_guava(bytea,regtype)', 'bloom_from_guava(guava, ''bigint'')'),
    ('bloom_to_guava(bloom)', 'bloom_to_guava(classic)'),
    ('bloom_from_redis(bytea,regtype)',
        'bloom_from_redis(redis_filter, (ARRAY[''text'', ''bytea'']::regtype[])[i % 2 + 1]) '
        'FROM leaks.stranger'),
    ('bloom_to_redis(bloom,integer)',
        'bloom_to_redis(f, i::int % 2) FROM (SELECT bloom_from_redis(redis_filter) AS f '
        'FROM leaks.stranger OFFSET 0) t'),
    ('bloom_from_parquet(bytea,regtype)',
        'bloom_from_parquet(parquet, (ARRAY[''text'', ''bigint'', ''int'', ''uuid'']::regtype[])[i '
        '% 4 + 1]) FROM leaks.stranger'),
    ('bloom_to_parquet(bloom)',
        'bloom_to_parquet(bloom_add(f, i::text)) '
        'FROM (SELECT bloom_from_parquet(parquet, ''text'') AS f FROM leaks.stranger OFFSET 0) t'),
    ('bloom_contains(bloom,"any")', 'bloom @> i'), ('bloom_contains(bloom,text)', 'bloom @> ''7'''),
    ('_bloom_contained("any",bloom)', 'i <@ bloom'),
        ('_bloom_contained(text,bloom)', '''7'' <@ bloom'),
    ('bloom_contains_any(bloom,anyarray)', 'bloom_contains_any(bloom, ARRAY[i, -1])'),
        ('bloom_contains_any(bloom,text)', 'bloom_contains_any(bloom, ''{7,-1}'')'),
    ('bloom_contains_all(bloom,anyarray)', 'bloom_contains_all(bloom, ARRAY[i, -1])'),
        ('bloom_contains_all(bloom,text)', 'bloom_contains_all(bloom, ''{7,-1}'')'),
    ('bloom_cardinality(bloom)', 'bloom_cardinality(bloom)'),
    ('bloom_false_positive_rate(bloom)', 'bloom_false_positive_rate(bloom)'),
    ('bloom_info(bloom)', 'bloom_info(bloom)'),
    ('cms_empty(double precision,double precision,boolean)',
        'cms_empty(0.01 + (i % 100) / 1000.0, 0.01, i % 2 = 0)'),
    ('cms_add(cms,"any",bigint)', 'cms_add(cms, i, i)'),
        ('cms_add(cms,text,bigint)', 'cms_add(cms, ''7'', i)'),
    ('cms_subtract(cms,cms)', 'cms_subtract(cms, cms_b)'),
    ('cms_frequency(cms,"any")', 'cms -> i'), ('cms_frequency(cms,text)', 'cms -> ''7'''),
    ('cms_frequencies(cms,anyarray)', 'cms_frequencies(cms, ARRAY[i, 7])'),
        ('cms_frequencies(cms,text)', 'cms_frequencies(cms, ''{7,8}'')'),
    ('cms_bounds(cms,"any")', 'cms_bounds(cms, i)'),
        ('cms_bounds(cms,text)', 'cms_bounds(cms, ''7'')'),
    ('cms_total(cms)', 'cms_total(cms)'),
    ('cms_error(cms)', 'cms_error(cms)'),
    ('cms_inner_product(cms,cms)', 'cms_inner_product(cms, cms_b)'),
    ('cms_info(cms)', 'cms_info(cms)'),
    ('topk_empty(integer,integer)', 'topk_empty(i::int % 100 + 1)'),
    (NULL, 'topk_empty(1, i::int % 100 + 1)'),
    ('topk_add(topk,"any",bigint)', 'topk_add(topk, i, i)'),
        ('topk_add(topk,text,bigint)', 'topk_add(topk, ''7'', i)'),
    (NULL, 'topk_add(topk_empty(), repeat(''x'', 5000) || i)'),
    ('topk_items(topk)', 'count(t) FROM topk_items(topk) t'),
    ('topk_items(topk,double precision)', 'count(t) FROM topk_items(topk, 0.5) t'),
    ('topk_frequency(topk,"any")', 'topk -> i'), ('topk_frequency(topk,text)', 'topk -> ''7'''),
    ('topk_bounds(topk,"any")', 'topk_bounds(topk, i)'),
        ('topk_bounds(topk,text)', 'topk_bounds(topk, ''7'')'),
    ('topk_total(topk)', 'topk_total(topk)'),
    ('topk_info(topk)', 'topk_info(topk)'),
    ('hll_size(integer)', 'hll_size(i::int % 15 + 4)'),
    ('cms_size(double precision,double precision)', 'cms_size(0.01 + (i % 100) / 1000.0)'),
    ('topk_size(integer,integer)', 'topk_size(1, i::int % 100 + 1)'),
    ('minhash_size(integer)', 'minhash_size(16 << i::int % 8)'),
    ('cuckoo_size(double precision,double precision)', 'cuckoo_size(i)'),
        ('fuse_size(double precision,double precision)', 'fuse_size(i)'),
    ('fuse_empty(double precision)', 'fuse_empty(1.0 / (i % 100 + 2))'),
        ('fuse_false_positive_rate(fuse)', 'fuse_false_positive_rate(fuse)'),
    ('fuse_info(fuse)', 'fuse_info(fuse)'),
    ('counting_bloom_size(double precision,double precision,text)',
        'counting_bloom_size(i, 0.01, (ARRAY[''classic'', ''blocked''])[i % 2 + 1])'),
    ('scalable_bloom_size(double precision,double precision,integer)',
        'count(s) FROM scalable_bloom_size(i, 0.01, 100) s');

-- ... of large ones, and in a target list
INSERT INTO call (what, source, expression)
SELECT 'out of line', '(SELECT generate_series(1::bigint, %s) AS i) q CROSS JOIN leaks.large', e
FROM unnest(ARRAY['bloom @> i', 'i <@ classic', 'bloom_contains_any(bloom, ARRAY[i, -1])',
    'cms -> i', 'cms_frequencies(cms, ARRAY[i, 7])', 'cms_bounds(cms, i)', 'cms_total(cms)',
    '#hll', 'hll_error(hll)', 'hll_bounds(hll)', 'topk_total(topk)',
        'topk_frequency(topk, i::text)', 'hll_info(hll)', 'hll_hash(hll)', 'hll = hll',
        'bloom = bloom', 'bloom_cardinality(bloom)']) e;
INSERT INTO call (what, source, expression)
SELECT 'set in a target list',
    '(SELECT i, topk_items(topk) AS t FROM (SELECT generate_series(1::bigint, %s) AS i) q '
    'JOIN leaks.sample ON k = (i + 1) %% 4) q', 't';

-- ... with values of all types
INSERT INTO call (what, expression)
SELECT type, format(f, '(' || expression || ')')
FROM (SELECT * FROM value UNION ALL SELECT * FROM other) v,
    unnest('{probds_hash(%s),"hll_add(hll_empty(), %s)","topk_add(topk_empty(), '
        '%s)","bloom_empty(10) @> %s"}'::text[]) f
WHERE type <> 'literal' OR f NOT LIKE 'probds_hash%';

-- ---------- aggregates ----------

-- All that there are, with arguments by their types and names
CREATE TABLE aggregate AS
SELECT p.oid::regprocedure::text AS fn, p.oid::regproc::text || '(' || string_agg(
    CASE
        WHEN t.type IN (SELECT s.type FROM sketch_type s) THEN t.type
        WHEN t.n = 1 AND p.proname ~ '^ddsketch|^approx_percentile'
            THEN '(i % 100)'
        WHEN t.n = 1 THEN coalesce((SELECT expression FROM value v WHERE v.type = t.type),
            'no value of ' || t.type)
        ELSE CASE p.proargnames[t.n] WHEN 'capacity' THEN '1000' WHEN 'layout' THEN '''classic'''
            WHEN 'weight' THEN '2::bigint' WHEN 'expansion' THEN '2' WHEN 'k' THEN '16'
            WHEN 'counters' THEN '100' WHEN 'precision_bits' THEN '12'
            WHEN 'false_positive_rate' THEN '0.01' WHEN 'epsilon' THEN '0.01'
                WHEN 'delta' THEN '0.01' WHEN 'relative_error' THEN '0.01'
            WHEN 'max_buckets' THEN '100' WHEN 'quantile' THEN '0.5'
            WHEN 'quantiles' THEN 'ARRAY[0.5::float8, 0.9]'
                ELSE 'no argument ' || p.proargnames[t.n] END
    END, ', ' ORDER BY t.n) || ')' AS expression, a.aggtransfn, a.aggfinalfn, a.aggmtransfn,
        a.aggminvtransfn, a.aggmfinalfn
FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass
    AND d.refobjid = e.oid AND d.deptype = 'e' AND e.extname = 'probds'
    JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        JOIN pg_aggregate a ON a.aggfnoid = p.oid,
    LATERAL (SELECT format_type(u, NULL) AS type, n FROM unnest(p.proargtypes::oid[])
        WITH ORDINALITY x (u, n)) t
-- (13 knows no primary keys of catalogues)
GROUP BY p.oid, a.aggtransfn, a.aggfinalfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn;

-- As one group: a row for each step.  How many these are is hidden from the planner, because
-- fuse_agg() begins with places for the rows that it expects (doc/fuse.md).
CREATE TABLE step AS SELECT * FROM call WITH NO DATA;
INSERT INTO step (fn, source, expression) SELECT fn,
    '(SELECT generate_series(1::bigint, (SELECT %s)) AS i) q JOIN leaks.sample ON k = i %% 4',
    expression FROM aggregate ORDER BY fn;
-- with values of other types
INSERT INTO step (what, source, expression)
SELECT type, '(SELECT generate_series(1::bigint, %s) AS i) q', format(f, expression)
FROM other, unnest('{hll_agg(%s),"topk_agg(%s, 10)"}'::text[]) f WHERE type <> 'literal';
-- unions, as steps and combine functions
DO $$
DECLARE
    x text;
BEGIN
    FOR x IN SELECT type FROM sketch_type LOOP
        EXECUTE format('CREATE AGGREGATE combine(%1$s) (SFUNC = %1$s_merge, STYPE = %1$s, '
            'FINALFUNC = _%1$s_final)', x);
    END LOOP;
END $$;
INSERT INTO step (fn, source, expression)
SELECT format('%s_merge(%1$s,%1$s)', x),
    '(SELECT generate_series(1::bigint, %s) AS i) q JOIN leaks.sample ON k = i %% 4',
    format('leaks.combine(%s)', x) FROM (SELECT type FROM sketch_type) t (x);

-- over a moving window: a final function, and a step or its inverse or a new state, for each row
CREATE TABLE frame AS SELECT * FROM call WITH NO DATA;
INSERT INTO frame (fn, source, expression)
SELECT fn,
    format('(SELECT i, %s OVER (ROWS 3 PRECEDING) AS w '
    'FROM (SELECT generate_series(1::bigint, %%s) AS i) q JOIN leaks.sample ON k = i %%%% 4) r',
    replace(expression, '%', '%%')), 'w'
FROM aggregate ORDER BY fn;
-- asked for each row, as for "how often so far"
INSERT INTO frame (what, source, expression)
SELECT 'asked',
    format('(SELECT i, %s OVER (ROWS 100 PRECEDING) AS w '
    'FROM (SELECT generate_series(1::bigint, %%s) AS i) q) r', replace(a, '%', '%%')), e
FROM (VALUES ('cms_agg(i % 100)', 'w -> i'),
    ('cms_agg(i % 100, 0.001, 0.01)', '(cms_bounds(w, i)).lower'), ('hll_agg(i % 100)', '#w'),
    ('bloom_agg(i % 100, 100)', 'w @> i')) v (a, e);

-- ---------- what is not called by a query of its own ----------

CREATE TABLE elsewhere (fn text, by text);
INSERT INTO elsewhere
SELECT format(fn, x), by
FROM (SELECT type FROM (TABLE sketch_type UNION ALL TABLE fixed_type) t) t (x),
    (VALUES ('%s_recv(internal,oid,integer)', 'leaks.received: COPY BINARY')) v (fn, by);
INSERT INTO elsewhere VALUES
    ('_bloom_contains_support(internal)', 'leaks.planned'),
        ('_bloom_contains_sel(internal,oid,internal,integer)', 'leaks.planned'),
        ('_fuse_contains_support(internal)', 'leaks.planned'),
        ('_fuse_contains_sel(internal,oid,internal,integer)', 'leaks.planned'),
        ('_probds_add_support(internal)', 'leaks.planned'),
        ('_probds_existence_handler(internal)', 'the server, at each look at an index'),
    ('_probds_rollup_trigger()', 'leaks.rollups'), ('_probds_rollup_guard()', 'leaks.rollups'),
        ('_probds_rollup_touched(anyelement,uuid,boolean)', 'leaks.rollups'),
        ('_probds_rollup_ddl()', 'leaks.rollups'),
    ('probds_rollups()', 'leaks.rollups'),
    ('probds_create_rollup(text,text,boolean,boolean,boolean,interval,interval,interval)',
        'leaks.rollups'), ('probds_create_rollup_view(text,regclass,text[])', 'leaks.rollups'),
    ('probds_alter_rollup(regclass,boolean,interval,interval,interval)', 'leaks.rollups'),
    ('probds_add_rollup_column(regclass,text)', 'leaks.rollups'),
        ('probds_drop_rollup_column(regclass,text)', 'leaks.rollups'),
    ('probds_alter_rollup_source(regclass,text)', 'leaks.rollups'),
    ('probds_rebuild_rollup(regclass)', 'leaks.rollups'),
        ('probds_fold_rollup(regclass)', 'leaks.rollups'),
        ('probds_refresh_rollup(regclass)', 'leaks.rollups'),
        ('probds_refresh_due_rollups()', 'leaks.rollups'),
        ('probds_drop_rollup(text)', 'leaks.rollups'),
    ('probds_health(double precision)', 'leaks.rollups'),
    ('cms_add(_cms_last,"any",_probds_number)', 'nobody: it is an error'),
    ('_hll_no_operator(hll,hll)', 'nobody: it is an error'),
        ('fuse_add(fuse,"any")', 'nobody: it is an error'),
        ('fuse_add(fuse,text)', 'nobody: it is an error'),
        ('fuse_merge(fuse,fuse)', 'nobody: it is an error'),
    ('_hll_refuse_value(hll,_probds_number)', 'nobody: it is an error'),
    ('topk_add(_topk_last,"any",_probds_number)', 'nobody: it is an error');

-- Functions of the extension that nobody calls, and entries for functions that are no more
CREATE VIEW forgotten AS
WITH mine AS (
    SELECT p.oid, p.oid::regprocedure::text AS fn FROM pg_depend d
        JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
        AND d.deptype = 'e' AND e.extname = 'probds'
    JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
), called AS (
    SELECT fn FROM call UNION SELECT fn FROM step UNION SELECT fn FROM elsewhere
    UNION SELECT f::regprocedure::text FROM aggregate,
        LATERAL (VALUES (aggtransfn), (aggfinalfn), (aggmtransfn), (aggminvtransfn),
        (aggmfinalfn)) v (f) WHERE f <> 0
)
SELECT coalesce(m.fn, c.fn || ' (is no more)') AS fn FROM mine m FULL
    JOIN (SELECT fn FROM called WHERE fn IS NOT NULL) c ON c.fn = m.fn
    WHERE m.fn IS NULL OR c.fn IS NULL;

-- ---------- running them ----------

CREATE TABLE report (
    at timestamptz DEFAULT clock_timestamp(),
    part text, what text,
    calls bigint, seconds float8,
    -- bytes more in memory contexts at the end than at a tenth of the calls
    contexts bigint,
    process bigint,                 -- bytes more that the process has
    error text
);

-- Of a query of n rows: count(what) and memory at two of them
CREATE FUNCTION query(kind text, source text, expression text, n bigint) RETURNS text
    LANGUAGE sql AS $$
    SELECT format('SELECT %s, max(CASE WHEN i = %s THEN leaks.memory() END), max(CASE '
        'WHEN i = %s THEN leaks.memory() END) FROM %s',
        CASE kind WHEN 'step' THEN expression || ' IS NULL'
            WHEN 'count' THEN format('count((SELECT %s))', expression)
            -- (a result that cannot be NULL is not computed from 19 on, but counted as a row)
            ELSE format('count(CASE WHEN i > 0 THEN %s END)', expression) END,
        n / 10, n, format(source, n))
$$;

-- Call something n times, or as often as fits into so many seconds; n times, whatever
-- it takes, if that is NULL
CREATE PROCEDURE measure(part text, what text, kind text, source text, expression text, n bigint,
    most float8) LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz;
    a bigint[];
    b bigint[];
    ignored text;
    took float8;
    -- where time does not matter, enough for each of a hundred values to have come
    calls bigint := least(n, CASE WHEN most IS NULL THEN 100 ELSE 1000 END);
    message text;
BEGIN
    BEGIN
        -- twice: caches fill at the first call; and then more, until what a query costs besides
        -- does not matter
        FOR i IN 1..5 LOOP
            started := clock_timestamp();
            EXECUTE leaks.query(kind, source, expression, calls) INTO ignored, a, b;
            took := extract(epoch FROM clock_timestamp() - started);
            EXIT WHEN i >= 2 AND (most IS NULL OR took > most / 20 OR calls * 10 > n);
            IF i >= 2 THEN calls := calls * 10; END IF;
        END LOOP;
        calls := CASE WHEN most IS NULL THEN n
            ELSE greatest(least(n, (calls * most / took)::bigint / 1000 * 1000), 1000) END;
        started := clock_timestamp();
        EXECUTE leaks.query(kind, source, expression, calls) INTO ignored, a, b;
        took := extract(epoch FROM clock_timestamp() - started);
    EXCEPTION WHEN OTHERS THEN
        message := sqlerrm;
    END;
    INSERT INTO leaks.report (part, what, calls, seconds, contexts, process, error)
    VALUES (part, what, calls, took, b[1] - a[1], b[2] - a[2],
        coalesce(message, CASE WHEN a IS NULL OR b IS NULL THEN 'memory was not looked at' END));
    COMMIT;
END $$;

-- Which: a pattern for the expressions.  One_part: only this (function, aggregate, window).
-- Shards of so many share the work.
CREATE PROCEDURE run(n bigint, seconds float8, which text DEFAULT '', one_part text DEFAULT '',
    shard int DEFAULT 0, shards int DEFAULT 1) LANGUAGE plpgsql AS $$
DECLARE
    c record;
BEGIN
    FOR c IN
        SELECT * FROM (
            SELECT 'function' AS part, coalesce(fn, what, '') || ' ' || expression AS what, CASE
                WHEN expression ~ ' FROM ' THEN 'count' ELSE '' END AS kind, source, expression,
                fn IS NULL AS variant
            FROM leaks.call
            UNION ALL SELECT 'aggregate', concat_ws(' ', what, expression), 'step', source,
                expression, fn IS NULL FROM leaks.step
            UNION ALL SELECT 'window', coalesce(fn, what || ' ' || expression || source), '',
                source, expression, true FROM leaks.frame) q
        WHERE expression ~ which AND one_part IN ('', part)
            AND abs(hashtext(q.what)) % shards = shard
    LOOP
        CALL leaks.measure(c.part, c.what, c.kind, c.source, c.expression, n, CASE
            WHEN c.variant THEN seconds / 4 ELSE seconds END);
    END LOOP;
END $$;

-- ---------- other ways to call many times ----------

-- Record a measurement that was made elsewhere
CREATE PROCEDURE note(part text, what text, n bigint, started timestamptz, a bigint[], b bigint[])
    LANGUAGE sql AS $$
    INSERT INTO leaks.report (part, what, calls, seconds, contexts, process)
    VALUES (part, what, n, extract(epoch FROM clock_timestamp() - started), b[1] - a[1],
        b[2] - a[2])
$$;

-- Receive functions: COPY BINARY; no row is kept.  Memory is looked at by a condition.
CREATE FUNCTION look(i bigint, n bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF i = n / 10 OR i = n THEN
        PERFORM set_config('leaks.seen', current_setting('leaks.seen', true) ||
            leaks.memory()::text, false);
    END IF;
    RETURN false;
END $$;
DO $$
BEGIN
    EXECUTE (SELECT 'CREATE TABLE received (i bigint, n bigint, ' || string_agg(type || ' ' || type,
        ', ' ORDER BY type) || ')' FROM (TABLE sketch_type UNION ALL TABLE fixed_type) t);
END $$;
CREATE PROCEDURE receive(folder text, n bigint) LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz;
    seen text[];
BEGIN
    EXECUTE format('COPY (SELECT i, %s::bigint, %s '
        'FROM (SELECT generate_series(1::bigint, %s) AS i) q JOIN leaks.sample ON k = i %% 3) TO '
        '%L (FORMAT binary)', n,
        (SELECT string_agg(type, ', ' ORDER BY type)
            FROM (TABLE leaks.sketch_type UNION ALL TABLE leaks.fixed_type) t), n,
            folder || '/received');
    FOR i IN 1..2 LOOP
        PERFORM set_config('leaks.seen', '', false);
        started := clock_timestamp();
        EXECUTE format('COPY leaks.received FROM %L (FORMAT binary) WHERE leaks.look(i, n)',
            folder || '/received');
    END LOOP;
    SELECT array_agg(m[1]) INTO seen
    FROM regexp_matches(current_setting('leaks.seen'), '\{.*?\}', 'g') m;
    CALL leaks.note('received', 'recv, all types', n, started, seen[1]::bigint[],
        seen[2]::bigint[]);
END $$;

-- Support functions of the planner: statements planned again
CREATE PROCEDURE planned(n bigint) LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz := clock_timestamp();
    a bigint[];
    b bigint[];
    f bloom := (SELECT bloom FROM leaks.sample WHERE k = 2);
    g fuse := (SELECT fuse FROM leaks.sample WHERE k = 2);
BEGIN
    FOR i IN 1..n LOOP
        EXECUTE format('EXPLAIN SELECT * FROM pg_class '
            'WHERE oid <@ %L::bloom AND bloom_contains(%L::bloom, relpages + %s)'
            ' AND oid <@ %L::fuse AND fuse_contains(%L::fuse, relpages + %s)', f, f, i, g, g, i);
        IF i = n / 10 THEN a := leaks.memory(); END IF;
    END LOOP;
    b := leaks.memory();
    CALL leaks.note('planned', 'support and selectivity of @> and <@', n, started, a, b);
    -- the expression of an assignment asks _probds_add_support once a plan
    started := clock_timestamp();
    FOR i IN 1..n LOOP
        EXECUTE 'DO $do$ DECLARE s hll := hll_empty(); t topk := topk_empty(); BEGIN FOR i IN 1..3 '
            'LOOP s := hll_add(s, i); t := topk_add(t, i); END LOOP; END $do$';
        IF i = n / 10 THEN a := leaks.memory(); END IF;
    END LOOP;
    b := leaks.memory();
    CALL leaks.note('planned', 'support of X_add', n, started, a, b);
    started := clock_timestamp();
    FOR i IN 1..n LOOP
        EXECUTE format('EXPLAIN SELECT hll_agg(relname::text), topk_agg(relname || %L) '
            'FROM pg_class', i);
        IF i = n / 10 THEN a := leaks.memory(); END IF;
    END LOOP;
    b := leaks.memory();
    CALL leaks.note('planned', 'support of aggregates over text', n, started, a, b);
END $$;

-- Loops in PL/pgSQL: sketches in variables, handed to another function and back, merged;
-- and with blocks that catch an error, every tenth of which has one
CREATE PROCEDURE loops(n bigint) LANGUAGE plpgsql AS $$
DECLARE
    x text;
    of_x text;
    what text;
    started timestamptz;
    m bigint[];
BEGIN
    FOR x, of_x IN SELECT type, format('%s_empty(%s)', type, other) FROM leaks.sketch_type LOOP
        EXECUTE format('CREATE OR REPLACE FUNCTION leaks.inner_%1$s(s %1$s, v bigint) RETURNS %1$s '
            'LANGUAGE plpgsql AS $f$
            BEGIN s := %1$s_add(s, v); s := %1$s_add(s, v + 1); RETURN s; END $f$', x);
        EXECUTE format('CREATE OR REPLACE FUNCTION leaks.loop_%1$s(n bigint) RETURNS bigint[] '
            'LANGUAGE plpgsql AS $f$
            DECLARE s %1$s := %2$s; m %1$s := s; a bigint[]; e int := 0;
            BEGIN
                FOR i IN 1..n LOOP
                    s := %1$s_add(s, i %% 100);
                    s := leaks.inner_%1$s(s, i %% 100);
                    IF i %% 100 = 0 THEN m := m || s; s := %2$s; END IF;
                    IF i = n / 10 THEN a := leaks.memory(); END IF;
                END LOOP;
                RETURN a || leaks.memory();
            END $f$', x, of_x);
        EXECUTE format('CREATE OR REPLACE FUNCTION leaks.caught_%1$s(n bigint) RETURNS bigint[] '
            'LANGUAGE plpgsql AS $f$
            DECLARE s %1$s := %2$s; a bigint[]; e int := 0;
            BEGIN
                FOR i IN 1..n LOOP
                    BEGIN
                        s := %1$s_add(s, i %% 100);
                        s := leaks.inner_%1$s(s, i %% 100);
                        IF i %% 10 = 0 THEN s := %1$s_add(s, ''x''::text); END IF;
                    EXCEPTION WHEN data_exception THEN e := e + 1;
                    END;
                    IF i %% 100 = 0 THEN s := %2$s; END IF;
                    IF i = n / 10 THEN a := leaks.memory(); END IF;
                END LOOP;
                IF e <> n / 10 THEN RAISE EXCEPTION ''%% errors'', e; END IF;
                RETURN a || leaks.memory();
            END $f$', x, of_x);
        FOREACH what IN ARRAY '{loop,caught}'::text[] LOOP
            EXECUTE format('SELECT leaks.%s_%s(1000)', what, x);
            started := clock_timestamp();
            EXECUTE format('SELECT leaks.%s_%s(%s)', what, x, n) INTO m;
            CALL leaks.note('PL/pgSQL', what || ' ' || x, n, started, m[1:2], m[3:4]);
            COMMIT;
        END LOOP;
    END LOOP;
END $$;

-- Rollups: made, written to, read, refreshed, folded, rebuilt, altered, dropped, each n times in
-- transactions of their own
CREATE PROCEDURE rollups(n bigint) LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz := clock_timestamp();
    a bigint[];
    b bigint[];
BEGIN
    CREATE TABLE IF NOT EXISTS leaks.visit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        d date, v int);
    PERFORM probds_create_rollup('leaks.kept',
        'SELECT d, hll_agg(v) AS h, topk_agg(v, 10) AS t FROM leaks.visit GROUP BY d');
    PERFORM probds_create_rollup('leaks.over',
        'SELECT extract(year FROM d) AS y, hll_merge_agg(h) AS h FROM leaks.kept GROUP BY 1');
    PERFORM probds_create_rollup('leaks.later',
        'SELECT d, bloom_agg(v, 1000) AS b, cms_agg(v) AS c FROM leaks.visit GROUP BY d',
        live => false);
    COMMIT;
    FOR i IN 1..n LOOP
        INSERT INTO leaks.visit (d, v) SELECT date '2024-01-01' + j, j
        FROM generate_series(1, 10) j;
        UPDATE leaks.visit SET v = v + 1 WHERE d = '2024-01-03';
        DELETE FROM leaks.visit WHERE d = '2024-01-04' AND v % 2 = 0;
        PERFORM count(h) FROM leaks.kept;
        PERFORM count(h) FROM leaks.over;
        CALL probds_refresh_rollup('leaks.later');
        CALL probds_refresh_rollup('leaks.over');
        CALL probds_refresh_due_rollups();
        PERFORM probds_fold_rollup('leaks.kept');
        PERFORM count(*) FROM probds_health();
        PERFORM count(*) FROM probds_rollups();
        PERFORM probds_alter_rollup('leaks.later', retention => interval '100 years');
        BEGIN
            UPDATE leaks.kept_parts SET d = d;
        EXCEPTION WHEN object_not_in_prerequisite_state THEN NULL;
        END;
        IF i % 10 = 0 THEN
            TRUNCATE leaks.visit;
            CALL probds_rebuild_rollup('leaks.kept');
            CALL probds_rebuild_rollup('leaks.later');
        END IF;
        COMMIT;
        IF i = greatest(n / 10, 20) THEN a := leaks.memory(); END IF;
    END LOOP;
    b := leaks.memory();
    CALL leaks.note('rollup', 'written, read, refreshed, folded, rebuilt', n, started, a, b);
    COMMIT;
    PERFORM probds_drop_rollup('leaks.over');
    PERFORM probds_drop_rollup('leaks.kept');
    PERFORM probds_drop_rollup('leaks.later');
    started := clock_timestamp();
    FOR i IN 1..n / 10 + 10 LOOP
        PERFORM probds_create_rollup('leaks.short',
            'SELECT d, hll_agg(v) AS h FROM leaks.visit GROUP BY d');
        PERFORM probds_create_rollup_view('leaks.shorter', 'leaks.short',
            ARRAY['date_trunc(''month'', d) AS month']);
        INSERT INTO leaks.visit (d, v) VALUES ('2024-01-01', i);
        DROP VIEW leaks.shorter;
        PERFORM probds_add_rollup_column('leaks.short', 'count(*) AS n');
        PERFORM probds_alter_rollup_source('leaks.visit', format('ALTER COLUMN v TYPE %s',
            CASE WHEN i % 2 = 0 THEN 'int' ELSE 'bigint' END));
        PERFORM probds_drop_rollup_column('leaks.short', 'n');
        INSERT INTO leaks.visit (d, v) VALUES ('2024-01-01', i);
        PERFORM probds_drop_rollup('leaks.short');
        COMMIT;
        IF i = 10 THEN a := leaks.memory(); END IF;
    END LOOP;
    b := leaks.memory();
    CALL leaks.note('rollup', 'made and dropped', n / 10, started, a, b);
END $$;

-- ---------- groups ----------

-- Bytes in memory contexts at each thousandth group of a hash aggregate that spills,
-- less those before; and how many batches there were
CREATE TABLE spilled (what text, groups bigint, batches bigint, work_mem bigint, contexts bigint,
    process bigint, seconds float8);
CREATE PROCEDURE groups(n bigint, groups bigint, what text, expression text,
    work_mem text DEFAULT '4MB') LANGUAGE plpgsql AS $$
DECLARE
    query text :=
        format('SELECT count(s) AS c, max(CASE WHEN g %% 1000 = 0 THEN leaks.memory() END) AS m
        FROM (SELECT i %% %s AS g, %s AS s FROM (SELECT generate_series(1::bigint, %s) AS i) q
            GROUP BY 1 OFFSET 0) r', groups, expression, n);
    a bigint[];
    m bigint[];
    c bigint;
    line text;
    batches bigint;
    started timestamptz := clock_timestamp();
BEGIN
    PERFORM set_config('work_mem', work_mem, true), set_config('enable_sort', 'off', true),
        set_config('enable_hashagg', 'on', true);
    PERFORM set_config('hash_mem_multiplier', '1', true)
        WHERE current_setting('hash_mem_multiplier', true) IS NOT NULL;
    a := leaks.memory();
    EXECUTE query INTO c, m;
    IF c <> groups THEN RAISE EXCEPTION '% groups of %', c, groups; END IF;
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ' || query LOOP
        batches := coalesce(batches, (regexp_match(line, 'Batches: (\d+)'))[1]::bigint);
    END LOOP;
    INSERT INTO leaks.spilled VALUES (what, groups, batches, pg_size_bytes(work_mem), m[1] - a[1],
        m[2] - a[2], extract(epoch FROM clock_timestamp() - started) / 2);
    COMMIT;
END $$;
CREATE PROCEDURE spill(n bigint, groups bigint, work_mem text DEFAULT '4MB') LANGUAGE plpgsql AS $$
DECLARE
    e text;
BEGIN
    FOR e IN SELECT format('%s_agg(i, %s)', type, usual) FROM leaks.sketch_type
        UNION ALL SELECT format('%1$s_merge_agg(%1$s_add(%1$s_empty(%2$s), i))', type, usual)
        FROM leaks.sketch_type
        UNION ALL VALUES ('bloom_agg(i)'), ('cms_agg_conservative(i)'),
            ('approx_count_distinct(i)'), ('approx_top_k(i, 10)') LOOP
        CALL leaks.groups(n, groups, e, e, work_mem);
    END LOOP;
END $$;

-- What grew more than it may.  Noise is below 20 kB: a cache that got an entry, a chunk more.
-- The union of cuckoo filters is a sum: its state grows with the logarithm of the counts, by
-- 57 kB between 1,500 and 6,000 unions, and by nothing beyond.
-- Where rollups are made, written to and dropped, the session keeps the plans of the
-- triggers that are no more (15 kB each) until it ends.
CREATE VIEW bad AS
SELECT part, what, calls, contexts, process, error FROM report
WHERE error IS NOT NULL OR contexts IS NULL OR process IS NULL
    OR contexts > CASE WHEN what = 'made and dropped' THEN 20000 * calls
        WHEN part = 'aggregate' AND what ~ 'cuckoo' THEN 80000 ELSE 20000 END
    OR process > 1000000 + CASE WHEN what = 'made and dropped' THEN 20000 * calls ELSE 0 END;

-- Hash aggregates that did not spill, or went beyond work_mem by more than half
CREATE VIEW unbounded AS
SELECT * FROM spilled WHERE batches IS NULL OR batches < 2 OR contexts > 1.5 * work_mem
    OR process > 3 * work_mem;
