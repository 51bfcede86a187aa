-- The sketch types, as the tests that all of them share see them: a row each.
--
-- Regression tests read it through check.sql, the others with psql (test/t/SketchTypes.pm).
-- A type that the extension has not got yet may have a row; it is left out.
--
--   type          its name
--   usual         parameters: of X_empty(), behind the value of X_agg(), as type modifier;
--                 for a hundred values
--   large         the same, for tens of thousands of values
--   other         the same, and others than the usual ones
--   unites        can sketches of the usual parameters and the others be united?
--   folds         parameters to which a cast makes those of ten values from the usual ones; or NULL
--   refuses       parameters to which it cannot, with the error 22000; or NULL
--   bad           parameters that are none, with the error 22023, separated by |
--   exact         up to so many distinct values in a sketch of the large parameters, and half
--                 as many, its bytes do not depend on the order
--   counts        is a value that is added twice there twice?
--   as_added      do aggregates make the sketch that adding the values would make?  If not, the
--                 statements marked /* as added */ are left out; nor is there one row of info
--   holds         an expression over a sketch s and a value v: is the value in it?
--   numbers       does it take numbers and intervals only?  If so, the statements marked
--                 /* any value */ are left out
--   fixed         is it made once, and neither added to nor merged?  Tests of both leave it out;
--                 sql/fuse.sql has what is left
--   number        an expression over a sketch s: how many values are in it, about
--   alone         an aggregate over v whose states cannot be united; or NULL
--   greatest      the greatest parameters
--   beyond        parameters beyond them
--   beyond_error  and the SQLSTATE
CREATE TEMP TABLE types AS
SELECT * FROM (VALUES
    ('hll', '14', '14', '12', true, '12', '15', '3|19|-1', 1000000000, false, true,
        'hll_add(s, v) = s', 'hll_cardinality(s)', NULL,
        '18', '19', '22023'),
    ('bloom', '100', '100000', '1000', false, NULL, '1000', '0|-1|100, 0|100, 1', 1000000000, false,
        true,
        's @> v', 'bloom_cardinality(s)', 'bloom_agg(v)',
        '866000000', '880000000', '54000'),
    ('cms', '0.001, 0.01', '0.001, 0.01', '0.01, 0.01', false, '0.001, 0.1', '0.002, 0.01',
        '0, 0.1|1, 0.1|0.1, 0|0.1, -1', 1000000000, true, true,
        's -> v >= 1', 'cms_total(s)', NULL,
        '1.02e-7, 0.01', '1.01e-7, 0.01', '54000'),
    ('topk', '20', '20', '10', false, '10', NULL, '0|10001|-1', 2000, true, true,
        's -> v >= 1', 'topk_total(s)', NULL,
        '10000', '10001', '22023'),
    ('cuckoo', '100', '100000', '1000', false, NULL, '1000', '0|-1|100, 0|100, 1', 1000000000, true,
        true,
        's @> v', 'cuckoo_cardinality(s)', NULL,
        NULL, NULL, NULL),
    ('counting_bloom', '100', '100000', '1000', false, NULL, '1000', '0|-1|100, 0|100, 1',
        1000000000, true, true,
        's @> v', 'counting_bloom_cardinality(s)', NULL,
        '216000000', '217000000', '54000'),
    ('scalable_bloom', '100', '100000', '1000', true, NULL, '1000', '0|-1|100, 0|100, 1',
        1000000000, false, false,
        's @> v', 'scalable_bloom_cardinality(s)', 'scalable_bloom_agg(v, 100)',
        NULL, NULL, NULL),
    ('minhash', '128', '1024', '64', true, '64', '256', '0|8|100|131072', 1000000000, false, true,
        'minhash_add(s, v) = s', 'minhash_cardinality(s)', NULL,
        '65536', '131072', '22023'),
    ('ddsketch', '0.01', '0.01', '0.02', true, '0.05', '0.001', '0|1|-1|0.01, 0|0.01, 70000',
        1000000000, true, true,
        'ddsketch_rank(s, v) > 0', 'ddsketch_count(s)', NULL,
        '3.31e-7, 65536', '3.3e-7', '22023'),
    ('fuse', '0.01', '0.01', '0.001', false, NULL, '0.001', '0|1|-1', 1000000000, false, false,
        's @> v', 'fuse_cardinality(s)', NULL,
        NULL, NULL, NULL)
) t (type, usual, large, other, unites, folds, refuses, bad, exact, counts, as_added,
    holds, number, alone,
    greatest, beyond, beyond_error);
ALTER TABLE types ADD numbers boolean NOT NULL DEFAULT false;
ALTER TABLE types ADD fixed boolean NOT NULL DEFAULT false;
UPDATE types SET numbers = type = 'ddsketch', fixed = type = 'fuse';
DELETE FROM types WHERE type NOT IN (
    SELECT typname FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass
        AND d.objid = t.oid AND d.deptype = 'e'
    WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds'));
