# Existence indexes where servers die and follow each other: no key of a committed row is
# ever missing after kill -9 under writers, on a standby, and after its promotion.
# EXISTENCE_CRASHES: how often it is killed, 4 unless set.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('existence_primary');
$primary->init(allows_streaming => 1, extra => ['--data-checksums']);
# what a full page image would hide is to be replayed; every change is compared with its replay
$primary->append_conf('postgresql.conf', qq(
wal_consistency_checking = 'generic'
autovacuum = off
checkpoint_timeout = '1h'
max_wal_size = '2GB'
max_prepared_transactions = 2
));
$primary->start;
$primary->safe_psql(
	'postgres', q(
CREATE EXTENSION probds;
CREATE TABLE crawled (k text, writer int);
CREATE INDEX crawled_k ON crawled USING existence (k);
CREATE INDEX crawled_n ON crawled USING existence (writer);
CREATE UNLOGGED TABLE volatile (k int);
CREATE INDEX ON volatile USING existence (k);
INSERT INTO volatile SELECT generate_series(1, 1000);
-- as many keys as take some pages of the table of fingerprints, so that these soon become more
SET wal_consistency_checking = '';
INSERT INTO crawled SELECT 'first ' || i, 0 FROM generate_series(1, 60000) i;
-- rows of many transactions, of which some are rolled back
CREATE PROCEDURE crawl(me int, start int, n int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN start..start + n LOOP
        INSERT INTO crawled SELECT 'url ' || me || ' ' || i || ' ' || j, me
        FROM generate_series(1, 20) j;
        IF i % 7 = 0 THEN
            ROLLBACK;
        ELSE
            COMMIT;
        END IF;
    END LOOP;
END $$;
));

my $missing = q(SELECT count(*) FROM crawled WHERE NOT existence_might_contain('crawled', 'k', k)
    OR NOT existence_might_contain('crawled', 'crawled_n', writer));
my $size = q(SELECT pg_relation_size('crawled_k'));

# Sessions that write until somebody ends them, or some 50,000 rows: each row is a page of WAL
sub writers
{
	my ($start) = @_;
	my @started;

	foreach my $me (1 .. 3)
	{
		push @started,
		  IPC::Run::start([ 'psql', '-X', '-q', '-d', $primary->connstr('postgres'), '-c',
		  	"CALL crawl($me, $start, 3000)" ],
			'<', '/dev/null', '>&', '/dev/null');
	}
	return @started;
}

# Wait until so many rows are there
sub wait_for_rows
{
	my ($rows) = @_;
	return $primary->poll_query_until('postgres', "SELECT count(*) >= $rows FROM crawled");
}

# Kills a server and all of its processes, which would run on for a while without it
sub kill_server
{
	my @pids = split /\n/,
		$primary->safe_psql('postgres',
		'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
	my ($postmaster) = slurp_file($primary->data_dir . '/postmaster.pid') =~ /^(\d+)/;

	$primary->kill9;
	kill 9, @pids;
	# the next one does not start as long as one of them is there
	foreach (1 .. 600)
	{
		last unless grep { kill 0, $_ } @pids, $postmaster;
		select(undef, undef, undef, 0.1);
	}
	return;
}

# Nor while there is a process that came meanwhile
sub start_again
{
	foreach (1 .. 600)
	{
		return if $primary->start(fail_ok => 1);
		select(undef, undef, undef, 0.1);
	}
	die 'the server does not start';
}

# --- kill -9 under writers, while the index grows -------------------------------
my $rows = 60000;
my $before = $primary->safe_psql('postgres', $size);
foreach my $round (1 .. ($ENV{EXISTENCE_CRASHES} || 4))
{
	my @started = writers($round * 10_000_000);
	wait_for_rows($rows + 15000) or die 'no rows are written';
	kill_server();
	foreach my $h (@started) { eval { $h->finish } }
	start_again();
	$rows = $primary->safe_psql('postgres', 'SELECT count(*) FROM crawled');
	cmp_ok($rows, '>', 60000 + 15000 * $round - 1, "crash $round: $rows rows");
	is($primary->safe_psql('postgres', $missing), 0, "crash $round: each of them is found");
	is($primary->safe_psql('postgres', q(SELECT existence_verify('crawled',
		'k'))), $rows, "crash $round: verified");
}
cmp_ok($primary->safe_psql('postgres', $size), '>', $before, 'the index grew meanwhile');
is($primary->safe_psql('postgres', q(SELECT count(*),
    bool_or(existence_might_contain('volatile', 'k', 7)) FROM (VALUES (1)) v LEFT
    JOIN volatile ON true)),
	'1|f', 'an unlogged index is empty after a crash');
is($primary->safe_psql('postgres', q(INSERT INTO volatile SELECT generate_series(1, 50000);
    SELECT existence_verify('volatile', 'k'))),
	50000, 'and goes on');

# --- REINDEX CONCURRENTLY that waits for a writer, and dies ---------------------------
# the index that is not valid is reported as such, and nothing is corrupt
my @states = (
	q(SELECT string_agg(index || ' ' || status, ', ' ORDER BY index::text COLLATE "C")
	FROM existence_info('crawled', 'k')),
	q(SELECT existence_verify('crawled', 'k')), $missing,
	q(SELECT string_agg(DISTINCT status, ', ') FROM probds_health()
		WHERE sketch_column ~ 'crawled'));
my $invalid = join("\n", 'crawled_k ok, crawled_k_ccnew invalid', $rows, 0, 'invalid, ok');
my $look = sub { return join("\n", map { $primary->safe_psql('postgres', $_) } @states); };
$primary->safe_psql('postgres',
	"BEGIN; INSERT INTO crawled VALUES ('held', 6); PREPARE TRANSACTION 'held'");
my $reindex = IPC::Run::start([ 'psql', '-X', '-q', '-d', $primary->connstr('postgres'), '-c',
	'REINDEX INDEX CONCURRENTLY crawled_k' ], '<', '/dev/null', '>&', '/dev/null');
$primary->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_index
	JOIN pg_stat_progress_create_index ON relid = indrelid
	WHERE NOT indisvalid AND phase ~ 'waiting'))
  or die 'no index is built';
