// How wide links are drawn.
import { describe, expect, it } from 'vitest';
import { capacityClasses, capacityClassesOf, capacityClassOf } from '../../../admin/web/src/map/capacity.ts';

describe('the capacity of a link', () => {
  it('has a class, which is wider the faster it is', () => {
    expect([NaN, 1, 999e6, 1e9, 9e9, 1e10, 1e11, 4e11, 1e12].map(capacityClassOf)).toEqual([0, 1, 1, 2, 2, 3, 4, 5, 5]);
    expect([...capacityClassesOf(Float64Array.of(1e10, NaN, 1e10, 5e8))]).toEqual([3, 0, 3, 1]);
    const widths = capacityClasses.map(({ width }) => width);
    expect(widths).toEqual([...widths].sort((a, b) => a - b));
  });
});
