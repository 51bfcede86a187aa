-- hll(14): a promise about the precision

CREATE TABLE hll_typmod (day int, visitors hll(14), tiny hll(4));
\d hll_typmod
SELECT format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'hll_typmod'::regclass AND atttypmod >= 0 ORDER BY attnum;

-- ---------- what fits ----------
INSERT INTO hll_typmod SELECT 1, hll_agg(i), hll_agg(i, 4) FROM generate_series(1, 5) i;
INSERT INTO hll_typmod VALUES (2, hll_empty(), hll_empty(4)), (3, 'EQEBDgEqERcE', '\x11010104012a111704'), (4, NULL, NULL);
SELECT day, visitors, #visitors AS cardinality, #tiny AS tiny FROM hll_typmod ORDER BY day;

-- ---------- what does not ----------
INSERT INTO hll_typmod (visitors) VALUES (hll_add(hll_empty(12), 1));
INSERT INTO hll_typmod (visitors) SELECT hll_agg(i, 18) FROM generate_series(1, 5) i;
INSERT INTO hll_typmod (visitors) VALUES (hll_empty(12));
INSERT INTO hll_typmod (visitors) VALUES ('EQEBDAEqERcE');
UPDATE hll_typmod SET tiny = visitors WHERE visitors IS NOT NULL;
UPDATE hll_typmod SET visitors = visitors || tiny WHERE day = 1;
COPY hll_typmod FROM STDIN;
5	EQEBDAEqERcE	\N
\.
\set VERBOSITY sqlstate
INSERT INTO hll_typmod (visitors) VALUES (hll_add(hll_empty(12), 1));
UPDATE hll_typmod SET tiny = visitors WHERE visitors IS NOT NULL;
\set VERBOSITY default
SELECT count(*) FROM hll_typmod;

-- COPY of what fits
COPY hll_typmod TO STDOUT;
COPY hll_typmod FROM STDIN;
5	EQEBDgEqERcE	\\x11010104012a111704
\.
SELECT #visitors AS visitors, #tiny AS tiny FROM hll_typmod WHERE day = 5;

-- ---------- an explicit cast folds ----------
SELECT (hll_info(visitors::hll(12))).precision_bits, visitors::hll(12) = hll_reduce(visitors, 12) AS as_reduced, (visitors::hll(4))::hll(4) = tiny AS twice,
    visitors::hll(14) = visitors AS nothing_to_do, CAST(visitors AS hll(10))::text = hll_reduce(visitors, 10)::text AS cast_as
FROM hll_typmod WHERE day = 1;
UPDATE hll_typmod SET tiny = visitors::hll(4) WHERE day = 2;
INSERT INTO hll_typmod (visitors) SELECT hll_agg(i, 18)::hll(14) FROM generate_series(1, 100) i;
-- not upwards, but for an empty one
SELECT tiny::hll(14) FROM hll_typmod WHERE day = 1;
SELECT tiny::hll(14) FROM hll_typmod WHERE day = 2;
SELECT hll_empty(4)::hll(14) = hll_empty(14) AS empty, NULL::hll(14) IS NULL AS null;
-- dense ones too
SELECT hll_agg(i)::hll(10) = hll_agg(i, 10) AS dense, hll_agg(i)::hll(4) = hll_agg(i, 4) AS smallest FROM generate_series(1, 20000) i;
-- literals, arrays
SELECT 'EQEBDgEqERcE'::hll(12), '{EQEBDgEqERcE,NULL}'::hll(12)[], ARRAY[hll_add(hll_empty(), 1)]::hll(12)[], hll(14) 'EQEBDgEqERcE';
SELECT ARRAY[hll_add(hll_empty(4), 1)]::hll(12)[];

-- ---------- results have no modifier, columns made of columns do ----------
CREATE TEMP TABLE made_of AS SELECT visitors, visitors || visitors AS merged, visitors::hll(11) AS folded FROM hll_typmod WHERE visitors IS NOT NULL;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made_of'::regclass AND attnum > 0 ORDER BY attnum;
CREATE TEMP VIEW a_view AS SELECT day, visitors, tiny::hll FROM hll_typmod;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'a_view'::regclass AND attnum > 0 ORDER BY attnum;
SELECT #hll_merge_agg(visitors) AS visitors FROM a_view;
DROP VIEW a_view;

