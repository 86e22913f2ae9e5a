// A line over time: where its points lie.
import { expect, it } from 'vitest';
import { lineOf } from '../../../admin/web/src/ui/line_chart.tsx';

const at = (day: number, value: number) => ({ time: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`, value });

it('points lie as far apart as their times, large values on top', () => {
  expect(lineOf([at(1, 0), at(2, 100), at(5, 50)], [0, 100])).toBe('0.0,120.0 150.0,0.0 600.0,60.0');
});

it('one point is a place, not a fault', () => {
  expect(lineOf([at(1, 100)], [0, 100])).toBe('0.0,0.0');
});
