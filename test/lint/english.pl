# Checks the prose of README.md and doc/: words, the length of sentences and of lines, and that
# no example prints a column without a name.
#
#     perl test/lint/english.pl [FILE ...]      all findings in these files
#
# Without files it checks all pages.  Pages in @later do not pass yet, and findings there do not
# count.  A page of the list that passes is reported, so that the list gets shorter.
# Code, tables and headings are not prose.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my $max_words = 30;
my $max_columns = 100;

# Pages that still need work
my @later = qw(
);

# What we do not write, and what we write instead
my @words = (
	[ qr/\banew\b/i, 'again, rebuild' ],
	[ qr/\bgo(?:es|ing|ne)? on\b|\bwent on\b/i, 'continue' ],
	[ qr/\bbut for\b/i, 'except' ],
	[ qr/\bdear(?:er|est)?\b/i, 'expensive' ],
	[ qr/\b(?:is|are|was|were|be|been) asked for\b/i, 'queried' ],
	[ qr/\bask(?:s|ed|ing)? (?:a|the|this|that|its|each|every) (?:sketch|filter|index)\b/i, 'query' ],
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
		my $bare = bare($paragraph->[1]);
		foreach my $sentence (split /(?<=[.?!])["”)]? +(?=["“(]?[A-Z0-9⌊⌈]|code|probds|[a-z]\b|mean\b)/, $bare)
		{
			my $count = () = $sentence =~ /[\w'’%\-\/^]+/g;
			push @found, [ $paragraph->[0], "a sentence of $count words: " . substr($sentence, 0, 60) . '…' ]
				if $count > $max_words;
		}
		foreach my $word (@words)
		{
			push @found, [ $paragraph->[0], "\"$&\": $word->[1]" ] if $bare =~ $word->[0];
		}
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

if (@ARGV)
{
	my $count = 0;
	foreach my $file (@ARGV)
	{
		print "$file:$_->[0]: $_->[1]\n" and $count++ foreach findings(slurp($file));
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
	[ join("\n", 'A sentence', ('word') x 14) . ".\n" . join("\n", 'Another one', ('word') x 14) . '.', 0 ],
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

my %later = map { $_ => 1 } @later;
my $pages = 0;
foreach my $file ('README.md', glob('doc/*.md doc/*/*.md'))
{
	my @found = findings(slurp($file));
	if (delete $later{$file})
	{
		report(1, "$file passes: take it off the list in test/lint/english.pl") unless @found;
		next;
	}
	$pages++;
	report(0, "$file:$_->[0]: $_->[1]") foreach @found;
}
report(1, "$pages pages, " . grep({ -e } @later) . ' to come') unless $failed;
exit $failed;
