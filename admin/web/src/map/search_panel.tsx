// Finds nodes, links and institutions by name or identifier.
import { useSignal } from '@preact/signals';
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { SearchInput } from '../ui/search_input.tsx';
import type { Chart } from './chart.ts';
import { textAt, textsOf, type Columns } from './columns.ts';
import type { Kind, MapModel } from './model.ts';
import { PanelFrame } from './panel.tsx';

export interface Found {
  kind: Kind;
  number: number;
  name: string;
  id: string;
}

const kinds: Kind[] = ['nodes', 'institutions', 'links'];
const foundMax = 40;
export const kindIcons: Record<Kind, IconName> = { nodes: 'node', links: 'link', institutions: 'institution' };
export const kindTexts: Record<Kind, Text> = { nodes: 'Node', links: 'Link', institutions: 'Institution' };

// Names that begin with the words come first.
export function find(columns: Columns, words: string): Found[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  const front: Found[] = [];
  const rest: Found[] = [];
  for (const kind of kinds) {
    const { number, name, id } = textsIn(columns, kind);
    for (let i = 0; i < number.length && front.length < foundMax; i++) {
      const lower = textAt(name, i).toLowerCase();
      const found = () => ({ kind, number: number[i]!, name: textAt(name, i), id: textAt(id, i) });
      if (lower.startsWith(wanted)) front.push(found());
      else if (rest.length < foundMax && (lower.includes(wanted) || textAt(id, i).toLowerCase().includes(wanted))) rest.push(found());
    }
  }
  return [...front, ...rest].slice(0, foundMax);
}

function textsIn(columns: Columns, kind: Kind) {
  if (kind !== 'institutions') return columns[kind];
  const { number, name, id } = columns.institutions;
  return { number, name: textsOf(name), id: textsOf(id) };
}

export function SearchPanel({ model, chart }: { model: MapModel; chart: Chart }) {
  const words = useSignal('');
  const columns = model.hasTexts ? model.withTexts.value : null; // not those of the map before
  const found = columns ? find(columns, words.value) : [];
  return (
    <PanelFrame model={model} title={t('Search')}>
      <SearchInput label={t('Name or identifier')} value={words.value} onInput={(text) => { words.value = text; }} />
      <ul class="plain results" role="list">
        {found.map((item) => (
          <li key={`${item.kind} ${item.number}`}>
            <button type="button" class="row" onClick={() => {
              model.select({ kind: item.kind, number: item.number });
              chart.show(item);
            }}>
              <Icon name={kindIcons[item.kind]} label={t(kindTexts[item.kind])} />
              <span>{item.name}<small>{item.id}</small></span>
            </button>
          </li>
        ))}
      </ul>
      {words.value && found.length === 0 && <p class="muted" role="status">{columns ? t('Nothing found') : t('Loading …')}</p>}
    </PanelFrame>
  );
}
