// Which tags and which topology are shown.
import { t } from '../i18n/index.ts';
import { rowsOf, type Lists } from './columns.ts';
import type { MapModel } from './model.ts';
import { PanelFrame } from './panel.tsx';

export function FilterPanel({ model }: { model: MapModel }) {
  const { value: columns } = model.columns;
  const { value: filter } = model.filter;
  if (!columns) return null;
  const { allowedNodeTags, allowedLinkTags } = model.options;
  return (
    <PanelFrame model={model} title={t('Filter')}>
      <Topologies model={model} />
      <Tags title={t('Node tags')} tags={columns.tags} used={columns.nodes.tags} allowed={allowedNodeTags ?? null}
        chosen={filter.nodeTags} onChange={(nodeTags) => model.setFilter({ nodeTags })} />
      <Tags title={t('Link tags')} tags={columns.tags} used={columns.links.tags} allowed={allowedLinkTags ?? null}
        chosen={filter.linkTags} onChange={(linkTags) => model.setFilter({ linkTags })} />
      <button type="button" onClick={() => model.clearFilter()}>{t('Remove all filters')}</button>
    </PanelFrame>
  );
}

function Topologies({ model }: { model: MapModel }) {
  const { topologies } = model.columns.value!;
  const { topology } = model.filter.value;
  const depthOf = (place: number): number => {
    let depth = 0;
    for (let at = topologies.parent[place]!; at >= 0 && depth < 20; at = topologies.parent[at]!) depth += 1;
    return depth;
  };
  return (
    <label class="stacked">{t('Topology')}
      <select value={topology ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          model.setFilter({ topology: value === '' ? null : Number(value) });
        }}>
        <option value="">{t('All')}</option>
        {topology !== null && !topologies.number.includes(topology) && <option value={topology}>{`#${topology}`}</option>}
        {topologies.name.map((name, place) => (
          <option key={place} value={topologies.number[place]}>{`${'\u00a0\u00a0'.repeat(depthOf(place))}${name}`}</option>
        ))}
      </select>
    </label>
  );
}

interface TagsProps {
  title: string;
  tags: string[];
  used: Lists;
  allowed: string[] | null;
  chosen: ReadonlySet<string>;
  onChange: (chosen: Set<string>) => void;
}

function Tags({ title, tags, used, allowed, chosen, onChange }: TagsProps) {
  const counts = new Map<number, number>();
  const rows = rowsOf(used);
  used.distinct.forEach((own, place) => { for (const tag of own) counts.set(tag, (counts.get(tag) ?? 0) + rows[place]!); });
  const offered = [...counts].filter(([, count]) => count > 0).map(([tag, count]) => ({ name: tags[tag]!, count }))
    .filter(({ name }) => !allowed || allowed.includes(name))
    .sort((a, b) => a.name.localeCompare(b.name));
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <fieldset>
      <legend>{title}</legend>
      {offered.length === 0 && <p class="muted">–</p>}
      {offered.map(({ name, count }) => (
        <label key={name} class="tick">
          <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
          <span>{name}</span><small>{count}</small>
        </label>
      ))}
    </fieldset>
  );
}
