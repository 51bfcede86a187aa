# doc/format.md is right: a second implementation that follows that page, in
# Python, reads and writes the same bytes, and gives the same answers.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $python = 'python3';
my ($out, $err);
# (it dies where there is no such program)
eval { IPC::Run::run([ $python, '-c', 'import decimal, sys; sys.exit(sys.version_info < (3, 9))' ],
	'>', \$out, '2>', \$err) }
  or plan skip_all => 'python3 (3.9 or later) with its standard library is not here';

my $node = PostgreSQL::Test::Cluster->new('format');
# in another encoding other texts would be valid
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->start;
$node->safe_psql(
	'postgres', q(
CREATE EXTENSION probds;
CREATE FUNCTION accepted(b bytea, type regtype) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    same boolean;
BEGIN
    -- what is accepted is written in the one way there is
    EXECUTE format('SELECT $1::%s::bytea = $1', type) INTO STRICT same USING b;
    RETURN same;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END
$$;
));

# Compares both implementations of a type: the lines of a check, bytes that are no sketch, and
# every change of one bit of the payloads that a query gives. In long payloads only some bits
# are changed. Byte 2, the kind, is left alone, because any change of it makes another valid
# sketch. So is the hash family, because a decoder only knows its own
sub agree
{
	my ($type, $query, $payloads, @bad) = @_;
	my $decoder = "test/interop/${type}_decode.py";
	my $lines = join("\n", (map { $node->safe_psql('postgres', $_) } @$query),
		map { "bad\t$_" } @bad);

	is( $node->safe_psql(
			'postgres', "SELECT x FROM unnest('{" . join(',', @bad)
				. "}'::text[]) x WHERE accepted(decode(x, 'hex'), '$type')"),
		'', "$type: the server refuses the bad ones");
	ok(IPC::Run::run([ $python, $decoder, '--check' ], '<', \"$lines\n", '>', \$out, '2>', \$err),
		"$type: all agree")
	  or diag($err);
	foreach my $line (split /\n/, $out)
	{
		my ($ok, $name) = $line =~ /^(ok|not ok) - (.*)$/ or next;
		ok($ok eq 'ok', "$type: $name");
	}

	my @flipped = split /\n/, $node->safe_psql(
		'postgres', qq(
SELECT accepted(f, '$type') || ' ' || encode(f, 'hex')
FROM ($payloads) x(b), generate_series(0, 8 * length(b) - 1, CASE WHEN length(b) > 400 THEN 11
    ELSE 1 END) bit, LATERAL (SELECT set_bit(b, bit, 1 - get_bit(b, bit)) AS f) y
WHERE get_byte(f, 2) = get_byte(b, 2) AND get_byte(f, 1) / 16 = get_byte(b, 1) / 16));
	my @refused = map { /^false (.*)/ ? "bad\t$1" : () } @flipped;
	cmp_ok(scalar(@refused), '>', 100, "$type: the server refuses changed bits");
	my $refused = join("\n", @refused, '');
	IPC::Run::run([ $python, $decoder, '--check' ], '<', \$refused, '>', \$out, '2>', \$err);
	my @differ = grep { /^not ok/ } split /\n/, $out;
	is(scalar(@differ), 0, "$type: both refuse the same changed bits")
		or diag(join("\n", splice(@differ, 0, 10)));

	# and accept the others, written in the one way there is
	my @accepted = map { /^true (.*)/ ? $1 : () } @flipped;
	cmp_ok(scalar(@accepted), '>', 100, "$type: the server accepts some");
	my $script = "import sys; sys.path.insert(0, 'test/interop'); import ${type}_decode as d; "
	  . 'print(sum(d.encode(d.decode(bytes.fromhex(l.strip()))) == bytes.fromhex(l.strip()) for l '
	  	. 'in sys.stdin))';
	IPC::Run::run([ $python, '-B', '-c', $script ], '<', \(join("\n", @accepted, '')), '>', \$out,
		'2>', \$err);
	is($out, scalar(@accepted) . "\n", "$type: both accept the same changed bits") or diag($err);
	return;
}

# ---------- hll ----------

