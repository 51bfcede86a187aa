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
-- (but for what reads or writes tables: rollups and health)
SELECT p.oid::regprocedure AS not_parallel_safe
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.proparallel <> 's' AND p.proname !~ '_rollup|^probds_health$'
ORDER BY 1;

SELECT p.oid::regprocedure AS volatile
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.provolatile = 'v' AND p.proname !~ '_rollup'
ORDER BY 1;

-- an honest cost, where 1 would be a lie, is stated somewhere
SELECT count(*) FILTER (WHERE procost > 1) > 0 AS costs_are_stated
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid;

-- functions in SQL or PL/pgSQL find their objects whatever the search path.
-- (Three take what their caller gives them as the caller's path has it, and qualify
-- everything of their own; sql/rollup.sql calls them in a hostile one)
SELECT p.oid::regprocedure AS depends_on_search_path
FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
    JOIN pg_language l ON l.oid = p.prolang
WHERE l.lanname NOT IN ('c', 'internal') AND coalesce(to_jsonb(p) ->> 'prosqlbody', '') = ''
    AND p.proconfig IS NULL
    AND p.proname NOT IN ('probds_create_rollup', 'probds_create_rollup_view', 'probds_refresh_rollup')
ORDER BY 1;

-- every aggregate can be split: a combine function, and a state that travels
SELECT a.aggfnoid::regprocedure AS not_splittable
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
WHERE a.aggcombinefn = 0
    OR a.aggtranstype = 'internal'::regtype AND (a.aggserialfn = 0 OR a.aggdeserialfn = 0)
ORDER BY 1;

-- the state is a sketch, so that distributed plans can split it too
SELECT DISTINCT p.proname, a.aggtranstype::regtype
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
    JOIN pg_proc p ON p.oid = a.aggfnoid
ORDER BY 1;

-- an aggregate over values has an overload for each of the nine argument types
SELECT p.proname, count(*) % 9 AS overloads_missing_or_odd
FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
    JOIN pg_proc p ON p.oid = a.aggfnoid
WHERE p.proname !~ '_(merge|intersect)_agg$'
GROUP BY 1 HAVING count(*) % 9 <> 0
ORDER BY 1;

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
