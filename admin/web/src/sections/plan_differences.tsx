// What a plan that was made again does otherwise than the former one.
import { t } from '../i18n/index.ts';
import { actionText, type Change } from './changes_list.tsx';
import { ChangesTable } from './changes_table.tsx';
import { kindText } from './kinds.ts';

export interface Differences {
  differences: Difference[]; // the first ones
  difference_count: number; // of all
}
interface Difference {
  kind: string;
  id: string;
  planned: Effect | null; // null: nothing
  now: Effect | null;
}
type Effect = Pick<Change, 'name' | 'action' | 'fields'>;

const shownMax = 100;

export function PlanDifferences({ differences: { differences, difference_count: count } }: { differences: Differences }) {
  const shown = differences.slice(0, shownMax);
  return (
    <section class="card" aria-label={t('What differs from the former plan')}>
      <h2>{t('What differs from the former plan')}</h2>
      <p role="status">{count === 0 ? t('Nothing differs.') : t('{n} elements differ.', { n: count })}</p>
      {count > 0 && (
        <ul class="plain changes-list">
          {shown.map((difference) => <Line key={`${difference.kind} ${difference.id}`} difference={difference} />)}
          {count > shown.length && <li>{t('and {n} more', { n: count - shown.length })}</li>}
        </ul>
      )}
    </section>
  );
}

function Line({ difference: { kind, id, planned, now } }: { difference: Difference }) {
  return (
    <li class={(now ?? planned)?.action}>
      <details>
        <summary>
          <strong>{now?.name || planned?.name || id}</strong>
          <small class="muted">{kindText(kind)} · {id}</small>{' '}
          {t('Planned')}: {actionOf(planned)} → {t('Now')}: <strong>{actionOf(now)}</strong>
        </summary>
        <Fields title={t('Planned')} effect={planned} />
        <Fields title={t('Now')} effect={now} />
      </details>
    </li>
  );
}

const actionOf = (effect: Effect | null) => (effect ? t(actionText[effect.action]) : t('nothing'));

function Fields({ title, effect }: { title: string; effect: Effect | null }) {
  if (!effect || effect.fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ChangesTable fields={effect.fields.map(({ field, before = null, after = null }) => ({ name: field, old: before, new: after }))} />
    </>
  );
}
