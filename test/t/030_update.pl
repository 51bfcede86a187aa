# ALTER EXTENSION probds UPDATE: from each older version to this one, and
# afterwards everything is as in an extension that is new, object by object.
#
# Older versions are those whose install scripts are shipped, and 0.9, which is
# kept in test/update.  Its update script is made here: test/update/0.9-by-hand.sql,
# then what test/update/draft finds.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('update');
$node->init;
$node->start;
my $major = $node->safe_psql('postgres',
	"SELECT current_setting('server_version_num')::int / 10000");
my %config = map { split /\|/, $_, 2 } split /\n/,
	$node->safe_psql('postgres', 'SELECT name, setting FROM pg_config');
my ($share, $lib) = @config{ 'SHAREDIR', 'PKGLIBDIR' };

# --- a folder with the extension's files, and the older version's ---------------
# The server is told to look there, which it can be from 18 on, and as Debian and
# Ubuntu have it, before.
my $path = $node->safe_psql('postgres', "SELECT current_setting('extension_control_path', true)");
my $prefix = $node->safe_psql('postgres', "SELECT current_setting('extension_destdir', true)");
plan skip_all => 'this server only finds extensions that are installed'
  if $major < 18
  && $node->safe_psql('postgres', "SELECT current_setting('extension_destdir', true) IS NULL")
  eq 't';
my $from = $major >= 18
	? (grep { $_ ne '$system' && -e "$_/extension/probds.control" } split(/:/, $path), $share)[0]
	: "$prefix$share";
my $tmp = PostgreSQL::Test::Utils::tempdir;
my $to = $major >= 18 ? "$tmp/extension" : "$tmp$share/extension";
make_path($to);
copy($_, $to) or die "$_: $!" foreach glob("$from/extension/probds*");
if ($major < 18)
{
	make_path("$tmp$lib");
	copy("$prefix$lib/probds.so", "$tmp$lib") or die "$prefix$lib/probds.so: $!";
}
my ($current) = slurp_file("$to/probds.control") =~ /^default_version *= *'(.*)'/m
	or die 'no default_version';

copy('test/update/probds--0.9.sql', $to) or die $!;
my $draft = qx{"$^X" test/update/draft test/update/probds--0.9.sql "$to/probds--$current.sql"};
is($?, 0, 'the draft of an update script');
open(my $script, '>', "$to/probds--0.9--$current.sql") or die $!;
print $script slurp_file('test/update/0.9-by-hand.sql'), $draft;
close $script;

$node->append_conf('postgresql.conf', $major >= 18 ? "extension_control_path = '$tmp:\$system'"
	: "extension_destdir = '$tmp'");
$node->restart;

# --- updates, by a role without superuser rights, in a schema of its own ----------
$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');
my $objects = slurp_file('test/update/objects.sql');

sub plain
{
	my ($db, $sql) = @_;
	return $node->safe_psql($db, "SET client_min_messages = warning; SET search_path = mine;\n$sql",
		extra_params => [ '-U', 'plain' ]);
}

sub database
{
	my ($db, $version) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $db OWNER plain");
	$node->safe_psql($db,
		"CREATE SCHEMA mine; CREATE EXTENSION probds SCHEMA mine VERSION '$version'",
		extra_params => [ '-U', 'plain' ]);
	return;
}

# the lines in which two descriptions differ
sub difference
{
	my ($old, $new) = @_;
	my %old = map { $_ => 1 } split /\n/, $old;
	my %new = map { $_ => 1 } split /\n/, $new;
	return join("\n", (map { "- $_" } grep { !$new{$_} } sort keys %old),
		(map { "+ $_" } grep { !$old{$_} } sort keys %new));
}

database('fresh', $current);
my $fresh = plain('fresh', $objects);
cmp_ok(scalar(split /\n/, $fresh), '>', 500, 'there is something to compare');
unlike($fresh, qr/not described here/, 'all kinds of objects are described');

# --- version 1.0 is frozen: what it has is in a file -------------------------------
# The same on every major; an object that is missing, another or more is a failure, in
# CREATE EXTENSION probds VERSION '1.0' for ever.
my $catalog = slurp_file('test/update/catalog.sql') =~ s/:'extension'/'probds'/gr;
database('frozen', '1.0');
my $frozen = plain('frozen', $catalog);
is(difference(slurp_file('test/update/probds--1.0.catalog'), $frozen), '',
	'version 1.0 is what it was when it was frozen');
