// What is drawn of a network at one zoom level. Where nodes are too close to each other they become
// one circle, and the links between two places one line for each colour.
//
// The screen is a grid of cells, each of them 4 x 4 smaller ones. A cell with few nodes shows them
// where they are, one dot for each smaller cell; a crowded one shows one circle, which stays inside.
import { pathsOf, straightBelow, type Paths } from './great_circle.ts';
import { fanOf, type DrawnNetwork, type Mask } from './network.ts';
import { NumberTable } from './number_table.ts';
import type { Styled } from './styles.ts';
import { stepSize, type Work } from './work.ts';

// A part of the square that the world is.
export interface Area {
  west: number;
  east: number;
  north: number;
  south: number;
}

export interface Clusters {
  zoom: number;
  area: Area; // they are complete here
  count: number;
  x: Float64Array;
  y: Float64Array;
  size: Int32Array; // nodes in it; 0: it is but an end of links
  first: Int32Array; // the node with most links among them
  crowded: Uint8Array; // 1: a circle that stands for a whole cell
  members: Int32Array; // all nodes that are shown, those of one cluster beside each other
  begin: Int32Array; // where those of a cluster begin; one entry more than there are clusters
  lineA: Int32Array;
  lineB: Int32Array;
  lineSize: Int32Array; // links in it; 0: it is hidden
  lineFirst: Int32Array;
  lineStyle: Uint8Array;
  lineClass: Uint8Array; // of capacity: that of the fastest
  lineDashed: Uint8Array; // 1: all of them are
  fan: Float32Array;
  paths: Paths;
}

export const cellPixels = 48;
const inner = 4; // smaller cells along a side
const nodesInCell = 6; // more make it crowded
const unseen = nodesInCell + 1; // so many each end outside of an area counts: lines that leave it are joined

export const clusterRadius = (size: number) => Math.min(cellPixels / 2 - 2, 7 + 3.2 * Math.log10(size));

const everywhere: Area = { west: -Infinity, east: Infinity, north: -Infinity, south: Infinity };

// Of an area and what touches it, which it makes larger to whole cells.
export function* clustersAt(network: DrawnNetwork, mask: Mask, styled: Styled, zoom: number, wanted = everywhere): Work<Clusters> {
  const area = wholeCells(wanted, zoom);
  const links = yield* linksIn(network, mask, area);
  const { clusterOf, ...circles } = yield* circlesOf(network, mask, aloneOf(mask, styled), zoom, nodesIn(network, links, area));
  yield;
  const lines = yield* linesOf(network, links, styled, clusterOf, circles);
  yield;
  const fan = yield* fanOf(lines.lineA, lines.lineB, circles.count);
  const paths = yield* pathsOf(lines.lineA, lines.lineB, circles.x, circles.y, network.isGlobe ? 256 * 2 ** zoom : 0);
  return { zoom, area, ...circles, ...lines, fan, paths };
}

// Every node and link by itself, at all zoom levels.
export function* separate(network: DrawnNetwork, mask: Mask, styled: Styled): Work<Clusters> {
  const { x, y, a, b } = network;
  const all = Int32Array.from({ length: x.length }, (_, node) => node);
  const fan = yield* fanOf(a, b, x.length);
  return {
    zoom: NaN, area: everywhere, count: x.length, x, y, size: Int32Array.from(mask.nodes), first: all,
    crowded: new Uint8Array(x.length), members: all, begin: Int32Array.from({ length: x.length + 1 }, (_, node) => node),
    lineA: a, lineB: b, lineSize: Int32Array.from(mask.links), lineFirst: Int32Array.from({ length: a.length }, (_, link) => link),
    lineStyle: styled.links, lineClass: styled.capacity, lineDashed: styled.dashed,
    fan, paths: yield* pathsOf(a, b, x, y, network.isGlobe ? Infinity : 0),
  };
}

function wholeCells({ west, east, north, south }: Area, zoom: number): Area {
  const cells = (256 * 2 ** zoom) / cellPixels;
  const [down, up] = [(value: number) => Math.floor(value * cells) / cells, (value: number) => Math.ceil(value * cells) / cells];
  return { west: down(west), east: up(east), north: down(north), south: up(south) };
}

