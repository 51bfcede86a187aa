# A long call can be ended.  The test counts and does not time.  It compares how often the
# library polls in calls over large values with what their sizes demand.  A request to cancel
# that comes at a poll (the first, one in the middle, the last) ends the call with 57014.  It
# leaves the session, its caches and the values as they were.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The library's objects, linked with what counts: test/polls/polls.c
my $include = $ENV{PROBDS_INCLUDE} // '';
if ($include eq '')
{
	IPC::Run::run([ 'pg_config', '--includedir-server' ], '>', \$include);
	chomp $include;
}
my $library = PostgreSQL::Test::Utils::tempdir . '/probds_polls';
my $root = $ENV{TESTDIR} // '.';
my @objects = glob("$root/src/*/*.o $root/src/*/*/*.o");
plan skip_all => 'what the library was built from is not here' if !@objects;
my @link = (
	$ENV{CC} // 'cc', '-shared', '-fPIC', '-O1', "-I$include", '-Wl,--wrap=ProcessInterrupts',
	'-o', "$library.so", 'test/polls/polls.c', @objects, '-lm', $ENV{COVERAGE} ? '--coverage' : ());
my $log;
IPC::Run::run(\@link, '>&', \$log) or die "the library does not link with test/polls/polls.c: $log";

my $node = PostgreSQL::Test::Cluster->new('interrupts');
$node->init;
$node->append_conf(
	'postgresql.conf', q(
jit = off
max_parallel_workers_per_gather = 0
autovacuum = off
fsync = off
work_mem = '1GB'
));
$node->start;
# in a session of its own: none can have both libraries
$node->safe_psql(
	'postgres', qq(
CREATE EXTENSION probds;
UPDATE pg_proc SET probin = '$library' WHERE probin = '\$libdir/probds'));
$node->safe_psql(
	'postgres', qq(
CREATE FUNCTION test_polls(statement text, cancel_at bigint DEFAULT 0) RETURNS bigint
AS '$library' LANGUAGE C));

$node->safe_psql(
	'postgres', q(
-- two sketches of tokens that are close together: each is thousands of steps from where it
-- belongs
CREATE TABLE crowd AS
SELECT hll_agg(i, 18) FILTER (WHERE r % 2 = 0) AS a, hll_agg(i, 18) FILTER (WHERE r % 2 = 1) AS b
FROM (SELECT i, row_number() OVER () AS r FROM generate_series(1, 3500000) i
      WHERE probds_hash(i) & 67108863 BETWEEN 33554432 AND 34014432 LIMIT 24000) keys;
CREATE TABLE large AS
SELECT (SELECT bloom_from_guava('\x0106'::bytea || int4send(2500000)
            || string_agg(decode(repeat('a5', 1000000), 'hex'), ''), 'bigint')
        FROM generate_series(1, 20)) AS f,
    (SELECT bloom_from_parquet('\x15808080081c1c00001c1c00001c1c000000'::bytea
            || string_agg(decode(repeat('a5', 1048576), 'hex'), ''), 'bigint')
        FROM generate_series(1, 8)) AS split,
    (SELECT bloom_agg(i, 4000000) FROM generate_series(1, 1000000) i) AS blocked,
    (SELECT bloom_agg(i, 4000000) FROM generate_series(1, 60000) i) AS slim,
    (SELECT bloom_agg(i, 20000000) FROM generate_series(1, 300000) i) AS sparse,
    (SELECT bloom_agg(i, 20000000) FROM generate_series(1, 100000) i) AS few,
    (SELECT bloom_agg(i, 20000000) FROM generate_series(300001, 400000) i) AS others,
    (SELECT cms_agg_weighted(i, 8589934592, 0.000005, 0.01) FROM generate_series(1, 400000) i) AS c,
    (SELECT cms_agg(i, 0.000005, 0.01) FROM generate_series(1, 40000) i) AS scattered,
    (SELECT topk_agg(repeat(md5(i::text), 13), 2000) FROM generate_series(1, 31000) i) AS t,
    (SELECT array_agg(i) FROM generate_series(1, 1000000) i) AS list,
    (SELECT array_agg(i) FROM generate_series(1, 200000) i) AS shorter,
    (SELECT array_agg(i / 8.0) FROM generate_series(1, 300000) i) AS numerics,
    (SELECT jsonb_agg(i) FROM generate_series(1, 300000) i) AS json;
ALTER TABLE large ALTER list SET STORAGE EXTERNAL;
));
is($node->safe_psql('postgres', 'SELECT (hll_info(a)).encoding, (hll_info(b)).encoding FROM crowd'),
	'sparse|sparse', 'tokens crowd together');
