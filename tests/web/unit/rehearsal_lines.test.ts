// What the page makes of the lines of a rehearsal, as they come.
import { expect, it } from 'vitest';
import type { RehearsalLine } from '../../../admin/web/generated/api.ts';
import { afterLine, nothingYet } from '../../../admin/web/src/sections/rehearsal_lines.ts';

const same = { created: 0, updated: 0, deleted: 0, examples: [] };
const head: RehearsalLine = { ...same, from: 3, to: 9, created_rulesets: ['A'], invalid_rulesets: [], unhealthy_rules: [] };
const imported = (lsn: number, deleted: number): RehearsalLine => ({
  import: { ...same, deleted, lsn, time: '2024-03-01T00:00:00Z', number: lsn, name: 'a.xml', outcome: 'planned', reason: null },
});
const after = (...lines: RehearsalLine[]) => lines.reduce(afterLine, nothingYet);

it('shows how far it is, and the imports that differ', () => {
  const state = after(head, imported(4, 0), imported(5, 2));
  expect(state.done).toBe(2);
  expect(state.imports.map(({ lsn }) => lsn)).toEqual([5]);
  expect(after(head, { progress: { done: 4, total: 6 } }).done).toBe(4);
});

it('counts the imports that it has no room for', () => {
  const state = after(head, ...Array.from({ length: 203 }, (_, index) => imported(index + 4, 1)));
  expect(state.imports).toHaveLength(200);
  expect(state.left).toBe(3);
});

it('tells what ended it', () => {
  expect(after(head, { error: { code: 'unavailable', message: 'too little memory' } }).problem).toBe('too little memory');
});
