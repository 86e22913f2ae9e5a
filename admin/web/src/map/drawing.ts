// Draws a network on a canvas, and answers what it drew where (targets.ts). It runs in a worker or in the
// page (painting/).
import { paintBadges } from './badges.ts';
import { capacityClasses } from './capacity.ts';
import { clusterRadius, clustersAt, separate, type Area, type Clusters } from './clusters.ts';
import type { Texts } from './columns.ts';
import type { Grouping } from './grouping.ts';
import type { BoxGrid } from './labels.ts';
import { Names, type Label } from './names.ts';
import { pathBetween, type Path } from './great_circle.ts';
import { type DrawnNetwork, type Mask, type Network } from './network.ts';
import type { Painter } from './painter.ts';
import { Pen, strokesAtOnce } from './pen.ts';
import { strokesOf, type Styled } from './styles.ts';
import { targetsOf, type Hit, type Targets } from './targets.ts';
import { stepSize, type Work } from './work.ts';

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

// What drawing needs of it.
export type DrawnScene = Omit<Scene, 'network'> & { network: DrawnNetwork };

const separateMost = 250; // so few nodes are never joined
const fanPixels = 7; // between two of few parallel lines; many come closer together
const fanMost = 20;
const faintAlpha = 0.15;
const circleWork = 64; // to paint one, in nodes that are counted
const markedLeast = 5.5; // radius of a dot with a mark, which is not seen on a smaller one

export class Drawing {
  private scene: DrawnScene | null = null;
  private clusters: Clusters | null = null;
  private view: View | null = null;
  private dots = new Int32Array(0); // clusters in view
  private lines = new Int32Array(0); // lines in view, those of one kind beside each other
  private found = new Int32Array(0); // the same, as they were found
  private dotCount = 0;
  private lineCount = 0;
  private readonly names = new Names();

  setScene(scene: DrawnScene): void {
    this.scene = scene;
    this.clusters = null;
    this.view = null;
    this.dotCount = 0;
    this.lineCount = 0;
  }

  // Of the nodes of the scene; what was drawn of it stays.
  setNames(names: Texts): void {
    if (this.scene) this.scene.network.columns.nodes.name = names;
  }

  get labels(): readonly Label[] {
    return this.names.shown;
  }

  // Where dots and names are, so that nothing else is written over them.
  get taken(): BoxGrid {
    return this.names.taken;
  }

  // Those that have something in the last drawing, by their places.
  groupsInView(): number[] {
    const { scene, clusters } = this;
    if (!scene?.grouping || !clusters) return [];
    const { nodes, links, groups } = scene.grouping;
    const found = new Uint8Array(groups.length);
    for (let n = 0; n < this.dotCount; n++) {
      const dot = this.dots[n]!;
      for (let m = clusters.begin[dot]!; m < clusters.begin[dot + 1]!; m++) found[nodes[clusters.members[m]!]!] = 1;
    }
    for (let n = 0; n < this.lineCount; n++) found[links[clusters.lineFirst[this.lines[n]!]!]!] = 1;
    return [...groups.keys()].filter((group) => found[group] === 1);
  }

  // Answers how many elements it drew.
  *paint(context: Painter, view: View, look: Look): Work<number> {
    const { scene } = this;
    if (!scene) return 0;
    const clusters = yield* this.clustersFor(scene, view);
    this.view = view;
    if (this.clusters !== clusters) this.dots = new Int32Array(clusters.count);
    if (this.clusters !== clusters) [this.lines, this.found] = [new Int32Array(clusters.lineA.length), new Int32Array(clusters.lineA.length)];
    this.clusters = clusters;
    this.collectDots(clusters, view);
    const kinds = this.collectLines(clusters, view, scene.styled);
    yield* this.paintLines(context, scene, clusters, kinds, look);
    yield* this.paintCircles(context, scene, clusters, look);
    yield* this.paintDots(context, scene, clusters, look);
    const badges = paintBadges(context, view, clusters, this.lines.subarray(0, this.lineCount), scene.styled.palette, (line) => bowOf(clusters.fan[line]!), look);
    const dots = this.dots.subarray(0, this.dotCount);
    yield* this.names.paint(context, { scene, clusters, view, dots, badges, radiusOf: (i) => this.dotRadius(scene, clusters, i) }, look);
    return this.dotCount + this.lineCount;
  }

