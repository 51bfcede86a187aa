-- Existence indexes of distributed tables: the shards have them, and the coordinator's
-- own empty table never says a certain "no"

CREATE TABLE page_local (id int NOT NULL, url text);
INSERT INTO page_local SELECT i % 40, 'https://example.org/' || i FROM generate_series(1, 40000) i;
CREATE TABLE page (LIKE page_local);
SELECT create_distributed_table('page', 'id');
-- one index before the rows, one after them
CREATE INDEX page_seen ON page USING existence (url);
INSERT INTO page SELECT * FROM page_local;
CREATE INDEX page_seen_again ON page USING existence (url) WITH (false_positive_rate = 0.001);
CREATE INDEX page_url ON page (url);
CREATE TABLE link_local (id int NOT NULL, url text);
INSERT INTO link_local SELECT i % 40, 'https://example.org/' || i
FROM generate_series(1, 400000, 40) i;
CREATE TABLE link (LIKE link_local);
SELECT create_distributed_table('link', 'id');
INSERT INTO link SELECT * FROM link_local;
CREATE TABLE lookup AS SELECT 'https://example.org/' || i AS url
FROM generate_series(1, 80000, 400) i;
SELECT create_reference_table('lookup');
CREATE INDEX ON lookup USING existence (url);

CALL refused('existence: a distributed table',
    $$SELECT existence_might_contain('page', 'url', 'https://example.org/7')$$,
    'cannot answer for table "page"');
CALL refused('existence: elements of an array',
    $$SELECT existence_might_contain_any('page', 'url', ARRAY['https://example.org/7'])$$,
    'cannot answer for table "page"');
CALL refused('existence: a row of a distributed table', $$SELECT count(*) FROM page
    WHERE NOT existence_might_contain('page', 'url', url)$$, 'cannot answer for table "page');
CALL refused('existence: a reference table',
    $$SELECT existence_might_contain('lookup', 'url', 'https://example.org/1')$$,
    'cannot answer for table "lookup"');
CALL refused('existence_verify', $$SELECT existence_verify('page', 'url')$$,
    'cannot answer for table "page"');

-- each shard's own index, asked where it is
CREATE TABLE shard_answer AS
SELECT what, bool_and(success) AS success, sum(n) AS n FROM (
    SELECT 'verified' AS what, success, CASE WHEN success THEN result::bigint END AS n
    FROM run_command_on_shards('page', $$SELECT count(*)
        FROM (SELECT existence_verify('%s', 'url')) v$$)
    UNION ALL
    SELECT 'a key that is there', success, CASE WHEN success THEN result::bigint END
    FROM run_command_on_shards('page',
        $$SELECT existence_might_contain('%s', 'url', 'https://example.org/7')::int$$)
    UNION ALL
    SELECT 'a key that is not', success, CASE WHEN success THEN result::bigint END
    FROM run_command_on_shards('page',
        $$SELECT existence_might_contain('%s', 'url', 'https://example.org/none')::int$$)) a
GROUP BY what;
INSERT INTO verdict (ok, call, what, remark)
SELECT success AND CASE what WHEN 'verified' THEN n = 32 WHEN 'a key that is there' THEN n >= 1
    ELSE n < 8 END, 'run_command_on_shards', 'existence: ' || what,
    format('success %s, %s', success, n)
FROM shard_answer;

-- queries, and plans in which the gate stands in front of the shards' btrees
CALL same('existence: a lookup', $$SELECT * FROM page WHERE url = 'https://example.org/77'$$,
    $$SELECT * FROM page_local WHERE url = 'https://example.org/77'$$);
CALL same('existence: an absent key', $$SELECT * FROM page WHERE url = 'https://example.org/none'$$,
    $$SELECT NULL WHERE false$$);
BEGIN;
SET LOCAL citus.propagate_set_commands = 'local';
SET LOCAL citus.enable_local_execution = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_material = off;
SET LOCAL enable_memoize = off;
CALL same('existence: a join',
    'SELECT count(*), min(url), max(url) FROM link JOIN page USING (id, url)',
    'SELECT count(*), min(url), max(url) FROM link_local JOIN page_local USING (id, url)');
CALL same('existence: an anti-join',
    'SELECT count(*) FROM link l WHERE NOT EXISTS (SELECT FROM page p '
    'WHERE p.url = l.url AND p.id = l.id)',
    'SELECT count(*) FROM link_local l WHERE NOT EXISTS (SELECT FROM page_local p '
    'WHERE p.url = l.url AND p.id = l.id)');
CALL same('existence: a reference table', 'SELECT count(*) FROM lookup JOIN page USING (url)',
    'SELECT count(*) FROM lookup JOIN page_local USING (url)');
CREATE TEMP TABLE gate_plan (line text) ON COMMIT DROP;
DO $$
DECLARE
    l text;
BEGIN
    FOR l IN EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM link
        JOIN page USING (id, url) LOOP
        INSERT INTO gate_plan VALUES (l);
    END LOOP;
END $$;
INSERT INTO verdict (ok, call, what, remark)
SELECT bool_or(line ~ 'Existence Gate'), 'EXPLAIN', 'existence: the gate on a worker', CASE
    WHEN bool_or(line ~ 'Existence Gate') IS NOT TRUE THEN string_agg(line, ' / ') END
    FROM gate_plan;
COMMIT;
