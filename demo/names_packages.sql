-- names_packages.sql: what the demo calls things when it reads the lists of packages; see demo.sql
\set rows paths
\set part package
\set keys 'section, package'
\set item name
\set stored per_package
\set sketch names
\set group1 section
\set group1_as section
\set group1_shown section
\set group2 '''all packages''::text'
\set group2_as machine
\set side section
\set sized_things 'the files, in bytes'
\set parts packages
\set items names
\set groups2 'Sections, and the machine'
\set newest 'mode() WITHIN GROUP (ORDER BY package)'
\set before 'other package'
