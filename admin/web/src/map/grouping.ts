// What the colours of the map mean: which network, owner or tag each element belongs to, and which
// colour that has.
import { byList, rowsOf, type Columns, type Lists } from './columns.ts';
import type { Mask, Network } from './network.ts';
import { colours, coloursFor, plain, type Colour } from './palette.ts';
import { shippedColours, type Colours } from './styles.ts';

export const groupings = ['topology', 'owner', 'tag'] as const;
export type GroupBy = (typeof groupings)[number];

export interface Group {
  key: string; // a record's number or a tag, as the address of the page has it
  name: string;
  colour: Colour;
}

// The groups, and the place of each element's own among them. The first is of those without any.
export interface Grouping {
  by: GroupBy;
  groups: Group[];
  nodes: Uint16Array;
  links: Uint16Array;
}

export const noGroup = '-';
const groupsMost = 300; // the smaller ones beyond have no colour of their own

const none: Group = { key: noGroup, name: '', colour: plain };

// By topology where elements are in several, and where no tag has a colour.
export function usualGrouping(network: Network): GroupBy {
  const { nodes, links, topologies } = network.columns;
  const depth = depthsOf(topologies.parent);
  const first = deepest(nodes.topologies.distinct[0], depth);
  const isOne = [nodes, links].every((table) => table.topologies.distinct.every((own) => deepest(own, depth) === first));
  return isOne && byTag(network.columns, shippedColours).groups.length > 1 ? 'tag' : 'topology';
}

export function groupingOf(network: Network, by: GroupBy, labels: Colours = shippedColours): Grouping {
  const { nodes, links, topologies, institutions } = network.columns;
  if (by === 'tag') return byTag(network.columns, labels);
  if (by === 'owner') {
    const names = institutions.name.map((name, place) => institutions.short_name[place] || name);
    return byRecord(network, { by, names, numbers: institutions.number, nodes: nodes.owners, links: links.owners }, (owners) => owners[0] ?? -1);
  }
  const depth = depthsOf(topologies.parent);
  const records = { by, names: topologies.name, numbers: topologies.number, nodes: nodes.topologies, links: links.topologies };
  return byRecord(network, records, (some) => deepest(some, depth));
}

// How many are above each topology.
function depthsOf(parents: number[]): number[] {
  return parents.map((parent) => {
    let depth = 0;
    for (let above = parent; above >= 0 && depth < parents.length; above = parents[above]!) depth += 1;
    return depth;
  });
}

const deepest = (some: number[] | undefined, depth: number[]): number =>
  (some ?? []).reduce((best, next) => (best < 0 || depth[next]! > depth[best]! ? next : best), -1);

interface GroupedRecords {
  by: GroupBy;
  names: string[];
  numbers: number[];
  nodes: Lists; // of such records
  links: Lists;
}

// `own`: the place of an element's record, of those in its list; -1: it has none.
function byRecord(network: Network, { by, names, numbers, nodes, links }: GroupedRecords, own: (list: number[]) => number): Grouping {
  const sizes = new Int32Array(numbers.length);
  for (const lists of [nodes, links]) {
    rowsOf(lists).forEach((rows, place) => {
      const record = own(lists.distinct[place]!);
      if (record >= 0) sizes[record]! += rows;
    });
  }
  const shown = [...sizes.keys()].filter((place) => sizes[place]! > 0)
    .sort((a, b) => sizes[b]! - sizes[a]!).slice(0, groupsMost).sort((a, b) => a - b);
  const groupOf = new Uint16Array(numbers.length);
  shown.forEach((place, index) => { groupOf[place] = index + 1; });
  const groups = (lists: Lists) => byList(Uint16Array, lists, (list) => groupOf[own(list)] ?? 0);
  const grouping = { by, groups: [none], nodes: groups(nodes), links: groups(links) };
  // One alone has the first colour, wherever it is.
  const chosen = shown.length > 1 ? coloursFor(boxesOf(network, grouping, shown.length)) : [0];
  shown.forEach((place, index) => grouping.groups.push({
    key: String(numbers[place]), name: names[place]!, colour: colours[chosen[index]!]!,
  }));
  return grouping;
}