// Those that are shown and may touch the area: long ones always, which bend or leave the map at a side.
function* linksIn({ x, y, a, b, isGlobe }: DrawnNetwork, mask: Mask, { west, east, north, south }: Area): Work<Int32Array> {
  const found = new Int32Array(a.length);
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    if (i % (8 * stepSize) === 0) yield;
    if (mask.links[i] === 0) continue;
    const ax = x[a[i]!]!;
    const ay = y[a[i]!]!;
    const bx = x[b[i]!]!;
    const by = y[b[i]!]!;
    const isLong = isGlobe && Math.abs(ax - bx) + Math.abs(ay - by) > straightBelow;
    const isOutside = (ax < west && bx < west) || (ax > east && bx > east) || (ay < north && by < north) || (ay > south && by > south);
    if (isLong || !isOutside) found[count++] = i;
  }
  return found.subarray(0, count);
}

// 1: in the area; 2: outside of it, but an end of such a link.
function nodesIn({ x, y, a, b }: DrawnNetwork, links: Int32Array, { west, east, north, south }: Area): Uint8Array {
  const found = new Uint8Array(x.length);
  for (let n = 0; n < links.length; n++) {
    found[a[links[n]!]!] = 2;
    found[b[links[n]!]!] = 2;
  }
  for (let node = 0; node < x.length; node++) {
    const px = x[node]!;
    const py = y[node]!;
    if (px >= west && px < east && py >= north && py < south) found[node] = 1;
  }
  return found;
}

const aloneMost = 250;

// 1: a node that differs or has failed, where these are few: it is no part of a crowd.
function aloneOf(mask: Mask, { nodes, byCapacity }: Styled): Uint8Array {
  const alone = new Uint8Array(nodes.length);
  if (byCapacity) return alone;
  let count = 0;
  for (let node = 0; node < nodes.length; node++) {
    alone[node] = nodes[node]! > 0 ? mask.nodes[node]! : 0;
    count += alone[node]!;
  }
  return count <= aloneMost ? alone : alone.fill(0);
}

function* circlesOf(network: DrawnNetwork, mask: Mask, alone: Uint8Array, zoom: number, where: Uint8Array) {
  const cells = (256 * 2 ** zoom) / cellPixels;
  const { cellOf, counts } = yield* cellsOf(network, mask, alone, where, cells);
  const nodes = network.x.length;
  const clusterOf = new Int32Array(nodes).fill(-1);
  const clusters = new NumberTable(nodes);
  const x = new Float64Array(nodes);
  const y = new Float64Array(nodes);
  const size = new Int32Array(nodes);
  const first = new Int32Array(nodes).fill(-1);
  const crowded = new Uint8Array(nodes);
  for (let i = 0; i < nodes; i++) {
    if (i % stepSize === 0) yield;
    if (where[i] === 0) continue; // ends of links count for lines though filtered out
    const cell = cellOf[i]!;
    const isCrowded = alone[i] === 0 && counts[cell]! > nodesInCell;
    const px = network.x[i]!;
    const py = network.y[i]!;
    const smaller = isCrowded ? 0 : (Math.floor(px * cells * inner) & 3) * inner + (Math.floor(py * cells * inner) & 3);
    const known = clusters.count;
    const cluster = clusters.place(alone[i] === 1 ? -1 - i : cell * inner * inner + smaller);
    if (cluster === known) {
      x[cluster] = px;
      y[cluster] = py;
      crowded[cluster] = isCrowded ? 1 : 0;
    }
    clusterOf[i] = cluster;
    if (mask.nodes[i] === 0 || where[i] === 2) continue;
    const had = size[cluster]!;
    x[cluster] = (x[cluster]! * had + px) / (had + 1);
    y[cluster] = (y[cluster]! * had + py) / (had + 1);
    if (had === 0 || network.degree[i]! > network.degree[first[cluster]!]!) first[cluster] = i;
    size[cluster] = had + 1;
  }
  const { count } = clusters;
  keepInside(x, y, size, crowded, count, cells);
  return { clusterOf, count, x, y, size, first, crowded, ...membersOf(mask, where, clusterOf, size, count) };
}

