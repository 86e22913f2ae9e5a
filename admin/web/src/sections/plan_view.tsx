// What an import would change, before it does.
import type { GroupedChanges, Plan, PlanDetails, PlannedAgain, TopologyMove } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { t } from '../i18n/index.ts';
import { FileFormat } from '../ui/file_format.tsx';
import { Icon } from '../ui/icons.tsx';
import { LossesCard } from '../ui/losses.tsx';
import { UndoHint } from '../ui/undo_hint.tsx';
import { PlanDifferences } from './plan_differences.tsx';
import { pageQuery, type LoadChanges } from './change_groups.ts';
import { PlannedChangesView } from './planned_changes.tsx';
import { CountsOf, ExportStops, stopsExport } from './preview.tsx';

// A line of the log of each plan whose fields were counted.
export const countedLosses = 'fields of the file: ';

// A list does not say all of a plan, and one that can only be planned again says no more.
export type ShownPlan = Plan & Partial<PlanDetails>;

interface Props {
  plan: ShownPlan;
  differences: PlannedAgain | null; // from the plan in whose place it was made
  onApply: () => void;
  onAgain: () => void;
  onDrop: () => void;
}

export function PlanView({ plan, differences, onApply, onAgain, onDrop }: Props) {
  return (
    <section class="plan" aria-label={t('Plan')}>
      {differences && <PlanDifferences differences={differences} />}
      <div class="card">
        <h2>{t('Preview')}{plan.name ? `: ${plan.name}` : ''}</h2>
        <ExportStops state={plan.export} />
        <PlaceOf plan={plan} />
        <p class="muted">{t('Format')}: <FileFormat of={plan} /></p>
        {plan.held_because && <p class="error"><Icon name="cut" /> {plan.held_because}</p>}
        {plan.elements === 0 ? <p>{t('Nothing would change: the map already is as the file says.')}</p> : <CountsOf changes={plan} />}
        {plan.stale && <Stale plan={plan} />}
        <div class="buttons">
          {plan.stale
            ? <button type="button" class="primary" onClick={onAgain}><Icon name="refresh" />{t('Plan again')}</button>
            : <ApplyButton plan={plan} onApply={onApply} />}
          <button type="button" onClick={onDrop}>{t('Discard')}</button>
        </div>
        {!plan.stale && <UndoHint />}
      </div>
      {(plan.elements ?? 0) > 0 && <ChangesOfPlan plan={plan} />}
      {plan.log?.includes(countedLosses) && <LossesCard at={`plans/${plan.id}/losses`} all="All that the file says is in the map." />}
      {plan.log && <details><summary>{t('Log of the import')}</summary><pre class="log" tabIndex={0}>{plan.log}</pre></details>}
    </section>
  );
}

// All of a plan at once: its map stands beside the list where there is room.
function ChangesOfPlan({ plan }: { plan: ShownPlan }) {
  const load: LoadChanges = (page) => get<GroupedChanges>(`plans/${plan.id}/changes${pageQuery(page)}`);
  const { value: changes, problem } = useLoaded(plan, () => load({ limit: 1 }));
  if (!changes) return <Waiting problem={problem} />;
  return <PlannedChangesView of={plan} groups={changes.groups} load={load} beside />;
}

// Red, and with what it takes away, where it takes something away or stops the export.
function ApplyButton({ plan, onApply }: { plan: ShownPlan; onApply: () => void }) {
  const { moves = [], deleted } = plan;
  const leaves = moves.some((move) => move.leaves_export);
  const text = leaves ? t('Apply and leave the export') : deleted > 0 ? t('Apply and remove {n}', { n: deleted }) : t('Apply');
  return <button type="button" class={leaves || deleted > 0 || stopsExport(plan) ? 'danger' : 'primary'} onClick={onApply}>{text}</button>;
}

// The server's own words where it names no elements.
function Stale({ plan: { stale, moved_count: moved = 0 } }: { plan: ShownPlan }) {
  return (
    <p class="stops" role="alert">
      <Icon name="cut" /> <strong>{t('The map has changed since this plan was made, so it cannot be applied.')}</strong>{' '}
      {moved > 0 ? t('It would do something else now to {n} elements.', { n: moved }) : stale}
    </p>
  );
}

function moveText({ topology: { name }, from, to }: TopologyMove): string {
  if (!from) return t('{name} moves: from the top level to below {to}.', { name, to: to?.name ?? '' });
  if (!to) return t('{name} moves: from below {from} to the top level.', { name, from: from.name });
  return t('{name} moves: from below {from} to below {to}.', { name, from: from.name, to: to.name });
}

// Below which topology the network goes; in red when it is moved.
function PlaceOf({ plan: { moves = [], parent_name: parent, update } }: { plan: ShownPlan }) {
  if (update) return <p class="muted">{t('Values of elements of')}: {parent}</p>;
  if (moves.length === 0) return <p class="muted">{t('Parent topology')}: {parent ?? t('none (top level)')}</p>;
  return (
    <>
      {moves.map((move) => (
        <p key={move.topology.id} class="stops" role="alert">
          <Icon name="cut" /> <strong>{moveText(move)}</strong>{' '}
          {move.leaves_export && t('It will no longer be exported to peers.')}{' '}
          {t('To keep it where it is, discard this and leave “Parent topology” as preselected.')}
        </p>
      ))}
    </>
  );
}
