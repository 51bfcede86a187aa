# ALTER EXTENSION probds UPDATE: from each released version to this one, and afterwards
# everything is as in an extension that is new, object by object.
#
# Released versions are those whose install scripts are in src/extension.  packaging/release
# freezes them there.  It is tried in a copy: this version is released, the next one has a
# function more, and its update script is what test/update/draft finds.
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

# --- the next version, in a copy of the tree --------------------------------------
my $copy = "$tmp/tree";
my $files =
	'Makefile META.json CHANGELOG.md probds*.control clients/python packaging src test/update';
system(qq{mkdir "$copy" && tar -cf - $files | tar -xf - -C "$copy"}) == 0 or die 'no copy';
my $frozen = -e "src/extension/probds--$current.sql";
my $next = '99.0';
my $release = qq{MAKE="make PG_CONFIG=/nonexistent" "$copy/packaging/release"};
isnt(system("$release 98.0 2>/dev/null"), 0, 'only the version of probds.control is released');
isnt(system("$release --next $next 2>/dev/null"), 0, 'there is no next version before')
  unless $frozen;
is(system("$release $current"), 0, "$current is released") unless $frozen;
isnt(system("$release $current 2>/dev/null"), 0, "$current is not released twice");
is(system("$release --next $next"), 0, "$next begins");
foreach my $e ('probds', 'probds_citus', 'probds_citext', 'probds_hll')
{
	is(slurp_file("$copy/src/extension/$e--$current.sql"), slurp_file("$to/$e--$current.sql"),
		"the script of $e is frozen as it was");
}
append_to_file("$copy/src/extension/probds.sql", q(
CREATE FUNCTION probds_hash_of(value text, times integer DEFAULT 1) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash_of(text, integer) IS 'a function more';
));
is(system(qq{cd "$copy" && make -s scripts}), 0, "the scripts of $next");
my $update = "$copy/src/extension/probds--$current--$next.sql";
my $draft =
	qx{"$^X" test/update/draft "$to/probds--$current.sql" "$copy/probds--$next.sql"};
is($?, 0, 'the draft of an update script');
# before the check, behind which there is another search path
my $script = slurp_file($update);
my $check = slurp_file('src/extension/own.sql');
$script =~ s/(?=\Q$check\E\s*\z)/$draft/ or die 'no check at the end';
open(my $written, '>', $update) or die "$update: $!";
print $written $script;
close($written);
copy($_, $to) or die "$_: $!"
  foreach glob("$copy/probds*--$next.sql $copy/src/extension/probds*--$next.sql");

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
database('next', $next);
my $fresh = plain('fresh', $objects);
cmp_ok(scalar(split /\n/, $fresh), '>', 500, 'there is something to compare');
unlike($fresh, qr/not described here/, 'all kinds of objects are described');

my @older = sort map { m{/probds--((?:(?!--).)*)\.sql$} ? $1 : () }
  glob("src/extension/probds--*.sql");

my $answers = q(SELECT id, s::bytea, n, twice::bytea FROM overview ORDER BY id);
# from a version to another one
sub updates
{
	my ($version, $later, $wanted) = @_;
	my $db = 'from_' . ($version =~ s/\W/_/gr) . '_to_' . ($later =~ s/\W/_/gr);
	database($db, $version);
	isnt(plain($db, $objects), $wanted, "$version is another version");
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
	plain($db, "ALTER EXTENSION probds UPDATE TO '$later'");
	is(plain($db, "SELECT extversion FROM pg_extension WHERE extname = 'probds'"), $later,
		"$version is updated to $later");
	is(difference($wanted, plain($db, $objects)), '',
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
	return;
}

updates($_, $current, $fresh) foreach grep { $_ ne $current } @older;
updates($current, $next, plain('next', $objects));

# --- add-ons: types that are new since have their functions in them, too -------------
my $citext = $node->safe_psql('postgres',
	"SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'");
my @addons = ('probds_citus', 'probds_hll', $citext ? 'probds_citext' : ());

# a database with all of them, of a version
sub with_addons
{
	my ($db, $version) = @_;
	database($db, $version);
	plain($db, 'CREATE EXTENSION citext') if $citext;
	plain($db, "CREATE EXTENSION $_ VERSION '$version'") foreach @addons;
	return;
}

sub objects_of { return plain($_[0], $objects =~ s/'probds'/'$_[1]'/gr); }

with_addons('addons', $current);
foreach my $version (grep { $_ ne $current } @older)
{
	my $db = 'addons_from_' . ($version =~ s/\W/_/gr);
	with_addons($db, $version);
	plain($db, "ALTER EXTENSION $_ UPDATE TO '$current'") foreach 'probds', @addons;
	is(difference(objects_of('addons', $_), objects_of($db, $_)),
		'', "$_ from $version: every object as in a new extension") foreach @addons;
}

# --- extensions of different versions -----------------------------------------------
# The core extension goes first; each says so, whether it is made or updated.
sub refused
{
	my ($db, $sql) = @_;
	my ($rc, $out, $err) = $node->psql($db, "SET search_path = mine; $sql",
		extra_params => [ '-U', 'plain' ]);
	return $err;
}
database('parts', $current);
plain($_, 'CREATE EXTENSION citext') foreach $citext ? ('parts', 'next') : ();
foreach my $addon (@addons)
{
	plain('parts', "CREATE EXTENSION $addon VERSION '$current'");
	my $refusal =
	  qr/$addon \Q$next\E does not fit probds \Q$current\E.*ALTER EXTENSION probds UPDATE/s;
	my ($check) = slurp_file("$copy/$addon--$next.sql") =~ /^(DO \$\$.*?^END \$\$;)/ms;
	append_to_file("$to/$addon--$current--$next.sql", $check);
	like(refused('parts', "ALTER EXTENSION $addon UPDATE TO '$next'"), $refusal,
		"$addon is not updated before probds");
	plain('parts', "DROP EXTENSION $addon");
	like(refused('parts', "CREATE EXTENSION $addon VERSION '$next'"), $refusal,
		'nor made for an older one');
	like(refused('next', "CREATE EXTENSION $addon VERSION '$current'"),
		qr/$addon \Q$current\E does not fit probds \Q$next\E.*choose VERSION '\Q$next\E'/s,
		'nor for a newer one');
	plain('next', "CREATE EXTENSION $addon VERSION '$next'");
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
	'CREATE OR REPLACE AGGREGATE hll_merge_agg(hll) (SFUNC = hll_merge, STYPE = hll, '
		. 'FINALFUNC = _hll_final, COMBINEFUNC = hll_merge, PARALLEL = SAFE)',
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
