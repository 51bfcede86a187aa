-- What the update from 0.9 has to do besides what test/update/draft finds
DROP FUNCTION hll_count(hll);
-- a column has another name now
DROP FUNCTION hll_info(hll);
