// What graphql-js (npm: graphql) makes of a node's GraphQL; the same as graphql_core.py.
// Usage: node graphql_js.mjs TOOLS URL SCHEMA   (TOOLS: where tests/tools/install.sh put the packages)
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [tools, url, schemaPath] = process.argv.slice(2);
if (!existsSync(`${tools}/node_modules/graphql`)) {
  console.error(`graphql is not in ${tools}: run tests/tools/install.sh`);
  process.exit(77);
}
const {
  buildClientSchema, getIntrospectionQuery, isIntrospectionType, isSpecifiedScalarType, parse,
  printType, validate, validateSchema,
} = createRequire(`${resolve(tools)}/`)('graphql');

async function ask(query) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

function refuse(errors) {
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

// From the shortest description to all that can be asked for.
const forms = [
  { descriptions: false },
  {},
  {
    specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true,
    inputValueDeprecation: true, oneOf: true,
  },
];
const expected = readFileSync(schemaPath, 'utf8');
let schema;
for (const form of forms) {
  schema = buildClientSchema(await ask(getIntrospectionQuery(form)));
  refuse(validateSchema(schema));
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = `${types.map(printType).join('\n\n')}\n`;
  if (text !== expected) {
    console.error(`${JSON.stringify(form)}: expected\n${expected}\ngot\n${text}`);
    process.exit(1);
  }
}
const queries = readFileSync(new URL('graphql_clients.txt', import.meta.url), 'utf8');
for (const query of queries.split('\n').filter(Boolean)) {
  refuse(validate(schema, parse(query)));
  console.log(JSON.stringify(await ask(query)));
}
