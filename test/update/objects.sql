-- objects.sql: all that the catalogues say of the extension's objects, a line each
-- and without OIDs: to compare an updated extension with a new one
--
-- The extension's schema has to be on the search path.
CREATE TEMP VIEW member AS
SELECT classid::regclass AS catalogue, objid, pg_describe_object(classid, objid, 0) AS object
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds');

CREATE TEMP VIEW description AS
SELECT object, 'is a member' AS what, NULL::text AS value FROM member
UNION ALL
SELECT 'extension', 'configuration', jsonb_build_object('relocatable', extrelocatable, 'version',
    extversion, 'tables', cardinality(extconfig))::text
FROM pg_extension WHERE extname = 'probds'
UNION ALL
SELECT object, 'comment', obj_description(objid, catalogue::name) FROM member
UNION ALL
SELECT object, 'function',
    (to_jsonb(p) -
    ('{oid,pronamespace,proowner,prolang,prorettype,provariadic,proargtypes,proallargtypes,'
    'proargdefaults,prosqlbody,protrftypes}')::text[])::text
    || CASE p.prokind WHEN 'a' THEN '' ELSE pg_get_functiondef(p.oid) END
    || pg_get_function_arguments(p.oid) || ' -> ' || pg_get_function_result(p.oid) || ' ' ||
        p.provariadic::regtype
FROM member JOIN pg_proc p ON catalogue = 'pg_proc'::regclass AND p.oid = objid
UNION ALL
SELECT object, 'aggregate', (to_jsonb(a) - '{aggsortop,aggtranstype,aggmtranstype}'::text[])::text
    || format(' %s %s %s', aggtranstype::regtype, aggmtranstype::regtype, aggsortop::regoperator)
FROM member JOIN pg_aggregate a ON catalogue = 'pg_proc'::regclass AND a.aggfnoid = objid
UNION ALL
SELECT object, 'type',
    (to_jsonb(t) -
    '{oid,typnamespace,typowner,typrelid,typelem,typarray,typbasetype,typcollation}'::text[])::text
    || format(' %s %s %s %s', typelem::regtype, typarray::regtype, typbasetype::regtype,
        typcollation::regcollation)
FROM member JOIN pg_type t ON catalogue = 'pg_type'::regclass AND t.oid = objid
UNION ALL
SELECT object, 'operator',
    format('%s %s %s',
    (to_jsonb(o) -
    '{oid,oprnamespace,oprowner,oprleft,oprright,oprresult,oprcom,oprnegate}'::text[]),
    oprresult::regtype, jsonb_build_object('commutator', oprcom::regoperator, 'negator',
        oprnegate::regoperator))
FROM member JOIN pg_operator o ON catalogue = 'pg_operator'::regclass AND o.oid = objid
UNION ALL
SELECT object, 'cast', format('%s %s %s', castfunc::regprocedure, castcontext, castmethod)
FROM member JOIN pg_cast c ON catalogue = 'pg_cast'::regclass AND c.oid = objid
UNION ALL
SELECT object, 'access method', format('%s %s', amtype, amhandler)
FROM member JOIN pg_am a ON catalogue = 'pg_am'::regclass AND a.oid = objid
UNION ALL
SELECT object, 'operator class', format('%s %s %s %s %s', opcintype::regtype, opckeytype::regtype,
    opcdefault, amname,
    pg_describe_object('pg_opfamily'::regclass, opcfamily, 0))
FROM member JOIN pg_opclass c ON catalogue = 'pg_opclass'::regclass AND c.oid = objid
    JOIN pg_am a ON a.oid = opcmethod
UNION ALL
SELECT object, 'operator of the family',
    format('%s %s %s %s', amopstrategy, amoppurpose, amopopr::regoperator, amopsortfamily)
FROM member JOIN pg_amop ON catalogue = 'pg_opfamily'::regclass AND amopfamily = objid
UNION ALL
SELECT object, 'function of the family', format('%s %s %s %s', amprocnum, amproclefttype::regtype,
    amprocrighttype::regtype, amproc::regprocedure)
FROM member JOIN pg_amproc ON catalogue = 'pg_opfamily'::regclass AND amprocfamily = objid
UNION ALL
SELECT object, 'column', format('%s %s %s %s', attnum, attname, format_type(atttypid, atttypmod),
    attnotnull)
FROM member JOIN pg_attribute ON catalogue = 'pg_class'::regclass AND attrelid = objid
    AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT object, 'definition', pg_get_viewdef(c.oid)
FROM member JOIN pg_class c ON catalogue = 'pg_class'::regclass AND c.oid = objid
    AND c.relkind IN ('v', 'm')
UNION ALL
SELECT object, 'event trigger', format('%s %s %s %s', evtevent, evtenabled, evttags,
    evtfoid::regprocedure)
FROM member JOIN pg_event_trigger e ON catalogue = 'pg_event_trigger'::regclass AND e.oid = objid
UNION ALL
SELECT object, 'needs', deptype::text || ' ' || pg_describe_object(refclassid, refobjid,
    refobjsubid)
FROM member JOIN pg_depend d ON d.classid = catalogue AND d.objid = member.objid
    AND d.deptype <> 'e'
UNION ALL
SELECT object, 'not described here', catalogue::text
FROM member WHERE catalogue NOT IN ('pg_proc'::regclass, 'pg_type'::regclass,
    'pg_operator'::regclass, 'pg_cast'::regclass,
    'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_am'::regclass, 'pg_class'::regclass,
    'pg_event_trigger'::regclass);

SELECT regexp_replace(format('%s: %s %s', object, what, value), '\s+', ' ',
    'g') COLLATE "C" AS described FROM description ORDER BY described;
DROP VIEW description, member;
