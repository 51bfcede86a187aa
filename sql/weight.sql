-- Weights: any integer is taken as a bigint, and any other number is an error that says what to write

CREATE TEMP TABLE sale AS SELECT i, 'page ' || i % 7 AS page, i AS b, i % 100 AS n, (i % 100)::smallint AS s, i / 100.0 AS amount FROM generate_series(1::bigint, 1000) i;

-- ---------- integers ----------
SELECT cms_agg_weighted(page, n) = cms_agg_weighted(page, n::int) AS int4, cms_agg_weighted(page, n) = cms_agg_weighted(page, s) AS int2,
    cms_agg_conservative_weighted(page, n ORDER BY i) = cms_agg_conservative_weighted(page, s ORDER BY i) AS conservative,
    topk_agg_weighted(page, n) = topk_agg_weighted(page, n::int) AS topk, approx_top_k_weighted(page, n) = approx_top_k_weighted(page, s) AS approx_top_k,
    cms_total(cms_agg_weighted(page, 5)) AS literal, cms_total(cms_agg_weighted(page, '5')) AS quoted, cms_total(cms_agg_weighted(page, NULL)) AS none FROM sale;
CREATE DOMAIN pg_temp.pieces AS int CHECK (VALUE > 0);
SELECT cms_total(cms_agg_weighted(page, 3::pg_temp.pieces)) AS domain, cms_total(cms_agg_weighted(page, 9223372036854775807)) AS largest FROM sale WHERE i = 1;
SELECT i, cms_total(cms_agg_weighted(page, s) OVER w) = sum(n) OVER w AS int2, cms_total(cms_agg_weighted(page, n::int, 0.01) OVER w) = sum(n) OVER w AS int4 FROM sale WHERE i < 6 WINDOW w AS (ORDER BY i ROWS 2 PRECEDING);
-- of two aggregates in one query each has its own
SELECT cms_total(cms_agg_weighted(page, s)) AS a, cms_total(cms_agg_weighted(page, b)) AS b, cms_total(cms_agg_weighted(page, n::int)) AS c, sum(n), sum(b) FROM sale;
-- sketches of literals, of parameters without a type, of NULL
SELECT cms_total(cms_add(cms_empty(), 'x', 5)) AS literal, cms_total(cms_add(cms_empty(), 7, '5')) AS quoted, cms_total(cms_add(NULL, 'x', 5)) AS of_null, cms_total(cms_add(NULL, 7, 5::smallint)) AS of_null_int2,
    topk_total(topk_add(topk_empty(), 'x', 5)) AS topk, topk_total(topk_add(NULL, 7, 5)) AS topk_of_null;
PREPARE add_all AS SELECT cms_total(cms_add($1, $2, $3));
PREPARE add_int AS SELECT cms_total(cms_add($1, 7, $2));
PREPARE add_topk AS SELECT topk_total(topk_add($1, i, $2)) FROM sale WHERE i = 1;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name;
EXECUTE add_all (NULL, 'x', 9007199254740993);
EXECUTE add_int (cms_empty(), 3);
EXECUTE add_topk (NULL, 3);

-- ---------- other numbers ----------
SELECT cms_agg_weighted(page, amount) FROM sale;
SELECT cms_agg_weighted(page, amount::real, 0.01) FROM sale;
SELECT cms_agg_conservative_weighted(page, amount) FROM sale;
SELECT topk_agg_weighted(page, amount, 10) FROM sale;
SELECT approx_top_k_weighted(page, 1.5) FROM sale;
SELECT cms_total(cms_agg_weighted(page, amount) OVER (ORDER BY i)) FROM sale;
SELECT cms_agg_weighted(page, page) FROM sale;
SELECT cms_add(cms_empty(), 'x', 1.5);
SELECT cms_add(cms_empty(), i, amount) FROM sale;
SELECT cms_add(cms_empty(), page, amount::real) FROM sale;
SELECT cms_add(NULL, 'x', 1.5);
SELECT topk_add(topk_empty(), 'x', 1.5);
SELECT topk_add(topk_empty(), i, amount::float8) FROM sale;
SELECT topk_total(topk_agg_weighted(page, (amount * 100)::bigint)) AS as_the_hint_says FROM sale;