# Sketches around the switch between the encodings, and from none to many values
$node->safe_psql(
	'postgres', q(
CREATE TABLE h AS
SELECT kind, p, n, CASE WHEN n = 0 THEN hll_empty(p)
    WHEN kind = 'int' THEN (SELECT hll_agg(i, p) FROM generate_series(1, n) i)
    WHEN kind = 'text' THEN (SELECT hll_agg('value ' || i, p) FROM generate_series(1, n) i)
    WHEN kind = 'record' THEN (SELECT hll_agg(ROW(i, 'value ' || i), p)
        FROM generate_series(1, n) i)
    ELSE (SELECT hll_agg(int4range(i, i + 2), p) FROM generate_series(1, n) i) END AS s
FROM generate_series(4, 18) p, unnest('{int,text,record,range}'::text[]) kind,
    LATERAL (SELECT 3 << (p - 4) AS most) q,
    LATERAL (SELECT DISTINCT n
        FROM unnest(ARRAY[0, 1, 2, 3, 5, 20, 1000, most - 1, most, most + 1, 8 * most]) n
        WHERE n <= 12288) r
WHERE kind = 'int' OR p IN (4, 11, 14) AND (n < 3000 OR kind = 'text');
-- whose small cells have ranks
INSERT INTO h SELECT 'int', p, n, (SELECT hll_agg(i, p) FROM generate_series(1, n) i)
FROM unnest(ARRAY[16, 18]) p, unnest(ARRAY[4000, 8000]) n;
-- whose registers are all far from 0
INSERT INTO h SELECT 'int', 10, 60000, hll_agg(i, 10) FROM generate_series(1, 60000) i;
));
agree(
	'hll',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, n, p, encode(s::bytea, 'hex'), #s) FROM h
			ORDER BY kind, p, n),
		# 4-byte integers of postgresql-hll
		q(
SELECT concat_ws(E'\t', 'values', 'int32', n, p, encode(s::bytea, 'hex'), #s)
FROM unnest(ARRAY[4, 11, 18]) p, unnest(ARRAY[0, 1, 40, 700]) n,
    LATERAL (SELECT hll_add_all(hll_from_storage_v1(hll_to_storage_v1(hll_empty(p)), 'integer'),
        ARRAY(SELECT generate_series(1, n))) AS s) q
ORDER BY p, n),
		q(
SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode((a.s || b.s)::bytea, 'hex'))
FROM h a, h b
WHERE a.kind = 'int' AND b.kind = 'int' AND a.p IN (4, 8, 12) AND b.p IN (8, 12, 14)
    AND a.n IN (2, 20, 48, 1000, 6144) AND b.n IN (0, 3, 768, 769, 1000)
ORDER BY a.p, b.p, a.n, b.n),
		# what the two have in common is not the whole of one: shifted ranges
		q(
SELECT concat_ws(E'\t', 'union', encode(a::bytea, 'hex'), encode(b::bytea, 'hex'),
    encode((a || b)::bytea, 'hex'))
FROM (SELECT (SELECT hll_agg(i, p) FROM generate_series(1, n) i) AS a,
    (SELECT hll_agg(i, q) FROM generate_series(n / 2, 2 * n) i) AS b
    FROM unnest(ARRAY[5, 12, 16]) p, unnest(ARRAY[10, 12]) q,
        unnest(ARRAY[4, 300, 700, 3000]) n) x),
		q(
SELECT concat_ws(E'\t', 'reduce', encode(s::bytea, 'hex'), p - 3,
    encode(hll_reduce(s, p - 3)::bytea, 'hex')) FROM h WHERE p IN (7, 11, 15, 18) AND kind = 'int'
ORDER BY p, n),
	],
	q(SELECT s::bytea FROM h WHERE kind = 'int' AND (p, n) IN ((4, 2), (4, 20), (6, 1000), (12, 20),
		(18, 20)) OR kind = 'record' AND (p, n) IN ((4, 2), (4, 20))),
	qw(
	  110114 110114aabb 110114aabbccdd 110114aabbccdd0e 1101190e012a111704
	  	110119aabbccdd0e012a111704 11011b0e012a111704 1101200e012a111704 1101990e012a111704
	  	11000114aabbccdd0e 1100140e
	  110000 1100000e00 1200000e 11f0000e 1100010e 1101000e 11000003 11000013 1103010e
	  	110f010e0e0000000000
	  1101010e 1101010e00 1101010e012a1117 1101010e012a11170400 1101010e012a11170c
	  	1101010e81002a111704
	  11020104 1102010400 110201040000100000000000 1102010400010f01000000000000
	  	110201040101108000000000 11020104003d10
	));

# ---------- bloom ----------
# Filters of one block and of many, in both layouts, from nothing to overfilled. Sizes are on
# both sides of every switch: of the encoding, of one segment to many, of 4,096 bits
$node->safe_psql(
	'postgres', q(
CREATE TABLE b AS
SELECT kind, capacity, rate, layout, n,
    coalesce(CASE kind WHEN 'int' THEN (SELECT bloom_agg(i, capacity, rate, layout)
    FROM generate_series(1, n) i)
    WHEN 'text' THEN (SELECT bloom_agg('value ' || i, capacity, rate, layout)
        FROM generate_series(1, n) i)
    WHEN 'record' THEN (SELECT bloom_agg(ROW(i, 'value ' || i), capacity, rate, layout)
        FROM generate_series(1, n) i)
    ELSE (SELECT bloom_agg(int4range(i, i + 2), capacity, rate, layout)
        FROM generate_series(1, n) i) END, bloom_empty(capacity, rate, layout)) AS s
FROM unnest('{int,text,record,range}'::text[]) kind,
    unnest('{1,5,60,426,427,3000,100000}'::int[]) capacity,
    unnest('{0.5,0.01,0.0001}'::float8[]) rate,
    unnest('{blocked,classic}'::text[]) layout, unnest('{0,1,2,9,60,500,4000}'::int[]) n
WHERE kind = 'int' OR rate = 0.01;
INSERT INTO b SELECT 'int', 2000000, 0.01, layout, n,
    (SELECT bloom_agg(i, 2000000, 0.01, layout) FROM generate_series(1, n) i)
FROM unnest('{blocked,classic}'::text[]) layout, unnest('{1,80,81,90,5000}'::int[]) n;
));
agree(
	'bloom',
	[
		q(
SELECT concat_ws(E'\t', 'size', c, rate, layout, bits, hashes)
FROM generate_series(1, 64) x, LATERAL (SELECT unnest(ARRAY[x, 7 * x])) y(c),
    unnest('{0.999,0.9,0.5,0.3,0.0999,0.01,0.001,1e-5,1e-9}'::float8[]) rate,
    unnest('{blocked,classic}'::text[]) layout, bloom_size(c, rate, layout)),
		q(SELECT concat_ws(E'\t', 'values', kind, n, capacity, rate, layout,
			encode(s::bytea, 'hex'), bloom_cardinality(s)) FROM b ORDER BY kind, capacity, rate,
			layout, n),
		(
			map {
				my ($name, $operator) = @$_;
				qq(
SELECT concat_ws(E'\\t', '$name', encode(a::bytea, 'hex'), encode(b::bytea, 'hex'),
    encode((a $operator b)::bytea, 'hex'))
FROM (SELECT (SELECT bloom_agg(i, c, 0.02, layout) FROM generate_series(1, n) i) AS a,
    (SELECT bloom_agg(i, c + 1, 0.02, layout) FROM generate_series(n - 2, m) i) AS b
    FROM unnest(ARRAY[10, 300, 20000]) c, unnest('{blocked,classic}'::text[]) layout,
        unnest(ARRAY[3, 30, 700]) n, unnest(ARRAY[4, 800, 3000]) m) x
WHERE (bloom_info(a)).bits = (bloom_info(b)).bits AND b IS NOT NULL)
			} [ 'union', '||' ], [ 'intersect', '&' ]),
		q(
SELECT concat_ws(E'\t', 'contains', kind, encode(s::bytea, 'hex'), i, CASE kind
    WHEN 'int' THEN s @> i WHEN 'text' THEN s @> ('value ' || i)
    WHEN 'record' THEN s @> ROW(i, 'value ' || i) ELSE s @> int4range(i, i + 2) END)
FROM b, unnest(ARRAY[1, 7, 400, 4001, 5001]) i WHERE n > 0 AND capacity < 100000 AND rate > 0.001
ORDER BY kind, capacity, layout, n, i),
	],
	q(SELECT s::bytea FROM b
		WHERE kind = 'int'
		AND ((capacity, rate, n) IN ((60, 0.01, 2), (60, 0.5, 60), (427, 0.01, 9), (3000, 0.01, 1),
		(100000, 0.01, 9), (5, 0.0001, 9)) OR capacity = 2000000 AND n = 81) OR kind = 'record'
		AND (capacity, rate, n) IN ((60, 0.01, 2), (60, 0.01, 60))),
	qw(
	  210114 210114aabbccdd 210114aabbccdd85 210119850364 21011b850364 212214aabbccdd000002070100
	  2100 220000850364 212000850364 210301850364 210f01850364000000000000 210118850364 210001850364
	  	210100850364010100
	  210000000064 210000a51f64 210000850300 2100008503e400 210000850380808080808080808001
	  	2100008503904e 210000858364070f
	  210000858364000f 210000858364290f 2100008583640700 21000085836407c0ffffffff7f 2100008583640741
	  	21000085036400 210101850364000100
	  2101018503647901ff 210101850364050200 2101018503640501 210201850364ffff
	  	21020185030a01000000000000000000000000000000
	  21020185030affffffffffffffffffffffffffffffff00
	));

