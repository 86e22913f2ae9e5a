// What lies beneath a pointer.
import { expect, it } from 'vitest';
import { columnsOfJson, noTexts } from '../../../admin/web/src/map/columns.ts';
import type { View } from '../../../admin/web/src/map/drawing.ts';
import { maskOf, networkOf } from '../../../admin/web/src/map/network.ts';
import { shippedColours, styledByGroup } from '../../../admin/web/src/map/styles.ts';
import { groupingOf } from '../../../admin/web/src/map/grouping.ts';
import { Studio } from '../../../admin/web/src/map/painting/studio.ts';
import { SvgPainter } from '../../../admin/web/src/map/svg_painter.ts';
import { hitOf } from '../../../admin/web/src/map/targets.ts';
import { finish } from '../../../admin/web/src/map/work.ts';
import { columns } from './example.ts';

const network = networkOf(columnsOfJson(columns()));
const mask = maskOf(network, { nodeTags: new Set(), linkTags: new Set(), topology: null });
const styled = styledByGroup(network, groupingOf(network, 'tag', shippedColours), new Uint8Array(3), false);
const look = { text: '#000', halo: '#fff', surface: '#fff', dark: false, selected: null, emphasised: null };
const [x, y] = [network.x[0]!, network.y[0]!];

// With the first node in the middle.
function viewAt(zoom: number): View {
  const scale = 256 * 2 ** zoom;
  return { zoom, scale, left: x * scale - 400, top: y * scale - 300, width: 800, height: 600 };
}

it('is found by its place, whatever the map shows by now', () => {
  const studio = new Studio();
  studio.setScene({ network, mask, styled, grouping: null });
  const painter = new SvgPainter({ font: '', measureText: () => ({ width: 10 }) as TextMetrics });
  for (const zoom of [5, 9]) {
    const { targets } = finish(studio.paint('network', painter, viewAt(zoom), { network: look, world: null }));
    const there = structuredClone(targets!); // as it comes from a worker
    expect(hitOf(there, x, y)).toEqual({ kind: 'node', index: 0 });
    expect(hitOf(there, x + 0.1, y)).not.toEqual({ kind: 'node', index: 0 });
  }
});

it('has no name before names have come, not even of several in one place', () => {
  const studio = new Studio();
  const { columns: { nodes } } = network;
  const scene = { network: { ...network, columns: { nodes: { name: noTexts() } } }, mask, styled, grouping: null };
  scene.network.x = network.x.map(() => x);
  scene.network.y = network.y.map(() => y);
  studio.setScene(scene);
  const painter = new SvgPainter({ font: '', measureText: () => ({ width: 10 }) as TextMetrics });
  const labels = () => finish(studio.paint('network', painter, viewAt(9), { network: look, world: null })).labels.map(({ text }) => text);
  expect(labels()).toEqual([]);
  studio.setNames(nodes.name);
  expect(labels()).not.toEqual([]);
});

it('is nothing before there is a map', () => {
  const { targets } = finish(new Studio().paint('network', new SvgPainter({ font: '', measureText: () => ({ width: 10 }) as TextMetrics }), viewAt(5), { network: look, world: null }));
  expect(targets).toBeNull();
});
