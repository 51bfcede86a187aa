// node-pg, which sends every value as its text and names no type; as drivers.py does it
// for Python.  Its packages are looked for beside this file.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const cases = process.argv[2] ?? path.join(here, 'cases.sql');
let pg;
try {
    pg = (await import('pg')).default;
} catch {
    console.log('ok - node-pg # SKIP it is not installed');
    process.exit(0);
}
const { version } = createRequire(import.meta.url)('pg/package.json');

const hex = (bytes) => '\\x' + bytes.toString('hex');

// name, SQL type, two values that the sketches hold, one that they do not
const kinds = [
    ['text', 'text', 'clé', 'a "b", {c} \\d', "O'Neill"],
    ['int', 'integer', 42, -7, 43],
    ['bigint', 'bigint', 2n ** 40n, -(2n ** 62n), 2n ** 41n],
    ['numeric', 'numeric', '1.50', '1e30', '1.51'],
    ['uuid', 'uuid', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002',
        '00000000-0000-0000-0000-000000000003'],
    ['date', 'date', new Date(2026, 0, 31), '2026-02-01', '2026-01-02'],
    ['timestamp', 'timestamp', new Date(2026, 0, 31, 12, 0, 0, 250), '2026-02-01 00:00:00',
        new Date(2026, 0, 2)],
    ['timestamptz', 'timestamptz', new Date(1769853600250), '2026-02-01T00:00:00-05:00',
        new Date(1769853600000)],
    // a Buffer needs a cast, see below
    ['bytea', 'bytea', hex(Buffer.from('\\x61')), hex(Buffer.from([0, 255])),
        hex(Buffer.from('a'))],
    ['bool', 'boolean', true, true, false],
    ['inet', 'inet', '10.0.0.1', 'fe80::1', '10.0.0.2'],
    ['jsonb', 'jsonb', { a: 1 }, { a: [1, 'x'] }, { a: 2 }],
    ['enum', 'mood', 'happy', 'sad', 'so-so'],
    ['float', 'double precision', 0.1, 1e300, 0.2],
    ['interval', 'interval', '1 hour', '2 days', '2 hours'],
].map(([name, type, a, b, z]) => ({ name, type, a, b, z }));

// the columns of table s, and their types
const sketches = { h: 'hll', f: 'bloom', c: 'cms', t: 'topk', u: 'cuckoo', g: 'counting_bloom',
    y: 'scalable_bloom', m: 'minhash' };
const columns = Object.keys(sketches);
const parameters = ['kind', ...columns].map((_, i) => `$${i + 1}`).join(', ');

const db = new pg.Client();
await db.connect();
let failures = 0;

const run = async (text, values = [],
    name = undefined) => (await db.query({ text, values, name, rowMode: 'array' })).rows;
const one = async (text, values, name) => (await run(text, values, name))[0][0];

function report(what, wrong) {
    console.log(`${wrong ? 'not ok' : 'ok'} - node-pg ${version}: ${what}`);
    if (wrong) {
        console.log('# ' + String(wrong).trim().replaceAll('\n', '\n# '));
        failures++;
    }
}

async function check(what, test) {
    try {
        report(what, await test());
    } catch (error) {
        report(what, error.stack);
    }
}

