#!/usr/bin/env perl
# Pairs of serializable transactions: both look for a key that is not there, insert it, and try to
# commit.  Exactly one may.
#
# Each pair has a table of 0 to 210 rows.  An existence index is on its column or on a cast of it.
# The condition has casts on either side.  Ways to scan and the order of the steps vary, too.
# A pair of which not exactly one committed is printed, and the status is 1.  The last line says how
# many there were, by what they used.
#
#     PGHOST=... PGUSER=... perl test/existence/pairs.pl [PAIRS [SEED]]
#
# Needs a server with probds installed.  It makes and drops the schema existence_pairs.
# PAIRS (2000).  Without citext (contrib) its keys are left out.
use strict;
use warnings;
use IPC::Open2;

my $pairs = shift // 2000;
srand(shift // 1);
$ENV{PGOPTIONS} = ($ENV{PGOPTIONS} // '') . ' -c client_min_messages=error -c lock_timeout=60s'
	. ' -c max_parallel_workers_per_gather=0 -c enable_hashjoin=off -c enable_mergejoin=off'
	. ' -c enable_material=off -c enable_memoize=off -c jit=off';

# --- sessions ---------------------------------------------------------------------------
sub session
{
	my ($from, $to);
	open2($from, $to, 'exec psql -XqAt 2>&1');
	$to->autoflush(1);
	return [ $from, $to ];
}

# What a session says to statements
sub run
{
	my ($session, $sql) = @_;
	my ($from, $to) = @$session;
	my $said = '';

	print $to "$sql;\n\\echo end of answer\n";
	while (defined(my $line = <$from>))
	{
		return $said =~ s/\n\z//r if $line eq "end of answer\n";
		$said .= $line;
	}
	die "a session is gone: $said";
}

# The same, without an error
sub must
{
	my ($session, $sql) = @_;
	my $said = run($session, $sql);
	die "$sql\n$said\n" if $said =~ /ERROR|FATAL/;
	return $said;
}

# --- keys -------------------------------------------------------------------------------
# Of each type: a key made of the number n, then indexes with the conditions that they may serve.  A
# condition is what stands left of "=", and the type of what stands right of it.
my %types = (
	'int4' => [ 'n', k => [ 'k', 'int4' ], [ 'k', 'int8' ], [ 'k::int8', 'int8' ], [ 'k', 'int2' ],
		'(k::oid)' => [ 'k::oid', 'oid' ], [ 'k', 'int4' ] ],
	'int8' => [ 'n', k => [ 'k', 'int8' ], [ 'k', 'int4' ], [ 'k::int4', 'int4' ],
		'(k::int4)' => [ 'k::int4', 'int4' ] ],
	'oid' => [ 'n', k => [ 'k', 'oid' ], [ 'k::int4', 'int4' ], [ 'k::int8', 'int8' ],
		[ 'k::regclass', 'regclass' ], '(k::int4)' => [ 'k', 'oid' ], [ 'k::int4', 'int4' ] ],
	'text' => [ q('key ' || n), k => [ 'k', 'text' ], [ 'k::varchar', 'varchar' ], [ 'k', 'name' ],
		[ 'k::bpchar', 'char(20)' ], '(k::bpchar)' => [ 'k', 'text' ], [ 'k::bpchar', 'bpchar' ] ],
	'varchar' => [ q('key ' || n), k => [ 'k', 'varchar' ], [ 'k::text', 'text' ],
		[ 'k', 'char(20)' ], '(k::bpchar)' => [ 'k', 'varchar' ], [ 'k', 'bpchar' ] ],
	'char(20)' => [ q('key ' || n), k => [ 'k', 'char(20)' ], [ 'k::text', 'text' ],
		[ 'k', 'bpchar' ], '(k::text)' => [ 'k::text', 'text' ], [ 'k', 'bpchar' ] ],
	'name' => [ q('key ' || n), k => [ 'k', 'name' ], [ 'k', 'text' ], [ 'k::text', 'text' ] ],
	'uuid' => [ q(md5(n::text)::uuid), k => [ 'k', 'uuid' ], [ 'k::text::uuid', 'uuid' ],
		'(k::text)' => [ 'k::text', 'text' ] ],
	'numeric' => [ 'n / 4.0', k => [ 'k', 'numeric' ], [ 'k', 'float8' ],
		'(k::float8)' => [ 'k::float8', 'float8' ] ],
	'float8' => [ 'n / 4.0', k => [ 'k', 'float8' ], [ 'k', 'float4' ] ],
	'date' => [ q('2000-01-01'::date + n), k => [ 'k', 'date' ], [ 'k', 'timestamp' ],
		[ 'k::timestamp', 'timestamp' ], '(k::timestamp)' => [ 'k::timestamp', 'timestamp' ] ],
	'inet' => [ q('10.0.0.0'::inet + n), k => [ 'k', 'inet' ], [ 'k', 'cidr' ],
		[ 'k::cidr', 'cidr' ], '(k::cidr)' => [ 'k::cidr', 'inet' ] ],
	'int4range' => [ 'int4range(n, n + 5)', k => [ 'k', 'int4range' ] ],
	'int4[]' => [ 'ARRAY[n, 7]', k => [ 'k', 'int4[]' ], [ 'k::oid[]', 'oid[]' ] ],
	'citext' => [ q('Key ' || n), k => [ 'k', 'citext' ], [ 'k::text', 'text' ], [ 'k', 'text' ],
		[ 'k::varchar', 'varchar' ], '(k::text)' => [ 'k', 'citext' ], [ 'k::text', 'text' ] ]);
# (the datum of a citext column as text)
$types{text} = [ @{ $types{text} }, '(k::citext)' => [ 'k', 'text' ], [ 'k::citext', 'citext' ] ];

# --- ways to look -----------------------------------------------------------------------
# A statement that gives 0 or f where no row is seen, and the settings that it runs with.  %L is the
# left side, %R the right side, %T the type of that, %V its value.
my $only = sub { my %on = map { $_ => 1 } @_; return join('; ',
	map { "SET enable_$_ = " . ($on{$_} ? 'on' : 'off') } qw(seqscan bitmapscan indexscan
	indexonlyscan)); };
my @generic = ('SET plan_cache_mode = force_generic_plan');
my $joined = 'unnest(ARRAY[%R, NULL]) u (v)';
my %ways = (
	'sequential scan' => [ 'SELECT count(*) FROM t WHERE %L = %R', $only->('seqscan') ],
	'bitmap scan' => [ 'SELECT count(*) FROM t WHERE %L = %R', $only->('bitmapscan') ],
	'generic plan' => [ 'SELECT count(*) FROM t WHERE %L = $1', $only->('bitmapscan'), @generic ],
	'literal' => [ 'SELECT count(*) FROM t WHERE %V = %L', $only->('bitmapscan') ],
	'any' => [ 'SELECT count(*) FROM t WHERE %L = ANY (ARRAY[%R, NULL])', $only->('bitmapscan') ],
	'any, generic plan' => [ 'SELECT count(*) FROM t WHERE %L = ANY (ARRAY[$1, NULL])',
		$only->('bitmapscan'), @generic ],
	'nested loop' => [ "SELECT count(*) FROM $joined JOIN t ON %L = v", $only->('bitmapscan') ],
	'gate' => [ "SELECT count(*) FROM $joined JOIN t ON %L = v", $only->('indexscan') ],
	'gate of an anti join' => [ "SELECT 1 - count(*) FROM $joined WHERE v IS NOT NULL AND NOT "
		. 'EXISTS (SELECT FROM t WHERE %L = v)', $only->('indexscan', 'indexonlyscan') ],
	'gate of a subquery' => [ "SELECT sum((SELECT count(*) FROM t WHERE %L = v)) FROM $joined",
		$only->('indexscan') ],
	'default plan' => [ 'SELECT count(*) FROM t WHERE %L = %R', $only->('seqscan', 'bitmapscan',
		'indexscan', 'indexonlyscan') ],
	'function' => [ q(SELECT existence_might_contain('t', 'k', %R)), $only->('seqscan') ],
	'function of an array' => [ q(SELECT existence_might_contain_any('t', 'k', ARRAY[%R])),
		$only->('seqscan') ]);

my %orders = (
	'both read first' => [ qw(r1 r2 w1 w2 c1 c2) ],
	'the second commits first' => [ qw(r1 r2 w1 w2 c2 c1) ],
	'one commits before the other writes' => [ qw(r1 r2 w1 c1 w2 c2) ],
	'one writes before the other reads' => [ qw(r1 w1 r2 w2 c1 c2) ],
	'one commits before the other reads' => [ qw(r1 w1 c1 r2 w2 c2) ]);

sub one_of { return $_[ int(rand(@_)) ]; }

# --- a pair -----------------------------------------------------------------------------
my @sessions = (session(), session());
my ($one, $two) = @sessions;
must($one, 'CREATE EXTENSION IF NOT EXISTS probds');
delete $types{citext} if run($one, 'CREATE EXTENSION IF NOT EXISTS citext') =~ /ERROR/;
splice(@{ $types{text} }, -3) unless $types{citext};
my $path = must($one, q(SELECT 'existence_pairs, ' || string_agg(DISTINCT
	extnamespace::regnamespace::text, ', ') FROM pg_extension
	WHERE extname IN ('probds', 'citext', 'plpgsql')));
must($one, 'DROP SCHEMA IF EXISTS existence_pairs CASCADE; CREATE SCHEMA existence_pairs');
must($_, "SET search_path = $path") foreach @sessions;

# The table; undef if no index or condition like this can be
sub create_table
{
	my ($p) = @_;
	my ($make) = $p->{type}[0];
	my $rows = "SELECT k::$p->{name}, n % 2 FROM (SELECT n, $make AS k FROM generate_series(1, "
		. "$p->{rows}) n) r";

	must($one, 'DROP TABLE IF EXISTS t');
	must($one, "CREATE TABLE t (k $p->{name}, p int)"
		. ($p->{partitions} ? ' PARTITION BY LIST (p)' : ''));
	must($one, 'CREATE TABLE t0 PARTITION OF t FOR VALUES IN (0); CREATE TABLE t1 PARTITION OF t '
		. 'FOR VALUES IN (1)') if $p->{partitions};
	# the index has all rows from its build, or from insertions
	must($one, "INSERT INTO t $rows") if $p->{built};
	must($one, "CREATE INDEX ON t USING existence ($p->{index})");
	must($one, "INSERT INTO t $rows") unless $p->{built};
	if ($p->{way} =~ /gate/)
	{
		run($one, "CREATE INDEX ON t USING $_ ($p->{index})") =~ /ERROR/ || last
			foreach one_of([ 'btree', 'hash' ], [ 'hash', 'btree' ])->@*;
	}
	must($one, 'ANALYZE t') if rand() < 0.3;
	return;
}

# Prepare the statement in both sessions: what it uses, or undef if there is no such operator
sub prepare
{
	my ($p) = @_;
	my ($statement, @settings) = @{ $ways{ $p->{way} } };
	my ($left, $right) = @{ $p->{condition} };
	my $value = must($one, "SELECT quote_literal($p->{type}[0]) FROM (VALUES ($p->{n})) r (n)");
	my $plan = '';

	$statement =~ s/%L/$left/g;
	$statement =~ s/%R/$value\::$right/g;
	$statement =~ s/%V/$value/g;
	# (to be in a list, or compared, it has no length)
	my $argument = $statement =~ /\$1/ ? "($right)" : '';
	foreach my $s (@sessions)
	{
		must($s, join('; ', 'DEALLOCATE ALL; RESET plan_cache_mode', @settings));
		return if run($s, "PREPARE look $argument AS $statement") =~ /ERROR/;
	}
	$p->{statement} = $statement;
	$p->{look} = 'EXECUTE look' . ($argument ? "($value)" : '');
	$p->{plan} = run($one, "EXPLAIN (COSTS OFF) $p->{look}");
	return if run($one, $p->{look}) =~ /ERROR/;
	return $p->{way} =~ /function/ ? 'function'
		: $p->{plan} =~ /Existence Gate/ ? 'gate' : $p->{plan} =~ /Bitmap Index Scan/ ? 'index'
		: 'other';
}

my $nothing = qr/\A(?:0|f)\z/;

# How many of both committed; undef if one saw the key (a function may say yes)
sub race
{
	my ($p) = @_;
	my @failed = (0, 0);
	my %sees;

	must($_, 'BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT') foreach @sessions;
	foreach my $step (@{ $p->{order} })
	{
		my ($what, $who) = split //, $step;
		my $said = run($sessions[ $who - 1 ],
			  $what eq 'r' ? $p->{look}
			: $what eq 'w' ? "INSERT INTO t SELECT ($p->{type}[0])::$p->{name}, $who - 1 "
				. "FROM (VALUES ($p->{n})) r (n)"
			: 'COMMIT; SELECT');
		if ($said =~ /could not serialize|current transaction is aborted/)
		{
			$failed[ $who - 1 ] = 1;
		}
		elsif ($said =~ /ERROR/) { die "$p->{statement}\n$said\n"; }
		elsif ($what eq 'r' && $said !~ $nothing) { $sees{$who} = 1; }
	}
	must($_, 'ROLLBACK; SELECT') foreach @sessions;
	if (%sees)
	{
		die "a row is seen that is not there: $p->{statement}\n" if $p->{way} !~ /function/;
		return;
	}
	die "a row is not seen: $p->{statement}\n" if must($one, $p->{look}) =~ $nothing;
	return 2 - $failed[0] - $failed[1];
}

my ($ran, $n, %used, %committed) = (0, 1000);
while ($ran < $pairs)
{
	my $name = one_of(sort keys %types);
	my $type = $types{$name};
	my @places = grep { !ref $type->[$_] } 1 .. $#$type;
	my $at = one_of(@places);
	my $behind = $at;
	$behind++ while ref $type->[ $behind + 1 ];
	my $p = {
		name => $name, type => $type, index => $type->[$at],
		condition => $type->[ $at + 1 + int(rand($behind - $at)) ],
		way => one_of(sort keys %ways), order => $orders{ one_of(sort keys %orders) },
		rows => one_of(0, 0, 1, 7, 60, 210), built => rand() < 0.5, partitions => rand() < 0.2,
		n => ++$n };
	create_table($p);
	my $use = prepare($p) // next;
	# (most of what the server does without us is not tried)
	next if $use eq 'other' && rand() < 0.8;
	my $committed = race($p) // next;
	$ran++;
	$used{$use}++;
	$committed{$committed}++;
	next if $committed == 1;
	print "$committed of a pair committed: $name, index ($p->{index}), $p->{rows} rows"
		. ($p->{partitions} ? ' in partitions' : '') . ", $p->{way}, @{$p->{order}}\n"
		. "$p->{statement}\n$p->{plan}\n";
}
must($one, 'DROP SCHEMA existence_pairs CASCADE');
printf "%d pairs: %d by an existence index, %d by a gate, %d by a function, %d by other scans; "
	. "of %d one committed, of %d both, of %d neither\n", $ran,
	(map { $_ // 0 } @used{qw(index gate function other)}), (map { $_ // 0 } @committed{ 1, 2, 0 });
exit($ran == ($committed{1} // 0) ? 0 : 1);
