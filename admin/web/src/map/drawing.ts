// Draws a network on a canvas and remembers what it drew where, so that a pointer can be given what
// is beneath it.
import { clustersAt, type Clusters } from './clusters.ts';
import type { Mask, Network } from './network.ts';
import type { Style, Styled } from './styles.ts';

// The part of the world that a canvas shows, in pixels of the whole world at its scale.
export interface View {
  zoom: number;
  scale: number; // pixels that the whole world is wide
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Scene {
  network: Network;
  mask: Mask;
  styled: Styled;
}

export interface Look {
  text: string;
  halo: string;
  surface: string;
}

export type Hit =
  | { kind: 'node'; index: number }
  | { kind: 'link'; index: number }
  | { kind: 'cluster'; size: number; x: number; y: number };

const detailNodesMax = 2500; // more in view: clusters
const labelsMax = 140;
const strokesAtOnce = 1500; // one path with very many strokes is slow to draw
const fanPixels = 9;
const nodeReach = 10;
const linkReach = 6;

export class Drawing {
  private scene: Scene | null = null;
  private clusters: Clusters | null = null;
  private view: View | null = null;
  private nodeList = new Int32Array(0); // nodes or clusters in view
  private linkList = new Int32Array(0); // links or lines in view
  private nodeCount = 0;
  private linkCount = 0;

  setScene(scene: Scene): void {
    this.scene = scene;
    this.clusters = null;
    this.nodeList = new Int32Array(scene.network.x.length);
    this.linkList = new Int32Array(scene.network.a.length);
    this.nodeCount = 0;
    this.linkCount = 0;
  }

  // Nodes, or circles that stand for several, in the last drawing.
  get inView(): number {
    return this.nodeCount;
  }

  // Answers how many elements it drew.
  paint(context: CanvasRenderingContext2D, view: View, look: Look): number {
    const { scene } = this;
    if (!scene) return 0;
    this.view = view;
    this.collectNodes(scene, view);
    const detail = this.nodeCount <= detailNodesMax;
    const zoom = Math.floor(view.zoom);
    if (detail) {
      this.clusters = null;
      this.collectLinks(scene.network.a, scene.network.b, scene.network.x, scene.network.y, scene.mask.links);
      this.paintLinks(context, scene);
      this.paintNodes(context, scene);
      if (view.zoom >= 5 && this.nodeCount <= labelsMax) this.paintLabels(context, scene, look);
    } else {
      if (this.clusters?.zoom !== zoom) this.clusters = clustersAt(scene.network, scene.mask, scene.styled, zoom);
      this.collectClusters(this.clusters, view);
      this.collectLinks(this.clusters.lineA, this.clusters.lineB, this.clusters.x, this.clusters.y, null);
      this.paintLines(context, scene, this.clusters);
      this.paintClusters(context, scene, this.clusters, look);
    }
    return this.nodeCount + this.linkCount;
  }

  private collectNodes({ network, mask }: Scene, view: View): void {
    const margin = 12 / view.scale;
    const west = view.left / view.scale - margin;
    const east = (view.left + view.width) / view.scale + margin;
    const north = view.top / view.scale - margin;
    const south = (view.top + view.height) / view.scale + margin;
    this.nodeCount = 0;
    for (let i = 0; i < network.nodesShown; i++) {
      const x = network.x[i]!;
      const y = network.y[i]!;
      if (mask.nodes[i] === 0 || x < west || x > east || y < north || y > south) continue;
      this.nodeList[this.nodeCount++] = i;
    }
  }

  private collectClusters(clusters: Clusters, view: View): void {
    this.nodeCount = 0;
    for (let i = 0; i < clusters.count; i++) {
      const x = clusters.x[i]! * view.scale - view.left;
      const y = clusters.y[i]! * view.scale - view.top;
      const outside = x < -40 || y < -40 || x > view.width + 40 || y > view.height + 40;
      if (clusters.size[i]! > 0 && !outside) this.nodeList[this.nodeCount++] = i;
    }
  }

  // Links whose box touches the view.
  private collectLinks(a: Int32Array, b: Int32Array, x: Float64Array, y: Float64Array, mask: Uint8Array | null): void {
    const { scale, left, top, width, height } = this.view!;
    const west = left / scale;
    const east = (left + width) / scale;
    const north = top / scale;
    const south = (top + height) / scale;
    this.linkCount = 0;
    for (let i = 0; i < a.length; i++) {
      if (mask && mask[i] === 0) continue;
      const ax = x[a[i]!]!;
      const bx = x[b[i]!]!;
      if ((ax < west && bx < west) || (ax > east && bx > east)) continue;
      const ay = y[a[i]!]!;
      const by = y[b[i]!]!;
      if ((ay < north && by < north) || (ay > south && by > south)) continue;
      this.linkList[this.linkCount++] = i;
    }
  }

