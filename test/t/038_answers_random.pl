# Random queries over tables with rollups, each once read from its source and once with
# probds.answer_from_rollups: the same rows, byte for byte.
#
# The tables change between the queries, so that groups wait, parts are folded and rollups are
# refreshed.  Each query is compared inside one REPEATABLE READ transaction, in every second round
# while others write.  Ranges are drawn near the edges of groups: nearly all ranges agree with a
# bound that is off by a second.
#
# ANSWERS_SEED, ANSWERS_QUERIES: other queries, and how many in a round.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $queries = $ENV{ANSWERS_QUERIES} || 150;
my $seed = $ENV{ANSWERS_SEED} || 1;

my $node = PostgreSQL::Test::Cluster->new('answers');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "session_preload_libraries = 'probds'\n"
	. "max_parallel_workers_per_gather = 0\n");
$node->start;
note("seed $seed");

sub any { return $_[ int(rand(@_)) ]; }

sub some
{
	my ($n, @list) = @_;
	my @picked;
	push @picked, splice(@list, int(rand(@list)), 1) while $n-- > 0 && @list;
	return @picked;
}

# ---------- the tables ----------

my %zones = (1 => 'UTC', 2 => 'Europe/Berlin', 3 => 'America/St_Johns',
	4 => 'Australia/Lord_Howe');

sub tables
{
	my ($zone, $parted) = @_;
	my $sql = "SET timezone = '$zone';\nCREATE EXTENSION probds;\n"
		. 'CREATE TABLE ev (at timestamptz NOT NULL, ts timestamp, d date, id bigint NOT '
			. 'NULL, k int, '
		. 'country text, visitor text, amount int, big bigint, n numeric(10,2), b boolean)'
		. ($parted ? " PARTITION BY RANGE (id);\n" . join('', map { "CREATE TABLE ev_$_ "
			. "PARTITION OF "
			. 'ev FOR VALUES FROM (' . $_ * 1000 . ') TO '
				. '(' . ($_ + 1) * 1000 . ");\n" } 0 .. 5) : ';')
		. "CREATE INDEX ON ev (at);\nCREATE TABLE dim (code text, region text, weight int);\n"
		. "INSERT INTO dim VALUES ('de', 'eu', 1), ('fr', 'eu', 2), ('us', 'am', 3), ('us', "
			. "'xx', 4);\n"
		. insert(3000)
		. "CREATE VIEW plain AS SELECT at, country AS land, visitor, amount, id, b FROM ev;\n"
		. "CREATE VIEW good AS SELECT at, country, amount FROM plain_b;\n";
	$sql =~ s/CREATE VIEW good.*\n//;
	$sql .= "CREATE VIEW good AS SELECT at, land, amount FROM plain WHERE b;\n";
	my %rollups = (
		day => 'SELECT at::date AS day, country, hll_agg(visitor) AS v, count(*) AS hits, '
			. 'sum(amount) AS amount, sum(big) AS big, sum(n) AS n, min(at) AS first, '
				. 'max(visitor) AS '
			. 'last, bool_or(b) AS any_b, count(amount) AS amounts, count(*) FILTER (WHERE '
				. 'b) AS bs '
			. 'FROM ev GROUP BY 1, 2',
		hour => 'SELECT date_trunc(\'hour\', at) AS hour, count(*) AS hits, hll_agg(visitor) '
			. 'AS v, '
			. 'sum(amount) AS amount FROM ev GROUP BY 1',
		hundred => 'SELECT id / 100 AS hundred, k, count(*) AS hits, topk_agg(visitor, 500) '
			. 'AS t, '
			. 'max(id) AS last FROM ev GROUP BY 1, 2',
		good_day => 'SELECT at::date AS day, country, count(*) AS hits, sum(amount) AS '
			. 'amount FROM ev '
			. 'WHERE b GROUP BY 1, 2',
		berlin => 'SELECT (at AT TIME ZONE \'Europe/Berlin\')::date AS day, count(*) AS hits, '
			. 'sum(amount) AS amount FROM ev GROUP BY 1',
		local => 'SELECT date_trunc(\'day\', ts) AS day, date_bin(\'8 hours\', ts, '
			. '\'2026-01-01\') AS '
			. 'shift, count(*) AS hits FROM ev GROUP BY 1, 2',
		week => 'SELECT date_trunc(\'week\', d) AS week, count(*) AS hits, hll_agg(visitor) '
			. 'AS v FROM '
			. 'ev GROUP BY 1',
		total => 'SELECT count(*) AS hits, hll_agg(visitor) AS v FROM ev');
	for my $name (sort keys %rollups)
	{
		(my $query = $rollups{$name}) =~ s/'/''/g;
		$sql .= "SELECT probds_create_rollup('r_$name', '$query', live => "
			. any('true', 'false') . ");\n";
	}
	return $sql . "SELECT probds_create_rollup('r_month', 'SELECT date_trunc(''month'', day) "
		. "AS month, "
		. "country, hll_merge_agg(v) AS v, sum(hits) AS hits, max(last) AS last FROM r_day "
			. "GROUP BY "
		. "1, 2');\n";
}

