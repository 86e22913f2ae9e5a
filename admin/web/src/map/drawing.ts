// Draws a network on a canvas and remembers what it drew where, so that a pointer can be given what
// is beneath it.
import { capacityClasses } from './capacity.ts';
import { clusterRadius, clustersAt, separate, type Clusters } from './clusters.ts';
import type { Grouping } from './grouping.ts';
import type { BoxGrid } from './labels.ts';
import { Names, type Label } from './names.ts';
import type { Mask, Network } from './network.ts';
import type { Painter } from './painter.ts';
import { distanceToLink, distanceToPath, Pen } from './pen.ts';
import { strokesOf, type Styled } from './styles.ts';

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
  grouping: Grouping | null; // what the colours mean; null: something else, as what has failed
}

export interface Look {
  text: string;
  halo: string;
  surface: string;
  dark: boolean;
  selected: number | null; // the place of a node, whose name is wanted most
  emphasised: number | null; // the place of a group; all others are faint
}

export type Hit =
  | { kind: 'node'; index: number }
  | { kind: 'link'; index: number; size: number } // links that are one line here
  | { kind: 'cluster'; members: Int32Array; x: number; y: number };

const separateMost = 250; // so few nodes are never joined
const fanPixels = 7; // between two of few parallel lines; many come closer together
const fanMost = 20;
const nodeReach = 10;
const linkReach = 6;
const faintAlpha = 0.15;
const markedLeast = 5.5; // radius of a dot with a mark, which is not seen on a smaller one

export class Drawing {
  private scene: Scene | null = null;
  private clusters: Clusters | null = null;
  private view: View | null = null;
  private dots = new Int32Array(0); // clusters in view
  private lines = new Int32Array(0); // lines in view, those of one kind beside each other
  private dotCount = 0;
  private lineCount = 0;
  private readonly names = new Names();

  setScene(scene: Scene): void {
    this.scene = scene;
    this.clusters = null;
    this.dots = new Int32Array(scene.network.x.length);
    this.lines = new Int32Array(scene.network.a.length);
    this.dotCount = 0;
    this.lineCount = 0;
  }

  // Nodes, or circles that stand for several, in the last drawing.
  get inView(): number {
    return this.dotCount;
  }

  get labels(): readonly Label[] {
    return this.names.shown;
  }

  // Where dots and names are, so that nothing else is written over them.
  get taken(): BoxGrid {
    return this.names.taken;
  }

  // Those that have something in the last drawing, by their places.
  groupsInView(): Set<number> {
    const found = new Set<number>();
    const { scene, clusters } = this;
    if (!scene?.grouping || !clusters) return found;
    for (let n = 0; n < this.dotCount; n++) {
      const dot = this.dots[n]!;
      for (let m = clusters.begin[dot]!; m < clusters.begin[dot + 1]!; m++) found.add(scene.grouping.nodes[clusters.members[m]!]!);
    }
    for (let n = 0; n < this.lineCount; n++) found.add(scene.grouping.links[clusters.lineFirst[this.lines[n]!]!]!);
    return found;
  }

  // Answers how many elements it drew.
  paint(context: Painter, view: View, look: Look): number {
    const { scene } = this;
    if (!scene) return 0;
    this.view = view;
    const clusters = this.clustersFor(scene, view);
    this.collectDots(clusters, view);
    const kinds = this.collectLines(clusters, view, scene.styled);
    this.paintLines(context, scene, clusters, kinds, look);
    this.paintCircles(context, scene, clusters, look);
    this.paintDots(context, scene, clusters, look);
    const dots = this.dots.subarray(0, this.dotCount);
    this.names.paint(context, { scene, clusters, view, dots, radiusOf: (i) => this.dotRadius(scene, clusters, i) }, look);
    return this.dotCount + this.lineCount;
  }

  private clustersFor({ network, mask, styled }: Scene, { zoom }: View): Clusters {
    const level = Math.floor(zoom);
    const isFew = mask.nodeCount <= separateMost;
    if (isFew) this.clusters ??= separate(network, mask, styled);
    else if (this.clusters?.zoom !== level) this.clusters = clustersAt(network, mask, styled, level);
    return this.clusters!;
  }

