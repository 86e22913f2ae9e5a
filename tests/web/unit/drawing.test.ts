// Clusters, styles and what lies beneath a pointer.
import { describe, expect, it } from 'vitest';
import { clustersAt } from '../../../admin/web/src/map/clusters.ts';
import { distanceToLink } from '../../../admin/web/src/map/drawing.ts';
import { maskOf, networkOf } from '../../../admin/web/src/map/network.ts';
import { shippedColours, styledByChange, styledByFailure, styledByTag } from '../../../admin/web/src/map/styles.ts';
import { columns } from './example.ts';

const network = networkOf(columns());
const mask = maskOf(network, { nodeTags: new Set(), linkTags: new Set(), topology: null });

describe('styles', () => {
  it('colour by tag, and grey without one', () => {
    const styled = styledByTag(network, shippedColours, false);
    const colourOf = (index: number) => styled.palette[styled.nodes[index]!]!.colour;
    expect([colourOf(0), colourOf(1), colourOf(2)]).toEqual(['#2a2d7c', '#744496', '#6e7681']);
  });

  it('let later labels win over earlier ones', () => {
    const both = columns();
    both.nodes.tags[0] = [0, 1];
    const styled = styledByTag(networkOf(both), { ...shippedColours, nodes: { SREN: '#111111', NREN: '#222222' } }, false);
    expect(styled.palette[styled.nodes[0]!]!.colour).toBe('#222222');
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
  const styled = styledByTag(network, shippedColours, false);

  it('hold all nodes that are shown, once', () => {
    const far = clustersAt(network, mask, styled, 0);
    expect(far.size.reduce((a, b) => a + b, 0)).toBe(3);
    const near = clustersAt(network, mask, styled, 12);
    expect([...near.size.subarray(0, near.count)]).toEqual([1, 1, 1]);
  });

  it('join links between the same two into one line', () => {
    const near = clustersAt(network, mask, styled, 12);
    expect([...near.lineSize]).toEqual([2]);
  });

  it('count no node that a filter hides', () => {
    const none = { ...mask, nodes: new Uint8Array(4) };
    expect(clustersAt(network, none, styled, 12).size.reduce((a, b) => a + b, 0)).toBe(0);
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
