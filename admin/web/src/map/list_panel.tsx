// The same as on the map, as text: for those who do not see it, and for those who like lists.
import { useSignal, type Signal } from '@preact/signals';
import { number, t, type Text } from '../i18n/index.ts';
import { SearchInput } from '../ui/search_input.tsx';
import type { Chart } from './chart.ts';
import { textAt } from './columns.ts';
import type { MapModel } from './model.ts';
import type { Mask, Network } from './network.ts';
import { PanelFrame } from './panel.tsx';

const step = 200;
type Kind = 'nodes' | 'links';
const tabs: { kind: Kind; label: Text }[] = [
  { kind: 'nodes', label: 'Nodes' }, { kind: 'links', label: 'Links' },
];

export function ListPanel({ model, chart }: { model: MapModel; chart: Chart }) {
  const kind = useSignal<Kind>('nodes');
  const words = useSignal('');
  const shown = useSignal(step);
  const { value: network } = model.network;
  const { value: mask } = model.mask;
  if (!network || !mask) return null;
  const pick = (chosen: number) => {
    model.pick(kind.value, chosen);
    chart.show({ kind: kind.value, number: chosen });
  };
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
      {model.hasTexts
        ? <Results network={network} mask={mask} kind={kind.value} words={words.value} shown={shown} onPick={pick} />
        : <p class="muted" role="status">{t('Loading …')}</p>}
    </PanelFrame>
  );
}

interface ResultsProps {
  network: Network;
  mask: Mask;
  kind: Kind;
  words: string;
  shown: Signal<number>;
  onPick: (number: number) => void;
}

function Results({ network, mask, kind, words, shown, onPick }: ResultsProps) {
  const { nodes } = network.columns;
  const columns = network.columns[kind];
  const wanted = words.trim().toLowerCase();
  const rows: number[] = [];
  let total = 0;
  for (let i = 0; i < columns.number.length; i++) {
    const isHidden = columns.number[i] === 0 || mask[kind][i] === 0;
    if (isHidden || (wanted && !textAt(columns.name, i).toLowerCase().includes(wanted))) continue;
    total += 1;
    if (rows.length < shown.value) rows.push(i);
  }
  const about = (i: number) => (kind === 'nodes'
    ? [nodes.latitude[i], nodes.longitude[i]].filter((degrees) => !Number.isNaN(degrees)).join(', ')
    : `${textAt(nodes.name, network.a[i]!)} – ${textAt(nodes.name, network.b[i]!)}`);
  return (
    <>
      <p class="muted" role="status">{number(total)}</p>
      <ul class="plain results">
        {rows.map((i) => (
          <li key={columns.number[i]}>
            <button type="button" class="row" onClick={() => onPick(columns.number[i]!)}>
              <span>{textAt(columns.name, i)}<small>{about(i)}</small></span>
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && <button type="button" onClick={() => { shown.value += step; }}>{t('Show more')}</button>}
    </>
  );
}
