-- The hash that all sketches share (doc/hashing.md)

CREATE FUNCTION murmur3_x64_128(data bytea, seed bigint DEFAULT 0) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_murmur3_x64_128' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION murmur3_x64_128(bytea, bigint)
    IS 'MurmurHash3 x64_128 of a byte string: 16 bytes, both halves little-endian';
