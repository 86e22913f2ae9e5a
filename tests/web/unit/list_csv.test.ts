// A list as CSV.
import { expect, it } from 'vitest';
import type { Column, Row, Section } from '../../../admin/web/src/app/section.ts';
import { csvOf, rowsOf } from '../../../admin/web/src/ui/list_csv.ts';

const columns: Column[] = [
  { name: 'name', label: 'Name' },
  { name: 'owners', label: 'Owners', cell: (row) => (row.owners as { name: string }[]).map(({ name }) => name).join(', ') },
  { name: 'state', label: 'State', cell: () => null },
];
const row = (name: string, owners: string[] = [], state: unknown = ''): Row => ({ number: 1, name, owners: owners.map((each) => ({ name: each })), state });

it('has the values behind the cells, of what is referred to the names', () => {
  expect(csvOf(columns, [row('Roma', ['A', 'B'], 'met')])).toBe('Name,Owners,State\r\nRoma,"A, B",met\r\n');
});

it('quotes what needs it, and marks what a program would calculate', () => {
  const csv = csvOf([columns[0]!], [row('a "b"'), row('=SUM(A1)'), row('-5.5'), row('-x'), row('two\nlines')]);
  expect(csv).toBe('Name\r\n"a ""b"""\r\n\'=SUM(A1)\r\n-5.5\r\n\'-x\r\n"two\nlines"\r\n');
});

it('leaves empty what refers to nothing, and writes times as they are stored', () => {
  const dashed: Column[] = [
    { name: 'parent', label: 'Parent', cell: () => '–' },
    { name: 'owners', label: 'Owners', cell: () => '–' },
    { name: 'version', label: 'Version', cell: () => 'Mar 1, 2026, 1:00 PM' },
    { name: 'counts', label: 'Elements', cell: () => '2 nodes' },
    { name: 'what', label: 'What', cell: () => '–' },
  ];
  const one: Row = { number: 1, parent: null, owners: [], version: '2026-03-01T12:00:00Z', counts: { nodes: 2 } };
  expect(csvOf(dashed, [one])).toBe('Parent,Owners,Version,Elements,What\r\n,,2026-03-01T12:00:00Z,2 nodes,\r\n');
});

it('marks also what would begin a formula where semicolons or tabs separate cells', () => {
  const csv = csvOf([columns[0]!], [row('a;=SUM(A1)'), row('a\t@b;-5'), row('a;b')]);
  expect(csv).toBe('Name\r\n"a;\'=SUM(A1)"\r\n"a\t\'@b;-5"\r\n"a;b"\r\n');
});

it('begins anew when the map changes between two pages, and takes what there is in the end', async () => {
  const section: Section = { key: 'nodes', title: 'Nodes', singular: 'Node', icon: 'node' };
  // The tag of each answer in turn, the last one from then on.
  const rowsWith = async (tags: string[]) => {
    const asked: string[] = [];
    const { rows } = await rowsOf(section, { q: 'a' }, (path) => {
      const tag = tags[Math.min(asked.push(path), tags.length) - 1]!;
      const isFirst = !path.includes('cursor');
      return Promise.resolve({ tag, value: { items: [row(`${isFirst ? 'first' : 'second'} of ${tag}`)], next: isFirst ? '1' : null, total: 2 } });
    });
    return { names: rows.map(({ name }) => name), asked: asked.length };
  };
  expect(await rowsWith(['1'])).toEqual({ names: ['first of 1', 'second of 1'], asked: 2 });
  expect(await rowsWith(['1', '2'])).toEqual({ names: ['first of 2', 'second of 2'], asked: 4 });
  expect(await rowsWith(['1', '2', '3', '4', '5', '6'])).toEqual({ names: ['first of 5', 'second of 6'], asked: 6 });
});
