// What a browser keeps of a list.
import { afterEach, expect, it, vi } from 'vitest';
import type { Section } from '../../../admin/web/src/app/section.ts';
import { showColumn, shownColumns } from '../../../admin/web/src/ui/list_kept.ts';

let isWatched = false;
const section: Section = {
  key: 'nodes', title: 'Nodes', singular: 'Node', icon: 'node',
  list: { columns: [
    { name: 'id', label: 'NetML ID' }, { name: 'name', label: 'Name' },
    { name: 'redundancy', label: 'Redundancy', possible: () => isWatched }, { name: 'version', label: 'Version', more: true },
  ] },
};
const shown = () => shownColumns(section).map(({ name }) => name);

function storage(setItem?: () => void) {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: setItem ?? ((key: string, value: string) => kept.set(key, value)) });
}

afterEach(() => { vi.unstubAllGlobals(); });

it('a column that comes later is shown, though others were chosen before', () => {
  storage();
  isWatched = false;
  showColumn(section, section.list!.columns[1]!, false);
  showColumn(section, section.list!.columns[3]!, true);
  expect(shown()).toEqual(['id', 'version']);
  isWatched = true;
  expect(shown()).toEqual(['id', 'redundancy', 'version']);
  showColumn(section, section.list!.columns[2]!, false);
  expect(shown()).toEqual(['id', 'version']);
});

it('a browser that keeps nothing breaks no list', () => {
  storage(() => { throw new DOMException('full', 'QuotaExceededError'); });
  showColumn(section, section.list!.columns[1]!, false);
  expect(shown()).toContain('name');
});