-- ---------- ALTER TABLE ----------
ALTER TABLE hll_typmod ADD weekly hll(14) DEFAULT hll_empty();
ALTER TABLE hll_typmod ADD monthly hll(12) DEFAULT hll_empty();
ALTER TABLE hll_typmod ADD monthly hll(12) DEFAULT hll_empty(12);
UPDATE hll_typmod SET weekly = hll_add(weekly, 1), monthly = hll_add(monthly, 1) WHERE day = 2;
SELECT day, weekly, monthly FROM hll_typmod WHERE day < 3 ORDER BY day;
ALTER TABLE hll_typmod ALTER visitors TYPE hll(12);
ALTER TABLE hll_typmod ALTER visitors TYPE hll(12) USING visitors::hll(12);
ALTER TABLE hll_typmod ALTER tiny TYPE hll;
ALTER TABLE hll_typmod ALTER tiny TYPE hll(4);
ALTER TABLE hll_typmod ALTER weekly TYPE text;
\d hll_typmod
ALTER TABLE hll_typmod ALTER weekly DROP DEFAULT, ALTER weekly TYPE hll(14) USING weekly::hll;
SELECT (hll_info(visitors)).precision_bits, count(*) FROM hll_typmod WHERE visitors IS NOT NULL GROUP BY 1;
CREATE TEMP TABLE narrow (a text, b text);
INSERT INTO narrow VALUES ('EQEBDAEqERcE', 'nothing');
ALTER TABLE narrow ALTER a TYPE hll(12) USING a::hll(12);
ALTER TABLE narrow ALTER b TYPE hll USING b::hll;

-- ---------- domains ----------
CREATE DOMAIN daily AS hll(14) CHECK (#VALUE < 100);
CREATE TEMP TABLE by_domain (s daily);
INSERT INTO by_domain SELECT hll_agg(i) FROM generate_series(1, 10) i;
INSERT INTO by_domain VALUES ('EQEBDgEqERcE');
INSERT INTO by_domain SELECT hll_agg(i, 12) FROM generate_series(1, 10) i;
INSERT INTO by_domain VALUES ('EQEBDAEqERcE');
INSERT INTO by_domain SELECT hll_agg(i) FROM generate_series(1, 101) i;
SELECT hll_add(hll_empty(16), 1)::daily, hll_add(hll_empty(12), 1)::daily;
SELECT hll_add(hll_empty(16), 1)::daily;
SELECT #s AS cardinality, #(s || s) AS merged, #hll_add(s, -1) AS added, hll_error(s) < 0.001 AS precise, (hll_info(s)).precision_bits, s = s::hll AS equal FROM by_domain ORDER BY 1;
SELECT #hll_merge_agg(s) AS merged FROM by_domain;
DROP TABLE by_domain;
DROP DOMAIN daily;

-- ---------- functions and variables ----------
DO $$
DECLARE
    s hll(12);
BEGIN
    s := hll_empty(12);
    s := hll_add(s, 1);
    RAISE NOTICE '%', #s;
    s := hll_empty(14);
EXCEPTION WHEN data_exception THEN
    RAISE NOTICE '%: %', SQLSTATE, SQLERRM;
END
$$;

-- ---------- bad modifiers ----------
CREATE TABLE bad (s hll(3));
CREATE TABLE bad (s hll(19));
CREATE TABLE bad (s hll(12, 14));
CREATE TABLE bad (s hll('precise'));
CREATE TABLE bad (s hll(14.5));
SELECT NULL::hll(-1);

-- ---------- functions called by name, with modifiers that nobody can write ----------
SELECT hll(hll_empty(), 3, true);
SELECT hll(hll_empty(), 19, false);
SELECT hll_typmod_out(2147483647);
SELECT hll_typmod_out(-2);
SELECT hll_in(hll_empty()::text::cstring, 0, 2147483647);
SELECT hll(hll_empty(), -1, true) = hll_empty() AS none;
SELECT hll_typmod_in('{{1,2},{3,4}}'::cstring[]);
SELECT hll_typmod_in('{NULL}'::cstring[]);

DROP TABLE hll_typmod;
