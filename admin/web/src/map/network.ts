// The map's data: the columns that the server sends, and what is computed from them once, so that
// drawing touches typed arrays only.
import type { MapGone, Position } from '../../generated/api.ts';
import { byList, linksWith, nodesWith, placesOf, type Columns, type Lists, type NodeColumns } from './columns.ts';
import { NumberTable } from './number_table.ts';
import { stepSize, type Work } from './work.ts';

export interface Network {
  columns: Columns;
  x: Float64Array; // of each node on the square that the world is, 0 to 1; NaN: unknown place
  y: Float64Array;
  a: Int32Array; // the ends of each link, as places in the node columns
  b: Int32Array;
  isGlobe: boolean; // the square is the world: links follow great circles
  degree: Uint32Array; // links of each node
  fanAt: (link: number) => number; // how far a link bows out beside its parallels, in steps
  nodeAt: (number: number) => number | undefined; // the place of a record in the columns
  linkAt: (number: number) => number | undefined;
  institutionAt: (number: number) => number | undefined;
  nodesShown: number; // nodes from here on are only ends of links that are gone
}

// What of it is drawn; all of this goes to a worker.
export type DrawnNetwork = Pick<Network, 'x' | 'y' | 'a' | 'b' | 'isGlobe' | 'degree'> & { columns: { nodes: Pick<NodeColumns, 'name'> } };

const latitudeMax = 85.05112878; // beyond, the projection has no place

