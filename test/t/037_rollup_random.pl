# Rollups of random shape under random statements: INSERT, COPY, UPDATE, DELETE, MERGE, upserts,
# cascades, TRUNCATE, partitions and children that come and go, rollbacks, savepoints, prepared
# transactions.  After every statement, in the writer's own session and at its snapshot, a live
# rollup is what its query gives over the source, byte for byte.
#
# Odd rounds have one session, so that a seed gives the same again: what differs there is a
# script to run.  In even rounds several writers, refreshes, folds, old snapshots and DDL run
# beside each other, and the server crashes.  A snapshot that is older than an ATTACH or the like
# sees rows that it should not, so it is not compared.
#
# ROLLUP_SEED, ROLLUP_ROUNDS: other rounds, and how many.  ROLLUP_KIND: all with a source that is
# plain, parted or inherited.  ROLLUP_KEEP: a folder that gets the scripts of a round that failed.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $rounds = $ENV{ROLLUP_ROUNDS} // 8;
my $seed = $ENV{ROLLUP_SEED} // 14;

my $node = PostgreSQL::Test::Cluster->new('random');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "max_connections = 30\ndeadlock_timeout = 20ms\n"
	. "max_prepared_transactions = 10\nrestart_after_crash = on\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');
note("seed $seed");

my $has_merge = $node->safe_psql('postgres', 'SHOW server_version_num') >= 150000;

sub any { return $_[ int(rand(@_)) ]; }

# Some of a list, in any order
sub some
{
	my ($n, @list) = @_;
	my @picked;
	push @picked, splice(@list, int(rand(@list)), 1) while $n-- > 0 && @list;
	return @picked;
}

