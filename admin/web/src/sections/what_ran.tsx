// What rules do, or did, to the map.
import type { Counts, Ran, RuleEffect } from '../../generated/api.ts';
import { t } from '../i18n/index.ts';
import { affected } from './transactions.ts';

const changesNothing = ({ created, updated, deleted }: Counts) => created + updated + deleted === 0;

// A sentence for the notice about what made rules run.
export const ranText = (ran: Ran): string => (changesNothing(ran)
  ? t('{n} rules ran and changed nothing on the map.', { n: ran.rule_count })
  : `${t('{n} rules ran:', { n: ran.rule_count })} ${affected(ran)}.`);

export const savedText = (name: string, ran?: Ran): string =>
  [t('Saved: {name}', { name }), ran && ranText(ran)].filter(Boolean).join('. ');

export function RulesThatAct({ rules }: { rules: RuleEffect[] }) {
  const acting = rules.filter(({ problem }) => problem === null);
  if (acting.length === 0) return null;
  return (
    <ul class="plain" aria-label={t('Rules')}>
      {acting.map(({ number, name, changed }) => (
        <li key={number}><strong>{name}</strong>: {t('changes {n} records', { n: changed })}</li>
      ))}
    </ul>
  );
}
