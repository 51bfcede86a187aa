-- ddsketch: quantiles with an error that is certain

-- ---------- type ----------

CREATE TYPE ddsketch;
CREATE FUNCTION ddsketch_in(cstring, oid, integer) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION ddsketch_out(ddsketch) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_ddsketch_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_out(ddsketch) IS 'output: base64';
CREATE FUNCTION ddsketch_recv(internal, oid, integer) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION ddsketch_send(ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_send(ddsketch) IS 'binary output';
CREATE FUNCTION ddsketch_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_typmod_in(cstring[])
    IS 'type modifier input: relative error and max_buckets';
CREATE FUNCTION ddsketch_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_typmod_out(integer) IS 'type modifier output';
CREATE TYPE ddsketch (
    INPUT = ddsketch_in, OUTPUT = ddsketch_out, RECEIVE = ddsketch_recv, SEND = ddsketch_send,
    TYPMOD_IN = ddsketch_typmod_in, TYPMOD_OUT = ddsketch_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE ddsketch
    IS 'DDSketch: quantiles whose relative error is bounded; ddsketch(0.01) is off by at most '
       '1 %';

-- ---------- casts ----------

CREATE FUNCTION ddsketch_from_bytea(bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION ddsketch(ddsketch, integer, boolean) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch(ddsketch, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (ddsketch AS bytea) WITH FUNCTION ddsketch_send(ddsketch);
COMMENT ON CAST (ddsketch AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS ddsketch) WITH FUNCTION ddsketch_from_bytea(bytea);
COMMENT ON CAST (bytea AS ddsketch) IS 'a sketch from its bytes, checked';
CREATE CAST (ddsketch AS ddsketch) WITH FUNCTION ddsketch(ddsketch, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (ddsketch AS ddsketch) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION ddsketch_eq(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_eq(ddsketch, ddsketch) IS 'implementation of = operator';
CREATE FUNCTION ddsketch_ne(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_ne(ddsketch, ddsketch) IS 'implementation of <> operator';
CREATE FUNCTION ddsketch_lt(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_lt(ddsketch, ddsketch) IS 'implementation of *< operator';
CREATE FUNCTION ddsketch_le(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_le(ddsketch, ddsketch) IS 'implementation of *<= operator';
CREATE FUNCTION ddsketch_gt(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_gt(ddsketch, ddsketch) IS 'implementation of *> operator';
CREATE FUNCTION ddsketch_ge(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_ge(ddsketch, ddsketch) IS 'implementation of *>= operator';
CREATE FUNCTION ddsketch_cmp(ddsketch, ddsketch) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_cmp(ddsketch, ddsketch) IS 'less-equal-greater, by bytes';
CREATE FUNCTION ddsketch_hash(ddsketch) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_hash(ddsketch) IS 'hash of the bytes';
CREATE FUNCTION ddsketch_hash_extended(ddsketch, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_ddsketch_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION ddsketch_hash_extended(ddsketch, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (ddsketch, ddsketch)
    IS 'same state: same parameters, same values in each bucket';
CREATE OPERATOR <> (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (ddsketch, ddsketch) IS 'different state';
CREATE OPERATOR *< (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (ddsketch, ddsketch) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (ddsketch, ddsketch) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (ddsketch, ddsketch) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (ddsketch, ddsketch) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY ddsketch_ops USING btree;
COMMENT ON OPERATOR FAMILY ddsketch_ops USING btree IS 'ddsketch by bytes';
CREATE OPERATOR CLASS ddsketch_ops DEFAULT FOR TYPE ddsketch USING btree FAMILY ddsketch_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 ddsketch_cmp(ddsketch, ddsketch);
COMMENT ON OPERATOR CLASS ddsketch_ops USING btree IS 'ddsketch by bytes';
CREATE OPERATOR FAMILY ddsketch_ops USING hash;
COMMENT ON OPERATOR FAMILY ddsketch_ops USING hash IS 'ddsketch by bytes';
CREATE OPERATOR CLASS ddsketch_ops DEFAULT FOR TYPE ddsketch USING hash FAMILY ddsketch_ops AS
    OPERATOR 1 =, FUNCTION 1 ddsketch_hash(ddsketch),
    FUNCTION 2 ddsketch_hash_extended(ddsketch, bigint);
COMMENT ON OPERATOR CLASS ddsketch_ops USING hash IS 'ddsketch by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION ddsketch_empty(relative_error double precision DEFAULT 0.01,
    max_buckets integer DEFAULT 4096) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_empty(double precision, integer)
    IS 'an empty sketch whose quantiles are off by at most a relative error, as long as it needs '
       'no more than max_buckets buckets';

CREATE FUNCTION ddsketch_size(relative_error double precision DEFAULT 0.01,
    max_buckets integer DEFAULT 4096, OUT scale integer, OUT error double precision,
    OUT bytes bigint, OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_size(double precision, integer)
    IS 'the scale of a relative error, the error that it has, and the size of a sketch of '
       'max_buckets buckets: at most, and of a smooth distribution; for planning';

CREATE FUNCTION ddsketch_add_all(sketch ddsketch, elements text) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION ddsketch_add_all(ddsketch, text) IS 'the sketch with every element of an array';
CREATE FUNCTION ddsketch_add_all(sketch ddsketch, elements anyarray) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION ddsketch_add_all(ddsketch, anyarray)
    IS 'the sketch with every element of an array';

CREATE FUNCTION ddsketch_merge(sketch ddsketch, other ddsketch) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 250;
COMMENT ON FUNCTION ddsketch_merge(ddsketch, ddsketch)
    IS 'the values of two sketches together; NULL is ignored';

CREATE OPERATOR || (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_merge,
    COMMUTATOR = ||);
COMMENT ON OPERATOR || (ddsketch, ddsketch) IS 'the values of two sketches together';

CREATE FUNCTION ddsketch_add(sketch ddsketch, value text) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION ddsketch_add(ddsketch, text) IS 'the sketch with one more value';
CREATE FUNCTION ddsketch_add(sketch ddsketch, value "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION ddsketch_add(ddsketch, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION ddsketch_quantile(sketch ddsketch, quantile double precision)
    RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantile' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION ddsketch_quantile(ddsketch, double precision)
    IS 'a quantile of the values, 0 to 1, as percentile_disc() has it; of intervals in seconds; '
       'NULL if there are no values';

CREATE FUNCTION ddsketch_quantile_interval(sketch ddsketch, quantile double precision)
    RETURNS interval
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantile_interval'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_quantile_interval(ddsketch, double precision)
    IS 'a quantile of a sketch of intervals, 0 to 1; NULL if there are no values';

CREATE FUNCTION ddsketch_quantiles(sketch ddsketch, quantiles double precision[])
    RETURNS double precision[]
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantiles' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION ddsketch_quantiles(ddsketch, double precision[])
    IS 'several quantiles of the values, each 0 to 1; of intervals in seconds';

CREATE FUNCTION ddsketch_bounds(sketch ddsketch, quantile double precision,
    OUT lower double precision, OUT estimate double precision, OUT upper double precision)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION ddsketch_bounds(ddsketch, double precision)
    IS 'a quantile of the values, and bounds between which it is with certainty; of intervals in '
       'seconds';

CREATE FUNCTION ddsketch_rank(sketch ddsketch, value text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_rank(ddsketch, text)
    IS 'the estimated share of the values at or below this one, 0 to 1; NULL if there are none';
CREATE FUNCTION ddsketch_rank(sketch ddsketch, value "any") RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_rank(ddsketch, "any")
    IS 'the estimated share of the values at or below this one, 0 to 1; NULL if there are none';

CREATE FUNCTION ddsketch_count(sketch ddsketch) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_ddsketch_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_count(ddsketch) IS 'the number of values, exact';
CREATE FUNCTION ddsketch_min(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_min' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_min(ddsketch)
    IS 'the smallest value, exact; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_max(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_max' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_max(ddsketch)
    IS 'the largest value, exact; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_sum(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_sum' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_sum(ddsketch)
    IS 'the estimated sum of the values; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_avg(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_avg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_avg(ddsketch)
    IS 'the estimated mean of the values; of intervals in seconds; NULL if there are none';

CREATE FUNCTION ddsketch_buckets(sketch ddsketch, OUT lower double precision,
    OUT upper double precision, OUT count bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_ddsketch_buckets' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500 ROWS 500;
COMMENT ON FUNCTION ddsketch_buckets(ddsketch)
    IS 'how many values there are from lower to upper, bucket by bucket, for a histogram; of '
       'intervals in seconds';

CREATE FUNCTION ddsketch_info(sketch ddsketch, OUT relative_error double precision,
    OUT error double precision, OUT scale integer, OUT max_buckets integer, OUT buckets integer,
    OUT encoding text, OUT kind text, OUT bytes integer, OUT total bigint, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_info(ddsketch)
    IS 'parameters, error, scale, buckets, size and number of values of a sketch, one row';

-- ---------- other systems ----------

CREATE FUNCTION ddsketch_from_opentelemetry(histogram bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_opentelemetry'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_opentelemetry(bytea)
    IS 'imports an exponential histogram of OpenTelemetry, an '
       'ExponentialHistogramDataPoint in Protocol Buffers';
CREATE FUNCTION ddsketch_to_opentelemetry(sketch ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_to_opentelemetry'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_to_opentelemetry(ddsketch)
    IS 'exports a sketch as an exponential histogram of OpenTelemetry, an '
       'ExponentialHistogramDataPoint in Protocol Buffers';

CREATE FUNCTION ddsketch_from_prometheus(histogram bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_prometheus'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_prometheus(bytea)
    IS 'imports a native histogram of Prometheus, in Protocol Buffers';
CREATE FUNCTION ddsketch_to_prometheus(sketch ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_to_prometheus'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_to_prometheus(ddsketch)
    IS 'exports a sketch as a native histogram of Prometheus, in Protocol Buffers';

CREATE FUNCTION ddsketch_from_datadog(sketch bytea, rounds_up boolean DEFAULT false)
    RETURNS ddsketch AS 'MODULE_PATHNAME', 'probds_ddsketch_from_datadog'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_datadog(bytea, boolean)
    IS 'imports a DDSketch of DataDog''s libraries, in Protocol Buffers; those of JavaScript and '
       'Python round indexes up';

-- ---------- aggregates ----------

CREATE FUNCTION _ddsketch_final(ddsketch) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION _ddsketch_final(ddsketch)
    IS 'internal: final function of ddsketch_agg and ddsketch_merge_agg';

CREATE AGGREGATE ddsketch_merge_agg(ddsketch) (
    SFUNC = ddsketch_merge, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_merge_agg(ddsketch) IS 'the values of all sketches together';

CREATE FUNCTION _ddsketch_step(ddsketch, "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any")
    IS 'internal: transition function of ddsketch_agg';
CREATE FUNCTION _ddsketch_step(ddsketch, "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any", double precision)
    IS 'internal: transition function of ddsketch_agg';
CREATE FUNCTION _ddsketch_step(ddsketch, "any", double precision, integer)
    RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any", double precision, integer)
    IS 'internal: transition function of ddsketch_agg';

CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any")
    IS 'internal: transition function of ddsketch_agg_weighted';
CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision)
    IS 'internal: transition function of ddsketch_agg_weighted';
CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision, integer)
    RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision, integer)
    IS 'internal: transition function of ddsketch_agg_weighted';

CREATE AGGREGATE ddsketch_agg(value "any") (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any")
    IS 'a sketch of the values, of a relative error of 1 %';
CREATE AGGREGATE ddsketch_agg(value "any", relative_error double precision) (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any", double precision)
    IS 'a sketch of the values, of a given relative error';
CREATE AGGREGATE ddsketch_agg(value "any", relative_error double precision, max_buckets integer) (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any", double precision, integer)
    IS 'a sketch of the values, of a given relative error and '
       'number of buckets';

CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any") (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any")
    IS 'a sketch of the values, each as often as its weight says, of a relative error of 1 %';
CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any",
    relative_error double precision) (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any", double precision)
    IS 'a sketch of the values, each as often as its weight says, of a given relative error';
CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any",
    relative_error double precision, max_buckets integer) (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any", double precision, integer)
    IS 'a sketch of the values, each as often as its weight says, of a given relative error and '
       'number of buckets';

CREATE FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_percentile_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision)
    IS 'internal: transition function of approx_percentile';
CREATE FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision[]) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_percentiles_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision[])
    IS 'internal: transition function of approx_percentile';
CREATE FUNCTION _ddsketch_final_percentile(ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final_percentile' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION _ddsketch_final_percentile(ddsketch)
    IS 'internal: final function of approx_percentile';
CREATE FUNCTION _ddsketch_final_percentiles(ddsketch) RETURNS double precision[]
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final_percentiles' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION _ddsketch_final_percentiles(ddsketch)
    IS 'internal: final function of approx_percentile';
CREATE AGGREGATE approx_percentile(value "any", quantile double precision) (
    SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, SSPACE = 8192,
    FINALFUNC = _ddsketch_final_percentile, COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_percentile("any", double precision)
    IS 'a quantile of the values, 0 to 1, off by at most 1 %; of intervals in seconds';
CREATE AGGREGATE approx_percentile(value "any", quantiles double precision[]) (
    SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, SSPACE = 8192,
    FINALFUNC = _ddsketch_final_percentiles, COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_percentile("any", double precision[])
    IS 'several quantiles of the values, each 0 to 1, off by at most 1 %; of intervals in seconds';
