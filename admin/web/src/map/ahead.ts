// The map that the page at / will show is asked for while the code of that page is still on its way.
import { MapClient, type Ahead } from './client.ts';

let ahead: Ahead | null = null;

export function askAhead(search: string): void {
  const at = new URLSearchParams(search).get('at');
  const map = new MapClient('/').map(at);
  map.catch(() => undefined); // the page says what is wrong
  ahead = { at, map };
}

// Once: later ones are asked for anew.
export function takeAhead(): Ahead | null {
  const taken = ahead;
  ahead = null;
  return taken;
}