is( $node->safe_psql(
		'postgres', q(
SELECT string_agg(format('%s %s', n, e), ', ' ORDER BY n)
FROM large, LATERAL (
    SELECT n, (bloom_info(b)).encoding
    FROM (VALUES ('f', f), ('split', split), ('blocked', blocked), ('slim', slim),
        ('sparse', sparse),
        ('few', few)) v (n, b)
    UNION ALL SELECT n, (cms_info(s)).encoding
    FROM (VALUES ('c', c), ('scattered', scattered)) v (n, s)) i (n, e))),
	'blocked array, c dense, f array, few sparse, scattered sparse, slim sparse, sparse sparse, '
	  . 'split array',
	'the encodings that are meant');

# A loop polls at least once a megabyte, or 65,536 items, or 1,024 texts.  How many of these
# there are: in values, without their heads; in a text form; of counters; of items
sub many
{
	return $node->safe_psql('postgres', "SELECT $_[0] FROM large");
}
my ($f, $blocked, $split, $c) =
  map { many("(length($_) - 32) >> 20") } 'f::bytea', 'blocked::bytea', 'split::bytea', 'c::bytea';
my $f_text = many('length(f::text) >> 20');
my $counters = many('((cms_info(c)).width * (cms_info(c)).depth) >> 16');
my $texts = many('(topk_info(t)).items / 1024');

my %polls;

# A statement is run in full, and canceled at three of its polls; floor: how many there
# are at least
sub interrupted
{
	my ($what, $floor, $query, $answer) = @_;
	my ($out, $err) = ('', '');

	$node->psql(
		'postgres', qq(
\\set VERBOSITY sqlstate
SELECT n, greatest(n / 2, 1) AS half FROM test_polls(\$q\$$query\$q\$) n \\gset
$answer AS answer \\gset
SELECT test_polls(\$q\$$query\$q\$, 1);
SELECT test_polls(\$q\$$query\$q\$, :half);
SELECT test_polls(\$q\$$query\$q\$, :n);
\\echo :n
SELECT test_polls(\$q\$$query\$q\$) = :n;
SELECT q.answer = :'answer' FROM ($answer AS answer) q;
), stdout => \$out, stderr => \$err, on_error_stop => 0);
	my ($n, @right) = split /\n/, $out;
	$polls{$what} = $n;
	ok($n =~ /^\d+$/ && $n > 0 && $n >= $floor, "$what: $n polls, at least $floor");
	my $canceled = () = $err =~ /^.*ERROR:  57014$/mg;
	my $lines = () = $err =~ /^/mg;
	ok($canceled == 3 && $lines == 3 && "@right" eq 't t',
		"$what: canceled at three of them, and then as before") or diag("$out\n$err");
	return;
}

sub call
{
	my ($call, $floor, $from) = @_;
	$from //= 'large';
	interrupted($call, $floor, "SELECT ($call) IS NULL FROM $from",
		"SELECT (SELECT md5(($call)::text) FROM $from)");
	return $polls{$call};
}

