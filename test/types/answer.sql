-- What a statement answers, or the SQLSTATE of its error, and the message if it is wanted
CREATE FUNCTION pg_temp.answer(statement text, message boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || CASE WHEN message THEN ' ' || SQLERRM ELSE '' END;
END
$$;