foreach my $change ('DROP FUNCTION hll_error(hll)', 'ALTER FUNCTION hll_error(hll) VOLATILE',
	'ALTER FUNCTION hll_error(hll) PARALLEL UNSAFE',
	'ALTER FUNCTION hll_error(hll) SUPPORT probds_add_support', 'DROP OPERATOR @> (bloom, text)',
		'DROP CAST (hll AS bytea)')
{
	my $object = $change =~ /^DROP (.*)/ ? "ALTER EXTENSION probds DROP $1; " : '';
	my $changed = $node->safe_psql('frozen',
		"SET client_min_messages = warning; SET search_path = mine; BEGIN; "
		. "$object$change;\n$catalog\nROLLBACK;");
	isnt(difference($frozen, $changed), '', "noticed: $change");
}

# (pg_available_extension_versions does not look there on 14 and 16 of Ubuntu)
my @older = sort grep { $_ ne $current } map { m{/probds--((?:(?!--).)*)\.sql$} ? $1
	: () } glob("$to/probds--*.sql");
ok((grep { $_ eq '0.9' } @older), 'the older version is there');

my $answers = q(SELECT id, s::bytea, n, twice::bytea FROM overview ORDER BY id);
foreach my $version (@older)
{
	my $db = 'from_' . ($version =~ s/\W/_/gr);
	database($db, $version);
	isnt(plain($db, $objects), $fresh, "$version is another version");
	plain($db, q(
CREATE TABLE visits (id int PRIMARY KEY, s hll(12));
INSERT INTO visits SELECT n, hll_agg('user ' || i, 12) FROM unnest('{1,10,1000,20000}'::int[]) n,
    generate_series(1, n) i GROUP BY n;
CREATE INDEX ON visits (s) WHERE id < 100;
CREATE INDEX ON visits (hll_cardinality(s));
CREATE VIEW overview AS SELECT id, s, hll_cardinality(s) AS n, s || s AS twice FROM visits;
CREATE MATERIALIZED VIEW total AS SELECT hll_merge_agg(s) AS s FROM visits;
));
	my $before = plain($db, $answers);
	plain($db, 'ALTER EXTENSION probds UPDATE');
	is(plain($db, "SELECT extversion FROM pg_extension WHERE extname = 'probds'"), $current,
		"$version is updated to $current");
	is(difference($fresh, plain($db, $objects)), '',
		"from $version: every object as in a new extension");
	is(plain($db, $answers), $before, "from $version: the same values and answers");
	plain($db, 'REFRESH MATERIALIZED VIEW total');
	is(plain($db,
		'SELECT s = (SELECT hll_agg(x, 12) FROM (SELECT \'user \' || i AS x '
		. 'FROM generate_series(1, 20000) i) q) FROM total'),
		't', "from $version: sketches go on where they were");
	is(plain($db, 'SET enable_seqscan = off; SELECT count(*) FROM visits a JOIN visits b USING (s) '
		. 'WHERE a.id < 100 AND b.id < 100'),
		'2', "from $version: indexes work");
}

# --- the comparison sees what there is to see -----------------------------------------
foreach my $change (
	'ALTER FUNCTION hll_error(hll) COST 7',
	'ALTER FUNCTION hll_error(hll) STABLE',
	'ALTER FUNCTION hll_error(hll) PARALLEL RESTRICTED',
	'ALTER FUNCTION hll_error(hll) CALLED ON NULL INPUT',
	'ALTER FUNCTION hll_error(hll) SET search_path = pg_catalog',
	'REVOKE EXECUTE ON FUNCTION hll_error(hll) FROM PUBLIC',
	"COMMENT ON OPERATOR || (hll, hll) IS 'something else'",
	'COMMENT ON TYPE hll IS NULL',
	'ALTER OPERATOR = (hll, hll) SET (RESTRICT = NONE)',
	'ALTER OPERATOR FAMILY hll_ops USING btree ADD FUNCTION 4 (hll, hll) btequalimage(oid)',
	'ALTER EXTENSION probds DROP FUNCTION hll_error(hll)',
	'ALTER EXTENSION probds DROP AGGREGATE hll_merge_agg(hll)',
	'CREATE OR REPLACE AGGREGATE hll_merge_agg(hll) (SFUNC = hll_merge_step, STYPE = hll, '
		. 'FINALFUNC = hll_final, COMBINEFUNC = hll_combine, PARALLEL = SAFE)',
	"CREATE OR REPLACE FUNCTION hll_error(sketch hll) "
		. "RETURNS double precision AS '\$libdir/probds', 'probds_hll_cardinality' "
		. "LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100")
{
	# not all of this is a plain role's to do
	my $changed = $node->safe_psql('fresh',
		"SET client_min_messages = warning; SET search_path = mine; BEGIN; "
			. "$change;\n$objects\nROLLBACK;");
	isnt(difference($fresh, $changed), '', "noticed: $change");
}

$node->stop;
done_testing();