sub quoted { my ($s) = @_; $s =~ s/'/''/g; return "'$s'"; }

# ---------- rollups ----------

my @keys = (
	'at::date', 'date_trunc(\'hour\', at)', 'i', 'i % 3', 'big', 'n', 't', 'lower(t)', 'u', 'b',
		'f8', 'e', 'ip', 'arr', 'p', 'site',
	'coalesce(t, \'none\')', 'CASE WHEN i > 2 THEN t END', '(i, t)::text', 'md5(long)::uuid',
		'long', 'tstzrange(at, at + interval \'1 hour\')');
my @filters = ('', '', '', ' FILTER (WHERE i > 2)', ' FILTER (WHERE t IS NOT NULL AND b)',
	' FILTER (WHERE t LIKE \'a%\')');
my @wheres = ('', '', '', ' WHERE b', ' WHERE i > 1 AND t IS NOT NULL', ' WHERE at > '
	. '\'2026-01-01 12:00\'', ' WHERE long NOT LIKE \'a%\' OR p = 1');
my @values = (qw(i big n t u at f8 e ip arr b long), "source::text");

# Merging these gives the same bytes as building them in one go.  An aggregate, and how a
# rollup of the rollup merges it
my @aggregates = (
	(map { my $v = $_; ([ "hll_agg($v)", 'hll_merge_agg' ], [ "hll_agg($v, 10)", 'hll_merge_agg' ],
		[ "bloom_agg($v, 300)", 'bloom_merge_agg' ], [ "cms_agg($v, 0.01, 0.05)", 'cms_merge_agg' ],
		[ "topk_agg($v, 1000)", 'topk_merge_agg' ]) } @values),
	[ 'cms_agg_weighted(t, i, 0.01, 0.05)', 'cms_merge_agg' ],
	[ 'topk_agg_weighted(t, i, 400)', 'topk_merge_agg' ], [ 'hll_merge_agg(h)', 'hll_merge_agg' ],
	(map { [ $_, 'sum' ] } 'count(*)', 'count(t)', 'sum(i)', 'sum(big)', 'sum(n)') x 3,
	(map { [ $_, 'min' ] } 'min(at)', 'min(t)', 'min(e)'),
	(map { [ $_, 'max' ] } 'max(at)', 'max(big)', 'max(n)', 'max(f8)'),
	[ 'bool_and(b)', 'bool_and' ], [ 'every(i > 1)', 'bool_and' ], [ 'bool_or(b)', 'bool_or' ]);

# A rollup, or one of another: its name, what groups it, what it has, and the statement
sub rollup
{
	my ($name, $below) = @_;
	my $i = 0;
	my ($from, $where, @group, @of) = ('source', any(@wheres));
	if ($below)
	{
		($from, $where) = ($below->{name}, '');
		@group = some(int(rand(3)), map { ($_, $_, "$_ IS NULL", "md5($_\::text)") }
			@{ $below->{group} });
		@of = map { my ($column, $merge) = @$_; [ "$merge($column)", $merge ] }
			some(1 + int(rand(3)), @{ $below->{of} });
	}
	else
	{
		@group = some(int(rand(4)), @keys);
		@of = map { [ $_->[0] . any(@filters), $_->[1] ] } some(1 + int(rand(4)), @aggregates);
	}
	my $group = scalar(@group);
	# one is live, whom looks wait for
	my $r = { name => $name, live => rand() < 0.8 || $name eq 'r1', below => $below,
		group => [ map { 'k' . $_ } 1 .. $group ],
		of => [ map { [ 'a' . $_, $of[ $_ - 1 ][1] ] } 1 .. @of ] };
	my $query = 'SELECT '
		. join(', ', (map { "$group[$_ - 1] AS k$_" } 1 .. $group),
			(map { "$of[$_ - 1][0] AS a$_" } 1 .. @of))
		. " FROM $from$where" . ($group ? ' GROUP BY ' . join(', ', 1 .. $group) : '');
	$r->{sql} = "SELECT probds_create_rollup('$name', " . quoted($query) . ', live => '
		. ($r->{live} ? 'true' : 'false') . ");\nINSERT INTO rollups VALUES ('$name');\n";
	note("$name: $query" . ($r->{live} ? '' : ' (not live)'));
	return $r;
}

# ---------- statements ----------

my @columns = qw(at i big n t u b f8 e ip arr h long);
my $columns = join(', ', 'id', 'p', 'site', @columns);
my $kind;						# of source: plain, parted or inherited
my $may_truncate;				# not beside others where a rollup keeps its parts

# SELECT of n rows, with these identities.  Equal numbers look the same, because any value of a
# group may stand for it.
sub rows
{
	my ($n, $ids, $salt) = (@_, int(rand(1000000)));
	return "SELECT $ids, (x % 5)::int, (SELECT min(site) FROM sites WHERE site > x % 9), "
		. "'2026-01-01'::timestamptz + (x % 50) * interval '37 minutes', (x % 6)::int, "
		. "(x * 1000003) % 40, round((x % 9) / 4.0, 2), "
		. "(ARRAY['a', 'A', 'ab', 'é', NULL, ''])[1 + x % 6], md5((x % 13)::text)::uuid, "
		. "CASE WHEN x % 17 > 0 THEN x % 2 = 0 END, (x % 7) * 0.5 - 1, "
		. "(ARRAY['low', 'mid', 'high'])[1 + x % 3]::level, ('10.0.0.' || x % 20)::inet, "
		. "CASE WHEN x % 4 > 0 THEN ARRAY[x % 3, NULL] END, hll_add(hll_empty(), x % 100), "
		. "repeat(chr((97 + x % 3)::int), 4000) FROM (SELECT g, abs(hashint4(g * 7919 + $salt)"
		. ")::bigint AS x FROM generate_series(1, $n) g) s";
}
my $new = 'nextval(\'numbers\')';

# Where rows are written: mostly the source
sub target
{
	return rand() < 0.75 || $kind eq 'plain' ? 'source' : 'source_' . int(rand(5));
}

sub where
{
	my $m = any(3, 7, 20, 50);
	return any("id % $m = " . int(rand($m)), "id % $m = " . int(rand($m)), 'i = ' . int(rand(7)),
		't IS NULL AND id % 5 = 1', 'false', 'id < 0');
}

sub change
{
	return any('i = i + 1', 'i = NULL', 't = \'b\'', 't = NULL', 't = nullif(t, \'a\')', 'i = i',
		'long = long', 'long = \'changed\'', 'at = at + interval \'1 day\'', 'b = NOT b',
		'n = n + 1, e = \'mid\'', 'p = (p + 1) % 5', 'h = hll_add(h, id)', 'site = NULL',
		'arr = NULL, u = NULL', 'big = -big, f8 = f8 * 2');
}

sub copied
{
	my $copy = "COPY source (id, p, i, t, b, at) FROM STDIN;\n";
	$copy .= join("\t", 100000 + int(rand(1000000000)), int(rand(5)), any(0 .. 6, '\N'),
		any('a', 'copied', '\N'), any('t', 'f', '\N'), '2026-01-0' . any(1 .. 3) . ' 12:00') . "\n"
		for 1 .. any(1, 3, 8);
	return "$copy\\.\n";
}

sub upsert
{
	my $n = any(1, 3, 30);
	return "INSERT INTO source ($columns) " . rows($n, any('g', 'g + x % 300'))
		. ' ON CONFLICT (id, p) DO '
		. any('NOTHING', 'UPDATE SET ' . any('i = excluded.i', 't = excluded.t, b = source.b',
		'long = excluded.long', 'i = source.i + 1 WHERE source.b')) . ";\n";
}

sub merged
{
	return upsert() unless $has_merge;
	return "MERGE INTO source s USING (SELECT ($new)::bigint AS new, g FROM generate_series(1, "
		. any(1, 5, 40) . ') g) o ON s.id = o.g * 3 AND s.p = o.g % 5 '
		. 'WHEN MATCHED AND s.i > 3 THEN '
		. any('DELETE', 'DO NOTHING') . ' WHEN MATCHED THEN UPDATE SET '
		. any('i = 1', 'b = NOT b', 'long = \'merged\'', 't = \'merged\'')
		. ' WHEN NOT MATCHED THEN '
		. any('DO NOTHING', 'INSERT (id, p, i, t, at, b) VALUES (o.new, o.g % 5, o.g % 6, \'m\', '
		. '\'2026-01-01\', true)') . ";\n";
}

# A statement that writes
sub statement
{
	my $target = target();
	my $insert = "INSERT INTO $target ($columns) " . rows(any(1, 1, 2, 5, 40), $new);
	my $update = "UPDATE $target SET " . change() . ' WHERE ' . where();
	my $delete = "DELETE FROM $target WHERE " . where();
	my @all = (
		("$insert;\n") x 6, ("$update;\n") x 5, ("$delete;\n") x 2, copied(), upsert(), merged(),
		"WITH d AS ($delete RETURNING *) INSERT INTO source ($columns) SELECT ($new)::bigint, "
			. join(', ', 'p', 'site', @columns) . " FROM d;\n",
		"WITH a AS ($insert RETURNING 1), b AS ($update RETURNING 1), c AS (DELETE FROM source "
			. "WHERE id % 41 = 3 RETURNING 1) SELECT FROM a, b, c;\n",
		"INSERT INTO visible (id, p, i, t) VALUES ($new, " . int(rand(5)) . ", 4, 'seen');\n",
		"PREPARE s AS $insert;\nEXECUTE s;\nEXECUTE s;\nDEALLOCATE s;\n",
		"DO \$\$ BEGIN $insert; $update; RAISE 'no'; "
			. "EXCEPTION WHEN raise_exception THEN END \$\$;\n",
		"DO \$\$ BEGIN $insert; BEGIN $update; RAISE 'no'; "
			. "EXCEPTION WHEN raise_exception THEN END; $insert; END \$\$;\n",
		'DELETE FROM sites WHERE site = ' . int(rand(10)) . ";\n",
		'UPDATE sites SET site = ' . int(rand(10)) . ' WHERE site = ' . int(rand(10)) . ";\n",
		'INSERT INTO sites VALUES (' . int(rand(10)) . ") ON CONFLICT DO NOTHING;\n",
		$may_truncate && rand() < 0.2
			? 'TRUNCATE ' . any('source', 'source', 'ONLY source') . ";\n" : "$insert;\n");
	return any(@all);
}

# Partitions and children come and go.  "told" writes down that rows came or went in a way that
# older snapshots see.
sub definition
{
	my $n = int(rand(5));
	my $table = "source_$n";
	my $told = "SELECT tell();\n";
	my @all = ("${told}TRUNCATE $table;\n");
	if ($kind eq 'parted')
	{
		push @all,
			("${told}ALTER TABLE source DETACH PARTITION $table;\n",
			"${told}DELETE FROM source WHERE p = $n;\nALTER TABLE source ATTACH PARTITION $table "
				. "FOR VALUES IN ($n);\n") x 2,
			"${told}DROP TABLE $table;\n",
			"${told}DROP TABLE IF EXISTS $table;\nDELETE FROM source WHERE p = $n;\nCREATE TABLE "
				. "$table PARTITION OF source FOR VALUES IN ($n)" . any('', ' PARTITION BY HASH '
				. "(id);\nCREATE TABLE ${table}_a PARTITION OF $table FOR VALUES WITH (MODULUS 1, "
				. 'REMAINDER 0)') . ";\n" for 1 .. 2;
	}
	elsif ($kind eq 'inherited')
	{
		push @all,
			"${told}ALTER TABLE $table NO INHERIT source;\n",
			"${told}ALTER TABLE $table INHERIT source;\n",
			"${told}DROP TABLE $table;\n", "CREATE TABLE $table () INHERITS (source);\n",
			"${told}TRUNCATE " . any('source', 'ONLY source') . ";\n";
	}
	return any(@all);
}

my $check = "SELECT differences('%s');\n";

# So many scripts of statements, each followed by a look.  "alone": with DDL and all the rest
sub writer
{
	my ($w, $n, $alone, @rollups) = @_;
	my ($sql, $i) = ('', 0);
	my $look = sub { return sprintf($check, "$w." . ++$i); };
	my $one = sub {
		return ($alone && rand() < 0.15 ? definition() : statement()) . $look->();
	};
	my $more = sub { return join('', map { $one->() } 1 .. any(1, 2, 3)); };
	for (1 .. $n)
	{
		my $begin = 'BEGIN'
			. any('', '', '', ' ISOLATION LEVEL REPEATABLE READ', ' ISOLATION LEVEL SERIALIZABLE')
			. ";\n" . any('', $look->());
		my $end = any('COMMIT', 'COMMIT', 'ROLLBACK');
		my $gid = "w${w}_$i";
		my $prepared = $more->();
		my $may_look = !$alone && $prepared !~ /TRUNCATE|ALTER|DROP/;
		$sql .= any($one->(), $one->(), $one->(),
			$begin . $more->() . "$end;\n" . $look->(),
			$begin . $more->() . "SAVEPOINT s;\n" . $more->()
				. any("ROLLBACK TO s;\n", "RELEASE s;\n") . $look->() . $more->() . "$end;\n"
				. $look->(),
			$begin . $prepared . "PREPARE TRANSACTION '$gid';\n"
				. ($may_look ? any('', $look->()) : '')
				. any("COMMIT PREPARED '$gid';\n", "ROLLBACK PREPARED '$gid';\n") . $look->(),
			$alone ? keeping(any(@rollups)) . $look->() : $one->());
	}
	return $sql;
}

# What keeps a rollup
sub keeping
{
	my ($r) = @_;
	return any(("SELECT probds_fold_rollup('$r->{name}');\n",
		"CALL probds_refresh_rollup('$r->{name}');\n") x 3,
		"CALL probds_rebuild_rollup('$r->{name}');\n");
}

# ---------- sessions ----------

my $files = PostgreSQL::Test::Utils::tempdir;
my $n_files = 0;

sub start_one
{
	my ($sql) = @_;
	my $file = "$files/" . ++$n_files;
	# who looks while he has prepared something may wait for somebody who waits for that, which
	# the server does not notice
	append_to_file("$file.sql", "SET client_min_messages = warning;\nSET lock_timeout = '3s';\n"
		. $sql);
	return { file => "$file.sql", out => "$file.out",
		run => IPC::Run::start([ 'psql', '-X', '-A', '-t', '-q', '-d', $node->connstr('postgres'),
			'-f', "$file.sql" ], '<', \undef, '>', '/dev/null', '2>', "$file.out") };
}

# What they said that nobody should say.  Who loses a deadlock, or a race between snapshots,
# rolls back; and tables that come and go are not always there.
my $expected = join('|', 'deadlock detected', 'could not serialize access',
	'current transaction is aborted', 'savepoint "s" does not exist', 'terminating connection',
	'server closed', 'connection to server', 'canceling statement due to lock timeout',
	'prepared transaction with identifier "w\w+" does not exist', 'duplicate key value',
	'no partition of relation "source_?\w*" found for row', 'violates foreign key constraint',
	'violates partition constraint', 'updated partition constraint',
	'partition constraint of relation "source_\w+" is violated',
	'tuple to be (?:locked|updated|deleted) was already m',
	'relation "source_\d(?:_a)?" (?:does not exist|already exists|is not a partition|would be)',
	'"source_\d" is already a (?:partition|child)', 'is not a parent of relation "source_\d"',
	'relation "source_\d" is not a p', 'relation "source_\d" is not a partition',
	'cannot run inside a transaction block', 'inherited from more than once',
	'is being used by active',
	'ON CONFLICT DO UPDATE command cannot affect row a second time',
	'MERGE command cannot affect row a second time', 'table "source_\d" does not exist',
	'cannot PREPARE a transaction that', 'pending trigger events', 'could not obtain lock',
	'prepared statement "s" (?:already exists|does not exist)',
	'a rollup can only be folded', 'in a transaction that has modified', 'uncommitted',
	'is a partition', 'could not open relation with OID', 'relation with OID \d+ does not exist',
	'the database system is', 'cannot truncate only a partitioned table', 'tuple concurrently');

sub finish_all
{
	my $said = '';
	foreach my $s (@_)
	{
		eval { $s->{run}->finish };
		my @wrong =
			grep { /ERROR|FATAL|PANIC|DIFFERENCE|WARNING/ && !/$expected/ }
			split(/^/, slurp_file($s->{out}));
		$said .= "$s->{file}:\n" . join('', @wrong) if @wrong;
	}
	return $said;
}

# What two tables of the same rows differ in, of those of "rollups" that are live.  The
# function is STABLE: all of it has the snapshot of the statement that calls it.
my $looks = q(
CREATE TYPE level AS ENUM ('low', 'mid', 'high');
CREATE SEQUENCE numbers START 1000;
CREATE SEQUENCE looks;
CREATE SEQUENCE statements;             -- that a look followed
CREATE SEQUENCE told;
CREATE TABLE tellings (n bigint);
CREATE TABLE rollups (name text);
CREATE TABLE sites (site int PRIMARY KEY);
INSERT INTO sites SELECT generate_series(0, 9);
-- The sequence first, which all snapshots see; then what those see that see this transaction
CREATE FUNCTION tell() RETURNS void LANGUAGE sql AS 'INSERT INTO tellings SELECT nextval(''told'')';
CREATE FUNCTION difference(name text) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM
    (SELECT md5(x::text) AS m, count(*) AS c FROM %1$s x GROUP BY 1) a FULL JOIN
    (SELECT md5(x::text) AS m, count(*) AS c FROM %1$s_query x GROUP BY 1) b USING (m, c)
        WHERE a.m IS NULL OR b.m IS NULL', name) INTO n;
    RETURN n;
END $$;
CREATE FUNCTION differences(place text) RETURNS void
STABLE LANGUAGE plpgsql AS $$
DECLARE
    name text;
    live boolean;
    n bigint;
    tellings bigint;
BEGIN
    PERFORM nextval('statements') WHERE place NOT LIKE 'aged%';
    FOR name IN SELECT r.name FROM rollups r LOOP
        EXECUTE format('SELECT live FROM %s_options', name) INTO live;
        CONTINUE WHEN NOT live;
        n = difference(name);
        PERFORM nextval('looks');
        CONTINUE WHEN n = 0;
        SELECT count(*) INTO tellings FROM tellings;
        CONTINUE WHEN
            tellings <> (SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM told)
            AND current_setting('my.alone', true) IS DISTINCT FROM 'on';
        RAISE WARNING 'DIFFERENCE: % at %: %', name, place, n;
    END LOOP;
END $$;
);

# The table "source", and what there is in it
sub source_sql
{
	my $sql = "CREATE TABLE source (id bigint NOT NULL, p int NOT NULL, site int, at timestamptz, "
		. "i int, big bigint, n numeric, t text, u uuid, b boolean, f8 double precision, e level, "
		. "ip inet, arr bigint[], h hll, long text, PRIMARY KEY (id, p))";
	$sql .= ' PARTITION BY LIST (p)' if $kind eq 'parted';
	$sql .= ";\nALTER TABLE source ADD FOREIGN KEY (site) REFERENCES sites ON DELETE CASCADE ON "
		. "UPDATE CASCADE DEFERRABLE;\n";
	if ($kind eq 'parted')
	{
		$sql .= "CREATE TABLE source_$_ PARTITION OF source FOR VALUES IN ($_);\n" for 0 .. 2;
		# columns in another order
		$sql .= "CREATE TABLE source_3 (gone int, long text, h hll, arr bigint[], ip inet, e level,
    f8 double precision, b boolean, u uuid, t text, n numeric, big bigint, i int, at timestamptz,
    site int, p int NOT NULL, id bigint NOT NULL);
ALTER TABLE source_3 DROP COLUMN gone;
ALTER TABLE source ATTACH PARTITION source_3 FOR VALUES IN (3);
CREATE TABLE source_4 PARTITION OF source FOR VALUES IN (4) PARTITION BY HASH (id);
CREATE TABLE source_4_a PARTITION OF source_4 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE source_4_b PARTITION OF source_4 FOR VALUES WITH (MODULUS 2, REMAINDER 1);\n";
		$sql .= "CREATE TABLE source_other PARTITION OF source DEFAULT;\n" if rand() < 0.7;
	}
	$sql .= join('', map { "CREATE TABLE source_$_ () INHERITS (source);\n" } 0 .. 3)
		if $kind eq 'inherited';
	# somebody else's trigger, which writes again
	$sql .= "CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
    IF pg_trigger_depth() < 3 THEN UPDATE source SET i = 0 WHERE i = 5 AND id % 3 = 0; END IF;
    RETURN NULL;
END \$\$;
CREATE TRIGGER again AFTER INSERT OR UPDATE ON source EXECUTE FUNCTION again();\n"
		if rand() < 0.3;
	return $sql . "INSERT INTO source ($columns) " . rows(100, 'g') . ";\n"
		. "CREATE VIEW visible AS SELECT id, p, i, t FROM source WHERE i > 3;\n";
}

