// Fields before and after a change, in a line.
import { describe, expect, it } from 'vitest';
import { changeText } from '../../../admin/web/src/sections/field_lines.tsx';

describe('a field that changed', () => {
  it('says what it was and is', () => {
    expect(changeText({ field: 'name', before: 'Oslo', after: 'Oslo 2' })).toBe('Oslo → Oslo 2');
    expect(changeText({ field: 'address', before: 'Street 1' })).toBe('Street 1 → –');
    expect(changeText({ field: 'owners', after: ['a', 'b'] })).toBe('– → a, b');
  });

  it('says of a list only what went and what came', () => {
    expect(changeText({ field: 'properties', before: ['tag=a', 'rack=7'], after: ['tag=a', 'tag=b'] })).toBe('− rack=7, + tag=b');
  });

  it('says all of a list where nothing went and nothing came', () => {
    expect(changeText({ field: 'ends', before: ['a', 'b'], after: ['b', 'a'] })).toBe('a, b → b, a');
    expect(changeText({ field: 'properties', before: ['tag=a', 'tag=a'], after: ['tag=a'] })).toBe('tag=a, tag=a → tag=a');
  });
});
