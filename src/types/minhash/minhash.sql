-- minhash: how similar sets are

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=minhash align=int4 category='' modifier='k' \
--    same='same k, same values added'

COMMENT ON TYPE minhash
    IS 'MinHash sketch: estimates how similar sets of values are; minhash(128) has k = 128';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=minhash takes='k integer DEFAULT 128' \
--    types=integer what='an empty sketch of k registers, a power of 2 from 16 to 65536'

--@include ../../extension/sketch_add_all.sql sketch=minhash cost=300

--@include ../../extension/sketch_merge.sql sketch=minhash cost=300 step_cost=150 space=1024

-- ---------- answers: two sketches ----------

--@include ../../extension/function.sql function=minhash_jaccard takes='a minhash, b minhash' \
--    types='minhash, minhash' gives='RETURNS double precision' cost=100 \
--    what='the estimated Jaccard index: the share of the union that is in both, 0 to 1; NULL if \
--    both are empty'

--@include ../../extension/function.sql function=minhash_jaccard_bounds \
--    takes='a minhash, b minhash, confidence double precision DEFAULT 0.95, OUT lower double \
--    precision, OUT estimate double precision, OUT upper double precision' \
--    types='minhash, minhash, double precision' gives='' cost=500 \
--    what='the estimated Jaccard index with its confidence interval'

--@include ../../extension/function.sql function=minhash_containment \
--    takes='a minhash, b minhash' types='minhash, minhash' gives='RETURNS double precision' \
--    cost=100 what='the estimated share of a that is in b, 0 to 1; NULL if a is empty'

-- ---------- answers: one sketch ----------

--@include ../../extension/function.sql function=minhash_bands \
--    takes='sketch minhash, bands integer, rows integer' types='minhash, integer, integer' \
--    gives='RETURNS bigint[]' cost=200 \
--    what='bands of a sketch: similar sketches have at least one of these numbers in common, for \
--    a GIN index and &&'

--@include ../../extension/function.sql function=minhash_cardinality takes='sketch minhash' \
--    types=minhash gives='RETURNS bigint' cost=50 \
--    what='the estimated number of distinct values'

--@include ../../extension/function.sql function=minhash_bounds \
--    takes='sketch minhash, confidence double precision DEFAULT 0.95, OUT lower bigint, OUT \
--    estimate bigint, OUT upper bigint' types='minhash, double precision' gives='' cost=500 \
--    what='the estimated number of distinct values with its confidence interval'

--@include ../../extension/function.sql function=minhash_info \
--    takes='sketch minhash, OUT k integer, OUT encoding text, OUT kind text, OUT bytes integer, \
--    OUT fill double precision, OUT cardinality bigint, OUT error double precision, OUT \
--    jaccard_error double precision' types=minhash gives='' cost=100 \
--    what='k, encoding, size, fill and errors of a sketch, one row'

CREATE OPERATOR # (RIGHTARG = minhash, FUNCTION = minhash_cardinality);
COMMENT ON OPERATOR # (NONE, minhash) IS 'the estimated number of distinct values';
