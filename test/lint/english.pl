# Checks the prose of the project: words and the length of sentences.
#
#     perl test/lint/english.pl [FILE ...]      all findings in these files
#
# Without files it checks all pages, and the sources of all folders: their comments, COMMENT ON
# texts and messages.  In pages it also checks the length of lines, and that
# no example prints a column without a name.  Files whose paths begin with an entry of @later do
# not pass yet, and findings there do not count.
# Code, tables, drawings and headings are not prose.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));
use File::Find;
use lib 'test/lint';
use prose;

my $max_words = 30;
my $max_columns = 100;

# Files and folders that still need work
my @later = qw(
);

# Install scripts of released versions do not change, and results follow what they are results of
my $frozen = qr{^src/extension/probds\w*--[\d.]+(?:--[\d.]+)?\.sql$
	|^test/(?:golden|update)/.*\.sql$|/expected/}x;

# What we do not write, and what we write instead
my @words = (
	[ qr/\banew\b/i, 'again, rebuild' ],
	[ qr/\bgo(?:es|ing|ne)? on\b|\bwent on\b/i, 'continue' ],
	[ qr/\bbut for\b/i, 'except' ],
	[ qr/\bdear(?:er|est)?\b/i, 'expensive' ],
	[ qr/\b(?:is|are|was|were|be|been) asked for\b/i, 'queried' ],
	[ qr/\bask(?:s|ed|ing)? (?:a|the|this|that|its|each|every) (?:sketch|filter|index)\b/i,
		'query' ],
	[ qr/(?:^|[.:;] )who (?:has|can|wants|adds|asks|needs)\b/i, 'anyone who …' ],
	[ qr/\bthere is none\b/i, 'say what is missing' ],
	[ qr/\bthat of\b(?= (?:a|an|the|its|their)\b)/i, 'name the thing again' ],
	[ qr/\brooms?\b/i, 'module, space, capacity' ],
	[ qr/\bin vain\b/i, 'without a result' ],
	[ qr/\bas it stands,? and\b/i, 'two sentences' ],
	[ qr/\bWhat (?:was|is|has)\b[^.?]*\bis\b[^.?]*\.(?=\s|$)/, 'subject, verb, object' ],
	[ qr/\bnot these\b/i, 'others' ],
);

# The paragraphs of a page, each [line number, text]; an item of a list is a paragraph
sub paragraphs
{
	my ($text) = @_;
	my ($fenced, $comment, $table, @all, $open);
	my $n = 0;
	foreach my $line (split /\n/, $text)
	{
		$n++;
		if ($line =~ /^ *```/) { $fenced = !$fenced; $open = undef; next }
		next if $fenced;
		$comment = 1 if $line =~ /^<!--/;
		if ($comment) { $comment = 0 if $line =~ /-->/; $open = undef; next }
		if ($line =~ /^\s*$|^#|^\||^!\[/ || (!$open && $line =~ /^    /)) { $open = undef; next }
		if ($line =~ /^ *(?:[-*]|\d+\.) +(.*)/) { push @all, $open = [ $n, $1 ]; next }
		if ($open) { $open->[1] .= " $line" }
		else { push @all, $open = [ $n, $line ] }
	}
	return @all;
}

# A paragraph without its marks: code, links and figures are a word each
sub bare
{
	my ($text) = @_;
	$text =~ s/``.*?``|`[^`]*`/code/g;
	$text =~ s/!?\[\S+\.md\]\([^)]*\)/Page/g;
	$text =~ s/!?\[([^\]]*)\]\([^)]*\)/$1/g;
	$text =~ s/(?<=\d)[.,](?=\d)//g;
	$text =~ s/\*\*|(?<!\w)[*_]|[*_](?!\w)//g;
	$text =~ s/\s+/ /g;
	return $text;
}

