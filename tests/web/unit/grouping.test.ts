// What the colours of the map mean, what the legend counts and what it hides.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { countsOf, groupingOf, noGroup, onlyGroups, usualGrouping } from '../../../admin/web/src/map/grouping.ts';
import { maskOf, networkOf } from '../../../admin/web/src/map/network.ts';
import { colours, plain } from '../../../admin/web/src/map/palette.ts';
import { columns, scattered } from './example.ts';

const network = networkOf(columnsOfJson(columns()));
const mask = maskOf(network, { nodeTags: new Set(), linkTags: new Set(), topology: null });

describe('colours by topology', () => {
  const grouping = groupingOf(network, 'topology');

  it('are those of the topology of each element, in the order of their numbers', () => {
    expect(grouping.groups.map(({ key, name }) => [key, name])).toEqual([[noGroup, ''], ['1', 'Root'], ['2', 'Sub'], ['3', 'Other']]);
    expect([...grouping.nodes]).toEqual([1, 2, 3, 1]);
    expect([...grouping.links]).toEqual([1, 1, 1]);
    expect(grouping.groups.map(({ colour }) => colour)).toEqual([plain, ...colours.slice(0, 3)]);
  });

  it('are those of the deepest of several topologies', () => {
    const both = columns();
    both.nodes.topologies[0] = [0, 1];
    both.nodes.topologies[1] = [2, 0];
    both.nodes.topologies[2] = [];
    const { groups, nodes } = groupingOf(networkOf(columnsOfJson(both)), 'topology');
    expect([...nodes].map((group) => groups[group]!.name)).toEqual(['Sub', 'Other', '', 'Root']);
  });

  it('end with topologies that are below themselves', () => {
    const turned = columns();
    turned.topologies.parent = [1, 0, -1];
    expect(groupingOf(networkOf(columnsOfJson(turned)), 'topology').groups).toHaveLength(4);
  });
});

it('owners are called by their short names, and what nobody owns is of the others', () => {
  const { groups, nodes, links } = groupingOf(network, 'owner');
  expect(groups.map(({ name }) => name)).toEqual(['', 'I']);
  expect([[...nodes], [...links]]).toEqual([[1, 0, 1, 0], [0, 0, 0]]);
});

it('topologies are the usual colours where there are several, or no tag has a colour', () => {
  expect(usualGrouping(network)).toBe('topology');
  const one = columns();
  one.nodes.topologies = [[0], [0], [0], [0]];
  expect(usualGrouping(networkOf(columnsOfJson(one)))).toBe('tag');
  one.tags = ['red', 'blue'];
  expect(usualGrouping(networkOf(columnsOfJson(one)))).toBe('topology');
  expect(usualGrouping(networkOf(columnsOfJson({ ...columns(), nodes: scattered(0).nodes, links: scattered(0).links })))).toBe('topology');
});

it('the legend counts what has a place and passes the other filters', () => {
  const counts = countsOf(mask, groupingOf(network, 'topology'));
  expect(counts).toEqual([{ nodes: 0, links: 0 }, { nodes: 1, links: 2 }, { nodes: 1, links: 0 }, { nodes: 1, links: 0 }]);
});

it('chosen groups hide all others', () => {
  const grouping = groupingOf(network, 'topology');
  const shown = (...keys: string[]) => {
    const { nodes, links, nodeCount } = onlyGroups(mask, grouping, new Set(keys));
    return [[...nodes].join(''), [...links].join(''), nodeCount];
  };
  expect(shown()).toEqual(['1110', '110', 3]);
  expect(shown('2')).toEqual(['0100', '000', 1]);
  expect(shown('1', '3')).toEqual(['1010', '110', 2]);
  expect(shown('99')).toEqual(['0000', '000', 0]);
});

it('more groups than have colours are the others, the smallest first', () => {
  const many = scattered(700);
  many.topologies = { number: [...Array(350).keys()], name: [...Array(350).keys()].map(String), parent: Array(350).fill(-1) as number[] };
  many.nodes.topologies = many.nodes.topologies.map((_, i) => [i % 350]);
  many.links.topologies = many.links.topologies.map((_, i) => [i < 300 ? i : 0]);
  const { groups, nodes } = groupingOf(networkOf(columnsOfJson(many)), 'topology');
  expect(groups).toHaveLength(301);
  expect([nodes[299], nodes[300]]).toEqual([300, 0]);
});
