// Files that people bring: dropped, planned, looked at, applied. And the record of all imports.
import type { Import, ImportCounts } from '../../generated/api.ts';
import { get, mayAs } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import type { Choice, Section } from '../app/section.ts';
import { t, time, type Text } from '../i18n/index.ts';
import { FileFormat } from '../ui/file_format.tsx';
import { Heading } from '../ui/heading.tsx';
import { LossesCard } from '../ui/losses.tsx';
import { FileImport } from './file_import.tsx';
import { countedLosses } from './plan_view.tsx';
import { State } from './state.tsx';

const states: Choice[] = [
  { value: 'complete', label: 'Complete' }, { value: 'warnings', label: 'Complete with warnings' },
  { value: 'in_progress', label: 'Importing' }, { value: 'aborted', label: 'Aborted' },
];

const sources: Record<string, Text> = { admin: 'Administration', api: 'API', command_line: 'Command line', poll: 'Polling' };
const sourceText = (source: unknown): string => {
  const text = sources[String(source)];
  return text ? t(text) : String(source ?? '–');
};

export const dataImports: Section = {
  key: 'imports', title: 'Imports', longTitle: 'NetML Data Imports', singular: 'Data import', icon: 'download',
  list: {
    columns: [
      { name: 'number', label: 'Number', narrow: true, sort: true },
      { name: 'time', label: 'Time', sort: true, cell: (row) => time(row.time as string) },
      { name: 'name', label: 'Name', sort: true },
      { name: 'source', label: 'Source', sort: true, cell: (row) => sourceText(row.source) },
      { name: 'state', label: 'State', cell: (row) => <State value={String(row.state)} /> },
      { name: 'topology', label: 'Topology', cell: (row) => String(row.topology || '–') },
    ],
    filters: [{ name: 'state', label: 'State', choices: states }, { name: 'day', label: 'Day (UTC)' }],
    search: true, sort: '-number', live: ['change', 'progress'],
  },
  page: ImportPage,
};

type Kind = keyof ImportCounts;
const kinds: Kind[] = ['topologies', 'institutions', 'nodes', 'links'];
const kindTitles: Record<Kind, Text> = {
  topologies: 'Topologies', institutions: 'Institutions', nodes: 'Nodes', links: 'Links',
};

function ImportPage({ rest }: { rest: string[] }) {
  const { value: row, problem } = useLoaded(rest[0], () => get<Import>(`imports/${rest[0]}`), ['progress']);
  if (!row) return <WaitingPage title={t('Imports')} problem={problem} />;
  const { source, state, message, lsn, file_hash: hash, name, sender, topology, counts } = row;
  return (
    <>
      <Heading title={`${t('Data import')} ${rest[0]}`} icon="download" />
      <dl class="facts card">
        <dt>{t('State')}</dt><dd><State value={state} /></dd>
        <dt>{t('Time')}</dt><dd>{time(row.time)}</dd>
        <dt>{t('Source')}</dt><dd>{[sourceText(source), sender].filter(Boolean).join(', ')}</dd>
        <dt>{t('Name')}</dt><dd>{name || '–'}</dd>
        <dt>{t('Format')}</dt><dd><FileFormat of={row} /></dd>
        <dt>{t('Topology')}</dt><dd>{topology || '–'}</dd>
        <dt>LSN</dt><dd>{lsn ?? '–'}</dd>
        <dt>{t('File')}</dt><dd><code>{hash || '–'}</code></dd>
        {kinds.map((kind) => [
          <dt key={kind}>{t(kindTitles[kind])}</dt>,
          <dd key={`${kind}-n`}>
            {t('{imported} of {parsed}', counts[kind])}
          </dd>,
        ])}
      </dl>
      <h2>{t('Message')}</h2>
      <pre class="log" tabIndex={0}>{message}</pre>
      {message.includes(countedLosses) && <LossesCard at={`imports/${rest[0]}/losses`} all="All that the file says is in the map." />}
    </>
  );
}

function FileImportsPage() {
  return (
    <>
      <Heading title={t('Import a file')} longTitle={t('NetML File Imports')} icon="drop" />
      {mayAs('editor') ? <FileImport /> : <p class="empty">{t('Your role does not allow this.')}</p>}
      <p><a href="/admin/imports/">{t('All data imports')}</a></p>
    </>
  );
}

export const fileImports: Section = {
  key: 'file-imports', title: 'Import a file', longTitle: 'NetML File Imports', singular: 'File import', icon: 'drop', page: FileImportsPage,
};
