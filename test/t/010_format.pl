# doc/format.md is right: a second implementation that follows that page, in
# Python, reads and writes the same bytes, and gives the same answers.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $python = 'python3';
IPC::Run::run([ $python, '-c', 'import sys; sys.exit(sys.version_info < (3, 6))' ], '>', \my $out, '2>', \my $err)
  or plan skip_all => 'python3 is not here';

my $node = PostgreSQL::Test::Cluster->new('format');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# Sketches around the switch between the encodings, and from none to many values
$node->safe_psql(
	'postgres', q(
CREATE TABLE s AS
SELECT kind, p, n, CASE WHEN n = 0 THEN hll_empty(p) WHEN kind = 'int' THEN (SELECT hll_agg(i, p) FROM generate_series(1, n) i)
    ELSE (SELECT hll_agg('value ' || i, p) FROM generate_series(1, n) i) END AS h
FROM generate_series(4, 18) p, unnest('{int,text}'::text[]) kind, LATERAL (SELECT 3 << (p - 4) AS most) q,
    LATERAL (SELECT DISTINCT n FROM unnest(ARRAY[0, 1, 2, 3, 5, 20, 1000, most - 1, most, most + 1, 8 * most]) n WHERE n <= 12288) r
WHERE kind = 'int' OR p IN (4, 11, 14);
-- whose small cells have ranks
INSERT INTO s SELECT 'int', p, n, (SELECT hll_agg(i, p) FROM generate_series(1, n) i) FROM unnest(ARRAY[16, 18]) p, unnest(ARRAY[4000, 8000]) n;
-- whose registers are all far from 0
INSERT INTO s SELECT 'int', 10, 60000, hll_agg(i, 10) FROM generate_series(1, 60000) i;

CREATE FUNCTION accepted(b bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM b::hll;
    RETURN true;
EXCEPTION WHEN OTHERS THEN
    RETURN false;
END
$$;
));
my @bad = qw(
  110000 1100000e00 1200000e 1110000e 1100010e 1101000e 11000003 11000013 1103010e 110f010e0e0000000000
  1101010e 1101010e00 1101010e012a1117 1101010e012a11170400 1101010e012a11170c 1101010e81002a111704
  11020104 1102010400 110201040000100000000000 1102010400010f01000000000000 110201040101108000000000 11020104003d10
);
my $hex = "encode(h::bytea, 'hex')";
my $lines = join(
	"\n",
	$node->safe_psql(
		'postgres',
		"SELECT concat_ws(E'\\t', 'values', kind, n, p, $hex, #h) FROM s ORDER BY kind, p, n"),
	$node->safe_psql(
		'postgres', q(
SELECT concat_ws(E'\t', 'union', encode(a.h::bytea, 'hex'), encode(b.h::bytea, 'hex'), encode((a.h || b.h)::bytea, 'hex'))
FROM s a, s b
WHERE a.kind = 'int' AND b.kind = 'int' AND a.p IN (4, 8, 12) AND b.p IN (8, 12, 14) AND a.n IN (2, 20, 48, 1000, 6144) AND b.n IN (0, 3, 768, 769, 1000)
ORDER BY a.p, b.p, a.n, b.n)),
	# what the two have in common is not the whole of one: shifted ranges
	$node->safe_psql(
		'postgres', q(
SELECT concat_ws(E'\t', 'union', encode(a::bytea, 'hex'), encode(b::bytea, 'hex'), encode((a || b)::bytea, 'hex'))
FROM (SELECT (SELECT hll_agg(i, p) FROM generate_series(1, n) i) AS a, (SELECT hll_agg(i, q) FROM generate_series(n / 2, 2 * n) i) AS b
    FROM unnest(ARRAY[5, 12, 16]) p, unnest(ARRAY[10, 12]) q, unnest(ARRAY[4, 300, 700, 3000]) n) x)),
	$node->safe_psql(
		'postgres', q(
SELECT concat_ws(E'\t', 'reduce', encode(h::bytea, 'hex'), p - 3, encode(hll_reduce(h, p - 3)::bytea, 'hex')) FROM s WHERE p IN (7, 11, 15, 18) AND kind = 'int'
ORDER BY p, n)),
	map { "bad\t$_" } @bad);

# every change of one bit: what one implementation refuses, so does the other
my @flipped = split /\n/, $node->safe_psql(
	'postgres', q(
SELECT accepted(f) || ' ' || encode(f, 'hex')
FROM (SELECT h::bytea AS b FROM s WHERE kind = 'int' AND (p, n) IN ((4, 2), (4, 20), (6, 1000), (12, 20), (18, 20))) x,
    generate_series(0, 8 * length(b) - 1) bit, LATERAL (SELECT set_bit(b, bit, 1 - get_bit(b, bit)) AS f) y
WHERE get_byte(f, 2) = get_byte(b, 2)));
is($node->safe_psql('postgres', "SELECT count(*) FROM unnest('{" . join(',', @bad) . "}'::text[]) x WHERE accepted(decode(x, 'hex'))"),
	'0', 'the server refuses the bad ones');
my @refused = map { /^false (.*)/ ? "bad\t$1" : () } @flipped;
cmp_ok(scalar(@refused), '>', 100, 'the server refuses changed bits');

ok(IPC::Run::run([ $python, 'test/interop/hll_decode.py', '--check' ], '<', \"$lines\n", '>', \$out, '2>', \$err), 'all agree')
  or diag($err);
foreach my $line (split /\n/, $out)
{
	my ($ok, $name) = $line =~ /^(ok|not ok) - (.*)$/ or next;
	ok($ok eq 'ok', $name);
}

my $refused = join("\n", @refused, '');
IPC::Run::run([ $python, 'test/interop/hll_decode.py', '--check' ], '<', \$refused, '>', \$out, '2>', \$err);
my @differ = grep { /^not ok/ } split /\n/, $out;
is(scalar(@differ), 0, 'both refuse the same changed bits') or diag(join("\n", splice(@differ, 0, 10)));

# and accepts the others, written in the one way there is
my @accepted = map { /^true (.*)/ ? $1 : () } @flipped;
cmp_ok(scalar(@accepted), '>', 100, 'the server accepts some');
my $script = 'import sys; sys.path.insert(0, "test/interop"); import hll_decode as d; '
  . 'print(sum(d.encode(d.decode(bytes.fromhex(l.strip()))) == bytes.fromhex(l.strip()) for l in sys.stdin))';
IPC::Run::run([ $python, '-B', '-c', $script ], '<', \(join("\n", @accepted, '')), '>', \$out, '2>', \$err);
is($out, scalar(@accepted) . "\n", 'both accept the same changed bits') or diag($err);

$node->stop;
done_testing();
