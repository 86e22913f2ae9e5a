// The layout of the schematic view: whole, the same each time, apart, and what the reader has moved.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { MapModel } from '../../../admin/web/src/map/model.ts';
import { networkOf } from '../../../admin/web/src/map/network.ts';
import { arrange, linkLength, stepsFor, type Graph, type Places } from '../../../admin/web/src/map/schematic/layout.ts';
import { addressText, movedOf, movedText } from '../../../admin/web/src/map/schematic/moved.ts';
import { withPlaces } from '../../../admin/web/src/map/schematic/schematic.ts';
import type { Progress } from '../../../admin/web/src/map/schematic/worker.ts';
import { columns, randomOf, scattered } from './example.ts';

function layoutOf(graph: Graph): Places {
  let last: Places | null = null;
  for (last of arrange(graph));
  return last!;
}

const graphOf = (nodes: number, ends: [number, number][], x = Array<number>(nodes).fill(NaN)): Graph => ({
  x: Float64Array.from(x), y: Float64Array.from(x), isArranged: false,
  a: Int32Array.from(ends, ([a]) => a), b: Int32Array.from(ends, ([, b]) => b),
});
const distance = ({ x, y }: Places, a: number, b: number) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);

describe('the layout', () => {
  it('gives every node a place on the square, whatever the graph is', () => {
    for (let seed = 1; seed <= 15; seed++) {
      const random = randomOf(seed);
      const nodes = 1 + Math.floor(random() * 40);
      const pick = () => Math.floor(random() * nodes);
      const ends = Array.from({ length: Math.floor(random() * 90) }, (): [number, number] => [pick(), pick()]); // loops and parallels, too
      const graph = graphOf(nodes, ends, Array.from({ length: nodes }, () => (random() < 0.5 ? NaN : random())));
      const { x, y } = layoutOf(graph);
      expect([...x, ...y].filter((value) => !(value >= 0 && value <= 1)), `seed ${seed}`).toEqual([]);
      expect(new Set([...x].map((value, node) => `${value} ${y[node]}`)).size, `seed ${seed}`).toBe(nodes);
    }
  });

  it('is the same for the same graph', () => {
    const { x, y, a, b } = networkOf(scattered(80));
    const graph = (): Graph => ({ x: x.slice(), y: y.slice(), a, b, isArranged: false });
    expect(layoutOf(graph())).toEqual(layoutOf(graph()));
  });

  it('puts linked nodes near each other, and others apart', () => {
    const ring = Array.from({ length: 24 }, (_, i): [number, number] => [i, (i + 1) % 24]);
    const places = layoutOf(graphOf(24, ring));
    for (const [a, b] of ring) expect(distance(places, a, b)).toBeLessThan(distance(places, a, (a + 12) % 24));
    expect(distance(places, 0, 1)).toBeGreaterThan(linkLength / 3);
  });

  it('begins at the globe: what is in the west stays in the west', () => {
    const chain = Array.from({ length: 9 }, (_, i): [number, number] => [i, i + 1]);
    const { x } = layoutOf(graphOf(10, chain, Array.from({ length: 10 }, (_, i) => 0.5 + i / 100)));
    for (let node = 1; node < 10; node++) expect(x[node]!).toBeGreaterThan(x[node - 1]!);
  });

  it('moves little when a node comes', () => {
    const { x, y, a, b } = networkOf(scattered(60));
    const before = layoutOf({ x, y, a, b, isArranged: false });
    const more = { x: Float64Array.of(...before.x, NaN), y: Float64Array.of(...before.y, NaN), a: Int32Array.of(...a, 60), b: Int32Array.of(...b, 0), isArranged: true };
    const after = layoutOf(more);
    const moved = Array.from({ length: 60 }, (_, node) => Math.hypot(after.x[node]! - before.x[node]!, after.y[node]! - before.y[node]!)).sort((p, q) => p - q);
    expect(moved[30]!).toBeLessThan(linkLength);
    expect(distance(after, 60, 0)).toBeLessThan(3 * linkLength);
  });

  it('takes fewer steps for larger graphs', () => {
    expect([10, 10_000, 1_000_000].map(stepsFor)).toEqual([300, 100, 25]);
  });
});

interface Asked {
  graph: Graph;
  take: (progress: Progress) => void;
  fail: () => void;
  isHalted: boolean;
}
// Arranges nothing, and keeps what it was asked.
const noting = (asked: Asked[]) => (graph: Graph, take: Asked['take'], fail: Asked['fail']) => {
  const one: Asked = { graph, take, fail, isHalted: false };
  asked.push(one);
  return () => { one.isHalted = true; };
};

