// A transaction of the journal in words.
import { t, type Text } from '../i18n/index.ts';

export interface Transaction {
  lsn: number;
  time: string;
  actor: string;
  cause: string;
  source?: string;
  created?: number;
  updated?: number;
  deleted?: number;
}

const causes: Record<string, Text> = {
  import: 'Import', edit: 'Edit', rule: 'Rules', poll: 'Polling', publish: 'Publication', undo: 'Undo', setting: 'Setting',
  token: 'Token', account: 'Account', session: 'Session', source: 'GRENML Polling Source', upload: 'Upload',
  failed_import: 'Failed import', repair: 'Repair',
};

export const causeText = ({ cause }: { cause: string }): string => (causes[cause] ? t(causes[cause]) : cause);

export function whatText({ source, created = 0, updated = 0, deleted = 0 }: Transaction): string {
  const counts: [Text, number][] = [['{n} added', created], ['{n} changed', updated], ['{n} removed', deleted]];
  const parts = counts.filter(([, n]) => n > 0).map(([text, n]) => t(text, { n }));
  return [source, parts.join(', ')].filter(Boolean).join(': ') || '–';
}
