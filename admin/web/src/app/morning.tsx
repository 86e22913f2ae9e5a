// What an administrator looks for in the morning: how large the map is, which sources answered, what
// waits for a decision, what came in last, and how that was all week. Each number leads to what it counts.
import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ImportList, Overview, OverrideList, PlanList, PublicationList, RedundancyStates, Tasks } from '../../generated/api.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { network } from '../sections/index.ts';
import { State } from '../sections/state.tsx';
import { Icon } from '../ui/icons.tsx';
import { Ago } from './ago.tsx';
import { answersOf } from './answers.ts';
import { mayAs, type Page } from './api.ts';
import { listen } from './events.ts';
import { Growth, Sources, Week } from './overview.tsx';
import { ThisNode } from './this_node.tsx';

const asked: Record<string, string> = {
  ...Object.fromEntries(network.map(({ key }) => [key, `${key}?limit=1`])),
  overview: 'overview', tasks: 'tasks', imports: 'imports?limit=5', plans: 'plans?limit=50',
  publications: 'publications?limit=1', overrides: 'overrides?to_decide=true&limit=1',
  redundancy: 'redundancy',
};
const againMilliseconds = 15_000;

interface Answers {
  [count: string]: unknown;
  overview?: Overview;
  tasks?: Tasks;
  imports?: ImportList;
  plans?: PlanList;
  publications?: PublicationList;
  overrides?: OverrideList;
  redundancy?: RedundancyStates;
}

export function Morning({ children }: { children: ComponentChildren }) {
  const answers = useSignal<Answers | null>(null);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    let newest = 0; // only that answers
    const load = () => {
      const mine = ++newest;
      clearTimeout(again);
      void answersOf<Answers>(asked, answers.peek() ?? {}).then((found) => {
        if (mine !== newest) return;
        answers.value = found.answers;
        if (!found.isWhole) again = setTimeout(load, againMilliseconds);
      });
    };
    load();
    const stops = [listen('change', load), listen('poll', load)];
    return () => {
      newest += 1;
      clearTimeout(again);
      stops.forEach((stop) => stop());
    };
  }, []);
  const { overview, tasks, imports, plans, publications, overrides, redundancy } = answers.value ?? {};
  return (
    <div class="morning" aria-busy={answers.value === null}>
      <ul class="plain numbers">
        {network.map(({ key, title }) => <Count key={key} path={key} title={t(title)} page={answers.value?.[key] as Page<unknown> | undefined} />)}
      </ul>
      {overview && <Sources sources={overview.sources} next={tasks?.next_poll ?? null} />}
      {overview && <Week days={overview.days} />}
      {imports && <Imports imports={imports} waiting={plans ? plans.total ?? plans.items.length : 0} contested={overrides?.total ?? 0} />}
      {redundancy && redundancy.below > 0 && <BelowPolicy below={redundancy.below} />}
      {publications && <Snapshots snapshots={publications} />}
      {mayAs('admin') && <ThisNode />}
      {children}
      {overview && <Growth sizes={overview.growth} />}
    </div>
  );
}

function Count({ path, title, page }: { path: string; title: string; page: Page<unknown> | undefined }) {
  const total = page?.total ?? null;
  return <li><a href={`/admin/${path}/`}><strong>{total === null ? '–' : number(total)}</strong> {title}</a></li>;
}

interface RowOf {
  address: string;
  name: string;
  state: string | null;
  when: string | null;
  what?: Text; // that was when
}

function Rows({ rows }: { rows: RowOf[] }) {
  if (rows.length === 0) return null;
  return (
    <ul class="plain rows">
      {rows.map(({ address, name, state, when, what }) => (
        <li key={address}>
          <a href={address}>{name}</a>
          {state && <State value={state} />}
          {when && <Ago value={when} what={what} />}
        </li>
      ))}
    </ul>
  );
}

function Imports({ imports, waiting, contested }: { imports: ImportList; waiting: number; contested: number }) {
  return (
    <section class="part">
      <h2><a href="/admin/imports/">{t('Imports')}</a></h2>
      {waiting > 0 && mayAs('editor') && <p><a href="/admin/file-imports/">{t('{n} previews wait for a decision', { n: waiting })}</a></p>}
      {contested > 0 && <p><a href="/admin/overrides/">{t('{n} overrides are to be decided', { n: contested })}</a></p>}
      {imports.items.length === 0 && (
        <p class="muted">{t('Nothing here yet.')} {mayAs('editor') && <a href="/admin/file-imports/">{t('Import a file')}</a>}</p>
      )}
      <Rows rows={imports.items.map((item) => ({
        address: `/admin/imports/${item.number}/`, name: item.name, state: item.state, when: item.time,
      }))} />
    </section>
  );
}

function BelowPolicy({ below }: { below: number }) {
  return (
    <section class="part">
      <h2><a href="/admin/policies/">{t('Redundancy')}</a></h2>
      <p><Icon name="cut" /> <a href="/admin/policies/">{t('{n} elements are below a redundancy policy', { n: below })}</a></p>
    </section>
  );
}

function Snapshots({ snapshots }: { snapshots: PublicationList }) {
  return (
    <section class="part">
      <h2><a href="/admin/publications/">{t('Snapshots')}</a></h2>
      {snapshots.items.length === 0 && <p class="muted">{t('Nothing here yet.')}</p>}
      <Rows rows={snapshots.items.map((item) => ({
        address: `/admin/publications/${item.number}/`, name: item.name, state: item.state, when: item.time,
      }))} />
    </section>
  );
}
