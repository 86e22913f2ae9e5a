// The map's state in the address of the page, so that it can be linked to, and back again.
import type { Columns } from './columns.ts';
import { groupings, type GroupBy } from './grouping.ts';
import type { Filter } from './network.ts';
import type { Selection } from './model.ts';
import type { Route } from './routes.ts';
import { addressText, movedOf, type Moved } from './schematic/moved.ts';

export interface Failed {
  nodes: number[];
  links: number[];
}

export interface Wanted {
  selection: Selection | null;
  nodeTags: string[];
  linkTags: string[];
  topology: number | null; // its record number
  colour: GroupBy | null; // what the colours mean
  groups: string[]; // which of these are shown
  at: string | null;
  since: number | null; // the LSN of the map that it is compared with
  failed: Failed; // what if these did
  routes: Route[]; // that are compared
  isSchematic: boolean;
  moved: Moved; // nodes of the schematic view
  view: { latitude: number; longitude: number; zoom: number } | null;
}

const kinds = { node: 'nodes', link: 'links', institution: 'institutions' } as const;

export function wantedBy(search: string): Wanted {
  const values = new URLSearchParams(search);
  const list = (name: string) => values.get(name)?.split(',').filter(Boolean) ?? [];
  const numbersOf = (texts: string[]) => texts.map(Number).filter((number) => number > 0);
  const numbers = (name: string) => numbersOf(list(name));
  const wanted: Wanted = {
    selection: null, nodeTags: list('node-tags'), linkTags: list('link-tags'),
    topology: values.has('topology') ? Number(values.get('topology')) : null,
    colour: groupings.find((by) => by === values.get('colour')) ?? null, groups: list('only'),
    at: values.get('at'), since: Number(values.get('since')) || null, view: viewOf(values.get('view')),
    failed: { nodes: numbers('failed-nodes'), links: numbers('failed-links') },
    routes: list('routes').map((route) => numbersOf(route.split('.'))).filter((route) => route.length > 0),
    isSchematic: values.get('layout') === 'schematic', moved: movedOf(values.get('moved')),
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const number = Number(values.get(name));
    if (number > 0) wanted.selection = { kind, number };
  }
  return wanted;
}

function viewOf(text: string | null): Wanted['view'] {
  const [latitude, longitude, zoom] = (text ?? '').split(',').map(Number);
  const fine = [latitude, longitude, zoom].every((value) => value !== undefined && Number.isFinite(value));
  return text && fine ? { latitude: latitude!, longitude: longitude!, zoom: zoom! } : null;
}

export interface Shown {
  selection: Selection | null;
  filter: Filter;
  colour: GroupBy | null;
  at: string | null;
  since: number | null;
  failed: Failed;
  routes: Route[];
  moved: Moved | null; // null: the map is not schematic
  view: string;
}

export function searchOf({ selection, filter, colour, at, since, failed, routes, moved, view }: Shown): string {
  const values = new URLSearchParams();
  for (const [name, kind] of Object.entries(kinds)) {
    if (selection?.kind === kind) values.set(name, String(selection.number));
  }
  if (filter.nodeTags.size) values.set('node-tags', [...filter.nodeTags].join(','));
  if (filter.linkTags.size) values.set('link-tags', [...filter.linkTags].join(','));
  if (filter.topology !== null) values.set('topology', String(filter.topology));
  if (colour !== null) values.set('colour', colour);
  if (filter.groups.size) values.set('only', [...filter.groups].join(','));
  if (at !== null) values.set('at', at);
  if (since !== null) values.set('since', String(since));
  if (failed.nodes.length) values.set('failed-nodes', failed.nodes.join(','));
  if (failed.links.length) values.set('failed-links', failed.links.join(','));
  if (routes.length) values.set('routes', routesText(routes));
  if (moved) values.set('layout', 'schematic');
  if (moved && addressText(moved)) values.set('moved', addressText(moved));
  if (view) values.set('view', view);
  const text = values.toString().replaceAll('%2C', ',');
  return text ? `?${text}` : '';
}

export const routesText = (routes: Route[]): string =>
  routes.filter((links) => links.length > 0).map((links) => links.join('.')).join(',');

export const isFiltered = ({ nodeTags, linkTags, topology, groups }: Wanted): boolean =>
  nodeTags.length + linkTags.length + groups.length > 0 || topology !== null;

export function filterOf(columns: Pick<Columns, 'tags' | 'topologies'>, wanted: Wanted): Filter {
  const known = (names: string[]) => new Set(names.filter((name) => columns.tags.includes(name)));
  const there = wanted.topology !== null && columns.topologies.number.includes(wanted.topology);
  return {
    nodeTags: known(wanted.nodeTags), linkTags: known(wanted.linkTags), topology: there ? wanted.topology : null,
    groups: new Set(wanted.groups),
  };
}
