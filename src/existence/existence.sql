-- existence: an index that answers "is there a row with this key?"

CREATE FUNCTION _probds_existence_handler(internal) RETURNS index_am_handler
    AS 'MODULE_PATHNAME', 'probds_existence_handler' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_existence_handler(internal)
    IS 'internal: handler of the access method existence';

CREATE ACCESS METHOD existence TYPE INDEX HANDLER _probds_existence_handler;
COMMENT ON ACCESS METHOD existence
    IS 'existence index: answers whether a row with a key may exist, where "no" is certain';

CREATE OPERATOR FAMILY existence_ops USING existence;
COMMENT ON OPERATOR FAMILY existence_ops USING existence IS 'equality of types that probds hashes';

CREATE OPERATOR CLASS existence_ops DEFAULT FOR TYPE anyelement USING existence
    FAMILY existence_ops AS STORAGE anyelement;
-- Conditions for bitmap scans.  Not of types that others become by a mere change of name
-- (oid, bpchar, arrays, records), since the family serves columns of every type.
ALTER OPERATOR FAMILY existence_ops USING existence ADD
    OPERATOR 1 = (int2, int2),
    OPERATOR 1 = (int2, int4),
    OPERATOR 1 = (int2, int8),
    OPERATOR 1 = (int4, int2),
    OPERATOR 1 = (int4, int4),
    OPERATOR 1 = (int4, int8),
    OPERATOR 1 = (int8, int2),
    OPERATOR 1 = (int8, int4),
    OPERATOR 1 = (int8, int8),
    OPERATOR 1 = (float4, float4),
    OPERATOR 1 = (float4, float8),
    OPERATOR 1 = (float8, float4),
    OPERATOR 1 = (float8, float8),
    OPERATOR 1 = (text, text),
    OPERATOR 1 = (name, name),
    OPERATOR 1 = (numeric, numeric),
    OPERATOR 1 = (bytea, bytea),
    OPERATOR 1 = (bool, bool),
    OPERATOR 1 = (date, date),
    OPERATOR 1 = (time, time),
    OPERATOR 1 = (timetz, timetz),
    OPERATOR 1 = (timestamp, timestamp),
    OPERATOR 1 = (timestamptz, timestamptz),
    OPERATOR 1 = (interval, interval),
    OPERATOR 1 = (uuid, uuid),
    OPERATOR 1 = (inet, inet),
    OPERATOR 1 = (macaddr, macaddr),
    OPERATOR 1 = (macaddr8, macaddr8),
    OPERATOR 1 = (jsonb, jsonb),
    OPERATOR 1 = (money, money),
    OPERATOR 1 = (pg_lsn, pg_lsn);
COMMENT ON OPERATOR CLASS existence_ops USING existence IS 'keys of any type that probds can hash';

CREATE FUNCTION existence_info(relation regclass, column_name name,
                               OUT index regclass, OUT layers integer,
                               OUT keys bigint, OUT capacity bigint,
                               OUT fill double precision, OUT false_positive_rate double precision,
                               OUT promised_rate double precision, OUT bytes bigint,
                               OUT bytes_after_reindex bigint, OUT kind text, OUT status text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_existence_info' LANGUAGE C STABLE STRICT ROWS 1 COST 10000;
COMMENT ON FUNCTION existence_info(regclass, name)
    IS 'one row for each existence index on the column: layers, estimated keys, fill, current '
       'and promised false-positive rate, bytes now and after REINDEX, and whether it can answer '
       '"no"';

CREATE FUNCTION existence_verify(relation regclass, column_name name) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_existence_verify' LANGUAGE C STABLE STRICT COST 1000000;
COMMENT ON FUNCTION existence_verify(regclass, name)
    IS 'looks up every visible row of the table in its existence indexes and returns the number '
       'of rows; an error if one is not found';

CREATE FUNCTION existence_export(relation regclass, column_name name) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_existence_export' LANGUAGE C STABLE STRICT COST 10000;
COMMENT ON FUNCTION existence_export(regclass, name)
    IS 'an existence index that has a single layer, as a bloom filter with the same bits';

CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, text)
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';
CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value "any")
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, "any")
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';

-- (a char(n) would become text, without the spaces at its end, before the function sees it)
CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value character)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, character)
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION existence_might_contain_any(relation regclass, column_name name, elements text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_any'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_any(regclass, name, text)
    IS 'whether a row may have any of these values in the column';
CREATE FUNCTION existence_might_contain_any(relation regclass, column_name name, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_any'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_any(regclass, name, anyarray)
    IS 'whether a row may have any of these values in the column';

CREATE FUNCTION existence_might_contain_all(relation regclass, column_name name, elements text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_all'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_all(regclass, name, text)
    IS 'whether each of these values may be in a row of the column';
CREATE FUNCTION existence_might_contain_all(relation regclass, column_name name, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_all'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_all(regclass, name, anyarray)
    IS 'whether each of these values may be in a row of the column';
