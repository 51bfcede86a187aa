-- Chains of layers from RedisBloom, and back
\set SHOW_CONTEXT never

-- BF.RESERVE k 0.01 10, five values: one layer (as in bloom_foreign)
CREATE TEMP TABLE vector (name text, b bytea);
INSERT INTO vector VALUES ('five', '\x05000000000000000100000005000000020000001000000000000000800000000000000005000000000000007b14ae47e17a743fe9862fb2350e2640080000000a0000000000000000'
        '2ca02b025803482a08e089182a041a04');
SELECT scalable_bloom_from_redis(b) AS s FROM vector;
SELECT i.* FROM vector, scalable_bloom_info(scalable_bloom_from_redis(b)) i;
SELECT scalable_bloom_contains_all(scalable_bloom_from_redis(b), '{foo,bar,hello,1,2}'::text[]) AS found, scalable_bloom_from_redis(b) @> 'none' AS none,
    scalable_bloom_from_redis(b, 'bytea') @> 'foo'::bytea AS bytea, scalable_bloom_to_redis(scalable_bloom_from_redis(b)) = bloom_to_redis(bloom_from_redis(b)) AS as_bloom FROM vector;

-- it grows as RedisBloom does: twice the capacity, half the rate
CREATE TEMP TABLE chain AS SELECT scalable_bloom_add_all(scalable_bloom_from_redis(b), ARRAY(SELECT 'v' || i FROM generate_series(1, 500) i)) AS s FROM vector;
SELECT layer, capacity, items, layer_rate, bits, hashes, status, family FROM chain, scalable_bloom_info(s) ORDER BY layer;
SELECT bool_and(s @> ('v' || i)) AS all_found, bool_and(s @> 'foo') AS old_ones FROM chain, generate_series(1, 500) i;
SELECT abs(count(*) - 20000 * scalable_bloom_false_positive_rate(s)) < 5 * sqrt(200) AS as_estimated FROM chain, generate_series(1, 20000) i WHERE s @> ('other' || i) GROUP BY s;

-- out: its head, and in again
SELECT substr(scalable_bloom_to_redis(s), 9, 12) AS layers_options_growth, octet_length(scalable_bloom_to_redis(s)) = 20 + (SELECT sum(53 + bits / 8) FROM scalable_bloom_info(s)) AS length,
    scalable_bloom_from_redis(scalable_bloom_to_redis(s)) = s AS again FROM chain;
SELECT scalable_bloom_to_redis(scalable_bloom_from_redis(scalable_bloom_to_redis(s))) = scalable_bloom_to_redis(s) AS twice FROM chain;
SELECT s || scalable_bloom_from_redis(b) = s AS union_of_older, scalable_bloom_merge_agg(s) = s AS merge_agg FROM chain, vector GROUP BY s, b;
SELECT scalable_bloom_from_redis(NULL) IS NULL AS null_in, scalable_bloom_to_redis(NULL) IS NULL AS null_out;

-- without values: the parameters are kept; NONSCALING: full is full
SELECT scalable_bloom_from_redis(set_byte(set_byte(substr(b, 1, 73), 0, 0), 36, 0) || decode(repeat('00', 16), 'hex'))::bytea AS empty FROM vector;
SELECT scalable_bloom_add_all(scalable_bloom_from_redis(set_byte(b, 12, 13)), ARRAY(SELECT 'v' || i FROM generate_series(1, 30) i)) FROM vector;

-- refused
SELECT scalable_bloom_from_redis('\x');
SELECT scalable_bloom_from_redis(substr(b, 1, 80)) FROM vector;
SELECT scalable_bloom_from_redis(set_byte(b, 12, 1)) FROM vector;
SELECT scalable_bloom_from_redis(set_byte(b, 12, 255)) FROM vector;
SELECT scalable_bloom_from_redis(b, 'int') FROM vector;
SELECT scalable_bloom_to_redis(scalable_bloom_agg('foo'::text));
SELECT scalable_bloom_from_redis(b) || scalable_bloom_agg('foo'::text) FROM vector GROUP BY b;
SELECT scalable_bloom_add(scalable_bloom_from_redis(b), 1) FROM vector;
SELECT scalable_bloom_from_redis(b) @> 1 FROM vector;
SELECT scalable_bloom_from_redis(b)::scalable_bloom(10, 0.01) IS NULL FROM vector;
SELECT bloom_from_redis(scalable_bloom_to_redis(s)) FROM chain;
