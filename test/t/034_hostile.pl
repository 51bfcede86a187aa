# Corrupt bytes at the SQL level. The mutations of test/fuzz go through text, the bytea cast,
# COPY BINARY and importers, past the checks into a table, and into states of aggregates.  Every
# function is called with odd arguments, too.
# test/hostile does the same, and more of it, on a server that watches its memory.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $folder = PostgreSQL::Test::Utils::tempdir;
plan skip_all => 'the mutations could not be made, for want of a C compiler'
  if system('test/hostile.d/payloads', $folder, $ENV{PROBDS_HOSTILE} // 25);

my $node = PostgreSQL::Test::Cluster->new('hostile');
$node->init;
$node->append_conf('postgresql.conf',
	"jit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off");
$node->start;
$node->safe_psql('postgres',
	"CREATE EXTENSION probds; SET client_min_messages = warning;\n\\i test/hostile.d/setup.sql");
foreach my $file (sort glob("$folder/*.hex"))
{
	my ($type, $foreigner) = $file =~ m{/([a-z_]+?)(_foreign)?\.hex$};

	$foreigner = $foreigner ? 'true' : 'false';
	# the small ones: the large ones take long
	$node->safe_psql('postgres', qq(
CREATE TEMP TABLE made (n serial, bytes bytea);
COPY made (bytes) FROM '$file';
INSERT INTO payload (type, foreigner, bytes) SELECT '$type', $foreigner, bytes FROM made
WHERE length(bytes) < 4000 ORDER BY n;));
}
foreach my $type (split /\n/,
	$node->safe_psql('postgres',
		'SELECT DISTINCT type FROM payload JOIN sketch_type USING (type) ORDER BY type'))
{
	is($node->psql('postgres', "SELECT attack('$type', min(id), max(id), '$folder') FROM payload "
		. "WHERE type = '$type'"),
		0, "$type: the session goes on");
}
# every function, called with what nobody means
$node->psql('postgres', 'CREATE EXTENSION citext; CREATE EXTENSION probds_citext');
$node->safe_psql('postgres', '\i test/hostile.d/direct.sql');
is($node->psql('postgres', 'SET client_min_messages = error; SELECT setseed(0.34), direct(1)'),
	0, 'direct calls: the session goes on');
foreach my $line (split /\n/,
	$node->safe_psql('postgres', 'SELECT * FROM direct_verdict(); SELECT * FROM verdict()'))
{
	ok($1 eq 'ok', $2) if $line =~ /^(ok|not ok) - (.*)/;
	diag($line) if $line =~ /^#/;
}
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
