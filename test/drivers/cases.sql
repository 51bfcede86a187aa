-- The statements that every driver runs, once for each kind of value.
--
-- Behind a statement are its arguments and what its first column must be:
--
--   a, b        values that the sketches of this kind hold, once each
--   z           a value that they do not hold
--   [a,b] ...   the driver's list or array of such values
--   <a,b> ...   the same for ANY and ALL, which the server refuses to arrays of any other
--               type than text, since the operator is declared with "any"
--   null        the driver's NULL
--   kind        the name of the kind, a text
--   5           an integer
--
-- Row "kind" of table s holds a sketch of each type, of values of that kind.  They are hll h,
-- bloom f, cms c, topk t, cuckoo u, counting_bloom g, scalable_bloom y, minhash m.

-- lookups in a bloom
SELECT f @> $1 FROM s WHERE kind = $2; -- a kind: true
SELECT f @> $1 FROM s WHERE kind = $2; -- b kind: true
SELECT f @> $1 FROM s WHERE kind = $2; -- z kind: false
SELECT f @> $1 FROM s WHERE kind = $2; -- null kind: null
SELECT $1 <@ f FROM s WHERE kind = $2; -- a kind: true
SELECT $1 <@ f FROM s WHERE kind = $2; -- z kind: false
SELECT bloom_contains(f, $1) FROM s WHERE kind = $2; -- b kind: true
SELECT count(*) FROM s WHERE kind = $1 AND f @> $2; -- kind a: 1
SELECT count(*) FROM s WHERE kind = $1 AND NOT $2 <@ f; -- kind z: 1
SELECT bloom_contains_any(f, $1) FROM s WHERE kind = $2; -- [z,a] kind: true
SELECT bloom_contains_any(f, $1) FROM s WHERE kind = $2; -- [null,a] kind: true
SELECT bloom_contains_any(f, $1) FROM s WHERE kind = $2; -- [z] kind: false
SELECT bloom_contains_any(f, $1) FROM s WHERE kind = $2; -- [] kind: false
SELECT bloom_contains_all(f, $1) FROM s WHERE kind = $2; -- [a,b] kind: true
SELECT bloom_contains_all(f, $1) FROM s WHERE kind = $2; -- [a,z] kind: false
SELECT f @> ANY ($1) FROM s WHERE kind = $2; -- <z,a> kind: true
SELECT f @> ANY ($1) FROM s WHERE kind = $2; -- <z> kind: false
SELECT f @> ALL ($1) FROM s WHERE kind = $2; -- <a,b> kind: true

-- counts from a cms and a topk
SELECT c -> $1 FROM s WHERE kind = $2; -- a kind: 1
SELECT c -> $1 FROM s WHERE kind = $2; -- z kind: 0
SELECT c -> $1 FROM s WHERE kind = $2; -- null kind: null
SELECT cms_frequency(c, $1) FROM s WHERE kind = $2; -- b kind: 1
SELECT b.upper FROM s, cms_bounds(c, $1) b WHERE kind = $2; -- a kind: 1
SELECT t -> $1 FROM s WHERE kind = $2; -- a kind: 1
SELECT t -> $1 FROM s WHERE kind = $2; -- z kind: 0
SELECT topk_frequency(t, $1) FROM s WHERE kind = $2; -- b kind: 1
SELECT b.upper FROM s, topk_bounds(t, $1) b WHERE kind = $2; -- a kind: 1

-- one more value
SELECT hll_add(h, $1) = h FROM s WHERE kind = $2; -- a kind: true
SELECT hll_add(h, $1) = h FROM s WHERE kind = $2; -- null kind: true
SELECT hll_cardinality(hll_add(h, $1)) - hll_cardinality(h) FROM s WHERE kind = $2; -- z kind: 1
SELECT bloom_add(f, $1) = f FROM s WHERE kind = $2; -- a kind: true
SELECT bloom_add(f, $1) @> $1 FROM s WHERE kind = $2; -- z kind: true
SELECT cms_add(c, $1) -> $1 FROM s WHERE kind = $2; -- a kind: 2
SELECT cms_add(c, $1, $2) -> $1 FROM s WHERE kind = $3; -- a 5 kind: 6
SELECT topk_add(t, $1) -> $1 FROM s WHERE kind = $2; -- a kind: 2
SELECT topk_add(t, $1, $2) -> $1 FROM s WHERE kind = $3; -- a 5 kind: 6

-- the values of an array
SELECT hll_add_all(h, $1) = h FROM s WHERE kind = $2; -- [a,b] kind: true
SELECT hll_cardinality(hll_add_all(h, $1)) - hll_cardinality(h) FROM s WHERE kind = $2; -- [a,z] kind: 1
SELECT bloom_add_all(f, $1) = f FROM s WHERE kind = $2; -- [a,b] kind: true
SELECT cms_add_all(c, $1) -> $2 FROM s WHERE kind = $3; -- [z] z kind: 1
SELECT topk_add_all(t, $1) -> $2 FROM s WHERE kind = $3; -- [z] z kind: 1

