-- probds_hll: postgresql-hll's functions over our hll, and its sketches and modifiers as input
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- input: what the type itself reads, without the add-on ----------
-- of all encodings, as text, bytea and binary; kind and precision
SELECT v, i.kind, i.precision_bits, i.encoding, i.cardinality, v::bytea::hll = s AS bytea, hll_from_storage_v1(v::bytea) = s AS imported
FROM unnest('{"\\x118b7f","\\x128b7f004403b7fb05c44a","\\x138b4015048944","\\x148400298680988119863288a2","\\x11917f"}'::text[]) v, CAST(v AS hll) s, hll_info(s) i;
-- postgresql-hll prints hexadecimal digits, and so base64 is never one of its sketches: this is EMPTY, and our own
SELECT pg_temp.try($$SELECT 'EYt/'::hll$$), 'EQAACw=='::hll = '\x118b7f' AS ours;
-- three bytes that are a header of ours, cut off, though they could be EMPTY of log2m 16 and regwidth 1
SELECT b, pg_temp.try(format('SELECT %L::hll', b)) FROM unnest('{"\\x111000","\\x113200","\\x110000"}'::text[]) b;
-- what is none of it, or cannot be held
SELECT b, pg_temp.try(format('SELECT %L::hll', b)) AS text, pg_temp.try(format('SELECT %L::bytea::hll', b)) AS bytea
FROM unnest('{"\\x108b7f","\\x118b7f00","\\x11837f","\\x12937f","\\x128bff","\\x128b7f11","\\x128b7f00000000000000020000000000000001","\\x138b7f00","\\x148b7f00","\\x158b7f"}'::text[]) b;
-- a third of the registers are as full as their width allows
SELECT pg_temp.try($$SELECT '\x142440ffff0000000000'::hll$$);
-- a sketch that was read takes hashes, and no values that are hashed here
SELECT #hll_add_hash('\x128b7f004403b7fb05c44a', probds_hash(1)) AS the_same, #hll_add_hash('\x128b7f004403b7fb05c44a', probds_hash(2)) AS another;
SELECT hll_add('\x128b7f004403b7fb05c44a'::hll, 1);
SELECT '\x128b7f004403b7fb05c44a'::hll || hll_agg(1);

-- ---------- modifiers ----------
CREATE TABLE hll_modified (a hll(11, 5, -1, 1), b hll(10, 4), c hll(12, 5, 64));
\d hll_modified
INSERT INTO hll_modified VALUES ('\x118b7f', '\x128a7f1111111111111111', hll_empty(12));
INSERT INTO hll_modified (a) VALUES ('\x118a7f');
COPY hll_modified FROM STDIN;
\\x128b7f004403b7fb05c44a	\\x118a7f	\N
\.
COPY hll_modified (a) FROM STDIN;
\\x118a7f
\.
SELECT #a AS a, #b AS b, #c AS c FROM hll_modified;
SELECT m, pg_temp.try(format('SELECT NULL::hll(%s)', m)) FROM unnest('{"3, 5, -1, 1","19, 5","11, 0","11, 8","11, 5, -2","11, 5, 4294967296","11, 5, -1, 2","11, 5, -1, 1, 1","11, x"}'::text[]) m;
DROP TABLE hll_modified;

-- ---------- hashes: those of postgresql-hll 2.17 ----------
CREATE EXTENSION probds_hll;
SELECT * FROM (VALUES ('boolean', hll_hash_boolean(true), '8849112093580131862'), ('smallint', hll_hash_smallint(100::smallint), '4631120266694327276'),
    ('integer', hll_hash_integer(-100), '-2771615523823720964'), ('bigint', hll_hash_bigint(100, -1), '-3574170890982389669'), ('bytea', hll_hash_bytea('\x4142'), '5365230931951287672'),
    ('text', hll_hash_text('AB', 7), '-2852110433700270352'), ('any integer', hll_hash_any(1), '-8604791237420463362'), ('any text', hll_hash_any('x'::text), '7860725293736722151'),
    ('any uuid', hll_hash_any('00000000-0000-0000-0000-000000000001'::uuid), '2589554819249504804'), ('any numeric', hll_hash_any(1.5), '2922243053111139450'),
    ('any macaddr', hll_hash_any('08:00:2b:01:02:03'::macaddr), '-4883882473551067169'), ('any "char"', hll_hash_any('a'::"char"), '-8839064797231613815'), ('any name', hll_hash_any('a'::name), '-8839064797231613815'),
    ('any smallint', hll_hash_any(2::smallint), '-8186993667123074056'), ('any interval', hll_hash_any('1 day'::interval), '-7542047338950817395')) v(what, hash, there)
