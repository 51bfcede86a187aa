# Existence indexes that are larger than the server's buffers: pages are elsewhere each time
# they are looked for.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('existence_buffers');
$node->init(extra => ['--data-checksums']);
$node->append_conf('postgresql.conf', qq(
shared_buffers = '512kB'
temp_buffers = '800kB'
max_wal_size = '1GB'
));
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');

# Several indexes in one session, so that their pages take each other's buffers
my $out = $node->safe_psql('postgres', q(
CREATE TABLE a (k int);
CREATE TABLE b (k text);
CREATE TEMPORARY TABLE c (k int);
CREATE INDEX ON a USING existence (k) WITH (false_positive_rate = 0.001);
CREATE INDEX ON b USING existence (k) WITH (false_positive_rate = 0.001);
CREATE INDEX ON c USING existence (k) WITH (false_positive_rate = 0.001);
DO $$
BEGIN
    FOR i IN 0..9 LOOP
        INSERT INTO a SELECT generate_series(i * 20000 + 1, i * 20000 + 20000);
        INSERT INTO b SELECT generate_series(i * 20000 + 1, i * 20000 + 20000);
        INSERT INTO c SELECT generate_series(i * 20000 + 1, i * 20000 + 20000);
    END LOOP;
END $$;
SELECT count(*) FILTER (WHERE NOT existence_might_contain('a', 'k', i)),
    count(*) FILTER (WHERE NOT existence_might_contain('b', 'k', i::text)),
    count(*) FILTER (WHERE NOT existence_might_contain('c', 'k', i)),
    count(*) FILTER (WHERE existence_might_contain('a', 'k', -i)) < 400,
    count(*) FILTER (WHERE existence_might_contain('b', 'k', (-i)::text)) < 400,
    count(*) FILTER (WHERE existence_might_contain('c', 'k', -i)) < 400
FROM generate_series(1, 200000) i;
-- other files, perhaps with the same pages
TRUNCATE a;
REINDEX TABLE b;
SELECT count(*) FILTER (WHERE existence_might_contain('a', 'k', i)),
    count(*) FILTER (WHERE NOT existence_might_contain('b', 'k', i::text))
FROM generate_series(1, 200000) i;
INSERT INTO a SELECT generate_series(1, 200000);
SELECT existence_verify('a', 'k'), existence_verify('b', 'k'), existence_verify('c', 'k');
));
is($out, "0|0|0|t|t|t\n0|0\n200000|200000|200000", 'every key is found, and few others');
cmp_ok(
	$node->safe_psql(
		'postgres', q(SELECT min(pg_relation_size(indexrelid)) FROM pg_index
WHERE indrelid = 'a'::regclass)),
	'>', 524288, 'the index is larger than the buffers');
cmp_ok(
	$node->safe_psql(
		'postgres', q(SELECT pg_stat_force_next_flush();
SELECT idx_blks_hit + idx_blks_read FROM pg_statio_user_indexes WHERE relname = 'a')) =~ s/^\n//r,
	'>', 400000, 'statistics count each page')
  if $version >= 150000;

# the same pages in the other sessions, and after a crash
$node->stop('immediate');
$node->start;
is( $node->safe_psql('postgres', q(SELECT existence_verify('a', 'k'), existence_verify('b', 'k'))),
	'200000|200000', 'every key is found after a crash');
$node->stop;

# the page by which an index grows is written past the buffers
SKIP:
{
	skip 'before 16 files are not opened with O_DIRECT', 1 if $version < 160000;
	$node->append_conf('postgresql.conf', "debug_io_direct = 'data'");
	skip 'the file system does not take O_DIRECT', 1 unless $node->start(fail_ok => 1);
	$node->safe_psql('postgres', 'INSERT INTO a SELECT generate_series(200001, 400000)');
	is($node->safe_psql('postgres', q(SELECT existence_verify('a', 'k'))),
		'400000', 'an index grows by O_DIRECT');
	$node->stop;
}
command_ok([ 'pg_checksums', '--check', '-D', $node->data_dir ], 'checksums');
done_testing();