  private collectDots(clusters: Clusters, { scale, left, top, width, height }: View): void {
    const margin = 24;
    this.dotCount = 0;
    for (let i = 0; i < clusters.count; i++) {
      if (clusters.size[i] === 0) continue;
      const x = clusters.x[i]! * scale - left;
      const y = clusters.y[i]! * scale - top;
      if (x > -margin && y > -margin && x < width + margin && y < height + margin) this.dots[this.dotCount++] = i;
    }
  }

  // Lines whose box touches the view, sorted by how they are drawn. Answers where each kind ends.
  private collectLines({ lineA, lineSize, lineStyle, lineClass, lineDashed, paths }: Clusters, view: View, styled: Styled): Int32Array {
    const [west, east] = [view.left / view.scale, (view.left + view.width) / view.scale];
    const [north, south] = [view.top / view.scale, (view.top + view.height) / view.scale];
    const classes = capacityClasses.length;
    const kindOf = (i: number) => (lineClass[i]! * styled.palette.length + lineStyle[i]!) * 2 + lineDashed[i]!;
    const ends = new Int32Array(classes * styled.palette.length * 2 + 1);
    const found = new Int32Array(lineA.length);
    let count = 0;
    for (let i = 0; i < lineA.length; i++) {
      const outside = lineSize[i] === 0 || paths.east[i]! < west || paths.west[i]! > east || paths.south[i]! < north || paths.north[i]! > south;
      if (outside) continue;
      found[count++] = i;
      ends[kindOf(i) + 1]! += 1;
    }
    for (let kind = 1; kind < ends.length; kind++) ends[kind]! += ends[kind - 1]!;
    for (let n = 0; n < count; n++) this.lines[ends[kindOf(found[n]!)]!++] = found[n]!; // then `ends` are the ends
    this.lineCount = count;
    return ends;
  }

  private paintLines(context: Painter, { styled, grouping }: Scene, clusters: Clusters, ends: Int32Array, look: Look): void {
    const covered = this.coverage(clusters);
    const thin = (this.view!.zoom < 4 ? 0.65 : this.view!.zoom < 6 ? 0.8 : 1) / (1 + Math.min(1, covered) * 0.7);
    const many = Math.max(0.3, 0.85 / (1 + covered));
    const isFaint = (i: number) => look.emphasised !== null && grouping?.links[clusters.lineFirst[i]!] !== look.emphasised;
    for (let kind = 0, n = 0; kind < ends.length - 1; kind++) {
      if (n === ends[kind]) continue;
      const style = styled.palette[(kind >> 1) % styled.palette.length]!;
      const place = Math.floor((kind >> 1) / styled.palette.length);
      const width = styled.byCapacity ? capacityClasses[place]!.width : style.width;
      const dashes = style.dashes ?? ((kind & 1) === 1 ? [width * 2 + 2, width + 3] : undefined);
      const begin = n;
      for (const faint of look.emphasised === null ? [false] : [true, false]) {
        const alpha = faint ? faintAlpha : style.faint ? 0.35 : many;
        const pen = new Pen(context, { colour: style.colour, width: width * thin, alpha, dashes });
        for (n = begin; n < ends[kind]!; n++) if (isFaint(this.lines[n]!) === faint) this.trace(pen, clusters, this.lines[n]!);
        pen.end();
      }
    }
  }

  // How much of the view lines would cover that lie side by side: the more, the fainter they are.
  private coverage({ paths: { west, east, north, south } }: Clusters): number {
    const { scale, width, height } = this.view!;
    let length = 0;
    for (let n = 0; n < this.lineCount; n++) {
      const i = this.lines[n]!;
      length += Math.min(width, (east[i]! - west[i]!) * scale + (south[i]! - north[i]!) * scale);
    }
    return (2 * length) / (width * height);
  }

  private trace(pen: Pen, clusters: Clusters, i: number): void {
    traceLink(pen, this.view!, clusters.x, clusters.y, clusters.lineA[i]!, clusters.lineB[i]!, clusters.fan[i]!, clusters.paths.of.get(i));
  }

  // How large the dot of a node is: smaller where there are many, larger with many links.
  private radiusOf(network: Network, node: number): number {
    const crowd = Math.max(0, Math.min(1, Math.log(this.dotCount / 30) / Math.log(50)));
    const plain = 4.6 - 2.3 * crowd;
    return plain + Math.min(2, 0.45 * Math.log2(1 + network.degree[node]!)) * (plain / 4.6);
  }

