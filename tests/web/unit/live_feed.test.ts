// What a page keeps of the stream of changes.
import { describe, expect, it } from 'vitest';
import { keptMost, noChanges, resetFeed, wantedOf, withChanges, type LiveChange } from '../../../admin/web/src/sections/live_feed.ts';

const change = (lsn: number, place: number, part: Partial<LiveChange> = {}): LiveChange => ({
  lsn, change: place, time: '2026-01-01T00:00:00Z', cause: 'edit', kind: 'Node', id: `urn:${lsn}:${place}`, record: place, action: 'updated', fields: [], ...part,
});
const placesOf = (changes: readonly LiveChange[]) => changes.map(({ lsn, change: place }) => `${lsn}.${place}`);

describe('the list of live changes', () => {
  it('has the newest first', () => {
    const feed = withChanges(withChanges(noChanges, [change(1, 1), change(1, 2)]), [change(2, 1)]);
    expect(placesOf(feed.changes)).toEqual(['2.1', '1.2', '1.1']);
  });

  it('has each once, where a transaction that was broken off is given again', () => {
    const feed = withChanges(withChanges(noChanges, [change(7, 1), change(7, 2)]), [change(7, 1), change(7, 2), change(7, 3)]);
    expect(placesOf(feed.changes)).toEqual(['7.3', '7.2', '7.1']);
    const batch = [change(7, 1), change(7, 2), change(7, 1), change(7, 2), change(7, 3)];
    expect(placesOf(withChanges(noChanges, batch).changes)).toEqual(['7.3', '7.2', '7.1']);
  });

  it('gives up the oldest, and knows it', () => {
    const many = Array.from({ length: keptMost }, (_, place) => change(1, place + 1));
    const full = withChanges(noChanges, many);
    expect([full.changes.length, full.isFull]).toEqual([keptMost, false]);
    const more = withChanges(full, [change(2, 1)]);
    expect([more.changes.length, more.isFull, more.changes[0]!.lsn, more.changes.at(-1)!.change]).toEqual([keptMost, true, 2, 2]);
    const atOnce = withChanges(noChanges, [...many, change(2, 1)]);
    expect(atOnce).toEqual(more);
    const oneByOne = [...many, change(2, 1)].reduce((feed, one) => withChanges(feed, [one]), noChanges);
    expect(oneByOne).toEqual(more);
  });

  it('begins anew with smaller numbers after a reset', () => {
    const feed = withChanges(resetFeed, [change(3, 1)]);
    expect([placesOf(feed.changes), feed.isReset]).toEqual([['3.1'], true]);
  });

  it('is filtered by kind and cause', () => {
    const { changes } = withChanges(noChanges, [change(1, 1), change(2, 1, { kind: 'Link' }), change(3, 1, { cause: 'import' })]);
    expect(placesOf(wantedOf(changes, { kind: 'Node' }))).toEqual(['3.1', '1.1']);
    expect(placesOf(wantedOf(changes, { kind: 'Node', cause: 'import' }))).toEqual(['3.1']);
    expect(placesOf(wantedOf(changes, { kind: '', cause: '' }))).toEqual(['3.1', '2.1', '1.1']);
  });
});
