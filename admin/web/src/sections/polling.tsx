// Polling sources, and what came of asking them.
import { useSignal } from '@preact/signals';
import type { ConnectionTest, Poll } from '../../generated/api.ts';
import { get, post, type Page } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import type { Choice, Row, Section } from '../app/section.ts';
import { number, t, time, translated, type Text } from '../i18n/index.ts';
import { FormButtons } from '../ui/form_buttons.tsx';
import { Heading } from '../ui/heading.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { attempt } from '../ui/notices.tsx';
import { reasonText } from './poll_reasons.ts';
import { State } from './state.tsx';

const authorities: Choice[] = [
  { value: 'own', label: 'Its own topologies' },
  { value: 'listed', label: 'Its own topologies and those listed' },
  { value: 'any', label: 'All topologies, also those of others' },
];
const kinds: Choice[] = [{ value: 'netml', label: 'NetML node' }, { value: 'netbox', label: 'NetBox' }];
const protocols: Choice[] = [{ value: 'https', label: 'HTTPS' }, { value: 'http', label: 'HTTP' }];

async function test(row: Row): Promise<{ connected: boolean; text: string }> {
  const { state, message } = await post<ConnectionTest>(`sources/${row.number}/test`);
  return { connected: state === 'connected', text: `${String(row.name)}: ${translated(message || state)}` };
}

// One that is not connected makes it a failure. The server lets few tests wait at a time.
async function testEach(rows: Row[]): Promise<string> {
  const answers: Awaited<ReturnType<typeof test>>[] = [];
  for (const row of rows) answers.push(await test(row));
  const text = answers.map((answer) => answer.text).join('\n');
  if (answers.every(({ connected }) => connected)) return text;
  throw new Error(text);
}

async function collect(row: Row): Promise<string> {
  await post(`sources/${row.number}/collect`);
  return t('Collecting from {name} has begun.', { name: String(row.name) });
}

async function collectAll(): Promise<string> {
  await post('polls');
  return t('Collecting from all active sources has begun.');
}

async function testAll(): Promise<string> {
  const { items } = await get<Page<Row>>('sources?limit=100');
  return testEach(items);
}

const collectEach = async (rows: Row[]) => (await Promise.all(rows.map(collect))).join('\n');

const failures = (row: Row) => {
  const count = number(Number(row.failures ?? 0));
  return row.paused ? `${count} · ${t('Paused')}` : count;
};

export const sources: Section = {
  key: 'sources', title: 'Sources', longTitle: 'GRENML Polling Sources', singular: 'Polling source', icon: 'plug',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'url', label: 'URL' },
      { name: 'active', label: 'Active', narrow: true,
        cell: (row) => <Icon name={row.active ? 'check' : 'cross'} label={row.active ? t('Yes') : t('No')} /> },
      { name: 'last_state', label: 'Last poll', cell: (row) => (row.last_state ? <State value={String(row.last_state)} /> : '–') },
      { name: 'last_success', label: 'Last success', cell: (row) => time(row.last_success as string | null) },
      { name: 'failures', label: 'Failures in a row', cell: failures },
    ],
    filters: [{ name: 'active', label: 'Active', choices: [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] }],
    search: true, live: ['poll'],
    rowActions: [
      { label: 'Collect GRENML Data', icon: 'download', role: 'editor', run: collect },
      { label: 'Test Connection', icon: 'plug', role: 'editor', run: (row) => testEach([row]) },
    ],
    bulkActions: [
      { label: 'Check the Status of Selected Sources', run: testEach },
      { label: 'Poll the Selected Sources', run: collectEach },
    ],
    pageActions: [
      { label: 'Collect All Active Sources’ data', icon: 'download', run: collectAll },
      { label: 'Check All Sources’ Connection Statuses', icon: 'plug', run: testAll },
    ],
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 128 },
      { name: 'kind', label: 'Kind', kind: 'choice', choices: kinds, required: true, start: 'netml',
        help: 'Of a NetBox only what its mapping names is read.' },
      { name: 'protocol', label: 'Protocol', kind: 'choice', choices: protocols, required: true, start: 'https' },
      { name: 'hostname', label: 'Host name', kind: 'text', required: true, longest: 255 },
      { name: 'port', label: 'Port', kind: 'whole', required: true, range: [1, 65535], start: '443' },
      { name: 'path', label: 'Path', kind: 'text', longest: 255,
        help: 'What stands before netml_export/ or api/, such as maps/live/; usually nothing.' },
      { name: 'plain_http', label: 'Without encryption', kind: 'switch',
        help: 'HTTP only: token and map may travel where others can read them.' },
      { name: 'active', label: 'Active', kind: 'switch', start: true },
      { name: 'token', label: 'Token', kind: 'password',
        help: 'The token that the other node gave you. Empty: unchanged; another host, port or protocol needs it again.' },
      { name: 'authority', label: 'May change', kind: 'choice', choices: authorities, required: true, start: 'own',
        help: 'What came from it first is its own. With all topologies, whoever runs that node can put anything on this map.' },
      { name: 'listed_topologies', label: 'Listed topologies', kind: 'lines',
        help: 'Identifiers, one on each line; only for a source that may change those listed.' },
      { name: 'filters', label: 'Filters', kind: 'lines',
        help: 'NetBox only: one filter on each line, such as region=europe, tenant=, tag= or site= with a short name (slug). Empty: all.' },
      { name: 'mapping', label: 'Mapping', kind: 'text', longest: 100, help: 'NetBox only: what becomes what, such as nodes=location,owner=provider,topologies=region. Empty: sites are nodes, tenants owners, in one topology.' },
    ],
    extra: TestConnection,
  },
};

