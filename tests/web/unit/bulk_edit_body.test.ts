// One edit of several records, as the server takes it.
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../admin/web/src/app/section.ts';
import { editableFields, editOf, valueField, waysOf } from '../../../admin/web/src/ui/bulk_edit_body.ts';

const owners: Field = { name: 'owners', label: 'Owners', kind: 'many', of: 'institutions', required: true };
const properties: Field = { name: 'properties', label: 'Properties', kind: 'properties' };
const address: Field = { name: 'address', label: 'Address', kind: 'lines' };

describe('an edit of several records', () => {
  it('offers no field that is one record’s alone', () => {
    expect(editableFields([{ name: 'name', label: 'Name', kind: 'text' }, owners, address])).toEqual([owners, address]);
  });

  it('adds to lists, takes from them or replaces them; one value is set', () => {
    expect(waysOf(owners)).toEqual(['add', 'remove', 'set']);
    expect(waysOf(address)).toEqual(['set']);
  });

  it('names what is referred to by number', () => {
    expect(editOf(owners, 'add', [{ number: 7, id: 'urn:a', name: 'A' }])).toEqual({ add: { owners: [7] } });
  });

  it('takes properties away by their names', () => {
    expect(valueField(properties, 'remove').kind).toBe('text');
    expect(editOf(properties, 'remove', 'tag, url,')).toEqual({ remove: { properties: ['tag', 'url'] } });
    expect(editOf(properties, 'set', [{ name: 'tag', value: 'core' }, { name: '', value: '' }])).toEqual({ set: { properties: [{ name: 'tag', value: 'core' }] } });
  });

  it('empties no version, which each record has', () => {
    const version: Field = { name: 'version', label: 'Version', kind: 'time', help: 'When these data were last confirmed; now, if empty.' };
    expect(valueField(version, 'set')).toEqual({ name: 'version', label: 'Version', kind: 'time', required: true });
  });

  it('may empty a text', () => {
    expect(editOf(address, 'set', '')).toEqual({ set: { address: '' } });
  });
});