# ---------- rounds ----------

sub crash
{
	my @run = @_;
	if (rand() < 0.5)
	{
		$node->stop('immediate');
		finish_all(@run);
		$node->start;
		return;
	}
	# one backend, and the server restarts
	my $pid = $node->safe_psql('postgres',
		"SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT differences%' OR query LIKE "
		. "'INSERT%' ORDER BY random() LIMIT 1");
	kill 'KILL', $pid if $pid;
	finish_all(@run);
	# a client may lose its connection while it writes to it
	for (1 .. 1800)
	{
		return if eval { $node->psql('postgres', 'SELECT true') == 0 };
		select(undef, undef, undef, 0.1);
	}
	die 'no server';
}

# Of a round that failed: what it said, and what made it, where ROLLUP_KEEP says
sub keep_failed
{
	my ($round, $what, $said) = @_;
	my $keep = $ENV{ROLLUP_KEEP} // return;
	append_to_file("$keep/failed", "round $round of seed $seed: $what\n$said\n");
	append_to_file("$keep/$seed.$round.sql", slurp_file("$files/made$round.sql"))
	  unless -e "$keep/$seed.$round.sql";
	while ($said =~ /^(\S+\.sql):$/mg)
	{
		append_to_file("$keep/$seed.$round.$what.sql", slurp_file($1));
	}
	return;
}

