# expand.awk: the parts of the install script -> the install script
#
# Lines between "--@for-each-value-type" and "--@end" are repeated once for each argument type
# that an aggregate over values is declared with.  In these lines, @type@ is the SQL type and
# @entry@ the end of the C function's name. @support@ is the option SUPPORT of the transition
# functions over text. @combine:FUNCTION@ is the option COMBINEFUNC, which the aggregate over
# "any" does not have.  "any" alone would not work on Citus.  Citus compares declared argument
# types, and gives the transition function no expression tree to learn the type from.  It splits
# every aggregate that can be combined.
#
# Lines between "--@for-each text any" (or "text anyarray") and "--@end" are repeated for
# each of these types in @type@.
#
# With -v types="citext" both make the overloads for that type alone.
#
# Lines between "--@for-each-row NAME NAME ..." and "--@end-row" are repeated for each row of a
# table.  The table stands first, a row a line: "--| value | value ...".  In the lines, @NAME@ is
# the value in that column.  These lines may hold one of the blocks above.
#
# A line "--@include FILE name=value other='a longer value' ..." becomes the lines of FILE (a
# path from the including file's folder), except for the opening comment of FILE.  That comment
# describes the parameters and ends with an empty line.  In the lines, @name@ is replaced by the
# value, and '' in a value stays as it is.  Each parameter must be given, and each one given
# must occur.  An included file includes no other.  If a line of the directive ends with a
# backslash, the directive continues in the next line, after "--".

BEGIN {
	all = "text bytea int2 int4 int8 oid uuid inet numeric float4 float8 bool date time" \
		" timestamp timestamptz interval jsonb any"
	# types whose values are hashed by the C function that looks for the type
	split("numeric interval jsonb citext", looked_up, " ")
	for (i in looked_up)
		entry_of[looked_up[i]] = "any"
}

FNR == 1 {
	if (inside || in_rows || going_on != "")
		fail(going_on == "" ? "--@end or --@end-row is missing" : "--@include does not end")
	if (NR > 1)
		print ""
}

{
	name = FILENAME
	number = FNR
	if ($0 ~ /^--@include([ \t]|$)/ || going_on != "") {
		line = $0
		if (going_on != "")
			sub(/^--[ \t]*/, " ", line)
		going_on = going_on line
		if (sub(/[ \t]*\\$/, "", going_on))
			next
		line = going_on
		going_on = ""
		include(line)
	}
	else
		process($0)
}

END {
	if ((inside || in_rows || going_on != "") && !failed)
		fail("--@end, --@end-row or the rest of --@include is missing")
	exit failed
}

# A line of a part, or of an included file with its parameters filled in
function process(text,   i, j, type, line)
{
	if (in_rows)
		process_in_rows(text)
	else if (text ~ /^--@for-each-row [a-z_ ]+$/)
		begin_rows(substr(text, 16))
	else if (text ~ /^--@for-each-value-type[ \t]*$/)
		begin_block(all)
	else if (text ~ /^--@for-each [a-z ]+$/)
		begin_block(substr(text, 13))
	else if (text ~ /^--@end[ \t]*$/) {
		if (!inside)
			fail("--@end without --@for-each")
		for (i = 1; i <= count; i++) {
			if (i > 1)
				print ""
			type = entry[i] == "any" ? "\"any\"" : entry[i]
			for (j = 1; j <= lines; j++) {
				line = block[j]
				if (match(line, /@combine:[a-z_]+@/))
					line = substr(line, 1, RSTART - 1) \
						(entry[i] == "any" ? "" : \
							"COMBINEFUNC = " substr(line, RSTART + 9, RLENGTH - 10) ", ") \
						substr(line, RSTART + RLENGTH)
				gsub(/@support@/, entry[i] == "text" ? \
					" SUPPORT probds_text_step_support" : "", line)
				gsub(/@type@/, type, line)
				gsub(/@entry@/, entry[i] in entry_of ? entry_of[entry[i]] : entry[i], line)
				print line
			}
		}
		inside = 0
	} else if (text ~ /^--@/)
		fail("no such directive: " text)
	else if (inside) {
		line = text
		gsub(/@type@|@entry@|@support@|@combine:[a-z_]+@/, "", line)
		if (line ~ /@[a-z_]+@/)
			fail("neither @type@ nor @entry@: " text)
		block[++lines] = text
	} else if (text ~ /@type@|@entry@|@support@|@combine:/)
		fail("not inside --@for-each: " text)
	else if (text ~ /@[a-z_]+@/)
		fail("no value for a parameter: " text)
	else
		print text
}

