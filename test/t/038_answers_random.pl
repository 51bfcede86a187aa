# Random queries over tables with rollups, each once read from its source and once with
# probds.answer_from_rollups: the same rows, byte for byte.
#
# The tables change between the queries, so that groups wait, parts are folded and rollups are
# refreshed.  Each query is compared inside one REPEATABLE READ transaction, in every second round
# while others write.  Ranges are drawn near the edges of groups: nearly all ranges agree with a
# bound that is off by a second.  Some are asked by a role from whom a policy hides rows.
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
$node->safe_psql('postgres', 'CREATE ROLE reader');
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
		. "CREATE TABLE agent (number int, boss text, code text, area text);\n"
		. "INSERT INTO agent VALUES (1, 'reader', 'de', 'a'), (2, 'reader', 'us', 'b'), "
			. "(3, 'reader', 'us', 'b'), (4, 'nobody', 'de', 'secret'), "
			. "(5, 'nobody', 'fr', 'secret');\n"
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
		clock => 'SELECT date_trunc(\'hour\', at::timestamp) AS hour, max(k) AS k, sum(k) AS ks, '
			. 'count(*) AS hits FROM ev GROUP BY 1',
		clock_of_berlin => 'SELECT date_trunc(\'hour\', at AT TIME ZONE \'Europe/Berlin\') AS '
			. 'hour, max(k) AS k, sum(k) AS ks, count(*) AS hits FROM ev GROUP BY 1',
		boss => 'SELECT boss, count(*) AS n FROM agent GROUP BY 1',
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
	$sql .= "ALTER TABLE agent ENABLE ROW LEVEL SECURITY;\n"
		. "CREATE POLICY own ON agent USING (boss = current_user);\n";
	return $sql . "SELECT probds_create_rollup('r_month', 'SELECT date_trunc(''month'', day) "
		. "AS month, "
		. "country, hll_merge_agg(v) AS v, sum(hits) AS hits, max(last) AS last FROM r_day "
			. "GROUP BY "
		. "1, 2');\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;\n";
}

# Days of March around the change of the clocks, every fourth row at an edge, and some where the
# clocks are set back
sub insert
{
	my ($n) = @_;
	my $salt = int(rand(1000000));
	return <<SQL =~ s/\s+/ /gr . "\n";
INSERT INTO ev SELECT t, t AT TIME ZONE 'UTC', (t AT TIME ZONE 'UTC')::date, x % 6000, x % 4,
    (ARRAY['de', 'fr', 'us', NULL])[1 + x % 4], 'v' || x % 700, x % 50, x, (x % 900) / 100.0,
    x % 3 = 0
FROM (SELECT x, CASE
    WHEN x % 31 = 0 THEN (ARRAY['2025-10-26', '2025-11-02', '2026-04-05'])[1 + x / 31 % 3]
        ::timestamptz + (x % 200) * interval '6 min'
    WHEN x % 4 = 0 THEN '2026-03-25'::timestamptz + x / 4 % 9 * interval '1 day'
        + CASE WHEN x % 3 = 0 THEN x / 36 % 24 ELSE 0 END * interval '1 hour'
        + (ARRAY['-1 s', '-1 us', '0', '1 us', '1 s'])[1 + x % 5]::interval
    ELSE '2026-03-25'::timestamptz + (x % 400) * interval '29 min 59 s'
        + (x % 3) * interval '1 s' END AS t
    FROM (SELECT abs(hashint4(g * 7919 + $salt)::bigint) AS x FROM generate_series(1, $n) g) y) z;
SQL
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
		. any(qw(day hour hundred good_day berlin local week total clock)) . "');\n",
		"SELECT probds_fold_rollup('r_" . any(qw(day hour hundred)) . "');\n");
}

# ---------- queries ----------

# In the order of time
my @times = ("'-infinity'", "'2000-01-01'", "'2025-10-26 02:30'", "'2026-03-25'",
	(map { my $d = $_; map { "'$d $_'" } ('00:00') x 4, '02:00', '12:34:56', '23:00' }
		map { sprintf('2026-03-%02d', $_) } 26 .. 31),
	"'2026-04-01'", "'294276-12-31'", "'infinity'");

