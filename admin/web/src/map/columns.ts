// The map's data as the page keeps them: a column of each table in one piece of memory, whatever the
// number of its rows, so that a million elements cost a few dozen objects, and go to a worker at once.
//
// The server sends them in that form (binary_columns.ts; docs/api.md, section "Map"), or as JSON (columnsOfJson()).
import type { MapColumns } from '../../generated/api.ts';

export type Integers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

// Texts, one after the other.
export interface Texts {
  whole: string;
  ends: Uint32Array; // where each ends
}

export const noTexts = (): Texts => ({ whole: '', ends: new Uint32Array(0) });

// Lists of places or tags, of which most are the same as others.
export interface Lists {
  distinct: number[][];
  of: Integers; // the place of each row's own among them
}

interface Records {
  number: Integers;
  id: Texts;
  name: Texts;
  tags: Lists;
  topologies: Lists;
  owners: Lists;
}

export interface NodeColumns extends Records {
  latitude: Float64Array; // degrees; NaN: not known
  longitude: Float64Array;
}

export interface LinkColumns extends Records {
  a: Int32Array; // the ends, as places in the columns of nodes
  b: Int32Array;
  capacity: Float64Array; // bits per second; NaN: not known
}

export type Columns = Omit<MapColumns, 'nodes' | 'links'> & {
  nodes: NodeColumns;
  links: LinkColumns;
  texts: () => Promise<void>; // fetches names and identifiers of nodes and links, which are empty until then
};

export const textAt = ({ whole, ends }: Texts, row: number): string => whole.substring(row === 0 ? 0 : ends[row - 1]!, ends[row]!);

export const listAt = ({ distinct, of }: Lists, row: number): number[] => distinct[of[row]!]!;

// What `value` says of each row's list; it is asked once for each that is different.
export function byList<C extends Integers | Int32Array>(kind: { new(size: number): C }, { distinct, of }: Lists, value: (list: number[]) => number): C {
  const values = distinct.map(value);
  const all = new kind(of.length);
  if (values.every((one) => Object.is(one, values[0]))) {
    return values.length === 0 ? all : all.fill(values[0]!) as C;
  }
  for (let row = 0; row < all.length; row++) all[row] = values[of[row]!]!;
  return all;
}

// How many rows have each list.
export function rowsOf({ distinct, of }: Lists): Uint32Array {
  const rows = new Uint32Array(distinct.length);
  if (rows.length === 1) return rows.fill(of.length);
  for (let row = 0; row < of.length; row++) rows[of[row]!]! += 1;
  return rows;
}

export function textsOf(texts: string[]): Texts {
  let end = 0;
  return { whole: texts.join(''), ends: Uint32Array.from(texts, (text) => (end += text.length)) };
}

function listsOf(lists: number[][]): Lists {
  const distinct: number[][] = [];
  const places = new Map<string, number>();
  const of = Uint32Array.from(lists, (list) => {
    const key = list.join();
    const found = places.get(key);
    if (found !== undefined) return found;
    places.set(key, distinct.length);
    return distinct.push(list) - 1;
  });
  return { distinct, of };
}

const known = (values: (number | null)[]): Float64Array => Float64Array.from(values, (value) => value ?? NaN);

export function columnsOfJson({ nodes, links, ...rest }: MapColumns): Columns {
  const records = ({ number, id, name, tags, topologies, owners }: Omit<MapColumns['nodes'], 'latitude' | 'longitude'>): Records => ({
    number: Float64Array.from(number), id: textsOf(id), name: textsOf(name),
    tags: listsOf(tags), topologies: listsOf(topologies), owners: listsOf(owners),
  });
  return {
    ...rest,
    nodes: { ...records(nodes), latitude: known(nodes.latitude), longitude: known(nodes.longitude) },
    links: { ...records(links), a: Int32Array.from(links.a), b: Int32Array.from(links.b), capacity: known(links.capacity) },
    texts: () => Promise.resolve(),
  };
}

// ---- rows behind those that are there ----

function joined<C extends Integers | Int32Array>(make: { new(size: number): C }, one: ArrayLike<number>, other: ArrayLike<number>): C {
  const all = new make(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

const withTexts = ({ whole, ends }: Texts, more: string[]): Texts => {
  const { whole: behind, ends: behindEnds } = textsOf(more);
  return { whole: whole + behind, ends: joined(Uint32Array, ends, behindEnds.map((end) => end + whole.length)) };
};

const withEmpty = ({ distinct, of }: Lists, rows: number): Lists =>
  (rows === 0 ? { distinct, of } : { distinct: [...distinct, []], of: joined(Uint32Array, of, new Uint32Array(rows).fill(distinct.length)) });

interface Row {
  number: number;
  name: string;
}

function recordsWith(records: Records, rows: Row[]): Records {
  return {
    number: joined(Float64Array, records.number, rows.map(({ number }) => number)),
    id: withTexts(records.id, rows.map(() => '')), name: withTexts(records.name, rows.map(({ name }) => name)),
    tags: withEmpty(records.tags, rows.length), topologies: withEmpty(records.topologies, rows.length), owners: withEmpty(records.owners, rows.length),
  };
}

export const nodesWith = (nodes: NodeColumns, rows: (Row & { latitude: number; longitude: number })[]): NodeColumns => ({
  ...recordsWith(nodes, rows),
  latitude: joined(Float64Array, nodes.latitude, rows.map(({ latitude }) => latitude)),
  longitude: joined(Float64Array, nodes.longitude, rows.map(({ longitude }) => longitude)),
});

export const linksWith = (links: LinkColumns, rows: (Row & { a: number; b: number })[]): LinkColumns => ({
  ...recordsWith(links, rows),
  a: joined(Int32Array, links.a, rows.map(({ a }) => a)), b: joined(Int32Array, links.b, rows.map(({ b }) => b)),
  capacity: joined(Float64Array, links.capacity, rows.map(() => NaN)),
});

// The place of each record, by its number.
export function placesOf(numbers: ArrayLike<number>): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = 0; place < numbers.length; place++) places.set(numbers[place]!, place);
  return places;
}
