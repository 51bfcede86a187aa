-- Text, bytea, binary; what is refused; comparison
\set SHOW_CONTEXT never
CREATE TEMP TABLE sketches AS
SELECT n, scalable_bloom_add_all(scalable_bloom_empty(20), ARRAY(SELECT i FROM generate_series(1, n) i)) AS numbers,
    scalable_bloom_add_all(scalable_bloom_empty(20), ARRAY(SELECT 'value ' || i FROM generate_series(1, n) i)) AS texts,
    scalable_bloom_add_all(scalable_bloom_empty(20), ARRAY(SELECT ROW(i, i) FROM generate_series(1, n) i)) AS records
FROM unnest(ARRAY[0, 1, 15, 300, 4000]) n;
SELECT bool_and(s::text::scalable_bloom = s) AS text, bool_and(s::bytea::text::scalable_bloom = s) AS hex, bool_and(s::bytea::scalable_bloom = s) AS bytea,
    bool_and(s::text !~ E'\n') AS one_line, count(*) AS sketches, count(DISTINCT s) AS different FROM sketches, unnest(ARRAY[numbers, texts, records]) s;
SELECT numbers, texts FROM sketches WHERE n = 1;
\copy sketches (n, numbers, texts) TO 'results/scalable_bloom_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy AS SELECT n, numbers, texts FROM sketches LIMIT 0;
\copy binary_copy FROM 'results/scalable_bloom_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.numbers = b.numbers AND a.texts = b.texts) AS same FROM sketches a JOIN binary_copy b USING (n);
SELECT ARRAY[scalable_bloom_empty(), NULL], to_json(scalable_bloom_empty());

-- a state that lacks a final function comes out as any other
CREATE AGGREGATE pg_temp.unfinished(int, float8) (SFUNC = _scalable_bloom_step, STYPE = scalable_bloom);
CREATE FUNCTION pg_temp.same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
CREATE AGGREGATE pg_temp.unfinished_merge(scalable_bloom) (SFUNC = scalable_bloom_merge, STYPE = scalable_bloom, FINALFUNC = pg_temp.same);
CREATE TEMP TABLE states AS SELECT n, pg_temp.unfinished(i, 10) AS state, scalable_bloom_agg(i, 10) AS s FROM unnest(ARRAY[1, 9, 11, 500, 20000]) n, generate_series(1, n) i GROUP BY n;
SELECT bool_and(state = s) AS same, bool_and(state::bytea = s::bytea) AS bytes, bool_and(state::text = s::text) AS text, bool_and(state @> n) AS contains, bool_and(scalable_bloom_cardinality(state) = scalable_bloom_cardinality(s)) AS cardinality FROM states;
SELECT bool_and(scalable_bloom_add(state, -1) = scalable_bloom_add(s, -1)) AS add FROM states;
SELECT pg_temp.unfinished_merge(s) = scalable_bloom_merge_agg(s) AS merged, pg_temp.unfinished_merge(s)::bytea = scalable_bloom_merge_agg(s)::bytea AS bytes FROM states;
-- one that collects has no layers yet, so it is united as what it is stored as
SELECT count(*) FROM (SELECT scalable_bloom_merge_agg(s) FROM states) q;
SELECT scalable_bloom_merge_agg(state) FROM states;

-- equality, order, hashing
SELECT count(*) AS equal FROM sketches a JOIN sketches b ON a.numbers = b.numbers;
SELECT count(DISTINCT numbers) AS by_sort, (SELECT count(*) FROM (SELECT numbers FROM sketches UNION SELECT numbers FROM sketches) q) AS by_hash FROM sketches;
SELECT bool_and((a.numbers *< b.numbers) = (scalable_bloom_cmp(a.numbers, b.numbers) < 0) AND (a.numbers <> b.numbers) = (a.n <> b.n)) AS order FROM sketches a, sketches b;
CREATE TEMP TABLE keyed (s scalable_bloom PRIMARY KEY);
INSERT INTO keyed SELECT numbers FROM sketches WHERE n < 100;
INSERT INTO keyed SELECT numbers FROM sketches WHERE n = 1;

-- refused
SELECT ''::scalable_bloom;
SELECT '\x71'::scalable_bloom;
SELECT '\x7100008503e807'::scalable_bloom;
SELECT '\x7100008503e8070200'::scalable_bloom;
SELECT '\x7200008503e80702'::scalable_bloom;
SELECT '\x7120008503e80702'::scalable_bloom;
SELECT '\x7100008503000'::scalable_bloom;
SELECT '\x71000085030002'::scalable_bloom;
SELECT bloom_empty(10)::bytea::scalable_bloom;
SELECT scalable_bloom_empty()::bytea::bloom;
-- every cut of one of some layers, and every changed byte of its head
CREATE FUNCTION pg_temp.refused(b bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM b::scalable_bloom;
    RETURN false;
EXCEPTION WHEN invalid_binary_representation THEN
    RETURN true;
END
$$;
SELECT n, count(*) AS cuts, bool_and(pg_temp.refused(substr(numbers::bytea, 1, at))) AS all_refused FROM sketches, generate_series(0, octet_length(numbers::bytea) - 1) at WHERE n IN (0, 1, 300) GROUP BY n ORDER BY n;
