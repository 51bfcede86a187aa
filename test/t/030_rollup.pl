# Rollups under load: several writers, refreshes, folds and rebuilds at once, what is rolled back,
# crashes, names that change, dumps, a standby, a subscription.  Whatever happens, each row is
# counted exactly once, and the sketches are those that are built in one go, byte for byte.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('rollup');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ], allows_streaming => 'logical');
$node->append_conf('postgresql.conf', "max_connections = 40\nautovacuum_naptime = 1s\n");
$node->start;

# The extension in a schema of its own, whose name needs quotes, and not in the path
$node->safe_psql('postgres', 'CREATE DATABASE jobs');
$node->safe_psql(
	'jobs', q(
CREATE SCHEMA "the extension";
CREATE EXTENSION probds SCHEMA "the extension";
CREATE FUNCTION differences(rollup text, wanted text) RETURNS bigint
    LANGUAGE plpgsql SET search_path = public, "the extension" AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM ((TABLE %1$s EXCEPT ALL TABLE %2$s)
        UNION ALL (TABLE %2$s EXCEPT ALL TABLE %1$s)) q', rollup, wanted) INTO n;
    RETURN n;
END $$;
));

# --- sessions that run beside this one ------------------------------------------

my @psql = ('psql', '-X', '-A', '-t', '-q', '-d');

# Several scripts, each in a session of its own, at once; through files, so that
# none waits for us.  What they said.
my $files = PostgreSQL::Test::Utils::tempdir;
my $n_files = 0;

sub start_all
{
	my @started;
	foreach my $script (@_)
	{
		my $file = "$files/" . ++$n_files;
		append_to_file("$file.sql", $script);
		push @started,
			{ out => "$file.out",
			run => IPC::Run::start([ @psql, $node->connstr('jobs'), '-f', "$file.sql" ], '<',
			\undef, '>&', "$file.out") };
	}
	return @started;
}

sub finish_all
{
	my $said = '';
	foreach my $s (@_)
	{
		$s->{run}->finish;
		$said .= slurp_file($s->{out});
	}
	return $said;
}

sub at_once { return finish_all(start_all(@_)); }

# A session that works in the background
sub session
{
	my $s = { in => '', out => '', n => 0 };
	$s->{run} = IPC::Run::start([ @psql, $node->connstr('jobs') ], '<', \$s->{in}, '>&', \$s->{out},
		IPC::Run::timeout(1800));
	return $s;
}

sub begin
{
	my ($s, $sql) = @_;
	$s->{n}++;
	$s->{in} .= "$sql\n\\echo [said $s->{n}]\n";
	$s->{run}->pump_nb;
	return;
}

sub answer
{
	my ($s) = @_;
	$s->{run}->pump until $s->{out} =~ /\[said $s->{n}\]/;
	my ($out) = $s->{out} =~ /\A(.*?)\s*\[said $s->{n}\]/s;
	$s->{out} = '';
	return $out;
}

sub ask
{
	my ($s, $sql) = @_;
	begin($s, $sql);
	return answer($s);
}

sub leave
{
	my ($s) = @_;
	$s->{in} .= "\\q\n";
	eval { $s->{run}->finish };
	return;
}

# Sessions that wait for a lock of another session of ours (and not for one that
# autovacuum holds for a moment)
my $waiting = q(
SELECT DISTINCT l.pid FROM pg_locks l
WHERE NOT granted AND EXISTS (
    SELECT FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids(l.pid))
        AND backend_type = 'client backend'));

# Until there are so many.  Their client's output must be taken meanwhile only if there is
# much of it.
sub until_waiting
{
	my ($n) = @_;
	$node->poll_query_until('jobs', "SELECT count(*) >= $n FROM ($waiting) w")
	  or die 'nobody waits';
	return;
}

# What a session says whose statement is canceled when it waits
sub canceled
{
	my ($s, $sql) = @_;
	begin($s, $sql);
	until_waiting(1);
	$node->safe_psql('jobs', "SELECT pg_cancel_backend(pid) FROM ($waiting) w");
	return answer($s);
}

my $ours = 'SET search_path = public, "the extension";';

