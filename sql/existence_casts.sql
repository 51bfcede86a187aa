-- The planner strips casts that change no datum, from a query and from the expression of an index.
-- Where a value is then compared with keys that are hashed otherwise, the index says "maybe"
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
CREATE DOMAIN existence_over_oid AS oid;
CREATE TABLE existence_cast (o oid, r regclass, d existence_over_oid, i int, v varchar, c cidr);
CREATE INDEX ON existence_cast USING existence (o);
CREATE INDEX ON existence_cast USING existence (r);
CREATE INDEX ON existence_cast USING existence (d);
CREATE INDEX existence_cast_oid ON existence_cast USING existence ((i::oid));
CREATE INDEX existence_cast_bpchar ON existence_cast USING existence ((v::bpchar));
CREATE INDEX ON existence_cast USING existence (c);
INSERT INTO existence_cast VALUES (4294967295, 4294967295, 4294967295, -1, 'a  ', '10.0.0.0/8');

-- columns of oid and its like as integers
SELECT o FROM existence_cast WHERE o::int4 = -1;
SELECT o FROM existence_cast WHERE o::int4 = (-1)::int8;
SELECT o FROM existence_cast WHERE o::int4 = ANY ('{-1,5}');
SELECT r::oid FROM existence_cast WHERE r::int4 = -1;
SELECT d FROM existence_cast WHERE d::int4 = -1;
PREPARE as_int4 AS SELECT o FROM existence_cast WHERE o::int4 = $1;
EXPLAIN (COSTS OFF) EXECUTE as_int4 (-1);
EXECUTE as_int4 (-1);
PREPARE in_array (int[]) AS SELECT o FROM existence_cast WHERE o::int4 = ANY ($1);
EXECUTE in_array ('{-1,5}');
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT o FROM (VALUES (-1), (5)) n (i), existence_cast WHERE o::int4 = n.i;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- indexes on expressions that are a cast
SELECT i FROM existence_cast WHERE i = -1;
SELECT i FROM existence_cast WHERE i = (-1)::int2;
SELECT v || '|' FROM existence_cast WHERE v = 'a  ';
PREPARE as_text AS SELECT v || '|' FROM existence_cast WHERE v = $1;
EXECUTE as_text ('a  ');
BEGIN;
DELETE FROM existence_cast WHERE v = 'a  ' RETURNING i;
ROLLBACK;

-- where both types hash alike, the index still says "no"
EXPLAIN (COSTS OFF) SELECT * FROM existence_cast WHERE c = '10.0.0.1';
PREPARE as_inet (inet) AS SELECT c FROM existence_cast WHERE c = $1;
EXECUTE as_inet ('10.0.0.0/8');
EXECUTE as_inet ('10.0.0.1');

-- a type of somebody's own that is text to the server, with another equality
SET client_min_messages = warning;
CREATE TYPE existence_caseless;
CREATE FUNCTION existence_caseless_in(cstring) RETURNS existence_caseless LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION existence_caseless_out(existence_caseless) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE existence_caseless (INPUT = existence_caseless_in, OUTPUT = existence_caseless_out, LIKE = text);
CREATE CAST (existence_caseless AS text) WITHOUT FUNCTION;
CREATE CAST (text AS existence_caseless) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE FUNCTION existence_caseless_eq(existence_caseless, existence_caseless) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower($1::text) OPERATOR(pg_catalog.=) lower($2::text)';
CREATE FUNCTION existence_caseless_hash(existence_caseless) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtext(lower($1::text))';
CREATE OPERATOR = (LEFTARG = existence_caseless, RIGHTARG = existence_caseless, FUNCTION = existence_caseless_eq, HASHES);
CREATE OPERATOR CLASS existence_caseless_ops DEFAULT FOR TYPE existence_caseless USING hash AS OPERATOR 1 =, FUNCTION 1 existence_caseless_hash(existence_caseless);
CREATE TABLE existence_cased (t text, k existence_caseless);
CREATE INDEX ON existence_cased USING existence (k);
CREATE INDEX ON existence_cased USING existence ((t::existence_caseless));
INSERT INTO existence_cased VALUES ('A', 'A');
PREPARE caseless AS SELECT k FROM existence_cased WHERE k::text = $1;
EXECUTE caseless ('A');
EXECUTE caseless ('a');
PREPARE cased AS SELECT t FROM existence_cased WHERE t = $1;
EXECUTE cased ('A');

