// Nodes that lie in one cell of a grid on the screen become one circle, and the links between two
// such circles one line. What cannot be distinguished need not be drawn 100,000 times.
import type { Mask, Network } from './network.ts';
import type { Styled } from './styles.ts';

export interface Clusters {
  zoom: number;
  count: number;
  x: Float64Array;
  y: Float64Array;
  size: Int32Array; // nodes in it
  first: Int32Array; // one of its nodes
  style: Uint8Array;
  lineA: Int32Array;
  lineB: Int32Array;
  lineSize: Int32Array; // links in it
  lineFirst: Int32Array;
  lineStyle: Uint8Array;
}

export const cellPixels = 56;

export function clustersAt(network: Network, mask: Mask, styled: Styled, zoom: number): Clusters {
  const { clusterOf, ...circles } = circlesOf(network, mask, styled, zoom);
  return { zoom, ...circles, ...linesOf(network, mask, styled, clusterOf, circles.count) };
}

function circlesOf(network: Network, mask: Mask, styled: Styled, zoom: number) {
  const cells = (256 * 2 ** zoom) / cellPixels;
  const nodes = network.x.length;
  const clusterOf = new Int32Array(nodes).fill(-1);
  const clusterAt = new Map<number, number>();
  const x = new Float64Array(nodes);
  const y = new Float64Array(nodes);
  const size = new Int32Array(nodes);
  const first = new Int32Array(nodes);
  const style = new Uint8Array(nodes);
  let count = 0;
  for (let i = 0; i < nodes; i++) {
    if (Number.isNaN(network.x[i])) continue; // ends of links count for lines though filtered out
    const key = Math.floor(network.x[i]! * cells) * 0x1000000 + Math.floor(network.y[i]! * cells);
    let cluster = clusterAt.get(key);
    if (cluster === undefined) {
      cluster = count++;
      clusterAt.set(key, cluster);
      x[cluster] = network.x[i]!;
      y[cluster] = network.y[i]!;
    }
    clusterOf[i] = cluster;
    if (mask.nodes[i] === 0) continue;
    const had = size[cluster]!;
    x[cluster] = (x[cluster]! * had + network.x[i]!) / (had + 1);
    y[cluster] = (y[cluster]! * had + network.y[i]!) / (had + 1);
    if (had === 0 || styled.nodes[i]! > style[cluster]!) first[cluster] = i;
    size[cluster] = had + 1;
    style[cluster] = Math.max(style[cluster]!, styled.nodes[i]!);
  }
  return { clusterOf, count, x, y, size, first, style };
}

function linesOf(network: Network, mask: Mask, styled: Styled, clusterOf: Int32Array, clusters: number) {
  const lineAt = new Map<number, number>();
  const links = network.a.length;
  const lineA = new Int32Array(links);
  const lineB = new Int32Array(links);
  const lineSize = new Int32Array(links);
  const lineFirst = new Int32Array(links);
  const lineStyle = new Uint8Array(links);
  let count = 0;
  for (let i = 0; i < links; i++) {
    if (mask.links[i] === 0) continue;
    const a = clusterOf[network.a[i]!]!;
    const b = clusterOf[network.b[i]!]!;
    if (a === b) continue;
    const key = Math.min(a, b) * clusters + Math.max(a, b);
    let line = lineAt.get(key);
    if (line === undefined) {
      line = count++;
      lineAt.set(key, line);
      lineA[line] = a;
      lineB[line] = b;
      lineFirst[line] = i;
    }
    lineSize[line]! += 1;
    lineStyle[line] = Math.max(lineStyle[line]!, styled.links[i]!);
  }
  return {
    lineA: lineA.subarray(0, count), lineB: lineB.subarray(0, count), lineSize: lineSize.subarray(0, count),
    lineFirst: lineFirst.subarray(0, count), lineStyle: lineStyle.subarray(0, count),
  };
}
