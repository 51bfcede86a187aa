# Pairs of serializable transactions: both look for a key that is not there and insert it.  Exactly
# one may commit.  Types of keys, casts and ways to scan vary (test/existence/pairs.pl).
# EXISTENCE_PAIRS: how many, 120 unless set.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $pairs = $ENV{EXISTENCE_PAIRS} || 120;
my $node = PostgreSQL::Test::Cluster->new('existence_pairs');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\n");
$node->start;

local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
my ($out, $err);
my $ok = IPC::Run::run([ $^X, 'test/existence/pairs.pl', $pairs ], '<', '/dev/null', '>', \$out,
	'2>', \$err);
ok($ok, 'one of each pair committed');
is($err, '', 'without errors');
note($out);
diag($out) unless $ok;
my ($ran, $index, $gate, $function) =
  $out =~ /^(\d+) pairs: (\d+) by an existence index, (\d+) by a gate, (\d+) by a function/m;
like($out, qr/; of $pairs one committed, of 0 both, of 0 neither$/m,
	'and of no pair both or neither');
is($ran // 0, $pairs, 'all pairs ran');
cmp_ok($index, '>', $pairs / 5, 'many used an existence index');
cmp_ok($gate, '>', $pairs / 20, 'some a gate');
cmp_ok($function, '>', $pairs / 50, 'and some a function');

$node->stop;
done_testing();
