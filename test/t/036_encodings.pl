# Text is hashed and kept in UTF-8, whatever the database's encoding: sketches that were
# built in one are the same bytes as those built in UTF8, and a dump that is restored into
# UTF8 keeps its answers.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# of each encoding some words, with characters of several lengths in UTF-8, as literals in ASCII
my %words = (
	LATIN1 => [ 'E\'\u00e9\'', 'E\'\u00e9t\u00e9\'', 'E\'Stra\u00dfe\'', 'E\'\u00fc\'', '\'plain\'' ],
	WIN1251 => [ 'E\'\u0434\'', 'E\'\u0436\u0443\u043a\'', 'E\'\u20ac\'', 'E\'\u2116 1\'', '\'plain\'' ],
	EUC_JP => [ 'E\'\u65e5\u672c\'', 'E\'\u3042\'', 'E\'\uff76\'', 'E\'\u30c6\u30b9\u30c8\'', '\'plain\'' ]);

# what is made of a word w: the types that have text in them
my %values = (
	text => 'w', varchar => 'w::varchar(20)', 'char' => 'w::char(20)', name => 'w::name', enum => 'w::mood', domain => 'w::word', array => 'ARRAY[w, \'b\', NULL]',
	enums => 'ARRAY[w::mood]', record => 'ROW(length(w), w)', range => 'wordrange(w, w, \'[]\')',
	# the order of the keys of an object is that of their bytes, shorter ones first, which differs
	jsonb => 'jsonb_build_object(w, 1.50, \'ab\', w, w || w, jsonb_build_array(w, true), \'abc\', 1, \'a\' || w, jsonb_build_object(w, w, \'b\', w))',
	# longer than topk keeps
	long => 'repeat(w, 3000)');
my @values = sort keys %values;

# a table of words, and one of sketches of them
my @columns = qw(h b c k u g s m);
my $aggregates = 'hll_agg(v), bloom_agg(v, 100), cms_agg(v), topk_agg(v, 5), cuckoo_agg(v, 100), counting_bloom_agg(v, 100), scalable_bloom_agg(v), minhash_agg(v)';

sub table
{
	my ($name) = @_;
	return "CREATE TABLE $name (value text, h hll, b bloom, c cms, k topk, u cuckoo, g counting_bloom, s scalable_bloom, m minhash);\n" . join('', map {
			my $v = "(SELECT $values{$_} AS v FROM words) q";
			"INSERT INTO $name SELECT '$_', $aggregates FROM $v;\n"
			  # one by one, and all at once
			  . ($_ =~ /array|enums/ ? '' : "INSERT INTO $name (value, b, u, g, s, m) SELECT '$_, added', bloom_add_all(bloom_empty(100), a), cuckoo_add_all(cuckoo_empty(100), a), counting_bloom_add_all(counting_bloom_empty(100), a), scalable_bloom_add_all(scalable_bloom_empty(), a), minhash_add_all(minhash_empty(), a) FROM (SELECT array_agg(v) AS a FROM $v) q;\n")
		} @values);
}
# How many words are found in each sketch, by a column and by a literal
my $count = 'SELECT ' . join(', ', map {
		my $v = "(SELECT $values{$_} AS v FROM words) q";
		"(SELECT count(*) FILTER (WHERE b @> v) + count(*) FILTER (WHERE c -> v = 1) + count(*) FILTER (WHERE k -> v = 1) + (#h)
		  + count(*) FILTER (WHERE cuckoo_count(u, v) = 1) + count(*) FILTER (WHERE counting_bloom_count(g, v) = 1) + count(*) FILTER (WHERE s @> v) + (#m)
		FROM kept, $v WHERE value = '$_' GROUP BY h, m)"
	} @values) . ';';
my $counts = join('|', (40) x @values);
# All sketches of a table as bytes
my $bytes = "SELECT md5(string_agg(value || ' ' || concat_ws(' ', " . join(', ', map { "${_}::text" } @columns) . "), ',' ORDER BY value COLLATE \"C\")) FROM ";
# the items of a sketch, by the hexadecimal digits of their bytes in the database's encoding
my $items = "SELECT string_agg(encode(convert_to(item, getdatabaseencoding()), 'hex'), ' ' ORDER BY item COLLATE \"C\") FROM kept, topk_items(k) WHERE value = ";

my $node = PostgreSQL::Test::Cluster->new('encodings');
$node->init;
$node->start;
# what psql sends is ASCII
$ENV{PGCLIENTENCODING} = 'UTF8';
my $dir = PostgreSQL::Test::Utils::tempdir;

sub new_database
{
	my ($name, $encoding) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
}

