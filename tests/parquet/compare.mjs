// Usage: node compare.mjs DIR: for each NAME.parquet of DIR all readers find what NAME.json says,
// one row a line; whole numbers and times stand there as texts with an "n" behind.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { READERS } from "./readers.mjs";

const text = (row) =>
  JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}n` : value));

const directory = process.argv[2];
const names = readdirSync(directory).filter((name) => name.endsWith(".parquet"));
let differences = names.length === 0 ? 1 : 0;
for (const name of names) {
  const path = join(directory, name);
  const lines = readFileSync(path.replace(/parquet$/, "json"), "utf8").split("\n").slice(0, -1);
  const expected = lines.map((line) => text(JSON.parse(line)));
  for (const [reader, read] of Object.entries(READERS)) {
    const found = (await read(path)).map(text);
    const row = expected.findIndex((line, at) => line !== found[at]);
    if (row < 0 && found.length === expected.length) continue;
    differences += 1;
    console.log(`${name} by ${reader}: ${found.length} rows of ${expected.length}; row ${row}:`);
    console.log(`  ${found[row]}\n  instead of\n  ${expected[row]}`);
  }
}
console.log(`${names.length} files, ${differences} differences`);
process.exit(differences === 0 ? 0 : 1);
