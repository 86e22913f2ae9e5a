// The endpoints of the map by the contract of docs/api.md.
import type { Rec } from './example.ts';
import { ApiFailure, type Fields, type State } from './state.ts';

const tagsOf = (rec: Rec) => rec.properties.filter((one) => one.name === 'tag').map((one) => one.value);
const first = (rec: Rec, name: string) => rec.properties.find((one) => one.name === name)?.value ?? null;
const place = (text: string | null) => (text === null ? null : Number(text));

export function lsnOf(state: State, at: string | null): number {
  if (at === null) return state.lsn;
  if (/^\d+$/.test(at)) return Number(at);
  return state.log.findLast((entry) => entry.time <= at)?.lsn ?? 0;
}

export function columns(state: State, at: number): Fields {
  const [nodes, links, institutions, topologies] = (['nodes', 'links', 'institutions', 'topologies'] as const)
    .map((kind) => state.alive(kind, at)) as [Rec[], Rec[], Rec[], Rec[]];
  const tags: string[] = [];
  const tagAt = new Map<string, number>();
  const tagNumbers = (rec: Rec) => tagsOf(rec).map((tag) => {
    if (!tagAt.has(tag)) tagAt.set(tag, tags.push(tag) - 1);
    return tagAt.get(tag)!;
  });
  const indexOf = (list: Rec[]) => new Map(list.map((rec, index) => [rec.number, index]));
  const [nodeAt, institutionAt, topologyAt] = [indexOf(nodes), indexOf(institutions), indexOf(topologies)];
  const places = (numbers: number[], index: Map<number, number>) => numbers.flatMap((one) => index.get(one) ?? []);
  const base = (list: Rec[]) => ({ number: list.map((one) => one.number), id: list.map((one) => one.id), name: list.map((one) => one.name), tags: list.map(tagNumbers) });
  const member = (list: Rec[]) => ({ topologies: list.map((one) => places(one.topologies, topologyAt)), owners: list.map((one) => places(one.owners, institutionAt)) });
  const position = (list: Rec[]) => ({ latitude: list.map((one) => place(one.latitude)), longitude: list.map((one) => place(one.longitude)) });
  const whole = links.filter((link) => nodeAt.has(link.node_a) && nodeAt.has(link.node_b));
  return {
    lsn: at, time: state.log.find((entry) => entry.lsn === at)?.time ?? '',
    nodes: { ...base(nodes), ...position(nodes), ...member(nodes) },
    links: { ...base(whole), a: whole.map((one) => nodeAt.get(one.node_a)!), b: whole.map((one) => nodeAt.get(one.node_b)!), ...member(whole) },
    institutions: { ...base(institutions), ...position(institutions), short_name: institutions.map((one) => one.short_name), url: institutions.map((one) => first(one, 'url')) },
    topologies: { number: topologies.map((one) => one.number), name: topologies.map((one) => one.name), parent: topologies.map((one) => (one.parent === null ? -1 : topologyAt.get(one.parent) ?? -1)) },
    tags,
  };
}

export function details(state: State, kind: 'nodes' | 'links' | 'institutions', number: number): Fields {
  const rec = state.records.find((one) => one.kind === kind && one.number === number);
  if (!rec) throw new ApiFailure(404, 'not-found', 'There is no such record.');
  const named = (numbers: number[]) => [...new Set(numbers)].map((one) => ({ number: one, name: state.name(one) }));
  const touching = state.alive('links').filter((link) => link.node_a === number || link.node_b === number);
  const neighbours = touching.map((link) => (link.node_a === number ? link.node_b : link.node_a));
  const connected = neighbours.flatMap((one) => state.records.find((other) => other.number === one)?.owners ?? []);
  return { number, id: rec.id, name: rec.name, short_name: rec.short_name, description: first(rec, 'description'), tags: tagsOf(rec),
    throughput: first(rec, 'throughput'), url: first(rec, 'url'), owners: named(rec.owners),
    connected_owners: kind === 'nodes' ? named(connected) : [], ends: kind === 'links' ? named([rec.node_a, rec.node_b]) : [] };
}

export function moments(state: State): Fields[] {
  return state.log.flatMap((entry) => {
    const count = (kind: 'nodes' | 'links', field: 'born' | 'died') => state.records.filter((rec) => rec.kind === kind && rec[field] === entry.lsn).length;
    const added = { nodes: count('nodes', 'born'), links: count('links', 'born') };
    const removed = { nodes: count('nodes', 'died'), links: count('links', 'died') };
    const isChange = entry.record !== undefined && entry.cause === 'edit' && added.nodes + added.links === 0;
    const any = added.nodes + added.links + removed.nodes + removed.links + (isChange ? 1 : 0) > 0;
    return any ? [{ lsn: entry.lsn, time: entry.time, text: entry.source, added, removed, changed: isChange ? 1 : 0 }] : [];
  });
}

