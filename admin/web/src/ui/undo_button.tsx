// Opens the preview of an undo. For administrators; whoever shows it asks mayUndo().
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';
import { askUndo } from './undo.ts';

export function UndoButton({ lsn, small }: { lsn: number; small?: boolean }) {
  return (
    <button type="button" class={small ? 'small' : ''} aria-label={`${t('Undo')}: LSN ${lsn}`} onClick={() => askUndo(lsn)}>
      <Icon name="undo" />{t('Undo')}
    </button>
  );
}