describe('the view', () => {
  const asked: Asked[] = [];
  const model = new MapModel({
    endpoint: '/',
    arrange: noting(asked),
  });
  model.columns.value = columnsOfJson(columns());
  const { schematic } = model;
  const shownX = () => [...model.network.value!.x];

  it('asks for a layout when it is shown, and shows each picture of it', () => {
    expect([asked.length, model.network.value!.isGlobe]).toEqual([0, true]);
    schematic.isShown.value = true;
    expect(asked.map(({ graph }) => graph.isArranged)).toEqual([false]);
    asked[0]!.take({ x: Float64Array.of(0.1, 0.2, 0.3, 0.4), y: Float64Array.of(0, 0, 0, 0), done: false });
    expect([shownX(), schematic.isBusy.value]).toEqual([[0.1, 0.2, 0.3, 0.4], true]);
  });

  it('begins anew for another map, where the nodes stood', () => {
    const next = columns();
    next.nodes.number = [13, 10, 99, 11];
    model.columns.value = columnsOfJson(next);
    expect(asked.map(({ isHalted }) => isHalted)).toEqual([true, false]);
    expect([asked[1]!.graph.isArranged, [...asked[1]!.graph.x]]).toEqual([true, [0.4, 0.1, NaN, 0.2]]);
    asked[1]!.take({ x: Float64Array.of(0.5, 0.6, 0.7, 0.8), y: Float64Array.of(0, 0, 0, 0), done: true });
    expect([shownX(), schematic.isBusy.value]).toEqual([[0.5, 0.6, 0.7, 0.8], false]);
  });

  it('gives nodes without a place one, and shows them', () => {
    expect([...model.mask.value!.nodes]).toEqual([1, 1, 1, 1]); // the last is nowhere on the globe
  });

  it('moves a node inside of the square, and puts it back', () => {
    schematic.move(99, 0.25, 1.5);
    expect([shownX(), model.network.value!.y[2]]).toEqual([[0.5, 0.6, 0.25, 0.8], 1]);
    schematic.putBack();
    expect(shownX()).toEqual([0.5, 0.6, 0.7, 0.8]);
  });

  it('leaves the globe as it was, and asks no second time', () => {
    schematic.isShown.value = false;
    expect(model.network.value!.isGlobe).toBe(true);
    schematic.isShown.value = true;
    expect(asked).toHaveLength(2);
  });
});

describe('a layout that is not finished', () => {
  const shown = () => {
    const asked: Asked[] = [];
    const model = new MapModel({
      endpoint: '/',
      arrange: noting(asked),
    });
    model.columns.value = columnsOfJson(columns());
    model.schematic.isShown.value = true;
    return { asked, schematic: model.schematic };
  };

  it('is given up when the view is left, and begun anew when it is shown again', () => {
    const { asked, schematic } = shown();
    asked[0]!.take({ x: Float64Array.of(0.1, 0.2, 0.3, 0.4), y: Float64Array.of(0, 0, 0, 0), done: false });
    schematic.isShown.value = false;
    expect([asked[0]!.isHalted, schematic.isBusy.value]).toEqual([true, false]);
    schematic.isShown.value = true;
    expect([asked.length, schematic.isBusy.value, asked[1]!.graph]).toEqual([2, true, asked[0]!.graph]);
  });

  it('is no longer waited for where it cannot be made, until the view is shown again', () => {
    const { asked, schematic } = shown();
    asked[0]!.fail();
    expect([schematic.isBusy.value, schematic.hasFailed.value]).toEqual([false, true]);
    schematic.isShown.value = false;
    schematic.isShown.value = true;
    expect([asked.length, schematic.isBusy.value, schematic.hasFailed.value]).toEqual([2, true, false]);
  });
});

describe('nodes that were moved', () => {
  const moved = new Map<number, [number, number]>([[10, [0.25, 0.75]], [99, [0.1, 0.1]]]);

  it('stand where they were put, those without a place, too, and links are straight', () => {
    const network = networkOf(columnsOfJson(columns()));
    const places = { x: Float64Array.of(0.1, 0.2, 0.9, 0.4), y: Float64Array.of(0.1, 0.2, 0.9, 0.4) };
    const shown = withPlaces(network, places, moved);
    expect([...shown.x]).toEqual([0.25, 0.2, 0.9, 0.4]);
    expect([...shown.y]).toEqual([0.75, 0.2, 0.9, 0.4]);
    expect([places.x[0], shown.isGlobe]).toEqual([0.1, false]);
  });

  it('come back as they were written', () => {
    expect(movedOf(movedText(moved))).toEqual(moved);
    expect(addressText(moved)).toBe('10.25000.75000,99.10000.10000');
  });

  it('are not in the address where they are many', () => {
    expect(addressText(new Map(Array.from({ length: 9 }, (_, i) => [i + 1, [0, 0] as const])))).toBe('');
  });
});
