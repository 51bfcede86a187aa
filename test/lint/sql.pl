# sql.pl: rules about the statements that the library and its install script execute
#
# They run as somebody, in databases where others can make functions, operators and
# types, also in the schema of the extension.  So:
#
#   - Statements are executed in src/rollup and src/health alone.
#   - A call in a statement names the schema: pg_catalog, where nobody else can make
#     functions, or ours.  So do types behind ::, and relations of the catalog.
#   - An argument of a function of ours has exactly its declared type: by a cast, as a
#     row, or as a column of a sketch type.  No overload that somebody adds fits better.
#   - What comes out of a table is put into a statement as a literal or a number only,
#     never as text that is executed.
#   - The install script has no function in SQL or PL/pgSQL, unless its body is parsed there
#     (RETURN, BEGIN ATOMIC).  It replaces nothing that exists.  A block of PL/pgSQL qualifies
#     its calls, or first sets the search path to the server's schema.  Other names are checked
#     when the script is run (src/extension/own.sql).
#
# Statements are the string literals of the C files, except those of messages.
use strict;
use warnings;

# What looks like a call in a statement, and is part of its grammar
my %grammar = map { $_ => 1 } qw(
	COALESCE NULLIF LEAST GREATEST ROW ARRAY ANY ALL SOME IN EXISTS VALUES AS ON SET INTO WHEN
		CONFLICT
	OPERATOR FILTER OVER SELECT FROM WHERE AND OR NOT USING WITH BY RETURNING t q INDEX SYSTEM
		USAGE LATERAL MATERIALIZED);

