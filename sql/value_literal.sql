-- Literals without a type: they are read as what the sketch holds

-- The kind of a sketch, and whether the literal was equal to the value in it
CREATE FUNCTION pg_temp.same(sketch hll, more hll) RETURNS TABLE (kind text, same boolean) LANGUAGE sql AS $$
    SELECT (hll_info(more)).kind, sketch = more
$$;

SELECT 'nothing' AS sketch, * FROM pg_temp.same(hll_add(hll_empty(), 'foo'::text), hll_add(hll_empty(), 'foo'))
UNION ALL SELECT 'text', * FROM pg_temp.same(hll_add(hll_empty(), '42'::text), hll_add(hll_add(hll_empty(), '42'::text), '42'))
UNION ALL SELECT 'integer', * FROM pg_temp.same(hll_add(hll_empty(), 42), hll_add(hll_add(hll_empty(), 42), '42'))
UNION ALL SELECT 'numeric', * FROM pg_temp.same(hll_add(hll_empty(), 1.50), hll_add(hll_add(hll_empty(), 1.50), ' 1.5 '))
UNION ALL SELECT 'bytea', * FROM pg_temp.same(hll_add(hll_empty(), '\x61'::bytea), hll_add(hll_add(hll_empty(), '\x61'::bytea), 'a'))
UNION ALL SELECT 'uuid', * FROM pg_temp.same(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid),
    hll_add(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid), 'A0EEBC999C0B4EF8BB6D6BB9BD380A11'))
UNION ALL SELECT 'boolean', * FROM pg_temp.same(hll_add(hll_empty(), true), hll_add(hll_add(hll_empty(), true), 'yes'))
UNION ALL SELECT 'inet', * FROM pg_temp.same(hll_add(hll_empty(), '10.0.0.1'::inet), hll_add(hll_add(hll_empty(), '10.0.0.1'::inet), '10.0.0.1/32'))
UNION ALL SELECT 'macaddr', * FROM pg_temp.same(hll_add(hll_empty(), '08:00:2b:01:02:03'::macaddr), hll_add(hll_add(hll_empty(), '08:00:2b:01:02:03'::macaddr), '08002b010203'))
UNION ALL SELECT 'macaddr8', * FROM pg_temp.same(hll_add(hll_empty(), '08:00:2b:01:02:03:04:05'::macaddr8), hll_add(hll_add(hll_empty(), '08:00:2b:01:02:03:04:05'::macaddr8), '08002b0102030405'))
UNION ALL SELECT 'jsonb', * FROM pg_temp.same(hll_add(hll_empty(), '{"a": 1}'::jsonb), hll_add(hll_add(hll_empty(), '{"a": 1}'::jsonb), '{"a":1.0}'));

CREATE TYPE pg_temp.mood AS ENUM ('sad', 'happy');
SELECT * FROM pg_temp.same(hll_add(hll_empty(), 'happy'::pg_temp.mood), hll_add(hll_add(hll_empty(), 'happy'::pg_temp.mood), 'happy'));

-- one call site, sketches of several kinds
SELECT h.sketch = hll_add(h.sketch, '42') AS same FROM (VALUES
    (1, hll_add(hll_empty(), 42)), (2, hll_add(hll_empty(), '42'::text)), (3, hll_add(hll_empty(), 42::numeric)), (4, hll_add(hll_empty(), '42'::bytea))
) h(n, sketch) ORDER BY n;

-- what is no such value
SELECT hll_add(hll_add(hll_empty(), 42), 'foo');
SELECT hll_add(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid), 'foo');
SELECT hll_add(hll_add(hll_empty(), '10.0.0.1'::inet), '10.0.0.256');
-- what depends on settings, or could be several types
SELECT hll_add(hll_add(hll_empty(), '2000-01-01'::date), '2000-01-02');
SELECT hll_add(hll_add(hll_empty(), now()), 'now');
SELECT hll_add(hll_add(hll_empty(), 0.1::real), '0.1');
SELECT hll_add(hll_add(hll_empty(), '$1'::money), '1');
SELECT hll_add(hll_add(hll_empty(), ARRAY[1]), '{1}');
-- NULL without a type is no value
SELECT hll_add(hll_add(hll_empty(), 42), NULL) = hll_add(hll_empty(), 42) AS same;
