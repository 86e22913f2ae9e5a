// What a planned change would do, before it is done: its list in groups, and its map, which stands
// beside the list or is opened above it.
import { useSignal } from '@preact/signals';
import type { ChangeGroup } from '../../generated/api.ts';
import { session } from '../app/api.ts';
import { usePart, Waiting } from '../app/loaded.tsx';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import type { LoadChanges } from './change_groups.ts';
import { GroupedChanges } from './grouped_changes.tsx';

interface Props {
  of: unknown; // says what is planned; another one begins anew
  groups: ChangeGroup[];
  load: LoadChanges;
  beside?: boolean;
}

export function PlannedChangesView({ of, groups, load, beside }: Props) {
  const isDrawn = session.value?.settings?.map_enabled === true && groups.some(({ kind }) => kind === 'Node' || kind === 'Link');
  const list = <GroupedChanges of={of} groups={groups} load={load} />;
  if (!isDrawn) return list;
  return (
    <div class={beside ? 'planned beside' : 'planned'}>
      <OnMap of={of} load={load} open={beside ?? false} />
      {list}
    </div>
  );
}

const plannedMap = async () => (await import('../map/planned_map.tsx')).PlannedMapView;

function OnMap({ of, load, open }: { of: unknown; load: LoadChanges; open: boolean }) {
  const seen = useSignal(open);
  const { value: map, problem } = usePart(seen.value, seen.value ? plannedMap : null);
  return (
    <details class="on-map" open={open} onToggle={(event) => { seen.value ||= event.currentTarget.open; }}>
      <summary><Icon name="map" /> {t('On the map')}</summary>
      {seen.value && !map && <Waiting problem={problem} />}
      {map && <div class="planned-map"><map.Part of={of} load={async () => (await load({ map: 'true', limit: 1 })).map!} /></div>}
    </details>
  );
}
