// What something would change, in groups that say how many there are and name a few; the list of one
// is loaded when it is opened.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Action, ChangeGroup, Counts } from '../../generated/api.ts';
import { number, t } from '../i18n/index.ts';
import { countText, isCounted } from '../ui/deleted_text.ts';
import { byTopology, isShort, pageOf, type LoadChanges, type TopologyChanges } from './change_groups.ts';
import { actionText, ChangesList } from './changes_list.tsx';
import { collectionOfKind, kindText } from './kinds.ts';

interface Props {
  of: unknown; // says what is listed; another one begins anew
  groups: ChangeGroup[];
  load: LoadChanges;
}

const openTopologiesMost = 3;
export const signs: Record<Action, string> = { created: '+', updated: '~', deleted: '−' };

export function GroupedChanges({ of, groups, load }: Props) {
  const topologies = byTopology(groups);
  const short = isShort(groups);
  return (
    <div class="change-groups">
      {topologies.map((one, index) => (
        <OfTopology key={`${index} ${one.topology?.id ?? ''}`} of={of} changes={one} load={load} short={short}
          open={topologies.length <= openTopologiesMost} named={one.topology !== undefined && (one.topology !== null || topologies.length > 1)} />
      ))}
    </div>
  );
}

interface OfTopologyProps {
  of: unknown;
  changes: TopologyChanges;
  load: LoadChanges;
  short: boolean;
  open: boolean;
  named: boolean;
}

function OfTopology({ of, changes: { topology, groups, counts }, load, short, open, named }: OfTopologyProps) {
  const list = groups.map((group) => <Group key={`${group.action} ${group.kind}`} of={of} group={group} load={load} open={short} />);
  if (!named) return <>{list}</>;
  return (
    <details class="of-topology" open={open || short}>
      <summary><strong>{topology?.name || topology?.id || t('In no topology')}</strong> <CountSigns counts={counts} /></summary>
      {list}
    </details>
  );
}

function CountSigns({ counts }: { counts: Counts }) {
  const actions = (['created', 'updated', 'deleted'] as const).filter((action) => counts[action] > 0);
  return (
    <span class="signs">
      {actions.map((action) => (
        <span key={action} class={action}>
          <span class="action" aria-hidden="true">{signs[action]}{number(counts[action])}</span>
          <span class="hidden">{t(actionText[action])}: {number(counts[action])}</span>
        </span>
      ))}
    </span>
  );
}

function groupText({ kind, count }: ChangeGroup): string {
  const collection = collectionOfKind(kind);
  return isCounted(collection) ? countText(collection, count) : `${kindText(kind)}: ${number(count)}`;
}

function Group({ of, group, load, open }: { of: unknown; group: ChangeGroup; load: LoadChanges; open: boolean }) {
  const seen = useSignal(open); // once open, its list stays
  useEffect(() => { seen.value ||= open; }, [open]);
  const { action, count, examples } = group;
  const names = examples.join(', ') + (count > examples.length && examples.length > 0 ? ', …' : '');
  return (
    <details class={`change-group ${action}`} open={open} onToggle={(event) => { seen.value ||= event.currentTarget.open; }}>
      <summary>
        <span class="action">{t(actionText[action])}</span>
        <strong>{groupText(group)}</strong> <small class="muted">{names}</small>
      </summary>
      {seen.value && <ChangesList of={of} load={(cursor) => load({ ...pageOf(group), cursor })} />}
    </details>
  );
}
