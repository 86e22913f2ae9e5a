// What three readers of other make find in Parquet files, as rows that can be compared: whole
// numbers and times (microseconds since 1970) are big integers.
import { DuckDBInstance } from "@duckdb/node-api";
import { DataType, tableFromIPC } from "apache-arrow";
import { decompress } from "fzstd";
import { parquetReadObjects } from "hyparquet";
import { readFileSync } from "node:fs";
import { readParquet } from "parquet-wasm";

export const database = await (await DuckDBInstance.create()).connect();

// A statement of SQL; each row by the names of its columns.
export async function query(sql) {
  return (await database.runAndReadAll(sql)).getRowObjectsJS();
}

export async function readByDuckDB(path) {
  const file = `read_parquet('${path}')`;
  const columns = await query(`DESCRIBE SELECT * FROM ${file}`);
  const values = columns.map(({ column_name: name, column_type: type }) =>
    type === "TIMESTAMP WITH TIME ZONE" ? `epoch_us("${name}") AS "${name}"` : `"${name}"`);
  return query(`SELECT ${values.join(", ")} FROM ${file}`);
}

export async function readByHyparquet(path) {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return parquetReadObjects({
    file,
    compressors: { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) },
    parsers: { timestampFromMicroseconds: (microseconds) => microseconds },
  });
}

// Arrow's own getter of a time gives milliseconds.
function cell(vector, row) {
  if (!DataType.isTimestamp(vector.type)) return plain(vector.get(row));
  for (const data of vector.data) {
    if (row < data.length) return data.getValid(row) ? data.values[row] : null;
    row -= data.length;
  }
  throw new Error("no such row");
}
function plain(value) {
  if (value === null || typeof value !== "object") return value;
  const made = value.toJSON();
  return Array.isArray(made) ? made.map(plain) : made;
}

export function readByArrow(path) {
  const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream());
  const columns = table.schema.fields.map(({ name }) => [name, table.getChild(name)]);
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, vector]) => [name, cell(vector, row)])));
}

export const READERS = { DuckDB: readByDuckDB, hyparquet: readByHyparquet, Arrow: readByArrow };
