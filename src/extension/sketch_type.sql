-- What every sketch type has: input and output, casts, comparison
--
-- Parameters: sketch    the type's name
--             align     its alignment: int4, double
--             modifier  what its type modifier is
--             category  options of its category: filters share one, in which bloom is preferred, so
--                       that a literal beside a value is a bloom
--             same      what "=" means of two values
-- Its COMMENT is the module's.

CREATE TYPE @sketch@;

CREATE FUNCTION @sketch@_in(cstring, oid, integer) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';

CREATE FUNCTION @sketch@_out(@sketch@) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_@sketch@_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_out(@sketch@) IS 'output: base64';

CREATE FUNCTION @sketch@_recv(internal, oid, integer) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_recv(internal, oid, integer) IS 'binary input, checked';

CREATE FUNCTION @sketch@_send(@sketch@) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_@sketch@_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_send(@sketch@) IS 'binary output';

CREATE FUNCTION @sketch@_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_@sketch@_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_typmod_in(cstring[]) IS 'type modifier input: @modifier@';

CREATE FUNCTION @sketch@_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_@sketch@_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_typmod_out(integer) IS 'type modifier output';

CREATE TYPE @sketch@ (
    INPUT = @sketch@_in, OUTPUT = @sketch@_out, RECEIVE = @sketch@_recv, SEND = @sketch@_send,
    TYPMOD_IN = @sketch@_typmod_in, TYPMOD_OUT = @sketch@_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = @align@, STORAGE = external@category@
);

-- ---------- casts ----------

CREATE FUNCTION @sketch@_to_bytea(@sketch@) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_@sketch@_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_to_bytea(@sketch@) IS 'the bytes of a sketch';

CREATE FUNCTION @sketch@_from_bytea(bytea) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_from_bytea(bytea) IS 'a sketch from its bytes, checked';

CREATE FUNCTION @sketch@(@sketch@, integer, boolean) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@(@sketch@, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';

CREATE CAST (@sketch@ AS bytea) WITH FUNCTION @sketch@_to_bytea(@sketch@);
COMMENT ON CAST (@sketch@ AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS @sketch@) WITH FUNCTION @sketch@_from_bytea(bytea);
COMMENT ON CAST (bytea AS @sketch@) IS 'a sketch from its bytes, checked';
CREATE CAST (@sketch@ AS @sketch@) WITH FUNCTION @sketch@(@sketch@, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (@sketch@ AS @sketch@) IS 'enforces a type modifier';

-- ---------- comparison ----------

CREATE FUNCTION @sketch@_eq(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_eq(@sketch@, @sketch@) IS 'implementation of = operator';
CREATE FUNCTION @sketch@_ne(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_ne(@sketch@, @sketch@) IS 'implementation of <> operator';
CREATE FUNCTION @sketch@_lt(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_lt(@sketch@, @sketch@) IS 'implementation of *< operator';
CREATE FUNCTION @sketch@_le(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_le(@sketch@, @sketch@) IS 'implementation of *<= operator';
CREATE FUNCTION @sketch@_gt(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_gt(@sketch@, @sketch@) IS 'implementation of *> operator';
CREATE FUNCTION @sketch@_ge(@sketch@, @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_ge(@sketch@, @sketch@) IS 'implementation of *>= operator';
CREATE FUNCTION @sketch@_cmp(@sketch@, @sketch@) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_@sketch@_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_cmp(@sketch@, @sketch@) IS 'less-equal-greater, by bytes';
CREATE FUNCTION @sketch@_hash(@sketch@) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_@sketch@_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_hash(@sketch@) IS 'hash of the bytes';
CREATE FUNCTION @sketch@_hash_extended(@sketch@, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_@sketch@_hash_extended'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_hash_extended(@sketch@, bigint) IS 'seeded hash of the bytes';

CREATE OPERATOR = (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (@sketch@, @sketch@) IS 'same state: @same@';
CREATE OPERATOR <> (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (@sketch@, @sketch@) IS 'different state';
-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE OPERATOR *< (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (@sketch@, @sketch@) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (@sketch@, @sketch@) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (@sketch@, @sketch@) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (@sketch@, @sketch@) IS 'greater or equal, by bytes';

CREATE OPERATOR FAMILY @sketch@_ops USING btree;
COMMENT ON OPERATOR FAMILY @sketch@_ops USING btree IS '@sketch@ by bytes';
CREATE OPERATOR CLASS @sketch@_ops DEFAULT FOR TYPE @sketch@ USING btree FAMILY @sketch@_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 @sketch@_cmp(@sketch@, @sketch@);
COMMENT ON OPERATOR CLASS @sketch@_ops USING btree IS '@sketch@ by bytes';

CREATE OPERATOR FAMILY @sketch@_ops USING hash;
COMMENT ON OPERATOR FAMILY @sketch@_ops USING hash IS '@sketch@ by bytes';
CREATE OPERATOR CLASS @sketch@_ops DEFAULT FOR TYPE @sketch@ USING hash FAMILY @sketch@_ops AS
    OPERATOR 1 =, FUNCTION 1 @sketch@_hash(@sketch@),
    FUNCTION 2 @sketch@_hash_extended(@sketch@, bigint);
COMMENT ON OPERATOR CLASS @sketch@_ops USING hash IS '@sketch@ by bytes';
