// The node under test: the stand-in, or the program itself where NETML_BINARY names it. What only
// the stand-in can do, as a map of any size, is tested with the stand-in always.
import { start, type Running } from '../fake_server/server.ts';
import { dist } from './browser.ts';
import { startNode } from './real_node.ts';

export interface Server {
  url: string;
  state: Running['state'] | null; // of the stand-in only
  close: () => Promise<void>;
}

export async function openServer(size = 0): Promise<Server> {
  const binary = process.env.NETML_BINARY;
  if (binary && size === 0) return { ...(await startNode(binary)), state: null };
  return start(dist, 0, size);
}
