// What an administrator looks for in the morning: how large the map is, which sources answered, what
// waits for a decision, and what came in last. Each number leads to what it counts.
import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ImportList, OverrideList, PlanList, PublicationList, RedundancyStates, SourceList, Tasks } from '../../generated/api.ts';
import { number, relative, t, time, type Text } from '../i18n/index.ts';
import { network } from '../sections/index.ts';
import { State } from '../sections/state.tsx';
import { Icon } from '../ui/icons.tsx';
import { get, mayAs, type Page } from './api.ts';
import { listen } from './events.ts';

const sourcesShown = 8;

const asked: Record<string, string> = {
  ...Object.fromEntries(network.map(({ key }) => [key, `${key}?limit=1`])),
  sources: 'sources?limit=100', tasks: 'tasks', imports: 'imports?limit=5', plans: 'plans?limit=50',
  publications: 'publications?limit=1', overrides: 'overrides?to_decide=true&limit=1',
  redundancy: 'redundancy',
};
interface Answers {
  [count: string]: unknown;
  sources?: SourceList;
  tasks?: Tasks;
  imports?: ImportList;
  plans?: PlanList;
  publications?: PublicationList;
  overrides?: OverrideList;
  redundancy?: RedundancyStates;
}

// A part that could not be loaded is left out: the others are worth looking at all the same.
async function loadAll(): Promise<Answers> {
  const answers = Object.entries(asked).map(async ([name, path]) => [name, await get(path).catch(() => undefined)]);
  return Object.fromEntries(await Promise.all(answers)) as Answers;
}

export function Morning({ children }: { children: ComponentChildren }) {
  const answers = useSignal<Answers | null>(null);
  useEffect(() => {
    const load = () => void loadAll().then((found) => { answers.value = found; });
    load();
    const stops = [listen('change', load), listen('poll', load)];
    return () => stops.forEach((stop) => stop());
  }, []);
  const { sources, tasks, imports, plans, publications, overrides, redundancy } = answers.value ?? {};
  return (
    <div class="morning" aria-busy={answers.value === null}>
      <ul class="plain numbers">
        {network.map(({ key, title }) => <Count key={key} path={key} title={t(title)} page={answers.value?.[key] as Page<unknown> | undefined} />)}
      </ul>
      {sources && <Sources sources={sources} next={tasks?.next_poll ?? null} />}
      {imports && <Imports imports={imports} waiting={plans ? plans.total ?? plans.items.length : 0} contested={overrides?.total ?? 0} />}
      {redundancy && redundancy.below > 0 && <BelowPolicy below={redundancy.below} />}
      {publications && <Snapshots snapshots={publications} />}
      {children}
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

function Ago({ value, what }: { value: string; what: Text | undefined }) {
  return <span class="muted">{what && `${t(what)}: `}<time dateTime={value} title={time(value)}>{relative(value)}</time></span>;
}

// Those that failed come first.
function Sources({ sources, next }: { sources: SourceList; next: string | null }) {
  const all = [...sources.items].sort((a, b) => b.failures - a.failures || a.name.localeCompare(b.name));
  const others = (sources.total ?? all.length) - Math.min(all.length, sourcesShown);
  return (
    <section class="part">
      <h2><a href="/admin/sources/">{t('Sources')}</a></h2>
      {all.length === 0 && (
        <p class="muted">{t('No sources yet.')} {mayAs('admin') && <a href="/admin/sources/add/">{t('Add: {what}', { what: t('Polling source') })}</a>}</p>
      )}
      <Rows rows={all.slice(0, sourcesShown).map((source) => ({
        address: `/admin/sources/${source.number}/`, name: source.name, state: source.last_state, when: source.last_success, what: 'Last success',
      }))} />
      {others > 0 && <a href="/admin/sources/">{t('and {n} more', { n: others })}</a>}
      {next && all.length > 0 && <p><Ago value={next} what="Next polling" /></p>}
    </section>
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
