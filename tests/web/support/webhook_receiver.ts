// Who hears of changes: checks each message as anybody would, with the library of Standard Webhooks, and notes it durably before
// it says that it took it. Run as a process of its own, so that it can be killed: node webhook_receiver.ts HOST PORT SECRET FILE
import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface Message {
  id: string;
  type: string;
  data: { lsn?: number; head?: string; after?: string };
}

const [host, port, secret, file] = process.argv.slice(2) as [string, string, string, string];
const webhook = new Webhook(secret);

function note(line: string): void {
  const descriptor = openSync(file, 'a');
  appendFileSync(descriptor, line);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    try {
      const { type, data } = webhook.verify(Buffer.concat(pieces).toString(), request.headers as Record<string, string>) as Message;
      note(`${JSON.stringify({ id: String(request.headers['webhook-id']), type, data } satisfies Message)}\n`);
      response.writeHead(204).end();
    } catch (error) {
      note(`${JSON.stringify({ id: 'refused', type: String(error), data: {} } satisfies Message)}\n`);
      response.writeHead(400).end();
    }
  });
}).listen(Number(port), host, () => console.log('listening'));
