// The stream of changes of the map (docs/following.md). When it breaks it goes on from where it stood, so
// nothing is missed; of a transaction that was broken off changes come once more.
import type { ChangeLine } from '../../generated/api.ts';
import { apiBase, loadSession, query } from './api.ts';

export type StreamState = 'connecting' | 'connected' | 'lost';

export interface Follower {
  state: (state: StreamState) => void;
  take: (type: ChangeLine['type'], line: Omit<ChangeLine, 'type'>) => void;
}

const types = ['stream', 'reset', 'change', 'transaction', 'error'] as const; // each but its comments
const comeBack = 15_000; // milliseconds: so long the server asks those to wait that are too many

export class ChangeStream {
  private place: string | null; // where it goes on
  private readonly follower: Follower;
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  // `place`: behind which changes are given; null: from now on.
  constructor(follower: Follower, place: string | null = null) {
    this.follower = follower;
    this.place = place;
  }

  // Once more after stop(): from where it stood.
  start(): void {
    const source = new EventSource(`${apiBase}changes${query({ after: this.place })}`);
    this.source = source;
    this.follower.state('connecting');
    source.addEventListener('open', () => this.follower.state('connected'));
    for (const type of types) {
      source.addEventListener(type, (event) => {
        if (event instanceof MessageEvent) this.receive(type, event as MessageEvent<string>);
        else this.onBroken(source);
      });
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private receive(type: ChangeLine['type'], { data, lastEventId }: MessageEvent<string>): void {
    if (lastEventId) this.place = lastEventId;
    this.follower.take(type, JSON.parse(data) as Omit<ChangeLine, 'type'>);
  }

  // A browser opens a broken stream again by itself, with the place, but not one that was refused; that may
  // be because the session is over.
  private onBroken(source: EventSource): void {
    this.follower.state('lost');
    if (source.readyState !== EventSource.CLOSED || source !== this.source) return;
    void loadSession().catch(() => undefined);
    this.timer = setTimeout(() => this.start(), comeBack);
  }
}
