// What an import would change, before it does.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, query, type Page } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { attempt } from '../ui/notices.tsx';
import { ChangesTable } from './changes_table.tsx';

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
  log?: string;
}

interface Change {
  kind: string;
  id: string;
  name: string;
  action: 'created' | 'updated' | 'deleted';
  fields: { field: string; before: string | string[] | null; after: string | string[] | null }[];
}

const counts: { key: 'created' | 'updated' | 'deleted'; text: Text; icon: IconName }[] = [
  { key: 'created', text: '{n} would be added', icon: 'add' },
  { key: 'updated', text: '{n} would change', icon: 'refresh' },
  { key: 'deleted', text: '{n} would go', icon: 'trash' },
];
const actionText: Record<Change['action'], Text> = { created: 'Added', updated: 'Changed', deleted: 'Removed' };
const kindText: Record<string, Text> = {
  topology: 'Topology', institution: 'Institution', node: 'Node', link: 'Link',
};

export function PlanView({ plan, onApply, onDrop }: { plan: Plan; onApply: () => void; onDrop: () => void }) {
  return (
    <section class="plan" aria-label={t('Plan')}>
      <div class="card">
        <h2>{t('What would change')}{plan.name ? `: ${plan.name}` : ''}</h2>
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
      <Changes plan={plan} />
      {plan.log && <details><summary>{t('Log of the import')}</summary><pre class="log" tabIndex={0}>{plan.log}</pre></details>}
    </section>
  );
}

function Changes({ plan }: { plan: Plan }) {
  const items = useSignal<Change[]>([]);
  const next = useSignal<string | null>('');
  const load = () => void attempt(async () => {
    const page = await get<Page<Change>>(`plans/${plan.id}/changes${query({ cursor: next.value, limit: 50 })}`);
    items.value = [...items.value, ...page.items];
    next.value = page.next;
  });
  useEffect(load, [plan.id]);
  return (
    <>
      <ul class="plain changes-list">
        {items.value.map((change) => (
          <li key={`${change.kind} ${change.id}`} class={change.action}>
            <details>
              <summary>
                <span class="action">{t(actionText[change.action])}</span>
                <strong>{change.name || change.id}</strong>
                <small class="muted">{kindText[change.kind] ? t(kindText[change.kind]!) : change.kind} · {change.id}</small>
              </summary>
              <ChangesTable fields={change.fields.map(({ field, before, after }) => ({ name: field, old: before, new: after }))} />
            </details>
          </li>
        ))}
      </ul>
      {items.value.length > 0 && next.value && <button type="button" onClick={load}>{t('Show more')}</button>}
    </>
  );
}
