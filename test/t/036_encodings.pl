# Text is hashed and kept in UTF-8, whatever the database's encoding. Sketches that were built
# in another encoding have the same bytes as in UTF8, and a dump that is restored into UTF8
# keeps its answers.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SketchTypes;
use Test::More;

# of each encoding some words, with characters of several lengths in UTF-8, as literals in ASCII
my %words = (
	LATIN1 => [ 'E\'\u00e9\'', 'E\'\u00e9t\u00e9\'', 'E\'Stra\u00dfe\'', 'E\'\u00fc\'',
		'\'plain\'' ],
	WIN1251 => [ 'E\'\u0434\'', 'E\'\u0436\u0443\u043a\'', 'E\'\u20ac\'', 'E\'\u2116 1\'',
		'\'plain\'' ],
	EUC_JP => [ 'E\'\u65e5\u672c\'', 'E\'\u3042\'', 'E\'\uff76\'', 'E\'\u30c6\u30b9\u30c8\'',
		'\'plain\'' ]);

# what is made of a word w: the types that have text in them
my %values = (
	text => 'w', varchar => 'w::varchar(20)', 'char' => 'w::char(20)', name => 'w::name',
		enum => 'w::mood', domain => 'w::word', array => 'ARRAY[w, \'b\', NULL]',
	enums => 'ARRAY[w::mood]', record => 'ROW(length(w), w)', range => 'wordrange(w, w, \'[]\')',
	# keys of an object are ordered by length and then by bytes, which differs
	jsonb => 'jsonb_build_object(w, 1.50, \'ab\', w, w || w, jsonb_build_array(w, true), \'abc\', '
		. '1, \'a\' || w, jsonb_build_object(w, w, \'b\', w))',
	# longer than topk keeps
	long => 'repeat(w, 3000)');
my @values = sort keys %values;

my %types;
my @types;

# words, and a table of sketches of them, with a column for each type
sub make_tables
{
	my ($node, $db, $labels) = @_;

	$node->safe_psql(
		$db, qq(
CREATE EXTENSION probds;
CREATE TYPE mood AS ENUM ($labels);
CREATE DOMAIN word AS varchar(20);
CREATE TYPE wordrange AS RANGE (subtype = text, collation = "C");
CREATE TABLE words AS SELECT w::text FROM unnest(ARRAY[$labels]) w;
));
	%types = SketchTypes::sketch_types($node, $db);
	# what takes numbers only has no text in it
	@types = grep { !SketchTypes::numbers($types{$_}) } SketchTypes::growing(\%types);
	$node->safe_psql(
		$db,
		'CREATE TABLE kept (value text, ' . join(', ', map { "$_ $_" } @types) . ");\n" . join(
			'',
			map {
				my $v = "(SELECT $values{$_} AS v FROM words) q";
				"INSERT INTO kept SELECT '$_', "
					. join(', ', map { SketchTypes::agg($types{$_}, 'v', 'usual') } @types)
					. " FROM $v;\n"
				  # all at once
				  . ($_ =~ /array|enums/ ? '' : "INSERT INTO kept SELECT '$_, added', "
				  	. join(', ', map { "${_}_add_all(${_}_empty($types{$_}{usual}), a)" } @types)
				  	. " FROM (SELECT array_agg(v) AS a FROM $v) q;\n")
			} @values));
}

# How many words are found in the sketches of each type, by a column, and how many are in them
sub counts
{
	my ($node, $db) = @_;

	return $node->safe_psql(
		$db,
		join(
			"\n",
			map {
				my $value = $_;
				map { "SELECT '$value in $_', count(*) FILTER (WHERE $types{$_}{holds}), "
					. "($types{$_}{number})::int FROM (SELECT $_ AS s, $values{$value} AS v "
					. "FROM kept, words WHERE value = '$value') q GROUP BY s;" } @types
			} @values));
}

# What counts() says if no word is lost
sub all_found
{
	return join("\n", map { my $value = $_; map { "$value in $_|5|5" } @types } @values);
}

# All sketches of a table as bytes
sub digest
{
	my ($node, $db) = @_;

	return $node->safe_psql($db, "SELECT md5(string_agg(value || ' ' || concat_ws(' ', "
		. join(', ', map { "$_\::text" } @types)
		. "), ',' ORDER BY value COLLATE \"C\")) FROM kept");
}

# of an expression over s and v, with others for them
sub filled_in
{
	my ($expression, $s, $v) = @_;

	return $expression =~ s/\bs\b/$s/gr =~ s/\bv\b/$v/gr;
}

