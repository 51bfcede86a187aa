-- Bad input that only hll has; what all types refuse is in types_bad_input, and how they say so in types_messages
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- precision ----------
SELECT hll_reduce(hll_agg(i, 12), 14) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT hll_empty(2147483647)'), (2, 'SELECT hll_empty(4)'), (3, 'SELECT hll_empty(18)'), (4, 'SELECT hll_empty(NULL)'), (5, 'SELECT hll_agg(i, nullif(12, 10 + i)) FROM generate_series(1, 3) i'),
    (6, 'SELECT approx_count_distinct(1, 3)'), (7, 'SELECT approx_count_distinct(''a''::text, 19)'), (8, 'SELECT hll_reduce(hll_add(hll_empty(12), 1), 14)'), (9, 'SELECT hll_reduce(hll_add(hll_empty(12), 1), 3)'),
    (10, 'SELECT hll_reduce(hll_empty(12), 19)'), (11, 'SELECT hll_reduce(hll_empty(12), NULL)')) q(n, statement) ORDER BY n;

-- ---------- text that is no sketch ----------
SELECT input, pg_temp.try(format('SELECT %L::hll', input)) FROM (VALUES
    (1, 'EQAADg'), (2, 'EQAADg='), (3, 'EQAADg==='), (4, 'EQAADg==x'), (5, 'EQA=ADg='), (6, 'EQAAD-=='), (7, '\x1100000'), (8, '\x1100000g'), (9, '\y1100000e'), (10, '1100000e')
) q(n, input) ORDER BY n;

-- ---------- bytes that are no sketch ----------
SELECT '\x110000'::hll;
SELECT '\x1200000e'::bytea::hll;
SELECT bytes, pg_temp.why('hll', bytes) FROM (VALUES
    (1, '\x110000'::bytea), (2, '\x1200000e'), (3, '\x2100000e'), (4, '\x1140000e'), (5, '\x1103010e'), (6, '\x1101190e012a111704'), (7, '\x1100010e'), (8, '\x11000003'), (9, '\x1100000e00'), (10, '\x1101010e0181'),
    (11, '\x1101010e002a111704'), (12, '\x1101010e012a11170400'), (13, '\x1102010e'), (14, '\x110201040202100000'),
    -- what an aggregate's state looks like in memory
    (15, '\x110f010e0e0000000000')
) q(n, bytes) ORDER BY n;

-- ---------- cut off, extended, a bit changed ----------
-- One sketch of each encoding
CREATE TEMP TABLE good AS
SELECT row_number() OVER (ORDER BY length(s::bytea)) AS n, name, s::bytea AS b FROM (
    SELECT 'empty' AS name, hll_empty() AS s
    UNION ALL SELECT 'one value', hll_add(hll_empty(), 1)
    UNION ALL SELECT 'sparse', hll_agg(i) FROM generate_series(1, 50) i
    UNION ALL SELECT 'sparse with ranks', hll_agg(i, 18) FROM generate_series(1, 400) i
    UNION ALL SELECT 'dense', hll_agg(i, 4) FROM generate_series(1, 1000) i
    UNION ALL SELECT 'dense with escapes', hll_agg(i, 10) FROM generate_series(1, 50000) i) q;
SELECT * FROM pg_temp.damage('hll', 'hll_cardinality(s) >= 0 AND s || s = s');
-- of registers only the kind of value can be changed like this, or the hash family
SELECT name, bit / 8 AS byte, count(*)
FROM good, generate_series(0, 8 * length(b) - 1) bit, pg_temp.try_bytes('hll', 'true', set_bit(b, bit, 1 - get_bit(b, bit))) r(outcome)
WHERE name LIKE 'dense%' AND r.outcome = 'accepted'
GROUP BY name, b, bit / 8 ORDER BY length(b), bit / 8;

-- every sentence that explains why
SELECT * FROM pg_temp.every_why('hll');

-- ---------- what does not go together ----------
CREATE TEMP TABLE kinds AS SELECT hll_agg(i) AS numbers, hll_agg(i::text) AS texts, hll_empty() AS nothing FROM generate_series(1, 10) i;
SELECT hll_intersection_cardinality(numbers, texts) FROM kinds;
SELECT statement, pg_temp.try(format('SELECT %s FROM kinds', statement)) FROM (VALUES
    (1, 'hll_union_cardinality(texts, numbers)'), (2, 'hll_intersection_bounds(texts, numbers)'), (3, 'hll_jaccard(texts, numbers)'), (4, 'hll_union_cardinality(texts, nothing)'), (5, '#(nothing || texts)'),
    (6, '#hll_add(numbers, ''7'')'), (7, '#hll_add(numbers, 7.0)')) q(n, statement) ORDER BY n;

-- ---------- confidence ----------
SELECT hll_bounds(hll_empty(), 95);
SELECT confidence, pg_temp.try(format('SELECT hll_bounds(hll_agg(1), %L)', confidence)) AS bounds,
    pg_temp.try(format('SELECT hll_intersection_bounds(hll_agg(1), hll_agg(1), %L)', confidence)) AS intersection_bounds
FROM (VALUES (1, '0'), (2, '1'), (3, '-0.5'), (4, '95'), (5, 'NaN'), (6, 'Infinity'), (7, '1e-300'), (8, '0.9999999999999999'), (9, NULL)) q(n, confidence) ORDER BY n;

-- ---------- parameters are the same for the whole query ----------
-- a column is not; a parameter, a subquery that is computed once and a column of an outer query are
CREATE TEMP TABLE visit AS SELECT i % 1000 AS user_id, i % 2 AS hour FROM generate_series(1, 2000) i;
SELECT hour, approx_count_distinct(user_id, hour + 5) FROM visit GROUP BY hour;
SELECT approx_count_distinct(user_id, 12 + 0 * hour) FROM visit;
SELECT hour, approx_count_distinct(user_id, hour + 5) OVER (PARTITION BY hour) FROM visit;
SELECT hour FROM visit GROUP BY hour HAVING approx_count_distinct(user_id, 5 + hour) > 0;
SELECT approx_count_distinct(user_id, p) FROM visit, (SELECT 4 + max(hour) AS p FROM visit) settings;
SELECT hll_agg(14, user_id) FROM visit;
SELECT approx_count_distinct(ROW(user_id, hour)) BETWEEN 990 AND 1010 AS pairs FROM visit;
SELECT approx_count_distinct(user_id, (SELECT 11 + max(hour) FROM visit)) BETWEEN 950 AND 1050 AS subquery FROM visit;
SELECT p, (SELECT (hll_info(hll_agg(user_id, p))).precision_bits FROM visit) AS outer_column,
    (SELECT (hll_info(hll_agg(user_id, p))).precision_bits FROM visit GROUP BY p) AS grouped FROM generate_series(11, 12) p;
PREPARE of_precision(int) AS SELECT (hll_info(hll_agg(user_id, $1))).precision_bits FROM visit;
EXECUTE of_precision(11);
SET plan_cache_mode = force_generic_plan;
EXECUTE of_precision(12);
RESET plan_cache_mode;
CREATE TEMP SEQUENCE step;
SELECT hll_agg(user_id, (10 + nextval('step') % 2)::int) FROM visit;
SELECT hll_agg(user_id, CASE WHEN 0 < ANY (SELECT nextval('step') % 2 FROM generate_series(1, 1)) THEN 10 ELSE 11 END) FROM visit;
