// Published database snapshots: what an administrator fixed by name, to be polled or downloaded.
import { apiBase } from '../app/api.ts';
import type { Row, Section } from '../app/section.ts';
import { time } from '../i18n/index.ts';
import { State } from './state.tsx';

const isReady = (row: Row) => (row.state ?? 'success') === 'success';

export const publications: Section = {
  key: 'publications', title: 'Snapshots', longTitle: 'Published Database Snapshots', singular: 'Snapshot', icon: 'publish',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'version', label: 'Version', sort: true },
      { name: 'time', label: 'Time', sort: true, cell: (row) => time(row.time as string) },
      { name: 'state', label: 'State', cell: (row) => <State value={String(row.state ?? 'success')} /> },
      { name: 'failure', label: 'Message', cell: (row) => (row.failure ? String(row.failure) : '–') },
      { name: 'description', label: 'Description' },
    ],
    search: true, live: ['change'],
    rowActions: [{
      label: 'Download', icon: 'download', shown: isReady,
      href: (row) => `${apiBase}publications/${row.number}/download`,
    }],
  },
  form: {
    add: 'editor',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 128 },
      { name: 'description', label: 'Description', kind: 'lines', required: true },
      { name: 'state', label: 'State', kind: 'fixed', only: 'change' },
    ],

  },
};

