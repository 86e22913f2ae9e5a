// Asked with an edit: whether what it changes is kept whatever sources deliver, why, and how long.
import { query } from '../app/api.ts';
import type { Field } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { FieldRow } from './field.tsx';
import { bodyOf, valuesOf, type Values } from './form_values.ts';

const keep: Field = { name: 'keep', label: 'Keep whatever sources deliver', kind: 'switch',
  help: 'Every value changed here is set again after each import of this element, until the source delivers the same.' };
const terms: Field[] = [
  { name: 'reason', label: 'Reason', kind: 'text', longest: 1000 },
  { name: 'until', label: 'Until', kind: 'time', help: 'Left empty: it has no end.' },
];

export const notKept: Values = valuesOf([keep, ...terms], null);

// The path of an edit that is kept like that.
export const pathKept = (path: string, values: Values): string =>
  (values.keep ? path + query(bodyOf([keep, ...terms], values, null) as Record<string, string>) : path);

interface Props {
  values: Values;
  ofDeletion?: boolean;
  onChange: (values: Values) => void;
}

export function KeepFields({ values, ofDeletion, onChange }: Props) {
  const asked = ofDeletion ? { ...keep, help: 'It stays deleted when a source delivers it again.' as const } : keep;
  return (
    <div class="fields" role="group" aria-label={t(keep.label)}>
      {(values.keep ? [asked, ...terms] : [asked]).map((field) => (
        <FieldRow key={field.name} field={field} value={values[field.name]} error={undefined} disabled={false}
          onChange={(value) => onChange({ ...values, [field.name]: value })} />
      ))}
    </div>
  );
}
