// Redundancy policies: how the map stands to each of them, and of one who has fewer independent
// routes than it demands, with what all routes go through.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Redundancy, RedundancyCut, RedundancyItem, RedundancyState, RedundancyStates } from '../../generated/api.ts';
import { get, query } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Choice, Row, Section } from '../app/section.ts';
import { number, t } from '../i18n/index.ts';
import { routesText } from '../map/address.ts';
import { Icon } from '../ui/icons.tsx';

const onImport: Choice[] = [{ value: 'report', label: 'Report it' }, { value: 'hold', label: 'Hold the import' }];
const tick = (value: unknown) => <Icon name={value ? 'check' : 'cross'} label={value ? t('Yes') : t('No')} />;

// Of the policies that are enabled, by their numbers: asked once for the whole list.
const states = signal<ReadonlyMap<number, RedundancyState>>(new Map());

function States() {
  const { value, problem } = useLoaded('', () => get<RedundancyStates>('redundancy'), ['change']);
  useEffect(() => {
    states.value = new Map(value?.items.map((item) => [item.number, item]) ?? []);
  }, [value]);
  return problem ? <p class="error" role="alert">{problem}</p> : null;
}

const countsText = ({ met, below, undecided }: RedundancyState | Redundancy) =>
  t('{below} below, {met} met, {undecided} undecided', { below, met, undecided });

function StateNow({ row }: { row: Row }) {
  const state = states.value.get(row.number);
  if (!state) return <span class="muted">–</span>;
  return <span class={state.below > 0 ? 'error' : ''}>{state.below > 0 && <Icon name="cut" />} {countsText(state)}</span>;
}

// Who does not meet it now.
function Found({ row }: { row: Row }) {
  const all = useSignal(false); // those that meet it, too
  const { value, problem } = useLoaded(`${row.number} ${all.value}`, () => get<Redundancy>(`policies/${row.number}/check${all.value ? '?all=true' : ''}`), ['change']);
  if (!value) return <Waiting problem={problem} />;
  const collection = value.policy.who.kind === 'node' ? 'nodes' : 'institutions';
  return (
    <section>
      <h2>{t('Now')}</h2>
      <p>{countsText(value)}</p>
      {value.met > 0 && (
        <label class="check">
          <input type="checkbox" checked={all.value} onChange={(event) => { all.value = event.currentTarget.checked; }} />{t('Those that meet it, too')}
        </label>
      )}
      {value.not_found.length > 0 && <p class="error">{t('Not on the map: {names}', { names: value.not_found.join(', ') })}</p>}
      {value.items.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label={t('Redundancy')}>
          <table>
            <thead><tr><th>{t('Name')}</th><th>{t('Independent routes')}</th><th>{t('Cut by')}</th><th>{t('Routes')}</th></tr></thead>
            <tbody>
              {value.items.map((item) => <Element key={item.element.number} item={item} wanted={value.policy.routes} collection={collection} />)}
            </tbody>
          </table>
        </div>
      )}
      {value.omitted > 0 && <p class="muted">{t('and {n} more', { n: value.omitted })}</p>}
    </section>
  );
}

interface ElementProps { item: RedundancyItem; wanted: number; collection: string }

function Element({ item, wanted, collection }: ElementProps) {
  const { element, at_least: least, at_most: most } = item;
  const routes = item.routes ?? [];
  const found = least === most ? number(least) : `${number(least)}–${number(most)}`;
  return (
    <tr>
      <td><a href={`/admin/${collection}/${element.number}/`}>{element.name || element.id}</a></td>
      <td class="narrow">{t('{found} of {wanted}', { found, wanted })}</td>
      <td>
        {cutText(item.cut)}{' '}
        {item.cut.groups.length === 0 && item.cut.nodes.length + item.cut.links.length > 0 && <a href={cutAddress(item, collection)}><Icon name="map" />{t('Show the cut on the map')}</a>}
      </td>
      <td>
        {routes.map((route) => t('{nodes} nodes, {links} links', { nodes: route.nodes.length, links: route.links.length })).join('; ') || '–'}{' '}
        {routes.some((route) => route.links.length > 0) && <a href={routesAddress(item, collection)}><Icon name="map" />{t('Show the routes on the map')}</a>}
      </td>
    </tr>
  );
}

// The map with the element, and what would be left if the cut failed.
function cutAddress({ element, cut }: RedundancyItem, collection: string): string {
  const failed = { nodes: cut.nodes.map((one) => one.number), links: cut.links.map((one) => one.number) };
  return `/${query({ [collection.slice(0, -1)]: element.number, 'failed-nodes': failed.nodes.join(','), 'failed-links': failed.links.join(',') })}`;
}

// The map with the element, and each of its routes in a colour.
const routesAddress = ({ element, routes }: RedundancyItem, collection: string): string =>
  `/${query({ [collection.slice(0, -1)]: element.number, routes: routesText((routes ?? []).map(({ links }) => links)) })}`;

function cutText({ groups, links, nodes }: RedundancyCut): string {
  const names = [...links, ...nodes].map(({ id, name }) => name || id);
  return [...groups.map((name) => t('Shared-risk group {name}', { name })), ...names].join(', ') || '–';
}

export const redundancy: Section = {
  key: 'policies', title: 'Redundancy', singular: 'Redundancy policy', icon: 'link',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'state', label: 'Now', cell: (row) => <StateNow row={row} /> },
      { name: 'on_import', label: 'On import', sort: true, cell: (row) => (row.on_import === 'hold' ? t('Hold the import') : t('Report it')) },
      { name: 'enabled', label: 'Enabled', sort: true, narrow: true, cell: (row) => tick(row.enabled) },
    ],
    search: true, sort: 'name', above: States, live: ['change'],
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin', extra: Found,
    fields: [
      { name: 'name', label: 'Name', kind: 'text', longest: 128, help: 'Left empty: the name that the policy has.' },
      { name: 'policy', label: 'Policy as JSON', kind: 'json', required: true, start: '',
        help: 'Who needs how many independent routes to whom, such as {"who": {"kind": "institution", "tag": "campus"}, "to": {"kind": "node", "tag": "core"}, "routes": 2}' },
      { name: 'on_import', label: 'On import', kind: 'choice', choices: onImport, start: 'report',
        help: 'What is done where more elements would be below the policy after an import.' },
      { name: 'enabled', label: 'Enabled', kind: 'switch', start: true },
    ],
  },
};