// The argument of this name in cases.sql
function argument(kind, name, cast) {
    if (name === 'kind') {
        return kind.name;
    }
    if (/^\d+$/.test(name)) {
        return Number(name);
    }
    if (/^[[<]/.test(name)) {
        return name.slice(1, -1).split(',').filter((n) => n).map((n) => argument(kind, n, cast));
    }
    return name === 'null' ? null : kind[name];
}

// The SQLSTATE that is documented for it, or null
function refused(kind, names, cast) {
    if (cast) {
        return kind.name !== 'text' && names.some((n) => n.startsWith('<')) ? '42704' : null;
    }
    return ['float', 'interval'].includes(kind.name)
        && names.some((n) => !['kind', '5', 'null'].includes(n)) ? '42804' : null;
}

const withCasts = (sql, kind, names) => sql.replace(/\$(\d)/g, (parameter, n) => {
    const name = names[n - 1];
    return name === 'kind' || /^\d+$/.test(name) ? parameter
        : `CAST(${parameter} AS ${kind.type}${/^[[<]/.test(name) ? '[]' : ''})`;
});

// What is wrong with a case, of one kind.  One prepared statement serves all kinds, twice,
// so that the server plans it generically for most of them.
async function oneCase({ number, sql, names, want }, kind, cast) {
    const state = refused(kind, names, cast);
    let got;
    try {
        got = await one(cast ? withCasts(sql, kind, names) : sql,
            names.map((n) => argument(kind, n, cast)),
            cast ? undefined : `case ${number}`);
    } catch (error) {
        return state !== null && error.code === state ? null
            : `${kind.name}: ${error.code} ${error.message}`;
    }
    // counts come as text, since a bigint is no number
    return state === null && String(got) === want ? null
    : `${kind.name}: ${got}, not ${state ?? want}`;
}

const written = fs.readFileSync(cases, 'utf8').split('\n')
    .map((line) => /^(SELECT .*); -- (.*): (\S+)$/.exec(line)).filter((match) => match)
    .map(([, sql, names, want], number) => ({ number, sql, names: names.split(' '), want }));

await run(`CREATE EXTENSION IF NOT EXISTS probds;
    DROP SCHEMA IF EXISTS work CASCADE;
    CREATE SCHEMA work;
    SET search_path = work, public;
    CREATE TYPE mood AS ENUM ('happy', 'sad', 'so-so');
    CREATE TABLE s (kind text PRIMARY KEY, ${columns.map((c) => c + ' ' + sketches[c])});
    CREATE TABLE fresh (LIKE s INCLUDING ALL);
    CREATE TABLE copied (LIKE s INCLUDING ALL)`);

for (const kind of kinds) {
    await check(`rows and aggregates: ${kind.type}`, async () => {
        const table = `src_${kind.name}`;
        await run(`CREATE TABLE ${table} (v ${kind.type})`);
        for (const value of new Set([kind.a, kind.b])) {
            await run(`INSERT INTO ${table} VALUES ($1)`, [value]);
        }
        await run(`INSERT INTO s SELECT $1, hll_agg(v), bloom_agg(v, $2), cms_agg(v),
            topk_agg(v, $3), cuckoo_agg(v, $2), counting_bloom_agg(v, $2), scalable_bloom_agg(v),
            minhash_agg(v) FROM ${table}`, [kind.name, 1000, 10]);
        const got =
            (await run(`SELECT approx_count_distinct(v), approx_count_distinct(v, $1),
            hll_cardinality(hll_agg(v, $1)), bloom_cardinality(bloom_agg(v, $2, $3)),
            cms_total(cms_agg_weighted(v, $5::bigint)), jsonb_array_length(approx_top_k(v, $4)),
            cuckoo_cardinality(cuckoo_agg(v, $2, $3)),
            counting_bloom_cardinality(counting_bloom_agg(v, $2, $3)),
            scalable_bloom_cardinality(scalable_bloom_agg(v, $2, $3)),
            minhash_cardinality(minhash_agg(v, $6)) FROM ${table}`,
        [12, 100, 0.001, 5, 100, 64]))[0].map(Number);
        const n = kind.a === kind.b ? 1 : 2;
        return String(got) === String([n, n, n, n, n * 100, n, n, n, n, n]) ? null : `got ${got}`;
    });
}

for (const cast of [false, true]) {
    for (const one of written) {
        const wrong = [];
        for (const kind of cast ? kinds : [...kinds, ...kinds]) {
            wrong.push(await oneCase(one, kind, cast));
        }
        report(`${cast ? 'cast' : 'native'}: ${one.sql} -- ${one.names.join(' ')}`,
            wrong.filter((w) => w).join('\n'));
    }
}

await check('prepared statements', async () => {
    const n = await one('SELECT count(*) FROM pg_prepared_statements WHERE generic_plans > 0');
    return n > 0 ? null : 'no statement has a generic plan';
});

await check('the kinds of first values: text', async () => {
    for (const kind of kinds) {
        await run(`INSERT INTO fresh VALUES ($1, hll_add(hll_empty(), $2),
            bloom_add(bloom_empty($3), $2), cms_add(cms_empty(), $2),
            topk_add(topk_empty($4), $2, $5), cuckoo_add(cuckoo_empty($3), $2),
            counting_bloom_add(counting_bloom_empty($3), $2),
            scalable_bloom_add(scalable_bloom_empty($3), $2),
            minhash_add(minhash_empty(), $2))`, [kind.name, kind.a, 100, 10, 3]);
    }
    // scalable_bloom_info() has a row for each layer, of which there is one
    const n =
    await one(`SELECT count(*) FROM (SELECT ${columns.map((c) => `(${sketches[c]}_info(${c})).kind
        AS ${c}`)} FROM fresh) q
        WHERE ${columns.map((c) => `${c} = 'text'`).join(' AND ')}`);
    return Number(n) === kinds.length ? null : `${n} of ${kinds.length}`;
});

await check('the kinds of first values with a cast', async () => {
    for (const kind of kinds) {
        const same =
            await one(`SELECT (hll_info(hll_add(hll_empty(), CAST($1 AS ${kind.type})))).kind
                = (hll_info(h)).kind
            FROM s WHERE kind = $2`, [kind.a, kind.name]);
        if (!same) {
            return kind.name;
        }
    }
    return null;
});

await check('a Buffer with a cast', async () => {
    const values = [Buffer.from('\\x61'), Buffer.from([0, 255]), Buffer.from('a')];
    const got = [];
    for (const value of values) {
        got.push(await one("SELECT f @> CAST($1 AS bytea) FROM s WHERE kind = 'bytea'", [value]));
    }
    got.push(await one("SELECT bloom_contains_any(f, CAST($1 AS bytea[])) FROM s "
        + "WHERE kind = 'bytea'", [values.slice(1)]));
    return String(got) === 'true,true,false,true' ? null : `got ${got}`;
});

await check('upsert', async () => {
    await run('CREATE TABLE day (day date PRIMARY KEY, visitors hll, top topk)');
    for (let i = 0; i < 20; i++) {
        await run(`INSERT INTO day AS d
            VALUES ($1, hll_add(hll_empty(), $2), topk_add(topk_empty($3), $4))
            ON CONFLICT (day) DO UPDATE SET visitors = hll_add(d.visitors, $2),
                top = topk_add(d.top, $4)`,
        ['2026-01-01', `visitor ${i % 7}`, 5, `page ${i % 3}`]);
    }
    const got = (await run('SELECT hll_cardinality(visitors), topk_total(top), top -> $1 FROM day',
        ['page 0']))[0];
    return String(got) === '7,20,7' ? null : `got ${got}`;
});

async function differs() {
    const same =
        await one(`SELECT count(*) FROM s JOIN copied c USING (kind)
            WHERE ${columns.map((c) => `s.${c} = c.${c}`).join(' AND ')}`);
    await run('TRUNCATE copied');
    return Number(same) === kinds.length ? null : `${same} of ${kinds.length} rows are the same`;
}

await check('sketches written back as text', async () => {
    for (const row of await run('SELECT * FROM s')) {
        await run(`INSERT INTO copied VALUES (${parameters})`, row);
    }
    return differs();
});

// A Buffer goes to the server in binary, and what it is for is a sketch: no cast
await check('sketches written back as bytes', async () => {
    for (const row of await run(`SELECT kind, ${columns.map((c) => `${c}::bytea`)} FROM s`)) {
        if (!Buffer.isBuffer(row[1])) {
            return 'not read as a Buffer';
        }
        await run(`INSERT INTO copied VALUES (${parameters})`, row);
    }
    return differs();
});

await check('sketches as parameters', async () => {
    const [h, f] = (await run("SELECT h, f FROM s WHERE kind = 'text'"))[0];
    const got = [await one('SELECT hll_cardinality($1)', [h]),
        await one("SELECT hll_cardinality(h || $1) FROM s WHERE kind = 'text'", [h]),
        await one('SELECT count(*) FROM s WHERE h = $1', [h]),
        await one('SELECT bloom_contains($1, $2)', [f, 'clé'])];
    return String(got) === '2,2,1,true' ? null : `got ${got}`;
});

await db.end();
process.exitCode = failures ? 1 : 0;