# Two days of March, around the change of the clocks, and some far away
sub insert
{
	my ($n) = @_;
	my $salt = int(rand(1000000));
	return "INSERT INTO ev SELECT t, t AT TIME ZONE 'UTC', (t AT TIME ZONE 'UTC')::date, x % "
		. "6000, "
		. "x % 4, (ARRAY['de', 'fr', 'us', NULL])[1 + x % 4], 'v' || x % 700, x % 50, x, "
		. "(x % 900) / 100.0, x % 3 = 0 FROM (SELECT x, CASE WHEN x % 97 = 0 THEN "
		. "'2025-10-26'::timestamptz + (x % 200) * interval '10 min' ELSE "
			. "'2026-03-25'::timestamptz + "
		. "(x % 400) * interval '29 min 59 s' + (x % 3) * interval '1 s' END AS t FROM (SELECT "
		. "abs(hashint4(g * 7919 + $salt))::bigint AS x FROM generate_series(1, $n) g) y) z;\n";
}

sub change
{
	my $m = any(3, 17, 50, 300);
	my $where = "id % $m = " . int(rand($m));
	return any(insert(any(1, 5, 200)), insert(20), "UPDATE ev SET amount = amount + 1 WHERE "
		. "$where;\n",
		"UPDATE ev SET at = at + interval '1 day' WHERE $where;\n", "DELETE FROM ev WHERE "
			. "$where;\n",
		"UPDATE ev SET b = NOT b, visitor = 'new' WHERE $where;\n", "CALL "
			. "probds_refresh_rollup('r_"
		. any(qw(day hour hundred good_day berlin local week total)) . "');\n",
		"SELECT probds_fold_rollup('r_" . any(qw(day hour hundred)) . "');\n");
}

# ---------- queries ----------

my @times = ("'2026-03-29'", "'2026-03-28 00:00'", "'2026-03-29 02:00'", "'2026-03-29 23:59:59'",
	"'2026-03-30 00:00:01'", "'2026-03-27 12:34:56'", "'2026-03-31 01:00'", "'2025-10-26 02:30'",
	"'-infinity'", "'infinity'", "'2026-04-01'", "'2026-03-25'", "NULL", "'2026-03-29 "
		. "00:00:00+00'",
	"'294276-12-31'", "'2000-01-01'");

sub time_of
{
	my $t = any(@times);
	my $type = any(qw(timestamptz timestamptz timestamptz timestamp date));
	$t = "$t\::$type";
	$t = "($t + interval '" . any('1 us', '-1 us', '1 s', '-1 s', '5 hours') . "')"
		if rand() < 0.3 && $t =~ /2026/;
	return $t;
}

sub range
{
	my ($x, $bound) = @_;
	return any("$x >= " . $bound->(), "$x < " . $bound->(), "$x > " . $bound->(),
		"$x BETWEEN " . $bound->() . ' AND ' . $bound->(), $bound->() . " <= $x",
		("$x >= " . $bound->() . " AND $x < " . $bound->()) x 4);
}

