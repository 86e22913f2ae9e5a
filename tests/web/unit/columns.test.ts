// The data of a map in pieces of memory: rows behind those that are there, and numbers with places.
import { expect, it } from 'vitest';
import { byList, columnsOfJson, linksWith, listAt, nodesWith, textAt } from '../../../admin/web/src/map/columns.ts';
import { NumberTable } from '../../../admin/web/src/map/number_table.ts';
import { columns } from './example.ts';

it('texts and lists of each row are found', () => {
  const { nodes } = columnsOfJson(columns());
  expect([0, 1, 2, 3].map((row) => textAt(nodes.name, row))).toEqual(['Ada', 'Bea', 'Cid', 'Dan']);
  expect([0, 1, 2, 3].map((row) => listAt(nodes.tags, row))).toEqual([[0], [1], [], [0]]);
  expect(nodes.tags.distinct).toEqual([[0], [1], []]);
  const asked: number[][] = [];
  expect([...byList(Int32Array, nodes.tags, (list) => asked.push(list))]).toEqual([1, 2, 3, 1]);
});

it('rows that are added have a name and a place, and belong to nothing', () => {
  const { nodes, links } = columnsOfJson(columns());
  const more = nodesWith(nodes, [{ number: 14, name: 'Eva', latitude: 5, longitude: NaN }]);
  expect([more.number[4], textAt(more.name, 4), textAt(more.name, 3), textAt(more.id, 4), listAt(more.owners, 4)]).toEqual([14, 'Eva', 'Dan', '', []]);
  expect([...more.latitude]).toEqual([0, 10, 20, NaN, 5]);
  expect(nodesWith(nodes, []).topologies.distinct).toEqual(nodes.topologies.distinct);
  const lines = linksWith(links, [{ number: 23, name: 'Ada – Eva', a: 0, b: 4 }]);
  expect([lines.a[3], lines.b[3], lines.capacity[3], textAt(lines.name, 3)]).toEqual([0, 4, NaN, 'Ada – Eva']);
});

it('numbers have places in the order in which they come first, however many there are', () => {
  const table = new NumberTable(4);
  const numbers = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? -1 - i : i * 2 ** 20));
  expect(numbers.map((number) => table.place(number))).toEqual([...numbers.keys()]);
  expect(numbers.map((number) => table.place(number))).toEqual([...numbers.keys()]);
  expect(table.count).toBe(numbers.length);
});