foreach my $encoding (sort keys %words)
{
	my $from = lc($encoding);
	my $labels = join(', ', @{ $words{$encoding} });

	new_database($from, $encoding);
	$node->safe_psql(
		$from, qq(
CREATE EXTENSION probds;
CREATE TYPE mood AS ENUM ($labels);
CREATE DOMAIN word AS varchar(20);
CREATE TYPE wordrange AS RANGE (subtype = text, collation = "C");
CREATE TABLE words AS SELECT w::text FROM unnest(ARRAY[$labels]) w;
) . table('kept'));
	is($node->safe_psql($from, 'SHOW server_encoding; SELECT count(DISTINCT w) FROM words'), "$encoding\n5", "$encoding: five words");
	is($node->safe_psql($from, $count), $counts, "$encoding: found where they were added");
	is($node->safe_psql($from, "SELECT bool_and(b \@> w AND hll_add(h, w) = h AND u \@> w AND g \@> w AND s \@> w AND minhash_add(m, w) = m) FROM kept, words WHERE value = 'text'"), 't', "$encoding: again");
	my @asked = ("b \@> ${$words{$encoding}}[0]", "c -> ${$words{$encoding}}[1] = 1", "k -> ${$words{$encoding}}[2] = 1", "hll_add(h, ${$words{$encoding}}[3]) = h",
		"u \@> ${$words{$encoding}}[0]", "g \@> ${$words{$encoding}}[1]", "s \@> ${$words{$encoding}}[2]", "minhash_add(m, ${$words{$encoding}}[3]) = m");
	is($node->safe_psql($from, 'SELECT count(*) FILTER (WHERE ' . join(' AND ', @asked) . ") FROM kept WHERE value IN ('text', 'enum')"), '2', "$encoding: by literals");

	# the same sketches, built in UTF8
	my $built = "${from}_built";
	new_database($built, 'UTF8');
	$node->safe_psql(
		$built, qq(
CREATE EXTENSION probds;
CREATE TYPE mood AS ENUM ($labels);
CREATE DOMAIN word AS varchar(20);
CREATE TYPE wordrange AS RANGE (subtype = text, collation = "C");
CREATE TABLE words AS SELECT w::text FROM unnest(ARRAY[$labels]) w;
) . table('kept'));
	is($node->safe_psql($built, "$bytes kept"), $node->safe_psql($from, "$bytes kept"), "$encoding: the same bytes as in UTF8");
	is($node->safe_psql($built, 'SELECT sum(probds_hash(w)), sum(probds_hash(w::mood)), sum(probds_hash(ROW(w))) FROM words'),
		$node->safe_psql($from, 'SELECT sum(probds_hash(w)), sum(probds_hash(w::mood)), sum(probds_hash(ROW(w))) FROM words'), "$encoding: and the same hashes");

	# dumped, and restored into UTF8
	foreach my $format ('plain', 'custom')
	{
		my $to = "${from}_$format";
		new_database($to, 'UTF8');
		$node->command_ok([ 'pg_dump', '-F', $format, '-d', $node->connstr($from), '-f', "$dir/$to" ], "$encoding: pg_dump, $format");
		$node->command_ok(
			$format eq 'plain'
			? [ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($to), '-f', "$dir/$to" ]
			: [ 'pg_restore', '--exit-on-error', '-d', $node->connstr($to), "$dir/$to" ],
			"$encoding: restored into UTF8, $format");
		is($node->safe_psql($to, $count), $counts, "$encoding: found after that, $format");
		is($node->safe_psql($to, "$bytes kept"), $node->safe_psql($from, "$bytes kept"), "$encoding: the same bytes, $format");
	}
	# a union of sketches from both
	$node->safe_psql($from, "COPY kept TO '$dir/$from.copy' (FORMAT binary)");
	is($node->safe_psql($built, "CREATE TABLE came (LIKE kept); COPY came FROM '$dir/$from.copy' (FORMAT binary);
SELECT bool_and(came.h || kept.h = kept.h AND came.b || kept.b = kept.b AND cms_total(came.c || kept.c) = 10 AND topk_total(came.k || kept.k) = 10
	AND counting_bloom_subtract(came.g || kept.g, came.g) = kept.g AND (cuckoo_info(came.u || kept.u)).copies = 10 AND came.s || kept.s = kept.s AND minhash_jaccard(came.m, kept.m) = 1) FROM came JOIN kept USING (value)"),
		't', "$encoding: unions with those built in UTF8");

	# items come back in the encoding of the database
	foreach my $value ('text', 'enum', 'jsonb', 'record')
	{
		my $want = "SELECT string_agg(encode(convert_to(item, getdatabaseencoding()), 'hex'), ' ' ORDER BY item COLLATE \"C\") FROM (SELECT ($values{$value})::text AS item FROM words) q";
		# (the keys of a document are in the order that they have in UTF-8)
		is($node->safe_psql($_, $value eq 'jsonb' ? ($items =~ s/topk_items\(k\)/LATERAL (SELECT item::jsonb::text AS item FROM topk_items(k)) q/r) . "'$value'" : "$items '$value'"), $node->safe_psql($_, $want), "$encoding: items of $value in $_") foreach ($from, $built);
	}
	is( $node->safe_psql($from, "SELECT (SELECT count(*) FROM jsonb_array_elements(j) e JOIN words ON e ->> 'item' = w) FROM (SELECT approx_top_k(w, 5) AS j FROM words) q"),
		'5', "$encoding: items as JSON");
	# cut behind 4,096 bytes of UTF-8
	is( $node->safe_psql($from, "SELECT bool_and(left(item, -4) = left(repeat(w, 3000), length(item) - 4) AND octet_length(convert_to(left(item, -4), 'UTF8')) BETWEEN 4093 AND 4096 AND right(item, 4) = ' ...') FROM kept, topk_items(k) JOIN words ON left(item, length(w)) = w AND item !~ '^plain' WHERE value = 'long' AND length(w) > 1"),
		't', "$encoding: long texts are cut by their bytes in UTF-8");
}
is($node->safe_psql('latin1', "SELECT encode(convert_to(item, 'LATIN1'), 'hex') FROM topk_items(topk_add(topk_empty(), E'\\u00e9'))"), 'e9', 'LATIN1: one byte');

# strings under a nondeterministic collation, which ICU knows: its keys are of no encoding
my %kinds;
foreach my $db ('latin1', 'latin1_built')
{
	my ($out, $err) = ('', '');
	$node->psql($db, "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)", stdout => \$out, stderr => \$err);
	next if $err ne '';
	$kinds{$db} = $node->safe_psql($db, "SELECT hll_agg(w COLLATE ci), bloom_add(bloom_empty(9), E'\\u00e9' COLLATE ci) \@> E'\\u00c9' COLLATE ci FROM words");
}
SKIP:
{
	skip 'this server has no nondeterministic collations', 2 if keys %kinds < 2;
	like($kinds{latin1}, qr/\|t$/, 'a letter of either case, in LATIN1');
	is($kinds{latin1}, $kinds{latin1_built}, 'and the same sketch in UTF8');
}

# a character that the encoding lacks: in the sketch, but not to be had
my $topk = $node->safe_psql('euc_jp', "SELECT topk_agg(w, 5) FROM words");
is($node->safe_psql('latin1', "SELECT topk_total('$topk'), '$topk'::topk -> 'plain', '$topk'::topk || topk_agg('plain'::text, 5) -> 'plain'"), '5|1|2', 'items of another encoding are counted');
foreach my $query ("SELECT count(*) FROM topk_items('$topk')", "CREATE AGGREGATE merged_json (topk) (SFUNC = topk_merge_step, STYPE = topk, FINALFUNC = topk_final_json); SELECT merged_json('$topk')")
{
	my ($out, $err) = ('', '');
	$node->psql('latin1', "\\set VERBOSITY verbose\n$query", stdout => \$out, stderr => \$err);
	like($err, qr/ERROR:  22P05: character with byte sequence 0x\w\w 0x\w\w 0x\w\w in encoding "UTF8" has no equivalent in encoding "LATIN1"/, 'and the error names what is missing');
}

# SQL_ASCII: bytes of no known encoding stay as they are
new_database('ascii', 'SQL_ASCII');
$node->safe_psql('ascii', 'CREATE EXTENSION probds');
{
	local $ENV{PGCLIENTENCODING} = 'SQL_ASCII';
	is( $node->safe_psql('ascii', q(SELECT bloom_agg(convert_from(b, 'SQL_ASCII'), 9), topk_agg(convert_from(b, 'SQL_ASCII'), 9) FROM (VALUES ('\xc3a9'::bytea), ('\x61')) q(b))),
		$node->safe_psql('latin1', q(SELECT bloom_agg(t, 9), topk_agg(t, 9) FROM (VALUES (E'\u00e9'), ('a')) q(t))), 'SQL_ASCII: UTF-8 in it is UTF-8');
	$topk = $node->safe_psql('ascii', q(SELECT topk_agg(convert_from('\xe9', 'SQL_ASCII'), 9)));
	is($node->safe_psql('ascii', "SELECT encode(convert_to(item, 'SQL_ASCII'), 'hex'), frequency FROM topk_items('$topk')"), 'e9|1', 'SQL_ASCII: other bytes come back');
}
my ($out, $err) = ('', '');
$node->psql('latin1', "SELECT '$topk'::topk", stdout => \$out, stderr => \$err);
like($err, qr/invalid input syntax for type topk: .*A text in it is not valid UTF-8/s, 'but are no text elsewhere');

$node->stop;
done_testing();
