-- catalog.sql: what users, dumps and plans rely on of the extension's objects, a line each,
-- the same on every version of PostgreSQL: to compare with test/update/probds--1.0.catalog
--
-- (Comments and costs may get better, and are left out.  So are array types, which belong to
-- the extension from PostgreSQL 17 on, and follow from their elements.)
--
-- The extension's schema has to be on the search path, and its name stands in no line.
WITH member AS (
    SELECT classid, objid, (pg_identify_object(classid, objid, 0)).*
    FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = :'extension')
        AND NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type))
), description(type, identity, what, value) AS (
    SELECT type, identity, 'is', 'there' FROM member
    WHERE type NOT IN ('function', 'aggregate', 'procedure', 'operator', 'cast', 'type')
    UNION ALL
    SELECT type, identity, 'function', format('(%s) returns %s; %s %s%s%s parallel %s %s %s',
        pg_get_function_arguments(p.oid),
        pg_get_function_result(p.oid), l.lanname, provolatile,
        CASE WHEN proisstrict THEN ' strict' END, CASE WHEN proleakproof THEN ' leakproof' END,
            proparallel,
        nullif(prosupport, 0)::regproc, proconfig)
    FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
        JOIN pg_language l ON l.oid = prolang
    UNION ALL
    SELECT type, identity, 'runs', prosrc
    FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid AND prokind <> 'a'
    UNION ALL
    SELECT type, identity, 'aggregate',
        format('%s: %s %s; final %s %s %s; combine %s; moving %s %s %s %s; starts at %s',
        aggtranstype::regtype, aggtransfn, aggtransspace, aggfinalfn, aggfinalextra, aggfinalmodify,
            aggcombinefn,
        aggmtransfn, aggminvtransfn, aggmfinalfn, nullif(aggmtranstype, 0)::regtype, agginitval)
    FROM member JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND a.aggfnoid = objid
    UNION ALL
    SELECT member.type, identity, 'type',
        format('%s %s %s %s; in %s out %s receive %s send %s; modifier %s %s; array %s',
        typlen, typalign, typstorage, typcategory, typinput, typoutput, typreceive, typsend,
            typmodin, typmodout, typarray::regtype)
    FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid
    UNION ALL
    SELECT type, identity, 'operator',
        format('%s by %s; commutator %s negator %s; restrict %s join %s; hashes %s merges %s',
        oprresult::regtype, oprcode, nullif(oprcom, 0)::regoper, nullif(oprnegate, 0)::regoper,
            oprrest, oprjoin, oprcanhash, oprcanmerge)
    FROM member JOIN pg_operator o ON classid = 'pg_operator'::regclass AND o.oid = objid
    UNION ALL
    SELECT type, identity, 'cast',
        format('%s %s %s', nullif(castfunc, 0)::regprocedure, castcontext, castmethod)
    FROM member JOIN pg_cast c ON classid = 'pg_cast'::regclass AND c.oid = objid
    UNION ALL
    SELECT type, identity, 'operator class',
        format('%s, default %s', opcintype::regtype, opcdefault)
    FROM member JOIN pg_opclass c ON classid = 'pg_opclass'::regclass AND c.oid = objid
    UNION ALL
    SELECT type, identity, 'operator of the family',
        format('%s %s', amopstrategy, amopopr::regoperator)
    FROM member JOIN pg_amop ON classid = 'pg_opfamily'::regclass AND amopfamily = objid
    UNION ALL
    SELECT type, identity, 'function of the family',
        format('%s %s', amprocnum, amproc::regprocedure)
    FROM member JOIN pg_amproc ON classid = 'pg_opfamily'::regclass AND amprocfamily = objid
)
SELECT rtrim(replace(regexp_replace(format('%s %s: %s %s', type, identity, what, value), '\s+', ' ',
    'g'),
    (SELECT quote_ident(nspname) || '.' FROM pg_extension
        JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = :'extension'), '')) COLLATE "C"
        AS described
FROM description ORDER BY described;
