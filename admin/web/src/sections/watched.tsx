// Whether a redundancy policy watches an institution or a node, and whether it is met, for lists.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RedundancyState, RedundancyStates } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import type { Column, Row } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { State, stateText } from './state.tsx';

type Kind = 'institutions' | 'nodes';
type WatchState = 'below' | 'undecided' | 'met';

export interface Watch {
  state: WatchState;
  policies: { number: number; name: string }[]; // those it is in this state of
}

export interface Watched {
  of: Map<number, Watch>;
  isWhole: boolean; // else there are too many, and what is not there may be watched all the same
}

// The worst state of each element; what more policies watch tells of those alone that it is the worst
// of.
export function watchesOf(all: RedundancyState[], kind: Kind): Watched {
  const watches = new Map<number, Watch>();
  const states = all.filter((each) => each.elements?.kind === kind);
  for (const state of ['below', 'undecided', 'met'] as const) {
    for (const { number, name, elements } of states) {
      for (const element of elements![state]) {
        const watch = watches.get(element) ?? { state, policies: [] };
        if (watch.state === state) watch.policies.push({ number, name });
        watches.set(element, watch);
      }
    }
  }
  return { of: watches, isWhole: states.every(({ elements }) => elements!.omitted === 0) };
}

const nothing: Watched = { of: new Map(), isWhole: true };
const watched = signal<Record<Kind, Watched>>({ institutions: nothing, nodes: nothing });

// Asks once for the whole list.
export function LoadWatched() {
  const { value } = useLoaded('', () => get<RedundancyStates>('redundancy?elements=true'), ['change']);
  useEffect(() => {
    const items = value?.items ?? [];
    watched.value = { institutions: watchesOf(items, 'institutions'), nodes: watchesOf(items, 'nodes') };
  }, [value]);
  return null;
}

function WatchOf({ watch, isWhole }: { watch: Watch | undefined; isWhole: boolean }) {
  if (!watch) return isWhole ? <>–</> : <span class="muted">{t('Not known')}</span>;
  return (
    <>
      <State value={watch.state} />{' '}
      {watch.policies.map(({ number, name }) => <a key={number} href={`/admin/policies/${number}/`}>{name} </a>)}
    </>
  );
}

export function watchText({ of, isWhole }: Watched, number: number): string {
  const watch = of.get(number);
  if (!watch) return isWhole ? '' : t('Not known');
  return `${stateText(watch.state)}: ${watch.policies.map(({ name }) => name).join(', ')}`;
}

// Where a policy watches any of the kind.
export const redundancyColumn = (kind: Kind): Column => ({
  name: 'redundancy', label: 'Redundancy', possible: () => watched.value[kind].of.size > 0 || !watched.value[kind].isWhole,
  cell: (row: Row) => <WatchOf watch={watched.value[kind].of.get(row.number)} isWhole={watched.value[kind].isWhole} />,
  csv: (row: Row) => watchText(watched.value[kind], row.number),
});
