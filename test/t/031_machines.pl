# More than one machine: postgres_fdw between two servers, and aggregates in
# the two halves that Citus makes of them.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use SketchTypes;
use Test::More;

my $here = PostgreSQL::Test::Cluster->new('here');
$here->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$here->start;
$here->safe_psql('postgres', 'CREATE EXTENSION probds');
my %type = SketchTypes::sketch_types($here, 'postgres');
my @types = SketchTypes::growing(\%type);
# Most questions are put to one session, for a psql of its own takes some 20 ms of CPU.  Settings of
# questions before are gone.
my $session = $here->background_psql('postgres', on_error_stop => 0, timeout => 1800);
sub ask { return $session->query_safe("RESET ALL; SET client_min_messages = warning;\n$_[0]") }

# --- postgres_fdw --------------------------------------------------------------------

SKIP:
{
	skip 'postgres_fdw is not installed', 1
	  if ask("SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'") eq '0';

	# the same rows here as a whole, and cut in two: by day, the second half over there
	my $there = PostgreSQL::Test::Cluster->new('there');
	$there->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
	$there->start;
	$there->safe_psql('postgres', 'CREATE EXTENSION probds');
	my $rows = q(
SELECT '2026-01-01'::date + i % 60 AS day, 'host' || i % 3001 AS host, i % 5003 AS id,
    md5((i % 4001)::text)::uuid AS u, ('10.0.0.0'::inet + i % 2003) AS ip, i % 7 + 1 AS n
FROM generate_series(1, 40000) i);
	my $columns = '(day date, host text, id int, u uuid, ip inet, n int)';
	$there->safe_psql('postgres',
		"CREATE TABLE hit $columns; INSERT INTO hit SELECT * FROM ($rows) r "
		. "WHERE day >= '2026-02-01'; ANALYZE hit");
	my ($host, $port) = ($there->host, $there->port);
	ask(qq(
CREATE EXTENSION postgres_fdw;
CREATE SERVER there FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port',
    dbname 'postgres', extensions 'probds');
CREATE SERVER deaf FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port',
    dbname 'postgres');
CREATE USER MAPPING FOR CURRENT_USER SERVER there;
CREATE USER MAPPING FOR CURRENT_USER SERVER deaf;
CREATE FOREIGN TABLE remote $columns SERVER there OPTIONS (table_name 'hit');
CREATE FOREIGN TABLE remote_deaf $columns SERVER deaf OPTIONS (table_name 'hit');
CREATE TABLE local $columns;
INSERT INTO local SELECT * FROM ($rows) r WHERE day < '2026-02-01';
CREATE TABLE everything $columns;
INSERT INTO everything $rows;
CREATE TABLE hit $columns PARTITION BY RANGE (day);
ALTER TABLE hit ATTACH PARTITION local FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
ALTER TABLE hit ATTACH PARTITION remote FOR VALUES FROM ('2026-02-01') TO ('2026-03-02');
ANALYZE;
ANALYZE remote;
CREATE FUNCTION asked(query text) RETURNS SETOF text LANGUAGE plpgsql AS \$\$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        IF line ~ 'Remote SQL' THEN RETURN NEXT regexp_replace(line, '^.*Remote SQL: ', ''); END IF;
    END LOOP;
END \$\$;
));

	# the query over there as a whole, and the same bytes as here
	foreach my $agg ('hll_agg(host)', 'hll_agg(id, 11)', 'hll_agg(u)', 'hll_agg(ip)',
		'approx_count_distinct(host)',
		'bloom_agg(host, 5000)', 'bloom_agg(id, 9000, 0.001)',
			"bloom_agg(host, 5000, 0.01, 'classic')", 'topk_agg(host, 10)',
			'topk_agg_weighted(host, n, 10)',
		map { SketchTypes::agg($type{$_}, SketchTypes::numbers($type{$_}) ? 'id' : 'host',
			'large') } @types)
	{
		my $name = $agg =~ s/\(.*//r;
		my $query = "SELECT $agg AS s FROM %s";
		like(ask('SELECT asked($q$' . sprintf($query, 'remote') . '$q$)'),
			qr/^SELECT public\.$name\(.*FROM public.hit$/, "sent as a whole: $agg");
		is( ask(sprintf($query, 'remote')),
			ask(sprintf($query, "(SELECT * FROM everything WHERE day >= '2026-02-01') e")),
			"and the same bytes: $agg");
	}
	like(ask(q(SELECT asked('SELECT hll_agg(host) FROM remote_deaf'))),
		qr/^SELECT host FROM/, 'without the option extensions rows travel');

	# sketches travel, and merge to those of all rows
	foreach my $agg ('hll_agg(host)', 'hll_agg(id, 11)', 'bloom_agg(host, 5000)',
		'bloom_agg(ip, 5000, 0.001)', 'topk_agg(ip, 10)',
		map { SketchTypes::agg($type{$_}, 'ip', 'large') } grep { $type{$_}->{as_added} eq 'true'
			&& !SketchTypes::numbers($type{$_}) } @types)
	{
		my $type = $agg =~ s/_agg\(.*//r;
		my $merged = "SELECT ${type}_merge_agg(s) FROM (SELECT $agg AS s FROM local UNION ALL "
			. "SELECT $agg FROM remote) q";
		is(ask($merged),
			ask("SELECT $agg FROM everything"),
			"merged, the same bytes as of all rows: $agg");
		my $by_day = "SELECT day, $agg AS s FROM hit GROUP BY day";
		my $set = 'SET enable_partitionwise_aggregate = on;';
		like(ask("$set SELECT asked(\$q\$$by_day\$q\$)"),
			qr/^SELECT day, public\.${type}_agg\(.*GROUP BY/,
			"a foreign partition is aggregated over there: $agg");
		is( ask("$set SELECT day, md5(s::text) FROM ($by_day) q ORDER BY 1"),
			ask("SELECT day, md5($agg\::text) FROM everything GROUP BY day ORDER BY 1"),
			"by day, the same bytes: $agg");
		is( ask("$set SELECT ${type}_merge_agg(s) FROM ($by_day) q"),
			ask("SELECT $agg FROM everything"), "and merged: $agg");
	}

	# stored sketches and their merge
	$there->safe_psql('postgres',
		'CREATE TABLE daily AS SELECT day, hll_agg(host) AS hosts, bloom_agg(host, 5000) AS f '
		. 'FROM hit GROUP BY day');
	ask("CREATE FOREIGN TABLE remote_daily (day date, hosts hll, f bloom) SERVER there OPTIONS "
		. "(table_name 'daily')");
	like(ask(q(SELECT
		asked('SELECT hll_merge_agg(hosts), bloom_merge_agg(f) FROM remote_daily'))),
		qr/^SELECT public\.hll_merge_agg\(hosts\), public\.bloom_merge_agg\(f\) FROM \S+\.daily$/,
		'merged over there');
	is( ask('SELECT hll_merge_agg(hosts), bloom_merge_agg(f) FROM remote_daily'),
		ask(q(SELECT hll_agg(host), bloom_agg(host, 5000) FROM everything
			WHERE day >= '2026-02-01')), 'to the same bytes');
	like(ask(q(SELECT
		asked('SELECT day FROM remote_daily WHERE hll_cardinality(hosts) > 600'))),
		qr/WHERE \(\(public\.hll_cardinality\(hosts\) > 600\)\)/,
			'conditions on sketches are sent');

	# a Bloom join: the filter goes there, candidates come back
	ask(q(
CREATE TABLE wanted AS SELECT 'host' || i * 50 AS host FROM generate_series(1, 40) i;
CREATE TABLE filter AS SELECT bloom_agg(host, 40, 0.001) AS f FROM wanted;
ANALYZE wanted));
	my $sent = 0;
	foreach my $probe ('bloom_contains((SELECT f FROM filter), host)',
		'(SELECT f FROM filter) @> host', 'host <@ (SELECT f FROM filter)')
	{
		my $query = "SELECT * FROM remote WHERE $probe";
		like(ask("SELECT asked(\$q\$$query\$q\$)"),
			qr/ FROM public\.hit WHERE \(.*\$1::public\.bloom.*\)$/, "sent as a parameter: $probe");
		my $came = ask("SELECT count(*), count(*) FILTER (WHERE host IN (TABLE wanted)) "
			. "FROM ($query OFFSET 0) q");
		my ($candidates, $right) = split /\|/, $came;
		my $exact = ask(q(SELECT count(*) FROM everything
			WHERE day >= '2026-02-01' AND host IN (TABLE wanted)));
		is($right, $exact, "all that are wanted come: $probe");
		cmp_ok($candidates, '<', 1.5 * $exact + 50, "and few others: $candidates of 19000");
	}
	# a filter here and rows here, with a key there: the same answer
	is( ask('SELECT count(*) FROM hit h JOIN wanted w USING (host) '
		. 'WHERE (SELECT f FROM filter) @> h.host'),
		ask('SELECT count(*) FROM everything JOIN wanted USING (host)'),
			'a join over both machines');
	# a rollup of rows on both machines is refused: no trigger tells of what is written over
	# there.  One on each machine, and the sketches merged here, gives the same
	$there->safe_psql(
		'postgres', q(
CREATE TABLE event (id bigint, day date);
SELECT probds_create_rollup('events',
    'SELECT day, count(*) AS n, hll_agg(id) AS ids FROM event GROUP BY day')));
	ask(q(
CREATE TABLE event (id bigserial, day date) PARTITION BY RANGE (day);
CREATE TABLE event_here PARTITION OF event FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
SELECT probds_create_rollup('events',
    'SELECT day, count(*) AS n, hll_agg(id) AS ids FROM event GROUP BY day');
CREATE FOREIGN TABLE events_there (day date, n bigint, ids hll) SERVER there
    OPTIONS (table_name 'events')));
	my ($out, $err) = ('', '');
	$here->psql(
		'postgres', q(
CREATE FOREIGN TABLE event_there PARTITION OF event FOR VALUES
FROM ('2026-02-01') TO ('2026-03-01') SERVER there OPTIONS (table_name 'event')),
		stdout => \$out, stderr => \$err);
	like($err, qr/public\.event_there cannot be a partition of the source of a rollup/,
		'a rollup has no foreign partition');
	$_->[0]->safe_psql('postgres', "INSERT INTO event (id, day) SELECT i, '$_->[1]'::date + i % 28 "
		. "FROM generate_series($_->[2]) i")
	  foreach [ $here, '2026-01-01', '1, 100' ], [ $there, '2026-02-01', '51, 200' ];
	is(ask(q(SELECT sum(n), hll_merge_agg(ids)
			= (SELECT hll_agg(i::bigint) FROM generate_series(1, 200) i)
		FROM (SELECT n, ids FROM events UNION ALL SELECT n, ids FROM events_there) e)),
		'250|t', 'two rollups, merged');
	$there->stop;
}

# --- Citus' two halves -----------------------------------------------------------------

# A module of a few C functions does what Citus does: test/citus/halves.c
my $include = $ENV{PROBDS_INCLUDE} // '';
if ($include eq '')
{
	IPC::Run::run([ 'pg_config', '--includedir-server' ], '>', \$include);
	chomp $include;
}
my $dir = PostgreSQL::Test::Utils::tempdir;
my $log = '';
my $built = IPC::Run::run([ $ENV{CC} // 'cc', '-shared', '-fPIC', '-O1', "-I$include", '-o',
	"$dir/halves.so", 'test/citus/halves.c' ], '>&', \$log);
SKIP:
{
	my ($why) = $log =~ /^(.*error:.*)$/m;
	skip 'test/citus/halves.c does not build here: ' . ($why // substr($log, 0, 200)), 1
	  if !$built;
	ask(qq(
CREATE FUNCTION worker_half_step(internal, oid, anyelement) RETURNS internal AS '$dir/halves.so'
    LANGUAGE C;
CREATE FUNCTION worker_half_final(internal) RETURNS cstring AS '$dir/halves.so' LANGUAGE C;
CREATE AGGREGATE worker_half(oid, anyelement) (SFUNC = worker_half_step, STYPE = internal,
    FINALFUNC = worker_half_final);
CREATE FUNCTION coordinator_half_step(internal, oid, cstring, anyelement)
    RETURNS internal AS '$dir/halves.so' LANGUAGE C;
CREATE FUNCTION coordinator_half_final(internal, oid, cstring, anyelement)
    RETURNS anyelement AS '$dir/halves.so' LANGUAGE C;
CREATE AGGREGATE coordinator_half(oid, cstring, anyelement) (SFUNC = coordinator_half_step,
    STYPE = internal, FINALFUNC = coordinator_half_final, FINALFUNC_EXTRA);
)
		  . q(
CREATE TABLE r AS
SELECT i AS id, i % 5 AS shard, CASE WHEN i % 11 = 0 THEN NULL ELSE i % 997 END AS v
FROM generate_series(1, 6000) i
UNION ALL SELECT 0, 6, NULL FROM generate_series(1, 10);
CREATE TABLE typed AS
SELECT id, shard, v::text AS text, decode(md5(v::text), 'hex') AS bytea, v::smallint AS smallint,
    v::integer AS integer, v::bigint * 1000003 AS bigint, v::oid AS oid,
    md5(v::text)::uuid AS uuid, '10.0.0.0'::inet + v AS inet, v / 7.0 AS numeric,
        (v / 7.0)::real AS real, v / 7.0::float8 AS "double precision", v % 2 = 0 AS boolean,
    date '2026-01-01' + v AS date, time '00:00' + v * interval '1 s' AS "time without time zone",
        timestamp '2026-01-01' + v * interval '1 h' AS "timestamp without time zone",
    timestamptz '2026-01-01 00:00Z' + v * interval '1 h' AS "timestamp with time zone",
        v * interval '1 h' AS interval, jsonb_build_object('a', v % 100, 'b', v) AS jsonb,
    chr(1 + v % 100)::"char" AS "char" FROM r;
-- as many values as shards, so that a part has one or NULLs only; other parameters than the default
-- ones
CREATE TABLE sketches AS SELECT id % 40 AS id, shard,
    ) . join(', ', map { SketchTypes::agg($type{$_}, SketchTypes::numbers($type{$_})
		? 'length(text)' : 'text', 'other') . " AS $_" } @types) . q(
    FROM typed GROUP BY 1, 2;
INSERT INTO sketches SELECT 1, shard FROM generate_series(100, 109) shard;
));

	# text under a nondeterministic collation: a ROW() has none that the call could know
	my $icu = ask(q(SELECT count(*) > 0 FROM pg_collation
		WHERE collprovider = 'i')) eq 't';
	ask(q(
CREATE COLLATION ignore_case (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false);
CREATE TABLE collated AS SELECT id, shard, CASE WHEN id % 2 = 0 THEN 'v'
    ELSE 'V' END || text COLLATE ignore_case AS text FROM typed)) if $icu;

	# every aggregate that Citus splits: those with declared argument types
	ask('CREATE EXTENSION probds_citus');
	my $aggregates = ask(q(
SELECT p.oid::regprocedure, p.proname, p.prorettype::regtype,
    (SELECT string_agg(format_type(t, NULL), ',' ORDER BY n) FROM unnest(p.proargtypes::oid[])
    WITH ORDINALITY a(t, n)), array_to_string(p.proargnames, ',')
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid JOIN pg_aggregate a ON a.aggfnoid = p.oid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
    AND d.deptype = 'e'
    AND d.refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('probds', 'probds_citus'))
    AND a.aggtranstype <> 'internal'::regtype
    AND '"any"'::regtype <> ALL (p.proargtypes)
    AND a.aggcombinefn <> 0 ORDER BY p.oid::regprocedure::text COLLATE "C"));
	my %further = (
		precision_bits => '11', capacity => '5000::float8', false_positive_rate => '0.001::float8',
			layout => q('classic'::text),
		relative_error => '0.02::float8', max_buckets => '64',
		k => '16', counters => '1000', weight => '(1 + id % 3)::bigint',
		epsilon => '0.01::float8', delta => '0.05::float8');
	my $n = 0;
	foreach my $line (split /\n/, $aggregates)
	{
		my ($procedure, $name, $result, $types, $names) = split /\|/, $line;
		my @types = split /,/, $types;
		my @names = split /,/, $names // '';

		# of what takes numbers only, text and the like are refused; and a percentile comes out
		# of no stored state (doc/ddsketch.md)
		next if $name =~ /^(?:approx_percentile|ddsketch_agg_weighted)/;
		next if $name =~ /^ddsketch_agg/
			&& $types !~ /^(?:smallint|integer|bigint|real|double precision|numeric|interval)\b/;
		my @args =
			($types[0] =~ /^"/ ? $types[0] : qq("$types[0]"),
			map { $further{ $names[$_] } // die "$procedure: what is $names[$_]?" } 1 .. $#types);
		my $args = join(', ', @args);
		my $sent = @args > 1 ? "ROW($args)" : $args;
		foreach my $table (exists $type{ $types[0] } ? 'sketches' : 'typed',
			($types[0] eq 'text' && $icu) ? 'collated' : ())
		{
			my $halves = qq(SELECT coordinator_half('$procedure'::regprocedure, part, NULL::$result)
				FROM (SELECT worker_half('$procedure'::regprocedure, $sent) AS part
				FROM $table GROUP BY shard) w);
			my $whole = "SELECT $name($args) FROM $table";
			# where the bytes depend on the order of rows: no answer too low, and the same total
			# (a lookup of "char" is ambiguous)
			my $value = $types[0] eq '"char"' ? "$args[0]::text" : $args[0];
			($halves, $whole) =
				map { "SELECT cms_total(s), (SELECT count(*) FROM $table "
				. "WHERE $args[0] IS NOT NULL AND cms_frequency(s, $value) < 1) "
				. "FROM ($_) q(s)" } $halves, $whole
			  if $name =~ /^cms_agg_conservative/;
			is(ask($halves), ask($whole),
				"in two halves: $procedure, $table");
			$n++;
		}
	}
	cmp_ok($n, '>', 300, "$n aggregates");
	is(ask(q(SELECT coordinator_half('hll_agg(text)'::regprocedure, part,
		NULL::hll) IS NULL FROM (SELECT worker_half('hll_agg(text)'::regprocedure, text) AS part
		FROM typed WHERE false) w)), 't', 'no rows');

	# a cast to text that Citus has written out looks as if a user had
  SKIP:
	{
		skip 'citext is not installed', 1
		  if $here->safe_psql('postgres',
		  	"SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'") eq '0';
		$here->safe_psql('postgres', q(CREATE EXTENSION citext;
			CREATE TABLE ci AS SELECT v::citext AS c FROM unnest('{Anna,ANNA,anna}'::text[]) v));
		my $of_citus = q(SET application_name = 'citus_internal gpid=10000000001';);
		foreach my $query (q(SELECT worker_half('hll_agg(text)'::regprocedure, c::text)
			FROM ci), q(SELECT worker_half('hll_agg(text,integer)'::regprocedure, ROW(c::text, 11))
			FROM ci),
			"$of_citus SELECT hll_agg(c::text) FROM ci",
				"$of_citus SELECT bloom_empty(10) \@> c::text "
				. "FROM ci", "$of_citus SELECT hll_add(hll_empty(), c::text) FROM ci")
		{
			$here->psql('postgres', $query, stderr => \my $stderr);
			like($stderr, qr/cannot take a value of type citext as text/, "citext: $query");
		}
		is($here->safe_psql('postgres', "$of_citus SELECT #hll_agg(c::text || '') FROM ci"), '3',
			'citext as text');
		is($here->safe_psql('postgres', 'SELECT #hll_agg(c::text) FROM ci'), '3',
			'a cast that a user wrote');
	}
}

$session->quit;
$here->stop;
done_testing();
