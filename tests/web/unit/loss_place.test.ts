import { expect, it } from 'vitest';
import { placeOf } from '../../../admin/web/src/ui/loss_place.ts';

it('a cell is named by its sheet, and as spreadsheets do', () => {
  expect(placeOf({ sheet: 'Eqpt', line: 6, column: 1 })).toBe('Eqpt!A6');
  expect([26, 27, 52, 53, 702, 703].map((column) => placeOf({ sheet: 'S', line: 1, column })))
    .toEqual(['S!Z1', 'S!AA1', 'S!AZ1', 'S!BA1', 'S!ZZ1', 'S!AAA1']);
  expect(placeOf({ sheet: 'Nodes', line: 2 })).toBe('Nodes!2');
  expect(placeOf({ sheet: 'Nodes' })).toBe('Nodes');
});

it('other files have lines and columns, pointers, or no places', () => {
  expect(placeOf({ line: 2, column: 29 })).toBe('2:29');
  expect(placeOf({ line: 2 })).toBe('2:1');
  expect(placeOf({ pointer: '/nodes/0/x' })).toBe('/nodes/0/x');
  expect(placeOf({})).toBe('–');
});
