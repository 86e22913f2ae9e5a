// Fields before and after a change, a line for each: shorter than a table of them.
import type { Change, FieldValue } from '../../generated/api.ts';
import { fieldText, textOf } from './changes_table.tsx';

type FieldChange = Change['fields'][number];

const shown = (value: FieldValue): string => textOf(value) || '–';

// Of a list only what is no longer in it, and what is new; all of it where only the order or how often
// something is in it has changed.
export function changeText({ before = null, after = null }: FieldChange): string {
  if (!Array.isArray(before) || !Array.isArray(after)) return `${shown(before)} → ${shown(after)}`;
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  if (gone.length + come.length === 0) return `${shown(before)} → ${shown(after)}`;
  return [...gone.map((value) => `− ${value}`), ...come.map((value) => `+ ${value}`)].join(', ');
}

export function FieldLines({ fields }: { fields: FieldChange[] }) {
  return (
    <ul class="plain">
      {fields.map((field) => <li key={field.field}><span class="muted">{fieldText(field.field)}:</span> {changeText(field)}</li>)}
    </ul>
  );
}
