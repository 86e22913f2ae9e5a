import { expect, it } from 'vitest';
import { bytes } from '../../../admin/web/src/ui/bytes.ts';

it('sizes have three digits at most, and a unit', () => {
  expect([0, 999, 1000, 1_234_567, 64_900_000_000, 2e15].map(bytes)).toEqual(['0 bytes', '999 bytes', '1 kB', '1.23 MB', '64.9 GB', '2,000 TB']);
});