sub query
{
	my $from = any(('ev') x 8, 'plain', 'good', '(SELECT at, country, amount, id, visitor '
		. 'FROM ev) q',
		'picked', 'ev JOIN dim ON country = code', 'ev LEFT JOIN dim ON code = country',
			'dim LEFT JOIN '
		. 'ev ON country = code', 'dim JOIN ev ON ev.country = dim.code AND ev.at::date > '
		. '\'2026-03-26\'');
	my $country = $from =~ /^(plain|good)/ ? 'land' : 'country';
	my $all = $from =~ /\bev\b/ && $from !~ /q$/;
	my @groups = some(any(0, 1, 1, 2, 2, 3), 'at::date', 'date_trunc(\'hour\', at)', $country,
		'date_trunc(\'month\', at)', 'date_trunc(\'week\', at)', 'date_trunc(\'day\', at)',
		'(at AT TIME ZONE \'Europe/Berlin\')::date', 'date_trunc(\'month\', at::date)',
		'floor(extract(epoch FROM at) / 86400) * 86400', "upper($country)", "$country IS NULL",
		($all ? ('id / 100', 'k', 'd', 'date_trunc(\'week\', d)', 'date_trunc(\'day\', ts)',
			'date_trunc(\'month\', ts)', 'date_trunc(\'year\', d)',
			'date_bin(\'8 hours\', ts, \'2026-01-01\')') : ()),
		($from =~ /dim/ ? ('region') x 3 : ()));
	# mostly what one rollup groups by, and ranges of the same column
	my $topic = rand() < 0.7 ? any('day', 'day', 'hour', $all ? ('id', 'ts') : ()) : '';
	my %topics = (
		day => [ 'at::date', $country, 'date_trunc(\'month\', at)', 'date_trunc(\'week\', at)',
			"upper($country)" ],
		hour => [ 'date_trunc(\'hour\', at)', 'at::date', 'date_trunc(\'day\', at)',
			'floor(extract(epoch FROM at) / 86400) * 86400' ],
		id => [ 'id / 100', 'k' ],
		ts => [ 'date_trunc(\'day\', ts)', 'date_trunc(\'month\', ts)' ]);
	@groups = some(any(1, 1, 2), @{ $topics{$topic} }) if $topic;
	my @few = ('count(*)', 'count(1)', ($topic =~ /day|hour/ ? ('sum(amount)') : ()),
		($topic eq 'id' ? ('max(id)', 'min(k)') : ()),
		($topic eq 'day' && $all ? ('sum(n)', 'min(at)', 'avg(amount)',
			'md5(hll_agg(visitor)::text)')
		: ()));
	my @of = rand() < 0.8 ? some(1 + int(rand(2)), @few) : some(1 + int(rand(4)), 'count(*)',
		'count(*)', 'count(1)', 'sum(amount)', 'avg(amount)',
		'count(amount)', 'min(at)', "count(DISTINCT $country)", "max($country)", 'max(at::date)',
		($all ? ('md5(hll_agg(visitor)::text)', 'hll_cardinality(hll_agg(visitor))', 'sum(big)',
			'sum(n)', 'avg(n)', 'max(visitor)', 'bool_or(b)', 'max(id)', 'count(*) FILTER '
				. '(WHERE b)',
			"count(*) FILTER (WHERE $country = 'de')", 'approx_count_distinct(visitor)',
			'count(DISTINCT visitor)', 'sum(amount) FILTER (WHERE at::date > \'2026-03-28\')',
			'topk_agg(visitor, 500)::text', 'count(b)', 'count(id)', 'avg(id)') : ()),
		($from =~ /dim/ ? ('sum(weight)', 'max(weight)') : ()));
	my @where;
	push @where, range('at', \&time_of) if $topic !~ /id|ts/ && rand() < 0.6;
	push @where, range('ts', sub { my $t = time_of(); $t =~ s/timestamptz/timestamp/g; $t })
		if $all && rand() < ($topic eq 'ts' ? 0.6 : $topic ? 0 : 0.1);
	push @where, range('id', sub { any(0, 99, 100, 101, 1234, 5000, -5, 5999) })
		if $all && rand() < ($topic eq 'id' ? 0.6 : $topic ? 0 : 0.1);
	push @where, any("$country = 'de'", "$country IS NOT NULL", 'at::date >= \'2026-03-27\'',
		"$country IN (SELECT code FROM dim)", 'date_trunc(\'month\', at) = \'2026-03-01\'',
		"at::date BETWEEN '2026-03-26' AND "
			. "'2026-03-29'") if $topic !~ /id|ts|hour/ && rand() < 0.3;
	push @where, 'b' if $all && $topic !~ /id|ts|hour/ && rand() < 0.15;
	my $select = join(', ', @groups, @of) . " FROM $from"
		. (@where ? ' WHERE ' . join(' AND ', map { "($_)" } @where) : '')
		. (@groups ? ' GROUP BY ' . (@groups > 1 && rand() < 0.1 ? 'ROLLUP (' . join(', ',
			1 .. @groups)
			. ')' : join(', ', 1 .. @groups)) : '')
		. (rand() < 0.15 ? ' HAVING count(*) > 20' : '');
	$select =~ s/ROLLUP \(.*?\)/'ROLLUP (' . join(', ', @groups) . ')'/e;
	$select = (rand() < 0.05 && @groups ? 'DISTINCT ' : '') . $select;
	$select = "SELECT $select";
	$select = 'SELECT DISTINCT ' . join(', ', @groups) . " FROM $from"
		. (@where ? ' WHERE ' . join(' AND ',
			map { "($_)" } @where) : '') if @groups && rand() < 0.05;
	$select = "SELECT * FROM ($select) AS s" if rand() < 0.1;
	$select = "WITH picked AS (SELECT at, country, amount, id, visitor FROM ev) $select"
		if $from eq 'picked';
	return $select;
}

