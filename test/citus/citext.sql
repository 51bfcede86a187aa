-- A citext column without probds_citext: on the workers, the cast to text that the parser adds
-- looks like a written cast, and workers send text for an aggregate
CALL refused('citext: split', 'SELECT hll_agg(c47) FROM dist',
    'cannot take a value of type citext as text');
CALL refused('citext: split, with a parameter', 'SELECT hll_agg(c47, 11) FROM dist',
    'cannot take a value of type citext as text');
CALL refused('citext: whole', 'SELECT id, hll_agg(c47) FROM dist GROUP BY id',
    'cannot take a value of type citext as text');
CALL refused('citext: gathered', 'SELECT bloom_agg(c47) FROM dist',
    'cannot take a value of type citext as text');
CALL refused('citext: one shard', 'SELECT hll_agg(c47) FROM dist WHERE id = 7',
    'cannot take a value of type citext as text');
CALL refused('citext: probed',
    'SELECT count(*) FROM dist WHERE bloom_add(bloom_empty(10), ''value 7''::text) @> c47',
    'cannot take a value of type citext as text');
CALL refused('citext: added', 'SELECT hll_add(hll_empty(), c47) FROM dist',
    'cannot take a value of type citext as text');
CALL same('citext: as text', 'SELECT hll_agg(c47::text || '''') FROM dist',
    'SELECT hll_agg(c47::text) FROM local');
