// What a plan that was made again does otherwise than at first, and what was changed on the map since.
import type { Change, FieldValue, PlanDifference, PlannedAgain } from '../../generated/api.ts';
import { t } from '../i18n/index.ts';
import { actionText } from './changes_list.tsx';
import { fieldText, textOf } from './changes_table.tsx';
import { kindText } from './kinds.ts';

type Effect = Pick<Change, 'name' | 'action' | 'fields'>;

const shownMax = 100;

export function PlanDifferences({ differences: { differences, difference_count: count } }: { differences: PlannedAgain }) {
  const shown = differences.slice(0, shownMax);
  return (
    <section class="card" aria-label={t('What is different from the first plan')}>
      <h2>{t('What is different from the first plan')}</h2>
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

function Line({ difference: { kind, id, planned, now } }: { difference: PlanDifference }) {
  return (
    <li class={(now ?? planned)?.action}>
      <details>
        <summary>
          <strong>{now?.name || planned?.name || id}</strong>
          <small class="muted">{kindText(kind)} · {id}</small>{' – '}
          {planned?.action === now?.action ? t('changed on the map since the first plan')
            : <>{t('Planned')}: {actionOf(planned)} → {t('Now')}: <strong>{actionOf(now)}</strong></>}
        </summary>
        <Fields planned={planned} now={now} />
      </details>
    </li>
  );
}

const actionOf = (effect: Effect | null) => (effect ? t(actionText[effect.action]) : t('nothing'));

interface Row {
  field: string;
  then: FieldValue; // on the map when it was planned first
  now: FieldValue; // on the map
  after: FieldValue; // the import
}

// What a plan does not change is as the file says already.
export function rowsOf(planned: Effect | null, now: Effect | null): Row[] {
  const fields = [planned, now].map((effect) => new Map((effect?.fields ?? []).map((field) => [field.field, field])));
  const [first, second] = fields as [Map<string, Effect['fields'][number]>, Map<string, Effect['fields'][number]>];
  return [...new Set([...first.keys(), ...second.keys()])].map((field) => {
    const after = (second.get(field) ?? first.get(field))?.after ?? null;
    const before = (plan: typeof first) => (plan.has(field) ? plan.get(field)?.before ?? null : after);
    return { field, then: before(first), now: before(second), after };
  });
}

function Fields({ planned, now }: Pick<PlanDifference, 'planned' | 'now'>) {
  return (
    <table class="changes">
      <thead>
        <tr><th>{t('Field')}</th><th>{t('When first planned')}</th><th>{t('On the map now')}</th><th>{t('After the import')}</th></tr>
      </thead>
      <tbody>
        {rowsOf(planned, now).map(({ field, then, now: present, after }) => (
          <tr key={field}>
            <th scope="row">{fieldText(field)}</th>
            {[then, present].map((value, index) => <td key={index}>{textOf(value) ?? '–'}</td>)}
            <td>{after === null ? '–' : <ins>{textOf(after)}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
