// Planned changes in groups, as a reader takes them in: by topology, then by what happens to what.
import type { ChangeGroup, Counts, GroupedChanges } from '../../generated/api.ts';
import { query } from '../app/api.ts';

// What of a planned change is asked for: a page of all that it does, or of one group.
export interface ChangesPage {
  cursor?: string | null;
  action?: ChangeGroup['action'];
  kind?: string;
  topology?: string; // an identifier; -: those in none
  map?: 'true'; // what a map of it draws
  limit?: number;
}
export type LoadChanges<C = GroupedChanges> = (page: ChangesPage) => Promise<C>;

const pageSize = 50;

// `others`: what else the address says.
export const pageQuery = (page: ChangesPage, others: Record<string, string> = {}): string => query({ limit: pageSize, ...others, ...page });

export function pageOf({ action, kind, topology }: ChangeGroup): ChangesPage {
  return topology === undefined ? { action, kind } : { action, kind, topology: topology?.id ?? '-' };
}

export interface TopologyChanges {
  topology: ChangeGroup['topology']; // null: in none; undefined: it is not said
  groups: ChangeGroup[];
  counts: Counts;
}

// Groups of one topology stand beside each other already.
export function byTopology(groups: ChangeGroup[]): TopologyChanges[] {
  const found: TopologyChanges[] = [];
  for (const group of groups) {
    if (found.at(-1)?.topology?.id !== group.topology?.id || found.length === 0) {
      found.push({ topology: group.topology, groups: [], counts: { created: 0, updated: 0, deleted: 0 } });
    }
    const last = found.at(-1)!;
    last.groups.push(group);
    last.counts[group.action] += group.count;
  }
  return found;
}

const fewMost = 20;
const fewGroups = 6; // each is a request

// So few changes are shown without being asked for.
export const isShort = (groups: ChangeGroup[]): boolean =>
  groups.length <= fewGroups && groups.reduce((sum, { count }) => sum + count, 0) <= fewMost;
