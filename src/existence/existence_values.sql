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

--@for-each-row which what
--| any | whether a row may have any of these values in the column
--| all | whether each of these values may be in a row of the column
--@for-each text anyarray
CREATE FUNCTION existence_might_contain_@which@(relation regclass, column_name name,
    elements @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_@which@'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_@which@(regclass, name, @type@) IS '@what@';
--@end
--@end-row