# ---------- cms ----------
# Sketches of few counters and of many, in every encoding, plain and conservative
$node->safe_psql(
	'postgres', q(
CREATE TABLE c AS
SELECT kind, n, factor, e, d, conservative, coalesce(CASE WHEN conservative THEN CASE kind
    WHEN 'int' THEN (SELECT cms_agg_conservative_weighted(i % 1000, 1 + i * factor, e, d ORDER BY i)
    FROM generate_series(1, n) i)
        ELSE (SELECT cms_agg_conservative_weighted('value ' || i % 1000, 1 + i * factor, e,
            d ORDER BY i)
            FROM generate_series(1, n) i) END
    WHEN kind = 'int' THEN (SELECT cms_agg_weighted(i % 1000, 1 + i * factor, e, d)
        FROM generate_series(1, n) i)
    WHEN kind = 'text' THEN (SELECT cms_agg_weighted('value ' || i % 1000, 1 + i * factor, e, d)
        FROM generate_series(1, n) i)
    WHEN kind = 'record' THEN (SELECT cms_agg_weighted(ROW(i % 1000, 'value ' || i % 1000),
        1 + i * factor,
        e, d) FROM generate_series(1, n) i)
    ELSE (SELECT cms_agg_weighted(int4range(i % 1000, i % 1000 + 2), 1 + i * factor, e, d)
        FROM generate_series(1, n) i) END, cms_empty(e, d, conservative)) AS s
FROM unnest('{int,text,record,range}'::text[]) kind, unnest('{0,1,2,9,60,500,3000}'::int[]) n,
    unnest('{0,3,1000,100000000000}'::bigint[]) factor,
    (VALUES (0.999, 0.999), (0.5, 0.2), (0.0123, 0.0456), (0.001, 0.01), (0.0001, 1e-5)) p(e, d),
        unnest('{f,t}'::boolean[]) conservative
WHERE kind = 'int' OR e = 0.0123 AND (kind = 'text' OR NOT conservative AND n > 0);
));
agree(
	'cms',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, n, factor, e, d, conservative,
			encode(s::bytea, 'hex')) FROM c ORDER BY kind, e, d, conservative, factor, n),
		q(
SELECT concat_ws(E'\t', 'values', 'int', 0, 0, e, d, 'f', encode(cms_empty(e, d)::bytea, 'hex'))
FROM unnest('{0.998,0.9,0.367,0.368,0.1,0.0999,0.0123,1e-5,2.5e-7}'::numeric[]) e,
    unnest('{0.998,0.367,0.368,0.135,0.136,0.1,0.0498,0.0497,0.01,2.06e-9,2.07e-9,1e-9}'::numeric[])
    d
WHERE e > 1e-6 OR d > 0.1),
		q(
SELECT concat_ws(E'\t', x, encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'), CASE x
    WHEN 'union' THEN encode((a.s || b.s)::bytea, 'hex')
    WHEN 'product' THEN cms_inner_product(a.s, b.s)::text END)
FROM c a JOIN c b USING (kind, e, d, conservative), unnest('{union,product}'::text[]) x
WHERE kind = 'int' AND a.n IN (2, 60, 3000) AND b.n IN (0, 9, 500) AND a.factor IN (0, 1000)
    AND b.factor IN (3, 100000000000) AND e > 0.0001 AND NOT (conservative AND x = 'product')),
		q(
SELECT concat_ws(E'\t', 'subtract', encode((a.s || b.s)::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode(cms_subtract(a.s || b.s, b.s)::bytea, 'hex'))
FROM c a JOIN c b USING (kind, e, d, conservative) WHERE kind = 'int' AND NOT conservative
    AND a.n IN (0, 9, 500) AND b.n IN (2, 3000) AND a.factor = 3 AND b.factor IN (0, 1000)),
		q(
SELECT concat_ws(E'\t', 'frequency', kind, encode(s::bytea, 'hex'), i, CASE kind
    WHEN 'int' THEN s -> i WHEN 'text' THEN s -> ('value ' || i)
    WHEN 'record' THEN s -> ROW(i, 'value ' || i) ELSE s -> int4range(i, i + 2) END)
FROM c, unnest(ARRAY[1, 7, 400, 4001]) i WHERE n > 0 AND factor IN (3, 1000) ORDER BY kind, e,
    conservative, factor, n, i),
	],
	q(SELECT s::bytea FROM c
		WHERE kind = 'int' AND (e, n, factor) IN ((0.999, 1, 3), (0.5, 1, 1000), (0.5, 60, 3),
		(0.0123, 9, 1000), (0.0123, 60, 0), (0.001, 60, 3), (0.0001, 2, 0)) OR kind = 'record'
		AND (n, factor) IN ((2, 3), (60, 3))),
	qw(
	  310114 310114aabbccdd 310114aabbccdd00 310119000184038403030000000300000000000000010101
	  	31011b000184038403030000000300000000000000010101
	  31 310000000184038403030000 32000000018403840303000000 31100000018403840303000000
	  	31000100018403840303000000 31000002018403840303000000 31000000010000840303000000
	  3100000001a51f840303000000 31000000018403840304000000 31000000028403840303000000
	  	3100000001840384030300000000 310201000184038403030000000000000000000000010101
	  	310201000184038403030000000300000000000080010101
	  310200000184038403030000000300000000000000010101
	  	310201000184038403030000000400000000000000010101
	  	3102010001840384030300000003000000000000000102
	  	31020100018403840303000000030000000000000001010100
	  310201000184038403030000000300000000000000030000
	  	310301000184038403030000000300000000000000010001000100
	  	310601000184038403030000000300000000000000010101
	  	310101000184038403030000000100000000000000000005
	  310101000184038403030000000100000000000000020005 310101000184038403030000000100000000000000
	  	310101000184038403030000000100000000000000013f05
	  	310101000184038403030000000100000000000000010105
	  31010100018403840303000000010000000000000001000500
	  	31010100018403840303000000010000000000000081000005
	  	310101000184038403030000000100000000000000010030
	  	310101000184038403030000000100000000000000010009
	));

