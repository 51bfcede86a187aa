-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_citext" to load this file. \quit

-- What follows are the functions, operators and aggregates over values of probds, once
-- more with citext in place of text.  Without them citext would be cast to text, and
-- values that are equal as citext would count as different ones.