# the items of a sketch, by the hexadecimal digits of their bytes in the database's encoding
my $items = "SELECT string_agg(encode(convert_to(item, getdatabaseencoding()), 'hex'), ' ' "
	. "ORDER BY item COLLATE \"C\") FROM kept, topk_items(topk) WHERE value = ";

my $node = PostgreSQL::Test::Cluster->new('encodings');
$node->init;
$node->start;
# what psql sends is ASCII
$ENV{PGCLIENTENCODING} = 'UTF8';
my $dir = PostgreSQL::Test::Utils::tempdir;

sub new_database
{
	my ($name, $encoding) = @_;
	$node->safe_psql('postgres',
		"CREATE DATABASE $name ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE "
		. "template0");
}

foreach my $encoding (sort keys %words)
{
	my $from = lc($encoding);
	my $labels = join(', ', @{ $words{$encoding} });

	new_database($from, $encoding);
	make_tables($node, $from, $labels);
	is($node->safe_psql($from, 'SHOW server_encoding; SELECT count(DISTINCT w) FROM words'),
		"$encoding\n5", "$encoding: five words");
	is(counts($node, $from), all_found(), "$encoding: found where they were added");
	my @asked =
		map { my $n = $_;
		filled_in($types{ $types[$n] }{holds}, $types[$n], ${ $words{$encoding} }[$n % 5]) } 0 ..
		$#types;
	is($node->safe_psql($from, 'SELECT count(*) FILTER (WHERE ' . join(' AND ', @asked)
		. ") FROM kept WHERE value IN ('text', 'enum')"), '2', "$encoding: by literals");

	# the same sketches, built in UTF8
	my $built = "${from}_built";
	new_database($built, 'UTF8');
	make_tables($node, $built, $labels);
	is(digest($node, $built), digest($node, $from), "$encoding: the same bytes as in UTF8");
	is($node->safe_psql($built,
		'SELECT sum(probds_hash(w)), sum(probds_hash(w::mood)), sum(probds_hash(ROW(w))) '
		. 'FROM words'),
		$node->safe_psql($from,
			'SELECT sum(probds_hash(w)), sum(probds_hash(w::mood)), sum(probds_hash(ROW(w))) '
			. 'FROM words'), "$encoding: and the same hashes");

	# dumped, and restored into UTF8
	foreach my $format ('plain', 'custom')
	{
		my $to = "${from}_$format";
		new_database($to, 'UTF8');
		$node->command_ok([ 'pg_dump', '-F', $format, '-d', $node->connstr($from), '-f',
			"$dir/$to" ], "$encoding: pg_dump, $format");
		$node->command_ok(
			$format eq 'plain'
			? [ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($to), '-f',
				"$dir/$to" ]
			: [ 'pg_restore', '--exit-on-error', '-d', $node->connstr($to), "$dir/$to" ],
			"$encoding: restored into UTF8, $format");
		is(counts($node, $to), all_found(), "$encoding: found after that, $format");
		is(digest($node, $to), digest($node, $from), "$encoding: the same bytes, $format");
	}
	# a union of sketches from both
	$node->safe_psql($from, "COPY kept TO '$dir/$from.copy' (FORMAT binary)");
	my @united = map { "came.$_ || kept.$_ = kept.$_ || kept.$_"
		. ($types{$_}{counts} eq 'true' ? '' : " AND came.$_ || kept.$_ = kept.$_") } @types;
	is($node->safe_psql($built, "CREATE TABLE came (LIKE kept); COPY came
		FROM '$dir/$from.copy' (FORMAT binary);
SELECT bool_and(" . join(' AND ', @united) . ') FROM came JOIN kept USING (value)'), 't',
	"$encoding: unions with those built in UTF8");

	# items come back in the encoding of the database
	foreach my $value ('text', 'enum', 'jsonb', 'record')
	{
		my $want = "SELECT string_agg(encode(convert_to(item, getdatabaseencoding()), 'hex'), ' ' "
			. "ORDER BY item COLLATE \"C\") FROM (SELECT ($values{$value})::text AS item "
			. "FROM words) q";
		# (the keys of a document are in the order that they have in UTF-8)
		my $documents = 'LATERAL (SELECT item::jsonb::text AS item FROM topk_items(topk)) q';
		my $got = $value eq 'jsonb' ? $items =~ s/topk_items\(topk\)/$documents/r : $items;
		is( $node->safe_psql($_, "$got '$value'"),
			$node->safe_psql($_, $want), "$encoding: items of $value in $_")
			foreach ($from, $built);
	}
	is( $node->safe_psql($from,
		"SELECT (SELECT count(*) FROM jsonb_array_elements(j) e JOIN words ON e ->> 'item' = w) "
		. "FROM (SELECT approx_top_k(w, 5) AS j FROM words) q"),
		'5', "$encoding: items as JSON");
	# cut behind 4,096 bytes of UTF-8
	is( $node->safe_psql($from,
		"SELECT bool_and(left(item, -4) = left(repeat(w, 3000), length(item) - 4) "
		. "AND octet_length(convert_to(left(item, -4), 'UTF8')) BETWEEN 4093 AND 4096 "
		. "AND right(item, 4) = ' ...') FROM kept, topk_items(topk) JOIN words ON left(item, "
		. "length(w)) = w AND item !~ '^plain' WHERE value = 'long' AND length(w) > 1"),
		't', "$encoding: long texts are cut by their bytes in UTF-8");
}
is($node->safe_psql('latin1',
	"SELECT encode(convert_to(item, 'LATIN1'), 'hex') "
	. "FROM topk_items(topk_add(topk_empty(), E'\\u00e9'))"), 'e9', 'LATIN1: one byte');

# strings under a nondeterministic collation, which ICU knows: its keys are of no encoding
my %kinds;
foreach my $db ('latin1', 'latin1_built')
{
	my ($out, $err) = ('', '');
	$node->psql($db,
		"CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
		stdout => \$out, stderr => \$err);
	next if $err ne '';
	$kinds{$db} = $node->safe_psql($db,
		"SELECT hll_agg(w COLLATE ci), bloom_add(bloom_empty(9), E'\\u00e9' COLLATE ci) \@> "
		. "E'\\u00c9' COLLATE ci FROM words");
}
SKIP:
{
	skip 'this server has no nondeterministic collations', 2 if keys %kinds < 2;
	like($kinds{latin1}, qr/\|t$/, 'a letter of either case, in LATIN1');
	is($kinds{latin1}, $kinds{latin1_built}, 'and the same sketch in UTF8');
}

# a character that the encoding lacks: in the sketch, but not to be had
my $topk = $node->safe_psql('euc_jp', "SELECT topk_agg(w, 5) FROM words");
is($node->safe_psql('latin1',
	"SELECT topk_total('$topk'), '$topk'::topk -> 'plain', '$topk'::topk || "
	. "topk_agg('plain'::text, 5) -> 'plain'"), '5|1|2', 'items of another encoding are counted');
foreach my $query ("SELECT count(*) FROM topk_items('$topk')",
	"CREATE AGGREGATE merged_json (topk) (SFUNC = topk_merge, STYPE = topk, "
	. "FINALFUNC = _topk_final_json); SELECT merged_json('$topk')")
{
	my ($out, $err) = ('', '');
	$node->psql('latin1', "\\set VERBOSITY verbose\n$query", stdout => \$out, stderr => \$err);
	like($err,
		qr/ERROR:[ ]{2}22P05:[ ]character[ ]with[ ]byte[ ]sequence[ ](?:0x\w\w[ ]){3}
			in[ ]encoding[ ]"UTF8"[ ]has[ ]no[ ]equivalent[ ]in[ ]encoding[ ]"LATIN1"/x,
		'and the error names what is missing');
}

# SQL_ASCII: bytes of no known encoding stay as they are
new_database('ascii', 'SQL_ASCII');
$node->safe_psql('ascii', 'CREATE EXTENSION probds');
{
	local $ENV{PGCLIENTENCODING} = 'SQL_ASCII';
	is( $node->safe_psql('ascii', q(SELECT bloom_agg(convert_from(b, 'SQL_ASCII'), 9),
		topk_agg(convert_from(b, 'SQL_ASCII'), 9) FROM (VALUES ('\xc3a9'::bytea), ('\x61')) q(b))),
		$node->safe_psql('latin1', q(SELECT bloom_agg(t, 9), topk_agg(t, 9)
			FROM (VALUES (E'\u00e9'), ('a')) q(t))), 'SQL_ASCII: UTF-8 in it is UTF-8');
	$topk = $node->safe_psql('ascii', q(SELECT topk_agg(convert_from('\xe9', 'SQL_ASCII'), 9)));
	is($node->safe_psql('ascii',
		"SELECT encode(convert_to(item, 'SQL_ASCII'), 'hex'), frequency "
		. "FROM topk_items('$topk')"), 'e9|1', 'SQL_ASCII: other bytes come back');
}
my ($out, $err) = ('', '');
$node->psql('latin1', "SELECT '$topk'::topk", stdout => \$out, stderr => \$err);
like($err, qr/invalid input syntax for type topk: .*A text in it is not valid UTF-8/s,
	'but are no text elsewhere');

$node->stop;
done_testing();
