// What the map asks of the server. The page itself and maps embedded in foreign pages use it, so
// it knows nothing of sessions.
import type {
  Error as Refusal, MapColumns, MapDifference, MapElement, MapInstitution, MapLink, MapNode, PointsInTime, Simulation,
} from '../../generated/api.ts';
import { columnsOfJson, type Columns } from './columns.ts';
import { binaryMapType, columnsOfBinary } from './binary_columns.ts';

// What is known of one element: the last members by its kind.
export type Details = MapElement & Partial<MapNode & MapLink & MapInstitution>;

// A map that was asked for before there was a model.
export interface Ahead {
  at: string | null;
  map: Promise<Columns>;
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

export const unreachable = () => new MapError(0, 'unreachable', 'The server cannot be reached.');
export const namesMissing = () => new MapError(0, 'no-names', 'The names on the map have not come.');

const retriesMax = 3;

export class MapClient {
  private readonly base: string;
  private ahead: Ahead | null;

  constructor(endpoint: string, ahead: Ahead | null = null) {
    this.base = `${endpoint}api/v1/map`;
    this.ahead = ahead;
  }

  map = async (at: string | null): Promise<Columns> => {
    const { ahead } = this;
    this.ahead = null;
    if (ahead?.at === at) return ahead.map;
    const answer = await this.answered(at === null ? '' : `?at=${encodeURIComponent(at)}`, { headers: { Accept: `${binaryMapType}, application/json;q=0.9` } });
    const isBinary = answer.headers.get('Content-Type') === binaryMapType;
    return isBinary ? columnsOfBinary(answer.body!) : columnsOfJson((await answer.json()) as MapColumns);
  };

  details = (kind: 'nodes' | 'links' | 'institutions', number: number, at: string | null) =>
    this.get<Details>(`/${kind}/${number}${at === null ? '' : `?at=${encodeURIComponent(at)}`}`);

  points = async () => (await this.get<PointsInTime>('/points-in-time')).items;

  // The last one up to a point in time, which is named as people do; none: it is before them all.
  lastPoint = async (until: string) =>
    (await this.get<PointsInTime>(`/points-in-time?limit=2&to=${encodeURIComponent(until)}`)).items.at(-1) ?? null;

  difference = (from: number, to: number) => this.get<MapDifference>(`/difference?from=${from}&to=${to}`);

  // `topology`: what happens to this one and those below it; null: to everything.
  whatIf = (failed: { nodes: number[]; links: number[] }, topology: number | null, at: string | null) =>
    this.send<Simulation>('/what-if', { ...failed, topology, at });

  private get<T>(path: string): Promise<T> {
    return this.fetch<T>(path, { headers: { Accept: 'application/json' } });
  }

  private send<T>(path: string, body: object): Promise<T> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    return this.fetch<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async fetch<T>(path: string, options: RequestInit): Promise<T> {
    return (await this.answered(path, options)).json() as Promise<T>;
  }

  private async answered(path: string, options: RequestInit): Promise<Response> {
    let answer = await this.ask(path, options);
    for (let again = 0; answer.status === 503 && again < retriesMax; again++) { // busy with others
      const seconds = Number(answer.headers.get('Retry-After') ?? 2); // pages of other sites do not see it
      await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
      answer = await this.ask(path, options);
    }
    if (answer.ok) return answer;
    const value = (await answer.json().catch(() => null)) as Partial<Refusal> | null;
    throw new MapError(answer.status, value?.error?.code ?? 'unknown', value?.error?.message ?? `HTTP ${answer.status}`);
  }

  private ask(path: string, options: RequestInit): Promise<Response> {
    return fetch(this.base + path, options).catch(() => { throw unreachable(); });
  }
}
