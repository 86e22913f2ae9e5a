// The map's data: projection, parallel links, filters, what is gone.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import {
  descendants, fanOf, maskOf, networkOf, projectX, projectY, withGone,
} from '../../../admin/web/src/map/network.ts';
import { finish } from '../../../admin/web/src/map/work.ts';
import { columns } from './example.ts';

const everything = { nodeTags: new Set<string>(), linkTags: new Set<string>(), topology: null };

describe('projection', () => {
  it('puts the equator and Greenwich in the middle', () => {
    expect([projectX(0), projectY(0)]).toEqual([0.5, 0.5]);
  });

  it('ends at the edges of the world, also at the poles', () => {
    expect(projectX(180)).toBe(1);
    expect(projectY(90)).toBeCloseTo(0, 6);
    expect(projectY(-90)).toBeCloseTo(1, 6);
  });
});

describe('network', () => {
  it('takes zero for a place and null for none', () => {
    const { x } = networkOf(columnsOfJson(columns()));
    expect(x[0]).toBe(0.5);
    expect(x[3]).toBeNaN();
  });

  it('fans parallel links out to both sides, whichever way they were written', () => {
    const { fanAt, a, b } = networkOf(columnsOfJson(columns()));
    const fan = [-0.5, -0.5, 0]; // opposite directions: the same number is the other side
    expect([0, 1, 2].map(fanAt)).toEqual(fan);
    expect([...finish(fanOf(a, b, 4))]).toEqual(fan);
  });

  it('leaves the middle one of three parallel links straight', () => {
    const fan = finish(fanOf(Int32Array.of(0, 0, 0), Int32Array.of(1, 1, 1), 2));
    expect([...fan]).toEqual([-1, 0, 1]);
  });

  it('draws links that are gone between nodes, and between ends that are none any more', () => {
    const network = withGone(networkOf(columnsOfJson(columns())), {
      nodes: { number: [40], name: ['Old'], latitude: [5], longitude: [6] },
      links: { number: [41, 42, 43], name: ['Old – Ada', 'Ada – nowhere', 'Ada – lost'], a: [[5, 6], [0, 0], [0, 0]], b: [[0, 0], [7, 8], null] },
    });
    expect(network.nodesShown).toBe(5);
    expect([...network.a.subarray(3), ...network.b.subarray(3)]).toEqual([4, 0, 0, 0, 5, 3]);
    const mask = maskOf(network, everything);
    expect([...mask.links.subarray(3)]).toEqual([1, 1, 0]);
    expect([...mask.nodes]).toEqual([1, 1, 1, 0, 1, 0]);
  });
});

describe('filters', () => {
  const shownBy = (filter: Partial<typeof everything> & { topology?: number | null }) => {
    const { nodes, links } = maskOf(networkOf(columnsOfJson(columns())), { ...everything, ...filter });
    return { nodes: [...nodes].join(''), links: [...links].join('') };
  };

  it('show everything that has a place when nothing is ticked', () => {
    expect(shownBy({})).toEqual({ nodes: '1110', links: '110' });
  });

  it('show an element with any of the ticked tags, and leave links alone', () => {
    expect(shownBy({ nodeTags: new Set(['SREN']) })).toEqual({ nodes: '0100', links: '110' });
    expect(shownBy({ linkTags: new Set(['NREN']) })).toEqual({ nodes: '1110', links: '100' });
  });

  it('count the topologies below the chosen one', () => {
    expect(shownBy({ topology: 1 }).nodes).toBe('1100');
    expect(shownBy({ topology: 3 }).nodes).toBe('0010');
  });

  it('show nothing of a topology that is not there at this point in time', () => {
    expect(shownBy({ topology: 4 })).toEqual({ nodes: '0000', links: '000' });
  });

  it('end on a cycle of topologies', () => {
    expect([...descendants([1, 0], 0)].sort()).toEqual([0, 1]);
  });
});