WHERE hash::text <> there;
SELECT hll_hash_text('AB') = hll_hash_bytea('\x4142') AS text, hll_hash_boolean(false) = hll_hash_bytea('\x00') AS boolean, hll_hash_integer(0) = hll_hash_bytea('\x00000000') AS integer,
    hll_hash_bigint(1) = probds_hash(1)::hll_hashval AS bigint, hll_hash_bigint(1) <> hll_hash_bigint(1, 1) AS seed, hll_hash_any(true) = hll_hash_boolean(true) AS any_boolean,
    hll_hash_any(1::bigint, 5) = hll_hash_bigint(1, 5) AS any_bigint, hll_hash_any('\x00'::bytea) = hll_hash_bytea('\x00') AS any_bytea, hll_hash_text(NULL) IS NULL AS null;
SELECT hll_hash_any('x');
-- the whole of a large value
SELECT hll_hash_text(string_agg(md5(i::text), '')) = hll_hash_bytea(string_agg(md5(i::text), '')::bytea) AS large FROM generate_series(1, 10000) i;
SELECT '9223372036854775807'::hll_hashval, (-1)::hll_hashval, 5::bigint::hll_hashval, hll_hashval(7), hll_hashval_int4(-7);
SELECT v, pg_temp.try(format('SELECT %L::hll_hashval', v)) FROM unnest('{9223372036854775808,-9223372036854775809,"",x,1.5}'::text[]) v;
SELECT 1::numeric::hll_hashval;
CREATE TABLE hll_hashes AS SELECT i, hll_hash_integer(i) AS h FROM generate_series(1, 5000) i;
SELECT count(*) AS found FROM hll_hashes WHERE h = hll_hash_integer(7);

-- ---------- sketches ----------
SELECT hll_empty() = hll_empty(14) AS ours, hll_empty(11, 5) = '\x118b7f' AS two, hll_empty(11, 5, -1) = '\x118b7f' AS three, hll_empty(11, 4, 64, 0) = '\x118b7f' AS four;
SELECT pg_temp.try(format('SELECT hll_empty(%s)', a)) FROM unnest('{"3, 5","19, 5","11, 0","11, 8","11, 5, 3","11, 5, -2","11, 5, 16384","11, 5, -1, 2"}'::text[]) a;
SELECT hll_add(hll_empty(11), hll_hash_bigint(1)) = '\x128b7f004403b7fb05c44a' AS add, hll_add_rev(hll_hash_bigint(1), hll_empty(11)) = '\x128b7f004403b7fb05c44a' AS add_rev,
    hll_empty(11) || hll_hash_bigint(1) = '\x128b7f004403b7fb05c44a' AS operator, hll_hash_bigint(1) || hll_empty(11) = '\x128b7f004403b7fb05c44a' AS reverse,
    hll_add(NULL, hll_hash_bigint(1)) IS NULL AND hll_add(hll_empty(), NULL::hll_hashval) IS NULL AS null;
SELECT #hll_union('\x128b7f004403b7fb05c44a', hll_add(hll_empty(11), hll_hash_bigint(2))) AS union, hll_union(hll_empty(), NULL) IS NULL AS null,
    hll_eq('\x118b7f', hll_empty(11)) AS eq, hll_ne('\x118b7f', hll_empty(11)) AS ne;
-- an aggregate of hashes is one of values that are hashed alike here
SELECT hll_add_agg(hll_hash_bigint(i)) = hll_agg_hash(probds_hash(i), 11) AS one, hll_add_agg(hll_hash_bigint(i), 12) = hll_agg_hash(probds_hash(i), 12) AS two,
    hll_add_agg(hll_hash_bigint(i), 12, 5) = hll_agg_hash(probds_hash(i), 12) AS three, hll_add_agg(hll_hash_bigint(i), 12, 5, 64) = hll_agg_hash(probds_hash(i), 12) AS four,
    hll_add_agg(hll_hash_bigint(i), 12, NULL, NULL, NULL) = hll_agg_hash(probds_hash(i), 12) AS five
