// A choice among the entries of a collection, by name; the value is the number of one, or null.
import type { Page } from '../app/api.ts';
import { get, query } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { nameOf, type Row } from '../app/section.ts';
import { t, type Text } from '../i18n/index.ts';

const most = 1000; // which is more than anybody would choose from

// By name; null while they are not there yet.
export function useEntries<T = Row>(collection: string): T[] | null {
  const { value } = useLoaded(collection, () => get<Page<T>>(collection + query({ sort: 'name', limit: most })));
  return value?.items ?? null;
}

interface Props {
  id: string;
  from: string; // the collection
  none: Text; // what it means that none is chosen
  value: number | null;
  disabled: boolean;
  invalid: boolean;
  described: string | undefined;
  onChange: (value: number | null) => void;
}

export function EntryChoice({ id, from, none, value, disabled, invalid, described, onChange }: Props) {
  const entries = useEntries(from);
  return (
    <select id={id} disabled={disabled || !entries} aria-describedby={described} aria-invalid={invalid} value={value ?? ''}
      onChange={(event) => onChange(Number(event.currentTarget.value) || null)}>
      <option value="">{t(none)}</option>
      {entries?.map((entry) => <option key={entry.number} value={entry.number}>{nameOf(entry)}</option>)}
    </select>
  );
}
