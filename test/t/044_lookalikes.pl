# Objects that somebody else made in the schema, of the names that an install script uses.  Each
# script fails, or is bound only to objects of its own, of extensions that it requires, and of
# the server.  The lists of names come from a database in which the extensions are installed.
# PROBDS_LOOKALIKES=all tries every function with the same arguments, not every sixth.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('lookalikes');
$node->init;
$node->start;
plan skip_all => 'citext is not installed'
  if $node->safe_psql('postgres',
	"SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'") eq '0';
$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');

# What both sides of the test ask of the catalog
my $views = q(
CREATE VIEW member AS
SELECT e.oid AS extension, e.extname, d.classid, d.objid
FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass
    AND d.refobjid = e.oid AND d.deptype = 'e';

-- what a member uses, and what its parts use (entries of operator families, array types)
CREATE VIEW used AS
WITH RECURSIVE part AS (
    SELECT extension, extname, classid, objid FROM member
    UNION
    SELECT p.extension, p.extname, d.classid, d.objid FROM part p
    JOIN pg_depend d ON d.refclassid = p.classid AND d.refobjid = p.objid AND d.deptype = 'i'
), uses AS (
    SELECT p.*, d.refclassid, d.refobjid FROM part p
    JOIN pg_depend d ON d.classid = p.classid AND d.objid = p.objid
    UNION
    SELECT p.*, p.classid, other FROM part p JOIN pg_operator o ON o.oid = p.objid,
        LATERAL (VALUES (oprcom), (oprnegate)) AS v (other)
    WHERE p.classid = 'pg_operator'::regclass AND other <> 0
    -- a function that is called in every place of these would be a stranger's, too
    UNION
    SELECT p.*, 'pg_proc'::regclass, f FROM part p JOIN pg_aggregate a ON a.aggfnoid = p.objid,
        LATERAL (VALUES (aggtransfn), (aggfinalfn), (aggcombinefn), (aggserialfn),
            (aggdeserialfn), (aggmtransfn), (aggminvtransfn), (aggmfinalfn)) AS v (f)
    WHERE p.classid = 'pg_proc'::regclass AND f::oid >= 16384
)
SELECT u.extname, u.refclassid AS classid, u.refobjid AS objid,
    EXISTS (SELECT FROM part p WHERE (p.extension, p.classid, p.objid)
        = (u.extension, u.refclassid, u.refobjid)) AS own,
    EXISTS (SELECT FROM part p JOIN pg_depend d ON d.objid = u.extension
            AND d.classid = 'pg_extension'::regclass AND d.refobjid = p.extension
            AND d.refclassid = d.classid
        WHERE (p.classid, p.objid) = (u.refclassid, u.refobjid)) AS required
FROM uses u WHERE u.refclassid NOT IN ('pg_extension'::regclass, 'pg_namespace'::regclass);
);