# These take statements, these put texts together, and these give what a table holds
my $executes =
	qr/\b(?:SPI_execute\w*|SPI_exec\w*|SPI_prepare\w*|SPI_cursor_open_with_args
		|raw_parser|pg_parse_query|parse_analyze\w*
		|rollup_executef?|execute_merge|rollup_value)\s*\(/x;
my $writes_text = qr/\b(?:psprintf|appendStringInfo\w*)\s*\(/;
my $reads_table =
	qr/\b(?:SPI_getvalue|TextDatumGetCString|text_to_cstring|strings_of|rollup_value)\s*\(/;

# Texts that are executed by design: the caller's own expressions, run as the caller
my %by_design = (
	'src/rollup/rollup_make.c:expressions_of' => 'arguments of the call',
	'src/rollup/rollup_make.c:probds_create_rollup' => 'its query, parsed as the caller',
	'src/rollup/rollup_alter.c:probds_add_rollup_column' => 'a name, quoted',
	'src/rollup/rollup_alter.c:keep' => 'names of the catalog, quoted',
	'src/rollup/rollup_alter.c:give_back' => 'names of the catalog, quoted',
	'src/rollup/rollup_alter.c:take_query' => 'is kept',
	'src/rollup/rollup_alter.c:probds_alter_rollup_source' => 'the command, run as the caller');

my @found;
sub found { push @found, "$_[0]:$_[1]: $_[2]"; return }

sub slurp
{
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	local $/;
	return scalar <$in>;
}

# The same text with comments blanked out, lines kept
sub without_comments
{
	my ($text) = @_;
	$text =~ s{("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(/\*.*?\*/|//[^\n]*)}
		{defined $1 ? $1 : $2 =~ s/[^\n]/ /gr}ges;
	return $text;
}

# ---------- statements ----------

# The string literals of a C text, those that stand side by side joined: [line, text, the
# calls that it is an argument of, innermost last]
sub literals
{
	my ($text) = @_;
	my (@literals, @calls);
	my ($line, $before, $joined) = (1, '', 0);
	while ($text =~ /\G(?:"((?:\\.|[^"\\])*)"|('(?:\\.|[^'\\])*')|([A-Za-z_]\w*)|(\n)|\s|(.))/gcs)
	{
		my ($string, $char, $word, $newline, $sign) = ($1, $2, $3, $4, $5);
		if (defined $newline) { $line++; }
		elsif (defined $string)
		{
			my $value = $string =~ s/\\(["\\])/$1/gr;
			if ($joined) { $literals[-1][1] .= $value; }
			else { push @literals, [ $line, $value, [@calls] ]; }
			$joined = 1;
		}
		elsif (defined $word && $joined && $word =~ /^[A-Z][A-Z0-9_]+$/)
		{
			# a macro between two literals is one more
			$literals[-1][1] .= '%s';
		}
		elsif (defined $word || defined $char || defined $sign)
		{
			push @calls, $before if ($sign // '') eq '(';
			pop @calls if ($sign // '') eq ')';
			$before = $word // '';
			$joined = 0;
		}
	}
	return @literals;
}

# The arguments of a call, given what follows its parenthesis; those that the text has
sub arguments
{
	my ($text) = @_;
	my ($depth, @arguments) = (0, '');
	while ($text =~ /\G(?:('(?:''|[^'])*')|(.))/gcs)
	{
		my $c = $1 // $2;
		if ($c eq ')' && $depth == 0) { last; }
		$depth++ if $c eq '(' || $c eq '[';
		$depth-- if $c eq ')' || $c eq ']';
		if ($c eq ',' && $depth == 0) { push @arguments, ''; }
		else { $arguments[-1] .= $c; }
	}
	s/^\s+|\s+$//g foreach @arguments;
	return @arguments == 1 && $arguments[0] eq '' ? () : @arguments;
}

sub check_statement
{
	my ($file, $line, $sql) = @_;
	my $plain = $sql =~ s/'(?:''|[^'])*'/"'" . ('x' x (length($&) - 2)) . "'"/ger;

	while ($plain =~ /((?:[\w%]+\.)?)(%?[A-Za-z_]\w*)\s*\(/g)
	{
		my ($schema, $name, $rest) = ($1, $2, substr($plain, $+[0]));
		# pg_cron's, called as the caller
		next if $schema eq 'pg_catalog.' || $schema eq 'cron.';
		if ($schema eq '%s.')
		{
			foreach my $argument (arguments($rest))
			{
				# a cast, a row, a column of the table or of the row that is inserted
				next if $argument =~ /::[\w%."]+$/ || $argument =~ /^ROW\(/
					|| $argument =~ /^(?:(?:t|excluded)\.)?%s$/;
				found($file, $line, "argument of %s.$name() without a cast: $argument");
			}
		}
		elsif (!$grammar{ uc $name } && !$grammar{$name} && $name !~ /^%/)
		{
			found($file, $line, "call without a schema: $name()");
		}
	}
	while ($plain =~ /::\s*([A-Za-z_][\w.]*)/g)
	{
		my $type = $1;
		found($file, $line, "type without a schema: $type")
		  unless $type =~ /^pg_catalog\./ || $type eq 'bigint' && $plain =~ /\bAS slot\b/;
	}
	while ($plain =~ /(?<![\w.])(?:FROM|JOIN|INTO|UPDATE)\s+(pg_\w+)(?!\w*\.)/g)
	{
		found($file, $line, "relation without a schema: $1");
	}
	return;
}

sub is_sql
{
	return $_[0] =~ /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|FROM|WHERE|SET|GROUP[ ]BY
		|ORDER[ ]BY|HAVING|WHEN|ON[ ]CONFLICT)\b|[\w%]+\.[\w%]+\(|::/x;
}

sub check_literals
{
	my ($file, $text) = @_;
	foreach my $literal (literals($text))
	{
		my ($line, $sql, $in) = @$literal;
		next if grep { /^(?:errmsg\w*|errdetail\w*|errhint\w*|elog|remark|pstrdup)$/ } @$in;
		check_statement($file, $line, $sql) if is_sql($sql);
	}
	return;
}

# ---------- where statements come from ----------

# Functions of a C text: [name, line, body]
sub functions
{
	my ($text) = @_;
	my @functions;
	while ($text =~ /^(\w+)\(([^;{}]*?)\)\s*\n\{\n(.*?)^\}/gms)
	{
		my ($name, $body, $start) = ($1, $3, $-[3]);
		push @functions, [ $name, 1 + (substr($text, 0, $start) =~ tr/\n//), $body ];
	}
	return @functions;
}

sub check_sources
{
	my ($file, $text) = @_;
	foreach my $function (functions($text))
	{
		my ($name, $line, $body) = @$function;
		next if $by_design{"$file:$name"};
		my %stored;
		my $at = $line;

		# texts by name: what a table gave, and the texts in what was read of the metadata
		while ($body =~ /\b(\w+)\s*=\s*([^=;]*?)$reads_table/g)
		{
			$stored{$1} = 1 unless $2 =~ /\brollup_number\s*\(/;
		}
		foreach my $statement (split /;/, $body)
		{
			my $first = $at + ($statement =~ /^(\s*)/ ? $1 =~ tr/\n// : 0);
			$at += $statement =~ tr/\n//;
			next unless $statement =~ $executes || $statement =~ $writes_text;

			# as a literal, as a number, or looked at; and what only asks whether there is one
			my $rest = $statement =~ s/"(?:\\.|[^"\\])*"//gr;
			$rest =~ s/\b(?:quote_literal_cstr|rollup_number|strlen|strcmp|strstr)
				\s*\((?:[^()]|\([^()]*\))*\)//gx;
			$rest =~ s/\berr(?:hint|detail|msg)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)//g;
			$rest =~ s/^.*?(?==(?!=))//s if $rest =~ /^\s*(?:[\w*]+\s+\**)?\w+\s*=(?!=)/;
			foreach my $stored (sort keys %stored)
			{
				found($file, $first,
					"$name(): \"$stored\" comes out of a table or an argument, and becomes part of "
					. "a statement") if $rest =~ /\b$stored\b(?!\s*[!=]=\s*NULL)/;
			}
			while ($rest =~ /\bprogress(?:\.|->)(settings|retention|mode)\b/g)
			{
				found($file, $first, "$name(): progress.$1 becomes part of a statement");
			}
		}
	}
	return;
}

sub check_c
{
	my ($file, $text) = @_;
	$text = without_comments($text);
	if ($file =~ m{^src/(?:rollup|health)/})
	{
		check_literals($file, $text);
		check_sources($file, $text);
	}
	else
	{
		my $line = 0;
		foreach (split /\n/, $text)
		{
			$line++;
			found($file, $line, 'statements are executed in src/rollup and src/health alone')
				if /$executes/;
		}
	}
	return;
}

# ---------- the install script ----------

# Statements with the server's search path: an EXECUTE that is not of a format() is left, and lines
sub pinned
{
	my ($text) = @_;
	$text =~ s/EXECUTE(?=\s+format\(')//g;
	return join('', $text =~ /\n|\bEXECUTE\b/g);
}

sub check_script
{
	my ($file, $text) = @_;
	$text =~ s/^--.*$//mg;
	$text =~ s/\s--\s.*$//mg;
	# behind this all names are the server's; what is executed is put together there
	my $pins = q{PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);};
	$text =~ s/\Q$pins\E(.*?)(?=^END \$\$;)/pinned($1)/gmse;
	my $code = $text =~ s/'(?:''|[^'])*'/''/gr;
	found($file, 1 + (substr($code, 0, $-[0]) =~ tr/\n//),
		"function in $1: write it in C, or teach this lint to read it")
	  while $code =~ /\bLANGUAGE\s+(sql|plpgsql)\b/gi;
	found($file, 1 + (substr($code, 0, $-[0]) =~ tr/\n//), 'EXECUTE of a text')
	  while $code =~ /\bEXECUTE\b(?!\s+(?:FUNCTION|PROCEDURE)\b)/g;
	found($file, 1 + (substr($code, 0, $-[0]) =~ tr/\n//), "takes over what exists: $1")
	  while $code =~ /\b(OR REPLACE|IF NOT EXISTS)\b/gi;
	while ($code =~ /\bDO \$\$(.*?)\$\$/gs)
	{
		my $line = 1 + (substr($code, 0, $-[0]) =~ tr/\n//);
		my $body = $1 =~ s/^.*?\bBEGIN\b//sr;
		check_statement($file, $line, $body);

		# operators name the schema, unless no other is in the path
		my $signs = $body =~ s/\bOPERATOR\([^)]*\)|:=|\b(?:ERRCODE|DETAIL|HINT)\s*=//gr;
		found($file, $line, "operator without a schema: $1")
		  if $body !~ /^\s*PERFORM pg_catalog\.set_config\('', '', true\);/
		  && $signs =~ m{([-+/<>=~!@#%^&|]+)};
	}
	return;
}

# ---------- faults that must be found ----------

my @faults = (
	[ 'src/hll/x.c', "f(void)\n{\n\tSPI_execute(\"SELECT 1\", true, 0);\n}\n",
		'executed in src/rollup' ],
	[ 'src/rollup/x.c', "f(void)\n{\n\trollup_execute(\"SELECT max(a) FROM t\", 1);\n}\n",
		'call without a schema: max' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_execute(\"SELECT 1 \"\n\t\t\"WHERE lower (a) IS NULL\", 1);\n}\n",
		'call without a schema: lower' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_value(psprintf(\"SELECT %s.probds_thing(%s, current_schema)\", s, "
		. "quote_literal_cstr(a)));\n}\n",
		'argument of %s.probds_thing() without a cast: current_schema' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_value(psprintf(\"SELECT %s.probds_thing('a')\", s));\n}\n",
		'without a cast' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_value(\"SELECT a::text FROM pg_catalog.pg_class\");\n}\n",
		'type without a schema: text' ],
	[ 'src/health/x.c', "f(void)\n{\n\tSPI_execute(\"SELECT oid FROM pg_class\", true, 0);\n}\n",
		'relation without a schema: pg_class' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\tchar *query = rollup_value(\"SELECT query FROM %s\");\n\n"
		. "\trollup_execute(query, 1);\n}\n",
		'"query" comes out of a table' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\tchar\t   *a = SPI_getvalue(r, d, 1);\n\n"
		. "\trollup_executef(1, \"DELETE FROM %s WHERE %s\", quote_literal_cstr(a), a);\n}\n",
		'"a" comes out of a table' ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_executef(1, \"SELECT %s\", progress->retention);\n}\n",
		'progress.retention becomes part' ],
	[ 'x.sql', "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';\n", 'function in sql' ],
	[ 'x.sql', "DO \$\$\nBEGIN\n    EXECUTE (SELECT query FROM daily);\nEND \$\$;\n",
		'EXECUTE of a text' ],
	[ 'x.sql', "DO \$\$\nBEGIN\n    PERFORM pg_catalog.set_config('search_path', "
		. "'pg_catalog, pg_temp', true);\n    EXECUTE query;\nEND \$\$;\n", 'EXECUTE of a text' ],
	[ 'x.sql', "DO \$\$\nBEGIN\n    PERFORM string_agg(a, ', '::pg_catalog.text);\nEND \$\$;\n",
		'call without a schema: string_agg' ],
	[ 'x.sql', "DO \$\$\nBEGIN\n    IF 'a' OPERATOR(pg_catalog.<>) b OR c = d THEN\n"
		. "        RAISE EXCEPTION 'x' USING HINT = 'y';\n    END IF;\nEND \$\$;\n",
		'operator without a schema: =' ],
	[ 'x.sql', "CREATE OR REPLACE FUNCTION f() RETURNS int AS 'a', 'b' LANGUAGE C;\n",
		'takes over what exists: OR REPLACE' ]);

# And what is as it should be
my @clean = (
	[ 'src/rollup/x.c',
		"f(void)\n{\n\tchar\t   *a = SPI_getvalue(r, d, 1);\n\n"
		. "\trollup_executef(1, \"DELETE FROM %s WHERE a = %s\", n, quote_literal_cstr(a));\n"
		. "\tereport(ERROR, (errmsg(\"no lower(a) from %s\", a)));\n}\n" ],
	[ 'src/rollup/x.c',
		"f(void)\n{\n\trollup_value(psprintf(\"SELECT %s._probds_rollup_touched(ROW(%s)), "
		. "pg_catalog.max(a)::pg_catalog.int8\", s, c));\n}\n" ],
	[ 'x.sql', "DO \$\$\nBEGIN\n    PERFORM pg_catalog.set_config('search_path', "
		. "'pg_catalog, pg_temp', true);\n    EXECUTE format('DROP TABLE %I', max(a));\n"
		. "END \$\$;\n" ],
	[ 'x.sql',
		"DO \$\$\nBEGIN\n    -- max(a)\n    PERFORM "
		. "pg_catalog.lower('max(a)'::pg_catalog.text);\nEND \$\$;\n" ],
	[ 'x.sql',
		"DO \$\$\nBEGIN\n    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', "
		. "true);\n    IF a = b THEN\n    END IF;\nEND \$\$;\n" ]);

sub check { return $_[0] =~ /\.sql$/ ? check_script(@_) : check_c(@_); }

my $failed = 0;
foreach my $fault (@faults)
{
	my ($file, $text, $want) = @$fault;
	@found = ();
	check($file, $text);
	next if grep { index($_, $want) >= 0 } @found;
	print "not ok - statements: the lint does not find: $want", (map { " ($_)" } @found), "\n";
	$failed++;
}
foreach my $clean (@clean)
{
	@found = ();
	check(@$clean);
	next unless @found;
	print "not ok - statements: the lint finds what is none: $_\n" foreach @found;
	$failed++;
}
print 'ok - statements: ', scalar(@faults), " faults are found\n" unless $failed;

# ---------- what ships ----------

@found = ();
my @files = (glob('src/*/*.c'), grep { !m{/probds--} } glob('src/*/*.sql'));
check($_, slurp($_)) foreach @files;
if (@found) { print "not ok - $_\n" foreach @found; }
else { print 'ok - statements: ', scalar(@files),
	" files, calls are qualified and have exact types, nothing stored is executed\n"; }
exit($failed || @found ? 1 : 0);
