-- cms(0.001, 0.01): a promise about epsilon and delta
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- every form ----------
CREATE TABLE cms_typmod (day int, pages cms(0.001), words cms(0.01, 0.05), small cms(0.5, 0.5), large cms(0.000001, 0.001), "any" cms);
\d cms_typmod
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'cms_typmod'::regclass AND attnum > 0 AND atttypid <> 'int'::regtype ORDER BY attnum;
-- what is printed means the same when it is read again
SELECT count(shown) AS modifiers, bool_and(shown = modifier) AS same FROM unnest('{0.999,0.5,0.333,0.1,0.05,0.01,0.0123,0.001,0.0001,1e-05,1e-09}'::float8[]) e, unnest('{0.999,0.5,0.333,0.1,0.05,0.01,0.0123,0.001,0.0001,1e-05,1e-09}'::float8[]) d,
    format('cms(%s,%s)', e, d) modifier, pg_temp.shown(modifier) shown;

-- ---------- what fits ----------
INSERT INTO cms_typmod (day, pages, words) SELECT 1, cms_agg(i), cms_agg(i, 0.01, 0.05) FROM generate_series(1, 5) i;
INSERT INTO cms_typmod (day, pages, small, large) VALUES (2, cms_empty(), cms_empty(0.5, 0.5), cms_empty(0.000001, 0.001)), (3, NULL, NULL, NULL);
INSERT INTO cms_typmod (day, pages) VALUES (4, 'MQAAAAUJB4UDnwoAAA=='), (5, '\x3100000005090785039f0a0000');
-- conservative or not is no part of the promise
INSERT INTO cms_typmod (day, pages) SELECT 6, cms_agg_conservative(i) FROM generate_series(1, 5) i;
SELECT day, pages -> 3 AS pages, words -> 3 AS words, (cms_info(large)).width AS large, (cms_info(pages)).conservative FROM cms_typmod ORDER BY day;

-- ---------- what does not ----------
INSERT INTO cms_typmod (pages) VALUES (cms_add(cms_empty(0.002), 1));
INSERT INTO cms_typmod (pages) VALUES (cms_empty(0.001, 0.02));
INSERT INTO cms_typmod (words) SELECT cms_agg(i) FROM generate_series(1, 5) i;
INSERT INTO cms_typmod (pages) VALUES ('MQAAAAMBAAEAHAAAAA==');
UPDATE cms_typmod SET pages = words WHERE day = 1;
SELECT count(*) FROM cms_typmod;

-- ---------- an explicit cast: to a larger delta, by forgetting rows; what is empty can be made any other ----------
SELECT cms_agg(i)::cms(0.001, 0.1) = cms_agg(i, 0.001, 0.1) AS few, cms_agg_weighted(i % 5000, i)::cms(0.001, 0.1) = cms_agg_weighted(i % 5000, i, 0.001, 0.1) AS many, cms_agg(i)::cms(0.001, 0.02) = cms_agg(i, 0.001, 0.02) AS one_row_less,
    cms_agg(i)::cms(0.001, 0.999) = cms_agg(i, 0.001, 0.999) AS one_row, cms_agg(i)::cms(0.001) = cms_agg(i) AS nothing_to_do FROM generate_series(1, 20000) i;
SELECT n, cms_agg_weighted(i, i % 3, 0.01, 1e-9)::cms(0.01, 0.01) = cms_agg_weighted(i, i % 3, 0.01, 0.01) AS folded FROM unnest(ARRAY[1, 20, 3000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;
-- a delta that has as many rows
SELECT cms_agg(i)::cms(0.001, 0.0101) = cms_agg(i, 0.001, 0.0101) AS same_rows, (cms_info(cms_agg(i)::cms(0.001, 0.0101))).delta FROM generate_series(1, 10) i;
SELECT cms_empty()::cms(0.5, 0.001) = cms_empty(0.5, 0.001) AS empty, cms_empty(0.5, 0.5)::cms(0.001) = cms_empty() AS more, CAST(cms_empty() AS cms(0.1, 0.1)) = cms_empty(0.1, 0.1) AS cast_as, NULL::cms(0.1, 0.1) IS NULL AS null;
SELECT cms_agg(i)::cms(0.002) FROM generate_series(1, 10) i;
SELECT cms_agg(i)::cms(0.001, 0.001) FROM generate_series(1, 10) i;
SELECT 'MQAAAAUJB4UDnwoAAA=='::cms(0.1, 0.1) = cms_empty(0.1, 0.1) AS literal, '{MQAAAAMBAAEAHAAAAA==,NULL}'::cms(0.1, 0.1)[], cms(0.1, 0.1) 'MQAAAAMBAAEAHAAAAA==';

-- ---------- results have no modifier, columns made of columns do ----------
CREATE TEMP TABLE made_of AS SELECT pages, pages || pages AS merged, cms_empty()::cms(0.1, 0.1) AS folded FROM cms_typmod;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made_of'::regclass AND attnum > 0 ORDER BY attnum;

-- ---------- ALTER TABLE, defaults ----------
ALTER TABLE cms_typmod ADD weekly cms(0.1, 0.1) DEFAULT cms_empty(0.1, 0.1);
ALTER TABLE cms_typmod ADD monthly cms(0.1) DEFAULT cms_empty();
UPDATE cms_typmod SET weekly = cms_add(weekly, 1) WHERE day = 2;
SELECT day, weekly FROM cms_typmod WHERE day < 3 ORDER BY day;
ALTER TABLE cms_typmod ALTER pages TYPE cms(0.002);
ALTER TABLE cms_typmod ALTER pages TYPE cms;
ALTER TABLE cms_typmod ALTER pages TYPE cms(0.001);
ALTER TABLE cms_typmod ALTER words TYPE cms(0.01, 0.3) USING words::cms(0.01, 0.3);
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'cms_typmod'::regclass AND attname IN ('pages', 'words', 'weekly') ORDER BY attnum;

-- ---------- domains, variables ----------
CREATE DOMAIN pages AS cms(0.01, 0.01) CHECK (cms_total(VALUE) < 1000);
CREATE TEMP TABLE by_domain (c pages);
INSERT INTO by_domain SELECT cms_agg(i, 0.01, 0.01) FROM generate_series(1, 999) i;
INSERT INTO by_domain SELECT cms_agg(i, 0.01, 0.01) FROM generate_series(1, 1000) i;
INSERT INTO by_domain SELECT cms_agg(i) FROM generate_series(1, 10) i;
SELECT c -> 1 >= 1 AS asked, cms_total(c) AS total, cms_total(c || c) AS merged, cms_subtract(c, c) = cms_empty(0.01) AS subtracted, cms_total(cms_add(c, 1)) AS added FROM by_domain;
DROP TABLE by_domain;
DROP DOMAIN pages;

DROP TABLE cms_typmod;
