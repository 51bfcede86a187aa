-- minhash(128): a promise about k

CREATE TABLE minhash_typmod (day int, visitors minhash(128), tiny minhash(16));
\d minhash_typmod
SELECT format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'minhash_typmod'::regclass AND atttypmod >= 0 ORDER BY attnum;

-- ---------- what fits ----------
INSERT INTO minhash_typmod SELECT 1, minhash_agg(i), minhash_agg(i, 16) FROM generate_series(1, 5) i;
INSERT INTO minhash_typmod VALUES (2, minhash_empty(), minhash_empty(16)), (3, 'gQEBBwGVTJ0A', '\x810101040195a913'), (4, NULL, NULL);
SELECT day, visitors, #visitors AS cardinality, #tiny AS tiny FROM minhash_typmod ORDER BY day;

-- ---------- what does not ----------
INSERT INTO minhash_typmod (visitors) VALUES (minhash_add(minhash_empty(64), 1));
INSERT INTO minhash_typmod (visitors) SELECT minhash_agg(i, 1024) FROM generate_series(1, 5) i;
INSERT INTO minhash_typmod (visitors) VALUES (minhash_empty(64));
INSERT INTO minhash_typmod (visitors) VALUES ('gQEBBgEVpk4A');
UPDATE minhash_typmod SET tiny = visitors WHERE visitors IS NOT NULL;
UPDATE minhash_typmod SET visitors = visitors || tiny WHERE day = 1;
COPY minhash_typmod FROM STDIN;
5	gQEBBgEVpk4A	\N
\.
\set VERBOSITY sqlstate
INSERT INTO minhash_typmod (visitors) VALUES (minhash_add(minhash_empty(64), 1));
UPDATE minhash_typmod SET tiny = visitors WHERE visitors IS NOT NULL;
\set VERBOSITY default
SELECT count(*) FROM minhash_typmod;

-- COPY of what fits
COPY minhash_typmod TO STDOUT;
COPY minhash_typmod FROM STDIN;
5	gQEBBwGVTJ0A	\\x810101040195a913
\.
SELECT #visitors AS visitors, #tiny AS tiny FROM minhash_typmod WHERE day = 5;

-- ---------- an explicit cast folds ----------
SELECT (minhash_info(visitors::minhash(64))).k, visitors::minhash(64) = (SELECT minhash_agg(i, 64) FROM generate_series(1, 5) i) AS as_built, (visitors::minhash(16))::minhash(16) = tiny AS twice,
    visitors::minhash(128) = visitors AS nothing_to_do, CAST(visitors AS minhash(32))::text = visitors::minhash(32)::text AS cast_as
FROM minhash_typmod WHERE day = 1;
UPDATE minhash_typmod SET tiny = visitors::minhash(16) WHERE day = 2;
INSERT INTO minhash_typmod (visitors) SELECT minhash_agg(i, 1024)::minhash(128) FROM generate_series(1, 100) i;
-- not upwards, but for an empty one
SELECT tiny::minhash(128) FROM minhash_typmod WHERE day = 1;
SELECT tiny::minhash(128) FROM minhash_typmod WHERE day = 2;
SELECT minhash_empty(16)::minhash(128) = minhash_empty(128) AS empty, NULL::minhash(128) IS NULL AS null;
-- dense ones too
SELECT minhash_agg(i)::minhash(32) = minhash_agg(i, 32) AS dense, minhash_agg(i)::minhash(16) = minhash_agg(i, 16) AS smallest FROM generate_series(1, 20000) i;
-- literals, arrays
SELECT 'gQEBBwGVTJ0A'::minhash(64), '{gQEBBwGVTJ0A,NULL}'::minhash(64)[], ARRAY[minhash_add(minhash_empty(), 1)]::minhash(64)[], minhash(128) 'gQEBBwGVTJ0A';
SELECT ARRAY[minhash_add(minhash_empty(16), 1)]::minhash(64)[];

-- ---------- results have no modifier, columns made of columns do ----------
CREATE TEMP TABLE made_of AS SELECT visitors, visitors || visitors AS merged, visitors::minhash(32) AS folded FROM minhash_typmod WHERE visitors IS NOT NULL;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made_of'::regclass AND attnum > 0 ORDER BY attnum;
CREATE TEMP VIEW a_view AS SELECT day, visitors, tiny::minhash FROM minhash_typmod;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'a_view'::regclass AND attnum > 0 ORDER BY attnum;
SELECT #minhash_merge_agg(visitors) AS visitors FROM a_view;
DROP VIEW a_view;

