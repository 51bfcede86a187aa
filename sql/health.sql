-- What the sketches in a database are, and whether they can be trusted
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE SCHEMA clinic;
CREATE TABLE clinic.good (id int, f bloom(1000), h hll(12), n int);
INSERT INTO clinic.good SELECT g, (SELECT bloom_agg(i, 1000) FROM generate_series(1, 500) i), (SELECT hll_agg(i, 12) FROM generate_series(1, 5000) i) FROM generate_series(1, 3) g;
INSERT INTO clinic.good VALUES (4);
-- filters that are as full as they may be, and fuller
CREATE TABLE clinic."Too full" ("The filter" bloom);
INSERT INTO clinic."Too full" SELECT bloom_agg(i, 1000) FROM generate_series(1, 400) i;
INSERT INTO clinic."Too full" SELECT bloom_agg(i, 1000) FROM generate_series(1, 1000) i;
INSERT INTO clinic."Too full" SELECT bloom_agg(i, 1000) FROM generate_series(1, 2000) i;
INSERT INTO clinic."Too full" SELECT bloom_agg(i, 1000) FROM generate_series(1, 4000) i;
-- what cannot be merged, or not without loss
CREATE TABLE clinic.counts (c cms, t topk);
INSERT INTO clinic.counts SELECT cms_agg(i, 0.01, 0.01), topk_agg(i % 5000, 10) FROM generate_series(1, 20000) i;
INSERT INTO clinic.counts SELECT cms_agg(i, 0.001, 0.01), topk_agg(i % 100, 20) FROM generate_series(1, 20000) i;
INSERT INTO clinic.counts SELECT cms_agg_conservative(i), topk_agg(i % 100, 20) FROM generate_series(1, 20000) i;
INSERT INTO clinic.counts SELECT cms_empty(), topk_empty();
CREATE TABLE clinic.mixed (h hll, f bloom, k hll);
INSERT INTO clinic.mixed SELECT hll_agg(i, 10), bloom_agg(i, 100), hll_agg(i) FROM generate_series(1, 50) i;
INSERT INTO clinic.mixed SELECT hll_agg(i, 14), bloom_agg(i, 200), hll_agg(i::text) FROM generate_series(1, 50) i;
INSERT INTO clinic.mixed SELECT hll_agg(i, 14), bloom_agg(i, 200, 0.001), hll_empty() FROM generate_series(1, 50) i;
-- what can: filters that have grown, and that have counted as far as they can, have the same parameters
CREATE TABLE clinic.grown (s scalable_bloom, c counting_bloom);
INSERT INTO clinic.grown VALUES (scalable_bloom_add_all(scalable_bloom_empty(100), ARRAY(SELECT generate_series(1, 50))), counting_bloom_add(counting_bloom_empty(100), 1));
INSERT INTO clinic.grown SELECT scalable_bloom_add_all(scalable_bloom_empty(100), ARRAY(SELECT generate_series(1, 500))), counting_bloom_agg(1, 100) FROM generate_series(1, 20);
-- no rows, no privilege, no table
CREATE TABLE clinic.empty (h hll, f bloom);
CREATE VIEW clinic.is_no_table AS TABLE clinic.good;
CREATE MATERIALIZED VIEW clinic.kept AS SELECT h FROM clinic.good;
CREATE MATERIALIZED VIEW clinic.not_yet AS SELECT h FROM clinic.good WITH NO DATA;
CREATE TABLE clinic.parted (id int, h hll) PARTITION BY RANGE (id);
CREATE TABLE clinic.parted_1 PARTITION OF clinic.parted FOR VALUES FROM (1) TO (10);
INSERT INTO clinic.parted SELECT 1, hll_agg(1);

SELECT sketch_column, type, sketches, bytes, parameters FROM probds_health() WHERE sketch_column ~ 'clinic';
SELECT sketch_column, type, round(fill::numeric, 3) AS fill, round(false_positive_rate::numeric, 4) AS rate, round(error::numeric, 5) AS error, status, remark
FROM probds_health() WHERE sketch_column ~ 'clinic';
-- blocks of a table, or none of them
SELECT count(*) AS columns, bool_and(sketches <= 4) AS no_more FROM probds_health(0.1) WHERE sketch_column ~ 'clinic';
SELECT probds_health(0);
SELECT probds_health(101);
SELECT probds_health('NaN');
-- one value that is damaged is one in its column's row; the rows of a child are the child's
CREATE FUNCTION unchecked(cstring) RETURNS hll LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE TABLE clinic.sick (h hll);
INSERT INTO clinic.sick SELECT hll_agg(i) FROM generate_series(1, 100) i;
INSERT INTO clinic.sick SELECT unchecked('\x0102');
INSERT INTO clinic.sick SELECT unchecked('\xffffffffffffffff');
INSERT INTO clinic.sick SELECT hll_agg(i) FROM generate_series(1, 200) i;
CREATE TABLE clinic.child () INHERITS (clinic.sick);
INSERT INTO clinic.child SELECT hll_agg(i) FROM generate_series(1, 50) i;
SELECT sketch_column, sketches, parameters, status, remark FROM probds_health() WHERE sketch_column ~ 'clinic\.(sick|child)';
DROP TABLE clinic.sick CASCADE;
DROP FUNCTION unchecked(cstring);
-- filters that are each of another size
CREATE TABLE clinic.each (f bloom);
INSERT INTO clinic.each SELECT bloom_empty(1000 + i, 0.01, 'classic') FROM generate_series(1, 100000) i;
SET statement_timeout = '30min';
SELECT sketches, parameters ~ '^1 x .*; 1 x .*; 1 x' AS three, remark FROM probds_health() WHERE sketch_column = 'clinic.each.f';
RESET statement_timeout;
DROP TABLE clinic.each;
-- what one may see
CREATE ROLE regress_probds_nurse;
GRANT USAGE ON SCHEMA clinic TO regress_probds_nurse;
GRANT SELECT (h) ON clinic.good TO regress_probds_nurse;
SET ROLE regress_probds_nurse;
SELECT sketch_column, sketches FROM probds_health() WHERE sketch_column ~ 'clinic';
RESET ROLE;
DROP SCHEMA clinic CASCADE;
DROP ROLE regress_probds_nurse;
