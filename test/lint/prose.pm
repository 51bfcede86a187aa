# prose.pm: finds the prose in a source file
#
#     comments(FILE, TEXT)     the comments of C, SQL, shell, Perl, Python or awk: [line, text]
#     descriptions(TEXT)       the COMMENT ON texts of an SQL file, also as they are given to a
#                              template: [line, text]
#     messages(FILE, TEXT)     the messages of a C file or of PL/pgSQL: [line, text, role], where
#                              the role is "message", "sentence" (detail or hint) or "argument"
#                              (goes into one of them)
#     paragraphs(TEXT)         the paragraphs of a comment: [offset in lines, text]
#
# Drawings, tables and code inside comments are left out.
package prose;
use strict;
use warnings;
use utf8;

sub lines_before
{
	my ($text, $end) = @_;
	return 1 + (substr($text, 0, $end) =~ tr/\n//);
}

# The text of a C comment that begins in the given column, without its stars
sub bare_c_comment
{
	my ($comment, $column) = @_;
	$comment =~ s{^/\*+}{};
	$comment =~ s{\*+/\z}{};
	my @lines = split /\n/, $comment, -1;
	$lines[0] =~ s/^\s?//;
	foreach my $line (@lines[ 1 .. $#lines ])
	{
		next if $line =~ s/^\s*\*(?: |$)//;
		my $expanded = '';
		$expanded .= $_ eq "\t" ? ' ' x (4 - length($expanded) % 4) : $_ foreach split //, $line;
		my $indent = $column + 3;
		$expanded =~ s/^ {0,$indent}//;
		$line = $expanded;
	}
	return join("\n", @lines);
}

sub c_comments
{
	my ($text) = @_;
	my (@comments, $end_of_last);
	while ($text =~ m{("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(/\*.*?\*/)|//([^\n]*)}gs)
	{
		next if defined $1;
		my ($start, $end, $block, $rest) = ($-[0], $+[0], $2, $3);
		my $line = lines_before($text, $start);
		if (defined $block)
		{
			my $lead = substr($text, 0, $start) =~ s/.*\n//sr;
			my $column = 0;
			$column += $_ eq "\t" ? 4 - $column % 4 : 1 foreach split //, $lead;
			push @comments, [ $line, bare_c_comment($block, $column) ];
		}
		elsif (@comments && defined $end_of_last
			&& substr($text, $end_of_last, $start - $end_of_last) =~ /^\n[ \t]*$/)
		{
			$comments[-1][1] .= "\n" . $rest =~ s/^ //r;
		}
		else { push @comments, [ $line, $rest =~ s/^ //r ]; }
		$end_of_last = defined $block ? undef : $end;
	}
	return @comments;
}

# The comments that begin with a mark and end with the line.  Comments of whole lines that follow
# each other are one.
sub line_comments
{
	my ($text, $mark, $code) = @_;
	my (@comments, $open);
	my $n = 0;
	foreach my $line (split /\n/, $text)
	{
		$n++;
		if ($n == 1 && $line =~ /^#!/) { next }
		if ($line =~ /^\s*$mark(?: (.*)|$)/)
		{
			my $said = $1 // '';
			if ($open) { $open->[1] .= "\n$said" }
			else { push @comments, $open = [ $n, $said ] }
			next;
		}
		$open = undef;
		# after code: not within a string
		if ($line =~ /^($code)\s$mark (.*)/) { push @comments, [ $n, $2 ] }
	}
	return @comments;
}

# The lines of SQL that a script holds in here-documents and strings have comments of SQL
sub comments
{
	my ($file, $text) = @_;
	my $words = qr/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'#])*/;
	# a # in Perl may belong to a pattern
	$words = qr/$words(?<=[;{},)\]])/ if $file =~ /\.p[lm]$/;
	return c_comments($text) if $file =~ /\.[ch]$/;
	$text =~ s/^--\@include\b(?:[^\n]*\\\n--)*[^\n]*/$& =~ s{[^\n]}{}gr/gem;
	return line_comments($text, '--', qr/(?:'[^']*'|[^'-]|-(?!-))*/) if $file =~ /\.sql$/;
	return (line_comments($text, '#', $words),
		grep { $_->[1] =~ /^\p{L}/ } line_comments($text, '--', qr/(?!)/));
}

# The COMMENT ON texts of a file
sub descriptions
{
	my ($text) = @_;
	my @found;
	while ($text =~ /^COMMENT ON\b[^;']*?\bIS\s+(?=')/gm)
	{
		my $line = lines_before($text, $-[0]);
		my $said = '';
		# pieces on lines of their own are one text
		while ($text =~ /\G\s*'((?:''|[^'])*)'/gc) { $said .= $1 =~ s/''/'/gr }
		push @found, [ $line, $said ];
	}
	# those that a template is given
	while ($text =~ /^--\@include\b(?:[^\n]*\\\n--)*[^\n]*/gm)
	{
		my ($line, $directive) = (lines_before($text, $-[0]), $& =~ s/\\\n--\s*/ /gr);
		push @found, [ $line, $1 =~ s/''/'/gr ]
			while $directive =~ /\b(?:what|yes|same|modifier)='((?:''|[^'])*)'/g;
	}
	return @found;
}