# ---------- counting_bloom ----------
# Coded in one segment and in many, of one count and of all, and arrays; after adds alone, and
# with a part of the rows removed again
$node->safe_psql(
	'postgres', q(
CREATE TABLE cb AS
SELECT kind, n, modulus, removed, capacity, rate, layout, CASE WHEN removed = 0 THEN s
    ELSE counting_bloom_subtract(s, less) END AS s
FROM (SELECT kind, n, modulus, removed, capacity, rate, layout,
    coalesce(CASE kind
    WHEN 'int' THEN (SELECT counting_bloom_agg(i % modulus, capacity, rate, layout)
    FROM generate_series(1, n) i)
        WHEN 'text' THEN (SELECT counting_bloom_agg('value ' || i % modulus, capacity, rate, layout)
            FROM generate_series(1, n) i)
        WHEN 'record' THEN (SELECT counting_bloom_agg(ROW(i % modulus, 'value ' || i % modulus),
            capacity, rate, layout) FROM generate_series(1, n) i)
        ELSE (SELECT counting_bloom_agg(int4range(i % modulus, i % modulus + 2), capacity, rate,
            layout) FROM generate_series(1, n) i) END, counting_bloom_empty(capacity, rate, layout))
            AS s,
    CASE WHEN removed > 0 THEN (SELECT counting_bloom_agg(i % modulus, capacity, rate, layout)
        FROM generate_series(1, n) i WHERE i % removed = 0) END AS less
    FROM unnest('{int,text,record,range}'::text[]) kind, unnest('{0,1,2,40,300,1500}'::int[]) n,
        unnest('{7,101,1000}'::int[]) modulus, unnest('{0,3}'::int[]) removed,
        (VALUES (1, 0.3), (5, 0.01), (100, 0.01), (700, 0.001)) p(capacity, rate),
            unnest('{blocked,classic}'::text[]) layout
    WHERE kind = 'int' AND (removed = 0 OR n / modulus < 4 AND capacity >= 100) OR removed = 0
        AND capacity = 100 AND modulus = 101) q;
));
agree(
	'counting_bloom',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, n, modulus, removed, encode(s::bytea, 'hex'))
			FROM cb ORDER BY kind, capacity, layout, n, modulus, removed),
		q(
SELECT concat_ws(E'\t', x, encode(CASE x WHEN 'union' THEN a.s ELSE a.s || b.s END::bytea, 'hex'),
    encode(b.s::bytea, 'hex'),
    encode(CASE x WHEN 'union' THEN a.s || b.s
    ELSE counting_bloom_subtract(a.s || b.s, b.s) END::bytea, 'hex'))
FROM cb a JOIN cb b USING (kind, capacity, rate, layout), unnest('{union,subtract}'::text[]) x
WHERE kind IN ('int', 'record') AND a.n IN (2, 300) AND b.n IN (0, 40, 1500) AND a.modulus = 101
    AND b.modulus IN (101, 7) AND a.removed = 0 AND b.removed = 0 ORDER BY 1),
		q(
SELECT concat_ws(E'\t', 'count', kind, encode(s::bytea, 'hex'), i, CASE kind
    WHEN 'int' THEN counting_bloom_count(s, i)
    WHEN 'text' THEN counting_bloom_count(s, 'value ' || i)
    WHEN 'record' THEN counting_bloom_count(s, ROW(i, 'value ' || i))
        ELSE counting_bloom_count(s, int4range(i, i + 2)) END)
FROM cb, unnest(ARRAY[1, 6, 99, 1001]) i WHERE n > 0 AND modulus = 101 ORDER BY 1),
	],
	q(SELECT s::bytea FROM cb WHERE kind IN ('int', 'record') AND layout = 'blocked' AND removed = 0
		AND (capacity, n, modulus) IN ((1, 1, 7), (1, 40, 7), (5, 40, 101), (5, 300, 101),
		(100, 2, 101), (100, 40, 101), (700, 2, 7))),
	qw(
	  61 610000 61000091 6100009101 610000910101 61000091010101 610000000001 6100009101010002
	  	61000091010101 6100009101010141 610000ff7f010102 62000091010101 6100009101000102
	  	6100009101810001
	  610101910101010201020001aa 6101019101010102010200 61010191010101020102000100
	  	6101019101010102000200 610101910101010201000001 610101910101010201030001
	  	61010191010101020106001101
	  61010191010101020206001207 610101910101010202060007 6101019101010102030e00110107
	  	61010191010101020206001007 610001910101010201020001 610100910101010201020001
	  	612101910101010201020001 610301910101010201020001
	));