export const projectX = (longitude: number) => longitude / 360 + 0.5;
export function projectY(latitude: number): number {
  const clamped = Math.max(-latitudeMax, Math.min(latitudeMax, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function networkOf(columns: Columns): Network {
  const { nodes, links, institutions } = columns;
  const count = nodes.latitude.length;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const known = !Number.isNaN(nodes.latitude[i]) && !Number.isNaN(nodes.longitude[i]);
    x[i] = known ? projectX(nodes.longitude[i]!) : NaN;
    y[i] = known ? projectY(nodes.latitude[i]!) : NaN;
  }
  const { a, b } = links;
  return {
    columns, x, y, a, b, isGlobe: true, fanAt: fansOf(a, b), degree: degreesOf(a, b, count), nodesShown: count,
    nodeAt: lookUp(nodes), linkAt: lookUp(links), institutionAt: lookUp(institutions),
  };
}

// Made when somebody asks for the first time.
function lookUp(records: { number: ArrayLike<number> }): (number: number) => number | undefined {
  let places: Map<number, number> | null = null;
  return (number) => (places ??= placesOf(records.number)).get(number);
}

function degreesOf(a: Int32Array, b: Int32Array, nodes: number): Uint32Array {
  const degree = new Uint32Array(nodes);
  for (const end of a) degree[end]! += 1;
  for (const end of b) degree[end]! += 1;
  return degree;
}

// Links between the same two nodes lie side by side: steps ..., -1, 0, 1, ... around the straight
// line, and half steps when their number is even.
export function* fanOf(a: Int32Array, b: Int32Array, nodes: number): Work<Float32Array> {
  const fan = new Float32Array(a.length);
  const pairs = new NumberTable(a.length); // of each link; links of one pair are a chain
  const last = new Int32Array(a.length).fill(-1); // of each pair
  const before = new Int32Array(a.length).fill(-1);
  const size = new Int32Array(a.length);
  for (let i = 0; i < a.length; i++) {
    if (i % stepSize === 0) yield;
    const pair = pairs.place(Math.min(a[i]!, b[i]!) * nodes + Math.max(a[i]!, b[i]!));
    before[i] = last[pair]!;
    last[pair] = i;
    size[pair]! += 1;
  }
  for (let pair = 0; pair < pairs.count; pair++) {
    if (size[pair] === 1) continue;
    for (let link = last[pair]!, place = size[pair]! - 1; link >= 0; link = before[link]!, place -= 1) {
      fan[link] = sideOf(a[link]!, b[link]!) * (place - (size[pair]! - 1) / 2);
    }
  }
  return fan;
}

// The same side, whichever way a link was written.
const sideOf = (a: number, b: number) => (a > b ? -1 : 1);

// The same of single links; remembers the last one, which is asked for in each frame.
function fansOf(a: Int32Array, b: Int32Array): (link: number) => number {
  let [last, fan] = [-1, 0];
  return (link) => {
    if (link !== last) [last, fan] = [link, fanOfLink(a, b, link)];
    return fan;
  };
}

function fanOfLink(a: Int32Array, b: Int32Array, link: number): number {
  const [one, other] = [a[link]!, b[link]!];
  let [place, count] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    if ((a[i] !== one || b[i] !== other) && (a[i] !== other || b[i] !== one)) continue;
    if (i === link) place = count;
    count += 1;
  }
  return count === 1 ? 0 : sideOf(one, other) * (place - (count - 1) / 2);
}

// The network with what it lacks, as it is gone, drawn into it: its nodes behind the others, and ends
// for its links, where there is no node yet.
export function withGone(network: Network, gone: MapGone): Network {
  const { nodes, links } = network.columns;
  const shown = nodesWith(nodes, gone.nodes.number.map((number, i) => ({
    number, name: gone.nodes.name[i]!, latitude: gone.nodes.latitude[i] ?? NaN, longitude: gone.nodes.longitude[i] ?? NaN,
  })));
  const nodesShown = shown.number.length;
  const ends = new Map<string, number>(); // by place, so that parallel links lie side by side
  const keyOf = (latitude: number, longitude: number) => `${latitude} ${longitude}`;
  if (gone.links.number.length > 0) shown.latitude.forEach((latitude, node) => ends.set(keyOf(latitude, shown.longitude[node]!), node));
  const added: { number: number; name: string; latitude: number; longitude: number }[] = [];
  const endAt = (position: Position | undefined): number => {
    const [latitude, longitude] = position ?? [NaN, NaN];
    const key = keyOf(latitude!, longitude!);
    const end = ends.get(key) ?? nodesShown + added.push({ number: 0, name: '', latitude: latitude!, longitude: longitude! }) - 1;
    ends.set(key, end);
    return end;
  };
  const lines = gone.links.number.map((number, i) => ({ number, name: gone.links.name[i]!, a: endAt(gone.links.a[i]), b: endAt(gone.links.b[i]) }));
  const columns = { ...network.columns, links: linksWith(links, lines), nodes: nodesWith(shown, added) };
  return { ...networkOf(columns), nodesShown };
}

// Which links are planned or have ended at a point in time: 1.
export function inactiveLinks({ columns }: Network, time: number): Uint8Array {
  const { links, lifetimes } = columns;
  const inactive = new Uint8Array(links.a.length);
  lifetimes.link.forEach((link, i) => {
    const [start, end] = [lifetimes.start[i], lifetimes.end[i]];
    if ((start && Date.parse(start) > time) || (end && Date.parse(end) <= time)) inactive[link] = 1;
  });
  return inactive;
}

// Which elements the filters let through. Links are not hidden with their nodes. Texts and record
// numbers: places in the columns mean something else at another point in time.
export interface Filter {
  nodeTags: ReadonlySet<string>;
  linkTags: ReadonlySet<string>;
  topology: number | null; // its record number; its sub-topologies count too
  groups: ReadonlySet<string>; // keys of what the colours mean (grouping.ts)
}

export interface Mask {
  nodes: Uint8Array;
  links: Uint8Array;
  nodeCount: number;
}

// By tags and topology; grouping.ts has the rest.
export function maskOf(network: Network, filter: Omit<Filter, 'groups'>): Mask {
  const { nodes, links, topologies, tags: names } = network.columns;
  const inside = filter.topology === null
    ? null : descendants(topologies.parent, topologies.number.indexOf(filter.topology));
  const passing = (own: { tags: Lists; topologies: Lists }, wanted: ReadonlySet<string>): Uint8Array => {
    const byTags = byList(Uint8Array, own.tags, (tags) => (wanted.size === 0 || tags.some((tag) => wanted.has(names[tag]!)) ? 1 : 0));
    if (inside === null) return byTags;
    const byTopologies = byList(Uint8Array, own.topologies, (members) => (members.some((one) => inside.has(one)) ? 1 : 0));
    return byTags.map((passes, row) => passes & byTopologies[row]!);
  };
  const { x, a, b } = network;
  const mask = { nodes: passing(nodes, filter.nodeTags).fill(0, network.nodesShown), links: passing(links, filter.linkTags), nodeCount: 0 };
  if (x.includes(NaN)) {
    for (let i = 0; i < x.length; i++) if (Number.isNaN(x[i])) mask.nodes[i] = 0;
    for (let i = 0; i < a.length; i++) if (Number.isNaN(x[a[i]!]) || Number.isNaN(x[b[i]!])) mask.links[i] = 0;
  }
  for (let i = 0; i < x.length; i++) mask.nodeCount += mask.nodes[i]!;
  return mask;
}

// `root`: a place; negative: of none.
export function descendants(parents: number[], root: number): Set<number> {
  if (root < 0) return new Set();
  const found = new Set([root]);
  for (let grown = true; grown;) {
    grown = false;
    parents.forEach((parent, topology) => {
      if (!found.has(parent) || found.has(topology)) return;
      found.add(topology);
      grown = true;
    });
  }
  return found;
}