  private paintLinks(context: CanvasRenderingContext2D, { network, styled }: Scene): void {
    const { scale, left, top } = this.view!;
    styled.palette.forEach((style, place) => {
      const pen = new Pen(context, style, style.width * (this.view!.zoom < 4 ? 0.75 : 1));
      for (let n = 0; n < this.linkCount; n++) {
        const i = this.linkList[n]!;
        if (styled.links[i] !== place) continue;
        const a = network.a[i]!;
        const b = network.b[i]!;
        pen.line(network.x[a]! * scale - left, network.y[a]! * scale - top,
          network.x[b]! * scale - left, network.y[b]! * scale - top, network.fan[i]! * fanPixels);
      }
      pen.end();
    });
  }

  private paintNodes(context: CanvasRenderingContext2D, { network, styled }: Scene): void {
    const { scale, left, top } = this.view!;
    const shrink = this.view!.zoom < 4 ? 0.75 : 1;
    styled.palette.forEach((style, place) => {
      context.beginPath();
      const radius = (style.width + 3) * shrink;
      for (let n = 0; n < this.nodeCount; n++) {
        const i = this.nodeList[n]!;
        if (styled.nodes[i] !== place) continue;
        const x = network.x[i]! * scale - left;
        const y = network.y[i]! * scale - top;
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 7);
      }
      context.globalAlpha = style.faint ? 0.45 : 1;
      context.fillStyle = style.colour;
      context.fill();
      context.lineWidth = 1.25;
      context.strokeStyle = '#fff';
      context.stroke();
      context.globalAlpha = 1;
    });
  }

  private paintLines(context: CanvasRenderingContext2D, { styled }: Scene, clusters: Clusters): void {
    const { scale, left, top } = this.view!;
    styled.palette.forEach((style, place) => {
      for (const heavy of [false, true]) {
        const pen = new Pen(context, { ...style, faint: true }, heavy ? style.width : style.width * 0.5);
        for (let n = 0; n < this.linkCount; n++) {
          const i = this.linkList[n]!;
          if (clusters.lineStyle[i] !== place || (clusters.lineSize[i]! >= 8) !== heavy) continue;
          const a = clusters.lineA[i]!;
          const b = clusters.lineB[i]!;
          pen.line(clusters.x[a]! * scale - left, clusters.y[a]! * scale - top,
            clusters.x[b]! * scale - left, clusters.y[b]! * scale - top, 0);
        }
        pen.end();
      }
    });
  }

  private paintClusters(context: CanvasRenderingContext2D, { styled }: Scene, clusters: Clusters, look: Look): void {
    const { scale, left, top } = this.view!;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = '600 11px system-ui, sans-serif';
    for (let n = 0; n < this.nodeCount; n++) {
      const i = this.nodeList[n]!;
      const size = clusters.size[i]!;
      const x = clusters.x[i]! * scale - left;
      const y = clusters.y[i]! * scale - top;
      context.beginPath();
      context.arc(x, y, clusterRadius(size), 0, 7);
      context.fillStyle = size === 1 ? styled.palette[clusters.style[i]!]!.colour : look.surface;
      context.fill();
      context.lineWidth = size === 1 ? 1.25 : 2;
      context.strokeStyle = size === 1 ? '#fff' : styled.palette[clusters.style[i]!]!.colour;
      context.stroke();
      if (size === 1) continue;
      context.fillStyle = look.text;
      context.fillText(size < 1000 ? String(size) : `${(size / 1000).toFixed(size < 10000 ? 1 : 0)}k`, x, y + 0.5);
    }
  }

  // Names beside the nodes, where no other name is.
  private paintLabels(context: CanvasRenderingContext2D, { network, styled }: Scene, look: Look): void {
    const { scale, left, top } = this.view!;
    const taken: [number, number, number, number][] = [];
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (let n = 0; n < this.nodeCount; n++) {
      const i = this.nodeList[n]!;
      const name = network.columns.nodes.name[i]!;
      const x = network.x[i]! * scale - left + styled.palette[styled.nodes[i]!]!.width + 7;
      const y = network.y[i]! * scale - top;
      const width = context.measureText(name).width;
      const box: [number, number, number, number] = [x - 12, y - 8, x + width + 3, y + 8];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      context.strokeStyle = look.halo;
      context.lineWidth = 3;
      context.strokeText(name, x, y);
      context.fillStyle = look.text;
      context.fillText(name, x, y);
    }
  }

  // What lies at a point of the canvas: nodes before links. Walks over all that is in view, which
  // takes below a millisecond even for 100,000 links; an index would cost more to build.
  hit(px: number, py: number): Hit | null {
    if (!this.scene || !this.view) return null;
    return this.clusters ? this.hitCluster(this.clusters, px, py) : this.hitElement(this.scene.network, px, py);
  }

