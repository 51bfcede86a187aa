# Every function, aggregate, operator and type of the extension is described in
# doc/.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $doc = join("\n", map { slurp_file($_) } glob('doc/*.md doc/recipes/*.md'));
ok($doc ne '', 'there is a doc/ folder');

my $node = PostgreSQL::Test::Cluster->new('docs');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# What a user calls; functions behind types, operators, casts, aggregates and
# operator classes are reached by those, and some say that they are internal
my $functions = $node->safe_psql(
	'postgres', q(
SELECT DISTINCT p.proname
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
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
WHERE d.classid = 'pg_operator'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds')
ORDER BY 1));
$node->stop;

foreach my $name (split /\n/, $functions)
{
	ok($doc =~ qr/\b\Q$name\E\b/, "doc/ describes $name");
}
foreach my $name (split /\n/, $operators)
{
	my $in_table = $name =~ s/\|/\\|/gr;
	ok($doc =~ /`[^`\n]*\Q$name\E[^`\n]*`/ || $doc =~ /`[^`\n]*\Q$in_table\E[^`\n]*`/, "doc/ shows the operator $name");
}

done_testing();