-- lookups in a cuckoo, and its changes
SELECT u @> $1 FROM s WHERE kind = $2; -- a kind: true
SELECT u @> $1 FROM s WHERE kind = $2; -- z kind: false
SELECT u @> $1 FROM s WHERE kind = $2; -- null kind: null
SELECT $1 <@ u FROM s WHERE kind = $2; -- b kind: true
SELECT cuckoo_contains(u, $1) FROM s WHERE kind = $2; -- z kind: false
SELECT cuckoo_contains_any(u, $1) FROM s WHERE kind = $2; -- [z,a] kind: true
SELECT cuckoo_contains_any(u, $1) FROM s WHERE kind = $2; -- [] kind: false
SELECT cuckoo_contains_all(u, $1) FROM s WHERE kind = $2; -- [a,z] kind: false
SELECT u @> ANY ($1) FROM s WHERE kind = $2; -- <z,a> kind: true
SELECT cuckoo_add(u, $1) @> $1 FROM s WHERE kind = $2; -- z kind: true
SELECT cuckoo_add_all(u, $1) @> $2 FROM s WHERE kind = $3; -- [null,z] z kind: true
SELECT cuckoo_count(u, $1) FROM s WHERE kind = $2; -- b kind: 1
SELECT cuckoo_count(u, $1) FROM s WHERE kind = $2; -- z kind: 0
SELECT cuckoo_count(cuckoo_add(u, $1), $1) FROM s WHERE kind = $2; -- a kind: 2
SELECT cuckoo_remove(u, $1) @> $1 FROM s WHERE kind = $2; -- a kind: false
SELECT cuckoo_remove(u, $1) = u FROM s WHERE kind = $2; -- null kind: true
SELECT cuckoo_remove_all(cuckoo_add_all(u, $1), $1) = u FROM s WHERE kind = $2; -- [a,z] kind: true

-- lookups in a counting_bloom, and its changes
SELECT g @> $1 FROM s WHERE kind = $2; -- a kind: true
SELECT g @> $1 FROM s WHERE kind = $2; -- z kind: false
SELECT g @> $1 FROM s WHERE kind = $2; -- null kind: null
SELECT $1 <@ g FROM s WHERE kind = $2; -- b kind: true
SELECT counting_bloom_contains(g, $1) FROM s WHERE kind = $2; -- z kind: false
SELECT counting_bloom_contains_any(g, $1) FROM s WHERE kind = $2; -- [z,a] kind: true
SELECT counting_bloom_contains_any(g, $1) FROM s WHERE kind = $2; -- [] kind: false
SELECT counting_bloom_contains_all(g, $1) FROM s WHERE kind = $2; -- [a,z] kind: false
SELECT g @> ANY ($1) FROM s WHERE kind = $2; -- <z,a> kind: true
SELECT counting_bloom_add(g, $1) @> $1 FROM s WHERE kind = $2; -- z kind: true
SELECT counting_bloom_add_all(g, $1) @> $2 FROM s WHERE kind = $3; -- [null,z] z kind: true
SELECT counting_bloom_count(g, $1) FROM s WHERE kind = $2; -- b kind: 1
SELECT counting_bloom_count(g, $1) FROM s WHERE kind = $2; -- z kind: 0
SELECT counting_bloom_count(counting_bloom_add(g, $1), $1) FROM s WHERE kind = $2; -- a kind: 2
SELECT counting_bloom_remove(g, $1) @> $1 FROM s WHERE kind = $2; -- a kind: false
SELECT counting_bloom_remove(g, $1) = g FROM s WHERE kind = $2; -- null kind: true
SELECT counting_bloom_remove_all(counting_bloom_add_all(g, $1), $1) = g FROM s WHERE kind = $2; -- [a,z] kind: true

-- lookups in a scalable_bloom, and its changes
SELECT y @> $1 FROM s WHERE kind = $2; -- a kind: true
SELECT y @> $1 FROM s WHERE kind = $2; -- z kind: false
SELECT y @> $1 FROM s WHERE kind = $2; -- null kind: null
SELECT $1 <@ y FROM s WHERE kind = $2; -- b kind: true
SELECT scalable_bloom_contains(y, $1) FROM s WHERE kind = $2; -- z kind: false
SELECT scalable_bloom_contains_any(y, $1) FROM s WHERE kind = $2; -- [z,a] kind: true
SELECT scalable_bloom_contains_any(y, $1) FROM s WHERE kind = $2; -- [] kind: false
SELECT scalable_bloom_contains_all(y, $1) FROM s WHERE kind = $2; -- [a,z] kind: false
SELECT y @> ANY ($1) FROM s WHERE kind = $2; -- <z,a> kind: true
SELECT scalable_bloom_add(y, $1) @> $1 FROM s WHERE kind = $2; -- z kind: true
SELECT scalable_bloom_add_all(y, $1) @> $2 FROM s WHERE kind = $3; -- [null,z] z kind: true
SELECT scalable_bloom_add(y, $1) = y FROM s WHERE kind = $2; -- a kind: true

-- changes of a minhash
SELECT minhash_add(m, $1) = m FROM s WHERE kind = $2; -- a kind: true
SELECT minhash_add(m, $1) = m FROM s WHERE kind = $2; -- null kind: true
SELECT minhash_cardinality(minhash_add(m, $1)) - minhash_cardinality(m) FROM s WHERE kind = $2; -- z kind: 1
SELECT minhash_add_all(m, $1) = m FROM s WHERE kind = $2; -- [a,b] kind: true
SELECT minhash_cardinality(minhash_add_all(m, $1)) - minhash_cardinality(m) FROM s WHERE kind = $2; -- [a,z] kind: 1
