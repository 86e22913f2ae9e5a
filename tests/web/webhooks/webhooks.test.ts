// Goal: whoever hears of changes by a webhook misses nothing, however often either side is killed; repeats have the id of the first. The
// messages are checked by the library of Standard Webhooks for Node, on a real connection (support/webhook_receiver.ts).
// NETML_WEBHOOK_ROUNDS says how often they are killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleFile } from '../support/example_file.ts';
import { binary, Data } from '../support/node.ts';
import type { Message } from '../support/webhook_receiver.ts';

const rounds = Number(process.env.NETML_WEBHOOK_ROUNDS ?? 6);
const receiverFile = resolve(import.meta.dirname, '../support/webhook_receiver.ts');

// Not the node's address: while the receiver is down a node that starts would take any free port there, also this one.
const receiverHost = '127.0.0.2';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, receiverHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function started(program: string, words: string[], sign: string): Promise<ChildProcess> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((listening, failed) => {
    let said = '';
    const listen = (piece: Buffer) => { said += piece.toString(); if (said.includes(sign)) listening(); };
    child.stdout!.on('data', listen);
    child.stderr!.on('data', listen);
    child.on('exit', (code) => failed(new Error(`${program} ended with ${code}: ${said}`)));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

let data: Data;
let node: ChildProcess;
let receiver: ChildProcess;
let secret: string;
let port: number;

const startNode = async () => {
  node = await started(binary, ['serve', '--listen', '127.0.0.1:0', '--poll-allow', '127.0.0.0/8', '--data', join(data.folder, 'data')],
    'listening on');
};
const noted = () => join(data.folder, 'noted');
const startReceiver = async () => {
  receiver = await started(process.execPath, [receiverFile, receiverHost, String(port), secret, noted()], 'listening');
};

const messages = (): Message[] => (existsSync(noted()) ? readFileSync(noted(), 'utf8').split('\n') : [])
  .filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Message);

function rename(name: string): void {
  const { items } = JSON.parse(data.run(['api', 'topologies'])) as { items: { number: number }[] };
  const path = `topologies/${items[0]!.number}`;
  const item = JSON.parse(data.run(['api', path])) as object;
  data.run(['api', 'PUT', path, '--body', JSON.stringify({ ...item, name })]);
}

const head = () => (JSON.parse(data.run(['status', '--json'])) as { head: string }).head;
interface Place { name: string; place: string | null }
const place = () => (JSON.parse(data.run(['webhook', 'list', '--json'])) as { items: Place[] }).items[0]!.place;

// The LSNs of the transactions that changed the map, as the stream of changes has them.
function changed(after: string): number[] {
  return data.run(['watch', '--after', after, '--once', '--json']).split('\n').filter((line) => line.includes('"type":"transaction"'))
    .map((line) => JSON.parse(line) as { lsn: number; created: number; updated: number; deleted: number })
    .filter(({ created, updated, deleted }) => created + updated + deleted > 0).map(({ lsn }) => lsn);
}

beforeEach(async () => {
  data = new Data();
  data.import('map.xml', exampleFile(2012), '--root');
  port = await freePort();
  secret = data.run(['webhook', 'add', 'desk', `http://${receiverHost}:${port}/netml`, '--plain-http']).trim();
  await startReceiver();
  await startNode();
});

afterEach(async () => {
  await kill(receiver);
  await kill(node);
  data.remove();
});

it('tells each change in order, signed as the library expects', async () => {
  await expect.poll(() => messages().map(({ type }) => type)).toEqual(['reset']);
  const begin = messages()[0]!.data.after!;
  for (const name of ['one', 'two', 'three']) rename(name);
  await expect.poll(() => messages().map(({ data: { lsn } }) => lsn)).toEqual([undefined, ...changed(begin)]);
  expect(data.run(['webhook', 'test', 'desk'])).toContain('taken');
  expect(messages().at(-1)!.type).toBe('test');
});

it(`misses nothing in ${rounds} rounds of kills of either side`, async () => {
  await expect.poll(() => messages().length).toBeGreaterThan(0);
  const begin = messages()[0]!.data.after!;
  for (let round = 0; round < rounds; ++round) {
    rename(`before ${round}`);
    if (round % 3 !== 0) await kill(receiver);
    rename(`during ${round}`);
    if (round % 3 !== 1) {
      await kill(node);
      rename(`alone ${round}`); // the command opens the data itself
      await startNode();
    }
    if (round % 3 !== 0) await startReceiver();
    data.run(['webhook', 'resume', 'desk']); // not to wait for the pause after a failure
  }
  rename('last');
  await expect.poll(place).toBe(head());
  const all = messages();
  expect(all.filter(({ id }) => id === 'refused')).toEqual([]);
  expect(all.filter(({ type }) => type === 'reset').every(({ data: { after } }) => after === begin)).toBe(true);
  const changes = all.filter(({ type }) => type === 'transaction');
  const first = new Map<string, number>();
  for (const { id, data: { lsn } } of changes) if (!first.has(id)) first.set(id, lsn!);
  expect([...first.values()]).toEqual(changed(begin)); // all of them, each under one id, in order
  for (const { id, data: { lsn } } of changes) expect(first.get(id)).toBe(lsn);
}, 60_000 + rounds * 20_000);
