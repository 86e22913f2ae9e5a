// A change that is only planned, drawn over the map that it would change.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import type { PlannedMap } from '../../../admin/web/generated/api.ts';
import { changesOfPlan, countOf, onlyChanges, withMoves } from '../../../admin/web/src/map/changes.ts';
import { legendLines } from '../../../admin/web/src/map/legend.tsx';
import { MapModel } from '../../../admin/web/src/map/model.ts';
import { columns } from './example.ts';

// Eva and a link to her come, Bea moves, Cid goes.
const planned = (): PlannedMap => ({
  lsn: 3, left_out: 0,
  nodes: { added: [14], removed: [12], changed: [11] }, links: { added: [23], removed: [], changed: [] },
  coming: {
    nodes: { number: [14], name: ['Eva'], latitude: [30], longitude: [30] },
    links: { number: [23], name: ['Ada – Eva'], a: [[0, 0]], b: [[30, 30]] },
  },
  moved: { number: [11], latitude: [11], longitude: [12] },
});

const before = columnsOfJson(columns());

afterEach(() => { vi.unstubAllGlobals(); });

async function shown(map = planned()): Promise<MapModel> {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(columns())));
  const model = new MapModel({ endpoint: '/' });
  await model.showPlanned(() => Promise.resolve(map));
  return model;
}

describe('a planned change', () => {
  it('draws what moves where it will be, with a line from where it was', () => {
    expect([...withMoves(before, planned()).nodes.latitude]).toEqual([0, 11, 20, NaN]);
    const { links, lacking } = changesOfPlan(planned(), before);
    expect(links.changed).toEqual([-11]);
    expect(lacking.links).toEqual({ number: [23, -11], name: ['Ada – Eva', 'Bea'], a: [[0, 0], [10, 10]], b: [[30, 30], [11, 12]] });
  });

  it('has no line of what had no place, or gets none', () => {
    const first = { ...planned(), moved: { number: [13, 11], latitude: [1, null], longitude: [1, null] } };
    expect(changesOfPlan(first, before).links.changed).toEqual([]);
    expect([...withMoves(before, first).nodes.latitude]).toEqual([0, NaN, 20, 1]);
  });

  it('counts nodes and links, but no line from where a node was', () => {
    expect(countOf(changesOfPlan(planned(), before))).toEqual({ added: 2, removed: 1, changed: 1 });
  });

  it('leaves out what comes where only what goes is wanted', () => {
    const only = onlyChanges(changesOfPlan(planned(), before), new Set(['removed']));
    expect([only.nodes, only.links]).toEqual([{ added: [], removed: [12], changed: [] }, { added: [], removed: [], changed: [] }]);
    expect([only.lacking.nodes.number, only.lacking.links.number]).toEqual([[], []]);
  });

  it('has a style for each, and pale ones for the rest of the map', async () => {
    const { scene } = await shown();
    const { styled, network, mask } = scene.value!;
    const markOf = (number: number) => styled.palette[styled.nodes[network.nodeAt(number)!]!]!.mark;
    expect([10, 11, 12, 14].map(markOf)).toEqual([undefined, 'slash', 'minus', 'plus']);
    expect(styled.palette[0]!.faint).toBe(true);
    expect(mask.nodeCount).toBe(4); // Dan has no place
    expect(network.x.length - network.nodesShown).toBe(1); // where Bea was; all other links end at nodes
  });

  it('says what its colours mean on pictures, too, and shows one of them alone', async () => {
    const model = await shown();
    expect(legendLines(model, '#000000').map(({ text, mark }) => [text, mark])).toEqual([['Comes: 2', 'plus'], ['Goes: 1', 'minus'], ['Changes or moves: 1', 'slash']]);
    model.toggleChanges('removed');
    expect(legendLines(model, '#000000')).toHaveLength(1);
    expect(model.network.value!.nodeAt(14)).toBeUndefined();
    model.toggleChanges('removed');
    expect(model.network.value!.nodeAt(14)).toBeDefined();
  });
});
