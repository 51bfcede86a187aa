# A stored sketch's life: dump and restore, COPY, crash, replication; and the extension's: any
# schema, beside other extensions, moved, dropped, created again.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('life');
$node->init(allows_streaming => 'logical');
$node->start;

# Sketches of every shape: none, empty, one value, sparse, dense, another
# precision, another kind
my $rows = q(
INSERT INTO visits
SELECT 1, NULL::hll, NULL::hll(12)
UNION ALL SELECT 2, hll_empty(), hll_empty(12)
UNION ALL SELECT 3, hll_agg('one'::text), hll_agg('one'::text, 12)
UNION ALL SELECT 4, hll_agg(i), hll_agg(i, 12) FROM generate_series(1, 300) i
UNION ALL SELECT 5, hll_agg(i::text), hll_agg(i::text, 12) FROM generate_series(1, 5000) i
UNION ALL SELECT 6, hll_agg(i), hll_agg(i, 12) FROM generate_series(1, 200000) i
UNION ALL SELECT 7, hll_agg(i, 18), hll_agg(i, 12) FROM generate_series(1, 200000) i
UNION ALL SELECT 8, hll_agg(md5(i::text)::uuid), hll_agg('192.0.2.0'::inet + i, 12)
FROM generate_series(1, 50) i;
);
my $digest = q(
SELECT count(*), count(a),
    md5(string_agg(id || ':' || coalesce(encode(a::bytea, 'hex'), 'null') || ':' ||
    coalesce(encode(b::bytea, 'hex'), 'null'), ',' ORDER BY id))
FROM );

sub same
{
	my ($what, $db, $table, $want) = @_;
	is($node->safe_psql($db, $digest . $table), $want, $what);
	return;
}

# --- dump and restore --------------------------------------------------------
$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql(
	'origin', qq(
CREATE EXTENSION probds;
CREATE TABLE visits (id int PRIMARY KEY, a hll, b hll(12));
$rows
CREATE INDEX ON visits USING hash (a);
CREATE INDEX ON visits (hll_cardinality(a));
CREATE INDEX ON visits ((#b)) WHERE b IS NOT NULL;
CREATE MATERIALIZED VIEW total AS
    SELECT hll_merge_agg(b) AS b, approx_count_distinct(id) AS n FROM visits WHERE id IN (4, 6);
CREATE VIEW overview AS SELECT id, #a AS n, a || a AS twice, a = a AS equal FROM visits;
ALTER TABLE visits ADD CHECK (hll_cardinality(b) >= 0);
));
my $want = $node->safe_psql('origin', $digest . 'visits');
like($want, qr/^8\|7\|/, 'eight rows, one of them NULL');

my $dump = PostgreSQL::Test::Utils::tempdir;
$node->command_ok([ 'pg_dump', '-d', $node->connstr('origin'), '-f', "$dump/text.sql" ],
	'dump as SQL');
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('origin'), '-f', "$dump/custom" ],
	'dump in the custom format');
$node->command_ok([ 'pg_dump', '--inserts', '-d', $node->connstr('origin'), '-f',
	"$dump/inserts.sql" ], 'dump as INSERTs');
$node->safe_psql('postgres', "CREATE DATABASE $_") foreach qw(text custom inserts);
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('text'), '-f',
	"$dump/text.sql" ],
	'restore SQL');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('custom'),
	"$dump/custom" ],
	'restore the custom format');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('inserts'),
	'-f', "$dump/inserts.sql" ],
	'restore INSERTs');
foreach my $db (qw(text custom inserts))
{
	same("the same bytes after dump and restore ($db)", $db, 'visits', $want);
	is( $node->safe_psql($db,
		'SELECT (SELECT md5(b::text) || n FROM total), count(*), sum(n) FROM overview'),
		$node->safe_psql('origin', 'SELECT (SELECT md5(b::text) || n FROM total), count(*), sum(n) '
			. 'FROM overview'),
		"views too ($db)");
	is( $node->safe_psql($db,
		"SELECT format_type(atttypid, atttypmod) FROM pg_attribute "
		. "WHERE attrelid = 'visits'::regclass AND attname = 'b'"),
		'hll(12)', "and the type modifier ($db)");
}

# --- COPY ----------------------------------------------------------------------
foreach my $format (qw(text csv binary))
{
	$node->safe_psql(
		'origin', qq(
COPY visits TO '$dump/copy.$format' (FORMAT $format);
CREATE TABLE copy_$format (LIKE visits);
COPY copy_$format FROM '$dump/copy.$format' (FORMAT $format);
));
	same("COPY $format", 'origin', "copy_$format", $want);
}

# what was cut off or changed on the way is refused
my $binary = slurp_file("$dump/copy.binary");
my $spoilt = 0;
foreach my $cut (1 .. 8)
{
	my $short = substr($binary, 0, length($binary) - int(length($binary) * $cut / 9));
	open(my $f, '>:raw', "$dump/copy.short") or die;
	print $f $short;
	close $f;
	my ($rc) = $node->psql('origin', "COPY copy_binary FROM '$dump/copy.short' (FORMAT binary)");
	$spoilt++ if $rc != 0;
}
is($spoilt, 8, 'COPY of a truncated binary file is refused');