# stored segments of positions and of counters: each when it is read
my $sparse = call('sparse::bytea::bloom', 1800000 / 1024);
my $few = call('few::bytea::bloom', 600000 / 1024);
my $scattered = call('scattered::bytea::cms', 200000 / 1024);

# each element of an array that is added or looked up
foreach my $type ('hll', 'bloom', 'cms', 'topk')
{
	my $empty = "${type}_empty(" . ($type eq 'bloom' ? 1000000 : '') . ')';
	call("${type}_add_all($empty, shorter)", 200000);
}
call('hll_add_all(hll_empty(18), numerics)', 300000);
call('cms_frequencies(c, shorter)', 200000);
call('bloom_contains_all(sparse, shorter)', 200000 + $sparse);
# and of one that is a single value
call('hll_add(hll_empty(), list)', 1000000 >> 16);
call('hll_add(hll_empty(), numerics)', 300000 >> 16);
call('hll_add(hll_empty(), json)', 300000 >> 16);
{
	$node->safe_psql('postgres', q(
CREATE TABLE ranges AS
SELECT range_agg(int4range(2 * i, 2 * i + 1)) AS r FROM generate_series(1, 200000) i));
	call('hll_add(hll_empty(), r)', 200000 >> 16, 'ranges');
}

# tokens that crowd: every 256
call('a || b', 24000 / 256 - 2, 'crowd');

# bits: a pass over each filter, and one over the result
call('f || f', 3 * $f);
call('f & f', 3 * $f);
call('blocked || blocked', 3 * $blocked);
call('split || split', 3 * $split);
call('bloom_cardinality(f)', $f);
call('bloom_cardinality(blocked)', $blocked);
call('bloom_cardinality(split)', $split);
call('bloom_to_guava(f)', 3 * $f);
call('bloom_to_parquet(split)', $split);
call('bloom_hash(f)', int($f / 16));
call('f::bytea::bloom', $f);
call('f::text', $f_text);
call('f::text::bloom', 2 * $f_text + $f);
call('(\'\x\' || encode(f::bytea, \'hex\'))::bloom', 2 * $f);
# positions: those of both are read, the result is written
call('sparse || sparse', 3 * $sparse + (1700000 >> 16));
call('sparse & sparse', 3 * $sparse + (1700000 >> 16));
call('few & others', 2 * $few);
# ... looked up among bits
my $slim = call('slim::bytea::bloom', 300000 / 1024);
call('slim & blocked', 2 * $slim + (300000 >> 16));
call('blocked & slim', 2 * $slim + (300000 >> 16));
# ... sorted; made bits of
call('bloom_agg(i, 20000000)', $few + (600000 >> 16) + 4, 'generate_series(1, 100000) i');
call('bloom_agg(i, 4000000)', 2 * $slim + 4, 'generate_series(1, 200000) i');
# hashes, until their number is known
call('bloom_agg(i)', 3 * (1000000 >> 16), 'generate_series(1, 1000000) i');

# counters
call('c || c', 4 * $counters);
call('cms_subtract(c, c)', 2 * $counters);
call('cms_inner_product(c, c)', $c);
call('c::bytea::cms', $c);
call('cms_info(c)', $counters);
call('cms_add(c, 1)', 3 * $counters);
call('c || scattered', $scattered + 2 * $counters);
call('scattered || scattered', 3 * $scattered + $counters + 3);
# counters of which all but a few are 0 again
call('cms_subtract(cms_add(c, 1, 5), c)', 6 * $counters);
call('cms_subtract(scattered, scattered)', 2 * $scattered);
call('cms_inner_product(scattered, scattered)', 1.99 * $scattered);
call('cms_add(scattered, 1)', 1.99 * $scattered);
call('cms_agg(i, 0.000005, 0.01)', 2 * $counters, 'generate_series(1, 1000000) i');
# one that grows: nothing is expected of a filter, so that it does not begin as counters
call('cms_agg(i, 0.000005, 0.01) FILTER (WHERE i > 0)', 2 * $counters + 10,
	'generate_series(1, 1000000) i');

