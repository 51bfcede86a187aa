-- Canonical bytes of any size are hashed as they come: the same hash as that of the bytes in one piece, at the sizes
-- where the buffers of src/server/hash/byte_sink.c are full (256 bytes to 8 kB, 64 kB, 1 MB)
CREATE FUNCTION pg_temp.h1(bytes bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || string_agg(lpad(to_hex(get_byte(h, 7 - i)), 2, '0'), '' ORDER BY i))::bit(64)::bigint FROM murmur3_x64_128(bytes) h, generate_series(0, 7) i
$$;
CREATE FUNCTION pg_temp.le32(n bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT set_byte(set_byte(set_byte(set_byte('\x00000000'::bytea, 0, (n & 255)::int), 1, (n >> 8 & 255)::int), 2, (n >> 16 & 255)::int), 3, (n >> 24 & 255)::int)
$$;
-- an array of one dimension: 1; its length, 1; each element behind its length
CREATE FUNCTION pg_temp.array_bytes(n bigint, elements bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT '\x01' || pg_temp.le32(n) || pg_temp.le32(1) || elements
$$;
-- a column of a record: its kind, its length, its bytes
CREATE FUNCTION pg_temp.column_bytes(kind bytea, bytes bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT kind || pg_temp.le32(length(bytes)) || bytes
$$;
-- lengths of canonical bytes to try, around each of these sizes
CREATE TEMP TABLE size AS SELECT around, around + d AS bytes FROM unnest(ARRAY[256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 1048576]) around, generate_series(-34, 34) d WHERE around <= 65536 OR d % 11 = 0;

-- an array of one text, which is appended at once: 13 bytes before it
SELECT around, count(*) AS sizes, bool_and(probds_hash(ARRAY[t]) = pg_temp.h1(pg_temp.array_bytes(1, pg_temp.le32(bytes - 13) || t::bytea))) AS same
FROM size, repeat('x', bytes - 14) x, LATERAL (SELECT x || 'y' AS t) y GROUP BY around ORDER BY around;
-- numbers, which come by 12 bytes
SELECT around, count(*) AS sizes, bool_and(probds_hash(a) = pg_temp.h1(pg_temp.array_bytes(n, e))) AS same
FROM (SELECT DISTINCT around, bytes / 12 AS n FROM size) s, LATERAL (SELECT array_agg(i::smallint) AS a, string_agg('\x08000000' || pg_temp.le32(i) || '\x00000000', '' ORDER BY i) AS e FROM generate_series(1, least(n, 6000)) i) q
WHERE around <= 65536 GROUP BY around ORDER BY around;
-- short texts, a NULL among them
SELECT around, count(*) AS sizes, bool_and(probds_hash(a) = pg_temp.h1(pg_temp.array_bytes(n, e))) AS same
FROM (SELECT DISTINCT around, bytes / 9 AS n FROM size) s, LATERAL (SELECT array_agg(CASE WHEN i % 7 > 0 THEN repeat('z', i % 11) END ORDER BY i) AS a, string_agg(CASE WHEN i % 7 > 0 THEN pg_temp.le32(i % 11) || repeat('z', i % 11)::bytea ELSE '\xffffffff' END, '' ORDER BY i) AS e FROM generate_series(1, n) i) q
WHERE around <= 65536 GROUP BY around ORDER BY around;
-- within a record, and that within another: their length comes first, so that large parts are made twice
SELECT around, count(*) AS sizes, bool_and(probds_hash(ROW(ARRAY[t])) = pg_temp.h1(pg_temp.column_bytes('\x82', b))) AS record,
    bool_and(probds_hash(ROW(ROW(ARRAY[t], 1), t)) = pg_temp.h1(pg_temp.column_bytes('\x14', pg_temp.column_bytes('\x82', b) || pg_temp.column_bytes('\x01', '\x0100000000000000')) || pg_temp.column_bytes('\x02', t::bytea))) AS nested,
    bool_and(probds_hash(ARRAY[ROW(ARRAY[t])]) = pg_temp.h1(pg_temp.array_bytes(1, pg_temp.le32(length(pg_temp.column_bytes('\x82', b))) || pg_temp.column_bytes('\x82', b)))) AS array
FROM size, repeat('x', bytes - 31) x, LATERAL (SELECT x || 'y' AS t) y, LATERAL (SELECT pg_temp.array_bytes(1, pg_temp.le32(length(t)) || t::bytea) AS b) z GROUP BY around ORDER BY around;
-- jsonb: strings, and numbers, which are kept until their length is known
SELECT around, count(*) AS sizes, bool_and(probds_hash(to_jsonb(t)) = pg_temp.h1('\x22' || pg_temp.le32(bytes - 5) || t::bytea)) AS string,
    bool_and(probds_hash(jsonb_build_array(t, 1.5)) = pg_temp.h1('\x5b' || pg_temp.le32(2) || '\x22' || pg_temp.le32(bytes - 5) || t::bytea || '\x230700000001000001008813')) AS array
FROM size, repeat('x', bytes - 6) x, LATERAL (SELECT x || 'y' AS t) y GROUP BY around ORDER BY around;
SELECT digits, probds_hash(n) = pg_temp.h1(b) AS numeric, probds_hash(ARRAY[n, 1]) = pg_temp.h1(pg_temp.array_bytes(2, pg_temp.le32(length(b)) || b || '\x080000000100000000000000')) AS array, probds_hash(to_jsonb(n)) = pg_temp.h1('\x23' || pg_temp.le32(length(b)) || b) AS jsonb
FROM unnest(ARRAY[250, 2000, 8186, 8187, 8188, 32000]) digits, LATERAL (SELECT repeat('1234', digits)::numeric AS n, '\x01' || set_byte(set_byte('\x0000'::bytea, 0, digits - 1 & 255), 1, digits - 1 >> 8) || decode(repeat('d204', digits), 'hex') AS b) q;
-- one call site, large and small by turns
SELECT count(*), bool_and(probds_hash(ARRAY[t]) = pg_temp.h1(pg_temp.array_bytes(1, pg_temp.le32(length(t)) || t::bytea))) AS same FROM (SELECT repeat('x', CASE i % 4 WHEN 0 THEN 1 WHEN 1 THEN 100000 WHEN 2 THEN 300 ELSE 1200000 END + i) AS t FROM generate_series(1, 12) i) q;
SELECT count(*), bool_and(probds_hash(ROW(ARRAY[t])) = pg_temp.h1(pg_temp.column_bytes('\x82', pg_temp.array_bytes(1, pg_temp.le32(length(t)) || t::bytea)))) AS same FROM (SELECT repeat('x', CASE i % 4 WHEN 0 THEN 1 WHEN 1 THEN 100000 WHEN 2 THEN 300 ELSE 1200000 END + i) AS t FROM generate_series(1, 12) i) q;
