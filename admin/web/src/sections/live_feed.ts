// The newest changes of the map as the stream gives them. No page here.
import type { Action, ChangeLine, Change } from '../../generated/api.ts';

export interface LiveChange {
  lsn: number;
  change: number; // which of its transaction
  time: string;
  cause: string;
  kind: string;
  id: string;
  record: number;
  action: Action;
  fields: Change['fields'];
}

export interface Feed {
  changes: readonly LiveChange[]; // the newest first, each once
  isFull: boolean; // older ones were given up
  isReset: boolean; // the history has become another one since
}

export const keptMost = 1000;
export const noChanges: Feed = { changes: [], isFull: false, isReset: false };
export const resetFeed: Feed = { ...noChanges, isReset: true };

export const changeOf = (line: Omit<ChangeLine, 'type'>): LiveChange => line as LiveChange; // a line of that type has all of it

const isAfter = (one: LiveChange, other: LiveChange | undefined) =>
  !other || one.lsn > other.lsn || (one.lsn === other.lsn && one.change > other.change);

// With what came, the oldest first. The stream is in order, so what is not behind the newest came before.
export function withChanges(feed: Feed, came: readonly LiveChange[]): Feed {
  const taken: LiveChange[] = [];
  for (const change of came) if (isAfter(change, taken.at(-1) ?? feed.changes[0])) taken.push(change);
  const all = [...taken.reverse(), ...feed.changes];
  return { ...feed, changes: all.slice(0, keptMost), isFull: feed.isFull || all.length > keptMost };
}

export interface Wanted {
  kind?: string;
  cause?: string;
}

export const wantedOf = (changes: readonly LiveChange[], { kind, cause }: Wanted): LiveChange[] =>
  changes.filter((change) => (!kind || change.kind === kind) && (!cause || change.cause === cause));
