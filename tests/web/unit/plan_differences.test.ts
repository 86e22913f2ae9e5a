// What a plan that was made again changes, beside what it was to change at first.
import { expect, it } from 'vitest';
import { rowsOf } from '../../../admin/web/src/sections/plan_differences.tsx';

const named = (before: string | null, after: string | null) =>
  ({ name: 'Siena Est', action: 'updated' as const, fields: [{ field: 'name', before, after }] });

it('a field that was changed since has the values of then, of now and of the file', () => {
  expect(rowsOf(named('Siena', 'Siena Est'), named('Siena Ovest', 'Siena Est')))
    .toEqual([{ field: 'name', then: 'Siena', now: 'Siena Ovest', after: 'Siena Est' }]);
});

it('a field that needs no change any more is as the file says', () => {
  expect(rowsOf(named('Siena', 'Siena Est'), null)).toEqual([{ field: 'name', then: 'Siena', now: 'Siena Est', after: 'Siena Est' }]);
});

it('a field that needed none at first was as the file says', () => {
  expect(rowsOf(null, named('Siena Ovest', 'Siena Est')))
    .toEqual([{ field: 'name', then: 'Siena Est', now: 'Siena Ovest', after: 'Siena Est' }]);
});