sub refreshed
{
	my ($name, $db) = @_;
	return $node->safe_psql($db // 'jobs', qq(CALL "the extension".probds_refresh_rollup('$name')));
}

sub same
{
	my ($what, $rollup, $wanted) = @_;
	is($node->safe_psql('jobs',
		"SELECT differences('$rollup', '$wanted'), (SELECT count(*) > 0 FROM $wanted)"), '0|t',
		$what);
	return;
}

# --- a log, in 40 batches by 4 writers ---------------------------------------------

my $log = ($ENV{PROBDS_DATA} // '') . '/usagov_clicks.tsv.zst';
$node->safe_psql(
	'jobs', q(
CREATE TABLE log (ts timestamptz, day date, visitor text, url text, ghash text, short_host text,
    country text, city text, tz text, ref_domain text, known text)));
if (-e $log && !system('command -v zstd >/dev/null'))
{
	note('usagov_clicks');
	system("zstd -dc '$log' | psql -X -q -d '" . $node->connstr('jobs')
		. "' -c 'COPY log FROM STDIN'") == 0 or die 'no log';
}
else
{
	note('generated rows');
	$node->safe_psql('jobs', q(
INSERT INTO log (ts, day, visitor, url, country, ref_domain)
SELECT ts, (ts AT TIME ZONE 'UTC')::date, md5((i * i % 20011)::text),
    'http://example.gov/' || i % 3001, CASE WHEN i % 11 = 0 THEN NULL ELSE 'c' || i % 17 END,
    'from' || i * i % 701
FROM generate_series(1, 60000::bigint) i,
    LATERAL (SELECT '2013-01-01 00:00+00'::timestamptz + i * interval '1 minute' AS ts) t));
}
$node->safe_psql(
	'jobs', q(
CREATE TABLE batches AS SELECT ntile(40) OVER (ORDER BY hashtext(visitor || url || ts)) AS batch, *
FROM log;
CREATE INDEX ON batches (batch);
VACUUM ANALYZE batches;
CREATE TABLE clicks (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, LIKE log);
SET search_path = public, "the extension";
SET TimeZone = 'UTC';
CREATE VIEW in_one_go AS
SELECT ts::date AS day, coalesce(country, '') AS country, hll_agg(visitor) AS visitors,
    bloom_agg(url, 5000) AS urls, topk_agg(url, 5000) AS top,
    cms_agg(ref_domain, 0.01, 0.01) AS refs, count(*) AS hits, min(ts) AS first, max(ts) AS last
FROM log GROUP BY 1, 2;
SELECT probds_create_rollup(name, 'SELECT ts::date AS day, coalesce(country, '''') AS country,
    hll_agg(visitor) AS visitors, bloom_agg(url, 5000) AS urls, topk_agg(url, 5000) AS top,
    cms_agg(ref_domain, 0.01, 0.01) AS refs, count(*) AS hits, min(ts) AS first, max(ts) AS last
    FROM clicks GROUP BY 1, 2', live)
FROM (VALUES ('daily', true), ('daily_later', false)) v(name, live);
SELECT probds_create_rollup('monthly', 'SELECT date_trunc(''month'', day)::date AS month,
    hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM daily GROUP BY 1');
ALTER DATABASE jobs SET TimeZone = 'UTC';
));

sub batch
{
	my ($n) = @_;
	return "INSERT INTO clicks (ts, day, visitor, url, ghash, short_host, country, city, tz,
		ref_domain, known)
SELECT ts, day, visitor, url, ghash, short_host, country, city, tz, ref_domain, known FROM batches
WHERE batch = $n;\n";
}
my $call_refresh = sub { return qq(CALL "the extension".probds_refresh_rollup('$_[0]');\n); };
my $call_fold = sub {
	return join('', map { qq(SELECT "the extension".probds_fold_rollup('$_') \\g /dev/null\n) } @_);
};
my $said = at_once((map { my $w = $_; join('', map { batch($w + 4 * $_) } 0 .. 9) } 1 .. 4),
	$call_refresh->('monthly') x 5, $call_fold->('daily', 'daily_later') x 10);
is($said, '', '40 batches by 4 writers, with refreshes and folds beside them');
is($node->safe_psql('jobs', 'SELECT (SELECT count(*) FROM clicks) = (SELECT count(*) FROM log)'),
	't', 'all rows are there');
same('live: the same bytes as in one go', 'daily', 'in_one_go');
same('not live, and nothing but inserts: the same', 'daily_later', 'in_one_go');
same('a rollup of a rollup', 'monthly', 'monthly_query');
is($node->safe_psql('jobs', q(
SELECT "the extension".probds_fold_rollup('daily') >= 0;
SELECT count(*) = count(DISTINCT (day, country)) FROM daily_parts)), "t\nt",
	'folded: one part a group');
same('and still the same', 'daily', 'in_one_go');

# --- refreshes and folds while writers run ---------------------------------------------

# Writers commit one thing and roll back another, in transactions of several statements and in
# savepoints; (g, v) tells who wrote what and when.  Some of what they wrote they change or delete.
$node->safe_psql(
	'jobs', q(
CREATE TABLE event (id bigserial PRIMARY KEY, g int, v int);
CREATE TABLE tally (writer int PRIMARY KEY, n int);
INSERT INTO tally SELECT i, 0 FROM generate_series(1, 6) i;
SET search_path = public, "the extension";
CREATE VIEW event_wanted AS SELECT g, hll_agg(v) AS vs, count(*) AS n, sum(v) AS sum FROM event
GROUP BY g;
SELECT probds_create_rollup(name, 'SELECT g, hll_agg(v) AS vs, count(*) AS n, sum(v) AS sum
    FROM event GROUP BY g', live)
FROM (VALUES ('by_live', true), ('by_refresh', false)) v(name, live);
));

sub writer
{
	my ($writer, $rounds) = @_;
	my $sql = '';
	foreach my $i (1 .. $rounds)
	{
		my $rows = "SELECT g, $writer * 1000000 + $i * 1000 + g FROM generate_series(%d, %d) g";
		my ($few, $more) = map { sprintf("INSERT INTO event (g, v) $rows;\n", @$_) } [ 1,
			1 + $i % 4 ], [ 5, 5 + $i % 9 ];
		my $tally = "UPDATE tally SET n = n + %d WHERE writer = $writer;\n";
		my $from = "$writer * 1000000 + $i * 1000";
		my $mine = "v BETWEEN $from - 5000 AND $from";
		if ($i % 7 == 0) { $sql .= "BEGIN;\n${few}ROLLBACK;\n"; }
		elsif ($i % 5 == 0) { $sql .= "BEGIN;\n${few}SAVEPOINT s;\n${more}ROLLBACK TO s;\n"
			. sprintf($tally, 1 + $i % 4) . "COMMIT;\n"; }
		elsif ($i % 3 == 0) { $sql .= "BEGIN;\n" . sprintf($tally, 2 + $i % 4 + $i % 9)
			. "${few}${more}COMMIT;\n"; }
		elsif ($i % 11 == 0) { $sql .= "UPDATE event SET g = g + 1 WHERE $mine;\n"; }
		elsif ($i % 8 == 0) { $sql .= "WITH d AS (DELETE FROM event WHERE g = 2 AND $mine "
			. 'RETURNING 1) UPDATE tally SET n = n - (SELECT count(*) FROM d) '
			. "WHERE writer = $writer;\n"; }
		else { $sql .= "BEGIN;\n" . sprintf($tally, 1 + $i % 4) . "${few}COMMIT;\n"; }
	}
	return $sql;
}
my @refreshing = map { join('', map { $call_refresh->($_) } @$_) x 30 } [ 'by_refresh', 'by_live' ],
	[ 'by_live', 'by_refresh' ];
my $folding = $call_fold->('by_live', 'by_refresh');
my @all = ('by_live', 'by_refresh');

sub all_the_same
{
	my ($what) = @_;
	is($node->safe_psql('jobs', 'SELECT (SELECT count(*) FROM event) = (SELECT sum(n) FROM tally)'),
		't', "$what: what was committed is there, and no more");
	same("$what: live", 'by_live', 'event_wanted');
	refreshed($_) foreach @all;
	same("$what: $_ is refreshed", $_, 'event_wanted') foreach @all;
	return;
}

is(at_once((map { writer($_, 60) } 1 .. 4), @refreshing, $folding x 40, $folding x 40), '',
	'writers, refreshes and folds at once');
all_the_same('writers, refreshes and folds');

# rebuilt under way, too
my $rebuild = join('', map { qq(CALL "the extension".probds_rebuild_rollup('$_');\n) } @all);
is(at_once((map { writer($_, 60) } 1 .. 3), @refreshing, $folding x 20, $rebuild x 3), '',
	'and rebuilt meanwhile');
all_the_same('writers, refreshes, folds and rebuilds');

# --- one group --------------------------------------------------------------------------

# One part in 100 that is appended draws a fold of up to 400.  So the number of parts beyond
# those that one fold takes has a tail like exp(-x / 102), and 2,000 are seen once in 10^8 looks.
# Each look also sees who waits for whom: nobody, for inserts wait for nothing.
$node->safe_psql('jobs', "CREATE TABLE hot (v bigint);
$ours
SELECT probds_create_rollup('hottest', 'SELECT hll_agg(v) AS vs, count(*) AS n FROM hot');");
{
	my $done = "SELECT pg_advisory_lock_shared(7) \\g /dev/null\n";
	my $gate = session();
	ask($gate, 'SELECT pg_advisory_lock(7) \g /dev/null');
	my @run = start_all((map { my $w = $_;
		"SET synchronous_commit = off;\n"
			. join('', map { "INSERT INTO hot VALUES ($w * 10000 + $_);\n" } 1 .. 1500)
			. $done } 1 .. 4),
		$call_fold->('hottest') x 3 . $done, $call_refresh->('hottest') x 10 . $done);
	my ($most, $waited, $looks, $n, $ended) = (0, '', 0, 0, 0);
	while ($ended < 6)
	{
		($n, my $who, $ended) = split /\|/, ask($gate, q(
SELECT (SELECT count(*) FROM hottest_parts),
    (SELECT string_agg(DISTINCT l.locktype || ' ' || coalesce(l.relation::regclass::text, ''), ',')
        FROM pg_locks l WHERE NOT granted AND locktype NOT IN ('extend', 'advisory')
        AND EXISTS (SELECT FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids(l.pid))
            AND backend_type = 'client backend')),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 7);));
		$most = $n if $n > $most;
		$waited .= "$who;" if $who ne '';
		$looks++;
	}
	ask($gate, 'SELECT pg_advisory_unlock(7) \g /dev/null');
	leave($gate);
	is(finish_all(@run), '', 'four writers of one group, a fold and a refresh');
	is($waited, '', "nobody has waited for a lock at any of $looks looks");
	cmp_ok($most, '<', 2000, "at most $most parts, of 6000");
	same('one group', 'hottest', 'hottest_query');
}

# --- 5,000 groups -----------------------------------------------------------------------

$node->safe_psql('jobs', "CREATE TABLE wide (g int, v int);
$ours
SELECT probds_create_rollup('widest', 'SELECT g, hll_agg(v) AS vs, count(*) AS n FROM wide
    GROUP BY g');");
$node->safe_psql('jobs',
	"INSERT INTO wide SELECT i % 5000, i FROM generate_series(1, 15000) i") foreach 1 .. 3;
same('5,000 groups', 'widest', 'widest_query');
$node->safe_psql('jobs', 'UPDATE wide SET v = v + 1 WHERE g BETWEEN 100 AND 149; '
	. 'DELETE FROM wide WHERE g BETWEEN 200 AND 209');
my $waits = q(SELECT groups_waiting FROM "the extension".probds_rollups()
    WHERE rollup = '%s'::regclass);
is($node->safe_psql('jobs', sprintf($waits, 'widest')), '60', 'the groups that were changed wait');
same('and are read from the source', 'widest', 'widest_query');
refreshed('widest');
is($node->safe_psql('jobs', sprintf($waits, 'widest')
	. '; SELECT count(*), count(DISTINCT g), bool_or(probds_touched) FROM widest_parts'),
	"0\n4990|4990|f", 'until the refresh, which leaves one part a group');
same('and the same', 'widest', 'widest_query');

# --- rolled back, and crashes in the middle ----------------------------------------------

# A query that waits in the second batch of a refresh for the lock that we hold
$node->safe_psql('jobs', "CREATE TABLE gated (g int, v int);
CREATE FUNCTION gate(g int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS \$\$
BEGIN
    IF to_regclass('public.through_options') IS NOT NULL
        AND EXISTS (SELECT FROM public.through_options
            WHERE groups_done > 0 AND refreshing IS NOT NULL) THEN
        PERFORM pg_advisory_xact_lock_shared(8);
    END IF;
    RETURN true;
END \$\$;
$ours
SELECT probds_create_rollup('through', 'SELECT g, hll_agg(v) AS vs, count(*) AS n FROM gated
    WHERE gate(g) GROUP BY g');
INSERT INTO gated SELECT i % 1000, i FROM generate_series(1, 3000) i;
UPDATE gated SET v = -v;");
my $holder = session();
ask($holder, 'SELECT pg_advisory_lock(8) \g /dev/null');
my $late = session();
like(canceled($late, $call_refresh->('through')), qr/canceling statement due to user request/,
	'a refresh is canceled in its second batch');
ask($holder, 'SELECT pg_advisory_unlock(8) \g /dev/null');
is($node->safe_psql('jobs', sprintf($waits, 'through')), '936', 'the batch before counts');
same('live all the same', 'through', 'through_query');
foreach my $what ('refresh', 'rebuild')
{
	ask($holder, 'SELECT pg_advisory_lock(8) \g /dev/null');
	begin($late, qq(CALL "the extension".probds_${what}_rollup('through');));
	until_waiting(1);
	like($node->safe_psql('jobs', q(SELECT refreshing FROM "the extension".probds_rollups()
		WHERE rollup = 'through'::regclass)), $what eq 'refresh' ? qr/^64 of 936 groups$/
		: qr/^64 of 1000 groups$/, "$what: its progress");
	$node->stop('immediate');
	leave($_) foreach $holder, $late;
	$node->start;
	$holder = session();
	$late = session();
	is($node->safe_psql('jobs', sprintf($waits, 'through')), $what eq 'refresh' ? '872' : '936',
		"$what: a crash, and what was done is done");
	is($node->safe_psql('jobs', q(SELECT refreshing IS NULL, status FROM
		"the extension".probds_rollups() WHERE rollup = 'through'::regclass)), 't|ok',
		"$what: and nobody is at it");
	same("$what: live after a crash", 'through', 'through_query');
	refreshed('through');
	is($node->safe_psql('jobs', sprintf($waits, 'through')), '0',
		"$what: a refresh goes on with the rest");
	same("$what: after that", 'through', 'through_query');
}

# with writers, refreshes and folds in full flow; a session that has done all waits for the
# crash
my @scripts = map { $_ . "SELECT pg_advisory_lock(1);\n" } ((map { writer($_, 400) } 1 .. 4),
	@refreshing, $folding x 200);
ask($holder, 'SELECT pg_advisory_lock(1) \g /dev/null');
my $written = $node->safe_psql('jobs', 'SELECT sum(n) FROM tally');
my @run = start_all(@scripts);
$node->poll_query_until('jobs', "SELECT sum(n) > $written + 100 FROM tally") or die 'nobody writes';
$node->stop('immediate');
leave($_) foreach $holder, $late;
like(finish_all(@run),
	qr/server closed the connection|terminating connection|connection to server was lost/,
	'who was writing is told');
$node->start;
cmp_ok($node->safe_psql('jobs', 'SELECT sum(n) FROM tally'), '>', $written, 'a crash under way');
all_the_same('after a crash under way');
same('the log, after crashes', 'daily', 'in_one_go');

# --- who comes while others write ----------------------------------------------------------

$holder = session();
$late = session();
my $later = session();

# a writer whose snapshot is older than what others have committed
ask($holder, "BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT 1 \\g /dev/null");
ask($_, "INSERT INTO event (g, v) SELECT g, g FROM generate_series(0, 4) g;\n"
	. "UPDATE tally SET n = n + 5 WHERE writer = 2;") foreach $later, $late;
is(ask($holder,
	"INSERT INTO event (g, v) SELECT g % 5, g FROM generate_series(1, 10) g;\n"
	. "UPDATE tally SET n = n + 10 WHERE writer = 1;\nCOMMIT;"), '',
	'a writer at REPEATABLE READ does not fail');
all_the_same('REPEATABLE READ');

# a refresh waits for nobody, and leaves what a writer commits later
ask($holder, "BEGIN;\nINSERT INTO event (g, v) VALUES (1, 77);\nUPDATE event SET v = v + 1 WHERE "
	. "g = 2;\nUPDATE tally SET n = n + 1 WHERE writer = 1;");
is(ask($late, $call_refresh->('by_refresh')), '', 'a refresh does not wait for a writer');
is(ask($later, "INSERT INTO event (g, v) VALUES (1, 78);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 2;"), '', 'nor does another writer of the group');
ask($holder, 'COMMIT;');
all_the_same('after a late commit');

# a rollup that is made while somebody writes
ask($holder, "BEGIN;\nINSERT INTO event (g, v) VALUES (2, 79);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 1;");
begin($late, qq($ours SELECT probds_create_rollup('made_late', 'SELECT g, hll_agg(v) AS vs,
    count(*) AS n, sum(v) AS sum FROM event GROUP BY g');));
until_waiting(1);
begin($later, "INSERT INTO event (g, v) VALUES (1, 80);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 2;");
until_waiting(2);
ask($holder, 'COMMIT;');
is(answer($late), 'made_late', 'made while others write');
answer($later);
same('nothing is left out and nothing counted twice', 'made_late', 'event_wanted');
$node->safe_psql('jobs', q(SELECT "the extension".probds_drop_rollup('made_late')));
leave($_) foreach $holder, $late, $later;

# --- groups that are NULL ------------------------------------------------------------------

$node->safe_psql('jobs', q(
CREATE TABLE maybe (id serial, g int, h text);
SELECT "the extension".probds_create_rollup('with_null', 'SELECT g, h, count(*) AS n FROM maybe
    GROUP BY g, h')));
my $maybe = q(INSERT INTO maybe (g, h) VALUES (1, 'a'), (1, NULL), (NULL, 'a'), (NULL, NULL););
$node->safe_psql('jobs', qq($maybe $maybe
    SELECT "the extension".probds_fold_rollup('with_null')));
my $nulls = q(SELECT coalesce(g::text, '-') || coalesce(h, '-') || n FROM with_null ORDER BY 1);
is($node->safe_psql('jobs', $nulls), "--2\n-a2\n1-2\n1a2",
	'groups may be NULL, and are groups like others');
$node->safe_psql('jobs', q(DELETE FROM maybe WHERE id IN (1, 2, 3, 4)));
is($node->safe_psql('jobs', $nulls), "--1\n-a1\n1-1\n1a1", 'which are read from the source');
refreshed('with_null');
is($node->safe_psql('jobs', $nulls), "--1\n-a1\n1-1\n1a1", 'and refreshed');

# --- names ---------------------------------------------------------------------------------

$node->safe_psql('jobs', q(
CREATE TABLE old (a int, b text, c int);
SELECT "the extension".probds_create_rollup('old_name',
    'SELECT a % 10 AS a, "the extension".hll_agg(b) AS bs, count(*) AS n FROM old WHERE c > 0
    GROUP BY 1');
INSERT INTO old SELECT i, 'b' || i, i % 3 FROM generate_series(1, 100) i;
CREATE SCHEMA "else where";
ALTER TABLE old RENAME TO "New";
ALTER TABLE "New" RENAME a TO "the A";
ALTER TABLE "New" RENAME b TO "B";
ALTER TABLE "New" RENAME c TO "select";
ALTER TABLE "New" SET SCHEMA "else where";
ALTER VIEW old_name RENAME TO "Shown";
ALTER VIEW "Shown" RENAME bs TO "the Bs";
ALTER VIEW old_name_query RENAME TO "Query";
ALTER VIEW "Query" RENAME n TO "the n";
ALTER TABLE old_name_parts RENAME TO "Parts";
ALTER TABLE "Parts" RENAME a TO "key";
ALTER TABLE "Parts" RENAME n TO "count";
ALTER TABLE old_name_options RENAME TO "Options";
ALTER TABLE "Parts" SET SCHEMA "else where";
ALTER EXTENSION probds SET SCHEMA "else where";
INSERT INTO "else where"."New" SELECT i, 'c' || i, 1 FROM generate_series(1, 50) i;
UPDATE "else where"."New" SET "B" = 'd' WHERE "the A" = 7;
SELECT "else where".probds_fold_rollup('"Shown"');
));
same('all of it has other names, and the extension another schema', '"Shown"', '"Query"');
$node->safe_psql('jobs', q(CALL "else where".probds_refresh_rollup('"Shown"')));
same('and it is refreshed', '"Shown"', '"Query"');
is($node->safe_psql('jobs', q(SELECT rollup, source, status, groups_waiting FROM
	"else where".probds_rollups() WHERE rollup = '"Shown"'::regclass)),
	'"Shown"|"else where"."New"|ok|0', 'its status');
same('the others go on', 'by_live', 'event_wanted');
$node->safe_psql('jobs', 'ALTER EXTENSION probds SET SCHEMA "the extension"');

# --- dump and restore ------------------------------------------------------------------------

$node->safe_psql('jobs', q(
CREATE TABLE parted (p int, g int, v int) PARTITION BY LIST (p);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 (v int, g int, p int);
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES IN (2);
SET search_path = public, "the extension";
SELECT probds_create_rollup('of_parted', 'SELECT g, hll_agg(v) AS vs, count(*) AS n FROM parted
    GROUP BY g');
INSERT INTO parted SELECT 1 + i % 2, i % 7, i FROM generate_series(1, 100) i;
UPDATE parted SET v = 0 WHERE g = 3;
SELECT probds_create_rollup_view('"All of it"', 'by_live', ARRAY['g % 10 AS "last digit"']);
INSERT INTO event (g, v) VALUES (3, 81);
UPDATE event SET v = 5 WHERE g = 4;
UPDATE tally SET n = n + 1 WHERE writer = 1;
));
my $dump = PostgreSQL::Test::Utils::tempdir;
my @restored = ('by_live', 'by_refresh', 'widest', 'hottest', 'of_parted', '"Shown"', 'through');
my @query = ('event_wanted', 'event_wanted', 'widest_query', 'hottest_query', 'of_parted_query',
	'"Query"', 'through_query');

sub database
{
	my ($db) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	$node->safe_psql('postgres', "ALTER DATABASE $db SET TimeZone = 'UTC'");
	return;
}

sub restore
{
	my ($db, @options) = @_;
	$node->command_ok([ 'pg_restore', '--exit-on-error', @options, '-d', $node->connstr($db),
		"$dump/jobs" ], "restore into $db @options");
	return;
}

# What differs, of those that are live or have been refreshed
sub differences_of
{
	my ($db, @which) = @_;
	@which = (0, 2 .. $#restored) if !@which;
	return $node->safe_psql($db,
		'SELECT ' . join(', ', map { "differences('$restored[$_]', '$query[$_]')" } @which));
}

sub goes_on
{
	my ($db) = @_;
	is(differences_of($db), '0|0|0|0|0|0', "$db: the same");
	$node->safe_psql($db, q(
INSERT INTO event (g, v) SELECT g, g * 7 FROM generate_series(1, 40) g;
UPDATE event SET v = v + 1 WHERE g = 5;
INSERT INTO parted SELECT 1 + i % 2, i % 9, i FROM generate_series(1, 50) i;
DELETE FROM parted_2 WHERE g = 1;
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES IN (3);
INSERT INTO parted_3 VALUES (3, 1, 1);
ALTER TABLE parted DETACH PARTITION parted_1;
INSERT INTO "else where"."New" SELECT i, 'e' || i, 1 FROM generate_series(1, 50) i;
UPDATE gated SET v = 0 WHERE g = 10;
SELECT "the extension".probds_fold_rollup('by_live');
));
	is(differences_of($db), '0|0|0|0|0|0', "$db: it goes on");
	refreshed($_, $db) foreach @restored;
	is(differences_of($db, 0 .. $#restored), '0|0|0|0|0|0|0', "$db: refreshed");
	$node->safe_psql($db, qq(CALL "the extension".probds_rebuild_rollup('$_'))) foreach @restored;
	is(differences_of($db, 0 .. $#restored), '0|0|0|0|0|0|0', "$db: rebuilt");
	is($node->safe_psql($db, q(SELECT sum(n) = (SELECT count(*) FROM event) FROM "All of it";
		SELECT DISTINCT status FROM "the extension".probds_rollups())), "t\nok", "$db: its status");
	return;
}
$node->command_ok([ 'pg_dump', '-Fc', '-T', 'log', '-T', 'batches', '-T', 'in_one_go', '-d',
	$node->connstr('jobs'), '-f', "$dump/jobs" ], 'dump');
database('restored');
restore('restored');
# and over itself
restore('restored', '--clean', '-j', '2');
goes_on('restored');
$node->safe_psql('restored', qq(SELECT "the extension".probds_drop_rollup('$_')))
	foreach @restored, 'monthly', 'daily', 'daily_later', 'with_null';
is($node->safe_psql('restored', q(
SELECT string_agg(relname, ' ' ORDER BY relname COLLATE "C") FROM pg_class WHERE relnamespace IN
    ('public'::regnamespace, '"else where"'::regnamespace) AND relkind IN ('r', 'p', 'v');
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)),
	"New clicks event event_wanted gated hot maybe parted parted_1 parted_2 parted_3 tally wide\n0",
	'dropped, they are gone');

# the schema first, and then the data: with the triggers off all of it is as it was
database('in_two');
restore('in_two', '--section=pre-data', '--section=post-data');
is($node->safe_psql('in_two', q(SELECT DISTINCT regexp_replace(status, 'table \S+', 'table X')
	FROM "the extension".probds_rollups())), 'table X does not have one row',
	'the schema alone: its status');
restore('in_two', '--data-only', '--disable-triggers');
goes_on('in_two');

# with the triggers on the source's rows come before the options, or after them
database('with_triggers');
restore('with_triggers', '--schema-only');
my ($out, $err) = PostgreSQL::Test::Utils::run_command([ 'pg_restore', '--data-only', '-d',
	$node->connstr('with_triggers'), "$dump/jobs" ]);
like($err, qr/rollup public\.by_live cannot be modified directly/,
	'data alone into a rollup is refused');
is($node->safe_psql('with_triggers', 'SELECT count(*) > 0 FROM event'), 't',
	'but not the rows of the source');
$node->safe_psql('with_triggers', qq(CALL "the extension".probds_rebuild_rollup('$_')))
	foreach @restored, 'daily', 'daily_later', 'with_null', 'monthly';
goes_on('with_triggers');

# into tables that are in use nothing is counted twice
$node->safe_psql('in_two', q(TRUNCATE event, tally));
($out, $err) = PostgreSQL::Test::Utils::run_command([ 'pg_restore', '--data-only', '-t', 'event',
	'-t', 'by_live_parts', '-d', $node->connstr('in_two'), "$dump/jobs" ]);
like($err, qr/rollup public\.by_live cannot be modified directly/,
	'data alone into a rollup in use is refused, too');
is($node->safe_psql('in_two', q(SELECT differences('by_live', 'event_wanted'), count(*) > 0
	FROM event)), '0|t', 'and what comes into the source is counted once');

# --- logical replication -----------------------------------------------------------------------

$node->safe_psql('jobs', 'CREATE TABLE sent (g int, v int); CREATE PUBLICATION p FOR TABLE sent;
	INSERT INTO sent SELECT i % 3, i FROM generate_series(1, 30) i;
	SELECT pg_create_logical_replication_slot(\'s\', \'pgoutput\')');
$node->safe_psql('in_two', q(CREATE TABLE sent (g int, v int);
SELECT "the extension".probds_create_rollup('of_sent', 'SELECT g, count(*) AS n FROM sent
    GROUP BY g');
CREATE SUBSCRIPTION s CONNECTION ') . $node->connstr('jobs') =~ s/'/''/gr . q(' PUBLICATION p
    WITH (create_slot = false, slot_name = 's')));
$node->poll_query_until('in_two', 'SELECT count(*) = 30 FROM sent') or die 'nothing comes';
is($node->safe_psql('in_two', q(SELECT status FROM "the extension".probds_rollups() WHERE rollup =
	'of_sent'::regclass)), 'the source is fed by a subscription: its changes fire no trigger',
	'a source that a subscription feeds: its status');
$node->safe_psql('in_two', q(CALL "the extension".probds_rebuild_rollup('of_sent')));
is($node->safe_psql('in_two', q(SELECT differences('of_sent', 'of_sent_query'), sum(n)
	FROM of_sent)), '0|30', 'a rebuild counts what has come');
$node->safe_psql('in_two', 'DROP SUBSCRIPTION s');

$node->safe_psql('jobs', 'CREATE TABLE sent_part (g int, v int);
	CREATE PUBLICATION part FOR TABLE sent_part;
	SELECT pg_create_logical_replication_slot(\'part\', \'pgoutput\')');
$node->safe_psql('in_two', q(CREATE TABLE sent_all (g int, v int) PARTITION BY LIST (g);
CREATE TABLE sent_part PARTITION OF sent_all DEFAULT;
SELECT "the extension".probds_create_rollup('of_sent_all', 'SELECT g, count(*) AS n FROM sent_all
    GROUP BY g');
CREATE SUBSCRIPTION part CONNECTION ') . $node->connstr('jobs') =~ s/'/''/gr . q(' PUBLICATION part
    WITH (create_slot = false, slot_name = 'part')));
is($node->safe_psql('in_two', q(SELECT status FROM "the extension".probds_rollups() WHERE rollup =
	'of_sent_all'::regclass)), 'the source is fed by a subscription: its changes fire no trigger',
	'a partition that a subscription feeds: the status');
$node->safe_psql('in_two', 'DROP SUBSCRIPTION part');

# --- two refreshes at once -----------------------------------------------------------------------

# the second one ends when no group waits, not when the first one has those that it comes to
$node->safe_psql('jobs', q(
CREATE TABLE crowd (g int);
INSERT INTO crowd SELECT generate_series(1, 100000);
CREATE INDEX ON crowd (g);
SELECT "the extension".probds_create_rollup('of_crowd',
    'SELECT g, count(*) AS n FROM crowd GROUP BY 1', live => false);
DELETE FROM crowd;
));
my @first = start_all($call_refresh->('of_crowd'));
$node->poll_query_until('jobs', q(SELECT refreshing ~ '^[1-9]' FROM "the extension".probds_rollups()
	WHERE rollup = 'of_crowd'::regclass)) or die 'nobody refreshes';
$node->safe_psql('jobs', $call_refresh->('of_crowd'));
is($node->safe_psql('jobs', q(SELECT groups_waiting FROM "the extension".probds_rollups() WHERE
	rollup = 'of_crowd'::regclass)), '0', 'a refresh beside another one');
finish_all(@first);
$node->safe_psql('jobs',
	q(SELECT "the extension".probds_drop_rollup('of_crowd'); DROP TABLE crowd));

# --- locks that are never free at once -----------------------------------------------------------

# Two sessions hold a lock each, and let it go when the one who drops waits for it and the other is
# held.  So he would begin again for ever.  After some rounds he keeps the view, and waits.
$node->safe_psql('jobs', q(CREATE TABLE busy (g int);
SELECT "the extension".probds_create_rollup('of_busy',
    'SELECT g, count(*) AS n FROM busy GROUP BY g');
CREATE PROCEDURE hold(mine regclass, other regclass, view regclass) LANGUAGE plpgsql AS $$
DECLARE
    kept boolean;
BEGIN
    FOR round IN 1..100 LOOP
        EXECUTE format('LOCK TABLE %s IN ACCESS SHARE MODE', mine);
        LOOP
            kept := EXISTS (SELECT FROM pg_locks WHERE relation = view AND granted
                AND mode = 'AccessExclusiveLock');
            EXIT WHEN kept OR (EXISTS (SELECT FROM pg_locks WHERE relation = mine AND NOT granted)
                AND EXISTS (SELECT FROM pg_locks WHERE relation = other AND granted
                AND mode = 'AccessShareLock'));
            PERFORM pg_sleep(0.001);
        END LOOP;
        COMMIT;
        EXIT WHEN kept;
    END LOOP;
    RAISE NOTICE 'the view is kept: %', kept;
END $$;));
my @holders = start_all("CALL hold('busy', 'of_busy_parts', 'of_busy')",
	"CALL hold('of_busy_parts', 'busy', 'of_busy')");
$node->poll_query_until('jobs', q(SELECT count(DISTINCT relation) = 2 FROM pg_locks WHERE granted
	AND relation IN ('busy'::regclass, 'of_busy_parts'::regclass) AND mode = 'AccessShareLock'))
	or die 'nobody holds the locks';
$node->safe_psql('jobs', q(SELECT "the extension".probds_drop_rollup('of_busy')));
is(scalar(() = finish_all(@holders) =~ /the view is kept: t/g), 2,
	'who drops does not begin again for ever');
$node->safe_psql('jobs', 'DROP TABLE busy; DROP PROCEDURE hold');

# --- a standby -----------------------------------------------------------------------------------

$node->safe_psql('jobs', 'UPDATE event SET v = v + 2 WHERE g = 6');
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->safe_psql('jobs', 'UPDATE event SET v = v + 3 WHERE g = 7; INSERT INTO event (g, v) VALUES '
	. '(7, 1); UPDATE tally SET n = n + 1 WHERE writer = 1');
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
is($standby->safe_psql('jobs', q(SELECT differences('by_live', 'event_wanted'), (SELECT
	groups_waiting >= 2 FROM "the extension".probds_rollups() WHERE rollup = 'by_live'::regclass))),
	'0|t', 'a standby reads groups that wait');
my ($rc, $o, $e) = $standby->psql('jobs', $call_refresh->('by_live'));
like($e, qr/cannot execute .* in a read-only transaction|during recovery/,
	'and cannot refresh them');
$standby->promote;
$node->stop;
$node = $standby;
all_the_same('a standby that is promoted');
$node->stop;
done_testing();
