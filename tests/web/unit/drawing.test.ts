// Clusters, styles and what lies beneath a pointer.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { cellPixels, clusterRadius, clustersAt, separate, type Clusters } from '../../../admin/web/src/map/clusters.ts';
import { groupingOf } from '../../../admin/web/src/map/grouping.ts';
import { inactiveLinks, maskOf, networkOf } from '../../../admin/web/src/map/network.ts';
import { distanceToLink } from '../../../admin/web/src/map/pen.ts';
import { shippedColours, styledByChange, styledByFailure, styledByGroup } from '../../../admin/web/src/map/styles.ts';
import { finish } from '../../../admin/web/src/map/work.ts';
import { columns, scattered } from './example.ts';

const clustersOf = (...about: Parameters<typeof clustersAt>): Clusters => finish(clustersAt(...about));

const network = networkOf(columnsOfJson(columns()));
const everything = { nodeTags: new Set<string>(), linkTags: new Set<string>(), topology: null };
const mask = maskOf(network, everything);
const none = new Uint8Array(3);
const styledByTag = (of: typeof network, colours = shippedColours, dark = false) =>
  styledByGroup(of, groupingOf(of, 'tag', colours), none, dark);

describe('styles', () => {
  it('colour by tag, and grey without one', () => {
    const styled = styledByTag(network);
    const colourOf = (index: number) => styled.palette[styled.nodes[index]!]!.colour;
    expect([colourOf(0), colourOf(1), colourOf(2)]).toEqual(['#2a2d7c', '#744496', '#6e7681']);
  });

  it('let later labels win over earlier ones', () => {
    const both = columns();
    both.nodes.tags[0] = [0, 1];
    const styled = styledByTag(networkOf(columnsOfJson(both)), { ...shippedColours, nodes: { SREN: '#111111', NREN: '#222222' } });
    expect(styled.palette[styled.nodes[0]!]!.colour).toBe('#222222');
  });

  it('have a twin of each colour for the dark map', () => {
    const [light, dark] = [styledByTag(network), styledByTag(network, shippedColours, true)];
    expect(dark.palette).toHaveLength(light.palette.length);
    for (const [place, { colour }] of dark.palette.entries()) expect(colour).not.toBe(light.palette[place]!.colour);
  });

  it('make links as wide as they are fast, and dash those that are planned or have ended', () => {
    const { capacity } = styledByTag(network);
    expect([...capacity]).toEqual([3, 0, 1]);
    expect([...inactiveLinks(network, Date.parse('2029-12-31'))]).toEqual([0, 1, 0]);
    expect([...inactiveLinks(network, Date.parse('2030-01-01'))]).toEqual([0, 0, 0]);
    const ended = columns();
    ended.lifetimes = { link: [2], start: [null], end: ['2030-01-01T00:00:00Z'] };
    expect([...inactiveLinks(networkOf(columnsOfJson(ended)), Date.parse('2030-01-01'))]).toEqual([0, 0, 1]);
  });

  it('tell what was added, removed and changed', () => {
    const { nodes, links } = styledByChange(network, {
      nodes: { added: [10], removed: [12], changed: [11] }, links: { added: [], removed: [20], changed: [] },
    }, false);
    expect([...nodes]).toEqual([2, 1, 3, 0]);
    expect([...links]).toEqual([3, 0, 0]);
  });

  it('show a failed node as failed even where it is cut off, too', () => {
    const { nodes } = styledByFailure(network, { failed: { nodes: [10], links: [] }, cutOff: [10, 11], single: { nodes: [12], links: [] } }, false);
    expect([...nodes]).toEqual([3, 2, 1, 0]);
  });

  it('show links of a failed node as failed', () => {
    const { links } = styledByFailure(network, { failed: { nodes: [13], links: [] }, cutOff: [], single: { nodes: [], links: [] } }, false);
    expect([...links]).toEqual([0, 0, 3]);
  });

  it('show links between nodes that are cut off as cut off', () => {
    const { links } = styledByFailure(network, { failed: { nodes: [], links: [21] }, cutOff: [10, 11], single: { nodes: [], links: [] } }, false);
    expect([...links]).toEqual([2, 3, 0]);
  });
});

