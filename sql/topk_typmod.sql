-- topk(20): a promise about k

CREATE TABLE topk_typmod (day int, pages topk(20), many topk(1000), few topk(1), most topk(10000), "any" topk);
\d topk_typmod
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'topk_typmod'::regclass AND attnum > 0 AND atttypid <> 'int'::regtype ORDER BY attnum;

-- ---------- what fits ----------
INSERT INTO topk_typmod SELECT 1, topk_agg(i, 20), topk_agg(i, 1000), topk_agg(i, 1), topk_agg(i, 10000), topk_agg(i, 7) FROM generate_series(1, 5) i;
INSERT INTO topk_typmod (day, pages, few) VALUES (2, topk_empty(20), topk_empty(1)), (3, NULL, NULL), (4, 'QQECFAEAAQMBA3RoZQ==', '\x41000001');
SELECT day, topk_total(pages) AS pages, topk_total(many) AS many, topk_total(few) AS few, (topk_info("any")).k FROM topk_typmod ORDER BY day;

-- ---------- what does not ----------
INSERT INTO topk_typmod (pages) VALUES (topk_add(topk_empty(10), 1));
INSERT INTO topk_typmod (pages) SELECT topk_agg(i, 21) FROM generate_series(1, 5) i;
INSERT INTO topk_typmod (pages) VALUES ('QQAAAQ==');
INSERT INTO topk_typmod (most) SELECT topk_agg(i, 20) FROM generate_series(1, 5000) i;
UPDATE topk_typmod SET pages = many WHERE day = 1;
SELECT count(*) FROM topk_typmod;

-- ---------- an explicit cast folds ----------
SELECT topk_empty(100)::topk(20) = topk_empty(20) AS empty, topk_agg(i, 20)::topk(5) = topk_agg(i, 5) AS lower, topk_agg(i, 20)::topk(500) = topk_agg(i, 500) AS higher, CAST(topk_agg(i, 20) AS topk(20)) = topk_agg(i, 20) AS nothing_to_do,
    NULL::topk(20) IS NULL AS null FROM generate_series(1, 100) i;
-- to fewer counters by forgetting, to as many always, to more only what has not forgotten anything
CREATE TEMP TABLE folded AS SELECT topk_agg(i * i % 5003, 1000) AS exact, topk_agg(i * i % 5003, 20) AS lossy FROM generate_series(1, 20000) i;
SELECT i.k, i.counters, i.items, i.total, round(i.error * i.total) <= i.total / (i.counters + 1) AS within FROM folded, unnest(ARRAY[exact, exact::topk(200), exact::topk(20), lossy, lossy::topk(1), lossy::topk(128), exact::topk(10000)]) s, topk_info(s) i;
SELECT exact::topk(20)::topk(1) = exact::topk(1) AS by_steps FROM folded;
SELECT lossy::topk(129) FROM folded;
SELECT exact::topk(20)::topk(1000) FROM folded;
SELECT 'QQECFAEAAQMBA3RoZQ=='::topk(10) IS NOT NULL AS literal;
SELECT topk(10) 'QQAACg==', '{QQAACg==,NULL}'::topk(10)[], (ARRAY[topk_empty(3)])::topk(4)[] AS array_folded;

-- ---------- results have no modifier, columns made of columns do ----------
CREATE TEMP TABLE made_of AS SELECT pages, pages || pages AS merged, topk_empty(9)::topk(5) AS folded FROM topk_typmod;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made_of'::regclass AND attnum > 0 ORDER BY attnum;

-- ---------- ALTER TABLE, defaults ----------
ALTER TABLE topk_typmod ADD weekly topk(3) DEFAULT topk_empty(3);
UPDATE topk_typmod SET weekly = topk_add(weekly, 1) WHERE day = 2;
SELECT day, weekly FROM topk_typmod WHERE day < 3 ORDER BY day;
ALTER TABLE topk_typmod ALTER pages TYPE topk(30);
ALTER TABLE topk_typmod ALTER pages TYPE topk(30) USING pages::topk(30);
ALTER TABLE topk_typmod ALTER pages TYPE topk;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'topk_typmod'::regclass AND attname IN ('pages', 'weekly') ORDER BY attnum;

-- ---------- domains, variables ----------
CREATE DOMAIN top_pages AS topk(20) CHECK (topk_total(VALUE) < 1000);
SELECT topk_empty(1)::top_pages = topk_empty(20) AS folded, topk_total(topk_agg(i, 20)::top_pages) AS total FROM generate_series(1, 10) i;
SELECT topk_agg(i, 20)::top_pages FROM generate_series(1, 1000) i;
DROP DOMAIN top_pages;

-- ---------- modifiers that are none ----------
SELECT NULL::topk(0);
SELECT NULL::topk(10001);
SELECT NULL::topk(1, 2, 3);
SELECT NULL::topk('many');
SELECT NULL::topk(99999999999);

DROP TABLE topk_typmod;
