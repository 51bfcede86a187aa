# The same bytes come out of the server, the library, the command and the Python package, for all
# types.
#
# PROBDS_SETS says of how many random sets for each type and kind, 25 if nobody does.
use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $src = abs_path($ENV{PROBDS_SRC} || '.');
my $sets = $ENV{PROBDS_SETS} || 25;

plan skip_all => 'no compiler' if system('cc --version >/dev/null 2>&1') != 0;

{
	local $ENV{MAKEFLAGS};
	local $ENV{MAKEOVERRIDES};
	# (another test may build the same now)
	is(system("mkdir -p '$src/build' && flock '$src/build/lib.lock' "
		. "make -s -C '$src' lib tools >/dev/null"), 0, 'the library and the command build');
}
my $temp = PostgreSQL::Test::Utils::tempdir();
is(system("cc -std=c11 -Wall -Wextra -Werror -I'$src/clients/c' -o $temp/same_bytes "
	. "'$src/test/library/same_bytes.c' '$src/build/lib/libprobds.a' -lm"), 0, 'so does the test');

my $node = PostgreSQL::Test::Cluster->new('library');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "timezone = 'UTC'\ndatestyle = 'ISO'\n");
$node->start;
$node->safe_psql('postgres', qq(
CREATE EXTENSION probds;
CREATE TABLE vals AS
SELECT set, floor((random() - 0.2) * 10 ^ (2 + set % 9))::bigint AS v
FROM (SELECT set, ceil(exp(random() ^ 2 * 8))::int AS n FROM generate_series(1, $sets) set,
	LATERAL (SELECT setseed(1.0 / (set + 1))) seed OFFSET 0) s, generate_series(1, n);
));

# what the library is told, and the server
my @columns = (
	[ 'hll ', 'hll_agg(x)' ],
	[ 'hll precision=9', 'hll_agg(x, 9)' ],
	[ 'bloom ', 'bloom_agg(x)' ],
	[ 'bloom capacity=500,rate=0.02', 'bloom_agg(x, 500, 0.02)' ],
	[ 'bloom capacity=2000,layout=classic', q(bloom_agg(x, 2000, 0.01, 'classic')) ],
	[ 'cms ', 'cms_agg(x)' ],
	# in which no value is ever forgotten
	[ 'topk k=10,counters=3000', 'topk_agg(x, 10, 3000)' ],
	[ 'cuckoo capacity=1000', 'cuckoo_agg(x, 1000)' ],
	[ 'counting_bloom capacity=1000', 'counting_bloom_agg(x, 1000)' ],
	[ 'scalable_bloom capacity=100', 'scalable_bloom_agg(x, 100)' ],
	[ 'minhash ', 'minhash_agg(x)' ],
	[ 'minhash k=1024', 'minhash_agg(x, 1024)' ],
	[ 'ddsketch ', 'ddsketch_agg(x)' ],
	[ 'ddsketch error=0.001,buckets=64', 'ddsketch_agg(x, 0.001, 64)' ],
	[ 'fuse ', 'fuse_agg(x)' ],
	[ 'fuse rate=0.0001', 'fuse_agg(x, 0.0001)' ]);

my %kinds = (
	number => 'v',
	float => '(v / 7.0)::float8 * 10.0 ^ (v % 30)::float8',
	text => q(repeat('aé', (abs(v) % 12)::int) || v),
	bytea => q(decode(md5(v::text), 'hex') || substr('\x00ff80'::bytea, 1, (abs(v) % 4)::int)),
	uuid => 'md5(v::text)::uuid',
	boolean => 'v % 3 = 0',
	date => q(CASE WHEN v = 0 THEN 'infinity' ELSE date '2000-01-01' + (v % 600000)::int END),
	timestamp => q(timestamp '2000-01-01' + (v % 10000000000000) * interval '1.000013 ms'),
	timestamptz => q(timestamptz '2000-01-01' + (v % 10000000000000) * interval '1 us'));

my $python = '/usr/bin/python3';
$python = 'python3' unless -x $python;
my $has_python =
  system("$python -c 'import decimal, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null") == 0;

my %options = (number => 'int', bytea => 'bytes');

for my $kind (sort keys %kinds)
{
	my @made = map {
		$_->[0] =~ /^ddsketch/ && $kind !~ /number|float/ ? "''" : "encode(($_->[1])::bytea, 'hex')"
	} @columns;
	my $file = "$temp/$kind.sets";

	$node->safe_psql('postgres', "COPY (SELECT '$kind', " . join(', ', @made)
		. q{, string_agg(x::text, E'\x1f') || E'\x1f' FROM (SELECT set, }
		. "$kinds{$kind} AS x FROM vals) s WHERE set > 0 GROUP BY set) TO '$file.rows'");
	open my $in, '<', "$file.rows" or die;
	open my $out, '>', $file or die;
	print $out join("\t", map { $_->[0] } @columns), "\n";
	my ($same, $commands) = (0, 0);
	while (my $row = <$in>)
	{
		# COPY writes \ as \\
		$row =~ s/\\\\/\\/g;
		print $out $row;
		next if $kind eq 'bytea';

		# the command, each set with one of the columns
		my $i = $. % @columns;
		chomp $row;
		my @fields = split /\t/, $row, @columns + 2;
		next if $fields[ $i + 1 ] eq '';
		my ($type, @parameters) = split /[ ,]/, $columns[$i][0];
		my $values = $fields[-1];
		$values =~ tr/\x1f/\n/;
		open my $lines, '>', "$temp/lines" or die;
		print $lines $values;
		close $lines;
		my $got = `'$src/build/lib/probds' $type @{[map { "--$_" } @parameters]} --hex -t @{[
			$options{$kind} || $kind]} $temp/lines`;
		$commands++;
		$same++ if $got eq "\\x$fields[$i + 1]\n";
	}
	close $out;
	is($same, $commands, "$kind: the command");
	my $said = `$temp/same_bytes <$file`;
	like($said, qr/^[1-9]\d* compared, 0 different$/, "$kind: the library");
	diag($said) if $said !~ /, 0 different/;
  SKIP: {
		skip 'python3 (3.9 or later) is not here', 1 if !$has_python;
		local $ENV{PYTHONPATH} = "$src/clients/python/src";
		local $ENV{PROBDS_LIBRARY} = "$src/build/lib/libprobds.so.1";
		$said = `$python -B '$src/test/library/same_bytes.py' <$file 2>&1`;
		like($said, qr/^[1-9]\d* compared, 0 different/, "$kind: the Python package");
		diag($said) if $said !~ /, 0 different/;
	}
}

done_testing();