sub time_at
{
	my ($t) = @_;
	my $type = any(qw(timestamptz timestamptz timestamptz timestamp date));
	return 'NULL::timestamptz' if rand() < 0.02;
	$t = "$t\::$type";
	$t = "($t + interval '" . any(('1 us', '-1 us', '1 s', '-1 s') x 2, '5 hours') . "')"
		if rand() < 0.7 && $t =~ /2026/;
	return $t;
}

# One or two values, mostly in order, from near each other or not
sub bounds
{
	my ($n, $at, @values) = @_;
	my @i = map { int(rand(@values)) } 1 .. $n;
	@i = sort { $a <=> $b } @i if rand() < 0.9;
	return map { $at->($values[$_]) } @i;
}

sub range
{
	my ($x, @of) = @_;
	my ($one) = bounds(1, @of);
	my ($low, $high) = bounds(2, @of);
	return any("$x >= $one", "$x < $one", "$x > $one", "$x <= $one", "$one <= $x",
		"$x BETWEEN $low AND $high", "$x > $low AND $x <= $high",
		("$x >= $low AND $x < $high") x 5);
}

sub range_of
{
	my ($x) = @_;
	return range($x, sub { $_[0] }, -5, 0, 99, 100, 101, 1234, 4999, 5000, 5999) if $x eq 'id';
	my $range = range($x, \&time_at, @times);
	$range =~ s/timestamptz/timestamp/g if $x eq 'ts';
	return $range;
}

