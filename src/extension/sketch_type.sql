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

--@for-each-row name takes gives what
--| in | cstring, oid, integer | @sketch@ | input: base64, or hexadecimal after \x
--| out | @sketch@ | cstring | output: base64
--| recv | internal, oid, integer | @sketch@ | binary input, checked
--| send | @sketch@ | bytea | binary output
--| typmod_in | cstring[] | integer | type modifier input: @modifier@
--| typmod_out | integer | cstring | type modifier output
CREATE FUNCTION @sketch@_@name@(@takes@) RETURNS @gives@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_@name@' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_@name@(@takes@) IS '@what@';
--@end-row

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

--@for-each-row name takes gives what
--| eq | @sketch@, @sketch@ | boolean | implementation of = operator
--| ne | @sketch@, @sketch@ | boolean | implementation of <> operator
--| lt | @sketch@, @sketch@ | boolean | implementation of *< operator
--| le | @sketch@, @sketch@ | boolean | implementation of *<= operator
--| gt | @sketch@, @sketch@ | boolean | implementation of *> operator
--| ge | @sketch@, @sketch@ | boolean | implementation of *>= operator
--| cmp | @sketch@, @sketch@ | integer | less-equal-greater, by bytes
--| hash | @sketch@ | integer | hash of the bytes
--| hash_extended | @sketch@, bigint | bigint | seeded hash of the bytes
CREATE FUNCTION @sketch@_@name@(@takes@) RETURNS @gives@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_@name@'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @sketch@_@name@(@takes@) IS '@what@';
--@end-row

-- The order is for sorting and merge joins; "<" would look as if it meant something
--@for-each-row sign name commutator negator estimator more what
--| = | eq | = | <> | eq | , HASHES, MERGES | same state: @same@
--| <> | ne | <> | = | neq | | different state
--| *< | lt | *> | *>= | scalarlt | | less, by bytes
--| *<= | le | *>= | *> | scalarle | | less or equal, by bytes
--| *> | gt | *< | *<= | scalargt | | greater, by bytes
--| *>= | ge | *<= | *< | scalarge | | greater or equal, by bytes
CREATE OPERATOR @sign@ (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_@name@,
    COMMUTATOR = @commutator@, NEGATOR = @negator@, RESTRICT = @estimator@sel,
    JOIN = @estimator@joinsel@more@);
COMMENT ON OPERATOR @sign@ (@sketch@, @sketch@) IS '@what@';
--@end-row

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
