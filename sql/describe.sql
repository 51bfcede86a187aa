-- probds_describe(): one line for people, of any type
CREATE TEMP TABLE described AS
SELECT hll_agg('visitor ' || i) AS hll, bloom_agg(i, 20000) AS bloom, bloom_agg(i, 5000, 0.001, 'classic') AS over,
    cms_agg(i % 100) AS cms, topk_agg(i % 30, 5) AS topk, topk_agg('word ' || i % 3000, 10, 100) AS few,
    minhash_agg(i % 500) AS minhash, counting_bloom_agg(i, 20000) AS counting, cuckoo_agg(i, 20000) AS cuckoo,
    scalable_bloom_agg(i) AS scalable
FROM generate_series(1, 10000) i;
SELECT probds_describe(hll) AS hll, probds_describe(bloom) AS bloom, probds_describe(over) AS over,
    probds_describe(cms) AS cms, probds_describe(topk) AS topk, probds_describe(few) AS few,
    probds_describe(minhash) AS minhash, probds_describe(counting) AS counting,
    probds_describe(cuckoo) AS cuckoo, probds_describe(scalable) AS scalable
FROM described \gx
SELECT probds_describe(hll_empty(11)), probds_describe(bloom_empty(1000)), probds_describe(cms_empty()), probds_describe(NULL::topk);
SELECT probds_describe(hll_from_redis('\x48594c4c0100000000000000000000007fff'));
-- every digit of a total
SELECT probds_describe(cms_agg_weighted(1, 9223372036854775807));
-- any sketch, also of a domain over a domain; a type of the same name is none
CREATE SCHEMA others;
CREATE DOMAIN others.visitors AS hll;
CREATE DOMAIN others.bloom AS others.visitors;
CREATE DOMAIN others.hll AS bigint;
CREATE TYPE others.cms AS ENUM ('few', 'many');
CREATE TYPE others.topk AS (total bigint);
CREATE TABLE others.described AS SELECT hll_empty(11)::others.bloom AS h, bloom_empty(1000) AS b;
SELECT probds_describe(h) AS h, probds_describe(b) AS b, probds_describe(NULL) AS nothing, probds_describe(NULL::int) AS none FROM others.described;
SELECT probds_describe('MQAAAAsAAAA=');
SELECT probds_describe('x'::text);
SELECT probds_describe(1::others.hll);
SELECT probds_describe('few'::others.cms);
SELECT probds_describe(ROW(1)::others.topk);
SELECT probds_describe(ARRAY[hll_empty()]);
SELECT probds_describe(d) FROM others.described d;
CREATE INDEX ON others.described (probds_describe(b));
PREPARE describe AS SELECT probds_describe($1);
SELECT split_part(sketch_column, '.', 3) AS of, type, sketches FROM probds_health() WHERE sketch_column LIKE 'others.%';
SET client_min_messages = warning;
DROP SCHEMA others CASCADE;

-- an enum that has become a member: its number was once read as a pointer, and the server crashed
CREATE SCHEMA fake;
CREATE TYPE fake.hll AS ENUM ('a');
ALTER EXTENSION probds ADD TYPE fake.hll;
SELECT probds_describe('a'::fake.hll);
ALTER EXTENSION probds DROP TYPE fake.hll;
DROP SCHEMA fake CASCADE;
