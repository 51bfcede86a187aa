# A backend that gets no more memory says so, and continues. What it kept (cached filters, the
# states of aggregates) is not left half-done.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'prlimit or /proc is not here'
  unless -e '/proc/self/status' && !system('prlimit --version >/dev/null 2>&1');

my $node = PostgreSQL::Test::Cluster->new('memory');
$node->init;
# enough that the machine's memory is the only limit
$node->append_conf('postgresql.conf',
	"work_mem = '1GB'\njit = off\nmax_parallel_workers_per_gather = 0\nshared_buffers = '16MB'");
$node->start;

# an emulated CPU may let its processes have what they want
my ($out, $err) = ('', '');
$node->psql('postgres', limit(12) . "SELECT length(repeat('x', 100000000));", stdout => \$out,
	stderr => \$err, on_error_stop => 0);
if ($err !~ /out of memory/)
{
	$node->stop;
	plan skip_all => 'a limit of memory is not kept here';
}

$node->safe_psql(
	'postgres', q(
CREATE EXTENSION probds;
-- dense filters of 20 MB, and an array of 36 MB
CREATE TABLE large (id int, f bloom);
INSERT INTO large SELECT 1, bloom_agg(i, 16000000)
FROM (SELECT generate_series(1, 4000000) AS i) rows;
INSERT INTO large SELECT 2, f FROM large;
CREATE TABLE arrays (a text[]);
ALTER TABLE arrays ALTER a SET STORAGE EXTERNAL;
INSERT INTO arrays SELECT array_agg(md5(i::text)) FROM generate_series(1, 1000000) i;
CREATE TABLE small AS SELECT i AS k, hll_add(hll_empty(), i) AS h,
    bloom_add(bloom_empty(100), i) AS b FROM generate_series(1, 1000) i;
));
is($node->safe_psql('postgres',
	'SELECT bool_and(length(f::bytea) > 18000000 AND (bloom_info(f)).encoding = \'array\') '
	. 'FROM large'),
	't', 'the filters are large');

# each needs more than is given
my @greedy = (
	'SELECT bloom_agg(i) IS NULL FROM generate_series(1, 3000000) i',
	'SELECT bloom_agg(i, 20000000) IS NULL FROM (SELECT generate_series(1, 5000000) AS i) rows',
	'SELECT bloom_merge_agg(f) IS NULL FROM large',
	'SELECT a.f || b.f IS NULL FROM large a, large b',
	'SELECT a.f & b.f IS NULL FROM large a, large b',
	'SELECT a.f = b.f FROM large a, large b',
	'SELECT length(f::text) FROM large',
	'SELECT length(f::bytea) FROM large',
	'SELECT (bloom_info(f)).items FROM large',
	'SELECT bloom_add(f, 1) IS NULL FROM large',
	'SELECT bloom_add_all(bloom_empty(100), a) IS NULL FROM arrays',
	'SELECT hll_add_all(hll_empty(), a) IS NULL FROM arrays',
	'SELECT count(s) FROM (SELECT hll_agg(i) AS s FROM generate_series(1, 500000) i '
		. 'GROUP BY i % 100000) q',
	'SELECT count(s) FROM (SELECT bloom_agg(i, 1000) AS s FROM generate_series(1, 500000) i '
		. 'GROUP BY i % 100000) q',
	'SELECT count(s) FROM (SELECT hll_merge_agg(hll_add(hll_empty(18), i)) AS s '
		. 'FROM generate_series(1, 500000) i GROUP BY i % 100000) q');
