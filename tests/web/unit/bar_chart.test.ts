// Bars of counts: how high their parts are.
import { expect, it } from 'vitest';
import { countOf, heightsOf, type Bar } from '../../../admin/web/src/ui/bar_chart.tsx';

const bar = (...values: number[]): Bar =>
  ({ label: 'day', parts: values.map((value) => ({ kind: 'good', label: 'Complete', value, href: '/' })) });

it('the highest bar takes all the room, others their share', () => {
  expect(heightsOf([bar(30, 10), bar(20)])).toEqual([[75, 25], [50]]);
});

it('what is rare is seen, and no bar leaves the room for that', () => {
  const [heights] = heightsOf([bar(1000, 1)]);
  expect(heights![1]).toBeGreaterThan(2.5);
  expect(heights![0]! + heights![1]!).toBeCloseTo(100);
});

it('days of nothing are no bars', () => {
  expect(heightsOf([bar(), bar()])).toEqual([[], []]);
});

it('the table adds up what is called the same, which no one link leads to', () => {
  const day: Bar = { label: 'day', parts: [
    { kind: 'good', label: 'Complete', value: 7, href: '/good' },
    { kind: 'bad', label: 'Peer cannot export', value: 2, href: '/a' },
    { kind: 'bad', label: 'Peer cannot export', value: 3, href: '/b' },
  ] };
  expect(countOf(day, 'Peer cannot export')).toEqual({ value: 5, href: null });
  expect(countOf(day, 'Complete')).toEqual({ value: 7, href: '/good' });
  expect(countOf(day, 'Time-out')).toEqual({ value: 0, href: null });
});
