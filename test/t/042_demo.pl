# The page that demo/run --html writes: well-formed, needs no other file, shows what was counted,
# and nothing of a log gets into it as anything but text.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('demo');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->start;
my $folder = PostgreSQL::Test::Utils::tempdir;

# report(DATABASE, STORY, ROWS): what the demo writes over these rows
sub report
{
	my ($database, $story, $table, $rows) = @_;
	my $html = "$folder/$database.html";
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE EXTENSION probds; CREATE TABLE $table; $rows");
	command_ok(
		[
			'psql', '-X', '-q', '-At', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($database),
			'-v', "html=$html", '-v', 'heading=A <heading> & more', '-v', "origin=it's \"this\"",
			map { ('-f', "demo/$_.sql") } "names_$story", qw(demo seen top ordinary sizes report)
		],
		"$database: the demo runs");
	my $text = slurp_file($html);
	utf8::decode($text);
	return $text;
}

# What is wrong with a text as XML, '' if nothing.  The page has no CDATA, and comments neither
sub wrong
{
	my ($text) = @_;
	my @open;
	$text =~ s/^<!DOCTYPE html>\n// or return 'no DOCTYPE';
	return "a character that XML does not know"
		if $text =~ /[^\t\n\r\x{20}-\x{d7ff}\x{e000}-\x{fffd}\x{10000}-\x{10ffff}]/;
	while ($text =~ /\G(?:([^<&]+) | (&(?:lt|gt|amp|quot);)
			| <(\/?)([a-z][a-z0-9]*)((?:[ ][a-zA-Z:-]+="[^<"]*")*)(\/?)> | (.))/gsx)
	{
		my ($close, $tag, $attributes, $empty, $other) = ($3, $4, $5, $6, $7);
		return "at '" . substr($text, pos($text) - 1, 60) . "'" if defined $other;
		next unless defined $tag;
		my %seen;
		$seen{$1}++ && return "<$tag> has $1 twice" while $attributes =~ / ([a-zA-Z:-]+)=/g;
		return "<$tag$attributes>: an entity" if $attributes =~ /&(?!(?:lt|gt|amp|quot);)/;
		if ($close) { return "</$tag> closes <" . ($open[-1] // '') . '>'
			if (pop(@open) // '') ne $tag }
		elsif (!$empty) { push @open, $tag }
	}
	return "@open are not closed" if @open;
	return '';
}

# A page is too long to be printed when something is missing
sub has { return ok($_[0] =~ $_[1], $_[2]) }
sub lacks { return ok($_[0] !~ $_[1], $_[2]) }

# checks(NAME, HTML): what holds for every report
sub checks
{
	my ($name, $html) = @_;
	is(wrong($html), '', "$name: well-formed");
	my $namespaces = $html =~ s{ xmlns="http://www\.w3\.org/1999/xhtml"}{}r;
	lacks($namespaces,
		qr{https?:|\bsrc=|\bhref=|url\(|\@import|<(?:script|link|iframe|object)|<[^>]*\bon\w+=}i,
		"$name: needs nothing else, runs nothing");
	has($html, qr{<meta name="viewport" content="width=device-width}, "$name: fits a phone");
	has($html, qr{<h1>A &lt;heading&gt; &amp; more</h1>\n<p>it's &quot;this&quot;</p>},
		"$name: heading and origin");
	lacks($html, qr/NaN|Infinity|="-|#####/, "$name: no figure that is none");
	return;
}

isnt(wrong("<!DOCTYPE html>\n<p><b></p></b>"), '', 'tags that cross are found');
isnt(wrong("<!DOCTYPE html>\n<p>a & b</p>"), '', 'a bare & is found');
isnt(wrong("<!DOCTYPE html>\n<p>"), '', 'an open tag is found');
isnt(wrong("<!DOCTYPE html>\n<p a=\"1\" a=\"2\"/>"), '',
	'an attribute that is there twice is found');

my $log = report('log', 'log', 'hits (day date, visitor text, bytes bigint)', q(
INSERT INTO hits SELECT date '2026-02-20' + i % 20, 'visitor ' || i * i % 7001, i % 10000
FROM generate_series(1, 46000) i;
INSERT INTO hits SELECT date '2026-02-20', v FROM generate_series(1, 500),
    (VALUES ('<script>alert(1)</script>'), ('" onload="x'), ('a&b'), (E'bell\007 and \ue000\uffff'),
        ('</table>')) v (v);
));
checks('log', $log);
foreach my $day (split /\n/,
	$node->safe_psql('log', 'SELECT day, count(DISTINCT visitor) FROM hits GROUP BY day'))
{
	my ($date, $n) = split /\|/, $day;
	$n =~ s/(?<=\d)(?=\d{3}$)/,/;
	has($log, qr{<th scope="row">$date</th>.*?<td class="n">$n</td>}, "the $date has $n");
}
has($log, qr{<th scope="row">&lt;script&gt;alert\(1\)&lt;/script&gt;</th>},
	'a visitor that is a script is a text');
has($log, qr{<th scope="row">bell\? and \x{e000}\?</th>},
	'characters that XML does not know are "?"');
has($log, qr{<b>48,500</b><span>rows}, 'the number of rows');
has($log, qr{month</th>.*2026-02.*2026-03}s, 'months');
is(() = $log =~ /<figure>/g, 3, 'three figures');
foreach my $p ([ 'p50, the median', '50' ], [ 'p95', '95' ], [ 'p99', '99' ])
{
	my ($name, $share) = @$p;
	my ($exact, $estimate) = $log =~
		m{<th scope="row">\Q$name\E</th>.*?<td class="n">([\d,]+)</td><td class="n">([\d,]+)</td>};
	$_ = ($_ // '') =~ s/,//gr || 0 for $exact, $estimate;
	is($exact, $node->safe_psql('log',
			"SELECT percentile_disc(0.$share) WITHIN GROUP (ORDER BY bytes) FROM hits"), "$name");
	cmp_ok(abs($estimate - $exact), '<=', 0.01 * $exact + 0.5, "$name is off by at most 1 %");
}
is(() = $log =~ /<rect [^>]*class="sketch"\/>(?=<rect|<text)/g, 15,
	'a bar for zero and 1, and one for each power of 2 up to 16384');

my $one = report('one_day', 'log', 'hits (day date, visitor inet, bytes bigint)', q(
INSERT INTO hits SELECT '2026-02-20', '192.0.2.0'::inet + i % 100 FROM generate_series(1, 1000) i));
checks('one day', $one);
has($one,
	qr{<th scope="row">192\.0\.2\.\d+</th>.*?(?:<td class="n">10</td>){2}<td class="n">exact</td>},
	'one day: addresses beside their exact counts');
lacks($one, qr/without the rows|are in no earlier/, 'one day: nothing to unite or to compare');
has($one,
	qr{<th scope="row">2026-02-20</th>.*?(?:<td class="n">100</td>){2}<td class="n">exact</td>},
	'one day: exact');

my $packages = report('packages', 'packages',
	'paths (section text, package text, name text, bytes bigint)', q(
INSERT INTO paths SELECT 'section ' || i % 17, 'package ' || i % 51, 'file ' || i % 997, i
FROM generate_series(1, 30000) i));
checks('packages', $packages);
has($packages, qr{The 12 with most rows, of 51 packages}, 'packages: the largest are shown');
has($packages, qr{The 15 largest of 17}, 'packages: the largest sections are shown');

my $empty = report('single', 'log', 'hits (day date, visitor text, bytes bigint)',
	"INSERT INTO hits VALUES ('2026-02-20', 'x'), ('2026-02-21', 'x')");
checks('one visitor', $empty);

# a log's own characters: what COPY reads is what the log has
my @hosts = ('192.0.2.1', 'a\\.b', 'c\\x2dd', '\\N', 'e&f');
my $rest = '- - [20/Feb/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1';
my $lines = join '', map { "$_ $rest\n" } @hosts;
my ($copied, $errors);
local $ENV{LC_ALL} = 'C';
IPC::Run::run([ 'awk', '-v', "stats=$folder/stats", '-f', 'demo/log.awk' ], '<', \$lines, '|',
	[ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-c',
		'CREATE TEMP TABLE read (day date, visitor text, bytes int)', '-c', 'COPY read FROM STDIN',
		'-c', 'SELECT visitor FROM read' ], '>', \$copied, '2>', \$errors);
is($errors . $copied, join('', map { "$_\n" } @hosts), 'a backslash in a host is read as one');

$node->stop;
done_testing();
