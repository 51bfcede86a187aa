# Existence indexes under load: keys that are committed are looked up while others write,
# the index grows and is rebuilt, and serializable transactions claim keys (test/existence/
# race.sh, which says how).  EXISTENCE_PROBES: how many probes, 200000 unless set.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $probes = $ENV{EXISTENCE_PROBES} || 200_000;
my $node = PostgreSQL::Test::Cluster->new('existence_race');
$node->init(extra => ['--data-checksums']);
$node->append_conf('postgresql.conf', qq(
max_connections = 40
max_wal_size = '2GB'
));
$node->start;

local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
# the whole of it where a number of probes was chosen
local $ENV{WRITERS} = $ENV{WRITERS} || ($ENV{EXISTENCE_PROBES} ? 8 : 4);
local $ENV{CLAIMS} = $ENV{CLAIMS} || ($ENV{EXISTENCE_PROBES} ? 20_000 : 2000);
my $ok = IPC::Run::run([ 'bash', 'test/existence/race.sh', $probes ], '<', '/dev/null', '>',
	\my $out, '2>', \my $err);
ok($ok, 'no key is missing, and none was claimed twice');
diag("$out$err") unless $ok;
# (what a long run measured is for the pages)
$ENV{EXISTENCE_PROBES} ? diag($out) : note($out);
like($out, qr/probes of committed keys: 0 false negatives$/m, 'no false negative');
like($out, qr/^[1-9]\d* times a new index, /m, 'the index was rebuilt meanwhile');
like($out, qr/ claimed [1-9]\d* keys: 0 twice, 0 other errors$/m, 'no key was claimed twice');

$node->stop;
command_ok([ 'pg_checksums', '--check', '-D', $node->data_dir ], 'checksums');
done_testing();
