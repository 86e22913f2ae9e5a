// All transactions, newest first; each can be opened, and undone by administrators.
import type { Activity } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import type { Row, Section } from '../app/section.ts';
import { t, time } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';
import { askUndo, mayUndo } from '../ui/undo.ts';
import { UndoButton } from '../ui/undo_button.tsx';
import { ChangesList, changesAt } from './changes_list.tsx';
import { affected, causeChoices, causeText, whatText } from './transactions.ts';

const of = (row: Row) => row as unknown as Activity;

export const activity: Section = {
  key: 'activity', title: 'Activity', singular: 'Activity', icon: 'history',
  list: {
    columns: [
      { name: 'what', label: 'What', cell: (row) => whatText(of(row)) },
      { name: 'cause', label: 'Why', cell: (row) => causeText(of(row)) || '–' },
      { name: 'actor', label: 'Who', cell: (row) => of(row).actor || '–' },
      { name: 'time', label: 'Time', narrow: true, cell: (row) => time(of(row).time) },
      { name: 'lsn', label: 'LSN', narrow: true },
    ],
    filters: [
      { name: 'cause', label: 'Why', choices: causeChoices },
      { name: 'actor', label: 'Who' },
      { name: 'element', label: 'NetML ID' },
      { name: 'topology', label: 'Topology', of: 'topologies' },
    ],
    search: true, live: ['change'],
    rowActions: [{
      label: 'Undo', icon: 'undo', role: 'admin', shown: (row) => of(row).undoable,
      run: (row) => {
        askUndo(of(row).lsn);
        return Promise.resolve(null);
      },
    }],
  },
  page: TransactionPage,
};

function TransactionPage({ rest }: { rest: string[] }) {
  const { value: transaction, problem } = useLoaded(rest[0], () => get<Activity>(`activity/${rest[0]}`));
  if (!transaction) return <WaitingPage title={t('Activity')} problem={problem} />;
  const { lsn, committed, undoable } = transaction;
  return (
    <>
      <Heading title={committed ? `${causeText(transaction)}: LSN ${lsn}` : `${t('Aborted')}: LSN ${lsn}`} icon="history">
        {mayUndo() && undoable && <UndoButton lsn={lsn} />}
      </Heading>
      <Facts transaction={transaction} />
      {committed && <ChangesList of={lsn} load={changesAt(`activity/${lsn}/changes`)} />}
    </>
  );
}

function Facts({ transaction }: { transaction: Activity }) {
  const { time: done, effective_time: dated, actor, source, file_hash: hash, reason } = transaction;
  return (
    <dl class="facts card">
      {reason && <><dt>{t('Message')}</dt><dd>{reason}</dd></>}
      {done && <><dt>{t('Time')}</dt><dd>{time(done)}</dd></>}
      {dated && dated !== done && <><dt>{t('Dated')}</dt><dd>{time(dated)}</dd></>}
      {actor && <><dt>{t('Who')}</dt><dd>{actor}</dd></>}
      {source && <><dt>{t('Source')}</dt><dd><Source transaction={transaction} /></dd></>}
      {hash && <><dt>{t('File')}</dt><dd><code>{hash}</code></dd></>}
      <dt>{t('What')}</dt><dd>{affected(transaction)}</dd>
    </dl>
  );
}

// An undo names the transaction that it undid.
function Source({ transaction: { cause, source = '' } }: { transaction: Activity }) {
  const undid = cause === 'undo' && /^LSN (\d+)$/.exec(source)?.[1];
  return undid ? <a href={`/admin/activity/${undid}/`}>{source}</a> : <>{source}</>;
}
