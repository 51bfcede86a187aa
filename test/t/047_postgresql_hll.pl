# A dump of a database with postgresql-hll is restored into one with probds_hll: one line of it
# names the extension.  Its tables, modifiers, views, indexes and functions are there, its counts
# are close to what they were, and its queries run on.  Skipped without postgresql-hll.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('dumped');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->start;
plan skip_all => 'postgresql-hll is not installed'
  if $node->safe_psql('postgres',
	"SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'") eq '0';

sub lines { return split /\n/, $node->safe_psql(@_); }

# --- a database of twenty tables -------------------------------------------------------
$node->safe_psql('postgres', "CREATE DATABASE $_") foreach qw(theirs ours again);
my @tables;
# the sizes give sketches of all encodings
foreach my $n (1 .. 20)
{
	my ($log2m, $regwidth, $expthresh, $sparseon) =
	  @{ ([ 11, 5, -1, 1 ], [ 14, 5, -1, 1 ], [ 12, 5, 0, 0 ], [ 10, 5, 64, 1 ])[ $n % 4 ] };
	my $size = (3, 100, 700, 20000, 60000)[ $n % 5 ];
	my $modifier = $n % 3 ? "($log2m, $regwidth, $expthresh, $sparseon)" : '';
	my $hash = ('hll_hash_integer(i)', "hll_hash_text('v' || i)", 'hll_hash_any(i::bigint)',
		'hll_hash_bytea(int4send(i), 7)')[ $n % 4 ];
	push @tables, "daily_$n";
	$node->safe_psql('theirs', qq(
CREATE EXTENSION IF NOT EXISTS hll;
CREATE TABLE daily_$n (day date PRIMARY KEY, visitors hll$modifier,
    CHECK (hll_log2m(visitors) = $log2m));
INSERT INTO daily_$n SELECT '2026-03-01'::date + day,
    hll_add_agg($hash, $log2m, $regwidth, $expthresh, $sparseon)
FROM generate_series(0, 3) day, generate_series(day * $size / 2, day * $size / 2 + $size) i
GROUP BY day;
INSERT INTO daily_$n VALUES ('2026-03-20', hll_empty($log2m, $regwidth, $expthresh, $sparseon)),
    ('2026-03-21', NULL);));
}
$node->safe_psql('theirs', q(
CREATE TABLE visit (day date, who text, hash hll_hashval, seen hll NOT NULL DEFAULT hll_empty(11));
INSERT INTO visit SELECT '2026-03-01'::date + i % 3, 'v' || i % 70, hll_hash_text('v' || i % 70)
FROM generate_series(1, 300) i;
UPDATE visit SET seen = seen || hash;
CREATE INDEX visit_count ON visit (hll_cardinality(seen));
CREATE INDEX visit_hash ON visit (((hll_hash_text(who, 3))::text));
CREATE VIEW monthly AS
SELECT date_trunc('month', day) AS month, round(#hll_union_agg(visitors)) AS visitors,
    hll_cardinality(hll_union_agg(visitors)) / 2.0 AS half
FROM daily_1 GROUP BY 1;
CREATE VIEW sliding AS
SELECT day, #hll_union_agg(visitors) OVER (ORDER BY day ROWS 2 PRECEDING) AS three FROM daily_2;
CREATE VIEW built AS
SELECT day, hll_add_agg(hll_hash_text(who), 11, 5, -1, 1) AS s, hll_add_agg(hash) AS by_hash
FROM visit GROUP BY day;
CREATE VIEW constants AS SELECT '\x128b7f004403b7fb05c44a'::hll AS one,
    hll_union('\x118b7f'::hll(11, 5, -1, 1), hll_add_rev(7::hll_hashval, hll_empty(11))) AS other;
CREATE MATERIALIZED VIEW kept AS
SELECT day, visitors || hll_hash_integer(-1) AS visitors FROM daily_4;
CREATE DOMAIN small AS hll CHECK (#VALUE < 1000000);
CREATE FUNCTION visitors_of(d date) RETURNS double precision LANGUAGE sql STABLE
    AS 'SELECT hll_cardinality(hll_union_agg(visitors)) FROM daily_1 WHERE day <= d';
CREATE FUNCTION note(d date, w text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s hll := hll_empty(11);
BEGIN
    s := hll_add(s, hll_hash_text(w));
    INSERT INTO daily_4 VALUES (d, s) ON CONFLICT (day)
        DO UPDATE SET visitors = hll_union(daily_4.visitors, excluded.visitors);
END $$;
CREATE AGGREGATE merged(hll) (SFUNC = hll_union, STYPE = hll);
));

# --- restored with one line changed ------------------------------------------------------
my $dump = $node->basedir . '/dump.sql';
command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('theirs') ], 'dumped');
my $text = slurp_file($dump);
is($text =~ s/^(CREATE EXTENSION IF NOT EXISTS) hll (.*);$/$1 probds_hll $2 CASCADE;/mg, 1,
	'one line names the extension');
$text =~ s/^COMMENT ON EXTENSION hll /COMMENT ON EXTENSION probds_hll /m;
append_to_file("$dump.ours", $text);
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', "$dump.out", '-d',
		$node->connstr('ours'), '-f', "$dump.ours" ], 'restored without an error');

# --- what is there -----------------------------------------------------------------------
my $columns = q{
SELECT c.relname, a.attname, t.typname, regexp_replace(format_type(a.atttypid, a.atttypmod),
    ',.*', ')') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
ORDER BY 1, 2};
is_deeply([ lines('ours', $columns) ], [ lines('theirs', $columns) ],
	'tables, types and the precisions of modifiers');
