# Random queries with casts on both sides of "=", with existence indexes or gates and without
# (test/existence/casts.sql).  CAST_QUERIES: how many, 2000 unless set.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $queries = $ENV{CAST_QUERIES} || 2000;
my $node = PostgreSQL::Test::Cluster->new('existence_casts');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "fsync = off\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

my ($out, $err);
my $ok = IPC::Run::run(
	[
		'psql', '-XAtq', '-d', $node->connstr('postgres'),
		'-v', "queries=$queries", '-v', 'seed=0.5', '-f', 'test/existence/casts.sql' ],
	'<', '/dev/null', '>', \$out, '2>', \$err);
ok($ok, 'the script ran');
is($err, '', 'no answer differs');
note($out);
my @lines = split(/\n/, $out);
my ($called, $no, $wrong) = split(/\|/, $lines[-2] // '');
my ($ran, $index, $gate, $refused, $differ) = split(/\|/, $lines[-1] // '');
cmp_ok($no, '>', 0, 'existence_might_contain() said no');
is($wrong, 0, 'and never beside a row');
is("$ran|$differ", "$queries|0", 'all queries ran, none differs');
cmp_ok($index, '>', $queries / 5, 'many queries used an existence index');
cmp_ok($gate, '>', $queries / 5, 'and many a gate');
cmp_ok($refused, '<', $queries / 10, 'few were refused');

$node->stop;
done_testing();
