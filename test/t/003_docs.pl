# Every function, aggregate, operator, type and setting of the extension is described in
# doc/; the kinds, test vectors and signatures of doc/hashing.md are those of the server.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $doc = join("\n", map { slurp_file($_) } glob('doc/*.md doc/recipes/*.md'));
ok($doc ne '', 'there is a doc/ folder');

my $node = PostgreSQL::Test::Cluster->new('docs');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# What a user calls; functions behind types, operators, casts, aggregates and
# operator classes are reached by those, and some say that they are internal
my $functions = $node->safe_psql(
	'postgres', q(
SELECT DISTINCT p.proname
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
    AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds')
    AND NOT EXISTS (SELECT FROM pg_type t
        WHERE p.oid IN (t.typinput, t.typoutput, t.typreceive, t.typsend, t.typmodin, t.typmodout))
    AND NOT EXISTS (SELECT FROM pg_aggregate a
        WHERE p.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
            a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn))
    AND NOT EXISTS (SELECT FROM pg_cast c WHERE c.castfunc = p.oid)
    AND NOT EXISTS (SELECT FROM pg_amproc a WHERE a.amproc = p.oid)
    AND NOT EXISTS (SELECT FROM pg_operator o WHERE o.oprcode = p.oid
        AND o.oprname IN ('=', '<>', '*<', '*<=', '*>', '*>='))
    AND NOT EXISTS (SELECT FROM pg_proc s WHERE s.prosupport = p.oid)
    AND coalesce(obj_description(p.oid, 'pg_proc'), '') NOT LIKE 'internal:%'
ORDER BY 1));
my $operators = $node->safe_psql(
	'postgres', q(
SELECT DISTINCT o.oprname
FROM pg_depend d JOIN pg_operator o ON o.oid = d.objid
WHERE d.classid = 'pg_operator'::regclass AND d.refclassid = 'pg_extension'::regclass
    AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds')
ORDER BY 1));
my $settings = $node->safe_psql('postgres', q(LOAD 'probds'; SELECT name FROM pg_settings
    WHERE name LIKE 'probds.%'));
my $types = $node->safe_psql('postgres', q(
SELECT t.typname FROM pg_depend d JOIN pg_type t ON d.classid = 'pg_type'::regclass
    AND t.oid = d.objid
    AND coalesce(obj_description(t.oid, 'pg_type'), '') NOT LIKE 'internal:%'
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND t.typelem = 0
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds')));

foreach my $name (split(/\n/, $settings), split(/\n/, $types))
{
	ok($doc =~ qr/`\Q$name\E`/, "doc/ describes $name");
}
foreach my $name (split /\n/, $functions)
{
	ok($doc =~ qr/\b\Q$name\E\b/, "doc/ describes $name");
}
foreach my $name (split /\n/, $operators)
{
	my $in_table = $name =~ s/\|/\\|/gr;
	ok($doc =~ /`[^`\n]*\Q$name\E[^`\n]*`/ || $doc =~ /`[^`\n]*\Q$in_table\E[^`\n]*`/,
		"doc/ shows the operator $name");
}

# ---------- the hash contract ----------

my $hashing = slurp_file('doc/hashing.md');
my ($names) = slurp_file('src/base/kind.h') =~ /names\[\] = \{(.*?)\};/s;
my @names = $names =~ /"([^"]*)"/g;
cmp_ok(scalar(@names), '>', 20, 'kinds have names');
foreach my $code (1 .. $#names)
{
	ok($hashing =~ /^\| $code \Q$names[$code]\E\b/m, "hashing.md has the kind $code $names[$code]");
}

$node->safe_psql('postgres', q(
CREATE TYPE mood AS ENUM ('bad', 'ok');
CREATE FUNCTION h1(canonical bytea) RETURNS bigint LANGUAGE sql AS $$
    SELECT ('x' || string_agg(lpad(to_hex(get_byte(murmur3_x64_128(canonical), i)), 2, '0'), ''
        ORDER BY i DESC))::bit(64)::bigint
    FROM generate_series(0, 7) i
$$));
my $citext = !$node->psql('postgres', 'CREATE EXTENSION citext; CREATE EXTENSION probds_citext',
	on_error_stop => 1);
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');
my $vectors = 0;
while ($hashing =~ /^\| `?([^|`]+)`? \| `([^|]*)` \| (?:`([0-9a-f]*)`|\(none\)) \| (-?\d+) \|$/mg)
{
	my ($type, $value, $canonical, $hash) = ($1, $2, $3 // '', $4);
	next if $type eq 'interval' && $value =~ /infinity/ && $version < 170000 || $type eq 'citext'
		&& !$citext;
	is($node->safe_psql('postgres', "SELECT probds_hash($value), h1('\\x$canonical')"),
		"$hash|$hash", "hashing.md: $type $value");
	$vectors++;
}
cmp_ok($vectors, '>', 50, 'there are test vectors');

# code, description (in pieces: hexadecimal bytes, a name, or a zero byte), signature
my $signatures = 0;
while ($hashing
	=~ /^\| [^|]+ \| [^|]+ \| \d+ \| ([^|]*`[^|]*|as of the row: [^|]*) \| ([0-9a-f]{8}) \|$/mg)
{
	my ($description, $signature) = ($1, $2);
	my $bytes = '';
	while ($description =~ /`([^`]*)`|\b(00)\b/g)
	{
		my $piece = $1 // $2;
		$bytes .= $piece =~ /^(?:[0-9a-f]{2})+(?: (?:[0-9a-f]{2})+)*$/ ? $piece =~ s/ //gr
			: unpack('H*', $piece);
	}
	# its lowest byte first
	is($node->safe_psql('postgres',
		"SELECT encode(substr(murmur3_x64_128('\\x$bytes'), 1, 4), 'hex')"),
		join('', reverse $signature =~ /../g), "hashing.md: the signature $signature");
	$signatures++;
}
cmp_ok($signatures, '>', 10, 'there are signatures');
$node->stop;

done_testing();
