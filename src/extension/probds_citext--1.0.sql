-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_citext" to load this file. \quit

-- What follows are the functions, operators and aggregates over values of probds, once
-- more with citext in place of text.  Without them citext would be cast to text, and
-- values that are equal as citext would count as different ones.

-- The hash of a value

CREATE FUNCTION probds_hash(value citext) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash(citext) IS 'the hash of any value as sketches see it: the first 64 bits of MurmurHash3 x64_128 of its canonical bytes';

-- hll: functions and aggregates over values

CREATE FUNCTION hll_add(sketch hll, value citext) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION hll_add(hll, citext) IS 'the sketch with one more value';

CREATE FUNCTION hll_step(hll, citext) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, citext) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, citext, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, citext, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value citext) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(citext) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value citext, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(citext, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value citext) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(citext) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value citext, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(citext, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

-- bloom: functions, operators and aggregates over values

CREATE FUNCTION bloom_add(sketch bloom, value citext) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION bloom_add(bloom, citext) IS 'the sketch with one more value';

-- ---------- probing ----------

CREATE FUNCTION bloom_contains(filter bloom, value citext) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, citext) IS 'was the value added? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION bloom_contained(value citext, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contained(citext, bloom) IS 'bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = citext, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, citext) IS 'was the value added?';
CREATE OPERATOR <@ (LEFTARG = citext, RIGHTARG = bloom, FUNCTION = bloom_contained, COMMUTATOR = @>,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (citext, bloom) IS 'was the value added?';

-- ---------- aggregates ----------

-- The states of one without a capacity cannot be merged across machines, so it has no
-- combine function

CREATE FUNCTION bloom_step(bloom, citext) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, citext) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, citext, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, citext, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, citext, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, citext, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, citext, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, citext, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value citext) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(citext) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value citext, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(citext, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value citext, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(citext, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value citext, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(citext, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

-- cms: functions, operators and aggregates over values

CREATE FUNCTION cms_add(sketch cms, value citext) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, citext) IS 'the sketch with one more value';

CREATE FUNCTION cms_add(sketch cms, value citext, count bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, citext, bigint) IS 'the sketch with a value more, so many times; a negative count takes it out';

CREATE FUNCTION cms_frequency(sketch cms, value citext) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, citext) IS 'how often the value occurred: never too low, seldom too high by more than cms_error';

CREATE FUNCTION cms_bounds(sketch cms, value citext,
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, citext) IS 'how often the value occurred: at most upper, and at least lower with a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = citext, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, citext) IS 'how often the value occurred';

-- ---------- aggregates ----------

CREATE FUNCTION cms_step(cms, citext) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, citext) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, citext, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, citext, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, citext, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, citext, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, citext, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, citext, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, citext) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, citext) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, citext, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, citext, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, citext, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, citext, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, citext, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, citext, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, citext) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, citext) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, citext, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, citext, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, citext, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, citext, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, citext, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, citext, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE AGGREGATE cms_agg(value citext) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(citext) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value citext, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(citext, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value citext, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(citext, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value citext, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(citext, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_conservative(value citext) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(citext) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value citext, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(citext, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value citext, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(citext, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value citext, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(citext, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

-- topk: functions, operators and aggregates over values

CREATE FUNCTION topk_add(sketch topk, value citext) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, citext) IS 'the sketch with one more value';

CREATE FUNCTION topk_add(sketch topk, value citext, weight bigint) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, citext, bigint) IS 'the sketch with a value that counts as often as its weight says';

CREATE FUNCTION topk_frequency(sketch topk, value citext) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, citext) IS 'how often a value occurred, at most; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value citext,
                            OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, citext) IS 'how often a value occurred: certainly between lower and upper, whether it is in the sketch or not';

CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = citext, FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, citext) IS 'how often the value occurred, at most';

-- ---------- aggregates ----------

CREATE FUNCTION topk_step(topk, citext) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, citext) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, citext, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, citext, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, citext, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, citext, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value citext) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(citext) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value citext, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(citext, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value citext, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(citext, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value citext) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(citext) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value citext, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(citext, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value citext, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(citext, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

-- The last statement of every script: the script fails if a name in it has found an object of
-- somebody else.  All that the extension's objects use belongs to the server (whose objects have no
-- rows in pg_depend), to the extension, or to an extension that it requires.
DO $$
DECLARE
    stranger record;
BEGIN
    -- from here on operators are the server's
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT e.extname, pg_catalog.concat(ours.type, ' ', ours.identity) AS ours,
        pg_catalog.concat(theirs.type, ' ', theirs.identity) AS theirs INTO stranger
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_depend m ON m.refclassid = 'pg_extension'::pg_catalog.regclass
        AND m.refobjid = e.oid AND m.deptype = 'e'
    CROSS JOIN LATERAL (
        SELECT d.refclassid AS classid, d.refobjid AS objid FROM pg_catalog.pg_depend d
        WHERE d.classid = m.classid AND d.objid = m.objid
            AND d.refclassid NOT IN ('pg_extension'::pg_catalog.regclass,
                'pg_namespace'::pg_catalog.regclass)
        UNION ALL
        -- which the operator does not depend on
        SELECT m.classid, other FROM pg_catalog.pg_operator o
        CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[o.oprcom, o.oprnegate]) AS other
        WHERE m.classid = 'pg_operator'::pg_catalog.regclass AND o.oid = m.objid AND other <> 0
    ) AS used
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(m.classid, m.objid, 0) AS ours
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(used.classid, used.objid, 0) AS theirs
    WHERE e.extname IN ('probds', 'probds_citext') AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend owner
        WHERE owner.classid = used.classid AND owner.objid = used.objid AND owner.deptype = 'e'
            AND (owner.refobjid = e.oid OR EXISTS (
                SELECT FROM pg_catalog.pg_depend required
                WHERE required.classid = owner.refclassid AND required.objid = e.oid
                    AND required.refclassid = owner.refclassid
                    AND required.refobjid = owner.refobjid)))
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'extension % cannot use %', stranger.extname, stranger.theirs
            USING ERRCODE = 'invalid_object_definition',
            DETAIL = pg_catalog.format('It is used by %1$s, but belongs neither to %2$s nor to an '
                'extension that %2$s requires.', stranger.ours, stranger.extname),
            HINT = 'Drop it, or create the extension in another schema.';
    END IF;
END $$;
