// What if: nodes and links that are assumed to have failed, and who would be cut off or left with
// a single path. Nothing is changed by it.
import { number, t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import type { Chart } from './chart.ts';
import type { Kind, MapModel } from './model.ts';
import { PanelFrame } from './panel.tsx';
import { failureColours } from './styles.ts';
import { Key } from './time_line.tsx';

interface Props {
  model: MapModel;
  chart: Chart;
}

export function FailurePanel({ model, chart }: Props) {
  const { nodes, links } = model.failed.value;
  const marked: { kind: 'nodes' | 'links'; number: number }[] = [
    ...nodes.map((one) => ({ kind: 'nodes' as const, number: one })),
    ...links.map((one) => ({ kind: 'links' as const, number: one })),
  ];
  return (
    <PanelFrame model={model} title={t('What if')}>
      <p class="muted">{t('Choose nodes and links on the map, or in the search, that are assumed to have failed.')}</p>
      <ul class="plain failed" data-first tabIndex={-1}>
        {marked.map(({ kind, number: one }) => (
          <li key={`${kind} ${one}`} class="chip">
            {model.nameOf(kind, one)}
            <button type="button" class="quiet" aria-label={t('Remove {name}', { name: model.nameOf(kind, one) })}
              onClick={() => void model.toggleFailed(kind, one)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {marked.length > 0 && <button type="button" class="small" onClick={() => model.repairAll()}>{t('Clear simulated failures')}</button>}
      <Outcome model={model} chart={chart} />
    </PanelFrame>
  );
}

function Outcome({ model, chart }: Props) {
  const { value: outcome } = model.outcome;
  if (!outcome) return null;
  const colours = failureColours(model.dark.value);
  const { cut_off: cutOff, newly_single_path: single } = outcome;
  return (
    <div role="status">
      <p><strong>{t('Simulated')}</strong> · {outcome.components_after > outcome.components_before
        ? t('The network falls into {after} separate parts instead of {before}', {
          before: outcome.components_before, after: outcome.components_after,
        })
        : t('The network does not fall apart')}</p>
      <p class="keys-of-map">
        <Key colour={colours.failed} text={t('Failed')} dashes={[5, 4]} node />
        <Key colour={colours.cutOff} text={t('Cut off')} node />
        <Key colour={colours.single} text={t('New only path')} node />
      </p>
      <Names model={model} chart={chart} title={`${t('Institutions cut off')}: ${number(cutOff.institutions.length)}`} kind="institutions" numbers={cutOff.institutions} />
      <Names model={model} chart={chart} title={`${t('Nodes cut off')}: ${number(cutOff.nodes.length)}`} kind="nodes" numbers={cutOff.nodes} />
      <Names model={model} chart={chart} title={`${t('Links that newly become the only path')}: ${number(single.links.length)}`} kind="links" numbers={single.links} />
      <Names model={model} chart={chart} title={`${t('Nodes that newly become the only path')}: ${number(single.nodes.length)}`} kind="nodes" numbers={single.nodes} />
      <p class="muted">{t('Those that already are the only path today are not counted.')}</p>
    </div>
  );
}

const namesMax = 100;

function Names({ model, chart, title, kind, numbers }: Props & { title: string; kind: Kind; numbers: number[] }) {
  return (
    <details open={numbers.length > 0 && numbers.length <= 12}>
      <summary>{title}</summary>
      <ul class="plain">
        {numbers.slice(0, namesMax).map((one) => (
          <li key={one}>
            <button type="button" class="text-link" onClick={() => chart.show({ kind, number: one })}>{model.nameOf(kind, one)}</button>
          </li>
        ))}
      </ul>
      {numbers.length > namesMax && <p class="muted">{t('and {n} more', { n: numbers.length - namesMax })}</p>}
    </details>
  );
}