-- ---------- ALTER TABLE ----------
ALTER TABLE minhash_typmod ADD weekly minhash(128) DEFAULT minhash_empty();
ALTER TABLE minhash_typmod ADD monthly minhash(64) DEFAULT minhash_empty();
ALTER TABLE minhash_typmod ADD monthly minhash(64) DEFAULT minhash_empty(64);
UPDATE minhash_typmod SET weekly = minhash_add(weekly, 1), monthly = minhash_add(monthly, 1) WHERE day = 2;
SELECT day, weekly, monthly FROM minhash_typmod WHERE day < 3 ORDER BY day;
ALTER TABLE minhash_typmod ALTER visitors TYPE minhash(64);
ALTER TABLE minhash_typmod ALTER visitors TYPE minhash(64) USING visitors::minhash(64);
ALTER TABLE minhash_typmod ALTER tiny TYPE minhash;
ALTER TABLE minhash_typmod ALTER tiny TYPE minhash(16);
ALTER TABLE minhash_typmod ALTER weekly TYPE text;
\d minhash_typmod
ALTER TABLE minhash_typmod ALTER weekly DROP DEFAULT, ALTER weekly TYPE minhash(128) USING weekly::minhash;
SELECT (minhash_info(visitors)).k, count(*) FROM minhash_typmod WHERE visitors IS NOT NULL GROUP BY 1;
CREATE TEMP TABLE narrow (a text, b text);
INSERT INTO narrow VALUES ('gQEBBgEVpk4A', 'nothing');
ALTER TABLE narrow ALTER a TYPE minhash(64) USING a::minhash(64);
ALTER TABLE narrow ALTER b TYPE minhash USING b::minhash;

-- ---------- domains ----------
CREATE DOMAIN daily AS minhash(128) CHECK (#VALUE < 100);
CREATE TEMP TABLE by_domain (s daily);
INSERT INTO by_domain SELECT minhash_agg(i) FROM generate_series(1, 10) i;
INSERT INTO by_domain VALUES ('gQEBBwGVTJ0A');
INSERT INTO by_domain SELECT minhash_agg(i, 64) FROM generate_series(1, 10) i;
INSERT INTO by_domain VALUES ('gQEBBgEVpk4A');
INSERT INTO by_domain SELECT minhash_agg(i) FROM generate_series(1, 101) i;
SELECT minhash_add(minhash_empty(1024), 1)::daily, minhash_add(minhash_empty(64), 1)::daily;
SELECT minhash_add(minhash_empty(1024), 1)::daily;
SELECT #s AS cardinality, #(s || s) AS merged, #minhash_add(s, -1) AS added, minhash_jaccard(s, s) AS equal_to_itself, (minhash_info(s)).k, s = s::minhash AS equal FROM by_domain ORDER BY 1;
SELECT #minhash_merge_agg(s) AS merged FROM by_domain;
DROP TABLE by_domain;
DROP DOMAIN daily;

-- ---------- functions and variables ----------
DO $$
DECLARE
    s minhash(64);
BEGIN
    s := minhash_empty(64);
    s := minhash_add(s, 1);
    RAISE NOTICE '%', #s;
    s := minhash_empty(128);
EXCEPTION WHEN data_exception THEN
    RAISE NOTICE '%: %', SQLSTATE, SQLERRM;
END
$$;

-- ---------- bad modifiers ----------
CREATE TABLE bad (s minhash(8));
CREATE TABLE bad (s minhash(131072));
CREATE TABLE bad (s minhash(100));
CREATE TABLE bad (s minhash(128, 64));
CREATE TABLE bad (s minhash('precise'));
CREATE TABLE bad (s minhash(128.5));
SELECT NULL::minhash(-1);

-- ---------- functions called by name, with modifiers that nobody can write ----------
SELECT minhash(minhash_empty(), 8, true);
SELECT minhash(minhash_empty(), 100, false);
SELECT minhash_typmod_out(2147483647);
SELECT minhash_typmod_out(-2);
SELECT minhash_in(minhash_empty()::text::cstring, 0, 2147483647);
SELECT minhash(minhash_empty(), -1, true) = minhash_empty() AS none;
SELECT minhash_typmod_in('{{1,2},{3,4}}'::cstring[]);
SELECT minhash_typmod_in('{NULL}'::cstring[]);

DROP TABLE minhash_typmod;