my $objects = q(
SELECT c.relkind, c.relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'f', proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
UNION ALL SELECT 'c', conname FROM pg_constraint c WHERE connamespace = 'public'::regnamespace
ORDER BY 1, 2);
# (18: NOT NULL is a constraint, in both)
is_deeply([ lines('ours', $objects) ], [ lines('theirs', $objects) ],
	'views, indexes, functions, constraints');

# two answers of numbers, row by row: the largest relative difference
sub differs
{
	my ($query) = @_;
	my @there = lines('theirs', $query);
	my @here = lines('ours', $query);
	return "rows: $#there, $#here" unless @there && @there == @here;
	my $most = 0;
	foreach my $row (0 .. $#there)
	{
		my @t = split /\|/, $there[$row], -1;
		my @h = split /\|/, $here[$row], -1;
		foreach my $i (0 .. $#t)
		{
			return "$there[$row] and $here[$row]" if ($t[$i] eq '') != ($h[$i] eq '');
			next if $t[$i] eq $h[$i];
			return "$there[$row] and $here[$row]" unless "$t[$i]$h[$i]" =~ /^[\d.e+]+$/;
			# half a value is what rounding makes of it
			my $off = abs($t[$i] - $h[$i]);
			$off = $off <= 0.5 ? 0 : $off / $t[$i];
			$most = $off if $off > $most;
		}
	}
	return $most;
}

# Within 2 %.  Unions within 3 %: where one of small sketches has registers there, it is still a
# list of hashes here, and nearly exact
sub close_to
{
	my ($query, $what, $most) = @_;
	my $off = differs($query);
	ok($off =~ /^[\d.e-]+$/ && $off <= $most, "$what: $off");
	return;
}
foreach my $table (@tables)
{
	close_to("SELECT day, #visitors FROM $table ORDER BY day", "$table, each day", 0.02);
	close_to("SELECT #hll_union_agg(visitors), hll_cardinality(hll_union_agg(visitors) FILTER "
		. "(WHERE day < '2026-03-03')) FROM $table", "$table, unions", 0.03);
}
close_to('SELECT month, visitors, half FROM monthly', 'a view', 0.02);
close_to('SELECT * FROM sliding ORDER BY day', 'a view of windows', 0.02);
close_to('SELECT day, #s, #by_hash, s = by_hash FROM built ORDER BY day', 'a view of aggregates',
	0.02);
close_to('SELECT #one, #other FROM constants', 'a view of constants', 0.02);
close_to('SELECT day, #visitors FROM kept ORDER BY day', 'a materialized view', 0.02);
close_to("SELECT visitors_of('2026-03-03')", 'a function', 0.02);
close_to('SELECT #merged(visitors) FROM daily_5 WHERE visitors IS NOT NULL', 'an aggregate', 0.02);
close_to('SELECT who, hash, #seen FROM visit ORDER BY who, day, hash::text', 'hashes', 0.02);

# --- queries run on: the same statements in both ------------------------------------------
foreach my $db ('theirs', 'ours')
{
	$node->safe_psql($db, q(
SELECT note('2026-03-21', 'a'), note('2026-03-02', 'v' || i) FROM generate_series(1, 50) i;
UPDATE daily_1 SET visitors = hll_add(visitors, hll_hash_text('somebody'));
INSERT INTO daily_2 SELECT '2026-03-22', hll_add_agg(hll_hash_integer(i), 12, 5, 0, 0)
FROM generate_series(1, 5000) i;
INSERT INTO visit (day, who) VALUES ('2026-04-01', 'x');
REFRESH MATERIALIZED VIEW kept;
CREATE TABLE half (s hll);
INSERT INTO half SELECT hll_add_agg(hll_hash_integer(i)) FROM generate_series(1, 30000) i;
));
}
my $stored = 'SELECT day, #visitors FROM %s ORDER BY day';
close_to(sprintf($stored, $_), "$_, when the same was added", 0.02)
  foreach 'daily_1', 'daily_2', 'daily_4', 'kept';
# values that were there are the same values here
is($node->safe_psql('ours', q(
SELECT bool_and(hll_add(visitors, hll_hash_integer((day - '2026-03-01') * 350 + 5)) = visitors)
    FROM daily_12 WHERE day < '2026-03-05')), 't',
	'a value that a sketch has is not counted again');
my (undef, undef, $refused) =
  $node->psql('ours', "UPDATE daily_1 SET visitors = hll_add(visitors, 1)");
like($refused, qr/hll of hash values cannot take a value of kind number/,
	'values that are hashed here are refused');

# --- the binary format ---------------------------------------------------------------------
my $copied = $node->basedir . '/visitors';
$node->safe_psql('theirs', "COPY daily_13 TO '$copied' (FORMAT binary)");
$node->safe_psql('ours', "CREATE TABLE copied (LIKE daily_13); "
	. "COPY copied FROM '$copied' (FORMAT binary)");
is($node->safe_psql('ours', 'SELECT count(*) FROM copied NATURAL JOIN daily_13'),
	$node->safe_psql('theirs', 'SELECT count(visitors) FROM daily_13'), 'the same sketches');

# --- and a dump of that, restored ---------------------------------------------------------
command_ok([ 'pg_dump', '-f', "$dump.2", '-d', $node->connstr('ours') ], 'dumped again');
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', "$dump.out", '-d',
		$node->connstr('again'), '-f', "$dump.2" ], 'restored again');
is($node->safe_psql('again', $_), $node->safe_psql('ours', $_), 'the same bytes')
  foreach map { "SELECT * FROM $_ ORDER BY day" } @tables[ 0 .. 3 ];

done_testing();