# attempt(): what CREATE EXTENSION, or whatever is tried, says after the look-alikes are made;
# all is undone
my $attempt = q(
CREATE FUNCTION attempt(lookalikes text, try text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE lookalikes;
    BEGIN
        EXECUTE try;
    EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION USING ERRCODE = 'UNDO1', MESSAGE = 'refused: ' || sqlerrm;
    END;
    SELECT string_agg(pg_describe_object(classid, objid, 0), ', ') INTO answer FROM used
    WHERE NOT own AND NOT required;
    RAISE EXCEPTION USING ERRCODE = 'UNDO1', MESSAGE = coalesce('bound to ' || answer, 'own');
EXCEPTION WHEN SQLSTATE 'UNDO1' THEN
    RETURN sqlerrm;
END
$$;
);

sub sql
{
	my ($db, $sql, @more) = @_;
	return $node->safe_psql($db, "SET client_min_messages = warning; $sql", @more);
}

sub plain { return sql(@_, extra_params => [ '-U', 'plain' ]); }

# The answers for [what it is, look-alikes], for a command
sub attempts
{
	my ($db, $try, @cases) = @_;
	return [] unless @cases;
	return [ split /\n/, plain($db, join(' ', map {
		"SELECT attempt(\$l\$CREATE SCHEMA ev; $_->[1]\$l\$, \$t\$$try\$t\$);" } @cases)) ];
}

sub all_like
{
	my ($pattern, $what, $db, $try, @cases) = @_;
	my $answers = attempts($db, $try, @cases);
	my @odd = map { "$cases[$_][0]: " . ($answers->[$_] // 'nothing') }
		grep { ($answers->[$_] // '') !~ $pattern } 0 .. $#cases;
	ok(@cases && !@odd, "$what: " . scalar(@cases));
	diag(join("\n", splice(@odd, 0, 5))) if @odd;
	return;
}

sub rows { return map { [ split /\|/, $_, 2 ] } split /\n/, $_[0]; }

# --- what there is ------------------------------------------------------------------
sql('postgres', 'CREATE DATABASE reference');
sql('reference', "CREATE EXTENSION citext; CREATE EXTENSION probds; "
	. "CREATE EXTENSION probds_citus; CREATE EXTENSION probds_citext; "
	. "CREATE EXTENSION probds_hll; $views");
# a table: in the place of the view some plans computed it once for each object
sql('reference', 'CREATE TABLE required AS SELECT DISTINCT extname, classid, objid FROM used '
	. 'WHERE required');
sql('postgres', "CREATE DATABASE $_ OWNER plain; ") foreach qw(bare equipped);
plain('bare', $views . $attempt);
plain('equipped', "CREATE EXTENSION citext; CREATE EXTENSION probds; $views $attempt");

# what a function in SQL can be declared with
my $sql_type = q(a < 16384 AND (SELECT typtype FROM pg_type t WHERE t.oid = a) <> 'p');

# --- probds --------------------------------------------------------------------------
my $step = ($ENV{PROBDS_LOOKALIKES} // '') eq 'all' ? 1 : 6;
my $create = 'CREATE EXTENSION probds SCHEMA ev';
my $same_name = q(
SELECT t.typname, format('CREATE DOMAIN ev.%%I AS int8', t.typname)
FROM member m JOIN pg_type o ON o.oid = m.objid JOIN pg_type t ON t.oid = o.%s
WHERE m.classid = 'pg_type'::regclass AND m.extname = 'probds' AND o.typcategory <> 'A'
    AND o.typtype %s 'd');
all_like(qr/^refused: .* already has a type/, 'probds refuses a type of the same name', 'bare',
	$create, rows(sql('reference', sprintf($same_name, 'oid', '<>'))));
# CREATE DOMAIN itself
all_like(qr/^refused: type .* already exists/, 'and a domain', 'bare',
	$create, rows(sql('reference', sprintf($same_name, 'oid', '='))));
# the server gives an array type another name (from 18 on, array types are members, too)
all_like(qr/^own$/, 'and is not bound to the look-alike of an array type', 'bare',
	$create, rows(sql('reference', sprintf($same_name, 'typarray', '<>'))));
my $n = 0;
all_like(qr/^refused: .* already exists/, 'and a function with the same arguments', 'bare',
	$create, (grep { $n++ % $step == 0 } rows(sql('reference', qq(
SELECT DISTINCT ON (proname) proname, format('CREATE FUNCTION ev.%I(%s) RETURNS int LANGUAGE sql '
    'AS ''SELECT 1''', proname, pg_get_function_identity_arguments(p.oid))
FROM member m JOIN pg_proc p ON p.oid = m.objid
WHERE m.classid = 'pg_proc'::regclass AND m.extname = 'probds' AND NOT proretset
    AND NOT EXISTS (SELECT FROM unnest(proargtypes::oid[]) a WHERE NOT ($sql_type))
    AND pg_get_function_identity_arguments(p.oid) !~ '\\mOUT\\M')))));

# other argument types in place of ours, of the pseudotypes, and of all
my @others = ('anyelement', 'text', 'bytea', 'integer', 'double precision');
my @functions;
foreach my $other (@others)
{
	push @functions, [ "$other in place of ours", sql('reference', qq(
SELECT string_agg(DISTINCT format('CREATE FUNCTION ev.%I(%s) RETURNS int LANGUAGE sql '
    'AS ''SELECT 1''', proname, args), ';')
FROM (SELECT p.proname, (SELECT string_agg(CASE WHEN $sql_type THEN a::regtype::text
        ELSE '$other' END, ', ' ORDER BY n) FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY
        AS u (a, n)) AS args
    FROM member m JOIN pg_proc p ON p.oid = m.objid
    WHERE m.classid = 'pg_proc'::regclass AND m.extname = 'probds') f
WHERE NOT EXISTS (SELECT FROM member m JOIN pg_proc p ON p.oid = m.objid
    WHERE m.classid = 'pg_proc'::regclass AND p.proname = f.proname
        AND oidvectortypes(p.proargtypes) IS NOT DISTINCT FROM coalesce(f.args, ''))))
	];
}
foreach my $args ('VARIADIC anyarray', 'anyelement, VARIADIC anyarray',
	'anyelement, integer DEFAULT 1', 'anyelement, anyelement, VARIADIC anyarray')
{
	push @functions, [ "($args)", sql('reference', qq(
SELECT string_agg(DISTINCT format('CREATE FUNCTION ev.%I(%s) RETURNS int LANGUAGE sql '
    'AS ''SELECT 1''', proname, '$args'), ';')
FROM member m JOIN pg_proc p ON p.oid = m.objid
WHERE m.classid = 'pg_proc'::regclass AND m.extname = 'probds')) ];
}
push @functions, [ 'operators', 'CREATE FUNCTION ev.f(anyelement) RETURNS boolean LANGUAGE sql AS '
	. "'SELECT true'; CREATE FUNCTION ev.f(anyelement, anyelement) RETURNS boolean LANGUAGE sql "
	. "AS 'SELECT true';" . sql('reference', q(
SELECT string_agg(DISTINCT format('CREATE OPERATOR ev.%s (%sRIGHTARG = anyelement, '
    'FUNCTION = ev.f)', oprname, CASE WHEN oprkind = 'b' THEN 'LEFTARG = anyelement, ' END), ';')
FROM member m JOIN pg_operator o ON o.oid = m.objid
WHERE m.classid = 'pg_operator'::regclass AND m.extname = 'probds')) ];
all_like(qr/^own$/, 'functions and operators with other arguments are not used', 'bare', $create,
	@functions);

# --- the add-ons ---------------------------------------------------------------------
# They are bound to objects of probds, and of citext, which they find by the extension.
# several look-alikes at once
sub together { return join(';', map { $_->[1] } @_); }

sub exact
{
	my ($schema, $which) = @_;
	return rows(sql('reference', qq(
SELECT p.oid::regprocedure, format('CREATE FUNCTION $schema.%I(%s) RETURNS %s LANGUAGE sql '
    'AS ''SELECT NULL::%s''', proname, oidvectortypes(proargtypes), prorettype::regtype,
    prorettype::regtype)
FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE NOT EXISTS (SELECT FROM unnest(proargtypes::oid[] || prorettype) a
        WHERE a < 16384 AND NOT ($sql_type))
    AND NOT proretset AND $which)));
}
foreach my $addon ('probds_citus', 'probds_citext')
{
	$create = "CREATE EXTENSION $addon SCHEMA ev";
	all_like(qr/^own$/, "$addon does not take types of the same name", 'equipped', $create,
		# with functions: minhash_add(4096::int8::ev.minhash, 'a'::citext) ended the server once
		[ 'types', together(rows(sql('reference', qq(
SELECT DISTINCT t.typname, format('CREATE DOMAIN ev.%I AS int8', t.typname)
FROM required u JOIN pg_type t ON t.oid = u.objid
WHERE u.extname = '$addon' AND u.classid = 'pg_type'::regclass)))) . q(;
CREATE FUNCTION ev._minhash_final(ev.minhash) RETURNS ev.minhash LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION ev.minhash_merge(ev.minhash, ev.minhash) RETURNS ev.minhash
    LANGUAGE sql AS 'SELECT $1') ]);

	my $is_used = "(m.classid, m.objid) IN (SELECT u.classid, u.objid FROM required u "
		. "WHERE u.extname = '$addon')";
	all_like(qr/^own$/, 'nor functions that aggregates and operators use', 'equipped', $create,
		[ 'functions', together(exact('ev', "m.extname = 'probds' AND $is_used")) ]);
	all_like(qr/^own$/, 'nor another one', 'equipped', $create,
		map { [ $_, together(exact($_, $_ eq 'ev'
			? "m.extname = 'probds' AND NOT $is_used" : "m.extname = '$addon'")) ] }
		('ev', 'public'));
}

# The script of probds_hll says names, and so finds what is in its schema: then it fails
$create = 'CREATE EXTENSION probds_hll SCHEMA ev';
my $hll_uses = q(JOIN member m ON (m.classid, m.objid) = (u.classid, u.objid)
    WHERE u.extname = 'probds_hll' AND m.extname = 'probds');
all_like(qr/^refused: /, 'probds_hll takes no type of the same name', 'equipped', $create,
	map { [ $_, "CREATE DOMAIN ev.$_ AS int8" ] } 'hll', 'hll_hashval');
all_like(qr/^refused: /, 'nor a function that aggregates or bodies use', 'equipped', $create,
	grep { $_->[0] =~ /_hll_|hll_info|describe/ }
		exact('ev',
			"(m.classid, m.objid) IN (SELECT u.classid, u.objid FROM required u $hll_uses)"));
all_like(qr/^own$/, 'nor another one', 'equipped', $create,
	[ 'public', together(grep { "@$_" !~ /hll_hashval/ }
		exact('public', "m.extname = 'probds_hll'")) ],
	[ 'operators', join(';', 'CREATE FUNCTION ev.f(anyelement, anyelement) RETURNS boolean '
		. "LANGUAGE sql AS 'SELECT false'", map { "CREATE OPERATOR ev.$_ (LEFTARG = anyelement, "
		. 'RIGHTARG = anyelement, FUNCTION = ev.f)' } ('=', '-', '<<', '||', '<>')) ]);

# operators that would become the commutators and negators of its own
all_like(qr/^own$|^refused: /,
	'nor an operator of a schema behind its own', 'equipped', $create,
	rows(sql('reference', q(
SELECT o.oid::regoperator, format('CREATE FUNCTION ev.f(%1$s) RETURNS %2$s LANGUAGE sql '
    'AS ''SELECT NULL::%2$s''; CREATE OPERATOR public.%3$s (%4$s, FUNCTION = ev.f)',
    concat_ws(', ', nullif(oprleft, 0)::regtype, oprright::regtype), oprresult::regtype, oprname,
    concat_ws(', ', 'LEFTARG = ' || nullif(oprleft, 0)::regtype,
        'RIGHTARG = ' || oprright::regtype))
FROM pg_operator o JOIN member m ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid
WHERE m.extname = 'probds_citext'))));

# --- members that the owner added ------------------------------------------------------
# The owner of an extension can make an object a member of it (ALTER EXTENSION ... ADD).  A
# function in SQL whose text is a name in C must not become one in C, which takes a number for a
# sketch.
plain('equipped', 'SET check_function_bodies = off; CREATE SCHEMA added; '
	. 'CREATE DOMAIN added.bloom AS int8; ALTER EXTENSION probds ADD DOMAIN added.bloom; '
	. join(' ', map { "CREATE FUNCTION added.taken($_) RETURNS boolean LANGUAGE sql "
		. "AS 'probds_bloom_contains_any'; ALTER EXTENSION probds ADD FUNCTION added.taken($_);" }
		'int8, text', 'int8, anyarray', 'added.bloom, text', 'added.bloom, anyarray'));
foreach my $addon ('probds_citus', 'probds_citext')
{
	my $made = sub { return sql($_[0], qq(
SELECT count(*), count(*) FILTER (WHERE proname = 'taken') FROM member m JOIN pg_proc p
    ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid WHERE m.extname = '$addon')); };
	plain('equipped', "CREATE EXTENSION $addon SCHEMA added");
	is($made->('equipped'), $made->('reference'), "$addon is made of none of them");
}
plain('equipped', 'DROP EXTENSION probds_citus, probds_citext');

# --- what else is shipped --------------------------------------------------------------
my ($share) = $node->safe_psql('postgres',
	"SELECT coalesce(current_setting('extension_destdir', true), '') || setting FROM pg_config "
	. "WHERE name = 'SHAREDIR'");
my $last = slurp_file('src/extension/own.sql');
foreach my $script (grep { -e } map { glob("$_/extension/probds*--*.sql") }
	split(/:/, $node->safe_psql('postgres',
		"SELECT coalesce(current_setting('extension_control_path', true), '')")), $share)
{
	my $name = $script =~ s{.*/}{}r;
	ok(slurp_file($script) =~ /\Q$last\E\s*\z/, "$name ends with the check");
}

# --- the C functions ---------------------------------------------------------------------
# A superuser declares each of them with a number in place of a sketch.
is(sql('equipped', q(
CREATE SCHEMA ev;
CREATE DOMAIN ev.number AS int8;
ALTER EXTENSION probds ADD DOMAIN ev.number;
CREATE FUNCTION ev.declare_and_call(function regprocedure) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    args text;
    call text;
    lib text;
    symbol text;
    result text;
BEGIN
    SELECT string_agg(CASE WHEN a < 16384 THEN a::regtype::text ELSE 'ev.number' END, ', '
            ORDER BY n),
        string_agg(CASE WHEN a = '"any"'::regtype THEN 'NULL::text'
            WHEN a = 'anyarray'::regtype THEN 'NULL::text[]'
            WHEN a < 16384 THEN format('NULL::%s', a::regtype) ELSE '4096::ev.number' END, ', '
            ORDER BY n), probin, prosrc,
        CASE WHEN prorettype < 16384 THEN 'boolean' ELSE 'ev.number' END
    INTO args, call, lib, symbol, result
    FROM pg_proc p LEFT JOIN LATERAL unnest(proargtypes::oid[]) WITH ORDINALITY AS u (a, n) ON true
    WHERE p.oid = function GROUP BY p.oid;
    EXECUTE format('CREATE FUNCTION ev.f(%s) RETURNS %s AS %L, %L LANGUAGE C', args, result, lib,
        symbol);
    EXECUTE format('SELECT ev.f(%s)', call);
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ' ' || sqlerrm;
END $$;
SELECT count(*) > 200, string_agg(DISTINCT answer, E'\n') FILTER (WHERE answer !~
    '^42P13 function ev\.f\(.*\) cannot be declared with type ev\.number$')
FROM (SELECT p.oid::regprocedure, ev.declare_and_call(p.oid) AS answer
    FROM member m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
        JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'c'
    -- these two read no argument
    WHERE p.prosrc NOT IN ('probds_refuse_weight', 'probds_hll_refuse_value')
        AND m.extname = 'probds' AND 2281 <> ALL (proargtypes::oid[])
        AND 16384 <= ANY (proargtypes::oid[] || prorettype)) f)),
	't|', 'a C function that is declared with a type that is not ours is an error');

# citext is no number, but a domain over it can have the name of a sketch.
is(sql('equipped', q(
CREATE DOMAIN ev.hll AS citext;
DO $$ BEGIN
    EXECUTE (SELECT format('CREATE FUNCTION ev.g(ev.hll) RETURNS boolean AS %L, %L LANGUAGE C',
        probin, prosrc) FROM pg_proc WHERE prosrc = 'probds_hll_cardinality');
    PERFORM ev.g('a'::citext::ev.hll);
    RAISE 'no error';
EXCEPTION WHEN invalid_function_definition THEN
END $$;
SELECT 'refused')), 'refused', 'neither is a domain over citext one of our types');

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
