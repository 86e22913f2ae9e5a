// The names on the map: which elements have one, in what order, and how they are written.
import type { Clusters } from './clusters.ts';
import { textAt } from './columns.ts';
import type { DrawnScene, Look, View } from './drawing.ts';
import { noGroup, type Group } from './grouping.ts';
import { BoxGrid, placeLabels, type Box, type Wish } from './labels.ts';
import type { Painter } from './painter.ts';
import { stepSize, type Work } from './work.ts';

export interface Label {
  text: string;
  box: Box;
}

interface Writing {
  text: string;
  colour: string;
  bold: boolean;
}

// What was drawn before the names.
export interface Drawn {
  scene: DrawnScene;
  clusters: Clusters;
  view: View;
  dots: Int32Array; // the clusters in view
  badges: Box[];
  radiusOf: (dot: number) => number;
}

const pixelsPerLabel = 15_000;
const nodesFrom = 4.5; // from this zoom level on nodes have names
const networksUntil = 7; // and up to this one networks
const textMost = 28;
const widthsMost = 5000;

export class Names {
  shown: readonly Label[] = [];
  taken = new BoxGrid(); // where dots and names are, so that nothing else is written over them
  private readonly widths = new Map<string, number>();

  // The selected node, networks by their size where they have most nodes, nodes by their links.
  *paint(context: Painter, drawn: Drawn, look: Look): Work<void> {
    const { view, dots, badges } = drawn;
    const networks = view.zoom <= networksUntil ? yield* networksOf(drawn) : [];
    this.taken = new BoxGrid();
    for (const badge of badges) this.taken.add(badge);
    for (const dot of dots) this.taken.add(boxOf(drawn, dot));
    const most = Math.ceil((view.width * view.height) / pixelsPerLabel);
    const wishes: Wish[] = [];
    const writings: Writing[] = [];
    for (const [dot, writing] of wishesOf(drawn, networks, look, most * 4)) {
      const { left, top, right, bottom } = boxOf(drawn, dot);
      if (!writing.text || right < 0 || bottom < 0 || left > view.width || top > view.height) continue;
      const width = this.widthOf(context, writing) + 2;
      wishes.push({ x: (left + right) / 2, y: (top + bottom) / 2, away: (right - left) / 2 + 3, width, height: writing.bold ? 16 : 15 });
      writings.push(writing);
    }
    const placed = placeLabels(wishes, this.taken, most);
    this.shown = placed.map(({ wish, box }) => ({ text: writings[wish]!.text, box }));
    write(context, placed.map(({ wish, box }) => [writings[wish]!, box] as const), look.halo);
  }

  private widthOf(context: Painter, { text, bold }: Writing): number {
    const key = `${bold ? '!' : ' '}${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    context.font = fontOf(bold);
    const width = Math.ceil(context.measureText(text).width);
    if (this.widths.size >= widthsMost) this.widths.clear();
    this.widths.set(key, width);
    return width;
  }
}

function* wishesOf(drawn: Drawn, networks: NamedNetwork[], look: Look, nodesMost: number): Generator<[dot: number, writing: Writing]> {
  const { scene, clusters, view, dots } = drawn;
  const { name } = scene.network.columns.nodes;
  const selected = dots.find((dot) => clusters.first[dot] === look.selected);
  if (selected !== undefined) yield [selected, { text: short(textAt(name, look.selected!)), colour: look.text, bold: true }];
  const isWanted = (group: number | undefined) => look.emphasised === null || group === look.emphasised;
  for (const [dot, place, group] of networks) if (isWanted(place)) yield [dot, { text: short(group.name), colour: look.dark ? group.colour.dark : group.colour.light, bold: true }];
  if (view.zoom < nodesFrom) return;
  for (const dot of importantDots(drawn).subarray(0, nodesMost)) {
    if (dot !== selected && isWanted(scene.grouping?.nodes[clusters.first[dot]!])) yield [dot, { text: nameOf(drawn, dot), colour: look.text, bold: false }];
  }
}

type NamedNetwork = [dot: number, place: number, group: Group];

// For each network in view the dot that has most of its nodes; the network with most nodes first.
function* networksOf({ scene: { network, grouping }, clusters, dots }: Drawn): Work<NamedNetwork[]> {
  if (!grouping || grouping.by === 'tag' || grouping.groups.length < 3) return [];
  const best = new Map<number, { dot: number; weight: number; all: number }>();
  const own = new Float64Array(grouping.groups.length); // of one dot
  const present: number[] = [];
  let passed = 0;
  for (const dot of dots) {
    for (let m = clusters.begin[dot]!; m < clusters.begin[dot + 1]!; m++) {
      const node = clusters.members[m]!;
      const group = grouping.nodes[node]!;
      if (own[group] === 0) present.push(group);
      own[group]! += 1 + network.degree[node]! / 100;
    }
    for (const group of present.splice(0)) {
      const weight = own[group]!;
      own[group] = 0;
      const found = best.get(group);
      const all = (found?.all ?? 0) + weight;
      if (found && found.weight >= weight) found.all = all;
      else best.set(group, { dot, weight, all });
    }
    passed += clusters.size[dot]!;
    if (passed < stepSize) continue;
    passed = 0;
    yield;
  }
  return [...best].map(([place, found]) => ({ place, group: grouping.groups[place]!, ...found })).filter(({ group }) => group.key !== noGroup)
    .sort((a, b) => b.all - a.all).map(({ dot, place, group }) => [dot, place, group]);
}

// What has changed or failed before all others.
function importantDots({ scene: { network, styled }, clusters, dots }: Drawn): Int32Array {
  const isMarked = (dot: number) => !styled.byCapacity && styled.nodes[clusters.first[dot]!]! > 0;
  const weight = (dot: number) => network.degree[clusters.first[dot]!]! + clusters.size[dot]! / 2 + (isMarked(dot) ? 1e9 : 0);
  return dots.slice().sort((a, b) => weight(b) - weight(a) || a - b);
}

// Of several at one place the most important; a circle has their number inside already. Empty where it has none,
// as all are until they have come.
function nameOf({ scene: { network }, clusters }: Drawn, dot: number): string {
  const name = short(textAt(network.columns.nodes.name, clusters.first[dot]!));
  return name && clusters.size[dot]! > 1 && clusters.crowded[dot] === 0 ? `${name} +${clusters.size[dot]! - 1}` : name;
}

const short = (text: string) => (text.length > textMost ? `${text.slice(0, textMost - 1)}…` : text);

function boxOf({ clusters, view: { scale, left, top }, radiusOf }: Drawn, dot: number): Box {
  const radius = radiusOf(dot);
  const [x, y] = [clusters.x[dot]! * scale - left, clusters.y[dot]! * scale - top];
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

const fontOf = (bold: boolean) => `${bold ? '650 12.5px' : '12px'} system-ui, sans-serif`;

function write(context: Painter, names: (readonly [Writing, Box])[], halo: string): void {
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  for (const [{ text, colour, bold }, { left, top, bottom }] of names) {
    context.font = fontOf(bold);
    context.strokeText(text, left + 1, (top + bottom) / 2);
    context.fillStyle = colour;
    context.fillText(text, left + 1, (top + bottom) / 2);
  }
}
