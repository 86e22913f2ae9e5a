// The program under test, each time with data of its own in a folder of its own.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { years } from './example.ts';
import { exampleFile } from './example_file.ts';

const root = resolve(import.meta.dirname, '../../..');
export const binary = process.env.NETML_BINARY ?? join(root, 'build/debug/netml');
export const password = 'correct horse battery';
export type Role = 'admin' | 'editor' | 'viewer';

const decisions = [{ name: 'Decisions', priority: -1, rules: [{ name: 'Roma is one node', priority: 10,
  match_criteria: [{ match_type: 'Match Nodes by ID', matchinfo_set: [{ key: 'ID', value: 'urn:example:node:roma' }] }],
  actions: [{ action_type: 'Keep Newest Node', actioninfo_set: [] }] }] }];

const policy = { name: 'Two ways to Rome', who: { kind: 'institution' }, to: { kind: 'node', ids: ['urn:example:node:roma'] }, routes: 2 };

const publicView = { steps: [{ drop: { id: 'urn:example:node:roma' } }, { round: { degrees: 0.5 } }] };

// The data of one node, on which commands are run while nobody serves it.
export class Data {
  readonly folder = mkdtempSync(join(tmpdir(), 'netml-web-'));

  run(words: string[], input = ''): string {
    const maxBuffer = 256 << 20; // the changes of a long history
    return execFileSync(binary, [...words, '--data', join(this.folder, 'data')], { input, maxBuffer, encoding: 'utf8', stdio: 'pipe' });
  }

  import(name: string, text: string, ...options: string[]): void {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    this.run(['import', file, ...options]);
  }

  addAccounts(): void {
    for (const role of ['admin', 'editor', 'viewer']) this.run(['user', 'create', role, '--role', role, '--password-stdin'], `${password}\n`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// The example: an import for each year, a ruleset, a redundancy policy, three accounts, a source, a publication.
export function exampleData(): Data {
  const data = new Data();
  for (const year of years) data.import(`example_${year}.xml`, exampleFile(year), '--root', '--date', `${year}-06-01T08:00:00Z`);
  const rules = join(data.folder, 'rules.json');
  writeFileSync(rules, JSON.stringify(decisions));
  data.run(['rules', 'import', rules]);
  data.run(['policy', 'add', '-'], JSON.stringify(policy));
  data.run(['view', 'create', 'Public', '-'], JSON.stringify(publicView));
  data.addAccounts();
  data.run(['source', 'add', 'Neighbour', '--host', 'map.neighbour.example', '--inactive']);
  data.run(['publish', 'First edition', '--description', 'As of the meeting']);
  return data;
}

export function copyOf(folder: string): Data {
  const data = new Data();
  cpSync(folder, data.folder, { recursive: true });
  return data;
}

export interface Node {
  url: string;
  said: () => string; // all that it has printed
  close: () => Promise<void>; // fails when the program had ended by itself
}

export async function serve(data: Data, ...options: string[]): Promise<Node> {
  const server = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--data', join(data.folder, 'data'), ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (part: Buffer) => {
      said += part.toString();
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
      if (found) resolve(found[1]!);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.on('exit', (code) => reject(new Error(`netml ended with ${code}: ${said.slice(-2000)}`)));
  });
  const ended = new Promise<string>((resolve) => server.on('exit', (code, signal) => resolve(String(signal ?? code))));
  const close = async () => {
    const alive = server.exitCode === null && server.signalCode === null;
    if (alive) server.kill('SIGTERM');
    const how = await ended;
    data.remove();
    if (!alive) throw new Error(`netml ended by itself (${how}): ${said.slice(-2000)}`);
  };
  return { url, said: () => said, close };
}
