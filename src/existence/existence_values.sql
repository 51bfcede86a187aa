-- existence: functions over values

--@for-each text any
CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value @type@)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, @type@)
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';
--@end

--@for-each text anyarray
CREATE FUNCTION existence_might_contain_any(relation regclass, column_name name, elements @type@)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_any'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_any(regclass, name, @type@)
    IS 'whether a row may have any of these values in the column';

CREATE FUNCTION existence_might_contain_all(relation regclass, column_name name, elements @type@)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_all'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_all(regclass, name, @type@)
    IS 'whether each of these values may be in a row of the column';
--@end
