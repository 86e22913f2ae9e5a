// What is drawn of a network at one zoom level. Where nodes are too close to each other they become
// one circle, and the links between two places one line for each colour.
//
// The screen is a grid of cells, each of them 4 x 4 smaller ones. A cell with few nodes shows them
// where they are, one dot for each smaller cell; a crowded one shows one circle, which stays inside.
import { pathsOf, type Paths } from './great_circle.ts';
import { fanOf, type Mask, type Network } from './network.ts';
import type { Styled } from './styles.ts';

export interface Clusters {
  zoom: number;
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

export const clusterRadius = (size: number) => Math.min(cellPixels / 2 - 2, 7 + 3.2 * Math.log10(size));

export function clustersAt(network: Network, mask: Mask, styled: Styled, zoom: number): Clusters {
  const { clusterOf, ...circles } = circlesOf(network, mask, aloneOf(mask, styled), zoom);
  const lines = linesOf(network, mask, styled, clusterOf, circles);
  return {
    zoom, ...circles, ...lines, fan: fanOf(lines.lineA, lines.lineB, circles.count),
    paths: pathsOf(lines.lineA, lines.lineB, circles.x, circles.y, 256 * 2 ** zoom),
  };
}

// Every node and link by itself, at all zoom levels.
export function separate(network: Network, mask: Mask, styled: Styled): Clusters {
  const nodes = network.x.length;
  const all = Int32Array.from({ length: nodes }, (_, node) => node);
  return {
    zoom: NaN, count: nodes, x: network.x, y: network.y, size: Int32Array.from(mask.nodes), first: all,
    crowded: new Uint8Array(nodes), members: all, begin: Int32Array.from({ length: nodes + 1 }, (_, node) => node),
    lineA: network.a, lineB: network.b, lineSize: Int32Array.from(mask.links),
    lineFirst: Int32Array.from({ length: network.a.length }, (_, link) => link), lineStyle: styled.links,
    lineClass: styled.capacity, lineDashed: styled.dashed, fan: network.fan, paths: network.paths,
  };
}

const aloneMost = 250;

// 1: a node that differs or has failed, where these are few: it is no part of a crowd.
function aloneOf(mask: Mask, { nodes, byCapacity }: Styled): Uint8Array {
  const alone = mask.nodes.map((shown, node) => (!byCapacity && nodes[node]! > 0 ? shown : 0));
  return alone.reduce((sum, one) => sum + one, 0) <= aloneMost ? alone : alone.fill(0);
}

function circlesOf(network: Network, mask: Mask, alone: Uint8Array, zoom: number) {
  const cells = (256 * 2 ** zoom) / cellPixels;
  const { cellOf, counts } = cellsOf(network, mask.nodes.map((shown, node) => shown - alone[node]!), cells);
  const nodes = network.x.length;
  const clusterOf = new Int32Array(nodes).fill(-1);
  const clusterAt = new Map<number, number>();
  const x = new Float64Array(nodes);
  const y = new Float64Array(nodes);
  const size = new Int32Array(nodes);
  const first = new Int32Array(nodes).fill(-1);
  const crowded = new Uint8Array(nodes);
  let count = 0;
  for (let i = 0; i < nodes; i++) {
    const cell = cellOf[i]!;
    if (cell < 0) continue; // without a place; ends of links count for lines though filtered out
    const isCrowded = alone[i] === 0 && counts[cell]! > nodesInCell;
    const [px, py] = [network.x[i]!, network.y[i]!];
    const smaller = isCrowded ? 0 : (Math.floor(px * cells * inner) & 3) * inner + (Math.floor(py * cells * inner) & 3);
    const key = alone[i] === 1 ? -1 - i : cell * inner * inner + smaller;
    let cluster = clusterAt.get(key);
    if (cluster === undefined) {
      cluster = count++;
      clusterAt.set(key, cluster);
      [x[cluster], y[cluster]] = [px, py];
      crowded[cluster] = isCrowded ? 1 : 0;
    }
    clusterOf[i] = cluster;
    if (mask.nodes[i] === 0) continue;
    const had = size[cluster]!;
    x[cluster] = (x[cluster]! * had + px) / (had + 1);
    y[cluster] = (y[cluster]! * had + py) / (had + 1);
    if (had === 0 || network.degree[i]! > network.degree[first[cluster]!]!) first[cluster] = i;
    size[cluster] = had + 1;
  }
  keepInside(x, y, size, crowded, count, cells);
  return { clusterOf, count, x, y, size, first, crowded, ...membersOf(mask, clusterOf, size, count) };
}

// The cell of each node, and how many nodes that may be joined each cell has.
function cellsOf({ x, y }: Network, joined: Uint8Array, cells: number) {
  const cellAt = new Map<number, number>();
  const cellOf = new Int32Array(x.length).fill(-1);
  const counts: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i])) continue;
    const key = Math.floor(x[i]! * cells) * Math.ceil(cells) + Math.floor(y[i]! * cells);
    let cell = cellAt.get(key);
    if (cell === undefined) {
      cell = counts.push(0) - 1;
      cellAt.set(key, cell);
    }
    cellOf[i] = cell;
    counts[cell]! += joined[i]!;
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

function membersOf(mask: Mask, clusterOf: Int32Array, size: Int32Array, count: number) {
  const begin = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) begin[i + 1] = begin[i]! + size[i]!;
  const next = begin.slice();
  const members = new Int32Array(begin[count]!);
  for (let i = 0; i < clusterOf.length; i++) {
    if (clusterOf[i]! >= 0 && mask.nodes[i] === 1) members[next[clusterOf[i]!]!++] = i;
  }
  return { members, begin };
}

// Between two crowds all links are one line, which is plain where they have several colours.
function linesOf(network: Network, mask: Mask, styled: Styled, clusterOf: Int32Array, { crowded, count: clusters }: Pick<Clusters, 'crowded' | 'count'>) {
  const lineAt = new Map<number, number>();
  const links = network.a.length;
  const lineA = new Int32Array(links);
  const lineB = new Int32Array(links);
  const lineSize = new Int32Array(links);
  const lineFirst = new Int32Array(links);
  const lineStyle = new Uint8Array(links);
  const lineClass = new Uint8Array(links);
  const lineDashed = new Uint8Array(links).fill(1);
  let count = 0;
  for (let i = 0; i < links; i++) {
    if (mask.links[i] === 0) continue;
    const a = clusterOf[network.a[i]!]!;
    const b = clusterOf[network.b[i]!]!;
    if (a === b) continue;
    const style = styled.links[i]!;
    const isBundle = crowded[a] === 1 && crowded[b] === 1;
    const key = (Math.min(a, b) * clusters + Math.max(a, b)) * styled.palette.length + (isBundle ? 0 : style);
    let line = lineAt.get(key);
    if (line === undefined) {
      line = count++;
      lineAt.set(key, line);
      [lineA[line], lineB[line], lineFirst[line], lineStyle[line]] = [a, b, i, style];
    }
    lineSize[line]! += 1;
    if (lineStyle[line] !== style) lineStyle[line] = styled.byCapacity ? 0 : Math.max(lineStyle[line]!, style);
    lineClass[line] = Math.max(lineClass[line]!, styled.capacity[i]!);
    lineDashed[line]! &= styled.dashed[i]!;
  }
  return {
    lineA: lineA.subarray(0, count), lineB: lineB.subarray(0, count), lineSize: lineSize.subarray(0, count),
    lineFirst: lineFirst.subarray(0, count), lineStyle: lineStyle.subarray(0, count),
    lineClass: lineClass.subarray(0, count), lineDashed: lineDashed.subarray(0, count),
  };
}