  private dotRadius(scene: Scene, clusters: Clusters, i: number): number {
    if (clusters.crowded[i] === 1) return clusterRadius(clusters.size[i]!);
    const radius = this.radiusOf(scene.network, clusters.first[i]!) + (clusters.size[i]! > 1 ? 1.2 : 0);
    return scene.styled.palette[styleOf(scene, clusters, i)]!.mark ? Math.max(markedLeast, radius) : radius;
  }

  // A ring shows whose nodes a crowd has, by their shares, with how many they are inside.
  private paintCircles(context: Painter, scene: Scene, clusters: Clusters, look: Look): void {
    const { scale, left, top } = this.view!;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = '600 11px system-ui, sans-serif';
    for (let n = 0; n < this.dotCount; n++) {
      const i = this.dots[n]!;
      if (clusters.crowded[i] === 0) continue;
      const [x, y] = [clusters.x[i]! * scale - left, clusters.y[i]! * scale - top];
      const radius = clusterRadius(clusters.size[i]!);
      context.globalAlpha = look.emphasised === null || hasGroup(scene, clusters, i, look.emphasised) ? 1 : faintAlpha;
      context.beginPath();
      context.arc(x, y, radius + 1, 0, 7);
      context.fillStyle = look.surface;
      context.fill();
      context.lineWidth = 3;
      let from = -Math.PI / 2;
      for (const [style, share] of sharesOf(scene, clusters, i)) {
        context.beginPath();
        context.arc(x, y, radius - 1.5, from, from + 2 * Math.PI * share);
        context.strokeStyle = scene.styled.palette[style]!.colour;
        context.stroke();
        from += 2 * Math.PI * share;
      }
      context.fillStyle = look.text;
      context.fillText(countText(clusters.size[i]!), x, y + 0.5);
    }
    context.globalAlpha = 1;
  }

  // All outlines lie below all dots: where these are close no outline covers another.
  private paintDots(context: Painter, scene: Scene, clusters: Clusters, look: Look): void {
    const { scale, left, top } = this.view!;
    const outline = this.dotCount <= 150 ? 1.4 : this.dotCount <= 700 ? 0.8 : 0;
    const byStyle = scene.styled.palette.map(() => [] as number[]);
    for (let n = 0; n < this.dotCount; n++) {
      const i = this.dots[n]!;
      if (clusters.crowded[i] === 0) byStyle[styleOf(scene, clusters, i)]!.push(i);
    }
    const isFaint = (i: number) => look.emphasised !== null && scene.grouping?.nodes[clusters.first[i]!] !== look.emphasised;
    const fill = (dots: number[], more: number) => {
      context.beginPath();
      for (const i of dots) {
        const [x, y] = [clusters.x[i]! * scale - left, clusters.y[i]! * scale - top];
        const radius = this.dotRadius(scene, clusters, i) + more;
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 7);
      }
      context.fill();
    };
    context.fillStyle = look.surface;
    if (outline > 0) for (const dots of byStyle) fill(dots, outline);
    byStyle.forEach((dots, place) => {
      const style = scene.styled.palette[place]!;
      context.fillStyle = style.colour;
      context.globalAlpha = faintAlpha;
      fill(dots.filter(isFaint), 0);
      context.globalAlpha = style.faint ? 0.45 : 1;
      fill(dots.filter((i) => !isFaint(i)), 0);
      context.globalAlpha = 1;
      context.fillStyle = look.surface;
      if (style.mark) this.paintMarks(context, scene, clusters, dots, strokesOf[style.mark], look.surface);
      else fill(dots.filter((i) => clusters.size[i]! > 1), -3); // several at one place: a ring
    });
  }

  private paintMarks(context: Painter, scene: Scene, clusters: Clusters, dots: number[], strokes: [number, number, number, number][],
    colour: string): void {
    const { scale, left, top } = this.view!;
    const pen = new Pen(context, { colour, width: 1.6, alpha: 1 });
    for (const i of dots) {
      const [x, y] = [clusters.x[i]! * scale - left, clusters.y[i]! * scale - top];
      const radius = this.dotRadius(scene, clusters, i);
      for (const [fromX, fromY, toX, toY] of strokes) pen.line(x + fromX * radius, y + fromY * radius, x + toX * radius, y + toY * radius, 0);
    }
    pen.end();
  }

  // What lies at a point of the canvas: nodes before links. Walks over all that is in view, which
  // takes below a millisecond even for 100,000 links; an index would cost more to build.
  hit(px: number, py: number): Hit | null {
    const { scene, view, clusters } = this;
    if (!scene || !view || !clusters) return null;
    return this.hitDot(scene, clusters, px, py) ?? this.hitLine(clusters, px, py);
  }

  private hitDot(scene: Scene, clusters: Clusters, px: number, py: number): Hit | null {
    const { scale, left, top } = this.view!;
    let best = -1;
    let nearest = Infinity;
    for (let n = 0; n < this.dotCount; n++) {
      const i = this.dots[n]!;
      const distance = Math.hypot(px - (clusters.x[i]! * scale - left), py - (clusters.y[i]! * scale - top));
      if (distance > nearest || distance > Math.max(nodeReach, this.dotRadius(scene, clusters, i))) continue;
      [nearest, best] = [distance, i];
    }
    if (best < 0) return null;
    if (clusters.size[best] === 1) return { kind: 'node', index: clusters.first[best]! };
    const members = clusters.members.subarray(clusters.begin[best], clusters.begin[best + 1]);
    return { kind: 'cluster', members, x: clusters.x[best]!, y: clusters.y[best]! };
  }

  private hitLine(clusters: Clusters, px: number, py: number): Hit | null {
    const { scale, left, top } = this.view!;
    const { x, y } = clusters;
    let best: Hit | null = null;
    let nearest = linkReach;
    for (let n = 0; n < this.lineCount; n++) {
      const i = this.lines[n]!;
      const [a, b, bow] = [clusters.lineA[i]!, clusters.lineB[i]!, bowOf(clusters.fan[i]!)];
      const path = clusters.paths.of.get(i);
      const distance = path ? distanceToPath(px, py, path, scale, left, top, bow)
        : distanceToLink(px, py, x[a]! * scale - left, y[a]! * scale - top, x[b]! * scale - left, y[b]! * scale - top, bow);
      if (distance > nearest) continue;
      nearest = distance;
      best = { kind: 'link', index: clusters.lineFirst[i]!, size: clusters.lineSize[i]! };
    }
    return best;
  }
}

