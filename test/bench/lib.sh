# lib.sh: what the scripts of test/bench share; sourced by bash
#
# It starts a server of one's own (test/lib.sh) and measures the CPU time of a session, the
# instructions and cache misses of a backend, and the machine's latency.
#
# Variables that others use:
#   OWN        1 on a server of this script's, which is in $W; empty on the caller's (PGHOST)
#   COUNTED    the cluster that valgrind runs a backend on
#   LL         the last-level cache that valgrind models: bytes, ways, bytes of a line

LL=${LL:-2097152,16,64}
BENCH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

psql() { command "${BIN:+$BIN/}psql" -XqAt -v ON_ERROR_STOP=1 "$@"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.3f", a / b; else printf "-" }'; }

# --- a server of one's own ----------------------------------------------------

# usage FILE: prints the comment at the head of a script
usage() { sed -n '2,/^set /p' "$1" | sed '/^set/d; s/^# \{0,1\}//'; }

# open_bench: finds a PostgreSQL with its headers, makes the temporary folder
open_bench() {
	ROOT=$(cd "$BENCH/../.." && pwd)
	. "$ROOT/test/lib.sh"
	local tools
	tools=$(missing_tools)
	[ -z "$tools" ] || apt_install $tools || exit 1
	find_postgres "${PG_CONFIG:-}"
	open_workdir
	find_headers
}

# inner SCRIPT ARGUMENT...: runs "SCRIPT --inner ARGUMENT..." of a copy of this tree, as the
# unprivileged user in the temporary folder, and exits with its status
inner() {
	local script=$1
	shift
	copy_tree
	export W PG_CONFIG BIN MAJOR PG_MAKE LL
	cd "$W"
	run_inner bash "$W/src/test/bench/$script" --inner "$@"
	exit $rc
}

# open_inner: what a script does first that inner has started: the library of this tree, and the
# program latency
open_inner() {
	. "$W/src/test/lib.sh"
	client_env
	OWN=1
	COUNTED=$W/data
	build >"$W/build.log" 2>&1 || { tail "$W/build.log"; exit 1; }
	${CC:-cc} -O2 -o "$W/latency" "$BENCH/latency.c"
}

# start_bench [LINE...]: the server, with memory for the tables, and serial plans
start_bench() {
	server_start 'shared_buffers = 1GB' 'autovacuum = off' 'jit = off' 'max_wal_size = 8GB' \
		'max_parallel_workers_per_gather = 0' 'hash_mem_multiplier = 1.0' 'work_mem = 4GB' "$@"
	chmod 700 "$W/data"
}

# compile_touch: the module of touch.c, as $W/touch
compile_touch() {
	local include
	include=$("$PG_CONFIG" --includedir-server)
	case $PG_MAKE in *includedir_server=*) include=${PG_MAKE#*includedir_server=} include=${include%% *} ;; esac
	${CC:-cc} -O2 -fPIC -shared -I"$include" -o "$W/touch.so" "$BENCH/touch.c"
	chmod a+r "$W/touch.so"
}

# own_server SCRIPT ARGUMENT...: for scripts that take the caller's server, or else make one of
# their own for as long as they run
own_server() {
	local script=$1
	shift
	OWN=
	if [ "${1:-}" = --inner ]; then
		open_inner
		start_bench 'maintenance_work_mem = 256MB'
		trap 'server_stop' EXIT
	elif [ -z "${PGHOST:-}" ]; then
		open_bench
		inner "$script" "$@"
	else
		latency_program=$(mktemp)
		${CC:-cc} -O2 -o "$latency_program" "$BENCH/latency.c" || latency_program=
		trap 'rm -f "$latency_program"' EXIT
	fi
}

# install_peer: postgresql-hll in the schema peer_bench, if the server has it; false if it has not
install_peer() {
	[ "$(psql -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'")" = 1 ] || return 1
	psql -c "SET client_min_messages = warning" -c "CREATE SCHEMA IF NOT EXISTS peer_bench" \
		-c "CREATE EXTENSION IF NOT EXISTS hll SCHEMA peer_bench"
}

# --- what is measured -----------------------------------------------------------

# timers [PSQL-ARGUMENT...]: functions that time a query in milliseconds: of CPU, or of the clock
# if the query may be parallel or the setting bench.wall is 1.  The CPU time of a session is brought up to date when the process is scheduled again, hence the sleep.
timers() {
	psql "$@" -f - <<-SQL
		CREATE OR REPLACE FUNCTION bench_now() RETURNS float8 LANGUAGE plpgsql AS \$\$
		BEGIN
			    IF current_setting('bench.wall', true) = '1'
		        OR current_setting('max_parallel_workers_per_gather') <> '0' THEN
		        RETURN extract(epoch FROM clock_timestamp()) * 1000;
		    END IF;
		    PERFORM pg_sleep(0.001);
		    RETURN split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e6;
		END \$\$;
		CREATE OR REPLACE FUNCTION bench_ms(query text, times int = 1) RETURNS float8
		LANGUAGE plpgsql AS \$\$
		DECLARE t float8; n text;
		BEGIN
		    t := bench_now();
		    FOR i IN 1..times LOOP
		        EXECUTE query INTO n;
		    END LOOP;
		    RETURN (bench_now() - t) / times;
		END \$\$;
	SQL
}

# counted LIBRARIES STATEMENT...: the instructions of a backend that runs the statements, and its
# data misses of the last-level cache, after its start and what ends it.  The server must not be
# running.  LIBRARIES is the dynamic_library_path, or empty.  MISSES= leaves out the misses.
counted() {
	local libraries=$1 tool=(--tool=cachegrind --cachegrind-out-file=/dev/null)
	shift
	# the first levels as given here, too, so that nothing is the machine's own
	if [ -n "${MISSES:-}" ]; then
		tool+=(--cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 "--LL=$LL")
	else
		tool+=(--cache-sim=no)
	fi
	local statement
	for statement; do echo "$statement" | tr '\n' ' '; echo; done |
		valgrind "${tool[@]}" "$BIN/postgres" --single -D "$COUNTED" \
			${libraries:+-c "dynamic_library_path=$libraries"} -c autovacuum=off \
			-c shared_buffers=256MB postgres 2>&1 >/dev/null |
		awk '/ERROR|FATAL|PANIC/ { print > "/dev/stderr"; bad = 1 }
			/I +refs:/ { gsub(/,/, ""); i = $NF } /LLd misses:/ { gsub(/,/, ""); m = $4 }
			END { if (bad || i == "") exit 1; printf "%.0f %.0f\n", i, m }'
}

# latency BYTES: nanoseconds that this machine takes now for a random access in as many bytes
latency() { "${latency_program:-$W/latency}" "$1"; }
