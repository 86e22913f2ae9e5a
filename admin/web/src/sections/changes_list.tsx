// What something changes or changed: elements and entries, each with its fields before and after.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Action, Change, ChangeList } from '../../generated/api.ts';
import { get, query } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { attempt } from '../ui/notices.tsx';
import { ChangesTable } from './changes_table.tsx';
import { collectionOfKind, kindText } from './kinds.ts';

export type Changes = Pick<ChangeList, 'items' | 'next'>;

export const actionText: Record<Action, Text> = { created: 'Added', updated: 'Changed', deleted: 'Removed' };

const pageSize = 50;

// Pages of what `address` lists.
export const changesAt = (address: string) => (cursor: string | null) =>
  get<Changes>(`${address}${query({ cursor, limit: pageSize })}`);

interface Props {
  of: unknown; // says what is listed; another one begins anew
  load: (cursor: string | null) => Promise<Changes>;
}

export function ChangesList({ of, load }: Props) {
  const items = useSignal<Change[]>([]);
  const next = useSignal<string | null>(null);
  const shown = useRef(0); // counts; an answer for what is no longer shown comes too late
  const more = (cursor: string | null) => void attempt(async () => {
    const mine = shown.current;
    const page = await load(cursor);
    if (mine !== shown.current) return;
    items.value = cursor === null ? page.items : [...items.value, ...page.items];
    next.value = page.next;
  });
  useEffect(() => {
    shown.current += 1;
    more(null);
  }, [of]);
  return (
    <>
      <ul class="plain changes-list">
        {items.value.map((change, index) => (
          <li key={`${index} ${change.kind} ${change.id}`} class={change.action}>
            <details>
              <summary>
                <span class="action">{t(actionText[change.action])}</span>
                <strong>{change.name || change.id}</strong>
                <small class="muted">{kindText(change.kind)} · {change.id}</small>
              </summary>
              <Links change={change} />
              <ChangesTable fields={change.fields.map(({ field, before = null, after = null, secret = false }) =>
                ({ name: field, old: before, new: after, secret }))} />
            </details>
          </li>
        ))}
      </ul>
      {next.value && <button type="button" onClick={() => more(next.value)}>{t('Show more')}</button>}
    </>
  );
}

function Links({ change: { kind, record, number } }: { change: Change }) {
  if (record === undefined) return null;
  return (
    <p class="links">
      {number && <a href={`/admin/${collectionOfKind(kind)}/${number}/`}>{t('Show the record')}</a>}
      <a href={`/admin/history/${record}/`}>{t('History')}</a>
    </p>
  );
}
