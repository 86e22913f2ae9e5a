// Receipts of deliveries: what each recipient was sent of the map, and the same bytes made again.
import { apiBase } from '../app/api.ts';
import type { Row, Section } from '../app/section.ts';
import { t, time, type Text } from '../i18n/index.ts';
import { bytes } from '../ui/bytes.ts';

const kinds: Record<string, Text> = { whole: 'The whole map', delta: 'What changed' };

const isSound = (row: Row) => row.damaged !== true;
const kindOf = (row: Row) => (isSound(row) ? t(kinds[String(row.kind)] ?? 'The whole map') : t('Damaged'));
// Without a token, as in development mode.
const recipientOf = (row: Row) => String(row.client ?? (isSound(row) ? t('Anybody') : '–'));
const lsnOf = (row: Row) => String(row.head ?? '–').split(':')[0]!;

export const receipts: Section = {
  key: 'receipts', title: 'Receipts', longTitle: 'What recipients were sent', singular: 'Receipt', icon: 'list', view: 'admin',
  list: {
    columns: [
      { name: 'number', label: 'Number' },
      { name: 'time', label: 'Time', cell: (row) => time(row.time as string | null) },
      { name: 'client', label: 'Recipient', cell: recipientOf },
      { name: 'kind', label: 'Kind', cell: kindOf },
      { name: 'head', label: 'LSN', narrow: true, cell: lsnOf },
      { name: 'view', label: 'View', cell: (row) => String(row.view ?? '–') },
      { name: 'bytes', label: 'Size', narrow: true, cell: (row) => (isSound(row) ? bytes(Number(row.bytes)) : '–') },
      { name: 'sha256', label: 'SHA-256', more: true },
    ],
    search: true,
    rowActions: [{
      label: 'Make it again from the journal', icon: 'download', shown: isSound,
      href: (row) => `${apiBase}receipts/${row.number}/bytes`,
    }],
  },
  form: {
    fields: [
      { name: 'time', label: 'Time', kind: 'fixed' },
      { name: 'client', label: 'Recipient', kind: 'fixed' },
      { name: 'kind', label: 'Kind', kind: 'fixed' },
      { name: 'from', label: 'From', kind: 'fixed' },
      { name: 'head', label: 'Head', kind: 'fixed' },
      { name: 'view', label: 'View', kind: 'fixed' },
      { name: 'view_sha256', label: 'SHA-256 of the view', kind: 'fixed' },
      { name: 'bytes', label: 'Size', kind: 'fixed' },
      { name: 'sha256', label: 'SHA-256', kind: 'fixed' },
      { name: 'version', label: 'Version', kind: 'fixed' },
    ],
  },
};
