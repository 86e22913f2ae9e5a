// Planned changes in groups: what stands together, what is asked for, and what is short.
import { expect, it } from 'vitest';
import type { ChangeGroup } from '../../../admin/web/generated/api.ts';
import { byTopology, isShort, pageOf, pageQuery } from '../../../admin/web/src/sections/change_groups.ts';

const coast = { id: 'urn:coast', name: 'Coast' };
const group = (action: ChangeGroup['action'], kind: string, count: number, topology?: ChangeGroup['topology']): ChangeGroup =>
  ({ action, kind, count, examples: [], ...(topology === undefined ? {} : { topology }) });

it('groups of one topology stand together with their sums', () => {
  const groups = [group('created', 'Node', 1204, coast), group('created', 'Link', 7, coast), group('deleted', 'Node', 2, coast), group('updated', 'rule', 1, null)];
  expect(byTopology(groups)).toEqual([
    { topology: coast, groups: groups.slice(0, 3), counts: { created: 1211, updated: 0, deleted: 2 } },
    { topology: null, groups: groups.slice(3), counts: { created: 0, updated: 1, deleted: 0 } },
  ]);
});

it('two topologies of one name stay apart, groups without any do not', () => {
  const other = { id: 'urn:other', name: 'Coast' };
  expect(byTopology([group('created', 'Node', 1, coast), group('created', 'Node', 1, other)]).map(({ topology }) => topology)).toEqual([coast, other]);
  expect(byTopology([group('created', 'Node', 1), group('deleted', 'Node', 1)])).toHaveLength(1);
});

it('no groups are no topologies', () => {
  expect(byTopology([])).toEqual([]);
});

it('the list of a group is asked for by all that it is', () => {
  expect(pageQuery({ ...pageOf(group('created', 'Node', 9, coast)), cursor: '50' })).toBe('?limit=50&action=created&kind=Node&topology=urn%3Acoast&cursor=50');
  expect(pageQuery(pageOf(group('updated', 'rule', 1, null)))).toBe('?limit=50&action=updated&kind=rule&topology=-');
  expect(pageQuery(pageOf(group('created', 'Node', 9)), { preview: 'true' })).toBe('?limit=50&preview=true&action=created&kind=Node');
});

it('a few changes are short, many or scattered ones are not', () => {
  expect(isShort([group('created', 'Node', 15, coast), group('created', 'Link', 5, coast)])).toBe(true);
  expect(isShort([group('created', 'Node', 21, coast)])).toBe(false);
  expect(isShort(Array.from({ length: 7 }, (_, i) => group('created', 'Node', 1, { id: String(i), name: '' })))).toBe(false);
});
