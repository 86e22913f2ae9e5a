// What an import would change, before it does.
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ChangesList } from './changes_list.tsx';

export interface Plan {
  id: string | number;
  state?: 'planning' | 'ready' | 'held' | 'failed';
  name?: string;
  message?: string;
  held_because?: string;
  planned_at?: string;
  created: number;
  updated: number;
  deleted: number;
  parent_name?: string; // of the topology that it goes below; none: the top level
  moves?: Move[];
  log?: string;
}

// A topology that gets another parent; null: the top level.
interface Move {
  topology: Named;
  from: Named | null;
  to: Named | null;
  leaves_export: boolean;
}
interface Named {
  id: string;
  name: string;
}

const counts: { key: 'created' | 'updated' | 'deleted'; text: Text; icon: IconName }[] = [
  { key: 'created', text: '{n} would be added', icon: 'add' },
  { key: 'updated', text: '{n} would change', icon: 'refresh' },
  { key: 'deleted', text: '{n} would go', icon: 'trash' },
];

export function PlanView({ plan, onApply, onDrop }: { plan: Plan; onApply: () => void; onDrop: () => void }) {
  return (
    <section class="plan" aria-label={t('Plan')}>
      <div class="card">
        <h2>{t('What would change')}{plan.name ? `: ${plan.name}` : ''}</h2>
        <PlaceOf plan={plan} />
        {plan.held_because && <p class="error"><Icon name="cut" /> {plan.held_because}</p>}
        <ul class="plain counts">
          {counts.map(({ key, text, icon }) => (
            <li key={key} class={key}><Icon name={icon} />{t(text, { n: plan[key] })}</li>
          ))}
        </ul>
        <div class="buttons">
          <button type="button" class="primary" onClick={onApply}>{t('Apply')}</button>
          <button type="button" onClick={onDrop}>{t('Discard')}</button>
        </div>
      </div>
      <ChangesList address={`plans/${plan.id}/changes`} />
      {plan.log && <details><summary>{t('Log of the import')}</summary><pre class="log" tabIndex={0}>{plan.log}</pre></details>}
    </section>
  );
}

// Where the network goes; in red when it leaves its place.
function PlaceOf({ plan: { moves = [], parent_name: parent } }: { plan: Plan }) {
  if (moves.length === 0) {
    return <p class="muted">{parent ? t('Place: below {parent}', { parent }) : t('Place: the top level')}</p>;
  }
  const name = (topology: Named | null) => topology?.name ?? t('top level');
  return (
    <>
      {moves.map(({ topology, from, to, leaves_export: leaves }) => (
        <p key={topology.id} class="stops" role="alert">
          <Icon name="cut" /> <strong>{t('{name} changes its place: {from} → {to}.', { name: topology.name, from: name(from), to: name(to) })}</strong>{' '}
          {leaves && t('It will no longer be exported.')}
        </p>
      ))}
    </>
  );
}
