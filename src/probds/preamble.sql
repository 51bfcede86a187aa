-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds" to load this file. \quit
