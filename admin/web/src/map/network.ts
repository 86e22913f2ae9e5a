// The map's data: the columns that the server sends, and what is computed from them once, so that
// drawing touches typed arrays only.
import type { MapColumns, MapGone, Position } from '../../generated/api.ts';
import { pathsOf, type Paths } from './great_circle.ts';

export interface Network {
  columns: MapColumns;
  x: Float64Array; // of each node on the square that the world is, 0 to 1; NaN: unknown place
  y: Float64Array;
  a: Int32Array; // the ends of each link, as places in the node columns
  b: Int32Array;
  fan: Float32Array; // how far a link bows out beside its parallels, in steps
  paths: Paths;
  degree: Uint32Array; // links of each node
  nodeAt: Map<number, number>; // record number -> place in the columns
  linkAt: Map<number, number>;
  institutionAt: Map<number, number>;
  nodesShown: number; // nodes from here on are only ends of links that are gone
}

const latitudeMax = 85.05112878; // beyond, the projection has no place

export const projectX = (longitude: number) => longitude / 360 + 0.5;
export function projectY(latitude: number): number {
  const clamped = Math.max(-latitudeMax, Math.min(latitudeMax, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function networkOf(columns: MapColumns): Network {
  const { nodes, links, institutions } = columns;
  const count = nodes.number.length;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const latitude = nodes.latitude[i] ?? null;
    const longitude = nodes.longitude[i] ?? null;
    const known = latitude !== null && longitude !== null;
    x[i] = known ? projectX(longitude) : NaN;
    y[i] = known ? projectY(latitude) : NaN;
  }
  const a = Int32Array.from(links.a);
  const b = Int32Array.from(links.b);
  return {
    columns, x, y, a, b, fan: fanOf(a, b, count), paths: pathsOf(a, b, x, y), degree: degreesOf(a, b, count), nodesShown: count,
    nodeAt: placesOf(nodes.number), linkAt: placesOf(links.number),
    institutionAt: placesOf(institutions.number),
  };
}

function placesOf(numbers: number[]): Map<number, number> {
  const places = new Map<number, number>();
  numbers.forEach((number, place) => places.set(number, place));
  return places;
}

function degreesOf(a: Int32Array, b: Int32Array, nodes: number): Uint32Array {
  const degree = new Uint32Array(nodes);
  for (const end of a) degree[end]! += 1;
  for (const end of b) degree[end]! += 1;
  return degree;
}

// Links between the same two nodes lie side by side: steps ..., -1, 0, 1, ... around the straight
// line, and half steps when their number is even.
export function fanOf(a: Int32Array, b: Int32Array, nodes: number): Float32Array {
  const fan = new Float32Array(a.length);
  const pairs = new Map<number, number[]>();
  const pairOf = (i: number) => Math.min(a[i]!, b[i]!) * nodes + Math.max(a[i]!, b[i]!);
  for (let i = 0; i < a.length; i++) {
    const pair = pairOf(i);
    const found = pairs.get(pair);
    if (found) found.push(i);
    else pairs.set(pair, [i]);
  }
  for (const links of pairs.values()) {
    if (links.length === 1) continue;
    links.forEach((link, place) => {
      const turned = a[link]! > b[link]! ? -1 : 1; // the same side, whichever way it was written
      fan[link] = turned * (place - (links.length - 1) / 2);
    });
  }
  return fan;
}

// The network with what it lacks, as it is gone, drawn into it: its nodes behind the others, and ends
// for its links, where there is no node yet.
export function withGone(network: Network, gone: MapGone): Network {
  const { nodes, links } = network.columns;
  const columns: MapColumns = {
    ...network.columns,
    nodes: {
      ...nodes,
      number: [...nodes.number, ...gone.nodes.number], name: [...nodes.name, ...gone.nodes.name],
      id: [...nodes.id, ...gone.nodes.number.map(() => '')],
      latitude: [...nodes.latitude, ...gone.nodes.latitude],
      longitude: [...nodes.longitude, ...gone.nodes.longitude],
      tags: [...nodes.tags, ...gone.nodes.number.map(() => [])],
      topologies: [...nodes.topologies, ...gone.nodes.number.map(() => [])],
      owners: [...nodes.owners, ...gone.nodes.number.map(() => [])],
    },
    links: {
      ...links,
      number: [...links.number, ...gone.links.number], name: [...links.name, ...gone.links.name],
      id: [...links.id, ...gone.links.number.map(() => '')],
      a: [...links.a], b: [...links.b],
      tags: [...links.tags, ...gone.links.number.map(() => [])],
      topologies: [...links.topologies, ...gone.links.number.map(() => [])],
      owners: [...links.owners, ...gone.links.number.map(() => [])],
      capacity: [...links.capacity, ...gone.links.number.map(() => null)],
    },
  };
  const nodesShown = columns.nodes.number.length;
  const ends = new Map<string, number>(); // by place, so that parallel links lie side by side
  const keyOf = (latitude: number | null | undefined, longitude: number | null | undefined) => `${latitude} ${longitude}`;
  if (gone.links.number.length > 0) {
    columns.nodes.latitude.forEach((latitude, node) => ends.set(keyOf(latitude, columns.nodes.longitude[node]), node));
  }
  const endAt = (position: Position | undefined): number => {
    const key = keyOf(position?.[0] ?? null, position?.[1] ?? null);
    const found = ends.get(key);
    if (found !== undefined) return found;
    columns.nodes.number.push(0);
    columns.nodes.name.push('');
    columns.nodes.id.push('');
    columns.nodes.latitude.push(position?.[0] ?? null);
    columns.nodes.longitude.push(position?.[1] ?? null);
    columns.nodes.tags.push([]);
    columns.nodes.topologies.push([]);
    columns.nodes.owners.push([]);
    ends.set(key, columns.nodes.number.length - 1);
    return columns.nodes.number.length - 1;
  };
  gone.links.number.forEach((_, i) => {
    columns.links.a.push(endAt(gone.links.a[i]));
    columns.links.b.push(endAt(gone.links.b[i]));
  });
  return { ...networkOf(columns), nodesShown };
}

// Which links are planned or have ended at a point in time: 1.
export function inactiveLinks({ columns }: Network, time: number): Uint8Array {
  const { links, lifetimes } = columns;
  const inactive = new Uint8Array(links.number.length);
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
  const passes = (tags: number[], wanted: ReadonlySet<string>, members: number[]) =>
    (wanted.size === 0 || tags.some((tag) => wanted.has(names[tag]!)))
    && (inside === null || members.some((topology) => inside.has(topology)));
  const mask = {
    nodes: new Uint8Array(network.x.length), links: new Uint8Array(network.a.length), nodeCount: 0,
  };
  for (let i = 0; i < network.nodesShown; i++) {
    const shown = !Number.isNaN(network.x[i]) && passes(nodes.tags[i]!, filter.nodeTags, nodes.topologies[i]!);
    mask.nodes[i] = shown ? 1 : 0;
    mask.nodeCount += shown ? 1 : 0;
  }
  for (let i = 0; i < network.a.length; i++) {
    const placed = !Number.isNaN(network.x[network.a[i]!]) && !Number.isNaN(network.x[network.b[i]!]);
    mask.links[i] = placed && passes(links.tags[i]!, filter.linkTags, links.topologies[i]!) ? 1 : 0;
  }
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
