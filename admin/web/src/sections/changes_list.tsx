// Elements that something would change, each with its fields before and after.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, query, type Page } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { attempt } from '../ui/notices.tsx';
import { ChangesTable } from './changes_table.tsx';

interface Change {
  kind: string;
  id: string;
  name: string;
  action: 'created' | 'updated' | 'deleted';
  fields: { field: string; before: string | string[] | null; after: string | string[] | null }[];
}

const actionText: Record<Change['action'], Text> = { created: 'Added', updated: 'Changed', deleted: 'Removed' };
const kindText: Record<string, Text> = {
  topology: 'Topology', institution: 'Institution', node: 'Node', link: 'Link',
};

// `address`: what lists them, page by page.
export function ChangesList({ address }: { address: string }) {
  const items = useSignal<Change[]>([]);
  const next = useSignal<string | null>('');
  const load = () => void attempt(async () => {
    const page = await get<Page<Change>>(`${address}${query({ cursor: next.value, limit: 50 })}`);
    items.value = [...items.value, ...page.items];
    next.value = page.next;
  });
  useEffect(load, [address]);
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
