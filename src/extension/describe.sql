-- probds_describe(sketch): a sketch in one line for people

CREATE FUNCTION probds_describe(sketch hll) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_hll_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(hll)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(bloom)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch cms) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_cms_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(cms)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch topk) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_topk_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(topk)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch minhash) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_minhash_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(minhash)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch ddsketch) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_ddsketch_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(ddsketch)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch counting_bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(counting_bloom)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch cuckoo) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_cuckoo_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(cuckoo)
    IS 'what the sketch is and says, in one line for people';
CREATE FUNCTION probds_describe(sketch scalable_bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(scalable_bloom)
    IS 'what the sketch is and says, in one line for people';
