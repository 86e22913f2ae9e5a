// Independent routes in colours: all readers distinguish them, and what several use has a style of its own.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { kilometresBetween } from '../../../admin/web/src/map/great_circle.ts';
import { networkOf } from '../../../admin/web/src/map/network.ts';
import { commonOf, lengthOf, routeStyle, styledByRoutes } from '../../../admin/web/src/map/routes.ts';
import { columns } from './example.ts';

const network = networkOf(columnsOfJson(columns())); // 20: Ada – Bea, 21: Bea – Ada, 22: Ada – Dan, who is nowhere
const all: ReadonlySet<number> = new Set();

describe('routes', () => {
  it('have a style each, and their links and nodes have it', () => {
    const { palette, links, nodes, byCapacity } = styledByRoutes(network, [[20], [22]], all, false);
    expect([...links]).toEqual([1, 0, 2]);
    expect([...nodes]).toEqual([3, 1, 0, 2]); // both begin at Ada
    expect(palette.map(({ badge }) => badge)).toEqual([undefined, '1', '2', undefined]);
    expect(byCapacity).toBe(false);
  });

  it('have a third one where they use the same link', () => {
    const { links, palette } = styledByRoutes(network, [[20, 22], [21, 22]], all, false);
    expect([...links]).toEqual([1, 2, 3]);
    expect(palette[3]!.width).toBeGreaterThan(palette[1]!.width);
  });

  it('are shown alone where they are chosen', () => {
    expect([...styledByRoutes(network, [[20, 22], [21, 22]], new Set([1]), false).links]).toEqual([0, 2, 2]);
  });

  it.each([true, false])('differ by dashes or number, never by colour alone (dark: %s)', (dark) => {
    const seen = Array.from({ length: 16 }, (_, place) => routeStyle(place, dark));
    expect(new Set(seen.map(({ badge }) => badge)).size).toBe(16);
    expect(new Set(seen.map(({ colour, dashes }) => `${colour} ${dashes}`)).size).toBe(16);
    for (const [place, { dashes }] of seen.slice(1).entries()) expect(dashes, `${place}`).not.toEqual(seen[place]!.dashes);
  });

  it('tell which of their links the map lacks, and a length only where all of it is known', () => {
    expect(lengthOf(network, [20, 99])).toEqual({ links: 2, missing: 1, kilometres: null });
    expect(lengthOf(network, [22])).toEqual({ links: 1, missing: 0, kilometres: null });
    expect(lengthOf(network, [20, 21]).kilometres).toBeCloseTo(2 * 1568.5, 0);
  });
});

it('numbers that more than one list has are found, those twice in one list are not', () => {
  expect(commonOf([[1, 1, 2], [2, 3], [3, 2]])).toEqual([2, 3]);
});

it('kilometres are those of the globe', () => {
  const place = (latitude: number, longitude: number) => ({ latitude, longitude });
  expect(kilometresBetween(place(0, 0), place(0, 180))).toBeCloseTo(Math.PI * 6371, 3);
  expect(kilometresBetween(place(50, 179), place(50, -179))).toBeLessThan(150);
  expect(kilometresBetween(place(1, 1), { latitude: NaN, longitude: 3 })).toBeNull();
});
