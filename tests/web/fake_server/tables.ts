// Tokens, settings, accounts, origins, rules, publications, sources and polls: tables of items.
import { randomBytes } from 'node:crypto';
import { jsonOf, requireConfirmed, type Answer, type Call } from './api.ts';
import { ApiFailure, type Fields, type Item, type Session, type State } from './state.ts';

const known = new Set(['q', 'sort', 'limit', 'cursor', 'topology', 'owner', 'node', 'tag', 'parent', 'at']);

// Search, filters, order and one page.
export function page(items: Item[], query: URLSearchParams): Fields {
  const q = (query.get('q') ?? '').toLowerCase();
  let found = items.filter((item) => !q || Object.values(item).some((value) => typeof value === 'string' && value.toLowerCase().includes(q)));
  for (const [name, value] of query) {
    if (!known.has(name) && value) found = found.filter((item) => String(item[name]) === value);
  }
  const sort = query.get('sort') ?? '';
  const key = sort.replace(/^-/, '');
  if (key) {
    found = found.toSorted((a, b) => String(a[key] ?? '').localeCompare(String(b[key] ?? ''), 'en', { numeric: true }));
    if (sort.startsWith('-')) found.reverse();
  }
  const begin = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 100);
  return { items: found.slice(begin, begin + limit), next: begin + limit < found.length ? String(begin + limit) : null, total: found.length };
}

const hidden: Record<string, string[]> = { tokens: ['value'], accounts: ['password'], sources: ['token'] };

function visible(table: string, item: Item): Item {
  const copy = { ...item };
  for (const name of hidden[table] ?? []) delete copy[name];
  return copy;
}

export function tableCall(call: Call, session: Session): Answer {
  const { state, method, path, query } = call;
  const [table, second, third] = path as [string, string?, string?];
  if (table === 'settings') return settingCall(call);
  if (table === 'rules' || (table === 'rulesets' && (second === 'export' || second === 'import'))) return ruleCall(call);
  const items = state.tables[table];
  if (!items) throw new ApiFailure(404, 'not-found', 'There is no such page.');
  if (second === undefined && method === 'GET') return { status: 200, value: page(items.map((item) => visible(table, item)), query) };
  if (second === undefined) return add(call, session, table, items);
  const item = items.find((one) => String(one.number) === second);
  if (!item) throw new ApiFailure(404, 'not-found', 'There is no such record.');
  if (third) return action(state, session, table, item, third);
  if (method === 'GET') return { status: 200, value: visible(table, item) };
  if (table === 'accounts') requireConfirmed(session);
  if (method === 'DELETE') state.tables[table] = items.filter((one) => one !== item);
  else Object.assign(item, jsonOf(call));
  state.commit(String(session.account.name), 'edit', `${method === 'DELETE' ? 'Deleted' : 'Changed'} ${table} ${String(item.name)}`);
  return method === 'DELETE' ? { status: 204 } : { status: 200, value: visible(table, item) };
}

function add(call: Call, session: Session, table: string, items: Item[]): Answer {
  const { state } = call;
  if (table === 'polls') return poll(state, state.tables.sources!.filter((source) => source.active));
  if (table === 'accounts') requireConfirmed(session);
  const body = jsonOf(call);
  if (items.some((item) => item.name === body.name)) {
    throw new ApiFailure(409, 'name-taken', 'This name is taken.', { field: 'name' });
  }
  const now = new Date().toISOString();
  const extra: Record<string, Fields> = {
    tokens: { value: randomBytes(24).toString('base64url'), created: now }, publications: { version: now, time: now, state: 'success' },
    rulesets: { healthy: true, rules: [] }, sources: { url: `${String(body.protocol)}://${String(body.hostname)}:${String(body.port)}${String(body.path)}` },
    accounts: { last_sign_in: null },
  };
  const item: Item = { ...body, ...extra[table], number: state.next() };
  items.push(item);
  state.commit(String(session.account.name), 'edit', `Added ${table} ${String(item.name)}`);
  return { status: 201, value: table === 'tokens' ? item : visible(table, item) };
}

