-- What a table has of the types, damaged since it was checked: an error that says so
CREATE FUNCTION unchecked_hll(cstring) RETURNS hll LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION unchecked_bloom(cstring) RETURNS bloom LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION unchecked_cms(cstring) RETURNS cms LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION unchecked_topk(cstring) RETURNS topk LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION unchecked_minhash(cstring) RETURNS minhash LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION raw(hll) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE FUNCTION raw(bloom) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE FUNCTION raw(cms) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE FUNCTION raw(topk) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE FUNCTION raw(minhash) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE AGGREGATE keep(hll) (SFUNC = hll_merge_step, STYPE = hll);
CREATE AGGREGATE keep(bloom) (SFUNC = bloom_merge_step, STYPE = bloom);
CREATE AGGREGATE keep(cms) (SFUNC = cms_merge_step, STYPE = cms);
CREATE AGGREGATE keep(topk) (SFUNC = topk_merge_step, STYPE = topk);
CREATE AGGREGATE keep(minhash) (SFUNC = minhash_merge_step, STYPE = minhash);

-- the code that a question is answered by, or the answer
CREATE FUNCTION code_of(question text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE 'SELECT (' || question || ')::text' INTO answer USING bytes::text;
    RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate;
END
$$;

CREATE TABLE sound (type text, bytes bytea, state bytea);
INSERT INTO sound SELECT 'hll', s::bytea, raw(keep(s))::text::bytea FROM (SELECT hll_agg(i, 10) AS s FROM generate_series(1, 20) i) q GROUP BY s;
INSERT INTO sound SELECT 'bloom', s::bytea, raw(keep(s))::text::bytea FROM (SELECT bloom_agg(i, 100) AS s FROM generate_series(1, 20) i) q GROUP BY s;
INSERT INTO sound SELECT 'cms', s::bytea, raw(keep(s))::text::bytea FROM (SELECT cms_agg(i) AS s FROM generate_series(1, 20) i) q GROUP BY s;
INSERT INTO sound SELECT 'topk', s::bytea, raw(keep(s))::text::bytea FROM (SELECT topk_agg(i, 10) AS s FROM generate_series(1, 20) i) q GROUP BY s;
INSERT INTO sound SELECT 'minhash', s::bytea, raw(keep(s))::text::bytea FROM (SELECT minhash_agg(i, 16) AS s FROM generate_series(1, 20) i) q GROUP BY s;

-- the first bytes alone: hll looked at the third before there were so many
SELECT type, n, code_of(format('%1$s_merge_agg(unchecked_%1$s($1::cstring))', type), substr(bytes, 1, n)) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring) || %1$s_empty(%2$s)', type, CASE type WHEN 'bloom' THEN '100' END), substr(bytes, 1, n)) AS merge
FROM sound, generate_series(0, 3) n ORDER BY type, n;

-- a total, and no counter above 0: the union divided by their number
WITH dense AS (SELECT s::bytea AS bytes, (i).width * (i).depth AS counters
    FROM (SELECT s, cms_info(s) AS i FROM (SELECT cms_agg(i, 0.1, 0.1) AS s FROM generate_series(1, 100) i) a) b),
damaged AS (SELECT substr(bytes, 1, length(bytes) - counters) || decode(repeat('00', counters), 'hex') AS bytes FROM dense)
SELECT code_of('unchecked_cms($1::cstring) || unchecked_cms($1::cstring)', bytes) AS merge,
    code_of('cms_merge_agg(unchecked_cms($1::cstring))', bytes) AS merge_agg,
    code_of('cms_subtract(unchecked_cms($1::cstring), cms_empty(0.1, 0.1))', bytes) AS subtract FROM damaged;

-- a stored value with the one bit pattern that says that it is a state
SELECT type, code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS merge,
    code_of(format('%1$s_merge_agg(unchecked_%1$s($1::cstring))', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring)', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS output
FROM sound ORDER BY type;

-- a state as it is, from a table, and with each byte of its head and what follows in turn
-- another: the head lies, or what is asked fits it
SELECT type, code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), state) AS merge,
    code_of(format('%1$s_merge_agg(unchecked_%1$s($1::cstring))', type), state) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring)::bytea', type), state) AS bytes
FROM sound ORDER BY type;
SELECT type, what, code, count(*) > 0 AS some
FROM sound, generate_series(0, least(length(state), 200) - 1) at, (VALUES (0), (1), (127), (255)) v (byte),
    LATERAL (VALUES ('merge', code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), set_byte(state, at, byte))),
        ('merge_agg', code_of(format('%1$s_merge_agg(unchecked_%1$s($1::cstring))', type), set_byte(state, at, byte))),
        ('output', code_of(format('unchecked_%1$s($1::cstring)', type), set_byte(state, at, byte)))) AS a (what, code)
WHERE at <> 1 AND get_byte(state, at) <> byte
GROUP BY type, what, code ORDER BY type, what, code COLLATE "C";
-- a cms whose table has a count in a free slot, which was an item of position -1
SELECT code, count(*) > 0 AS some FROM (SELECT raw(keep(s))::text::bytea AS state FROM (SELECT cms_agg(1) AS s) one) q, generate_series(length(state) / 2, length(state) - 1) at,
    LATERAL code_of('cms_merge_agg(unchecked_cms($1::cstring))', set_byte(state, at, 1)) code
WHERE substr(state, at - 15, 32) = decode(repeat('00', 32), 'hex')
GROUP BY code ORDER BY code COLLATE "C";
-- cut off
SELECT type, code, count(*) > 0 AS some FROM sound, generate_series(3, length(state) - 1) n,
    LATERAL code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), substr(state, 1, n)) code
GROUP BY type, code ORDER BY type, code COLLATE "C";

DROP TABLE sound;
DROP FUNCTION code_of;
DROP AGGREGATE keep(hll), keep(bloom), keep(cms), keep(topk), keep(minhash);
DROP FUNCTION raw(hll), raw(bloom), raw(cms), raw(topk), raw(minhash);
DROP FUNCTION unchecked_hll, unchecked_bloom, unchecked_cms, unchecked_topk, unchecked_minhash;