# and these do not
my $modest = q(SELECT #hll_merge_agg(h), bloom_contains(bloom_merge_agg(b), 500),
    (SELECT #hll_agg(i) FROM generate_series(1, 1000) i) FROM small);
my $answer = $node->safe_psql('postgres', $modest);
# keys of a filter that is too large to be kept, by slices and from the cache
my $probe = q(SELECT count(*) FROM large, generate_series(1, 20000) i
    WHERE id = 1 AND bloom_contains(f, i));
my $probed = $node->safe_psql('postgres', "SET probds.probe_cache_size = 0; $probe");

# limit(MEGABYTES): the backend may have so much more than it has; psql's commands
sub limit
{
	my ($more) = @_;
	my $size = q(awk '/^VmSize/ { print $2 }' /proc/$BACKEND/status);
	return <<"END";
SELECT pg_backend_pid() AS pid \\gset
\\setenv BACKEND :pid
\\! prlimit --pid \$BACKEND --as=\$((1024 * (\$($size) + 1024 * $more))):
END
}

# under_limit(MEGABYTES, STATEMENTS): what they say in a session of their own
sub under_limit
{
	my ($more, $statements) = @_;
	my ($out, $err) = ('', '');
	$node->psql('postgres', "\\set VERBOSITY sqlstate\n" . limit($more) . $statements,
		stdout => \$out, stderr => \$err, on_error_stop => 0);
	return "$err$out";
}
my $unlimited = "\\! prlimit --pid \$BACKEND --as=unlimited:\n";

# each in a session of its own, three times
foreach my $query (@greedy)
{
	my ($out, $err) = ('', '');
	$node->psql('postgres', "\\set VERBOSITY sqlstate\n" . limit(12) . "$query;\n$modest;\n" x 3,
		stdout => \$out, stderr => \$err, on_error_stop => 0);
	my $errors = () = $err =~ /ERROR:  53200/g;
	ok($errors == 3 && $out eq join("\n", ($answer) x 3) && $err !~ /FATAL|PANIC|server closed/,
		"out of memory: $query")
	  or diag("$err\n$out");
}

# canonical bytes are hashed as they come: those of 8 million numbers would take 96 MB, and their
# array takes 16 MB
my $numbers = 'array_fill(7::int2, ARRAY[8000000])';
foreach my $query (
	"SELECT probds_hash($numbers) IS NOT NULL",
	"SELECT bloom_add(bloom_empty(9), a) \@> a FROM (SELECT $numbers AS a OFFSET 0) q",
	"SELECT #hll_agg(a) = 1 FROM (SELECT $numbers AS a OFFSET 0) q",
	"SELECT probds_hash(ROW(1, a)) IS NOT NULL FROM (SELECT $numbers AS a OFFSET 0) q",
	'SELECT probds_hash(array_fill(7::int2, ARRAY[1000, 8000])) IS NOT NULL')
{
	is(under_limit(70, "$query;\n" x 2), "t\nt", "in constant memory: $query");
}

# a union for which the state moves sixteen times, to images from 9 to 22 MB
$node->safe_psql('postgres', q(
CREATE TABLE counted AS SELECT cuckoo_agg(i, 1000000, 1e-9) AS s FROM generate_series(1, 1000000) i;
));
is(under_limit(100, 'SELECT octet_length((s || s)::bytea) FROM counted'), '4237270',
	'old images of a state are freed');
$node->safe_psql('postgres', 'DROP TABLE counted');

# a live rollup whose groups all wait gives 120 MB of results
$node->safe_psql(
	'postgres', q(
CREATE TABLE wide (k int, v int);
INSERT INTO wide SELECT i, i FROM generate_series(1, 6000) i;
SELECT probds_create_rollup('widest',
	'SELECT k, max(repeat(v::text, 5000)) AS v FROM wide GROUP BY 1');
UPDATE wide SET v = v + 1;
ANALYZE;
));
is(under_limit(70, "SET work_mem = '1MB';\nSELECT count(*), max(length(v)) FROM widest"),
	'6000|20000', 'in constant memory: a rollup whose groups wait');
$node->safe_psql('postgres', 'SELECT probds_drop_rollup(\'widest\'); DROP TABLE wide');

# all in one session, caught, and right when there is memory again
($out, $err) = ('', '');
my $caught =
	join("\n",
	map { "BEGIN EXECUTE \$q\$$_\$q\$; EXCEPTION WHEN out_of_memory THEN n := n + 1; END;" }
	@greedy);
$node->psql(
	'postgres',
	"SET client_min_messages = warning;\n$probe;\n" . limit(12) . qq(
CREATE TEMP TABLE caught (n int);
DO \$do\$
DECLARE
    n int := 0;
BEGIN
    FOR i IN 1..3 LOOP
        $caught
    END LOOP;
    INSERT INTO caught VALUES (n);
END
\$do\$;
$modest;
SELECT n FROM caught;
$unlimited
$probe;
SELECT length(f::text) > 18000000 FROM large WHERE id = 1;
), stdout => \$out, stderr => \$err, on_error_stop => 0);
is($err, '', 'caught in PL/pgSQL');
is($out, "$probed\n$answer\n" . 3 * @greedy . "\n$probed\nt", 'and the session goes on');

# in the middle of probes: the first ones read slices, then the filter is to be kept
$node->psql('postgres', "\\set VERBOSITY sqlstate\nSET probds.probe_cache_size = '100MB';\n"
	. limit(8) . "$probe;\n$unlimited$probe;",
	stdout => \$out, stderr => \$err, on_error_stop => 0);
is($out, join("\n", ($probed) x ($err =~ /53200/ ? 1 : 2)),
	'a filter that there is no memory to keep: ' . ($err =~ /53200/ ? 'an error' : 'slices go on'));
unlike($err, qr/FATAL|PANIC|server closed/, 'and the session goes on');

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
