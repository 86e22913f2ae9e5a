// Every call of /api/v1/: who may make it, and what it answers.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Kind } from './example.ts';
import { work } from './imports.ts';
import { columns, details, difference, lsnOf, moments, whatIf } from './map.ts';
import { fallsAnswer, fallsWith, kinds, listed, removed, shown, stored } from './records.ts';
import { page, tableCall } from './tables.ts';
import { ApiFailure, ruleTypes, type Fields, type Item, type Session, type State } from './state.ts';

export interface Call {
  state: State;
  method: string;
  path: string[];
  query: URLSearchParams;
  body: Buffer;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
}
export interface Answer { status: number; value?: unknown; etag?: string }

const ok = (value: unknown): Answer => ({ status: 200, value });
const rank: Record<string, number> = { viewer: 0, editor: 1, admin: 2 };

export const jsonOf = (call: Call) => (call.body.length ? JSON.parse(call.body.toString()) as Fields : {});

export function answer(call: Call): Answer {
  const [first] = call.path;
  if (first === 'session') return sessionCall(call);
  if (first === 'map') return mapCall(call);
  const session = sessionOf(call);
  if (!session) throw new ApiFailure(401, 'not-signed-in', 'Sign in first.');
  if (call.method !== 'GET') requireCsrf(call, session);
  requireRole(call, session);
  return signedIn(call, session);
}

export function sessionOf({ state, headers }: Call): Session | null {
  const id = /(?:^|; )netml=(\w+)/.exec(headers.cookie ?? '')?.[1];
  return (id && state.sessions.get(id)) || null;
}

function requireCsrf({ headers }: Call, session: Session): void {
  const foreign = headers['sec-fetch-site'] && headers['sec-fetch-site'] !== 'same-origin';
  if (headers['x-netml-csrf'] !== session.csrf || foreign) throw new ApiFailure(403, 'csrf', 'The request does not come from this site.');
}

const adminOnly = new Set(['tokens', 'accounts', 'origins']);

function requireRole({ method, path }: Call, session: Session): void {
  const [first] = path;
  const reads = method === 'GET';
  const needs = adminOnly.has(first!) ? 'admin' : reads ? 'viewer'
    : first === 'settings' || (first === 'sources' && !path[2]) ? 'admin' : 'editor';
  if (first === 'sessions') return;
  if (rank[String(session.account.role)]! < rank[needs]!) throw new ApiFailure(403, 'not-allowed', 'Your role does not allow this.');
}

export function requireConfirmed(session: Session): void {
  if (session.confirmedUntil < Date.now()) throw new ApiFailure(403, 'confirm-password', 'Enter your password again.');
}

const about = (state: State, session: Session | null): Fields => (session
  ? { signed_in: true, account: { name: session.account.name, email: session.account.email, role: session.account.role }, csrf: session.csrf,
    expires: new Date(Date.now() + 43200000).toISOString(), version: '0.1.0', mode: 'production', read_only: false, sign_in: 'password',
    settings: { map_enabled: state.mapEnabled } }
  : { signed_in: false, csrf: null, sign_in: 'password', first_account: state.firstCode !== null, settings: { map_enabled: state.mapEnabled } });

function begin({ state, response }: Call, account: Item): Answer {
  const session: Session = { id: randomBytes(16).toString('hex'), csrf: randomBytes(16).toString('hex'), account, confirmedUntil: 0, number: state.next() };
  state.sessions.set(session.id, session);
  account.last_sign_in = new Date().toISOString();
  response.setHeader('Set-Cookie', `netml=${session.id}; HttpOnly; SameSite=Lax; Path=/`);
  return ok(about(state, session));
}

function sessionCall(call: Call): Answer {
  const { state, method, path } = call;
  const session = sessionOf(call);
  const body = jsonOf(call);
  if (method === 'GET') return ok(about(state, session));
  if (method === 'POST' && path[1] === 'first') return firstAccount(call, body);
  if (method === 'POST' && !path[1]) return signIn(call, body);
  if (!session) throw new ApiFailure(401, 'not-signed-in', 'Sign in first.');
  requireCsrf(call, session);
  if (method === 'DELETE') {
    state.sessions.delete(session.id);
    return { status: 204 };
  }
  const right = body.password === session.account.password || body.old === session.account.password;
  if (!right) throw new ApiFailure(403, 'wrong-password', 'The password is wrong.', { field: path[1] === 'password' ? 'old' : 'password' });
  if (path[1] === 'confirm') session.confirmedUntil = Date.now() + 300000;
  else session.account.password = body.new;
  return { status: 204 };
}

function signIn(call: Call, body: Fields): Answer {
  const { state } = call;
  if (state.failures >= 5) throw new ApiFailure(429, 'too-many-attempts', 'Too many attempts.');
  const account = state.tables.accounts!.find((one) => one.name === body.name && one.password === body.password && one.active);
  if (!account) {
    state.failures += 1;
    throw new ApiFailure(401, 'wrong-credentials', 'The name or the password is wrong.');
  }
  state.failures = 0;
  return begin(call, account);
}