# ---------- cuckoo ----------
# Filters below and above their capacity, with few copies and with many
$node->safe_psql(
	'postgres', q(
CREATE TABLE k AS
SELECT kind, n, m, c, r,
    coalesce(CASE kind WHEN 'int' THEN (SELECT cuckoo_agg(i % m, c, r) FROM generate_series(1, n) i)
    WHEN 'text' THEN (SELECT cuckoo_agg('value ' || i % m, c, r) FROM generate_series(1, n) i)
    WHEN 'record' THEN (SELECT cuckoo_agg(ROW(i % m, 'value ' || i % m), c, r)
        FROM generate_series(1, n) i)
    ELSE (SELECT cuckoo_agg(int4range(i % m, i % m + 2), c, r) FROM generate_series(1, n) i) END,
        cuckoo_empty(c, r)) AS s
FROM unnest('{int,text,record,range}'::text[]) kind, unnest('{0,1,2,9,60,500,3000}'::int[]) n,
    unnest('{3,40,400,100000}'::int[]) m,
    (VALUES (1, 0.999), (10, 0.5), (100, 0.0123), (1000, 0.001), (100000, 1e-5),
        (100000000, 1e-9)) p(c, r)
WHERE (kind = 'int' OR c = 1000) AND NOT (c = 100000000 AND n > 60);
));
agree(
	'cuckoo',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, n, m, c, r, encode(s::bytea, 'hex')) FROM k
			ORDER BY kind, c, m, n),
		q(
SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode((a.s || b.s)::bytea, 'hex'))
FROM k a JOIN k b USING (kind, c, r) WHERE kind = 'int' AND a.n IN (2, 60, 3000)
    AND b.n IN (0, 9, 500) AND a.m IN (3, 400) AND b.m IN (40, 100000) AND c BETWEEN 10 AND 1000),
		q(
SELECT concat_ws(E'\t', 'remove', kind, encode(s::bytea, 'hex'), 1,
    encode(CASE kind WHEN 'int' THEN cuckoo_remove(s, 1)
    WHEN 'text' THEN cuckoo_remove(s, 'value 1')
    WHEN 'record' THEN cuckoo_remove(s, ROW(1, 'value 1'))
    ELSE cuckoo_remove(s, int4range(1, 3)) END::bytea, 'hex'))
FROM k WHERE n > 0 ORDER BY kind, c, m, n),
		q(
SELECT concat_ws(E'\t', 'count', kind, encode(s::bytea, 'hex'), i, CASE kind
    WHEN 'int' THEN cuckoo_count(s, i) WHEN 'text' THEN cuckoo_count(s, 'value ' || i)
    WHEN 'record' THEN cuckoo_count(s, ROW(i, 'value ' || i))
    ELSE cuckoo_count(s, int4range(i, i + 2)) END)
FROM k, unnest(ARRAY[1, 7, 390, 4001]) i WHERE n > 0 AND c < 100000 ORDER BY kind, c, m, n, i),
	],
	q(SELECT s::bytea FROM k
		WHERE kind = 'int' AND (c, n, m) IN ((1, 1, 3), (1, 500, 400), (10, 9, 3), (10, 60, 400),
		(100, 60, 40), (100, 500, 400), (1000, 9, 400)) OR kind = 'record'
		AND (n, m) IN ((2, 3), (60, 40))),
	qw(
	  51 5101 520000648503 511000648503 510f00648503 510300648503 510000008503 510000640000
	  	51000064ff7f 510000e4008503 51000064850300 510001648503 51000081808080108503
	  510100648503030017a078593f 510119648503030017a078593f 51011b648503030017a078593f
	  	5101016485030000 51010164850303 510101648503030017a07859 510101648503030017a078593f00
	  	510101648503020017a078593f
	  510101648503040017a078593f 51010164850303010017a078593f 510201648503030017a078593f
	  	51010164850383000017a078593f 5102010a8503030101053ad67f01 5102010a8503030200053ad67f01
	  5101010a8503030100053ad67f01 5102010a850303013f053ad67f01
	));