is($look->(), $invalid, 'REINDEX CONCURRENTLY waits for a writer');
kill_server();
eval { $reindex->finish };
start_again();
is($look->(), $invalid, 'the same after it died');
$primary->safe_psql('postgres', "COMMIT PREPARED 'held'");
$rows++;
$primary->safe_psql('postgres', 'DROP INDEX crawled_k_ccnew');
$primary->safe_psql('postgres', 'REINDEX INDEX CONCURRENTLY crawled_k');
is($look->(), join("\n", 'crawled_k ok', $rows, 0, 'ok'), 'and another one ends well');

# --- a standby that is asked while the primary writes -----------------------------
$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('existence_standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
# the primary keeps what the standby has not replayed, however much is written
$primary->safe_psql('postgres', q(SELECT pg_create_physical_replication_slot('existence_standby')));
$standby->append_conf('postgresql.conf', "primary_slot_name = 'existence_standby'");
$standby->start;
is($standby->safe_psql('postgres', $missing), 0, 'standby: nothing is missing at the start');

$before = $primary->safe_psql('postgres', $size);
my @started = writers(90_000_000);
my $asked = 0;
my $absent = 0;
do
{
	$absent += $standby->safe_psql('postgres', $missing);
	$asked++;
} while ($asked < 10
	|| $primary->safe_psql('postgres', "SELECT count(*) < $rows + 30000 FROM crawled") eq 't');
is($absent, 0, "standby: nothing was missing at any of $asked times while the primary wrote");
foreach my $h (@started) { eval { $h->kill_kill } }
$primary->safe_psql('postgres', q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'CALL crawl%'));
# pages that come while the standby knows of fewer
$primary->safe_psql('postgres', q(INSERT INTO crawled SELECT 'last ' || i, 4
    FROM generate_series(1, 300000) i));
$primary->wait_for_catchup($standby, 'replay');
cmp_ok($standby->safe_psql('postgres', $size), '>', $before, 'standby: pages came');
is($standby->safe_psql('postgres', $missing), 0, 'standby: nothing is missing after that');
is( $standby->safe_psql('postgres', q(SELECT existence_verify('crawled', 'k'))),
	$primary->safe_psql('postgres', 'SELECT count(*) FROM crawled'),
	'standby: verified');
is( $standby->safe_psql('postgres', q(SELECT md5(string_agg(i::text, ' '))
    FROM existence_info('crawled', 'k') i)),
	$primary->safe_psql('postgres', q(SELECT md5(string_agg(i::text, ' '))
		FROM existence_info('crawled', 'k') i)),
	'standby: the same bits');
my ($rc, $out, $err) = $standby->psql('postgres', q(SELECT existence_might_contain('volatile', 'k',
    7)));
like($err, qr/cannot access temporary or unlogged relations during recovery/,
	'standby: no answer about an unlogged table');

# --- the other ways that files go ----------------------------------------------------
$primary->stop;
$standby->promote;
is($standby->safe_psql('postgres', $missing), 0, 'promoted: nothing is missing');
is( $standby->safe_psql('postgres', q(INSERT INTO crawled SELECT 'new ' || i, 5
    FROM generate_series(1, 1000) i; REINDEX TABLE CONCURRENTLY crawled; ) . $missing),
	0, 'promoted: it goes on');
unlike(slurp_file($standby->logfile), qr/inconsistent page|PANIC|invalid page/,
	'replay gave the same pages');
my $dumped = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$standby->safe_psql('postgres',
	'ALTER INDEX crawled_k SET (false_positive_rate = 0.001, capacity = 2000000)');
$standby->command_ok([ 'pg_dump', '-d', $standby->connstr('postgres'), '-f', $dumped ], 'dumped');
$standby->safe_psql('postgres', 'CREATE DATABASE restored');
$standby->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d',
	$standby->connstr('restored'), '-f', $dumped ], 'and restored');
is($standby->safe_psql('restored', $missing), 0, 'restored: nothing is missing');
is($standby->safe_psql('restored', q(SELECT layers, promised_rate, capacity >= 2000000
    FROM existence_info('crawled', 'k'))),
	'1|0.001|t', 'restored: the same options');
$standby->stop;
$standby->command_ok([ 'pg_checksums', '--check', '-D', $standby->data_dir ], 'checksums');
command_ok([ 'pg_checksums', '--check', '-D', $primary->data_dir ], 'checksums of the primary');

done_testing();
