// Institutions, nodes, links and topologies by the contract of docs/api.md.
import type { Kind, Rec } from './example.ts';
import { ApiFailure, type Fields, type State } from './state.ts';

export const kinds: Kind[] = ['topologies', 'institutions', 'nodes', 'links'];

export function shown(state: State, rec: Rec): Fields {
  const ref = (number: number | null) => {
    const found = number === null ? undefined : state.records.find((one) => one.number === number);
    return found ? { number: found.number, id: found.id, name: found.name } : null;
  };
  const { kind, number, id, name, version, properties, etag } = rec;
  const common = { number, id, name, version, properties, etag: String(etag) };
  if (kind === 'topologies') {
    const members = (other: Kind) => state.alive(other).filter((one) => one.topologies.includes(number)).length;
    return { ...common, parent: ref(rec.parent), owner: ref(rec.owner), is_main: rec.is_main, counts: {
      institutions: members('institutions'), nodes: members('nodes'), links: members('links'),
      topologies: state.alive('topologies').filter((one) => one.parent === number).length } };
  }
  const member = { ...common, short_name: rec.short_name, topologies: rec.topologies.map(ref) };
  const place = { latitude: rec.latitude, longitude: rec.longitude, altitude: rec.altitude, unlocode: rec.unlocode, address: rec.address };
  if (kind === 'institutions') return { ...member, ...place };
  const owned = { ...member, owners: rec.owners.map(ref), start: rec.start, end: rec.end };
  return kind === 'nodes' ? { ...owned, ...place } : { ...owned, node_a: ref(rec.node_a), node_b: ref(rec.node_b) };
}

export function listed(state: State, kind: Kind, filters: URLSearchParams): Fields[] {
  const has = (name: string) => (filters.has(name) ? Number(filters.get(name)) : null);
  const [topology, owner, node, parent] = [has('topology'), has('owner'), has('node'), has('parent')];
  const tag = filters.get('tag');
  return state.alive(kind).filter((rec) =>
    (topology === null || rec.topologies.includes(topology)) && (owner === null || rec.owners.includes(owner))
    && (node === null || rec.node_a === node || rec.node_b === node) && (parent === null || rec.parent === parent)
    && (!tag || rec.properties.some((one) => one.name === 'tag' && one.value === tag)))
    .map((rec) => shown(state, rec));
}

const numberOf = (value: unknown) => (value as { number: number } | null)?.number ?? null;
const numbersOf = (value: unknown) => (Array.isArray(value) ? value.map((one) => numberOf(one)!) : []);

function check(state: State, kind: Kind, body: Fields, old: Rec | null): void {
  const fields: Record<string, string> = {};
  if (!body.name) fields.name = 'This field is required.';
  const taken = body.id && state.records.some((rec) => rec.id === body.id && rec.died === null && rec !== old);
  if (taken) fields.id = 'Another record has this identifier.';
  if (kind === 'nodes' || kind === 'institutions') {
    if (Math.abs(Number(body.latitude)) > 90) fields.latitude = 'This number is out of range.';
  }
  if (Object.keys(fields).length) throw new ApiFailure(400, 'invalid-input', 'Some fields are not valid.', { fields });
}

export function stored(state: State, kind: Kind, body: Fields, old: Rec | null, actor: string): Rec {
  check(state, kind, body, old);
  const base = old ?? { ...state.records[0]!, kind, number: state.next(), born: state.lsn + 1, died: null, is_main: false, etag: 0,
    short_name: '', altitude: null, unlocode: '', address: '', start: null, end: null, properties: [], parent: null, owner: null };
  const before = { ...base };
  const text = (name: keyof Rec) => String(body[name] ?? '');
  Object.assign(base, {
    id: body.id || `generated-${base.number}`, name: text('name'), short_name: text('short_name'),
    version: body.version ?? new Date().toISOString(), topologies: numbersOf(body.topologies), owners: numbersOf(body.owners),
    latitude: body.latitude ?? null, longitude: body.longitude ?? null, altitude: body.altitude ?? null,
    unlocode: text('unlocode'), address: text('address'), start: body.start ?? null, end: body.end ?? null,
    node_a: numberOf(body.node_a) ?? 0, node_b: numberOf(body.node_b) ?? 0, parent: numberOf(body.parent), owner: numberOf(body.owner),
    properties: body.properties ?? [], etag: base.etag + 1,
  });
  if (!old) state.records.push(base);
  const changes = (['id', 'name', 'short_name', 'latitude', 'longitude', 'address'] as const)
    .filter((name) => (old ? before[name] !== base[name] : base[name]))
    .map((name) => ({ name, old: old ? String(before[name] ?? '') : null, new: String(base[name] ?? '') }));
  state.commit(actor, 'edit', `${old ? 'Changed' : 'Added'} ${base.name}`, base, changes);
  return base;
}

export function fallsWith(state: State, rec: Rec): Rec[] {
  if (rec.kind === 'nodes') return state.alive('links').filter((link) => link.node_a === rec.number || link.node_b === rec.number);
  if (rec.kind !== 'topologies') return [];
  const below = state.alive('topologies').filter((one) => one.parent === rec.number);
  const gone = new Set([rec.number, ...below.map((one) => one.number)]);
  const only = (kind: Kind) => state.alive(kind).filter((one) => one.topologies.length > 0 && one.topologies.every((at) => gone.has(at)));
  return [...below, ...only('institutions'), ...only('nodes'), ...only('links')];
}

export function removed(state: State, rec: Rec, actor: string): void {
  const all = [rec, ...fallsWith(state, rec)];
  const lsn = state.commit(actor, 'delete', `Deleted ${rec.name}`, rec);
  for (const one of all) one.died = lsn;
}

export function fallsAnswer(fallen: Rec[]): Fields {
  const count = (kind: Kind) => fallen.filter((rec) => rec.kind === kind).length;
  return { topologies: count('topologies'), institutions: count('institutions'), nodes: count('nodes'), links: count('links'),
    examples: fallen.slice(0, 5).map(({ kind, number, name }) => ({ kind, number, name })) };
}
