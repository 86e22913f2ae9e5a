// Dragging nodes of the schematic view.
import { expect, it, vi } from 'vitest';
import type { Chart } from '../../../admin/web/src/map/chart.ts';
import type { MapModel } from '../../../admin/web/src/map/model.ts';
import { followSchematic } from '../../../admin/web/src/map/schematic/view.ts';

const still = <T>(value: T) => ({ value, peek: () => value }); // a signal that stays as it is
const point = (x: number, y: number) => ({ x, y, divideBy: (by: number) => point(x / by, y / by) });

function view() {
  const page = new EventTarget();
  vi.stubGlobal('document', page);
  let press: (event: unknown) => void = () => undefined;
  const map = {
    on: (_name: string, listener: typeof press) => { press = listener; },
    off: () => { press = () => undefined; },
    mouseEventToLatLng: (event: { clientX: number; clientY: number }) => event,
    project: ({ clientX, clientY }: { clientX: number; clientY: number }) => point(clientX, clientY),
  };
  const moves: [number, number, number][] = [];
  const schematic = {
    isShown: still(true), pictures: still(0), hasPlaces: true,
    move: (...move: [number, number, number]) => moves.push(move), keep: vi.fn(),
  };
  const chart = { map, nodeAt: () => 7, showAll: () => true, viewText: '' };
  const stop = followSchematic(chart as unknown as Chart, { schematic, mask: still({ nodeCount: 4000 }) } as unknown as MapModel, true);
  const send = (type: string, button = 0) => page.dispatchEvent(Object.assign(new Event(type), { button, clientX: 64, clientY: 128 }));
  return { stop, send, moves, schematic, down: (button = 0) => press({ originalEvent: { button } }) };
}

it('a node that is dragged stays where it is let go', () => {
  const { down, send, moves, schematic } = view();
  down();
  send('mousemove');
  send('mouseup');
  expect([moves, schematic.keep.mock.calls.length]).toEqual([[[7, 0.25, 0.5]], 1]);
});

it('leaving the map moves nothing again', () => {
  const { down, send, moves, stop } = view();
  down();
  send('mousemove');
  send('mouseup');
  stop();
  send('mousemove');
  send('mouseup');
  expect(moves).toHaveLength(1);
});

it('the right button drags nothing, and ends no dragging', () => {
  const { down, send, moves } = view();
  down(2);
  send('mousemove');
  send('mouseup', 2);
  expect(moves).toEqual([]);
  down();
  send('mousemove');
  send('mouseup', 2);
  expect(moves).toEqual([]);
  send('mouseup');
  expect(moves).toHaveLength(1);
});