my $of_message = qr/^errmsg(?:_plural|_internal)?$/;
my $of_sentence = qr/^(?:err(?:detail|hint)(?:_plural|_internal|_log)?|PDS_REFUSE)$/;

# The string literals of a C text, each [line, text, calls].  Adjacent literals are joined.  The
# calls are those that the literal is an argument of, innermost last, each [name, number of the
# argument].
sub literals
{
	my ($text) = @_;
	my (@literals, @calls);
	my ($line, $before, $joined) = (1, '', 0);
	$text =~ s{("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(/\*.*?\*/|//[^\n]*)}
		{defined $1 ? $1 : $2 =~ s/[^\n]/ /gr}ges;
	while ($text =~ /\G(?:"((?:\\.|[^"\\])*)"|('(?:\\.|[^'\\])*')|([A-Za-z_]\w*)|(\n)|\s|(.))/gcs)
	{
		my ($string, $char, $word, $newline, $sign) = ($1, $2, $3, $4, $5);
		if (defined $newline) { $line++; }
		elsif (defined $string)
		{
			my $value = $string =~ s/\\(["\\])/$1/gr =~ s/\\n/\n/gr;
			if ($joined) { $literals[-1][1] .= $value; }
			else { push @literals, [ $line, $value, [ map { [@$_] } @calls ] ]; }
			$joined = 1;
		}
		elsif (defined $word && $joined && $word =~ /^[A-Z][A-Z0-9_]+$/)
		{
			# a macro between two literals is one more
			$literals[-1][1] .= '%s';
		}
		elsif (defined $word || defined $char || defined $sign)
		{
			push @calls, [ $before, 0 ] if ($sign // '') eq '(';
			pop @calls if ($sign // '') eq ')';
			$calls[-1][1]++ if @calls && ($sign // '') eq ',';
			$before = $word // '';
			$joined = 0;
		}
	}
	return @literals;
}

sub messages
{
	my ($file, $text) = @_;
	my @found;
	if ($file =~ /\.[ch]$/)
	{
		foreach my $literal (literals($text))
		{
			my ($line, $said, $calls) = @$literal;
			my $call =
				(grep { $_->[0] =~ $of_message || $_->[0] =~ $of_sentence } reverse @$calls)[0]
				// next;
			my ($name, $argument) = @$call;
			my $role = $argument > ($name =~ /_plural$/) ? 'argument' : $name =~ $of_message
				? 'message' : 'sentence';
			push @found, [ $line, $said, $role ];
		}
	}
	while ($file =~ /\.sql$/
		&& $text =~ /\bRAISE\s+(?:EXCEPTION|WARNING|NOTICE)\s+'((?:''|[^'])*)'([^;]*)/g)
	{
		my ($line, $said, $rest) = (lines_before($text, $-[0]), $1, $2);
		push @found, [ $line, $said =~ s/''/'/gr, 'message' ];
		push @found, [ $line, $1 =~ s/''/'/gr, 'sentence' ]
			while $rest =~ /\b(?:DETAIL|HINT)\s*=\s*'((?:''|[^'])*)'/g;
	}
	return @found;
}

# The paragraphs of a comment, each [number of lines before it, text].  An item of a list is one.
# Lines that are indented after a blank line or a colon, drawings and rows of tables are not prose.
sub paragraphs
{
	my ($text) = @_;
	my (@all, $open, $drawing);
	my $n = -1;
	my $blank = 1;
	foreach my $line (split /\n/, $text)
	{
		$n++;
		$line =~ s/\t/    /g;
		# empty, a rule, a heading
		if ($line =~ /^[\s\-=*_#+|]*$/ || $line =~ /^-{3,}/) { $open = undef; $blank = 1; next }
		my $indent = length($line =~ s/\S.*//r);
		# a drawing, a table, code: until a line that is not indented
		$drawing = 0 if $indent < 2;
		if ($drawing || (($blank || !$open || $open->[1] =~ /:$/) && $indent >= 3)
			|| $line =~ /[^\s.?!:;]  +\S/ || $line =~ /\+--|--+>|\|.*\|/)
		{
			$drawing = 1 if $indent >= 2;
			$open = undef;
			$blank = 0;
			next;
		}
		$blank = 0;
		if ($line =~ /^ *(?:[-*]|\d+\.|\(\d+\)|\(?[a-z]\)) +(.*)/) { push @all, $open = [ $n, $1 ];
			next }
		if ($open) { $open->[1] .= ' ' . $line =~ s/^\s+//r }
		else { push @all, $open = [ $n, $line =~ s/^\s+//r ] }
	}
	return @all;
}

1;