export function difference(state: State, from: number, to: number): Fields {
  const of = (kind: 'nodes' | 'links') => {
    const old = new Set(state.alive(kind, from));
    const now = new Set(state.alive(kind, to));
    const numbers = (list: Rec[]) => list.map((one) => one.number);
    const touched = new Set(state.log.filter((entry) => entry.lsn > from && entry.lsn <= to).map((entry) => entry.record));
    return { added: numbers([...now].filter((one) => !old.has(one))), removed: [...old].filter((one) => !now.has(one)),
      changed: numbers([...now].filter((one) => old.has(one) && touched.has(one.number))) };
  };
  const [nodes, links] = [of('nodes'), of('links')];
  const at = (number: number) => {
    const rec = state.records.find((one) => one.number === number)!;
    return [place(rec.latitude), place(rec.longitude)];
  };
  return {
    nodes: { ...nodes, removed: nodes.removed.map((one) => one.number) },
    links: { ...links, removed: links.removed.map((one) => one.number) },
    gone: {
      nodes: { number: nodes.removed.map((one) => one.number), name: nodes.removed.map((one) => one.name), latitude: nodes.removed.map((one) => place(one.latitude)), longitude: nodes.removed.map((one) => place(one.longitude)) },
      links: { number: links.removed.map((one) => one.number), name: links.removed.map((one) => one.name), a: links.removed.map((one) => at(one.node_a)), b: links.removed.map((one) => at(one.node_b)) },
    },
  };
}

interface Graph { nodes: Set<number>; links: Rec[] }

function components(graph: Graph): Map<number, number> {
  const of = new Map<number, number>();
  const next = new Map<number, number[]>();
  for (const { node_a: a, node_b: b } of graph.links) {
    next.set(a, [...(next.get(a) ?? []), b]);
    next.set(b, [...(next.get(b) ?? []), a]);
  }
  for (const start of graph.nodes) {
    const todo = of.has(start) ? [] : [start];
    while (todo.length) {
      const node = todo.pop()!;
      if (of.has(node)) continue;
      of.set(node, start);
      todo.push(...(next.get(node) ?? []));
    }
  }
  return of;
}

const countOf = (of: Map<number, number>) => new Set(of.values()).size;

// Small maps only: tries each link and node by leaving it out.
function singlePath(graph: Graph): { links: number[]; nodes: number[] } {
  const base = countOf(components(graph));
  const without = (number: number): Graph => ({ nodes: new Set([...graph.nodes].filter((one) => one !== number)),
    links: graph.links.filter((link) => link.number !== number && link.node_a !== number && link.node_b !== number) });
  return { links: graph.links.filter((link) => countOf(components(without(link.number))) > base).map((link) => link.number),
    nodes: [...graph.nodes].filter((node) => countOf(components(without(node))) > base) };
}

export function whatIf(state: State, body: { nodes: number[]; links: number[] }, at: number): Fields {
  const failed = new Set([...body.nodes, ...body.links]);
  const before: Graph = { nodes: new Set(state.alive('nodes', at).map((one) => one.number)), links: state.alive('links', at) };
  const after: Graph = { nodes: new Set([...before.nodes].filter((one) => !failed.has(one))),
    links: before.links.filter((link) => !failed.has(link.number) && !failed.has(link.node_a) && !failed.has(link.node_b)) };
  const [old, now] = [components(before), components(after)];
  const largest = (of: Map<number, number>) => {
    const sizes = new Map<number, number>();
    for (const one of of.values()) sizes.set(one, (sizes.get(one) ?? 0) + 1);
    return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
  };
  const [main, mainAfter] = [largest(old), largest(now)];
  const cut = [...after.nodes].filter((node) => old.get(node) === main && now.get(node) !== mainAfter);
  const ownersOf = (nodes: number[]) => new Set(nodes.flatMap((one) => state.records.find((rec) => rec.number === one)!.owners));
  const still = ownersOf([...after.nodes].filter((node) => !cut.includes(node)));
  const [had, has] = [singlePath(before), singlePath(after)];
  return { simulated: true, components_before: countOf(old), components_after: countOf(now),
    cut_off: { nodes: cut, institutions: [...ownersOf(cut)].filter((one) => !still.has(one)) }, single_path: has,
    newly_single_path: { links: has.links.filter((one) => !had.links.includes(one)), nodes: has.nodes.filter((one) => !had.nodes.includes(one)) } };
}
