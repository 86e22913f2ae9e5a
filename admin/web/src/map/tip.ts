// What the pointer is over, in words.
import { t } from '../i18n/index.ts';
import { textAt, type Columns } from './columns.ts';
import type { Hit } from './targets.ts';

const namesMost = 4;

export function isSame(one: Hit | null, other: Hit | null): boolean {
  const indexOf = (hit: Hit) => (hit.kind === 'cluster' ? hit.members[0] : hit.index);
  return one && other ? one.kind === other.kind && indexOf(one) === indexOf(other) : one === other;
}

// What it is, and whose: the names of a few of those that stand in one place.
export function tipOf(hit: Hit, { nodes, links }: Pick<Columns, 'nodes' | 'links'>): string {
  const more = (count: number) => (count > 0 ? `, ${t('and {n} more', { n: count })}` : '');
  if (hit.kind === 'cluster') {
    const named = [...hit.members.subarray(0, namesMost)].map((node) => textAt(nodes.name, node));
    return named.join(', ') + more(hit.members.length - named.length);
  }
  const name = textAt((hit.kind === 'node' ? nodes : links).name, hit.index);
  return hit.kind === 'link' ? name + more(hit.size - 1) : name;
}
