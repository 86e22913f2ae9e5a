// Colours that stand out, and differ from each other: on both base maps, with all ways of seeing colours.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { colours, coloursFor, contrast, linear, plain, type Colour } from '../../../admin/web/src/map/palette.ts';
import { groupingOf } from '../../../admin/web/src/map/grouping.ts';
import { networkOf } from '../../../admin/web/src/map/network.ts';
import { commonStyle } from '../../../admin/web/src/map/routes.ts';
import { changeColours, failureColours, linkColours } from '../../../admin/web/src/map/styles.ts';
import { columns } from './example.ts';

const sheet = readFileSync(resolve(import.meta.dirname, '../../../admin/web/src/map/map.css'), 'utf8');
const themes = ['light', 'dark'] as const;

// Sea and land as the style sheet has them: the light map first.
function baseMap(theme: keyof Colour): string[] {
  return ['sea', 'land'].map((name) => [...sheet.matchAll(new RegExp(`--map-${name}: (#\\w{6})`, 'g'))][theme === 'dark' ? 1 : 0]![1]!);
}

function tagged(): Colour[] {
  const map = columns();
  map.tags = Object.keys(linkColours);
  map.links.tags = [[0], [1], [2]];
  map.nodes.tags = [[3], [2], [1], [0]];
  return groupingOf(networkOf(columnsOfJson(map)), 'tag').groups.map(({ colour }) => colour);
}

describe.each(themes)('on the %s map', (theme) => {
  it('every colour of a legend has a contrast of 3 to land and sea', () => {
    expect(baseMap(theme)).toHaveLength(2);
    for (const colour of [...colours, plain, ...tagged()]) {
      for (const ground of baseMap(theme)) expect(contrast(colour[theme], ground), `${colour[theme]} on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  });

  it('so has every colour of what differs, has failed, or is common to routes', () => {
    const isDark = theme === 'dark';
    for (const colour of [...Object.values(changeColours(isDark)), ...Object.values(failureColours(isDark)), commonStyle(isDark).colour]) {
      for (const ground of baseMap(theme)) expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  });

  it('no two colours are alike, neither to those who see less red or green', () => {
    for (const sight of sights) {
      const seen = [...colours.slice(0, 8), plain].map((colour) => perceived(colour[theme], sight));
      seen.forEach((one, i) => seen.slice(i + 1).forEach((other, j) => {
        const names = `${theme}: ${i} and ${i + 1 + j}`;
        expect(Math.hypot(...one.map((value, axis) => value - other[axis]!)), names).toBeGreaterThan(0.04);
      }));
    }
  });
});

it('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe('colours of networks', () => {
  const box = (west: number, east: number) => Float64Array.of(west, 0, east, 1);

  it('differ as long as there are any', () => {
    const boxes = colours.map(() => box(0, 1));
    expect(coloursFor(boxes)).toEqual(colours.map((_, place) => place));
  });

  it('are shared by those that lie far apart', () => {
    expect(coloursFor([box(0, 0.1), box(0.1, 0.2), box(0.8, 0.9)], 2)).toEqual([0, 1, 0]);
    expect(coloursFor([box(0.8, 0.9), box(0, 0.1), box(0.1, 0.2)], 2)).toEqual([0, 1, 0]);
  });

  it('are there for those without a place, too', () => {
    expect(coloursFor([Float64Array.of(NaN, NaN, NaN, NaN), box(0, 1)], 2)).toEqual([0, 1]);
  });
});

// Machado, Oliveira and Fernandes 2009, full strength; on linear red, green and blue.
const sights = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
];

// In OKLab, where distances are those that people see.
function perceived(colour: string, sight: number[][]): number[] {
  const times = (matrix: number[][], values: number[]) => matrix.map((row) => row.reduce((sum, part, i) => sum + part * values[i]!, 0));
  const seen = times(sight, linear(colour)).map((value) => Math.max(0, value));
  const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], seen);
  return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones.map(Math.cbrt));
}
