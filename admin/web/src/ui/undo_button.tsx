// Opens the preview of an undo. For administrators; whoever shows it asks mayUndo(). `cause`: of a
// transaction of which one record is on view.
import { t, type Text } from '../i18n/index.ts';
import { Icon } from './icons.tsx';
import { askUndo } from './undo.ts';

// Where it stands beside a part of what it undoes.
const ofTheWhole: Record<string, Text> = {
  import: 'Undo the whole import', poll: 'Undo the whole poll', rule: 'Undo the whole rule run',
};

export function UndoButton({ lsn, small, cause = '' }: { lsn: number; small?: boolean; cause?: string }) {
  const text = t(ofTheWhole[cause] ?? 'Undo');
  return (
    <button type="button" class={small ? 'small' : ''} aria-label={`${text}: LSN ${lsn}`} onClick={() => askUndo(lsn)}>
      <Icon name="undo" />{text}
    </button>
  );
}
