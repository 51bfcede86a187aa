-- cms: Count-Min, how often each value occurred

-- ---------- type ----------

CREATE TYPE cms;
CREATE FUNCTION cms_in(cstring, oid, integer) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION cms_out(cms) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cms_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_out(cms) IS 'output: base64';
CREATE FUNCTION cms_recv(internal, oid, integer) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION cms_send(cms) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_cms_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_send(cms) IS 'binary output';
CREATE FUNCTION cms_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_typmod_in(cstring[]) IS 'type modifier input: epsilon and delta';
CREATE FUNCTION cms_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_typmod_out(integer) IS 'type modifier output';
CREATE TYPE cms (
    INPUT = cms_in, OUTPUT = cms_out, RECEIVE = cms_recv, SEND = cms_send,
    TYPMOD_IN = cms_typmod_in, TYPMOD_OUT = cms_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = c, PREFERRED = true
);
COMMENT ON TYPE cms
    IS 'Count-Min sketch: estimates how often each value was added. Estimates of cms(0.001, '
       '0.01) are too high by at most 0.1 % of the sum of all weights, 99 % of the time';

-- ---------- casts ----------

CREATE FUNCTION cms_from_bytea(bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION cms(cms, integer, boolean) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms(cms, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (cms AS bytea) WITH FUNCTION cms_send(cms);
COMMENT ON CAST (cms AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS cms) WITH FUNCTION cms_from_bytea(bytea);
COMMENT ON CAST (bytea AS cms) IS 'a sketch from its bytes, checked';
CREATE CAST (cms AS cms) WITH FUNCTION cms(cms, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (cms AS cms) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION cms_eq(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_eq(cms, cms) IS 'implementation of = operator';
CREATE FUNCTION cms_ne(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_ne(cms, cms) IS 'implementation of <> operator';
CREATE FUNCTION cms_lt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_lt(cms, cms) IS 'implementation of *< operator';
CREATE FUNCTION cms_le(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_le(cms, cms) IS 'implementation of *<= operator';
CREATE FUNCTION cms_gt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_gt(cms, cms) IS 'implementation of *> operator';
CREATE FUNCTION cms_ge(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_ge(cms, cms) IS 'implementation of *>= operator';
CREATE FUNCTION cms_cmp(cms, cms) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_cmp(cms, cms) IS 'less-equal-greater, by bytes';
CREATE FUNCTION cms_hash(cms) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_hash(cms) IS 'hash of the bytes';
CREATE FUNCTION cms_hash_extended(cms, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION cms_hash_extended(cms, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (cms, cms) IS 'same state: same shape, same counters';
CREATE OPERATOR <> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (cms, cms) IS 'different state';
CREATE OPERATOR *< (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (cms, cms) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (cms, cms) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (cms, cms) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (cms, cms) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY cms_ops USING btree;
COMMENT ON OPERATOR FAMILY cms_ops USING btree IS 'cms by bytes';
CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING btree FAMILY cms_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 cms_cmp(cms, cms);
COMMENT ON OPERATOR CLASS cms_ops USING btree IS 'cms by bytes';
CREATE OPERATOR FAMILY cms_ops USING hash;
COMMENT ON OPERATOR FAMILY cms_ops USING hash IS 'cms by bytes';
CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING hash FAMILY cms_ops AS
    OPERATOR 1 =, FUNCTION 1 cms_hash(cms),
    FUNCTION 2 cms_hash_extended(cms, bigint);
COMMENT ON OPERATOR CLASS cms_ops USING hash IS 'cms by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION cms_empty(epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01, conservative boolean DEFAULT false) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_empty(double precision, double precision, boolean)
    IS 'an empty sketch for a relative error of epsilon with a probability of 1 - delta, plain '
       'or with conservative update';

CREATE FUNCTION cms_size(epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01, OUT width integer, OUT depth integer, OUT bytes bigint,
    OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_size(double precision, double precision)
    IS 'the size of a sketch of this epsilon and delta: at most, and while no counter is above '
       '4,294,967,295; for planning';

CREATE FUNCTION cms_add_all(sketch cms, elements text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, text) IS 'the sketch with every element of an array';
CREATE FUNCTION cms_add_all(sketch cms, elements anyarray) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION cms_merge(sketch cms, other cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_merge(cms, cms) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cms, cms) IS 'the union of two sketches';

CREATE FUNCTION cms_subtract(sketch cms, other cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_subtract' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_subtract(cms, cms)
    IS 'subtracts the second sketch, such as an earlier state, from the first';

CREATE FUNCTION cms_add(sketch cms, value text, weight bigint DEFAULT 1) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cms_add(cms, text, bigint)
    IS 'the sketch with a value added a number of times; a negative count removes it';
CREATE FUNCTION cms_add(sketch cms, value "any", weight bigint DEFAULT 1) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cms_add(cms, "any", bigint)
    IS 'the sketch with a value added a number of times; a negative count removes it';

-- A function over these two domains is the parser's last choice: their base types fit better, and
-- of a literal or a parameter without a type it prefers cms.
CREATE DOMAIN _cms_last AS cms;
COMMENT ON DOMAIN _cms_last IS 'internal: a cms, beside a weight that is no bigint';
CREATE FUNCTION cms_add(sketch _cms_last, value "any", weight _probds_number) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_refuse_weight' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_add(_cms_last, "any", _probds_number)
    IS 'an error for a weight that is no bigint, which says how to write one';

-- ---------- queries ----------

CREATE FUNCTION cms_frequencies(sketch cms, elements text) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, text)
    IS 'the estimated frequency of each element of an array';
CREATE FUNCTION cms_frequencies(sketch cms, elements anyarray) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, anyarray)
    IS 'the estimated frequency of each element of an array';

CREATE FUNCTION cms_total(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_total(cms) IS 'the sum of all weights';

CREATE FUNCTION cms_error(sketch cms) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_cms_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_error(cms)
    IS 'the largest error of a frequency, as a share of the sum of all weights, with a '
       'probability of 1 - delta';

CREATE FUNCTION cms_inner_product(sketch cms, other cms) RETURNS numeric
    AS 'MODULE_PATHNAME', 'probds_cms_inner_product' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2000;
COMMENT ON FUNCTION cms_inner_product(cms, cms)
    IS 'the estimated number of rows of a join on the values, never too low';

CREATE FUNCTION cms_info(sketch cms, OUT epsilon double precision, OUT delta double precision,
    OUT width integer, OUT depth integer, OUT conservative boolean, OUT encoding text,
    OUT counter_bytes integer, OUT kind text, OUT family text, OUT bytes integer, OUT total bigint,
    OUT fill double precision, OUT error double precision)
    AS 'MODULE_PATHNAME', 'probds_cms_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_info(cms)
    IS 'parameters, encoding, size, total, fill and error of a sketch, one row';

CREATE FUNCTION cms_frequency(sketch cms, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, text)
    IS 'the estimated frequency of the value: never too low, seldom too high by more than '
       'cms_error * cms_total';
CREATE FUNCTION cms_frequency(sketch cms, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, "any")
    IS 'the estimated frequency of the value: never too low, seldom too high by more than '
       'cms_error * cms_total';

CREATE FUNCTION cms_bounds(sketch cms, value text, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, text)
    IS 'the estimated frequency of the value with bounds: at most upper, and at least lower with '
       'a probability of 1 - delta';
CREATE FUNCTION cms_bounds(sketch cms, value "any", OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, "any")
    IS 'the estimated frequency of the value with bounds: at most upper, and at least lower with '
       'a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = text, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, text) IS 'the estimated frequency of the value';
CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = "any", FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, "any") IS 'the estimated frequency of the value';

-- ---------- aggregates ----------

CREATE FUNCTION _cms_final(cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION _cms_final(cms) IS 'internal: final function of cms_agg and cms_merge_agg';

CREATE AGGREGATE cms_merge_agg(cms) (
    SFUNC = cms_merge, STYPE = cms, SSPACE = 16384, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_merge_agg(cms) IS 'the union of all sketches';

CREATE FUNCTION _cms_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any") IS 'internal: transition function of cms_agg';
CREATE FUNCTION _cms_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any", double precision)
    IS 'internal: transition function of cms_agg';
CREATE FUNCTION _cms_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any", double precision, double precision)
    IS 'internal: transition function of cms_agg';

CREATE FUNCTION _cms_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any")
    IS 'internal: transition function of cms_agg_weighted';
CREATE FUNCTION _cms_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any", double precision)
    IS 'internal: transition function of cms_agg_weighted';
CREATE FUNCTION _cms_weighted_step(cms, "any", "any", double precision, double precision)
    RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any", double precision, double precision)
    IS 'internal: transition function of cms_agg_weighted';

CREATE FUNCTION _cms_inverse_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any")
    IS 'internal: inverse transition function of cms_agg';
CREATE FUNCTION _cms_inverse_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any", double precision)
    IS 'internal: inverse transition function of cms_agg';
CREATE FUNCTION _cms_inverse_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any", double precision, double precision)
    IS 'internal: inverse transition function of cms_agg';

CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any")
    IS 'internal: inverse transition function of cms_agg_weighted';
CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision)
    IS 'internal: inverse transition function of cms_agg_weighted';
CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision, double precision)
    RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision,
    double precision)
    IS 'internal: inverse transition function of cms_agg_weighted';

CREATE FUNCTION _cms_conservative_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any")
    IS 'internal: transition function of cms_agg_conservative';
CREATE FUNCTION _cms_conservative_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any", double precision)
    IS 'internal: transition function of cms_agg_conservative';
CREATE FUNCTION _cms_conservative_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any", double precision, double precision)
    IS 'internal: transition function of cms_agg_conservative';

CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any")
    IS 'internal: transition function of cms_agg_conservative_weighted';
CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision)
    IS 'internal: transition function of cms_agg_conservative_weighted';
CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision,
    double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision,
    double precision)
    IS 'internal: transition function of cms_agg_conservative_weighted';

CREATE AGGREGATE cms_agg(value "any") (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any")
    IS 'a sketch of how often each value occurs, of epsilon 0.001 and delta 0.01';
CREATE AGGREGATE cms_agg(value "any", epsilon double precision) (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any", double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon, and delta 0.01';
CREATE AGGREGATE cms_agg(value "any", epsilon double precision, delta double precision) (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any", double precision, double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_weighted(value "any", weight "any") (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any")
    IS 'a sketch of the sum of each value''s weights, of epsilon 0.001 and delta 0.01';
CREATE AGGREGATE cms_agg_weighted(value "any", weight "any", epsilon double precision) (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any", double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon, and delta 0.01';
CREATE AGGREGATE cms_agg_weighted(value "any", weight "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any", double precision, double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_conservative(value "any") (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any")
    IS 'a sketch of how often each value occurs, of epsilon 0.001 and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative(value "any", epsilon double precision) (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any", double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon, and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative(value "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any", double precision, double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative '
       'update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any") (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any")
    IS 'a sketch of the sum of each value''s weights, of epsilon 0.001 and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any",
    epsilon double precision) (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any", double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon, and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any", double precision,
    double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by '
       'conservative update: closer estimates, but nothing can be taken out';
