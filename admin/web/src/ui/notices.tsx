// Short messages about what was done or went wrong, read out to those who cannot see them. What
// changed something can be undone from there, for as long as the message stands.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { errorText, takeTransaction } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';
import { askUndo, mayUndo } from './undo.ts';
import { undoHint } from './undo_hint.tsx';

interface Notice {
  key: number;
  kind: 'done' | 'error';
  text: string;
  milliseconds: number;
  lsn: number | null; // of the transaction that it tells of
}
const notices = signal<Notice[]>([]);
let lastKey = 0;

const dismiss = (key: number) => {
  notices.value = notices.value.filter((notice) => notice.key !== key);
};

function show(kind: Notice['kind'], text: string, milliseconds: number, lsn: number | null = null): void {
  lastKey += 1;
  notices.value = [...notices.value.slice(-3), { key: lastKey, kind, text, milliseconds, lsn }];
}

export const done = (text: string) => show('done', text, 6000);
export const failed = (error: unknown) => show('error', errorText(error), 12000);

// What the newest request of this page changed, or the transaction `lsn`: offers to undo it, or says
// who can.
export function changed(text: string, lsn: number | null = takeTransaction()): void {
  if (lsn === null) done(text);
  else show('done', text, mayUndo() ? 20000 : 6000, lsn);
}

// Runs what may fail, shows the failure, and answers whether it went well.
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => <OneNotice key={notice.key} notice={notice} />)}
    </div>
  );
}

// It goes after a while, but not under somebody's hands.
function OneNotice({ notice: { key, kind, text, milliseconds, lsn } }: { notice: Notice }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hold = () => clearTimeout(timer.current);
  const release = () => {
    hold();
    timer.current = setTimeout(() => dismiss(key), milliseconds);
  };
  useEffect(() => {
    release();
    return hold;
  }, []);
  return (
    <div class={`notice ${kind}`} onMouseEnter={hold} onMouseLeave={release} onFocusIn={hold} onFocusOut={release}>
      <Icon name={kind === 'done' ? 'check' : 'cut'} />
      <span>{text}</span>
      {lsn !== null && !mayUndo() && <small>{undoHint()}</small>}
      {lsn !== null && mayUndo() && (
        <button type="button" class="small" aria-label={`${t('Undo')}: ${text}`}
          onClick={() => {
            dismiss(key);
            askUndo(lsn);
          }}>
          {t('Undo')}
        </button>
      )}
      <button type="button" class="quiet" aria-label={t('Dismiss')} onClick={() => dismiss(key)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