# --- crash --------------------------------------------------------------------
$node->safe_psql(
	'origin', q(
CREATE TABLE crash (LIKE visits);
INSERT INTO crash TABLE visits;
UPDATE crash SET a = a || a;
));
$node->stop('immediate');
$node->start;
same('the same bytes after a crash', 'origin', 'crash', $want);
is($node->safe_psql('origin',
	'SET enable_seqscan = off; SELECT count(*) FROM visits v JOIN crash c ON v.a = c.a'),
	'7', 'the hash index works after a crash');

# --- replication ---------------------------------------------------------------
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;
my $publisher = $node->connstr . ' dbname=origin';
$node->safe_psql(
	'origin', q(
CREATE TABLE moved (id int, a hll, b hll(12));
ALTER TABLE moved REPLICA IDENTITY FULL;
INSERT INTO moved TABLE visits;
CREATE PUBLICATION pub FOR TABLE moved;
));
foreach my $mode ('text', 'binary')
{
	my $option = $mode eq 'binary' ? ', binary = true' : '';
	$subscriber->safe_psql('postgres', "CREATE DATABASE by_$mode");
	$subscriber->safe_psql(
		"by_$mode", qq(
CREATE EXTENSION probds;
CREATE TABLE moved (id int, a hll, b hll(12));
CREATE SUBSCRIPTION sub_$mode CONNECTION '$publisher' PUBLICATION pub
    WITH (slot_name = 'sub_$mode'$option);
));
	$subscriber->wait_for_subscription_sync($node, "sub_$mode", "by_$mode")
	  if $subscriber->can('wait_for_subscription_sync');
	$subscriber->poll_query_until("by_$mode",
		"SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel")
	  or die 'no initial synchronisation';
	is($subscriber->safe_psql("by_$mode", $digest . 'moved'),
		$node->safe_psql('origin', $digest . 'moved'), "initial copy, $mode");

	# no primary key: rows are found by equality of all columns, hll among them
	$node->safe_psql(
		'origin', q(
UPDATE moved SET a = hll_add(a, 4711), b = hll_add(b, 4711) WHERE id IN (4, 6);
UPDATE moved SET id = id + 10 WHERE id IN (2, 7);
DELETE FROM moved WHERE id IN (1, 3);
INSERT INTO moved SELECT 9, a, b FROM visits WHERE id = 8;
));
	$node->wait_for_catchup("sub_$mode");
	is($subscriber->safe_psql("by_$mode", $digest . 'moved'),
		$node->safe_psql('origin', $digest . 'moved'), "updates and deletes, $mode");
	$subscriber->safe_psql("by_$mode", "DROP SUBSCRIPTION sub_$mode");
	$node->safe_psql('origin', 'TRUNCATE moved; INSERT INTO moved TABLE visits');
}
$subscriber->stop;

