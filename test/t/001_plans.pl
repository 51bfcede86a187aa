# The same bytes from every plan: serial, parallel, hashed, sorted, spilled to
# disk, partition-wise, over values and over stored sketches.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('plans');
$node->init;
$node->append_conf(
	'postgresql.conf', q(
max_worker_processes = 16
max_parallel_workers = 8
jit = off
autovacuum = off
));
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# g: groups of 1, 2, 4, ... 65,536 rows, so that each encoding and each switch
# between two of them is met.  h, m, c: 5,000, 500, 10 groups of one
# size.  All values are NULL in the group -1.  Values repeat, as real ones do.
$node->safe_psql(
	'postgres', q(
CREATE TABLE r (id int, g int, h int, m int, c int, t text, i int, u uuid, n inet, d numeric);
INSERT INTO r
SELECT i, floor(log(2, i)), i % 5000, i % 500, i % 10, 'user ' || v, v, md5(v::text)::uuid,
    '10.0.0.0'::inet + v, v / 4.0
FROM generate_series(1, 131071) i, LATERAL (SELECT i - i % 3 AS v) x;
INSERT INTO r (id, g, h, m, c) SELECT 0, -1, -1, -1, -1 FROM generate_series(1, 10);

CREATE TABLE p (LIKE r) PARTITION BY HASH (g);
SELECT format('CREATE TABLE p%s PARTITION OF p FOR VALUES WITH (MODULUS 4, REMAINDER %s)', x, x)
FROM generate_series(0, 3) x \gexec
INSERT INTO p TABLE r;

CREATE TABLE s AS
SELECT g, id % 16 AS part, hll_agg(t) AS t, hll_agg(i) AS i, hll_agg(u, 11) AS u
FROM r GROUP BY 1, 2;
CREATE TABLE sp (LIKE s) PARTITION BY HASH (g);
SELECT format('CREATE TABLE sp%s PARTITION OF sp FOR VALUES WITH (MODULUS 4, REMAINDER %s)', x, x)
FROM generate_series(0, 3) x \gexec
INSERT INTO sp TABLE s;

ALTER TABLE r SET (parallel_workers = 3);
ALTER TABLE s SET (parallel_workers = 3);
SELECT format('ALTER TABLE %s%s SET (parallel_workers = 2)', t, x)
FROM generate_series(0, 3) x, unnest('{p,sp}'::text[]) t \gexec
));
$node->safe_psql('postgres', 'VACUUM ANALYZE');

my $serial = 'SET max_parallel_workers_per_gather = 0;';
my $parallel = q(
SET max_parallel_workers_per_gather = 3;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0.02;
SET min_parallel_table_scan_size = 0;
);
my $hashed = 'SET enable_sort = off;';
my $sorted = 'SET enable_hashagg = off;';

# name, settings, what its plan must show
my @grouped_plans = (
	[ 'serial, hashed', "$serial $hashed", qr/HashAggregate/ ],
	[
		'parallel, hashed', "$parallel $hashed",
		qr/Finalize.*Workers Launched: [1-3].*Partial HashAggregate/s
	],
	[
		'parallel, sorted', "$parallel $sorted",
		qr/Finalize GroupAggregate.*Workers Launched: [1-3].*Partial GroupAggregate/s
	],
	[
		'parallel without the leader', "$parallel SET parallel_leader_participation = off;",
		qr/Finalize.*Workers Launched: [1-3].*Partial/s
	]);
my @plain_plans = (
	[
		'parallel', $parallel,
		qr/Finalize Aggregate.*Workers Launched: [1-3].*Partial Aggregate/s
	],
	[
		'parallel without the leader', "$parallel SET parallel_leader_participation = off;",
		qr/Finalize Aggregate.*Workers Launched: [1-3].*Partial Aggregate/s
	]);

# The bytes of all groups, as one number.  A sum and not an ordered aggregate:
# that would ask for a sort, and so have a say in the plan.
sub digest
{
	my ($query) = @_;
	return
	  "SELECT count(*), "
	  	. "sum(hashtextextended(md5(coalesce(k::text, '') || ':' || "
	  	. "coalesce(encode(s::bytea, 'hex'), 'null')), 0)::numeric) FROM ($query) q";
}

sub answer
{
	my ($settings, $query) = @_;
	return $node->safe_psql('postgres', $settings . digest($query));
}

