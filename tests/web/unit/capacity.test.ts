// What people write about the capacity of a link.
import { describe, expect, it } from 'vitest';
import { capacityClasses, capacityClassesOf, capacityClassOf, capacityOf } from '../../../admin/web/src/map/capacity.ts';

describe('the capacity of a link', () => {
  it.each([
    ['10G', 1e10], ['10 G', 1e10], ['10Gb/s', 1e10], ['10 Gbit/s', 1e10], ['10 Gbps', 1e10], ['10 gigabit per second', 1e10],
    ['100GE', 1e11], ['100GbE', 1e11], ['2.5 Gbit/s', 2.5e9], ['2,5 Gbit/s', 2.5e9], ['155M', 1.55e8], ['155 Mbps', 1.55e8],
    ['64 kbit/s', 64_000], ['64k', 64_000], ['1.2 Tbit/s', 1.2e12], ['9600 bit/s', 9600], ['9600 bps', 9600], ['64000 bit/s', 64_000],
    ['1e10', 1e10], ['10000000000', 1e10], ['40', 4e10], ['0.155', 1.55e8], [' 1 Gbit/s ', 1e9],
  ])('%j is %d bits per second', (text, bits) => {
    expect(capacityOf(text)).toBeCloseTo(bits, 3);
  });

  it.each(['', 'dark fibre', '1-20Gbps', '< 10 Gbps', 'OC-192', '10 GB/s', '0', '0 Gbit/s', '-1G', '10 km', '3x10G', '1e400', '999999 Tbit/s',
    '10 G and 20 G', '1,000,000', 'NaN'])('%j says no one number', (text) => {
    expect(capacityOf(text)).toBeNull();
  });

  it('is not searched for a long time in what is long', () => {
    expect(capacityOf(`${'1'.repeat(100_000)}x`)).toBeNull();
    expect(capacityOf(`1${' '.repeat(100_000)}x`)).toBeNull();
  });

  it('has a class, which is wider the faster it is', () => {
    expect([null, 1, 999e6, 1e9, 9e9, 1e10, 1e11, 4e11, 1e12].map(capacityClassOf)).toEqual([0, 1, 1, 2, 2, 3, 4, 5, 5]);
    expect([...capacityClassesOf(['10G', '', '10G', 'x'])]).toEqual([3, 0, 3, 0]);
    const widths = capacityClasses.map(({ width }) => width);
    expect(widths).toEqual([...widths].sort((a, b) => a - b));
  });
});
