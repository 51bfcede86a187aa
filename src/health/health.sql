-- health: what the sketches in a database are, and whether they can be trusted

CREATE FUNCTION probds_health(sample_percent double precision DEFAULT 100,
                              OUT sketch_column text, OUT type text,
                              OUT sketches bigint, OUT bytes bigint,
                              OUT parameters text, OUT fill double precision,
                              OUT false_positive_rate double precision, OUT error double precision,
                              OUT status text, OUT remark text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_health' LANGUAGE C STABLE STRICT ROWS 100;
COMMENT ON FUNCTION probds_health(double precision)
    IS 'one row for each sketch column in this database: number, bytes, parameters, worst fill, '
       'rate and error, and whether sketches are too full, corrupt or of different parameters';
