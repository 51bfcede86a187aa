-- The hash of a value

--@for-each text any
CREATE FUNCTION probds_hash(value @type@) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash(@type@)
    IS 'the hash of a value as all sketches use it: the first 64 bits of MurmurHash3 x64_128 of '
       'its canonical bytes';
--@end
