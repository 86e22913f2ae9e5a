// How a source delivers.
import { expect, it } from 'vitest';
import { duration } from '../../../admin/web/src/sections/quality_source.tsx';

it('says how long something is in its two largest units, as the command line does', () => {
  expect([0, 59, 60, 3_725, 86_400, 90_000, 86_400 + 59].map(duration))
    .toEqual(['0 s', '59 s', '1 min', '1 h 2 min', '1 d', '1 d 1 h', '1 d']);
});