# ---------- rounds ----------

my ($asked, $answered, $different) = (0, 0, 0);

for my $round (1 .. 4)
{
	srand("$seed.$round" * 1000);
	my $db = "r$round";
	my $zone = $zones{$round};
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	my ($code, $out, $err) = $node->psql($db, tables($zone, $round % 2 == 0),
		on_error_stop => 1);
	is($code, 0, "round $round: tables and rollups") or diag($err);
	my @script;
	my @list = map { query() } 1 .. $queries;
	my $script = "SET timezone = '$zone';\n";
	for my $i (0 .. $#list)
	{
		my $q = $list[$i];
		$script .= change() if rand() < 0.4;
		my $prepared = rand() < 0.2;
		# what has just been changed by the transaction itself, too
		$script .= "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
			. (rand() < 0.2 ? "SAVEPOINT s;\n" . insert(3)
				. "UPDATE ev SET amount = 7 WHERE id % 60 = 3;\n" : '')
			. "\\echo <<$i off\n$q;\n\\echo >>\nSET LOCAL probds.answer_from_rollups = on;\n"
			. "\\echo <<$i on\n$q;\n\\echo >>\n\\echo <<$i plan\n"
			. "SET LOCAL probds.explain_rollups = on;\nEXPLAIN (COSTS OFF) $q;\n\\echo >>\n"
			. "SET LOCAL probds.explain_rollups = off;\n"
			. ($prepared ? "PREPARE p AS $q;\n" . "\\echo <<$i on\nEXECUTE p;\n\\echo >>\n" x 2
				. "DEALLOCATE p;\n" : '')
			. "COMMIT;\n";
	}
	my $writer;
	if ($round % 2 == 0)
	{
		my $noise = join('', map { change() } 1 .. 400);
		$noise = "SET timezone = '$zone';\n" . $noise;
		$writer = IPC::Run::start([ 'psql', '-X', '-q', '-d', $node->connstr($db) ],
			'<', \$noise, '>', \my $said, '2>', \my $complained);
	}
	my $result = '';
	IPC::Run::run([ 'psql', '-X', '-q', '-A', '-t', '-d', $node->connstr($db) ],
		'<', \$script, '>&', \$result);
	$writer->finish if $writer;
	my %seen;
	push @{ $seen{$1}{$2} }, join("\n", sort split /\n/, $3)
		while $result =~ /^<<(\d+) (\w+)\n(.*?)^>>$/msg;
	for my $i (0 .. $#list)
	{
		my $s = $seen{$i};
		$asked++;
		note("from its source: $list[$i]\n" . join("\n",
			$s->{plan}[0] =~ /(r_\w+ does not.*)/g)) if $s->{plan}[0] !~ /r_\w+_parts/;
		$answered++ if $s->{plan}[0] =~ /r_\w+_parts/;
		next unless grep { $_ ne $s->{off}[0] } @{ $s->{on} };
		$different++;
		my ($rollup) = $s->{plan}[0] =~ /(r_\w+)_parts/;
		diag("round $round, $zone, $rollup: $list[$i]\n--- off\n" . substr($s->{off}[0], 0,
			600) . "\n--- on\n"
			. substr((grep { $_ ne $s->{off}[0] } @{ $s->{on} })[0], 0, 600)) if $different < 6;
	}
	my @unexpected = grep { /ERROR|FATAL|server closed/ } split /\n/, $result;
	@unexpected = grep { !/out of range|current transaction|could not serialize/ } @unexpected;
	is(scalar(@unexpected), 0, "round $round: no errors") or diag(join("\n",
		@unexpected[ 0 .. 5 ]));
}

is($different, 0, "of $asked queries, none is different");
cmp_ok($answered, '>', $asked / 4, "$answered of them were answered from a rollup");
$node->stop;
done_testing();
