// What a form holds, and what it is sent or loaded as.
import { expect, it } from 'vitest';
import { withTyped } from '../../../admin/web/src/ui/form_values.ts';

it('has what is loaded anew, but for what was typed since', () => {
  const before = { name: 'Roma', address: '', owners: [{ number: 1 }] };
  const now = { ...before, address: 'Via Nova', owners: [{ number: 1 }] }; // the owners are equal
  expect(withTyped({ name: 'Rome', address: 'old', owners: [{ number: 2 }] }, now, before))
    .toEqual({ name: 'Rome', address: 'Via Nova', owners: [{ number: 2 }] });
});
