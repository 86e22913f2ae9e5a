// Writes the coast lines and borders that the map draws beneath the network: generated/world_110m.json
// for small scales, world_50m.json when zoomed in. Natural Earth (public domain), by way of world-atlas.
//
// A file is {"land": [ring, ...], "borders": [line, ...], "labels": [[name, longitude, latitude, area]]}
// where a ring or line is a flat list of longitudes and latitudes with three decimals. Rings are cut at
// the antimeridian, so that no line runs across the whole map.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea, geoCentroid } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import { cut } from './cut_geometry.mjs';

const require = createRequire(import.meta.url);
const rounded = (value) => Math.round(value * 1000) / 1000;
const flat = (points) => points.flatMap(([x, y]) => [rounded(x), rounded(-y)]);

function linesOf(geometry) {
  if (!geometry) return [];
  switch (geometry.type) {
    case 'FeatureCollection': return geometry.features.flatMap((item) => linesOf(item.geometry));
    case 'Feature': return linesOf(geometry.geometry);
    case 'Polygon':
    case 'MultiLineString': return geometry.coordinates.map(flat);
    case 'MultiPolygon': return geometry.coordinates.flat().map(flat);
    case 'LineString': return [flat(geometry.coordinates)];
    default: return [];
  }
}

// The middle of a country's largest part: that of all parts may lie in another country.
function labelOf(country) {
  const { geometry, properties } = country;
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const parts = polygons.map((coordinates) => ({ type: 'Polygon', coordinates }));
  const largest = parts.reduce((a, b) => (geoArea(a) >= geoArea(b) ? a : b));
  const [longitude, latitude] = geoCentroid(largest);
  return [properties.name, rounded(longitude), rounded(latitude), rounded(geoArea(largest) * 1000)];
}

function write(scale) {
  const atlas = JSON.parse(readFileSync(require.resolve(`world-atlas/countries-${scale}.json`)));
  const countries = feature(atlas, atlas.objects.countries);
  const world = {
    land: linesOf(cut(feature(atlas, atlas.objects.land))),
    borders: linesOf(cut(mesh(atlas, atlas.objects.countries, (a, b) => a !== b))),
    labels: countries.features.map(labelOf),
  };
  writeFileSync(new URL(`../generated/world_${scale}.json`, import.meta.url), JSON.stringify(world));
}

mkdirSync(new URL('../generated/', import.meta.url), { recursive: true });
write('110m');
write('50m');