# What one rollup groups by and has, and what is read.  LAND is the country in views.
my %topics = (
	day => { range => 'at', weight => 6,
		groups => [ 'at::date', 'LAND', 'date_trunc(\'month\', at)', 'date_trunc(\'week\', at)',
			'date_trunc(\'day\', at)', 'upper(LAND)', 'LAND IS NULL', 'date_trunc(\'month\', '
				. 'at::date)' ],
		has => [ 'count(*)', 'sum(amount)', 'avg(amount)', 'min(at)', 'max(LAND)',
			'max(at::date)', 'count(DISTINCT LAND)', 'count(*) FILTER (WHERE LAND = \'de\')',
			'sum(amount) FILTER (WHERE at::date > \'2026-03-28\')' ],
		of_ev => [ 'md5(hll_agg(visitor)::text)', 'sum(n)', 'sum(big)', 'avg(n)', 'max(visitor)',
			'bool_or(b)', 'count(amount)', 'count(*) FILTER (WHERE b)', 'count(id)',
			'hll_cardinality(hll_agg(visitor))', 'approx_count_distinct(visitor)' ],
		where => [ 'LAND = \'de\'', 'LAND IS NOT NULL', 'at::date >= \'2026-03-27\'',
			'LAND IN (SELECT code FROM dim)', 'date_trunc(\'month\', at) = \'2026-03-01\'',
			'at::date BETWEEN \'2026-03-26\' AND \'2026-03-29\'' ],
		from => [ ('ev') x 6, ('plain') x 2, '(SELECT at, country, amount, id, visitor FROM ev) q',
			'picked', 'ev JOIN dim ON country = code', 'ev LEFT JOIN dim ON code = country',
			'dim JOIN ev ON ev.country = dim.code AND ev.at::date > \'2026-03-26\'',
			'ev JOIN (SELECT area, code AS c FROM agent) a ON country = c',
			'(SELECT area, code AS c FROM agent) a JOIN ev ON country = c' ] },
	hour => { range => 'at', weight => 3,
		groups => [ 'date_trunc(\'hour\', at)', 'date_trunc(\'hour\', at)', 'at::date',
			'date_trunc(\'day\', at)', 'floor(extract(epoch FROM at) / 86400) * 86400' ],
		has => [ 'count(*)', 'count(1)', 'sum(amount)' ],
		of_ev => [ 'md5(hll_agg(visitor)::text)' ],
		where => [ 'at::date >= \'2026-03-27\'', 'date_trunc(\'hour\', at) < \'2026-03-29\'' ],
		from => [ 'ev', 'ev', 'plain', 'picked' ] },
	id => { range => 'id', weight => 3, groups => [ 'id / 100', 'k' ],
		has => [ 'count(*)', 'max(id)', 'min(k)', 'count(DISTINCT k)',
			'topk_agg(visitor, 500)::text' ],
		where => [ 'k > 1', 'id / 100 < 30' ], from => ['ev'] },
	local => { range => 'ts', weight => 2,
		groups => [ 'date_trunc(\'day\', ts)', 'date_trunc(\'month\', ts)',
			'date_bin(\'8 hours\', ts, \'2026-01-01\')' ],
		has => [ 'count(*)', 'max(date_trunc(\'day\', ts))' ],
		where => ['date_trunc(\'day\', ts) > \'2026-03-27\''], from => ['ev'] },
	berlin => { range => 'at', weight => 1,
		groups => [ '(at AT TIME ZONE \'Europe/Berlin\')::date', 'date_trunc(\'month\', at AT TIME '
			. 'ZONE \'Europe/Berlin\')' ],
		has => [ 'count(*)', 'sum(amount)' ], where => [], from => ['ev', 'plain'] },
	clock => { range => 'at', weight => 2,
		groups => [ ('date_trunc(\'hour\', at)') x 2, 'date_trunc(\'hour\', at::timestamp)',
			'date_trunc(\'hour\', at, \'Europe/Berlin\')', 'at::date',
			'date_trunc(\'hour\', at AT TIME ZONE \'Europe/Berlin\')',
			'date_trunc(\'day\', at::timestamp)' ],
		has => [ 'count(*)', 'max(k)', 'sum(k)' ], where => [], from => ['ev'] },
	good => { range => 'at', weight => 2, groups => [ 'at::date', 'LAND' ],
		has => [ 'count(*)', 'sum(amount)', 'max(LAND)' ], where => [ 'LAND IS NULL' ],
		from => [ 'good', 'ev WHERE (b)' ] },
	week => { weight => 1, groups => [ 'date_trunc(\'week\', d)' ],
		has => [ 'count(*)' ], of_ev => [ 'md5(hll_agg(visitor)::text)' ],
		where => [ 'date_trunc(\'week\', d) > \'2026-03-26\'' ], from => ['ev'] },
	total => { weight => 1, groups => [], where => [], from => [ 'ev', 'plain' ],
		has => [ 'count(*)', 'hll_cardinality(hll_agg(visitor))' ] });
my @topics = map { ($_) x $topics{$_}{weight} } sort keys %topics;

# What no rollup has, or another one
my @foreign = ('b', 'k', 'd', 'date_trunc(\'year\', d)', 'date_trunc(\'hour\', at)', 'id / 100',
	'floor(extract(epoch FROM at) / 86400) * 86400', '(at AT TIME ZONE \'Europe/Berlin\')::date');

