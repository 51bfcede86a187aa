-- bloom(1000000, 0.01): a promise about capacity, false-positive rate and layout
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- every form ----------
CREATE TABLE bloom_typmod (day int, seen bloom(1000), rare bloom(20000, 0.001), guava bloom(100, 0.03, 'classic'), small bloom(1, 0.999, classic), named bloom(1000, 0.01, 'blocked'),
    large bloom(860000000), "any" bloom);
\d bloom_typmod
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'bloom_typmod'::regclass AND attnum > 0 AND atttypid <> 'int'::regtype ORDER BY attnum;
-- what is printed means the same when it is read again
SELECT count(shown) > 300 AS many, bool_and(shown = modifier) AS same FROM unnest('{1,9,10,99,100,101,999,1000,1001,9999,10000,10010,99990,123400,1000000,25000000,999900000}'::bigint[]) c,
    unnest('{0.999,0.5,0.333,0.1,0.05,0.01,0.0123,0.001,0.0001,1e-05,1e-09}'::float8[]) r, unnest(ARRAY['', ',''classic''']) l, format('bloom(%s,%s%s)', c, r, l) modifier, pg_temp.shown(modifier) shown;

-- ---------- what fits ----------
INSERT INTO bloom_typmod (day, seen, rare, guava) SELECT 1, bloom_agg(i, 1000), bloom_agg(i, 20000, 0.001), bloom_agg(i, 100, 0.03, 'classic') FROM generate_series(1, 5) i;
INSERT INTO bloom_typmod (day, seen, small, large) VALUES (2, bloom_empty(1000), bloom_empty(1, 0.999, 'classic'), bloom_empty(860000000)), (3, NULL, NULL, NULL);
INSERT INTO bloom_typmod (day, guava) VALUES (4, 'IREBTQRkGQFhYpCuwKEVBNJgl0IJaJD0Toj1hgc='), (5, '\x2110004d04ff');
INSERT INTO bloom_typmod (day, guava) VALUES (4, 'IREBTQRkGQFhYpCuwKEVBNJgl0IJaJD0Toj1hgc='), (5, (SELECT guava::bytea FROM bloom_typmod WHERE day = 1)::bloom);
SELECT day, bloom_cardinality(seen) AS seen, bloom_cardinality(rare) AS rare, bloom_cardinality(guava) AS guava, (bloom_info(large)).capacity AS large FROM bloom_typmod ORDER BY day;
-- a promise is kept by what has the same bits and hashes; what it was planned for may be less
INSERT INTO bloom_typmod (day, "any", seen) SELECT 6, bloom_agg(i, 999), bloom_agg(i, 999) FROM generate_series(1, 5) i;

-- ---------- what does not ----------
INSERT INTO bloom_typmod (seen) VALUES (bloom_add(bloom_empty(2000), 1));
INSERT INTO bloom_typmod (seen) SELECT bloom_agg(i) FROM generate_series(1, 5) i;
INSERT INTO bloom_typmod (seen) VALUES (bloom_empty(1000, 0.01, 'classic'));
INSERT INTO bloom_typmod (seen) VALUES ('IQAAhQNk');
UPDATE bloom_typmod SET seen = rare WHERE day = 1;
SELECT count(*) FROM bloom_typmod;

-- ---------- an explicit cast: only what is empty can be made another ----------
SELECT bloom_empty(100)::bloom(200) = bloom_empty(200) AS empty, bloom_empty(100)::bloom(200, 0.1, 'classic') = bloom_empty(200, 0.1, 'classic') AS layout,
    CAST(bloom_empty(100) AS bloom(1000000, 0.001)) = bloom_empty(1000000, 0.001) AS cast_as, NULL::bloom(100) IS NULL AS null, bloom_agg(i, 100)::bloom(100) = bloom_agg(i, 100) AS nothing_to_do
FROM generate_series(1, 10) i;
SELECT bloom_agg(i, 100)::bloom(200) FROM generate_series(1, 10) i;
SELECT bloom_agg(i, 100)::bloom(100, 0.01, 'classic') FROM generate_series(1, 10) i;
SELECT bloom_agg(i, 200)::bloom(100) FROM generate_series(1, 10) i;
SELECT 'IQAAhQNk'::bloom(200) = bloom_empty(200) AS literal, '{IQAAhQNk,NULL}'::bloom(100)[], bloom(100) 'IQAAhQNk';
SELECT ARRAY[bloom_agg(i, 100)]::bloom(200)[] FROM generate_series(1, 10) i;

-- ---------- results have no modifier, columns made of columns do ----------
CREATE TEMP TABLE made_of AS SELECT seen, seen || seen AS merged, seen & seen AS both, bloom_empty(9)::bloom(5) AS folded FROM bloom_typmod;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made_of'::regclass AND attnum > 0 ORDER BY attnum;
CREATE VIEW bloom_typmod_view AS SELECT day, seen, guava::bloom AS guava, bloom_empty(9)::bloom(9, 0.1, 'classic') AS fresh FROM bloom_typmod;
SELECT substring(pg_get_viewdef('bloom_typmod_view') FROM '::double precision\)+::bloom\([^ ]*') AS in_view;
SELECT bloom_cardinality(bloom_merge_agg(seen)) AS seen FROM bloom_typmod_view;
DROP VIEW bloom_typmod_view;

-- ---------- ALTER TABLE, defaults ----------
ALTER TABLE bloom_typmod ADD weekly bloom(100) DEFAULT bloom_empty(100);
ALTER TABLE bloom_typmod ADD monthly bloom(100) DEFAULT bloom_empty(200);
UPDATE bloom_typmod SET weekly = bloom_add(weekly, 1) WHERE day = 2;
SELECT day, weekly FROM bloom_typmod WHERE day < 3 ORDER BY day;
ALTER TABLE bloom_typmod ALTER seen TYPE bloom(2000);
ALTER TABLE bloom_typmod ALTER seen TYPE bloom(999);
ALTER TABLE bloom_typmod ALTER seen TYPE bloom;
ALTER TABLE bloom_typmod ALTER seen TYPE bloom(1000);
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'bloom_typmod'::regclass AND attname IN ('seen', 'weekly') ORDER BY attnum;

-- ---------- domains, variables ----------
CREATE DOMAIN seen AS bloom(1000, 0.001) CHECK ((bloom_info(VALUE)).status <> 'over capacity');
CREATE TEMP TABLE by_domain (f seen);
INSERT INTO by_domain SELECT bloom_agg(i, 1000, 0.001) FROM generate_series(1, 1000) i;
INSERT INTO by_domain SELECT bloom_agg(i, 1000, 0.001) FROM generate_series(1, 1500) i;
INSERT INTO by_domain SELECT bloom_agg(i, 1000) FROM generate_series(1, 10) i;
SELECT bloom_empty(1)::seen = bloom_empty(1000, 0.001) AS folded;
SELECT bloom_cardinality(f) AS cardinality, bloom_cardinality(f || f) AS merged, bloom_cardinality(f & f) AS both, bloom_add(f, 1) = f AS added, f = f::bloom AS equal FROM by_domain;
DROP TABLE by_domain;
DROP DOMAIN seen;

DROP TABLE bloom_typmod;