# The lines up to --@end-row are for each row of a table with these columns
function begin_rows(list)
{
	if (inside)
		fail("--@for-each-row inside --@for-each")
	in_rows = 1
	rows = row_lines = 0
	columns = split(list, column, " ")
}

# A row of the table, one of the lines, or their end, at which they are repeated
function process_in_rows(text,   i, j, n, cells)
{
	if (text ~ /^--\|/) {
		if (row_lines)
			fail("a row behind the lines that it is for")
		rows++
		n = split(substr(text, 4), cells, "|")
		if (n != columns)
			fail("a row of " n " values for " columns " columns")
		for (i = 1; i <= n; i++) {
			gsub(/^[ \t]+|[ \t]+$/, "", cells[i])
			cell[rows, column[i]] = cells[i]
		}
	} else if (text ~ /^--@end-row[ \t]*$/) {
		in_rows = 0
		for (i = 1; i <= rows; i++) {
			if (i > 1)
				print ""
			for (j = 1; j <= row_lines; j++)
				process(fill_row(row_line[j], i))
		}
		if (inside || !rows)
			fail(inside ? "--@end is missing" : "--@for-each-row without a row")
	} else
		row_line[++row_lines] = text
}

# The row's values for the columns' names
function fill_row(text, row,   i, at, name, done)
{
	for (i = 1; i <= columns; i++) {
		name = "@" column[i] "@"
		done = ""
		while ((at = index(text, name)) > 0) {
			done = done substr(text, 1, at - 1) cell[row, column[i]]
			text = substr(text, at + length(name))
		}
		text = done text
	}
	return text
}

# The lines up to --@end are for each of these types
function begin_block(list)
{
	if (inside)
		fail("--@for-each inside another")
	inside = 1
	lines = 0
	count = split(types != "" ? types : list, entry, " ")
}

function include(directive,   rest, file, key, text, body, status, at_name, at_number)
{
	if (inside || in_rows)
		fail("--@include inside --@for-each or --@for-each-row")
	rest = directive
	sub(/^--@include[ \t]*/, "", rest)
	if (!match(rest, /^[^ \t=]+/))
		fail("--@include of no file")
	file = name
	sub(/[^\/]*$/, "", file)
	file = file substr(rest, 1, RLENGTH)
	rest = substr(rest, RLENGTH + 1)

	# "value" and "used" by the parameters' names
	split("", value)
	split("", used)
	while (sub(/^[ \t]+/, "", rest) && rest != "") {
		if (!match(rest, /^[a-z_]+='([^']|'')*'/) && !match(rest, /^[a-z_]+=[^ \t']+/))
			fail("parameters of --@include are name=value or name='value', not: " rest)
		text = substr(rest, 1, RLENGTH)
		rest = substr(rest, RLENGTH + 1)
		key = substr(text, 1, index(text, "=") - 1)
		if (key == "type" || key == "entry" || key in value)
			fail("a parameter of --@include twice, or one named type or entry: " key)
		text = substr(text, length(key) + 2)
		gsub(/^'|'$/, "", text)
		value[key] = text
	}
	if (rest != "")
		fail("white space is missing before: " rest)

	at_name = name
	at_number = number
	name = file
	number = 0
	body = 0
	while ((status = (getline text < file)) > 0) {
		number++
		if (!body && text ~ /^--([^@]|$)/)
			continue
		if (!body) {
			body = 1
			if (text == "")
				continue
		}
		if (text ~ /^--@include/)
			fail("--@include in an included file")
		process(fill(text))
	}
	close(file)
	if (inside || in_rows)
		fail("--@end or --@end-row is missing")
	name = at_name
	number = at_number
	if (status < 0 || !body)
		fail("cannot include " file)
	for (key in value)
		if (!(key in used))
			fail("no such parameter of " file ": " key)
}

# The parameters' values for their names (not by gsub, to which "&" means more)
function fill(text,   done, key)
{
	done = ""
	while (match(text, /@[a-z_]+@/)) {
		key = substr(text, RSTART + 1, RLENGTH - 2)
		done = done substr(text, 1, RSTART - 1)
		if (key in value) {
			done = done value[key]
			used[key] = 1
		} else
			done = done "@" key "@"
		text = substr(text, RSTART + RLENGTH)
	}
	return done text
}

function fail(why)
{
	printf "%s:%d: %s\n", name, number, why > "/dev/stderr"
	failed = 1
	exit 1
}