-- ranges whose bounds have an equality of their own cannot be hashed, alone or in other types
CREATE FUNCTION existence_caseless_cmp(text, text) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT bttextcmp(lower($1), lower($2))';
CREATE OPERATOR CLASS existence_caseless_cmp FOR TYPE text USING btree AS OPERATOR 1 <, OPERATOR 3 =, OPERATOR 5 >, FUNCTION 1 existence_caseless_cmp(text, text);
CREATE TYPE existence_caseless_range AS RANGE (subtype = text, subtype_opclass = existence_caseless_cmp);
CREATE TYPE existence_padded_range AS RANGE (subtype = text, subtype_opclass = bpchar_ops);
CREATE TYPE existence_cased_range AS RANGE (subtype = text, subtype_opclass = text_pattern_ops);
CREATE TYPE existence_default_range AS RANGE (subtype = varchar);
CREATE TYPE existence_of_range AS (a int, r existence_caseless_range);
SELECT '[a,b]'::existence_caseless_range = '[A,B]', '[a,b]'::existence_padded_range = '[a ,b]';
CREATE TABLE existence_ranged AS SELECT '[a,b]'::existence_caseless_range AS caseless, '[a,b]'::existence_padded_range AS padded, '{"[a,b]"}'::existence_caseless_range[] AS ranges, '(1,"[a,b]")'::existence_of_range AS composite, '[a,b]'::existence_cased_range AS cased, '[a,b]'::existence_default_range AS plain;
-- what CREATE INDEX says (from version 17 on it qualifies the type)
CREATE FUNCTION existence_refused(key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE detail text; hint text;
BEGIN
    EXECUTE format('CREATE INDEX ON existence_ranged USING existence (%I)', key);
    RETURN 'created';
EXCEPTION WHEN undefined_function THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', replace(sqlerrm, 'type public.', 'type '), detail, hint);
END
$$;
SELECT key, existence_refused(key) FROM (VALUES ('caseless'), ('padded'), ('ranges'), ('composite')) v (key);
DROP FUNCTION existence_refused(text);
SELECT hll_agg(caseless) FROM existence_ranged;
CREATE INDEX ON existence_ranged USING existence (cased);
CREATE INDEX ON existence_ranged USING existence (plain);
SELECT existence_might_contain('existence_ranged', 'cased', cased), existence_might_contain('existence_ranged', 'plain', plain), existence_might_contain('existence_ranged', 'plain', '[a,c]') FROM existence_ranged;

-- a value that "=" takes for a key is looked up as a key
CREATE TABLE existence_taken AS SELECT 4294967295::oid AS o, -1 AS i, (-1)::int2 AS i2, 'a'::char(3) AS c;
CREATE INDEX ON existence_taken USING existence (o);
CREATE INDEX ON existence_taken USING existence (i);
CREATE INDEX ON existence_taken USING existence (i2);
CREATE INDEX ON existence_taken USING existence (c);
SELECT o = -1 AND o = (-1)::int2 AND i = o AND i2 = o AND c = 'a '::varchar AS are_equal FROM existence_taken;
SELECT existence_might_contain('existence_taken', 'o', -1) AS int4, existence_might_contain('existence_taken', 'o', (-1)::int2) AS int2, existence_might_contain('existence_taken', 'i', o) AS oid, existence_might_contain('existence_taken', 'i2', o) AS oid2, existence_might_contain('existence_taken', 'c', 'a '::varchar) AS varchar FROM existence_taken;
SELECT existence_might_contain_any('existence_taken', 'o', ARRAY[-1, 5]), existence_might_contain_all('existence_taken', 'c', ARRAY['a '::varchar, 'a'::varchar]);
SELECT existence_might_contain('existence_taken', 'o', 5) AS int4, existence_might_contain('existence_taken', 'o', -1::int8) AS int8, existence_might_contain('existence_taken', 'i', 5::oid) AS oid, existence_might_contain('existence_taken', 'c', 'b'::varchar) AS varchar;

-- a char(n) is equal to a varchar that ends with spaces, which has another hash: an error, no "no"
CREATE TABLE existence_spaces AS SELECT 'a   '::varchar AS v, 'a   '::text AS t, 'a'::char(4) AS c;
CREATE INDEX ON existence_spaces USING existence (v);
CREATE INDEX ON existence_spaces USING existence (t);
SELECT v = c AS v, t = c AS t FROM existence_spaces;
SELECT existence_might_contain('existence_spaces', 'v', c) FROM existence_spaces;
SELECT existence_might_contain('existence_spaces', 'v', 'a'::char(4));
SELECT existence_might_contain_any('existence_spaces', 'v', ARRAY[c]) FROM existence_spaces;
SELECT existence_might_contain('existence_spaces', 't', c), existence_might_contain('existence_spaces', 'v', c::text) FROM existence_spaces;
DROP TABLE existence_spaces;

DROP TABLE existence_cast, existence_cased, existence_ranged, existence_taken;
DROP TYPE existence_of_range, existence_caseless_range, existence_padded_range, existence_cased_range, existence_default_range;
DROP OPERATOR CLASS existence_caseless_cmp USING btree;
DROP OPERATOR FAMILY existence_caseless_cmp USING btree;
DROP OPERATOR CLASS existence_caseless_ops USING hash;
DROP OPERATOR FAMILY existence_caseless_ops USING hash;
DROP FUNCTION existence_caseless_cmp(text, text);
DROP TYPE existence_caseless CASCADE;
DROP DOMAIN existence_over_oid;
RESET client_min_messages;
RESET enable_seqscan;
RESET plan_cache_mode;
