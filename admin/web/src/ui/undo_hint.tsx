// The way back, said where something is confirmed: who can undo it, and where.
import { t } from '../i18n/index.ts';
import { mayUndo } from './undo.ts';

export const undoHint = () =>
  (mayUndo() ? t('You can undo this afterwards, under Activity.') : t('An administrator can undo this under Activity.'));

export function UndoHint() {
  return <p class="muted">{undoHint()}</p>;
}
