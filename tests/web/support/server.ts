// The node under test: the stand-in, or a real one at NETML_URL (its accounts must be those of the
// stand-in).
import { start, type Running } from '../fake_server/server.ts';
import { dist } from './browser.ts';

export interface Server {
  url: string;
  state: Running['state'] | null; // of the stand-in only
  close: () => Promise<void>;
}

export async function openServer(size = 0): Promise<Server> {
  const url = process.env.NETML_URL;
  if (url && size === 0) return { url: url.replace(/\/$/, ''), state: null, close: async () => undefined };
  return start(dist, 0, size);
}
