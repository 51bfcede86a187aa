# log.awk: lines in Common or Combined Log Format -> day, visitor, bytes
#
#     host ident user [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326 ...
#
# Only the host, the time stamp and the bytes are used.  A line counts as readable when a
# host stands at its begin and a real date in brackets before a quote.  The day
# is the one that the server wrote, in its own time zone.  With "vhost:port" in
# front (Debian's other_vhosts_access.log) the host is the second word.
#
# Prints day, host and bytes, "\N" where there are none; writes to the file "stats": lines,
# readable lines, days and the type that fits all hosts.

BEGIN {
	split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", name, " ")
	split("31 29 31 30 31 30 31 31 30 31 30 31", length_of, " ")
	for (i in name)
		month[name[i]] = i + 0
	stamp = "\\[[0-9][0-9]/[A-Z][a-z][a-z]/[0-9][0-9][0-9][0-9]" \
		":[0-9][0-9]:[0-9][0-9]:[0-9][0-9] [-+][0-9][0-9][0-9][0-9]\\] \""
	addresses = 1
}

!match($0, stamp) { next }

{
	d = substr($0, RSTART + 1, 2) + 0
	m = month[substr($0, RSTART + 4, 3)] + 0
	y = substr($0, RSTART + 8, 4) + 0
	words = split(substr($0, 1, RSTART - 1), word, " ")
	host = word[1]
	if (words > 3 && host ~ /^[^:]+:[0-9]+$/)
		host = word[2]
	leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
	if (words < 3 || m == 0 || y == 0 || d == 0 || d > length_of[m] ||
		m == 2 && d == 29 && !leap)
		next
	day = sprintf("%04d-%02d-%02d", y, m, d)
	if (!(day in seen)) {
		seen[day] = 1
		days++
	}
	if (addresses && !is_address(host))
		addresses = 0
	gsub(/\\/, "\\\\&", host)
	# the demo's database is UTF-8, host names are not always
	gsub(/[\200-\377]/, "?", host)
	bytes = "\\N"
	if (match($0, /" [0-9][0-9][0-9] [0-9]+( |\r?$)/)) {
		split(substr($0, RSTART, RLENGTH), word, " ")
		bytes = length(word[3]) <= 18 ? word[3] + 0 == 0 ? 0 : word[3] : "\\N"
	}
	print day "\t" host "\t" bytes
	good++
}

END {
	print NR, good + 0, days + 0, (addresses ? "inet" : "text") > stats
}

function is_address(s,   part, n, j)
{
	if (s ~ /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/) {
		n = split(s, part, ".")
		for (j = 1; j <= n; j++)
			if (length(part[j]) > 3 || part[j] > 255 || part[j] ~ /^0[0-9]/)
				return 0
		return 1
	}
	# eight groups, or fewer around one "::"; no zone, no dotted tail
	if (s !~ /^[0-9a-fA-F:]+$/ || s !~ /:.*:/ || s ~ /:::/ || s ~ /::.*::/)
		return 0
	if (s ~ /^:[^:]/ || s ~ /[^:]:$/)
		return 0
	n = split(s, part, ":")
	for (j = 1; j <= n; j++)
		if (length(part[j]) > 4)
			return 0
	return s ~ /::/ ? n <= 8 : n == 8
}
