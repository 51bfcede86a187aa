// cube.mjs: statements of Cube's own compiler (cube.dev), on probds_hll
//
//   npm install --prefix FOLDER --ignore-scripts @cubejs-backend/{schema-compiler,postgres-driver}
//   PGHOST=... PGUSER=... node test/byhand/cube.mjs FOLDER
//
// A cube has two measures countDistinctApprox: of all days, and of 7 days up to each day.  The
// compiler makes their queries from the table, the pre-aggregation by day, and the queries from
// the pre-aggregation; Cube's driver runs them.  Both queries must give the same numbers, within
// 2 % of count(DISTINCT).  The user is a superuser, and the database's schema cube is replaced.
// Prints the statements; the last line is "N passed, N failed".
import { createRequire } from 'node:module';

const cube = createRequire(`${process.argv[2]}/`);
const { prepareCompiler, PostgresQuery } = cube('@cubejs-backend/schema-compiler');
const { PostgresDriver } = cube('@cubejs-backend/postgres-driver');

const model = (more) => `cube('visits', {
    sql_table: 'cube.visits',
    dimensions: { at: { sql: 'at', type: 'time' }, page: { sql: 'page', type: 'string' } },
    measures: {
        people: { sql: 'person', type: 'countDistinctApprox' },
        week: { sql: 'person', type: 'countDistinctApprox', rolling_window: { trailing: '7 day' } },
    },
    ${more} })`;
const rollup = `pre_aggregations: { daily: { measures: [people, week], dimensions: [page],
    time_dimension: at, granularity: 'day', external: false } }`;

// Cube's own dialect estimates twice where a rolling window is read from a pre-aggregation
class Dialect extends PostgresQuery {
    hllMergeOnly(sql) { return `hll_union_agg(${sql})`; }
}

// The query of a measure by the compiler.  npm lacks its native half, which has the templates (the
// model uses none) and the second planner.
async function query(content, measure, granularity) {
    const compilers = prepareCompiler(
        { localPath: () => '', dataSchemaFiles: async () => [{ fileName: 'visits.js', content }] },
        { nativeInstance: { newJinjaEngine: () => ({}) } });
    await compilers.compiler.compile();
    return new (measure === 'week' ? Dialect : PostgresQuery)(compilers, {
        useNativeSqlPlanner: false, timezone: 'UTC', preAggregationsSchema: 'cube',
        measures: [`visits.${measure}`],
        timeDimensions: [{ dimension: 'visits.at', granularity,
            dateRange: ['2026-01-08', '2026-01-28'] }],
    });
}

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password } = process.env;
const { PGDATABASE: database = 'postgres' } = process.env;
let db;
const connect = () => { db = new PostgresDriver({ host, port, user, password, database }); };
async function run(statement, values = []) {
    return (await db.query(statement, values)).map(Object.values);
}
async function answer(made) {
    const [statement, values] = made.buildSqlAndParams();
    console.log(`${statement}\n`);
    return run(statement, values);
}

connect();
await run('CREATE EXTENSION IF NOT EXISTS probds_hll CASCADE');
await run(`ALTER DATABASE "${database}" SET probds_hll.log2m = 14`);
await run('DROP SCHEMA IF EXISTS cube CASCADE');
await run('CREATE SCHEMA cube');
await run(`CREATE TABLE cube.visits AS
    SELECT timestamptz '2026-01-01 00:00Z' + i * interval '12.096 s' AS at,
           'page ' || i % 3 AS page, i / 40 + i::bigint * i % 30011 AS person
    FROM generate_series(0, 199999) i`);
await db.release();
connect();

// the exact numbers: of all days, and of as many days up to each
const all = `SELECT count(DISTINCT person) FROM cube.visits WHERE at >= '2026-01-08 00:00Z'`;
const upTo = (n) => `SELECT d, (SELECT count(DISTINCT person) FROM cube.visits
        WHERE at >= d - interval '${n - 1} days' AND at < d + interval '1 day')
    FROM generate_series(timestamptz '2026-01-08 00:00Z', '2026-01-28 00:00Z', '24 hours') d
    ORDER BY 1`;

const { preAggregations } = await query(model(rollup), 'people');
const [{ loadSql: [build] }] = preAggregations.preAggregationsDescription();
console.log(`${build}\n`);
await run(build);
let passed = 0;
let failed = 0;
for (const [name, measure, granularity, exact] of [['all days', 'people', undefined, all],
    ['each day', 'people', 'day', upTo(1)], ['7 days', 'week', 'day', upTo(7)]]) {
    const table = await answer(await query(model(''), measure, granularity));
    const stored = await answer(await query(model(rollup), measure, granularity));
    const right = await run(exact);
    const off = Math.max(...right.map((row, i) => Math.abs(table[i].at(-1) / row.at(-1) - 1)));
    const good = right.length === table.length && off < 0.02 && `${table}` === `${stored}`;
    console.log(`${good ? 'ok' : 'not ok'} - ${name}: ${right.length} numbers,`,
        `${(100 * off).toFixed(2)} % off at worst\n`);
    if (good) passed++; else failed++;
}
await db.release();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
