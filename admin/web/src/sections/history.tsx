// What happened to one record, also to one that was deleted: who, when, why, and each value before
// and after. Administrators can undo each transaction from here.
import type { HistoryEntry, RecordHistory as History } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import { t, time } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { mayUndo } from '../ui/undo.ts';
import { UndoButton } from '../ui/undo_button.tsx';
import { actionText } from './changes_list.tsx';
import { ChangesTable } from './changes_table.tsx';
import { collectionOfKind, kindText } from './kinds.ts';
import { causeText } from './transactions.ts';

// `path`: "nodes/7", or "records/12" by the identity that outlasts a deletion.
export function RecordHistory({ path }: { path: string }) {
  const { value: history, problem } = useLoaded(path, () => get<History>(`${path}/history`));
  if (!history) return <WaitingPage title={t('History')} problem={problem} />;
  const { kind, id, name, number, items } = history;
  const list = `/admin/${collectionOfKind(kind)}/`;
  return (
    <>
      <Heading title={`${t('History')}: ${name || id}`} icon="history">
        <a class="button" href={number === null ? list : `${list}${number}/`}><Icon name="back" />{t(number !== null && path.startsWith('records/') ? 'Show the record' : 'Back')}</a>
      </Heading>
      <p class="muted">{kindText(kind)} · {id}</p>
      {number === null && <p class="hint" role="status">{t('This record was deleted.')}</p>}
      <ol class="history">
        {items.map((entry) => <OneEntry key={entry.lsn} entry={entry} />)}
      </ol>
    </>
  );
}

function OneEntry({ entry }: { entry: HistoryEntry }) {
  return (
    <li>
      <h2>{t(actionText[entry.text])}</h2>
      <p class="muted">
        {time(entry.time)}
        {entry.effective_time !== entry.time && <> · {t('dated {time}', { time: time(entry.effective_time) })}</>} · {entry.actor} · {causeText(entry)} · <a href={`/admin/activity/${entry.lsn}/`}>LSN {entry.lsn}</a>{' '}
        {mayUndo() && entry.undoable && <UndoButton lsn={entry.lsn} small cause={entry.cause} />}
      </p>
      <ChangesTable fields={entry.fields} />
    </li>
  );
}
