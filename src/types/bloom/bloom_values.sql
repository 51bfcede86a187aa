-- bloom: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=bloom cost=500

-- ---------- probing ----------

--@for-each text any
CREATE FUNCTION bloom_contains(filter bloom, value @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, @type@)
    IS 'was the value added? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION bloom_contained(value @type@, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contained(@type@, bloom)
    IS 'bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = @type@, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, @type@) IS 'was the value added?';
CREATE OPERATOR <@ (LEFTARG = @type@, RIGHTARG = bloom, FUNCTION = bloom_contained, COMMUTATOR = @>,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (@type@, bloom) IS 'was the value added?';
--@end

-- ---------- aggregates ----------

-- The states of one without a capacity cannot be merged across machines, so it has no
-- combine function

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args='' what='transition function of bloom_agg'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision' what='transition function of bloom_agg with a capacity'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision, double precision' \
--    what='transition function of bloom_agg with a capacity and a false-positive rate'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision, double precision, text' \
--    what='transition function of bloom_agg with a capacity, a false-positive rate and a layout'

--@include ../../extension/agg_whole.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named='' args='' final=bloom_final space=2048 more='' \
--    what='a filter of the values, sized for as many as there are, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision' args=', double precision' final=bloom_final space=2048 \
--    more='' \
--    what='a filter of the values for a given capacity, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision, false_positive_rate double precision' \
--    args=', double precision, double precision' final=bloom_final space=2048 more='' \
--    what='a filter of the values for a given capacity and false-positive rate'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision, false_positive_rate double precision, layout text' \
--    args=', double precision, double precision, text' final=bloom_final space=2048 more='' \
--    what='a filter of the values for a given capacity, false-positive rate and layout, blocked \
--    or classic'