# texts
call('t || t', 3 * $texts);
call('t::bytea::topk', 31000 + 2 * $texts);
call('t::topk(1000)', 1.5 * $texts);
call('topk_add(t, \'x\'::text)', 2 * $texts);
call('topk_agg(i, 1000)', 46, 'generate_series(1, 100000) i');
call('topk_frequency(t, \'x\'::text)', $texts);

# many lookups in one: an index is made of it
call('max(topk_frequency(t, i::text))', 2 * $texts, 'large, generate_series(1, 30) i');

# hashes of a static filter: sorted, and solved in parts of some 32,768; as a state that is sent
call('fuse_agg(i)', 2 * (1000000 >> 16) + (1000000 >> 15), 'generate_series(1, 1000000) i');
{
	$node->safe_psql('postgres', q(
CREATE AGGREGATE raw_fuse("any") (SFUNC = _fuse_step, STYPE = fuse);
CREATE AGGREGATE combine(fuse) (SFUNC = fuse_merge, STYPE = fuse, FINALFUNC = _fuse_final);
CREATE TABLE hashes AS SELECT raw_fuse(i) AS h FROM generate_series(1, 1000000) i));
	call('h::bytea::fuse', 2 * (1000000 >> 16), 'hashes');
	call('combine(h)', 2 * (1000000 >> 16) + (1000000 >> 15), 'hashes');
}

# histograms of other systems: counts of 0, packed and one by one
$node->safe_psql(
	'postgres', q(
CREATE TABLE histograms AS
SELECT '\x42858080011280808001'::bytea || zeros AS packed, '\x4280808002'::bytea || pairs AS single,
    '\x0a0909ae47e17a14aef03f12858080011280808001'::bytea || zeros AS doubles,
    '\x5a0708001080808001' || '\x6280808001'::bytea || zeros AS spans
FROM (SELECT decode(repeat('00', 2097152), 'hex') AS zeros,
    decode(repeat('1000', 2097152), 'hex') AS pairs) q));
call('ddsketch_from_opentelemetry(packed)', 2097152 >> 16, 'histograms');
call('ddsketch_from_opentelemetry(single)', 2097152 >> 16, 'histograms');
call('ddsketch_from_datadog(doubles)', 262144 >> 16, 'histograms');
call('ddsketch_from_prometheus(spans)', 2097152 >> 16, 'histograms');

# aggregates of sketches, besides what the executor does at each row; one alone passes through
call('bloom_merge_agg(f)', 2 * $f, 'large, generate_series(1, 2)');
call('bloom_merge_agg(sparse)', 3 * $sparse, 'large, generate_series(1, 2)');
call('cms_merge_agg(c)', 3 * $counters, 'large, generate_series(1, 2)');
call('cms_merge_agg(scattered)', 1.99 * $scattered, 'large, generate_series(1, 2)');
call('topk_merge_agg(t)', 2 * $texts, 'large, generate_series(1, 2)');

# states that are combined, as those of parallel workers are: of counters, of positions with
# bits, of positions, of items; so often, when each of the loops polled
$node->safe_psql(
	'postgres', q(
SELECT format('CREATE AGGREGATE raw_%1$s("any", %2$s) (SFUNC = %3$s, STYPE = %1$s);
    CREATE AGGREGATE combine(%1$s) (SFUNC = %1$s_merge, STYPE = %1$s, FINALFUNC = _%1$s_final)',
    type, rest, aggtransfn::regproc)
FROM (VALUES ('bloom', 'double precision'), ('cms', 'double precision, double precision'),
    ('topk', 'integer')) v (type, rest)
JOIN pg_aggregate ON aggfnoid = format('%s_agg("any", %s)', type, rest)::regprocedure \gexec
));
foreach my $states (
	[ 'raw_cms(i, 0.000005, 0.01) AS s FROM generate_series(1, 300000) i GROUP BY i % 2', 2858 ],
	[ 'raw_bloom(i, 4000000) AS s FROM generate_series(1, 260000) i GROUP BY i > 200000 '
		. 'ORDER BY i > 200000',
		4847 ],
	[ 'raw_bloom(i, 20000000) AS s FROM generate_series(1, 200000) i GROUP BY i % 2', 3042 ],
	[ 'raw_topk(i, 1000) AS s FROM generate_series(1, 30000) i GROUP BY i % 2', 57 ])
{
	my ($rows, $floor) = @$states;
	my $from = "(SELECT $rows) q";
	interrupted("states of $rows", $floor, "SELECT combine(s) IS NULL FROM $from",
		"SELECT (SELECT md5(combine(s)::text) FROM $from)");
}

