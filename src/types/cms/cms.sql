-- cms: Count-Min, how often each value occurred

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=cms align=int4 category='' \
--    modifier='epsilon and delta' \
--    same='same shape, same counters'

COMMENT ON TYPE cms
    IS 'Count-Min sketch: how often each value was added to it; estimates of cms(0.001, 0.01) are '
       'too high by at most 0.1 % of the sum of all weights, 99 % of the time';

-- ---------- constructors and changes ----------

CREATE FUNCTION cms_empty(epsilon double precision DEFAULT 0.001,
                          delta double precision DEFAULT 0.01,
                          conservative boolean DEFAULT false) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_empty(double precision, double precision, boolean)
    IS 'an empty sketch for a relative error of epsilon with a probability of 1 - delta, by '
       'conservative update or plain';

--@include ../../extension/sketch_add_all.sql sketch=cms cost=1000

--@include ../../extension/sketch_merge.sql sketch=cms cost=1000 step_cost=500 space=16384

CREATE FUNCTION cms_subtract(a cms, b cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_subtract' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_subtract(cms, cms)
    IS 'what the first holds beyond the second, such as an earlier state of it';

-- ---------- answers ----------

--@for-each text anyarray
CREATE FUNCTION cms_frequencies(sketch cms, elements @type@) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, @type@) IS 'how often each element of an array occurred';
--@end

CREATE FUNCTION cms_total(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_total(cms) IS 'the sum of all weights';

CREATE FUNCTION cms_error(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_error(cms)
    IS 'the most that a frequency is too high, with a probability of 1 - delta';

CREATE FUNCTION cms_inner_product(a cms, b cms) RETURNS numeric
    AS 'MODULE_PATHNAME', 'probds_cms_inner_product'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION cms_inner_product(cms, cms)
    IS 'the estimated number of rows of a join on the values: never too low';

CREATE FUNCTION cms_info(sketch cms,
                         OUT epsilon double precision, OUT delta double precision,
                         OUT width integer, OUT depth integer, OUT conservative boolean,
                         OUT encoding text, OUT counter_bytes integer,
                         OUT kind text, OUT family text, OUT bytes integer,
                         OUT total bigint, OUT fill double precision, OUT error bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_info(cms)
    IS 'parameters, encoding, size, total, fill and error of a sketch, one row';