# ---------- fuse ----------
# Filters of one part and of several, of texts that need another seed too, and states
$node->safe_psql(
	'postgres', q(
CREATE AGGREGATE fuse_state("any", double precision)
    (SFUNC = _fuse_step, STYPE = fuse, COMBINEFUNC = fuse_merge);
CREATE TABLE f AS
SELECT kind, n, r,
    CASE kind WHEN 'int' THEN (SELECT fuse_agg(i, r) FROM generate_series(1, n) i)
    WHEN 'text' THEN (SELECT fuse_agg('value ' || i, r) FROM generate_series(1, n) i)
    WHEN 'record' THEN (SELECT fuse_agg(ROW(i, 'value ' || i), r) FROM generate_series(1, n) i)
    ELSE (SELECT fuse_agg(int4range(i, i + 2), r) FROM generate_series(1, n) i) END AS s
FROM unnest('{int,text,record,range}'::text[]) kind,
    unnest('{1,2,7,8,9,60,61,62,100,130,500,4096,4097,40000}'::int[]) n,
    unnest('{0.999,0.06,0.0123,1e-9}'::float8[]) r
WHERE n <= 500 AND kind = 'int' OR r = 0.0123;
));
agree(
	'fuse',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, n, r, encode(s::bytea, 'hex')) FROM f
			ORDER BY kind, r, n),
		q(
SELECT concat_ws(E'\t', 'hashes', 'int', n, 0.06, encode(s::bytea, 'hex'))
FROM unnest('{1,2,300}'::int[]) n, LATERAL (SELECT fuse_state(i, 0.06) AS s
    FROM generate_series(1, n) i) q),
		q(
SELECT concat_ws(E'\t', 'contains', encode(s::bytea, 'hex'), kind, i, CASE kind
    WHEN 'int' THEN s @> i WHEN 'text' THEN s @> ('value ' || i)
    WHEN 'record' THEN s @> ROW(i, 'value ' || i) ELSE s @> int4range(i, i + 2) END)
FROM f, unnest(ARRAY[1, 7, 61, 390, 4097, 30000, 30001, 30002, 30003, 30004]) i
WHERE n < 10000 ORDER BY kind, r, n, i),
	],
	q(SELECT s::bytea FROM f WHERE n IN (1, 9, 61, 130) AND (kind = 'int' OR kind = 'record')
		UNION ALL SELECT fuse_state(i, 0.06)::bytea FROM generate_series(1, 20) i),
	qw(
	  a1 a1010185 a10001850300 a11000 a10000 a100000000 a10000a51f a101018503 a10101850300
	  a1020185030340000000 a102018503034000000002000e0e0404 a102018503034000000002000e0e04040400
	  	a102018503038000000002000e0e040404 a10201850309400000000200
	  	a1030185030340000000 a1120185030340000000 a1010185030201000000000000000100000000000000
	));

# ---------- topk ----------
# Exact ones and such as have forgotten something, whose texts tell their hashes
# or do not
$node->safe_psql(
	'postgres', q(
CREATE TABLE t AS
SELECT kind, k, c, n, m, w,
    coalesce(CASE kind WHEN 'int' THEN (SELECT topk_agg_weighted(i * i % m,
        CASE WHEN w THEN i ELSE 1 END,
        k, c) FROM generate_series(1, n) i)
    WHEN 'text' THEN (SELECT topk_agg_weighted('value ' || i * i % m,
        CASE WHEN w THEN i ELSE 1 END, k, c)
        FROM generate_series(1, n) i)
    WHEN 'record' THEN (SELECT topk_agg_weighted(ROW(i * i % m, 'value ' || i * i % m),
        CASE WHEN w THEN i
        ELSE 1 END, k, c) FROM generate_series(1, n) i)
    WHEN 'range' THEN (SELECT topk_agg_weighted(int4range(i * i % m, i * i % m + 2),
        CASE WHEN w THEN i
        ELSE 1 END, k, c) FROM generate_series(1, n) i)
    WHEN 'long' THEN (SELECT topk_agg_weighted(repeat(chr(8364), 2000 + i * i % m),
        CASE WHEN w THEN i
        ELSE 1 END, k, c) FROM generate_series(1, n) i)
    ELSE (SELECT topk_agg_weighted(date '2000-01-01' + i * i % m, CASE WHEN w THEN i ELSE 1 END,
        k, c)
        FROM generate_series(1, n) i) END, topk_empty(k, c)) AS s
FROM unnest('{int,text,date,record,range,long}'::text[]) kind,
    (VALUES (1, 2048), (20, 2048), (200, 3200), (1, 1), (20, 40), (20, 5000)) p(k, c),
    unnest('{0,1,2,6,13,14,101,1000,9000}'::int[]) n, unnest('{31,5003,40009}'::int[]) m,
    unnest('{t,f}'::bool[]) w
WHERE CASE kind WHEN 'date' THEN m = 31 WHEN 'long' THEN m = 31 AND k = 20 WHEN 'record' THEN k = 20
    WHEN 'range' THEN k = 20 ELSE m > 31 END;
));
agree(
	'topk',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, k, c, n, m, w, encode(s::bytea, 'hex')) FROM t
			ORDER BY kind, k, c, n, m, w),
		q(
SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode((a.s || b.s)::bytea, 'hex'))
FROM t a, t b WHERE a.kind = b.kind AND a.k = 20 AND b.k = 20 AND a.c = b.c AND a.m < b.m + 1
    AND a.n IN (0, 2, 14, 1000, 9000) AND b.n IN (1, 101, 9000) AND a.w AND NOT b.w
ORDER BY a.kind, a.c, a.m, b.m, a.n, b.n),
		q(
SELECT concat_ws(E'\t', 'fold', encode(s::bytea, 'hex'), 3, 2048,
    encode((s::topk(3))::bytea, 'hex'))
FROM t WHERE k = 200 ORDER BY kind, n, m, w),
		q(
SELECT concat_ws(E'\t', 'fold', encode(s::bytea, 'hex'), 3, 50,
    encode((s::topk(3, 50))::bytea, 'hex'))
FROM t WHERE k = 20 AND c > 50 ORDER BY kind, c, n, m, w),
		q(
SELECT concat_ws(E'\t', 'bounds', kind, encode(s::bytea, 'hex'), i, lower, upper)
FROM (SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i, topk_bounds(s, i) b
    WHERE kind = 'int'
    UNION ALL SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i,
        topk_bounds(s, 'value ' || i) b WHERE kind = 'text'
    UNION ALL SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i,
        topk_bounds(s, ROW(i, 'value ' || i)) b WHERE kind = 'record'
    UNION ALL SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i,
        topk_bounds(s, int4range(i, i + 2)) b WHERE kind = 'range'
    UNION ALL SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i,
        topk_bounds(s, repeat(chr(8364), 2000 + i)) b WHERE kind = 'long'
    UNION ALL SELECT t.*, i, b.lower, b.upper FROM t, unnest(ARRAY[1, 4, 25]) i,
        topk_bounds(s, date '2000-01-01' + i) b WHERE kind = 'date') x
WHERE k = 20 AND n > 0 AND m <> 40009 ORDER BY kind, c, n, m, w, i),
	],
	# the last one has forgotten something, and few items are left of it
	q(SELECT s::bytea FROM t WHERE k = 20 AND c < 5000 AND (n, m) IN ((0, 31), (1, 31), (1, 5003),
		(2, 31), (6, 5003), (13, 5003), (14, 31)) AND kind <> 'long'
		UNION ALL SELECT '\x41010214d836030202140201050001' || 'ab'::bytea),
	qw(
	  410114 410114aabb 410114aabbccdd 410119140100010b01032831290102030405060708
	  	41011b140100010b01032831290102030405060708
	  4100 42000014 41100014 41020014 410f0014000000000000 41011f14010001030103746865 41000114
	  	41010014010001030103746865 41000000 410000914e 4100009400 4100001400
	  41010214000000 4101021480808080808080808001000103ffffffffffffffffff7f03746865 4101021480100200
	  	41010214ff7f00811000 41010214010001040103746865 41010214010001030104746865
	  4101021401000104010374686578 4101021401000204010101016161 41010214010001030203746865
	  	41010214020001030103746865 4101021402000202010100016162 4101021403000202020101016161
	  41010214010001030103740065 410102140100010301037468c3 4101011401000102010230
	  	410105140100010101 4101021481100101010003 41010214010001030003746865
	  410000948004 41000094800413 4100009480048010 41000094800481e209 41000080800464
	  	41000094800464ff 41010294800413010001030003746865
	));