describe('clusters', () => {
  const styled = styledByTag(network);

  it('hold all nodes that are shown, once', () => {
    const far = clustersOf(network, mask, styled, 0);
    expect(far.size.reduce((a, b) => a + b, 0)).toBe(3);
    expect([...far.members].sort()).toEqual([0, 1, 2]);
    const near = clustersOf(network, mask, styled, 12);
    expect([...near.size.subarray(0, near.count)]).toEqual([1, 1, 1]);
  });

  it('join links between the same two into one line for each colour', () => {
    const near = clustersOf(network, mask, styled, 12);
    expect([...near.lineSize]).toEqual([1, 1]); // NREN, and without a tag
    const plain = columns();
    plain.links.tags = [[], [], []];
    const grey = networkOf(columnsOfJson(plain));
    const joined = clustersOf(grey, mask, styledByTag(grey), 12);
    expect([...joined.lineSize]).toEqual([2]);
    expect([...joined.lineClass]).toEqual([3]); // that of the fastest
  });

  it('count no node that a filter hides', () => {
    const hidden = { ...mask, nodes: new Uint8Array(4) };
    expect(clustersOf(network, hidden, styled, 12).size.reduce((a, b) => a + b, 0)).toBe(0);
  });

  it('leave alone the few nodes that differ, and join them where they are many', () => {
    const many = networkOf(columnsOfJson(scattered(5000)));
    const all = maskOf(many, everything);
    const changed = (count: number) => styledByChange(many, {
      nodes: { added: [...many.columns.nodes.number.slice(0, count)], removed: [], changed: [] }, links: { added: [], removed: [], changed: [] },
    }, false);
    const standing = (count: number) => {
      const { count: clusters, size, first } = clustersOf(many, all, changed(count), 2);
      return Array.from({ length: clusters }, (_, i) => i).filter((i) => size[i] === 1 && first[i]! < count).length;
    };
    expect(standing(200)).toBe(200);
    expect(standing(300)).toBeLessThan(300);
  });

  it('are circles that never touch, however many nodes there are', () => {
    const many = networkOf(columnsOfJson(scattered(5000)));
    const all = maskOf(many, everything);
    for (const zoom of [2, 4, 6]) {
      const found = clustersOf(many, all, styledByTag(many), zoom);
      expect(found.size.reduce((a, b) => a + b, 0)).toBe(5000);
      const scale = 256 * 2 ** zoom;
      const circles = [...found.crowded.keys()].filter((i) => found.crowded[i] === 1)
        .map((i) => ({ x: found.x[i]! * scale, y: found.y[i]! * scale, radius: clusterRadius(found.size[i]!) }));
      circles.forEach((one, i) => circles.slice(i + 1).forEach((other) => {
        const apart = Math.hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius;
        if (apart < 0) throw new Error(`two circles overlap by ${-apart} pixels at zoom level ${zoom}`);
      }));
    }
    expect(clusterRadius(1e7)).toBeLessThan(cellPixels / 2);
  });

  it('are the same for an area as for the whole map, as far as it reaches', () => {
    const many = networkOf(columnsOfJson(scattered(2000)));
    const all = maskOf(many, everything);
    const looks = styledByTag(many);
    const [x, y] = [many.x[0]!, many.y[0]!];
    const area = { west: x - 0.02, east: x + 0.02, north: y - 0.02, south: y + 0.02 };
    const isIn = (at: number, of: Clusters) => of.x[at]! > area.west && of.x[at]! < area.east && of.y[at]! > area.north && of.y[at]! < area.south;
    const circlesIn = (of: Clusters) => Array.from({ length: of.count }, (_, i) => i).filter((i) => of.size[i]! > 0 && isIn(i, of))
      .map((i) => [of.x[i], of.y[i], of.size[i], of.first[i], of.crowded[i]]);
    const linesInside = (of: Clusters) => [...of.lineA.keys()].filter((line) => isIn(of.lineA[line]!, of) && isIn(of.lineB[line]!, of))
      .map((line) => [of.lineFirst[line], of.lineSize[line], of.fan[line]]);
    const [whole, part] = [clustersOf(many, all, looks, 6), clustersOf(many, all, looks, 6, area)];
    expect(circlesIn(part).length).toBeGreaterThan(3);
    expect(circlesIn(part)).toEqual(circlesIn(whole));
    expect(linesInside(part)).toEqual(linesInside(whole));
    expect(part.count).toBeLessThan(whole.count);
    expect(part.lineSize.reduce((a, b) => a + b, 0)).toBeGreaterThan(linesInside(part).length); // those that leave it, too
  });

  it('are the nodes themselves where these are few', () => {
    const found = finish(separate(network, mask, styled));
    expect([...found.size]).toEqual([1, 1, 1, 0]);
    expect([...found.lineSize]).toEqual([1, 1, 0]);
  });
});

describe('the pointer', () => {
  it('is as far from a straight link as from its nearest point', () => {
    expect(distanceToLink(5, 3, 0, 0, 10, 0, 0)).toBe(3);
    expect(distanceToLink(14, 3, 0, 0, 10, 0, 0)).toBe(5);
  });

  it('finds a link that bows out where it is drawn', () => {
    expect(distanceToLink(50, 9, 0, 0, 100, 0, 9)).toBeLessThan(0.5);
    expect(distanceToLink(50, 0, 0, 0, 100, 0, 9)).toBeGreaterThan(8);
  });
});
