// Writes the outlines of countries that places of the map are held against (docs/quality.md):
// dist/staticfiles/countries.json. Natural Earth (public domain), by way of world-atlas.
//
// The file is {"countries": [{"code": "NO", "names": ["Norway", "NOR", ...], "rings": [ring, ...]}]}, where a
// ring is a flat list of longitudes and latitudes with two decimals, cut at the antimeridian. What has no
// code of its own in ISO 3166-1, such as land in dispute, is not in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import countries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import { cut } from './cut_geometry.mjs';

const require = createRequire(import.meta.url);
const languages = ['en', 'es', 'fr', 'pt'];
for (const language of languages)
  countries.registerLocale(require(`i18n-iso-countries/langs/${language}.json`));

const rounded = (value) => Math.round(value * 100) / 100;
const flat = (ring) => ring.flatMap(([x, y]) => [rounded(x), rounded(-y)]);
const ringsOf = ({ type, coordinates }) =>
  (type === 'Polygon' ? coordinates : coordinates.flat()).map(flat);

const namesOf = (code, name) => [...new Set([
  name, countries.alpha2ToAlpha3(code),
  ...languages.flatMap((language) => countries.getName(code, language, { select: 'all' })),
])];

const atlas = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json')));
const all = feature(atlas, atlas.objects.countries).features.flatMap((country) => {
  const code = country.id && countries.numericToAlpha2(country.id);
  if (!code) return [];
  return [{ code, names: namesOf(code, country.properties.name), rings: ringsOf(cut(country).geometry) }];
});
const folder = new URL('../dist/staticfiles/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('countries.json', folder), JSON.stringify({ countries: all }));
