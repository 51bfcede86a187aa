# expand.awk: the parts of the install script -> the install script
#
# Lines between "--@for-each-value-type" and "--@end" are repeated once for each
# argument type that an aggregate over values is declared with.  In them
# @type@ is the SQL type and @entry@ the end of the C function's name.
# Why overloads and not "any" alone: Citus compares declared argument types and
# gives the transition function no expression tree to learn the type from.
#
# A line "--@include FILE name=value other='a longer value' ..." becomes the
# lines of FILE (a path from the including file's folder) but for its opening
# comment, which ends with an empty line and tells the parameters.  In them
# @name@ is the value.  Each parameter must be given, and each one given must
# occur.  An included file includes no other.

BEGIN {
	count = split("text bytea int2 int4 int8 oid uuid inet any", entry, " ")
}

FNR == 1 {
	if (inside)
		fail("--@end is missing")
	if (NR > 1)
		print ""
}

{
	name = FILENAME
	number = FNR
	if ($0 ~ /^--@include([ \t]|$)/)
		include($0)
	else
		process($0)
}

END {
	if (inside && !failed)
		fail("--@end is missing")
	exit failed
}

# A line of a part, or of an included file with its parameters filled in
function process(text,   i, j, type, line)
{
	if (text ~ /^--@for-each-value-type[ \t]*$/) {
		if (inside)
			fail("--@for-each-value-type inside another")
		inside = 1
		lines = 0
	} else if (text ~ /^--@end[ \t]*$/) {
		if (!inside)
			fail("--@end without --@for-each-value-type")
		for (i = 1; i <= count; i++) {
			if (i > 1)
				print ""
			type = entry[i] == "any" ? "\"any\"" : entry[i]
			for (j = 1; j <= lines; j++) {
				line = block[j]
				gsub(/@type@/, type, line)
				gsub(/@entry@/, entry[i], line)
				print line
			}
		}
		inside = 0
	} else if (text ~ /^--@/)
		fail("no such directive: " text)
	else if (inside) {
		line = text
		gsub(/@type@|@entry@/, "", line)
		if (line ~ /@[a-z_]+@/)
			fail("neither @type@ nor @entry@: " text)
		block[++lines] = text
	} else if (text ~ /@type@|@entry@/)
		fail("not inside --@for-each-value-type: " text)
	else if (text ~ /@[a-z_]+@/)
		fail("no value for a parameter: " text)
	else
		print text
}

function include(directive,   rest, file, key, text, body, status, at_name, at_number)
{
	if (inside)
		fail("--@include inside --@for-each-value-type")
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
		if (!match(rest, /^[a-z_]+='[^']*'/) && !match(rest, /^[a-z_]+=[^ \t']+/))
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
	if (inside)
		fail("--@end is missing")
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