function TestConnection({ row }: { row: Row }) {
  const answer = useSignal('');
  const run = () => void attempt(async () => { answer.value = (await test(row)).text; });
  return (
    <p>
      <button type="button" onClick={run}><Icon name="plug" />{t('Test Connection')}</button>
      {answer.value && <span role="status"> {answer.value}</span>}
    </p>
  );
}

export const pollEvents: Section = {
  key: 'polls', title: 'Polls', longTitle: 'Poll+Import Events', singular: 'Poll', icon: 'refresh',
  list: {
    columns: [
      { name: 'time', label: 'Time', sort: true, cell: (row) => time(row.time as string) },
      { name: 'scheduled', label: 'Was scheduled', cell: (row) => (row.scheduled ? t('Yes') : t('No')) },
      { name: 'records', label: 'Sources', cell: (row) => number((row as unknown as Poll).records.length) },
      { name: 'state', label: 'State', cell: (row) => <EventIcon poll={row as unknown as Poll} /> },
      { name: 'duration', label: 'Duration (s)', cell: (row) => seconds(row.duration as number | null) },
      { name: 'reasons', label: 'Failures', cell: (row) => reasonsText(String(row.reasons)) },
    ],
    filters: [{ name: 'day', label: 'Day (UTC)' }],
    search: true, live: ['poll'],
  },
  form: { fields: [], remove: 'editor' },
  page: PollPage,
};

const reasonsText = (reasons: string) => [...new Set(reasons.split(', ').filter(Boolean).map(reasonText))].join(', ') || '–';
const seconds = (value: number | null | undefined) => (value === null || value === undefined ? '–' : number(value));

function EventIcon({ poll }: { poll: Poll }) {
  const aborted = poll.records.some((record) => record.state === 'aborted');
  const [icon, text]: [IconName, Text] = aborted ? ['cut', 'Aborted'] : poll.complete ? ['check', 'Complete'] : ['clock', 'Running'];
  return <Icon name={icon} label={t(text)} />;
}

const busy = new Set(['polling', 'polled', 'importing']);

function synopsis(poll: Poll): string[] {
  const count = (test: (state: string) => boolean) => poll.records.filter((record) => test(record.state)).length;
  const lines: [Text, number][] = [
    ['{n} complete', count((state) => state === 'complete')],
    ['{n} in progress', count((state) => busy.has(state))],
    ['{n} pending', count((state) => state === 'pending')],
    ['{n} aborted', count((state) => state === 'aborted')],
  ];
  return [poll.complete ? t('All sources answered or gave up.') : t('Sources are being asked.'),
    t('{n} sources', { n: poll.records.length }),
    ...lines.filter(([, n]) => n > 0).map(([text, n]) => t(text, { n }))];
}

function PollPage({ rest }: { rest: string[] }) {
  const { value: poll, problem } = useLoaded(rest[0], () => get<Poll>(`polls/${rest[0]}`), ['change', 'poll', 'progress']);
  if (!poll) return <WaitingPage title={t('Polls')} problem={problem} />;
  const finished = poll.records.filter((record) => record.state === 'complete' || record.state === 'aborted').length;
  return (
    <>
      <Heading title={`${t('Poll')} ${time(poll.time)}`} icon="refresh" />
      <div class="card">
        <p>{t('Was scheduled')}: {poll.scheduled ? t('Yes') : t('No')} · {t('Duration (s)')}: {seconds(poll.duration)}</p>
        <progress aria-label={t('Progress')} max={poll.records.length} value={finished} />
        <div role="status"><ul class="plain">{synopsis(poll).map((line) => <li key={line}>{line}</li>)}</ul></div>
      </div>
      <PollRecords records={poll.records} />
      <FormButtons section={pollEvents} row={{ ...poll, name: time(poll.time) }} remove="editor" readOnly />
    </>
  );
}

function PollRecords({ records }: { records: Poll['records'] }) {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={t('Sources')}>
      <table>
        <thead>
          <tr>
            <th>{t('Source')}</th><th>{t('State')}</th><th>{t('Message')}</th><th>{t('Poll start')}</th>
            <th>{t('Duration (s)')}</th><th>{t('Import start')}</th><th>{t('Duration (s)')}</th><th>{t('Data import')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.source}>
              <td>{record.source}</td><td><State value={record.state} /></td><td>{record.message || '–'}</td>
              <td>{record.poll_start?.slice(11, 19) ?? '–'}</td><td>{seconds(record.poll_seconds)}</td>
              <td>{record.import_start?.slice(11, 19) ?? '–'}</td><td>{seconds(record.import_seconds)}</td>
              <td>{record.import ? <a href={`/admin/imports/${record.import}/`}>{record.import}</a> : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
