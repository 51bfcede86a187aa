-- names_log.sql: what the demo calls things when it reads an access log; see demo.sql
\set rows hits
\set part day
\set keys day
\set item visitor
\set stored daily
\set sketch visitors
\set group1 'date_trunc(''week'', day)::date'
\set group1_as week
\set group1_shown 'date_trunc(''week'', day)::date AS week'
\set group2 'to_char(day, ''YYYY-MM'')'
\set group2_as month
\set side day
\set sized_things 'the responses, in bytes'
\set parts days
\set items visitors
\set groups2 'Weeks and months'
\set newest max(day)
\set before 'earlier day'
