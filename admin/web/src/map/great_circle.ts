// The shortest way between two places on the globe, as it runs on the map. Short links are straight
// lines there; long ones bend, and may leave the map at one side and come back at the other.

import { stepSize, type Work } from './work.ts';

export const straightBelow = 0.014; // of the width of the world: some 5 degrees; a bend would not be seen
const stepDegrees = 1;
const radians = Math.PI / 180;

export interface GeoPlace {
  latitude: number; // degrees; NaN: not known
  longitude: number;
}

// Lines on the square that the world is: x and y by turns. Two of them where it crosses 180 degrees.
export type Path = Float64Array[];

// Null: a straight line is near enough, as it is below a length of `least` widths of the world.
export function pathBetween(ax: number, ay: number, bx: number, by: number, least = straightBelow): Path | null {
  if (!(Math.hypot(bx - ax, by - ay) >= least)) return null;
  const a = vectorOf(ax, ay);
  const b = vectorOf(bx, by);
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
  const opposite = Math.PI - angle < 1e-6; // any way is the shortest
  if (opposite || angle < 1e-9) return null;
  const steps = Math.max(2, Math.ceil(angle / radians / stepDegrees));
  const x = new Float64Array(steps + 1);
  const y = new Float64Array(steps + 1);
  for (let step = 0; step <= steps; step++) {
    const part = step / steps;
    const [u, v] = [Math.sin((1 - part) * angle) / Math.sin(angle), Math.sin(part * angle) / Math.sin(angle)];
    const [p, q, r] = [u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2]];
    x[step] = Math.atan2(q, p) / (2 * Math.PI) + 0.5;
    y[step] = 0.5 - Math.asinh(r / Math.hypot(p, q)) / (2 * Math.PI);
  }
  [x[0], y[0], x[steps], y[steps]] = [ax, ay, bx, by];
  return cut(x, y);
}

function vectorOf(x: number, y: number): [number, number, number] {
  const longitude = (x - 0.5) * 2 * Math.PI;
  const latitude = Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI));
  return [Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude)];
}

const earthRadius = 6371; // kilometres

// Null: a place is not known.
export function kilometresBetween(a: GeoPlace, b: GeoPlace): number | null {
  const [latitudeA, longitudeA, latitudeB, longitudeB] = [a.latitude, a.longitude, b.latitude, b.longitude];
  if (Number.isNaN(latitudeA + longitudeA + latitudeB + longitudeB)) return null;
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const part = half(latitudeB - latitudeA)
    + Math.cos(latitudeA * radians) * Math.cos(latitudeB * radians) * half(longitudeB - longitudeA);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(part)));
}

// In two where a step is wider than half the world: it went around the other side.
function cut(x: Float64Array, y: Float64Array): Path {
  const lines: number[][] = [[x[0]!, y[0]!]];
  for (let i = 1; i < x.length; i++) {
    const over = x[i]! - x[i - 1]! < -0.5 ? 1 : x[i]! - x[i - 1]! > 0.5 ? -1 : 0; // east, west, not
    if (over !== 0) {
      const [from, edge] = [x[i - 1]!, over > 0 ? 1 : 0];
      const width = x[i]! + over - from;
      const part = width === 0 ? 0 : (edge - from) / width;
      const height = y[i - 1]! + part * (y[i]! - y[i - 1]!);
      lines.at(-1)!.push(edge, height);
      lines.push([1 - edge, height]);
    }
    lines.at(-1)!.push(x[i]!, y[i]!);
  }
  return lines.map((line) => Float64Array.from(line));
}

// Of many links at once: their paths, and the boxes that these lie in.
export interface Paths {
  of: Map<number, Path>; // by link; not of those that are straight
  west: Float64Array;
  east: Float64Array;
  north: Float64Array;
  south: Float64Array;
}

// `scale`: pixels that the world is wide where they are drawn; bends of less than a pixel are left out;
// 0: all of them.
export function* pathsOf(a: Int32Array, b: Int32Array, x: Float64Array, y: Float64Array, scale = Infinity): Work<Paths> {
  const least = Math.max(straightBelow, Math.sqrt(1.8 / scale)); // a bend is about half the square of the length
  const count = a.length;
  const paths: Paths = {
    of: new Map(), west: new Float64Array(count), east: new Float64Array(count),
    north: new Float64Array(count), south: new Float64Array(count),
  };
  for (let i = 0; i < count; i++) {
    if (i % stepSize === 0) yield;
    const [ax, ay, bx, by] = [x[a[i]!]!, y[a[i]!]!, x[b[i]!]!, y[b[i]!]!];
    paths.west[i] = Math.min(ax, bx);
    paths.east[i] = Math.max(ax, bx);
    paths.north[i] = Math.min(ay, by);
    paths.south[i] = Math.max(ay, by);
    const path = pathBetween(ax, ay, bx, by, least);
    if (!path) continue;
    paths.of.set(i, path);
    for (const line of path) {
      for (let at = 0; at < line.length; at += 2) {
        paths.west[i] = Math.min(paths.west[i]!, line[at]!);
        paths.east[i] = Math.max(paths.east[i]!, line[at]!);
        paths.north[i] = Math.min(paths.north[i]!, line[at + 1]!);
        paths.south[i] = Math.max(paths.south[i]!, line[at + 1]!);
      }
    }
  }
  return paths;
}