// The cell of each node, and how many nodes that may be joined each cell has.
function* cellsOf({ x, y }: DrawnNetwork, mask: Mask, alone: Uint8Array, where: Uint8Array, cells: number) {
  const found = new NumberTable(x.length);
  const cellOf = new Int32Array(x.length).fill(-1);
  const counts = new Int32Array(x.length);
  const row = Math.ceil(cells);
  for (let i = 0; i < x.length; i++) {
    if (i % stepSize === 0) yield;
    if (where[i] === 0) continue;
    const cell = found.place(Math.floor(x[i]! * cells) * row + Math.floor(y[i]! * cells));
    cellOf[i] = cell;
    counts[cell]! += where[i] === 1 ? mask.nodes[i]! - alone[i]! : unseen;
  }
  return { cellOf, counts };
}

// So that circles of neighbouring cells never touch.
function keepInside(x: Float64Array, y: Float64Array, size: Int32Array, crowded: Uint8Array, count: number, cells: number): void {
  for (let i = 0; i < count; i++) {
    if (crowded[i] === 0) continue;
    const margin = (clusterRadius(size[i]!) + 1) / cellPixels;
    const inside = (value: number) => {
      const cell = Math.floor(value * cells);
      return Math.max(cell + margin, Math.min(cell + 1 - margin, value * cells)) / cells;
    };
    [x[i], y[i]] = [inside(x[i]!), inside(y[i]!)];
  }
}

function membersOf(mask: Mask, where: Uint8Array, clusterOf: Int32Array, size: Int32Array, count: number) {
  const begin = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) begin[i + 1] = begin[i]! + size[i]!;
  const next = begin.slice();
  const members = new Int32Array(begin[count]!);
  for (let i = 0; i < clusterOf.length; i++) {
    if (clusterOf[i]! >= 0 && mask.nodes[i] === 1 && where[i] === 1) members[next[clusterOf[i]!]!++] = i;
  }
  return { members, begin };
}

// Between two crowds all links are one line, which is plain where they have several colours.
function* linesOf(network: DrawnNetwork, wanted: Int32Array, styled: Styled, clusterOf: Int32Array, { crowded, count: clusters }: Pick<Clusters, 'crowded' | 'count'>) {
  const links = wanted.length;
  const lines = new NumberTable(links);
  const lineA = new Int32Array(links);
  const lineB = new Int32Array(links);
  const lineSize = new Int32Array(links);
  const lineFirst = new Int32Array(links);
  const lineStyle = new Uint8Array(links);
  const lineClass = new Uint8Array(links);
  const lineDashed = new Uint8Array(links).fill(1);
  for (let n = 0; n < links; n++) {
    if (n % stepSize === 0) yield;
    const i = wanted[n]!;
    const a = clusterOf[network.a[i]!]!;
    const b = clusterOf[network.b[i]!]!;
    if (a === b) continue;
    const style = styled.links[i]!;
    const isBundle = crowded[a] === 1 && crowded[b] === 1;
    const key = (Math.min(a, b) * clusters + Math.max(a, b)) * styled.palette.length + (isBundle ? 0 : style);
    const known = lines.count;
    const line = lines.place(key);
    if (line === known) {
      lineA[line] = a;
      lineB[line] = b;
      lineFirst[line] = i;
      lineStyle[line] = style;
    }
    lineSize[line]! += 1;
    if (lineStyle[line] !== style) lineStyle[line] = styled.byCapacity ? 0 : Math.max(lineStyle[line]!, style);
    lineClass[line] = Math.max(lineClass[line]!, styled.capacity[i]!);
    lineDashed[line]! &= styled.dashed[i]!;
  }
  const { count } = lines;
  return {
    lineA: lineA.subarray(0, count), lineB: lineB.subarray(0, count), lineSize: lineSize.subarray(0, count),
    lineFirst: lineFirst.subarray(0, count), lineStyle: lineStyle.subarray(0, count),
    lineClass: lineClass.subarray(0, count), lineDashed: lineDashed.subarray(0, count),
  };
}
