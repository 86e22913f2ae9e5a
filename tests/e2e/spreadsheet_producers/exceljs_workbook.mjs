// Writes the sheets of a JSON file as a workbook with exceljs.
// Usage: node exceljs_workbook.mjs SHEETS.json OUT.xlsx TOOLS   (77: it is not installed)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [sheetsPath, out, tools] = process.argv.slice(2);
let library;
try {
  library = createRequire(`${resolve(tools)}/`)('exceljs');
} catch {
  console.error(`exceljs is not in ${tools}: run tests/tools/install.sh --all`);
  process.exit(77);
}

const workbook = new library.Workbook();
for (const [name, rows] of Object.entries(JSON.parse(readFileSync(sheetsPath, 'utf8'))))
  workbook.addWorksheet(name).addRows(rows);
await workbook.xlsx.writeFile(out);
