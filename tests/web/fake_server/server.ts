// A stand-in for a node: it implements /api/v1/ in memory and serves the built pages with the same
// headers, so that the pages can be built and tested without the program.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answer, type Call } from './api.ts';
import { ApiFailure, State } from './state.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png',
};
export const pageHeaders = {
  'Content-Security-Policy': "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
};

export interface Running {
  url: string;
  state: State;
  close: () => Promise<void>;
}

export function start(dist: string, port = 0, size = 0): Promise<Running> {
  const state = new State(size);
  const server: Server = createServer((request, response) => {
    handle(state, dist, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' });
      response.end(String(error));
    });
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    const bound = typeof address === 'object' && address ? address.port : port;
    resolve({ url: `http://127.0.0.1:${bound}`, state, close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    }) });
  }));
}

async function handle(state: State, dist: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname.startsWith('/api/v1/')) return handleApi(state, url, request, response);
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  const isPage = url.pathname === '/' || url.pathname.startsWith('/admin/');
  const file = normalize(join(dist, isPage ? 'index.html' : url.pathname));
  if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
    return;
  }
  response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
  response.setHeader('Cache-Control', isPage ? 'no-store' : 'public, max-age=31536000, immutable');
  if (/gzip/.test(request.headers['accept-encoding'] ?? '') && /\.(js|css|json|html|svg)$/.test(file)) {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(readFileSync(file), { level: 9 }));
    return;
  }
  createReadStream(file).pipe(response);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function handleApi(state: State, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call: Call = {
    state, method: request.method ?? 'GET', path: url.pathname.slice('/api/v1/'.length).split('/').filter(Boolean).map(decodeURIComponent),
    query: url.searchParams, body: await bodyOf(request), headers: request.headers, response,
  };
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const origin = request.headers.origin;
  if (call.path[0] === 'map' && origin && new URL(origin).host !== request.headers.host) {
    const allowed = state.tables.origins!.some((one) => one.active && one.origin === origin);
    if (!allowed) {
      send(response, 401, { error: { code: 'foreign-origin', message: 'This origin is not allowed.' } });
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Headers', 'content-type');
    response.setHeader('Vary', 'Origin');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
  }
  try {
    const { status, value, etag } = answer(call);
    if (status === 0) return; // the answer goes on, as events do
    if (etag) response.setHeader('ETag', etag);
    send(response, status, value, /gzip/.test(request.headers['accept-encoding'] ?? ''));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    send(response, error.status, error.body);
  }
}

function send(response: ServerResponse, status: number, value: unknown, mayPack = false): void {
  if (value === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = Buffer.from(JSON.stringify(value));
  response.setHeader('Content-Type', 'application/json');
  if (mayPack && text.length > 20000) {
    response.setHeader('Content-Encoding', 'gzip');
    response.writeHead(status).end(gzipSync(text, { level: 1 }));
  } else response.writeHead(status).end(text);
}
