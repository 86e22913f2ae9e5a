// A transaction of the journal in words.
import { t, type Text } from '../i18n/index.ts';
import { actionText, type Action } from './changes_list.tsx';
import { kindText } from './kinds.ts';
import type { Counts } from './preview.tsx';

export interface Transaction extends Partial<Counts> {
  lsn: number;
  committed: boolean;
  reason?: string; // of one that was aborted, which has nothing of what follows
  time?: string;
  effective_time?: string;
  actor?: string;
  cause?: string;
  source?: string;
  request_id?: string;
  file_hash?: string | null;
  undoable: boolean;
  examples?: { kind: string; id: string; name: string; action: Action }[]; // of a small one
}

const causes: Record<string, Text> = {
  import: 'Import', edit: 'Edit', rule: 'Rules', poll: 'Polling', publish: 'Publication', undo: 'Undone', setting: 'Setting',
  token: 'Token', account: 'Account', session: 'Session', source: 'GRENML Polling Source', upload: 'Upload',
  failed_import: 'Failed import', repair: 'Repair',
};
export const causeChoices = Object.entries(causes).map(([value, label]) => ({ value, label }));

export const causeText = ({ cause = '' }: { cause?: string }): string => (causes[cause] ? t(causes[cause]) : cause);

const countTexts: [keyof Counts, Text][] = [['created', '{n} added'], ['updated', '{n} changed'], ['deleted', '{n} removed']];

export const affected = (counts: Partial<Counts>): string =>
  countTexts.map(([key, text]) => ({ text, n: counts[key] ?? 0 })).filter(({ n }) => n > 0)
    .map(({ text, n }) => t(text, { n })).join(', ') || t('Nothing was changed.');

export function whatText(transaction: Transaction): string {
  const { committed, reason, source, examples = [], created = 0, updated = 0, deleted = 0 } = transaction;
  if (!committed) return `${t('Aborted')}: ${reason ?? ''}`;
  const total = created + updated + deleted;
  if (examples.length > 0 && examples.length >= total) {
    return examples.map(({ kind, name, action }) => `${t(actionText[action])}: ${kindText(kind)} ${name}`).join(', ');
  }
  return [source, total > 0 ? affected(transaction) : ''].filter(Boolean).join(': ') || '–';
}
