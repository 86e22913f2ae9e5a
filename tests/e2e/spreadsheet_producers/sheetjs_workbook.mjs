// Writes the sheets of a JSON file as a workbook with SheetJS (npm xlsx).
// Usage: node sheetjs_workbook.mjs SHEETS.json OUT.xlsx TOOLS   (77: it is not installed)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [sheetsPath, out, tools] = process.argv.slice(2);
let library;
try {
  library = createRequire(`${resolve(tools)}/`)('xlsx');
} catch {
  console.error(`xlsx is not in ${tools}: run tests/tools/install.sh --all`);
  process.exit(77);
}

const formula = ({ formula: f, result }) =>
  result === undefined ? { t: 'n', f } : { t: typeof result === 'string' ? 's' : 'n', f, v: result };
const cell = (value) => (value !== null && typeof value === 'object' ? formula(value) : value);

const workbook = library.utils.book_new();
for (const [name, rows] of Object.entries(JSON.parse(readFileSync(sheetsPath, 'utf8'))))
  library.utils.book_append_sheet(
    workbook, library.utils.aoa_to_sheet(rows.map((row) => row.map(cell))), name);
library.writeFile(workbook, out);
