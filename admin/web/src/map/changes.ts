// What differs from a map that is drawn: a difference between two points in time, or a change that is
// only planned. Elements that the map lacks (they are gone, or yet to come) are drawn into it.
import type { ChangedNumbers, MapDifference, MapGone, PlannedMap, Position } from '../../generated/api.ts';
import { textAt, type Columns } from './columns.ts';

export const changeKinds = ['added', 'removed', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface MapChanges {
  nodes: ChangedNumbers;
  links: ChangedNumbers; // numbers below 0: lines from where a node was
  lacking: MapGone; // columns of what the map does not have
}

export const changesOfDifference = ({ nodes, links, gone }: MapDifference): MapChanges => ({ nodes, links, lacking: gone });

// Over the map as it is before: what moves is drawn where it will be (withMoves), with a line from
// where it was.
export function changesOfPlan({ nodes, links, coming, moved }: PlannedMap, before: Columns): MapChanges {
  const places = placesOf(before, moved.number);
  const lines = moved.number.flatMap((number, i) => {
    const place = places.get(number);
    const from = place === undefined ? null : positionOf(before.nodes.latitude[place], before.nodes.longitude[place]);
    const to = positionOf(moved.latitude[i], moved.longitude[i]);
    return from && to ? [{ number: -number, name: textAt(before.nodes.name, place!), from, to }] : [];
  });
  return {
    nodes,
    links: { ...links, changed: [...links.changed, ...lines.map(({ number }) => number)] },
    lacking: {
      nodes: coming.nodes,
      links: {
        number: [...coming.links.number, ...lines.map(({ number }) => number)], name: [...coming.links.name, ...lines.map(({ name }) => name)],
        a: [...coming.links.a, ...lines.map(({ from }) => from)], b: [...coming.links.b, ...lines.map(({ to }) => to)],
      },
    },
  };
}

const positionOf = (latitude: number | null | undefined, longitude: number | null | undefined): Position =>
  (Number.isNaN((latitude ?? NaN) + (longitude ?? NaN)) ? null : [latitude!, longitude!]);

function placesOf({ nodes }: Columns, wanted: number[]): Map<number, number> {
  const numbers = new Set(wanted);
  const places = new Map<number, number>();
  nodes.number.forEach((number: number, place: number) => { if (numbers.has(number)) places.set(number, place); });
  return places;
}

// The map with the nodes that move where they will be.
export function withMoves(columns: Columns, { moved }: PlannedMap): Columns {
  if (moved.number.length === 0) return columns;
  const places = placesOf(columns, moved.number);
  const [latitude, longitude] = [columns.nodes.latitude.slice(), columns.nodes.longitude.slice()];
  moved.number.forEach((number, i) => {
    const place = places.get(number);
    if (place === undefined) return;
    latitude[place] = moved.latitude[i] ?? NaN;
    longitude[place] = moved.longitude[i] ?? NaN;
  });
  return { ...columns, nodes: { ...columns.nodes, latitude, longitude } };
}

// Of these kinds alone; none: of all. What the map lacks is left out with its kind.
export function onlyChanges({ nodes, links, lacking }: MapChanges, kinds: ReadonlySet<ChangeKind>): MapChanges {
  const only = (numbers: ChangedNumbers): ChangedNumbers => {
    const pick = (kind: ChangeKind) => (kinds.size === 0 || kinds.has(kind) ? numbers[kind] : []);
    return { added: pick('added'), removed: pick('removed'), changed: pick('changed') };
  };
  const shown = { nodes: only(nodes), links: only(links) };
  return { ...shown, lacking: { nodes: rowsOf(lacking.nodes, shown.nodes), links: rowsOf(lacking.links, shown.links) } };
}

// The rows of columns that are still named.
function rowsOf<C extends { number: number[] }>(columns: C, { added, removed, changed }: ChangedNumbers): C {
  const named = new Set([...added, ...removed, ...changed]);
  const kept = columns.number.flatMap((number, row) => (named.has(number) ? [row] : []));
  return Object.fromEntries(Object.entries(columns as Record<string, unknown[]>).map(([name, column]) => [name, kept.map((row) => column[row])])) as unknown as C;
}

export type ChangeCount = Record<ChangeKind, number>;

// Nodes and links; lines from where a node was are neither.
export const countOf = ({ nodes, links }: MapChanges): ChangeCount => {
  const count = (kind: ChangeKind) => nodes[kind].length + links[kind].filter((number) => number >= 0).length;
  return { added: count('added'), removed: count('removed'), changed: count('changed') };
};
