// What the worker that paints is sent.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import type { Scene } from '../../../admin/web/src/map/drawing.ts';
import { groupingOf } from '../../../admin/web/src/map/grouping.ts';
import { maskOf, networkOf } from '../../../admin/web/src/map/network.ts';
import type { ToWorker } from '../../../admin/web/src/map/painting/messages.ts';
import { Workshop } from '../../../admin/web/src/map/painting/workshop.ts';
import { styledByGroup } from '../../../admin/web/src/map/styles.ts';
import { columns } from './example.ts';

function scene(): Scene {
  const network = networkOf(columnsOfJson(columns()));
  const grouping = groupingOf(network, 'topology');
  const mask = maskOf(network, { nodeTags: new Set(), linkTags: new Set(), topology: null });
  return { network, mask, styled: styledByGroup(network, grouping, new Uint8Array(3), false), grouping };
}

// As a browser does: what is moved is no longer here.
function workshop() {
  const sent: ToWorker[] = [];
  const worker = {
    addEventListener: vi.fn(),
    postMessage: (message: ToWorker, transfer?: ArrayBuffer[]) => { sent.push(structuredClone(message, { transfer: transfer ?? [] })); },
  };
  return { sent, shop: new Workshop(worker as unknown as Worker, () => undefined) };
}

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
});
afterEach(() => { vi.unstubAllGlobals(); });

const kinds = (sent: ToWorker[]) => [...new Set(sent.map(({ kind }) => kind))];

it('it has a copy of each column, and the page keeps its own', () => {
  const { sent, shop } = workshop();
  const shown = scene();
  const then = vi.fn();
  shop.setScene(shown, then);
  expect(kinds(sent)).toEqual(['network', 'scene', 'names']);
  const network = Object.assign({}, ...sent.map((message) => (message.kind === 'network' ? message.part : {}))) as Scene['network'];
  expect([network.x, network.a, network.degree]).toEqual([shown.network.x, shown.network.a, shown.network.degree]);
  expect(shown.network.x).toHaveLength(4);
  expect(shown.mask.nodes).toHaveLength(4);
  expect(then).toHaveBeenCalledOnce();
});

it('another scene of the same network goes without it', () => {
  const { sent, shop } = workshop();
  const shown = scene();
  shop.setScene(shown, () => undefined);
  sent.length = 0;
  shop.setScene({ ...shown, grouping: null }, () => undefined);
  expect(kinds(sent)).toEqual(['scene']);
});

it('names that come later are sent alone', () => {
  const { sent, shop } = workshop();
  const shown = scene();
  shop.setScene(shown, () => undefined);
  sent.length = 0;
  shop.setNames(shown.network.columns.nodes.name);
  expect(sent).toEqual([{ kind: 'names', names: shown.network.columns.nodes.name }]);
});