# What is wrong with a text without marks: too long sentences, and words
sub faults_of
{
	my ($bare, $break) = @_;
	my @found;
	foreach my $sentence (split $break, $bare)
	{
		my $count = () = $sentence =~ /[\w'’%\-\/^]+/g;
		push @found, "a sentence of $count words: " . substr($sentence, 0, 60) . '…'
			if $count > $max_words;
	}
	foreach my $word (@words)
	{
		push @found, "\"$&\": $word->[1]" if $bare =~ $word->[0];
	}
	return @found;
}

# Where a sentence of a page ends, and one in a source file, which may begin with a name
my $page_break = qr/(?<=[.?!])["”)]? +(?=["“(]?[A-Z0-9⌊⌈]|code|probds|[a-z]\b|mean\b)/;
my $source_break = qr/(?<=[.?!])(?<!e\.g\.)(?<!i\.e\.)["”')]* +/;

sub findings
{
	my ($text) = @_;
	my @found;
	my $n = 0;
	my $fenced;
	foreach my $line (split /\n/, $text)
	{
		$n++;
		push @found, [ $n, 'a column without a name' ] if $line =~ /\?column\?/;
		if ($line =~ /^ *```/) { $fenced = !$fenced; next }
		next if $fenced || $line =~ /^\||^#|^    /;
		# a link cannot be broken
		push @found, [ $n, 'a line of ' . length($line) . ' columns' ]
			if length($line) > $max_columns && $line !~ /^\S*$|^[^ ]* ?\S{90,}$/;
	}
	foreach my $paragraph (paragraphs($text))
	{
		my ($line, $said) = @$paragraph;
		push @found, map { [ $line, $_ ] } faults_of(bare($said), $page_break);
	}
	return sort { $a->[0] <=> $b->[0] } @found;
}

# The findings in the comments, descriptions and messages of a source file
sub source_findings
{
	my ($file, $text) = @_;
	my @found;
	foreach my $comment (prose::comments($file, $text))
	{
		my ($line, $said) = @$comment;
		foreach my $paragraph (prose::paragraphs($said))
		{
			my $bare = bare($paragraph->[1]) =~ s/\w+(?:(?:->|\.|::)\w+)+(?:\(\))?/name/gr;
			push @found, map { [ $line + $paragraph->[0], $_ ] } faults_of($bare, $source_break);
		}
	}
	if ($file =~ /\.sql$/)
	{
		push @found,
			map { my $line = $_->[0]; map { [ $line, $_ ] } faults_of($_->[1], $source_break) }
			prose::descriptions($text);
	}
	foreach my $message (prose::messages($file, $text))
	{
		my ($line, $said, $role) = @$message;
		my @faults = faults_of($said, $source_break);
		if ($role eq 'message')
		{
			push @faults, "a message that ends with \"$&\"" if $said =~ /[.!]$/
				&& $said !~ /\.\.\.$/;
			push @faults, "a message that begins with \"$&\"" if $said =~ /^[A-Z][a-z]+\b/
				&& $said !~ /^Redis/;
		}
		elsif ($role eq 'sentence' && $said ne '%s')
		{
			push @faults, "a detail or hint without a full stop: …" . substr($said, -20)
				if $said !~ /[.?][")]?$/;
			push @faults, "a detail or hint that begins with \"$&\""
				if $said =~ /^(?!probds)[a-z]+\b(?!\()/;
		}
		push @found, map { [ $line, $_ ] } @faults;
	}
	return sort { $a->[0] <=> $b->[0] } @found;
}

sub slurp
{
	my ($file) = @_;
	open my $handle, '<', $file or die "$file: $!\n";
	local $/;
	return scalar <$handle>;
}

sub findings_in
{
	my ($file) = @_;
	return $file =~ /\.md$/ ? findings(slurp($file)) : source_findings($file, slurp($file));
}

# The source files, scripts without a suffix among them
sub sources
{
	my @files;
	my $add = sub {
		my $path = $File::Find::name;
		return if -d || -l || $path =~ $frozen;
		push @files, $path if /\.(?:[ch]|sql|sh|p[lmy]|awk)$/ || !/\./ && -T && slurp($_) =~ /^#!/;
	};
	find($add, qw(src test demo packaging clients));
	return sort @files;
}

if (@ARGV)
{
	my $count = 0;
	foreach my $file (@ARGV)
	{
		print "$file:$_->[0]: $_->[1]\n" and $count++ foreach findings_in($file);
	}
	exit($count > 0);
}

my $failed = 0;
sub report
{
	my ($ok, $what) = @_;
	print $ok ? 'ok' : 'not ok', " - English: $what\n";
	$failed = 1 unless $ok;
}

# faults that must be found, and what is no fault
my @faults = (
	[ 'Build the filter anew.', 1 ],
	[ "One thing\nand then it goes on.", 1 ],
	[ join("\n", 'A sentence', ('word') x 30) . '.', 1 ],
	[ join("\n", 'A sentence', ('word') x 14) . ".\n" . join("\n", 'Another one', ('word') x 14)
		. '.', 0 ],
	[ 'x ' x 60, 2 ],
	[ "```\n" . 'x ' x 60 . "\nanew\n```\n| a table that goes on | " . 'x ' x 60 . ' |', 0 ],
	[ "```\n ?column?\n```", 1 ],
	[ 'The filter never misses a stored value (`anew`).', 0 ],
);
foreach my $fault (@faults)
{
	my @found = findings($fault->[0]);
	report(0, @found . " findings in place of $fault->[1]: $fault->[0]") if @found != $fault->[1];
}
my $long = join(' ', 'A sentence', ('word') x 30) . '.';
my @source_faults = (
	[ 'x.c', "/* Build it anew. */", 1 ],
	[ 'x.c', "int anew; /* Build it.\n * $long */", 1 ],
	[ 'x.c', "/*\n * Fine:\n *\n *     anew  anew\n *     $long\n */\nf(\"/* anew */\");", 0 ],
	[ 'x.c', "/* k  anew\n * n  the number */", 0 ],
	[ 'x.c', "// One\n// thing goes on.\nanew();", 1 ],
	[ 'x.c', 'ereport(ERROR, errmsg("a %s", "room"), errdetail("What is" " anew."), '
		. 'errhint("No stop"));', 3 ],
	[ 'x.c', 'ereport(ERROR, errmsg("Upper case and a full stop."));', 2 ],
	[ 'x.sql', "SELECT 'a -- anew'; -- anew\n-- it goes\n-- on", 2 ],
	[ 'x.sql', "COMMENT ON TYPE x IS\n\t'it''s anew'\n\t' and dear';", 2 ],
	[ 'x.sql', "--\@include y.sql anew=1 \\\n--    what='build \\\n--    anew'\n-- anew", 2 ],
	[ 'x.sql', "RAISE EXCEPTION 'Anew' USING HINT = 'no stop';", 4 ],
	[ 'x.sh', "#!/bin/anew\n# it goes\n# on\necho '# anew' # anew", 2 ],
	[ 'x.pl', "s/anew # anew/x/;\n\$#anew;\nq(\n-- It is anew.\n)", 1 ]);
foreach my $fault (@source_faults)
{
	my @found = source_findings(@$fault);
	report(0, @found . " findings in place of $fault->[2]: $fault->[1]: "
		. join('; ', map { $_->[1] } @found)) if @found != $fault->[2];
}

my ($pages, $sources) = (0, 0);
foreach my $file (glob('*.md doc/*.md doc/*/*.md packaging/*.md clients/*/*.md'), sources())
{
	next if grep { index($file, $_) == 0 } @later;
	$file =~ /\.md$/ ? $pages++ : $sources++;
	report(0, "$file:$_->[0]: $_->[1]") foreach findings_in($file);
}
report(1, "$pages pages, $sources sources" . join('', map { ", not $_" } @later)) unless $failed;
exit $failed;
