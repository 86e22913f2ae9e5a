// Overrides: values that count whatever sources deliver, and what is to be decided about them.
import type { Override } from '../../generated/api.ts';
import { get, post, query, remove, type Page } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import type { Row, Section } from '../app/section.ts';
import { t, time } from '../i18n/index.ts';
import { kindText } from './kinds.ts';

const collections = { topology: 'topologies', institution: 'institutions', node: 'nodes', link: 'links' } as const;
const overrideOf = (row: Row) => row as unknown as Override;

// "property:capacity" is what people call capacity.
const fieldText = ({ field }: Override) => field.replace(/^property:/, '');

function valueText({ field }: Override, value: Override['value']): string {
  const values = Array.isArray(value) ? value : value === null ? [] : [value];
  if (field === 'topologies') return values.length > 0 ? t('on the map') : t('deleted');
  return values.length > 0 ? values.join(', ') : t('no value');
}

// What the source has now.
const ofSource = (each: Override) => valueText(each, each.to_decide ? each.contested : each.delivered);

function Element({ row }: { row: Row }) {
  const { kind, record, name, id } = overrideOf(row);
  const text = `${kindText(kind.charAt(0).toUpperCase() + kind.slice(1))} ${name ?? id}`;
  return record === null ? <>{text}</> : <a href={`/admin/${collections[kind]}/${record}/`}>{text}</a>;
}

async function keepOurs(row: Row): Promise<string> {
  await post(`overrides/${row.number}/keep`);
  return t('{name}: ours is kept.', { name: overrideOf(row).name ?? overrideOf(row).id });
}

async function takeTheirs(row: Row): Promise<string> {
  await remove(`overrides/${row.number}`);
  return t('{name}: the source’s value counts again.', { name: overrideOf(row).name ?? overrideOf(row).id });
}

async function takeAllOfTheirs(rows: Row[]): Promise<string | null> {
  await post('overrides/delete', { numbers: rows.map((row) => row.number) });
  return null;
}

export const overrides: Section = {
  key: 'overrides', title: 'Overrides', singular: 'Override', icon: 'pin',
  list: {
    above: () => <p class="muted">{t('Values that were corrected here and are set again after each import. One is to be decided where its source delivers something else since.')}</p>,
    columns: [
      { name: 'id', label: 'Name', cell: (row) => <Element row={row} /> },
      { name: 'field', label: 'Field', sort: true, cell: (row) => fieldText(overrideOf(row)) },
      { name: 'value', label: 'Kept', cell: (row) => valueText(overrideOf(row), overrideOf(row).value) },
      { name: 'delivered', label: 'The source has', cell: (row) => ofSource(overrideOf(row)) },
      { name: 'to_decide', label: 'State', sort: true,
        cell: (row) => <span class={`state ${row.to_decide ? 'waiting' : 'good'}`}>{row.to_decide ? t('To be decided') : t('Counts')}</span> },
      { name: 'source', label: 'Source', cell: (row) => overrideOf(row).source || '–' },
      { name: 'reason', label: 'Reason' },
      { name: 'author', label: 'By', sort: true },
      { name: 'until', label: 'Until', cell: (row) => time(overrideOf(row).until) },
    ],
    filters: [{ name: 'to_decide', label: 'State', choices: [{ value: 'true', label: 'To be decided' }, { value: 'false', label: 'Counts' }] }],
    search: true, select: true, live: ['change'],
    rowActions: [
      { label: 'Keep ours', icon: 'check', role: 'editor', shown: (row) => overrideOf(row).to_decide, run: keepOurs },
      { label: 'Take the source’s value', icon: 'undo', role: 'editor', run: takeTheirs,
        ask: (row) => ({
          title: t('Take it?'), action: t('Take the source’s value'),
          text: <><p><Element row={row} />: {ofSource(overrideOf(row))}</p><p>{t('The override ends, and the element has what the source delivered last.')}</p></>,
        }) },
    ],
    bulkActions: [{ label: 'Take the sources’ values', role: 'editor', run: takeAllOfTheirs }],
  },
};

// Below the form of a record: those of its values that are kept.
export function OverridesOf({ kind, id }: { kind: Override['kind']; id: string }) {
  const { value } = useLoaded(`${kind} ${id}`, () => get<Page<Override>>(`overrides${query({ kind, id })}`), ['change']);
  if (!value || value.items.length === 0) return null;
  return (
    <section class="card">
      <h2>{t('Values that are kept')}</h2>
      <ul class="plain">
        {value.items.map((each) => (
          <li key={each.number}>
            {t('{field}: {value} is kept', { field: fieldText(each), value: valueText(each, each.value) })}
            <span class="muted"> · {t('the source has {value}', { value: ofSource(each) })} · {each.author}{each.reason && `: ${each.reason}`}</span>
          </li>
        ))}
      </ul>
      <a href="/admin/overrides/">{t('Overrides')}</a>
    </section>
  );
}
