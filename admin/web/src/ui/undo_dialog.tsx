// Before a transaction is undone: what it was, what would come back, change and go, and what was
// changed since and therefore stays, unless somebody wants that to go back as well.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, get, post, query } from '../app/api.ts';
import { t, time, translated } from '../i18n/index.ts';
import type { Changes } from '../sections/changes_list.tsx';
import { fieldText } from '../sections/changes_table.tsx';
import { kindText } from '../sections/kinds.ts';
import { PreviewView, type Preview } from '../sections/preview.tsx';
import { affected, causeText, whatText, type Transaction } from '../sections/transactions.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { changed } from './notices.tsx';
import { toUndo, undone } from './undo.ts';

type Value = string | string[] | null;
interface Conflict {
  kind: string;
  id: string;
  reason: string;
  forced: boolean;
  field?: string;
  wanted?: Value;
  now?: Value;
}
interface UndoPreview extends Preview {
  conflicts: Conflict[];
  conflict_count: number;
}

export function UndoDialog() {
  const lsn = toUndo.value;
  return lsn === null ? null : <Asked key={lsn} lsn={lsn} />;
}

function Asked({ lsn }: { lsn: number }) {
  const force = useSignal(false);
  const transaction = useSignal<Transaction | null>(null);
  const preview = useSignal<UndoPreview | null>(null);
  const problem = useSignal('');
  const busy = useSignal(false);
  const path = `activity/${lsn}/undo`;
  const close = () => { toUndo.value = null; };
  const look = <T,>(cursor: string | null) =>
    post<T>(`${path}${query({ preview: 'true', cursor, limit: 50 })}`, { force: force.value });
  const load = async () => {
    try {
      [transaction.value, preview.value] = await Promise.all([get<Transaction>(`activity/${lsn}`), look<UndoPreview>(null)]);
    } catch (error) {
      problem.value = textOf(error);
    }
  };
  useEffect(() => { void load(); }, [force.value]);
  const run = async () => {
    busy.value = true;
    problem.value = '';
    try {
      const outcome = await post<Preview>(path, { force: force.value }, preview.value?.etag);
      changed(`${t('Undone')}: ${affected(outcome)}`);
      close();
      undone.value += 1;
    } catch (error) {
      const moved = error instanceof ApiError && error.code === 'preview-moved';
      if (moved) await load();
      problem.value = textOf(error);
    }
    busy.value = false;
  };
  const nothing = preview.value?.total === 0;
  return (
    <Dialog title={t('Undo this change?')} wide onClose={close}>
      <div class="dialog-body">
        {transaction.value && <What transaction={transaction.value} />}
        {problem.value && <p class="error" role="alert">{problem.value}</p>}
        {!preview.value && !problem.value && <p aria-busy="true">{t('Loading …')}</p>}
        {preview.value && <Body lsn={lsn} preview={preview.value} nothing={nothing} force={force} more={look} />}
      </div>
      <footer>
        <button type="button" onClick={close}>{t('Cancel')}</button>
        <button type="button" class={overwrites(preview.value) ? 'danger' : 'primary'} disabled={!preview.value || nothing || busy.value} onClick={() => void run()}>
          <Icon name="undo" />{t('Undo')}
        </button>
      </footer>
    </Dialog>
  );
}

const textOf = (error: unknown) => (error instanceof ApiError ? error.text : String(error));

function What({ transaction }: { transaction: Transaction }) {
  return (
    <p>
      <strong>{causeText(transaction)} · {whatText(transaction)}</strong>{' '}
      <span class="muted">{transaction.actor} · {time(transaction.time)} · LSN {transaction.lsn}</span>
    </p>
  );
}

interface BodyProps {
  lsn: number;
  preview: UndoPreview;
  nothing: boolean;
  force: Signal<boolean>;
  more: (cursor: string) => Promise<Changes>;
}

function Body({ lsn, preview, nothing, force, more }: BodyProps) {
  const { conflicts, conflict_count: count } = preview;
  return (
    <>
      {nothing && count === 0 && <p>{t('There is nothing to undo: everything is as it was before.')}</p>}
      {nothing && count > 0 && <p>{t('Nothing of it can be undone as things are.')}</p>}
      {preview.total > 1 && <p>{t('This undoes all {n} changes of LSN {lsn} listed here.', { n: preview.total, lsn: String(lsn) })}</p>}
      {!nothing && <PreviewView preview={preview} more={more} />}
      {(count > 0 || force.value) && (
        <section class="conflicts" aria-label={t('Changed since')}>
          <h3><Icon name="cut" />{t('{n} things have changed since', { n: count })}</h3>
          {overwrites(preview) && <p class="stops" role="alert">{t('The later values listed here are lost from the map; they stay in the history.')}</p>}
          <p>{force.value ? t('Those marked are overwritten, the others stay as they are.') : t('What was changed since stays as it is.')}</p>
          <ul class="plain">
            {conflicts.map((conflict, index) => <ConflictLine key={index} conflict={conflict} />)}
            {count > conflicts.length && <li>{t('and {n} more', { n: count - conflicts.length })}</li>}
          </ul>
          <label class="check">
            <input type="checkbox" checked={force.value} onChange={(event) => { force.value = event.currentTarget.checked; }} />
            {t('Overwrite later changes with the values from before LSN {lsn}', { lsn: String(lsn) })}
          </label>
        </section>
      )}
      {!nothing && <p class="muted">{t('This can be undone again. Rules do not run after it.')}</p>}
    </>
  );
}

const overwrites = (preview: UndoPreview | null) => preview?.conflicts.some(({ forced }) => forced) ?? false;

function valuesText(now: Value | undefined, wanted: Value | undefined): string {
  const text = (value: Value | undefined) => {
    const written = Array.isArray(value) ? value.join(', ') : value;
    return written ? t('“{value}”', { value: written }) : t('empty');
  };
  return t('now {now}, would become {wanted}', { now: text(now), wanted: text(wanted) });
}

function ConflictLine({ conflict: { kind, id, field, reason, forced, wanted, now } }: { conflict: Conflict }) {
  return (
    <li>
      {forced && <Icon name="check" label={t('Overwritten')} />} {kindText(kind)} <strong>{id}</strong>
      {field && <>, {fieldText(field)}: {valuesText(now, wanted)}</>} <small class="muted">({translated(reason)})</small>
    </li>
  );
}