const countText = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10000 ? 1 : 0)}k`);

// Where colours mean a difference or a failure, the strongest counts; else that of the node with most links.
function styleOf({ styled }: Scene, clusters: Clusters, i: number): number {
  if (styled.byCapacity) return styled.nodes[clusters.first[i]!]!;
  let strongest = 0;
  for (let m = clusters.begin[i]!; m < clusters.begin[i + 1]!; m++) strongest = Math.max(strongest, styled.nodes[clusters.members[m]!]!);
  return strongest;
}

function hasGroup({ grouping }: Scene, clusters: Clusters, i: number, group: number): boolean {
  return clusters.members.subarray(clusters.begin[i], clusters.begin[i + 1]).some((node) => grouping?.nodes[node] === group);
}

// The styles of a circle's nodes with their shares, the larger first. Of a difference or a failure those
// that differ count alone: one of a thousand would not be seen.
function sharesOf({ styled }: Scene, clusters: Clusters, i: number): [style: number, share: number][] {
  const counts = new Map<number, number>();
  for (let m = clusters.begin[i]!; m < clusters.begin[i + 1]!; m++) {
    const style = styled.nodes[clusters.members[m]!]!;
    counts.set(style, (counts.get(style) ?? 0) + 1);
  }
  if (!styled.byCapacity && counts.size > 1) counts.delete(0);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([style, count]) => [style, count / all]);
}

const bowOf = (fan: number) => fanMost * Math.tanh((fan * fanPixels) / fanMost);

function traceLink(pen: Pen, { scale, left, top }: View, x: Float64Array, y: Float64Array, a: number, b: number, fan: number,
  path: Float64Array[] | undefined): void {
  if (path) pen.path(path, scale, left, top, bowOf(fan));
  else pen.line(x[a]! * scale - left, y[a]! * scale - top, x[b]! * scale - left, y[b]! * scale - top, bowOf(fan));
}

// One stroke of one element, for what is hovered or selected.
export function paintHighlight(context: Painter, view: View, network: Network, hit: Hit,
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
    const pen = new Pen(context, { colour, width, alpha: 0.85 });
    const i = hit.index;
    traceLink(pen, view, network.x, network.y, network.a[i]!, network.b[i]!, network.fan[i]!, network.paths.of.get(i));
    pen.end();
  }
}
