// What is known of the selected element, at the right side of the map.
import type { ComponentChildren } from 'preact';
import type { Reference } from '../../generated/api.ts';
import { mayAs, session } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import type { Chart } from './chart.ts';
import type { Details } from './client.ts';
import type { Kind, MapModel } from './model.ts';
import { WebLink } from './owners_panel.tsx';
import { MoveButtons } from './schematic/move_buttons.tsx';

const titles: Record<Kind, Text> = {
  nodes: 'Node Details', links: 'Link Details', institutions: 'Institution Details',
};

interface Props {
  model: MapModel;
  chart: Chart | null;
  editing: boolean;
}

export function Drawer({ model, chart, editing }: Props) {
  const { value: selection } = model.selection;
  if (!selection) return null;
  const { value: details } = model.details;
  const { kind, number } = selection;
  return (
    <aside class="map-drawer" aria-label={t(titles[kind])} aria-live="polite">
      <header>
        <h2>{t(titles[kind])}</h2>
        <button type="button" class="quiet" aria-label={t('Close')} onClick={() => model.select(null)}><Icon name="close" /></button>
      </header>
      {!details
        ? <p class="muted" aria-busy="true">{t('Loading …')}</p>
        : <Content model={model} kind={kind} details={details} />}
      {chart && kind === 'nodes' && model.schematic.isShown.value && <MoveButtons model={model} chart={chart} number={number} />}
      <div class="drawer-actions">
        <button type="button" onClick={() => chart?.show(selection)}><Icon name="zoom" />{t('Zoom to it')}</button>
        {kind !== 'institutions' && (
          <button type="button" onClick={() => {
            model.select(null);
            if (model.panel.value !== 'failure') model.openPanel('failure');
            void model.toggleFailed(kind, number);
          }}>
            <Icon name="cut" />{t('What if it fails?')}
          </button>
        )}
        {editing && session.value?.signed_in && (
          <a class="button" href={`/admin/${kind}/${number}/`}>{mayAs('editor') ? t('Edit') : t('Show the record')}</a>
        )}
      </div>
    </aside>
  );
}

function Content({ model, kind, details }: { model: MapModel; kind: Kind; details: Details }) {
  return (
    <div class="drawer-body">
      <h3>{details.name}</h3>
      <p class="muted id">{details.id}</p>
      {details.description && <p>{details.description}</p>}
      {details.tags.length > 0 && <p>{details.tags.map((tag) => <span key={tag} class="tag">{tag}</span>)}</p>}
      {details.throughput && <Part title={t('Throughput')}>{`${details.throughput} Gbps`}</Part>}
      <People model={model} kind="nodes" title={t('Between')} people={details.ends} />
      <People model={model} kind="institutions" title={t('Connected')} people={details.connected_owners} />
      <People model={model} kind="institutions" title={kind === 'links' ? t('Owners') : t('Managed by')} people={details.owners} />
      {details.url && <WebLink url={details.url} />}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return <><h4>{title}</h4><p>{children}</p></>;
}

function People({ model, kind, title, people }: { model: MapModel; kind: Kind; title: string; people: Reference[] | undefined }) {
  if (!people?.length) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="plain">
        {people.map((one) => (
          <li key={one.number}>
            <button type="button" class="text-link" onClick={() => { model.selection.value = { kind, number: one.number }; }}>{one.name}</button>
          </li>
        ))}
      </ul>
    </>
  );
}