# pages of an index that nothing is in yet: each when it is written
$node->safe_psql(
	'postgres', q(
CREATE TABLE empty (k int);
CREATE INDEX empty_k ON empty USING existence (k) WITH (capacity = 1000000)));
interrupted('empty pages of an index', 150, 'REINDEX INDEX empty_k',
	q(SELECT pg_relation_size('empty_k')));

# rows before and after an UPDATE of the source of a rollup, besides what the executor does: each
{
	$node->safe_psql('postgres', q(
CREATE TABLE plain AS SELECT i AS a, i AS b FROM generate_series(1, 50000) i;
CREATE TABLE source (LIKE plain);
SELECT probds_create_rollup('sums', 'SELECT a % 3 AS a, count(*) AS n FROM source GROUP BY 1');
INSERT INTO source TABLE plain));
	my ($plain, $source) = map { $node->safe_psql('postgres',
		"SELECT test_polls('UPDATE $_ SET b = 0')") } 'plain', 'source';
	cmp_ok($source - $plain, '>=', 50000, 'rows that are compared: polls');
}

# --- a sketch in a variable -----------------------------------------------------------------
# Where the error is caught the variable lives on: as it was before the call, and good for
# more.
foreach my $type ('hll', 'bloom', 'cms', 'topk')
{
	my $empty = "${type}_empty(" . ($type eq 'bloom' ? 1000000 : '') . ')';
	$node->safe_psql(
		'postgres', qq(
CREATE OR REPLACE FUNCTION kept() RETURNS bool LANGUAGE plpgsql AS \$\$
DECLARE
    s $type := $empty;
    before text;
    canceled bool := false;
    list int[] := (SELECT shorter FROM large);
BEGIN
    FOR i IN 1..100 LOOP
        s := ${type}_add(s, i);
    END LOOP;
    before := s::text;
    BEGIN
        s := ${type}_add_all(s, list);
    EXCEPTION WHEN query_canceled THEN
        canceled := true;
    END;
    IF canceled THEN
        IF s::text <> before THEN
            RAISE EXCEPTION 'changed';
        END IF;
        s := ${type}_add_all(s, list);
    END IF;
    IF s::text::$type <> ${type}_add_all(before::$type, list) THEN
        RAISE EXCEPTION 'not the same';
    END IF;
    RETURN canceled;
END \$\$));
	my $n = $node->safe_psql('postgres', q(SELECT test_polls('SELECT kept()')));
	cmp_ok($n, '>=', 2 * (200000 >> 16), "$type in a variable: $n polls");
	foreach my $at (100, int($n / 8), int($n / 3), $n + 1)
	{
		my ($out, $err) = ('', '');
		$node->psql(
			'postgres', qq(
CREATE TEMP TABLE said AS SELECT kept() WHERE false;
SELECT test_polls('INSERT INTO said SELECT kept()', $at) \\g /dev/null
TABLE said), stdout => \$out, stderr => \$err);
		is("$out$err", $at > $n ? 'f' : 't', "$type in a variable, canceled at $at");
	}
}

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