sub plan_of
{
	my ($settings, $query) = @_;
	return $node->safe_psql('postgres',
		$settings . 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' . digest($query));
}

# One test a plan: the plan is what it should be, and the bytes are the same
sub same_bytes
{
	my ($what, $want, $query, @plans) = @_;
	foreach my $plan (@plans)
	{
		my ($name, $settings, $shape) = @$plan;
		my $got = answer($settings, $query);
		my $tree = plan_of($settings, $query);
		my $shape_ok = $tree =~ $shape;
		ok($got eq $want && $shape_ok, "$what: $name")
		  or diag("got $got, not $want\n" . ($shape_ok ? '' : "the plan is not $shape:\n$tree"));
	}
	return;
}

my %values = (
	't' => 'text',
	'i' => 'int',
	'u' => 'uuid',
	'n' => 'inet',
	'd' => 'numeric',
	'i, 11' => 'int at precision 11',
	't, 4' => 'text at precision 4');

foreach my $v (sort keys %values)
{
	my $what = "hll_agg of $values{$v}";
	my $by_g = "SELECT g AS k, hll_agg($v) AS s FROM r GROUP BY g";
	my $want = answer("$serial $sorted", $by_g);
	like($want, qr/^18\|-?\d+$/, "$what by group: 18 groups");
	same_bytes("$what by group", $want, $by_g, @grouped_plans);

	my $all = "SELECT 0 AS k, hll_agg($v) AS s FROM r";
	same_bytes("$what", answer($serial, $all), $all, @plain_plans);
}

# 5,001 groups in 64 kB: the hash table goes to disk
my $spill = "$serial $hashed SET work_mem = '64kB'; "
  . 'SELECT set_config(name, \'1\', false) IS NULL FROM pg_settings '
  	. 'WHERE name = \'hash_mem_multiplier\' \g /dev/null' . "\n";
foreach my $v ('t', 'i', 'u, 11')
{
	my $by_h = "SELECT h AS k, hll_agg($v) AS s FROM r GROUP BY h";
	same_bytes("hll_agg($v) by 5,001 groups", answer("$serial $sorted", $by_h), $by_h,
		[ 'spilled', $spill, qr/HashAggregate.*Batches: (?:[2-9]|\d\d+).*Disk Usage/s ],
		$grouped_plans[0]);
	my $by_m = "SELECT m AS k, hll_agg($v) AS s FROM r GROUP BY m";
	same_bytes("hll_agg($v) by 501 groups", answer("$serial $sorted", $by_m), $by_m,
		@grouped_plans);
}

# by the partition key each partition answers alone; by another column, or not
# grouped, its partial states are combined
my $partitionwise = 'SET enable_partitionwise_aggregate = on;';
foreach my $v ('t', 'n', 'i, 11')
{
	my $by_g = "SELECT g AS k, hll_agg($v) AS s FROM %s GROUP BY g";
	my $by_c = "SELECT c AS k, hll_agg($v) AS s FROM %s GROUP BY c";
	my $all = "SELECT 0 AS k, hll_agg($v) AS s FROM %s";
	foreach my $q (
		[ $by_g, qr/Append.*->  HashAggregate/s, qr/Append.*->.*Aggregate/s ],
		[ $by_c, qr/Finalize.*Append.*->  Partial HashAggregate/s,
			qr/Finalize.*Append.*->  Partial/s ],
		[ $all, qr/Finalize Aggregate.*Append.*->  Partial Aggregate/s,
			qr/Finalize Aggregate.*Append.*->  Partial Aggregate/s ])
	{
		my ($query, $serial_shape, $parallel_shape) = @$q;
		my $over_r = $query =~ s/\bFROM %s/FROM r/r;
		my $over_p = $query =~ s/\bFROM %s/FROM p/r;
		same_bytes($over_p, answer("$serial $sorted", $over_r), $over_p,
			[ 'partition-wise', "$serial $hashed $partitionwise", $serial_shape ],
			[ 'partition-wise, parallel', "$parallel $partitionwise", $parallel_shape ]);
	}
}

# unions of stored sketches, against the sketch of the rows
foreach my $v ('t', 'i', 'u')
{
	my $rows = $v eq 'u' ? 'u, 11' : $v;
	my $from_rows = answer("$serial $sorted",
		"SELECT g AS k, hll_agg($rows) AS s FROM r GROUP BY g");
	my $by_g = "SELECT g AS k, hll_merge_agg($v) AS s FROM s GROUP BY g";
	same_bytes("hll_merge_agg($v) by group", $from_rows, $by_g,
		[ 'serial, sorted', "$serial $sorted", qr/GroupAggregate/ ], @grouped_plans);
	same_bytes("hll_merge_agg($v) of partitions",
		$from_rows,
		"SELECT g AS k, hll_merge_agg($v) AS s FROM sp GROUP BY g",
		[ 'partition-wise', "$serial $hashed $partitionwise", qr/Append.*->  HashAggregate/s ],
		[ 'partition-wise, parallel', "$parallel $partitionwise", qr/Append.*->.*Aggregate/s ]);

	my $all = "SELECT 0 AS k, hll_merge_agg($v) AS s FROM s";
	same_bytes(
		"hll_merge_agg($v)",
		answer($serial, "SELECT 0 AS k, hll_agg($rows) AS s FROM r"),
		$all,
		[ 'serial', $serial, qr/^Aggregate/ ],
		@plain_plans);
}

# approximate counts in one step
foreach my $v ('t', 'i, 11')
{
	my $query = "SELECT string_agg(g || ' ' || n, ',' ORDER BY g) "
		. "FROM (SELECT g, approx_count_distinct($v) AS n FROM r GROUP BY g) q";
	my $want = $node->safe_psql('postgres', "$serial $sorted $query");
	is($node->safe_psql('postgres', "$parallel $hashed $query"), $want,
		"approx_count_distinct($v): parallel");
	is($node->safe_psql('postgres', "$spill $query"), $want,
		"approx_count_distinct($v): small memory");
	like($want, qr/^-1 0,/, "approx_count_distinct($v): 0 where all is NULL");
}

# no rows, and rows without values
foreach my $settings ($serial, $parallel)
{
	my $name = $settings eq $serial ? 'serial' : 'parallel';
	is($node->safe_psql('postgres',
		"$settings SELECT hll_agg(t) IS NULL, approx_count_distinct(t) FROM r WHERE id < 0"),
		't|0', "no rows, $name");
	is($node->safe_psql('postgres',
		"$settings SELECT hll_agg(t) = hll_empty(), #hll_agg(t) FROM r WHERE id = 0"),
		't|0', "only NULL values, $name");
	is($node->safe_psql('postgres',
		"$settings SELECT hll_merge_agg(t) IS NULL FROM s WHERE g > 1000"),
		't', "no sketches, $name");
	is( $node->safe_psql(
			'postgres',
			"$settings SELECT hll_agg(t, 11) = hll_empty(11) FROM r WHERE id = 0"),
		't', "only NULL values keep the precision, $name");
}

# The order of rows does not matter, nor does the final function disturb a state that continues
# to grow, as in a window.
my $forward = answer($serial, 'SELECT g AS k, hll_agg(t ORDER BY id) AS s FROM r GROUP BY g');
is(answer($serial, 'SELECT g AS k, hll_agg(t ORDER BY id DESC) AS s FROM r GROUP BY g'), $forward,
	'rows backwards');
is(answer($serial, 'SELECT g AS k, hll_agg(DISTINCT t) AS s FROM r GROUP BY g'), $forward,
	'distinct rows');
is( answer(
		$serial,
		'SELECT g AS k, hll_agg(t) FILTER (WHERE true) AS s FROM r '
			. 'GROUP BY GROUPING SETS ((g), (h)) HAVING g IS NOT NULL'),
	$forward,
	'grouping sets');
is( $node->safe_psql(
		'postgres', q(
SELECT count(*), bool_and(w.s = (SELECT hll_agg(t) FROM r WHERE g = 12 AND id <= w.id))
FROM (SELECT id, hll_agg(t) OVER (ORDER BY id) AS s FROM r WHERE g = 12 AND id < 4496) w)),
	'400|t',
	'a running window equals each prefix');
is( $node->safe_psql(
		'postgres', q(
SELECT bool_and(w.s = (SELECT hll_agg(t) FROM r WHERE g = 12 AND id BETWEEN w.id - 9 AND w.id))
FROM (SELECT id, hll_agg(t) OVER (ORDER BY id ROWS 9 PRECEDING) AS s FROM r
    WHERE g = 12 AND id < 4196) w)),
	't',
	'a sliding window equals each frame');

# sketches of two precisions meet: the lower one, whatever the plan
my $mixed =
	'SELECT 0 AS k, hll_merge_agg(CASE WHEN part % 2 = 0 THEN t ELSE hll_reduce(t, 10) END) AS s '
	. 'FROM s';
same_bytes('mixed precisions', answer($serial, $mixed), $mixed, @plain_plans);
is(answer($serial, $mixed), answer($serial, 'SELECT 0 AS k, hll_agg(t, 10) AS s FROM r'),
	'mixed precisions: as if all had been built at the lower one');

$node->stop;
done_testing();