# ---------- minhash ----------
$node->safe_psql(
	'postgres', q(
CREATE TABLE m AS
SELECT kind, p, n,
    coalesce(CASE kind WHEN 'int' THEN (SELECT minhash_agg(i, 1 << p) FROM generate_series(1, n) i)
    WHEN 'text' THEN (SELECT minhash_agg('value ' || i, 1 << p) FROM generate_series(1, n) i)
    WHEN 'record' THEN (SELECT minhash_agg(ROW(i, 'value ' || i), 1 << p)
        FROM generate_series(1, n) i)
    ELSE (SELECT minhash_agg(int4range(i, i + 2), 1 << p) FROM generate_series(1, n) i) END,
        minhash_empty(1 << p)) AS s
FROM unnest('{int,text,record,range}'::text[]) kind, unnest('{4,7,10}'::int[]) p,
    unnest('{0,1,2,3,16,17,100,128,129,1024,1025,5000}'::int[]) n
WHERE CASE kind WHEN 'int' THEN true WHEN 'text' THEN n < 1025 ELSE p = 7 AND n < 130 END;
));
agree(
	'minhash',
	[
		q(SELECT concat_ws(E'\t', 'values', kind, p, n, encode(s::bytea, 'hex')) FROM m
			ORDER BY kind, p, n),
		q(
SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode((a.s || b.s)::bytea, 'hex'))
FROM m a, m b WHERE a.kind = 'text' AND b.kind = 'text' AND a.n IN (0, 3, 17, 129, 1024)
    AND b.n IN (1, 17, 128) ORDER BY a.p, b.p, a.n, b.n),
		q(
SELECT concat_ws(E'\t', 'fold', encode(s::bytea, 'hex'), 5, encode((s::minhash(32))::bytea, 'hex'))
FROM m WHERE p > 4 ORDER BY kind, p, n),
		q(
SELECT concat_ws(E'\t', 'jaccard', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    minhash_jaccard(a.s, b.s))
FROM m a, m b WHERE a.kind = 'int' AND b.kind = 'int' AND a.n > 0 AND b.n > 0 AND a.p <= b.p
ORDER BY a.p, b.p, a.n, b.n),
		q(
SELECT concat_ws(E'\t', 'bands', encode(s::bytea, 'hex'), bands, rows,
    minhash_bands(s, bands, rows))
FROM m, (VALUES (16, 1), (5, 3), (2, 8), (32, 4)) b(bands, rows) WHERE bands * rows <= 1 << p
ORDER BY kind, p, n, bands),
	],
	q(SELECT s::bytea FROM m
		WHERE (p = 4 AND n IN (0, 1, 3, 16, 17, 5000) OR p = 7 AND n IN (3, 17, 129))
		AND kind = 'int'),
	# too short, of another type, version, family, encoding; k; empty with data; no tokens, too many
	qw(
	  810007 8100 82000007 11000007 81100007 81030107 810f010700000000 81010007 81000107 81000003
	  	81000011 8100000700 8101190701954c9d00 810101070081 81010107810100
	  8101010701954c9d0000 8101010701954c9d 81020107 8102010431 81020104000000 810201040000000000
	));

# ---------- scalable_bloom ----------

