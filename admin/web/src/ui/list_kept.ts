// What a reader wants of a list: columns, and filters by name. The browser keeps it, for each account
// apart: the server has no place for it.
import { signal } from '@preact/signals';
import { errorText, session } from '../app/api.ts';
import type { Column, Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { failed } from './notices.tsx';

export interface SavedFilter {
  name: string;
  search: string; // the query of the address
}
interface Kept {
  columns?: string[]; // names; absent: as they are at first
  filters?: SavedFilter[];
}

const changes = signal(0); // counts, for those who show it
const keyOf = (section: Section) => `netml-list ${session.value?.account?.name ?? ''} ${section.key}`;

function read(section: Section): Kept {
  void changes.value;
  try {
    return (JSON.parse(localStorage.getItem(keyOf(section)) ?? '{}') ?? {}) as Kept;
  } catch {
    return {}; // another program's, or an older one's
  }
}

// A browser may have no room, or keep nothing at all.
function write(section: Section, part: Kept): void {
  try {
    localStorage.setItem(keyOf(section), JSON.stringify({ ...read(section), ...part }));
    changes.value += 1;
  } catch (error) {
    failed(new Error(t('This browser could not keep it: {message}', { message: errorText(error) })));
  }
}

// Those that there can be now: some only where there is something to tell.
export const possibleColumns = (section: Section): Column[] =>
  section.list!.columns.filter((column) => column.possible?.() ?? true);

// The first column leads to the record, and always stays.
export function shownColumns(section: Section): Column[] {
  const chosen = chosenNames(section);
  return possibleColumns(section).filter(({ name }, index) => index === 0 || chosen.has(name));
}

function chosenNames(section: Section): Set<string> {
  const { columns } = read(section);
  return new Set(columns ?? section.list!.columns.filter(({ more }) => !more).map(({ name }) => name));
}

// Also those that cannot be shown just now stay as they were chosen.
export function showColumn(section: Section, column: Column, on: boolean): void {
  const chosen = chosenNames(section);
  if (on) chosen.add(column.name);
  else chosen.delete(column.name);
  write(section, { columns: [...chosen] });
}

export const savedFilters = (section: Section): SavedFilter[] => read(section).filters ?? [];

// One of the name that is there already is replaced.
export function saveFilter(section: Section, filter: SavedFilter): void {
  const others = savedFilters(section).filter(({ name }) => name !== filter.name);
  write(section, { filters: [...others, filter].sort((a, b) => a.name.localeCompare(b.name)) });
}

export const dropFilter = (section: Section, name: string): void =>
  write(section, { filters: savedFilters(section).filter((filter) => filter.name !== name) });
