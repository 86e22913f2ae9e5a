// What a planned change would do, before it is done: its list in groups, and its map, which stands
// beside the list or is opened above it.
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChangeGroup } from '../../generated/api.ts';
import { session } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import type { PlannedMapProps } from '../map/planned_map.tsx';
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

function OnMap({ of, load, open }: { of: unknown; load: LoadChanges; open: boolean }) {
  const seen = useSignal(open);
  const Map = useSignal<ComponentType<PlannedMapProps> | null>(null);
  useEffect(() => {
    if (seen.value) void import('../map/planned_map.tsx').then((module) => { Map.value = module.PlannedMapView; });
  }, [seen.value]);
  return (
    <details class="on-map" open={open} onToggle={(event) => { seen.value ||= event.currentTarget.open; }}>
      <summary><Icon name="map" /> {t('On the map')}</summary>
      {Map.value && <div class="planned-map"><Map.value of={of} load={async () => (await load({ map: 'true', limit: 1 })).map!} /></div>}
    </details>
  );
}