# Added one by one, over many layers; collected; united; and chains of RedisBloom's family
$node->safe_psql(
	'postgres', q(
CREATE TABLE g AS
SELECT kind, capacity, rate, expansion, n,
    CASE kind
        WHEN 'int' THEN scalable_bloom_add_all(scalable_bloom_empty(capacity, rate, expansion),
        ARRAY(SELECT i FROM generate_series(1, n) i))
        WHEN 'text' THEN scalable_bloom_add_all(scalable_bloom_empty(capacity, rate, expansion),
            ARRAY(SELECT 'value ' || i FROM generate_series(1, n) i))
        WHEN 'record' THEN scalable_bloom_add_all(scalable_bloom_empty(capacity, rate, expansion),
            ARRAY(SELECT ROW(i, 'value ' || i) FROM generate_series(1, n) i))
        ELSE scalable_bloom_add_all(scalable_bloom_empty(capacity, rate, expansion),
            ARRAY(SELECT int4range(i, i + 2) FROM generate_series(1, n) i)) END AS s,
    (SELECT coalesce(scalable_bloom_agg(i, capacity, rate, expansion),
        scalable_bloom_empty(capacity, rate, expansion)) FROM generate_series(1, n) i) AS collected
FROM unnest('{int,text,record,range}'::text[]) kind,
    (VALUES (1, 0.3, 2), (10, 0.01, 2), (100, 0.001, 4), (20, 0.02, 1),
    (1000, 0.01, 2)) p (capacity, rate, expansion),
    unnest('{0,1,2,9,60,500,2500}'::int[]) n
WHERE kind = 'int' OR capacity = 10;
CREATE TABLE r AS
SELECT n,
    scalable_bloom_add_all(scalable_bloom_from_redis(
        '\x0500000000000000010000000500000002000000100000000000000080000000'
        '0000000005000000000000007b14ae47e17a743fe9862fb2350e264008000000'
        '0a00000000000000002ca02b025803482a08e089182a041a04'),
        ARRAY(SELECT 'value ' || i FROM generate_series(1, n) i)) AS s
FROM unnest('{0,20,700}'::int[]) n;
));
agree(
	'scalable_bloom',
	[
		q(SELECT concat_ws(E'\t', 'grown', kind, n, capacity, rate, expansion,
			encode(s::bytea, 'hex')) FROM g ORDER BY kind, capacity, n),
		q(SELECT concat_ws(E'\t', 'collected', kind, n, capacity, rate, expansion,
			encode(collected::bytea, 'hex')) FROM g WHERE kind = 'int' ORDER BY capacity, n),
		q(
SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
    encode((a.s || b.s)::bytea, 'hex'))
FROM (SELECT kind, n, s FROM g UNION ALL SELECT kind, n + 1, collected FROM g WHERE kind = 'int') a,
    (SELECT kind, n, s FROM g UNION ALL SELECT kind, n + 1, collected FROM g WHERE kind = 'int') b
WHERE a.kind = 'int' AND b.kind = 'int' AND a.n IN (0, 9, 10, 500) AND b.n IN (2, 61, 500, 501)),
		q(
SELECT concat_ws(E'\t', 'contains', kind, encode(s::bytea, 'hex'), i, CASE kind
    WHEN 'int' THEN s @> i WHEN 'text' THEN s @> ('value ' || i)
    WHEN 'record' THEN s @> ROW(i, 'value ' || i) ELSE s @> int4range(i, i + 2) END)
FROM g, unnest(ARRAY[1, 7, 400, 4001, 5001]) i WHERE n > 0 AND capacity < 1000 ORDER BY kind,
    capacity, n, i),
		q(SELECT concat_ws(E'\t', 'same', encode(s::bytea, 'hex')) FROM r),
		q(SELECT concat_ws(E'\t', 'asked', encode(s::bytea, 'hex'), v, s @> v)
			FROM r,
			unnest('{foo,bar,value 1,value 20,value 21,value 700,value 701,value 9999}'::text[]) v),
	],
	q(SELECT s::bytea FROM g
		WHERE kind = 'int' AND ((capacity, n) IN ((10, 0), (10, 2), (10, 60), (20, 60), (1000, 9)))
		OR kind = 'record' AND n IN (2, 60)),
	qw(
	  710114 710114aabb 7100008503e807 7100008503e8070200 7200008503e80702 7110008503e80702
	  	7120008503e80702 71000085030002 710000850300 7100000000e80702 7100008503e80700
	  	7100008503e807818002
	  7101018503140200 71010185031402012101 7102018503e80702 710f008503e80702 7100018503e80702
	  	710000ffffe80702
	));

# ---------- ddsketch ----------
$node->safe_psql(
	'postgres', q(
CREATE TABLE dd AS
SELECT what, n, e, b, ddsketch_agg(v) FILTER (WHERE e = 0.01) AS usual,
    ddsketch_agg(v, 0.001, 64) FILTER (WHERE e <> 0.01) AS other, array_agg(v ORDER BY i) AS v
FROM unnest('{0.01,0.001}'::float8[]) e, unnest('{1,2,3,10,100,700}'::int[]) n,
    generate_series(1, n) i, LATERAL (VALUES ('squares', i::float8 * i), ('signs', i - 30.5),
    ('zeros', (i % 5) - 2), ('negative', -i / 7::float8), ('wide', 1.5::float8 ^ (i - 300)),
    ('ends', CASE i % 6 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN '-Infinity'
        WHEN 3 THEN 5e-324 * i WHEN 4 THEN 2 ^ i ELSE 1.7976931348623157e308 END)) w(what, v),
    LATERAL (SELECT 4096 AS b) x
WHERE what <> 'ends' OR n < 700
GROUP BY 1, 2, 3, 4;
CREATE VIEW dds AS SELECT what, n, CASE WHEN e = 0.01 THEN 6 ELSE 9 END AS scale,
    CASE WHEN e = 0.01 THEN 4096 ELSE 64 END AS most, coalesce(usual, other) AS s, v FROM dd;
));
agree(
	'ddsketch',
	[
		q(SELECT concat_ws(E'\t', 'values', scale, most, encode(s::bytea, 'hex'),
			array_to_string(v, E'\t')) FROM dds ORDER BY what, n, scale),
		q(SELECT concat_ws(E'\t', 'union', encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'),
			encode((a.s || b.s)::bytea, 'hex'))
			FROM dds a JOIN dds b ON a.n <= b.n AND b.n < 700
			ORDER BY a.what, b.what, a.n, b.n, a.scale, b.scale LIMIT 300),
		q(SELECT concat_ws(E'\t', 'fold', encode(s::bytea, 'hex'), 3, 50,
			encode((s::ddsketch(0.05, 50))::bytea, 'hex')) FROM dds ORDER BY what, n, scale),
	],
	q(SELECT s::bytea FROM dds WHERE n IN (1, 3, 10) ORDER BY what, n, scale),
	qw(
	  91000010 910000108020ff 92000010802000 910100108020 910002108020 91000010818004 9100001f8020
	  	91010110802000600100000000000000f83f010100 9101021080200060010000000000f83f0101
	  91010110802001600100000000000000f83f0101 91010110802000600200000000000000f83f0101
	  	91010110802000600100000000000000f87f0101
	  	91010110802000200200000000000000f83f000000000000f83f0101
	));

$node->stop;
done_testing();
