-- hll(14): a promise about the precision; what all types have is in types_typmod and types_messages

CREATE TABLE hll_typmod (day int, visitors hll(14), tiny hll(4));
\d hll_typmod
INSERT INTO hll_typmod SELECT 1, hll_agg(i), hll_agg(i, 4) FROM generate_series(1, 5) i;
INSERT INTO hll_typmod VALUES (2, hll_empty(), hll_empty(4)), (3, 'EQEBDgEqERcE', '\x11010104012a111704'), (4, NULL, NULL);

-- what a COPY tells of a row that does not fit
COPY hll_typmod FROM STDIN;
5	EQEBDAEqERcE	\N
\.
COPY hll_typmod TO STDOUT;
COPY hll_typmod FROM STDIN;
5	EQEBDgEqERcE	\\x11010104012a111704
\.
SELECT day, #visitors AS visitors, #tiny AS tiny FROM hll_typmod ORDER BY day;

-- an explicit cast folds as hll_reduce() does
SELECT p, n, l.* FROM unnest(ARRAY[4, 10, 12]) p, unnest(ARRAY[5, 20000]) n, LATERAL (SELECT hll_agg(i)::hll = hll_agg(i) AS nothing_to_do,
    CASE p WHEN 12 THEN hll_agg(i)::hll(12) WHEN 10 THEN hll_agg(i)::hll(10) ELSE hll_agg(i)::hll(4) END = hll_reduce(hll_agg(i), p) AS as_reduced,
    CASE p WHEN 12 THEN hll_agg(i)::hll(12) WHEN 10 THEN hll_agg(i)::hll(10) ELSE hll_agg(i)::hll(4) END = hll_agg(i, p) AS as_built
FROM generate_series(1, n) i) l ORDER BY p, n;
SELECT (hll_info(visitors::hll(12))).precision_bits, (visitors::hll(4))::hll(4) = tiny AS twice FROM hll_typmod WHERE day = 1;
-- not upwards, unless it is empty
SELECT tiny::hll(14) FROM hll_typmod WHERE day = 1;
SELECT tiny::hll(14) FROM hll_typmod WHERE day = 2;

-- a domain over it has the operators and the answers
CREATE DOMAIN daily AS hll(14) CHECK (#VALUE < 100);
SELECT #s AS cardinality, #(s || s) AS merged, #hll_add(s, -1) AS added, hll_error(s) < 0.001 AS precise, (hll_info(s)).precision_bits FROM (SELECT hll_agg(i)::daily AS s FROM generate_series(1, 10) i) q;
SELECT hll_agg(i)::daily FROM generate_series(1, 101) i;
SELECT hll_add(hll_empty(16), 1)::daily, hll_add(hll_empty(12), 1)::daily;
DROP DOMAIN daily;
DROP TABLE hll_typmod;
