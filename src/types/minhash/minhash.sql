-- minhash: how similar sets are

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=minhash align=int4 category='' modifier='k' \
--    same='same k, same values added'

COMMENT ON TYPE minhash
    IS 'MinHash sketch: how similar the set of the values added to it is to others; minhash(128) '
       'has k = 128';

-- ---------- constructors and changes ----------

CREATE FUNCTION minhash_empty(k integer DEFAULT 128) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_empty(integer)
    IS 'an empty sketch of k registers, a power of 2 from 16 to 65536';

--@include ../../extension/sketch_add_all.sql sketch=minhash cost=300

--@include ../../extension/sketch_merge.sql sketch=minhash cost=300 step_cost=150 space=1024

-- ---------- answers: two sketches ----------

CREATE FUNCTION minhash_jaccard(a minhash, b minhash) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_minhash_jaccard'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION minhash_jaccard(minhash, minhash)
    IS 'the estimated share of the union that is in both, 0 to 1; NULL if both are empty';

CREATE FUNCTION minhash_jaccard_bounds(a minhash, b minhash, confidence double precision DEFAULT 0.95,
                                       OUT lower double precision, OUT estimate double precision,
                                       OUT upper double precision)
    AS 'MODULE_PATHNAME', 'probds_minhash_jaccard_bounds'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION minhash_jaccard_bounds(minhash, minhash, double precision)
    IS 'the estimated share of the union that is in both with its confidence interval';

CREATE FUNCTION minhash_containment(a minhash, b minhash) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_minhash_containment'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION minhash_containment(minhash, minhash)
    IS 'the estimated share of a that is in b, 0 to 1; NULL if a is empty';

-- ---------- answers: one sketch ----------

CREATE FUNCTION minhash_bands(sketch minhash, bands integer, rows integer) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_minhash_bands' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION minhash_bands(minhash, integer, integer)
    IS 'numbers of which similar sketches have one in common, for a GIN index and &&';

CREATE FUNCTION minhash_cardinality(sketch minhash) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_minhash_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION minhash_cardinality(minhash) IS 'the estimated number of distinct values';

CREATE FUNCTION minhash_bounds(sketch minhash, confidence double precision DEFAULT 0.95,
                               OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_minhash_bounds'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION minhash_bounds(minhash, double precision)
    IS 'the estimated number of distinct values with its confidence interval';

CREATE FUNCTION minhash_info(sketch minhash,
                             OUT k integer, OUT encoding text, OUT kind text, OUT bytes integer,
                             OUT fill double precision, OUT cardinality bigint,
                             OUT error double precision, OUT jaccard_error double precision)
    AS 'MODULE_PATHNAME', 'probds_minhash_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION minhash_info(minhash)
    IS 'k, encoding, size, fill and errors of a sketch, one row';

CREATE OPERATOR # (RIGHTARG = minhash, FUNCTION = minhash_cardinality);
COMMENT ON OPERATOR # (NONE, minhash) IS 'the estimated number of distinct values';
