// bloom_duckdb.mjs: DuckDB's side of bloom_parquet_test.sh
//
//   write FILE     a Parquet file; lines "column TAB type TAB filter" on standard
//                  output, filters with their headers in hexadecimal digits
//   read FILE      from lines "column TAB filter TAB value" (an SQL expression) on
//                  standard input: the filter put in place of the column's, and "t" or
//                  "f": does DuckDB think that the value may be there?
//
// Found by NODE_PATH or in the folder $DUCKDB/node_modules.
import { createRequire } from 'node:module';
import fs from 'node:fs';

const require = createRequire(`${process.env.DUCKDB}/package.json`);
const { DuckDBInstance } = require('@duckdb/node-api');
const db = await (await DuckDBInstance.create()).connect();
const [what, file] = process.argv.slice(2);
const rows = async (query) => (await db.runAndReadAll(query)).getRowObjects();
const filters =
    () => rows(`SELECT path_in_schema AS name, type, bloom_filter_offset AS at,
    bloom_filter_length AS len
  FROM parquet_metadata('${file}') WHERE bloom_filter_offset IS NOT NULL`);

if (what === 'write') {
  await db.run(`COPY (SELECT (k - 1000)::INTEGER AS i4, (k - 1000)::SMALLINT AS i2,
    k * 10000000000 AS i8, 'clé ' || k AS t,
      encode('clé ' || k) AS b, md5(k::VARCHAR)::UUID AS u, DATE '2020-01-01' + k::INTEGER AS d
    FROM (SELECT i % 2000 AS k FROM range(40000) r(i))) TO '${file}' (FORMAT parquet)`);
  const bytes = fs.readFileSync(file);
  for (const f of await filters()) {
    const filter = bytes.subarray(Number(f.at), Number(f.at + f.len)).toString('hex');
    console.log(`${f.name}\t${f.type}\t${filter}`);
  }
} else {
  const place = Object.fromEntries((await filters()).map((f) => [f.name, Number(f.at)]));
  let n = 0;
  for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
    const [name, hex, value] = line.split('\t');
    const bytes = fs.readFileSync(file);
    Buffer.from(hex, 'hex').copy(bytes, place[name]);
    // a file of its own each time: DuckDB keeps what it has read
    fs.writeFileSync(`${file}.${++n}`, bytes);
    const said =
        await rows(`SELECT bool_and(bloom_filter_excludes) AS no
          FROM parquet_bloom_probe('${file}.${n}', '${name}', ${value})`);
    console.log(said[0].no ? 'f' : 't');
  }
}
