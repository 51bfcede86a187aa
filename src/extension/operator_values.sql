-- An operator between a sketch and a value of any type
--
-- Parameters: sketch    the type's name
--             operator  its own
--             function  what it calls
--             what      what it is

--@for-each text any
CREATE OPERATOR @operator@ (LEFTARG = @sketch@, RIGHTARG = @type@, FUNCTION = @function@);
COMMENT ON OPERATOR @operator@ (@sketch@, @type@) IS '@what@';
--@end
