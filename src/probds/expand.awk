# expand.awk: the parts of the install script -> the install script
#
# Lines between "--@for-each-value-type" and "--@end" are repeated once for each
# argument type that an aggregate over values is declared with.  In them
# @type@ is the SQL type and @entry@ the end of the C function's name.
# Why overloads and not "any" alone: Citus compares declared argument types and
# gives the transition function no expression tree to learn the type from.

BEGIN {
	count = split("text bytea int2 int4 int8 oid uuid inet any", entry, " ")
}

FNR == 1 {
	if (inside)
		fail("--@end is missing")
	name = FILENAME
	if (NR > 1)
		print ""
}

/^--@for-each-value-type[ \t]*$/ {
	if (inside)
		fail("--@for-each-value-type inside another")
	inside = 1
	lines = 0
	next
}

/^--@end[ \t]*$/ {
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
	next
}

inside {
	block[++lines] = $0
	next
}

/@type@|@entry@|^--@/ {
	fail("not inside --@for-each-value-type: " $0)
}

{
	print
}

END {
	if (inside && !failed)
		fail("--@end is missing")
	exit failed
}

function fail(why)
{
	printf "%s:%d: %s\n", name, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}
