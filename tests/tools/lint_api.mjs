// Lints a description of an API and ends with 1 if there is anything to say about it.
// Usage: node lint_api.mjs TOOLS CONFIG DESCRIPTION   (TOOLS: where install.sh put the packages)
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [tools, configPath, description] = process.argv.slice(2);
if (!existsSync(`${tools}/installed-lock.json`)) {
  console.error(`the linter is not in ${tools}: run tests/tools/install.sh`);
  process.exit(1);
}
const require = createRequire(`${resolve(tools)}/`);
const { formatProblems, getTotals, lint, loadConfig } = require('@redocly/openapi-core');

const config = await loadConfig({ configPath });
const problems = await lint({ ref: description, config });
const totals = getTotals(problems);
formatProblems(problems, { format: 'stylish', totals, version: '' });
process.exit(problems.length === 0 ? 0 : 1);
