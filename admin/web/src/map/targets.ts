// What a painting shows and where, so that the page can say what lies beneath a pointer: in arrays, as it
// comes from a worker. Only what is in view is there.
import type { Clusters } from './clusters.ts';
import type { View } from './drawing.ts';
import type { Path } from './great_circle.ts';
import { distanceToLink, distanceToPath } from './pen.ts';

export type Hit =
  | { kind: 'node'; index: number }
  | { kind: 'link'; index: number; size: number } // links that are one line here
  | { kind: 'cluster'; members: Int32Array; x: number; y: number };

export interface Targets {
  view: View;
  x: Float64Array; // of each dot, on the square that the world is
  y: Float64Array;
  reach: Float32Array; // pixels
  first: Int32Array; // the node with most links
  begin: Int32Array; // where its members begin; one entry more than there are dots
  members: Int32Array;
  ends: Float64Array; // of each line: both places, x and y by turns
  bow: Float32Array; // pixels
  link: Int32Array; // the first of its links
  size: Int32Array; // how many links it is
  paths: Map<number, Path>; // of lines that are not straight
}

const nodeReach = 10;
const linkReach = 6;

export function targetsOf(view: View, clusters: Clusters, dots: Int32Array, lines: Int32Array,
  radiusOf: (dot: number) => number, bowOf: (line: number) => number): Targets {
  const { x, y, size, begin: from, members: all, lineA, lineB, lineFirst, lineSize, paths } = clusters;
  const begin = new Int32Array(dots.length + 1);
  dots.forEach((dot, n) => { begin[n + 1] = begin[n]! + size[dot]!; });
  const members = new Int32Array(begin[dots.length]!);
  dots.forEach((dot, n) => members.set(all.subarray(from[dot], from[dot + 1]), begin[n]));
  const ends = new Float64Array(4 * lines.length);
  lines.forEach((line, n) => {
    const [a, b] = [lineA[line]!, lineB[line]!];
    ends.set([x[a]!, y[a]!, x[b]!, y[b]!], 4 * n);
  });
  return {
    view, x: Float64Array.from(dots, (dot) => x[dot]!), y: Float64Array.from(dots, (dot) => y[dot]!),
    reach: Float32Array.from(dots, (dot) => Math.max(nodeReach, radiusOf(dot))), first: dots.map((dot) => clusters.first[dot]!),
    begin, members, ends, bow: Float32Array.from(lines, bowOf), link: lines.map((line) => lineFirst[line]!), size: lines.map((line) => lineSize[line]!),
    paths: new Map([...lines].flatMap((line, n) => (paths.of.has(line) ? [[n, paths.of.get(line)!] as const] : []))),
  };
}

// At a place of the world, from 0 to 1 each way: nodes before links. Not at a pixel: the map may show
// another view already than was painted last. Walks over all that is in view, which takes below a
// millisecond; an index would cost more to build.
export function hitOf(targets: Targets, x: number, y: number): Hit | null {
  const { scale, left, top } = targets.view;
  const [px, py] = [x * scale - left, y * scale - top];
  return dotAt(targets, px, py) ?? lineAt(targets, px, py);
}

function dotAt({ view: { scale, left, top }, x, y, reach, first, begin, members }: Targets, px: number, py: number): Hit | null {
  let best = -1;
  let nearest = Infinity;
  for (let n = 0; n < x.length; n++) {
    const distance = Math.hypot(px - (x[n]! * scale - left), py - (y[n]! * scale - top));
    if (distance > nearest || distance > reach[n]!) continue;
    [nearest, best] = [distance, n];
  }
  if (best < 0) return null;
  const own = members.subarray(begin[best], begin[best + 1]);
  return own.length === 1 ? { kind: 'node', index: first[best]! } : { kind: 'cluster', members: own, x: x[best]!, y: y[best]! };
}

function lineAt({ view: { scale, left, top }, ends, bow, link, size, paths }: Targets, px: number, py: number): Hit | null {
  let best: Hit | null = null;
  let nearest = linkReach;
  for (let n = 0; n < link.length; n++) {
    const path = paths.get(n);
    const distance = path ? distanceToPath(px, py, path, scale, left, top, bow[n]!)
      : distanceToLink(px, py, ends[4 * n]! * scale - left, ends[4 * n + 1]! * scale - top,
        ends[4 * n + 2]! * scale - left, ends[4 * n + 3]! * scale - top, bow[n]!);
    if (distance > nearest) continue;
    nearest = distance;
    best = { kind: 'link', index: link[n]!, size: size[n]! };
  }
  return best;
}
