// What a change would do, before it is done: whether the export stops, how much changes, and each
// element with its fields.
import type { Counts, ExportState, PlannedChanges } from '../../generated/api.ts';
import { exportReason } from '../app/export_state.tsx';
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import type { LoadChanges } from './change_groups.ts';
import { PlannedChangesView } from './planned_changes.tsx';

const counts: { key: keyof Counts; text: Text; icon: IconName }[] = [
  { key: 'created', text: '{n} would be added', icon: 'add' },
  { key: 'updated', text: '{n} would change', icon: 'refresh' },
  { key: 'deleted', text: '{n} would be deleted', icon: 'trash' },
];

export function CountsOf({ changes }: { changes: Counts }) {
  return (
    <ul class="plain counts">
      {counts.map(({ key, text, icon }) => (
        <li key={key} class={key}><Icon name={icon} />{t(text, { n: changes[key] })}</li>
      ))}
    </ul>
  );
}

export const stopsExport = ({ export: state }: { export?: ExportState }) => state !== undefined && !state.ok;

export function ExportStops({ state }: { state: ExportState | undefined }) {
  if (!state || state.ok) return null;
  return (
    <p class="stops" role="alert">
      <Icon name="cut" /> <strong>{t('The export will fail: {reason}.', { reason: exportReason(state, 'foretold') })}</strong>{' '}
      {t('No peer can collect this map until that is mended.')}
    </p>
  );
}

// `more`: pages of its items, and its map.
export function PreviewView({ preview, more }: { preview: PlannedChanges; more: LoadChanges }) {
  return (
    <>
      <ExportStops state={preview.export} />
      <CountsOf changes={preview} />
      <PlannedChangesView of={preview} groups={preview.groups} load={more} />
    </>
  );
}
