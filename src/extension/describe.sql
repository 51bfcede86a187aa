-- probds_describe(sketch): one line for people

CREATE FUNCTION probds_describe(sketch hll) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_hll_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(hll)
    IS 'one line for people: what the hll holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(bloom)
    IS 'one line for people: what the bloom holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch cms) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_cms_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(cms)
    IS 'one line for people: what the cms holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch topk) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_topk_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(topk)
    IS 'one line for people: what the topk holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch minhash) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_minhash_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(minhash)
    IS 'one line for people: what the minhash holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch counting_bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(counting_bloom)
    IS 'one line for people: what the counting_bloom holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch cuckoo) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_cuckoo_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(cuckoo)
    IS 'one line for people: what the cuckoo holds, what it says, and how large it is';
CREATE FUNCTION probds_describe(sketch scalable_bloom) RETURNS text
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_describe'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe(scalable_bloom)
    IS 'one line for people: what the scalable_bloom holds, what it says, and how large it is';
