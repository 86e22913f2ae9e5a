// Long links follow the globe, across 180 degrees as well.
import { describe, expect, it } from 'vitest';
import { pathBetween, pathsOf } from '../../../admin/web/src/map/great_circle.ts';
import { finish } from '../../../admin/web/src/map/work.ts';
import { projectX, projectY } from '../../../admin/web/src/map/network.ts';

const between = (from: [number, number], to: [number, number]) =>
  pathBetween(projectX(from[1]), projectY(from[0]), projectX(to[1]), projectY(to[0]));
const [london, newYork, tokyo, losAngeles]: [number, number][] = [[51.5, -0.1], [40.7, -74], [35.7, 139.7], [34, -118.2]];

// Where the great circle of two places comes nearest to the pole: at right angles to its axis.
function northOf(...places: [number, number][]): number {
  const [a, b] = places.map(([latitude, longitude]) => {
    const [p, l] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)] as const;
  }) as [readonly [number, number, number], readonly [number, number, number]];
  const axis = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]] as const;
  return (Math.acos(Math.abs(axis[2]) / Math.hypot(...axis)) * 180) / Math.PI;
}

describe('a long link', () => {
  it('bends towards the pole and ends where its nodes are', () => {
    const [line] = between(london, newYork)!;
    expect([line![0], line![1]]).toEqual([projectX(-0.1), projectY(51.5)]);
    expect([line!.at(-2), line!.at(-1)]).toEqual([projectX(-74), projectY(40.7)]);
    const north = Math.min(...line!.filter((_, i) => i % 2 === 1));
    expect(north).toBeLessThan(projectY(51.5)); // the straight line never goes so far
    expect(north).toBeCloseTo(projectY(northOf(london, newYork)), 3);
  });

  it('leaves at one side of the map and comes back at the other, at the same height', () => {
    const path = between(tokyo, losAngeles)!;
    expect(path).toHaveLength(2);
    expect([path[0]!.at(-2), path[1]![0]]).toEqual([1, 0]);
    expect(path[0]!.at(-1)).toBe(path[1]![1]);
    for (const line of path) for (let i = 2; i < line.length; i += 2) expect(Math.abs(line[i]! - line[i - 2]!)).toBeLessThan(0.1);
    const back = between(losAngeles, tokyo)!;
    expect([back[0]!.at(-2), back[1]![0]]).toEqual([0, 1]);
  });

  it('runs along the equator, and over a pole', () => {
    const [line] = between([0, -30], [0, 30])!;
    for (const height of line!.filter((_, i) => i % 2 === 1)) expect(height).toBeCloseTo(0.5, 9);
    for (const part of between([80, 10], [80, -170])!) for (const value of part) expect(Number.isFinite(value)).toBe(true);
  });

  it('is straight where it is short, has no way of its own, or ends nowhere', () => {
    expect(between([45, 9], [44, 11])).toBeNull();
    expect(between([0, 0], [0, 180])).toBeNull();
    expect(pathBetween(NaN, 0.5, 0.5, 0.5)).toBeNull();
  });
});

it('the box of a link holds all of its way', () => {
  const [x, y] = [Float64Array.of(projectX(-0.1), projectX(-74)), Float64Array.of(projectY(51.5), projectY(40.7))];
  const paths = finish(pathsOf(Int32Array.of(0), Int32Array.of(1), x, y));
  expect(paths.north[0]).toBeLessThan(y[0]!);
  expect([paths.west[0], paths.east[0], paths.south[0]]).toEqual([x[1], x[0], y[1]]);
});
