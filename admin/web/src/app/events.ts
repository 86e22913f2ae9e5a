// What the server tells while it happens. One connection for the page, opened by the first who
// listens; components subscribe to an event by its name.
import { apiBase } from './api.ts';

export interface Events {
  change: { lsn: number };
  progress: { import: number | string; step: string; done: number; total: number };
  poll: { number: number };
}
type Handler<K extends keyof Events> = (data: Events[K]) => void;

let source: EventSource | null = null;
let listeners = 0;

export function listen<K extends keyof Events>(name: K, handler: Handler<K>): () => void {
  source ??= new EventSource(`${apiBase}events`);
  const opened = source;
  const receive = (event: MessageEvent<string>) => handler(JSON.parse(event.data) as Events[K]);
  opened.addEventListener(name, receive);
  listeners += 1;
  return () => {
    opened.removeEventListener(name, receive);
    listeners -= 1;
    if (listeners > 0) return;
    opened.close();
    source = null;
  };
}
