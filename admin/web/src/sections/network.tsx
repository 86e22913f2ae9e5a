// Institutions, nodes, links and topologies: the records of the map.
import type { ComponentChild } from 'preact';
import type { CountByKind, Override, Reference } from '../../generated/api.ts';
import { post } from '../app/api.ts';
import { furtherColumns, furtherFields } from '../app/record_fields.ts';
import type { Column, Field, Filter, Row, Section } from '../app/section.ts';
import { t, time, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { OverridesOf } from './overrides.tsx';
import { LoadWatched, redundancyColumn } from './watched.tsx';

const names = (value: unknown): ComponentChild =>
  ((value as Reference[] | undefined) ?? []).map((item) => item.name).join(', ') || '–';
const nameIn = (field: string) => (row: Row) => (row[field] as Reference | null)?.name ?? '–';

const identity: Column[] = [
  { name: 'id', label: 'NetML ID', sort: true },
  { name: 'name', label: 'Name', sort: true },
];
const shortName: Column = { name: 'short_name', label: 'Short name', sort: true };
const memberships: Column = { name: 'topologies', label: 'Topologies', cell: (row) => names(row.topologies) };
const owners: Column = { name: 'owners', label: 'Owners', cell: (row) => names(row.owners) };

const version: Column = { name: 'version', label: 'Version', sort: true, more: true, cell: (row) => time(row.version as string | null) };
const place: Column[] = [
  { name: 'latitude', label: 'Latitude', narrow: true, more: true },
  { name: 'longitude', label: 'Longitude', narrow: true, more: true },
];

const topologyFilter: Filter = { name: 'topology', label: 'Topology', of: 'topologies' };
const ownerFilter: Filter = { name: 'owner', label: 'Owner', of: 'institutions' };
const tagFilter: Filter = { name: 'tag', label: 'Tag' };

const idField: Field = { name: 'id', label: 'NetML ID', kind: 'text', longest: 128,
  help: 'Choose a stable, prefixed ID, such as urn:example:node:1. Left empty, one is made from the names.' };
const nameField: Field = { name: 'name', label: 'Name', kind: 'text', required: true, longest: 128 };
const shortNameField: Field = { name: 'short_name', label: 'Short name', kind: 'text', longest: 32 };
const versionField: Field = { name: 'version', label: 'Version', kind: 'time',
  help: 'When these data were last confirmed; now, if empty.' };
const ownersField: Field = { name: 'owners', label: 'Owners', kind: 'many', of: 'institutions', required: true };
const topologiesField: Field = { name: 'topologies', label: 'Topologies', kind: 'many', of: 'topologies', required: true };
const propertiesField: Field = { name: 'properties', label: 'Properties', kind: 'properties',
  help: 'For example tag, description, url or throughput. Names may repeat.' };
const placeFields: Field[] = [
  { name: 'latitude', label: 'Latitude', kind: 'decimal', required: true, range: [-90, 90], group: 'Place' },
  { name: 'longitude', label: 'Longitude', kind: 'decimal', required: true, range: [-180, 180], group: 'Place' },
  { name: 'altitude', label: 'Altitude (m)', kind: 'decimal', group: 'Place' },
  { name: 'unlocode', label: 'UN/LOCODE', kind: 'text', longest: 5, group: 'Place' },
  { name: 'address', label: 'Address', kind: 'lines', longest: 500 },
];
const lifeFields: Field[] = [
  { name: 'start', label: 'Start', kind: 'time' },
  { name: 'end', label: 'End', kind: 'time' },
];

const common = { add: 'editor', change: 'editor', remove: 'editor', history: true, deletesMore: true, keeps: true } as const;
const kept = (kind: Override['kind']) => ({ row }: { row: Row }) => <OverridesOf kind={kind} id={String(row.id)} />;

export const institutions: Section = {
  key: 'institutions', title: 'Institutions', singular: 'Institution', icon: 'institution',
  list: {
    columns: [...identity, shortName, ...furtherColumns('institutions'), memberships, redundancyColumn('institutions'), ...place, version],
    filters: [topologyFilter, tagFilter],
    search: true, sort: 'id', live: ['change'], bulkEdit: true, above: LoadWatched,
  },
  form: {
    ...common,
    fields: [idField, nameField, shortNameField, versionField, topologiesField, ...placeFields,
      ...furtherFields('institutions'), propertiesField],
    extra: kept('institution'),
  },
};

export const nodes: Section = {
  key: 'nodes', title: 'Nodes', longTitle: 'Network Nodes', singular: 'Node', icon: 'node',
  list: {
    columns: [...identity, shortName, ...furtherColumns('nodes'), owners, memberships, redundancyColumn('nodes'), ...place, version],
    filters: [topologyFilter, ownerFilter, tagFilter], search: true, sort: 'id', live: ['change'], bulkEdit: true, above: LoadWatched,
  },
  form: {
    ...common,
    fields: [idField, nameField, shortNameField, versionField, ownersField, topologiesField,
      ...placeFields, ...lifeFields, ...furtherFields('nodes'), propertiesField],
    extra: kept('node'),
  },
};

const endsDiffer = (values: Record<string, unknown>): Partial<Record<string, Text>> => {
  const a = values.node_a as Reference | null;
  const b = values.node_b as Reference | null;
  return a && b && a.number === b.number ? { node_b: 'A link joins two different nodes.' } : {};
};

export const links: Section = {
  key: 'links', title: 'Links', longTitle: 'Network Links', singular: 'Link', icon: 'link',
  list: {
    columns: [...identity, shortName, ...furtherColumns('links'),
      { name: 'node_a', label: 'Node A', cell: nameIn('node_a') },
      { name: 'node_b', label: 'Node B', cell: nameIn('node_b') },
      { ...owners, more: true }, { ...memberships, more: true }, version],
    filters: [topologyFilter, ownerFilter, { name: 'node', label: 'Node', of: 'nodes' }, tagFilter],
    search: true, sort: 'id', live: ['change'], bulkEdit: true,
  },
  form: {
    ...common,
    fields: [idField, nameField, shortNameField, versionField,
      { name: 'node_a', label: 'Node A', kind: 'one', of: 'nodes', required: true },
      { name: 'node_b', label: 'Node B', kind: 'one', of: 'nodes', required: true },
      ownersField, topologiesField, ...lifeFields, ...furtherFields('links'), propertiesField],
    check: endsDiffer,
    extra: kept('link'),
  },
};

async function markMain(rows: Row[]): Promise<string> {
  if (rows.length !== 1) throw new Error(t('Select exactly one topology.'));
  await post(`topologies/${rows[0]!.number}/main`);
  return t('{name} is the main topology now.', { name: String(rows[0]!.name) });
}

export const topologies: Section = {
  key: 'topologies', title: 'Topologies', longTitle: 'Network Topologies', singular: 'Topology', icon: 'topology',
  list: {
    columns: [...identity, ...furtherColumns('topologies'), { name: 'parent', label: 'Parent', cell: nameIn('parent') },
      { name: 'is_main', label: 'Main', narrow: true,
        cell: (row) => <Icon name={row.is_main ? 'check' : 'cross'} label={row.is_main ? t('Yes') : t('No')} /> },
      { name: 'counts', label: 'Elements', cell: (row) => countsOf(row) },
      { name: 'owner', label: 'Owner', more: true, cell: nameIn('owner') }, version],
    filters: [{ name: 'parent', label: 'Parent', of: 'topologies' }],
    search: true, sort: 'id', live: ['change'], bulkEdit: true,
    bulkActions: [{ label: 'Mark one topology as main', role: 'editor', run: markMain }],
  },
  form: {
    ...common,
    fields: [idField, nameField, versionField,
      { name: 'parent', label: 'Parent', kind: 'one', of: 'topologies' },
      { name: 'owner', label: 'Owner', kind: 'one', of: 'institutions',
        help: 'Required for exports: without an owner nobody can collect this map.' },
      ...furtherFields('topologies'), propertiesField],
    extra: ({ row }) => (
      <>
        <p class="muted">{countsOf(row)} · {t('Version')}: {time(row.version as string)}</p>
        <OverridesOf kind="topology" id={String(row.id)} />
      </>
    ),
  },
};

function countsOf(row: Row): string {
  const counts = row.counts as CountByKind | undefined;
  if (!counts) return '–';
  return [t('{n} institutions', { n: counts.institutions }), t('{n} nodes', { n: counts.nodes }),
    t('{n} links', { n: counts.links })].join(', ');
}