my ($looked, $statements) = (0, 0);
for my $round (1 .. $rounds)
{
	srand($seed * 1000 + $round);
	my $alone = $round % 2;
	$kind = any('plain', 'parted', 'parted', 'inherited');
	$kind = $ENV{ROLLUP_KIND} // $kind;
	$may_truncate = $alone || $kind ne 'inherited';
	note("round $round: $kind");
	my @rollups = map { rollup("r$_") } 1 .. any(2, 4, 6);
	push @rollups, rollup('u' . $_, any(@rollups)) for 1 .. any(0, 1, 3);
	my $made = "SET client_min_messages = warning;\n$looks" . source_sql()
		. join('', map { $_->{sql} } @rollups);
	append_to_file("$files/made$round.sql", $made);
	$node->safe_psql('postgres', $made);

	my $told;
	if ($alone)
	{
		my $sql = writer('w', 60, 1, @rollups);
		$told = finish_all(start_one("SET my.alone = on;\n$sql"));
	}
	else
	{
		my $aged = '';
		$aged .= "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
			. join('', map { sprintf($check, "aged.$_") } 1 .. 5) . "COMMIT;\n" for 1 .. 6;
		my $ddl = '';
		$ddl .= "BEGIN;\n" . definition() . sprintf($check, "ddl.$_") . any('COMMIT', 'COMMIT',
			'ROLLBACK') . ";\nSELECT setval('told', greatest((SELECT count(*) FROM tellings), 1), "
			. "EXISTS (SELECT FROM tellings));\n" . sprintf($check, "ddl.$_") for 1 .. 25;
		my $keep = sub { return join('', map { keeping(any(@rollups)) } 1 .. 30); };
		my $go = sub {
			return ((map { start_one(writer($_, 20, 0)) } @_), start_one($aged), start_one($ddl),
				start_one($keep->()), start_one($keep->()));
		};
		my @run = $go->(1 .. 3);
		if ($round % 4 == 0)
		{
			# when some of it is done
			$node->poll_query_until('postgres', 'SELECT last_value > 60 FROM looks')
				or die 'nobody writes';
			crash(@run);
			@run = $go->(4 .. 6);
		}
		$told = finish_all(@run);
	}
	is($told, '', "round $round: nobody fails, and nothing differs")
		or keep_failed($round, 'told', $told);
	foreach my $gid (split(/\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts')))
	{
		$node->safe_psql('postgres', any('COMMIT', 'ROLLBACK') . " PREPARED '$gid'");
	}
	# all are right when they are refreshed
	foreach my $r (@rollups)
	{
		is($node->safe_psql('postgres', "SELECT difference('$r->{name}')"), '0',
			"round $round: $r->{name} is live") or keep_failed($round, "live $r->{name}", '')
			if $r->{live};
	}
	$node->safe_psql('postgres', "CALL probds_refresh_rollup('$_->{name}')") foreach @rollups;
	foreach my $r (@rollups)
	{
		is($node->safe_psql('postgres', "SELECT difference('$r->{name}')"), '0',
			"round $round: $r->{name} is refreshed")
			or keep_failed($round, "refreshed $r->{name}", '');
	}
	is($node->safe_psql('postgres',
		"SELECT string_agg(status || ' ' || groups_waiting, ',') FROM probds_rollups() "
		. "WHERE status <> 'ok' OR groups_waiting <> 0"), '', "round $round: their status");
	$looked += $node->safe_psql('postgres', 'SELECT last_value FROM looks');
	$statements += $node->safe_psql('postgres', 'SELECT last_value FROM statements');
	$node->safe_psql('postgres',
		join('', map { "SELECT probds_drop_rollup('$_->{name}');\n" } reverse @rollups)
		. 'SET client_min_messages = warning; DROP TABLE source, sites, tellings, rollups CASCADE; '
		. 'DROP SEQUENCE numbers, looks, statements, told; '
		. 'DROP FUNCTION tell, difference, differences; DROP FUNCTION IF EXISTS again; '
		. 'DO $$ DECLARE t regclass; BEGIN FOR t IN SELECT oid FROM pg_class WHERE relname ~ '
		. '\'^source_\' AND relkind IN (\'r\', \'p\') AND NOT relispartition LOOP EXECUTE format('
		. '\'DROP TABLE %s CASCADE\', t); END LOOP; END $$; DROP TYPE level');
}
cmp_ok($looked, '>', 10 * $rounds, "$looked comparisons after $statements statements");

$node->stop;
done_testing();
