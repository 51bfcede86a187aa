-- The tables of test/bench/against, in the schemas timed (:rows rows) and counted (:few rows),
-- made with the old library.  Rows as those of hll.sql and topk.sql: v and t hold half as many
-- distinct values as there are rows, "hit" is Zipf-like.  "day" are 365 groups; "key" groups of
-- some 1,000 rows, with one of 170 addresses in each; "user" groups of some 100 rows.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE FUNCTION draw(i bigint, what int, below bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT (hashint8extended(i, what) & 9007199254740991) % below $$;

CREATE FUNCTION fill(n bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	CREATE TABLE r AS
	SELECT v, 'https://www.example.org/articles/' || lpad(v::text, 10, '0') || '/page.html' AS t,
	       'https://www.example.org/articles/' ||
	           lpad((floor(exp(public.draw(i, 5, 1000000) / 1e6 * ln(1e6)))::bigint)::text,
	               10, '0') ||
	           '/page.html' AS hit,
	       'https://www.example.org/articles/' || lpad(public.draw(i, 3, 170)::text, 10, '0') ||
	           '/page.html' AS item,
	       public.draw(i, 1, 365) AS day,
	       public.draw(i, 2, greatest(n / 1000, 1)) AS key,
	       public.draw(i, 4, greatest(n / 100, 1)) AS "user"
	FROM (SELECT i, public.draw(i, 7, n / 2) AS v FROM generate_series(1, n) i) q;
	-- one filter of all rows, and stored sketches of 1,000 rows each
	CREATE TABLE one AS SELECT bloom_agg(v, n) AS b FROM r;
	CREATE TABLE s AS SELECT hll_agg(v) AS h, bloom_agg(v, 10000) AS b, cms_agg(t) AS c,
		topk_agg(item) AS k FROM r GROUP BY key;
END $$;

CREATE SCHEMA timed;
SET search_path = timed, public;
SELECT fill(:rows);
CREATE SCHEMA counted;
SET search_path = counted, public;
SELECT fill(:few);
VACUUM ANALYZE timed.r, timed.one, timed.s, counted.r, counted.one, counted.s;
CHECKPOINT;
