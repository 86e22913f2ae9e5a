// Below the schematic view: that it is being made, that its nodes can be moved, and which are kept where
// the reader put them.
import { t } from '../../i18n/index.ts';
import type { MapModel } from '../model.ts';

export function SchematicNote({ model: { schematic } }: { model: MapModel }) {
  const { size } = schematic.moved.value;
  const text = schematic.hasFailed.value ? t('The nodes could not be arranged. Leave this view and come back to try again.')
    : schematic.isBusy.value ? t('Arranging the nodes …')
      : size > 0 ? t('{n} moved nodes are kept in this browser.', { n: size }) : t('Nodes can be dragged to another place.');
  return (
    <p class="schematic-note">
      <span role="status">{text}</span>
      {size > 0 && <button type="button" class="small" onClick={() => schematic.putBack()}>{t('Put them back')}</button>}
    </p>
  );
}
