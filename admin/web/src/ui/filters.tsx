// The bar above a list: search field and filters.
import { useEffect, useRef } from 'preact/hooks';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { useSignal } from '@preact/signals';
import type { Reference } from '../../generated/api.ts';
import type { Filter, Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';
import { SearchBox } from './search_box.tsx';
import { SearchInput } from './search_input.tsx';

interface Props {
  list: NonNullable<Section['list']>;
  values: Record<string, string>;
  onChange: (name: string, value: string | null) => void;
}

export function Filters({ list, values, onChange }: Props) {
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []); // of another page by then
  const typed = useSignal<string | null>(null); // what the address does not have yet
  if (!list.search && !list.filters?.length) return null;
  const search = (text: string) => {
    typed.value = text;
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      typed.value = null;
      onChange('q', text || null);
    }, 250);
  };
  return (
    <div class="filters" role="search">
      {list.search && (
        <label class="search-field">
          <Icon name="search" />
          <SearchInput label={t('Search')} value={typed.value ?? values.q ?? ''} onInput={search} />
        </label>
      )}
      {list.filters?.map((filter) => (
        <FilterControl key={filter.name} filter={filter} value={values[filter.name] ?? ''}
          onChange={(value) => onChange(filter.name, value)} />
      ))}
    </div>
  );
}

interface ControlProps {
  filter: Filter;
  value: string;
  onChange: (value: string | null) => void;
}

function FilterControl({ filter, value, onChange }: ControlProps) {
  if (filter.of) return <ReferenceFilter filter={filter} value={value} onChange={onChange} />;
  if (!filter.choices) return <TextFilter filter={filter} value={value} onChange={onChange} />;
  return (
    <label class="filter">{t(filter.label)}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value || null)}>
        <option value="">{t('All')}</option>
        {filter.choices.map((choice) => <option key={choice.value} value={choice.value}>{t(choice.label)}</option>)}
      </select>
    </label>
  );
}

// What is typed stands while the list is loaded anew.
function TextFilter({ filter, value, onChange }: ControlProps) {
  const typed = useSignal<string | null>(null); // what the address does not have yet
  return (
    <label class="filter">{t(filter.label)}
      <input type="text" value={typed.value ?? value}
        onInput={(event) => { typed.value = event.currentTarget.value; }}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        onBlur={() => { typed.value = null; }} />
    </label>
  );
}

// The address has the number only; the name comes from the server, unless it was chosen here.
function ReferenceFilter({ filter, value, onChange }: ControlProps) {
  const picked = useSignal<Reference | null>(null);
  const isShown = (one: Reference | null) => one !== null && String(one.number) === value;
  const { value: found } = useLoaded(value, async () => (value === '' || isShown(picked.value) ? null
    : get<Reference>(`${filter.of}/${value}`).catch(() => ({ number: Number(value), id: '', name: value }))));
  const chosen = [picked.value, found].find(isShown);
  return (
    <div class="filter">
      <span aria-hidden="true">{t(filter.label)}</span>
      <SearchBox of={filter.of!} label={t(filter.label)} chosen={chosen ? [chosen] : []}
        onChange={(next) => {
          picked.value = next[0] ?? null;
          onChange(next[0] ? String(next[0].number) : null);
        }} />
    </div>
  );
}
