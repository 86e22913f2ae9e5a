// What the server tells while it happens. One connection for the page, opened by the first who
// listens; components subscribe to an event by its name.
import type { Events as AnyOf } from '../../generated/api.ts';
import { apiBase } from './api.ts';

export type Events = Required<AnyOf>;
type Handler<K extends keyof Events> = (data: Events[K]) => void;

const comeBack = 15_000; // milliseconds: so long the server asks those to wait that are too many

const target = new EventTarget();
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let listeners = 0;

function forward(event: MessageEvent<string>): void {
  target.dispatchEvent(new MessageEvent(event.type, { data: event.data }));
}

// A browser opens a broken stream again by itself, but not one that was refused. Until the server
// takes one it counts as changed whenever it is asked.
function open(): void {
  const opened = new EventSource(`${apiBase}events`);
  source = opened;
  for (const name of ['change', 'progress', 'poll']) opened.addEventListener(name, forward);
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    timer = setTimeout(() => {
      target.dispatchEvent(new MessageEvent('change', { data: '{"lsn":0}' }));
      open();
    }, comeBack);
  });
}

export function listen<K extends keyof Events>(name: K, handler: Handler<K>): () => void {
  const receive = (event: Event) => handler(JSON.parse((event as MessageEvent<string>).data) as Events[K]);
  target.addEventListener(name, receive);
  if (listeners === 0) open();
  listeners += 1;
  return () => {
    target.removeEventListener(name, receive);
    listeners -= 1;
    if (listeners > 0) return;
    clearTimeout(timer);
    source?.close();
    source = null;
  };
}