  private hitCluster(clusters: Clusters, px: number, py: number): Hit | null {
    const { scale, left, top } = this.view!;
    for (let n = this.nodeCount - 1; n >= 0; n--) {
      const i = this.nodeList[n]!;
      const x = clusters.x[i]! * scale - left;
      const y = clusters.y[i]! * scale - top;
      if (Math.hypot(px - x, py - y) > Math.max(nodeReach, clusterRadius(clusters.size[i]!))) continue;
      if (clusters.size[i] === 1) return { kind: 'node', index: clusters.first[i]! };
      return { kind: 'cluster', size: clusters.size[i]!, x: clusters.x[i]!, y: clusters.y[i]! };
    }
    return null;
  }

  private hitElement(network: Network, px: number, py: number): Hit | null {
    const { scale, left, top } = this.view!;
    let best: Hit | null = null;
    let nearest = nodeReach;
    for (let n = 0; n < this.nodeCount; n++) {
      const i = this.nodeList[n]!;
      const distance = Math.hypot(px - (network.x[i]! * scale - left), py - (network.y[i]! * scale - top));
      if (distance > nearest) continue;
      nearest = distance;
      best = { kind: 'node', index: i };
    }
    if (best) return best;
    nearest = linkReach;
    for (let n = 0; n < this.linkCount; n++) {
      const i = this.linkList[n]!;
      const a = network.a[i]!;
      const b = network.b[i]!;
      const distance = distanceToLink(px, py, network.x[a]! * scale - left, network.y[a]! * scale - top,
        network.x[b]! * scale - left, network.y[b]! * scale - top, network.fan[i]! * fanPixels);
      if (distance > nearest) continue;
      nearest = distance;
      best = { kind: 'link', index: i };
    }
    return best;
  }
}

export const clusterRadius = (size: number) => (size === 1 ? 5 : 9 + 3.4 * Math.log10(size));

// One stroke of one element, for what is hovered or selected.
export function paintHighlight(context: CanvasRenderingContext2D, view: View, network: Network, hit: Hit,
  colour: string, radius: number, width: number): void {
  const { scale, left, top } = view;
  if (hit.kind === 'node') {
    context.beginPath();
    context.arc(network.x[hit.index]! * scale - left, network.y[hit.index]! * scale - top, radius, 0, 7);
    context.fillStyle = colour;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = '#fff';
    context.stroke();
  } else if (hit.kind === 'link') {
    const a = network.a[hit.index]!;
    const b = network.b[hit.index]!;
    const pen = new Pen(context, { colour, width }, width);
    pen.line(network.x[a]! * scale - left, network.y[a]! * scale - top, network.x[b]! * scale - left,
      network.y[b]! * scale - top, network.fan[hit.index]! * fanPixels);
    pen.end();
  }
}

// Strokes of one style, in paths of a bounded number of them.
class Pen {
  private strokes = 0;

  private readonly context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D, style: Style, width: number) {
    this.context = context;
    context.strokeStyle = style.colour;
    context.lineWidth = width;
    context.lineCap = style.dashes ? 'butt' : 'round';
    context.globalAlpha = style.faint ? 0.35 : 0.85;
    context.setLineDash(style.dashes ?? []);
    context.beginPath();
  }

  line(ax: number, ay: number, bx: number, by: number, bow: number): void {
    this.context.moveTo(ax, ay);
    if (bow === 0) this.context.lineTo(bx, by);
    else this.context.quadraticCurveTo(...controlPoint(ax, ay, bx, by, bow), bx, by);
    this.strokes += 1;
    if (this.strokes < strokesAtOnce) return;
    this.context.stroke();
    this.context.beginPath();
    this.strokes = 0;
  }

  end(): void {
    this.context.stroke();
    this.context.setLineDash([]);
    this.context.globalAlpha = 1;
  }
}

// A curve through here bows out by `bow` pixels in its middle, less where the ends are close.
function controlPoint(ax: number, ay: number, bx: number, by: number, bow: number): [number, number] {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const out = (2 * Math.sign(bow) * Math.min(Math.abs(bow), length / 3)) / length;
  return [(ax + bx) / 2 - (by - ay) * out, (ay + by) / 2 + (bx - ax) * out];
}

export function distanceToLink(px: number, py: number, ax: number, ay: number, bx: number, by: number, bow: number): number {
  if (bow === 0) return distanceToSegment(px, py, ax, ay, bx, by);
  const [cx, cy] = controlPoint(ax, ay, bx, by, bow);
  let least = Infinity;
  let [fromX, fromY] = [ax, ay];
  for (let step = 1; step <= 8; step++) {
    const t = step / 8;
    const u = 1 - t;
    const toX = u * u * ax + 2 * u * t * cx + t * t * bx;
    const toY = u * u * ay + 2 * u * t * cy + t * t * by;
    least = Math.min(least, distanceToSegment(px, py, fromX, fromY, toX, toY));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}

function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
