# Sketches that are unpacked for many lookups: read in slices for one, unpacked only where
# that pays, within probds.probe_cache_size, and gone with the query.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use Test::More;

use FindBin;
use lib $FindBin::RealBin;
use SketchTypes;

my $node = PostgreSQL::Test::Cluster->new('unpack');
$node->init;
$node->append_conf('postgresql.conf',
	"jit = off\nautovacuum = off\nmax_parallel_workers_per_gather = 0\nfsync = off");
$node->start;

# kept() runs a query and says how many bytes call sites keep while it runs
SketchTypes::create_buffers($node, 'postgres');
$node->safe_psql(
	'postgres', q(
CREATE FUNCTION kept(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    rows refcursor;
    bytes bigint;
BEGIN
    OPEN rows FOR EXECUTE query;
    MOVE FORWARD ALL IN rows;
    SELECT coalesce(sum(total_bytes), 0) INTO bytes FROM pg_backend_memory_contexts
    WHERE name = 'probds stored sketches';
    CLOSE rows;
    RETURN bytes;
END
$$;

CREATE TABLE filter AS SELECT counting_bloom_agg(i, 1000000) AS s FROM generate_series(1, 200000) i;
CREATE TABLE sketch AS SELECT cms_agg(i, 0.000003, 0.01) AS s FROM generate_series(1, 300000) i;
CREATE TABLE many AS SELECT g AS id, counting_bloom_agg(i, 5000) AS s
FROM generate_series(1, 5000000) i, LATERAL (SELECT i % 1000 AS g) q GROUP BY g;
VACUUM ANALYZE;
));

my %one = ('counting_bloom_contains(s, 7)' => 'filter', 'counting_bloom_count(s, 7)' => 'filter',
	'cms_frequency(s, 7)' => 'sketch');
foreach my $call (sort keys %one)
{
	my $query = "SELECT buffers('SELECT $call FROM $one{$call}')";
	my ($first, $again) = split /\n/, $node->safe_psql('postgres', "$query;\n$query");
	my $whole = $node->safe_psql('postgres',
		"SELECT buffers('SELECT md5(s::bytea) FROM $one{$call}')");
	# each of the segments of a cms takes an entry of the directory and some bytes
	cmp_ok($again, '<', 45, "$call reads a few of $whole buffers: $again");
	cmp_ok($whole, '>', 100, 'of many');
}

{
	sub kept
	{
		my ($query, $setting) = @_;
		return $node->safe_psql('postgres', 'SET probds.probe_cache_size = ' . ($setting // -1)
			. "; SET enable_material = off; SELECT kept(\$q\$$query\$q\$);");
	}
	my ($stored, $filter, $counters) = split /\|/,
		$node->safe_psql('postgres',
		'SELECT (SELECT sum(length(s::bytea)) FROM many), length(s::bytea), '
		. '(counting_bloom_info(s)).counters FROM filter');
	my $ask = 'SELECT counting_bloom_count(s, i) FROM filter, generate_series(1, %d) i';

	cmp_ok(kept(sprintf($ask, 3)), '<', 100_000,
		'three lookups keep nothing of a filter but its head');
	my $some = kept(sprintf($ask, 1000));
	ok($some > $filter && $some < $filter + 100_000, "a thousand keep its bytes: $some of $filter");
	my $all = kept(sprintf($ask, 100000));
	ok($all > $counters / 2 && $all < $counters / 2 + 100_000, "many keep its counters: $all of "
		. $counters / 2);
	$all = kept('SELECT s @> i FROM filter, generate_series(1, 100000) i');
	ok($all > $counters / 8 && $all < $counters / 8 + 100_000,
		"and its bits, if no more is wanted: $all of " . $counters / 8);
	cmp_ok(kept(sprintf($ask, 100000), 4000), '<', 4_200_000, 'within the setting: only the bytes');
	cmp_ok(kept('SELECT (f).s @> i FROM (SELECT f FROM filter f OFFSET 0) q, '
		. 'generate_series(1, 100000) i', 1000), '<', 200_000, 'or nothing');

	# a thousand filters of 5,000 values, ten lookups in each: one filter after the other, or in
	# turn
	cmp_ok(kept('SELECT counting_bloom_count(s, id + 1000 * i) '
		. 'FROM many, generate_series(1, 10) i'), '<', 1.5 * $stored,
		'a thousand filters with ten lookups each are not unpacked');
	cmp_ok(kept('SELECT counting_bloom_count(s, id + 1000 * i) FROM generate_series(1, 10) i, '
		. 'many'), '<', 1.5 * $stored, 'nor in turn');
	my $unpacked = kept('SELECT counting_bloom_count(s, id + 1000 * i) '
		. 'FROM many, generate_series(1, 300) i');
	cmp_ok($unpacked, '>', 2 * $stored, "with 300 each they are: $unpacked of $stored");
	cmp_ok(kept('SELECT counting_bloom_count(s, id + 1000 * i) '
		. 'FROM many, generate_series(1, 300) i', 10000), '<', 13_000_000, 'as many as fit');
	is($node->safe_psql('postgres', q(BEGIN;
		SELECT kept('SELECT s @> i FROM filter, generate_series(1, 100000) i') > 1000000;
		SELECT coalesce(sum(total_bytes), 0) FROM pg_backend_memory_contexts
		WHERE name = 'probds stored sketches';)), "t\n0", 'nothing is kept longer than the query');
}
is($node->safe_psql('postgres',
	'SELECT count(*) FROM many, generate_series(1, 300) i '
	. 'WHERE counting_bloom_count(s, id + 1000 * i) = 0'), '0', 'and no value is missed');

$node->stop;
done_testing();
