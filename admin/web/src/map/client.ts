// What the map asks of the server. The page itself and maps embedded in foreign pages use it, so
// it knows nothing of sessions.
import type { Columns, Gone } from './network.ts';
import type { Changes } from './styles.ts';

export interface Details {
  number: number;
  id: string;
  name: string;
  short_name?: string;
  description?: string | null;
  tags: string[];
  throughput?: string | null;
  owners?: Named[];
  connected_owners?: Named[];
  ends?: Named[];
  nodes?: Named[];
  url?: string | null;
}
export interface Named {
  number: number;
  name: string;
}
export interface PointInTime {
  lsn: number;
  time: string;
  text: string;
  added: { nodes: number; links: number };
  removed: { nodes: number; links: number };
  changed: number;
}
export interface Difference extends Changes {
  gone: Gone;
}
export interface SinglePath {
  nodes: number[];
  links: number[];
}
export interface WhatIf {
  simulated: true;
  components_before: number;
  components_after: number;
  cut_off: { nodes: number[]; institutions: number[] };
  single_path: SinglePath;
  newly_single_path: SinglePath;
}

export class MapError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const retriesMax = 3;

export class MapClient {
  private readonly base: string;

  constructor(endpoint: string) {
    this.base = `${endpoint}api/v1/map`;
  }

  map = (at: string | null) => this.get<Columns>(at === null ? '' : `?at=${encodeURIComponent(at)}`);

  details = (kind: 'nodes' | 'links' | 'institutions', number: number, at: string | null) =>
    this.get<Details>(`/${kind}/${number}${at === null ? '' : `?at=${encodeURIComponent(at)}`}`);

  points = async () => (await this.get<{ items: PointInTime[] }>('/points-in-time')).items;

  // The last one up to a point in time, which is named as people do; none: it is before them all.
  lastPoint = async (until: string) =>
    (await this.get<{ items: PointInTime[] }>(`/points-in-time?limit=2&to=${encodeURIComponent(until)}`)).items.at(-1) ?? null;

  difference = (from: number, to: number) => this.get<Difference>(`/difference?from=${from}&to=${to}`);

  // `topology`: what happens to this one and those below it; null: to everything.
  whatIf = (failed: { nodes: number[]; links: number[] }, topology: number | null, at: string | null) =>
    this.send<WhatIf>('/what-if', { ...failed, topology, at });

  private get<T>(path: string): Promise<T> {
    return this.fetch<T>(path, { headers: { Accept: 'application/json' } });
  }

  private send<T>(path: string, body: object): Promise<T> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    return this.fetch<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async fetch<T>(path: string, options: RequestInit): Promise<T> {
    let answer = await this.ask(path, options);
    for (let again = 0; answer.status === 503 && again < retriesMax; again++) { // busy with others
      const seconds = Number(answer.headers.get('Retry-After') ?? 2); // pages of other sites do not see it
      await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
      answer = await this.ask(path, options);
    }
    const value = (await answer.json().catch(() => null)) as T & { error?: { code?: string; message?: string } };
    if (answer.ok) return value;
    throw new MapError(answer.status, value?.error?.code ?? 'unknown', value?.error?.message ?? `HTTP ${answer.status}`);
  }

  private ask(path: string, options: RequestInit): Promise<Response> {
    return fetch(this.base + path, options).catch(() => {
      throw new MapError(0, 'unreachable', 'The server cannot be reached.');
    });
  }
}
