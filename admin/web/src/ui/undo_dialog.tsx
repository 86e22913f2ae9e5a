// Before a transaction is undone: what it was, what would come back, change and go, and what was
// changed since and therefore stays, unless somebody wants that to go back as well.
import { useSignal, type Signal } from '@preact/signals';
import type { Activity, FieldValue, UndoConflict, UndoPreview, UndoResult } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { t, time, translated } from '../i18n/index.ts';
import { fieldText } from '../sections/changes_table.tsx';
import { kindText } from '../sections/kinds.ts';
import { PreviewView } from '../sections/preview.tsx';
import { affected, causeText, whatText } from '../sections/transactions.ts';
import { Icon } from './icons.tsx';
import { changed } from './notices.tsx';
import { PreviewedDialog, type PreviewPage } from './previewed_dialog.tsx';
import { toUndo, undone } from './undo.ts';

export function UndoDialog() {
  const lsn = toUndo.value;
  return lsn === null ? null : <Asked key={lsn} lsn={lsn} />;
}

function Asked({ lsn }: { lsn: number }) {
  const force = useSignal(false);
  const close = () => { toUndo.value = null; };
  const isNothing = (preview: UndoPreview) => preview.total === 0;
  return (
    <PreviewedDialog<UndoPreview, UndoResult> title={t('Undo this change?')} of={force.value} onClose={close}
      deed={{ method: 'POST', path: `activity/${lsn}/undo`, body: { force: force.value } }} lead={<What lsn={lsn} />}
      button={(preview) => ({
        label: <><Icon name="undo" />{t('Undo')}</>, danger: overwrites(preview), off: preview !== null && isNothing(preview),
      })}
      onDone={(outcome) => {
        changed(`${t('Undone')}: ${affected(outcome)}`);
        close();
        undone.value += 1;
      }}>
      {(preview, more) => <Body lsn={lsn} preview={preview} nothing={isNothing(preview)} force={force} more={more} />}
    </PreviewedDialog>
  );
}

function What({ lsn }: { lsn: number }) {
  const { value: transaction, problem } = useLoaded(lsn, () => get<Activity>(`activity/${lsn}`));
  if (!transaction) return problem ? <p class="error" role="alert">{problem}</p> : null;
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
  more: PreviewPage<UndoPreview>;
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

function valuesText(now: FieldValue | undefined, wanted: FieldValue | undefined): string {
  const text = (value: FieldValue | undefined) => {
    const written = Array.isArray(value) ? value.join(', ') : value;
    return written ? t('“{value}”', { value: written }) : t('empty');
  };
  return t('now {now}, would become {wanted}', { now: text(now), wanted: text(wanted) });
}

function ConflictLine({ conflict: { kind, id, field, reason, forced, wanted, now } }: { conflict: UndoConflict }) {
  return (
    <li>
      {forced && <Icon name="check" label={t('Overwritten')} />} {kindText(kind)} <strong>{id}</strong>
      {field && <>, {fieldText(field)}: {valuesText(now, wanted)}</>} <small class="muted">({translated(reason)})</small>
    </li>
  );
}