sub query
{
	my $t = $topics{ any(@topics) };
	my $from = rand() < 0.03 ? 'dim LEFT JOIN ev ON country = code' : any(@{ $t->{from} });
	my @groups = some(any(0, 1, 1, 2, 2, 3), @{ $t->{groups} });
	push @groups, 'region' if $from =~ /dim/ && rand() < 0.6;
	push @groups, 'area' if $from =~ /agent/ && rand() < 0.6;
	push @groups, any(@foreign) if $from =~ /\bev\b/ && $from !~ /q$/ && rand() < 0.06;
	my @of = some(1 + int(rand(3)), 'count(*)', @{ $t->{has} },
		$from =~ /^(ev|dim)/ ? @{ $t->{of_ev} // [] } : ());
	push @of, any('count(DISTINCT visitor)', 'avg(id)', 'count(b)')
		if $from =~ /^(ev|dim)/ && rand() < 0.05;
	push @of, any('max(weight)', 'max(weight)', 'sum(weight)') if $from =~ /dim/ && rand() < 0.2;
	push @of, any('sum(count(*)) OVER ()', 'rank() OVER (ORDER BY count(*))') if rand() < 0.08;
	my @where;
	push @where, range_of($t->{range}) if $t->{range} && rand() < 0.7;
	push @where, range_of(any('id', 'ts')) if $from =~ /^ev/ && rand() < 0.03;
	push @where, any(@{ $t->{where} }) if @{ $t->{where} } && rand() < 0.3;
	push @where, 'b' if $from =~ /\bev$/ && rand() < 0.05;
	my $where = join(' AND ', map { "($_)" } @where);
	$where = ($from =~ /WHERE/ ? ' AND ' : ' WHERE ') . $where if @where;
	my $by = join(', ', @groups);
	$by = any('ROLLUP (', 'CUBE (', 'GROUPING SETS ((), ') . "$by)" if @groups && rand() < 0.1;
	my $select = join(', ', @groups, @of) . " FROM $from$where" . (@groups ? " GROUP BY $by" : '')
		. (rand() < 0.15 ? ' HAVING count(*) > 20' : '');
	$select = "DISTINCT $by FROM $from$where" if @groups && $by !~ /\(.*\(|ROLLUP|CUBE/
		&& rand() < 0.05;
	$select = (rand() < 0.05 && $select !~ /^DISTINCT/ ? 'SELECT DISTINCT ' : 'SELECT ') . $select;
	my $land = $from =~ /^(plain|good)/ ? 'land' : 'country';
	$select =~ s/LAND/$land/g;
	$select = "SELECT * FROM ($select) AS s" if rand() < 0.1;
	$select = "SELECT code, (SELECT count(*) FROM ev WHERE country = code"
		. (rand() < 0.5 ? ' AND at >= \'2026-03-27\'::date + weight' : '') . ') FROM dim'
		if rand() < 0.02;
	$select = "WITH picked AS (SELECT at, country, amount, id, visitor FROM ev) $select"
		if $from eq 'picked' && $select =~ /picked/;
	$select = "($select) UNION ALL ($select)" if rand() < 0.03;
	return $select;
}

# PREPARE and EXECUTE: times of the query become parameters.
sub prepared
{
	my ($q) = @_;
	my (@types, @values);
	$q =~ s/('[^']*')::(timestamptz|timestamp|date)\b/push @values, $1; push @types, $2;
		'$' . @types/ge;
	my $types = @types ? '(' . join(', ', @types) . ')' : '';
	my $values = @types ? '(' . join(', ', @values) . ')' : '';
	return (rand() < 0.5 ? "SET LOCAL plan_cache_mode = force_generic_plan;\n" : '')
		. "PREPARE p$types AS $q;\n", "EXECUTE p$values";
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
		my ($prepare, $execute) = prepared($q);
		# what has just been changed by the transaction itself, too
		$script .= "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
			. (rand() < 0.2 ? "SAVEPOINT s;\n" . insert(3)
				. "UPDATE ev SET amount = 7 WHERE id % 60 = 3;\n" : '')
			. (rand() < 0.15 || $q =~ /agent/ ? "SET LOCAL ROLE reader;\n" : '')
			. "\\echo <<$i off\n$q;\n\\echo >>\nSET LOCAL probds.answer_from_rollups = on;\n"
			. "\\echo <<$i on\n$q;\n\\echo >>\n\\echo <<$i plan\n"
			. "SET LOCAL probds.explain_rollups = on;\nEXPLAIN (COSTS OFF) $q;\n\\echo >>\n"
			. "SET LOCAL probds.explain_rollups = off;\n"
			. ($prepared ? $prepare . "\\echo <<$i on\n$execute;\n\\echo >>\n" x 2
				. "DEALLOCATE p;\nSET LOCAL plan_cache_mode = auto;\n" : '')
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
	push @{ $seen{$1}{$2} }, join("\n", sort split(/\n/, $3, -1))
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
cmp_ok($answered, '>', $asked / 2, "$answered of them were answered from a rollup");
$node->stop;
done_testing();