function action(state: State, session: Session, table: string, item: Item, name: string): Answer {
  if (table === 'tokens') {
    if (name === 'show') requireConfirmed(session);
    if (name === 'regenerate') item.value = randomBytes(24).toString('base64url');
    return { status: 200, value: { value: item.value } };
  }
  if (table === 'sources' && name === 'test') return { status: 200, value: { state: 'connected', message: 'Connected' } };
  if (table === 'sources' && name === 'collect') return poll(state, [item]);
  return { status: 200, value: { download: name } };
}

function poll(state: State, sources: Item[]): Answer {
  const number = state.next();
  const records = sources.map((source) => ({ source: source.name, state: 'pending', message: '', poll_start: null as string | null, poll_seconds: null as number | null,
    import_start: null as string | null, import_seconds: null, import: null }));
  const event: Item = { number, time: new Date().toISOString(), scheduled: false, complete: false, duration: null, records };
  state.tables.polls!.unshift(event);
  ['polling', 'polled', 'importing', 'complete'].forEach((name, index) => setTimeout(() => {
    for (const record of records) Object.assign(record, { state: name, poll_start: new Date().toISOString() });
    if (name === 'complete') Object.assign(event, { complete: true, duration: 0.6 });
    state.events.emit('poll', { number });
  }, 150 * (index + 1)));
  return { status: 202, value: { number } };
}

function settingCall(call: Call): Answer {
  const { state, method, path, query } = call;
  if (!path[1]) return { status: 200, value: page(state.settings, query) };
  const setting = state.settings.find((one) => one.key === path[1]);
  if (!setting) throw new ApiFailure(404, 'not-found', 'There is no such setting.');
  if (method === 'DELETE') setting.value = setting.default;
  else {
    const { value } = jsonOf(call);
    const choices = setting.choices as string[];
    const wrong = (choices.length && !choices.includes(String(value))) || (setting.kind === 'number' && !/^\d+$/.test(String(value)));
    if (wrong) throw new ApiFailure(400, 'invalid-input', 'This value is not allowed.', { field: 'value' });
    setting.value = value;
  }
  if (setting.key === 'GREN_MAP_VISUALIZATION_ENABLED') state.mapEnabled = setting.value !== 'False';
  return { status: 200, value: setting };
}

function ruleCall(call: Call): Answer {
  const { state, method, path } = call;
  const sets = state.tables.rulesets!;
  if (path[1] === 'export') return { status: 200, value: sets };
  if (path[1] === 'import') return { status: 200, value: { created_rulesets: ['Imported'], invalid_rulesets: [] } };
  const body = jsonOf(call);
  if (!path[1]) {
    const set = sets.find((one) => one.number === body.ruleset)!;
    const rule = { ...body, number: state.next(), healthy: true, problem: null };
    (set.rules as Item[]).push(rule);
    return { status: 201, value: rule };
  }
  const set = sets.find((one) => (one.rules as Item[]).some((rule) => String(rule.number) === path[1]));
  if (!set) throw new ApiFailure(404, 'not-found', 'There is no such rule.');
  const rules = set.rules as Item[];
  const rule = rules.find((one) => String(one.number) === path[1])!;
  if (path[2] === 'clone') rules.push({ ...rule, number: state.next(), name: `${String(rule.name)} 1` });
  else if (path[2]) return { status: 200, value: outcome(state, rule, path[2]) };
  else if (method === 'DELETE') set.rules = rules.filter((one) => one !== rule);
  else Object.assign(rule, body);
  return method === 'DELETE' ? { status: 204 } : { status: 200, value: rule };
}

// Only the rule type that the tests use has an effect.
function outcome(state: State, rule: Item, name: string): Fields {
  const id = (rule.criteria as { infos: { key: string; value: string }[] }[])[0]?.infos.find((info) => info.key === 'ID')?.value;
  const matched = state.alive('nodes').filter((node) => node.id === id);
  const deletes = (rule.actions as { type: string }[])[0]?.type === 'Delete Node';
  if (name === 'apply' && deletes) {
    const lsn = state.commit('rules', 'rules', `Rule ${String(rule.name)}`);
    for (const node of matched) node.died = lsn;
  }
  return { created: 0, updated: 0, deleted: deletes ? matched.length : 0, matched: matched.length, matches: matched.map((node) => ({ kind: 'node', id: node.id, name: node.name })) };
}
