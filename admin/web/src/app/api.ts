// Requests to /api/v1/. Answers are values or an ApiError; what needs the password again asks for
// it and repeats the request once.
import { signal } from '@preact/signals';
import type { Error as Refusal, InputError, List, Role, Session } from '../../generated/api.ts';
import { t, type Text, translated } from '../i18n/index.ts';

export type Page<T> = List & { items: T[] };

export const apiBase = '/api/v1/';
export const session = signal<Session | null>(null);

// Counts what this page has changed on the server, for those who show what may follow from it.
export const written = signal(0);

// Set by the page frame: shows the dialog, answers whether the password was confirmed.
export const confirmation: { ask: () => Promise<boolean> } = { ask: () => Promise.resolve(false) };

// The transaction that the newest change of this page became, once; null: nothing that can be undone.
let transaction: number | null = null;
export function takeTransaction(): number | null {
  const taken = transaction;
  transaction = null;
  return taken;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly places: InputError[]; // of a file that was refused

  constructor(status: number, body: unknown) {
    const error: Partial<Refusal['error']> = (body as Partial<Refusal> | null)?.error ?? {};
    super(error.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.fields = error.field === undefined ? {} : { [error.field]: this.message };
    this.places = (error.errors ?? []).slice(0, 5);
  }

  // What to show: in the reader's language where the code is known.
  get text(): string {
    const known = messagesByCode[this.code];
    const places = this.places.map(({ line, message }) =>
      (line === undefined ? message : t('line {line}: {message}', { line, message })));
    return [known ? translated(known) : this.message, ...places].join('\n');
  }
}

// What to tell of anything that went wrong, in the language of the user where it is known.
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.text;
  return error instanceof Error ? error.message : String(error);
}

const messagesByCode: Record<string, Text> = {
  'wrong-credentials': 'The name or the password is wrong.',
  'too-many-attempts': 'Too many attempts. Please wait a moment.',
  'wrong-password': 'The password is wrong.',
  'wrong-code': 'This code does not match, or it has expired. The server wrote it to its terminal or log.',
  'map-disabled': 'The map is switched off.',
  'not-allowed': 'Your role does not allow this.',
  'moved': 'Somebody else has changed this record. Load it again to see the new values.',
  'unreachable': 'The server cannot be reached.',
  'preview-moved': 'The map has changed since the preview. This is what would happen now.',
  'nothing-undone': 'Nothing was undone: all that is left of it has been changed since.',
};

type Body = FormData | object | undefined;

export async function request<T>(method: string, path: string, body?: Body, etag?: string, stop?: AbortSignal) {
  try {
    return await requestOnce<T>(method, path, body, etag, stop);
  } catch (error) {
    const mayRetry = error instanceof ApiError && error.code === 'confirm-password';
    if (!mayRetry || !(await confirmation.ask())) throw error;
    return requestOnce<T>(method, path, body, etag, stop);
  }
}

async function requestOnce<T>(method: string, path: string, body: Body, etag?: string, stop?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET' && session.value?.csrf) headers['X-Netml-Csrf'] = session.value.csrf;
  if (etag) headers['If-Match'] = `"${etag}"`;
  const isForm = body instanceof FormData;
  if (body && !isForm) headers['Content-Type'] = 'application/json';
  const sent = isForm ? body : body && JSON.stringify(body);
  const options: RequestInit = { method, headers };
  if (sent !== undefined) options.body = sent;
  if (stop) options.signal = stop;
  const answer = await fetch(apiBase + path, options).catch(unreachable);
  const value = await read<T>(answer);
  if (method !== 'GET') {
    written.value += 1;
    transaction = Number(answer.headers.get('X-NetML-LSN')) || null;
  }
  return value;
}

function unreachable(): never {
  throw new ApiError(0, { error: { code: 'unreachable', message: 'unreachable' } });
}

// With the tag of what it was read from, so that several answers can be compared.
export async function getTagged<T>(path: string): Promise<{ value: T; tag: string | null }> {
  const answer = await fetch(apiBase + path, { headers: { Accept: 'application/json' } }).catch(unreachable);
  return { value: await read<T>(answer), tag: answer.headers.get('ETag') };
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const value: unknown = isJson && text ? JSON.parse(text) : text;
  if (answer.ok) return value as T;
  const error = new ApiError(answer.status, value);
  const signedOut = answer.status === 401 && error.code !== 'wrong-credentials';
  if (signedOut && session.value?.signed_in) session.value = { signed_in: false, csrf: null, settings: session.value.settings };
  throw error;
}

// An answer of one JSON document a line, each given to `take` as it comes. `body` is sent as it is.
export async function documents<T>(path: string, body: string, take: (line: T) => void, stop: AbortSignal): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'X-Netml-Csrf': session.value?.csrf ?? '' };
  const answer = await fetch(apiBase + path, { method: 'POST', headers, body, signal: stop });
  if (!answer.ok || !answer.body) return void await read(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as T);
  }
  if (rest) throw new ApiError(0, { error: { code: 'unreachable', message: 'unreachable' } });
}

export const get = <T>(path: string) => request<T>('GET', path);
export const post = <T>(path: string, body: Body = {}, etag?: string, stop?: AbortSignal) =>
  request<T>('POST', path, body, etag, stop);
export const put = <T>(path: string, body: object, etag?: string) =>
  request<T>('PUT', path, body, etag);
export const remove = (path: string) => request<unknown>('DELETE', path);

export async function loadSession(): Promise<void> {
  session.value = await get<Session>('session');
}

// An upload that tells how far it is, from 0 to 1; fetch cannot.
export function upload<T>(path: string, form: FormData, progress: (part: number) => void) {
  return new Promise<T>((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', apiBase + path);
    call.setRequestHeader('Accept', 'application/json');
    call.setRequestHeader('X-Netml-Csrf', session.value?.csrf ?? '');
    call.upload.onprogress = (event) => progress(event.loaded / Math.max(1, event.total));
    call.onerror = () => reject(new ApiError(0, { error: { code: 'unreachable' } }));
    call.onload = () => {
      const value: unknown = call.responseText ? JSON.parse(call.responseText) : null;
      if (call.status < 300) resolve(value as T);
      else reject(new ApiError(call.status, value));
    };
    call.send(form);
  });
}

export function query(values: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined
    && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : '';
}

// The path may have a query already.
export const withQuery = (path: string, text: string): string => path + (path.includes('?') ? text.replace('?', '&') : text);

const rank: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

// Whether the account that is signed in has at least that role. The server decides; this only
// keeps buttons away that would not work.
export const mayAs = (role: Role): boolean =>
  rank[session.value?.account?.role ?? 'viewer'] >= rank[role] && !session.value?.read_only;
