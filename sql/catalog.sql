-- What holds for every object of the extension.  Each query lists offenders.
CREATE TEMP VIEW member AS
SELECT classid, objid
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds');

-- a comment (array types are PostgreSQL's own doing)
SELECT pg_describe_object(classid, objid, 0) AS without_comment
FROM member
WHERE obj_description(objid, classid::regclass::name) IS NULL
    AND NOT (classid = 'pg_type'::regclass AND EXISTS (SELECT FROM pg_type t WHERE t.typarray = objid))
ORDER BY 1;

-- parallel safe, and neither volatile nor leaking
-- (except for what reads or writes tables: rollups, health, and of existence indexes all pages)
SELECT p.oid::regprocedure AS not_parallel_safe
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.proparallel <> 's' AND p.proname !~ '_rollup|^probds_health$|^existence_(verify|info|export)$'
ORDER BY 1;

SELECT p.oid::regprocedure AS volatile
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.provolatile = 'v' AND p.proname !~ '_rollup'
ORDER BY 1;

-- what a value gives is the same in every session, so that it can be indexed, and be set in any UPDATE of Citus
-- (existence indexes are asked about tables)
SELECT p.oid::regprocedure AS stable
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.provolatile = 's' AND p.proname !~ '_rollup|^probds_health$|_sel$|^existence_'
ORDER BY 1;

-- an honest cost, where 1 would be a lie, is stated somewhere
SELECT count(*) FILTER (WHERE procost > 1) > 0 AS costs_are_stated
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid;

-- no function is in a language whose text would be read by its caller's search path
SELECT p.oid::regprocedure AS not_in_c
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
    JOIN pg_language l ON l.oid = p.prolang
WHERE l.lanname NOT IN ('c', 'internal')
ORDER BY 1;
-- none runs as its owner: who calls is who it runs as, or the owner of a rollup
SELECT p.oid::regprocedure AS runs_as_its_owner
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.prosecdef
ORDER BY 1;
-- what nobody is to call begins with an underscore, out of the way of tab completion, and says so
SELECT p.oid::regprocedure AS internal_or_not
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE (p.proname LIKE '\_%') <> (obj_description(p.oid, 'pg_proc') LIKE 'internal: %')
ORDER BY 1;

-- an aggregate can be split by a parallel plan, and by Citus, if it has a combine function.
-- bloom_agg without a capacity and scalable_bloom_agg have none
SELECT a.aggfnoid::regprocedure AS wrongly_split_or_not
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
    JOIN pg_proc p ON p.oid = a.aggfnoid
WHERE (a.aggcombinefn = 0) <> (p.proname = 'bloom_agg' AND p.pronargs = 1 OR p.proname = 'scalable_bloom_agg')
ORDER BY 1;

-- no state travels in a form of its own
SELECT a.aggfnoid::regprocedure AS has_serialized_states
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
WHERE a.aggserialfn <> 0 OR a.aggdeserialfn <> 0
ORDER BY 1;

-- the state is a sketch, so that distributed plans can split it too
SELECT DISTINCT p.proname, a.aggtranstype::regtype
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
    JOIN pg_proc p ON p.oid = a.aggfnoid
ORDER BY 1;

-- an aggregate over values is declared over "any", once for each list of parameters, and so is a weight
SELECT a.aggfnoid::regprocedure AS declared_otherwise
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
    JOIN pg_proc p ON p.oid = a.aggfnoid
WHERE p.proname !~ '_(merge|intersect)_agg$|^hll_agg_hash$'
    AND (p.proargtypes[0] <> '"any"'::regtype OR p.proargnames[1] <> 'value'
        OR EXISTS (SELECT FROM generate_series(1, p.pronargs - 1) i WHERE (p.proargtypes[i] = '"any"'::regtype) <> (p.proargnames[i + 1] = 'weight')))
ORDER BY 1;
SELECT p.proname AS aggregate, count(*) AS forms
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.prokind = 'a' GROUP BY 1 ORDER BY 1;
-- a catalog that a person can read: functions in all, and those that a user calls
-- (ddsketch has 61 of these, and 34)
SELECT count(*) <= 560 AS few,
    count(*) FILTER (WHERE p.proname !~ '^_' AND p.prosrc <> 'probds_refuse_weight' AND p.proname !~ ('^(' || types || ')(_(in|out|recv|send|typmod_in|typmod_out|eq|ne|lt|le|gt|ge|cmp|hash|hash_extended))?$')) <= 305 AS few_to_call
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid,
    (SELECT string_agg(t.typname, '|') AS types FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid WHERE t.typtype = 'b') q;

-- a function that takes a value (or any sketch: the only exception) has a twin that takes text instead of
-- "any", and one that takes an array instead of anyarray: literals, and parameters without a type, are
-- resolved to these
CREATE TEMP TABLE twin AS
SELECT p.oid::regprocedure AS function, p.proname, pos, p.proargtypes[pos]::regtype AS type, p.proargnames[pos + 1] AS argument,
    (SELECT array_agg(CASE WHEN n = pos THEN NULL ELSE t END ORDER BY n) FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY u(t, n1), LATERAL (SELECT n1 - 1 AS n) q) AS others
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid, generate_series(0, p.pronargs - 1) pos
WHERE p.prokind = 'f' AND p.prosrc <> 'probds_refuse_weight' AND (p.proargtypes[pos] = ANY ('{"\"any\"",anyarray}'::regtype[]) AND p.proargnames[pos + 1] IS DISTINCT FROM 'sketch' OR p.proargnames[pos + 1] IN ('value', 'elements'));
SELECT function AS without_twin FROM twin a
WHERE proname !~ '_step$' AND NOT EXISTS (SELECT FROM twin b WHERE (b.proname, b.pos, b.argument, b.others) IS NOT DISTINCT FROM (a.proname, a.pos, a.argument, a.others)
    AND b.type = CASE WHEN a.type <> 'text'::regtype THEN 'text'::regtype WHEN a.argument = 'elements' THEN 'anyarray' ELSE '"any"' END)
ORDER BY 1;
SELECT count(*) FILTER (WHERE argument = 'value') AS of_values, count(*) FILTER (WHERE argument = 'elements') AS of_arrays FROM twin;
SELECT o.oid::regoperator AS without_twin
FROM member JOIN pg_operator o ON classid = 'pg_operator'::regclass AND objid = o.oid,
    LATERAL (SELECT '{"\"any\"",text}'::regtype[]) q(twins)
WHERE o.oprleft = ANY (twins) AND NOT EXISTS (SELECT FROM pg_operator t WHERE (t.oprname, t.oprright) = (o.oprname, o.oprright) AND t.oprleft = ANY (twins) AND t.oprleft <> o.oprleft)
    OR o.oprright = ANY (twins) AND NOT EXISTS (SELECT FROM pg_operator t WHERE (t.oprname, t.oprleft) = (o.oprname, o.oprleft) AND t.oprright = ANY (twins) AND t.oprright <> o.oprright)
ORDER BY 1;

-- arguments can be given by name, and columns of a result be written without quotes
SELECT p.oid::regprocedure AS function, name AS is_a_keyword
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid, unnest(p.proargnames) name JOIN pg_get_keywords() k ON k.word = name
WHERE k.catcode IN ('R', 'C', 'T')
ORDER BY 1, 2;

-- input and output, send and receive come in pairs; only texts are compressed
SELECT t.typname, t.typstorage, t.typreceive <> 0 AS receive, t.typsend <> 0 AS send,
    t.typmodin <> 0 AS modifier
FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid
WHERE t.typtype = 'b' AND t.typelem = 0
ORDER BY 1;

-- types that can be grouped and indexed
SELECT t.typname, am.amname
FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid
    JOIN pg_opclass c ON c.opcintype = t.oid AND c.opcdefault
    JOIN pg_am am ON am.oid = c.opcmethod
WHERE t.typtype = 'b' AND t.typelem = 0
ORDER BY 1, 2;

SELECT opcname AS invalid FROM member JOIN pg_opclass c ON classid = 'pg_opclass'::regclass AND objid = c.oid
WHERE NOT amvalidate(c.oid);
