-- counting_bloom: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=counting_bloom cost=1000

--@for-each text any
CREATE FUNCTION counting_bloom_remove(filter counting_bloom, value @type@) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION counting_bloom_remove(counting_bloom, @type@) IS 'the filter with a value less, which must have been added; an error if it is not there';

-- ---------- probing ----------

CREATE FUNCTION counting_bloom_contains(filter counting_bloom, value @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION counting_bloom_contains(counting_bloom, @type@) IS 'is the value in the filter? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION counting_bloom_contained(value @type@, filter counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION counting_bloom_contained(@type@, counting_bloom) IS 'counting_bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = counting_bloom, RIGHTARG = @type@, FUNCTION = counting_bloom_contains, COMMUTATOR = <@,
    RESTRICT = matchingsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (counting_bloom, @type@) IS 'is the value in the filter?';
CREATE OPERATOR <@ (LEFTARG = @type@, RIGHTARG = counting_bloom, FUNCTION = counting_bloom_contained, COMMUTATOR = @>,
    RESTRICT = matchingsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (@type@, counting_bloom) IS 'is the value in the filter?';

CREATE FUNCTION counting_bloom_count(filter counting_bloom, value @type@) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION counting_bloom_count(counting_bloom, @type@) IS 'the most often that the value can be in the filter, 0 to 15; 15 stands for 15 or more';
--@end

-- ---------- aggregates ----------

--@include counting_bloom_step.sql function=counting_bloom_step entry_c=probds_counting_bloom what='transition function of counting_bloom_agg'

--@include counting_bloom_step.sql function=counting_bloom_inverse_step entry_c=probds_counting_bloom_inverse what='inverse transition function of counting_bloom_agg'

--@for-each-value-type
CREATE AGGREGATE counting_bloom_agg(value @type@, capacity double precision) (
    SFUNC = counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384, FINALFUNC = counting_bloom_final, @combine:counting_bloom_combine@PARALLEL = SAFE,
    MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final
);
COMMENT ON AGGREGATE counting_bloom_agg(@type@, double precision) IS 'a counting filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE counting_bloom_agg(value @type@, capacity double precision, false_positive_rate double precision) (
    SFUNC = counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384, FINALFUNC = counting_bloom_final, @combine:counting_bloom_combine@PARALLEL = SAFE,
    MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final
);
COMMENT ON AGGREGATE counting_bloom_agg(@type@, double precision, double precision) IS 'a counting filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE counting_bloom_agg(value @type@, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384, FINALFUNC = counting_bloom_final, @combine:counting_bloom_combine@PARALLEL = SAFE,
    MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final
);
COMMENT ON AGGREGATE counting_bloom_agg(@type@, double precision, double precision, text) IS 'a counting filter of the values for a given capacity, false-positive rate and layout, blocked or classic';
--@end
