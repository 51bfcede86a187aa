-- psql stops here; ALTER EXTENSION skips the line
\echo Use "ALTER EXTENSION probds UPDATE" to load this file. \quit
