// A transaction of the journal in words.
import type { Activity, Counts } from '../../generated/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { actionText } from './changes_list.tsx';
import { kindText } from './kinds.ts';

const causes: Record<string, Text> = {
  import: 'Import', edit: 'Edit', rule: 'Rules', poll: 'Polling', publish: 'Publication', undo: 'Undone', setting: 'Setting',
  token: 'Token', account: 'Account', session: 'Session', source: 'Polling source', upload: 'Upload',
  failed_import: 'Failed import', repair: 'Repair',
};
export const causeChoices = Object.entries(causes).map(([value, label]) => ({ value, label }));

export const causeText = ({ cause = '' }: { cause?: string }): string => (causes[cause] ? t(causes[cause]) : cause);

const countTexts: [keyof Counts, Text][] = [['created', '{n} added'], ['updated', '{n} changed'], ['deleted', '{n} removed']];

export const affected = (counts: Partial<Counts>): string =>
  countTexts.map(([key, text]) => ({ text, n: counts[key] ?? 0 })).filter(({ n }) => n > 0)
    .map(({ text, n }) => t(text, { n })).join(', ') || t('Nothing was changed.');

export function whatText(transaction: Activity): string {
  const { committed, reason, source, examples, created = 0, updated = 0, deleted = 0 } = transaction;
  if (!committed) return `${t('Aborted')}: ${reason ?? ''}`;
  const total = created + updated + deleted;
  if (examples.length > 0 && examples.length >= total) {
    return examples.map(({ kind, name, action }) => `${t(actionText[action])}: ${kindText(kind)} ${name}`).join(', ');
  }
  return [source, total > 0 ? affected(transaction) : ''].filter(Boolean).join(': ') || '–';
}
