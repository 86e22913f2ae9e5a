// Whether redundancy policies watch an element of a list.
import { expect, it } from 'vitest';
import type { RedundancyState } from '../../../admin/web/generated/api.ts';
import { watchesOf, watchText } from '../../../admin/web/src/sections/watched.tsx';

const state = (number: number, name: string, below: number[], met: number[], omitted = 0): RedundancyState => ({
  number, name, targets: 1, checked: 2, met: met.length, below: below.length, undecided: 0, not_found: [],
  elements: { kind: 'nodes', below, met, undecided: [], omitted },
});

it('the worst counts, with the policies that it is of', () => {
  const watches = watchesOf([state(1, 'Two ways', [7], [8]), state(2, 'One way', [], [7, 8])], 'nodes').of;
  expect(watches.get(7)).toEqual({ state: 'below', policies: [{ number: 1, name: 'Two ways' }] });
  expect(watches.get(8)).toEqual({ state: 'met', policies: [{ number: 1, name: 'Two ways' }, { number: 2, name: 'One way' }] });
  expect(watches.get(9)).toBeUndefined();
});

it('policies about other kinds say nothing', () => {
  expect(watchesOf([state(1, 'Two ways', [7], [])], 'institutions')).toEqual({ of: new Map(), isWhole: true });
});

it('what an answer has no room for is not known', () => {
  const watched = watchesOf([state(1, 'Two ways', [7], [], 3)], 'nodes');
  expect(watchText(watched, 7)).toBe('Below policy: Two ways');
  expect(watchText(watched, 8)).toBe('Not known');
  expect(watchText(watchesOf([state(1, 'Two ways', [7], [])], 'nodes'), 8)).toBe('');
});