// Where on the world the elements of each group are: west, north, east, south.
function boxesOf({ x, y, a, b }: Network, { nodes, links }: Pick<Grouping, 'nodes' | 'links'>, count: number): Float64Array[] {
  const boxes = Array.from({ length: count }, () => Float64Array.of(NaN, NaN, NaN, NaN));
  const add = (group: number, node: number) => {
    if (group === 0 || Number.isNaN(x[node])) return;
    const box = boxes[group - 1]!;
    const isNew = Number.isNaN(box[0]);
    box[0] = isNew ? x[node]! : Math.min(box[0]!, x[node]!);
    box[1] = isNew ? y[node]! : Math.min(box[1]!, y[node]!);
    box[2] = isNew ? x[node]! : Math.max(box[2]!, x[node]!);
    box[3] = isNew ? y[node]! : Math.max(box[3]!, y[node]!);
  };
  for (let node = 0; node < nodes.length; node++) add(nodes[node]!, node);
  for (let link = 0; link < links.length; link++) {
    add(links[link]!, a[link]!);
    add(links[link]!, b[link]!);
  }
  return boxes;
}

// The tags that have a colour; of several on one element the last of the labels wins. Files write NREN
// and nren.
function byTag({ nodes, links, tags }: Columns, { nodes: nodeLabels, links: linkLabels, plainNode, plainLink }: Colours): Grouping {
  const groups: Group[] = [{ ...none, colour: twinOf(plainNode) }];
  const places = new Map<string, number>();
  const placeOf = (key: string, name: string, colour: string): number => {
    const found = places.get(`${key} ${colour}`);
    if (found !== undefined) return found;
    places.set(`${key} ${colour}`, groups.push({ key, name, colour: twinOf(colour) }) - 1);
    return groups.length - 1;
  };
  const own = (elements: Lists, labels: Record<string, string>, otherwise: number) => {
    const order = new Map(Object.entries(labels).map(([name, colour], rank) => [name.toLowerCase(), { name, colour, rank }]));
    const labelled = tags.map((tag) => order.get(tag.toLowerCase()));
    return byList(Uint16Array, elements, (some) => {
      const best = some.map((tag) => labelled[tag]).filter((label) => label !== undefined)
        .reduce<{ name: string; colour: string; rank: number } | null>((last, next) => (last && last.rank > next.rank ? last : next), null);
      return best ? placeOf(best.name, best.name, best.colour) : otherwise;
    });
  };
  const nodeGroups = own(nodes.tags, nodeLabels, 0);
  const plainLinks = plainLink === plainNode ? 0 : placeOf(noGroup, '', plainLink);
  return { by: 'tag', groups, nodes: nodeGroups, links: own(links.tags, linkLabels, plainLinks) };
}

// Colours that others chose have no twin for the dark map.
const twinOf = (colour: string): Colour => tagTwins.find(({ light }) => light === colour) ?? { light: colour, dark: colour };

const tagTwins: Colour[] = [
  { light: '#1a8590', dark: '#45c4d3' }, { light: '#2a2d7c', dark: '#8f94f5' }, { light: '#744496', dark: '#c492ea' },
  { light: '#1d8a4c', dark: '#4fd08a' }, plain,
];

// The mask without what is of other groups; no keys: all of it.
export function onlyGroups(mask: Mask, { groups, nodes, links }: Grouping, keys: ReadonlySet<string>): Mask {
  if (keys.size === 0) return mask;
  const wanted = groups.map(({ key }) => keys.has(key));
  const only = (shown: Uint8Array, own: Uint16Array) => shown.map((one, element) => (wanted[own[element]!] ? one : 0));
  const shownNodes = only(mask.nodes, nodes);
  return { nodes: shownNodes, links: only(mask.links, links), nodeCount: shownNodes.reduce((sum, shown) => sum + shown, 0) };
}

export interface GroupCount {
  nodes: number;
  links: number;
}

export function countsOf(mask: Mask, { groups, nodes, links }: Grouping): GroupCount[] {
  const counts = groups.map(() => ({ nodes: 0, links: 0 }));
  for (let node = 0; node < nodes.length; node++) counts[nodes[node]!]!.nodes += mask.nodes[node]!;
  for (let link = 0; link < links.length; link++) counts[links[link]!]!.links += mask.links[link]!;
  return counts;
}