FROM generate_series(1, 1000) i;
SELECT hll_union_agg(s) = (SELECT hll_add_agg(h) FROM hll_hashes) AS union, #hll_union_agg(s) AS cardinality FROM (SELECT hll_add_agg(h) AS s FROM hll_hashes GROUP BY i % 7) q;
SELECT hll_add_agg(h) IS NULL AS of_no_rows, hll_union_agg(NULL) IS NULL AS union, (SELECT hll_add_agg(NULL)) = hll_empty(11) AS of_null FROM hll_hashes WHERE false;
SELECT pg_temp.try(format('SELECT hll_add_agg(h, %s) FROM hll_hashes', a)) FROM unnest('{3,19,NULL,i,"12, 0","12, 8","12, 5, 3","12, 5, -2","12, 5, -1, 2"}'::text[]) a;
SELECT _hll_hashval_step(NULL, hll_hash_integer(1));
SELECT i, #hll_add_agg(h) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS moving FROM hll_hashes WHERE i < 4;
SELECT count(*) AS groups, sum(#s) AS values FROM (SELECT hll_add_agg(hll_hash_integer(i), 12) AS s FROM generate_series(1, 30000) i GROUP BY i % 10000) q;
-- a parallel plan: the setting goes with it
CREATE TABLE hll_parallel WITH (parallel_workers = 2) AS SELECT i FROM generate_series(1, 20000) i;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET probds_hll.log2m = 13;
EXPLAIN (COSTS off) SELECT hll_add_agg(hll_hash_integer(i)) FROM hll_parallel;
SELECT hll_log2m(hll_add_agg(hll_hash_integer(i))) AS log2m, hll_add_agg(hll_hash_integer(i)) = hll_add_agg(hll_hash_integer(i), 13) AS equal FROM hll_parallel;
SELECT hll_union_agg(s) = (SELECT hll_add_agg(hll_hash_integer(i)) FROM hll_parallel) AS of_parts FROM (SELECT hll_add_agg(hll_hash_integer(i)) AS s FROM hll_parallel GROUP BY i % 3) q;
RESET probds_hll.log2m;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE hll_parallel;

-- ---------- what a sketch is, and settings ----------
SELECT v, hll_schema_version(v::hll) AS version, hll_type(v::hll) AS type, hll_log2m(v::hll) AS log2m, hll_regwidth(v::hll) AS regwidth, hll_expthresh(v::hll) AS expthresh, hll_sparseon(v::hll) AS sparseon, hll_print(v::hll) AS print
FROM unnest('{"\\x118b7f","\\x128b498895a3f5af28cafe","\\x138b400061","\\x14857f0840008001000020000008042000062884120021"}'::text[]) v;
SELECT hll_type(NULL) IS NULL AND hll_print(NULL) IS NULL AND hll_regwidth(NULL) IS NULL AS null;
SELECT * FROM hll_set_defaults(12, 4, 64, 0);
SHOW probds_hll.log2m;
SELECT * FROM hll_set_defaults(11, 5, -1, 1);
SELECT pg_temp.try(format('SELECT hll_set_defaults(%s)', a)) FROM unnest('{"3, 5, -1, 1","19, 5, -1, 1","11, 0, -1, 1","11, 5, 3, 1","11, 5, -1, 2"}'::text[]) a;
SET probds_hll.log2m = 3;
SELECT hll_set_max_sparse(256), hll_set_output_version(1);
BEGIN;
SELECT hll_set_defaults(16, 5, -1, 1);
ROLLBACK;
SELECT hll_log2m(hll_add_agg(h)) AS log2m_after_rollback FROM hll_hashes;

-- ---------- calls of probds mean what they meant ----------
PREPARE one AS SELECT hll_add(hll_empty(), $1) = hll_add(hll_empty(), 'x'::text);
EXECUTE one('x');
SELECT hll_add(hll_empty(), 'x') = hll_add(hll_empty(), 'x'::text) AS literal, hll_add(hll_empty(), 1) = hll_agg(1) AS number, hll_add(hll_empty(), NULL) = hll_empty() AS null, hll_empty() || '\x118b7f' = hll_empty(11) AS merged,
    hll_empty() || NULL = hll_empty() AS operator, hll_empty(precision_bits => 12) = hll_empty(12) AS named, hll_agg(1) || 'x'::text = hll_agg(1)::text || 'x' AS text, (hll_info(hll_add(hll_empty(), now()))).kind
WHERE '\x118b7f'::hll = hll_empty(11);
SELECT hll_agg(h) FROM hll_hashes;
SELECT hll_add(hll_agg(1), hll_hash_integer(1));

-- ---------- somebody else's functions of the same names, first in the path ----------
CREATE ROLE regress_hll_other;
CREATE SCHEMA hll_evil AUTHORIZATION regress_hll_other;
SET ROLE regress_hll_other;
CREATE FUNCTION hll_evil.hll_add(hll, hll_hashval) RETURNS hll LANGUAGE sql AS 'SELECT NULL::hll';
CREATE FUNCTION hll_evil.hll_info(hll, OUT encoding text, OUT precision_bits integer) LANGUAGE sql AS 'SELECT ''evil'', 0';
CREATE FUNCTION hll_evil.probds_describe(hll) RETURNS text LANGUAGE sql AS 'SELECT ''evil''';
CREATE FUNCTION hll_evil.texteq(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR hll_evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hll_evil.texteq);
SET search_path = hll_evil, public, pg_catalog;
SELECT hll_type(hll_empty(11)), hll_log2m(hll_empty(11)), hll_print(hll_empty(11)), hll_add_rev(hll_hash_integer(1), hll_empty(11)) IS NOT NULL AS add_rev, (hll_hash_integer(1) || hll_empty(11)) IS NOT NULL AS operator,
    #hll_add_agg(hll_hash_integer(1)) AS agg;
RESET search_path;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA hll_evil CASCADE;
RESET client_min_messages;
DROP ROLE regress_hll_other;

-- ---------- bytes of postgresql-hll, changed: a sketch that can be asked everything, or an error of the input ----------
CREATE FUNCTION pg_temp.mutant(good bytea, n int) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    h bytea := decode(md5(encode(good, 'hex') || n), 'hex');
    b bytea := good;
BEGIN
    FOR i IN 0 .. get_byte(h, 0) % 3 LOOP
        b := set_byte(b, get_byte(h, 3 * i + 1) % CASE WHEN i = 1 THEN length(b) ELSE least(length(b), 4) END, get_byte(h, 3 * i + 2));
    END LOOP;
    RETURN CASE get_byte(h, 15) % 4 WHEN 0 THEN substr(b, 1, get_byte(h, 14) % (length(b) + 1)) WHEN 1 THEN b || substr(h, 1, get_byte(h, 14) % 9) ELSE b END;
END $$;
CREATE FUNCTION pg_temp.taken(b bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    s hll;
    by_text text := 'read';
    by_bytea text := 'read';
BEGIN
    BEGIN s := b::hll; EXCEPTION WHEN OTHERS THEN by_bytea := SQLSTATE; END;
    BEGIN s := b::text::hll; EXCEPTION WHEN OTHERS THEN by_text := SQLSTATE; END;
    IF s IS NOT NULL AND (s::text::hll <> s OR #s < 0 OR hll_union(s, s) <> s OR hll_type(s) IS NULL OR (s || '\x118b7f' || hll_hash_text('x')) IS NULL) THEN
        RETURN 'read, and then wrong';
    END IF;
    RETURN by_text || ' ' || by_bytea;
END $$;
SELECT pg_temp.taken(pg_temp.mutant(v, n)) AS taken, count(*) > 100 AS often
FROM unnest('{"\\x118b7f","\\x128b7f004403b7fb05c44a","\\x138b4015048944","\\x14857f0840008001000020000008042000062884120021","\\x148400298680988119863288a2"}'::bytea[]) v, generate_series(1, 1000) n
WHERE get_byte(pg_temp.mutant(v, n) || '\x00', 0) BETWEEN 16 AND 20 GROUP BY 1 ORDER BY 1;

-- ---------- its objects ----------
CREATE TEMP VIEW member AS SELECT classid, objid FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds_hll');
SELECT pg_describe_object(classid, objid, 0) AS without_comment FROM member
WHERE obj_description(objid, classid::regclass::name) IS NULL AND NOT (classid = 'pg_type'::regclass AND EXISTS (SELECT FROM pg_type t WHERE t.typarray = objid));
SELECT p.oid::regprocedure AS sets_something FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid WHERE p.proparallel <> 's' OR p.provolatile <> 'i' ORDER BY 1;
SELECT p.oid::regprocedure AS read_when_it_is_called FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid JOIN pg_language l ON l.oid = p.prolang WHERE l.lanname = 'sql' AND p.prosqlbody IS NULL;
SELECT p.oid::regprocedure AS not_split FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid JOIN pg_proc p ON p.oid = objid WHERE aggcombinefn = 0;
DROP TABLE hll_hashes;
DROP EXTENSION probds_hll;
