// Names on the map never overlap, and the important ones come first.
import { describe, expect, it } from 'vitest';
import { BoxGrid, overlap, placeLabels, type Box, type Wish } from '../../../admin/web/src/map/labels.ts';
import { randomOf } from './example.ts';

const wish = (x: number, y: number, width = 40): Wish => ({ x, y, away: 8, width, height: 14 });

describe('labels', () => {
  it('stand at the right, and elsewhere where that is taken', () => {
    const placed = placeLabels([wish(100, 100), wish(110, 100)], new BoxGrid(), 9);
    expect(placed.map(({ box }) => box)).toEqual([
      { left: 108, top: 93, right: 148, bottom: 107 }, { left: 62, top: 93, right: 102, bottom: 107 },
    ]);
  });

  it('are left out where there is no place, the later ones first', () => {
    const crowd = Array.from({ length: 50 }, () => wish(100, 100));
    expect(placeLabels(crowd, new BoxGrid(), 99).map((placed) => placed.wish)).toEqual([0, 1, 2, 3]);
    expect(placeLabels(crowd, new BoxGrid(), 2)).toHaveLength(2);
  });

  it('touch without overlapping, and overlap by a part of a pixel', () => {
    const box = (left: number, top: number): Box => ({ left, top, right: left + 10, bottom: top + 10 });
    expect([overlap(box(0, 0), box(10, 0)), overlap(box(0, 0), box(9.9, 9.9)), overlap(box(0, 0), box(3, 3))]).toEqual([false, true, true]);
  });

  it('never overlap, nor cover what is there already', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomOf(seed);
      const number = (most: number) => random() * most - most / 8;
      const taken = new BoxGrid();
      const dots: Box[] = Array.from({ length: 40 }, () => {
        const [x, y] = [number(900), number(600)];
        return { left: x - 4, top: y - 4, right: x + 4, bottom: y + 4 };
      });
      for (const dot of dots) taken.add(dot);
      const wishes = Array.from({ length: 300 }, () => ({ x: number(900), y: number(600), away: 3 + random() * 20, width: 1 + random() * 300, height: 8 + random() * 40 }));
      const boxes = [...placeLabels(wishes, taken, 200).map(({ box }) => box)];
      expect(boxes.length).toBeGreaterThan(5);
      const faults = boxes.filter((one, i) => [...boxes.slice(i + 1), ...dots].some((other) => overlap(one, other)));
      expect(faults, `seed ${seed}`).toEqual([]);
    }
  });
});
