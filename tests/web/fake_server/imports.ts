// File imports and their plans. The work is done step by step, so that progress can be seen.
import type { Answer, Call } from './api.ts';
import { page } from './tables.ts';
import { ApiFailure, type Fields, type Item, type State } from './state.ts';

export function work(call: Call, actor: string): Answer {
  const { state, method, path, query } = call;
  if (path[0] === 'imports') {
    if (method === 'POST') return upload(call);
    if (path[1]) return { status: 200, value: found(state.tables.imports!, path[1]) };
    return { status: 200, value: page(state.tables.imports!, query) };
  }
  if (!path[1]) {
    const decided = state.plans.filter((one) => one.state !== 'planning' && one.state !== 'failed');
    return { status: 200, value: page(decided.map(({ changes: _, ...rest }) => rest), query) };
  }
  const plan = found(state.plans, path[1]);
  if (path[2] === 'changes') return { status: 200, value: page(plan.changes as Item[], query) };
  if (path[2] === 'apply') return { status: 202, value: apply(state, plan, actor) };
  if (method === 'DELETE') {
    state.plans = state.plans.filter((one) => one !== plan);
    return { status: 204 };
  }
  const { changes: _, ...rest } = plan;
  return { status: 200, value: rest };
}

function found(items: Item[], number: string): Item {
  const item = items.find((one) => String(one.number) === number);
  if (!item) throw new ApiFailure(404, 'not-found', 'There is no such record.');
  return item;
}

function steps(state: State, id: number, names: string[], end: () => void): void {
  names.forEach((step, index) => setTimeout(() => {
    if (index === names.length - 1) end();
    state.events.emit('progress', { import: id, step, done: index + 1, total: names.length });
  }, 120 * (index + 1)));
}

function upload(call: Call): Answer {
  const { state } = call;
  const text = call.body.toString('latin1');
  const name = /filename="([^"]*)"/.exec(text)?.[1] ?? '';
  if (!name) throw new ApiFailure(400, 'invalid-input', 'The file is missing.', { field: 'file' });
  const number = state.next();
  const isBroken = !/<(?:\w+:)?topology/i.test(text);
  const plan: Item = { number, id: number, name, state: 'planning', planned_at: new Date().toISOString(), created: 2, updated: 1, deleted: 0, log: 'Read 3 elements.', changes: [
    { kind: 'node', id: 'urn:example:node:siena', name: 'Siena', action: 'created', fields: [{ field: 'name', before: null, after: 'Siena' }, { field: 'latitude', before: null, after: '43.318' }] },
    { kind: 'link', id: 'urn:example:link:siena', name: 'Firenze – Siena', action: 'created', fields: [{ field: 'name', before: null, after: 'Firenze – Siena' }] },
    { kind: 'node', id: 'urn:example:node:roma', name: 'Roma', action: 'updated', fields: [{ field: 'address', before: '', after: 'Via dei Tizii 6' }] }] };
  state.plans.push(plan);
  steps(state, number, ['reading', 'comparing', 'counting'], () => {
    Object.assign(plan, isBroken ? { state: 'failed', message: 'The file is no NetML document: line 1, column 1.' } : { state: 'ready' });
  });
  return { status: 202, value: { plan: { id: number } } };
}

function apply(state: State, plan: Item, actor: string): Fields {
  const number = state.next();
  const counts = { topologies: { parsed: 1, imported: 1 }, institutions: { parsed: 0, imported: 0 }, nodes: { parsed: 2, imported: 2 }, links: { parsed: 1, imported: 1 } };
  const row: Item = { number, time: new Date().toISOString(), name: plan.name, source: 'admin', sender: actor, state: 'in_progress', message: '',
    topology: state.name(1), parent: null, lsn: null, file_hash: 'c0ffee', counts };
  state.tables.imports!.push(row);
  state.plans = state.plans.filter((one) => one !== plan);
  steps(state, number, ['writing', 'applying rules', 'done'], () => {
    const node = { ...state.alive('nodes')[0]!, number: state.next(), id: `urn:example:node:siena-${number}`, name: 'Siena', latitude: '43.318', longitude: '11.33', born: state.lsn + 1, etag: 1 };
    state.records.push(node);
    const lsn = state.commit(actor, 'import', String(plan.name));
    Object.assign(row, { state: 'complete', message: '1: Import complete', lsn });
  });
  return { record: number };
}

