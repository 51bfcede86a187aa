# Rollups under load: several writers, refreshes and folds at once, what is rolled
# back, crashes, dumps.  Whatever happens, each row is counted exactly once, and
# the sketches are those that are built in one go, byte for byte.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('rollup');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
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
    bloom_agg(url, 5000) AS urls, topk_agg(url, 10) AS top, cms_agg(ref_domain, 0.01, 0.01) AS refs,
    count(*) AS hits, min(ts) AS first, max(ts) AS last
FROM log GROUP BY 1, 2;
SELECT probds_create_rollup(name, 'clicks',
    ARRAY['ts::date AS day', 'coalesce(country, '''') AS country'],
    ARRAY['hll_agg(visitor) AS visitors', 'bloom_agg(url, 5000) AS urls',
        'topk_agg(url, 10) AS top', 'cms_agg(ref_domain, 0.01, 0.01) AS refs', 'count(*) AS hits',
        'min(ts) AS first', 'max(ts) AS last'], refresh, slots)
FROM (VALUES ('daily', 'trigger', 1), ('daily_by_slot', 'trigger', 8),
    ('daily_later', 'id', 1)) v(name, refresh, slots);
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
my $said = at_once(
	(map { my $w = $_; join('', map { batch($w + 4 * $_) } 0 .. 9) } 1 .. 4),
	qq(CALL "the extension".probds_refresh_rollup('daily_later', 3000);\n) x 5,
	qq(SELECT "the extension".probds_fold_rollup('daily_by_slot') \\g /dev/null\n) x 10);
is($said, '', '40 batches by 4 writers, with a refresh and a fold beside them');
is($node->safe_psql('jobs', 'SELECT (SELECT count(*) FROM clicks) = (SELECT count(*) FROM log)'),
	't', 'all rows are there');
same('a trigger: the same bytes as in one go', 'daily', 'in_one_go');
same('a trigger and slots: the same bytes as in one go', 'daily_by_slot', 'in_one_go');
$node->safe_psql('jobs', q(CALL "the extension".probds_refresh_rollup('daily_later')));
same('refreshes: the same bytes as in one go', 'daily_later', 'in_one_go');
is($node->safe_psql('jobs', q(
SELECT "the extension".probds_fold_rollup('daily_by_slot') >= 0;
SELECT count(*) = count(DISTINCT (day, country)) AND max(slot) = 0
FROM daily_by_slot_slots)), "t\nt", 'folded: one row a group');
same('and still the same', 'daily_by_slot', 'in_one_go');

# --- refreshes and folds while writers run ---------------------------------------------

# Writers commit one thing and roll back another, in transactions of several
# statements and in savepoints; (g, v) tells who wrote what and when.
$node->safe_psql(
	'jobs', q(
CREATE TABLE event (id bigserial PRIMARY KEY, g int, v int);
CREATE TABLE tally (writer int PRIMARY KEY, n int);
INSERT INTO tally SELECT i, 0 FROM generate_series(1, 6) i;
SET search_path = public, "the extension";
CREATE VIEW event_wanted AS SELECT g, hll_agg(v) AS vs, count(*) AS n, sum(v) AS sum FROM event
GROUP BY g;
SELECT probds_create_rollup(name, 'event', ARRAY['g'],
    ARRAY['hll_agg(v) AS vs', 'count(*) AS n', 'sum(v) AS sum'], refresh, slots)
FROM (VALUES ('by_trigger', 'trigger', 1), ('by_slot', 'trigger', 3), ('by_refresh', 'id', 1),
    ('by_refresh_and_slot', 'id', 2)) v(name, refresh, slots);
));

sub writer
{
	my ($writer, $rounds) = @_;
	my $sql = '';
	foreach my $i (1 .. $rounds)
	{
		# in one order, or two transactions could each wait for the other
		my $rows = "SELECT g, $writer * 1000000 + $i * 1000 + g FROM generate_series(%d, %d) g";
		my ($few, $more) = map { sprintf("INSERT INTO event (g, v) $rows;\n", @$_) } [ 1,
			1 + $i % 4 ], [ 5, 5 + $i % 9 ];
		my $tally = "UPDATE tally SET n = n + %d WHERE writer = $writer;\n";
		if ($i % 7 == 0) { $sql .= "BEGIN;\n${few}ROLLBACK;\n"; }
		elsif ($i % 5 == 0) { $sql .= "BEGIN;\n${few}SAVEPOINT s;\n${more}ROLLBACK TO s;\n"
			. sprintf($tally, 1 + $i % 4) . "COMMIT;\n"; }
		elsif ($i % 3 == 0) { $sql .= "BEGIN;\n" . sprintf($tally, 2 + $i % 4 + $i % 9)
			. "${few}${more}COMMIT;\n"; }
		else { $sql .= "BEGIN;\n" . sprintf($tally, 1 + $i % 4) . "${few}COMMIT;\n"; }
	}
	return $sql;
}
my $refresh = q(CALL "the extension".probds_refresh_rollup('%s', %s);) . "\n";
my @refreshing = (
	join('', sprintf($refresh, 'by_refresh', 'NULL'), sprintf($refresh, 'by_refresh_and_slot', 40))
		x 30,
	join('', sprintf($refresh, 'by_refresh', 25), sprintf($refresh, 'by_refresh_and_slot', 'NULL'))
		x 30);
my $folding = q(SELECT "the extension".probds_fold_rollup('by_slot'),
    "the extension".probds_fold_rollup('by_refresh_and_slot') \g /dev/null) . "\n";
my @all = ('by_trigger', 'by_slot', 'by_refresh', 'by_refresh_and_slot');

sub all_the_same
{
	my ($what) = @_;
	$node->safe_psql('jobs', join('', map { sprintf($refresh, $_, 'NULL') } 'by_refresh',
		'by_refresh_and_slot'));
	is($node->safe_psql('jobs', 'SELECT (SELECT count(*) FROM event) = (SELECT sum(n) FROM tally)'),
		't', "$what: what was committed is there, and no more");
	same("$what: $_", $_, 'event_wanted') foreach @all;
	return;
}

is(at_once((map { writer($_, 60) } 1 .. 4), @refreshing, $folding x 40, $folding x 40), '',
	'writers, two refreshes and two folds at once');
all_the_same('writers, refreshes and folds');

# rebuilt under way, too
my $rebuild = join('', map { qq(SELECT "the extension".probds_rebuild_rollup('$_')
    \\g /dev/null\n) } @all);
is(at_once((map { writer($_, 30) } 1 .. 3), @refreshing, $folding x 20, $rebuild x 3), '',
	'and rebuilt meanwhile');
all_the_same('writers, refreshes, folds and rebuilds');

# --- rolled back ------------------------------------------------------------------------

my $watermark = "SELECT watermark FROM by_refresh_progress";
my $before = $node->safe_psql('jobs', $watermark);
$node->safe_psql('jobs',
	"INSERT INTO event (g, v) SELECT g, -g FROM generate_series(1, 200) g; UPDATE tally SET n = n "
	. "+ 200 WHERE writer = 1");
my $holder = session();
# (as replication would, past the trigger that lets only the rollup write)
is(ask($holder, "SET session_replication_role = replica;\nBEGIN;\nINSERT INTO by_refresh "
	. "VALUES (150, NULL, 0, 0);"), '', 'somebody holds a group');
my $late = session();
like(canceled($late, sprintf($refresh, 'by_refresh', 'NULL')),
	qr/canceling statement due to user request/, 'a refresh fails in the middle');
is($node->safe_psql('jobs', $watermark), $before, 'and is where it was');
like(canceled($late, sprintf($refresh, 'by_refresh', 20)),
	qr/canceling statement due to user request/, 'in batches as well');
my $between = $node->safe_psql('jobs', $watermark);
cmp_ok($between, '>', $before, 'but the batches before count');
cmp_ok($between, '<', $before + 200, 'and the others do not');
ask($holder, "ROLLBACK;\nRESET session_replication_role;");
all_the_same('after a refresh that failed');

# a refresh waits for a writer with a low number who commits late
ask($holder, "BEGIN;\nINSERT INTO event (g, v) VALUES (1, 77);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 1;");
begin($late, sprintf($refresh, 'by_refresh', 'NULL'));
until_waiting(1);
# but nobody waits for the refresh (by_trigger's rows are held by the writer, so another group)
my $later = session();
is(ask($later, "INSERT INTO event (g, v) VALUES (2, 78);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 2;"), '', 'other writers do not wait for it');
is(ask($later, "BEGIN; LOCK TABLE event IN SHARE UPDATE EXCLUSIVE MODE; ROLLBACK;"), '',
	'nor does a VACUUM');
ask($holder, 'COMMIT;');
is(answer($late), '', 'a refresh waits for a writer');
all_the_same('after a late commit');

# a VACUUM, or an index that is built concurrently, is no writer
ask($holder, "BEGIN;\nLOCK TABLE event IN SHARE UPDATE EXCLUSIVE MODE;");
ask($later, "INSERT INTO event (g, v) VALUES (2, 83);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 2;");
is(ask($late, sprintf($refresh, 'by_refresh', 'NULL')), '', 'a refresh does not wait for a VACUUM');
ask($holder, 'COMMIT;');
all_the_same('after a VACUUM');

# a writer whose snapshot is older than what others have committed
$node->safe_psql('jobs', q(
CREATE TABLE seen (id serial, g int);
SET search_path = public, "the extension";
SELECT probds_create_rollup('seen_by_slot', 'seen', ARRAY['g'], ARRAY['count(*) AS n'], slots => 2);
SELECT probds_create_rollup('seen_later', 'seen', ARRAY['g'], ARRAY['count(*) AS n'],
    refresh => 'id');
INSERT INTO seen (g) SELECT g % 5 FROM generate_series(1, 50) g;
));
ask($holder, "BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT 1 \\g /dev/null");
ask($_, "INSERT INTO seen (g) SELECT g FROM generate_series(0, 4) g;") foreach $later, $late;
is(ask($holder,
	"INSERT INTO seen (g) SELECT g % 5 FROM generate_series(1, 10) g;\nINSERT INTO seen (g) "
	. "VALUES (1);\nCOMMIT;"), '', 'a writer at REPEATABLE READ does not fail');
$node->safe_psql('jobs', q(CALL "the extension".probds_refresh_rollup('seen_later')));
same('REPEATABLE READ: slots', 'seen_by_slot', 'seen_by_slot_rollup');
same('REPEATABLE READ: a refresh', 'seen_later', 'seen_by_slot_rollup');
$node->safe_psql('jobs', q(SELECT "the extension".probds_drop_rollup('seen_by_slot'),
    "the extension".probds_drop_rollup('seen_later'); DROP TABLE seen));

# a rollup that is made while somebody writes
ask($holder, "BEGIN;\nINSERT INTO event (g, v) VALUES (2, 79);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 1;");
begin($late, q(SET search_path = public, "the extension";
    SELECT probds_create_rollup('made_late', 'event', ARRAY['g'],
    ARRAY['hll_agg(v) AS vs', 'count(*) AS n', 'sum(v) AS sum']);));
until_waiting(1);
begin($later, "INSERT INTO event (g, v) VALUES (1, 80);\nUPDATE tally SET n = n + 1 "
	. "WHERE writer = 2;");
until_waiting(2);
ask($holder, 'COMMIT;');
is(answer($late), 'made_late', 'made while others write');
answer($later);
same('nothing is left out and nothing counted twice', 'made_late', 'event_wanted');
$node->safe_psql('jobs', q(SELECT "the extension".probds_drop_rollup('made_late')));

# --- crashes ------------------------------------------------------------------------------

# in the middle of a refresh: it has merged 149 groups and waits for the next
$node->safe_psql('jobs',
	"INSERT INTO event (g, v) SELECT g, -1000 - g FROM generate_series(1, 200) g; UPDATE tally SET "
	. "n = n + 200 WHERE writer = 1");
ask($holder, "BEGIN;\nSELECT n FROM by_refresh WHERE g = 150 FOR UPDATE \\g /dev/null");
begin($late, sprintf($refresh, 'by_refresh', 'NULL'));
until_waiting(1);
# and a fold, and a writer
begin($later, "BEGIN;\n$folding"
	. "INSERT INTO event (g, v) SELECT g, g FROM generate_series(1, 50) g;");
answer($later);
$node->stop('immediate');
leave($_) foreach $holder, $late, $later;
$node->start;
all_the_same('after a crash in the middle of a refresh');

# with writers, refreshes and folds in full flow; a session that has done all waits for the
# crash
my @scripts = map { $_ . "SELECT pg_advisory_lock(1);\n" } ((map { writer($_, 400) } 1 .. 4),
	@refreshing, $folding x 200);
$holder = session();
ask($holder, 'SELECT pg_advisory_lock(1) \g /dev/null');
my $written = $node->safe_psql('jobs', 'SELECT sum(n) FROM tally');
my @run = start_all(@scripts);
$node->poll_query_until('jobs', "SELECT sum(n) > $written + 100 FROM tally") or die 'nobody writes';
$node->stop('immediate');
leave($holder);
like(finish_all(@run),
	qr/server closed the connection|terminating connection|connection to server was lost/,
	'who was writing is told');
$node->start;
cmp_ok($node->safe_psql('jobs', 'SELECT sum(n) FROM tally'), '>', $written, 'a crash under way');
all_the_same('after a crash under way');
same('the log, after two crashes', 'daily_later', 'in_one_go');

# --- groups that are NULL ------------------------------------------------------------------

$node->safe_psql('jobs', q(
CREATE TABLE maybe (id serial, g int, h text);
SELECT "the extension".probds_create_rollup('with_null', 'maybe', ARRAY['g', 'h'],
    ARRAY['count(*) AS n'], slots => 2)));
$node->safe_psql('jobs', q(INSERT INTO maybe (g, h) VALUES (1, 'a'), (1, NULL), (NULL, 'a'),
    (NULL, NULL); INSERT INTO maybe (g, h) VALUES (1, 'a'), (1, NULL), (NULL, 'a'), (NULL, NULL);
    SELECT "the extension".probds_fold_rollup('with_null')));
is($node->safe_psql('jobs', q(SELECT coalesce(g::text, '-') || coalesce(h, '-') || n FROM with_null
    ORDER BY 1)), "--2\n-a2\n1-2\n1a2", 'groups may be NULL, and are groups like others');

# --- dump and restore ------------------------------------------------------------------------

$node->safe_psql('jobs', q(
SET search_path = public, "the extension";
SELECT probds_create_rollup_view('"All of it"', 'by_slot', ARRAY['g % 10 AS "last digit"']);
INSERT INTO event (g, v) VALUES (3, 81);
UPDATE tally SET n = n + 1 WHERE writer = 1;
INSERT INTO clicks (ts, visitor, url, country) VALUES ('2013-01-01 12:00+00', 'a', 'b', 'c');
));
my $dump = PostgreSQL::Test::Utils::tempdir;
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->safe_psql('postgres', q(ALTER DATABASE restored SET TimeZone = 'UTC'));
$node->command_ok([ 'pg_dump', '-Fc', '--no-comments', '-T', 'log', '-T', 'batches', '-T',
	'in_one_go', '-d', $node->connstr('jobs'), '-f', "$dump/jobs" ], 'dump');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('restored'),
	"$dump/jobs" ], 'restore');
my $goes_on = q(
INSERT INTO event (g, v) SELECT g, g * 7 FROM generate_series(1, 40) g;
SELECT "the extension".probds_fold_rollup('by_slot') > 0;
CALL "the extension".probds_refresh_rollup('by_refresh');
CALL "the extension".probds_refresh_rollup('by_refresh_and_slot');
SELECT differences(r, 'event_wanted')
FROM unnest('{by_trigger,by_slot,by_refresh,by_refresh_and_slot}'::text[]) r;
SELECT "the extension".probds_rebuild_rollup('by_refresh');
SELECT differences('by_refresh', 'event_wanted');
SELECT sum(n) = (SELECT count(*) FROM event) FROM "All of it";
SELECT DISTINCT status FROM "the extension".probds_rollups();
);
is($node->safe_psql('restored', q(
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0;
SELECT differences('by_trigger', 'event_wanted'), differences('by_slot', 'event_wanted');
) . $goes_on), "24\n0|0\nt\n0\n0\n0\n0\n\n0\nt\nok", 'a restored rollup goes on');
is($node->safe_psql('restored', q(
SELECT count(*)
FROM (SELECT "the extension".probds_drop_rollup(r)
    FROM unnest('{by_trigger,by_slot,by_refresh,by_refresh_and_slot,'
        'daily,daily_by_slot,daily_later,with_null}'::text[]) r) d;
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind IN ('r', 'v', 'S') ORDER BY 1;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)),
	"8\nclicks\nclicks_id_seq\nevent\nevent_id_seq\nevent_wanted\nmaybe\nmaybe_id_seq\ntally\n0",
		'and is gone without a trace');

# the schema first, and then the data: with the triggers off all of it is as it was
$node->safe_psql('postgres', 'CREATE DATABASE in_two');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--section=pre-data', '--section=post-data',
	'-d', $node->connstr('in_two'), "$dump/jobs" ], 'restore the schema');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--data-only', '--disable-triggers', '-d',
	$node->connstr('in_two'), "$dump/jobs" ], 'restore the data');
is($node->safe_psql('in_two', q(SELECT differences('by_trigger', 'event_wanted'),
    differences('by_slot',
    'event_wanted');) . $goes_on), "0|0\nt\n0\n0\n0\n0\n\n0\nt\nok", 'schema and data apart');

# the data into tables that are in use: with the triggers on nothing is counted twice
$node->safe_psql('in_two', q(TRUNCATE event, tally));
$node->safe_psql('in_two', qq(SELECT "the extension".probds_rebuild_rollup('$_'))) foreach @all;
my ($out, $err) = PostgreSQL::Test::Utils::run_command([ 'pg_restore', '--data-only', '-d',
	$node->connstr('in_two'), "$dump/jobs" ]);
like($err, qr/rollup public\.by_trigger cannot be modified directly/,
	'data alone into a rollup is refused');
is($node->safe_psql('in_two', q(SELECT differences('by_trigger', 'event_wanted'),
    differences('by_slot',
    'event_wanted');)), '0|0', 'and what comes into the source is counted once');

$node->stop;
done_testing();