  // With as much around the view as it shows.
  private *clustersFor({ network, mask, styled }: DrawnScene, view: View): Work<Clusters> {
    const level = Math.floor(view.zoom);
    if (mask.nodeCount <= separateMost) return this.clusters ?? (yield* separate(network, mask, styled));
    if (this.clusters?.zoom === level && covers(this.clusters.area, areaOf(view, 0))) return this.clusters;
    return yield* clustersAt(network, mask, styled, level, areaOf(view, 1));
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
    const found = this.found;
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

  private *paintLines(context: Painter, { styled, grouping }: DrawnScene, clusters: Clusters, ends: Int32Array, look: Look): Work<void> {
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
        for (n = begin; n < ends[kind]!; n++) {
          if (n % strokesAtOnce === 0) {
            pen.stroke();
            yield;
          }
          if (isFaint(this.lines[n]!) === faint) this.trace(pen, clusters, this.lines[n]!);
        }
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
  private radiusOf(network: DrawnNetwork, node: number): number {
    const crowd = Math.max(0, Math.min(1, Math.log(this.dotCount / 30) / Math.log(50)));
    const plain = 4.6 - 2.3 * crowd;
    return plain + Math.min(2, 0.45 * Math.log2(1 + network.degree[node]!)) * (plain / 4.6);
  }

  private dotRadius(scene: DrawnScene, clusters: Clusters, i: number): number {
    if (clusters.crowded[i] === 1) return clusterRadius(clusters.size[i]!);
    const radius = this.radiusOf(scene.network, clusters.first[i]!) + (clusters.size[i]! > 1 ? 1.2 : 0);
    return scene.styled.palette[styleOf(scene, clusters, i)]!.mark ? Math.max(markedLeast, radius) : radius;
  }

  // A ring shows whose nodes a crowd has, by their shares, with how many they are inside.
  private *paintCircles(context: Painter, scene: DrawnScene, clusters: Clusters, look: Look): Work<void> {
    const { scale, left, top } = this.view!;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = '600 11px system-ui, sans-serif';
    for (let n = 0, passed = 0; n < this.dotCount; n++) {
      const i = this.dots[n]!;
      if (clusters.crowded[i] === 0) continue;
      passed += circleWork + clusters.size[i]!;
      if (passed >= stepSize) {
        passed = 0;
        yield;
      }
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
  private *paintDots(context: Painter, scene: DrawnScene, clusters: Clusters, look: Look): Work<void> {
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
    for (const [place, dots] of byStyle.entries()) {
      yield;
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
    }
  }

  private paintMarks(context: Painter, scene: DrawnScene, clusters: Clusters, dots: number[], strokes: [number, number, number, number][],
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

  // Of the last drawing.
  targets(): Targets | null {
    const { scene, view, clusters } = this;
    if (!scene || !view || !clusters) return null;
    return targetsOf(view, clusters, this.dots.subarray(0, this.dotCount), this.lines.subarray(0, this.lineCount),
      (dot) => this.dotRadius(scene, clusters, dot), (line) => bowOf(clusters.fan[line]!));
  }
}

// `more`: as many times its size on each side.
function areaOf({ scale, left, top, width, height }: View, more: number): Area {
  return {
    west: (left - more * width) / scale, east: (left + (1 + more) * width) / scale,
    north: (top - more * height) / scale, south: (top + (1 + more) * height) / scale,
  };
}

const covers = (one: Area, other: Area) =>
  one.west <= other.west && one.east >= other.east && one.north <= other.north && one.south >= other.south;

const countText = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10000 ? 1 : 0)}k`);

// Where colours mean a difference or a failure, the strongest counts; else that of the node with most links.
function styleOf({ styled }: DrawnScene, clusters: Clusters, i: number): number {
  if (styled.byCapacity) return styled.nodes[clusters.first[i]!]!;
  let strongest = 0;
  for (let m = clusters.begin[i]!; m < clusters.begin[i + 1]!; m++) strongest = Math.max(strongest, styled.nodes[clusters.members[m]!]!);
  return strongest;
}

function hasGroup({ grouping }: DrawnScene, clusters: Clusters, i: number, group: number): boolean {
  return clusters.members.subarray(clusters.begin[i], clusters.begin[i + 1]).some((node) => grouping?.nodes[node] === group);
}

// The styles of a circle's nodes with their shares, the larger first. Of a difference or a failure those
// that differ count alone: one of a thousand would not be seen.
function sharesOf({ styled }: DrawnScene, clusters: Clusters, i: number): [style: number, share: number][] {
  const counts = new Uint32Array(styled.palette.length);
  for (let m = clusters.begin[i]!; m < clusters.begin[i + 1]!; m++) counts[styled.nodes[clusters.members[m]!]!]! += 1;
  const isAlone = counts[0] === clusters.size[i];
  if (!styled.byCapacity && !isAlone) counts[0] = 0;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return [...counts.keys()].filter((style) => counts[style]! > 0).sort((a, b) => counts[b]! - counts[a]!)
    .map((style) => [style, counts[style]! / all]);
}

const bowOf = (fan: number) => fanMost * Math.tanh((fan * fanPixels) / fanMost);

function traceLink(pen: Pen, { scale, left, top }: View, x: Float64Array, y: Float64Array, a: number, b: number, fan: number,
  path: Path | null | undefined): void {
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
    const { x, y } = network;
    const [a, b] = [network.a[i]!, network.b[i]!];
    const path = network.isGlobe ? pathBetween(x[a]!, y[a]!, x[b]!, y[b]!) : null;
    traceLink(pen, view, x, y, a, b, network.fanAt(i), path);
    pen.end();
  }
}