# --- schemas -------------------------------------------------------------------
$node->safe_psql('postgres', 'CREATE DATABASE schemas');
$node->safe_psql(
	'schemas', q(
CREATE SCHEMA one;
CREATE SCHEMA two;
CREATE EXTENSION probds SCHEMA one;
CREATE TABLE t (id int, a one.hll(12));
INSERT INTO t SELECT g, one.hll_agg(i, 12) FROM generate_series(1, 3) g, generate_series(1, 1000) i
GROUP BY g;
CREATE INDEX ON t USING hash (a);
CREATE INDEX ON t (one.hll_cardinality(a));
));
my $everything = q(
SELECT %1$s.hll_cardinality(%1$s.hll_merge_agg(a)), %1$s.hll_cardinality(min(a::text)::%1$s.hll),
    %1$s.approx_count_distinct(id), count(DISTINCT a), OPERATOR(%1$s.#) %1$s.hll_agg(id::text),
    (SELECT i.estimate FROM %1$s.hll_bounds(%1$s.hll_agg(id)) i),
    round(%1$s.hll_jaccard(%1$s.hll_agg(id), %1$s.hll_agg(id))::numeric, 3),
    %1$s.hll_union_cardinality(%1$s.hll_agg(id), %1$s.hll_agg(id)),
    %1$s.hll_cardinality(%1$s.hll_add_all(%1$s.hll_empty(), array_agg(id)))
FROM public.t);

# as a security-conscious function does: nothing is found by the search path
sub everything
{
	my ($schema) = @_;
	return $node->safe_psql('schemas',
		"SET search_path = pg_catalog, pg_temp;" . ($everything =~ s/%1\$s/$schema/gr));
}
my $answers = everything('one');
like($answers, qr/^\d+\|\d+\|3\|1\|3\|3\|1\.000\|3\|3$/,
	'in a schema that is not on the search path');
$node->safe_psql('schemas', 'ALTER EXTENSION probds SET SCHEMA two');
is(everything('two'), $answers, 'the same after moving to another schema');
is( $node->safe_psql('schemas',
		'SET search_path = two, public; SET enable_seqscan = off; SELECT count(*) FROM t x '
			. 'JOIN t y USING (a)'), '9', 'indexes work after the move');

SKIP:
{
	skip 'the extension hll is not installed', 4
	  if $node->safe_psql('schemas',
	  	"SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'") eq '0';
	# both have a type hll: each in its schema, whichever is found first
	$node->safe_psql('schemas', 'CREATE SCHEMA other; CREATE EXTENSION hll SCHEMA other');
	foreach my $path ('two, other, public', 'other, two, public')
	{
		is( $node->safe_psql(
				'schemas', qq(
SET search_path = $path;
SELECT two.hll_cardinality(two.hll_agg(i)),
    other.hll_cardinality(other.hll_add_agg(other.hll_hash_integer(i)))
FROM generate_series(1, 10) i)),
			'10|10',
			"beside the extension hll, search path $path");
		is( $node->safe_psql(
				'schemas', qq(
SET search_path = $path;
SELECT #a, #(a || a), a = a, (a || a) = a FROM t WHERE id = 1)),
			$node->safe_psql(
				'schemas', q(
SET search_path = two, public;
SELECT #a, #(a || a), a = a, (a || a) = a FROM t WHERE id = 1)),
			"operators go by the type, search path $path");
	}
}

# --- without superuser rights ----------------------------------------------------
$node->safe_psql(
	'postgres', q(
CREATE ROLE plain LOGIN;
CREATE DATABASE plain OWNER plain;
));
$node->safe_psql(
	'plain',
	'CREATE SCHEMA mine; CREATE EXTENSION probds SCHEMA mine; CREATE TABLE mine.t AS '
		. 'SELECT mine.hll_agg(1) AS s',
	extra_params => [ '-U', 'plain' ]);
is($node->safe_psql('plain', 'SET search_path = mine; SELECT #s FROM t',
	extra_params => [ '-U', 'plain' ]),
	'1', 'created and used by a role without superuser rights');

# --- drop and make anew ------------------------------------------------------------
my ($rc, $out, $err) = $node->psql('plain', 'DROP EXTENSION probds');
isnt($rc, 0, 'DROP EXTENSION is refused while a table uses the type');
like($err, qr/other objects depend on it/, 'and says why');
$node->safe_psql('plain', 'DROP EXTENSION probds CASCADE');
is( $node->safe_psql(
		'plain', q(
SELECT count(*) FROM pg_type WHERE typname IN ('hll', '_hll')
UNION ALL SELECT count(*) FROM pg_proc WHERE proname ~ '^(hll|probds|approx_count|murmur)')),
	"0\n0",
	'DROP EXTENSION CASCADE leaves nothing');
$node->safe_psql('plain', 'CREATE EXTENSION probds SCHEMA mine');
is($node->safe_psql('plain',
	'SELECT mine.hll_cardinality(mine.hll_agg(x)) FROM generate_series(1, 3) x'),
	'3', 'made anew');

# --- settings that were there before ------------------------------------------------
$node->safe_psql('postgres', q(
CREATE DATABASE early;
CREATE ROLE dashboard LOGIN;
ALTER ROLE dashboard SET probds.answer_from_rollups = on;
ALTER DATABASE early SET probds.approximate_count_distinct = on;
));
sub noticed { return join ' ', $_[0] =~ /(?:NOTICE|WARNING):  (setting .* has no effect)/g; }
my $of_role = 'setting "probds.answer_from_rollups" of role dashboard has no effect';
my $of_database = 'setting "probds.approximate_count_distinct" of the database has no effect';
(undef, undef, $err) = $node->psql('early', 'CREATE EXTENSION probds');
is(noticed($err), "$of_role $of_database", 'CREATE EXTENSION names settings that do nothing');
(undef, undef, $err) = $node->psql('early', 'SELECT FROM probds_rollups()',
	extra_params => [ '-U', 'dashboard' ]);
is(noticed($err), "$of_role $of_database", 'and probds_rollups() does, to everyone');
$node->safe_psql('early', "ALTER ROLE dashboard SET local_preload_libraries = 'probds'");
(undef, undef, $err) = $node->psql('early', 'SELECT FROM probds_rollups()');
is(noticed($err), $of_database, 'until sessions of the role load the library');
$node->safe_psql('early', "ALTER DATABASE early SET session_preload_libraries = 'probds'");
(undef, undef, $err) = $node->psql('early', 'SELECT FROM probds_rollups()');
is(noticed($err), '', 'or all sessions of the database');
is($node->safe_psql('early', 'SHOW probds.approximate_count_distinct; SELECT count(DISTINCT x) '
	. '<> 2000000 FROM generate_series(1, 2000000) x'), "on\nt", 'which are set');

$node->stop;
done_testing();
