// The program itself with the data and accounts of the stand-in, in a folder of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { years } from '../fake_server/example.ts';
import { password } from './browser.ts';
import { exampleFile } from './example_file.ts';

const decisions = [{ name: 'Decisions', priority: -1, rules: [{ name: 'Roma is one node', priority: 10,
  match_criteria: [{ match_type: 'Match Nodes by ID', matchinfo_set: [{ key: 'ID', value: 'urn:example:node:roma' }] }],
  actions: [{ action_type: 'Keep Newest Node', actioninfo_set: [] }] }] }];

export async function startNode(binary: string): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'netml-web-'));
  const data = ['--data', join(folder, 'data')];
  const run = (words: string[], input = '') => execFileSync(binary, [...words, ...data], { input, stdio: ['pipe', 'pipe', 'pipe'] });
  for (const year of years) {
    const file = join(folder, `example_${year}.xml`);
    writeFileSync(file, exampleFile(year));
    run(['import', file, '--date', `${year}-06-01T08:00:00Z`]);
  }
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify(decisions));
  run(['rules', 'import', rules]);
  for (const role of ['admin', 'editor', 'viewer']) run(['user', 'create', role, '--role', role, '--password-stdin'], `${password}\n`);
  run(['source', 'add', 'Neighbour', '--host', 'map.neighbour.example']);
  run(['publish', 'First edition', '--description', 'As of the meeting']);

  const server = spawn(binary, ['serve', '--listen', '127.0.0.1:0', ...data], { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const listen = (part: Buffer) => {
      said += part.toString();
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
      if (found) resolve(found[1]!);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.on('exit', (code) => reject(new Error(`netml ended with ${code}: ${said.slice(-2000)}`)));
  });
  const close = () => new Promise<void>((resolve, reject) => {
    const end = () => rmSync(folder, { recursive: true, force: true });
    server.removeAllListeners('exit');
    if (server.exitCode !== null || server.signalCode !== null) {
      end();
      reject(new Error(`netml ended by itself: ${server.signalCode ?? server.exitCode}`));
      return;
    }
    server.on('exit', () => {
      end();
      resolve();
    });
    server.kill('SIGTERM');
  });
  return { url, close };
}
