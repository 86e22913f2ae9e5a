// The same as on the map, as text: for those who do not see it, and for those who like lists.
import { useSignal } from '@preact/signals';
import { number, t, type Text } from '../i18n/index.ts';
import { SearchInput } from '../ui/search_input.tsx';
import type { Chart } from './chart.ts';
import { textAt } from './columns.ts';
import type { MapModel } from './model.ts';
import { PanelFrame } from './panel.tsx';

const step = 200;
const tabs: { kind: 'nodes' | 'links'; label: Text }[] = [
  { kind: 'nodes', label: 'Nodes' }, { kind: 'links', label: 'Links' },
];

export function ListPanel({ model, chart }: { model: MapModel; chart: Chart }) {
  const kind = useSignal<'nodes' | 'links'>('nodes');
  const words = useSignal('');
  const shown = useSignal(step);
  const { value: network } = model.network;
  const { value: mask } = model.mask;
  if (!network || !mask) return null;
  if (!model.hasTexts) return <PanelFrame model={model} title={t('List')}><p class="muted" role="status">{t('Loading …')}</p></PanelFrame>;
  const { nodes } = network.columns;
  const columns = network.columns[kind.value];
  const wanted = words.value.trim().toLowerCase();
  const rows: number[] = [];
  let total = 0;
  for (let i = 0; i < columns.number.length; i++) {
    const isHidden = columns.number[i] === 0 || mask[kind.value][i] === 0;
    if (isHidden || (wanted && !textAt(columns.name, i).toLowerCase().includes(wanted))) continue;
    total += 1;
    if (rows.length < shown.value) rows.push(i);
  }
  const about = (i: number) => (kind.value === 'nodes'
    ? [nodes.latitude[i], nodes.longitude[i]].filter((degrees) => !Number.isNaN(degrees)).join(', ')
    : `${textAt(nodes.name, network.a[i]!)} – ${textAt(nodes.name, network.b[i]!)}`);
  return (
    <PanelFrame model={model} title={t('List')}>
      <div class="tabs" role="group" aria-label={t('Kind')}>
        {tabs.map((tab) => (
          <button key={tab.kind} type="button" aria-pressed={kind.value === tab.kind}
            onClick={() => { kind.value = tab.kind; shown.value = step; }}>{t(tab.label)}</button>
        ))}
      </div>
      <SearchInput label={t('Name')} value={words.value}
        onInput={(text) => { words.value = text; shown.value = step; }} />
      <p class="muted" role="status">{number(total)}</p>
      <ul class="plain results">
        {rows.map((i) => (
          <li key={columns.number[i]}>
            <button type="button" class="row" onClick={() => {
              const chosen = { kind: kind.value, number: columns.number[i]! };
              model.pick(chosen.kind, chosen.number);
              chart.show(chosen);
            }}>
              <span>{textAt(columns.name, i)}<small>{about(i)}</small></span>
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && <button type="button" onClick={() => { shown.value += step; }}>{t('Show more')}</button>}
    </PanelFrame>
  );
}