function firstAccount(call: Call, body: Fields): Answer {
  const { state } = call;
  if (state.firstCode === null || body.code !== state.firstCode) throw new ApiFailure(403, 'wrong-code', 'The code is wrong.', { field: 'code' });
  const account = { number: state.next(), name: body.name, email: '', role: 'admin', active: true, password: body.password, last_sign_in: null };
  state.tables.accounts!.push(account);
  state.firstCode = null;
  return begin(call, account);
}

function mapCall({ state, method, path, query, body }: Call): Answer {
  if (!state.mapEnabled) throw new ApiFailure(403, 'map-disabled', 'The map is switched off.');
  const at = lsnOf(state, query.get('at'));
  switch (path[1]) {
    case undefined: return { ...ok(columns(state, at)), etag: `"${at}"` };
    case 'moments': return ok({ items: moments(state) });
    case 'difference': return ok(difference(state, lsnOf(state, query.get('from')), lsnOf(state, query.get('to'))));
    case 'what-if': {
      if (method !== 'POST') throw new ApiFailure(405, 'method', 'POST only.');
      const wanted = JSON.parse(body.toString()) as { nodes: number[]; links: number[]; at: string | null };
      return ok(whatIf(state, wanted, lsnOf(state, wanted.at)));
    }
    case 'nodes': case 'links': case 'institutions': return ok(details(state, path[1], Number(path[2])));
    default: throw new ApiFailure(404, 'not-found', 'There is no such page.');
  }
}

function signedIn(call: Call, session: Session): Answer {
  const { state, path, query } = call;
  const [first] = path;
  if (kinds.includes(first as Kind)) return recordCall(call, session, first as Kind);
  switch (first) {
    case 'choices': {
      const q = (query.get('q') ?? '').toLowerCase();
      const items = state.alive(path[1] as Kind).filter((rec) => `${rec.name} ${rec.id}`.toLowerCase().includes(q)).slice(0, 20)
        .map((rec) => ({ number: rec.number, id: rec.id, name: rec.name, path: rec.parent ? `${state.name(rec.parent)} ⇒ ${rec.name}` : rec.id }));
      return ok({ items });
    }
    case 'rule-types': return ok(ruleTypes);
    case 'activity': return ok({ items: state.log.toReversed().slice(0, 50) });
    case 'tasks': return ok({ next_poll: new Date(Date.now() + 3600000).toISOString(), running: [] });
    case 'events': return eventStream(call);
    case 'sessions':
      if (call.method === 'DELETE') {
        for (const [id, other] of state.sessions) if (other !== session && other.account === session.account) state.sessions.delete(id);
        return { status: 204 };
      }
      return ok(page([...state.sessions.values()].filter((one) => one.account === session.account || session.account.role === 'admin').map((one) => ({
        number: one.number, account: one.account.name, address: '127.0.0.1', created: new Date().toISOString(), current: one === session })), query));
    case 'imports': case 'plans': return work(call, String(session.account.name));
    default: return tableCall(call, session);
  }
}

function recordCall(call: Call, session: Session, kind: Kind): Answer {
  const { state, method, path, query, headers } = call;
  const actor = String(session.account.name);
  if (path[1] === undefined) {
    if (method === 'GET') return { ...ok(page(listed(state, kind, query) as Item[], query)), etag: `"${state.lsn}"` };
    return { status: 201, value: shown(state, stored(state, kind, jsonOf(call), null, actor)) };
  }
  const rec = state.find(kind, Number(path[1]));
  if (path[2] === 'falls') return ok(fallsAnswer(fallsWith(state, rec)));
  if (path[2] === 'history') {
    return ok({ items: state.log.filter((entry) => entry.record === rec.number || entry.lsn === rec.born).toReversed() });
  }
  if (path[2] === 'main') {
    for (const one of state.alive('topologies')) one.is_main = one === rec;
    state.commit(actor, 'edit', `${rec.name} is the main topology`, rec);
    return ok(shown(state, rec));
  }
  if (method === 'GET') return ok(shown(state, rec));
  if (method === 'DELETE') {
    removed(state, rec, actor);
    return { status: 204 };
  }
  if (headers['if-match'] && headers['if-match'] !== String(rec.etag)) throw new ApiFailure(412, 'moved', 'The record has changed.');
  return ok(shown(state, stored(state, kind, jsonOf(call), rec, actor)));
}

function eventStream({ state, response }: Call): Answer {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(': open\n\n');
  const stops = ['change', 'progress', 'poll'].map((name) => {
    const tell = (data: unknown) => { response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`); };
    state.events.on(name, tell);
    return () => state.events.off(name, tell);
  });
  response.on('close', () => stops.forEach((stop) => stop()));
  return { status: 0 };
}
